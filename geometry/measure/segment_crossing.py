"""Whether the shortest line between two bases crosses an area, and from where it does.

Owns closest points and the shapes of "near one base, behind an area". It knows no rule.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

import msgspec
import numpy as np
import shapely

from geometry.measure.region import distance_to_polygon, ring
from geometry.portable import angle_of, angles_of, dot, dots, norm, norms, sum_of, way_at, ways_at
from geometry.shape.array import following
from geometry.shape.base import Bools, Floats, Polygon
from geometry.shape.constructed import canonical, gaps, settled
from geometry.shape.convex_shape import NOTHING, POINT, Outlines, polygon_core
from geometry.shape.core_polygon import Core
from geometry.shape.polygon import outline
from geometry.tolerance import ROUNDING, TOLERANCE

MOST_STEPS = 50
"""Enough to find the closest points of two bases that are apart to a billionth of an inch."""


class Across(msgspec.Struct, frozen=True):
    """Where bases may be near enough to others although they are farther off.

    A base that touches none of these places is not near enough. `met` tells whether some of these bases are
    near enough to some of those, on one level.
    """

    places: Outlines
    met: Callable[[Outlines, Outlines], bool]


def closest_points(a: Outlines, b: Outlines) -> tuple[Floats, Floats]:
    """Return the closest points (n, 2) of bases of a, and of those of b in the same rows."""
    way = b.xy - a.xy
    way = way / np.maximum(norms(way), ROUNDING)[:, None]
    start, end = a.xy + a.radius[:, None] * way, b.xy - b.radius[:, None] * way
    for i in range(len(a)):
        if not (_is_disc(a, i) and _is_disc(b, i)):
            start[i], end[i] = _closest(a, b, i)
    return start, end


def _closest(a: Outlines, b: Outlines, i: int) -> tuple[Floats, Floats]:
    """Return the closest points of two bases apart of which one at least is no disc.

    From those of polygons on, whose corners lie on the rims, each is brought nearest to the other in turn.
    """
    start, end = settled(shapely.get_coordinates(shapely.shortest_line(_area(a, i), _area(b, i))))
    for _ in range(MOST_STEPS):
        before = start
        start = _nearest_on_rim(a, i, end)
        end = _nearest_on_rim(b, i, start)
        if norm(*(start - before)) <= ROUNDING:
            break
    return start, end


def _nearest_on_rim(bases: Outlines, i: int, point: Floats) -> Floats:
    """Return the point of a base's rim that is nearest to a point outside of the base."""
    at, radius = bases.xy[i], float(bases.radius[i])
    off = point - at
    if _is_disc(bases, i):
        return np.asarray(at + radius * off / max(norm(*off), ROUNDING))
    core = bases.core[i]
    reach = (core.radius + radius)[:, None]
    way = off - core.centre
    turned = (angles_of(way) - core.low) % math.tau
    past = np.where(turned - core.width < math.tau - turned, core.width, 0.0)
    on_arcs = core.centre + reach * ways_at(core.low + np.where(turned <= core.width, turned, past))
    first, last = core.centre + reach * core.end, following(core.centre + reach * core.begin)
    along = last - first
    share = dots(off - first, along) / np.maximum(dots(along, along), ROUNDING * ROUNDING)
    on_edges = first + np.clip(share, 0.0, 1.0)[:, None] * along
    spots = np.vstack([on_arcs, on_edges])
    return np.asarray(at + spots[norms(spots - off).argmin()])


def _is_disc(bases: Outlines, i: int) -> bool:
    return not bases.core or bases.core[i].is_point


def _area(bases: Outlines, i: int) -> shapely.Geometry:
    core = POINT if _is_disc(bases, i) else bases.core[i]
    return shapely.Polygon(bases.xy[i] + ring(core, float(bases.radius[i])))


def is_crossed(a: Outlines, b: Outlines, areas: Sequence[Polygon]) -> Bools:
    """Return whether the shortest line between the bases of each row crosses an area.

    In a row are one base of a and one of b.
    """
    inner = np.array([_inner(area) for area in areas])
    found = np.zeros(len(a), dtype=np.bool_)
    # All of a shortest line is as near to the line between the middles as the wider base reaches.
    middles = shapely.linestrings(np.stack([a.xy, b.xy], axis=1))
    wide = np.maximum(a.reach, b.reach) + TOLERANCE
    near = np.flatnonzero(shapely.dwithin(middles[:, None], inner[None], wide[:, None]).any(axis=1))
    if len(near):
        lines = shapely.linestrings(np.stack(closest_points(a.take(near), b.take(near)), axis=1))
        found[near] = shapely.intersects(lines[:, None], inner[None]).any(axis=1)
    return found


@lru_cache(maxsize=256)
def _inner(area: Polygon) -> shapely.Polygon:
    """Return an area less its rim: a line along a border grazes it."""
    return canonical(shapely.Polygon(area).buffer(-TOLERANCE, join_style="mitre"))


def behind(bases: Outlines, areas: Sequence[Polygon], reach: float) -> Outlines:
    """Return the shapes of all points behind an area within reach of a base.

    The shortest line from such a point to the base crosses the area. About a base that touches an area the
    shape is all within reach, and so more than those points.
    """
    found = NOTHING
    inner = np.array([_inner(area) for area in areas])
    apart = gaps(inner, shapely.points(bases.xy)[:, None])
    for i in range(len(bases)):
        for row in (apart[i] <= reach + _width(bases, i)).nonzero()[0].tolist():
            area = areas[row]
            if distance_to_polygon(bases.take([i]), area)[0] <= TOLERANCE:
                found = found.joined(bases.take([i]).grown(reach))
                continue
            corners = outline(area)
            for a, b in pairwise([*corners, corners[0]]):
                for at, core in _behind(bases, i, a, b, reach):
                    found = found.joined(Outlines(at[None], np.zeros(1), (core,)))
    return found


def _width(bases: Outlines, i: int) -> float:
    return float(bases.radius[i]) + (0.0 if _is_disc(bases, i) else bases.core[i].reach)


def _behind(bases: Outlines, i: int, a: Floats, b: Floats, reach: float) -> Iterator[tuple[Floats, Core]]:
    """Yield the shapes behind one edge of an area, from the arcs and the sides of a base."""
    at, radius = bases.xy[i], float(bases.radius[i])
    if _is_disc(bases, i):
        core = _behind_arc(at, radius + reach, (0.0, math.tau), a, b)
        if core is not None:
            yield at, core
        return
    base = bases.core[i]
    for k in range(len(base.radius)):
        centre, far = at + base.centre[k], float(base.radius[k]) + radius
        low, width = float(base.low[k]), float(base.width[k])
        core = _behind_arc(centre, far + reach, (low, width), a, b) if width > ROUNDING else None
        if core is not None:
            yield centre, core
        after = (k + 1) % len(base.radius)
        face = np.array(way_at(low + width))
        start = centre + far * face
        end = at + base.centre[after] + (float(base.radius[after]) + radius) * face
        shape = _behind_side(start, end, face, reach, a, b)
        if shape is not None:
            yield start, shape


def _behind_arc(centre: Floats, far: float, sector: tuple[float, float], a: Floats, b: Floats) -> Core | None:
    """Return what is behind an edge, seen from a centre within a sector.

    It reaches `far` from the centre, about which it is given.
    """
    off_a, off_b = a - centre, b - centre
    normal = _outward(a, b)
    depth = dot(normal, off_a)
    if depth >= -ROUNDING:
        return None
    ends = _within_disc(off_a, off_b, far)
    if ends is None:
        return None
    # An area lies to the left of its edges, so that from outside they run clockwise.
    first, last = angle_of(ends[1][0], ends[1][1]), angle_of(ends[0][0], ends[0][1])
    width = (last - first) % math.tau
    begin, end = 0.0, width
    if sector[1] < math.tau - ROUNDING:
        offset = (sector[0] - first + math.pi) % math.tau - math.pi
        begin, end = max(0.0, offset), min(width, offset + sector[1])
    if end - begin <= ROUNDING:
        return None
    low, high = first + begin, first + end
    near_low, near_high = (_on_ray(angle, normal, depth) for angle in (low, high))
    face = angle_of(normal[0], normal[1])
    quarter = math.pi / 2
    rim = far * np.array([way_at(low), way_at(high)])
    return Core(
        np.array([rim[0], [0.0, 0.0], rim[1], near_high, near_low]),
        np.array([0.0, far, 0.0, 0.0, 0.0]),
        np.array([low - quarter, low, high, high + quarter, face]),
        np.array(
            [
                quarter,
                high - low,
                quarter,
                (face - high - quarter) % math.tau,
                (low - quarter - face) % math.tau,
            ]
        ),
    )


def _on_ray(angle: float, normal: Floats, depth: float) -> Floats:
    way = np.array(way_at(angle))
    return np.asarray(way * depth / dot(normal, way))


def _outward(a: Floats, b: Floats) -> Floats:
    along = (b - a) / max(norm(*(b - a)), ROUNDING)
    return np.array([along[1], -along[0]])


def _within_disc(a: Floats, b: Floats, far: float) -> tuple[Floats, Floats] | None:
    """Return the part of a stretch that is within a disc about the origin."""
    along = b - a
    square, slope = dot(along, along), dot(a, along)
    root = slope * slope - square * (dot(a, a) - far * far)
    if root <= 0 or square <= ROUNDING:
        return None
    low = max(0.0, (-slope - math.sqrt(root)) / square)
    high = min(1.0, (-slope + math.sqrt(root)) / square)
    return (a + low * along, a + high * along) if high - low > ROUNDING else None


def _behind_side(start: Floats, end: Floats, face: Floats, reach: float, a: Floats, b: Floats) -> Core | None:
    """Return what is behind an edge straight ahead of the side of a base.

    It is given about the side's start.
    """
    length = norm(*(end - start))
    if length <= ROUNDING or dot(_outward(a, b), face) >= -ROUNDING:
        return None
    along = (end - start) / length
    p, q = (np.array([dot(c - start, along), dot(c - start, face)]) for c in (a, b))
    low, high = 0.0, 1.0
    for k, most in ((0, length), (1, reach)):
        step = q[k] - p[k]
        if abs(step) <= ROUNDING:
            if not -ROUNDING <= p[k] <= most + ROUNDING:
                return None
            continue
        first, last = sorted((-p[k] / step, (most - p[k]) / step))
        low, high = max(low, first), min(high, last)
    if high - low <= ROUNDING:
        return None
    near = [p + share * (q - p) for share in (low, high)]
    corners = [*near, (near[1][0], reach), (near[0][0], reach)]
    spots = [x * along + y * face for x, y in corners]
    area = sum_of(float(s[0] * t[1] - s[1] * t[0]) for s, t in pairwise([*spots, spots[0]]))
    return polygon_core([s.tolist() for s in (spots if area > 0 else spots[::-1])])
