"""How far bases at given places have left to a goal, along the shortest ways over a ground.

Owns the border to the core's maps of distance for places at which nothing stands yet.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from geometry.core.unit_plan import UnitPlan
from geometry.group.kind_ground import Goal, KindGrounds
from geometry.path.ground import Ground
from geometry.portable import sum_of
from geometry.shape.base import Floats
from geometry.shape.convex_shape import NOTHING, Stance
from geometry.shape.shape_table import shapes_of


class LeftToGo:
    """What bases have left to one goal over one ground."""

    def __init__(self, ground: Ground, goal: Goal, places: Floats) -> None:
        """Take the ground, the goal, and places (n, 2) about which bases are asked about."""
        low, high = np.asarray(places).min(axis=0), np.asarray(places).max(axis=0)
        self._grounds = KindGrounds(ground, goal, (*low.tolist(), *high.tolist()))

    def of(self, stances: Sequence[Stance], xy: Floats) -> float:
        """Return the sum of what bases at places (n, 2) have left, infinite if a way is closed."""
        kinds = list(dict.fromkeys(stances))
        options = [[(kinds.index(stance), 0.0)] for stance in stances]
        grounds = [self._grounds.without_ends(kind) for kind in kinds]
        plan = UnitPlan(grounds, shapes_of(NOTHING), xy.tolist(), options, 0.0, 0, True)
        left = [math.inf if is_closed else least for ((is_closed, least),) in plan.measured()]
        return sum_of(left)
