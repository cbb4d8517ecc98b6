"""The shortest way that may climb: over pieces, onto them, up to floors and down again.

What a climb costs does not depend on where it happens. So the search decides, for each piece that a flat way
would cross, whether it is climbed (and taken out of the walls) or gone round, the cheaper bound first. Owns
that choice and where a way climbs; flat ways are given to it.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Sequence
from itertools import count, pairwise

import msgspec
import numpy as np
import shapely
from msgspec.structs import replace

from geometry.path.elevation import Rise
from geometry.path.ground import Ground
from geometry.path.obstacles import Leg, leg_length, part
from geometry.path.resting import climbed_to, over
from geometry.path.segment_cuts import cuts
from geometry.shape.base import TOLERANCE, Bools
from geometry.shape.convex_shape import Stance

Point = tuple[float, float]
Legs = tuple[Leg, ...]
Flat = Callable[[Ground, Point, Point, float], "Legs | None"]
"""A finder of flat ways over a ground between two points, which need find none longer than a limit."""
Legal = Callable[[Legs], bool]
GAIN = 1e-9
"""A way that is no more than this shorter than another is not shorter."""


class Ends(msgspec.Struct, frozen=True):
    """Where a way begins and ends, and how high, with the rises (by number) that are under its ends."""

    start: Point
    goal: Point
    z0: float
    z1: float
    under_start: frozenset[int]
    under_goal: frozenset[int]

    @property
    def homes(self) -> frozenset[int]:
        """Return the rises that are under an end above the ground."""
        found = self.under_start if self.z0 else frozenset[int]()
        return found | self.under_goal if self.z1 else found


class Found(msgspec.Struct, frozen=True):
    """A way with its climbs, how long it is, and the walls that it climbs, in order."""

    legs: Legs
    length: float
    climbed: tuple[int, ...]


class When(msgspec.Struct, frozen=True):
    """When a way comes down from where it began, and when it goes up to where it ends.

    Else it comes down where it leaves what carries it, and goes up at its end.
    """

    at_once: bool = False
    on_entry: bool = False


class Climbs:
    """The shortest ways that may climb, of bases of one stance over one ground."""

    def __init__(self, ground: Ground, stance: Stance, flat: Flat, is_legal: Legal) -> None:
        """Take the ground, a finder of flat ways, and a judge of ways (asked where heights differ)."""
        self.ground, self.stance, self.flat, self.is_legal = ground, stance, flat, is_legal
        walls = set(ground.walls)
        self.rises = [rise for rise in ground.rises if rise.height > ground.free + TOLERANCE]
        self.closed = frozenset(i for i, rise in enumerate(self.rises) if rise.polygon in walls)
        self._clusters: dict[tuple[int, int], bool] = {}

    def shortest(
        self, start: Sequence[float], goal: Sequence[float] | None, limit: float, level: bool = True
    ) -> Found | None:
        """Return the shortest way from (x, y, z) to (x, y, z); None where none is so short.

        Without a goal it ends wherever flat ways lead, on the ground and clear of what is climbed. Without
        `level` only ways that climb are looked for.
        """
        ends = self._ends(start, goal)
        best: Found | None = None
        for low, high, when in self._tries(ends):
            search = _Search(self, self.ground.at(low, high), ends, when)
            found = search.best(min(limit, best.length - GAIN) if best else limit, level)
            best = found or best
        return best

    def over(self, found: Found) -> tuple[Rise, ...]:
        """Return what a way climbs."""
        return tuple(self.rises[i] for i in found.climbed)

    def _ends(self, start: Sequence[float], goal: Sequence[float] | None) -> Ends:
        end = start[:2] if goal is None else goal
        a, b = (float(start[0]), float(start[1])), (float(end[0]), float(end[1]))
        z0, z1 = (climbed_to(self.ground, float(at[2]) if len(at) > 2 else 0.0) for at in (start, end))
        held = over(self.rises, self.stance, np.array([a, b]))
        under = [frozenset(row.nonzero()[0].tolist()) for row in held]
        return Ends(a, b, z0, z1, under[0], under[1])

    def _tries(self, ends: Ends) -> list[tuple[float, float, When]]:
        """Return between which heights to take what stands about for obstacles: few first, then all."""
        if self.ground.crowd is None:
            return [(0.0, 0.0, When())]
        top = max([ends.z0, ends.z1, *(self.rises[i].height for i in self.closed)])
        tries = [
            (ends.z0, ends.z0, When()),
            (0.0, 0.0, When(at_once=True)),
            (ends.z1, ends.z1, When(on_entry=True)),
            (0.0, top, When()),
            (0.0, top, When(on_entry=True)),
        ]
        return tries[-2:-1] if not top else tries if ends.z0 or ends.z1 else [tries[0], tries[3]]

    def near(self, i: int, j: int) -> bool:
        """Return whether a base may be over both rises at once, or nearly."""
        key = (min(i, j), max(i, j))
        if key not in self._clusters:
            a, b = (shapely.Polygon(self.rises[k].polygon) for k in key)
            width = 2 * (self.stance.radius + (0 if self.stance.core.is_point else self.stance.core.reach))
            self._clusters[key] = bool(shapely.dwithin(a, b, width + TOLERANCE))
        return self._clusters[key]


class _Search:
    """One search, best bound first, among obstacles that stay as they are."""

    def __init__(self, climbs: Climbs, ground: Ground, ends: Ends, when: When) -> None:
        self.climbs, self.ground, self.ends, self.when = climbs, ground, ends, when
        self.homes = ends.homes
        self.forced = frozenset(climbs.closed & self.homes)
        held = (ends.under_start | ends.under_goal) - self.homes
        self.climbable = sorted(climbs.closed - self.forced - held)
        heights = [climbs.rises[i].height for i in self.climbable]
        self.lowest = 0.0 if self.homes else 2 * min(heights, default=0.0)
        """What climbing over anything costs at the least, besides what the ends ask for."""

    def best(self, limit: float, level: bool = True) -> Found | None:
        """Return the shortest way within a limit; without `level` only if it climbs."""
        none, every = frozenset[int](), frozenset(self.climbable)
        opened = self._way(none, limit - self.lowest)
        found = self._taken(None, opened, limit)
        # With nothing in the way less is left to find than with all of it.
        if level and every and (opened.climbed if opened is not None else limit < math.inf):
            found = self._taken(found, self._way(every, found.length if found else limit), limit)
        number = count()
        queue: list[tuple[float, int, frozenset[int], frozenset[int]]] = []
        tried, climbed, shut = opened, none, none
        while True:
            if tried is not None:
                flat = sum(
                    leg_length(a, leg) for a, leg in _steps(self.ends.start, tried.legs) if len(leg) != 3
                )
                undecided = next((i for i in tried.climbed if i not in climbed), None)
                for up, out in self._choices(climbed, shut, undecided):
                    heapq.heappush(queue, (self._bound(flat, up), next(number), up, out))
            most = found.length - GAIN if found else limit + TOLERANCE
            if not queue or queue[0][0] > most:
                return found if level or (found and found.climbed) else None
            _, _, climbed, shut = heapq.heappop(queue)
            tried = self._way(shut, most - self._bound(0.0, climbed))
            found = self._taken(found, tried, limit)

    @staticmethod
    def _choices(
        climbed: frozenset[int], shut: frozenset[int], undecided: int | None
    ) -> list[tuple[frozenset[int], frozenset[int]]]:
        """Return what is climbed and what is shut once a piece is climbed, or gone round."""
        return [] if undecided is None else [(climbed | {undecided}, shut), (climbed, shut | {undecided})]

    def _taken(self, best: Found | None, tried: Found | None, limit: float) -> Found | None:
        """Return the better of two ways, if it is legal and within the limit."""
        if tried is None or tried.length > limit + TOLERANCE:
            return best
        if best is not None and tried.length > best.length - GAIN:
            return best
        if self.climbs.ground.crowd is not None and not self.climbs.is_legal(tried.legs):
            return best
        return tried

    def _way(self, shut: frozenset[int], limit: float) -> Found | None:
        """Return the shortest way round these pieces and over all others, so long at the most on the flat."""
        climbs, ends = self.climbs, self.ends
        lifted_out = {climbs.rises[i].polygon for i in (*self.climbable, *self.forced) if i not in shut}
        walls = tuple(wall for wall in climbs.ground.walls if wall not in lifted_out)
        legs = climbs.flat(replace(self.ground, walls=walls), ends.start, ends.goal, limit)
        if legs is None:
            return None
        open_ = [i for i in self.climbable if i not in shut]
        lifted = [*open_, *sorted(self.forced)]
        return raised(legs, ends, climbs.rises, lifted, climbs.stance, self.when)

    def _bound(self, flat: float, climbed: frozenset[int]) -> float:
        """Return what no way is shorter than that goes so far on the flat and climbs at least these.

        The one that climbs nothing is known before.
        """
        ends, climbs = self.ends, self.climbs
        homes = self.homes
        left, total = sorted(climbed | homes), flat if climbed else flat + self.lowest
        while left:
            group, left = _group(left, climbs.near)
            a = ends.z0 if ends.under_start & group else 0.0
            b = ends.z1 if ends.under_goal & group else 0.0
            top = max([a, b, *(climbs.rises[i].height for i in group & climbed)])
            total += (top - a) + (top - b)
        return total


def _group(rows: list[int], near: Callable[[int, int], bool]) -> tuple[set[int], list[int]]:
    """Return the rows that hang together with the first, and the rest."""
    group, left = {rows[0]}, rows[1:]
    while joined := [i for i in left if any(near(i, j) for j in group)]:
        group |= set(joined)
        left = [i for i in left if i not in group]
    return group, left


def _steps(start: Point, legs: Legs) -> list[tuple[Point, Leg]]:
    points = [start, *((leg[0], leg[1]) for leg in legs)]
    return list(zip(points, legs, strict=False))


def raised(
    legs: Legs, ends: Ends, rises: Sequence[Rise], climbed: Sequence[int], stance: Stance, when: When
) -> Found:
    """Return a flat way with its climbs: over each of the pieces climbed at its height."""
    used = list(dict.fromkeys([*climbed, *sorted(ends.homes)]))
    over_ = [rises[i] for i in used]
    cut = [(here, leg, cuts(here, leg, over_, stance)) for here, leg in _steps(ends.start, legs)]
    spans = [(here, leg, a, b) for here, leg, at in cut for a, b in pairwise(at)]
    middle = np.array([part(here, leg, (a + b) / 2)[:2] for here, leg, a, b in spans]).reshape(-1, 2)
    held = over(over_, stance, middle).reshape(len(spans), len(used))
    heights = _heights(held, ends, [rises[i].height if i in climbed else 0.0 for i in used], used, when)
    order = [used[k] for row in held for k in row.nonzero()[0] if used[k] in climbed]
    far = sum(leg_length(here, leg) for here, leg in _steps(ends.start, legs))
    length = far + _climbing([ends.z0, *heights, ends.z1])
    return Found(_drawn(spans, heights, ends), length, tuple(dict.fromkeys(order)))


def _climbing(heights: Sequence[float]) -> float:
    return sum(abs(b - a) for a, b in pairwise(heights))


def _heights(held: Bools, ends: Ends, tops: list[float], used: list[int], when: When) -> list[float]:
    """Return how high the way is in each of its spans."""
    top = np.array(tops)
    first = np.array([i in ends.under_start for i in used], dtype=bool)
    last = np.array([i in ends.under_goal for i in used], dtype=bool)
    leaving = np.logical_and.accumulate((held & first).any(axis=1)) & (ends.z0 > 0) & (not when.at_once)
    arriving = np.logical_and.accumulate((held & last).any(axis=1)[::-1])[::-1] & (ends.z1 > 0)
    found = []
    for row, leaves, arrives in zip(held, leaving, arriving, strict=True):
        arrives = arrives and when.on_entry
        home = last if arrives else first if leaves else np.zeros(len(used), dtype=bool)
        z = ends.z1 if arrives else ends.z0 if leaves else 0.0
        found.append(float(max(z, top[row & ~home].max(initial=0.0))))
    return found


def _drawn(spans: Sequence[tuple[Point, Leg, float, float]], heights: Sequence[float], ends: Ends) -> Legs:
    """Return the legs of a way that is so high in each of its spans, climbs where that changes."""
    made: list[Leg] = []
    z, here = ends.z0, ends.start
    last = len(spans) - 1
    for k, (begin, leg, _, b) in enumerate(spans):
        if abs(heights[k] - z) > TOLERANCE:
            z = heights[k]
            made.append((*here, z))
        ends_leg = k == last or spans[k + 1][1] is not leg
        if ends_leg or abs(heights[k + 1] - z) > TOLERANCE:
            stop = leg if ends_leg else part(begin, leg, b)
            made.append(stop)
            here = (float(stop[0]), float(stop[1]))
    if abs(ends.z1 - z) > TOLERANCE:
        made.append((*here, ends.z1))
    return tuple(made)
