"""The border between a unit on its ground and the core's planner: the move of a unit on the flat.

Owns the translation of models, ground and goal into flat numbers, and of ends into paths. Where models end is
`geometry.core.unit_plan`'s.
"""

from __future__ import annotations

import math

import numpy as np

from geometry.core.distance_map import DistanceMap
from geometry.core.search import Search
from geometry.core.shapes import Shapes
from geometry.core.tangents import VisibilityGraph
from geometry.core.targets import Targets
from geometry.core.unit_plan import UnitPlan
from geometry.core.unit_spots import KindGround
from geometry.group.outcome import Moved
from geometry.group.party import Party
from geometry.measure.coherency import Spacing
from geometry.path.core_obstacles import EVERYWHERE, Box, graph_of, shapes_of
from geometry.path.ground import Ground, areas_of, without
from geometry.path.obstacles import CLEAR, CLOSE, SLACK, Obstacles
from geometry.path.path import Path
from geometry.path.reference_path import rounded
from geometry.shape.base import TOLERANCE
from geometry.shape.convex_shape import Outlines, Stance, difference
from geometry.single.free_space import borders, shadows
from geometry.single.goal import ToBases, ToLine

BUDGET = 50_000
"""So many spots a search judges before it ends with the best that it has; a sought way counts as ten."""
TOUCHED = CLOSE - 2 * SLACK
"""What may be touched is so much narrower to ends, in inches: these are rounded to seven digits."""


def planned(
    party: Party, ground: Ground, goal: ToBases | ToLine, spacing: Spacing, stays: bool
) -> Moved | None:
    """Return the move of a unit on the flat, None where no legal one is found."""
    stances = [party.stance(row) for row in range(len(party))]
    kinds = list(dict.fromkeys(stances))
    reach = party.limit[:, None]
    low, high = (party.xy - reach).min(axis=0), (party.xy + reach).max(axis=0)
    box = (*low.tolist(), *high.tolist())
    plan = UnitPlan(
        [_ground_of(ground, stance, goal, box) for stance in kinds],
        _pairs(kinds),
        party.xy.tolist(),
        [[(kinds.index(stance), far)] for stance, far in zip(stances, party.limit.tolist(), strict=True)],
        spacing.reach,
        spacing.neighbours_needed(len(party)),
        stays,
    )
    found = plan.plan(BUDGET)
    if found is None:
        return None
    paths = []
    for row, (_, x, y, _) in enumerate(found):
        path = _path(ground, stances[row], party.xy[row].tolist(), (x, y), float(party.limit[row]))
        if path is None:
            return None
        paths.append(path)
    return Moved(tuple(paths), np.array([left for _, _, _, left in found]), lost=any(plan.closed()))


def _ground_of(ground: Ground, stance: Stance, goal: ToBases | ToLine, box: Box) -> KindGround:
    """Return the ground as bases that stand like this meet it, with the map of what they have left."""
    graph, stand = _graph(ground, stance), _stand(ground, stance)
    targets = shapes_of(goal.rings(stance) if isinstance(goal, ToBases) else goal.shape(stance))
    beyond = graph
    if len(goal.bases) or ground.later:
        beyond = _graph(without(ground, goal.bases), stance)
    if isinstance(goal, ToLine) and math.dist(goal.start, goal.end) <= TOLERANCE:
        beyond = beyond.freed(*goal.shape(stance).xy[0].tolist())
    field = DistanceMap(beyond, Targets(beyond, targets), *box)
    return KindGround(graph, stand, field, [list(area) for area in ground.area])


def _graph(ground: Ground, stance: Stance) -> VisibilityGraph:
    return ground.kept(("core graph", stance), lambda: graph_of(Obstacles.of(stance, ground)))


def _stand(ground: Ground, stance: Stance) -> Shapes:
    """Return where the middle of a base may not be at the end of its move."""
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


def _pairs(kinds: list[Stance]) -> Shapes:
    """Return where bases of each kind meet those of each other at the origin, row by row."""
    every = [(a, b) for a in kinds for b in kinds]
    radius = np.array([a.radius + b.radius for a, b in every])
    cores = tuple(difference(a.core, b.core) for a, b in every)
    return shapes_of(Outlines(np.zeros((len(every), 2)), radius, cores))


def _path(
    ground: Ground, stance: Stance, start: list[float], end: tuple[float, float], limit: float
) -> Path | None:
    """Return the shortest path between two places, its end rounded as positions are; None where there is none."""
    at = (start[0], start[1])
    to = (round(end[0], 7), round(end[1], 7))
    if math.dist(at, to) <= CLOSE:
        return Path(at)
    graph = _graph(ground, stance).freed(*at).freed(*to)
    point = Shapes(EVERYWHERE, (to[0],), (to[1],), (0.0,))
    legs = Search(graph, Targets(graph, point), *at).shortest(limit + TOLERANCE)
    return None if legs is None else rounded(Path(at, legs))
