"""The spots where a base comes to rest: where the edges that bound its centre cross or come nearest.

Owns edges (circles and stretches of straight line for a base's centre) and their crossings. Of all places
that edges allow, the nearest to anything is one of these spots. It judges no spot.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import shapely

from geometry.base import Floats, Polygon

NONE = np.empty((0, 2))
SAME = 1e-12


@dataclass(frozen=True, slots=True)
class Edges:
    """Circles (k) by `centre` and `reach`, and straight stretches (s) from `start` to `end`."""

    centre: Floats
    reach: Floats
    start: Floats
    end: Floats

    @staticmethod
    def of_circles(centre: Floats, reach: Floats) -> Edges:
        """Return edges that are circles only."""
        kept = reach > SAME
        return Edges(centre[kept], reach[kept], NONE, NONE)

    def joined(self, other: Edges) -> Edges:
        """Return the edges of both."""
        return Edges(
            np.vstack([self.centre, other.centre]),
            np.concatenate([self.reach, other.reach]),
            np.vstack([self.start, other.start]),
            np.vstack([self.end, other.end]),
        )

    def near(self, at: Floats, within: float, most: int) -> Edges:
        """Return the edges that pass within this distance of a point, at most so many circles and lines."""
        off = np.abs(np.hypot(*(self.centre - at).T) - self.reach)
        circles = np.argsort(off, kind="stable")[:most]
        circles = circles[off[circles] <= within]
        aside = np.hypot(*(_foot(self.start, self.end, at[None])[:, 0] - at).T)
        lines = np.argsort(aside, kind="stable")[:most]
        lines = lines[aside[lines] <= within]
        return Edges(self.centre[circles], self.reach[circles], self.start[lines], self.end[lines])


def distances(a: Floats, b: Floats) -> Floats:
    """Return the distances (n, m) from points to points."""
    x, y = a[:, 0, None] - b[None, :, 0], a[:, 1, None] - b[None, :, 1]
    return np.asarray(np.sqrt(x * x + y * y))


@lru_cache(maxsize=512)
def rim(polygons: tuple[Polygon, ...], radius: float, inside: bool) -> Edges:
    """Return the edges of a base that touches areas from outside, or their union from inside."""
    starts, ends, corners = [], [], []
    for ring in _rings(polygons, inside):
        corner = np.asarray(ring)[:-1]
        after = np.roll(corner, -1, axis=0)
        along = after - corner
        length = np.hypot(*along.T)
        corner, after, along = (part[length > SAME] for part in (corner, after, along))
        normal = np.stack([along[:, 1], -along[:, 0]], axis=1) / np.hypot(*along.T)[:, None]
        shift = normal * (-radius if inside else radius)
        starts.append(corner + shift)
        ends.append(after + shift)
        corners.append(corner)
    if not starts:
        return Edges(NONE, np.empty(0), NONE, NONE)
    centre = np.vstack(corners)
    return Edges(centre, np.full(len(centre), radius), np.vstack(starts), np.vstack(ends))


def _rings(polygons: tuple[Polygon, ...], merged: bool) -> list[Floats]:
    """Return the closed rings of areas, the area on the left of each."""
    areas = [union_of(polygons)] if merged else [shapely.Polygon(p) for p in polygons]
    parts = [part for area in areas for part in shapely.get_parts(area) if isinstance(part, shapely.Polygon)]
    rings = []
    for part in parts:
        turned = shapely.orient_polygons(part) if hasattr(shapely, "orient_polygons") else _turned(part)
        rings += [np.asarray(ring.coords) for ring in (turned.exterior, *turned.interiors)]
    return rings


def _turned(part: shapely.Polygon) -> shapely.Polygon:
    return shapely.geometry.polygon.orient(part)


@lru_cache(maxsize=512)
def union_of(polygons: tuple[Polygon, ...]) -> shapely.Geometry:
    """Return areas as one, prepared for many questions."""
    shapes = [shapely.Polygon(polygon) for polygon in polygons]
    found = shapes[0] if len(shapes) == 1 else shapely.union_all(shapes)
    shapely.prepare(found)
    return found


def crossings(edges: Edges) -> Floats:
    """Return the points (m, 2) where two of the edges cross or touch."""
    i, j = np.triu_indices(len(edges.start), 1)
    lines = of_lines(edges.start[i], edges.end[i], edges.start[j], edges.end[j])
    return np.vstack([_circles(edges), on_lines(edges.start, edges.end, edges.centre, edges.reach), lines])


def extremes(edges: Edges, points: Floats) -> Floats:
    """Return the spots of each edge nearest to each point, and the farthest ones of circles."""
    off = points[None] - edges.centre[:, None]
    away = off / np.maximum(np.hypot(off[..., 0], off[..., 1]), SAME)[..., None]
    reach = edges.reach[:, None, None]
    near, far = edges.centre[:, None] + reach * away, edges.centre[:, None] - reach * away
    feet = _foot(edges.start, edges.end, points)
    return np.vstack([near.reshape(-1, 2), far.reshape(-1, 2), feet.reshape(-1, 2)])


def _foot(start: Floats, end: Floats, points: Floats) -> Floats:
    """Return the nearest points of stretches (s) to points (p), shape (s, p, 2)."""
    along = (end - start)[:, None]
    square = np.maximum((along**2).sum(axis=2), SAME)
    share = np.clip(((points[None] - start[:, None]) * along).sum(axis=2) / square, 0, 1)
    return np.asarray(start[:, None] + share[..., None] * along)


def _circles(edges: Edges) -> Floats:
    i, j = np.triu_indices(len(edges.reach), 1)
    return meeting(edges.centre[i], edges.reach[i], edges.centre[j], edges.reach[j]).reshape(-1, 2)


def meeting(a: Floats, ra: Floats, b: Floats, rb: Floats) -> Floats:
    """Return the two points (n, 2, 2) where circles meet, without the pairs that do not."""
    off = b - a
    apart = np.hypot(*off.T)
    meets = (apart > SAME) & (apart <= ra + rb + 1e-9) & (apart >= np.abs(ra - rb) - 1e-9)
    a, ra, rb, off, apart = a[meets], ra[meets], rb[meets], off[meets], apart[meets]
    along = (apart**2 + ra**2 - rb**2) / (2 * apart)
    aside = np.sqrt(np.maximum(ra**2 - along**2, 0))
    way = off / apart[:, None]
    left = np.stack([-way[:, 1], way[:, 0]], axis=1)
    foot = a + along[:, None] * way
    return np.stack([foot + aside[:, None] * left, foot - aside[:, None] * left], axis=1)


def on_lines(start: Floats, end: Floats, centre: Floats, reach: Floats) -> Floats:
    """Return the points (m, 2) where stretches cross circles."""
    if not len(start) or not len(reach):
        return NONE
    along = end - start
    length = np.maximum(np.hypot(*along.T), SAME)
    way = along / length[:, None]
    off = centre[None] - start[:, None]
    foot = (off * way[:, None]).sum(axis=2)
    square = reach[None] ** 2 - ((off**2).sum(axis=2) - foot**2)
    half = np.sqrt(np.maximum(square, 0))
    found = []
    for side in (half, -half):
        far = foot + side
        on = (square >= -1e-9) & (far >= -1e-9) & (far <= length[:, None] + 1e-9)
        line, _ = np.nonzero(on)
        found.append(start[line] + far[on][:, None] * way[line])
    return np.vstack(found)


def of_lines(start: Floats, end: Floats, other_start: Floats, other_end: Floats) -> Floats:
    """Return the points (m, 2) where stretches cross the other stretch of the same row."""
    d, e = end - start, other_end - other_start
    cross = d[:, 0] * e[:, 1] - d[:, 1] * e[:, 0]
    meets = np.abs(cross) > SAME
    p, q, d, e, cross = start[meets], other_start[meets], d[meets], e[meets], cross[meets]
    off = q - p
    t = (off[:, 0] * e[:, 1] - off[:, 1] * e[:, 0]) / cross
    u = (off[:, 0] * d[:, 1] - off[:, 1] * d[:, 0]) / cross
    on = (t >= -1e-9) & (t <= 1 + 1e-9) & (u >= -1e-9) & (u <= 1 + 1e-9)
    return np.asarray(p[on] + t[on][:, None] * d[on])
