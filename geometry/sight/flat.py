"""Bodies as the compiled core of sight meets them: columns of plain numbers.

Owns this translation; that of terrain lies in `geometry.sight.landscape`.
"""

from __future__ import annotations

from array import array
from functools import lru_cache

import numpy as np

from geometry.core.sight_bodies import UprightBodies
from geometry.core.sight_shape import ArcShape
from geometry.measure.body import Bodies
from geometry.shape.base import Floats
from geometry.shape.convex_shape import Outlines
from geometry.shape.core_polygon import Core
from geometry.tolerance import TOLERANCE


def upright(bases: Outlines, z: Floats, height: Floats) -> UprightBodies:
    """Return bodies on these bases, from `z` (n,) on `height` (n,) high, that see past nothing."""
    return _upright(bases, z, height, array("i", bytes(4 * len(bases))), array("i", bytes(4 * len(bases))))


def flat(bodies: Bodies) -> UprightBodies:
    """Return bodies as columns."""
    seeing = [array("i", column.tolist()) for column in (bodies.sees_over, bodies.sees_out)]
    return _upright(bodies.outlines, bodies.z, bodies.height, *seeing)


def _upright(bases: Outlines, z: Floats, height: Floats, over: array[int], out: array[int]) -> UprightBodies:
    columns = (bases.xy[:, 0], bases.xy[:, 1], bases.radius, z, z + height)
    shapes = [None if core.is_point else shape_of(core) for core in bases.core] or [None] * len(bases)
    numbers = tuple(array("d", column.tolist()) for column in columns)
    return UprightBodies(numbers, over, out, shapes, TOLERANCE)


@lru_cache(maxsize=4096)
def shape_of(core: Core) -> ArcShape:
    """Return a core as the compiled one meets it."""
    rows = np.column_stack([core.centre, core.radius, core.begin])
    return ArcShape(array("d", rows.ravel().tolist()), core.reach, TOLERANCE)
