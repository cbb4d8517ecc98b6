"""What a way leads to: a point, or the nearest of some rings about bases.

Owns where the last stretch of such a way ends. A shortest way ends square to a ring; or in a corner, where an
obstacle cuts the ring off.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import msgspec
import numpy as np

from geometry.path.rim_curve import Loops
from geometry.path.tangents import Fan
from geometry.shape.arrangement import distances
from geometry.shape.array import points, runs
from geometry.shape.base import Floats, Ints, distinct
from geometry.shape.cached import cached_property
from geometry.shape.convex_shape import Outlines
from geometry.shape.nearby import directions

Point = tuple[float, float]
SPOT = 1e-3
"""A disc of this size stands for a point that may be closed off."""
SLIGHT = 1e-5
"""A rounding error of the direction in which a rim is left close to where one of its arcs ends."""
BACK = 1e-6


class Stretch(msgspec.Struct, eq=False):
    """A last straight way: the place where it leaves a rim, its ends, how long it is.

    `clear` is None until that is asked.
    """

    leaves: float
    begin: Point
    end: Point
    length: float
    clear: bool | None = None


def spot_of(at: Point) -> Outlines:
    """Return the disc that stands for a point that may be closed off."""
    return Outlines(np.array([at]), np.array([SPOT]))


class Spot:
    """A single point that a way leads to."""

    def __init__(self, loops: Loops, at: Point, fan: Fan) -> None:
        """Take the rims about, the point, and its tangents to them."""
        self.loops, self.at, self.fan = loops, at, fan
        rows = np.empty(2 * len(loops.count), dtype=np.intp)
        rows.fill(-1)
        # Who comes from the point arrives in the other sense.
        rows[2 * loops.owner[fan.arc] + (fan.turn < 0)] = np.arange(len(fan.arc))
        self._rows: list[int] = rows.tolist()
        self._made: dict[int, tuple[Stretch]] = {}

    @property
    def rings(self) -> Outlines:
        """Return a disc that stands for it."""
        return spot_of(self.at)

    def beyond(self, x: Floats, y: Floats) -> Floats:
        """Return what no way from these places is shorter than."""
        return apart(x, y, self.at)

    def straight(self, _start: Point) -> Sequence[Stretch]:
        """Return the straight ways from a point that are worth a try: none, for it is asked before."""
        return ()

    def likely(self, start: Point, most: int) -> list[Stretch]:
        """Return last stretches that ways from a point are likely to take."""
        bounds = self.fan.length + apart(self.fan.x, self.fan.y, start)
        return [self._row(row)[0] for row in bounds.argsort(kind="stable")[:most].tolist()]

    def stretches(self, rim: int, turn: int) -> Sequence[Stretch]:
        """Return the last stretch from a rim in one sense, if there is one."""
        row = self._rows[2 * rim + (turn > 0)]
        return self._row(row) if row >= 0 else ()

    def _row(self, row: int) -> tuple[Stretch]:
        if row not in self._made:
            fan = self.fan
            begin = float(fan.x[row]), float(fan.y[row])
            leaves = self.loops.place(int(fan.arc[row]), begin)
            self._made[row] = (Stretch(leaves, begin, self.at, float(fan.length[row])),)
        return self._made[row]


class Targets:
    """Rings (m), of which any will do, and corners (c, 2) on them, which may be all that can be reached."""

    def __init__(self, loops: Loops, rings: Outlines, corners: Floats) -> None:
        """Take the rims about, the rings, and the corners."""
        self.loops, self.rings, self.corners = loops, rings, corners
        self._made: dict[tuple[int, int], list[Stretch]] = {}

    @cached_property
    def _rims(self) -> Loops:
        """Return the rims of the rings, and the corners as rims of no length."""
        return Loops(self.rings.joined(Outlines(self.corners, np.zeros(len(self.corners)))))

    def beyond(self, x: Floats, y: Floats) -> Floats:
        """Return what no way from these places is shorter than."""
        far = distances(points(x, y), self.rings.xy)
        far -= self.rings.reach
        return np.asarray(np.maximum(far.min(axis=1, initial=np.inf), 0.0))

    def straight(self, start: Point) -> Sequence[Stretch]:
        """Return the straight ways from a point to what is nearest on each ring, and to the corners."""
        at = np.broadcast_to(np.array(start), self.rings.xy.shape)
        far, face = directions(self.rings, at)
        end = np.concatenate([at - np.maximum(far, 0.0)[:, None] * face, self.corners])
        return [Stretch(0.0, start, (x, y), math.dist(start, (x, y))) for x, y in end.tolist()]

    def likely(self, _start: Point, _most: int) -> list[Stretch]:
        """Return last stretches that ways from a point are likely to take: none is known."""
        return []

    def stretches(self, rim: int, turn: int) -> Sequence[Stretch]:
        """Return the last stretches from a rim in one sense."""
        if (rim, turn) not in self._made:
            leaves, begin, end = square(self.loops, rim, turn, self._rims)
            self._made[rim, turn] = [
                Stretch(place, (a, b), (x, y), math.hypot(x - a, y - b))
                for place, (a, b), (x, y) in zip(leaves.tolist(), begin.tolist(), end.tolist(), strict=True)
            ]
        return self._made[rim, turn]


def apart(x: Floats, y: Floats, point: Point) -> Floats:
    """Return the distances of places from a point."""
    x, y = x - point[0], y - point[1]
    x *= x
    y *= y
    x += y
    return np.asarray(np.sqrt(x, out=x))


def square(loops: Loops, rim: int, turn: int, to: Loops) -> tuple[Floats, Floats, Floats]:
    """Return the places where tangents leave a rim that end square to others, and both ends of each.

    Between one direction and the next, each rim faces back with one arc, if not with a straight edge.
    """
    back = math.pi - turn * math.pi / 2
    arcs, count = loops.arcs_of(rim), len(to.count)
    low = np.concatenate([to.low[~to.is_disc], loops.low[arcs] - back])
    face = distinct(np.round(low % math.tau, 10))[:, None]
    wide = np.diff(face, axis=0, append=face[:1] + math.tau)
    middle = face + wide / 2
    own = loops.facing(np.full(len(face), rim), (middle + back)[:, 0])[:, None]
    other = to.facing(np.arange(count), np.broadcast_to(middle, (len(face), count)))
    off = to.centre[other] - loops.centre[own]
    far, reach = np.hypot(off[..., 0], off[..., 1]), loops.reach[own]
    lean = np.arccos(np.minimum(reach / np.maximum(far, SLIGHT), 1.0))
    angle = np.arctan2(off[..., 1], off[..., 0]) - turn * lean
    hits = ((angle - back - face + SLIGHT) % math.tau <= wide + 2 * SLIGHT) & (far > reach - SLIGHT)
    own, angle, other = np.broadcast_to(own, hits.shape)[hits], angle[hits], other[hits]
    edges = _square_to_edges(loops, rim, back, to)
    own, angle = np.concatenate([own, edges.own]), np.concatenate([angle, edges.angle])
    start = loops.on(own, angle)
    end = np.concatenate([to.on(other, angle[: len(other)] - back), edges.foot])
    whose = np.concatenate([to.owner[other], edges.whose])
    off = end - start
    ahead = turn * (off[:, 1] * np.cos(angle) - off[:, 0] * np.sin(angle))
    order = np.lexsort((ahead, whose))
    order = order[ahead[order] >= -BACK]
    rows = order[runs(whose[order])]
    return loops.at_angle(own[rows], angle[rows]), start[rows], end[rows]


class _OnEdges(NamedTuple):
    """Where arcs of a rim are left square to straight edges: at which angle, the ends, and whose edges."""

    own: Ints
    angle: Floats
    foot: Floats
    whose: Ints


def _square_to_edges(loops: Loops, rim: int, back: float, to: Loops) -> _OnEdges:
    """Return where a rim is left square to straight edges of others."""
    edges = (to.edge > 0).nonzero()[0]
    angle = to.low[edges] + to.width[edges] + back
    own = loops.facing(np.full(len(edges), rim), angle)
    way = (to.edge_end[edges] - to.edge_start[edges]) / to.edge[edges, None]
    share = ((loops.on(own, angle) - to.edge_start[edges]) * way).sum(axis=1)
    on = (share >= 0) & (share <= to.edge[edges])
    foot = to.edge_start[edges] + share[:, None] * way
    return _OnEdges(own[on], angle[on], foot[on], to.owner[edges[on]])
