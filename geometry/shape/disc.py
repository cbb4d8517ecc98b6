"""Discs in plain numbers: single questions about a point or a straight line.

Arrays are too slow for these.

Owns no shape but discs; shapes of all kinds are `geometry.shape.convex_shape`'s.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from geometry.shape.base import Floats
from geometry.shape.convex_shape import POINT, Outlines

Round = tuple[float, float, float]
"""A disc: the coordinates of its middle, and the square of its radius."""


def rounds(shapes: Outlines, radius: Floats) -> list[Round]:
    """Return those of the shapes that are discs, with these radii instead of their own."""
    square = (np.maximum(radius, 0.0) * np.maximum(radius, 0.0)).tolist()
    rows = zip(shapes.xy.tolist(), square, shapes.core or (POINT,) * len(shapes), strict=True)
    return [(x, y, reach) for (x, y), reach, core in rows if core.is_point]


def is_past(discs: Sequence[Round], start: Sequence[float], end: Sequence[float]) -> bool:
    """Return whether a straight line enters none of the discs."""
    (ax, ay), (bx, by) = start, end
    dx, dy = bx - ax, by - ay
    long = dx * dx + dy * dy
    for x, y, square in discs:
        ox, oy = x - ax, y - ay
        along = ox * dx + oy * dy
        if along >= long:
            ox, oy = x - bx, y - by
            if ox * ox + oy * oy < square:
                return False
        elif along <= 0.0:
            if ox * ox + oy * oy < square:
                return False
        else:
            aside = ox * dy - oy * dx
            if aside * aside < square * long:
                return False
    return True
