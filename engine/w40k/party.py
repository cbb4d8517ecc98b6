"""The models of a unit as the geometry moves them together.

Owns what a model takes along into a move: its base, its limit and the cost of its first pivot.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from engine.w40k.ground.combat_field import CombatField
from geometry.group.party import Party


def party_of(
    field: CombatField,
    rows: Sequence[int],
    limits: Mapping[int, float],
    paths: Mapping[int, Sequence[Sequence[float]]] | None = None,
) -> Party:
    """Return models as the geometry moves them, each with its limit.

    They stand where they are, or at the end of their paths. A model that has turned already has paid for the
    pivot. Rule: CORE.MOVE.3
    """
    table, made = field.position.table, paths or {}
    poses = np.array([table.after(row, made.get(row, ())) for row in rows]).reshape(-1, 4)
    limit = np.array([limits.get(row, 0.0) for row in rows])
    xy, radius = poses[:, :2], table.radius[list(rows)]
    if radius.all():
        return Party(xy, radius, limit, z=poses[:, 2])
    turned = [any(len(leg) == 4 for leg in made.get(row, ())) for row in rows]
    cost = [0.0 if done else field.pivot_cost(row) for row, done in zip(rows, turned, strict=True)]
    bases = tuple(table.base[row] for row in rows)
    return Party(xy, radius, limit, bases, poses[:, 3], np.array(cost), poses[:, 2])
