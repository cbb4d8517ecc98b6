"""Whether one body sees another: the referee tries lines until one is clear.

First the line between the middles, then many between points of the rims, then the lines through corners of
what stands between. A line counts only when shapely says that nothing on it closes it. Rule: CORE.LOS.1
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

import numpy as np
import shapely

from engine.audit.referee.body import Body, clearance
from engine.audit.referee.terrain import Eye, Screen
from geometry.shape.base import Bools, Floats
from geometry.tolerance import TOLERANCE

Segment = tuple[tuple[float, float], tuple[float, float]]
Line = tuple[tuple[float, float, float], tuple[float, float, float]]
"""A line in space: from where to where, with how high it is there."""
FEW, MANY = 8, 32
"""How many points of a rim are tried at first, and at last."""
QUICK = 2
"""How many kinds of lines a quick search tries."""
FEW_HEIGHTS, MANY_HEIGHTS = 3, 9
"""At how many heights of a body a line is tried, where floors are between."""
ABOVE_FLOOR = 1e-3
"""The lowest of them, as a share of the body's height: just above what it stands on."""
FAR = 1000.0
"""Longer than any line on a table."""


def clear_line(a: Eye, b: Eye, between: Sequence[Screen], *, quick: bool = False) -> Segment | None:
    """Return a line from one body to the other on which nothing closes the view.

    It is None if none is found. A quick search tries only the line between the middles and a few others.
    """
    for lines in islice(_tries(a.body, b.body, between), QUICK if quick else None):
        for heights in _heights(a.body, b.body, between, FEW_HEIGHTS):
            free = are_clear(lines, heights, between)
            if free.any():
                (ax, ay), (bx, by) = lines[int(free.argmax())].tolist()
                return (ax, ay), (bx, by)
    return None


def holds(line: Line, a: Eye, b: Eye, between: Sequence[Screen]) -> bool:
    """Return whether a proposed line goes from one body to the other, and is clear.

    Where it is not clear at its own heights, others over the same ground are tried.
    """
    ends = list(zip(line, (a.body, b.body), strict=True))
    if any(
        shapely.distance(shapely.Point(p[:2]), body.core) > body.radius + body.blur + 2 * TOLERANCE
        for p, body in ends
    ):
        return False
    heights = _heights(a.body, b.body, between, MANY_HEIGHTS)
    if all(body.foot - TOLERANCE <= p[2] <= body.head + TOLERANCE for p, body in ends):
        heights.insert(0, (line[0][2], line[1][2]))
    from_above = np.array([line])[..., :2]
    return any(are_clear(from_above, each, between)[0] for each in heights)


def _heights(a: Body, b: Body, between: Iterable[Screen], count: int) -> list[tuple[float, float]]:
    """Return the heights at which a line may begin and end.

    These are the heads of both bodies; where floors are between, lower heights too.
    """
    if all(math.isinf(screen.bottom) for screen in between):
        return [(a.head, b.head)]
    shares = [1.0 - i / (count - 1) * (1.0 - ABOVE_FLOOR) for i in range(count)]
    starts, ends = ([body.foot + (body.head - body.foot) * share for share in shares] for body in (a, b))
    return [(start, end) for start in starts for end in ends]


def are_clear(lines: Floats, heights: tuple[float, float], between: Iterable[Screen]) -> Bools:
    """Return which lines (n, 2, 2), from one height to another, nothing closes."""
    free = np.ones(len(lines), dtype=np.bool_)
    for screen in between:
        covered = _covered(*heights, screen)
        if covered is not None:
            first, last = covered
            way = lines[:, 1] - lines[:, 0]
            part = np.stack([lines[:, 0] + first * way, lines[:, 0] + last * way], axis=1)
            free &= ~shapely.intersects(screen.shape, shapely.linestrings(part))
    return free


def _covered(start: float, end: float, screen: Screen) -> tuple[float, float] | None:
    """Return the shares of a line between which it is at the heights of a screen, if it is."""
    low, high = min(start, end), max(start, end)
    if screen.bottom >= screen.top:
        if not low < screen.top < high:
            return None
        share = (screen.top - start) / (end - start)
        return share, share
    if screen.top >= high - TOLERANCE:
        return 0.0, 1.0
    if screen.top <= low:
        return None
    share = (screen.top - start) / (end - start)
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
    """Return the lines through two corners of what is between, or a corner and a rim's point."""
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
    """Return the part of each line between the two bodies; lines that miss one are left out."""
    drawn = shapely.linestrings(lines)
    in_a, in_b = shapely.intersection(drawn, _shape(a)), shapely.intersection(drawn, _shape(b))
    meet = ~(shapely.is_empty(in_a) | shapely.is_empty(in_b))
    found = shapely.shortest_line(in_a[meet], in_b[meet])
    return np.asarray(shapely.get_coordinates(found).reshape(-1, 2, 2))
