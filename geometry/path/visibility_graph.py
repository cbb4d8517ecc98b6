"""What shortest ways run along: the rims of obstacles, and the straight lines tangent to two of them.

A taut string touches a convex shape only where it leaves or joins its rim tangentially; so shortest ways are
made of tangents and stretches of rims. Owns which tangents are clear and which stretches open, worked out
when first reached and kept, so that many ways among the same obstacles share them.
`geometry.path.graph_search` walks them.

How far rims reach in the directions between which none of their arcs changes.

Owns which arcs of two rims one straight line may touch; the lines themselves are
`geometry.path.visibility_graph`'s.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import msgspec
import numpy as np

from geometry.path.goal_set import Spot, Targets
from geometry.path.obstacles import CLEAR, SLACK, Obstacles
from geometry.path.rim_curve import NEXT, Loops
from geometry.path.tangents import Fan, Fans
from geometry.shape.arrangement import NONE, ON, SAME, between
from geometry.shape.array import ways_at
from geometry.shape.base import Bools, Floats, Ints, distinct
from geometry.shape.cached import cached_property
from geometry.shape.convex_shape import Outlines
from geometry.shape.nearby import Vicinity

Point = tuple[float, float]
HAIR = 1e-7
"""A rounding error of a place on a rim, in inches."""
SLIVER = 1e-4
"""A stretch that is shut and no longer than this may be a rounding error of an arrival."""


MERE = 1e-6
"""Rings no wider than this are mere points, of which obstacles cut nothing off."""
KEPT = 32
"""Of so many goals what obstacles leave of them is kept."""


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


class Roadmap:
    """The ways of bases of one stance among obstacles, none of which holds an end of them."""

    def __init__(self, obstacles: Obstacles) -> None:
        """Take the obstacles."""
        self.free = obstacles
        shapes = obstacles.shapes
        is_point = np.array([core.is_point for core in shapes.core] or [True] * len(shapes), dtype=np.bool_)
        self.shapes = shapes.take((~is_point | (shapes.radius > SAME)).nonzero()[0])
        self.loops = Loops(self.shapes)
        self._vicinity = Vicinity(self.shapes)
        reach = self.loops.reach[:, None]
        low, high = self.loops.centre - reach, self.loops.centre + reach
        self._keeps_inside = bool((low >= obstacles.low).all() and (high <= obstacles.high).all())
        self._rims: dict[tuple[int, int], Rim] = {}
        self._targets: dict[tuple[object, ...], Targets] = {}
        self._shut: dict[int, tuple[tuple[float, float], ...]] = {}

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
        if sliver > SLIVER or not self._lie_open(self.loops.points(rim, here), rim)[0]:
            return ahead
        return sliver + found.open_ahead(place + turn * sliver, turn)

    def targets(self, rings: Outlines) -> Targets:
        """Return rings as what a way leads to, with the corners that obstacles cut them to."""
        key = rings.xy.tobytes(), rings.radius.tobytes(), rings.core
        if key not in self._targets:
            if len(self._targets) >= KEPT:
                self._targets.clear()
            rims, found = Loops(rings), []
            for row in np.flatnonzero(rings.reach > MERE).tolist():
                low, high = rims.box(row)
                edges = self.loops.edges_in(low, high)
                if (low < self.free.low).any() or (high > self.free.high).any():
                    edges = edges.joined(self.free.board)
                found.append(between(rims.edges_of(row), edges))
            corners = np.concatenate([NONE, *found])
            corners = corners[self._lie_open(corners)]
            inside = rings.distances(corners).min(axis=1, initial=0.0) < -CLEAR
            self._targets[key] = Targets(self.loops, rings, corners[~inside])
        return self._targets[key]

    def spot(self, start: Point, goal: Point) -> tuple[Fan, Spot]:
        """Return the tangents from a point to all rims, and another point as what a way leads to."""
        out, into = self._two.of(start, goal)
        return out, Spot(self.loops, goal, into)

    def out_of(self, start: Point) -> Fan:
        """Return the tangents from a point to all rims, clear or not."""
        return self._one.of(start)[0]

    @cached_property
    def _one(self) -> Fans:
        return Fans(self.loops, 1)

    @cached_property
    def _two(self) -> Fans:
        return Fans(self.loops, 2)

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
        exists = (apart > np.abs(lean) + ON).nonzero()[0]
        own, other, sense, off = own[exists], other[exists], sense[exists], off[exists]
        along = np.arctan2(off[:, 1], off[:, 0]) + np.arcsin(lean[exists] / apart[exists])
        leaves, arrives = along - turn * math.pi / 2, along - sense * math.pi / 2
        taut = (loops.faces(own, leaves) & loops.faces(other, arrives)).nonzero()[0]
        own, other, sense, leaves, arrives = own[taut], other[taut], sense[taut], leaves[taut], arrives[taut]
        start, end = loops.on(own, leaves), loops.on(other, arrives)
        leaves, arrives = loops.at_angle(own, leaves), loops.at_angle(other, arrives)
        unknown = np.zeros(len(taut), dtype=np.intp)
        length, (x, y) = np.hypot(*(end - start).T), np.ascontiguousarray(end.T)
        return Tangents(leaves, loops.owner[other], sense, arrives, length, start, end, x, y, unknown)

    def are_clear(self, lines: Floats, inside: bool) -> Bools:
        """Return which lines (n, 2, 2) from points to rims run into nothing.

        `inside` tells whether the points are on the board.
        """
        if inside and self._keeps_inside:
            return self.free.clear_inside(lines)
        return self.free.clear(lines[:, 0], lines[:, 1])

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
        near_edge = self._nears_edge(rim)
        if not near_edge and not self._nears_others(rim):
            return ()
        edges = self.loops.edges_in(*self.loops.box(rim), but=rim)
        crossed = self.loops.cuts(rim, edges.joined(self.free.board) if near_edge else edges)
        places = distinct(crossed % perimeter) if len(crossed) else np.zeros(1)
        length = np.diff(np.append(places, places[0] + perimeter))
        middle = (places + length / 2) % perimeter
        shut = ~self._lie_open(self.loops.points(rim, middle), rim) & (length > HAIR)
        return tuple(zip(places[shut].tolist(), length[shut].tolist(), strict=True))

    def _nears_others(self, rim: int) -> bool:
        """Return whether a rim may enter other shapes."""
        shapes = self.shapes
        far = np.hypot(*(shapes.xy - shapes.xy[rim]).T)
        return int((far < shapes.reach + shapes.reach[rim]).sum()) > 1

    def _nears_edge(self, rim: int) -> bool:
        """Return whether a rim may pass over the board's edge."""
        middle, reach = self.shapes.xy[rim], self.shapes.reach[rim]
        return bool((middle - reach < self.free.low).any() or (middle + reach > self.free.high).any())

    def _lie_open(self, xy: Floats, rim: int | None = None) -> Bools:
        """Return which points lie on the board and in no shape but that whose rim they are on."""
        low, high = self.free.low - CLEAR, self.free.high + CLEAR
        good = ((xy >= low) & (xy <= high)).all(axis=1)
        return np.asarray(good & self._vicinity.clear(xy, SLACK, rim))


REACH_ROUNDING = 1e-6
"""A rounding error of how far a rim reaches, in inches, and some more."""


class Supports:
    """Of n rims: which arc each faces with from one direction to the next, and how far it reaches in it.

    The directions are those in which an arc of any rim begins, and the opposite ones, in order.
    """

    def __init__(self, loops: Loops) -> None:
        """Take the rims."""
        self.loops = loops
        count = len(loops.count)
        half = distinct(np.round(np.append(loops.low[~loops.is_disc], 0.0) % math.pi, 10))
        angle = np.concatenate([half, half + math.pi])
        self._half, self._width = len(half), np.diff(angle, append=angle[0] + math.tau)
        rims = np.tile(np.arange(count), len(angle))
        self.arc: Ints = loops.facing(rims, np.repeat(angle, count) + 2 * NEXT).reshape(-1, count)
        # Half way on they face with the arcs, and reach as far, as in the opposite directions.
        self._back: Ints = np.roll(self.arc, -self._half, axis=0)
        face = ways_at(angle)[:, None]
        self._far: Floats = (loops.centre[self.arc] * face).sum(axis=2) + loops.reach[self.arc]
        self._far_back: Floats = np.roll(self._far, -self._half, axis=0)
        middle = loops.centre[loops.first]
        spread = np.hypot(*(loops.centre - middle[loops.owner]).T)
        self._middle = middle
        self._spread: Floats = np.maximum.reduceat(spread, loops.first) if count else spread

    def pairs(self, rim: int, turn: int) -> tuple[Ints, Ints, Ints]:
        """Return the arcs of a rim, and of others with the sense there, that one line may touch.

        The line turns about the rim in a sense, and lies as far out as the rim reaches: it may touch another
        where that reaches as far out, or as far in, before the arc of either changes.
        """
        off = self._middle - self._middle[rim]
        apart = np.hypot(off[:, 0], off[:, 1]) + self._spread + self._spread[rim]
        most = apart * self._width[:, None] + REACH_ROUNDING
        most[:, rim] = -1.0
        mine, far = self.arc[:, rim], self._far[:, rim, None]
        own, other, sense = [], [], []
        for gap, theirs, way in (
            (far - self._far, self.arc, turn),
            (far + self._far_back, self._back, -turn),
        ):
            step, there = np.nonzero(np.abs(gap) <= most)
            both = distinct(mine[step] * len(self.loops.owner) + theirs[step, there])
            own.append(both // len(self.loops.owner))
            other.append(both % len(self.loops.owner))
            sense.append(np.full(len(both), way, dtype=np.intp))
        return np.concatenate(own), np.concatenate(other), np.concatenate(sense)
