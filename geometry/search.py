"""The search for the shortest way over a roadmap, the nearest to what it leads to first.

Owns the search; what leads where is the roadmap's. Ways are found clear only when they are the next to be
tried.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from geometry.base import Floats
from geometry.clearance import Leg
from geometry.loop import SHORT
from geometry.outline import Outlines
from geometry.roadmap import HAIR, Point, Rim, Roadmap, Tangents
from geometry.target import Targets, square

GOAL = -1
FEW = 4
GAIN = 1e-12


def shortest(roadmap: Roadmap, start: Point, goal: Point, limit: float = math.inf) -> tuple[Leg, ...] | None:
    """Return the legs of the shortest way; None where there is none, or none that is within the limit."""
    return _Search(roadmap, start, Targets.point(goal)).legs(limit)


def nearest(
    roadmap: Roadmap, start: Point, rings: Outlines, limit: float = math.inf
) -> tuple[Leg, ...] | None:
    """Return the legs of the shortest way into any of some rings, as `shortest` does."""
    return _Search(roadmap, start, roadmap.targets(rings)).legs(limit)


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


class _Search:
    """One search for a way."""

    def __init__(self, roadmap: Roadmap, start: Point, targets: Targets) -> None:
        self.map, self.start, self.targets = roadmap, start, targets
        self.steps: list[_Step] = []
        self.queue: list[tuple[float, int, int, _Branch | _Step]] = []
        self.best: dict[tuple[int, int], Floats] = {}
        self.last: dict[tuple[int, int], Tangents] = {}
        self.few = 1 if roadmap.free.is_quick else FEW
        self._number = 0

    def legs(self, limit: float) -> tuple[Leg, ...] | None:
        """Return the legs of the shortest way, if it may be within a limit."""
        straight, out = self._straight(), self.map.out_of(self.start)
        self._branch(straight.length, straight.length, straight, -1)
        self._branch(out.length + self.targets.beyond(out.x, out.y), out.length, out, -1)
        while self.queue and self.queue[0][0] <= limit:
            _, _, at, what = heapq.heappop(self.queue)
            step = self._taken(what, at) if isinstance(what, _Branch) else what
            if step is None:
                continue
            if step.rim == GOAL:
                return self._traced(step)
            self._expand(step)
        return None

    def _straight(self) -> Tangents:
        """Return the straight ways from the start to the targets."""
        end = self.targets.ends(self.start)
        start = np.broadcast_to(np.array([self.start]), end.shape)
        return _last(np.zeros(len(end)), start, end)

    def _into(self, rim: int, turn: int) -> Tangents:
        """Return the straight ways from a rim to the targets."""
        if (rim, turn) not in self.last:
            found = self._back(rim, turn) if self.targets.is_point else None
            self.last[rim, turn] = _last(*(found or square(self.map.loops, rim, turn, self.targets.loops)))
        return self.last[rim, turn]

    def _back(self, rim: int, turn: int) -> tuple[Floats, Floats, Floats]:
        """Return the straight ways from a rim to the one point: those from there to the rim, gone back."""
        out = self._from_goal
        rows = np.flatnonzero((out.rim == rim) & (out.turn == -turn))
        return out.arrives[rows], out.end[rows], out.start[rows]

    @cached_property
    def _from_goal(self) -> Tangents:
        """Return the straight ways from the one point to all rims."""
        x, y = self.targets.rings.xy[0].tolist()
        return self.map.out_of((x, y))

    def _branch(self, bounds: Floats, far: Floats, tangents: Tangents, before: int) -> None:
        """Put ways on in the queue."""
        least = float(bounds.min(initial=math.inf))
        if least < math.inf:
            self._put(least, 0, _Branch(bounds, far, tangents, before))

    def _put(self, bound: float, at: int, what: _Branch | _Step) -> None:
        self._number += 1
        heapq.heappush(self.queue, (bound, self._number, at, what))

    def _taken(self, branch: _Branch, at: int) -> _Step | None:
        """Return the step of a branch that is the next if it is clear, and put the one after in the queue."""
        rows = branch.rows
        if at + 1 < len(rows) and branch.bounds[at + 1] < math.inf:
            self._put(branch.bounds[at + 1], at + 1, branch)
        row, to = rows[at], branch.tangents
        rim, turn, leaves = int(to.rim[row]), int(to.turn[row]), float(to.leaves[row])
        far = float(branch.far[row])
        if not self.map.is_clear(to, rows[at : at + self.few]):
            return None
        x, y = to.end[row].tolist()
        return _Step(rim, turn, float(to.arrives[row]), far, branch.before, leaves, (x, y))

    def _expand(self, step: _Step) -> None:
        key, number = (step.rim, step.turn), len(self.steps)
        self.steps.append(step)
        rim = self.map.rim(*key)
        to = rim.tangents
        open_ahead = self.map.open_ahead(rim, step.rim, step.place, step.turn) + HAIR
        last = self._into(*key)
        ends = _far(step, rim, last, open_ahead)
        self._branch(ends, ends, last, number)
        far = _far(step, rim, to, open_ahead)
        bounds = far + self.targets.beyond(to.x, to.y)
        best = self.best.get(key)
        if best is not None:
            bounds[far >= best - GAIN] = math.inf
            far = np.minimum(far, best)
        self.best[key] = far
        self._branch(bounds, far, to, number)

    def _traced(self, step: _Step) -> tuple[Leg, ...]:
        legs: list[Leg] = [step.at]
        while step.before >= 0:
            on = self.steps[step.before]
            loops = self.map.loops
            far = _ahead(step.leaves, on, float(loops.perimeter[on.rim]))
            legs += reversed(list(loops.legs(on.rim, on.turn, on.place, far)))
            legs.append(on.at)
            step = on
        return _cleaned(self.start, legs[::-1])


def _last(leaves: Floats, start: Floats, end: Floats) -> Tangents:
    """Return last stretches, from these places on a rim."""
    x, y = np.ascontiguousarray(end.T)
    length = np.hypot(x - start[:, 0], y - start[:, 1])
    none = np.zeros(len(leaves), dtype=np.intp)
    return Tangents(leaves, none + GOAL, none, leaves, length, start, end, x, y, none.copy())


def _far(step: _Step, rim: Rim, to: Tangents, open_ahead: float) -> Floats:
    """Return how far it is to the ends of tangents from an arrival on; infinite where the rim is shut."""
    ahead = to.leaves - step.place
    if step.turn < 0:
        np.negative(ahead, out=ahead)
    ahead %= rim.perimeter
    ahead[ahead > rim.perimeter - HAIR] = 0.0
    far = step.far + ahead + to.length
    if rim.shut:
        far[ahead > open_ahead] = math.inf
    return np.asarray(far)


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
