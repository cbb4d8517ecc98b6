"""The border between outlines and the core's tables of shapes.

Owns the translation into flat numbers. What tables are asked is the core's.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from geometry.core.shapes import Shapes
from geometry.shape.convex_shape import Outlines, Stance, difference

Heights = tuple[float, ...]
"""In inches; infinite for what may not be climbed."""
Box = tuple[float, float, float, float]
"""Low x, low y, high x, high y, in inches."""
EVERYWHERE: Box = (-math.inf, -math.inf, math.inf, math.inf)
"""A board without an edge."""


def shapes_of(
    outlines: Outlines, box: Box = EVERYWHERE, base: Shapes | None = None, heights: Heights = ()
) -> Shapes:
    """Return outlines as a table of shapes, in their order, after those of a base.

    Those with a finite height may be climbed.
    """
    xs, ys = outlines.xy.T.tolist()
    rims = [None if core.is_point else core.rim_lists for core in outlines.core]
    return Shapes(box, xs, ys, outlines.radius.tolist(), rims, base, heights)


def meetings_of(kinds: Sequence[Stance]) -> Shapes:
    """Return where bases of each kind meet those of each other at the origin, row by row."""
    every = [(a, b) for a in kinds for b in kinds]
    radius = np.array([a.radius + b.radius for a, b in every])
    cores = tuple(difference(a.core, b.core) for a, b in every)
    return shapes_of(Outlines(np.zeros((len(every), 2)), radius, cores))
