"""The directions of the lines from a point that just touch shapes.

Between two of these directions a base can go straight past what is near.
"""

from __future__ import annotations

import math

import numpy as np

from geometry.shape.base import TOLERANCE, Floats
from geometry.shape.convex_shape import Outlines
from geometry.tolerance import LINE_SLACK_INCHES


def tangents(shapes: Outlines, at: Floats) -> Floats:
    """Return the directions, as angles, of the tangents from a point to shapes that do not hold it."""
    off = shapes.xy - at
    disc = np.array([core.is_point for core in shapes.core] or [True] * len(shapes), dtype=np.bool_)
    apart = np.hypot(*off.T)
    disc &= apart >= shapes.radius
    lean = np.arcsin(shapes.radius[disc] / np.maximum(apart[disc], TOLERANCE))
    angle = np.arctan2(off[disc, 1], off[disc, 0])
    arcs = shapes.arcs
    off = arcs.centre - at
    far = np.hypot(*off.T)
    other = far >= np.maximum(arcs.reach, LINE_SLACK_INCHES)
    bend, way = np.arcsin(arcs.reach[other] / far[other]), np.arctan2(off[other, 1], off[other, 0])
    found = [angle + lean, angle - lean]
    for side in (1.0, -1.0):
        turned = (way + side * (bend + math.pi / 2) - arcs.low[other]) % math.tau
        found.append((way + side * bend)[turned <= arcs.width[other]])
    return np.concatenate(found)
