"""The search for the shortest way over a roadmap, the nearest to what it leads to first.

Owns the search; what leads where is the roadmap's. Ways are found clear only when they are the next to be
tried.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from geometry.path.goal_set import Spot, Stretch, Targets
from geometry.path.lazy_obstacles import is_closed_off
from geometry.path.obstacles import Leg
from geometry.path.rim_curve import SHORT
from geometry.path.tangents import Fan
from geometry.path.visibility_graph import HAIR, Point, Roadmap, Tangents
from geometry.shape.base import Floats, Ints
from geometry.shape.convex_shape import Outlines

FEW = 4
PATIENCE = 32
"""After so many steps, which few ways take, it is asked whether all are closed."""
GAIN = 1e-12


def shortest(roadmap: Roadmap, start: Point, goal: Point, limit: float = math.inf) -> tuple[Leg, ...] | None:
    """Return the legs of the shortest way that is not straight; None where there is none within the limit."""
    return _Search(roadmap, start, *roadmap.spot(start, goal), roadmap.free.holds(start, goal)).legs(limit)


def nearest(
    roadmap: Roadmap, start: Point, rings: Outlines, limit: float = math.inf
) -> tuple[Leg, ...] | None:
    """Return the legs of the shortest way into any of some rings; None where none is within the limit."""
    fan, holds = roadmap.out_of(start), roadmap.free.holds(start, start)
    return _Search(roadmap, start, fan, roadmap.targets(rings), holds).legs(limit)


class _Step(NamedTuple):
    """An arrival on a rim and its place there, how far it is, the step before it, and where that was left."""

    rim: int
    turn: int
    place: float
    far: float
    before: int
    leaves: float
    at: Point


class _Branch:
    """The ways on from one place: bounds and lengths of all, put in order when the first of them is taken."""

    __slots__ = ("_bounds", "_rows", "before", "bounds", "far", "tangents")

    def __init__(self, bounds: Floats, far: Floats, tangents: Tangents, before: int) -> None:
        self._bounds, self.far, self.tangents, self.before = bounds, far, tangents, before
        self.bounds: list[float] = []
        self._rows: list[int] = []

    @property
    def rows(self) -> list[int]:
        """Return the rows of the tangents, the nearest to the goal first, and bring `bounds` in order too."""
        if not self._rows:
            order = self._bounds.argsort(kind="stable")
            self._rows, self.bounds = order.tolist(), self._bounds[order].tolist()
        return self._rows


class _Arrival(NamedTuple):
    """A way whole: how far it is, the step before its last stretch, and that."""

    far: float
    before: int
    last: Stretch


class _Search:
    """One search for a way."""

    def __init__(self, roadmap: Roadmap, start: Point, fan: Fan, aim: Spot | Targets, inside: bool) -> None:
        self.map, self.start, self.fan, self.aim, self.inside = roadmap, start, fan, aim, inside
        self.steps: list[_Step] = []
        self.queue: list[tuple[float, int, int, _Branch | _Step | _Arrival]] = []
        self.best: dict[tuple[int, int], Floats] = {}
        self.few = 1 if roadmap.free.is_quick else FEW
        self._number = 0

    def legs(self, limit: float) -> tuple[Leg, ...] | None:
        """Return the legs of the shortest way, if it may be within a limit."""
        for last in self.aim.straight(self.start):
            self._put(last.length, 0, _Arrival(last.length, -1, last))
        ahead = self.fan.length + self.aim.beyond(self.fan.x, self.fan.y)
        order = ahead.argsort(kind="stable")
        bounds, tried = ahead[order].tolist(), 0
        while self.queue or tried < len(bounds):
            # While the queue holds nothing better, the next few ways out of the start are tried.
            leaves = tried < len(bounds) and (not self.queue or bounds[tried] <= self.queue[0][0])
            if (bounds[tried] if leaves else self.queue[0][0]) > limit:
                return None
            if leaves:
                # Together with the first of them, a few likely last stretches cost hardly more.
                likely = [] if tried else self.aim.likely(self.start, FEW)
                self._leave(order[tried : tried + FEW], bounds[tried : tried + FEW], likely)
                tried += FEW
                continue
            _, _, at, what = heapq.heappop(self.queue)
            if isinstance(what, _Arrival):
                if self._is_clear(what.last):
                    return self._traced(what)
                continue
            step = self._taken(what, at) if isinstance(what, _Branch) else what
            if step is not None:
                if len(self.steps) == PATIENCE and self._is_closed_off(limit):
                    return None
                self._expand(step)
        return None

    def _is_closed_off(self, limit: float) -> bool:
        return is_closed_off(self.map.free, self.start, self.aim.rings, limit)

    def _leave(self, rows: Ints, bounds: Sequence[float], last: Sequence[Stretch]) -> None:
        """Put those tangents from the start in the queue that are clear, and try some last stretches."""
        loops, fan, count = self.map.loops, self.fan, len(rows)
        lines = np.empty((count + len(last), 2, 2))
        lines[:count, 0], lines[:count, 1, 0], lines[:count, 1, 1] = self.start, fan.x[rows], fan.y[rows]
        for k, stretch in enumerate(last, count):
            lines[k] = stretch.end, stretch.begin
        clear = self.map.are_clear(lines, self.inside).tolist()
        for stretch, is_clear in zip(last, clear[count:], strict=True):
            stretch.clear = is_clear
        for row, bound, is_clear in zip(rows.tolist(), bounds, clear, strict=False):
            if is_clear:
                arc, end = int(fan.arc[row]), (float(fan.x[row]), float(fan.y[row]))
                place, far = loops.place(arc, end), float(fan.length[row])
                rim, turn = int(loops.owner[arc]), int(fan.turn[row])
                self._put(bound, 0, _Step(rim, turn, place, far, -1, 0.0, end))

    def _is_clear(self, last: Stretch) -> bool:
        """Return whether a last stretch is clear; it is asked once."""
        if last.clear is None:
            last.clear = self.map.free.is_clear(last.begin, last.end)
        return last.clear

    def _put(self, bound: float, at: int, what: _Branch | _Step | _Arrival) -> None:
        self._number += 1
        heapq.heappush(self.queue, (bound, self._number, at, what))

    def _taken(self, branch: _Branch, at: int) -> _Step | None:
        """Return the step of a branch that is the next if it is clear, and put the one after in the queue."""
        rows = branch.rows
        if at + 1 < len(rows) and branch.bounds[at + 1] < math.inf:
            self._put(branch.bounds[at + 1], at + 1, branch)
        row, to = rows[at], branch.tangents
        if not self.map.is_clear(to, rows[at : at + self.few]):
            return None
        x, y = to.end[row].tolist()
        rim, turn, arrives = int(to.rim[row]), int(to.turn[row]), float(to.arrives[row])
        return _Step(rim, turn, arrives, float(branch.far[row]), branch.before, float(to.leaves[row]), (x, y))

    def _expand(self, step: _Step) -> None:
        key, number = (step.rim, step.turn), len(self.steps)
        self.steps.append(step)
        rim = self.map.rim(*key)
        to, round_ = rim.tangents, rim.perimeter
        open_ahead = self.map.open_ahead(rim, step.rim, step.place, step.turn) + HAIR
        ahead = to.leaves - step.place
        if step.turn < 0:
            np.negative(ahead, out=ahead)
        ahead %= round_
        ahead[ahead > round_ - HAIR] = 0.0
        far = step.far + ahead + to.length
        if rim.shut:
            far[ahead > open_ahead] = math.inf
        bounds = far + self.aim.beyond(to.x, to.y)
        best = self.best.get(key)
        if best is not None:
            bounds[far >= best - GAIN] = math.inf
            far = np.minimum(far, best)
        self.best[key] = far
        least = float(bounds[bounds.argmin()]) if len(bounds) else math.inf
        if least < math.inf:
            self._put(least, 0, _Branch(bounds, far, to, number))
        for last in self.aim.stretches(*key):
            turned = _ahead(last.leaves, step, round_)
            if last.clear is not False and turned <= open_ahead:
                total = step.far + turned + last.length
                self._put(total, 0, _Arrival(total, number, last))

    def _traced(self, arrival: _Arrival) -> tuple[Leg, ...]:
        legs: list[Leg] = [arrival.last.end]
        loops, leaves, before = self.map.loops, arrival.last.leaves, arrival.before
        while before >= 0:
            on = self.steps[before]
            far = _ahead(leaves, on, float(loops.perimeter[on.rim]))
            legs += reversed(list(loops.legs(on.rim, on.turn, on.place, far)))
            legs.append(on.at)
            leaves, before = on.leaves, on.before
        return _cleaned(self.start, legs[::-1])


def _cleaned(start: Point, legs: Sequence[Leg]) -> tuple[Leg, ...]:
    """Return legs without those straight ones that lead nowhere."""
    found: list[Leg] = []
    here = start
    for leg in legs:
        if len(leg) != 2 or math.dist(here, leg) > SHORT:
            found.append(leg)
            here = (leg[0], leg[1])
    return tuple(found)


def _ahead(leaves: float, step: _Step, round_: float) -> float:
    """Return how far on from an arrival the way leaves a rim."""
    ahead = ((leaves - step.place) * step.turn) % round_
    return 0.0 if ahead > round_ - HAIR else ahead
