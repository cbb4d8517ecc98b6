"""The border between the outlines on a ground and the core's tables of shapes.

Owns the translation of outlines into flat numbers. What is asked of the table is the core's.
"""

from __future__ import annotations

import math

from geometry.core.shapes import Shapes
from geometry.shape.convex_shape import Outlines

Box = tuple[float, float, float, float]
"""Low x, low y, high x, high y, in inches."""
EVERYWHERE: Box = (-math.inf, -math.inf, math.inf, math.inf)
"""A board without an edge."""


def shapes_of(outlines: Outlines, box: Box = EVERYWHERE, base: Shapes | None = None) -> Shapes:
    """Return outlines as a table of shapes, in their order, after those of a base."""
    xs, ys = outlines.xy.T.tolist()
    rims = [None if core.is_point else core.rim_lists for core in outlines.core]
    return Shapes(box, xs, ys, outlines.radius.tolist(), rims, base)
