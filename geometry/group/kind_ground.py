"""The ground as bases of one kind meet it, in the core's tables.

Owns where such bases may pass and stand, and the map of what they have left to a goal. Which spots models
take is `geometry.core.unit_plan`'s.
"""

from __future__ import annotations

import math

from geometry.core.distance_map import DistanceMap
from geometry.core.end_ground import EndGround
from geometry.core.tangents import VisibilityGraph
from geometry.core.targets import Targets
from geometry.core.unit_ground import KindGround
from geometry.path.end_ground import end_ground
from geometry.path.ground import Ground, without
from geometry.path.planner import shortest_paths
from geometry.shape.base import TOLERANCE
from geometry.shape.convex_shape import NOTHING, Stance
from geometry.shape.shape_table import Box, shapes_of
from geometry.single.goal import ToBases, ToLine

NO_ENDS = EndGround(shapes_of(NOTHING), shapes_of(NOTHING))
"""The ends of bases that are only measured."""


class KindGrounds:
    """The ground of one move, by how bases stand."""

    def __init__(self, ground: Ground, goal: ToBases | ToLine, box: Box) -> None:
        """Take the ground, what is made for, and the box in which the models may end."""
        self.ground, self.goal, self.box = ground, goal, box
        self.beyond = without(ground, goal.bases)
        self._known: dict[Stance, KindGround] = {}
        self._fields: dict[Stance, DistanceMap] = {}

    def of(self, stance: Stance) -> KindGround:
        """Return the ground as bases that stand like this meet it, with their map."""
        if stance not in self._known:
            self._known[stance] = KindGround(
                graph_on(self.ground, stance), end_ground(self.ground, stance), self._field(stance)
            )
        return self._known[stance]

    def without_ends(self, stance: Stance) -> KindGround:
        """Return the ground of which only the map is asked, not where the bases may stand."""
        return KindGround(graph_on(self.ground, stance), NO_ENDS, self._field(stance))

    def _field(self, stance: Stance) -> DistanceMap:
        if stance not in self._fields:
            self._fields[stance] = self._field_of(stance)
        return self._fields[stance]

    def _field_of(self, stance: Stance) -> DistanceMap:
        goal, graph = self.goal, graph_on(self.beyond, stance)
        targets = goal.rings(stance) if isinstance(goal, ToBases) else goal.shape(stance)
        if isinstance(goal, ToLine) and math.dist(goal.start, goal.end) <= TOLERANCE:
            graph = graph.freed(*targets.xy[0].tolist())
        return DistanceMap(graph, Targets(graph, shapes_of(targets)), self.box)


def graph_on(ground: Ground, stance: Stance) -> VisibilityGraph:
    """Return what is in the way of bases on a ground, and what they climb, worked out once."""
    return shortest_paths(stance, ground).climbed_graph()
