"""The shortest legal way of a base of any shape, any-angle, with true arcs, climbs and flights.

Owns how paths are found at a fixed facing; their check is `geometry.path.checker`'s, a pivot
`geometry.path.pivoting`'s, a unit's move as one problem `geometry.group.group_move`'s.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import msgspec
import numpy as np
from msgspec.structs import replace

from geometry.path.blockage import Blocked, blockers
from geometry.path.checker import Turned, check_path, check_paths, faults_of_legs, first_height
from geometry.path.climbing import Climbs, Legs
from geometry.path.elevation import Rise, shadow_edges
from geometry.path.goal_set import spot_of
from geometry.path.graph_search import nearest, shortest
from geometry.path.ground import Ground, without
from geometry.path.lazy_obstacles import among_few
from geometry.path.obstacles import (
    SLACK,
    Obstacles,
    as_stance,
)
from geometry.path.path import Path, Point
from geometry.path.resting import climbed_to, faults_of_resting, over
from geometry.path.visibility_graph import Roadmap
from geometry.shape.arrangement import Edges, between
from geometry.shape.base import TOLERANCE
from geometry.shape.cached import cached_property
from geometry.shape.convex_shape import NOTHING, Outlines, Stance
from geometry.shape.nearby import directions

__all__ = [
    "Blocked",
    "Path",
    "Turned",
    "Ways",
    "check_path",
    "check_paths",
    "distance",
    "first_height",
    "path",
    "way",
]


class Ascent(msgspec.Struct, frozen=True):
    """A way with what it climbs."""

    path: Path
    over: tuple[Rise, ...] = ()


class Ways:
    """The shortest ways of bases of one stance over one ground."""

    def __init__(self, base: Stance | float, ground: Ground) -> None:
        """Take how the bases stand (a round one's radius is enough) and the ground."""
        self.stance, self.ground = as_stance(base), ground
        self.obstacles = Obstacles.of(self.stance, ground)
        self._grounds: dict[tuple[object, ...], Ways] = {}
        self._maps: dict[tuple[object, ...], Roadmap] = {}

    def shortest(
        self, start: Sequence[float], goal: Sequence[float], limit: float = math.inf
    ) -> Path | Blocked:
        """Return the shortest way to a point, whether or not the base may stand there.

        Obstacles that hold the goal are entered straight to it: cut the path where it enters them to come
        as near as possible. Obstacles that hold the start are ignored. No way longer than the limit need be
        found.
        """
        a, b = (float(start[0]), float(start[1])), (float(goal[0]), float(goal[1]))
        if math.dist(a, b) <= SLACK:
            return Path(a)
        if self.obstacles.is_clear(a, b):
            return Path(a, (b,))
        free = self.obstacles.freed(a, b)
        if free is not self.obstacles and free.is_clear(a, b):
            return Path(a, (b,))

        def find(some: Obstacles) -> Legs | None:
            return shortest(self._map(some), a, b, limit + TOLERANCE)

        return self._found(free, a, b, spot_of(b), limit, find)

    def nearest(self, start: Sequence[float], rings: Outlines, limit: float = math.inf) -> Path | Blocked:
        """Return the shortest way into any of some rings, whether or not the base may stand there.

        What holds the start is ignored. No way longer than the limit need be found.
        """
        a = (float(start[0]), float(start[1]))
        at = np.broadcast_to(np.array(a), rings.xy.shape)
        far, face = directions(rings, at)
        row = int(far.argmin())
        if far[row] <= 0.0:
            return Path(a)
        b: Point = tuple((at[row] - far[row] * face[row]).tolist())
        near = far <= limit + 2 * TOLERANCE
        near[row] = True
        rings = rings if near.all() else rings.take(near)
        free = self.obstacles.freed(a)
        if free.is_clear(a, b):
            return Path(a, (b,))

        def find(some: Obstacles) -> Legs | None:
            return nearest(self._map(some), a, rings, limit + TOLERANCE)

        return self._found(free, a, b, rings, limit, find)

    def _found(
        self,
        free: Obstacles,
        start: Point,
        straight: Point,
        goals: Outlines,
        limit: float,
        find: Callable[[Obstacles], Legs | None],
    ) -> Path | Blocked:
        """Return the shortest way that is not straight; a long base's, whose rims are dear, among few."""
        if self.stance.core.is_point:
            legs = find(free)
        elif math.dist(start, straight) > limit + TOLERANCE:
            legs = None
        else:
            legs = among_few(free, start, straight, goals, limit, find)
        return (
            Path(start, legs) if legs else Blocked("every way is closed by models, walls or the board's edge")
        )

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
        best: Path | Blocked = Blocked("every way is closed by models, walls or the board's edge")
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

    def on(self, ground: Ground) -> Ways:
        """Return the ways of these bases on another ground."""
        key = (ground.walls, *(shapes.xy.tobytes() for shapes in (ground.solid, ground.avoid)))
        if key not in self._grounds:
            self._grounds[key] = Ways(self.stance, ground)
        return self._grounds[key]

    @cached_property
    def _whole(self) -> Roadmap:
        return Roadmap(self.obstacles.pruned())

    def _map(self, free: Obstacles) -> Roadmap:
        if free is self.obstacles:
            return self._whole
        if free.key not in self._maps:
            self._maps[free.key] = Roadmap(free.pruned())
        return self._maps[free.key]


class _Landing:
    """The shortest flat ways into rings that end over nothing that might have been climbed."""

    def __init__(self, ways: Ways, rings: Outlines, closed: Sequence[Rise], bases: Outlines) -> None:
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
    """Return the shortest way to a point, as `Ways` finds it, or what is in the straight one."""
    return _told(Ways(base, ground).shortest(start, goal), as_stance(base), start, goal, ground)


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
    found: Path | Blocked = Ways(base, ground).climbing(start, goal, limit)
    if isinstance(found, Path) and found.length > limit + TOLERANCE:
        found = Blocked(f"the shortest path is {found.length:.4f} inches, longer than {limit:g}")
    return _told(found, as_stance(base), start, goal, ground)


def distance(base: Stance | float, start: Sequence[float], goal: Sequence[float], ground: Ground) -> float:
    """Return the length of the shortest way to a point, infinite where there is none."""
    found = way(base, start, goal, ground)
    return found.length if isinstance(found, Path) else math.inf
