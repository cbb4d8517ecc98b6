"""Whether paths are legal: each measured anew, leg by leg, or all of a unit at once.

Owns their faults. It asks nothing of what found them, `geometry.path.planner`.

Whether each stretch of a path runs at a height that the terrain gives it: the checker of climbs.

Owns the faults of climbs and of level stretches above the ground, judged from the path alone. It knows
nothing of the search; what stands about on a level is `geometry.path.planner`'s to check.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
from msgspec.structs import replace

from geometry.path.elevation import touches
from geometry.path.ground import Ground, may_stand
from geometry.path.obstacles import (
    CLEAR,
    SLACK,
    Leg,
    Obstacles,
    arc_extremes,
    as_stance,
    leg_clearances,
    leg_length,
    part,
)
from geometry.path.path import Path
from geometry.path.resting import climbed_to, faults_of_resting
from geometry.path.segment_cuts import cuts
from geometry.shape.base import TOLERANCE, Bools, Floats
from geometry.shape.convex_shape import Outlines, Stance

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
    faults = []
    if math.dist(found.start, (float(start[0]), float(start[1]))) > TOLERANCE:
        faults.append("the path does not begin where the model stands")
    if abs(found.z - first_height(start, ground)) > TOLERANCE:
        faults.append("the path does not begin as high as the model stands")
    if found.length > limit + TOLERANCE:
        faults.append(f"the path is {found.length:.4f} inches long, more than {limit:g}")
    stances = _stances(found, as_stance(base), turned)
    if stances is None:
        return (*faults, "the path pivots where it may not")
    if found.is_level or not ground.flies:
        faults += faults_of_legs(found, stances, ground)
    faults += faults_of_resting(ground, (*found.end, found.end_z), stances[-1])
    return tuple(dict.fromkeys(faults))


def first_height(start: Sequence[float], ground: Ground) -> float:
    """Return how high a path begins of a base that stands at (x, y, z)."""
    z = float(start[2]) if len(start) > 2 else 0.0
    return z if ground.flies else climbed_to(ground, z)


def _stances(found: Path, stance: Stance, turned: Turned | None) -> list[Stance] | None:
    """Return how a base stands before its path and after each leg; None where a pivot is not legal."""
    stances = [stance]
    for here, leg in zip(found.points, found.legs, strict=False):
        if len(leg) == 4:
            if turned is None or math.dist(here, leg[:2]) > TOLERANCE or leg[3] < 0:
                return None
            stance = turned(leg[2])
        stances.append(stance)
    return stances


def faults_of_legs(found: Path, stances: Sequence[Stance], ground: Ground) -> list[str]:
    """Return the faults of the legs: each among what is there at its height, in the stance of its end."""
    faults: list[str] = []
    heights, plain = found.heights, found.is_level
    known: dict[Stance, Obstacles] = {}
    for here, leg, before, after, stance in zip(
        found.points, found.legs, heights, heights[1:], stances[1:], strict=False
    ):
        level = ground if plain else ground.at(min(before, after), max(before, after))
        flat = leg if len(leg) in (2, 5) else leg[:2]
        if len(leg) == 3:
            faults += climb_faults(here, leg, before, ground, stance)
        elif not plain:
            faults += hover_faults(here, flat, before, ground, stance)
        if not plain or stance not in known:
            known[stance] = Obstacles.of(stance, level)
        faults += _leg_faults(here, flat, known[stance], _slack(level))
    return faults


def check_paths(
    paths: Sequence[Path],
    bases: Floats | Sequence[Stance],
    starts: Floats,
    limits: Floats,
    ground: Ground,
    turned: Sequence[Turned] | None = None,
) -> list[str]:
    """Return every fault of the paths of a unit, as `check_path` finds them; paths of no length have none."""
    stances = [as_stance(base) for base in bases]
    moved = [i for i, path_ in enumerate(paths) if path_.legs]
    simple: dict[Stance, list[int]] = {}
    for i in moved:
        if not paths[i].z and all(len(leg) in (2, 5) for leg in paths[i].legs):
            simple.setdefault(stances[i], []).append(i)
    legal: set[int] = set()
    for stance, rows in simple.items():
        good = _are_legal([paths[i] for i in rows], stance, starts[rows], limits[rows], ground)
        legal.update(np.array(rows)[good].tolist())
    return [
        fault
        for i in moved
        if i not in legal
        for fault in check_path(
            paths[i], stances[i], starts[i], float(limits[i]), ground, turned[i] if turned else None
        )
    ]


def _are_legal(
    paths: Sequence[Path], stance: Stance, starts: Floats, limits: Floats, ground: Ground
) -> Bools:
    """Return which paths are surely legal, their straight legs judged in one go."""
    own: list[int] = []
    lines: list[tuple[float, ...]] = []
    arcs: list[tuple[int, tuple[float, float], Leg]] = []
    for row, found in enumerate(paths):
        here = found.start
        for leg in found.legs:
            if len(leg) == 2:
                own.append(row)
                lines.append((*here, *leg))
            else:
                arcs.append((row, here, leg))
            here = (leg[0], leg[1])
    line = np.array(lines).reshape(-1, 2, 2)
    length = np.bincount(own, np.hypot(*(line[:, 1] - line[:, 0]).T), minlength=len(paths))
    for row, here, leg in arcs:
        length[row] += leg_length(here, leg)
    good = length <= limits + TOLERANCE
    good &= (np.abs(np.array([found.start for found in paths]) - starts[:, :2]) <= TOLERANCE).all(axis=1)
    ends = np.array([found.legs[-1][:2] for found in paths])
    bases = np.full(len(ends), stance.radius) if stance.core.is_point else [stance] * len(ends)
    good &= may_stand(ground, ends, bases)
    obstacles, slack = Obstacles.of(stance, ground), _slack(ground)
    shut = (~obstacles.clear(line[:, 0], line[:, 1])).nonzero()[0]
    if len(shut):
        # Who begins or ends in contact may be as deep in what it touches as rounding brings it.
        eased = replace(
            obstacles,
            models=_shrunk(obstacles.models, slack - 2 * SLACK),
            margin=obstacles.margin - TOLERANCE + 2 * SLACK,
        )
        shut = shut[~eased.clear(line[shut, 0], line[shut, 1])]
    good[np.array(own, dtype=np.intp)[shut]] = False
    for row, here, leg in arcs:
        good[row] = good[row] and not _leg_faults(here, leg, obstacles, slack)
    return np.asarray(good)


def _shrunk(shapes: Outlines, by: Floats) -> Outlines:
    """Return the shapes with rims that lie so much deeper, or as deep as there is a rim."""
    return Outlines(shapes.xy, np.maximum(shapes.radius - by, 0.0), shapes.core)


def _slack(ground: Ground) -> Floats:
    return np.concatenate([np.full(len(ground.solid), TOLERANCE), np.full(len(ground.avoid), CLEAR)])


def _leg_faults(here: tuple[float, float], leg: Leg, obstacles: Obstacles, slack: Floats) -> list[str]:
    if len(leg) == 5 and abs(math.dist(here, leg[2:4]) - math.dist(leg[:2], leg[2:4])) > TOLERANCE:
        return ["an arc is not round its centre"]
    faults = []
    if (leg_clearances(here, leg, obstacles.models) < -slack).any():
        faults.append("the path runs into a model or its engagement range")
    if (leg_clearances(here, leg, obstacles.walls) < -TOLERANCE).any():
        faults.append("the path runs through a wall")
    spread = np.array([here, leg[:2], *(arc_extremes(here, leg) if len(leg) == 5 else ())])
    if (spread < obstacles.low - TOLERANCE).any() or (spread > obstacles.high + TOLERANCE).any():
        faults.append("the path leaves the board")
    return faults


Point = tuple[float, float]


def climb_faults(here: Point, leg: Leg, before: float, ground: Ground, stance: Stance) -> list[str]:
    """Return the faults of a leg (x, y, z) of a base that does not fly. Rule: CORE.MOVE.8."""
    if math.dist(here, leg[:2]) > TOLERANCE:
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
    """Return the faults of a level stretch above the ground: it must run over terrain that is so high."""
    if z <= ground.free + TOLERANCE:
        return []
    high = [rise for rise in ground.rises if rise.height >= z - TOLERANCE]
    shares = cuts(here, leg, high, stance)
    middle = np.array([part(here, leg, (a + b) / 2)[:2] for a, b in pairwise(shares)])
    held = np.zeros(len(middle), dtype=bool)
    for rise in high:
        held |= touches(rise.polygon, stance, middle)
    return [] if held.all() else ["the path leaves what it climbed without climbing down"]
