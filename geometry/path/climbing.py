"""Climbs drawn on ways: over pieces, onto them, up to floors and down again.

Owns between which heights a way looks for what stands about, where it goes up and comes down, and how long it
is then. Which way is the shortest, climbs and all, is `geometry.core.search`'s to find.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import msgspec
import numpy as np

from geometry.path.elevation import Rise
from geometry.path.ground import Ground
from geometry.path.obstacles import Leg, part
from geometry.path.resting import climbed_to, over
from geometry.path.segment_cuts import cuts
from geometry.portable import span
from geometry.shape.base import Bools, Polygon
from geometry.shape.convex_shape import Stance
from geometry.tolerance import TOLERANCE

Point = tuple[float, float]
Legs = tuple[Leg, ...]


class Ends(msgspec.Struct, frozen=True):
    """Where a way begins and ends, how high, and which rises are under its ends.

    The rises are given by their numbers.
    """

    start: Point
    goal: Point
    z0: float
    z1: float
    under_start: frozenset[int]
    under_goal: frozenset[int]

    @staticmethod
    def of(ground: Ground, stance: Stance, start: Sequence[float], goal: Sequence[float]) -> Ends:
        """Return the ends of a way from (x, y, z) to (x, y, z)."""
        a, b = (float(start[0]), float(start[1])), (float(goal[0]), float(goal[1]))
        z0, z1 = (climbed_to(ground, float(at[2]) if len(at) > 2 else 0.0) for at in (start, goal))
        held = over(ground.rises, stance, np.array([a, b]))
        under = [frozenset(row.nonzero()[0].tolist()) for row in held]
        return Ends(a, b, z0, z1, under[0], under[1])

    @property
    def homes(self) -> dict[int, float]:
        """Return the rises that are under an end above the ground, with the height of that end."""
        found = dict.fromkeys(sorted(self.under_goal), self.z1) if self.z1 else {}
        return found | (dict.fromkeys(sorted(self.under_start), self.z0) if self.z0 else {})


class When(msgspec.Struct, frozen=True):
    """When a way comes down from where it began, and when it goes up to where it ends.

    Else it comes down where it leaves what carries it, and goes up at its end.
    """

    at_once: bool = False
    on_entry: bool = False


def is_climbable(ground: Ground, rise: Rise) -> bool:
    """Return whether a rise is in the way on the ground and is climbed."""
    return rise.height > ground.free + TOLERANCE and rise.polygon in ground.walls


def climbable(ground: Ground) -> dict[Polygon, float]:
    """Return the walls that may be climbed, with their heights."""
    found: dict[Polygon, float] = {}
    for rise in ground.rises:
        if is_climbable(ground, rise):
            found[rise.polygon] = max(rise.height, found.get(rise.polygon, 0.0))
    return found


def tries(ground: Ground, ends: Ends) -> Iterator[tuple[float, float, When]]:
    """Yield between which heights to take what stands about for obstacles: few first, then all."""
    if ground.crowd is None:
        yield 0.0, 0.0, When()
        return
    top = max([ends.z0, ends.z1, *climbable(ground).values()])
    if top:
        yield ends.z0, ends.z0, When()
    if ends.z0 or ends.z1:
        yield 0.0, 0.0, When(at_once=True)
        yield ends.z1, ends.z1, When(on_entry=True)
    yield 0.0, top, When()
    if ends.z0 or ends.z1:
        yield 0.0, top, When(on_entry=True)


def raised(legs: Legs, ends: Ends, ground: Ground, stance: Stance, when: When) -> Legs:
    """Return a flat way with its climbs: over all that may be climbed, at the height of that.

    What holds an end on the ground is no climb.
    """
    rises, homes = ground.rises, ends.homes
    on_ground = (ends.under_start | ends.under_goal) - homes.keys()
    crossed = [i for i in _near(legs, ends.start, rises, stance) if is_climbable(ground, rises[i])]
    climbed = [i for i in crossed if i not in on_ground]
    if not climbed and not homes and ends.z0 == ends.z1:
        return legs
    used = list(dict.fromkeys([*climbed, *homes]))
    over_ = [rises[i] for i in used]
    cut = [(here, leg, cuts(here, leg, over_, stance)) for here, leg in _steps(ends.start, legs)]
    spans = [(here, leg, a, b) for here, leg, at in cut for a, b in pairwise(at)]
    middle = np.array([part(here, leg, (a + b) / 2)[:2] for here, leg, a, b in spans]).reshape(-1, 2)
    held = over(over_, stance, middle).reshape(len(spans), len(used))
    heights = _heights(held, ends, [rises[i].height if i in climbed else 0.0 for i in used], used, when)
    return _drawn(spans, heights, ends)


def _near(legs: Legs, start: Point, rises: Sequence[Rise], stance: Stance) -> list[int]:
    """Return the rises to whose boxes a way comes near."""
    wide = stance.radius + (0.0 if stance.core.is_point else stance.core.reach)
    points = np.array([start, *((leg[0], leg[1]) for leg in legs)])
    arcs = [2 * span(leg[:2], leg[2:4]) for leg in legs if len(leg) == 5]
    wide += max(arcs, default=0.0)
    low, high = points.min(axis=0) - wide, points.max(axis=0) + wide
    found = []
    for i, rise in enumerate(rises):
        corners = np.array(rise.polygon)
        if (corners.min(axis=0) <= high).all() and (corners.max(axis=0) >= low).all():
            found.append(i)
    return found


def _steps(start: Point, legs: Legs) -> list[tuple[Point, Leg]]:
    points = [start, *((leg[0], leg[1]) for leg in legs)]
    return list(zip(points, legs, strict=False))


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
