"""How far it is from spots to the end of a trail: straight to one of its points, or round one of its arcs.

Owns the tangents from spots to the arcs of a trail, and which stretches up to it are free. The trail itself
is `geometry.path.reference_path`'s, what is in the way `geometry.path.obstacles`'s.
"""

from __future__ import annotations

import math

import numpy as np

from geometry.path.obstacles import CLOSE, Obstacles, sweep
from geometry.path.pairwise_visibility import free_own
from geometry.path.reference_path import TURN, Trail
from geometry.path.shortcut import ROUND, PolylineBatch
from geometry.shape.arrangement import distances
from geometry.shape.array import points, ways_at
from geometry.shape.base import Bools, Floats, Ints
from geometry.shape.convex_shape import Stance
from geometry.single.goal import Goal, headings

Point = tuple[float, float]
MORE = 4
"""So many times as many ways from a spot are asked about at once, where all before are closed."""


class Joining:
    """The places at which ways from spots may join one of some trails, and how far it is from there on."""

    def __init__(self, *trails: Trail) -> None:
        """Take trails to one goal."""
        over: dict[Point, float] = {}
        arcs: dict[tuple[float, ...], float] = {}
        for trail in trails:
            over.setdefault(trail.path.start, trail.length)
            for begin, leg, end in zip(trail.path.points, trail.path.legs, trail.ends, strict=False):
                over.setdefault((leg[0], leg[1]), trail.length - end)
                if len(leg) == 5:
                    arcs.setdefault((*leg, sweep(begin, leg)), trail.length - end)
        self.via, self.rest = np.array(list(over)).reshape(-1, 2), np.array(list(over.values()))
        x, y, *centre, self.turn, self.sweep = np.array(list(arcs)).reshape(-1, 6).T
        self.centre, self.beyond = np.stack(centre, axis=1), np.array(list(arcs.values()))
        off = points(x, y) - self.centre
        self.reach, self.last = np.hypot(*off.T) + ROUND, np.arctan2(off[:, 1], off[:, 0])

    def bounds(self, xy: Floats) -> Floats:
        """Return what no way from spots (n, 2) that joins a trail is shorter than."""
        return np.asarray(self._totals(xy)[0].min(axis=1))

    def left(self, xy: Floats, free: Obstacles, below: float | Floats = math.inf) -> Floats:
        """Return how long the shortest way from each spot is that joins a trail; infinite where none does.

        What is no less than `below`, of all spots or of each, is a bound that is no less.
        """
        total, at, early = self._totals(xy)
        if not total.size:
            return np.full(len(xy), np.inf)
        joint = np.concatenate([np.broadcast_to(self.via, (len(xy), *self.via.shape)), at], axis=1)
        is_free, are_sure = free_own(xy, joint, free)
        least = np.broadcast_to(below, len(xy))
        total[~is_free & (total < least[:, None])] = np.inf
        rows, many = np.arange(len(xy)), 1
        while len(rows):
            if many == 1:
                best = total[rows].argmin(axis=1)[:, None]
            else:
                best = total[rows].argsort(axis=1, kind="stable")[:, :many]
            row, place = rows.repeat(best.shape[1]), best.ravel()
            asked = total[row, place] < least[row]
            row, place = row[asked], place[asked]
            spots = None if are_sure else xy[row]
            shut = ~self._clear(joint[row, place], place, early[row, place], free, spots)
            total[row[shut], place[shut]] = np.inf
            are_shut = np.bincount(row[shut], minlength=len(xy))[rows] == many
            rows, many = rows[are_shut], MORE * many
        return np.asarray(total.min(axis=1))

    def _totals(self, xy: Floats) -> tuple[Floats, Floats, Floats]:
        """Return how long ways (n, m) are over each point and each arc, if free.

        Also where those over arcs touch these (n, arcs, 2), and how far round before the trail does.
        """
        over = distances(xy, self.via)
        over += self.rest
        if not len(self.reach):
            return over, np.empty((len(xy), 0, 2)), np.zeros(over.shape)
        off = xy[:, None] - self.centre
        far = np.hypot(off[..., 0], off[..., 1])
        outside = far >= self.reach - CLOSE
        far = np.maximum(far, self.reach)
        angle = np.arctan2(off[..., 1], off[..., 0]) + self.turn * np.arccos(self.reach / far)
        swept = (self.turn * (self.last - angle)) % math.tau
        swept[swept > math.tau - CLOSE] = 0.0
        total = np.sqrt(far * far - self.reach * self.reach) + self.reach * swept + self.beyond
        # Beyond the middle of the rest of the rim a way would go round the wrong way.
        total[~outside | (swept > (self.sweep + math.tau) / 2)] = np.inf
        at = self.centre + self.reach[:, None] * ways_at(angle)
        early = np.concatenate([np.zeros(over.shape), swept - self.sweep], axis=1)
        return np.concatenate([over, total], axis=1), at, early

    def _clear(self, joint: Floats, places: Ints, early: Floats, free: Obstacles, xy: Floats | None) -> Bools:
        """Return which ways over these places are free from where they join the trail, or from spots."""
        good = np.ones(len(joint), dtype=np.bool_) if xy is None else free.clear(xy, joint)
        some = (good & (early > CLOSE)).nonzero()[0]
        if len(some):
            good[some] = self._round(joint[some], places[some] - len(self.via), early[some], free)
        return good

    def _round(self, joint: Floats, arcs: Ints, early: Floats, free: Obstacles) -> Bools:
        """Return which ways round arcs, from these places to where the trail touches them, are free."""
        centre, reach, turn = self.centre[arcs], self.reach[arcs], self.turn[arcs]
        first = self.last[arcs] - turn * self.sweep[arcs]
        begin = centre + reach[:, None] * ways_at(first)
        parts = np.maximum(np.ceil(early / TURN), 1).astype(np.intp)
        half = early / parts / 2
        lines = PolylineBatch(joint, begin, parts)
        angle = (first - turn * early)[lines.own] + (turn * half)[lines.own] * (2 * lines.place + 1)
        out = (reach / np.cos(half))[lines.own, None]
        lines.bend(centre[lines.own] + out * ways_at(angle))
        return lines.are_clear(free)


class Gauge:
    """How far it truly is from spots to a goal: straight where that is free, else by trails to it."""

    def __init__(self, goal: Goal, stance: Stance, free: Obstacles, *trails: Trail) -> None:
        """Take what is made for, how the bases stand, what is in the way, and trails to the goal."""
        self.goal, self.stance, self.free = goal, stance, free
        self.trails = trails
        self.joining = Joining(*(trail for trail in trails if trail.path.legs))

    def bounds(self, xy: Floats) -> Floats:
        """Return what ways from spots (n, 2) are not shorter than."""
        straight = self.goal.left(xy, self.stance)
        return np.maximum(straight, self.joining.bounds(xy)) if self.trails else straight

    def left(self, xy: Floats, below: float | Floats = math.inf) -> Floats:
        """Return how far is left from spots (n, 2); infinite where no way is known.

        It is as the crow flies where there are no trails. What is no less than `below`, of all spots or of
        each, may be a bound.
        """
        if not self.trails:
            return self.goal.left(xy, self.stance)
        return np.minimum(self.straight(xy), self.by_trail(xy, below))

    def straight(self, xy: Floats) -> Floats:
        """Return how far is left from spots as the crow flies; infinite where that way is not free."""
        left = self.goal.left(xy, self.stance)
        ends = xy + headings(self.goal, xy, self.stance) * left[:, None]
        return np.where(self.free.clear(xy, ends), left, np.inf)

    def by_trail(self, xy: Floats, below: float | Floats = math.inf) -> Floats:
        """Return how far is left from spots by the trails."""
        return self.joining.left(xy, self.free, below)

    def with_trail(self, trail: Trail) -> Gauge:
        """Return the same with one more trail."""
        return Gauge(self.goal, self.stance, self.free, *self.trails, trail)
