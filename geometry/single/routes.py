"""The shortest ways of bases over the ground, kept for each shape and facing.

Owns which ground the ways lead over. Free space itself knows no planner.
"""

from __future__ import annotations

from geometry.path.planner import ShortestPaths, shortest_paths
from geometry.single.free_space import Footing


def own_ways(footing: Footing) -> ShortestPaths:
    """Return the shortest ways on a ground."""
    return footing.kept("own ways", lambda: shortest_paths(footing.stance, footing.ground))
