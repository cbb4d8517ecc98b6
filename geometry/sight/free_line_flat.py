"""Whether some line between two bodies is free where all that comes between closes lines of any height.

Owns the quick verdicts (a few lines, one convex part across both outer tangents) and the exact search on flat
ground: the lines stuck on two corners, or on a corner and a rim. Heights belong to
`geometry.sight.free_line_3d`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from geometry.shape.array import left_of
from geometry.shape.base import TOLERANCE, Bools, Floats, Ints
from geometry.sight.culling import Blocks, closed
from geometry.sight.landscape import FAR, Landscape
from geometry.sight.segments import Pairs, cut, first_lines, lines_through
from geometry.sight.silhouette import Rims


class Free(NamedTuple):
    """For each pair whether a line is free, and one such line as start and end in space (n, 2, 3)."""

    found: Bools
    segment: Floats


class Points(NamedTuple):
    """Points on which free lines may be stuck: `at` (n, 2) of pair `row`, ordered by pair."""

    row: Ints
    at: Floats


class Hulls(NamedTuple):
    """Two half planes (n, 2) for each pair between whose borders its bodies and all lines between them lie.

    A point x is there where `normal · x <= limit` for both.
    """

    normal: Floats
    limit: Floats

    def holds(self, row: Ints, points: Floats) -> Bools:
        """Return which points (n, 2) lie in the hull of their row."""
        over = (self.normal[row] * points[:, None]).sum(axis=2) - self.limit[row]
        return np.asarray((over[:, 0] <= TOLERANCE) & (over[:, 1] <= TOLERANCE))

    def met(self, blocks: Blocks, landscape: Landscape) -> Blocks:
        """Return the blocks that reach into the hull of their pair."""
        corner = landscape.parts.corner[blocks.part]
        least = (corner @ self.normal[blocks.pair].transpose(0, 2, 1)).min(axis=1)
        over = least >= self.limit[blocks.pair]
        return blocks.take(~(over[:, 0] | over[:, 1]))


def glimpses(pairs: Pairs, blocks: Blocks, landscape: Landscape) -> Free:
    """Return for each pair whether any line from body to body misses all of its blocks, exactly.

    All blocks close lines of any height all the way. Outlines that overlap always have a free line.
    """
    lines = first_lines(pairs.within)
    enter, leave, shut = _cuts(lines.near_q, lines.near_p, blocks, landscape)
    free = lines.stabs & ~closed(blocks, shut, len(lines.stabs))
    answer = in_space(lines.near_q, lines.near_p, free, pairs)
    rows = pairs.overlap.nonzero()[0]
    if len(rows):
        here = pairs.take(rows)
        along = lines_through(here, here.q.xy[:, None], here.e[:, None])
        answer.segment[rows] = _from_top_to_top(along.near_q[:, 0], along.near_p[:, 0], here)
        answer.found[rows] = True
    if not answer.found.all():
        both = shut[:, 1] & shut[:, 2]
        middle = (enter + leave)[:, 1:3, None] / 2
        hidden = across(pairs, blocks, lines.near_q[:, 1:3], lines.near_p[:, 1:3], middle, both)
        hidden[pairs.shaped] = False
        shaped = (~answer.found & ((pairs.q.kind >= 0) | (pairs.p.kind >= 0))).nonzero()[0]
        hulls = Hulls(np.zeros((len(hidden), 2, 2)), np.full((len(hidden), 2), FAR))
        _glance(pairs, blocks, landscape, shaped, answer, hidden, hulls)
        rows = (~answer.found & ~hidden).nonzero()[0]
        if len(rows):
            own = Hulls(hulls.normal[rows], hulls.limit[rows])
            ends = _search(pairs.take(rows), blocks.renumbered(rows), landscape, own)
            answer.found[rows[ends.row]] = True
            answer.segment[rows[ends.row]] = ends.segment
    return answer


def in_space(start: Floats, end: Floats, free: Bools, pairs: Pairs) -> Free:
    """Return the first free one of the stretches (n, l) of each pair, from top to top."""
    rows = np.arange(len(free))
    best = free.argmax(axis=1)
    ends = start[rows, best], end[rows, best]
    return Free(free[rows, best], _from_top_to_top(*ends, pairs))


def _from_top_to_top(start: Floats, end: Floats, pairs: Pairs) -> Floats:
    found = np.empty((len(start), 2, 3))
    found[:, 0, :2], found[:, 1, :2] = start, end
    found[:, 0, 2], found[:, 1, 2] = pairs.eye[:, 1], pairs.goal[:, 1]
    return found


def across(
    pairs: Pairs, blocks: Blocks, starts: Floats, finishes: Floats, middle: Floats, both: Bools
) -> Bools:
    """Return which pairs one convex part divides: it cuts both outer tangents and, between, neither body.

    The tangents (n, 2) may also be those of anything that holds the bodies.
    """
    rows = (both & blocks.whole).nonzero()[0]
    here = pairs.take(blocks.pair[rows])
    start, end = starts[blocks.pair[rows]], finishes[blocks.pair[rows]]
    ends = start + middle[rows] * (end - start)
    chord = ends[:, 1] - ends[:, 0]
    normal = left_of(chord)
    normal /= np.maximum(np.hypot(chord[:, 0], chord[:, 1]), TOLERANCE)[:, None]
    ahead = np.where(((here.p.xy - here.q.xy) * normal).sum(axis=1) < 0, -1.0, 1.0)
    normal *= ahead[:, None]
    limit = (normal * ends[:, 0]).sum(axis=1)
    before = here.q.beyond(normal[:, None])[:, 0] <= limit
    after = -here.p.beyond(-normal[:, None])[:, 0] >= limit
    answer = np.zeros(len(pairs.apart), dtype=np.bool_)
    answer[blocks.pair[rows[before & after]]] = True
    return answer


def _cuts(start: Floats, end: Floats, blocks: Blocks, landscape: Landscape) -> tuple[Floats, Floats, Bools]:
    """Return where the blocks of pairs enter and leave their stretches (n, l), and which they shut."""
    enter, leave = cut(start[blocks.pair], end[blocks.pair], landscape.parts, blocks.part)
    return enter, leave, enter < leave


_LINES = ((0, 0), (1, 1), (0, 1), (1, 0), (0, 2), (1, 2), (2, 0), (2, 1))
"""Between what further lines run: sides, 0 and 1, and middles, 2."""


def _glance(
    pairs: Pairs,
    blocks: Blocks,
    landscape: Landscape,
    rows: Ints,
    answer: Free,
    hidden: Bools,
    hulls: Hulls,
) -> None:
    """Tell the pairs whose boxes one part divides, and try a few lines between the sides of the others."""
    if not len(rows):
        return
    here, own = pairs.take(rows), blocks.renumbered(rows)
    left = left_of(here.e)
    ways = np.stack([left, -left, here.e, -here.e], axis=1)
    at_q, at_p = here.q.facing(ways), here.p.facing(ways)
    starts, ends = _outer(here, at_q, at_p, left)
    hull = _hulls(here, starts, ends)
    hulls.normal[rows], hulls.limit[rows] = hull
    own = hull.met(own, landscape)
    enter, leave, shut = _cuts(starts, ends, own, landscape)
    both = shut[:, 0] & shut[:, 1] & (hull.limit.max(axis=1) < FAR)[own.pair]
    hidden[rows] = across(here, own, starts, ends, (enter + leave)[..., None] / 2, both)
    open_still = (~hidden[rows]).nonzero()[0]
    if not len(open_still):
        return
    rows, here, own = rows[open_still], here.take(open_still), own.renumbered(open_still)
    ends_q = np.concatenate([at_q[open_still, :2], here.q.xy[:, None]], axis=1)
    ends_p = np.concatenate([at_p[open_still, :2], here.p.xy[:, None]], axis=1)
    start, end = ends_q[:, [k for k, _ in _LINES]], ends_p[:, [k for _, k in _LINES]]
    _, _, shut = _cuts(start, end, own, landscape)
    found = in_space(start, end, ~closed(own, shut, len(rows)), here)
    answer.found[rows], answer.segment[rows] = found


def _hulls(pairs: Pairs, starts: Floats, ends: Floats) -> Hulls:
    """Return what lies between two outer tangents (n, 2); where one does not run ahead, everything does."""
    way = ends - starts
    length = np.hypot(way[..., 0], way[..., 1])
    ahead = (way * pairs.e[:, None]).sum(axis=2) > TOLERANCE
    normal = left_of(way) * (np.array([1.0, -1.0]) / np.maximum(length, TOLERANCE))[..., None]
    return Hulls(normal, np.where(ahead, (normal * starts).sum(axis=2), FAR))


def _outer(pairs: Pairs, at_q: Floats, at_p: Floats, left: Floats) -> tuple[Floats, Floats]:
    """Return the outer tangents (n, 2) of the boxes round bodies that reach to these points on four sides."""
    e, ends = pairs.e, []
    along = [(at * e[:, None]).sum(axis=2) for at in (at_q, at_p)]
    aside = [(at * left[:, None]).sum(axis=2) for at in (at_q, at_p)]
    for side, sign in ((0, 1.0), (1, -1.0)):
        # Where p is the wider, the tangent goes from the back of q's box to the front of p's.
        wider = sign * (aside[1][:, side] - aside[0][:, side]) > 0
        column = np.where(wider, 3, 2), np.where(wider, 3, 2)
        for k in (0, 1):
            far = np.take_along_axis(along[k], column[k][:, None], axis=1)
            ends.append(far * e + aside[k][:, side, None] * left)
    return np.stack(ends[::2], axis=1), np.stack(ends[1::2], axis=1)


class FreeLines(NamedTuple):
    """Free lines: of pair `row`, from start to end in space (n, 2, 3)."""

    row: Ints
    segment: Floats


def _search(pairs: Pairs, blocks: Blocks, landscape: Landscape, hulls: Hulls) -> FreeLines:
    """Return the free ones among the critical lines of these pairs, one for each that has any."""
    if len(pairs.shaped):
        blocks = hulls.met(blocks, landscape)
    points = critical_points(pairs, blocks, landscape)
    inner = hulls.holds(*points)
    row, x, u = _stuck(pairs, Points(points.row[inner], points.at[inner]))
    if len(pairs.shaped):
        left = _unsettled(pairs, blocks, landscape, row, x, u)
        row, x, u = row[left], x[left], u[left]
    lines = lines_through(pairs.take(row), x, u, every=True)
    free = lines.stabs[:, 0].copy()
    some = free.nonzero()[0]
    free[some] = ~_shut(row[some], lines.near_q[some], lines.near_p[some], blocks, landscape)
    found, first = np.unique(row[free], return_index=True)
    chosen = free.nonzero()[0][first]
    ends = lines.near_q[chosen, 0], lines.near_p[chosen, 0]
    return FreeLines(found, _from_top_to_top(*ends, pairs.take(found)))


def _unsettled(pairs: Pairs, blocks: Blocks, landscape: Landscape, row: Ints, x: Floats, u: Floats) -> Bools:
    """Return which lines nothing closes between the circles round the bodies, where that would be certain."""
    lines = lines_through(pairs.around.take(row), x, u)
    apart = ((lines.near_p - lines.near_q) * (lines.far_p - lines.far_q)).sum(axis=2)[:, 0] > 0
    left = ~apart
    some = apart.nonzero()[0]
    left[some] = ~_shut(row[some], lines.near_q[some], lines.near_p[some], blocks, landscape)
    return np.asarray(left)


def _shut(row: Ints, start: Floats, end: Floats, blocks: Blocks, landscape: Landscape) -> Bools:
    """Return which stretches (n, 1), each of pair `row`, any block of the pair shuts."""
    line, block = _with_blocks(row, blocks.pair)
    enter, leave = cut(start[line], end[line], landscape.parts, blocks.part[block])
    return np.bincount(line, (enter < leave)[:, 0], minlength=len(row)) > 0


def _with_blocks(row: Ints, pair: Ints) -> tuple[Ints, Ints]:
    """Return every line (of pair `row`) with every block of its pair, as rows of either."""
    sizes = np.bincount(pair, minlength=int(row.max(initial=-1)) + 1)
    firsts = np.cumsum(sizes) - sizes
    many = sizes[row]
    line = np.repeat(np.arange(len(row)), many)
    return line, firsts[row[line]] + _places(many)


def _places(sizes: Ints) -> Ints:
    """Return 0, 1, 2… for as many as there are in each group, one group after the other."""
    return np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes)


def critical_points(pairs: Pairs, blocks: Blocks, landscape: Landscape) -> Points:
    """Return the points on which a free line may be stuck.

    They are the corners between the bodies and the points where borders cross their rims.
    """
    present = np.zeros((len(pairs.apart), len(landscape)), dtype=np.bool_)
    present[blocks.pair, landscape.parts.owner[blocks.part]] = True
    row, corner = np.nonzero(present[:, landscape.corner_owner])
    near = _in_reach(pairs, row, landscape.corners[corner])
    rows, points = [row[near]], [landscape.corners[corner[near]]]
    start, end, owner = landscape.borders
    every, border = np.nonzero(present[:, owner])
    for rims in (pairs.q, pairs.p):
        passing = _passing(rims, every, start[border], end[border])
        row, edge = every[passing], border[passing]
        at, crossing = rims.take(row).crossings(start[edge, None], end[edge, None])
        some, which = np.nonzero(crossing[:, 0])
        rows.append(row[some])
        points.append(at[some, 0, which])
    row = np.concatenate(rows)
    order = np.argsort(row, kind="stable")
    return Points(row[order], np.concatenate(points)[order])


def _passing(rims: Rims, row: Ints, start: Floats, end: Floats) -> Bools:
    """Return which borders (n, 2) pass within reach of the body of their row; a few that do not may count."""
    way = end - start
    length = np.hypot(way[:, 0], way[:, 1])
    ux, uy = (way / length[:, None]).T
    dx, dy = (rims.xy[row] - start).T
    along, reach = dx * ux + dy * uy, rims.reach[row]
    passing: Bools = (np.abs(dx * uy - dy * ux) < reach) & (along > -reach) & (along < length + reach)
    return passing


def _in_reach(pairs: Pairs, row: Ints, points: Floats) -> Bools:
    """Return which points (n, 2) lie close enough to the stretch between their bodies to touch a line."""
    off, e = points - pairs.q.xy[row], pairs.e[row]
    along = np.clip((off * e).sum(axis=1), 0.0, pairs.apart[row])
    off -= along[:, None] * e
    widest = np.maximum(pairs.q.reach, pairs.p.reach)[row] + TOLERANCE
    answer: Bools = np.hypot(off[:, 0], off[:, 1]) <= widest
    return answer


def _stuck(pairs: Pairs, points: Points) -> tuple[Ints, Floats, Floats]:
    """Return lines through two of a pair's points, or through one and tangent to a body, ordered by pair.

    They are told by their pair (n,), a point and their way (n, 1, 2); some may miss a body.
    """
    rows, at, ways = [], [], []
    own = pairs.take(points.row)
    for rims, other in ((own.q, own.p), (own.p, own.q)):
        asked = _telling(rims, other, points.at) if len(rims.shaped) else None
        way, exists = rims.tangents(points.at[:, None], asked)
        way = way[:, 0]
        near = other.comes_near(points.at[:, None], way) & exists
        some, side = np.nonzero(near)
        rows.append(points.row[some])
        at.append(points.at[some])
        ways.append(way[some, side])
    one, two = _couples(points.row)
    delta = points.at[two] - points.at[one]
    length = np.hypot(delta[:, 0], delta[:, 1])
    real = length > TOLERANCE
    rows.append(points.row[one[real]])
    at.append(points.at[one[real]])
    ways.append(delta[real] / length[real, None])
    row, x, u = np.concatenate(rows), np.concatenate(at), np.concatenate(ways)
    near = _comes_near(pairs.q, row, x, u) & _comes_near(pairs.p, row, x, u)
    order = near.nonzero()[0][np.argsort(row[near], kind="stable")]
    return row[order], x[order, None], u[order, None]


def _comes_near(rims: Rims, row: Ints, x: Floats, u: Floats) -> Bools:
    """Return which lines (n,) along `u` through `x` meet the circle round the body of their row."""
    off = rims.xy[row] - x
    aside = off[:, 0] * u[:, 1] - off[:, 1] * u[:, 0]
    return np.asarray(np.abs(aside) <= rims.reach[row] + TOLERANCE)


def _telling(rims: Rims, other: Rims, points: Floats) -> Bools:
    """Return from which points (n, 1) a tangent to the one body may meet the other.

    It lies between those to the discs within and round the body.
    """
    at, off = points[:, None], other.xy - points
    aside = []
    for discs in (rims.within, rims.around):
        ways, exist = discs.tangents(at)
        aside.append(off[:, None, 0] * ways[:, 0, :, 1] - off[:, None, 1] * ways[:, 0, :, 0])
    reach = other.reach[:, None] + TOLERANCE
    misses = (np.minimum(*aside) > reach) | (np.maximum(*aside) < -reach)
    every = misses[:, 0] & misses[:, 1]
    return np.asarray(~exist | ~every[:, None])


def _couples(row: Ints) -> tuple[Ints, Ints]:
    """Return each two points of the same pair, by their places; the points are ordered by pair."""
    sizes = np.bincount(row)
    after = np.repeat(np.cumsum(sizes), sizes) - np.arange(len(row)) - 1
    one = np.repeat(np.arange(len(row)), after)
    return one, one + 1 + _places(after)
