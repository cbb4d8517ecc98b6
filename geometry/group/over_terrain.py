"""Moves over what stands in the way, onto it, or up to it, where that leads nearer than any way round.

Owns which of these is taken. What they are on the flat is `geometry.group.group_move`'s, their climbs are
`geometry.group.levels`'s.

How far a unit's models have to go to a goal, over what may be climbed too, and what they climb on the way.

Owns these measures, at the facing of a model and at others. Which move follows is
`geometry.group.over_terrain`'s.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import msgspec
import numpy as np
from msgspec.structs import replace

from geometry.group.facings import facings
from geometry.group.levels import crossing, tops
from geometry.group.outcome import Moved, Nearing
from geometry.group.party import Party
from geometry.path.elevation import Rise, price
from geometry.path.ground import Ground
from geometry.path.obstacles import leg_length
from geometry.path.planner import Ascent, Path, ShortestPaths
from geometry.path.resting import faults_of_resting
from geometry.shape.base import TOLERANCE, Floats
from geometry.shape.convex_shape import Outlines, Stance, stance_of
from geometry.single.free_space import Footing
from geometry.single.goal import Goal, ToBases, ToLine
from geometry.single.way_out import ways_out

STUCK = 1.0
"""Who gets no farther than so many inches, and not half of what it may, looks for another way to go."""


def over_or_round(
    party: Party,
    ground: Ground,
    goal: Outlines,
    flat: Nearing,
    found: Moved | None,
) -> Moved | None:
    """Return the move that leaves least: the one found round all that is in the way, or over or onto a part.

    Coming up to what will have to be climbed is headway, too: what climbs cost is left to go. Rule: R.A03
    """
    if found is not None and found.left.max(initial=0.0) <= TOLERANCE:
        return found
    # What is left to who is lost is no way, so that any way is better.
    least = math.inf if found is None or found.lost else float(found.left.sum()) - TOLERANCE
    for storey in tops(party, ground, goal, flat.goal):
        onto = flat(storey.party, storey.ground)
        paths = storey.lifted(onto.paths) if onto is not None else None
        if onto is None or onto.lost or paths is None:
            continue
        total = float(np.hypot(onto.left, storey.above).sum())
        if total < least:
            found, least = Moved(paths, onto.left), total - TOLERANCE
    ahead = Ahead(party, ground, flat.goal)
    for course in ahead.courses(least):
        if course.promise >= least:
            break
        along = flat if course.end is None else flat.to(course.end, ground.size)
        over = _crossed(party, ground, course, along) or _up_to(party, ground, course, along)
        left = ahead.left_on(course, over, least) if over is not None else None
        if over is None or left is None:
            continue
        if found is not None and not found.lost and not any(path.legs for path in over.paths):
            # Where nobody comes nearer so, who goes round may still end nearer than by the way round.
            gone = ahead.left(found, float(left.sum()))
            over, left = (over, left) if gone is None else (found, gone)
        found, least = Moved(over.paths, left), float(left.sum()) - TOLERANCE
    return _from_elsewhere(ahead, found) if found is not None and len(party) == 1 else found


def _from_elsewhere(ahead: Ahead, found: Moved) -> Moved:
    """Return the move of a single model, stuck at the foot of a climb, to where less is left to go, if any.

    From another side of a piece, or of its neighbour, its way may be shorter, though none leads on by there.
    """
    party, level = ahead.party, replace(ahead.ground.at(0.0), rises=(), crowd=None)
    path = found.paths[0]
    gone = path.length - (path.legs[0][3] if path.is_turned else 0.0)
    if found.lost or found.left[0] <= TOLERANCE or gone > min(STUCK, party.limit[0] / 2):
        return found
    for facing, stance, cost in ahead.facings():
        footing, may = Footing(level, stance, party.budget), float(party.limit[0]) - cost
        for path in ways_out(footing, party.xy[0], may, ahead.goal):
            least = float(found.left[0]) - TOLERANCE
            if ahead.goal.left(np.array([path.end]), stance)[0] >= least:
                break
            way = ahead.way(stance, path.end, least)
            if way is not None:
                turned = Course((), facing, cost)
                found = turned.begun(Moved((path,), np.array([float(way.path.length)])))
            if footing.budget.is_spent:
                return found
    return found


def _crossed(party: Party, ground: Ground, course: Course, flat: Nearing) -> Moved | None:
    """Return the move over what a course climbs, paid for now; None where nobody can."""
    paid = crossing(course.turned(party), ground, course.pieces)
    if not (paid.party.limit > 0).any():
        return None
    over = flat(paid.party, paid.ground)
    if over is None or over.lost:
        return None
    paths = paid.lifted(over.paths)
    if paths is None or all(path.is_level for path in paths):
        return None
    return course.begun(Moved(paths, over.left))


def _up_to(party: Party, ground: Ground, course: Course, flat: Nearing) -> Moved | None:
    """Return the move up to what will be climbed later on a course; None where somebody finds no way."""
    later = tuple(rise.polygon for rise in course.pieces)
    level = replace(ground.at(0.0), rises=(), crowd=None, later=later)
    unit = course.turned(party)
    limit = unit.limit if course.far is None else np.minimum(unit.limit, course.far)
    over = flat(replace(unit, z=None, limit=limit), level)
    if over is None or over.lost:
        return None
    # Who has turned moves, so that it may not stay where it may not end.
    start, stays = over.paths[0].start, course.facing is not None and not over.paths[0].legs
    if stays and faults_of_resting(ground, start, unit.stance(0)):
        return None
    return course.begun(over)


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
        self._ways: dict[tuple[Stance, tuple[Rise, ...]], ShortestPaths] = {}

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
        for facing in facings(party, 0, self.ground, self.goal):
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

    def _guide(self, stance: Stance, shut: tuple[Rise, ...] = ()) -> ShortestPaths:
        if (stance, shut) not in self._ways:
            rises = tuple(rise for rise in self.ground.rises if rise not in shut)
            self._ways[stance, shut] = ShortestPaths(stance, replace(self.ground, rises=rises))
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
