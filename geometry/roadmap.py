"""What shortest ways run along: the rims of obstacles, and the straight lines tangent to two of them.

A taut string touches a convex shape only where it leaves or joins its rim tangentially; so shortest ways are
made of tangents and stretches of rims. Owns which tangents are clear and which stretches open, worked out
when first reached and kept, so that many ways among the same obstacles share them. `geometry.search` walks
them.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import NamedTuple

import msgspec
import numpy as np

from geometry.base import Bools, Floats, distinct
from geometry.clearance import CLEAR, SLACK, Obstacles
from geometry.loop import Ints, Loops
from geometry.outline import Outlines
from geometry.spot import ON, SAME, between
from geometry.support import Supports

Point = tuple[float, float]
HAIR = 1e-7
"""A rounding error of a place on a rim, in inches."""
SLIVER = 1e-4
"""A stretch that is shut and no longer than this may be a rounding error of an arrival."""


class Tangents(NamedTuple):
    """Straight ways: the place where each leaves a rim, to which rim, place and point it leads, how far.

    `verdict` is 1 where one is known to be clear, -1 where something is in it, and 0 until that is asked.
    """

    leaves: Floats
    rim: Ints
    turn: Ints
    arrives: Floats
    length: Floats
    start: Floats
    end: Floats
    x: Floats
    y: Floats
    verdict: Ints


class Fan(NamedTuple):
    """The tangents from a point, clear or not: to which arcs, in which sense, to which point, and how far."""

    arc: Ints
    turn: Ints
    x: Floats
    y: Floats
    length: Floats


class Rim(msgspec.Struct, frozen=True):
    """One way round a shape: the tangents that leave it, and the stretches that are shut."""

    tangents: Tangents
    shut: tuple[tuple[float, float], ...]
    """Where each such stretch begins, and how long it is."""
    perimeter: float

    def open_ahead(self, place: float, turn: int) -> float:
        """Return how far on the rim is open from a place."""
        found = self.perimeter
        for low, length in self.shut:
            if HAIR < (place - low) % self.perimeter < length - HAIR:
                return 0.0
            ahead = ((low - place) if turn > 0 else (place - low - length)) % self.perimeter
            found = min(found, 0.0 if ahead > self.perimeter - HAIR else ahead)
        return found

    def shut_ahead(self, place: float, turn: int) -> float:
        """Return how far on the stretch that is shut at a place ends."""
        found = self.perimeter
        for low, length in self.shut:
            inside = (place - low) % self.perimeter
            if inside < length:
                found = min(found, length - inside if turn > 0 else inside)
        return found


class _Twice(NamedTuple):
    """What a fan asks of all arcs, one copy after the other: two fans cost little more than one."""

    x: Floats
    y: Floats
    begin_x: Floats
    begin_y: Floats
    offset: Floats
    reach: Floats
    least: Floats
    most: Floats
    after: Ints
    row: Ints
    """Of the ends of what shows of all arcs, and of its beginnings, from either point: the row here."""
    arc: Ints
    turn: Ints

    @staticmethod
    def of(loops: Loops) -> _Twice:
        count = len(loops.after)
        row = np.arange(2 * count).reshape(2, 1, count).repeat(2, axis=1).ravel()
        return _Twice(
            x=_twice(loops.x),
            y=_twice(loops.y),
            begin_x=_twice(loops.begin_x),
            begin_y=_twice(loops.begin_y),
            offset=_twice(loops.offset),
            reach=_twice(loops.reach),
            least=_twice(loops.least),
            most=_twice(loops.most),
            after=np.concatenate([loops.after, loops.after + count]),
            row=row,
            arc=row % max(count, 1),
            turn=np.tile(np.repeat([1, -1], count), 2),
        )


def _twice(column: Floats) -> Floats:
    return np.concatenate([column, column])


class Roadmap:
    """The ways of bases of one stance among obstacles, none of which holds an end of them."""

    def __init__(self, obstacles: Obstacles) -> None:
        """Take the obstacles."""
        self.free = obstacles
        shapes = obstacles.shapes
        is_point = np.array([core.is_point for core in shapes.core] or [True] * len(shapes), dtype=np.bool_)
        self.shapes = shapes.take(np.flatnonzero(~is_point | (shapes.radius > SAME)))
        self.loops = Loops(self.shapes)
        self._twice = _Twice.of(self.loops)
        reach = self.loops.reach[:, None]
        low, high = self.loops.centre - reach, self.loops.centre + reach
        self._keeps_inside = bool((low >= obstacles.low).all() and (high <= obstacles.high).all())
        self._rims: dict[tuple[int, int], Rim] = {}
        self._shut: dict[int, tuple[tuple[float, float], ...]] = {}

    def are_clear(self, lines: Floats, inside: bool) -> Bools:
        """Return which lines (n, 2, 2) from points to rims run into nothing.

        `inside` tells whether the points are on the board.
        """
        if inside and self._keeps_inside:
            return self.free.clear_inside(lines)
        return self.free.clear(lines[:, 0], lines[:, 1])

    def rim(self, rim: int, turn: int) -> Rim:
        """Return a rim in one sense: 1 counter-clockwise, -1 clockwise."""
        key = (rim, turn)
        if key not in self._rims:
            if rim not in self._shut:
                self._shut[rim] = self._shut_stretches(rim)
            perimeter = float(self.loops.perimeter[rim])
            self._rims[key] = Rim(self._tangents(rim, turn), self._shut[rim], perimeter)
        return self._rims[key]

    def open_ahead(self, found: Rim, rim: int, place: float, turn: int) -> float:
        """Return how far on a rim is open from a place.

        Where a tangent arrives from close by, rounding shifts it a little: a sliver that is shut, but by
        no more than rounding, is passed.
        """
        ahead = found.open_ahead(place, turn)
        if ahead > 0:
            return ahead
        sliver = found.shut_ahead(place, turn)
        here = np.array([place % found.perimeter])
        if sliver > SLIVER or not self._lie_open(self.loops.points(rim, here), self._about(rim))[0]:
            return ahead
        return sliver + found.open_ahead(place + turn * sliver, turn)

    def fans(self, start: Point, goal: Point) -> tuple[Fan, Fan]:
        """Return the tangents from each of two points to all rims."""
        loops, count = self._twice, len(self.loops.owner)
        at_x, at_y = np.empty(2 * count), np.empty(2 * count)
        at_x[:count], at_x[count:], at_y[:count], at_y[count:] = start[0], goal[0], start[1], goal[1]
        # From outside, what shows of a rim is one run; tangents touch the arcs in which that ends and begins.
        shows = loops.begin_x * at_x + loops.begin_y * at_y >= loops.offset
        after = shows[loops.after]
        at_end, at_begin = shows > after, after > shows
        x, y = at_x - loops.x, at_y - loops.y
        square = x * x + y * y
        near = ((square >= loops.least) & (square <= loops.most)).nonzero()[0]
        if len(near):
            bulge = self._ahead_of(near, x, y)
            at_end[bulge], at_begin[bulge] = ~after[bulge], ~shows[bulge]
        # First what the start touches in either sense, then what the goal does.
        touched = [at_end[:count], at_begin[:count], at_end[count:], at_begin[count:]]
        sides = np.concatenate(touched).nonzero()[0]
        found, arc, turn = loops.row[sides], loops.arc[sides], loops.turn[sides]
        x, y, square, reach = x[found], y[found], square[found], loops.reach[found]
        long = np.sqrt(np.maximum(square - reach * reach, 0.0))
        share = reach / np.maximum(square, SAME)
        ahead, aside = share * reach, share * long * turn
        end_x, end_y = loops.x[found] + ahead * x - aside * y, loops.y[found] + ahead * y + aside * x
        cut = int(sides.searchsorted(2 * count))
        first, last = slice(None, cut), slice(cut, None)
        return (
            Fan(arc[first], turn[first], end_x[first], end_y[first], long[first]),
            Fan(arc[last], turn[last], end_x[last], end_y[last], long[last]),
        )

    def _ahead_of(self, arc: Ints, x: Floats, y: Floats) -> Ints:
        """Return those arcs (twice over) that face toward a point so far right and up of their middles."""
        loops, x, y, own = self.loops, x[arc], y[arc], arc % len(self.loops.owner)
        past_begin = loops.begin[own, 0] * y - loops.begin[own, 1] * x >= -CLEAR
        before_end = x * loops.end[own, 1] - y * loops.end[own, 0] >= -CLEAR
        return np.asarray(arc[loops.is_disc[own] | (past_begin & before_end)])

    @cached_property
    def _supports(self) -> Supports:
        return Supports(self.loops)

    def _tangents(self, rim: int, turn: int) -> Tangents:
        """Return the tangents from one rim to all others, clear or not."""
        loops = self.loops
        own, other, sense = self._supports.pairs(rim, turn)
        off = loops.centre[other] - loops.centre[own]
        apart = np.hypot(off[:, 0], off[:, 1])
        # Along the tangent, each shape lies on the left for a counter-clockwise turn.
        lean = turn * loops.reach[own] - sense * loops.reach[other]
        exists = np.flatnonzero(apart > np.abs(lean) + ON)
        own, other, sense, off = own[exists], other[exists], sense[exists], off[exists]
        along = np.arctan2(off[:, 1], off[:, 0]) + np.arcsin(lean[exists] / apart[exists])
        leaves, arrives = along - turn * math.pi / 2, along - sense * math.pi / 2
        taut = np.flatnonzero(loops.faces(own, leaves) & loops.faces(other, arrives))
        own, other, sense, leaves, arrives = own[taut], other[taut], sense[taut], leaves[taut], arrives[taut]
        start, end = loops.on(own, leaves), loops.on(other, arrives)
        leaves, arrives = loops.at_angle(own, leaves), loops.at_angle(other, arrives)
        unknown = np.zeros(len(taut), dtype=np.intp)
        length, (x, y) = np.hypot(*(end - start).T), np.ascontiguousarray(end.T)
        return Tangents(leaves, loops.owner[other], sense, arrives, length, start, end, x, y, unknown)

    def is_clear(self, tangents: Tangents, rows: list[int]) -> bool:
        """Return whether the first of these tangents is clear; the others are found out on the way."""
        if not tangents.verdict[rows[0]]:
            asked = [row for row in rows if not tangents.verdict[row]]
            if len(asked) == 1:
                clear = self.free.is_clear(tangents.start[asked[0]].tolist(), tangents.end[asked[0]].tolist())
                tangents.verdict[asked] = 1 if clear else -1
                if not clear:
                    tangents.length[asked] = math.inf
            else:
                found = self.free.clear(tangents.start[asked], tangents.end[asked])
                tangents.verdict[asked] = np.where(found, 1, -1)
                tangents.length[asked] = np.where(found, tangents.length[asked], math.inf)
        return bool(tangents.verdict[rows[0]] > 0)

    def _shut_stretches(self, rim: int) -> tuple[tuple[float, float], ...]:
        """Return where a rim is shut because of other obstacles."""
        perimeter = float(self.loops.perimeter[rim])
        about, near_edge = self._about(rim), self._nears_edge(rim)
        if not len(about) and not near_edge:
            return ()
        edges = self.loops.edges_about(rim)
        crossed = between(self.loops.edges_of(rim), edges.joined(self.free.board) if near_edge else edges)
        places = distinct(self.loops.places(rim, crossed) % perimeter) if len(crossed) else np.empty(0)
        if not len(places):
            places = np.zeros(1)
        length = np.diff(np.append(places, places[0] + perimeter))
        middle = (places + length / 2) % perimeter
        shut = ~self._lie_open(self.loops.points(rim, middle), about) & (length > HAIR)
        return tuple(zip(places[shut].tolist(), length[shut].tolist(), strict=True))

    def _about(self, rim: int) -> Outlines:
        """Return the other shapes that a rim may enter."""
        shapes = self.shapes
        far = np.hypot(*(shapes.xy - shapes.xy[rim]).T)
        near = far < shapes.reach + shapes.reach[rim]
        near[rim] = False
        return shapes.take(np.flatnonzero(near))

    def _nears_edge(self, rim: int) -> bool:
        """Return whether a rim may pass over the board's edge."""
        middle, reach = self.shapes.xy[rim], self.shapes.reach[rim]
        return bool((middle - reach < self.free.low).any() or (middle + reach > self.free.high).any())

    def _lie_open(self, xy: Floats, about: Outlines) -> Bools:
        """Return which points lie on the board and in none of these shapes."""
        free = self.free
        good = ((xy >= free.low - CLEAR) & (xy <= free.high + CLEAR)).all(axis=1)
        if len(about):
            good &= (about.distances(xy) >= -SLACK).all(axis=1)
        return np.asarray(good)
