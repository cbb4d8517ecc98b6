"""The ground as bases of one kind meet it, in the core's tables.

Owns where such bases may pass and stand, and the map of what they have left to a goal. Which spots models
take is `geometry.core.unit_plan`'s.
"""

from __future__ import annotations

import math

import numpy as np

from geometry.core.away_ground import AwayGround
from geometry.core.contact_ground import ContactGround
from geometry.core.distance_map import DistanceMap
from geometry.core.shapes import Shapes
from geometry.core.tangents import VisibilityGraph
from geometry.core.targets import Targets
from geometry.core.unit_ground import KindGround, TargetGround
from geometry.path.core_obstacles import Box, shapes_of
from geometry.path.ground import Ground, areas_of, without
from geometry.path.obstacles import CLEAR, CLOSE, SLACK
from geometry.path.planner import shortest_paths
from geometry.shape.base import TOLERANCE
from geometry.shape.cached import cached_property
from geometry.shape.convex_shape import Stance
from geometry.single.free_space import borders, shadows
from geometry.single.goal import UNTOUCHED, Away, ToBases, ToContact, ToLine

TOUCHED = CLOSE - 2 * SLACK
"""What may be touched is narrower to ends, in inches: these are rounded to seven digits."""


Goal = Away | ToBases | ToLine


class KindGrounds:
    """The ground of one move, by how bases stand."""

    def __init__(self, ground: Ground, goal: Goal, box: Box) -> None:
        """Take the ground, what is made for, and the box in which the models may end."""
        self.ground, self.goal, self.box = ground, goal, box
        self._known: dict[Stance, KindGround] = {}

    def of(self, stance: Stance) -> KindGround:
        """Return the ground as bases that stand like this meet it."""
        if stance not in self._known:
            self._known[stance] = self._made(stance)
        return self._known[stance]

    def _made(self, stance: Stance) -> KindGround:
        goal = self.goal
        graph, stand = graph_on(self.ground, stance), _stand_on(self.ground, stance)
        areas = [[(float(x), float(y)) for x, y in area] for area in self.ground.area]
        if isinstance(goal, Away):
            return AwayGround(graph, stand, shapes_of(goal.bases.against(stance)), goal.far, areas)
        if isinstance(goal, ToContact):
            rings, field = shapes_of(goal.ranges(stance)), self._field(goal, stance)
            return ContactGround(graph, stand, field, rings, goal.firsts, goal.reach, UNTOUCHED, areas)
        return TargetGround(graph, stand, self._field(goal, stance), areas)

    def _field(self, goal: ToBases | ToLine, stance: Stance) -> DistanceMap:
        """Return the map of how far it is to a goal, whose own bases are in no way."""
        graph = graph_on(self._beyond, stance)
        targets = goal.rings(stance) if isinstance(goal, ToBases) else goal.shape(stance)
        if isinstance(goal, ToLine) and math.dist(goal.start, goal.end) <= TOLERANCE:
            graph = graph.freed(*targets.xy[0].tolist())
        return DistanceMap(graph, Targets(graph, shapes_of(targets)), self.box)

    @cached_property
    def _beyond(self) -> Ground:
        return without(self.ground, self.goal.bases)


def graph_on(ground: Ground, stance: Stance) -> VisibilityGraph:
    """Return what is in the way of bases on a ground, worked out once."""
    return shortest_paths(stance, ground).graph


def _stand_on(ground: Ground, stance: Stance) -> Shapes:
    """Return where the middle of a base may not be at the end of its move, worked out once."""
    return ground.kept(("core stand", stance), lambda: _stand_of(ground, stance))


def _stand_of(ground: Ground, stance: Stance) -> Shapes:
    closed = areas_of(ground.walls + ground.no_stand + ground.shun)
    soft = ground.solid.joined(ground.no_end).against(stance)
    hard = ground.avoid.joined(ground.end_avoid).grown(TOLERANCE + CLEAR).against(stance)
    if closed:
        soft = soft.joined(shadows(closed, stance))
    if ground.area:
        soft = soft.joined(borders(ground.area, stance))
    narrowed = soft.grown(-np.minimum(soft.radius, TOUCHED))
    near, far = stance.core.extent
    low, high = stance.radius - near, np.array(ground.size) - stance.radius - far
    return shapes_of(narrowed.joined(hard), (*low.tolist(), *high.tolist()))
