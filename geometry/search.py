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
FEW = 4
GAIN = 1e-12


def shortest(roadmap: Roadmap, start: Point, goal: Point, limit: float = math.inf) -> tuple[Leg, ...] | None:
    """Return the legs of the shortest way; None where there is none, or none that is within the limit."""
    return _Search(roadmap, start, goal).legs(limit)


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

    def __init__(self, roadmap: Roadmap, start: Point, goal: Point) -> None:
        self.map, self.start, self.goal = roadmap, start, goal
        self.steps: list[_Step] = []
        self.queue: list[tuple[float, int, int, _Branch | _Step]] = []
        self.best: dict[tuple[int, int], Floats] = {}
        self.fan, self.into = roadmap.fans(start, goal)
        self.goals = self._ways_to_goal()
        self.reached: set[int] = set()
        self.inside = roadmap.free.holds(start, goal)
        self.few = 1 if roadmap.free.is_quick else FEW
        self._number = 0

    def legs(self, limit: float) -> tuple[Leg, ...] | None:
        """Return the legs of the shortest way, if it may be within a limit."""
        ahead = self.fan.length + _apart(self.fan.x, self.fan.y, self.goal)
        order = ahead.argsort(kind="stable")
        bounds, tried = ahead[order].tolist(), FEW
        if bounds and bounds[0] > limit:
            return None
        self._look(order[:FEW], bounds)
        while self.queue or tried < len(bounds):
            # While the queue holds nothing better, the next few ways out of the start are tried.
            leaves = tried < len(bounds) and (not self.queue or bounds[tried] <= self.queue[0][0])
            if (bounds[tried] if leaves else self.queue[0][0]) > limit:
                return None
            if leaves:
                self._leave(order[tried : tried + FEW], bounds[tried : tried + FEW])
                tried += FEW
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

    def _look(self, rows: Ints, bounds: Sequence[float]) -> None:
        """Try the nearest few ways out of the start and into the goal, all at once."""
        into = self.into
        last = (into.length + _apart(into.x, into.y, self.start)).argsort(kind="stable")[:FEW]
        clear = self._are_clear(rows, last)
        self._put_steps(rows, bounds, clear)
        sides = (2 * self.map.loops.owner[into.arc[last]] + (into.turn[last] < 0)).tolist()
        for side, is_clear in zip(sides, clear[len(rows) :], strict=True):
            if is_clear:
                self.reached.add(side)
            else:
                self.goals[side] = -1

    def _are_clear(self, rows: Ints, last: Ints) -> list[bool]:
        """Return which of these ways out of the start are clear, and then which of these into the goal."""
        fan, into, count = self.fan, self.into, len(rows)
        lines = np.empty((count + len(last), 2, 2))
        lines[:count, 0], lines[count:, 0] = self.start, self.goal
        lines[:count, 1, 0], lines[:count, 1, 1] = fan.x[rows], fan.y[rows]
        lines[count:, 1, 0], lines[count:, 1, 1] = into.x[last], into.y[last]
        found: list[bool] = self.map.are_clear(lines, self.inside).tolist()
        return found

    def _ways_to_goal(self) -> list[int]:
        """Return the row of the tangent to the goal from each rim in each sense; -1 where none is."""
        loops = self.map.loops
        found = np.empty(2 * len(loops.count), dtype=np.intp)
        found.fill(-1)
        # Who comes from the goal arrives in the other sense.
        found[2 * loops.owner[self.into.arc] + (self.into.turn < 0)] = np.arange(len(self.into.arc))
        return list(found.tolist())

    def _leave(self, rows: Ints, bounds: Sequence[float]) -> None:
        """Put those tangents from the start in the queue that are clear."""
        self._put_steps(rows, bounds, self._are_clear(rows, rows[:0]))

    def _put_steps(self, rows: Ints, bounds: Sequence[float], clear: Sequence[bool]) -> None:
        loops, fan = self.map.loops, self.fan
        for row, bound, is_clear in zip(rows.tolist(), bounds, clear, strict=False):
            if is_clear:
                arc, end = int(fan.arc[row]), (float(fan.x[row]), float(fan.y[row]))
                place, far = loops.place(arc, end), float(fan.length[row])
                rim, turn = int(loops.owner[arc]), int(fan.turn[row])
                self._put(bound, 0, _Step(rim, turn, place, far, -1, 0.0, end))

    def _put(self, bound: float, at: int, what: _Branch | _Step) -> None:
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

    def _arrives(self, step: _Step) -> bool:
        """Return whether the last stretch of a way is clear; it is asked once."""
        on = self.steps[step.before]
        side = 2 * on.rim + (on.turn > 0)
        last = self.goals[side]
        if side in self.reached:
            return True
        if last < 0 or not self.map.free.is_clear(
            (float(self.into.x[last]), float(self.into.y[last])), self.goal
        ):
            self.goals[side] = -1
            return False
        self.reached.add(side)
        return True

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
        bounds = far + _apart(to.x, to.y, self.goal)
        best = self.best.get(key)
        if best is not None:
            bounds[far >= best - GAIN] = math.inf
            far = np.minimum(far, best)
        self.best[key] = far
        least = float(bounds[bounds.argmin()]) if len(bounds) else math.inf
        if least < math.inf:
            self._put(least, 0, _Branch(bounds, far, to, number))
        into, last = self.into, self.goals[2 * step.rim + (step.turn > 0)]
        if last >= 0:
            leaves = self.map.loops.place(int(into.arc[last]), (float(into.x[last]), float(into.y[last])))
            turned = _ahead(leaves, step, round_)
            if turned <= open_ahead:
                total = step.far + turned + float(into.length[last])
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


def _apart(x: Floats, y: Floats, point: Point) -> Floats:
    x, y = x - point[0], y - point[1]
    x *= x
    y *= y
    x += y
    return np.asarray(np.sqrt(x, out=x))


def _ahead(leaves: float, step: _Step, round_: float) -> float:
    """Return how far on from an arrival the way leaves a rim."""
    ahead = ((leaves - step.place) * step.turn) % round_
    return 0.0 if ahead > round_ - HAIR else ahead
