"""Simple polygons as convex parts.

Owns the cutting of a polygon into convex parts whose interiors, together with the seams laid over the cuts,
make up its whole interior: a line that runs along a cut meets a seam. It knows no use of them.

Areas as polygons: their union, their rings, and where a round base that touches them has its middle.

Owns these, each worked out once for areas that stay. Where such edges cross is
`geometry.shape.arrangement`'s.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import shapely
from shapely.geometry.polygon import orient

from geometry.portable import dots, norm, norms
from geometry.shape.arrangement import NONE, Edges
from geometry.shape.array import following, previous, right_of
from geometry.shape.base import Bools, Floats, Polygon
from geometry.shape.constructed import canonical
from geometry.tolerance import AREA_TOLERANCE_SQUARE_INCHES, ROUNDING

Ring = list[int]


def outline(polygon: Polygon) -> Floats:
    """Return the polygon's corners (n, 2) counter-clockwise, each once.

    Corners that turn nothing are left out. Raises ValueError where the polygon has no area or crosses itself.
    """
    shape = shapely.Polygon(polygon)
    if not shape.is_valid or shape.area <= AREA_TOLERANCE_SQUARE_INCHES:
        raise ValueError("the polygon has no area or crosses itself")
    corners = np.asarray(polygon, dtype=np.float64)
    if not shape.exterior.is_ccw:
        corners = corners[::-1]
    # Twice the same corner turns nothing at either, though the corner does.
    corners = corners[(corners != previous(corners)).any(axis=1)]
    while True:
        turning = np.abs(_turns(corners)) > ROUNDING
        if turning.all():
            return np.ascontiguousarray(corners)
        corners = corners[turning]


MANY = 12
"""The most corners of a convex outline that is cut.

With more, cutting takes long. Rims drawn with many corners are convex, and need no cut.
"""


def bulging(corners: Floats) -> Floats:
    """Return those corners of a counter-clockwise outline that point outwards."""
    answer: Floats = corners[_turns(corners) > 0]
    return answer


def convex_parts(corners: Floats) -> list[Floats]:
    """Return convex parts (counter-clockwise corners) that together are the outline, seams last."""
    if len(corners) > MANY and _turns(corners).min() > 0:
        return [corners]
    parts, cuts = _merged(corners, _triangles(corners))
    whole = [corners[part] for part in parts]
    return whole + [_seam(corners, parts, cut) for cut in cuts]


def _turns(corners: Floats) -> Floats:
    """Return the turn at each corner: positive to the left."""
    before = corners - previous(corners)
    after = following(corners) - corners
    answer: Floats = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
    return answer


def _triangles(corners: Floats) -> list[Ring]:
    """Return the outline cut into triangles of corner indices, ear by ear."""
    ring: Ring = list(range(len(corners)))
    triangles: list[Ring] = []
    while len(ring) > 3:
        i = next(i for i in range(len(ring)) if _is_ear(corners, ring, i))
        triangles.append([ring[i - 1], ring[i], ring[(i + 1) % len(ring)]])
        del ring[i]
    if _turns(corners[ring]).max() > 0:
        triangles.append(ring)
    return triangles


def _is_ear(corners: Floats, ring: Ring, i: int) -> bool:
    """Return whether the corner can be cut off without cutting the rest of the ring."""
    tip = [ring[i - 1], ring[i], ring[(i + 1) % len(ring)]]
    triangle = corners[tip]
    if _turns(triangle).min() <= 0:
        return False
    along = following(triangle) - triangle
    others = corners[[k for k in ring if k not in tip]]
    off = others[:, None, :] - triangle[None, :, :]
    inside = (along[None, :, 0] * off[..., 1] - along[None, :, 1] * off[..., 0] >= 0).all(axis=1)
    return not inside.any()


def _merged(corners: Floats, rings: Sequence[Ring]) -> tuple[list[Ring], list[tuple[int, int]]]:
    """Return the triangles joined into larger convex rings, and the cuts left between them."""
    parts = list(rings)
    cuts: list[tuple[int, int]] = []
    for cut in _inner_edges(rings):
        one, two = _beside(parts, cut)
        joined = _joined(one, two, cut)
        if _turns(corners[joined]).min() >= -ROUNDING:
            parts = [part for part in parts if part is not one and part is not two] + [joined]
        else:
            cuts.append(cut)
    return parts, cuts


def _inner_edges(rings: Sequence[Ring]) -> list[tuple[int, int]]:
    """Return the edges that two of the rings share, each once."""
    directed = {(a, b) for ring in rings for a, b in zip(ring, ring[1:] + ring[:1], strict=True)}
    return sorted((a, b) for a, b in directed if a < b and (b, a) in directed)


def _beside(parts: Sequence[Ring], cut: tuple[int, int]) -> tuple[Ring, Ring]:
    """Return the two rings on either side of an edge that they share."""
    one, two = (part for part in parts if cut[0] in part and cut[1] in part and _has_edge(part, cut))
    return one, two


def _has_edge(ring: Ring, cut: tuple[int, int]) -> bool:
    return abs(ring.index(cut[0]) - ring.index(cut[1])) in (1, len(ring) - 1)


def _joined(one: Ring, two: Ring, cut: tuple[int, int]) -> Ring:
    """Return the two rings as one, without the edge between them."""
    i = one.index(cut[0])
    start = i if one[(i + 1) % len(one)] != cut[1] else one.index(cut[1])
    turned = one[start:] + one[:start]
    j = two.index(turned[0])
    return turned + (two[j:] + two[:j])[2:]


def _seam(corners: Floats, parts: Sequence[Ring], cut: tuple[int, int]) -> Floats:
    one, two = (corners[part] for part in _beside(parts, cut))
    return patch(corners[cut[0]], corners[cut[1]], one, two)


def patch(a: Floats, b: Floats, one: Floats, two: Floats) -> Floats:
    """Return a convex patch over a border from a to b, within the two parts that it divides."""
    middle = (a + b) / 2
    normal = np.array([b[1] - a[1], a[0] - b[0]]) / norm(*(b - a))
    right = middle + normal * max(_room(one, middle, normal), _room(two, middle, normal)) / 2
    left = middle - normal * max(_room(one, middle, -normal), _room(two, middle, -normal)) / 2
    return np.array([a, right, b, left])


def _room(part: Floats, start: Floats, direction: Floats) -> float:
    """Return how far one may go from a point on a convex part's edge before leaving the part."""
    along = following(part) - part
    outward = right_of(along)
    speed = dots(outward, direction)
    reach = dots(part - start, outward)
    ahead = speed > ROUNDING
    return float(max((reach[ahead] / speed[ahead]).min(initial=np.inf), 0.0)) if ahead.any() else 0.0


@lru_cache(maxsize=512)
def rim(polygons: tuple[Polygon, ...], radius: float, inside: bool) -> Edges:
    """Return the edges of a round base that touches areas from outside or from inside.

    From inside the areas are taken as their union.
    """
    starts, ends, corners = [], [], []
    for ring in rings(polygons, inside):
        corner = np.asarray(ring)[:-1]
        after = following(corner)
        along = after - corner
        length = norms(along)
        corner, after, along = (part[length > ROUNDING] for part in (corner, after, along))
        normal = right_of(along) / norms(along)[:, None]
        shift = normal * (-radius if inside else radius)
        starts.append(corner + shift)
        ends.append(after + shift)
        # From inside, a base meets only corners that point inward: the edges keep it off the others.
        corners.append(corner[_points_inward(along)] if inside else corner)
    if not starts:
        return Edges(NONE, np.empty(0), NONE, NONE)
    centre = np.concatenate(corners)
    return Edges(centre, np.full(len(centre), radius), np.concatenate(starts), np.concatenate(ends))


def _points_inward(along: Floats) -> Bools:
    """Return at which corners (n) a ring turns right.

    From each corner an edge leads `along` (n, 2).
    """
    before = previous(along)
    return np.asarray(before[:, 0] * along[:, 1] - before[:, 1] * along[:, 0] < 0.0)


def rings(polygons: tuple[Polygon, ...], merged: bool) -> list[Floats]:
    """Return the closed rings of areas, or of their union, the area on the left of each."""
    areas = [union_of(polygons)] if merged else [shapely.Polygon(p) for p in polygons]
    parts = [part for area in areas for part in shapely.get_parts(area) if isinstance(part, shapely.Polygon)]
    found = []
    for part in parts:
        turned = orient(part)
        found += [np.asarray(ring.coords) for ring in (turned.exterior, *turned.interiors)]
    return found


@lru_cache(maxsize=512)
def union_of(polygons: tuple[Polygon, ...]) -> shapely.Geometry:
    """Return areas as one, prepared for many questions."""
    shapes = [shapely.Polygon(polygon) for polygon in polygons]
    found = shapes[0] if len(shapes) == 1 else canonical(shapely.union_all(shapes))
    shapely.prepare(found)
    return found
