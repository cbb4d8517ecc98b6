"""The models of a unit of round bases behind their leader, the model with the shortest way.

Owns the leader's way, and for every model the ways, the spots where it may stand and the distances left. The
spots laid out for the unit are `geometry.group.lattice`'s, the outcome is `geometry.group.batch`'s.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from geometry.group.by_size import Sized
from geometry.group.party import Muster
from geometry.measure.coherency import Spacing
from geometry.path.obstacles import Obstacles
from geometry.path.planner import Path
from geometry.path.reference_path import Trail
from geometry.path.shortcut import Ring, Way, Wraps
from geometry.shape.arrangement import distances
from geometry.shape.base import TOLERANCE, Bools, Floats, distinct
from geometry.shape.cached import cached_property
from geometry.shape.convex_shape import NOTHING, Stance
from geometry.single.best_spot import berth
from geometry.single.distance_to_go import Gauge
from geometry.single.free_space import Footing
from geometry.single.goal import Goal, ToBases, headings, makes_way
from geometry.single.model_move import Mover
from geometry.single.placed_friends import Company

DETOUR = 1.0
"""A straight way leads the unit that is no more than so much longer than the nearest model is away."""
BACK = (1.0, 0.98, 0.95, 0.9, 0.85, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2)
BESIDE = 1.2
"""The margin beyond a model's reach within which spots count, in inches.

In a lattice it is in widths of a base.
"""


class LedUnit:
    """The models of a unit of round bases, led by the one with the shortest way."""

    def __init__(self, muster: Muster, goal: Goal, spacing: Spacing, stays: bool = True) -> None:
        """Take the models on their ground, and what they make for.

        Without `stays` none stays where it may not end.
        """
        party = muster.party
        self.start, self.size = party.xy, party.radius
        self.limit = party.limit + TOLERANCE / 10
        self.goal, self.spacing, self.stays = goal, spacing, stays
        self.need = spacing.neighbours_needed(len(party))
        radii = distinct(self.size)
        self.of = np.searchsorted(radii, self.size)
        self._muster, self._stances = muster, [Stance(radius) for radius in radii.tolist()]
        self.weight = 1.0 / (1.0 + np.arange(len(party)))
        self._straight_left = self._each(goal.left, self.start)
        self.row, self.trail, self.is_closed = self._led()
        self.stance = self._stances[self.of[self.row]]
        self._obstacles = muster.footing(self.stance).obstacles
        reach = self.limit[:, None]
        box = (self.start - reach).min(axis=0), (self.start + reach).max(axis=0)
        self.gauge: Gauge | None = None
        self.is_straight = len(self.trail.path.legs) < 2 and all(
            len(leg) == 2 for leg in self.trail.path.legs
        )
        rings = self._rings_about()
        self.sizes = [
            Sized(
                rows := (self.of == own).nonzero()[0],
                self.start[rows],
                muster.footing(stance),
                box,
                self.trail,
                rings[own],
                stance.radius - self.stance.radius,
            )
            for own, stance in enumerate(self._stances)
        ]
        self.leading: Sized = self.sizes[self.of[self.row]]
        self.footing: Footing = self.leading.footing
        self.may_bend = bool(self.leading.wraps.corners)
        self.own_left = self._own_left()

    def _each(self, asked: Callable[[Floats, Stance], Floats], xy: Floats) -> Floats:
        """Return what is told of each model, of a place of its own, by how its base stands."""
        if len(self._stances) == 1:
            return asked(xy, self._stances[0])
        told = [asked(xy, stance) for stance in self._stances]
        return np.asarray(np.array(told)[self.of, np.arange(len(xy))])

    def _led(self) -> tuple[int, Trail, bool]:
        """Return the row of the model with the shortest way (the nearest, or one going straight), and it.

        With it goes whether it leads through what closes every way.
        """
        far = self._straight_left.round(6)
        row = int(far.argmin())
        # Nothing about the goal is nearer than where a model has nothing left to go.
        ends = self._ahead_by(self._straight_left)
        if self._obstacles_of(row).clear(self.start[row : row + 1], ends[row : row + 1])[0]:
            return row, self._straight_trail(row), False
        free = self._are_clear(ends)
        straight = int(np.where(free, far, np.inf).argmin())
        if free[straight] and far[straight] <= far[row] + DETOUR:
            return straight, self._straight_trail(straight), False
        stance = self._stances[self.of[row]]
        nearest = self._muster.mover(row, stance, self.goal)
        trail = nearest.trail
        if free[straight] and (not trail.path.legs or far[straight] < trail.length):
            return straight, self._straight_trail(straight), False
        return row, trail, nearest.is_closed

    def _obstacles_of(self, row: int) -> Obstacles:
        return self._muster.footing(self._stances[self.of[row]]).obstacles

    def _are_clear(self, ends: Floats) -> Bools:
        """Return which models have free straight ways to these ends."""
        found = np.empty(len(ends), dtype=np.bool_)
        for own, stance in enumerate(self._stances):
            rows = self.of == own
            found[rows] = self._muster.footing(stance).obstacles.clear(self.start[rows], ends[rows])
        return found

    def _straight_trail(self, row: int) -> Trail:
        end = self._ahead_by(self._straight_left)[row]
        return Trail(Path.from_legs(self.start[row], [tuple(end)] if self._straight_left[row] > 0 else []))

    def _rings_about(self) -> list[Ring | None]:
        """Return the ring about the goal's base at which the leader's way ends, for each size of bases.

        None where that is too far.
        """
        none: list[Ring | None] = [None for _ in self._stances]
        if not isinstance(self.goal, ToBases) or self.trail.length > self.limit[self.row] + BESIDE:
            return none
        rings = self.goal.rings(self.stance)
        row = int(np.abs(rings.distances(np.array([self.trail.path.end]))[0]).round(6).argmin())
        if rings.core and not rings.core[row].is_point:
            return none
        wider = [stance.radius - self.stance.radius for stance in self._stances]
        return [(rings.xy[row], float(rings.radius[row]) + more) for more in wider]

    @property
    def advance(self) -> Way:
        """Return the leader's way as far as it may go and stand, or to the best place beside it."""
        return self._ahead or self._beside

    @cached_property
    def _ahead(self) -> Way | None:
        """Return the leader's way, as far as it may go and stand; None where it may stand nowhere on it."""
        far = min(float(self.limit[self.row]) - TOLERANCE / 10, self.trail.length)
        whole = self.leading.wraps.along(far)
        if self.footing.stands(np.round([whole[0].end], 7))[0]:
            return whole
        ways = [self.leading.wraps.along(far * share) for share in BACK[1:]]
        stands = self.footing.stands(np.round([path.end for path, _ in ways], 7))
        return ways[int(stands.argmax())] if stands.any() else None

    @cached_property
    def _beside(self) -> Way:
        """Return the leader's way to the best spot for it alone, where it may stand nowhere on its way."""
        mover = self._mover(self.row)
        found = berth(mover, Company(NOTHING, 0, self.spacing.reach), stays=False)
        path = Path(mover.start) if found is None else found.path or mover.path_to(found.option)
        return Wraps(self.footing.obstacles, Trail(path)).along(path.length)

    @cached_property
    def end(self) -> Floats:
        """Return where the leader's way ends."""
        return np.round(self.advance[0].end, 7)

    @property
    def steps(self) -> Floats:
        """Return the leader's step (n, 2), for each model no longer than it may go."""
        step = self.end - self.start[self.row]
        far = max(float(np.hypot(*step)), TOLERANCE)
        return np.asarray(step * np.minimum((self.limit - TOLERANCE / 5) / far, 1.0)[:, None])

    def _mover(self, row: int) -> Mover:
        footing = self.sizes[self.of[row]].footing
        return Mover(self.start[row], float(self.limit[row]), footing, self.goal)

    @property
    def bar(self) -> Floats:
        """Return what a spot must leave less than for each model; who may not stay goes anywhere."""
        return np.where(self.may_stay, self.own_left + makes_way(self.goal, self.size), np.inf)

    @cached_property
    def may_stay(self) -> Bools:
        return np.ones(len(self.start), dtype=np.bool_) if self.stays else self.stand(self.start)

    def _ahead_by(self, far: Floats) -> Floats:
        """Return where the models are who go so far straight for the goal."""
        return np.asarray(self.start + self._headings * far[:, None])

    @cached_property
    def _headings(self) -> Floats:
        found = np.empty_like(self.start)
        for own, stance in enumerate(self._stances):
            rows = self.of == own
            found[rows] = headings(self.goal, self.start[rows], stance)
        return found

    def ways(self, models: Sequence[int], end: Floats) -> list[Way | None]:
        """Return these models' ways to the ends of the same rows, None where none is found."""
        rows = np.array(models, dtype=np.intp)
        if len(self.sizes) == 1:
            return self.sizes[0].ways(rows, end, self.limit[rows])
        found: list[Way | None] = [None for _ in models]
        for own, sized in enumerate(self.sizes):
            some = (self.of[rows] == own).nonzero()[0]
            if len(some):
                places = np.searchsorted(sized.rows, rows[some])
                ways = sized.ways(places, end[some], self.limit[rows[some]])
                for row, way in zip(some.tolist(), ways, strict=True):
                    found[row] = way
        return found

    def stand(self, xy: Floats) -> Bools:
        """Return which models may stand on the places of the same rows."""
        if len(self.sizes) == 1:
            return self.footing.stands(xy)
        found = np.empty(len(xy), dtype=np.bool_)
        for sized in self.sizes:
            found[sized.rows] = sized.footing.stands(xy[sized.rows])
        return found

    def stands(self, xy: Floats) -> Bools:
        """Return on which spots bases of each size may stand (k, m)."""
        return np.array([sized.footing.stands(xy) for sized in self.sizes])

    def free(self, spots: Floats) -> Bools:
        """Return which models have a free straight way to which spots (n, m)."""
        if len(self.sizes) == 1:
            return self.sizes[0].lanes.free(spots)
        found = np.empty((len(self.start), len(spots)), dtype=np.bool_)
        for sized in self.sizes:
            found[sized.rows] = sized.lanes.free(spots)
        return found

    def _own_left(self) -> Floats:
        return self._straight_left if self.is_straight else self.left_of(self.start)

    def left_of(self, ends: Floats) -> Floats:
        """Return how far each model has left from the place of the same row."""
        return np.asarray(self.left(ends)[self.of, np.arange(len(ends))])

    def left(self, xy: Floats) -> Floats:
        """Return how far bases of each size (k, m) have left from spots.

        They go by the leader's way where that is not straight.
        """
        if self.is_straight:
            return np.array([self.goal.left(xy, stance) for stance in self._stances])
        if self.gauge is not None:
            return self.by_size(self.gauge.left(xy), xy)
        via, gone = self.trail.via
        return self.by_size((distances(xy, via) + (self.trail.length - gone)).min(axis=1), xy)

    def by_size(self, left: Floats, xy: Floats) -> Floats:
        """Return what spots leave to bases of each size (k, m) that leave so much to the leader's (m,)."""
        if len(self.sizes) == 1 or not isinstance(self.goal, ToBases):
            return np.tile(left, (len(self.sizes), 1))
        wide = self.stance.radius
        rows = [
            np.maximum(left + (wide - stance.radius), self.goal.left(xy, stance)) for stance in self._stances
        ]
        return np.array(rows)
