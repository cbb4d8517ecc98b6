"""Whether obstacles close off a place from all that a way is to lead to.

Owns a quick proof that they do: polygons within the obstacles already part the board. Where these leave a
gap, it proves nothing.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import shapely
from numpy.typing import NDArray

from geometry.base import Floats
from geometry.clearance import Obstacles
from geometry.outline import POINT, Core, Outlines
from geometry.vector import ways_at

Point = tuple[float, float]
SIDES = 24
"""Obstacles are taken for polygons of about so many corners."""
MOST = 1000
"""What a way leads to for those with a corner on every arc, discs for those of `SIDES`."""
WITHIN = 1e-5
"""By this share of their size polygons lie within their shapes: between two that touch a way may lead."""
BULGE = 0.01
"""By no more than this share of its size a shape reaches beyond its polygon."""


def is_closed_off(free: Obstacles, start: Point, rings: Outlines, limit: float = math.inf) -> bool:
    """Return whether obstacles surely close every way from a place into any of some rings, up to a limit."""
    if not len(free.shapes):
        return False
    low, high = np.maximum(free.low, np.array(start) - limit), np.minimum(free.high, np.array(start) + limit)
    board = shapely.box(*low - WITHIN, *high + WITHIN)
    parts = shapely.get_parts(
        shapely.difference(board, shapely.union_all(_polygons(free.shapes, WITHIN, SIDES)))
    )
    about = parts[shapely.intersects(parts, shapely.Point(start))]
    if len(about) != 1:
        return False
    near = shapely.dwithin(about[0], _polygons(rings, 0.0, MOST), BULGE * rings.reach)
    return not near.any()


def _polygons(shapes: Outlines, inset: float, most: int) -> NDArray[np.object_]:
    """Return polygons that lie in shapes, their corners by a share of the shapes' size, of about so many."""
    cores = shapes.core or (POINT,) * len(shapes)
    corners = [_corners(core, most) for core in cores]
    owner = np.repeat(np.arange(len(shapes)), [len(off) for off, _ in corners])
    off = np.concatenate([off for off, _ in corners])
    off += shapes.radius[owner, None] * np.concatenate([face for _, face in corners])
    rings = shapely.linearrings(shapes.xy[owner] + (1.0 - inset) * off, indices=owner)
    return np.asarray(shapely.polygons(rings))


@lru_cache(maxsize=4096)
def _corners(core: Core, most: int) -> tuple[Floats, Floats]:
    """Return places (k, 2) on the rim of a core, and the way in which it faces there."""
    if core.is_point:
        return np.zeros((SIDES, 2)), ways_at(
            np.linspace(0.0, math.tau, SIDES, endpoint=False, dtype=np.float64)
        )
    step = max(len(core.radius) // most, 1)
    face = np.stack([core.begin, core.end], axis=1)[::step].reshape(-1, 2)
    off = np.repeat(core.centre[::step], 2, axis=0) + np.repeat(core.radius[::step], 2)[:, None] * face
    return off, face
