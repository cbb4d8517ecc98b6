"""The area beside a hull, and which bases lie wholly in it. Rule: CORE.TRN.2

Owns the areas in which units get out of transports and wrecks.
"""

from __future__ import annotations

import math

import numpy as np
import shapely

from engine.core.facts import Ring
from geometry.measure.region import farthest_from, farthest_from_polygon, ring
from geometry.portable import ways_at
from geometry.shape.base import Floats
from geometry.shape.constructed import outlines
from geometry.shape.convex_shape import Outlines
from geometry.tolerance import TOLERANCE

FINE = np.pi / 2048
"""How finely the rim of the area about a transport is followed, from inside, in radians."""


def about(hull: Outlines, reach: float) -> Ring:
    """Return the area within `reach` inches of a hull, a polygon with its corners on the rim."""
    core = hull.core[0] if hull.core else None
    if core is None or core.is_point:
        turns = np.arange(math.ceil(math.tau / FINE), dtype=np.float64) * FINE
        rim = hull.xy[0] + (hull.radius[0] + reach) * ways_at(turns)
    else:
        rim = ring(core, float(hull.radius[0]) + reach, FINE) + hull.xy[0]
    return tuple((x, y) for x, y in rim.tolist())


def reach_of(bases: Outlines, hull: Outlines) -> Floats:
    """Return how far the farthest part of each base is from a hull.

    The bases are those that stand beside it.
    """
    if not hull.core or hull.core[0].is_point:
        return farthest_from(bases, (float(hull.xy[0, 0]), float(hull.xy[0, 1]))) - float(hull.radius[0])
    rim = ring(hull.core[0], float(hull.radius[0]), FINE) + hull.xy[0]
    return farthest_from_polygon(bases, tuple((float(x), float(y)) for x, y in rim))


def lies_within(bases: Outlines, hulls: Outlines, reach: float) -> list[bool]:
    """Return which bases are wholly within `reach` inches of one of the hulls. Rule: CORE.TRN.2"""
    near = [reach_of(bases, hulls.take([i])) <= reach + TOLERANCE for i in range(len(hulls))]
    return [bool(one) for one in np.any(near, axis=0)] if near else [False] * len(bases)


def areas_about(hulls: Outlines, reach: float) -> tuple[Ring, ...]:
    """Return the area within `reach` inches of any of the hulls, as rings."""
    rings = [about(hulls.take([i]), reach) for i in range(len(hulls))]
    if len(rings) < 2:
        return tuple(rings)
    return outlines(shapely.union_all([shapely.Polygon(one) for one in rings]))
