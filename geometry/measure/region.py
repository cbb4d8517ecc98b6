"""Areas of the table: the bases that stand in them, their common borders, their division.

Owns polygons as places (zones, table quarters, footprints as areas). It knows no kind of zone and no sight.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Literal

import numpy as np
import shapely
from shapely.affinity import translate

from geometry.measure.distance import within
from geometry.portable import angles_of, dots, norm, norms, sum_of, ways_at
from geometry.shape.array import following
from geometry.shape.base import Bools, Floats, Polygon
from geometry.shape.constructed import gaps, settled
from geometry.shape.convex_shape import Outlines
from geometry.shape.core_polygon import Core
from geometry.tolerance import AREA_TOLERANCE_SQUARE_INCHES, ROUNDING, TOLERANCE

Segment = tuple[tuple[float, float], tuple[float, float]]
Bounds = tuple[float, float, float, float]
"""The left, lower, right and upper edge of a board."""


def point_in(polygon: Polygon, xy: Floats) -> Bools:
    """Return which points (n, 2) lie in the area or on its border."""
    return within(_distance(shapely.Polygon(polygon), xy), 0.0)


def base_within(polygon: Polygon, bases: Outlines | Floats, radius: Floats | None = None) -> Bools:
    """Return which bases are wholly within the area; touching its border from inside is within."""
    bases = _outlines(bases, radius)
    low, high = _corners(polygon)
    inside = np.asarray(((bases.xy >= low) & (bases.xy <= high)).all(axis=1))
    if not np.count_nonzero(inside):
        return inside
    area = shapely.Polygon(polygon)
    inside = within(_distance(area, bases.xy), 0.0)
    if not bases.core:
        return inside & within(bases.radius, _distance(area.exterior, bases.xy))
    return inside & (_from_border(polygon, bases) >= -TOLERANCE)


@lru_cache(maxsize=256)
def _corners(polygon: Polygon) -> tuple[Floats, Floats]:
    """Return the lower left and the upper right of all points that may lie in the area."""
    xy = np.array(polygon)
    return xy.min(axis=0) - TOLERANCE, xy.max(axis=0) + TOLERANCE


def base_touches(polygon: Polygon, bases: Outlines | Floats, radius: Floats | None = None) -> Bools:
    """Return which bases cover some part of the area; one that only touches its border does not.

    The part must be larger than `AREA_TOLERANCE_SQUARE_INCHES`.
    """
    bases = _outlines(bases, radius)
    low, high = _corners(polygon)
    off = np.maximum(np.maximum(low - bases.xy, bases.xy - high), 0.0)
    found = np.asarray(np.maximum(off[:, 0], off[:, 1]) < bases.reach)
    if np.count_nonzero(found):
        found[found] = covered_area(polygon, bases.take(found)) > AREA_TOLERANCE_SQUARE_INCHES
    return found


def distance_to_polygon(bases: Outlines, polygon: Polygon) -> Floats:
    """Return the horizontal distance from each base to the area, 0 where they meet."""
    outside = _distance(shapely.Polygon(polygon), bases.xy)
    if not bases.core:
        return np.maximum(outside - bases.radius, 0.0)
    return np.where(outside <= 0, 0.0, np.maximum(_from_border(polygon, bases), 0.0))


def extents(bases: Outlines, way: Floats) -> Floats:
    """Return how far each base reaches from its middle in a direction, a vector of length 1."""
    found: Floats = bases.radius.astype(np.float64)
    cored = [row for row, core in enumerate(bases.core) if not core.is_point]
    if cored:
        found[cored] = bases.supports(way[None])[0] - dots(bases.xy[cored], way)
    return found


def farthest_from(bases: Outlines, at: tuple[float, float]) -> Floats:
    """Return how far the farthest part of each base is from a point."""
    found: Floats = norms(bases.xy - np.array(at)) + bases.radius
    for row, core in enumerate(bases.core):
        if not core.is_point:
            rim = ring(core, float(bases.radius[row])) + bases.xy[row]
            found[row] = norms(rim - np.array(at)).max()
    return found


def farthest_from_polygon(bases: Outlines, polygon: Polygon) -> Floats:
    """Return how far the farthest part of each base is from the area, 0 for one that lies in it."""
    area = shapely.Polygon(polygon)
    outside = _distance(area, bases.xy)
    # A disc whose centre lies in the area reaches out of it by what its radius is longer than the way out.
    found: Floats = np.where(outside > 0.0, outside, -_distance(area.exterior, bases.xy)) + bases.radius
    found = np.maximum(found, 0.0)
    for row, core in enumerate(bases.core):
        if not core.is_point:
            rim = ring(core, float(bases.radius[row])) + bases.xy[row]
            found[row] = _distance(area, rim).max()
    return found


def _outlines(bases: Outlines | Floats, radius: Floats | None) -> Outlines:
    return bases if isinstance(bases, Outlines) else Outlines(bases, np.asarray(radius))


def _from_border(polygon: Polygon, bases: Outlines) -> Floats:
    """Return how far each base is from the nearest edge of the area.

    It is less than 0 where the base lies across the edge.
    """
    corner = np.asarray(polygon, dtype=np.float64)
    return np.asarray(bases.line_distances(corner, following(corner)).min(axis=0))


def covered_area(polygon: Polygon, bases: Outlines) -> Floats:
    """Return how much of the area, in square inches, each base covers.

    Of a round base or a hull this is exact. An oval is taken as a polygon that lacks less than 1e-4 of its
    area.
    """
    corner = np.asarray(polygon, dtype=np.float64)
    start = corner[None, :, :] - bases.xy[:, None, :]
    end = following(corner)[None, :, :] - bases.xy[:, None, :]
    answer: Floats = np.abs(np.add.accumulate(_wedges(start, end, bases.radius[:, None]), axis=1)[:, -1])
    cored = [row for row, core in enumerate(bases.core) if not core.is_point]
    if cored:
        shapes = [
            translate(_filled(bases.core[row], float(bases.radius[row])), *bases.xy[row]) for row in cored
        ]
        answer[cored] = settled(shapely.area(shapely.intersection(shapely.Polygon(polygon), shapes)))
    return answer


FINE = math.pi / 90
"""How far apart the corners stand at most that stand for an arc, in radians."""


@lru_cache(maxsize=1024)
def ring(core: Core, radius: float = 0.0, fine: float = FINE) -> Floats:
    """Return the rim of a shape about its origin as a polygon (n, 2).

    Every corner of it is on the rim.
    """
    spots = []
    for centre, own, low, width in zip(core.centre, core.radius, core.low, core.width, strict=True):
        reach = own + radius
        steps = math.ceil(width / fine) if reach > 0 else 0
        turns = low + width * (np.arange(steps + 1) / max(steps, 1))
        turns = turns[:-1] if core.is_point else turns
        spots.append(centre + reach * ways_at(turns))
    return np.vstack(spots)


@lru_cache(maxsize=1024)
def _filled(core: Core, radius: float) -> shapely.Polygon:
    # Corners where two arcs meet may be one and the same but for rounding, which a hull puts right.
    return shapely.MultiPoint(ring(core, radius)).convex_hull


def _wedges(a: Floats, b: Floats, r: Floats) -> Floats:
    """Return the signed area that each triangle of the origin and an edge shares with a disc.

    The edge runs from a to b. The disc has the radius r about the origin.
    """
    along = b - a
    square = np.maximum(dots(along, along), ROUNDING * ROUNDING)
    middle = -dots(a, along) / square
    off = a + middle[..., None] * along
    half = np.sqrt(np.maximum(r * r - dots(off, off), 0.0) / square)
    enter = np.clip(middle - half, 0.0, 1.0)
    leave = np.clip(middle + half, 0.0, 1.0)
    p = a + enter[..., None] * along
    q = a + leave[..., None] * along
    arcs = np.where(enter > 0, _angle(a, p), 0.0) + np.where(leave < 1, _angle(q, b), 0.0)
    answer: Floats = _cross(p, q) / 2 + arcs * (r * r) / 2
    return answer


def _cross(a: Floats, b: Floats) -> Floats:
    answer: Floats = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    return answer


def _angle(a: Floats, b: Floats) -> Floats:
    """Return the signed angle from a to b."""
    answer: Floats = angles_of(np.stack([dots(a, b), _cross(a, b)], axis=-1))
    return answer


def _distance(shape: shapely.Geometry, xy: Floats) -> Floats:
    return gaps(shape, shapely.points(xy))


def front(zone: Polygon, beyond: Polygon | Sequence[Segment]) -> tuple[Segment, ...]:
    """Return the stretches of a zone's border that it shares with No Man's Land.

    `beyond` is No Man's Land as a polygon, or its border as segments.
    """
    if not beyond or not np.isscalar(beyond[0][0]):
        segments: Sequence[Segment] = beyond  # type: ignore[assignment]
        return _shared(zone, segments)
    return shared_border(zone, beyond)  # type: ignore[arg-type]


def shared_border(polygon: Polygon, other: Polygon) -> tuple[Segment, ...]:
    """Return the stretches of the border that the two polygons have in common, along the first."""
    return _shared(polygon, _edges(other))


def _edges(polygon: Polygon) -> list[Segment]:
    return [(polygon[i], polygon[(i + 1) % len(polygon)]) for i in range(len(polygon))]


def _shared(polygon: Polygon, segments: Sequence[Segment]) -> tuple[Segment, ...]:
    found: list[Segment] = []
    for edge in _edges(polygon):
        spans = sorted(span for other in segments if (span := _common_span(edge, other)) is not None)
        found.extend(_stretch(edge, span) for span in _merged(spans))
    return tuple(found)


def _common_span(edge: Segment, other: Segment) -> tuple[float, float] | None:
    """Return the part of the edge (as lengths along it) that lies on the other segment, if any."""
    a = np.asarray(edge[0], dtype=np.float64)
    along = np.asarray(edge[1]) - a
    length = norm(*along)
    if length <= TOLERANCE:
        return None
    unit = along / length
    relative = np.asarray(other) - a
    off = np.abs(dots(relative, np.array([-unit[1], unit[0]])))
    if off.max() > TOLERANCE:
        return None
    low, high = sorted(dots(relative, unit).tolist())
    low, high = max(low, 0.0), min(high, length)
    return (low, high) if high - low > TOLERANCE else None


def _merged(spans: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the spans, in order, with those that meet made one."""
    merged: list[tuple[float, float]] = []
    for low, high in spans:
        if merged and low <= merged[-1][1] + TOLERANCE:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    return merged


def _stretch(edge: Segment, span: tuple[float, float]) -> Segment:
    (ax, ay), (bx, by) = edge
    length = norm(bx - ax, by - ay)
    first, last = (
        (ax + (bx - ax) * part / length, ay + (by - ay) * part / length) if 0 < part < length else end
        for part, end in zip(span, edge, strict=True)
    )
    return (first, last)


def split_equal(polygon: Polygon, count: int, axis: Literal["x", "y"]) -> tuple[Polygon, ...]:
    """Return the polygon cut into strips of equal area, in order along the axis.

    A strip of a polygon with a hollow side may consist of parts joined by a line without width.
    """
    k = 0 if axis == "x" else 1
    corners = [tuple(float(c) for c in corner) for corner in polygon]
    total = _area(corners)
    places = [corner[k] for corner in corners]
    cuts = [min(places)]
    cuts += [_cut_at(corners, k, total * i / count, cuts[0], max(places)) for i in range(1, count)]
    cuts.append(max(places))
    strips = [_half(_half(corners, k, low, 1), k, high, -1) for low, high in pairwise(cuts)]
    return tuple(tuple((x, y) for x, y in strip) for strip in strips)


def _cut_at(corners: list[tuple[float, ...]], k: int, area: float, low: float, high: float) -> float:
    """Return the place along an axis below which this much of the polygon lies."""
    for _ in range(80):
        middle = (low + high) / 2
        if _area(_half(corners, k, middle, -1)) < area:
            low = middle
        else:
            high = middle
    return round((low + high) / 2, 9)


def _half(corners: list[tuple[float, ...]], k: int, place: float, side: int) -> list[tuple[float, ...]]:
    """Return the part of the polygon above (side 1) or below (side -1) a place along an axis."""
    kept: list[tuple[float, ...]] = []
    for a, b in zip(corners, corners[1:] + corners[:1], strict=True):
        over_a, over_b = (a[k] - place) * side, (b[k] - place) * side
        if over_a >= 0:
            kept.append(a)
        if over_a * over_b < 0:
            part = over_a / (over_a - over_b)
            point = [a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part]
            point[k] = place
            kept.append(tuple(point))
    return kept


def _area(corners: list[tuple[float, ...]]) -> float:
    if len(corners) < 3:
        return 0.0
    around = zip(corners, [*corners[1:], corners[0]], strict=True)
    return abs(sum_of(a[0] * b[1] - a[1] * b[0] for a, b in around)) / 2


def grid(bounds: Bounds, columns: int, rows: int) -> tuple[Polygon, ...]:
    """Return a board as equal rectangles, row by row from the bottom left."""
    left, low, right, high = bounds
    width, depth = (right - left) / columns, (high - low) / rows
    return tuple(
        (
            (left + column * width, low + row * depth),
            (left + (column + 1) * width, low + row * depth),
            (left + (column + 1) * width, low + (row + 1) * depth),
            (left + column * width, low + (row + 1) * depth),
        )
        for row in range(rows)
        for column in range(columns)
    )


def quarters(bounds: Bounds) -> tuple[Polygon, ...]:
    """Return the four table quarters: bottom left, bottom right, top left, top right."""
    return grid(bounds, 2, 2)
