"""The shortest way of a base at a fixed facing, or with one pivot at its start or end.

Owns which facings are tried. Ways at one facing are `geometry.path.planner`'s; how a unit's models turn is
`geometry.group.facings`'s.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

import msgspec
import numpy as np
from msgspec.structs import replace

from geometry.path.ground import Ground
from geometry.path.obstacles import Obstacles
from geometry.path.planner import Blocked, Path, ShortestPaths, path
from geometry.path.resting import faults_of_resting
from geometry.portable import angle_of, degrees, dot, norm
from geometry.shape.base import Base, Floats
from geometry.shape.convex_shape import Stance, stance_of
from geometry.tolerance import FACING_TOLERANCE_DEGREES, ROUNDING, TOLERANCE

MOST = 16


def turning_path(
    base: Base,
    facing: float,
    start: Sequence[float],
    goal: Sequence[float],
    limit: float,
    pivot_cost: float,
    ground: Ground,
) -> Path | Blocked:
    """Return the shortest legal path to a place within the limit.

    It keeps one facing or has one pivot. Facings are degrees; a pivot counts `pivot_cost` inches.
    """
    plain = path(stance_of(base, facing), start, goal, limit, ground)
    if stance_of(base).core.is_point:
        return plain
    asked = _Turning(base, facing, start, goal, ground)
    best = plain.length if isinstance(plain, Path) else math.inf
    found = plain
    if asked.least + pivot_cost >= best - TOLERANCE:
        return plain
    for other in asked.facings():
        for turned in asked.ways(other, min(limit, best) - pivot_cost, pivot_cost):
            if turned.length < best - TOLERANCE:
                found, best = turned, turned.length
    return found


class _Turning(msgspec.Struct, frozen=True):
    """A base that stands somewhere, faces some way, and wants to go to a place."""

    base: Base
    facing: float
    start: Sequence[float]
    goal: Sequence[float]
    ground: Ground

    @property
    def least(self) -> float:
        """Return a length that no way falls below, however the base turns.

        It is the length of the way of the disc within the base.
        """
        way = self._slim()
        return way.length if way else math.inf

    def _slim(self) -> Path | None:
        radius = min(self.base.length, self.base.width) / 2
        found = ShortestPaths(radius, self.ground).climbing(self.start, self.goal)
        return found if isinstance(found, Path) else None

    def facings(self) -> list[float]:
        """Return the facings that matter.

        They run along or across the way of the disc within the base, or along the walls near it.
        """
        found: list[float] = []
        for angle in self._angles():
            turned = round(angle % 360.0, 9)
            # Half a turn changes nothing: every base is the same both ways.
            apart = [abs((turned - known + 90.0) % 180.0 - 90.0) for known in (*found, self.facing)]
            if min(apart) > FACING_TOLERANCE_DEGREES:
                found.append(turned)
        return found[:MOST]

    def _angles(self) -> Iterator[float]:
        slim = self._slim()
        if slim is None:
            return
        points = np.array(slim.points)
        along = np.diff(points, axis=0)
        legs = [_angle(way) for way in along if norm(*way) > TOLERANCE]
        yield from legs
        yield self.facing + 90.0
        sides = sorted(self._sides(points), key=lambda side: side[0])
        yield from (angle for _, angle in sides)
        yield from (angle + 90.0 for angle in legs)

    def _sides(self, points: Floats) -> Iterator[tuple[float, float]]:
        """Yield the distance and the angle of each side of a wall that the base may touch.

        The distance is that from the way through `points`.
        """
        for wall in self.ground.walls:
            for a, b in pairwise((*wall, wall[0])):
                far = min(_apart(np.array([p, q]), np.array([a, b])) for p, q in pairwise(points))
                if far <= self.base.radius:
                    yield round(far, 6), _angle(np.array(b) - np.array(a))

    def ways(self, facing: float, limit: float, cost: float) -> Iterator[Path]:
        """Return the ways with a pivot to a facing at their start, and at their end, within a limit."""
        here, turned = stance_of(self.base, self.facing), stance_of(self.base, facing)
        if limit < -TOLERANCE:
            return
        if self._may_turn(turned):
            first = path(turned, self.start, self.goal, limit, self.ground)
            if isinstance(first, Path):
                yield replace(first, legs=((*first.start, facing, cost), *first.legs))
        if not faults_of_resting(self.ground, self.goal, turned):
            last = ShortestPaths(here, self.ground).climbing(self.start, self.goal, limit)
            if isinstance(last, Path) and self._may_turn(here, last.end):
                yield replace(last, legs=(*last.legs, (*last.end, facing, cost)))

    def _may_turn(self, stance: Stance, at: tuple[float, float] | None = None) -> bool:
        """Return whether the base may be so where it begins to move, or at a place."""
        spot = np.array([self.start[:2] if at is None else at], dtype=np.float64)
        return bool(Obstacles.of(stance, self.ground).clear(spot, spot)[0])


def _angle(way: Floats) -> float:
    return degrees(angle_of(way[0], way[1]))


def _apart(one: Floats, two: Floats) -> float:
    """Return how far two straight lines (2, 2) are apart, at most."""
    found = [_from(point, two) for point in one] + [_from(point, one) for point in two]
    return float(min(found))


def _from(point: Floats, line: Floats) -> float:
    along = line[1] - line[0]
    share = min(max(dot(point - line[0], along) / max(dot(along, along), ROUNDING * ROUNDING), 0.0), 1.0)
    return norm(*(point - line[0] - share * along))
