"""The spots where a base comes to rest: where edges of its centre cross or come nearest.

Owns edges (arcs and stretches of straight line for a base's centre) and their crossings. Of all places that
edges allow, the nearest to anything is one of these spots. It judges no spot.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec
import numpy as np
import shapely

from geometry.portable import angles_of, dots, norms, ways_at
from geometry.shape.array import runs
from geometry.shape.base import Bools, Floats, Ints, pairs_of
from geometry.shape.cached import cached_property
from geometry.shape.convex_shape import Arcs, Outlines
from geometry.tolerance import ROUNDING

NONE = np.empty((0, 2))
FEW = 150
"""Up to this many edges each is tried with each other.

Of more edges only those are tried whose boxes meet.
"""


class Edges(msgspec.Struct, frozen=True, eq=False, dict=True):
    """Circles or arcs (k) by `centre` and `reach`, and stretches (s) from `start` to `end`.

    Stretches are straight. Arcs face from `low` on through `width` (both None where all are circles).
    """

    centre: Floats
    reach: Floats
    start: Floats
    end: Floats
    low: Floats | None = None
    width: Floats | None = None

    @staticmethod
    def of_circles(centre: Floats, reach: Floats) -> Edges:
        """Return edges that are circles only."""
        kept = reach > ROUNDING
        return Edges(centre[kept], reach[kept], NONE, NONE)

    @staticmethod
    def of(shapes: Outlines) -> Edges:
        """Return the rims of shapes."""
        if not shapes.core:
            return Edges.of_circles(shapes.xy, shapes.radius)
        disc = np.array([core.is_point for core in shapes.core], dtype=np.bool_)
        found = Edges.of_circles(shapes.xy[disc], shapes.radius[disc])
        return found if disc.all() else found.joined(_rims(shapes.arcs))

    def joined(self, *others: Edges) -> Edges:
        """Return the edges of all."""
        every = (self, *others)
        return Edges(
            np.concatenate([each.centre for each in every]),
            np.concatenate([each.reach for each in every]),
            np.concatenate([each.start for each in every]),
            np.concatenate([each.end for each in every]),
            *_turns(every),
        )

    def take(self, arcs: Bools | Ints, lines: Bools | Ints) -> Edges:
        """Return these arcs and stretches."""
        low = None if self.low is None else self.low[arcs]
        width = None if self.width is None else self.width[arcs]
        found = Edges(self.centre[arcs], self.reach[arcs], self.start[lines], self.end[lines], low, width)
        if "rounds" in vars(self):
            middle, round_ = self.rounds
            vars(found)["rounds"] = middle[arcs], round_[arcs]  # they are known already
        return found

    @property
    def are_circles(self) -> bool:
        """Return whether all of them are whole circles."""
        return self.low is None and not len(self.start)

    def near(self, at: Floats, within: float, most: int) -> Edges:
        """Return the edges within a distance of a point, at most `most` circles and `most` lines.

        Of arcs that are no circles all within the distance are returned.
        """
        whole, part = self._whole, self._parts
        off = np.abs(norms(self.centre[whole] - at) - self.reach[whole])
        order = off.argsort(kind="stable")[:most]
        arcs = whole[order[off[order] <= within]]
        if len(part):
            middle, round_ = self.rounds
            apart = norms(middle[part] - at) - round_[part]
            arcs = np.concatenate([arcs, part[apart <= within]])
        aside = norms(_foot(self.start, self.end, at[None])[:, 0] - at)
        lines = aside.argsort(kind="stable")[:most]
        return self.take(arcs, lines[aside[lines] <= within])

    @cached_property
    def _whole(self) -> Ints:
        """Return which arcs are whole circles."""
        return (np.ones(len(self.reach)) if self.width is None else self.width >= math.tau).nonzero()[0]

    @cached_property
    def _parts(self) -> Ints:
        """Return which arcs are none."""
        return (np.zeros(0) if self.width is None else self.width < math.tau).nonzero()[0]

    def within(self, at: Floats, limit: float) -> Edges:
        """Return the edges that come within this distance of a point."""
        arcs = np.abs(norms(self.centre - at) - self.reach) <= limit
        if self.low is not None:
            middle, round_ = self.rounds
            arcs &= norms(middle - at) - round_ <= limit
        lines = norms(_foot(self.start, self.end, at[None])[:, 0] - at) <= limit
        return self.take(arcs, lines)

    @cached_property
    def rounds(self) -> tuple[Floats, Floats]:
        """Return circles, by middle and radius, that hold the arcs."""
        middle, round_ = self.centre.copy(), self.reach.copy()
        if self.low is not None and self.width is not None:
            part = self.width < math.pi
            turn = self.low[part] + self.width[part] / 2
            middle[part] += self.reach[part, None] * ways_at(turn)
            round_[part] = 2 * self.reach[part] * ways_at(self.width[part] / 4)[:, 1]
        return middle, round_

    @cached_property
    def circles(self) -> tuple[Floats, Floats]:
        """Return circles, by middle and radius, that hold the edges, arcs before stretches."""
        middle, round_ = self.rounds
        if not len(self.start):
            return middle, round_
        off = (self.end - self.start) / 2
        return np.concatenate([middle, self.start + off]), np.concatenate([round_, norms(off)])

    def facing(self, points: Floats, arcs: Ints) -> Bools:
        """Return which points (n, 2) lie where the arc of the same row faces."""
        if self.low is None or self.width is None:
            return np.ones(len(points), dtype=np.bool_)
        width = self.width[arcs]
        faces = width >= math.tau
        rows = (~faces).nonzero()[0]
        if len(rows):
            arcs = arcs[rows]
            off = points[rows] - self.centre[arcs]
            turned = (angles_of(off) - self.low[arcs]) % math.tau
            slack = ROUNDING / np.maximum(self.reach[arcs], ROUNDING)
            faces[rows] = (turned <= width[rows] + slack) | (turned >= math.tau - slack)
        return faces


def _turns(every: Sequence[Edges]) -> tuple[Floats | None, Floats | None]:
    """Return where the arcs of all begin and how wide they are."""
    if all(each.low is None for each in every):
        return None, None
    low = [np.zeros(len(each.reach)) if each.low is None else each.low for each in every]
    width = [np.full(len(each.reach), math.tau) if each.width is None else each.width for each in every]
    return np.concatenate(low), np.concatenate(width)


def _rims(arcs: Arcs) -> Edges:
    """Return the arcs and straight edges of shapes that are no discs."""
    first = runs(arcs.owner)
    before = np.arange(len(arcs.reach)) - 1
    before[first] = np.concatenate([first[1:], [len(arcs.reach)]]) - 1
    start = arcs.centre[before] + arcs.reach[before, None] * arcs.face
    end = arcs.centre + arcs.reach[:, None] * arcs.face
    long = norms(end - start) > ROUNDING
    wide = (arcs.reach > ROUNDING) & (arcs.width * arcs.reach > ROUNDING)
    turns = arcs.low[wide], arcs.width[wide]
    return Edges(arcs.centre[wide], arcs.reach[wide], start[long], end[long], *turns)


def distances(a: Floats, b: Floats) -> Floats:
    """Return the distances (n, m) from points to points."""
    x = np.subtract(a[:, :1], b[:, 0], dtype=np.float64)
    y = np.subtract(a[:, 1:2], b[:, 1], dtype=np.float64)
    # In place: fresh memory for each step costs several times as much as the step itself.
    x *= x
    y *= y
    x += y
    return np.asarray(np.sqrt(x, x))


def crossings(edges: Edges) -> Floats:
    """Return the points (m, 2) where two of the edges cross or touch."""
    arcs, lines = len(edges.reach), len(edges.start)
    if arcs + lines <= FEW:
        meets = _meeting_circles(edges)
        aa, ll = ((own & pairs_of(len(own))).nonzero() for own in (meets[:arcs, :arcs], meets[arcs:, arcs:]))
        la = meets[arcs:, :arcs].nonzero()
    else:
        i, j = _meeting_boxes(edges)
        both, none = j < arcs, i >= arcs
        aa, ll = (i[both], j[both]), (i[none] - arcs, j[none] - arcs)
        la = (j[~both & ~none] - arcs, i[~both & ~none])
    found = [_arcs(edges, *aa)] if len(aa[0]) else [NONE]
    if len(ll[0]):
        found.append(_stretches(edges, ll[0], edges, ll[1])[0])
    if len(la[0]):
        found.append(_line_arcs(edges, la[0], edges, la[1])[0])
    return found[0] if len(found) == 1 else np.concatenate(found)


def between(a: Edges, b: Edges) -> Floats:
    """Return the points (m, 2) where an edge of one crosses or touches one of the other."""
    return on_circle(a, b) if a.are_circles and len(a.reach) == 1 else met(a, b)[0]


def on_circle(circle: Edges, edges: Edges) -> Floats:
    """Return the points (m, 2) where edges cross or touch a single circle."""
    reach = circle.reach.item()
    x, y = (edges.centre - circle.centre[0]).T
    apart = np.sqrt(x * x + y * y)
    meets = (apart > ROUNDING) & (apart <= edges.reach + (reach + ROUNDING))
    arcs = (meets & (apart >= np.abs(edges.reach - reach) - ROUNDING)).nonzero()[0]
    found = NONE
    if len(arcs):
        x, y, apart = x[arcs], y[arcs], apart[arcs]
        other = edges.reach[arcs]
        along = (apart + (reach * reach - other * other) / apart) / 2
        aside = np.sqrt(np.maximum(reach * reach - along * along, 0.0)) / apart
        along /= apart
        off = np.array(
            [along * x - aside * y, along * y + aside * x, along * x + aside * y, along * y - aside * x]
        )
        found = off.T.reshape(-1, 2) + circle.centre[0]
        if edges.low is not None:
            found = found[edges.facing(found, arcs.repeat(2))]
    if not len(edges.start):
        return found
    lines = np.arange(len(edges.start))
    return np.concatenate([found, _line_arcs(edges, lines, circle, np.zeros_like(lines))[0]])


def met(a: Edges, b: Edges) -> tuple[Floats, Ints]:
    """Return the points of `between`, and which edge of `a` each is on, arcs before stretches."""
    arcs, other_arcs = len(a.reach), len(b.reach)
    i, j = _close_by(a, b)
    on_arc, by_arc = i < arcs, j < other_arcs
    found, rows = [], []
    both = on_arc & by_arc
    if np.count_nonzero(both):
        points, k = _arcs_between(a, i[both], b, j[both])
        found, rows = [points], [i[both][k]]
    none = ~on_arc & ~by_arc
    if np.count_nonzero(none):
        points, k = _stretches(a, i[none] - arcs, b, j[none] - other_arcs)
        found, rows = [*found, points], [*rows, i[none][k]]
    other = ~on_arc & by_arc
    if np.count_nonzero(other):
        points, k = _line_arcs(a, i[other] - arcs, b, j[other])
        found, rows = [*found, points], [*rows, i[other][k]]
    other = on_arc & ~by_arc
    if np.count_nonzero(other):
        points, k = _line_arcs(b, j[other] - other_arcs, a, i[other])
        found, rows = [*found, points], [*rows, i[other][k]]
    return (np.concatenate(found), np.concatenate(rows)) if found else (NONE, np.empty(0, dtype=np.intp))


def _close_by(a: Edges, b: Edges) -> tuple[Ints, Ints]:
    """Return the rows of edges of a, each with the row of an edge of b that may meet it.

    Arcs come before stretches.
    """
    middle, round_ = a.circles
    other, other_round = b.circles
    if not len(middle) or not len(other):
        return np.empty(0, dtype=np.intp), np.empty(0, dtype=np.intp)
    low, high = (middle - round_[:, None]).min(axis=0), (middle + round_[:, None]).max(axis=0)
    aside = np.abs(other - (low + high) / 2) - (high - low) / 2
    near = (np.maximum(aside[:, 0], aside[:, 1]) <= other_round + 2 * ROUNDING).nonzero()[0]
    apart = distances(middle, other[near])
    apart -= round_[:, None]
    i, j = (apart <= other_round[near] + 2 * ROUNDING).nonzero()
    return i, near[j]


def _arcs_between(a: Edges, i: Ints, b: Edges, j: Ints) -> tuple[Floats, Ints]:
    """Return where arcs meet the others of the same row, and which rows these are."""
    points, rows = _meeting(a.centre[i], a.reach[i], b.centre[j], b.reach[j])
    points, rows = points.reshape(-1, 2), rows.repeat(2)
    on = a.facing(points, i[rows]) & b.facing(points, j[rows])
    return points[on], rows[on]


def _meeting_circles(edges: Edges) -> Bools:
    """Return which pairs of edges (n, n) lie in circles that meet.

    Arcs come before stretches.
    """
    middle, round_ = edges.circles
    apart = distances(middle, middle)
    apart -= round_[:, None]
    return np.asarray(apart <= round_ + 4 * ROUNDING)


def _meeting_boxes(edges: Edges) -> tuple[Ints, Ints]:
    """Return the rows of each two edges whose boxes meet, the lower row first.

    Arcs come before stretches.
    """
    middle, round_ = edges.rounds
    low = np.concatenate([middle - round_[:, None], np.minimum(edges.start, edges.end)]) - ROUNDING
    high = np.concatenate([middle + round_[:, None], np.maximum(edges.start, edges.end)]) + ROUNDING
    boxes = shapely.box(low[:, 0], low[:, 1], high[:, 0], high[:, 1])
    i, j = shapely.STRtree(boxes).query(boxes)
    kept = i < j
    order = np.lexsort((j[kept], i[kept]))
    return i[kept][order], j[kept][order]


def _foot(start: Floats, end: Floats, points: Floats) -> Floats:
    """Return the nearest points of stretches (s) to points (p), shape (s, p, 2)."""
    found = np.empty((len(start), len(points), 2))
    x, y = start[:, :1], start[:, 1:]
    dx, dy = end[:, :1] - x, end[:, 1:] - y
    share = (points[:, 0] - x) * dx
    share += (points[:, 1] - y) * dy
    share /= np.maximum(dx * dx + dy * dy, ROUNDING * ROUNDING)
    np.minimum(np.maximum(share, 0.0, out=share), 1.0, out=share)
    found[..., 0], found[..., 1] = x + share * dx, y + share * dy
    return found


def _arcs(edges: Edges, i: Ints, j: Ints) -> Floats:
    """Return where arcs meet those of the same row."""
    found, rows = _meeting(edges.centre[i], edges.reach[i], edges.centre[j], edges.reach[j])
    if edges.low is None or not len(rows):
        return found.reshape(-1, 2)
    i, j = i[rows], j[rows]
    apart = ~(_follows(edges, i, j) | _follows(edges, j, i))
    found, i, j = found[apart].reshape(-1, 2), i[apart].repeat(2), j[apart].repeat(2)
    return found[edges.facing(found, i) & edges.facing(found, j)]


def _follows(edges: Edges, i: Ints, j: Ints) -> Bools:
    """Return where an arc goes on as the one of the same row.

    Such arcs share an end, and do not cross there.
    """
    assert edges.low is not None
    assert edges.width is not None
    turn = edges.low[i] + edges.width[i]
    same = np.abs((edges.low[j] - turn + math.pi) % math.tau - math.pi) < ROUNDING
    rows = same.nonzero()[0]
    if len(rows):
        i, j, turn = i[rows], j[rows], turn[rows]
        way = ways_at(turn)
        off = edges.centre[i] - edges.centre[j] + (edges.reach[i] - edges.reach[j])[:, None] * way
        same[rows] = np.abs(off).max(axis=1) < ROUNDING
    return same


def meeting(a: Floats, ra: Floats, b: Floats, rb: Floats) -> Floats:
    """Return the two points (n, 2, 2) where circles meet, without the pairs that do not."""
    return _meeting(a, ra, b, rb)[0]


def _meeting(a: Floats, ra: Floats, b: Floats, rb: Floats) -> tuple[Floats, Ints]:
    """Return where circles meet, and the rows of the pairs that do."""
    off = b - a
    apart = norms(off)
    is_near = (apart <= ra + rb + ROUNDING) & (apart >= np.abs(ra - rb) - ROUNDING)
    meets = ((apart > ROUNDING) & is_near).nonzero()[0]
    a, ra, rb, off, apart = a[meets], ra[meets], rb[meets], off[meets], apart[meets]
    along = (apart * apart + ra * ra - rb * rb) / (2 * apart)
    aside = np.sqrt(np.maximum(ra * ra - along * along, 0))
    way = off / apart[:, None]
    left = np.empty_like(way)
    left[:, 0], left[:, 1] = -way[:, 1], way[:, 0]
    left *= aside[:, None]
    foot = a + along[:, None] * way
    found = np.empty((len(foot), 2, 2))
    found[:, 0], found[:, 1] = foot + left, foot - left
    return found, meets


def _line_arcs(edges: Edges, lines: Ints, others: Edges, arcs: Ints) -> tuple[Floats, Ints]:
    """Return where stretches cross the arcs of the same row, and which rows these are."""
    start, reach = edges.start[lines], others.reach[arcs]
    along = edges.end[lines] - start
    length = np.maximum(norms(along), ROUNDING)
    way = along / length[:, None]
    off = others.centre[arcs] - start
    foot = dots(off, way)
    square = reach * reach - (dots(off, off) - foot * foot)
    rows = (square >= -ROUNDING).nonzero()[0]
    half = np.sqrt(np.maximum(square[rows], 0))
    far = np.concatenate([foot[rows] + half, foot[rows] - half])
    rows = np.concatenate([rows, rows])
    on = (far >= -ROUNDING) & (far <= length[rows] + ROUNDING)
    rows, far = rows[on], far[on]
    points = start[rows] + far[:, None] * way[rows]
    faces = others.facing(points, arcs[rows])
    return points[faces], rows[faces]


def _stretches(edges: Edges, i: Ints, others: Edges, j: Ints) -> tuple[Floats, Ints]:
    """Return where stretches cross the other stretch of the same row, and which rows these are."""
    p, q = edges.start[i], others.start[j]
    d, e = edges.end[i] - p, others.end[j] - q
    cross = d[:, 0] * e[:, 1] - d[:, 1] * e[:, 0]
    meets = (np.abs(cross) > ROUNDING).nonzero()[0]
    p, q, d, e, cross = p[meets], q[meets], d[meets], e[meets], cross[meets]
    off = q - p
    t = (off[:, 0] * e[:, 1] - off[:, 1] * e[:, 0]) / cross
    u = (off[:, 0] * d[:, 1] - off[:, 1] * d[:, 0]) / cross
    on = (t >= -ROUNDING) & (t <= 1 + ROUNDING) & (u >= -ROUNDING) & (u <= 1 + ROUNDING)
    return np.asarray(p[on] + t[on][:, None] * d[on]), meets[on]


def on_lines(start: Floats, end: Floats, centre: Floats, reach: Floats) -> Floats:
    """Return the points (m, 2) where stretches cross circles."""
    if not len(start) or not len(reach):
        return NONE
    along = end - start
    length = np.maximum(norms(along), ROUNDING)
    way = along / length[:, None]
    off = centre[None] - start[:, None]
    foot = dots(off, way[:, None])
    square = reach * reach - (dots(off, off) - foot * foot)
    half = np.sqrt(np.maximum(square, 0))
    found = []
    for side in (half, -half):
        far = foot + side
        on = (square >= -ROUNDING) & (far >= -ROUNDING) & (far <= length[:, None] + ROUNDING)
        line, _ = on.nonzero()
        found.append(start[line] + far[on][:, None] * way[line])
    return np.concatenate(found)


def of_lines(start: Floats, end: Floats, other_start: Floats, other_end: Floats) -> Floats:
    """Return the points (m, 2) where stretches cross the other stretch of the same row."""
    d, e = end - start, other_end - other_start
    cross = d[:, 0] * e[:, 1] - d[:, 1] * e[:, 0]
    meets = np.abs(cross) > ROUNDING
    p, q, d, e, cross = start[meets], other_start[meets], d[meets], e[meets], cross[meets]
    off = q - p
    t = (off[:, 0] * e[:, 1] - off[:, 1] * e[:, 0]) / cross
    u = (off[:, 0] * d[:, 1] - off[:, 1] * d[:, 0]) / cross
    on = (t >= -ROUNDING) & (t <= 1 + ROUNDING) & (u >= -ROUNDING) & (u <= 1 + ROUNDING)
    return np.asarray(p[on] + t[on][:, None] * d[on])
