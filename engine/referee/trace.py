"""A stored path as the referee draws it: a line of many points, an arc a chain of short chords.

Owns how long a path is and the line it draws on the table; what may not be on that line is `moving`'s.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import shapely

from geometry.base import TOLERANCE

Point = tuple[float, float]
Legs = tuple[tuple[float, ...], ...]
CHORD = 5e-4
"""The angle of a chord in radians: on a circle of three inches it leaves the arc by less than 1e-7 inches."""


def length(start: Point, legs: Legs) -> float:
    """Return how long a path is, its arcs along the circle."""
    far, here = 0.0, start
    for leg in legs:
        far += math.dist(here, leg[:2]) if len(leg) == 2 else _radius(leg) * _angle(here, leg)
        here = (leg[0], leg[1])
    return far


def line(start: Point, legs: Legs) -> shapely.LineString:
    """Return the line that a base's centre draws."""
    points, here = [start], start
    for leg in legs:
        if len(leg) > 2:
            points += _chords(here, leg)
        points.append((leg[0], leg[1]))
        here = (leg[0], leg[1])
    return shapely.LineString(points if len(points) > 1 else [start, start])


def breaks(start: Point, legs: Legs) -> list[str]:
    """Return where a path does not hang together: an arc must begin on the circle on which it ends."""
    found, here = [], start
    for leg in legs:
        if len(leg) > 2:
            begins, ends = math.dist(here, leg[2:4]), _radius(leg)
            if abs(begins - ends) > TOLERANCE:
                found.append(f'an arc begins {begins:.4f}" and ends {ends:.4f}" from its centre')
        here = (leg[0], leg[1])
    return found


def _radius(leg: Sequence[float]) -> float:
    return math.dist(leg[:2], leg[2:4])


def _angle(here: Point, leg: Sequence[float]) -> float:
    """Return how far round the arc goes, in radians."""
    x, y, cx, cy, turn = leg
    return ((math.atan2(y - cy, x - cx) - math.atan2(here[1] - cy, here[0] - cx)) * turn) % math.tau


def _chords(here: Point, leg: Sequence[float]) -> list[Point]:
    cx, cy, turn = leg[2:5]
    first, far, radius = math.atan2(here[1] - cy, here[0] - cx), _angle(here, leg), _radius(leg)
    steps = math.ceil(far / CHORD)
    angles = (first + turn * far * step / steps for step in range(1, steps))
    return [(cx + radius * math.cos(a), cy + radius * math.sin(a)) for a in angles]
