"""The search for the shortest way over a roadmap, the nearest to the goal first.

Owns the search; what leads where is the roadmap's. Ways out of the start and into the goal are found clear
only when they are the next to be tried.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from geometry.base import Floats
from geometry.clearance import Leg
from geometry.loop import SHORT, Ints
from geometry.roadmap import HAIR, Point, Roadmap, Tangents

GOAL = -1
FEW = 6
GAIN = 1e-12


def shortest(roadmap: Roadmap, start: Point, goal: Point) -> tuple[Leg, ...] | None:
    """Return the legs of the shortest way; None where there is none."""
    return _Search(roadmap, start, goal).legs()


class _Step(NamedTuple):
    """An arrival on a rim and its place there, how far it is, the step before it, and where that was left."""

    rim: int
    turn: int
    place: float
    far: float
    before: int
    leaves: float
    at: Point


class _Branch(NamedTuple):
    """The ways on from one place, the nearest to the goal first: bounds, rows of tangents, all lengths."""

    bounds: list[float]
    rows: list[int]
    far: Floats
    tangents: Tangents
    before: int


class _Search:
    """One search for a way."""

    def __init__(self, roadmap: Roadmap, start: Point, goal: Point) -> None:
        self.map, self.start, self.goal = roadmap, start, goal
        self.steps: list[_Step] = []
        self.queue: list[tuple[float, int, int, _Branch | _Step]] = []
        self.best: dict[tuple[int, int], Floats] = {}
        self.fan, self.into = roadmap.fan(start), roadmap.fan(goal)
        self.goals = self._ways_to_goal()
        self.few = 1 if roadmap.free.is_quick else FEW
        self._number = 0

    def legs(self) -> tuple[Leg, ...] | None:
        """Return the legs of the shortest way."""
        ahead = self.fan.length + _apart(self.fan.end, self.goal)
        order = np.argsort(ahead, kind="stable")
        bounds, tried = ahead[order].tolist(), 0
        few = self.few
        while self.queue or tried < len(bounds):
            # While the queue holds nothing better, the next few ways out of the start are tried.
            if tried < len(bounds) and (not self.queue or bounds[tried] <= self.queue[0][0]):
                self._leave(order[tried : tried + few].tolist(), bounds[tried : tried + few])
                tried += few
                continue
            _, _, at, what = heapq.heappop(self.queue)
            step = self._taken(what, at) if isinstance(what, _Branch) else what
            if step is None:
                continue
            if step.rim != GOAL:
                self._expand(step)
            elif self._arrives(step):
                return self._traced(step)
        return None

    def _ways_to_goal(self) -> Ints:
        """Return the row of the tangent to the goal from each rim (n, 3) in each sense; -1 where none is."""
        loops = self.map.loops
        found = np.full((len(loops.count), 3), -1)
        # Who comes from the goal arrives in the other sense.
        found[loops.owner[self.into.arc], -self.into.turn] = np.arange(len(self.into.arc))
        return found

    def _leave(self, rows: Sequence[int], bounds: Sequence[float]) -> None:
        """Put those tangents from the start in the queue that are clear."""
        loops, fan, free = self.map.loops, self.fan, self.map.free
        if len(rows) == 1:
            clear = [free.is_clear(self.start, fan.end[rows[0]].tolist())]
        else:
            clear = free.clear(np.array([self.start] * len(rows)), fan.end[rows]).tolist()
        for row, bound, is_clear in zip(rows, bounds, clear, strict=True):
            if is_clear:
                arc, (x, y) = int(fan.arc[row]), fan.end[row].tolist()
                place, far = loops.place(arc, (x, y)), float(fan.length[row])
                rim, turn = int(loops.owner[arc]), int(fan.turn[row])
                self._put(bound, 0, _Step(rim, turn, place, far, -1, 0.0, (x, y)))

    def _put(self, bound: float, at: int, what: _Branch | _Step) -> None:
        self._number += 1
        heapq.heappush(self.queue, (bound, self._number, at, what))

    def _taken(self, branch: _Branch, at: int) -> _Step | None:
        """Return the step of a branch that is the next if it is clear, and put the one after in the queue."""
        if at + 1 < len(branch.bounds) and branch.bounds[at + 1] < math.inf:
            self._put(branch.bounds[at + 1], at + 1, branch)
        row, to = branch.rows[at], branch.tangents
        if not self.map.is_clear(to, branch.rows[at : at + self.few]):
            return None
        x, y = to.end[row].tolist()
        rim, turn, arrives = int(to.rim[row]), int(to.turn[row]), float(to.arrives[row])
        return _Step(rim, turn, arrives, float(branch.far[row]), branch.before, float(to.leaves[row]), (x, y))

    def _arrives(self, step: _Step) -> bool:
        """Return whether the last stretch of a way is clear; it is asked once."""
        on = self.steps[step.before]
        last = self.goals[on.rim, on.turn]
        if last < 0 or not self.map.free.is_clear(self.into.end[last].tolist(), self.goal):
            self.goals[on.rim, on.turn] = -1
            return False
        return True

    def _expand(self, step: _Step) -> None:
        key, number = (step.rim, step.turn), len(self.steps)
        self.steps.append(step)
        rim = self.map.rim(*key)
        to, round_ = rim.tangents, rim.perimeter
        open_ahead = self.map.open_ahead(rim, step.rim, step.place, step.turn) + HAIR
        ahead = ((to.leaves - step.place) * step.turn) % round_
        ahead[ahead > round_ - HAIR] = 0.0
        far = step.far + ahead + to.length
        if rim.shut:
            far[ahead > open_ahead] = np.inf
        bounds = far + _apart(to.end, self.goal)
        bounds[to.verdict < 0] = np.inf
        best = self.best.get(key)
        if best is not None:
            bounds[far >= best - GAIN] = np.inf
            far = np.minimum(far, best)
        self.best[key] = far
        order = np.argsort(bounds, kind="stable")
        branch = _Branch(bounds[order].tolist(), order.tolist(), far, to, number)
        if branch.bounds and branch.bounds[0] < math.inf:
            self._put(branch.bounds[0], 0, branch)
        last = int(self.goals[step.rim, step.turn])
        if last >= 0:
            leaves = self.map.loops.place(int(self.into.arc[last]), self.into.end[last].tolist())
            turned = _ahead(leaves, step, round_)
            if turned <= open_ahead:
                total = step.far + turned + float(self.into.length[last])
                self._put(total, 0, _Step(GOAL, 0, 0.0, total, number, leaves, self.goal))

    def _traced(self, step: _Step) -> tuple[Leg, ...]:
        legs: list[Leg] = [self.goal]
        while step.before >= 0:
            on = self.steps[step.before]
            loops = self.map.loops
            far = _ahead(step.leaves, on, float(loops.perimeter[on.rim]))
            legs += reversed(list(loops.legs(on.rim, on.turn, on.place, far)))
            legs.append(on.at)
            step = on
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


def _apart(points: Floats, point: Point) -> Floats:
    x, y = points[:, 0] - point[0], points[:, 1] - point[1]
    return np.asarray(np.sqrt(x * x + y * y))


def _ahead(leaves: float, step: _Step, round_: float) -> float:
    """Return how far on from an arrival the way leaves a rim."""
    ahead = ((leaves - step.place) * step.turn) % round_
    return 0.0 if ahead > round_ - HAIR else ahead
