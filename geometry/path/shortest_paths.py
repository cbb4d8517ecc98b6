"""tmp"""
from __future__ import annotations
import math
from collections.abc import Sequence
import numpy as np
from geometry.core.search import Search
from geometry.core.targets import Targets
from geometry.path.blockage import Blocked
from geometry.path.core_obstacles import EVERYWHERE, graph_of, shapes_of
from geometry.path.obstacles import SLACK, Obstacles, as_stance
from geometry.path.path import Path, Point
from geometry.shape.base import TOLERANCE
from geometry.shape.cached import cached_property
from geometry.core.shapes import Shapes

CLOSED = "every way is closed by models, walls or the board's edge"

class ShortestPaths:
    def __init__(self, base, ground):
        self.stance, self.ground = as_stance(base), ground
        self.obstacles = Obstacles.of(self.stance, ground)
        self._freed = {}

    @cached_property
    def graph(self):
        return graph_of(self.obstacles)

    def _free(self, a):
        found = self._freed.get(a)
        if found is None:
            found = self._freed[a] = self.graph.freed(*a)
        return found

    def shortest(self, start, goal, limit=math.inf):
        a, b = (float(start[0]), float(start[1])), (float(goal[0]), float(goal[1]))
        if math.dist(a, b) <= SLACK:
            return Path(a)
        if math.dist(a, b) > limit + TOLERANCE:
            return Blocked(CLOSED)
        graph = self._free(a).freed(*b)
        point = Shapes(EVERYWHERE, (b[0],), (b[1],), (0.0,))
        legs = Search(graph, Targets(graph, point), *a).shortest(limit + TOLERANCE)
        return Blocked(CLOSED) if legs is None else Path(a, legs)

    def nearest(self, start, rings, limit=math.inf):
        a = (float(start[0]), float(start[1]))
        table = shapes_of(rings)
        if table.holder(*a, 0.0, -1, 0) >= 0:
            return Path(a)
        if min([table.gap(row, *a) for row in range(table.count)]) > limit + TOLERANCE:
            return Blocked(CLOSED)
        graph = self._free(a)
        legs = Search(graph, Targets(graph, table), *a).shortest(limit + TOLERANCE)
        return Blocked(CLOSED) if legs is None else Path(a, legs)
