"""What a move makes for: bases to come near to, a point or a line, or bases to get away from.

Owns how far is left to a goal as the crow flies, and the points to aim at. It knows no obstacles.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from geometry.base import Floats
from geometry.outline import NOTHING, Outlines
from geometry.spot import Edges, distances

NO_EDGES = Edges(np.empty((0, 2)), np.empty(0), np.empty((0, 2)), np.empty((0, 2)))
MIDWAY, RAYS = 6, 48


class Goal(Protocol):
    """What a move makes for."""

    @property
    def discs(self) -> Outlines:
        """Return the bases that it is about."""
        ...

    def left(self, xy: Floats, radius: float) -> Floats:
        """Return how far bases at these points (n, 2) have left."""
        ...

    def aims(self, at: Floats, radius: float) -> Floats:
        """Return the points (k, 2) to make for from a place, the best first."""
        ...

    def edges(self, at: Floats, radius: float, limit: float) -> Edges:
        """Return the edges of the spots with least to go, for a base that goes no farther than a limit."""
        ...

    def nearest(self, xy: Floats, radius: float) -> Floats:
        """Return the point straight toward which bases at each of these points (n, 2) have least to go."""
        ...

    def rings(self, radius: float) -> Outlines:
        """Return the discs about the goal in which a base has nothing left."""
        ...


@dataclass(frozen=True, slots=True)
class ToDiscs:
    """To come within `stop` of one of some bases."""

    discs: Outlines
    stop: float = 0.0

    def left(self, xy: Floats, radius: float) -> Floats:
        """Return how far is left to the nearest ring."""
        return np.asarray(np.maximum(gaps(xy, radius, self.discs).min(axis=1) - self.stop, 0.0))

    def aims(self, at: Floats, radius: float) -> Floats:
        """Return the centres of the nearest few bases."""
        order = np.argsort(gaps(at[None], radius, self.discs)[0], kind="stable")
        return self.discs.xy[order[:3]]

    def edges(self, at: Floats, radius: float, limit: float) -> Edges:
        """Return the rings."""
        rings = self.rings(radius)
        return Edges.of_circles(rings.xy, rings.radius)

    def nearest(self, xy: Floats, radius: float) -> Floats:
        """Return the centres of the nearest bases."""
        return np.asarray(self.discs.xy[gaps(xy, radius, self.discs).argmin(axis=1)])

    def rings(self, radius: float) -> Outlines:
        """Return the discs that end `stop` from the bases."""
        return Outlines(self.discs.xy, self.discs.radius + radius + self.stop)


@dataclass(frozen=True, slots=True)
class ToLine:
    """To come as near as may be to a stretch of line, or a point."""

    start: tuple[float, float]
    end: tuple[float, float]

    @property
    def discs(self) -> Outlines:
        """Return none."""
        return NOTHING

    def left(self, xy: Floats, radius: float) -> Floats:
        """Return how far the centres are from the line."""
        return np.asarray(np.hypot(*(xy - self._foot(xy)).T))

    def aims(self, at: Floats, radius: float) -> Floats:
        """Return the nearest point of the line."""
        return self._foot(at[None])

    def edges(self, at: Floats, radius: float, limit: float) -> Edges:
        """Return none."""
        return NO_EDGES

    def nearest(self, xy: Floats, radius: float) -> Floats:
        """Return the nearest points of the line."""
        return self._foot(xy)

    def rings(self, radius: float) -> Outlines:
        """Return none: a line is reached at its end."""
        return NOTHING

    def _foot(self, xy: Floats) -> Floats:
        a, along = np.array(self.start), np.array(self.end) - np.array(self.start)
        square = max(float((along**2).sum()), 1e-12)
        share = np.clip(((xy - a) * along).sum(axis=1) / square, 0, 1)
        return np.asarray(a + share[:, None] * along)


@dataclass(frozen=True, slots=True)
class Away:
    """To get as far as may be from some bases: the closest of them counts. Rule: R.A29"""

    discs: Outlines
    far: float

    def left(self, xy: Floats, radius: float) -> Floats:
        """Return how much less than `far` the closest base is away."""
        return np.asarray(self.far - gaps(xy, radius, self.discs).min(axis=1))

    def aims(self, at: Floats, radius: float) -> Floats:
        """Return points straight away from the closest base, and from the middle of those close by."""
        gap = gaps(at[None], radius, self.discs)[0]
        near = self.discs.xy[gap <= gap.min() + 1.0]
        return np.vstack([at + _unit(at - spot) * self.far for spot in (near.mean(axis=0), *near[:3])])

    def edges(self, at: Floats, radius: float, limit: float) -> Edges:
        """Return the lines midway between two bases, on which both are equally far."""
        order = np.argsort(gaps(at[None], radius, self.discs)[0], kind="stable")[:MIDWAY]
        i, j = np.triu_indices(len(order), 1)
        a, b = self.discs.xy[order[i]], self.discs.xy[order[j]]
        apart = np.hypot(*(b - a).T)
        a, b, apart, i, j = (part[apart > 1e-6] for part in (a, b, apart, i, j))
        shift = (self.discs.radius[order[i]] - self.discs.radius[order[j]]) / 2
        way = (b - a) / apart[:, None]
        middle = (a + b) / 2 + shift[:, None] * way
        aside = np.stack([-way[:, 1], way[:, 0]], axis=1)
        foot = middle + ((at - middle) * aside).sum(axis=1)[:, None] * aside
        near = np.hypot(*(foot - at).T) < limit
        start, end = (foot - limit * aside)[near], (foot + limit * aside)[near]
        return Edges(np.empty((0, 2)), np.empty(0), start, end)

    def around(self, at: Floats, limit: float) -> Floats:
        """Return points in all directions as far off as the limit."""
        turns = np.linspace(0, math.tau, RAYS + 1)[:-1]
        return np.asarray(at + limit * np.stack([np.cos(turns), np.sin(turns)], axis=1))

    def nearest(self, xy: Floats, radius: float) -> Floats:
        """Return points straight away from the closest bases."""
        off = xy - self.discs.xy[gaps(xy, radius, self.discs).argmin(axis=1)]
        apart = np.hypot(*off.T)[:, None]
        return np.asarray(xy + off / np.maximum(apart, 1e-9) * self.far)

    def rings(self, radius: float) -> Outlines:
        """Return none: there is always farther to go."""
        return NOTHING


def _unit(vector: Floats) -> Floats:
    length = float(np.hypot(*vector))
    return vector / length if length > 1e-9 else np.array([0.0, 1.0])


def gaps(xy: Floats, radius: float, discs: Outlines) -> Floats:
    """Return the signed gaps (n, m) between bases at these points and discs."""
    return np.asarray(distances(xy, discs.xy) - discs.radius[None] - radius)
