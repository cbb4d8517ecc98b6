"""The shortest legal way of a base of any shape, any-angle, with true arcs, climbs and flights.

Owns how paths are found at a fixed facing; their check is `geometry.path.checker`'s, a pivot
`geometry.path.pivoting`'s, a unit's move as one problem `geometry.group.group_move`'s.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache

import msgspec
import numpy as np
from msgspec.structs import replace

from geometry.core.distance_map import DistanceMap
from geometry.core.search import Search
from geometry.core.shapes import Shapes
from geometry.core.tangents import VisibilityGraph
from geometry.core.targets import Targets
from geometry.path.blockage import Blocked, blockers
from geometry.path.checker import Turned, check_path, check_paths, faults_of_legs, first_height
from geometry.path.climbing import Climbs, Legs
from geometry.path.core_obstacles import Box, graph_of, shapes_of, spot_of
from geometry.path.elevation import Rise, shadow_edges
from geometry.path.ground import Ground, without
from geometry.path.obstacles import (
    SLACK,
    Obstacles,
    as_stance,
)
from geometry.path.path import Path, Point
from geometry.path.resting import climbed_to, faults_of_resting, over
from geometry.shape.arrangement import Edges, between
from geometry.shape.base import TOLERANCE
from geometry.shape.cached import cached_property
from geometry.shape.convex_shape import NOTHING, Outlines, Stance

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


class Ascent(msgspec.Struct, frozen=True):
    """A way with what it climbs."""

    path: Path
    over: tuple[Rise, ...] = ()


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
        far = math.dist(a, b)
        if far <= SLACK:
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

    def distances_to(self, targets: Outlines, box: Box) -> DistanceMap:
        """Return a map of distances to the nearest of some targets, quickest in a box.

        A target of radius 0 that is no line is a point; if there is one alone, what holds the point is left
        out. A place that an obstacle holds has no way.
        """
        graph = self.graph
        if len(targets) == 1 and not targets.core and targets.radius[0] == 0.0:
            graph = self.graph_from((float(targets.xy[0, 0]), float(targets.xy[0, 1])))
        return DistanceMap(graph, Targets(graph, shapes_of(targets)), box)

    def climbing(
        self, start: Sequence[float], goal: Sequence[float], limit: float = math.inf
    ) -> Path | Blocked:
        """Return the shortest way from (x, y, z) to (x, y, z) that may climb, if one is within the limit.

        Who flies goes straight through space. Rule: CORE.MOVE.8, CORE.MOVE.9.
        """
        a, z = (float(start[0]), float(start[1])), float(start[2]) if len(start) > 2 else 0.0
        if self.ground.flies:
            end = (float(goal[0]), float(goal[1]), float(goal[2]) if len(goal) > 2 else 0.0)
            straight = abs(end[2] - z) <= TOLERANCE
            return Path(a, (end[:2] if straight else end,) if math.dist((*a, z), end) > SLACK else (), z)
        z = climbed_to(self.ground, z)
        if not self.ground.rises:
            return self.shortest(start, goal)

        def is_legal(legs: Legs) -> bool:
            return not check_path(Path(a, legs, z), self.stance, start, math.inf, self.ground)

        found = Climbs(self.ground, self.stance, self._flat, is_legal).shortest(start, goal, limit)
        if found is None:
            return Blocked("every way within the limit is closed by models, walls or the board's edge")
        return Path(a, found.legs, z)

    def climbing_into(
        self, start: Sequence[float], rings: Outlines, limit: float = math.inf
    ) -> Path | Blocked:
        """Return the shortest way from (x, y, z) into any of some rings that may climb, as `climbing` does.

        It ends on the ground, not in a wall that it might have climbed.
        """
        found = self.ascent_into(start, rings, limit)
        if found is None:
            return Blocked("every way within the limit is closed by models, walls or the board's edge")
        return found.path

    def ascent_into(
        self,
        start: Sequence[float],
        rings: Outlines,
        limit: float = math.inf,
        level: bool = True,
        bases: Outlines = NOTHING,
    ) -> Ascent | None:
        """Return that way with what it climbs, None where none is within the limit.

        Without `level` only ways that climb are looked for. The `bases` that the rings are about are in the
        way only within these.
        """
        a, z = (float(start[0]), float(start[1])), float(start[2]) if len(start) > 2 else 0.0
        z = climbed_to(self.ground, z)
        if self.ground.flies or not self.ground.rises:
            flown = self.nearest(start, rings, limit)
            return Ascent(flown) if isinstance(flown, Path) else None
        walls = set(self.ground.walls)
        closed = [
            r for r in self.ground.rises if r.height > self.ground.free + TOLERANCE and r.polygon in walls
        ]
        landing = _Landing(self, rings, closed, bases)

        def flat(ground: Ground, here: Point, _: Point, most: float) -> Legs | None:
            found = landing.nearest(ground, here, most)
            return found.legs if isinstance(found, Path) else None

        def is_legal(legs: Legs) -> bool:
            found = Path(a, legs, z)
            return not faults_of_legs(found, [self.stance] * len(found.points), self.ground)

        climbs = Climbs(self.ground, self.stance, flat, is_legal)
        best = climbs.shortest(start, None, limit, level)
        return None if best is None else Ascent(Path(a, best.legs, z), climbs.over(best))

    def shortest_of(self, start: Point, goals: Sequence[Point], limit: float = math.inf) -> Path | Blocked:
        """Return the shortest of the ways to some points."""
        best: Path | Blocked = CLOSED
        for goal in sorted(goals, key=lambda goal: math.dist(start, goal)):
            if math.dist(start, goal) >= limit:
                break
            found = self.shortest(start, goal, limit)
            if isinstance(found, Path) and found.length < limit:
                best, limit = found, found.length
        return best

    def _flat(self, ground: Ground, start: Point, goal: Point, _: float) -> Legs | None:
        """Return the legs of the shortest way over another ground, however long."""
        found = self.on(ground).shortest(start, goal)
        return found.legs if isinstance(found, Path) else None

    def on(self, ground: Ground) -> ShortestPaths:
        """Return the ways of these bases on another ground."""
        return shortest_paths(self.stance, ground)


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
        self._key = (ground.size, ground.walls, *parts)

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
    return ShortestPaths(stance, Ground(ground.size, ground.walls, solid=ground.solid, avoid=ground.avoid))


class _Landing:
    """The shortest flat ways into rings that end over nothing that might have been climbed."""

    def __init__(self, ways: ShortestPaths, rings: Outlines, closed: Sequence[Rise], bases: Outlines) -> None:
        self.ways, self.rings, self.closed, self.bases = ways, rings, closed, bases

    def nearest(self, ground: Ground, here: Point, most: float) -> Path | Blocked:
        """Return the shortest way over another ground; it need find none longer than `most`."""
        found = self.ways.on(without(ground, self.bases)).nearest(here, self.rings, most)
        if isinstance(found, Blocked):
            return found
        held = over(self.closed, self.ways.stance, np.array([found.end]))[0].tolist()
        under = tuple(rise.polygon for rise, is_over in zip(self.closed, held, strict=True) if is_over)
        shut = tuple(wall for wall in under if wall not in ground.walls)
        if not shut:
            return found
        # It ends beside what it would end over, or, with that for a wall, elsewhere.
        found = self.ways.on(ground).shortest_of(here, self._beside, most)
        most = found.length if isinstance(found, Path) else most
        other = self.nearest(replace(ground, walls=(*ground.walls, *shut)), here, most)
        return other if isinstance(other, Path) and other.length < most else found

    @cached_property
    def _beside(self) -> list[Point]:
        """Return where a base in one of the rings comes to stand beside one of the rises, and over none."""
        edges = Edges.of(self.rings)
        found = [between(edges, shadow_edges(rise.polygon, self.ways.stance)) for rise in self.closed]
        spots = np.vstack([np.empty((0, 2)), *found])
        return [(x, y) for x, y in spots[self.ways.obstacles.clear(spots, spots)].tolist()]


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
    """Return the shortest legal path to a point where the base may stand, if it is within the limit.

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
