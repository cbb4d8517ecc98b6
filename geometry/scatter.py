"""A unit's ends chosen from spots laid out everywhere that its models can reach.

Owns the attempt at a move for which no quicker one finds an outcome: it looks for the best of a lattice of
spots, not for the best there is. Who takes which spot is `geometry.pick`'s.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np

from geometry.base import TOLERANCE, Bools, Floats
from geometry.berth import Allowed, Berth
from geometry.coherency import Spacing
from geometry.goal import headings
from geometry.joining import Gauge
from geometry.mover import Mover, Options
from geometry.path import Path
from geometry.pick import LATTICE, START, Pick
from geometry.spot import distances
from geometry.wrap import Way

STEP = 0.5
"""How far apart the spots lie, as a share of a middling base."""
HAIR = 1e-9
MOST = 900
"""Of more spots the best are kept."""


class Scatter:
    """The models of a unit of round bases, and spots all about them."""

    def __init__(self, movers: Sequence[Mover], spacing: Spacing) -> None:
        """Take the models."""
        self.movers, self.spacing = movers, spacing
        self.start = np.array([mover.start for mover in movers])
        self.size = np.array([mover.stance.radius for mover in movers])
        self.limit = np.array([mover.limit for mover in movers]) + TOLERANCE / 10
        radii, self.of = np.unique(self.size, return_inverse=True)
        self.goal = movers[0].goal
        self.footings = [movers[int(np.argmax(self.size == radius))].footing for radius in radii]
        self.need = spacing.neighbours_needed(len(movers))
        self.foremost = min(movers, key=lambda mover: round(mover.start_left, 6))
        self.is_straight = self.foremost.is_lost or self.foremost.is_straight
        self.own_left = self._own_left
        self.most_left = math.inf

    def berths(
        self, allowed: Allowed | None, stays: bool, suits: Callable[[Floats], bool], nearer: bool = False
    ) -> list[Berth] | None:
        """Return a berth for each model; None where this finds none that suits.

        With `nearer` nobody goes where it has no less left to go than where it may stay.
        """
        xy = self._spots
        count = len(self.start)
        left = self._left(xy)
        order = np.lexsort((self._nearness(xy).round(6), left[0].round(6)))[:MOST]
        xy, left = xy[order], left[:, order]
        may = distances(self.start, xy) <= self.limit[:, None]
        may &= self._stands(xy)[self.of]
        stay = np.ones(count, dtype=np.bool_) if stays else self._stand
        if nearer:
            may &= left[self.of] < np.where(stay, self.own_left, np.inf)[:, None] - HAIR
        if allowed is not None:
            may &= np.array([allowed(mover, xy) for mover in self.movers])
        pick = Pick(
            self,
            np.concatenate([xy, self.start]),
            np.concatenate([left, np.tile(self.own_left, (len(left), 1))], axis=1),
            np.concatenate([may, np.diag(stay)], axis=1),
            np.append(np.full(len(xy), LATTICE), np.full(count, START)),
        )
        rows = pick.rows()
        if rows is None or not suits(pick.xy[rows]):
            return None
        left = pick.lefts(rows)
        return [self._berth(pick.xy[[row]], left[[i]], *pick.way(i, row)) for i, row in enumerate(rows)]

    def _left(self, xy: Floats) -> Floats:
        """Return how far is left from spots (k, m): as the crow flies, or by the models' ways if those bend.

        Infinite where none of these is to be seen from a spot.
        """
        if self.is_straight:
            return np.array([self.goal.left(xy, footing.stance) for footing in self.footings])
        found = []
        for own, footing in enumerate(self.footings):
            trails = [mover.trail for row, mover in enumerate(self.movers) if self.of[row] == own]
            found.append(Gauge(self.goal, footing.stance, footing.obstacles, *trails).left(xy))
        return np.array(found)

    @property
    def _own_left(self) -> Floats:
        if self.is_straight:
            return np.array([float(mover.straight_left(mover.at[None])[0]) for mover in self.movers])
        return np.array([mover.start_left for mover in self.movers])

    def _stands(self, xy: Floats) -> Bools:
        """Return on which spots bases of each size may stand (k, m)."""
        return np.array([footing.stands(xy) for footing in self.footings])

    @property
    def _stand(self) -> Bools:
        """Return which models may stand where they are."""
        return np.asarray(self._stands(self.start)[self.of, np.arange(len(self.start))])

    def _nearness(self, xy: Floats) -> Floats:
        return np.asarray(distances(xy, self.start).sum(axis=1))

    @staticmethod
    def _berth(xy: Floats, left: Floats, path: Path, far: float) -> Berth:
        return Berth(Options(xy, np.array([far]), left, np.full(1, np.nan)), path)

    @cached_property
    def _spots(self) -> Floats:
        """Return the spots of a lattice on which bases may stand, as far as anybody goes."""
        step = STEP * 2 * float(np.median(self.size))
        low, high = (
            (self.start - self.limit[:, None]).min(axis=0),
            (self.start + self.limit[:, None]).max(axis=0),
        )
        middle = (low + high) / 2
        x, y = (
            np.arange(-math.ceil(far / step), math.ceil(far / step) + 1) * step for far in (high - low) / 2
        )
        xy = np.stack(np.meshgrid(middle[0] + x, middle[1] + y), axis=-1).reshape(-1, 2).round(7)
        xy = np.concatenate([self._straight_ends, xy])
        xy = xy[(distances(self.start, xy) <= self.limit[:, None]).any(axis=0)]
        return np.asarray(xy[self._stands(xy).any(axis=0)])

    @cached_property
    def _straight_ends(self) -> Floats:
        """Return how far each model gets straight ahead."""
        ends = []
        for mover in self.movers:
            far = min(float(mover.straight_left(mover.at[None])[0]), mover.limit)
            ends.append(mover.at + headings(self.goal, mover.at[None], mover.stance)[0] * far)
        return np.asarray(np.round(ends, 7))

    def ways(self, models: Sequence[int], end: Floats) -> list[Way | None]:
        """Return these models' shortest ways to the ends of the same rows, None where they are too long."""
        start, limit = self.start[list(models)], self.limit[list(models)]
        clear = np.hypot(*(end - start).T) <= limit
        for own, footing in enumerate(self.footings):
            some = np.flatnonzero(clear & (self.of[list(models)] == own))
            clear[some] = footing.obstacles.clear(start[some], end[some])
        found: list[Way | None] = []
        for row, is_clear in zip(range(len(end)), clear.tolist(), strict=True):
            at, to = start[row], end[row]
            if is_clear:
                found.append((Path.from_legs(at, [tuple(to)]), math.dist(at, to)))
                continue
            way = self.movers[models[row]].true_way(to)
            found.append(None if way is None else (way, way.length))
        return found
