"""Moves over what stands in the way, onto it, or up to it, where that leads nearer than any way round.

Owns which of these is taken. What they are on the flat is `geometry.group`'s, their climbs are
`geometry.storey`'s.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
from msgspec.structs import replace

from geometry.base import TOLERANCE, Floats
from geometry.footing import without
from geometry.goal import Goal, ToBases, ToLine
from geometry.ground import Ground
from geometry.guide import Guide
from geometry.moved import Moved, Nearing
from geometry.muster import Party
from geometry.outline import Outlines, Stance
from geometry.path import Ascent
from geometry.rise import Rise
from geometry.storey import crossing, tops


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
    aims = aims_of(party, flat.goal)
    for storey in tops(party, ground, goal, aims):
        onto = flat(storey.party, storey.ground)
        paths = storey.lifted(onto.paths) if onto is not None else None
        if onto is None or onto.lost or paths is None:
            continue
        total = float(np.hypot(onto.left, storey.above).sum())
        if total < least:
            found, least = Moved(paths, onto.left), total - TOLERANCE
    ahead = Ahead(party, ground, flat.goal)
    # Who cannot leave round what may be climbed, nor over it all for the price of the lowest, stays.
    if flat.kept is not None and flat.keeps_in(*ahead.opened):
        return found
    for pieces in ahead.pieces(least):
        over = _crossed(party, ground, pieces, flat) or _up_to(party, ground, pieces, flat)
        left = ahead.left(over, least) if over is not None else None
        if over is None or left is None:
            continue
        if found is not None and not found.lost and not any(path.legs for path in over.paths):
            # Where nobody comes nearer so, who goes round may still end nearer than by the way round.
            gone = ahead.left(found, float(left.sum()))
            over, left = (over, left) if gone is None else (found, gone)
        found, least = Moved(over.paths, left), float(left.sum()) - TOLERANCE
    return found


class Ahead:
    """How far a unit's models have to go to a goal, over what may be climbed too."""

    def __init__(self, party: Party, ground: Ground, goal: Goal) -> None:
        """Take the unit, the ground with all that stands on it, and what the unit makes for."""
        self.party, self.ground, self.goal = party, ground, goal
        self._ways: dict[Stance, Guide] = {}

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

    def pieces(self, most: float) -> Iterator[tuple[Rise, ...]]:
        """Yield what the models' shortest ways climb, those of the nearest first, each once.

        Of ovals and hulls that may turn, what the discs within them climb, too. None where no way that climbs
        can leave less than so much.
        """
        party, known = self.party, set[tuple[Rise, ...]]()
        crow = np.array([self._crow(row, at, party.stance(row)) for row, at in enumerate(party.xy)])
        bounds = np.maximum(crow + self.lowest - party.limit, 0.0)
        total = float(bounds.sum())
        if not total < most:
            return
        for row in np.argsort(crow.round(6), kind="stable").tolist():
            limit = most - (total - float(bounds[row])) + float(party.limit[row])
            for way in self._ascents(row, limit):
                if way.over and way.over not in known:
                    known.add(way.over)
                    yield way.over

    def _ascents(self, row: int, limit: float) -> Iterator[Ascent]:
        """Yield a model's shortest ways within a limit: as it stands, and of what it may turn in."""
        party = self.party
        own, disc, (x, y) = party.stance(row), party.disc(row), party.xy[row].tolist()
        way = self._way(own, (x, y), limit)
        if way is not None:
            yield way
            limit = min(limit, way.path.length)
        if party.pivot is None or own.core.is_point or party.limit[row] < party.pivot[row] - TOLERANCE:
            return
        within = self._way(disc, (x, y), limit - float(party.pivot[row]), own)
        if within is not None:
            yield within

    def left(self, over: Moved, most: float) -> Floats | None:
        """Return what a move leaves, climbs and all; None where it is no less than so much."""
        party, left = self.party, over.left.copy()
        ends = [(path.end, party.stance_after(row, path)) for row, path in enumerate(over.paths)]
        far = (left > TOLERANCE).nonzero()[0].tolist()
        for row in far:
            left[row] = self._crow(row, np.array(ends[row][0]), ends[row][1])
        for row in far:
            at, stance = ends[row]
            way = self._way(stance, at, most - float(left.sum() - left[row]))
            if way is None:
                return None
            left[row] = way.path.length
        return left if float(left.sum()) < most else None

    def _crow(self, row: int, at: Floats, stance: Stance) -> float:
        return float(self.goal.left(at[None], stance)[0])

    def _way(
        self, stance: Stance, at: tuple[float, float], most: float, own: Stance | None = None
    ) -> Ascent | None:
        """Return the shortest way from a place to the goal, climbs and all.

        It may be that of a disc within a base that stands like `own`.
        """
        if stance not in self._ways:
            self._ways[stance] = Guide(stance, without(self.ground, self.goal.bases))
        goal = self.goal
        if own is not None and isinstance(goal, ToBases):
            goal = goal.wider(own.core.reach + own.radius - stance.radius)
        return self._ways[stance].ascent_into(at, _shapes_of(goal, stance), most)


def _shapes_of(goal: Goal, stance: Stance) -> Outlines:
    """Return the shapes in which bases that stand like this have nothing left to go."""
    return goal.shape(stance) if isinstance(goal, ToLine) else goal.rings(stance)


def _crossed(party: Party, ground: Ground, pieces: Sequence[Rise], flat: Nearing) -> Moved | None:
    """Return the move over some pieces, paid for now; None where nobody can."""
    paid = crossing(party, ground, pieces)
    # Who cannot leave is asked about even where nothing is left to go: then no way over this leads out.
    if flat.kept is None and not (paid.party.limit > 0).any():
        return None
    over = flat(paid.party, paid.ground)
    if over is None or over.lost:
        return None
    paths = paid.lifted(over.paths)
    if paths is None or all(path.is_level for path in paths):
        return None
    return Moved(paths, over.left)


def _up_to(party: Party, ground: Ground, pieces: Sequence[Rise], flat: Nearing) -> Moved | None:
    """Return the move up to some pieces that will be climbed later; None where somebody finds no way."""
    if flat.kept is not None:
        return None
    later = tuple(rise.polygon for rise in pieces)
    over = flat(replace(party, z=None), replace(ground.at(0.0), rises=(), crowd=None, later=later))
    return None if over is None or over.lost else over


def aims_of(party: Party, goal: Goal) -> list[Floats]:
    """Return the points for which the models would make straight."""
    return [goal.nearest(at[None], party.stance(row))[0] for row, at in enumerate(party.xy)]
