"""The shortest ways of bases over the ground, kept for each shape and facing.

Owns which ground the ways lead over. Free space itself knows no planner.
"""

from __future__ import annotations

from geometry.path.ground import without
from geometry.path.planner import ShortestPaths, shortest_paths
from geometry.shape.convex_shape import Outlines
from geometry.single.free_space import Footing


def ways_to(footing: Footing, goal: Outlines) -> ShortestPaths:
    """Return the shortest ways on a ground as if the goal's own bases were not there."""
    if not len(goal):
        return own_ways(footing)
    # The goal is kept with its ways, so that no other takes its identity.
    return footing.kept(
        ("ways", id(goal)), lambda: (goal, shortest_paths(footing.stance, without(footing.ground, goal)))
    )[1]


def own_ways(footing: Footing) -> ShortestPaths:
    """Return the shortest ways on a ground."""
    return footing.kept("own ways", lambda: shortest_paths(footing.stance, footing.ground))
