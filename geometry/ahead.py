"""How far a unit's models have to go to a goal, over what may be climbed too, and what they climb on the way.

Owns these measures, at the facing of a model and at others. Which move follows is `geometry.over`'s.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import msgspec
import numpy as np
from msgspec.structs import replace

from geometry.base import TOLERANCE, Floats
from geometry.clearance import leg_length
from geometry.goal import Goal, ToBases, ToLine
from geometry.ground import Ground
from geometry.guide import Guide
from geometry.moved import Moved
from geometry.muster import Muster, Party
from geometry.outline import Outlines, Stance, stance_of
from geometry.path import Ascent, Path
from geometry.rise import Rise, price


class Course(msgspec.Struct, frozen=True):
    """What a unit climbs on its way; of a single model also how it turns first, and what that costs."""

    pieces: tuple[Rise, ...]
    facing: float | None = None
    cost: float = 0.0
    long: float | None = None
    """How long that way is of a single model, climbs and all, after the turn."""
    end: tuple[float, float] | None = None
    """Where that way ends: nearer to the goal there may be no place but in what is climbed."""
    promise: float = 0.0
    """What a single model leaves at the best that keeps to that way."""
    far: Floats | None = None
    """How far the models of a unit need go to stand beside who is the first to come up to a piece."""

    def turned(self, party: Party) -> Party:
        """Return the unit after that turn, with what it leaves to go; nobody turns again."""
        if self.facing is None:
            return replace(party, pivot=None)
        left = np.maximum(party.limit - self.cost, 0.0)
        return replace(party, facing=np.array([self.facing]), limit=left, pivot=None)

    def begun(self, moved: Moved) -> Moved:
        """Return a move with the turn that it begins with."""
        if self.facing is None:
            return moved
        path = moved.paths[0]
        return replace(
            moved, paths=(replace(path, legs=((*path.start, self.facing, self.cost), *path.legs)),)
        )


class Ahead:
    """How far a unit's models have to go to a goal, over what may be climbed too."""

    def __init__(self, party: Party, ground: Ground, goal: Goal) -> None:
        """Take the unit, the ground with all that stands on it, and what the unit makes for."""
        self.party, self.ground, self.goal = party, ground, goal
        self._closed: dict[tuple[Rise, ...], bool] = {}
        self._ways: dict[tuple[Stance, tuple[Rise, ...]], Guide] = {}

    @property
    def opened(self) -> tuple[Party, Ground]:
        """Return the unit with what the lowest climb leaves it to go, and the ground with all climbs open."""
        party, level = self.party, self.ground.at(0.0)
        rises = {rise.polygon for rise in self.ground.rises}
        walls = tuple(wall for wall in level.walls if wall not in rises)
        shut = tuple(wall for wall in level.walls if wall in rises)
        opened = replace(level, walls=walls, no_stand=(*level.no_stand, *shut), rises=(), crowd=None)
        return replace(party, limit=np.maximum(party.limit - self.lowest, 0.0), z=None), opened

    @property
    def lowest(self) -> float:
        """Return what climbing over anything costs at the least; infinite where there is nothing to climb."""
        walls = set(self.ground.walls)
        return min((2 * rise.height for rise in self.ground.rises if rise.polygon in walls), default=math.inf)

    def courses(self, most: float) -> Iterator[Course]:
        """Yield what the models' shortest ways climb, those of the nearest first, each once.

        None where no move that climbs can leave less than so much.
        """
        party = self.party
        if math.isinf(self.lowest):
            return
        crow = np.array([self._crow(at, party.stance(row)) for row, at in enumerate(party.xy)])
        least = np.maximum(crow + self.lowest - party.limit, 0.0)
        known: dict[tuple[Rise, ...], Course] = {}
        leader: int | None = None
        for row in np.argsort(crow.round(6), kind="stable").tolist():
            limit = most - float(least.sum() - least[row]) + float(party.limit[row])
            if not limit > 0:
                return
            if len(party) == 1:
                yield from self._alone(limit)
                return
            # Who is in the open with the first has no way that is much longer.
            if leader is not None and self._are_together(leader, row):
                continue
            way = self.way(party.stance(row), party.xy[row].tolist(), limit, level=False)
            if way is None:
                return
            known.setdefault(way.over, Course(way.over, far=self._beside(row, way.path)))
            least[row] = max(way.path.length - float(party.limit[row]), 0.0)
            if leader is None:
                leader = row
                least = np.maximum(least, self._least_beside(row, way.path.length))
        if float(least.sum()) < most:
            yield from known.values()

    def _beside(self, row: int, way: Path) -> Floats | None:
        """Return how far models need to go to stand beside one that gets only to the foot of a climb."""
        party = self.party
        reach = reach_of(way, float(party.limit[row]))
        if reach >= party.limit[row] - TOLERANCE:
            return None
        return np.asarray(reach + np.hypot(*(party.xy - party.xy[row]).T) + 2 * party.radius.max())

    def _are_together(self, leader: int, row: int) -> bool:
        """Return whether two models stand alike, with nothing between them."""
        party, stance = self.party, self.party.stance(row)
        return party.stance(leader) == stance and self._guide(stance).obstacles.is_clear(
            party.xy[leader].tolist(), party.xy[row].tolist()
        )

    def _least_beside(self, leader: int, long: float) -> Floats:
        """Return what models leave at least that might go by where another stands, whose way is so long."""
        party = self.party
        apart = np.hypot(*(party.xy - party.xy[leader]).T)
        together = np.array([self._are_together(leader, row) for row in range(len(party))])
        return np.where(together, np.maximum(long - apart - party.limit, 0.0), 0.0)

    def _alone(self, limit: float) -> list[Course]:
        """Return the ways within a limit that a single model may take, turned or not, the best first.

        Where it cannot get over what is first on one, the next may leave it less for now.
        """
        party, at, found = self.party, self.party.xy[0].tolist(), list[Course]()
        if not self._may_go(limit, ()):
            return found
        for facing, stance, cost in self.facings():
            may, shut = float(party.limit[0]) - cost, tuple[Rise, ...]()
            while (way := self.way(stance, at, limit - cost, level=False, shut=shut)) is not None:
                long, far = way.path.length, reach_of(way.path, may)
                found.append(Course(way.over, facing, cost, long, way.path.end, long - far))
                limit = min(limit, long - far + float(party.limit[0]) - TOLERANCE)
                shut = (*shut, way.over[0])
                if far >= may - TOLERANCE or not self._may_go(limit, shut):
                    break
        return sorted(found, key=lambda course: round(course.promise, 6))

    def _may_go(self, limit: float, shut: tuple[Rise, ...]) -> bool:
        """Return whether a single oval or hull may find a way: no facing passes where its disc does not."""
        party, own = self.party, self.party.stance(0)
        if own.core.is_point:
            return True
        if shut not in self._closed:
            disc, at = party.disc(0), party.xy[0].tolist()
            wider = own.core.reach + own.radius - disc.radius
            self._closed[shut] = self.way(disc, at, limit, wider, shut=shut) is None
        return not self._closed[shut]

    def facings(self) -> Iterator[tuple[float | None, Stance, float]]:
        """Yield how a single model may face, as it stands (None) or turned, and what that costs."""
        party, own, at = self.party, self.party.stance(0), self.party.xy
        yield None, own, 0.0
        if party.pivot is None or own.core.is_point or party.pivot[0] > party.limit[0] + TOLERANCE:
            return
        for facing in Muster(party, self.ground).facings(0, self.goal):
            stance = stance_of(party.bases[0], facing)
            if self._guide(stance).obstacles.clear(at, at)[0]:
                yield facing, stance, float(party.pivot[0])

    def left_on(self, course: Course, over: Moved, most: float) -> Floats | None:
        """Return what a move on a course leaves, climbs and all; None where it is no less than so much."""
        level = np.array([path.is_level for path in over.paths])
        left = np.where(level & (over.left > TOLERANCE), over.left + price(course.pieces), over.left)
        if not float(left.sum()) < most:
            return None
        gone = over.paths[0].length - course.cost
        # Who is on the way that it knows has the rest of that to go.
        if course.long is not None and level[0] and abs(gone + left[0] - course.long) <= TOLERANCE:
            return left
        return self.left(over, most)

    def left(self, over: Moved, most: float) -> Floats | None:
        """Return what a move leaves, climbs and all; None where it is no less than so much."""
        party, left = self.party, over.left.copy()
        ends = [(path.end, party.stance_after(row, path)) for row, path in enumerate(over.paths)]
        far = (left > TOLERANCE).nonzero()[0].tolist()
        for row in far:
            left[row] = self._crow(np.array(ends[row][0]), ends[row][1])
        for row in far:
            at, stance = ends[row]
            way = self.way(stance, at, most - float(left.sum() - left[row]))
            if way is None:
                return None
            left[row] = way.path.length
        return left if float(left.sum()) < most else None

    def _crow(self, at: Floats, stance: Stance) -> float:
        return float(self.goal.left(at[None], stance)[0])

    def way(
        self,
        stance: Stance,
        at: tuple[float, float],
        most: float,
        wider: float = 0.0,
        level: bool = True,
        shut: tuple[Rise, ...] = (),
    ) -> Ascent | None:
        """Return the shortest way from a place to the goal, climbs and all; without `level` if it climbs.

        Of a disc within a base, that reaches so much wider, it leads to where that has nothing left. What is
        `shut` is not climbed.
        """
        goal = self.goal.wider(wider) if wider and isinstance(self.goal, ToBases) else self.goal
        ways = self._guide(stance, shut)
        return ways.ascent_into(at, _shapes_of(goal, stance), most, level, goal.bases)

    def _guide(self, stance: Stance, shut: tuple[Rise, ...] = ()) -> Guide:
        if (stance, shut) not in self._ways:
            rises = tuple(rise for rise in self.ground.rises if rise not in shut)
            self._ways[stance, shut] = Guide(stance, replace(self.ground, rises=rises))
        return self._ways[stance, shut]


def reach_of(way: Path, limit: float) -> float:
    """Return how far a model gets on its way in a move: to the foot of what it cannot get over."""
    gone = foot = 0.0
    for at, leg, before, after in zip(way.spots, way.legs, way.heights, way.heights[1:], strict=False):
        if not before:
            foot = gone
        gone += leg_length(at, leg)
        if gone > limit + TOLERANCE:
            return foot if before or after else limit
    return gone


def _shapes_of(goal: Goal, stance: Stance) -> Outlines:
    """Return the shapes in which bases that stand like this have nothing left to go."""
    return goal.shape(stance) if isinstance(goal, ToLine) else goal.rings(stance)
