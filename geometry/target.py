"""What a way leads to: a point, or the nearest of some rings about bases.

Owns where the last stretch of such a way ends. A shortest way ends square to a ring; or in a corner, where an
obstacle cuts the ring off.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from geometry.base import Floats, distinct
from geometry.loop import Ints, Loops
from geometry.outline import Outlines
from geometry.spot import NONE, distances
from geometry.vicinity import directions

Point = tuple[float, float]
SLIGHT = 1e-5
"""A rounding error of the direction in which a rim is left close to where one of its arcs ends."""
BACK = 1e-6


@dataclass(frozen=True, eq=False)
class Targets:
    """Rings (m), of which any will do, and corners (c, 2) on them, which may be all that can be reached."""

    rings: Outlines
    corners: Floats

    @staticmethod
    def point(at: Point) -> Targets:
        """Return a single point as what a way leads to."""
        return Targets(Outlines(np.array([at]), np.zeros(1)), NONE)

    @property
    def is_point(self) -> bool:
        """Return whether it is a single point."""
        return len(self.rings) == 1 and not len(self.corners) and float(self.rings.reach[0]) == 0.0

    @cached_property
    def loops(self) -> Loops:
        """Return the rims of the rings, and the corners as rims of no length."""
        return Loops(self.rings.joined(Outlines(self.corners, np.zeros(len(self.corners)))))

    def beyond(self, x: Floats, y: Floats) -> Floats:
        """Return what no way from these places is shorter than."""
        far = distances(np.stack([x, y], axis=1), self.rings.xy)
        far -= self.rings.reach
        return np.asarray(np.maximum(far.min(axis=1, initial=np.inf), 0.0))

    def ends(self, start: Point) -> Floats:
        """Return where straight ways from a point end: nearest to it on each ring, and in the corners."""
        at = np.broadcast_to(np.array(start), self.rings.xy.shape)
        far, face = directions(self.rings, at)
        return np.concatenate([at - np.maximum(far, 0.0)[:, None] * face, self.corners])


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
    rows = order[np.diff(whose[order], prepend=-1) > 0]
    return loops.at_angle(own[rows], angle[rows]), start[rows], end[rows]


class _OnEdges(NamedTuple):
    """Where arcs of a rim are left square to straight edges: at which angle, the ends, and whose edges."""

    own: Ints
    angle: Floats
    foot: Floats
    whose: Ints


def _square_to_edges(loops: Loops, rim: int, back: float, to: Loops) -> _OnEdges:
    """Return where a rim is left square to straight edges of others."""
    edges = np.flatnonzero(to.edge > 0)
    angle = to.low[edges] + to.width[edges] + back
    own = loops.facing(np.full(len(edges), rim), angle)
    way = (to.edge_end[edges] - to.edge_start[edges]) / to.edge[edges, None]
    share = ((loops.on(own, angle) - to.edge_start[edges]) * way).sum(axis=1)
    on = (share >= 0) & (share <= to.edge[edges])
    foot = to.edge_start[edges] + share[:, None] * way
    return _OnEdges(own[on], angle[on], foot[on], to.owner[edges[on]])
