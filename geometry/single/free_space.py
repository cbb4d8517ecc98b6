"""Where bases of one shape and facing may end and pass, and the edges of these places.

Owns the edges. Whether a base may end at a place is asked of the core (`geometry.path.end_ground`).
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

import numpy as np

from geometry.path.end_ground import end_ground, shadows
from geometry.path.ground import Ground, areas_of
from geometry.path.obstacles import Obstacles, as_stance
from geometry.shape.arrangement import Edges
from geometry.shape.array import following
from geometry.shape.base import Bools, Floats, Polygon
from geometry.shape.cached import cached_property
from geometry.shape.convex_shape import NOTHING, Outlines, Stance, polygon_core
from geometry.shape.polygon import rim, rings
from geometry.tolerance import PLACE_SLACK_INCHES, TOLERANCE


class Footing:
    """Where bases of one stance may stand and pass."""

    def __init__(self, ground: Ground, base: Stance | float) -> None:
        """Take the ground, and how the bases stand (a round base's radius is enough)."""
        self.ground, self.stance = ground, as_stance(base)
        self.obstacles = Obstacles.of(self.stance, ground)
        self.low, self.high = self.obstacles.low, self.obstacles.high

    @cached_property
    def edges(self) -> Edges:
        """Return the edges of the places where the bases may end."""
        ground, stance = self.ground, self.stance
        soft, hard = ground.solid.joined(ground.no_end), ground.avoid.joined(ground.end_avoid)
        hard = hard.grown(TOLERANCE + PLACE_SLACK_INCHES)
        found = Edges.of(soft.joined(hard).against(stance)).joined(self._board)
        closed = areas_of(ground.walls + ground.no_stand + ground.shun)
        if closed:
            found = found.joined(outside(closed, stance))
        if ground.area:
            inside = rim(ground.area, stance.radius, inside=True) if stance.core.is_point else None
            found = found.joined(inside or Edges.of(borders(ground.area, stance)))
        return found

    @cached_property
    def bounds(self) -> Edges:
        """Return the edges of walls and of the board for what passes."""
        walls = self.ground.walls
        return self._board.joined(outside(walls, self.stance)) if walls else self._board

    @property
    def _board(self) -> Edges:
        (x0, y0), (x1, y1) = self.low, self.high
        corner = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
        return Edges(np.empty((0, 2)), np.empty(0), corner, following(corner))

    def stands(self, xy: Floats) -> Bools:
        """Return at which places (n, 2) a base may end."""
        ends = end_ground(self.ground, self.stance)
        return np.array([ends.stands(x, y) for x, y in xy.tolist()], dtype=np.bool_)

    def free_of(self, *points: tuple[float, float]) -> Obstacles:
        """Return what is in the way of a path, without what holds one of the points."""
        return self.obstacles.freed(*points)


@lru_cache(maxsize=512)
def outside(areas: tuple[Polygon, ...], stance: Stance) -> Edges:
    """Return the edges of a base that touches areas from outside."""
    if stance.core.is_point:
        return rim(areas, stance.radius, inside=False)
    return Edges.of(shadows(areas, stance))


@lru_cache(maxsize=512)
def borders(areas: tuple[Polygon, ...], stance: Stance) -> Outlines:
    """Return where the middle of a base is while the base lies across the border of areas.

    The areas are taken as their union.
    """
    found = NOTHING
    for ring in rings(areas, merged=True):
        for a, b in pairwise(ring):
            middle = (a + b) / 2
            core = polygon_core([a - middle, b - middle])
            found = found.joined(Outlines(middle[None], np.zeros(1), (core,)))
    return found.against(stance)
