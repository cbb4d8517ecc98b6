"""The shortest legal way of a base of any shape: any-angle, with arcs, climbs and flights.

Owns how paths are found at a fixed facing; their check is `geometry.path.checker`'s, a pivot
`geometry.path.pivoting`'s, a unit's move as one problem `geometry.group.group_move`'s.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache

from msgspec.structs import replace

from geometry.core.search import Search
from geometry.core.shapes import Shapes
from geometry.core.tangents import VisibilityGraph
from geometry.core.targets import Targets
from geometry.path.blockage import Blocked, blockers
from geometry.path.checker import Turned, check_path, check_paths, faults_of_legs, first_height
from geometry.path.climbing import Ends, raised, tries
from geometry.path.core_obstacles import graph_of, graph_with_homes, heights_of, spot_of
from geometry.path.ground import Ground
from geometry.path.obstacles import (
    Obstacles,
    as_stance,
)
from geometry.path.path import Path, Point
from geometry.path.resting import climbed_to, faults_of_resting
from geometry.portable import norm, span
from geometry.shape.cached import cached_property
from geometry.shape.convex_shape import Outlines, Stance
from geometry.shape.shape_table import shapes_of
from geometry.tolerance import LINE_SLACK_INCHES, ROUNDING, TOLERANCE

__all__ = [
    "Blocked",
    "Path",
    "ShortestPaths",
    "Turned",
    "check_path",
    "check_paths",
    "distance",
    "first_height",
    "path",
    "shortest_paths",
    "way",
]


CLOSED = Blocked("every way is closed by models, walls or the board's edge")


class ShortestPaths:
    """The shortest ways of bases of one stance over one ground, each kept once it is found."""

    def __init__(self, base: Stance | float, ground: Ground) -> None:
        """Take how the bases stand (a round one's radius is enough) and the ground."""
        self.stance, self.ground = as_stance(base), ground
        self.obstacles = Obstacles.of(self.stance, ground)
        self._freed: dict[Point, VisibilityGraph] = {}
        self._known: dict[tuple[object, ...], tuple[Path | Blocked, float]] = {}
        """Ways by what was asked, with the limit within which they were looked for."""

    def shortest(
        self, start: Sequence[float], goal: Sequence[float], limit: float = math.inf
    ) -> Path | Blocked:
        """Return the shortest way to a point, whether or not the base may stand there.

        Obstacles that hold the goal are entered straight to it: cut the path where it enters them to come
        as near as possible. Obstacles that hold the start are ignored. No way longer than the limit need be
        found.
        """
        a, b = (float(start[0]), float(start[1])), (float(goal[0]), float(goal[1]))
        return self._kept((a, b), limit, lambda: self._shortest(a, b, limit))

    def _shortest(self, a: Point, b: Point, limit: float) -> Path | Blocked:
        far = span(a, b)
        if far <= LINE_SLACK_INCHES:
            return Path(a)
        if far > limit + TOLERANCE:
            return CLOSED
        graph = self.graph_from(a).freed(*b)
        if graph.is_clear(*a, *b):
            return Path(a, (b,))
        return _searched(a, graph, spot_of(b), limit)

    def nearest(self, start: Sequence[float], rings: Outlines, limit: float = math.inf) -> Path | Blocked:
        """Return the shortest way into any of some rings, whether or not the base may stand there.

        What holds the start is ignored. No way longer than the limit need be found.
        """
        a = (float(start[0]), float(start[1]))
        asked = (a, rings.xy.tobytes(), rings.radius.tobytes(), rings.core)
        return self._kept(asked, limit, lambda: self._nearest(a, rings, limit))

    def _nearest(self, a: Point, rings: Outlines, limit: float) -> Path | Blocked:
        table = shapes_of(rings)
        least = table.least_gap(*a)
        if least <= 0.0:
            return Path(a)
        if least > limit + TOLERANCE:
            return CLOSED
        return _searched(a, self.graph_from(a), table, limit)

    def _kept(
        self, asked: tuple[object, ...], limit: float, find: Callable[[], Path | Blocked]
    ) -> Path | Blocked:
        """Return what was found before, if that answers for the limit too, or what is found now."""
        found, within = self._known.get(asked, (None, 0.0))
        # What is shortest within one limit is so within any, unless it is longer.
        if found is None or (found.length if isinstance(found, Path) else limit) > min(limit, within):
            found = find()
            self._known[asked] = found, limit
        return found

    def graph_from(self, start: Point) -> VisibilityGraph:
        """Return the visibility graph without what holds a point, shrunk where it only touches that."""
        if start not in self._freed:
            self._freed[start] = self.graph.freed(*start)
        return self._freed[start]

    @cached_property
    def graph(self) -> VisibilityGraph:
        """Return the visibility graph of all that is in the way."""
        return graph_of(self.obstacles)

    def climbing(
        self, start: Sequence[float], goal: Sequence[float], limit: float = math.inf
    ) -> Path | Blocked:
        """Return the shortest way within the limit between two places (x, y, z); it may climb.

        A base that flies goes straight through space.
        """
        a, z = (float(start[0]), float(start[1])), float(start[2]) if len(start) > 2 else 0.0
        if self.ground.flies:
            end = (float(goal[0]), float(goal[1]), float(goal[2]) if len(goal) > 2 else 0.0)
            straight = abs(end[2] - z) <= TOLERANCE
            moves = norm(end[0] - a[0], end[1] - a[1], end[2] - z) > LINE_SLACK_INCHES
            return Path(a, (end[:2] if straight else end,) if moves else (), z)
        if not self.ground.rises or (not z and self._goes_level(start, goal)):
            return self.shortest(start, goal, limit)
        return self._climbing(start, goal, spot_of((float(goal[0]), float(goal[1]))), limit)

    def _goes_level(self, start: Sequence[float], goal: Sequence[float]) -> bool:
        """Return whether the straight way between two points on the ground runs into nothing."""
        is_low = climbed_to(self.ground, float(goal[2]) if len(goal) > 2 else 0.0) == 0.0
        return is_low and self.graph.is_clear(
            float(start[0]), float(start[1]), float(goal[0]), float(goal[1])
        )

    def climbing_into(
        self, start: Sequence[float], rings: Outlines, limit: float = math.inf
    ) -> Path | Blocked:
        """Return the shortest way from (x, y, z) into any of some rings; it may climb.

        It ends on the ground, not in a wall that it might have climbed.
        """
        if self.ground.flies or not self.ground.rises:
            return self.nearest(start, rings, limit)
        return self._climbing(start, None, shapes_of(rings), limit)

    def _climbing(
        self, start: Sequence[float], goal: Sequence[float] | None, targets: Shapes, limit: float
    ) -> Path | Blocked:
        """Return the shortest way that may climb, to a goal or into targets on the ground."""
        ground, stance, best = self.ground, self.stance, None
        ends = Ends.of(ground, stance, start, goal or start[:2])
        for low, high, when in tries(ground, ends):
            graph = self.climbed_graph(low, high).freed(*ends.start)
            if goal is not None:
                graph = graph.freed(*ends.goal)
            if ends.homes:
                homes = {ground.rises[i].polygon: z for i, z in ends.homes.items()}
                graph = graph_with_homes(graph, homes, stance)
            most = min(limit, best.length - ROUNDING) if best else limit
            is_there = targets.least_gap(*ends.start) <= LINE_SLACK_INCHES
            flat = Path(ends.start) if is_there else _searched(ends.start, graph, targets, most)
            if isinstance(flat, Blocked):
                continue
            until = ends if goal is not None else Ends.of(ground, stance, start, flat.end)
            found = Path(ends.start, raised(flat.legs, until, ground, stance, when), ends.z0)
            if (best is None or found.length < best.length - ROUNDING) and self._is_legal(found):
                best = found
        if best is not None and best.length <= limit + TOLERANCE:
            return best
        return Blocked("every way within the limit is closed by models, walls or the board's edge")

    def _is_legal(self, found: Path) -> bool:
        """Return whether a way is legal among all that stands at any height, but for its end."""
        if self.ground.crowd is None:
            return True
        return not faults_of_legs(found, [self.stance] * len(found.points), self.ground)

    def climbed_graph(self, low: float = 0.0, high: float = 0.0) -> VisibilityGraph:
        """Return the visibility graph of what is in the way between two heights, or climbed."""
        return self.ground.kept(("climbed", self.stance, low, high), lambda: self._climbed_graph(low, high))

    def _climbed_graph(self, low: float, high: float) -> VisibilityGraph:
        ground = self.ground
        heights = heights_of(ground)
        if not heights and ground.crowd is None:
            return self.graph
        # What is climbed is on the way at each height.
        level = replace(ground.at(low, high), walls=ground.walls)
        return graph_of(Obstacles.of(self.stance, level), heights)


def _searched(start: Point, graph: VisibilityGraph, targets: Shapes, limit: float) -> Path | Blocked:
    """Return the shortest way from a point to any of some targets, if one is within the limit."""
    legs = Search(graph, Targets(graph, targets), *start).shortest(limit + TOLERANCE)
    return CLOSED if legs is None else Path(start, legs)


class _Kept:
    """A ground, equal to any other with the same in the way."""

    __slots__ = ("_key", "ground")

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        shapes = (ground.solid, ground.avoid)
        parts = [(each.xy.tobytes(), each.radius.tobytes(), each.core) for each in shapes]
        self._key = (ground.size, ground.walls, ground.rises, ground.free, *parts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Kept) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)


def shortest_paths(stance: Stance, ground: Ground) -> ShortestPaths:
    """Return the shortest ways over a ground, kept while nothing in the way has moved."""
    return _shortest_paths(stance, _Kept(ground))


@lru_cache(maxsize=32)
def _shortest_paths(stance: Stance, kept: _Kept) -> ShortestPaths:
    ground = kept.ground
    return ShortestPaths(stance, replace(ground, no_stand=(), area=(), shun=(), crowd=None))


def way(
    base: Stance | float, start: Sequence[float], goal: Sequence[float], ground: Ground
) -> Path | Blocked:
    """Return the shortest way to a point, or what is in the straight one."""
    return _told(ShortestPaths(base, ground).shortest(start, goal), as_stance(base), start, goal, ground)


def _told(
    found: Path | Blocked, stance: Stance, start: Sequence[float], goal: Sequence[float], ground: Ground
) -> Path | Blocked:
    """Return what was found, with what is in the way where that is none."""
    if isinstance(found, Path):
        return found
    return Blocked(found.reason, blockers(stance, start, goal, ground))


def path(
    base: Stance | float, start: Sequence[float], goal: Sequence[float], limit: float, ground: Ground
) -> Path | Blocked:
    """Return the shortest legal path within the limit to a point where the base may stand.

    Start and goal are (x, y), or (x, y, z) where the foot is above the ground.
    """
    faults = faults_of_resting(ground, goal, as_stance(base))
    if faults:
        taken = Blocked(f"the base may not stand there: {faults[0]}")
        return _told(taken, as_stance(base), goal, goal, ground)
    found: Path | Blocked = ShortestPaths(base, ground).climbing(start, goal, limit)
    if isinstance(found, Path) and found.length > limit + TOLERANCE:
        found = Blocked(f"the shortest path is {found.length:.4f} inches, longer than {limit:g}")
    return _told(found, as_stance(base), start, goal, ground)


def distance(base: Stance | float, start: Sequence[float], goal: Sequence[float], ground: Ground) -> float:
    """Return the length of the shortest way to a point, infinite where there is none."""
    found = way(base, start, goal, ground)
    return found.length if isinstance(found, Path) else math.inf
