"""The shortest ways round discs and walls: along their rims, and on tangents from rim to rim.

A taut string touches a disc only where it leaves or joins it tangentially, so the shortest way runs along
common tangents and arcs; walls take part with a disc at each corner. Rims are worked out when first reached
and kept, so that many ways over one ground share them.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray

from geometry.base import Bools, Floats
from geometry.clearance import CLEAR, SLACK, Leg, Obstacles
from geometry.spot import SAME, Edges, meeting, on_lines, rim, union_of

Point = tuple[float, float]
Ints = NDArray[np.intp]
TURNED = 1e-7
"""A rounding error of an angle on a rim."""
SLIVER = 1e-4
"""A stretch that is shut and no wider than this, in radians, may be a rounding error of an arrival."""
START, GOAL = -1, -2


@dataclass(frozen=True, slots=True)
class Tangents:
    """Clear straight ways: the angle at which each leaves a rim, to which rim and angle it leads, how far."""

    leaves: Floats
    disc: Ints
    turn: Ints
    arrives: Floats
    length: Floats
    end: Floats


@dataclass(frozen=True, slots=True)
class Rim:
    """One way round a disc: the tangents that leave it, and the stretches of angle that are shut."""

    tangents: Tangents
    low: Floats
    width: Floats

    def open_ahead(self, angle: float, turn: int) -> float:
        """Return how far round, in radians, the rim is open from an angle."""
        if not len(self.low):
            return math.tau
        inside = (angle - self.low) % math.tau
        if ((inside > TURNED) & (inside < self.width - TURNED)).any():
            return 0.0
        edge = self.low if turn > 0 else self.low + self.width
        ahead = ((edge - angle) * turn) % math.tau
        ahead = np.where(ahead > math.tau - TURNED, 0.0, ahead)
        return float(ahead.min())

    def shut_ahead(self, angle: float, turn: int) -> float:
        """Return how far round, in radians, the stretch that is shut at an angle ends."""
        inside = (angle - self.low) % math.tau
        left = (self.width - inside if turn > 0 else inside)[inside < self.width]
        return float(left.min(initial=math.tau))


class Roadmap:
    """The ways of bases of one radius among obstacles, none of which holds an end of them."""

    def __init__(self, obstacles: Obstacles) -> None:
        """Take the obstacles."""
        self.free = obstacles
        radius = obstacles.radius
        corners = [corner for wall in obstacles.walls for corner in _convex(wall)]
        self.centre = np.vstack([obstacles.centre, np.array(corners).reshape(-1, 2)])
        self.reach = np.concatenate([obstacles.reach, np.full(len(corners), radius)])
        self._rims: dict[tuple[int, int], Rim] = {}
        self._shut: dict[int, tuple[Floats, Floats]] = {}

    def shortest(self, start: Point, goal: Point) -> tuple[Leg, ...] | None:
        """Return the legs of the shortest way; None where there is none."""
        return _Search(self, start, goal).legs()

    def rim(self, disc: int, turn: int) -> Rim:
        """Return a disc's rim in one sense: 1 counter-clockwise, -1 clockwise."""
        key = (disc, turn)
        if key not in self._rims:
            if disc not in self._shut:
                self._shut[disc] = self._shut_stretches(disc)
            self._rims[key] = Rim(self._tangents(disc, turn), *self._shut[disc])
        return self._rims[key]

    def open_ahead(self, rim_: Rim, disc: int, angle: float, turn: int) -> float:
        """Return how far round a rim is open from an angle.

        Where a tangent arrives from close by, rounding turns it a little: a sliver that is shut, but by
        no more than rounding, is passed.
        """
        found = rim_.open_ahead(angle, turn)
        if found > 0:
            return found
        sliver = rim_.shut_ahead(angle, turn)
        if sliver > SLIVER or not self._open(disc, self._on(np.array([disc]), np.array([angle])))[0]:
            return found
        return sliver + rim_.open_ahead(angle + turn * sliver, turn)

    def from_point(self, point: Point) -> Tangents:
        """Return the clear tangents from a point to all rims."""
        disc, turn = np.tile(np.arange(len(self.reach)), 2), np.repeat([1, -1], len(self.reach))
        touch, angle = self._touched(point, disc, -turn)
        return self._kept(np.zeros(len(disc)), disc, turn, angle, np.array(point), touch)

    def to_point(self, disc: int, turn: int, point: Point) -> tuple[float, float] | None:
        """Return the angle at which the tangent to a point leaves a rim, and its length, if it is clear."""
        touch, angle = self._touched(point, np.array([disc]), np.array([turn]))
        if np.isnan(angle[0]) or not self.free.clear(touch, np.array([point]))[0]:
            return None
        return float(angle[0]), math.dist(touch[0], point)

    def _touched(self, point: Point, disc: Ints, side: Ints) -> tuple[Floats, Floats]:
        """Return where tangents through a point touch discs, NaN where the point is inside.

        Seen from the centre the touching point is turned from the point, against `side`.
        """
        off = np.array(point) - self.centre[disc]
        apart = np.hypot(*off.T)
        reach = self.reach[disc]
        lean = np.arccos(np.minimum(1.0, reach / np.maximum(apart, SAME)))
        angle = np.arctan2(off[:, 1], off[:, 0]) - side * lean
        angle = np.where(apart < reach - CLEAR, np.nan, angle)
        return self._on(disc, angle), angle

    def _on(self, disc: Ints, angle: Floats) -> Floats:
        way = np.stack([np.cos(angle), np.sin(angle)], axis=1)
        return np.asarray(self.centre[disc] + self.reach[disc][:, None] * way)

    def _kept(
        self, leaves: Floats, disc: Ints, turn: Ints, arrives: Floats, start: Floats, end: Floats
    ) -> Tangents:
        start = np.broadcast_to(start, end.shape)
        rows = np.flatnonzero(np.isfinite(arrives))
        rows = rows[self.free.clear(start[rows], end[rows])]
        length = np.hypot(*(end[rows] - start[rows]).T)
        return Tangents(leaves[rows], disc[rows], turn[rows], arrives[rows], length, end[rows])

    def _tangents(self, disc: int, turn: int) -> Tangents:
        """Return the clear tangents from one rim to all others."""
        others = np.flatnonzero(np.arange(len(self.reach)) != disc)
        other, sense = np.tile(others, 2), np.repeat([1, -1], len(others))
        off = self.centre[other] - self.centre[disc]
        apart = np.hypot(*off.T)
        # Along the tangent, each disc lies on the left for a counter-clockwise turn.
        lean = turn * self.reach[disc] - sense * self.reach[other]
        exists = apart > np.abs(lean) + 1e-9
        other, sense, off = other[exists], sense[exists], off[exists]
        along = np.arctan2(off[:, 1], off[:, 0]) + np.arcsin(lean[exists] / apart[exists])
        leaves = along - turn * math.pi / 2
        arrives = along - sense * math.pi / 2
        start = self._on(np.full(len(other), disc), leaves)
        return self._kept(leaves, other, sense, arrives, start, self._on(other, arrives))

    def _shut_stretches(self, disc: int) -> tuple[Floats, Floats]:
        """Return where the rim of a disc is shut: the angles at which stretches begin, and their widths."""
        centre, reach = self.centre[disc], self.reach[disc]
        edges = self._edges
        same = np.zeros(len(edges.reach), dtype=np.intp)
        points = np.vstack(
            [
                meeting(centre[None][same], reach[None][same], edges.centre, edges.reach).reshape(-1, 2),
                on_lines(edges.start, edges.end, centre[None], reach[None]),
            ]
        )
        off = points - centre
        angles = np.unique(np.arctan2(off[:, 1], off[:, 0]) % math.tau)
        if not len(angles):
            angles = np.zeros(1)
        width = np.diff(np.append(angles, angles[0] + math.tau))
        middle = self._on(np.full(len(angles), disc), angles + width / 2)
        shut = ~self._open(disc, middle) & (width > TURNED)
        return angles[shut], width[shut]

    @property
    def _edges(self) -> Edges:
        free = self.free
        (x0, y0), (x1, y1) = free.low, free.high
        corner = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
        found = Edges(free.centre, free.reach, corner, np.roll(corner, -1, axis=0))
        return found.joined(rim(free.walls, free.radius, inside=False)) if free.walls else found

    def _open(self, disc: int, xy: Floats) -> Bools:
        """Return which points on a disc's rim lie in no other obstacle."""
        free = self.free
        good = ((xy >= free.low - CLEAR) & (xy <= free.high + CLEAR)).all(axis=1)
        if len(free.reach):
            off = xy[:, None] - free.centre[None]
            near = np.hypot(off[..., 0], off[..., 1]) < free.reach - SLACK
            if disc < len(free.reach):
                near[:, disc] = False
            good &= ~near.any(axis=1)
        if free.walls:
            good &= ~shapely.dwithin(union_of(free.walls), shapely.points(xy), free.radius - CLEAR)
        return np.asarray(good)


def _convex(wall: tuple[Point, ...]) -> list[Point]:
    """Return the corners of a wall round which a way may turn."""
    corner = np.array(wall)
    before, after = corner - np.roll(corner, 1, axis=0), np.roll(corner, -1, axis=0) - corner
    turn = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
    area = float((corner[:, 0] * np.roll(corner[:, 1], -1) - corner[:, 1] * np.roll(corner[:, 0], -1)).sum())
    return [wall[i] for i in np.flatnonzero(turn * area > 0)]


@dataclass(frozen=True, slots=True)
class _Step:
    """An arrival on a rim, and how it came there."""

    disc: int
    turn: int
    angle: float
    far: float
    before: int
    leaves: float


class _Search:
    """One search for a way: the nearest to the goal first."""

    def __init__(self, roadmap: Roadmap, start: Point, goal: Point) -> None:
        self.map, self.start, self.goal = roadmap, start, np.array(goal)
        self.steps: list[_Step] = []
        self.queue: list[tuple[float, int]] = []
        self.best: dict[tuple[int, int], Floats] = {}
        self.goals: dict[tuple[int, int], tuple[float, float] | None] = {}

    def legs(self) -> tuple[Leg, ...] | None:
        """Return the legs of the shortest way."""
        point = (float(self.goal[0]), float(self.goal[1]))
        first = self.map.from_point(self.start)
        self._add(first, np.arange(len(first.disc)), first.length, -1)
        while self.queue:
            _, number = heapq.heappop(self.queue)
            step = self.steps[number]
            if step.disc == GOAL:
                return self._traced(step, point)
            self._expand(number, step, point)
        return None

    def _add(self, tangents: Tangents, rows: Ints, far: Floats, before: int) -> None:
        """Put arrivals in the queue."""
        ahead = far + np.hypot(*(tangents.end[rows] - self.goal).T)
        for row, gone, total in zip(rows.tolist(), far.tolist(), ahead.tolist(), strict=True):
            heapq.heappush(self.queue, (total, len(self.steps)))
            self.steps.append(
                _Step(
                    int(tangents.disc[row]),
                    int(tangents.turn[row]),
                    float(tangents.arrives[row]),
                    gone,
                    before,
                    float(tangents.leaves[row]),
                )
            )

    def _expand(self, number: int, step: _Step, point: Point) -> None:
        key = (step.disc, step.turn)
        rim_ = self.map.rim(*key)
        if key not in self.best:
            self.best[key] = np.full(len(rim_.tangents.disc), np.inf)
            self.goals[key] = self.map.to_point(*key, point)
        reach = float(self.map.reach[step.disc])
        open_ahead = self.map.open_ahead(rim_, step.disc, step.angle, step.turn) + TURNED
        ahead = _turned(rim_.tangents.leaves, step)
        far = step.far + ahead * reach + rim_.tangents.length
        best = self.best[key]
        rows = np.flatnonzero((ahead <= open_ahead) & (far < best - 1e-12))
        best[rows] = far[rows]
        self._add(rim_.tangents, rows, far[rows], number)
        last = self.goals[key]
        if last is not None:
            turned = float(_turned(np.array([last[0]]), step)[0])
            if turned <= open_ahead:
                total = step.far + turned * reach + last[1]
                heapq.heappush(self.queue, (total, len(self.steps)))
                self.steps.append(_Step(GOAL, 0, 0.0, total, number, last[0]))

    def _traced(self, step: _Step, point: Point) -> tuple[Leg, ...]:
        legs: list[Leg] = [point]
        while step.before >= 0:
            on = self.steps[step.before]
            x, y = (float(v) for v in self.map.centre[on.disc])
            reach = float(self.map.reach[on.disc])
            if float(_turned(np.array([step.leaves]), on)[0]) * reach > 1e-9:
                leave = (x + reach * math.cos(step.leaves), y + reach * math.sin(step.leaves))
                legs.append((*leave, x, y, float(on.turn)))
            legs.append((x + reach * math.cos(on.angle), y + reach * math.sin(on.angle)))
            step = on
        return tuple(reversed(legs))


def _turned(leaves: Floats, step: _Step) -> Floats:
    """Return how far round from an arrival the way leaves, in radians."""
    ahead = ((leaves - step.angle) * step.turn) % math.tau
    return np.asarray(np.where(ahead > math.tau - TURNED, 0.0, ahead))
