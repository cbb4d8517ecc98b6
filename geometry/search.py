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

from geometry.clearance import Leg
from geometry.loop import SHORT, Ints
from geometry.roadmap import HAIR, Fan, Point, Roadmap

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


class _Search:
    """One search for a way."""

    def __init__(self, roadmap: Roadmap, start: Point, goal: Point) -> None:
        self.map, self.start, self.goal = roadmap, start, goal
        self.steps: list[_Step] = []
        self.queue: list[tuple[float, int]] = []
        self.best: dict[tuple[int, int], list[float]] = {}
        self.goals = self._into_goal()

    def legs(self) -> tuple[Leg, ...] | None:
        """Return the legs of the shortest way."""
        fan = self.map.from_point(self.start)
        ahead = fan.length + np.hypot(*(fan.end - self.goal).T)
        order = np.argsort(ahead, kind="stable")
        bounds, tried = ahead[order].tolist(), 0
        while self.queue or tried < len(bounds):
            # While the queue holds nothing better, the next few ways out of the start are tried.
            if tried < len(bounds) and (not self.queue or bounds[tried] <= self.queue[0][0]):
                self._leave(fan, order[tried : tried + FEW], bounds[tried : tried + FEW])
                tried += FEW
                continue
            _, number = heapq.heappop(self.queue)
            step = self.steps[number]
            if step.rim != GOAL:
                self._expand(number, step)
            elif self._arrives(step):
                return self._traced(step)
        return None

    def _into_goal(self) -> dict[tuple[int, int], tuple[float, Point, float]]:
        """Return from where on each rim, in each sense, tangents lead to the goal, and how far."""
        fan = self.map.from_point(self.goal)
        # Who comes from the goal arrives in the other sense.
        keys = zip(fan.rim.tolist(), (-fan.turn).tolist(), strict=True)
        ends = [(x, y) for x, y in fan.end.tolist()]
        return dict(zip(keys, zip(fan.place.tolist(), ends, fan.length.tolist(), strict=True), strict=True))

    def _leave(self, fan: Fan, rows: Ints, bounds: Sequence[float]) -> None:
        """Put those tangents from the start in the queue that are clear."""
        end = fan.end[rows]
        clear = self.map.free.clear(np.broadcast_to(np.array(self.start), end.shape), end)
        for row, bound, is_clear in zip(rows.tolist(), bounds, clear.tolist(), strict=True):
            if is_clear:
                place, far = float(fan.place[row]), float(fan.length[row])
                self._put(bound, _Step(int(fan.rim[row]), int(fan.turn[row]), place, far, -1, 0.0))

    def _put(self, bound: float, step: _Step) -> None:
        heapq.heappush(self.queue, (bound, len(self.steps)))
        self.steps.append(step)

    def _arrives(self, step: _Step) -> bool:
        """Return whether the last stretch of a way is clear; it is asked once."""
        on = self.steps[step.before]
        key = (on.rim, on.turn)
        last = self.goals.get(key)
        if last is None or not self.map.free.clear(np.array([last[1]]), np.array([self.goal]))[0]:
            self.goals.pop(key, None)
            return False
        return True

    def _expand(self, number: int, step: _Step) -> None:
        key = (step.rim, step.turn)
        rim = self.map.rim(*key)
        if key not in self.best:
            self.best[key] = [math.inf] * len(rim.tangents)
        best, round_ = self.best[key], rim.perimeter
        open_ahead = self.map.open_ahead(rim, step.rim, step.place, step.turn) + HAIR
        for i, (leaves, other, turn, arrives, length, end) in enumerate(rim.tangents):
            ahead = _ahead(leaves, step, round_)
            far = step.far + ahead + length
            if ahead <= open_ahead and far < best[i] - GAIN:
                best[i] = far
                self._put(far + math.dist(end, self.goal), _Step(other, turn, arrives, far, number, leaves))
        last = self.goals.get(key)
        if last is not None:
            ahead = _ahead(last[0], step, round_)
            if ahead <= open_ahead:
                total = step.far + ahead + last[2]
                self._put(total, _Step(GOAL, 0, 0.0, total, number, last[0]))

    def _traced(self, step: _Step) -> tuple[Leg, ...]:
        legs: list[Leg] = [self.goal]
        while step.before >= 0:
            on = self.steps[step.before]
            loops = self.map.loops
            round_ = float(loops.perimeter[on.rim])
            far = _ahead(step.leaves, on, round_)
            legs += reversed(list(loops.legs(on.rim, on.turn, on.place, far)))
            x, y = loops.points(on.rim, np.array([on.place % round_]))[0].tolist()
            legs.append((x, y))
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


def _ahead(leaves: float, step: _Step, round_: float) -> float:
    """Return how far on from an arrival the way leaves a rim."""
    ahead = ((leaves - step.place) * step.turn) % round_
    return 0.0 if ahead > round_ - HAIR else ahead
