"""What GEOS constructs, made equal on every machine: rounded, and in one order.

What shapely asks GEOS about given coordinates (whether shapes intersect, cover or are valid) is exact. The
points that GEOS constructs differ in the last bits between its versions and between processors, and so do the
distances that it measures. The order of corners, rings and parts is each version's own. Here the numbers are
rounded, and corners, rings and parts sorted, before anything is decided by them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import shapely

from geometry.shape.base import Floats, Polygon
from geometry.tolerance import AREA_TOLERANCE_SQUARE_INCHES

DIGITS = 9
"""The decimals that are kept: finer than any tolerance, far coarser than rounding errors."""


def settled(numbers: Floats) -> Floats:
    """Return coordinates, distances or areas that GEOS computed, rounded."""
    # A sum with 0 leaves no -0.
    found: Floats = np.round(numbers, DIGITS) + 0.0
    return found


def gaps(shape: Any, others: Any) -> Floats:
    """Return how far shapes are apart, 0 where they meet, rounded."""
    return settled(np.asarray(shapely.distance(shape, others)))


def canonical(shape: shapely.Geometry) -> shapely.Geometry:
    """Return an area that GEOS constructed, its coordinates rounded and in one order.

    Outlines run counter-clockwise and holes clockwise, each from its least corner.
    """
    parts = []
    for part in shapely.get_parts(shape):
        rim = _ring(part.exterior, True) if isinstance(part, shapely.Polygon) else ()
        if rim:
            parts.append((rim, sorted(filter(None, (_ring(hole, False) for hole in part.interiors)))))
    polygons = [shapely.Polygon(rim, holes) for rim, holes in sorted(parts)]
    return polygons[0] if len(polygons) == 1 else shapely.MultiPolygon(polygons)


def outlines(shape: shapely.Geometry) -> tuple[Polygon, ...]:
    """Return the outlines of the parts of an area that GEOS constructed, without holes."""
    parts = shapely.get_parts(canonical(shape)).tolist()
    return tuple(
        tuple(part.exterior.coords[:-1]) for part in parts if part.area > AREA_TOLERANCE_SQUARE_INCHES
    )


def _ring(ring: shapely.LinearRing, left: bool) -> Polygon:
    """Return a ring's corners, with its inside on the left or right; none where it has none."""
    rounded = [(x, y) for x, y in settled(shapely.get_coordinates(ring)).tolist()]
    corners: Sequence[tuple[float, float]] = [b for a, b in pairwise(rounded) if a != b]
    if len(corners) < 3:
        return ()
    if ring.is_ccw != left:
        corners = corners[::-1]
    first = corners.index(min(corners))
    return (*corners[first:], *corners[:first])
