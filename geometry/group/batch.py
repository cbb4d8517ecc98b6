"""A whole unit's ends chosen at once, from one pool of spots about the end of its foremost model's way.

Owns the quick answer for many models, whose questions are a little stricter than the rules'. Where the spots
are is `geometry.group.lattice`'s, who takes which `geometry.group.assignment`'s, the ways there are
`geometry.path.shortcut`'s. It promises nothing: where it finds no outcome, `geometry.group.formation`
searches on.
"""

from __future__ import annotations

from copy import copy

import numpy as np

from geometry.group.assignment import END, Pick
from geometry.group.lattice import Layout
from geometry.group.led_unit import DETOUR, LedUnit
from geometry.group.party import Party
from geometry.measure.coherency import is_one_group
from geometry.path.planner import Path
from geometry.path.reference_path import rounded
from geometry.path.shortcut import straight_way
from geometry.shape.arrangement import distances
from geometry.shape.base import TOLERANCE, Floats
from geometry.shape.cached import cached_property
from geometry.single.distance_to_go import Gauge
from geometry.single.goal import Away, Goal

FEWEST = 2
"""Of so many round bases on, spots are first shared out in one go."""
OTHERS = 2
"""So many models' ways beside the leader's tell how far is left."""
SMALL, SHORT, SHORTER = 6, 1.9, 0.1
"""An outcome in which models fall so much shorter, on average, than if each were alone, is not taken.

Of a small unit less is allowed: there the search model by model finds more."""


def may_huddle(party: Party, goal: Goal) -> bool:
    """Return whether spots for a goal may be shared out in one go: those of several bases, all round."""
    if len(party) < FEWEST or isinstance(goal, Away):
        return False
    return not party.bases or all(party.stance(row).core.is_point for row in range(len(party)))


class Huddle(LedUnit):
    """The models of a unit of round bases, and the outcome of sharing out spots among them."""

    def outcome(self) -> tuple[tuple[Path, ...], Floats] | None:
        """Return a path for each model and how far it has left; None where this finds none that is legal.

        How far is left is first taken to be no farther than the leader's way as the crow flies: where that
        leads astray there is none, either.
        """
        if self._is_lost:
            return None
        found = self._found()
        if self.is_straight or found is None:
            return found
        left = self._true_left(*found)
        return None if left is None else (found[0], left)

    def measured(self) -> tuple[tuple[Path, ...], Floats] | None:
        """Return the same by spots chosen anew, ways to the leader's way and to some others measured."""
        if self._is_lost or self.is_straight or self._is_small:
            return None
        return self._measured()._found()

    @property
    def _is_lost(self) -> bool:
        return not self.trail.path.legs and bool(self._straight_left[self.row] > TOLERANCE)

    def _true_left(self, paths: tuple[Path, ...], reckoned: Floats) -> Floats | None:
        """Return what an outcome truly leaves; None where the models gain much less than was reckoned."""
        ends = np.array([path.end for path in paths])
        left = self._gauge.by_trail(ends)
        long = (left > reckoned + DETOUR).nonzero()[0]
        if len(long):
            straight = self._gauge.straight(ends[long])
            left[long] = np.minimum(np.minimum(left[long], straight), (reckoned + self.limit)[long])
        most = DETOUR if len(ends) > SMALL else SHORTER
        # What is left before a move is no less than was reckoned: it need not be measured where that will do.
        if (left - reckoned).mean() <= most or left.sum() <= self.most_left:
            return left
        before = self._gauge.left(self.start)
        before = np.where(np.isfinite(before), before, self.own_left)
        return left if left.sum() <= self._most_left(before) else None

    def _measured(self) -> Huddle:
        """Return the same, with ways measured: the leader's, and those of models that others suit better."""
        found, gauge = copy(self), self._gauge
        left = gauge.left(self.start)
        for _ in range(OTHERS):
            longer = left - np.minimum(gauge.joining.bounds(self.start), left)
            row = int(longer.argmax())
            if longer[row] <= DETOUR:
                break
            gauge = gauge.with_trail(self._mover(row).trail)
            left = gauge.left(self.start)
        found.gauge = gauge
        found.own_left = np.where(np.isfinite(left), left, gauge.joining.bounds(self.start))
        return found

    @cached_property
    def _gauge(self) -> Gauge:
        """Return what measures ways to the goal, by the leader's way."""
        return Gauge(self.goal, self.stance, self._obstacles, self.trail)

    def _found(self) -> tuple[tuple[Path, ...], Floats] | None:
        alone = self._each_alone()
        if alone is not None or self._is_small:
            # For a few models the search model by model finds more than a choice of spots that are laid out.
            return alone
        return self._chosen()

    def _chosen(self) -> tuple[tuple[Path, ...], Floats] | None:
        """Return the outcome of the models that choose among spots laid out, if it leaves little enough."""
        pool = Layout(self).pool()
        if np.where(pool.may, pool.left[self.of], np.inf).min(axis=1).sum() > self.most_left:
            return None
        pick = Pick(self, pool.xy, pool.left, pool.may, pool.kind, pool.free)
        if len(self.advance[0].legs) > 1 and self.leading.wraps.are_clear(self.advance[0]):
            pick.let(self.row, (pool.kind == END).nonzero()[0], self.advance)
        rows = pick.rows(settles=False)
        if rows is None:
            return None
        left = pick.lefts(rows)
        paths = tuple(_rounded(pick.way(i, row)[0]) for i, row in enumerate(rows))
        return (paths, left) if left.sum() <= self.most_left else None

    @property
    def _is_small(self) -> bool:
        return len(self.start) <= SMALL

    @property
    def most_left(self) -> float:
        """Return how much may be left, of all models together, for an outcome to be taken."""
        return self._most_left(self.own_left)

    def _most_left(self, before: Floats, most: float = SHORT) -> float:
        short = most if len(self.start) > SMALL else SHORTER
        return float((np.maximum(before - self.limit, 0.0) + short).sum())

    def is_whole(self, ends: Floats) -> bool:
        """Return whether no bases overlap and all stand in coherency."""
        apart = distances(ends, ends)
        apart -= self._both
        np.fill_diagonal(apart, 0.0)
        near = apart <= self.spacing.reach + TOLERANCE / 2
        return bool((apart >= -TOLERANCE / 2).all()) and is_one_group(near, self.need)

    @cached_property
    def _both(self) -> Floats:
        """Return how wide every two bases are together, from middle to rim (n, n)."""
        return np.add.outer(self.size, self.size)

    def _each_alone(self) -> tuple[tuple[Path, ...], Floats] | None:
        """Return the outcome in which each model goes straight as far as it can, if none is in the way."""
        ends = self.own_ends
        if not self.is_whole(ends) or not self.stand(ends).all():
            return None
        if not all(sized.are_clear(ends[sized.rows]) for sized in self.sizes):
            return None
        rows = zip(self.start.tolist(), ends.tolist(), strict=True)
        paths = tuple(straight_way(start, end)[0] for start, end in rows)
        return paths, self._each(self.goal.left, ends)

    @cached_property
    def own_ends(self) -> Floats:
        """Return the ends of the models' own straight ways."""
        return np.asarray(np.round(self._ahead_by(np.minimum(self._straight_left, self.limit)), 7))


def _rounded(path: Path) -> Path:
    """Return a path with its bends rounded as its end is."""
    return path if len(path.legs) < 2 else rounded(path)
