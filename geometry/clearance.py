"""How near a leg of a path comes to what stands about: straight lines and arcs against discs and walls.

Owns legs, their lengths, and the obstacles that a base of one radius must stay clear of.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import shapely

from geometry.base import TOLERANCE, Bools, Floats, Polygon
from geometry.ground import Ground
from geometry.spot import distances, union_of

Leg = tuple[float, ...]
"""(x, y) for a straight line to there; (x, y, cx, cy, turn) for an arc round (cx, cy), turn 1 or -1.

(x, y, z) for a straight line in space, to another height."""
CLEAR = 2e-7
"""How far inside a strict bound a planned path stays, and how far over one that may be touched."""


def leg_length(start: Sequence[float], leg: Leg) -> float:
    """Return the length of one leg from (x, y), or from (x, y, z)."""
    if len(leg) == 2:
        return math.hypot(leg[0] - start[0], leg[1] - start[1])
    if len(leg) == 3:
        return math.dist((start[0], start[1], start[2] if len(start) > 2 else 0.0), leg)
    x, y, cx, cy, _turn = leg
    return math.hypot(x - cx, y - cy) * sweep(start, leg)


def sweep(start: Sequence[float], leg: Leg) -> float:
    x, y, cx, cy, turn = leg
    a = math.atan2(start[1] - cy, start[0] - cx)
    b = math.atan2(y - cy, x - cx)
    return ((b - a) * turn) % math.tau


def part(start: Sequence[float], leg: Leg, share: float) -> Leg:
    if len(leg) == 2:
        return (start[0] + share * (leg[0] - start[0]), start[1] + share * (leg[1] - start[1]))
    if len(leg) == 3:
        begin = (start[0], start[1], start[2] if len(start) > 2 else 0.0)
        return tuple(a + share * (b - a) for a, b in zip(begin, leg, strict=True))
    x, y, cx, cy, turn = leg
    radius = math.hypot(x - cx, y - cy)
    a = math.atan2(start[1] - cy, start[0] - cx) + turn * share * sweep(start, leg)
    return (cx + radius * math.cos(a), cy + radius * math.sin(a), cx, cy, turn)


@dataclass(frozen=True, slots=True)
class Obstacles:
    """Everything that a base of one radius must stay clear of: discs for its centre, and walls."""

    centre: Floats
    reach: Floats
    walls: tuple[Polygon, ...]
    radius: float
    low: Floats
    high: Floats

    @staticmethod
    def of(radius: float, ground: Ground) -> Obstacles:
        """Return the obstacles of a ground."""
        solid = ground.solid.radius + radius
        avoid = ground.avoid.radius + radius + TOLERANCE + CLEAR
        return Obstacles(
            np.vstack([ground.solid.xy, ground.avoid.xy]),
            np.concatenate([solid, avoid]),
            ground.walls,
            radius,
            np.full(2, radius),
            np.array(ground.size) - radius,
        )

    def freed(self, *points: tuple[float, float]) -> Obstacles:
        """Return the obstacles without those that hold one of the points, shrunk where it only touches."""
        reach = self.reach.copy()
        for point in points:
            apart = np.hypot(*(self.centre - np.array(point)).T)
            touching = (apart < reach) & (apart > reach - TOUCH)
            reach = np.where(touching, apart, reach)
            reach = np.where(apart < reach - TOUCH, -1.0, reach)
        keep = reach > 0
        walls, spots = self.walls, shapely.points(np.array(points))
        if walls and shapely.dwithin(union_of(walls), spots, self.radius - TOUCH).any():
            walls = tuple(
                w for w in walls if not (shapely.distance(solid_of(w), spots) < self.radius - TOUCH).any()
            )
        if walls == self.walls and keep.all() and (reach == self.reach).all():
            return self
        return Obstacles(self.centre[keep], reach[keep], walls, self.radius, self.low, self.high)

    def pruned(self) -> Obstacles:
        """Return the obstacles without the discs that lie wholly in another."""
        apart = distances(self.centre, self.centre)
        inside = apart + self.reach[:, None] <= self.reach[None] + SLACK
        later = np.arange(len(self.reach))
        inside &= (self.reach[:, None] < self.reach[None]) | (later[:, None] > later[None])
        keep = ~inside.any(axis=1)
        return replace(self, centre=self.centre[keep], reach=self.reach[keep])

    def clear(self, start: Floats, end: Floats) -> Bools:
        """Return which straight ways (n) from points to points (n, 2) run into nothing."""
        ends = np.stack([start, end], axis=1)
        good = np.asarray(((ends >= self.low - CLEAR) & (ends <= self.high + CLEAR)).all(axis=(1, 2)))
        if len(self.reach):
            rows = np.flatnonzero(good)
            good[rows] = (segment_distance(ends[rows], self.centre) >= self.reach - SLACK).all(axis=1)
        if self.walls:
            rows = np.flatnonzero(good)
            lines = shapely.linestrings(ends[rows])
            good[rows] = ~shapely.dwithin(union_of(self.walls), lines, self.radius - CLEAR)
        return good


TOUCH = 1e-5
"""A base that begins this little inside an obstacle is taken to touch it."""
SLACK = 1e-8


@lru_cache(maxsize=512)
def solid_of(polygon: Polygon) -> shapely.Polygon:
    """Return a wall as shapely knows it, prepared for many questions."""
    found = shapely.Polygon(polygon)
    shapely.prepare(found)
    return found


def segment_distance(ends: Floats, points: Floats) -> Floats:
    """Return the distances from segments (m, 2, 2) to points (k, 2), shape (m, k)."""
    ax, ay = ends[:, 0, 0, None], ends[:, 0, 1, None]
    dx, dy = ends[:, 1, 0, None] - ax, ends[:, 1, 1, None] - ay
    tx, ty = points[None, :, 0] - ax, points[None, :, 1] - ay
    share = (tx * dx + ty * dy) / np.maximum(dx * dx + dy * dy, 1e-300)
    np.minimum(np.maximum(share, 0.0, out=share), 1.0, out=share)
    tx -= share * dx
    ty -= share * dy
    return np.asarray(np.sqrt(tx * tx + ty * ty))


def arc_distance(start: Sequence[float], leg: Leg, points: Floats) -> Floats:
    """Return the distances from an arc to points (k, 2)."""
    x, y, cx, cy, turn = leg
    radius = math.hypot(x - cx, y - cy)
    off = points - np.array([cx, cy])
    first = math.atan2(start[1] - cy, start[0] - cx)
    on = ((np.arctan2(off[:, 1], off[:, 0]) - first) * turn) % math.tau <= sweep(start, leg) + 1e-12
    along = np.abs(np.hypot(*off.T) - radius)
    ends = np.minimum(np.hypot(*(points - np.array(start[:2])).T), np.hypot(*(points - np.array([x, y])).T))
    return np.asarray(np.where(on, along, ends))


def arc_to_wall(start: Sequence[float], leg: Leg, wall: Polygon) -> float:
    """Return the distance from an arc to a polygon that it does not enter by its inside."""
    x, y, cx, cy, turn = leg
    radius = math.hypot(x - cx, y - cy)
    corners = np.array(wall)
    edges = np.stack([corners, np.roll(corners, -1, axis=0)], axis=1)
    along = edges[:, 1] - edges[:, 0]
    share = ((np.array([cx, cy]) - edges[:, 0]) * along).sum(axis=1) / (along**2).sum(axis=1)
    foot = edges[:, 0] + np.clip(share, 0, 1)[:, None] * along
    off = foot - np.array([cx, cy])
    far = np.hypot(*off.T)
    away = far > SLACK  # an edge that ends at the arc's own centre is a radius away all along
    foot, off, far = foot[away], off[away], far[away]
    nearest = np.array([cx, cy]) + off / far[:, None] * radius
    first = math.atan2(start[1] - cy, start[0] - cx)
    on = ((np.arctan2(off[:, 1], off[:, 0]) - first) * turn) % math.tau <= sweep(start, leg) + 1e-12
    found = [float(np.hypot(*(nearest - foot).T)[on].min())] if on.any() else []
    ends = np.array([list(start[:2]), [x, y]])
    found.append(float(shapely.distance(solid_of(wall), shapely.points(ends)).min()))
    found.append(float(arc_distance(start, leg, corners).min()))
    return min(found)


def arc_extremes(start: Sequence[float], leg: Leg) -> list[tuple[float, float]]:
    """Return the arc's points that lie farthest along the axes."""
    x, y, cx, cy, turn = leg
    radius = math.hypot(x - cx, y - cy)
    first, far = math.atan2(start[1] - cy, start[0] - cx), sweep(start, leg)
    return [
        (cx + radius * math.cos(a), cy + radius * math.sin(a))
        for a in (0.0, math.pi / 2, math.pi, -math.pi / 2)
        if ((a - first) * turn) % math.tau <= far
    ]
