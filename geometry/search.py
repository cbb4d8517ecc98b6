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
from geometry.roadmap import TURNED, Fan, Ints, Point, Roadmap

GOAL = -1
FEW = 6
HAIR = 1e-12


def shortest(roadmap: Roadmap, start: Point, goal: Point) -> tuple[Leg, ...] | None:
    """Return the legs of the shortest way; None where there is none."""
    return _Search(roadmap, start, goal).legs()


class _Step(NamedTuple):
    """An arrival on a rim, how far it is, the step before it, and the angle at which that was left."""

    arc: int
    turn: int
    angle: float
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
        self.goals: dict[tuple[int, int], tuple[float, Point, float] | None] = {}

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
            if step.arc != GOAL:
                self._expand(number, step)
            elif self._arrives(step):
                return self._traced(step)
        return None

    def _leave(self, fan: Fan, rows: Ints, bounds: Sequence[float]) -> None:
        """Put those tangents from the start in the queue that are clear."""
        end = fan.end[rows]
        clear = self.map.free.clear(np.broadcast_to(np.array(self.start), end.shape), end)
        for row, bound, is_clear in zip(rows.tolist(), bounds, clear.tolist(), strict=True):
            if is_clear:
                angle, far = float(fan.angle[row]), float(fan.length[row])
                self._put(bound, _Step(int(fan.arc[row]), int(fan.turn[row]), angle, far, -1, 0.0))

    def _put(self, bound: float, step: _Step) -> None:
        heapq.heappush(self.queue, (bound, len(self.steps)))
        self.steps.append(step)

    def _arrives(self, step: _Step) -> bool:
        """Return whether the last stretch of a way is clear; it is asked once."""
        on = self.steps[step.before]
        key = (on.arc, on.turn)
        last = self.goals[key]
        if last is None or not self.map.free.clear(np.array([last[1]]), np.array([self.goal]))[0]:
            self.goals[key] = None
            return False
        return True

    def _expand(self, number: int, step: _Step) -> None:
        key = (step.arc, step.turn)
        rim = self.map.rim(*key)
        if key not in self.best:
            self.best[key] = [math.inf] * len(rim.tangents)
            self.goals[key] = self.map.to_point(*key, self.goal)
        reach, best = float(self.map.reach[step.arc]), self.best[key]
        open_ahead = self.map.open_ahead(rim, step.arc, step.angle, step.turn) + TURNED
        for i, (leaves, arc, turn, arrives, length, end) in enumerate(rim.tangents):
            ahead = _turned(leaves, step)
            far = step.far + ahead * reach + length
            if ahead <= open_ahead and far < best[i] - HAIR:
                best[i] = far
                self._put(far + math.dist(end, self.goal), _Step(arc, turn, arrives, far, number, leaves))
        last = self.goals[key]
        if last is not None:
            ahead = _turned(last[0], step)
            if ahead <= open_ahead:
                total = step.far + ahead * reach + last[2]
                self._put(total, _Step(GOAL, 0, 0.0, total, number, last[0]))

    def _traced(self, step: _Step) -> tuple[Leg, ...]:
        legs: list[Leg] = [self.goal]
        while step.before >= 0:
            on = self.steps[step.before]
            x, y = self.map.centre[on.arc].tolist()
            reach = float(self.map.reach[on.arc])
            if _turned(step.leaves, on) * reach > 1e-9:
                leave = (x + reach * math.cos(step.leaves), y + reach * math.sin(step.leaves))
                legs.append((*leave, x, y, float(on.turn)))
            legs.append((x + reach * math.cos(on.angle), y + reach * math.sin(on.angle)))
            step = on
        return _cleaned(self.start, legs[::-1])


def _cleaned(start: Point, legs: Sequence[Leg]) -> tuple[Leg, ...]:
    """Return legs without those straight ones that lead nowhere."""
    found: list[Leg] = []
    here = start
    for leg in legs:
        if len(leg) != 2 or math.dist(here, leg) > HAIR:
            found.append(leg)
            here = (leg[0], leg[1])
    return tuple(found)


def _turned(leaves: float, step: _Step) -> float:
    """Return how far round from an arrival the way leaves, in radians."""
    ahead = ((leaves - step.angle) * step.turn) % math.tau
    return 0.0 if ahead > math.tau - TURNED else ahead
