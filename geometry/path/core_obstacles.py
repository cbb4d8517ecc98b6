"""The border between the outlines on a ground and the core's visibility graphs.

Owns the translation of obstacles and targets, and the graphs of walls, which are kept for a battle.
What is asked of tables and graphs is the core's.
"""

from __future__ import annotations

from functools import lru_cache

from geometry.core.freeing import leave_out_covered
from geometry.core.shapes import Shapes
from geometry.core.tangents import VisibilityGraph
from geometry.path.obstacles import SLACK, Obstacles
from geometry.shape.convex_shape import Outlines
from geometry.shape.shape_table import EVERYWHERE, Box, shapes_of

MERE = 1e-6
"""Rings no wider than this, in inches, are mere points: obstacles cut nothing off them."""


def spot_of(at: tuple[float, float]) -> Shapes:
    """Return a point as what ways lead to."""
    return Shapes(EVERYWHERE, (at[0],), (at[1],), (0.0,))


def graph_of(obstacles: Obstacles) -> VisibilityGraph:
    """Return the visibility graph of obstacles: walls first, which are kept, then models."""
    box = (*obstacles.low.tolist(), *obstacles.high.tolist())
    walls = _graph_of_walls(obstacles.walls, box)
    if not len(obstacles.models):
        return walls
    shapes = shapes_of(obstacles.models, box, walls.shapes)
    leave_out_covered(shapes, SLACK)
    return VisibilityGraph(shapes, walls)


@lru_cache(maxsize=256)
def _graph_of_walls(walls: Outlines, box: Box) -> VisibilityGraph:
    """Return the visibility graph of walls alone; the same walls are always the same outlines."""
    return VisibilityGraph(shapes_of(walls, box))
