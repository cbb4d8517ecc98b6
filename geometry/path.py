"""The shortest legal way of a base of any shape, any-angle, with true arcs, climbs and flights.

Owns paths, how they are found at a fixed facing, and their check; a pivot is `geometry.turning`'s, a unit's
move as one problem `geometry.group`'s.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import msgspec
import numpy as np
from msgspec.structs import replace

from geometry.base import TOLERANCE, Bools, Floats
from geometry.blocker import Blocked, blockers
from geometry.cached import cached_property
from geometry.clearance import (
    CLEAR,
    SLACK,
    Leg,
    Obstacles,
    arc_extremes,
    as_stance,
    leg_clearances,
    leg_length,
    part,
)
from geometry.climb import Climbs, Legs
from geometry.detour import among_few
from geometry.ground import Ground, may_stand
from geometry.height import climb_faults, hover_faults
from geometry.level import climbed_to, faults_of_resting, over
from geometry.outline import Outlines, Stance
from geometry.rise import Rise, shadow_edges
from geometry.roadmap import Roadmap
from geometry.search import nearest, shortest
from geometry.spot import Edges, between
from geometry.vicinity import directions

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

Point = tuple[float, float]
SPOT = 1e-3
"""A disc of this size stands for a point that may be closed off."""
Turned = Callable[[float], Stance]
"""How a base stands that faces this way, in degrees."""


class Path(msgspec.Struct, frozen=True):
    """A way of a base's centre from `start` along legs, beginning with its foot at height `z`.

    Heights of up to 2 inches are the ground to who climbs.
    """

    start: tuple[float, float]
    legs: tuple[Leg, ...] = ()
    z: float = 0.0

    @staticmethod
    def from_legs(start: Sequence[float], legs: Sequence[Leg]) -> Path:
        """Return the path of these legs from (x, y), or from (x, y, z)."""
        made = tuple(tuple(map(float, leg)) for leg in legs)
        return Path((float(start[0]), float(start[1])), made, float(start[2]) if len(start) > 2 else 0.0)

    @property
    def end(self) -> tuple[float, float]:
        """Return where it ends."""
        return (self.legs[-1][0], self.legs[-1][1]) if self.legs else self.start

    @property
    def points(self) -> tuple[tuple[float, float], ...]:
        """Return its start and the end of every leg."""
        return (self.start, *((leg[0], leg[1]) for leg in self.legs))

    @property
    def heights(self) -> tuple[float, ...]:
        """Return how high its foot is at its start and after every leg."""
        found = [self.z]
        for leg in self.legs:
            found.append(leg[2] if len(leg) == 3 else found[-1])
        return tuple(found)

    @property
    def end_z(self) -> float:
        """Return how high it ends."""
        return next((leg[2] for leg in reversed(self.legs) if len(leg) == 3), self.z)

    @property
    def spots(self) -> list[tuple[float, float, float]]:
        """Return its start and the end of every leg in space."""
        return [(*at, z) for at, z in zip(self.points, self.heights, strict=True)]

    @property
    def is_level(self) -> bool:
        """Return whether it stays on the ground."""
        return not self.z and all(len(leg) != 3 for leg in self.legs)

    @property
    def length(self) -> float:
        """Return its length."""
        return sum(leg_length(a, leg) for a, leg in zip(self._begins, self.legs, strict=False))

    @property
    def _begins(self) -> Sequence[tuple[float, ...]]:
        return self.points if self.is_level else self.spots

    def at(self, distance: float) -> Path:
        """Return the first part of this length; the whole where it is shorter."""
        left, legs = distance, []
        for a, leg in zip(self._begins, self.legs, strict=False):
            far = leg_length(a, leg)
            if far > left:
                if left > 0:
                    legs.append(part(a, leg, left / far))
                return Path(self.start, tuple(legs), self.z)
            legs.append(leg)
            left -= far
        return self


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

        return self._found(free, a, b, Outlines(np.array([b]), np.array([SPOT])), limit, find)

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

        legs = Climbs(self.ground, self.stance, self._flat, is_legal).shortest(start, goal, limit)
        if legs is None:
            return Blocked("every way within the limit is closed by models, walls or the board's edge")
        return Path(a, legs, z)

    def climbing_into(
        self, start: Sequence[float], rings: Outlines, limit: float = math.inf
    ) -> Path | Blocked:
        """Return the shortest way from (x, y, z) into any of some rings that may climb, as `climbing` does.

        It ends on the ground, not in a wall that it might have climbed.
        """
        a, z = (float(start[0]), float(start[1])), float(start[2]) if len(start) > 2 else 0.0
        z = climbed_to(self.ground, z)
        if self.ground.flies or not self.ground.rises:
            return self.nearest(start, rings, limit)
        walls = set(self.ground.walls)
        closed = [
            r for r in self.ground.rises if r.height > self.ground.free + TOLERANCE and r.polygon in walls
        ]
        beside = self._beside(rings, closed)

        def flat(ground: Ground, here: Point, _: Point) -> Legs | None:
            ways = self._over(ground)
            found = ways.nearest(here, rings, limit)
            if isinstance(found, Path) and over(closed, self.stance, np.array([found.end])).any():
                found = ways.shortest_of(here, beside, limit)
            return found.legs if isinstance(found, Path) else None

        def is_legal(legs: Legs) -> bool:
            found = Path(a, legs, z)
            return not _faults_of_legs(found, [self.stance] * len(found.points), self.ground)

        legs = Climbs(self.ground, self.stance, flat, is_legal).shortest(start, None, limit)
        if legs is None:
            return Blocked("every way within the limit is closed by models, walls or the board's edge")
        return Path(a, legs, z)

    def _beside(self, rings: Outlines, rises: Sequence[Rise]) -> list[Point]:
        """Return where a base in one of the rings comes to stand beside one of the rises, and over none."""
        edges = Edges.of(rings)
        found = [between(edges, shadow_edges(rise.polygon, self.stance)) for rise in rises]
        spots = np.vstack([np.empty((0, 2)), *found])
        return [(x, y) for x, y in spots[self.obstacles.clear(spots, spots)].tolist()]

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

    def _flat(self, ground: Ground, start: Point, goal: Point) -> Legs | None:
        """Return the legs of the shortest way over another ground."""
        found = self._over(ground).shortest(start, goal)
        return found.legs if isinstance(found, Path) else None

    def _over(self, ground: Ground) -> Ways:
        """Return the ways of these bases over another ground."""
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


def check_path(
    found: Path,
    base: Stance | float,
    start: Sequence[float],
    limit: float,
    ground: Ground,
    turned: Turned | None = None,
) -> tuple[str, ...]:
    """Return every fault of a path, measured anew leg by leg; none if it is legal.

    `base` is how the base stands at the start, `turned` how it stands at another facing: without it, no
    pivot is legal. That a pivot is paid for in full is not asked here.
    """
    faults = []
    if math.dist(found.start, (float(start[0]), float(start[1]))) > TOLERANCE:
        faults.append("the path does not begin where the model stands")
    if abs(found.z - first_height(start, ground)) > TOLERANCE:
        faults.append("the path does not begin as high as the model stands")
    if found.length > limit + TOLERANCE:
        faults.append(f"the path is {found.length:.4f} inches long, more than {limit:g}")
    stances = _stances(found, as_stance(base), turned)
    if stances is None:
        return (*faults, "the path pivots where it may not")
    if found.is_level or not ground.flies:
        faults += _faults_of_legs(found, stances, ground)
    faults += faults_of_resting(ground, (*found.end, found.end_z), stances[-1])
    return tuple(dict.fromkeys(faults))


def first_height(start: Sequence[float], ground: Ground) -> float:
    """Return how high a path begins of a base that stands at (x, y, z)."""
    z = float(start[2]) if len(start) > 2 else 0.0
    return z if ground.flies else climbed_to(ground, z)


def _stances(found: Path, stance: Stance, turned: Turned | None) -> list[Stance] | None:
    """Return how a base stands before its path and after each leg; None where a pivot is not legal."""
    stances = [stance]
    for here, leg in zip(found.points, found.legs, strict=False):
        if len(leg) == 4:
            if turned is None or math.dist(here, leg[:2]) > TOLERANCE or leg[3] < 0:
                return None
            stance = turned(leg[2])
        stances.append(stance)
    return stances


def _faults_of_legs(found: Path, stances: Sequence[Stance], ground: Ground) -> list[str]:
    """Return the faults of the legs: each among what is there at its height, in the stance of its end."""
    faults: list[str] = []
    heights, plain = found.heights, found.is_level
    known: dict[Stance, Obstacles] = {}
    for here, leg, before, after, stance in zip(
        found.points, found.legs, heights, heights[1:], stances[1:], strict=False
    ):
        level = ground if plain else ground.at(min(before, after), max(before, after))
        flat = leg if len(leg) in (2, 5) else leg[:2]
        if len(leg) == 3:
            faults += climb_faults(here, leg, before, ground, stance)
        elif not plain:
            faults += hover_faults(here, flat, before, ground, stance)
        if not plain or stance not in known:
            known[stance] = Obstacles.of(stance, level)
        faults += _leg_faults(here, flat, known[stance], _slack(level))
    return faults


def check_paths(
    paths: Sequence[Path],
    bases: Floats | Sequence[Stance],
    starts: Floats,
    limits: Floats,
    ground: Ground,
    turned: Sequence[Turned] | None = None,
) -> list[str]:
    """Return every fault of the paths of a unit, as `check_path` finds them; paths of no length have none."""
    stances = [as_stance(base) for base in bases]
    moved = [i for i, path_ in enumerate(paths) if path_.legs]
    simple: dict[Stance, list[int]] = {}
    for i in moved:
        if not paths[i].z and all(len(leg) in (2, 5) for leg in paths[i].legs):
            simple.setdefault(stances[i], []).append(i)
    legal: set[int] = set()
    for stance, rows in simple.items():
        good = _are_legal([paths[i] for i in rows], stance, starts[rows], limits[rows], ground)
        legal.update(np.array(rows)[good].tolist())
    return [
        fault
        for i in moved
        if i not in legal
        for fault in check_path(
            paths[i], stances[i], starts[i], float(limits[i]), ground, turned[i] if turned else None
        )
    ]


def _are_legal(
    paths: Sequence[Path], stance: Stance, starts: Floats, limits: Floats, ground: Ground
) -> Bools:
    """Return which paths are surely legal, their straight legs judged in one go."""
    own: list[int] = []
    lines: list[tuple[float, ...]] = []
    arcs: list[tuple[int, tuple[float, float], Leg]] = []
    for row, found in enumerate(paths):
        here = found.start
        for leg in found.legs:
            if len(leg) == 2:
                own.append(row)
                lines.append((*here, *leg))
            else:
                arcs.append((row, here, leg))
            here = (leg[0], leg[1])
    line = np.array(lines).reshape(-1, 2, 2)
    length = np.bincount(own, np.hypot(*(line[:, 1] - line[:, 0]).T), minlength=len(paths))
    for row, here, leg in arcs:
        length[row] += leg_length(here, leg)
    good = length <= limits + TOLERANCE
    good &= (np.abs(np.array([found.start for found in paths]) - starts[:, :2]) <= TOLERANCE).all(axis=1)
    ends = np.array([found.legs[-1][:2] for found in paths])
    bases = np.full(len(ends), stance.radius) if stance.core.is_point else [stance] * len(ends)
    good &= may_stand(ground, ends, bases)
    obstacles, slack = Obstacles.of(stance, ground), _slack(ground)
    # Who begins or ends in contact may be as deep in what it touches as rounding brings it.
    eased = replace(
        obstacles,
        models=_shrunk(obstacles.models, slack - 2 * SLACK),
        margin=obstacles.margin - TOLERANCE + 2 * SLACK,
    )
    good[np.array(own, dtype=np.intp)[~eased.clear(line[:, 0], line[:, 1])]] = False
    for row, here, leg in arcs:
        good[row] = good[row] and not _leg_faults(here, leg, obstacles, slack)
    return np.asarray(good)


def _shrunk(shapes: Outlines, by: Floats) -> Outlines:
    """Return the shapes with rims that lie so much deeper, or as deep as there is a rim."""
    return Outlines(shapes.xy, np.maximum(shapes.radius - by, 0.0), shapes.core)


def _slack(ground: Ground) -> Floats:
    return np.concatenate([np.full(len(ground.solid), TOLERANCE), np.full(len(ground.avoid), CLEAR)])


def _leg_faults(here: tuple[float, float], leg: Leg, obstacles: Obstacles, slack: Floats) -> list[str]:
    if len(leg) == 5 and abs(math.dist(here, leg[2:4]) - math.dist(leg[:2], leg[2:4])) > TOLERANCE:
        return ["an arc is not round its centre"]
    faults = []
    if (leg_clearances(here, leg, obstacles.models) < -slack).any():
        faults.append("the path runs into a model or its engagement range")
    if (leg_clearances(here, leg, obstacles.walls) < -TOLERANCE).any():
        faults.append("the path runs through a wall")
    spread = np.array([here, leg[:2], *(arc_extremes(here, leg) if len(leg) == 5 else ())])
    if (spread < obstacles.low - TOLERANCE).any() or (spread > obstacles.high + TOLERANCE).any():
        faults.append("the path leaves the board")
    return faults
