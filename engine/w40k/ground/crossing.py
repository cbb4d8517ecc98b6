"""The bases over which the models of a unit pass: whether a path leads over any of them.

Where a path may lead is `engine.w40k.ground.passage`'s.
"""

from __future__ import annotations

import msgspec
import numpy as np

from engine.core.event import Pose
from engine.core.state import Table
from geometry.measure.clear_legs import barriers, runs_into
from geometry.shape.convex_shape import Outlines
from geometry.tolerance import TOLERANCE

Legs = tuple[tuple[float, ...], ...]


class Journey(msgspec.Struct, frozen=True):
    """A move that is done: where each model that moved began it, and its path."""

    began: dict[int, Pose]
    paths: dict[int, Legs]

    def leads_over(self, table: Table, bases: Outlines) -> bool:
        """Return whether any of its paths leads over any of these bases."""
        return any(passes_over(table, row, pose, self.paths[row], bases) for row, pose in self.began.items())


def passes_over(table: Table, row: int, began: Pose, legs: Legs, bases: Outlines) -> bool:
    """Return whether a model's path leads over any of these bases, as seen from above.

    Over what it covers as it begins, it passes only where it comes deeper into that.
    """
    if not len(bases):
        return False
    here, stance = began[:2], table.stance(row, began[3])
    shut = bases.against(stance)
    bound = np.minimum(shut.distances(np.array([here]))[0], 0.0) - TOLERANCE
    for leg in legs:
        if len(leg) == 4:
            stance = table.stance(row, leg[2])
            shut = bases.against(stance)
        flat = leg if len(leg) == 5 else leg[:2]
        if runs_into(here, flat, barriers(shut, -bound)):
            return True
        here = (leg[0], leg[1])
    return False
