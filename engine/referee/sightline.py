"""Whether one body sees another, as the referee finds it: by trying lines until one is clear.

First the line between the middles, then many between points of the rims, then the lines through corners of
what stands between. A line counts only when shapely says that nothing on it closes it. Rule: CORE.LOS.1
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import shapely

from engine.referee.body import Body, clearance
from engine.referee.terrain import Eye, Screen
from geometry.base import TOLERANCE, Bools, Floats

Segment = tuple[tuple[float, float], tuple[float, float]]
FEW, MANY = 8, 32
"""How many points of a rim are tried at first, and at last."""
FAR = 1000.0
"""Longer than any line on a table."""


def clear_line(a: Eye, b: Eye, between: Sequence[Screen]) -> Segment | None:
    """Return a line from one body to the other on which nothing closes the view; None if none is found."""
    for lines in _tries(a.body, b.body, between):
        free = are_clear(lines, a.body, b.body, between)
        if free.any():
            (ax, ay), (bx, by) = lines[int(free.argmax())].tolist()
            return (ax, ay), (bx, by)
    return None


def holds(line: Segment, a: Eye, b: Eye, between: Sequence[Screen]) -> bool:
    """Return whether a line that somebody else proposes goes from one body to the other, and is clear."""
    ends = zip(line, (a.body, b.body), strict=True)
    on = all(float(shapely.distance(shapely.Point(p), e.core)) <= e.radius + 2 * TOLERANCE for p, e in ends)
    return on and bool(are_clear(np.array([line]), a.body, b.body, between)[0])


def are_clear(lines: Floats, a: Body, b: Body, between: Iterable[Screen]) -> Bools:
    """Return which lines (n, 2, 2), from the head of one body to the other's, nothing closes."""
    free = np.ones(len(lines), dtype=np.bool_)
    for screen in between:
        first, last = _covered(a.head, b.head, screen.top)
        if last > first:
            way = lines[:, 1] - lines[:, 0]
            part = np.stack([lines[:, 0] + first * way, lines[:, 0] + last * way], axis=1)
            free &= ~shapely.intersects(screen.shape, shapely.linestrings(part))
    return free


def _covered(start: float, end: float, top: float) -> tuple[float, float]:
    """Return from which to which share of a line it runs below a top."""
    if top >= max(start, end) - TOLERANCE:
        return 0.0, 1.0
    if top <= min(start, end):
        return 0.0, 0.0
    share = (top - start) / (end - start)
    return (0.0, share) if start < end else (share, 1.0)


def _tries(a: Body, b: Body, between: Sequence[Screen]) -> Iterator[Floats]:
    """Yield lines to try, the likeliest first."""
    middles = [np.asarray(shapely.centroid(body.core).coords) for body in (a, b)]
    if clearance(a, b) <= TOLERANCE:
        yield np.array([[middles[0][0], middles[0][0]]])
        return
    yield _shortened(np.array([[middles[0][0], middles[1][0]]]), a, b)
    for count in (FEW, MANY):
        yield _pairs(_rim(a, count), _rim(b, count))
    yield _through_corners(a, b, between)


def _shape(body: Body) -> shapely.Geometry:
    """Return the base as a polygon that lies within it."""
    return shapely.buffer(body.core, body.radius, quad_segs=MANY) if body.radius else body.core


def _rim(body: Body, count: int) -> Floats:
    ring = shapely.boundary(_shape(body))
    shares = np.arange(count) / count
    return np.asarray(shapely.get_coordinates(shapely.line_interpolate_point(ring, shares, normalized=True)))


def _pairs(starts: Floats, ends: Floats) -> Floats:
    i, j = np.divmod(np.arange(len(starts) * len(ends)), len(ends))
    return np.stack([starts[i], ends[j]], axis=1)


def _through_corners(a: Body, b: Body, between: Sequence[Screen]) -> Floats:
    """Return the lines through two corners of what is between, or through a corner and a point of a rim."""
    hull = shapely.convex_hull(shapely.union(_shape(a), _shape(b)))
    parts = shapely.get_parts([screen.shape for screen in between])
    near = [part for part in parts if shapely.intersects(part, hull)]
    corners = shapely.get_coordinates(near)
    rims = np.vstack([_rim(a, MANY), _rim(b, MANY), *(_crossings(body, near) for body in (a, b))])
    if not len(corners):
        return _shortened(_pairs(_rim(a, 1), _rim(b, 1)), a, b)
    lines = np.vstack([_pairs(corners, corners), _pairs(corners, rims)])
    way = lines[:, 1] - lines[:, 0]
    long = np.hypot(*way.T)
    lines, way = lines[long > TOLERANCE], (way / np.maximum(long, TOLERANCE)[:, None])[long > TOLERANCE]
    return _shortened(np.stack([lines[:, 0] - FAR * way, lines[:, 0] + FAR * way], axis=1), a, b)


def _crossings(body: Body, shapes: Sequence[shapely.Geometry]) -> Floats:
    """Return where the borders of what is between cross the rim of a body."""
    rim = shapely.boundary(_shape(body))
    crossed = [shapely.intersection(rim, shapely.boundary(each)) for each in shapes]
    return np.asarray(shapely.get_coordinates(crossed))


def _shortened(lines: Floats, a: Body, b: Body) -> Floats:
    """Return the lines cut down to what of them is between the two bodies; those that miss one are gone."""
    drawn = shapely.linestrings(lines)
    in_a, in_b = shapely.intersection(drawn, _shape(a)), shapely.intersection(drawn, _shape(b))
    meet = ~(shapely.is_empty(in_a) | shapely.is_empty(in_b))
    found = shapely.shortest_line(in_a[meet], in_b[meet])
    return np.asarray(shapely.get_coordinates(found).reshape(-1, 2, 2))
