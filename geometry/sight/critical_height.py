"""Lines between bodies of different heights that come down to a piece's top just where its border is.

Owns the search for them: a free line over low pieces can be slid until it is stuck on two things, and a top
that it touches over the piece's border is one of these. It judges no line.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from geometry.shape.array import left_of, ways_at
from geometry.shape.base import TOLERANCE, Bools, Floats, Ints
from geometry.sight.culling import Blocks
from geometry.sight.landscape import Landscape
from geometry.sight.segments import Lines, Pairs, lines_through

TURNS = 11
"""At so many directions a function is asked between which of them it changes its sign."""
STEPS = 14
CLOSE = 1e-8
GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0
HALVINGS = 20
SMALL = 1e-7
Over = Callable[[Ints, Ints, Floats], Floats]
"""By how much lines of these brinks and holds lie beyond the brink at these angles."""


class Brinks(NamedTuple):
    """Borders over which lines come to a certain height, n: of pair `pair`, on the line `normal · x = limit`.

    They do so at `share` of the way, from q's far end where `far_q`, to p's where `far_p`: over a top from
    the far end of the lower body, under a bottom from that of the higher one.
    """

    pair: Ints
    part: Ints
    normal: Floats
    limit: Floats
    share: Floats
    far_q: Bools
    far_p: Bools

    def take(self, rows: Ints | Bools) -> Brinks:
        """Return the brinks of these rows."""
        return Brinks._make(field[rows] for field in self)


def brink_lines(pairs: Pairs, blocks: Blocks, landscape: Landscape, points: Floats, exist: Bools) -> Lines:
    """Return, for each pair, lines stuck on a brink and a point, a body's rim or another brink."""
    brinks = _brinks(pairs, blocks, landscape)
    row, angle, offset = _on_one(pairs, brinks, points, exist)
    more_row, more_angle, more_offset = _on_two(pairs, brinks)
    row = np.concatenate([row, more_row])
    angle, offset = np.concatenate([angle, more_angle]), np.concatenate([offset, more_offset])
    order = np.argsort(row, kind="stable")
    row, angle, offset = row[order], angle[order], offset[order]
    counts = np.bincount(row, minlength=len(pairs.apart))
    place = np.arange(len(row)) - (np.cumsum(counts) - counts)[row]
    shape = (len(counts), max(int(counts.max(initial=0)), 1))
    x, u, real = np.zeros((*shape, 2)), np.zeros((*shape, 2)), np.zeros(shape, dtype=np.bool_)
    u[..., 0] = 1.0
    way = ways_at(angle)
    u[row, place] = way
    x[row, place] = offset[:, None] * left_of(way)
    real[row, place] = True
    lines = lines_through(pairs, x, u)
    return lines._replace(stabs=lines.stabs & real)


def _brinks(pairs: Pairs, blocks: Blocks, landscape: Landscape) -> Brinks:
    """Return the borders of parts to whose heights lines between the bodies' ends come on the way."""
    found = []
    eye, goal = pairs.eye[blocks.pair], pairs.goal[blocks.pair]
    highest = ~blocks.raised
    for start, end, asked in (
        (eye[:, 1], goal[:, 1], np.ones(len(highest), dtype=np.bool_)),
        (eye[:, 0], goal[:, 0], ~highest),
        (eye[:, 0], goal[:, 1], ~highest),
        (eye[:, 1], goal[:, 0], ~highest),
    ):
        rise = end - start
        for level, over in ((blocks.top, True), (blocks.bottom, False)):
            share = (level - start) / np.where(np.abs(rise) > TOLERANCE, rise, 1.0)
            real = asked & (np.abs(rise) > TOLERANCE) & (share > 0) & (share < 1)
            rows = real.nonzero()[0]
            found.append(_sides(blocks, landscape, rows, share[rows], (rise[rows] > 0) == over))
    return Brinks._make(np.concatenate(fields) for fields in zip(*found, strict=True))


def _sides(blocks: Blocks, landscape: Landscape, rows: Ints, share: Floats, far_q: Bools) -> Brinks:
    parts = landscape.parts
    part = blocks.part[rows]
    which, side = np.nonzero((parts.normal[part] != 0).any(axis=2))
    own = part[which]
    where = (blocks.pair[rows][which], own, parts.normal[own, side], parts.offset[own, side])
    return Brinks(*where, share[which], far_q[which], ~far_q[which])


def _over(pairs: Pairs, brinks: Brinks, angle: Floats, offset: Floats) -> Floats:
    """Return by how much lines, one per brink (of its pair's row in `pairs`), lie beyond it."""
    way = ways_at(angle)[:, None]
    lines = lines_through(pairs, offset[:, None, None] * left_of(way), way, every=True)
    return _beyond(lines, brinks)[:, 0]


def _beyond(lines: Lines, brinks: Brinks) -> Floats:
    """Return by how much lines (brinks, l) lie beyond their brink where they come to its height."""
    start = np.where(brinks.far_q[:, None, None], lines.far_q, lines.near_q)
    end = np.where(brinks.far_p[:, None, None], lines.far_p, lines.near_p)
    at = start + brinks.share[:, None, None] * (end - start)
    return np.asarray((at * brinks.normal[:, None, :]).sum(axis=2) - brinks.limit[:, None])


def _on_one(pairs: Pairs, brinks: Brinks, points: Floats, exist: Bools) -> tuple[Ints, Floats, Floats]:
    """Return lines (pair, angle, offset) stuck on a brink and on a point or a rim."""
    holds = _Holds(pairs, points, exist)
    n, kinds = holds.exist.shape
    angle = holds.angles()
    offset = holds.offsets(np.arange(n)[:, None, None], np.arange(kinds)[:, None], angle)
    way = ways_at(angle).reshape(n, -1, 2)
    lines = lines_through(pairs, offset.reshape(n, -1, 1) * left_of(way), way, every=True)
    values = _beyond(lines.take(brinks.pair[:, None], np.arange(kinds * TURNS)[None, :]), brinks)
    here = pairs.take(brinks.pair)

    def over(brink: Ints, kind: Ints, asked: Floats) -> Floats:
        offset = holds.offsets(brinks.pair[brink], kind, asked)
        return _over(here.take(brink), brinks.take(brink), asked, offset)

    values = values.reshape(-1, kinds, TURNS)
    spans = _spans(values, holds.exist[brinks.pair], angle[brinks.pair], over)
    brink, kind = spans[0], spans[1]
    root = _root(lambda asked: over(brink, kind, asked), *spans[2:])
    row = brinks.pair[brink]
    return row, root, holds.offsets(row, kind, root)


def _spans(
    values: Floats, exist: Bools, angle: Floats, over: Over
) -> tuple[Ints, Ints, Floats, Floats, Floats, Floats]:
    """Return spans of directions in which functions change sign: brink, hold, ends, and values there.

    Each function (n brinks, holds) is known by its values (n, holds, TURNS) at these angles. Where it
    comes near to 0 between two of them without a change of sign, its extreme is looked for.
    """
    signs = values > 0
    brink, kind, turn = np.nonzero((signs[..., 1:] != signs[..., :-1]) & exist[..., None])
    plain = [brink, kind, angle[brink, kind, turn], angle[brink, kind, turn + 1]]
    plain += [values[brink, kind, turn], values[brink, kind, turn + 1]]
    far = np.abs(values)
    inner, rise, fall = far[..., 1:-1], far[..., 2:] - far[..., 1:-1], far[..., :-2] - far[..., 1:-1]
    dips = (signs[..., 1:-1] == signs[..., 2:]) & (signs[..., 1:-1] == signs[..., :-2]) & exist[..., None]
    dips &= (rise >= 0) & (fall >= 0) & (inner <= rise + fall)
    brink, kind, turn = np.nonzero(dips)
    sign = np.where(signs[brink, kind, turn], 1.0, -1.0)
    low, high = angle[brink, kind, turn], angle[brink, kind, turn + 2]
    lowest, least = _lowest(lambda asked: sign * over(brink, kind, asked), low, high)
    real = least < 0
    brink, kind, turn, middle = brink[real], kind[real], turn[real], lowest[real]
    value = (sign * least)[real]
    one = [brink, kind, low[real], middle, values[brink, kind, turn], value]
    two = [brink, kind, middle, high[real], value, values[brink, kind, turn + 2]]
    every = [np.concatenate(columns) for columns in zip(plain, one, two, strict=True)]
    return every[0], every[1], every[2], every[3], every[4], every[5]


def _lowest(function: Callable[[Floats], Floats], low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Return where functions that fall and then rise between low and high are lowest, and how low."""
    one, two = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    if not len(low):
        return one, one
    at_one, at_two = function(one), function(two)
    for _ in range(HALVINGS):
        left = at_one < at_two
        low, high = np.where(left, low, one), np.where(left, two, high)
        asked = np.where(left, high - GOLDEN * (high - low), low + GOLDEN * (high - low))
        value = function(asked)
        one, two = np.where(left, asked, two), np.where(left, one, asked)
        at_one, at_two = np.where(left, value, at_two), np.where(left, at_one, value)
    left = at_one < at_two
    return np.where(left, one, two), np.where(left, at_one, at_two)


def _root(
    function: Callable[[Floats], Floats], low: Floats, high: Floats, at_low: Floats, at_high: Floats
) -> Floats:
    """Return where a function that changes its sign between low and high does so."""
    for _ in range(STEPS if len(low) else 0):
        span = np.where(at_high == at_low, 1.0, at_high - at_low)
        middle = np.clip(low - at_low * (high - low) / span, np.minimum(low, high), np.maximum(low, high))
        value = function(middle)
        if np.abs(value).max() < CLOSE:
            return middle
        same = (value > 0) == (at_high > 0)
        # The end that stays counts half as much the next time, so that it does not stay for ever.
        low, at_low = np.where(same, low, high), np.where(same, at_low / 2, at_high)
        high, at_high = middle, value
    return high


class _Holds:
    """What a line may be stuck on besides a brink: points, and both sides of either body."""

    def __init__(self, pairs: Pairs, points: Floats, exist: Bools) -> None:
        self.pairs, self.points = pairs, points
        self.exist = np.concatenate([exist, np.ones((len(exist), 4), dtype=np.bool_)], axis=1)

    def angles(self) -> Floats:
        """Return directions (pairs, holds, TURNS) between which all lines lie that are held and meet both."""
        pairs = self.pairs
        middle = np.arctan2(pairs.e[:, 1], pairs.e[:, 0])[:, None]
        reach = pairs.q.reach + pairs.p.reach
        wide = np.arcsin(np.clip(reach / np.maximum(pairs.apart, TOLERANCE), 0.0, 0.999))[:, None]
        low, high = (
            np.repeat(-wide, self.exist.shape[1], axis=1),
            np.repeat(wide, self.exist.shape[1], axis=1),
        )
        width = self.points.shape[1]
        for rims, sign in ((pairs.q, -1.0), (pairs.p, 1.0)):
            off = sign * (rims.xy[:, None] - self.points)
            apart = np.hypot(off[..., 0], off[..., 1])
            aside = np.arctan2(off[..., 1], off[..., 0]) - middle
            aside = (aside + math.pi) % math.tau - math.pi
            beside = (apart > 1.001 * rims.reach[:, None]) & (np.abs(aside) < math.pi / 2)
            spread = np.arcsin(np.clip(rims.reach[:, None] / np.maximum(apart, TOLERANCE), 0.0, 1.0))
            low[:, :width] = np.where(beside, np.maximum(low[:, :width], aside - spread), low[:, :width])
            high[:, :width] = np.where(beside, np.minimum(high[:, :width], aside + spread), high[:, :width])
        high = np.maximum(low, high)
        return np.asarray((middle + low)[..., None] + (high - low)[..., None] * np.linspace(0.0, 1.0, TURNS))

    def offsets(self, row: Ints, kind: Ints, angle: Floats) -> Floats:
        """Return how far to the left of the corner of the table lines of these directions lie then."""
        normal = left_of(ways_at(angle))
        width = self.points.shape[1]
        row, kind = np.broadcast_to(row, angle.shape), np.broadcast_to(kind, angle.shape)
        found = (self.points[row, np.minimum(kind, width - 1)] * normal).sum(axis=-1)
        for k, (rims, side) in enumerate(
            ((self.pairs.q, 1.0), (self.pairs.q, -1.0), (self.pairs.p, 1.0), (self.pairs.p, -1.0))
        ):
            some = kind == width + k
            if some.any():
                far = rims.take(row[some]).beyond(side * normal[some][:, None])[:, 0]
                # A hair inside, so that the line still meets the body.
                found[some] = side * (far - TOLERANCE / 4)
        return np.asarray(found)


def _on_two(pairs: Pairs, brinks: Brinks) -> tuple[Ints, Floats, Floats]:
    """Return lines (pair, angle, offset) stuck on brinks of two parts, sought from the middles on."""
    one, two = _couples(brinks)
    a, b = brinks.take(one), brinks.take(two)
    here = pairs.take(a.pair)
    angle = np.arctan2(here.e[:, 1], here.e[:, 0])
    offset = (here.q.xy * left_of(here.e)).sum(axis=1)
    wide = here.q.reach + here.p.reach
    for _ in range(STEPS // 2 if len(one) else 0):
        now, turned, moved = (
            np.stack([_over(here, own, angle + da, offset + dc) for own in (a, b)])
            for da, dc in ((0.0, 0.0), (SMALL, 0.0), (0.0, SMALL))
        )
        if np.abs(now).max() < CLOSE:
            break
        by_angle, by_offset = (turned - now) / SMALL, (moved - now) / SMALL
        scale = by_angle[0] * by_offset[1] - by_angle[1] * by_offset[0]
        scale = np.where(np.abs(scale) > 1e-9, scale, 1e-9)
        step = (now[0] * by_offset[1] - now[1] * by_offset[0]) / scale
        shift = (by_angle[0] * now[1] - by_angle[1] * now[0]) / scale
        angle = angle - np.clip(step, -0.2, 0.2)
        offset = offset - np.clip(shift, -wide, wide)
    return a.pair, angle, offset


def _couples(brinks: Brinks) -> tuple[Ints, Ints]:
    """Return each two brinks of a pair that are of different parts."""
    same = (brinks.pair[:, None] == brinks.pair) & (brinks.part[:, None] < brinks.part)
    one, two = np.nonzero(same)
    return one, two
