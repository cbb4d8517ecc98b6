"""The heights on which a unit may end its move, each as a move on the flat of its own.

Owns what a unit can still go on a floor once its climb is taken off, and the turning of flat paths into
climbs and flights. All models of a unit end on the same storey; which model goes where on it is
`geometry.group.group_move`'s.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec
import numpy as np
import shapely
from msgspec.structs import replace

from geometry.group.party import Party
from geometry.path.elevation import Rise, is_over
from geometry.path.ground import Ground
from geometry.path.planner import Path, ShortestPaths
from geometry.path.resting import climbed_to
from geometry.portable import norms, sum_of
from geometry.shape.base import Floats
from geometry.shape.constructed import gaps
from geometry.shape.convex_shape import Outlines, Stance
from geometry.single.goal import Goal
from geometry.tolerance import TOLERANCE


class Storey(msgspec.Struct, frozen=True):
    """One height for all ends: what climbs leave the unit to go, and what it meets up there."""

    z: float
    above: float
    """How far it is, up or down, from what the unit makes for."""
    party: Party
    ground: Ground
    whole: Party
    space: Ground

    def lifted(self, paths: Sequence[Path]) -> tuple[Path, ...] | None:
        """Return paths in space to the same ends, None where one of them is not legal."""
        if self.party is self.whole:
            return tuple(paths)
        found = []
        for row, flat in enumerate(paths):
            stance, start = self.whole.stance_after(row, flat), self._start(row)
            turn = flat.legs[:1] if flat.is_turned else ()
            limit = float(self.whole.limit[row]) - sum_of(leg[3] for leg in turn)
            way = ShortestPaths(stance, self.space).climbing(start, (*flat.end, self.z), limit)
            if not isinstance(way, Path) or way.cost(self.space.free_climb) > limit + TOLERANCE:
                return None
            found.append(replace(way, legs=(*turn, *way.legs)))
        return tuple(found)

    def _start(self, row: int) -> tuple[float, float, float]:
        x, y = self.whole.xy[row]
        return float(x), float(y), float(_heights(self.whole)[row])


def storeys(party: Party, ground: Ground, bases: Outlines, goal: Goal | None = None) -> list[Storey]:
    """Return the storeys that all of a unit can climb to, those level with the bases first.

    Where nobody is above the ground, models climb as they go on that, and tops matter only that are in the
    straight way to a goal.
    """
    aim = standing(ground, bases)
    if is_flat(party, ground):
        found: list[Storey | None] = [Storey(0.0, 0.0, party, ground, party, ground)]
        tops = _before(party, ground, goal) if goal is not None else []
    else:
        found, tops = [_storey(party, ground, None, 0.0, aim)], list(ground.rises)
    for rise in tops:
        for level in rise.levels:
            if level > ground.free + TOLERANCE:
                found.append(_storey(party, ground, rise, level, aim))
    open_ = [storey for storey in found if storey is not None]
    return sorted(open_, key=lambda storey: (storey.above, storey.z))


def _before(party: Party, ground: Ground, toward: Goal) -> list[Rise]:
    """Return the walls with a height that are in the straight way of some model to its aim."""
    aims = [toward.nearest(at[None], party.stance(row))[0] for row, at in enumerate(party.xy)]
    ways = [shapely.LineString([at, aim]) for at, aim in zip(party.xy, aims, strict=True)]
    wide, walls = party.outlines.reach, ground.at(0.0).walls
    closed = [r for r in ground.rises if r.height > ground.free + TOLERANCE and r.polygon in walls]
    return [rise for rise in closed if (gaps(shapely.Polygon(rise.polygon), ways) < wide - TOLERANCE).any()]


def standing(ground: Ground, goal: Outlines) -> Floats:
    """Return how high the bases of a goal stand, 0 where they are nobody's."""
    if ground.crowd is None:
        return np.zeros(len(goal))
    shapes, z = ground.crowd.all, ground.crowd.z
    apart = norms(goal.xy[:, None] - shapes.xy[None])
    same = apart <= TOLERANCE
    return np.asarray(np.where(same, z[None], 0.0).max(axis=1, initial=0.0))


def is_flat(party: Party, ground: Ground) -> bool:
    """Return whether all of a move takes place on the ground, as nothing is above it."""
    return ground.crowd is None or not (ground.crowd.z.any() or _heights(party).any())


def _heights(party: Party) -> Floats:
    return np.zeros(len(party)) if party.z is None else party.z


def _storey(party: Party, ground: Ground, rise: Rise | None, z: float, aim: Floats) -> Storey | None:
    left = np.array([_left(party, row, ground, rise, z) for row in range(len(party))])
    if (left < 0).any():
        return None
    level = replace(ground.at(z), rises=ground.rises if rise is None else (), crowd=None)
    if rise is not None:
        stands = tuple(p for p in level.no_stand if p != rise.polygon)
        level = replace(level, no_stand=stands, area=(rise.polygon,))
    above = float(np.abs(aim - z).min()) if len(aim) else z
    stand = [begin if ground.flies else climbed_to(ground, begin) for begin in _heights(party).tolist()]
    climbs = any(abs(begin - z) > TOLERANCE for begin in stand)
    return Storey(z, above, replace(party, limit=left, z=None, climbs=climbs), level, party, ground)


def _left(party: Party, row: int, ground: Ground, rise: Rise | None, z: float) -> float:
    """Return how far a model may go on the flat after its climb, or in a flight.

    It is less than 0 where there is no way.
    """
    limit, begin = float(party.limit[row]), float(_heights(party)[row])
    if ground.flies:
        up = 0.0 if ground.free_climb else abs(z - begin)
        return math.sqrt(limit * limit - up * up) if up <= limit else -1.0
    begin = climbed_to(ground, begin)
    same = rise is not None and _is_over(rise, party.stance(row), party.xy[row])
    left = limit - (abs(z - begin) if same or rise is None else z + begin)
    return max(left, 0.0) if left >= -TOLERANCE else -1.0


def _is_over(rise: Rise, stance: Stance, at: Floats) -> bool:
    return bool(is_over(rise.polygon, stance, at[None])[0])
