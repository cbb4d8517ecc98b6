"""The rims of convex shapes as closed curves, measured by how far along them one is.

Owns where on a rim a direction is faced or a point lies, and the legs that follow a rim. What is tangent to
two of them is `geometry.path.visibility_graph`'s.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from geometry.path.obstacles import CLEAR, Leg
from geometry.shape.arrangement import NONE, Edges, met
from geometry.shape.array import ways_at
from geometry.shape.base import Bools, Floats, Ints
from geometry.shape.cached import cached_property
from geometry.shape.convex_shape import Outlines

TURN = 1e-7
"""A rounding error of an angle on a rim."""
SHORT = 1e-9
ON = 2e-8
"""So little inside an edge a point is taken to be on it, and sees it."""
NEXT = 1e-9
SPREAD = 8.0
"""More than a full turn, to tell the arcs of one rim from those of the next in one order."""


class Loops:
    """The rims of n shapes, each of arcs with straight edges between them, counter-clockwise.

    Arc i is part of rim `owner[i]` and begins `along[i]` inches from where that begins; a disc is one arc.
    """

    def __init__(self, shapes: Outlines) -> None:
        """Take the shapes; those that are single points have no rim."""
        arcs = shapes.arcs
        disc = np.ones(len(shapes), dtype=np.bool_)
        disc[arcs.owner] = False
        discs = disc.nonzero()[0]
        owner = np.concatenate([discs, arcs.owner])
        order = np.argsort(owner, kind="stable")
        self.owner = owner[order]
        self.centre = np.concatenate([shapes.xy[discs], arcs.centre])[order]
        self.reach = np.concatenate([shapes.radius[discs], arcs.reach])[order]
        self.low = np.concatenate([np.zeros(len(discs)), arcs.low])[order]
        self.width = np.concatenate([np.full(len(discs), math.tau), arcs.width])[order]
        self.is_disc = np.concatenate([np.ones(len(discs)), np.zeros(len(arcs.owner))])[order] > 0
        self.count = np.bincount(self.owner, minlength=len(shapes))
        self.first = np.cumsum(self.count) - self.count
        self.begin, self.end = ways_at(self.low), ways_at(self.low + self.width)
        self.x, self.y = (np.ascontiguousarray(column) for column in self.centre.T)
        self.begin_x, self.begin_y = (np.ascontiguousarray(column) for column in self.begin.T)
        self.offset = self.x * self.begin_x + self.y * self.begin_y + self.reach - ON
        self.offset[self.is_disc] = np.inf
        # Between these distances (squared) from its middle a point may see some of an arc but neither end.
        self.least = np.maximum(self.reach - CLEAR, 0.0) ** 2
        bend = np.cos(np.minimum(self.width / 2, math.pi / 2))
        self.most = np.where(bend > 1e-6, (self.reach / np.maximum(bend, 1e-6) + CLEAR) ** 2, np.inf)
        self.most[(self.reach <= SHORT) & ~self.is_disc] = -1.0
        self._parts: dict[int, list[_Part]] = {}
        self._measure()

    def _measure(self) -> None:
        last = self.first + self.count - 1
        after = np.arange(1, len(self.owner) + 1)
        after[last] = self.first
        self.after = after
        arc = self.width * self.reach
        start = self.centre + self.reach[:, None] * self.begin
        stop = self.centre + self.reach[:, None] * self.end
        self.edge_start, self.edge_end = stop, start[after]
        self.edge = np.hypot(*(self.edge_end - stop).T)
        self.edge[self.edge < SHORT] = 0.0
        whole = np.concatenate([[0.0], np.cumsum(arc + self.edge)])
        self.along = whole[:-1] - whole[self.first][self.owner]
        self.perimeter = whole[last + 1] - whole[self.first]
        turned = np.concatenate([[0.0], np.cumsum(self.width)])[:-1]
        self._keys = SPREAD * self.owner + turned - turned[self.first][self.owner]

    def arcs_of(self, rim: int) -> Ints:
        """Return the arcs of a rim."""
        return np.arange(self.first[rim], self.first[rim] + self.count[rim])

    def edges_of(self, rim: int) -> Edges:
        """Return the arcs and straight edges of a rim."""
        return self._edges_at(self.arcs_of(rim))

    def box(self, rim: int) -> tuple[Floats, Floats]:
        """Return the corners of a box that holds a rim."""
        (middle, round_), own = self._rounds, self.arcs_of(rim)
        return (middle[own] - round_[own, None]).min(axis=0), (middle[own] + round_[own, None]).max(axis=0)

    def edges_in(self, low: Floats, high: Floats, but: int = -1) -> Edges:
        """Return the arcs and straight edges that may reach into a box, but for those of one rim."""
        middle, round_ = self._rounds
        aside = np.abs(middle - (low + high) / 2) - (high - low) / 2
        near = (np.maximum(aside[:, 0], aside[:, 1]) <= round_ + ON) & (self.owner != but)
        return self._edges_at(near.nonzero()[0])

    @cached_property
    def _rounds(self) -> tuple[Floats, Floats]:
        """Return circles, by middle and radius, that hold each arc and the straight edge after it."""
        middle, round_ = self._arc_rounds
        return middle, round_ + self.edge

    @cached_property
    def _arc_rounds(self) -> tuple[Floats, Floats]:
        """Return circles, by middle and radius, that hold each arc."""
        return Edges(self.centre, self.reach, NONE, NONE, self.low, self.width).rounds

    def _edges_at(self, arcs: Ints) -> Edges:
        """Return these arcs, and the straight edges after them."""
        return self._edges(self._wide(arcs), self._long(arcs))

    def _edges(self, wide: Ints, long: Ints) -> Edges:
        """Return arcs, and the straight edges after others."""
        turns = self.low[wide], self.width[wide]
        found = Edges(self.centre[wide], self.reach[wide], self.edge_start[long], self.edge_end[long], *turns)
        middle, round_ = self._arc_rounds
        vars(found)["rounds"] = middle[wide], round_[wide]  # they are known already
        return found

    def _wide(self, arcs: Ints) -> Ints:
        """Return those arcs that are no corners."""
        wide = (self.reach[arcs] > SHORT) & (self.width[arcs] * self.reach[arcs] > SHORT)
        return np.asarray(arcs[wide])

    def _long(self, arcs: Ints) -> Ints:
        """Return those arcs after which is a straight edge."""
        return np.asarray(arcs[self.edge[arcs] > SHORT])

    def cuts(self, rim: int, edges: Edges) -> Floats:
        """Return how far along a rim it crosses or touches some edges."""
        arcs = self.arcs_of(rim)
        wide, long = self._wide(arcs), self._long(arcs)
        points, row = met(self._edges(wide, long), edges)
        on_arc = row < len(wide)
        arc, edge = wide[row[on_arc]], long[row[~on_arc] - len(wide)]
        x, y = (points[on_arc] - self.centre[arc]).T
        past = np.hypot(*(points[~on_arc] - self.edge_start[edge]).T)
        on_edges = self.along[edge] + self.width[edge] * self.reach[edge] + np.minimum(past, self.edge[edge])
        return np.concatenate([self.at_angle(arc, np.arctan2(y, x)), on_edges])

    def facing(self, rim: Ints, angle: Floats) -> Ints:
        """Return the arc of each rim that faces at an angle; where one ends there, the next."""
        turned = (angle - self.low[self.first[rim]] + NEXT) % math.tau
        return np.asarray(np.searchsorted(self._keys, SPREAD * rim + turned, side="right") - 1)

    def faces(self, arc: Ints, angle: Floats) -> Bools:
        """Return which arcs face at the angle of the same row, but for rounding."""
        turned = (angle - self.low[arc] + TURN) % math.tau
        return np.asarray(turned <= self.width[arc] + 2 * TURN)

    def at_angle(self, arc: Ints, angle: Floats) -> Floats:
        """Return how far along its rim each arc faces at an angle."""
        turned = (angle - self.low[arc]) % math.tau
        turned = np.where(turned > math.tau - 2 * TURN, 0.0, np.minimum(turned, self.width[arc]))
        return np.asarray(self.along[arc] + turned * self.reach[arc])

    def place(self, arc: int, point: tuple[float, float]) -> float:
        """Return how far along its rim a point on an arc lies."""
        reach, along = float(self.reach[arc]), float(self.along[arc])
        if reach <= SHORT:
            return along
        x, y, low = float(self.x[arc]), float(self.y[arc]), float(self.low[arc])
        turned = (math.atan2(point[1] - y, point[0] - x) - low) % math.tau
        turned = 0.0 if turned > math.tau - 2 * TURN else min(turned, float(self.width[arc]))
        return along + turned * reach

    def on(self, arc: Ints, angle: Floats) -> Floats:
        """Return the points (n, 2) of arcs at angles."""
        return np.asarray(self.centre[arc] + self.reach[arc, None] * ways_at(angle))

    def points(self, rim: int, along: Floats) -> Floats:
        """Return the points (n, 2) that lie so far along a rim."""
        arcs = self.arcs_of(rim)
        arc = arcs[np.searchsorted(self.along[arcs], along, side="right") - 1]
        past = along - self.along[arc]
        reach, wide = self.reach[arc], self.width[arc]
        turned = np.minimum(past / np.maximum(reach, SHORT), wide)
        over = np.maximum(past - wide * reach, 0.0) / np.maximum(self.edge[arc], SHORT)
        on_arc = self.on(arc, self.low[arc] + np.where(reach > SHORT, turned, 0.0))
        on_edge = self.edge_start[arc] + over[:, None] * (self.edge_end[arc] - self.edge_start[arc])
        return np.where((past > wide * reach)[:, None], on_edge, on_arc)

    def legs(self, rim: int, turn: int, begin: float, far: float) -> Iterator[Leg]:
        """Return the legs that follow a rim from a place on it for so far."""
        listed = self._listed(rim)
        here = begin % listed[-1].end
        k = bisect_right([part.begin for part in listed], here) - 1
        while far > SHORT:
            part = listed[k]
            left = (part.end - here) if turn > 0 else (here - part.begin)
            step = min(left, far)
            if step > SHORT:
                here, far = here + turn * step, far - step
                yield part.leg(here, turn)
            k = (k + turn) % len(listed)
            here = listed[k].begin if turn > 0 else listed[k].end

    def _listed(self, rim: int) -> list[_Part]:
        """Return the arcs and edges of a rim in order."""
        if rim not in self._parts:
            arcs, found = self.arcs_of(rim), []
            begin, reach, edge = self.along[arcs], self.reach[arcs], self.edge[arcs]
            way = (self.edge_end[arcs] - self.edge_start[arcs]) / np.maximum(edge, SHORT)[:, None]
            stop = begin + self.width[arcs] * reach
            columns = (begin, stop, self.x[arcs], self.y[arcs], reach, self.low[arcs], edge)
            rows = zip(*(column.tolist() for column in columns), strict=True)
            edges = zip(self.edge_start[arcs].tolist(), way.tolist(), strict=True)
            for (start, end, x, y, far, low, long), ((a, b), (right, up)) in zip(rows, edges, strict=True):
                found.append(_Part(start, end, x, y, far, low))
                if long > 0:
                    found.append(_Part(end, end + long, a, b, 0.0, 0.0, right, up))
            self._parts[rim] = found
        return self._parts[rim]


class _Part(NamedTuple):
    """An arc, or an edge, of a rim: where that begins and ends, and its middle, or where it starts."""

    begin: float
    end: float
    x: float
    y: float
    reach: float
    low: float
    way_x: float = 0.0
    way_y: float = 0.0

    def leg(self, here: float, turn: int) -> Leg:
        """Return the leg on it that ends here."""
        past = here - self.begin
        if self.way_x or self.way_y:
            return (self.x + past * self.way_x, self.y + past * self.way_y)
        angle = self.low + past / self.reach
        x, y = self.x + self.reach * math.cos(angle), self.y + self.reach * math.sin(angle)
        return (x, y, self.x, self.y, float(turn))
