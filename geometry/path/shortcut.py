"""Ways of many models at once: straight, or taut round a corner of a way that is known.

Owns the quick search for ways of one bend, among the corners of a guide. What they touch elsewhere
`geometry.path.planner` judges.

Ways of one base to many spots at once, each past one of the shapes that it meets first.

Owns the straight legs about a shape of any rim, from tangent to tangent. What is shortest, and what leads
past several shapes, is `geometry.path.planner`'s.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from geometry.path.obstacles import Leg, Obstacles, sweep
from geometry.path.planner import Path
from geometry.path.reference_path import Trail
from geometry.path.rim_curve import Loops
from geometry.path.tangents import Fans
from geometry.shape.array import left_of, ways_at
from geometry.shape.base import Bools, Floats, Ints
from geometry.shape.cached import cached_property
from geometry.shape.convex_shape import Outlines

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


HAIR = 1e-9


class _Past(NamedTuple):
    """Ways to which spots, past which rims, in which sense, where these face at first, and how far round."""

    spot: Ints
    rim: Ints
    turn: Ints
    face: Floats
    swept: Floats


class Bypass:
    """The ways from one point past one shape each, no longer than a limit."""

    def __init__(self, at: Floats, limit: float, free: Obstacles, shapes: Outlines) -> None:
        """Take the point, the limit, what is in the way, and the shapes that ways may lead past."""
        self.at, self.limit, self.free = at, limit, free
        self.loops = Loops(shapes)

    def ways(self, xy: Floats) -> list[Way | None]:
        """Return the way to each spot (n, 2), of several the shortest, None where there is none.

        They have straight legs along tangents of the shape's rim, so that all of a way is judged in one go.
        """
        found: list[Way | None] = [None for _ in xy]
        past = self._past(xy)
        spot, swept = past.spot, past.swept
        if not len(spot):
            return found
        parts = np.maximum(np.ceil(swept / STEP), 1.0).astype(np.intp)
        lines = PolylineBatch(np.broadcast_to(self.at, (len(spot), 2)), xy[spot], parts)
        step = np.where(past.turn > 0, 1.0, -1.0)[lines.own] * np.maximum(swept / parts, HAIR)[lines.own]
        lines.bend(self._bends(past.rim[lines.own], past.face[lines.own] + step * lines.place, step))
        length = lines.lengths
        good = (length <= self.limit).nonzero()[0]
        clear = lines.are_clear(self.free)
        for row in good[length[good].argsort(kind="stable")].tolist():
            if clear[row] and found[spot[row]] is None:
                found[spot[row]] = lines.path(row), float(length[row])
        return found

    def _past(self, xy: Floats) -> _Past:
        """Return the ways to spots past rims, by tangents, as far as these are not too long."""
        loops = self.loops
        out, *into = Fans(loops, len(xy) + 1).of(*((x, y) for x, y in (self.at.tolist(), *xy.tolist())))
        row_of = np.full((len(loops.count), 2), -1)
        row_of[loops.owner[out.arc], (out.turn > 0).astype(np.intp)] = np.arange(len(out.arc))
        spot = np.repeat(np.arange(len(xy)), [len(fan.arc) for fan in into])
        arc, turn, x, y, long = (np.concatenate(part) for part in zip(*into, strict=True))
        # Who comes from the point arrives in the other sense.
        begin = row_of[loops.owner[arc], (turn < 0).astype(np.intp)]
        some = ((begin >= 0) & (out.length[begin] + long <= self.limit)).nonzero()[0]
        begin, arc = begin[some], arc[some]
        first = np.arctan2(out.y - loops.y[out.arc], out.x - loops.x[out.arc])[begin]
        last = np.arctan2(y[some] - loops.y[arc], x[some] - loops.x[arc])
        swept = (out.turn[begin] * (last - first)) % math.tau
        # Who sees the spot past the shape would go all the way round it.
        rows = (swept < math.pi).nonzero()[0]
        begin, arc = begin[rows], arc[rows]
        return _Past(spot[some[rows]], loops.owner[arc], out.turn[begin], first[rows], swept[rows])

    def _bends(self, rim: Ints, face: Floats, step: Floats) -> Floats:
        """Return where lines along rims that face in a direction, and in one a step farther round, meet."""
        (out, far), (_, after) = self._line(rim, face), self._line(rim, face + step)
        side = (after - far * np.cos(step)) / np.sin(step)
        return np.asarray(far[:, None] * out + side[:, None] * left_of(out))

    def _line(self, rim: Ints, face: Floats) -> tuple[Floats, Floats]:
        """Return the directions in which rims face, and how far out that way the lines along them are."""
        loops, out = self.loops, ways_at(face)
        arc = loops.facing(rim, face)
        far = (loops.centre[arc] * out).sum(axis=1) + loops.reach[arc] + ROUND
        return out, far
