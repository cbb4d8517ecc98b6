"""Bodies as things that stand in the way of others: prisms for a landscape.

Owns their footprints as polygons. Which bodies block whose sight is for the caller to say.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from geometry.base import Floats
from geometry.body import Bodies
from geometry.obstacle import Piece
from geometry.outline import POINT, Core
from geometry.vector import ways_at

CORNERS = 64
"""A full turn of a rim is drawn with so many corners, which covers the same area: off by a thousandth."""


def solid_bodies(bodies: Bodies, ids: Sequence[str]) -> list[Piece]:
    """Return bodies as solid pieces that reach from their feet to their tops, hulls by their true corners.

    Round and oval ones are polygons of the same area. Rule: R.SIGHT, S.L21
    """
    cores = bodies.core or (POINT,) * len(bodies)
    found = []
    for i, core in enumerate(cores):
        ring = bodies.xy[i] + _corners(core, float(bodies.radius[i]))
        polygon = tuple((x, y) for x, y in ring.tolist())
        found.append(Piece(ids[i], polygon, float(bodies.height[i]), "solid", float(bodies.z[i])))
    return found


def _corners(core: Core, radius: float) -> Floats:
    """Return the corners of a polygon in place of a shape about its origin."""
    found = []
    for centre, own, low, width in zip(core.centre, core.radius, core.low, core.width, strict=True):
        wide = own + radius
        if wide == 0:
            found.append(centre[None])
            continue
        count = max(1, round(CORNERS * width / math.tau))
        half = width / count / 2
        angle = low + half + 2 * half * np.arange(count)
        # As much is added at the corners as is cut off between them.
        fair = wide * math.sqrt(half / (math.sin(half) * math.cos(half)))
        found.append(centre + fair * ways_at(angle))
    return np.vstack(found)
