"""The directions of the lines from a point that just touch shapes.

Between two of these directions a base can go straight past what is near.
"""

from __future__ import annotations

import math

import numpy as np

from geometry.portable import angles_of, norms
from geometry.shape.base import Floats
from geometry.shape.convex_shape import Outlines
from geometry.tolerance import LINE_SLACK_INCHES


def tangents(shapes: Outlines, at: Floats) -> Floats:
    """Return the angles of the tangents from a point to the shapes that do not hold it."""
    off = shapes.xy - at
    disc = np.array([core.is_point for core in shapes.core] or [True] * len(shapes), dtype=np.bool_)
    apart = norms(off)
    disc &= apart >= shapes.radius
    lean = _lean(shapes.radius[disc], apart[disc])
    angle = angles_of(off[disc])
    arcs = shapes.arcs
    off = arcs.centre - at
    far = norms(off)
    other = far >= np.maximum(arcs.reach, LINE_SLACK_INCHES)
    bend, way = _lean(arcs.reach[other], far[other]), angles_of(off[other])
    found = [angle + lean, angle - lean]
    for side in (1.0, -1.0):
        turned = (way + side * (bend + math.pi / 2) - arcs.low[other]) % math.tau
        found.append((way + side * bend)[turned <= arcs.width[other]])
    return np.concatenate(found)


def _lean(radius: Floats, far: Floats) -> Floats:
    """Return the angles between tangents to discs and the ways to their middles, `far` off."""
    along = np.sqrt(np.maximum((far - radius) * (far + radius), 0.0))
    return angles_of(np.stack([along, radius], axis=-1))
