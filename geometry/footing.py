"""One ground as bases of one radius meet it, ready for many questions at once.

Owns the quick tests of many spots and many straight ways, a little stricter than the rules of
`geometry.ground`, which judges the outcome.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np
import shapely

from geometry.base import TOLERANCE, Bools, Floats
from geometry.clearance import CLEAR, SLACK, Obstacles
from geometry.ground import Ground
from geometry.outline import NOTHING, Outlines
from geometry.path import Ways
from geometry.spot import Edges, distances, rim, union_of

CLOSE = 1e-7
"""How far inside what may be touched a spot may lie through rounding."""


class Footing:
    """Where bases of one radius may stand and pass."""

    def __init__(self, ground: Ground, radius: float) -> None:
        """Take the ground and the radius of the bases."""
        self.ground = ground
        self.radius = radius
        self.obstacles = Obstacles.of(radius, ground)
        touch = [d for d in (ground.solid, ground.no_end) if len(d)]
        clear = [d for d in (ground.avoid, ground.end_avoid) if len(d)]
        self.centre = np.vstack([np.empty((0, 2)), *(d.xy for d in touch + clear)])
        self.reach = np.concatenate(
            [np.empty(0), *(d.radius for d in touch), *(d.radius + TOLERANCE + CLEAR for d in clear)]
        )
        self.reach = self.reach + radius
        soft = sum(len(d) for d in touch)
        self.least = self.reach - np.where(np.arange(len(self.reach)) < soft, CLOSE, SLACK)
        self.low, self.high = self.obstacles.low, self.obstacles.high
        self._ways: tuple[Outlines, Ways] | None = None

    @cached_property
    def edges(self) -> Edges:
        """Return the edges of the spots where the bases may stand."""
        ground, radius = self.ground, self.radius
        (x0, y0), (x1, y1) = self.low, self.high
        corner = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
        found = Edges(self.centre, self.reach, corner, np.roll(corner, -1, axis=0))
        closed = ground.walls + ground.no_stand + ground.shun
        if closed:
            found = found.joined(rim(closed, radius, inside=False))
        if ground.area:
            found = found.joined(rim(ground.area, radius, inside=True))
        return found

    def stands(self, xy: Floats) -> Bools:
        """Return which spots (n, 2) a base may stand on."""
        good = np.asarray(((xy >= self.low - CLOSE) & (xy <= self.high + CLOSE)).all(axis=1))
        if len(self.reach):
            good &= (distances(xy, self.centre) >= self.least).all(axis=1)
        closed = self.ground.walls + self.ground.no_stand + self.ground.shun
        if closed or self.ground.area:
            rows = np.flatnonzero(good)
            spots = shapely.points(xy[rows])
            if closed:
                good[rows] &= ~shapely.dwithin(union_of(closed), spots, self.radius - CLOSE)
            if self.ground.area:
                area = union_of(self.ground.area)
                good[rows] &= shapely.intersects(area, spots)
                good[rows] &= ~shapely.dwithin(_border(area), spots, self.radius - CLOSE)
        return good

    def ways(self, goal: Outlines) -> Ways:
        """Return the shortest ways on this ground as if the goal's own bases were not there."""
        if not len(goal):
            return self.own_ways
        if self._ways is None or self._ways[0] is not goal:
            self._ways = (goal, Ways(self.radius, without(self.ground, goal)))
        return self._ways[1]

    @cached_property
    def own_ways(self) -> Ways:
        """Return the shortest ways on this ground."""
        return Ways(self.radius, self.ground)

    def free_of(self, *points: tuple[float, float]) -> Obstacles:
        """Return what is in the way of a path, without what holds one of the points."""
        return self.obstacles.freed(*points)


def _border(area: shapely.Geometry) -> shapely.Geometry:
    return shapely.boundary(area)


def without(ground: Ground, discs: Outlines) -> Ground:
    """Return the ground without the solid and avoided discs that share a centre with one of these."""
    if not len(discs):
        return ground
    return replace(ground, solid=_others(ground.solid, discs), avoid=_others(ground.avoid, discs))


def _others(discs: Outlines, leave: Outlines) -> Outlines:
    if not len(discs):
        return discs
    kept = (distances(discs.xy, leave.xy) > CLOSE).all(axis=1)
    return Outlines(discs.xy[kept], discs.radius[kept]) if kept.any() else NOTHING
