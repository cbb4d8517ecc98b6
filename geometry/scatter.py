"""A unit's ends chosen from spots laid out everywhere that its models can reach.

Owns the attempt at a move for which no quicker one finds an outcome: it looks for the best of a lattice of
spots, not for the best there is. Who takes which spot is `geometry.pick`'s.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np

from geometry.base import TOLERANCE, Floats
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
"""How far apart the spots lie, as a share of the widest base."""
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
        wide = movers[int(self.size.argmax())]
        self.footing, self.goal, self.stance = wide.footing, wide.goal, wide.stance
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
        order = np.lexsort((self._nearness(xy).round(6), left.round(6)))[:MOST]
        xy, left = xy[order], left[order]
        may = distances(self.start, xy) <= self.limit[:, None]
        stay = np.ones(count, dtype=np.bool_) if stays else self.footing.stands(self.start)
        if nearer:
            may &= left < np.where(stay, self.own_left, np.inf)[:, None] - HAIR
        if allowed is not None:
            may &= np.array([allowed(mover, xy) for mover in self.movers])
        pick = Pick(
            self,
            np.concatenate([xy, self.start]),
            np.concatenate([left, self.own_left]),
            np.concatenate([may, np.diag(stay)], axis=1),
            np.append(np.full(len(xy), LATTICE), np.full(count, START)),
        )
        rows = pick.rows()
        if rows is None or not suits(pick.xy[rows]):
            return None
        return [
            self._berth(pick.xy[[row]], pick.left[[row]], *pick.way(i, row)) for i, row in enumerate(rows)
        ]

    def _left(self, xy: Floats) -> Floats:
        """Return how far is left from spots: as the crow flies, or by the models' ways if those bend.

        Infinite where none of these is to be seen from a spot.
        """
        if self.is_straight:
            return self.goal.left(xy, self.stance)
        trails = [mover.trail for mover in self.movers]
        return Gauge(self.goal, self.stance, self.footing.obstacles, *trails).left(xy)

    @property
    def _own_left(self) -> Floats:
        if self.is_straight:
            return self.goal.left(self.start, self.stance)
        return np.array([mover.start_left for mover in self.movers])

    def _nearness(self, xy: Floats) -> Floats:
        return np.asarray(distances(xy, self.start).sum(axis=1))

    @staticmethod
    def _berth(xy: Floats, left: Floats, path: Path, far: float) -> Berth:
        return Berth(Options(xy, np.array([far]), left, np.full(1, np.nan)), path)

    @cached_property
    def _spots(self) -> Floats:
        """Return the spots of a lattice on which the widest base may stand, as far as anybody goes."""
        step = STEP * 2 * self.stance.radius
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
        return np.asarray(xy[self.footing.stands(xy)])

    @cached_property
    def _straight_ends(self) -> Floats:
        """Return how far each model gets straight ahead."""
        far = np.minimum(self.goal.left(self.start, self.stance), self.limit - TOLERANCE / 10)
        way = headings(self.goal, self.start, self.stance)
        return np.asarray(np.round(self.start + way * far[:, None], 7))

    def ways(self, models: Sequence[int], end: Floats) -> list[Way | None]:
        """Return these models' shortest ways to the ends of the same rows, None where they are too long."""
        start, limit = self.start[list(models)], self.limit[list(models)]
        clear = self.footing.obstacles.clear(start, end) & (np.hypot(*(end - start).T) <= limit)
        found: list[Way | None] = []
        for row, is_clear in zip(range(len(end)), clear.tolist(), strict=True):
            at, to = start[row], end[row]
            if is_clear:
                found.append((Path.from_legs(at, [tuple(to)]), math.dist(at, to)))
                continue
            way = self.movers[models[row]].true_way(to)
            found.append(None if way is None else (way, way.length))
        return found
