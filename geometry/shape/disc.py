"""Discs in plain numbers: single questions about a point or a straight line, for which arrays are too slow.

Owns no shape but discs; shapes of all kinds are `geometry.shape.convex_shape`'s.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from geometry.shape.base import Floats
from geometry.shape.convex_shape import POINT, Outlines

SAME, ON = 1e-12, 1e-9
Point = tuple[float, float]
Disc = tuple[float, float, float]
"""A disc: the coordinates of its middle, and its radius."""
Round = tuple[float, float, float]
"""A disc: the coordinates of its middle, and the square of its radius."""
Line = tuple[float, float, float, float]
"""A stretch of straight line: the coordinates of its ends."""


def rounds(shapes: Outlines, radius: Floats) -> list[Round]:
    """Return those of the shapes that are discs, with these radii instead of their own."""
    square = (np.maximum(radius, 0.0) ** 2).tolist()
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


def is_off(discs: Sequence[Round], spot: Sequence[float]) -> bool:
    """Return whether a point lies in none of the discs."""
    x, y = spot
    for at_x, at_y, square in discs:
        off_x, off_y = x - at_x, y - at_y
        if off_x * off_x + off_y * off_y < square:
            return False
    return True


def crossings(circle: Disc, others: Sequence[Disc]) -> list[Point]:
    """Return the points where a circle meets others."""
    x, y, reach = circle
    found: list[Point] = []
    for at_x, at_y, radius in others:
        off_x, off_y = at_x - x, at_y - y
        apart = math.hypot(off_x, off_y)
        if apart <= SAME or apart > reach + radius + ON or apart < abs(reach - radius) - ON:
            continue
        along = (apart * apart + reach * reach - radius * radius) / (2 * apart)
        aside = math.sqrt(max(reach * reach - along * along, 0.0)) / apart
        along /= apart
        foot_x, foot_y = x + along * off_x, y + along * off_y
        found.append((foot_x - aside * off_y, foot_y + aside * off_x))
        found.append((foot_x + aside * off_y, foot_y - aside * off_x))
    return found
