"""A unit's ends chosen from spots laid out everywhere that its models can reach.

Owns the attempt at a move for which no quicker one finds an outcome: it looks for the best of a lattice of
spots, not for the best there is. Who takes which spot is `geometry.group.assignment`'s.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from geometry.group.assignment import LATTICE, START, Pick
from geometry.measure.coherency import Spacing
from geometry.path.obstacles import CLOSE
from geometry.path.planner import Path
from geometry.path.shortcut import Way, straight_way
from geometry.shape.arrangement import Edges, between, crossings, distances
from geometry.shape.base import TOLERANCE, Bools, Floats, distinct
from geometry.shape.cached import cached_property
from geometry.single.best_spot import Berth
from geometry.single.candidates import Options
from geometry.single.distance_to_go import Gauge
from geometry.single.goal import headings, makes_way
from geometry.single.model_move import Mover
from geometry.single.placed_friends import Allowed

STEP = 0.5
"""How far apart the spots lie, as a share of a middling base."""
HAIR = 1e-9
KEPT = 150
"""So many of the best spots of each model are kept."""
SHARES = (1.0, 0.75, 0.5, 0.25)
MANY = 3
"""To so many spots of one model ways past one shape are looked for at once."""
AFAR = 1e6
"""No way is so long."""
CLOSER = 2
"""So often a choice is closed up."""


class Scatter:
    """The models of a unit of round bases, and spots all about them."""

    def __init__(self, movers: Sequence[Mover], spacing: Spacing) -> None:
        """Take the models."""
        self.movers, self.spacing = movers, spacing
        self.start = np.array([mover.start for mover in movers])
        self.size = np.array([mover.stance.radius for mover in movers])
        self.limit = np.array([mover.limit for mover in movers]) + TOLERANCE / 10
        radii = distinct(self.size)
        self.of = np.searchsorted(radii, self.size)
        self.goal = movers[0].goal
        far = self.limit[:, None]
        low, high = self._box = (self.start - far).min(axis=0), (self.start + far).max(axis=0)
        self._whole = [movers[int(np.argmax(self.size == radius))].footing for radius in radii]
        # Nobody leaves the box, and most of what is in the way lies beyond it.
        self.footings = [footing.about(low, high) for footing in self._whole]
        self.need = spacing.neighbours_needed(len(movers))
        self.foremost = min(movers, key=lambda mover: round(mover.start_left, 6))
        self.is_straight = self.foremost.is_lost or self.foremost.is_straight
        self.own_left = self._own_left
        self.most_left = math.inf
        self.stay = np.ones(len(self.start), dtype=np.bool_)
        self.allowed: Allowed | None = None

    def berths(
        self, allowed: Allowed | None, stays: bool, suits: Callable[[Floats], bool], nearer: bool = False
    ) -> list[Berth] | None:
        """Return a berth for each model; None where this finds none that suits.

        With `nearer` nobody goes where it has no less left to go than where it may stay, and the best of many
        choices is closed up.
        """
        self.allowed = allowed
        self.stay = np.ones(len(self.start), dtype=np.bool_) if stays else self._stand
        bar = np.where(self.stay & nearer, self.own_left + makes_way(self.goal, self.size), np.inf)
        pick = self._offered(self._spots, self.start, bar)
        rows = None if pick is None else pick.best() if nearer else pick.rows()
        if pick is None or rows is None:
            return None
        found = self._berths(pick, rows)
        for _ in range(CLOSER if nearer else 0):
            if self.footings[0].budget.is_spent:
                break
            before, found = found, self._closed_up(found)
            if all(new is old for new, old in zip(found, before, strict=True)):
                break
        return found if suits(np.array([each.xy for each in found])) else None

    def _offered(self, xy: Floats, stand: Floats, bar: Floats) -> Pick | None:
        """Return the choice among the best of these spots and where the models stand.

        Who goes to a spot must have less left there than `bar`. None where some model has no spot.
        """
        bar = bar[:, None] - HAIR
        may = distances(self.start, xy) <= self.limit[:, None]
        may &= self._straight_left(xy)[self.of] < bar
        rows = np.flatnonzero(may.any(axis=0))
        xy, may = xy[rows], may[:, rows]
        may &= self._stands(xy)[self.of]
        if self.allowed is not None:
            may &= np.array([self.allowed(mover, xy) for mover in self.movers])
        if not (may.any(axis=1) | self.stay).all():
            return None
        self.footings[0].budget.spend(int(may.any(axis=0).sum()))
        bounds = np.array([gauge.bounds(xy) for gauge in self._gauges])
        may &= bounds[self.of] < bar
        free = self._straight(xy, may)
        order = np.lexsort((self._nearness(xy).round(6), bounds[0].round(6)))
        may, free = may[:, order], free[:, order]
        kept = (may & (may.cumsum(axis=1) <= KEPT)).any(axis=0)
        xy, may, free = xy[order[kept]], may[:, kept], free[:, kept]
        left = self._left(xy, may, bar)
        may &= left[self.of] < bar
        if not (may.any(axis=1) | self.stay).all():
            return None
        order = np.lexsort((self._nearness(xy).round(6), left.min(axis=0).round(6)))
        xy, left, may, free = xy[order], left[:, order], may[:, order], free[:, order]
        count = len(self.start)
        # Who may not stay goes anywhere rather than that.
        stay_left = np.where(self.stay, self.own_left, self.own_left + AFAR)
        return Pick(
            self,
            np.concatenate([xy, stand]),
            np.concatenate([left, np.tile(stay_left, (len(left), 1))], axis=1),
            np.concatenate([may, np.diag(self.stay)], axis=1),
            np.append(np.full(len(xy), LATTICE), np.full(count, START)),
            # Straight ways are told from where the models stand, not from where they would end.
            np.concatenate([free, np.zeros((count, count), dtype=np.bool_)], axis=1)
            if stand is self.start
            else None,
        )

    def _straight(self, xy: Floats, may: Bools) -> Bools:
        """Return who goes straight to which spots (n, m), and cross out what is too far round for others."""
        free = np.zeros(may.shape, dtype=np.bool_)
        rows, to = may.nonzero()
        for own, footing in enumerate(self.footings):
            some = (self.of[rows] == own).nonzero()[0]
            start, end = self.start[rows[some]], xy[to[some]]
            free[rows[some], to[some]] = footing.obstacles.clear(start, end)
        for mover, own, straight in zip(self.movers, may, free, strict=True):
            shut = (own & ~straight).nonzero()[0]
            if len(shut):
                own[shut] = mover.may_go_round(xy[shut])
                if mover.free is not mover.footing.obstacles:
                    here = np.broadcast_to(mover.at, (len(shut), 2))
                    own[shut] |= mover.free.clear(here, xy[shut])
        return free

    def _closed_up(self, taken: Sequence[Berth]) -> list[Berth]:
        """Return berths bettered among spots that touch those that are taken, or lie at their edges."""
        ends, left = np.array([each.xy for each in taken]), np.array([each.left for each in taken])
        found = []
        for own, footing in enumerate(self.footings):
            touching = self.size + footing.stance.radius
            about = Edges.of_circles(ends, touching + TOLERANCE / 10).joined(
                Edges.of_circles(ends, touching + self.spacing.reach - TOLERANCE / 10)
            )
            edges = self._limits[own].joined(self._edges[own])
            found += [crossings(about), between(about, edges)]
        self.own_left, self.stay = left, np.ones(len(left), dtype=np.bool_)
        spots = np.concatenate(found).round(7)
        # One may stand in the way of a spot: who takes it, or who goes on.
        held = distances(spots, ends) < self.size + self.size.min() - CLOSE
        pick = self._offered(spots[held.sum(axis=1) <= 1], ends, left)
        if pick is None:
            return list(taken)
        rows = pick.bettered(range(len(pick.xy) - len(ends), len(pick.xy)))
        berths = self._berths(pick, rows)
        return [
            new if moved else old
            for new, old, moved in zip(berths, taken, np.array(rows) < len(pick.xy) - len(ends), strict=True)
        ]

    def _berths(self, pick: Pick, rows: Sequence[int]) -> list[Berth]:
        left = pick.lefts(rows)
        return [self._berth(pick.xy[[row]], left[[i]], *pick.way(i, row)) for i, row in enumerate(rows)]

    def _straight_left(self, xy: Floats) -> Floats:
        return np.array([self.goal.left(xy, footing.stance) for footing in self.footings])

    def _left(self, xy: Floats, may: Bools, bar: Floats) -> Floats:
        """Return what spots leave to bases of each size (k, m), measured where some model of it may go.

        What is no less than the bars (n, 1) of all who may go there may be a bound.
        """
        found = np.full((len(self.footings), len(xy)), math.inf)
        for own, gauge in enumerate(self._gauges):
            may_own = may[self.of == own]
            some = may_own.any(axis=0)
            below = np.where(may_own[:, some], bar[self.of == own], -math.inf).max(axis=0)
            found[own, some] = gauge.left(xy[some], below)
        return found

    @cached_property
    def _gauges(self) -> list[Gauge]:
        """Return for bases of each size what measures how far is left: by the models' ways if those bend."""
        found = []
        for footing in self._whole:
            wide = footing.stance.radius
            movers = [] if self.is_straight else [m for m in self.movers if m.stance.radius >= wide]
            trails = [mover.trail for mover in movers]
            # What holds the end of a way is entered straight to it.
            free = footing.obstacles
            if trails:
                free = free.freed(*(trail.path.end for trail in trails))
            found.append(Gauge(self.goal, footing.stance, free, *trails))
        return found

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
        """Return what tells apart spots that leave as much: how near the models are, by which they are."""
        return np.asarray(distances(xy, self.start) @ (1.0 / (1.0 + np.arange(len(self.start)))))

    @staticmethod
    def _berth(xy: Floats, left: Floats, path: Path, far: float) -> Berth:
        return Berth(Options(xy, np.array([far]), left, np.full(1, np.nan)), path)

    @property
    def _spots(self) -> Floats:
        """Return the spots of a lattice on which bases may stand, as far as anybody goes."""
        step = STEP * 2 * sorted(self.size.tolist())[len(self.size) // 2]
        low, high = self._box
        middle = (low + high) / 2
        x, y = (
            np.arange(-math.ceil(far / step), math.ceil(far / step) + 1) * step for far in (high - low) / 2
        )
        xy = np.stack(np.meshgrid(middle[0] + x, middle[1] + y), axis=-1).reshape(-1, 2).round(7)
        return np.concatenate([self._own_ends, self._critical, xy])

    @property
    def _critical(self) -> Floats:
        """Return where edges stop bases: where two of these cross, or where a model's limit ends at one."""
        found = [np.empty((0, 2))]
        for edges, limits in zip(self._edges, self._limits, strict=True):
            found += [crossings(edges), between(limits, edges)]
        return np.concatenate(found).round(7)

    @cached_property
    def _edges(self) -> list[Edges]:
        """Return for bases of each size the edges of where these may stand, as far as anybody goes."""
        middle = (self.start.min(axis=0) + self.start.max(axis=0)) / 2
        far = float((distances(self.start, middle[None])[:, 0] + self.limit).max())
        return [footing.edges.within(middle, far) for footing in self.footings]

    @cached_property
    def _limits(self) -> list[Edges]:
        """Return for bases of each size how far they go."""
        far = self.limit - TOLERANCE / 5
        sizes = range(len(self.footings))
        return [Edges.of_circles(self.start[self.of == own], far[self.of == own]) for own in sizes]

    @property
    def _own_ends(self) -> Floats:
        """Return how far each model gets straight ahead, and along its way."""
        ends = []
        for mover in self.movers:
            far = min(float(mover.straight_left(mover.at[None])[0]), mover.limit)
            ends.append(mover.at + headings(self.goal, mover.at[None], mover.stance)[0] * far)
            if not mover.is_straight:
                ends += list(
                    mover.trail.spots(np.minimum(np.array(SHARES) * mover.limit, mover.trail.length))
                )
        return np.round(ends, 7)

    def ways(self, models: Sequence[int], end: Floats) -> list[Way | None]:
        """Return these models' ways to the ends of the same rows, None where they are too long."""
        start, limit = self.start[list(models)], self.limit[list(models)]
        clear = np.hypot(*(end - start).T) <= limit
        for own, footing in enumerate(self.footings):
            some = (clear & (self.of[list(models)] == own)).nonzero()[0]
            clear[some] = footing.obstacles.clear(start[some], end[some])
        found: list[Way | None] = [None for _ in models]
        for row in clear.nonzero()[0].tolist():
            found[row] = straight_way(start[row].tolist(), end[row].tolist())
        rest: dict[int, list[int]] = {}
        for row in (~clear).nonzero()[0].tolist():
            rest.setdefault(models[row], []).append(row)
        for i, rows in rest.items():
            for row, way in zip(rows, self._bent_ways(self.movers[i], end[rows]), strict=True):
                found[row] = way
        return found

    @staticmethod
    def _bent_ways(mover: Mover, xy: Floats) -> list[Way | None]:
        """Return a model's shortest ways to spots, None where it has none."""
        found: list[Way | None] = mover.ways_to(xy) if len(xy) >= MANY else [None for _ in xy]
        for row in [row for row, way in enumerate(found) if way is None]:
            path = mover.true_way(xy[row])
            found[row] = None if path is None else (path, path.length)
        return found
