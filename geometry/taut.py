"""The shortest way round known obstacles: tangents between their discs, and arcs along them.

A taut string touches discs only where it leaves or joins them tangentially, so the shortest way runs along
common tangents and arcs; walls take part with a disc at each corner.
"""

from __future__ import annotations

import heapq
import math
from collections import defaultdict
from collections.abc import Sequence

import numpy as np
import shapely

from geometry.base import Floats
from geometry.clearance import (
    SLACK,
    Leg,
    Obstacles,
    arc_extremes,
    arc_to_wall,
    leg_length,
    segment_distance,
    solid_of,
)

Point = tuple[float, float]
Rim = tuple[int, int]
"""A disc and the sense in which the way runs round it: 1 counter-clockwise, -1 clockwise."""
Spot = tuple[Rim | None, Point]
Arc = tuple[Rim, Point, Leg]
EDGE = 1e-9


def taut(
    start: Point, goal: Point, obstacles: Obstacles, discs: Sequence[int], walls: Sequence[int]
) -> tuple[Leg, ...] | None:
    """Return the legs of the shortest way round these discs and walls; None where there is none."""
    return _Strings(start, goal, obstacles, discs, walls).shortest()


class _Strings:
    """The graph of tangents and arcs round some obstacles."""

    def __init__(
        self, start: Point, goal: Point, obstacles: Obstacles, discs: Sequence[int], walls: Sequence[int]
    ) -> None:
        self.start, self.goal = start, goal
        self.low, self.high = obstacles.low, obstacles.high
        self.radius = obstacles.radius
        self.walls = [obstacles.walls[i] for i in walls]
        corners = [corner for wall in self.walls for corner in wall]
        self.centre = np.array([*(obstacles.centre[i] for i in discs), *corners]).reshape(-1, 2)
        self.reach = np.array([*(obstacles.reach[i] for i in discs), *[obstacles.radius] * len(corners)])
        self.blocking = len(discs)
        spots = shapely.points(self.centre)
        far = [shapely.distance(solid_of(wall), spots) for wall in self.walls]
        self.near = [
            [
                wall
                for wall, apart in zip(self.walls, far, strict=True)
                if apart[i] < self.reach[i] + self.radius
            ]
            for i in range(len(self.reach))
        ]

    def shortest(self) -> tuple[Leg, ...] | None:
        """Return the legs of the shortest way through the graph."""
        edges = self._edges()
        came: dict[Spot, tuple[Spot, Leg]] = {}
        best: dict[Spot, float] = {(None, self.start): 0.0}
        queue: list[tuple[float, int, float, Spot]] = [(0.0, 0, 0.0, (None, self.start))]
        count = 0
        while queue:
            _, _, far, spot = heapq.heappop(queue)
            if spot == (None, self.goal):
                return self._legs(came, spot)
            if far > best[spot]:
                continue
            for length, leg, following in edges[spot]:
                total = far + length
                if total < best.get(following, math.inf) - 1e-12:
                    best[following] = total
                    came[following] = (spot, leg)
                    count += 1
                    ahead = total + math.dist(following[1], self.goal)
                    heapq.heappush(queue, (ahead, count, total, following))
        return None

    @staticmethod
    def _legs(came: dict[Spot, tuple[Spot, Leg]], spot: Spot) -> tuple[Leg, ...]:
        legs: list[Leg] = []
        while spot in came:
            spot, leg = came[spot]
            legs.append(leg)
        return tuple(reversed(legs))

    def _edges(self) -> dict[Spot, list[tuple[float, Leg, Spot]]]:
        edges: dict[Spot, list[tuple[float, Leg, Spot]]] = defaultdict(list)
        arrivals: dict[Rim, set[Point]] = defaultdict(set)
        departures: dict[Rim, set[Point]] = defaultdict(set)
        for a, b in self._clear(self._tangents()):
            edges[a].append((math.dist(a[1], b[1]), b[1], b))
            if a[0] is not None:
                departures[a[0]].add(a[1])
            if b[0] is not None:
                arrivals[b[0]].add(b[1])
        arcs = [arc for rim in sorted(arrivals) for arc in self._arcs(rim, arrivals[rim] | departures[rim])]
        for (rim, here, leg), is_clear in zip(arcs, self._arcs_clear(arcs), strict=True):
            if is_clear:
                there = (rim, (leg[0], leg[1]))
                edges[(rim, here)].append((leg_length(here, leg), leg, there))
        return edges

    def _tangents(self) -> list[tuple[Spot, Spot]]:
        found: list[tuple[Spot, Spot]] = [((None, self.start), (None, self.goal))]
        for i in range(len(self.reach)):
            for turn in (1, -1):
                leaving = _touch(self.start, self.centre[i], self.reach[i], turn, arriving=True)
                if leaving is not None:
                    found.append(((None, self.start), ((i, turn), leaving)))
                coming = _touch(self.goal, self.centre[i], self.reach[i], turn, arriving=False)
                if coming is not None:
                    found.append((((i, turn), coming), (None, self.goal)))
        for i in range(len(self.reach)):
            for j in range(len(self.reach)):
                if i != j:
                    found += self._between(i, j)
        return found

    def _between(self, i: int, j: int) -> list[tuple[Spot, Spot]]:
        """Return the tangents from disc i to disc j, for each pair of senses."""
        dx, dy = self.centre[j] - self.centre[i]
        apart = math.hypot(dx, dy)
        found: list[tuple[Spot, Spot]] = []
        for a in (1, -1):
            for b in (1, -1):
                # Along the tangent, each disc lies on the left for a counter-clockwise turn.
                off = a * self.reach[i] - b * self.reach[j]
                if apart <= abs(off) + EDGE:
                    continue
                angle = math.atan2(dy, dx) + math.asin(max(-1.0, min(1.0, off / apart)))
                normal = (math.sin(angle), -math.cos(angle))
                from_ = self._on(i, normal, a)
                to = self._on(j, normal, b)
                found.append((((i, a), from_), ((j, b), to)))
        return found

    def _on(self, i: int, normal: Point, turn: int) -> Point:
        x, y = self.centre[i]
        return (
            float(x + turn * self.reach[i] * normal[0]),
            float(y + turn * self.reach[i] * normal[1]),
        )

    def _clear(self, tangents: list[tuple[Spot, Spot]]) -> list[tuple[Spot, Spot]]:
        """Return those of the tangents that run into nothing."""
        ends = np.array([[a[1], b[1]] for a, b in tangents])
        clear = ((ends >= self.low - SLACK) & (ends <= self.high + SLACK)).all(axis=(1, 2))
        near = segment_distance(ends, self.centre[: self.blocking]) < self.reach[: self.blocking] - SLACK
        clear &= ~near.any(axis=1)
        lines = shapely.linestrings(ends)
        for wall in self.walls:
            clear &= shapely.distance(lines, solid_of(wall)) >= self.radius - SLACK
        return [tangent for tangent, is_clear in zip(tangents, np.asarray(clear), strict=True) if is_clear]

    def _arcs(self, rim: Rim, points: set[Point]) -> list[Arc]:
        """Return the arcs from each of the points on a rim to the next along it."""
        i, turn = rim
        x, y = (float(v) for v in self.centre[i])
        order = sorted(points, key=lambda p: (math.atan2(p[1] - y, p[0] - x) * turn, p))
        if len(order) < 2:
            return []
        pairs = zip(order, [*order[1:], order[0]], strict=True)
        return [(rim, a, (b[0], b[1], x, y, float(turn))) for a, b in pairs]

    def _arcs_clear(self, arcs: list[Arc]) -> list[bool]:
        """Return which of the arcs run into no other disc, no wall and not off the board."""
        if not arcs:
            return []
        near = arcs_distance(arcs, self.centre[: self.blocking]) < self.reach[: self.blocking] - SLACK
        own = np.array([rim[0] for rim, _, _ in arcs])
        on_disc = own < self.blocking
        near[np.flatnonzero(on_disc), own[on_disc]] = False
        clear = ~near.any(axis=1)
        return [
            bool(is_clear) and self._inside(a, leg) and self._off_walls(rim[0], a, leg)
            for (rim, a, leg), is_clear in zip(arcs, np.asarray(clear), strict=True)
        ]

    def _off_walls(self, i: int, start: Point, leg: Leg) -> bool:
        return all(arc_to_wall(start, leg, wall) >= self.radius - SLACK for wall in self.near[i])

    def _inside(self, start: Point, leg: Leg) -> bool:
        spread = np.array([start, leg[:2], *arc_extremes(start, leg)])
        return bool(((spread >= self.low - SLACK) & (spread <= self.high + SLACK)).all())


def arcs_distance(arcs: list[Arc], points: Floats) -> Floats:
    """Return the distances from arcs to points (k, 2), shape (arcs, k)."""
    start = np.array([a for _, a, _ in arcs])
    legs = np.array([leg for _, _, leg in arcs])
    end, centre, turn = legs[:, :2], legs[:, 2:4], legs[:, 4]
    first = np.arctan2(*(start - centre).T[::-1])
    sweep = ((np.arctan2(*(end - centre).T[::-1]) - first) * turn) % math.tau
    off = points[None] - centre[:, None]
    ahead = ((np.arctan2(off[..., 1], off[..., 0]) - first[:, None]) * turn[:, None]) % math.tau
    along = np.abs(np.hypot(off[..., 0], off[..., 1]) - np.hypot(*(end - centre).T)[:, None])
    ends = np.minimum(*(np.hypot(*(points[None] - p[:, None]).transpose(2, 0, 1)) for p in (start, end)))
    return np.asarray(np.where(ahead <= sweep[:, None] + 1e-12, along, ends))


def _touch(point: Point, centre: Floats, reach: float, turn: int, arriving: bool) -> Point | None:
    """Return where the tangent through a point touches a disc, for a way that runs round it in a sense."""
    dx, dy = float(centre[0]) - point[0], float(centre[1]) - point[1]
    apart = math.hypot(dx, dy)
    reach = float(reach)
    if apart < reach - EDGE:
        return None
    lean = math.acos(min(1.0, reach / apart))
    # Seen from the centre, the touching point is turned from the point by the lean: before it for a way
    # that arrives counter-clockwise, after it for one that leaves so.
    angle = math.atan2(-dy, -dx) + (turn if arriving else -turn) * lean
    return (float(centre[0]) + reach * math.cos(angle), float(centre[1]) + reach * math.sin(angle))
