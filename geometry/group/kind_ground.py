"""The ground as bases of one kind meet it, in the core's tables.

Owns where such bases may pass and stand, and the map of what they have left to a goal. Which spots models
take is `geometry.core.unit_plan`'s.
"""

from __future__ import annotations

import math

from geometry.core.distance_map import DistanceMap
from geometry.core.tangents import VisibilityGraph
from geometry.core.targets import Targets
from geometry.core.unit_ground import KindGround
from geometry.path.end_ground import end_ground
from geometry.path.ground import Ground, without
from geometry.path.planner import shortest_paths
from geometry.shape.base import TOLERANCE
from geometry.shape.convex_shape import Stance
from geometry.shape.shape_table import Box, shapes_of
from geometry.single.goal import ToBases, ToLine


class KindGrounds:
    """The ground of one move, by how bases stand."""

    def __init__(self, ground: Ground, goal: ToBases | ToLine, box: Box) -> None:
        """Take the ground, what is made for, and the box in which the models may end."""
        self.ground, self.goal, self.box = ground, goal, box
        self.beyond = without(ground, goal.bases) if len(goal.bases) or ground.later else ground
        self._known: dict[Stance, KindGround] = {}

    def of(self, stance: Stance) -> KindGround:
        """Return the ground as bases that stand like this meet it, with their map."""
        if stance not in self._known:
            field = self._field(stance)
            self._known[stance] = KindGround(
                graph_on(self.ground, stance), end_ground(self.ground, stance), field
            )
        return self._known[stance]

    def _field(self, stance: Stance) -> DistanceMap:
        goal, graph = self.goal, graph_on(self.beyond, stance)
        targets = goal.rings(stance) if isinstance(goal, ToBases) else goal.shape(stance)
        if isinstance(goal, ToLine) and math.dist(goal.start, goal.end) <= TOLERANCE:
            graph = graph.freed(*targets.xy[0].tolist())
        return DistanceMap(graph, Targets(graph, shapes_of(targets)), self.box)


def graph_on(ground: Ground, stance: Stance) -> VisibilityGraph:
    """Return what is in the way of bases on a ground, worked out once."""
    return shortest_paths(stance, ground).graph
