"""The rims of convex shapes as closed curves, measured by how far along them one is.

Owns where on a rim a direction is faced or a point lies, and the legs that follow a rim. What is tangent to
two of them is `geometry.roadmap`'s.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from geometry.base import Bools, Floats
from geometry.outline import Outlines

Ints = NDArray[np.intp]
Leg = tuple[float, ...]
TURN = 1e-7
"""A rounding error of an angle on a rim."""
SHORT = 1e-9
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
        discs = np.flatnonzero(disc)
        owner = np.concatenate([discs, arcs.owner])
        order = np.argsort(owner, kind="stable")
        self.owner = owner[order]
        self.centre = np.vstack([shapes.xy[discs], arcs.centre])[order]
        self.reach = np.concatenate([shapes.radius[discs], arcs.reach])[order]
        self.low = np.concatenate([np.zeros(len(discs)), arcs.low])[order]
        self.width = np.concatenate([np.full(len(discs), math.tau), arcs.width])[order]
        self.is_disc = np.concatenate([np.ones(len(discs)), np.zeros(len(arcs.owner))])[order] > 0
        self.count = np.bincount(self.owner, minlength=len(shapes))
        self.first = np.concatenate([[0], np.cumsum(self.count)[:-1]]).astype(np.intp)
        self.begin, self.end = ways(self.low), ways(self.low + self.width)
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

    def on(self, arc: Ints, angle: Floats) -> Floats:
        """Return the points (n, 2) of arcs at angles."""
        return np.asarray(self.centre[arc] + self.reach[arc, None] * ways(angle))

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

    def places(self, rim: int, points: Floats) -> Floats:
        """Return how far along a rim the points (n, 2) on it lie."""
        arcs = self.arcs_of(rim)
        off = points[:, None] - self.centre[arcs]
        turned = (np.arctan2(off[..., 1], off[..., 0]) - self.low[arcs]) % math.tau
        turned = np.where(turned > math.tau - 2 * TURN, 0.0, turned)
        astray = np.abs(np.hypot(off[..., 0], off[..., 1]) - self.reach[arcs])
        astray = np.where(turned <= self.width[arcs] + 2 * TURN, astray, np.inf)
        way = self.edge_end[arcs] - self.edge_start[arcs]
        share = ((points[:, None] - self.edge_start[arcs]) * way).sum(axis=2)
        share = np.clip(share / np.maximum(self.edge[arcs], SHORT) ** 2, 0.0, 1.0)
        aside = points[:, None] - self.edge_start[arcs] - share[..., None] * way
        apart = np.where(self.edge[arcs] > 0, np.hypot(aside[..., 0], aside[..., 1]), np.inf)
        on_arcs = self.along[arcs] + np.minimum(turned, self.width[arcs]) * self.reach[arcs]
        on_edges = self.along[arcs] + self.width[arcs] * self.reach[arcs] + share * self.edge[arcs]
        best = np.hstack([astray, apart]).argmin(axis=1)
        return np.asarray(np.hstack([on_arcs, on_edges])[np.arange(len(points)), best])

    def legs(self, rim: int, turn: int, begin: float, far: float) -> Iterator[Leg]:
        """Return the legs that follow a rim from a place on it for so far."""
        here = begin % float(self.perimeter[rim])
        arc = int(self.arcs_of(rim)[np.searchsorted(self.along[self.arcs_of(rim)], here, side="right") - 1])
        while far > SHORT:
            start, bend = float(self.along[arc]), float(self.width[arc] * self.reach[arc])
            edge = float(self.edge[arc])
            for kind, low, high in self._parts(turn, start, bend, edge):
                left = (high - here) if turn > 0 else (here - low)
                if left <= 0:
                    continue
                step = min(left, far)
                here, far = here + turn * step, far - step
                if step > SHORT:
                    yield self._leg(arc, kind, here - start, bend, turn)
                if far <= SHORT:
                    return
            arc = int(self.after[arc]) if turn > 0 else self._before(arc)
            here = float(self.along[arc])
            here += 0.0 if turn > 0 else float(self.width[arc] * self.reach[arc] + self.edge[arc])

    @staticmethod
    def _parts(turn: int, start: float, bend: float, edge: float) -> list[tuple[str, float, float]]:
        parts = [("arc", start, start + bend), ("edge", start + bend, start + bend + edge)]
        return parts if turn > 0 else parts[::-1]

    def _before(self, arc: int) -> int:
        rim = int(self.owner[arc])
        return arc - 1 if arc > self.first[rim] else int(self.first[rim] + self.count[rim] - 1)

    def _leg(self, arc: int, kind: str, past: float, bend: float, turn: int) -> Leg:
        """Return the leg that ends so far past where an arc begins."""
        if kind == "edge":
            share = (past - bend) / float(self.edge[arc])
            x, y = (self.edge_start[arc] + share * (self.edge_end[arc] - self.edge_start[arc])).tolist()
            return (x, y)
        cx, cy = self.centre[arc].tolist()
        reach, angle = float(self.reach[arc]), float(self.low[arc]) + past / float(self.reach[arc])
        return (cx + reach * math.cos(angle), cy + reach * math.sin(angle), cx, cy, float(turn))


def ways(angle: Floats) -> Floats:
    """Return the unit vectors (n, 2) of angles."""
    return np.stack([np.cos(angle), np.sin(angle)], axis=-1)
