"""Whether some line between two bodies is free of everything that comes between them, and which.

Owns the exact search: a few lines, one convex part across both outer tangents, then the critical lines
(through two corners, or through a corner and tangent to a body; over low parts also those that just reach
their tops), each asked from top to top and, where that matters, in its whole upright plane. What comes
between is given to it.
"""

from __future__ import annotations

import numpy as np

from geometry.shape.base import TOLERANCE, Bools, Floats, Ints, distinct
from geometry.sight.critical_height import brink_lines
from geometry.sight.culling import Blocks, Stretches, closed, cuts_of, stretches
from geometry.sight.free_line_flat import Free, across, critical_points, glimpses, in_space
from geometry.sight.landscape import Landscape
from geometry.sight.segments import Lines, Pairs, cut, first_lines, lines_through
from geometry.sight.vertical_section import Profile, clear_line

CHUNK = 256
FEW = 32
MOST_SIDES = 12


def free_lines(pairs: Pairs, blocks: Blocks, landscape: Landscape) -> Free:
    """Return for each pair whether any line from body to body misses all of its blocks, exactly.

    Outlines that overlap always have one, unless something lies between them like a lid.
    """
    # Pieces of many corners, as models are, have more lines than are worth laying out flat.
    plain = landscape.parts.offset.shape[1] <= MOST_SIDES
    level = np.full(len(pairs.apart), plain, dtype=np.bool_)
    level[blocks.pair[~blocks.whole | blocks.parts]] = False
    if level.all():
        return glimpses(pairs, blocks, landscape)
    answer = Free(np.zeros(len(level), dtype=np.bool_), np.zeros((len(level), 2, 3)))
    for rows, judge in ((level.nonzero()[0], glimpses), ((~level).nonzero()[0], _among_heights)):
        if len(rows):
            found = judge(pairs.take(rows), blocks.renumbered(rows), landscape)
            answer.found[rows], answer.segment[rows] = found
    return answer


def _among_heights(pairs: Pairs, blocks: Blocks, landscape: Landscape) -> Free:
    """Return the same, whatever their heights."""
    if not len(pairs.shaped):
        return _exactly(pairs, blocks, landscape)
    answer, hidden = _roughly(pairs, blocks, landscape)
    left = (~answer.found & ~hidden).nonzero()[0]
    if not len(left):
        return answer
    rest = _exactly(pairs.take(left), blocks.renumbered(left), landscape)
    answer.found[left] = rest.found
    answer.segment[left] = rest.segment
    return answer


def _exactly(pairs: Pairs, blocks: Blocks, landscape: Landscape) -> Free:
    count = len(pairs.apart)
    lid = closed(blocks, blocks.parts[:, None], count)[:, 0]
    highest = blocks.take(blocks.closes)
    ways = stretches(first_lines(pairs), highest)
    enter, leave = cuts_of(highest, ways, landscape)
    shut = enter < leave
    free = ways.stabs & ~closed(highest, shut, count)
    free[pairs.overlap, 0] = True
    answer = in_space(ways.start, ways.end, free & ~lid[:, None], pairs)
    open_still = ~answer.found & ~lid & ~pairs.overlap
    if open_still.any():
        middle = (enter + leave)[:, 1:3, None] / 2
        hidden = across(pairs, highest, *_tangents(ways), middle, shut[:, 1] & shut[:, 2])
        rows = (open_still & ~hidden).nonzero()[0]
        _search(pairs, blocks, landscape, rows, answer)
    return answer


def _roughly(pairs: Pairs, blocks: Blocks, landscape: Landscape) -> tuple[Free, Bools]:
    """Return which pairs see each other even as discs within them, and which not even as discs round them."""
    highest = blocks.take(blocks.closes)
    within = pairs.within
    ways = stretches(first_lines(within), highest)
    enter, leave = cuts_of(highest, ways, landscape)
    free = ways.stabs & ~closed(highest, enter < leave, len(pairs.apart))
    answer = in_space(ways.start, ways.end, free & ~pairs.overlap[:, None], pairs)
    answer.found[blocks.pair[blocks.parts]] = False
    hidden = np.zeros(len(pairs.apart), dtype=np.bool_)
    rows = (~answer.found & (pairs.apart > pairs.q.reach + pairs.p.reach)).nonzero()[0]
    if not len(rows):
        return answer, hidden
    around, own = pairs.take(rows).around, highest.renumbered(rows)
    ways = stretches(first_lines(around), own)
    enter, leave = cuts_of(own, ways, landscape)
    both = (enter < leave)[:, 1] & (enter < leave)[:, 2]
    hidden[rows] = across(around, own, *_tangents(ways), (enter + leave)[:, 1:3, None] / 2, both)
    return answer, hidden


def _search(pairs: Pairs, blocks: Blocks, landscape: Landscape, rows: Ints, answer: Free) -> None:
    """Try the critical lines of these pairs and write the free ones into the answer."""
    if not len(rows):
        return
    points, exist = _critical_points(pairs.take(rows), blocks.renumbered(rows), landscape)
    order = np.argsort(exist.sum(axis=1), kind="stable")
    for first in range(0, len(rows), CHUNK):
        some = np.sort(order[first : first + CHUNK])
        width = max(int(exist[some].sum(axis=1).max()), 1)
        chosen = rows[some]
        here = pairs.take(chosen)
        own = blocks.renumbered(chosen)
        at, there = points[some, :width], exist[some, :width]
        lines = _critical_lines(here, at, there)
        low = own.raised | (own.closes & ~own.whole)
        if low.any():
            lines = lines.beside(first_lines(here))
        found, hidden = _tried(here, lines, own, landscape)
        answer.found[chosen] = found.found
        answer.segment[chosen] = found.segment
        left = distinct(own.pair[low])
        left = left[~found.found[left] & ~hidden[left]]
        for begin in range(0, len(left), FEW):
            few = left[begin : begin + FEW]
            kept = lines.take(few[:, None], np.arange(lines.stabs.shape[1])[None, :])
            over = _over(here.take(few), own.renumbered(few), landscape, at[few], there[few], kept)
            answer.found[chosen[few]] = over.found
            answer.segment[chosen[few]] = over.segment


def _over(
    pairs: Pairs, blocks: Blocks, landscape: Landscape, points: Floats, exist: Bools, lines: Lines
) -> Free:
    """Return which pairs have a free line over what is low or under what is raised."""
    every = lines.beside(_lines_past(pairs, blocks, landscape, points, exist))
    answer, _ = _tried(pairs, every, blocks, landscape)
    intricate = _intricate(pairs, blocks, landscape)
    left = (~answer.found & (intricate | ~_alone(pairs, every, blocks, landscape))).nonzero()[0]
    if not len(left):
        return answer
    here, own = pairs.take(left), blocks.renumbered(left)
    more = brink_lines(here, own, landscape, points[left], exist[left])
    found, _ = _tried(here, more, own, landscape)
    answer.found[left] = found.found
    answer.segment[left] = found.segment
    kept = every.take(left[:, None], np.arange(every.stabs.shape[1])[None, :])
    every = kept.beside(more)
    for k in (intricate[left] & ~found.found).nonzero()[0]:
        columns = every.stabs[k].nonzero()[0]
        lines = every.take(np.array([k]), columns)
        line = _in_space(here, int(k), lines, own.take(own.pair == k), landscape)
        if line is not None:
            answer.found[left[k]] = True
            answer.segment[left[k]] = line
    return answer


def _alone(pairs: Pairs, lines: Lines, blocks: Blocks, landscape: Landscape) -> Bools:
    """Return for which pairs one part alone closes all of these lines."""
    ways = stretches(lines, blocks)
    enter, leave = cuts_of(blocks, ways, landscape)
    shut = (enter < leave) | ~ways.stabs[blocks.pair]
    every = shut.all(axis=1) & blocks.closes
    return closed(blocks, every[:, None], len(pairs.apart))[:, 0]


def _intricate(pairs: Pairs, blocks: Blocks, landscape: Landscape) -> Bools:
    """Return for which pairs a line may have to begin elsewhere than at a top's near or far rim."""
    here, parts = pairs.take(blocks.pair), landscape.parts.take(blocks.part)
    over_q = (-here.q.beyond(-parts.normal) < parts.offset - TOLERANCE).all(axis=1)
    over_p = (-here.p.beyond(-parts.normal) < parts.offset - TOLERANCE).all(axis=1)
    answer = np.zeros(len(pairs.apart), dtype=np.bool_)
    answer[blocks.pair[blocks.raised | over_q | over_p]] = True
    return answer


def _in_space(pairs: Pairs, row: int, lines: Lines, blocks: Blocks, landscape: Landscape) -> Floats | None:
    """Return a free line of sight (2, 3) of a pair over any of these lines on the ground."""
    long = np.hypot(*(lines.far_p - lines.far_q).T) > TOLERANCE
    if not long.any():
        return None
    start, *near, end = (field[long] for field in (lines.far_q, lines.near_q, lines.near_p, lines.far_p))
    length = np.hypot(*(end - start).T)
    first, last = (np.hypot(*(each - start).T) for each in near)
    begin, finish = (np.broadcast_to(each, (len(blocks.part), *each.shape)) for each in (start, end))
    shares = cut(begin, finish, landscape.parts, blocks.part)
    enter, leave = (share.T * length[:, None] for share in shares)
    q, p = np.stack([np.zeros_like(first), first], axis=1), np.stack([last, length], axis=1)
    plates = blocks.top[blocks.bottom >= blocks.top]
    heights = _off_plates(pairs.eye[row], plates), _off_plates(pairs.goal[row], plates)
    found = clear_line(Profile(q, p, *heights, enter, leave, blocks.bottom, blocks.top))
    if found is None:
        return None
    k, ends = found
    at = start[k] + ends[:, :1] / length[k] * (end[k] - start[k])
    return np.column_stack([at, ends[:, 1]])


def _tried(pairs: Pairs, lines: Lines, blocks: Blocks, landscape: Landscape) -> tuple[Free, Bools]:
    """Return which pairs have a free one among these lines, and where what has no top closes all of them."""
    order = np.argsort(~lines.stabs, axis=1, kind="stable")[:, : max(int(lines.stabs.sum(axis=1).max()), 1)]
    rows = np.arange(len(order))[:, None]
    blocks = blocks.take(blocks.closes)
    ways = stretches(lines.take(rows, order), blocks)
    enter, leave = cuts_of(blocks, ways, landscape)
    shut = enter < leave
    hidden = (closed(blocks, shut & blocks.whole[:, None], len(order)) | ~ways.stabs).all(axis=1)
    free = ways.stabs & ~closed(blocks, shut, len(order))
    return in_space(ways.start, ways.end, free, pairs), np.asarray(hidden)


def _critical_points(pairs: Pairs, blocks: Blocks, landscape: Landscape) -> tuple[Floats, Bools]:
    """Return the points (n, w, 2) on which a free line may be stuck, those that exist first."""
    return _side_by_side(*critical_points(pairs, blocks, landscape), len(pairs.apart))


def _tangents(ways: Stretches) -> tuple[Floats, Floats]:
    """Return the ends of the outer tangents among the first lines."""
    return ways.start[:, 1:3], ways.end[:, 1:3]


def _side_by_side(row: Ints, points: Floats, count: int) -> tuple[Floats, Bools]:
    """Return the points of each row (count, w, 2), and which there are."""
    order = np.argsort(row, kind="stable")
    row, points = row[order], points[order]
    counts = np.bincount(row, minlength=count)
    width = max(int(counts.max(initial=0)), 1)
    place = np.arange(len(row)) - (np.cumsum(counts) - counts)[row]
    every = np.zeros((count, width, 2))
    every[row, place] = points
    return every, np.arange(width) < counts[:, None]


def _critical_lines(pairs: Pairs, points: Floats, exist: Bools) -> Lines:
    """Return the lines through two of the points, and through one and tangent to a body."""
    n, width = exist.shape
    at, ways, real = [], [], []
    for rims in (pairs.q, pairs.p):
        way, exists = rims.tangents(points, exist)
        at.append(np.repeat(points, 2, axis=1))
        ways.append(way.reshape(n, 2 * width, 2))
        real.append(np.repeat(exists & exist, 2, axis=1))
    one, two = np.triu_indices(width, 1)
    delta = points[:, two] - points[:, one]
    length = np.hypot(delta[..., 0], delta[..., 1])
    at.append(points[:, one])
    ways.append(delta / np.where(length > TOLERANCE, length, 1.0)[..., None])
    real.append(exist[:, one] & exist[:, two] & (length > TOLERANCE))
    wanted = np.concatenate(real, axis=1)
    lines = lines_through(pairs, np.concatenate(at, axis=1), np.concatenate(ways, axis=1), wanted=wanted)
    return lines._replace(stabs=lines.stabs & wanted)


def _lines_past(pairs: Pairs, blocks: Blocks, landscape: Landscape, points: Floats, exist: Bools) -> Lines:
    """Return, for each side of each part with a top or bottom, the line between what lies furthest beyond.

    One of them is free if any line over the top of that part alone, or under its bottom, is. Where other
    parts stand in a body, it begins or ends at their corners in it, or where their borders cross its rim.
    """
    partial = blocks.take(blocks.raised | (blocks.closes & ((blocks.low > 0) | (blocks.high < 1))))
    count = np.bincount(partial.pair, minlength=len(pairs.apart))
    sides = landscape.parts.offset.shape[1]
    normal = np.zeros((len(count), int(count.max(initial=0)), sides, 2))
    place = np.arange(len(partial.pair)) - (np.cumsum(count) - count)[partial.pair]
    normal[partial.pair, place] = landscape.parts.normal[partial.part]
    ways_up: Floats = normal.reshape(len(count), -1, 2)
    at_q, at_p = pairs.q.facing(ways_up), pairs.p.facing(ways_up)
    lines = _joining(pairs, at_q, at_p, (ways_up != 0).any(axis=2))
    in_q, in_p = (exist & rims.holds(points, TOLERANCE) for rims in (pairs.q, pairs.p))
    for within, ends in ((in_q, at_p), (in_p, at_q)):
        row, which = np.nonzero(within)
        if len(row):
            own, real = _side_by_side(row, points[row, which], len(count))
            shape = (len(count), own.shape[1], ends.shape[1], 2)
            one = np.broadcast_to(own[:, :, None], shape).reshape(len(count), -1, 2)
            two = np.broadcast_to(ends[:, None], shape).reshape(len(count), -1, 2)
            asked = real[:, :, None] & (ways_up != 0).any(axis=2)[:, None]
            lines = lines.beside(_joining(pairs, one, two, asked.reshape(len(count), -1)))
    return lines


def _joining(pairs: Pairs, one: Floats, two: Floats, wanted: Bools) -> Lines:
    """Return the lines through each two points (n, l, 2), where they are wanted."""
    way = two - one
    length = np.hypot(way[..., 0], way[..., 1])
    u = way / np.where(length > TOLERANCE, length, 1.0)[..., None]
    lines = lines_through(pairs, one, u, wanted=wanted)
    return lines._replace(stabs=lines.stabs & wanted & (length > TOLERANCE))


def _off_plates(levels: Floats, plates: Floats) -> Floats:
    """Return a foot and a top, a hair off the plates that they touch: through these nothing is seen."""
    touch = (np.abs(levels[:, None] - plates) <= TOLERANCE).any(axis=1)
    return levels + np.array([2.0, -2.0]) * TOLERANCE * touch
