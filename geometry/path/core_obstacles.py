"""The border between the outlines on a ground and the core's visibility graphs.

Owns the translation of obstacles and targets, and the graphs of walls, which are kept for a battle.
What is asked of tables and graphs is the core's.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache

from geometry.core.freeing import leave_out_covered
from geometry.core.shapes import Shapes
from geometry.core.tangents import VisibilityGraph
from geometry.path.climbing import climbable
from geometry.path.elevation import parts_of, shadow
from geometry.path.ground import Ground
from geometry.path.obstacles import Obstacles
from geometry.shape.base import Polygon
from geometry.shape.convex_shape import NOTHING, Outlines, Stance
from geometry.shape.shape_table import EVERYWHERE, Box, Heights, shapes_of
from geometry.tolerance import LINE_SLACK_INCHES


def spot_of(at: tuple[float, float]) -> Shapes:
    """Return a point as what ways lead to."""
    return Shapes(EVERYWHERE, (at[0],), (at[1],), (0.0,))


def graph_of(obstacles: Obstacles, heights: Heights = ()) -> VisibilityGraph:
    """Return the visibility graph of obstacles: walls first, which are kept, then models.

    Walls with a finite height may be climbed.
    """
    box = (*obstacles.low.tolist(), *obstacles.high.tolist())
    walls = _graph_of_walls(obstacles.walls, box, heights)
    if not len(obstacles.models):
        return walls
    shapes = shapes_of(obstacles.models, box, walls.shapes)
    leave_out_covered(shapes, LINE_SLACK_INCHES)
    return VisibilityGraph(shapes, walls)


@lru_cache(maxsize=256)
def _graph_of_walls(walls: Outlines, box: Box, heights: Heights) -> VisibilityGraph:
    """Return the visibility graph of walls alone; the same walls are always the same outlines."""
    return VisibilityGraph(shapes_of(walls, box, heights=heights))


def graph_with_homes(
    graph: VisibilityGraph, homes: Mapping[Polygon, float], stance: Stance
) -> VisibilityGraph:
    """Return a graph, and in it areas over which a base is so high, that may be climbed."""
    found, heights = NOTHING, list[float]()
    for polygon, z in homes.items():
        parts = shadow(polygon, stance)
        found, heights = found.joined(parts), heights + [z] * len(parts)
    shapes = graph.shapes
    box = (shapes.low_x, shapes.low_y, shapes.high_x, shapes.high_y)
    return VisibilityGraph(shapes_of(found, box, shapes, tuple(heights)), graph, True)


def heights_of(ground: Ground) -> Heights:
    """Return the heights of the shapes that walls make; none where no wall may be climbed."""
    known = climbable(ground)
    if not known:
        return ()
    return tuple(known.get(wall, math.inf) for wall in ground.walls for _ in range(len(parts_of(wall))))
