"""A whole unit's ends chosen at once, from one pool of spots about the end of its foremost model's way.

Owns the quick answer for many models: a lattice of touching bases about that end, the ends of the models'
own straight ways, and who takes which spot. Ways there are `geometry.wrap`'s. It promises nothing:
`geometry.formation` checks the outcome, and searches on where it falls short.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from geometry.base import Floats
from geometry.berth import Berth
from geometry.coherency import Spacing
from geometry.goal import ToBases
from geometry.mover import Mover, Options
from geometry.path import Path
from geometry.pick import START, Ints, Pick
from geometry.spot import distances
from geometry.wrap import Wraps

RANKS = 3
"""The lattice reaches so many ranks beyond the fewest that hold the unit."""
KEPT = 32
"""So many of the best spots of each model are kept."""
BESIDE = 1.2
SHARES = (1.0, 0.75, 0.5, 0.25)
ROOM = 2e-7
"""So far apart spots are laid that touch, as ends are rounded."""
BACK = (1.0, 0.98, 0.95, 0.9, 0.85, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2)


class Huddle:
    """The models of a unit of round bases, and the spots that they may share."""

    def __init__(self, movers: Sequence[Mover], spacing: Spacing) -> None:
        """Take the movers, none of whose ends is bound."""
        self.movers, self.spacing = movers, spacing
        self.start = np.array([mover.start for mover in movers])
        self.limit = np.array([mover.limit for mover in movers])
        self.size = np.array([mover.stance.radius for mover in movers])
        wide = int(self.size.argmax())
        self.stance = movers[wide].stance
        self.footing = movers[wide].footing
        self.goal = movers[0].goal
        self._weight = 1.0 / (1.0 + np.arange(len(movers)))
        self.need = spacing.neighbours_needed(len(movers))
        self.leader = self._leader()
        self.wraps = Wraps(self.footing.obstacles, self.leader.trail, self._ring())
        self.advance = self._advance()
        self.end = np.round(self.advance[0].end, 7)

    def _leader(self) -> Mover:
        """Return the model with the shortest way: the nearest one, or one that goes straight."""
        far = self.goal.left(self.start, self.stance).round(6)
        nearest = self.movers[int(far.argmin())]
        straight = [row for row, mover in enumerate(self.movers) if mover.straight is not None]
        if nearest.straight is not None or not straight:
            return nearest
        other = self.movers[min(straight, key=lambda row: (far[row], row))]
        return other if nearest.is_lost or other.start_left < nearest.start_left else nearest

    def _ring(self) -> tuple[Floats, float] | None:
        """Return the ring about the goal's base at which the leader's way ends, if it is not too far."""
        leader = self.leader
        if not isinstance(self.goal, ToBases) or leader.trail.length > leader.limit + BESIDE:
            return None
        rings = self.goal.rings(self.stance)
        row = int(np.abs(rings.distances(np.array([leader.trail.path.end]))[0]).round(6).argmin())
        if rings.core and not rings.core[row].is_point:
            return None
        return rings.xy[row], float(rings.radius[row])

    def _advance(self) -> tuple[Path, float]:
        """Return the leader's way, as far as it may go and stand."""
        leader = self.leader
        far = min(leader.limit, leader.trail.length)
        ways = [self.wraps.along(far * share) for share in BACK]
        stands = self.footing.stands(np.round([path.end for path, _ in ways], 7))
        return ways[int(stands.argmax())] if stands.any() else (Path(leader.start), 0.0)

    def berths(self) -> list[Berth] | None:
        """Return a berth for each model; None where this finds none."""
        if self.leader.is_lost:
            return None
        for shares in ((1.0,), SHARES):
            xy, left, kind = self._spots(shares)
            pick = Pick(self, xy, left, kind)
            rows = pick.rows()
            if rows is not None:
                return [self._berth(xy[[row]], left[[row]], *pick.ways[i, row]) for i, row in enumerate(rows)]
        return None

    def shortfall(self, berths: Sequence[Berth]) -> float:
        """Return how much farther models might get, on average, if none were in another's way."""
        least = np.maximum(self._left(self.start) - self.limit, 0.0)
        return float(np.mean([berth.left for berth in berths] - least))

    @staticmethod
    def _berth(xy: Floats, left: Floats, path: Path, far: float) -> Berth:
        return Berth(Options(xy, np.array([far]), left, np.full(1, np.nan)), path)

    def _spots(self, shares: Sequence[float]) -> tuple[Floats, Floats, Ints]:
        """Return spots that somebody may reach, the best first, what they leave, and of what kind they are.

        The starts come last.
        """
        xy, left, kind = self._pool(shares)
        own = self._left(self.start)
        far = distances(self.start, xy)
        # Of spots that leave as much, the models' places tell which is first, wherever the board lies.
        order = np.lexsort(((self._weight @ far).round(6), left.round(6)))
        xy, left = xy[order], left[order]
        may = (far[:, order] <= self.limit[:, None]) & (left < own[:, None])
        rows = np.flatnonzero(may.any(axis=0))
        rows = rows[self.footing.stands(xy[rows])]
        may = may[:, rows]
        rows = rows[(may & (may.cumsum(axis=1) <= KEPT * len(shares))).any(axis=0)]
        kinds = np.append(kind[order][rows], np.full(len(own), START))
        return np.concatenate([xy[rows], self.start]), np.concatenate([left[rows], own]), kinds

    def _left(self, xy: Floats) -> Floats:
        """Return how far is left from spots, by the leader's way where that is not straight."""
        leader = self.leader
        straight = leader.straight_left(xy)
        if leader.is_straight:
            return straight
        via, gone = leader.trail.via
        return np.asarray((distances(xy, via) + (leader.trail.length - gone)).min(axis=1))

    def _pool(self, shares: Sequence[float]) -> tuple[Floats, Floats, Ints]:
        """Return spots for the unit, legal or not, what they leave, and of what kind they are."""
        end = self.end
        step = end - self.leader.at
        shifted = np.concatenate([self.start + share * step for share in shares])
        found = [self._lattice(end, shifted), shifted, self._toward(), end[None]]
        if isinstance(self.goal, ToBases):
            found.append(self._ringed(end))
        else:
            found.append(np.empty((0, 2)))
        left = self._left(np.concatenate(found))
        own = [m.ideal for m in self.movers if m.straight is not None and m.straight.is_free]
        if own:
            found.append(np.concatenate([ideal.xy for ideal in own]))
            left = np.concatenate([left, *(ideal.left for ideal in own)])
        kind = np.repeat(np.arange(len(found)), [len(xy) for xy in found])
        return np.round(np.concatenate(found), 7), left, kind

    def _ahead(self) -> float:
        """Return the direction in which the leader's way ends, as an angle."""
        points = self.advance[0].points
        if len(points) < 2:
            points = self.leader.trail.path.points
        (x, y), (to_x, to_y) = points[-2:] if len(points) > 1 else (points[0], points[0])
        return math.atan2(to_y - y, to_x - x)

    def _toward(self) -> Floats:
        """Return the farthest that models get straight to the leader's end, and round its corners."""
        off = self.end - self.start
        far = np.maximum(np.hypot(*off.T), 1e-9)
        return np.asarray(self.start + off * (np.minimum(self.limit, far) / far)[:, None])

    def _lattice(self, end: Floats, about: Floats) -> Floats:
        """Return the spots of bases that touch one another, about the leader's end and these places."""
        near = math.ceil(math.sqrt(len(self.movers) / 3)) + RANKS
        wide = 2 * self.stance.radius + ROOM
        ranks = max(near, math.ceil(float(np.hypot(*(about - end).T).max()) / wide) + 1)
        i, j = (part.ravel() for part in np.mgrid[-ranks : ranks + 1, -ranks : ranks + 1])
        angle = self._ahead()
        x, y = wide * (i + j / 2), wide * j * math.sqrt(0.75)
        c, s = math.cos(angle), math.sin(angle)
        xy = end + np.stack([c * x - s * y, s * x + c * y], axis=1)
        kept = (np.maximum(np.abs(i), np.abs(j)) <= near) & (np.abs(i + j) <= near)
        rest = np.flatnonzero(~kept)
        kept[rest] = (distances(xy[rest], about) <= BESIDE * wide).any(axis=1)
        return np.asarray(xy[kept])

    def _ringed(self, end: Floats) -> Floats:
        """Return touching spots on the rings about the nearest of the goal's bases, with a rank behind."""
        rings = self.goal.rings(self.stance)
        if rings.core:
            return np.empty((0, 2))
        apart = np.hypot(*(end - rings.xy).T) - rings.radius
        found = []
        for row in np.argsort(apart.round(6), kind="stable")[:4]:
            centre, reach = rings.xy[row], float(rings.radius[row])
            if apart[row] > 4 or reach <= self.stance.radius:
                continue
            first = math.atan2(*(end - centre)[::-1])
            step = 2 * math.asin(min(1.0, (self.stance.radius + ROOM) / reach))
            turns = first + step * np.arange(-math.floor(math.pi / step), math.floor(math.pi / step) + 1)
            out = reach * math.cos(step / 2) + math.sqrt(3) * (self.stance.radius + ROOM)
            for far, angle in ((reach, turns), (out, turns + step / 2)):
                found.append(centre + far * np.stack([np.cos(angle), np.sin(angle)], axis=1))
        return np.concatenate([*found, np.empty((0, 2))])
