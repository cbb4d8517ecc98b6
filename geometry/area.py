"""Areas as polygons: their union, their rings, and where a round base that touches them has its middle.

Owns these, each worked out once for areas that stay. Where such edges cross is `geometry.spot`'s.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import shapely

from geometry.base import Floats, Polygon
from geometry.spot import NONE, SAME, Edges
from geometry.vector import following, right_of


@lru_cache(maxsize=512)
def rim(polygons: tuple[Polygon, ...], radius: float, inside: bool) -> Edges:
    """Return the edges of a round base that touches areas from outside, or their union from inside."""
    starts, ends, corners = [], [], []
    for ring in rings(polygons, inside):
        corner = np.asarray(ring)[:-1]
        after = following(corner)
        along = after - corner
        length = np.hypot(*along.T)
        corner, after, along = (part[length > SAME] for part in (corner, after, along))
        normal = right_of(along) / np.hypot(*along.T)[:, None]
        shift = normal * (-radius if inside else radius)
        starts.append(corner + shift)
        ends.append(after + shift)
        corners.append(corner)
    if not starts:
        return Edges(NONE, np.empty(0), NONE, NONE)
    centre = np.concatenate(corners)
    return Edges(centre, np.full(len(centre), radius), np.concatenate(starts), np.concatenate(ends))


def rings(polygons: tuple[Polygon, ...], merged: bool) -> list[Floats]:
    """Return the closed rings of areas, or of their union, the area on the left of each."""
    areas = [union_of(polygons)] if merged else [shapely.Polygon(p) for p in polygons]
    parts = [part for area in areas for part in shapely.get_parts(area) if isinstance(part, shapely.Polygon)]
    found = []
    for part in parts:
        turned = shapely.orient_polygons(part) if hasattr(shapely, "orient_polygons") else _turned(part)
        found += [np.asarray(ring.coords) for ring in (turned.exterior, *turned.interiors)]
    return found


def _turned(part: shapely.Polygon) -> shapely.Polygon:
    return shapely.geometry.polygon.orient(part)


@lru_cache(maxsize=512)
def union_of(polygons: tuple[Polygon, ...]) -> shapely.Geometry:
    """Return areas as one, prepared for many questions."""
    shapes = [shapely.Polygon(polygon) for polygon in polygons]
    found = shapes[0] if len(shapes) == 1 else shapely.union_all(shapes)
    shapely.prepare(found)
    return found
