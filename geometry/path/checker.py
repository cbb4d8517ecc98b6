"""Whether paths are legal: each measured anew, leg by leg, or all of a unit at once.

Owns their faults. It asks nothing of what found them, `geometry.path.planner`.

Whether each stretch of a path runs at a height that the terrain gives it: the checker of climbs.

Owns the faults of climbs and of level stretches above the ground, judged from the path alone. It knows
nothing of the search; what stands about on a level is `geometry.path.planner`'s to check.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from geometry.measure.clear_legs import Barriers, barriers, leaves, runs_into
from geometry.path.elevation import shadow, touches
from geometry.path.ground import Ground, may_stand
from geometry.path.obstacles import Leg, as_stance, part
from geometry.path.path import Path
from geometry.path.resting import climbed_to, faults_of_resting
from geometry.path.segment_cuts import cuts
from geometry.portable import span
from geometry.shape.base import Floats, Polygon
from geometry.shape.convex_shape import NOTHING, Stance
from geometry.tolerance import TOLERANCE

Point = tuple[float, float]
Turned = Callable[[float], Stance]
"""How a base stands that faces this way, in degrees."""


def check_path(
    found: Path,
    base: Stance | float,
    start: Sequence[float],
    limit: float,
    ground: Ground,
    turned: Turned | None = None,
) -> tuple[str, ...]:
    """Return every fault of a path, measured anew leg by leg; none if it is legal.

    `base` is how the base stands at the start, `turned` how it stands at another facing: without it, no
    pivot is legal. That a pivot is paid for in full is not asked here.
    """
    stance = as_stance(base)
    faults, last = _faults_of_way(found, stance, start, limit, ground, turned)
    if last is not None:
        faults += faults_of_resting(ground, (*found.end, found.end_z), last)
    return tuple(dict.fromkeys(faults))


def _faults_of_way(
    found: Path,
    stance: Stance,
    start: Sequence[float],
    limit: float,
    ground: Ground,
    turned: Turned | None,
) -> tuple[list[str], Stance | None]:
    """Return the faults of a path but for its end, and how the base stands there.

    The stance is None where the path pivots where it may not.
    """
    faults = []
    if span(found.start, (float(start[0]), float(start[1]))) > TOLERANCE:
        faults.append("the path does not begin where the model stands")
    if abs(found.z - first_height(start, ground)) > TOLERANCE:
        faults.append("the path does not begin as high as the model stands")
    cost = found.cost(ground.free_climb)
    if cost > limit + TOLERANCE:
        faults.append(f"the path is {cost:.4f} inches long, more than {limit:g}")
    stances = _stances(found, stance, turned)
    if stances is None:
        return [*faults, "the path pivots where it may not"], None
    if found.is_level or not ground.flies:
        faults += faults_of_legs(found, stances, ground)
    return faults, stances[-1]


def first_height(start: Sequence[float], ground: Ground) -> float:
    """Return how high a path begins of a base that stands at (x, y, z)."""
    z = float(start[2]) if len(start) > 2 else 0.0
    return z if ground.flies else climbed_to(ground, z)


def _stances(found: Path, stance: Stance, turned: Turned | None) -> list[Stance] | None:
    """Return how a base stands at the start and after each leg; None for an illegal pivot."""
    stances = [stance]
    for here, leg in zip(found.points, found.legs, strict=False):
        if len(leg) == 4:
            if turned is None or span(here, leg[:2]) > TOLERANCE or leg[3] < 0:
                return None
            stance = turned(leg[2])
        stances.append(stance)
    return stances


def faults_of_legs(found: Path, stances: Sequence[Stance], ground: Ground) -> list[str]:
    """Return the faults of the legs.

    Each leg is held against what there is at its heights, in the stance of its end.
    """
    faults: list[str] = []
    heights, plain = found.heights, found.is_level
    for here, leg, before, after, stance in zip(
        found.points, found.legs, heights, heights[1:], stances[1:], strict=False
    ):
        flat = leg if len(leg) in (2, 5) else leg[:2]
        if len(leg) == 3:
            faults += climb_faults(here, leg, before, ground, stance)
        elif not plain:
            faults += hover_faults(here, flat, before, ground, stance)
        band = None if plain else (min(before, after), max(before, after))
        faults += _leg_faults(here, flat, _barred(stance, ground, band))
    return faults


def check_paths(
    paths: Sequence[Path],
    bases: Floats | Sequence[Stance],
    starts: Floats,
    limits: Floats,
    ground: Ground,
    turned: Sequence[Turned] | None = None,
) -> list[str]:
    """Return every fault of the paths of a unit, as `check_path` finds them.

    Paths without legs have none.
    """
    stances = [as_stance(base) for base in bases]
    faults: dict[int, list[str]] = {}
    ends: dict[int, Stance] = {}
    for i, found in enumerate(paths):
        if found.legs:
            own = turned[i] if turned else None
            faults[i], last = _faults_of_way(found, stances[i], starts[i], float(limits[i]), ground, own)
            if last is not None:
                ends[i] = last
    # Where a base may stand on the ground, which is asked for all in one go, no height need be looked for.
    low = [i for i in ends if not paths[i].end_z]
    stands = may_stand(ground, np.array([paths[i].end for i in low]), [ends[i] for i in low])
    for i in ends.keys() - {i for i, good in zip(low, stands.tolist(), strict=True) if good}:
        faults[i] += faults_of_resting(ground, (*paths[i].end, paths[i].end_z), ends[i])
    return [fault for several in faults.values() for fault in dict.fromkeys(several)]


class _Barred(NamedTuple):
    """Where the middle of a base must not be on its way: in models, in walls, off the board."""

    models: Barriers
    walls: Barriers
    low: list[float]
    high: list[float]


def _barred(stance: Stance, ground: Ground, band: tuple[float, float] | None) -> _Barred:
    """Return what bars the way of a base, over a band of heights; None for the ground as it is."""

    def make() -> _Barred:
        level = ground if band is None else ground.at(*band)
        near, far = stance.core.extent
        low, high = stance.radius - near - TOLERANCE, np.array(level.size) - stance.radius - far + TOLERANCE
        models = level.solid.joined(level.avoid).against(stance)
        slack = np.full(len(models), TOLERANCE)
        # What is kept clear of must not even be touched.
        slack[len(level.solid) :] = -TOLERANCE
        return _Barred(barriers(models, slack), _walls(level.walls, stance), low.tolist(), high.tolist())

    return ground.kept(("barred", stance, band), make)


@lru_cache(maxsize=512)
def _walls(walls: tuple[Polygon, ...], stance: Stance) -> Barriers:
    """Return walls as barriers to the middle of a base, which may touch them."""
    found = NOTHING
    for wall in walls:
        found = found.joined(shadow(wall, stance))
    return barriers(found, TOLERANCE)


def _leg_faults(here: Point, leg: Leg, barred: _Barred) -> list[str]:
    """Return the faults of one level leg among what bars its way."""
    if len(leg) == 5 and abs(span(here, leg[2:4]) - span(leg[:2], leg[2:4])) > TOLERANCE:
        return ["an arc is not round its centre"]
    faults = []
    if runs_into(here, leg, barred.models):
        faults.append("the path runs into a model or its engagement range")
    if runs_into(here, leg, barred.walls):
        faults.append("the path runs through a wall")
    if leaves(here, leg, barred.low, barred.high):
        faults.append("the path leaves the board")
    return faults


def climb_faults(here: Point, leg: Leg, before: float, ground: Ground, stance: Stance) -> list[str]:
    """Return the faults of a leg (x, y, z) of a base that does not fly."""
    if span(here, leg[:2]) > TOLERANCE:
        return ["the path goes through the air"]
    if climbed_to(ground, leg[2]) not in (leg[2], 0.0) or leg[2] < 0:
        return ["the path ends below the ground"]
    top = max(before, leg[2])
    at = np.array([leg[:2]])
    near = any(
        rise.height >= top - TOLERANCE and touches(rise.polygon, stance, at)[0] for rise in ground.rises
    )
    return [] if near else ["the path climbs where there is nothing to climb"]


def hover_faults(here: Point, leg: Leg, z: float, ground: Ground, stance: Stance) -> list[str]:
    """Return the faults of a level stretch above the ground.

    It must run over terrain that is at least as high.
    """
    if z <= ground.free + TOLERANCE:
        return []
    high = [rise for rise in ground.rises if rise.height >= z - TOLERANCE]
    shares = cuts(here, leg, high, stance)
    middle = np.array([part(here, leg, (a + b) / 2)[:2] for a, b in pairwise(shares)])
    held = np.zeros(len(middle), dtype=bool)
    for rise in high:
        held |= touches(rise.polygon, stance, middle)
    return [] if held.all() else ["the path leaves what it climbed without climbing down"]
