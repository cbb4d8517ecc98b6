"""Ways of many models at once: straight, or taut round a corner of a way that is known.

Owns the quick search for ways of one bend, among the corners of a guide. What they touch elsewhere
`geometry.path.planner` judges.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from geometry.path.obstacles import Leg, Obstacles, sweep
from geometry.path.planner import Path
from geometry.path.reference_path import Trail
from geometry.shape.array import ways_at
from geometry.shape.base import Bools, Floats, Ints
from geometry.shape.cached import cached_property

CORNERS = 3
GRAZE = 5e-7
ROUND = 3e-7
"""So far off a corner ways keep, as their points are rounded."""
STEP = math.pi / 6
"""Round a corner a way bends once for each so much that it turns."""
Point = tuple[float, float]
Way = tuple[Path, float]
Ring = tuple[Floats, float]


class Wraps:
    """The straight ways past obstacles, and those round the first corners of a trail."""

    def __init__(
        self, obstacles: Obstacles, trail: Trail, ring: Ring | None = None, wider: float = 0.0
    ) -> None:
        """Take what is in the way, the trail, and a disc that ways may go round in both senses.

        Of bases that are so much `wider` than the trail's, ways keep that much farther off its corners.
        """
        self.obstacles, self.trail = obstacles, trail
        arcs = [leg for leg in trail.path.legs if len(leg) == 5]
        self.corners = [
            (np.array(leg[2:4]), math.dist(leg[:2], leg[2:4]) + wider + ROUND, leg[4])
            for leg in arcs[:CORNERS]
        ]
        self.points = _straightened(trail.path)
        if ring is not None:
            self.corners += [(ring[0], ring[1] + ROUND, turn) for turn in (1.0, -1.0)]

    def along(self, limit: float) -> tuple[Path, float]:
        """Return the first part of the trail, no longer than the limit, in straight legs; and its length."""
        at, far = self.points[0], 0.0
        for row, spot in enumerate(self.points[1:], start=1):
            long = math.dist(at, spot)
            if far + long >= limit:
                share = (limit - far) / max(long, ROUND)
                last = (at[0] + share * (spot[0] - at[0]), at[1] + share * (spot[1] - at[1]))
                return Path(self.points[0], (*self.points[1:row], last)), limit
            at, far = spot, far + long
        return Path(self.points[0], self.points[1:]), far

    def are_clear(self, path: Path) -> bool:
        """Return whether straight legs run into nothing."""
        points = np.array(path.points)
        return bool(self.obstacles.clear(points[:-1], points[1:]).all())

    def ways(self, start: Floats, end: Floats, limit: Floats, free: Bools | None = None) -> list[Way | None]:
        """Return the way from each start to the end of the same row, None where none is found.

        Straight ways are not asked about again where it is known which are `free`.
        """
        found = self.straight(start, end, limit, free)
        rest = [row for row, way in enumerate(found) if way is None]
        if rest and self.corners:
            for row, way in zip(rest, self._bent(start[rest], end[rest], limit[rest]), strict=True):
                found[row] = way
        return found

    def straight(
        self, start: Floats, end: Floats, limit: Floats, free: Bools | None = None
    ) -> list[Way | None]:
        """Return the straight way from each start to the end of the same row, None where it is not free."""
        far = np.hypot(*(end - start).T)
        free = self.obstacles.clear(start, end) if free is None else free
        good = ((far <= limit) & free).tolist()
        rows = zip(good, start.tolist(), end.tolist(), far.tolist(), strict=True)
        return [
            (Path((x, y), ((to_x, to_y),)), long) if is_free else None
            for is_free, (x, y), (to_x, to_y), long in rows
        ]

    @cached_property
    def _rounds(self) -> tuple[Floats, Floats, Floats]:
        """Return the corners' middles (c, 1, 2), how far off them ways keep (c, 1), and in which sense."""
        centre = np.array([centre for centre, _, _ in self.corners])[:, None]
        reach, turn = np.array([(reach, turn) for _, reach, turn in self.corners]).T[..., None]
        return centre, reach, turn

    def _bent(self, start: Floats, end: Floats, limit: Floats) -> list[Way | None]:
        """Return the taut way of each row round the first corner that leaves it one, None where none does.

        They have straight legs along the tangents of the arcs, so that all of a way is judged in one go.
        """
        centre, reach, turn = self._rounds
        off, out = start - centre, end - centre
        near, far = np.hypot(off[..., 0], off[..., 1]), np.hypot(out[..., 0], out[..., 1])
        legal = (near >= reach - GRAZE) & (far >= reach - GRAZE)
        near, far = np.maximum(near, reach), np.maximum(far, reach)
        first = np.arctan2(off[..., 1], off[..., 0]) + turn * np.arccos(reach / near)
        last = np.arctan2(out[..., 1], out[..., 0]) - turn * np.arccos(reach / far)
        sweep = (turn * (last - first)) % math.tau
        parts = np.maximum(np.ceil(sweep / STEP), 1)
        half = sweep / parts / 2
        length = np.sqrt(near**2 - reach**2) + np.sqrt(far**2 - reach**2) + reach * 2 * parts * np.tan(half)
        legal &= (sweep < math.pi) & (length <= limit)
        which, row = legal.nonzero()
        if not len(row):
            return [None] * len(start)
        half, out_to = half[which, row], reach[which, 0]
        lines = PolylineBatch(start[row], end[row], parts[which, row].astype(np.intp))
        angle = first[which, row][lines.own] + (turn[which, 0] * half)[lines.own] * (2 * lines.place + 1)
        lines.bend(centre[which, 0][lines.own] + (out_to / np.cos(half))[lines.own, None] * ways_at(angle))
        good = lines.are_clear(self.obstacles)
        found: list[Way | None] = [None] * len(start)
        for k in good.nonzero()[0].tolist():
            if found[row[k]] is None:
                found[row[k]] = lines.path(k), float(length[which[k], row[k]])
        return found


class PolylineBatch:
    """Ways of straight legs, the points of all in one array; way `own` has its bend number `place`."""

    def __init__(self, start: Floats, end: Floats, parts: Ints) -> None:
        """Take where the ways begin and end, and how often each bends."""
        self.last = np.cumsum(parts + 2) - 1
        self.first = self.last - parts - 1
        self.points = np.empty((int(self.last[-1]) + 1, 2))
        self.points[self.first], self.points[self.last] = start, end
        self.own = np.repeat(np.arange(len(parts)), parts)
        self._bends = np.arange(len(self.own)) + 2 * self.own + 1
        self.place = self._bends - 1 - self.first[self.own]

    def bend(self, points: Floats) -> None:
        """Take the points where they bend."""
        self.points[self._bends] = points

    def are_clear(self, obstacles: Obstacles) -> Bools:
        """Return which ways run into nothing."""
        good = np.ones(len(self.points), dtype=np.bool_)
        within = np.delete(np.arange(len(self.points)), self.last)
        good[within] = obstacles.clear(self.points[within], self.points[within + 1])
        return np.asarray(np.logical_and.reduceat(good, self.first))

    @property
    def lengths(self) -> Floats:
        """Return how long the ways are."""
        far = np.zeros(len(self.points))
        far[:-1] = np.hypot(*np.diff(self.points, axis=0).T)
        far[self.last] = 0.0
        return np.asarray(np.add.reduceat(far, self.first))

    def path(self, row: int) -> Path:
        """Return one of the ways."""
        points = self.points[self.first[row] : self.last[row] + 1].tolist()
        return Path(tuple(points[0]), tuple(tuple(point) for point in points[1:]))


def straight_way(start: Sequence[float], end: Sequence[float]) -> Way:
    """Return the straight way between two points."""
    return Path((start[0], start[1]), ((end[0], end[1]),)), math.dist(start, end)


def _straightened(path: Path) -> tuple[Point, ...]:
    """Return the points of a path of straight legs that keeps a hair farther off its corners than another."""
    found = [path.start]
    for row, (begin, leg) in enumerate(zip(path.points, path.legs, strict=False)):
        last = row == len(path.legs) - 1
        if len(leg) == 5:
            found += _bends(begin, leg)
            if last:
                x, y = leg[0] - leg[2], leg[1] - leg[3]
                out = 1 + ROUND / max(math.hypot(x, y), ROUND)
                found.append((leg[2] + out * x, leg[3] + out * y))
        elif last or len(path.legs[row + 1]) != 5:
            found.append((leg[0], leg[1]))
    return tuple(found)


def _bends(begin: Point, leg: Leg) -> list[Point]:
    """Return where straight legs round an arc bend."""
    x, y, turn = leg[2], leg[3], leg[4]
    swept = sweep(begin, leg)
    parts = max(math.ceil(swept / STEP), 1)
    bend, first = swept / parts, math.atan2(begin[1] - y, begin[0] - x)
    reach = (math.dist(leg[:2], leg[2:4]) + ROUND) / math.cos(bend / 2)
    angles = [first + turn * bend * (part + 0.5) for part in range(parts)]
    return [(x + reach * math.cos(a), y + reach * math.sin(a)) for a in angles]
