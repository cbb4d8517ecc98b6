"""Moves over what stands in the way, onto it, or up to it, where that leads nearer than any way round.

Owns which of these is taken. What they are on the flat is `geometry.group`'s, their climbs are
`geometry.storey`'s.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from geometry.base import TOLERANCE, Floats
from geometry.footing import Footing
from geometry.goal import Goal, ToLine
from geometry.ground import Ground
from geometry.level import faults_of_resting
from geometry.moved import Moved, Nearing
from geometry.muster import Party
from geometry.outline import Outlines, Stance
from geometry.path import Path, Ways
from geometry.storey import Storey, crossings, tops
from geometry.trail import Trail


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
    if len(party) == 1:
        way = ahead.way(least) if ahead.least(ahead.lowest) < least else None
        if way is None and found is not None:
            return found
        along = ahead.along(way, least) if way is not None else None
        if along is not None:
            found, least = along, float(along.left.sum()) - TOLERANCE
        if way is not None and ahead.is_unhindered(way, along):
            return found
    for cost, paid, up_to in crossings(party, ground, aims):
        over = _crossed_or_up(paid, up_to, flat) if ahead.least(cost) < least else None
        if over is None:
            continue
        # Who cannot leave round it is glad of any way.
        left = over.left if found is None else ahead.left(over, cost, least)
        if left is not None:
            found, least = Moved(over.paths, left), float(left.sum()) - TOLERANCE
    return found


class Ahead:
    """How far a unit's models have to go to a goal, over what may be climbed too."""

    def __init__(self, party: Party, ground: Ground, goal: Goal) -> None:
        """Take the unit, the ground with all that stands on it, and what the unit makes for."""
        self.party, self.ground, self.goal = party, ground, goal
        self._ways: dict[Stance, Ways] = {}

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

    def least(self, cost: float) -> float:
        """Return what no move over pieces of that cost leaves less than."""
        party = self.party
        crow = [float(self.goal.left(at[None], party.stance(row))[0]) for row, at in enumerate(party.xy)]
        return float(np.maximum(np.array(crow) + cost - party.limit, 0.0).sum())

    def way(self, most: float) -> Path | None:
        """Return a single model's shortest way, if it climbs and may leave less than so much now."""
        at, limit = self.party.xy[0], float(self.party.limit[0])
        way = self._way(0, (float(at[0]), float(at[1])), most + limit)
        return None if way is None or way.is_level else way

    def along(self, way: Path, most: float) -> Moved | None:
        """Return a single model's move along its way; None where that leaves no less than so much."""
        taken = self._resting(way.at(float(self.party.limit[0])))
        left = way.length - taken.length
        return Moved((taken,), np.array([left])) if taken.legs and left < most else None

    def is_unhindered(self, way: Path, along: Moved | None) -> bool:
        """Return whether a move along a way ends no sooner than its length, or the first climb, asks."""
        level = replace(way, legs=way.legs[: _first_climb(way)])
        far = min(float(self.party.limit[0]), level.length)
        return along is not None and along.paths[0].length >= far - TOLERANCE

    def _resting(self, way: Path) -> Path:
        """Return a way up to the last place on the ground where the model may end its move.

        If it may end neither on the ground past what it climbs nor at a bend, that is before the first climb.
        """
        stance, spots = self.party.stance(0), way.spots
        first = _first_climb(way)
        for k in range(len(way.legs), first, -1):
            if not spots[k][2] and not faults_of_resting(self.ground, spots[k], stance):
                return replace(way, legs=way.legs[:k])
        level = replace(way, legs=way.legs[:first])
        footing = Footing(self.ground, stance)
        far = np.append(Trail(level).cuts(footing.edges), level.length)
        free = far[footing.stands(Trail(level).spots(far))]
        return level.at(float(free.max(initial=0.0)))

    def left(self, over: Moved, cost: float, most: float) -> Floats | None:
        """Return what a move over pieces of that cost leaves, climbs and all; None where it is no less."""
        level = np.array([path.is_level for path in over.paths])
        left = np.where(level & (over.left > TOLERANCE), over.left + cost, over.left)
        for row, path in enumerate(over.paths):
            if float(left.sum()) >= most:
                return None
            if left[row] > TOLERANCE:
                way = self._way(row, path.end, most)
                left[row] = math.inf if way is None else way.length
        return left if float(left.sum()) < most else None

    def _way(self, row: int, at: tuple[float, float], most: float) -> Path | None:
        """Return the shortest way of a model from a place to the goal, climbs and all."""
        stance = self.party.stance(row)
        if stance not in self._ways:
            self._ways[stance] = Ways(stance, self.ground)
        found = self._ways[stance].climbing_into(at, _shapes_of(self.goal, stance), most)
        return found if isinstance(found, Path) else None


def _first_climb(way: Path) -> int:
    """Return how many legs of a way come before its first climb."""
    return next((k for k, leg in enumerate(way.legs) if len(leg) == 3), len(way.legs))


def _shapes_of(goal: Goal, stance: Stance) -> Outlines:
    """Return the shapes in which bases that stand like this have nothing left to go."""
    return goal.shape(stance) if isinstance(goal, ToLine) else goal.rings(stance)


def _crossed_or_up(paid: Storey, up_to: Sequence[Storey], flat: Nearing) -> Moved | None:
    """Return the move of those who climb now; where nobody can, of who comes up to it, and pays later."""
    over = _crossed(paid, flat)
    if over is not None and not all(path.is_level for path in over.paths):
        return over
    near = (_crossed(storey, flat) for storey in up_to)
    return next((each for each in near if each is not None), over)


def _crossed(storey: Storey, flat: Nearing) -> Moved | None:
    """Return the move over what stands in the way in space; None where nobody moves or some way is closed."""
    # Who cannot leave is asked about even where nothing is left to go: then no way over this leads out.
    if flat.kept is None and not (storey.party.limit > 0).any():
        return None
    over = flat(storey.party, storey.ground)
    if over is None or over.lost:
        return None
    paths = storey.lifted(over.paths)
    return Moved(paths, over.left) if paths is not None and any(path.legs for path in paths) else None


def aims_of(party: Party, goal: Goal) -> list[Floats]:
    """Return the points for which the models would make straight."""
    return [goal.nearest(at[None], party.stance(row))[0] for row, at in enumerate(party.xy)]
