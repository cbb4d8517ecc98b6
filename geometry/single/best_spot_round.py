"""The best spot for one round base, by the few edges that matter: those of what its better spots lie in.

Owns the search that begins with how far the base may go, and adds the edges of a thing only when the best
spot so far lies in it: the first spot that lies in nothing, and to which a way leads, is the best there is.
It works in plain numbers. Where it comes to no end, `geometry.single.best_spot` searches among all edges.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from heapq import heappop, heappush

import numpy as np

from geometry.path.obstacles import CLOSE
from geometry.path.planner import Path
from geometry.shape.arrangement import Edges
from geometry.shape.base import TOLERANCE, Floats
from geometry.shape.disc import SAME, Disc, Line, Point, crossings, crossings_of_line, crossings_of_lines
from geometry.single.candidates import Options
from geometry.single.free_space import DISC, WALL, Holder
from geometry.single.goal import Away
from geometry.single.model_move import Mover
from geometry.single.placed_friends import Allowed, Company

ASKED, WAITING = 60, 8
"""So many spots are looked at; on a bent way so many are measured at a time."""
LOST, DETOURS = 6, 2
"""So many spots may turn out to be cut off or barred; to so many the true ways are looked for."""
AHEAD = 6
"""So many bends of a way are aimed at, or bases to get away from."""
HAIR = 1e-9
FRIEND, NEAR = "friend", "near"
Spot = tuple[Point, float, float]
"""A spot, how far off it is, and what it leaves at least."""


class Lens:
    """The spots of one mover among its friends, the best first.

    `is_sure` tells whether what is found is known to be the best.
    """

    def __init__(
        self, mover: Mover, company: Company, allowed: Allowed | None, stays: bool, below: float
    ) -> None:
        """Take a mover, what bars spots from it, and what it must leave less than."""
        self.mover, self.company = mover, company
        self.below = self.least = below
        self.allowed = allowed
        self.stays = stays and mover.turn is None
        self.start, self.far = mover.start, mover.limit + TOLERANCE / 10
        self.is_sure, self.lost = True, 0
        self.discs = mover.footing.discs_about(mover.start, self.far)
        self.in_open = bool(mover.footing.are_open(mover.at[None], np.full(1, self.far))[0])
        wide = (company.friends.radius + mover.stance.radius).tolist()
        self.friends: list[Disc] = [
            (x, y, r) for (x, y), r in zip(company.friends.xy.tolist(), wide, strict=True)
        ]
        self._aims = self._points()
        self._circles: list[Disc] = []
        self._lines: list[Line] = []
        self._known: set[tuple[str, int]] = set()
        self._shut: list[Disc] = []
        self._bands: list[tuple[float, float, float, float, float]] = []
        self._fresh: list[Point] = []
        self._heap: list[tuple[float, float, int, Point, bool]] = []
        self._count = 0
        self._waiting: list[Spot] = []
        self._true: dict[Point, Options] = {}
        self._ways: dict[Point, Path] = {}

    def best(self) -> Options | None:
        """Return the option that leaves least, of several the nearest; None where there is none."""
        self._begin()
        most, asked = 1 if self.mover.is_straight else WAITING, 0
        while self.is_sure and asked < ASKED and self.lost <= LOST:
            if self._waiting and (len(self._waiting) == most or not self._is_next_better()):
                self._measure()
            if not self._heap:
                # All spots there are lie in something, unless one was cut off or barred.
                self.is_sure = not self.lost
                return None
            left, far, _, spot, is_true = heappop(self._heap)
            if left >= self.below - TOLERANCE:
                return None
            if is_true:
                return self._true[spot]
            if not self._is_shut(spot):
                asked += 1
                if self._is_free(spot):
                    self._waiting.append((spot, far, left))
        self.is_sure = False
        return None

    def way(self, option: Options) -> Path | None:
        """Return the way to an option, where that is known."""
        x, y = option.xy[0].tolist()
        return self._ways.get((x, y))

    def _points(self) -> list[Point]:
        """Return what it makes for, or gets away from."""
        mover, goal = self.mover, self.mover.goal
        if isinstance(goal, Away):
            return _pairs(goal.bases.xy[goal.order(mover.at, mover.stance)[:AHEAD]])
        ideal = mover.ideal.xy[0]
        found = _pairs(goal.aims(ideal, mover.stance))
        if not mover.is_straight:
            via, gone = mover.trail.via
            ahead = via[gone > mover.far]
            found += _pairs(ahead[np.hypot(*(ahead - ideal).T).round(6).argsort(kind="stable")[:AHEAD]])
        return found

    def _begin(self) -> None:
        """Lay out what bounds a mover that has the ground for itself."""
        mover, goal = self.mover, self.mover.goal
        if mover.is_straight:
            self._add_circle((*self.start, mover.limit))
        else:
            for circle in _plain(mover.circles.centre, mover.circles.reach):
                self._add_circle(circle)
            points = mover.trail.path.points
            for here, leg in zip(points, mover.trail.path.legs, strict=False):
                if math.dist(here, self.start) <= self.far:
                    self._add_line((*here, leg[0], leg[1]))
        if isinstance(goal, Away):
            self._add_lines(goal.edges(mover.at, mover.stance, mover.limit))
        elif mover.straight_left(mover.at[None])[0] <= self.far:
            rings = goal.rings(mover.stance)
            self.is_sure = all(core.is_point for core in rings.core)
            near = np.hypot(*(rings.xy - mover.at).T) - rings.radius <= self.far
            for circle in _plain(rings.xy[near], rings.radius[near]):
                self._add_circle(circle)
            self._fresh += _pairs(goal.nearest(mover.at[None], mover.stance))
        self._fresh += _pairs(mover.ideal.xy)
        self._take()
        self._push(self.start, 0.0, mover.start_left)

    def _add_circle(self, circle: Disc) -> None:
        """Add a circle to the edges: where it meets these, and comes nearest to what is made for."""
        x, y, reach = circle
        self._fresh += crossings(circle, self._circles)
        for line in self._lines:
            self._fresh += crossings_of_line(line, circle)
        sign = -1.0 if isinstance(self.mover.goal, Away) else 1.0
        for aim in self._aims:
            # Where all of it is equally near, the nearest way counts.
            to_x, to_y = aim if math.dist(aim, (x, y)) > SAME else self.start
            apart = math.hypot(to_x - x, to_y - y)
            if apart > SAME:
                share = sign * reach / apart
                self._fresh.append((x + share * (to_x - x), y + share * (to_y - y)))
        self._circles.append(circle)

    def _add_line(self, line: Line) -> None:
        """Add a stretch of line to the edges: where it meets these, and comes nearest to what is made for."""
        for circle in self._circles:
            self._fresh += crossings_of_line(line, circle)
        self._fresh += crossings_of_lines(line, self._lines)
        ax, ay, bx, by = line
        dx, dy = bx - ax, by - ay
        square = max(dx * dx + dy * dy, SAME)
        for x, y in self._aims:
            share = min(max(((x - ax) * dx + (y - ay) * dy) / square, 0.0), 1.0)
            self._fresh.append((ax + share * dx, ay + share * dy))
        self._lines.append(line)

    def _add_lines(self, edges: Edges) -> None:
        for a, b in zip(_pairs(edges.start), _pairs(edges.end), strict=True):
            self._add_line((*a, *b))

    def _take(self) -> None:
        """Put the new spots with the others, in order of what they leave at least."""
        start, far = self.start, self.far
        spots = [
            (spot, long)
            for spot in self._fresh
            if (long := math.dist(spot, start)) <= far and not self._is_shut(spot)
        ]
        self._fresh = []
        self.mover.footing.budget.spend(len(spots))
        if spots:
            left = self.mover.least_left(np.array([spot for spot, _ in spots])).tolist()
            for (spot, long), rest in zip(spots, left, strict=True):
                if rest < self.below - TOLERANCE:
                    self._push(spot, long, rest)

    def _push(self, spot: Point, far: float, left: float, is_true: bool = False) -> None:
        self._count += 1
        heappush(self._heap, (round(left, 6), round(far, 6), self._count, spot, is_true))

    def _is_shut(self, spot: Point) -> bool:
        """Return whether a spot lies in a disc or beside a wall that was met before."""
        x, y = spot
        for to_x, to_y, square in self._shut:
            off_x, off_y = x - to_x, y - to_y
            if off_x * off_x + off_y * off_y < square:
                return spot != self.start or not self.stays
        if self._bands and (spot != self.start or not self.stays):
            deep = self.mover.stance.radius
            for ax, ay, dx, dy, long in self._bands:
                off_x, off_y = x - ax, y - ay
                if 0.0 <= off_x * dx + off_y * dy <= long and 2 * CLOSE < off_y * dx - off_x * dy < deep:
                    return True
        return False

    def _is_free(self, spot: Point) -> bool:
        """Return whether a spot lies in nothing; if not, the edges of what it lies in are added."""
        found: list[Holder] = [
            ((FRIEND, row), [disc], [])
            for row, disc in enumerate(self.friends)
            if math.dist(spot, disc[:2]) < disc[2] - CLOSE
        ]
        if spot != self.start or not self.stays:
            held = self.mover.footing.holders(spot, self.discs, self.in_open)
            if held is None:
                self.is_sure = False
                return False
            found += held
        if not found and self.company.need > 0 and not self._has_neighbours(spot):
            reach = self.company.reach
            found = [((NEAR, 0), [(x, y, wide + reach) for x, y, wide in self.friends], [])]
        for key, circles, lines in found:
            if key in self._known:
                continue
            self._known.add(key)
            for circle in circles:
                self._add_circle(circle)
            for line in lines:
                self._add_line(line)
            if key[0] in (FRIEND, DISC, WALL):
                self._shut += [(x, y, max(reach - 2 * CLOSE, 0.0) ** 2) for x, y, reach in circles]
            if key[0] == WALL:
                self._bands += [_band(line) for line in lines]
        self._take()
        return not found and self._is_allowed(spot)

    def _is_allowed(self, spot: Point) -> bool:
        """Return whether a spot is not barred."""
        if self.allowed is None or (self.stays and spot == self.start):
            return True
        good = bool(self.allowed(self.mover, np.array([spot]))[0])
        self.lost += not good
        return good

    def _has_neighbours(self, spot: Point) -> bool:
        """Return whether friends enough are near a spot."""
        reach = self.company.reach + CLOSE
        return sum(math.dist(spot, (x, y)) <= r + reach for x, y, r in self.friends) >= self.company.need

    def _is_next_better(self) -> bool:
        """Return whether the next spot may turn out to be better than those that are measured."""
        if not self._heap:
            return False
        left, _, _, _, is_true = self._heap[0]
        return not is_true and left < self.least - TOLERANCE

    def _measure(self) -> None:
        """Find how far it truly goes to the spots that wait, and what they truly leave."""
        mover, waiting, self._waiting = self.mover, self._waiting, []
        if mover.is_straight and self._goes_straight(*waiting[0]):
            self._settle(*waiting[0])
            return
        far, left = np.array([(far, left) for _, far, left in waiting]).T
        options = Options(np.array([spot for spot, _, _ in waiting]), far, left, np.full(len(far), np.nan))
        length = mover.lengths(options)
        for row in (length > self.far).nonzero()[0].tolist():
            length[row] = self._cut_off(waiting[row])
        reached = (length <= self.far).nonzero()[0]
        rests = mover.rests(options.take(reached), self.least)
        for row, rest in zip(reached.tolist(), rests.tolist(), strict=True):
            self._settle(waiting[row][0], float(length[row]), rest)

    def _goes_straight(self, spot: Point, _: float, left: float) -> bool:
        """Return whether it goes straight to a spot, and nothing is in the straight way from there on."""
        mover = self.mover
        if not mover.free.is_clear(self.start, spot):
            return False
        self._ways[spot] = Path(self.start, (spot,) if spot != self.start else ())
        if left <= TOLERANCE or isinstance(mover.goal, Away):
            return True
        (x, y), (to_x, to_y) = spot, _pairs(mover.goal.nearest(np.array([spot]), mover.stance))[0]
        share = left / max(math.hypot(to_x - x, to_y - y), TOLERANCE)
        return mover.beyond.is_clear(spot, (x + share * (to_x - x), y + share * (to_y - y)))

    def _cut_off(self, waiting: Spot) -> float:
        """Return how far it is to a spot that seems to be cut off; infinite where that is so."""
        spot, _, left = waiting
        self.lost += 1
        path = self.mover.true_way(np.array(spot)) if self.lost <= DETOURS and left < self.least else None
        if path is not None:
            self._ways[spot] = path
            return path.length
        if self.lost == 1:
            self._add_lines(self.mover.brinks(np.array(spot)))
            self._take()
        return math.inf

    def _settle(self, spot: Point, far: float, left: float) -> None:
        """Note what a spot truly leaves, if that is less than others do."""
        if left < self.least - HAIR:
            self.least = left
            row = np.full(1, np.nan)
            self._true[spot] = Options(np.array([spot]), np.array([far]), np.array([left]), row)
            self._push(spot, far, left, is_true=True)


def _band(line: Line) -> tuple[float, float, float, float, float]:
    """Return where a stretch begins on whose left a wall is, its direction, and how long it is."""
    ax, ay, bx, by = line
    long = max(math.hypot(bx - ax, by - ay), SAME)
    return ax, ay, (bx - ax) / long, (by - ay) / long, long


def _pairs(xy: Floats) -> list[Point]:
    return [(x, y) for x, y in xy.tolist()]


def _plain(centre: Floats, reach: Floats) -> Iterator[Disc]:
    for (x, y), radius in zip(centre.tolist(), reach.tolist(), strict=True):
        yield x, y, radius
