"""Which parts of the landscape lie between which bodies, and along how much of a line they close it.

Owns the culling of pieces far from a pair, the exemptions of bodies that stand in a footprint or see over
it, and heights. Whether a free line remains is the question of `geometry.sight.visibility` and
`geometry.sight.occlusion`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from geometry.measure.body import Bodies
from geometry.shape.array import left_of, points, runs
from geometry.shape.base import TOLERANCE, Bools, Floats, Ints
from geometry.shape.convex_shape import POINT, Stance
from geometry.sight.landscape import FAR, Landscape, Parts
from geometry.sight.segments import Lines, Pairs, cut, towards
from geometry.sight.silhouette import rims_of


class Blocks(NamedTuple):
    """Parts that come between pairs, ordered by pair: part `part[i]` may close lines of pair `pair[i]`.

    `low` and `high` bound the share of the way from q to p on which the highest line (or, asked whether p is
    fully visible, the line to what is asked for) runs between the part's `bottom` and `top`; `closes` tells
    where there is any such share, or other lines would meet the part only. `parts` tells where it lies like
    a lid between all of q and all of p.
    """

    pair: Ints
    part: Ints
    low: Floats
    high: Floats
    bottom: Floats
    top: Floats
    closes: Bools
    parts: Bools

    def take(self, rows: Ints | Bools) -> Blocks:
        """Return the blocks of these rows."""
        return Blocks._make(field[rows] for field in self)

    def renumbered(self, rows: Ints) -> Blocks:
        """Return the blocks of these pairs (ascending), the pairs numbered by their place in `rows`."""
        place = np.searchsorted(rows, self.pair)
        kept = (place < len(rows)) & (rows[np.minimum(place, len(rows) - 1)] == self.pair)
        return self._replace(pair=place).take(kept)

    @property
    def whole(self) -> Bools:
        """Return which close lines of any height all the way."""
        return np.asarray(self.closes & (self.low <= 0) & (self.high >= 1) & (self.bottom <= -FAR))

    @property
    def raised(self) -> Bools:
        """Return which leave room for lines below them."""
        return np.asarray(self.bottom > -FAR)


class Stretches(NamedTuple):
    """Stretches of lines (n pairs, l), each from `start` in q to `end` in p; `stabs` marks the real ones."""

    start: Floats
    end: Floats
    stabs: Bools


def body_pairs(observers: Bodies, targets: Bodies) -> Pairs:
    """Return every observer with every target, row by row."""
    n, m = len(observers), len(targets)
    i, j = np.arange(n).repeat(m), np.arange(n * m) % max(m, 1)
    q = rims_of(observers.xy, observers.radius, observers.core).take(i)
    p = rims_of(targets.xy, targets.radius, targets.core).take(j)
    e, apart = towards(q.xy, p.xy)
    overlap = apart < q.reach + p.reach - TOLERANCE
    surely = apart < q.within.reach + p.within.reach - TOLERANCE
    rows = (overlap & ~surely & ((q.kind >= 0) | (p.kind >= 0))).nonzero()[0]
    if len(rows):
        ahead = e[rows, None]
        # What lies apart along the way from middle to middle does not overlap.
        overlap[rows] = q.take(rows).beyond(ahead)[:, 0] > -p.take(rows).beyond(-ahead)[:, 0]
        rows = rows[overlap[rows]]
    for row in rows:
        overlap[row] = _overlap(observers, int(i[row]), targets, int(j[row]))
    eye = points(observers.z, observers.z + observers.height)[i]
    goal = points(targets.z, targets.z + targets.height)[j]
    return Pairs(q, p, e, apart, eye, goal, overlap)


def _overlap(observers: Bodies, i: int, targets: Bodies, j: int) -> bool:
    """Return whether the outlines of two bodies have more than a border in common."""
    core = targets.core[j] if targets.core else POINT
    own = observers.outlines.take([i]).against(Stance(float(targets.radius[j]), core))
    return bool(own.distances(targets.xy[[j]])[0, 0] < -TOLERANCE)


def _near(pairs: Pairs, landscape: Landscape) -> tuple[Ints, Ints]:
    """Return the pairs and parts (as rows) whose surroundings meet."""
    parts = landscape.parts
    left = left_of(pairs.e)
    along = pairs.e @ parts.centre.T - (pairs.e * pairs.q.xy).sum(axis=1)[:, None]
    aside = left @ parts.centre.T - (left * pairs.q.xy).sum(axis=1)[:, None]
    close = np.abs(aside) < np.maximum(pairs.q.reach, pairs.p.reach)[:, None] + parts.reach
    # Of two bodies over one another either may be the one that reaches farther, behind as well as ahead.
    behind = np.maximum(pairs.q.reach, pairs.p.reach - pairs.apart)
    ahead = np.maximum(pairs.q.reach, pairs.p.reach + pairs.apart)
    close &= along > -behind[:, None] - parts.reach
    close &= along < ahead[:, None] + parts.reach
    pair, part = close.nonzero()
    return pair, part


def _between(pairs: Pairs, landscape: Landscape, pair: Ints, part: Ints) -> Bools:
    """Return which parts reach into the stretch between the bodies; a few that do not may stay."""
    parts, here = landscape.parts.take(part), pairs.take(pair)
    apart = _aside(here.around, parts)
    off, e = parts.corner - here.q.xy[:, None, :], here.e
    aside = off[..., 1] * e[:, None, 0] - off[..., 0] * e[:, None, 1]
    widest = np.maximum(here.q.reach, here.p.reach) - TOLERANCE
    apart |= (aside.min(axis=1) >= widest) | (aside.max(axis=1) <= -widest)
    some = (~apart & ((here.q.kind >= 0) | (here.p.kind >= 0))).nonzero()[0]
    if len(some):
        apart[some] = _aside(here.take(some), parts.take(some))
    answer: Bools = ~apart
    return answer


def _aside(pairs: Pairs, parts: Parts) -> Bools:
    """Return of which parts (n) both bodies of their pair lie beyond one side."""
    to_q, to_p = -pairs.q.beyond(-parts.normal), -pairs.p.beyond(-parts.normal)
    return np.asarray((np.minimum(to_q, to_p) >= parts.offset - TOLERANCE).any(axis=1))


def meetings(pairs: Pairs, landscape: Landscape, rough: bool = False) -> tuple[Ints, Ints]:
    """Return the pairs and the parts between them, as rows ordered by pair.

    If that may be `rough`, bodies count as the circles round them.
    """
    pair, part = _near(pairs, landscape)
    kept = _between(pairs.around if rough else pairs, landscape, pair, part)
    return pair[kept], part[kept]


class Standing(NamedTuple):
    """In which footprints observers (n, pieces) and targets (m, pieces) stand, partly and wholly."""

    observer_in: Bools
    observer_within: Bools
    target_in: Bools
    target_within: Bools


def standing_of(observers: Bodies, targets: Bodies, landscape: Landscape) -> Standing:
    """Return in which footprints the bodies stand."""
    partly, wholly = landscape.standing(observers.outlines.joined(targets.outlines))
    count = len(observers)
    return Standing(partly[:count], wholly[:count], partly[count:], wholly[count:])


def nowhere(observers: Bodies, targets: Bodies, landscape: Landscape) -> Standing:
    """Return the same where it does not matter in which footprints they stand: in none."""
    here, there = (np.zeros((len(bodies), len(landscape)), dtype=np.bool_) for bodies in (observers, targets))
    return Standing(here, here, there, there)


def _boundless(
    observers: Bodies, targets: Bodies, standing: Standing, i: Ints, j: Ints, piece: Ints
) -> Bools:
    """Return whether a boundless piece closes the lines of observer i and target j. Rule: CORE.TER.6"""
    sees_out = standing.observer_within | (standing.observer_in & observers.sees_out[:, None])
    free = standing.target_in[j, piece] | sees_out[i, piece] | observers.sees_over[i] | targets.sees_over[j]
    return ~free


def _veil(observers: Bodies, targets: Bodies, i: Ints, j: Ints) -> Bools:
    """Return whether a veil spoils the full view of observer i on target j. Rule: CORE.TER.5"""
    free_observer = observers.sees_over | observers.sees_out
    free_target = targets.sees_over | targets.sees_out
    return ~(free_observer[i] | free_target[j])


def between(bottom: Floats, top: Floats, start: Floats, end: Floats) -> tuple[Floats, Floats, Bools]:
    """Return on which shares of its way a line from one height to another is between two, and if on any.

    A line that only touches the top or the bottom is not; through a plate it passes at a single share.
    """
    plate = bottom >= top
    floor = np.where(plate, bottom, bottom + TOLERANCE)
    roof = np.where(plate, top, np.where(top >= np.maximum(start, end) - TOLERANCE, FAR, top - TOLERANCE))
    rise = end - start
    level = np.abs(rise) <= TOLERANCE
    slope = np.where(level, 1.0, rise)
    one, two = (floor - start) / slope, (roof - start) / slope
    low, high = np.minimum(one, two), np.maximum(one, two)
    clear = np.where(plate, (low <= 0) | (high >= 1), np.minimum(high, 1.0) <= np.maximum(low, 0.0))
    clear = np.where(level, plate | (start <= floor) | (start >= roof), clear)
    low = np.where(level | clear, 0.0, low.clip(0.0, 1.0))
    high = np.where(level | clear, 1.0, high.clip(0.0, 1.0))
    return low, high, np.asarray(~clear)


def blocks_of(
    observers: Bodies,
    targets: Bodies,
    landscape: Landscape,
    pairs: Pairs,
    standing: Standing,
    met: tuple[Ints, Ints] | None = None,
) -> Blocks:
    """Return what may close the lines of each pair of `body_pairs`, veils closing none.

    Where something leaves room below it, also what only lower lines than the highest meet. What has been
    `met` already, as rough `meetings` tell, is not looked for again.
    """
    pair, part = meetings(pairs, landscape, rough=True) if met is None else met
    i, j = np.divmod(pair, max(len(targets), 1))
    parts, boundless = landscape.parts, landscape.of("boundless")

    def bars(piece: Ints) -> Bools:
        return np.asarray(boundless[piece] & _boundless(observers, targets, standing, i, j, piece))

    does = ~parts.hangs[part] | bars(parts.other[part])
    pair, part, i, j = pair[does], part[does], i[does], j[does]
    piece = parts.owner[part]
    eye, goal = pairs.eye[pair], pairs.goal[pair]
    bottom, top = parts.bottom[part], parts.top[part]
    low, high, closes = between(bottom, top, eye[:, 1], goal[:, 1])
    closes &= parts.closes[part]
    flat = bars(piece) & ~parts.closes[part]
    meets = parts.closes[part] & (top > np.minimum(eye[:, 0], goal[:, 0]) + TOLERANCE)
    meets &= bottom < np.maximum(eye[:, 1], goal[:, 1]) - TOLERANCE
    raised = np.zeros(len(pairs.apart), dtype=np.bool_)
    raised[pair[meets & (bottom > -FAR)]] = True
    inside = standing.observer_within[i, piece] & standing.target_within[j, piece] & landscape.convex[piece]
    lid = (bottom >= np.minimum(eye[:, 1], goal[:, 1])) & (top <= np.maximum(eye[:, 0], goal[:, 0]))
    blocks = Blocks(
        pair,
        part,
        np.where(flat, 0.0, low),
        np.where(flat, 1.0, high),
        np.where(flat, -FAR, bottom),
        np.where(flat, FAR, top),
        closes | flat,
        closes & lid & inside,
    )
    return blocks.take(closes | flat | (meets & raised[pair]))


def shades_of(
    observers: Bodies, targets: Bodies, landscape: Landscape, pairs: Pairs, standing: Standing
) -> Blocks:
    """Return what may hide a part of the target from the whole observer, veils too, for each pair.

    What stands on the table hides the target's foot most, so lines run from the observer's top to it. What
    leaves room below it may also hide the target's top, or what is just above a plate, and closes only what
    it closes at the observer's top and at its foot; the shares of a plate are those of both.
    """
    pair, part = meetings(pairs, landscape)
    i, j = np.divmod(pair, max(len(targets), 1))
    parts, boundless, veil = landscape.parts, landscape.of("boundless"), landscape.of("veil")

    def bars(piece: Ints) -> Bools:
        shut = boundless[piece] & _boundless(observers, targets, standing, i, j, piece)
        return np.asarray(shut | (veil[piece] & _veil(observers, targets, i, j)))

    does = ~parts.hangs[part] | bars(parts.other[part])
    pair, part, i, j = pair[does], part[does], i[does], j[does]
    piece = parts.owner[part]
    flat = bars(piece) & ~parts.closes[part]
    eye, goal, bottom, top = pairs.eye[pair], pairs.goal[pair], parts.bottom[part], parts.top[part]
    low, high, closes = between(bottom, top, eye[:, 1], goal[:, 0])
    closes &= parts.closes[part] & (bottom <= -FAR)
    none = np.zeros(len(pair), dtype=np.bool_)
    grounded = Blocks(
        pair,
        part,
        np.where(flat, 0.0, low),
        np.where(flat, 1.0, high),
        np.where(flat, -FAR, bottom),
        np.where(flat, FAR, top),
        closes | flat,
        none,
    ).take(closes | flat)
    above = (parts.closes[part] & (bottom > -FAR)).nonzero()[0]
    if not len(above):
        return grounded
    found = [grounded, *_raised_shades(pair[above], part[above], eye[above], goal[above], landscape)]
    every = Blocks._make(np.concatenate(fields) for fields in zip(*found, strict=True))
    return every.take(np.argsort(every.pair, kind="stable"))


def _raised_shades(pair: Ints, part: Ints, eye: Floats, goal: Floats, landscape: Landscape) -> list[Blocks]:
    """Return what raised parts hide of the target at its foot, at its top, and just above a plate."""
    bottom, top = landscape.parts.bottom[part], landscape.parts.top[part]
    plate = bottom >= top
    lifted = bottom + 4 * TOLERANCE
    through = plate & (goal[:, 0] <= bottom + TOLERANCE) & (bottom < goal[:, 1])
    found = []
    for height in (goal[:, 0], goal[:, 1], np.where(through, lifted, goal[:, 0])):
        one, two, over = between(bottom, top, eye[:, 1], height)
        three, four, under = between(bottom, top, eye[:, 0], height)
        low = np.where(plate, np.minimum(one, three), np.maximum(one, three))
        high = np.where(plate, np.maximum(two, four), np.minimum(two, four))
        closes = over & under & (plate | (low < high))
        none = np.zeros(len(pair), dtype=np.bool_)
        found.append(Blocks(pair, part, low, high, bottom, top, closes, none).take(closes))
    return found


def stretches(lines: Lines, blocks: Blocks) -> Stretches:
    """Return the stretches of lines (one row per pair) of which one must be free to see along the line.

    Between the near rims; and, where the way runs over something lower than one of the bodies, also from
    the far rim of the lower body.
    """
    near = Stretches(lines.near_q, lines.near_p, lines.stabs)
    low_q, low_p = (np.zeros(len(lines.stabs), dtype=np.bool_) for _ in range(2))
    low_q[blocks.pair[blocks.closes & (blocks.high < 1)]] = True
    low_p[blocks.pair[blocks.closes & (blocks.low > 0)]] = True
    if not (low_q | low_p).any():
        return near
    start = np.where(low_q[:, None, None], lines.far_q, lines.near_q)
    end = np.where(low_p[:, None, None], lines.far_p, lines.near_p)
    return Stretches(
        np.concatenate([near.start, start], axis=1),
        np.concatenate([near.end, end], axis=1),
        np.concatenate([near.stabs, near.stabs], axis=1),
    )


def cuts_of(blocks: Blocks, ways: Stretches, landscape: Landscape) -> tuple[Floats, Floats]:
    """Return where each part enters and leaves each stretch (blocks, l) below its top, as shares."""
    start, end = ways.start[blocks.pair], ways.end[blocks.pair]
    partial = ((blocks.low > 0) | (blocks.high < 1)).nonzero()[0]
    if len(partial):
        whole = (end - start)[partial]
        end[partial] = start[partial] + blocks.high[partial, None, None] * whole
        start[partial] += blocks.low[partial, None, None] * whole
    return cut(start, end, landscape.parts, blocks.part)


def closed(blocks: Blocks, shut: Bools, pairs: int) -> Bools:
    """Return for each pair (pairs, l) which lines any of its blocks (blocks, l) shuts."""
    answer = np.zeros((pairs, shut.shape[1]), dtype=np.bool_)
    if len(blocks.pair):
        first = runs(blocks.pair)
        answer[blocks.pair[first]] = np.logical_or.reduceat(shut, first, axis=0)
    return answer
