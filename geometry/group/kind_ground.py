"""The ground as bases of one kind meet it, in the core's tables.

Owns where such bases may pass and end, and the map of what they have left to a goal. Which spots models
take is `geometry.core.unit_plan`'s.
"""

from __future__ import annotations

from geometry.core.away_ground import AwayGround
from geometry.core.contact_ground import ContactGround
from geometry.core.distance_map import DistanceMap
from geometry.core.end_ground import EndGround
from geometry.core.tangents import VisibilityGraph
from geometry.core.targets import Targets
from geometry.core.unit_ground import KindGround, TargetGround
from geometry.path.end_ground import end_ground
from geometry.path.ground import Ground, without
from geometry.path.planner import shortest_paths
from geometry.portable import span
from geometry.shape.cached import cached_property
from geometry.shape.convex_shape import NOTHING, Stance
from geometry.shape.shape_table import Box, shapes_of
from geometry.single.goal import UNTOUCHED, Away, ToBases, ToContact, ToLine
from geometry.tolerance import TOLERANCE

NO_ENDS = EndGround(shapes_of(NOTHING), shapes_of(NOTHING))
"""The ends of bases that are only measured."""
Goal = Away | ToBases | ToLine


class KindGrounds:
    """The ground of one move, by how bases stand."""

    def __init__(self, ground: Ground, goal: Goal, box: Box) -> None:
        """Take the ground, what is made for, and the box in which the models may end."""
        self.ground, self.goal, self.box = ground, goal, box
        self._known: dict[Stance, KindGround] = {}
        self._fields: dict[Stance, DistanceMap] = {}

    def of(self, stance: Stance) -> KindGround:
        """Return the ground as bases that stand like this meet it."""
        if stance not in self._known:
            self._known[stance] = self._made(stance, end_ground(self.ground, stance))
        return self._known[stance]

    def without_ends(self, stance: Stance) -> KindGround:
        """Return the ground of which only what is left is asked, not where the bases may stand."""
        return self._made(stance, NO_ENDS)

    def _made(self, stance: Stance, ends: EndGround) -> KindGround:
        goal, graph = self.goal, graph_on(self.ground, stance)
        if isinstance(goal, Away):
            return AwayGround(graph, ends, shapes_of(goal.bases.against(stance)), goal.far)
        if isinstance(goal, ToContact):
            rings, field = shapes_of(goal.ranges(stance)), self._field(goal, stance)
            return ContactGround(graph, ends, field, rings, goal.firsts, goal.reach, UNTOUCHED)
        return TargetGround(graph, ends, self._field(goal, stance))

    def _field(self, goal: ToBases | ToLine, stance: Stance) -> DistanceMap:
        """Return the map of how far it is to a goal.

        Its bases are in the way of a move toward them: what stands on this side of them may leave no place
        but beyond them. Those of a charge are in no way, as its places lie about them on all sides.
        """
        if stance not in self._fields:
            self._fields[stance] = self._field_of(goal, stance)
        return self._fields[stance]

    def _field_of(self, goal: ToBases | ToLine, stance: Stance) -> DistanceMap:
        ground = self._beyond if isinstance(goal, ToContact) else self.ground
        graph = graph_on(ground, stance)
        targets = goal.rings(stance) if isinstance(goal, ToBases) else goal.shape(stance)
        if isinstance(goal, ToLine) and span(goal.start, goal.end) <= TOLERANCE:
            graph = graph.freed(*targets.xy[0].tolist())
        return DistanceMap(graph, Targets(graph, shapes_of(targets)), self.box)

    @cached_property
    def _beyond(self) -> Ground:
        return without(self.ground, self.goal.bases)


def graph_on(ground: Ground, stance: Stance) -> VisibilityGraph:
    """Return what is in the way of bases on a ground, and what they climb, worked out once."""
    return shortest_paths(stance, ground).climbed_graph()
