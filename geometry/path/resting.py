"""At which heights a base may rest: on the ground, or on a top or floor.

A top or floor has to carry all of the base.

Owns the question "may this base stand here, this high". The ways between heights are
`geometry.path.climbing`'s.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from geometry.path.elevation import Rise, is_over
from geometry.path.ground import Ground, faults_of_standing
from geometry.shape.base import Bools, Floats
from geometry.shape.convex_shape import Stance
from geometry.tolerance import TOLERANCE

CARRIED = "not carried at that height"


def faults_of_resting(ground: Ground, at: Sequence[float], stance: Stance) -> tuple[str, ...]:
    """Return why a base may not end a move at (x, y, z)."""
    xy, z = np.array([at[:2]], dtype=np.float64), float(at[2]) if len(at) > 2 else 0.0
    if z < -TOLERANCE:
        return (CARRIED,)
    if z <= ground.free + TOLERANCE:
        level = _at_ground(ground, xy[0], stance)
        if z > TOLERANCE and not any(rise.carries(stance, xy[0], z) for rise in ground.rises):
            return (CARRIED,)
    else:
        carrying = {rise.polygon for rise in ground.rises if rise.carries(stance, xy[0], z)}
        if not carrying:
            return (CARRIED,)
        level = _without_stands(ground.at(z), carrying)
    return _told(level, xy, stance)


def may_rest(ground: Ground, at: Sequence[float], stance: Stance) -> bool:
    """Return whether a base may end a move at (x, y, z)."""
    return not faults_of_resting(ground, at, stance)


def resting_height(ground: Ground, at: Sequence[float], z: float, stance: Stance) -> float:
    """Return how high a base really stands that ends at this height of a path.

    On low terrain, it stands on its top.
    """
    if z > ground.free:
        return z
    low = [
        level
        for rise in ground.rises
        for level in rise.levels
        if level <= ground.free and rise.carries(stance, np.array(at[:2], dtype=np.float64), level)
    ]
    return max(low, default=0.0)


def climbed_to(ground: Ground, z: float) -> float:
    """Return the height that counts as climbed where a base stands.

    On what is crossed freely it is 0.
    """
    return z if z > ground.free + TOLERANCE else 0.0


def over(rises: Sequence[Rise], stance: Stance, xy: Floats) -> Bools:
    """Return over which rises (columns) a base would be at which points (rows)."""
    found = [is_over(rise.polygon, stance, xy) for rise in rises]
    return np.array(found, dtype=bool).reshape(len(rises), len(xy)).T


def _at_ground(ground: Ground, at: Floats, stance: Stance) -> Ground:
    """Return the ground without the low terrain that carries the base."""
    low = {
        rise.polygon
        for rise in ground.rises
        if any(level <= ground.free and rise.carries(stance, at, level) for level in rise.levels)
    }
    return _without_stands(ground, low) if low else ground


def _without_stands(ground: Ground, polygons: set[tuple[tuple[float, float], ...]]) -> Ground:
    return replace(ground, no_stand=tuple(p for p in ground.no_stand if p not in polygons))


def _told(ground: Ground, xy: Floats, stance: Stance) -> tuple[str, ...]:
    faults = faults_of_standing(ground, xy, [stance])
    return tuple(fault.partition(" is ")[2] for fault in faults)
