"""The way of a unit that piles in or consolidates to the enemies near it.

Plans of such moves start from it. What else the move must keep to is `engine.w40k.legality.move_check`'s.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from engine.core.state import Unit
from engine.w40k.ground.aircraft import opponents
from geometry.group.group_move import Moved, Party, move_into_contact
from geometry.measure.distance import within
from geometry.path.blockage import Blocked
from geometry.shape.convex_shape import Outlines

if TYPE_CHECKING:
    from engine.w40k.ground.tabletop import Tabletop


def closing_in(
    field: Tabletop,
    unit: Unit,
    kind: str,
    limits: Mapping[int, float],
    party: Party,
    first: Sequence[str] = (),
) -> tuple[Outlines, Moved | Blocked] | None:
    """Return the bases of the enemies near the unit, and its way to them.

    None where no enemy is near enough. `party` are the unit's models, each with its limit. Of enemies that
    are equally near those named `first` come first. Rule: CORE.FGT.4, CORE.FGT.7, CORE.AIR.5
    """
    far = max(limits.values(), default=0.0) + field.engagement.farthest
    enemies = opponents(field, unit)
    apart = {enemy.id: float(field.flat_gaps(unit, enemy).min(initial=np.inf)) for enemy in enemies}
    near = {name for name, gap in apart.items() if within(gap, far)}
    if not limits or not near:
        return None
    near |= _closest(field, unit, enemies)
    place = {name: i for i, name in enumerate(first)}
    enemies = sorted(enemies, key=lambda enemy: place.get(enemy.id, len(place)))
    rows = field.rows([enemy for enemy in enemies if enemy.id in near])
    foes = field.outlines(rows)
    ground = field.ground(unit, kind)

    def moved() -> Moved | Blocked:
        across = field.across(rows)
        spacing, reach = field.parameters.spacing, field.parameters.engagement
        return move_into_contact(party, [foes], ground, spacing, reach, must_reach_all=False, across=across)

    # Kept: a unit that piles in for nothing asks again as it consolidates.
    return foes, ground.kept(("closing in", unit.id, rows, tuple(limits.items())), moved)


def _closest(field: Tabletop, unit: Unit, enemies: list[Unit]) -> set[str]:
    """Return the ids of the enemies that are the closest to some model of the unit."""
    least = np.array([field.flat_gaps(unit, enemy).min(axis=1) for enemy in enemies])
    return {enemies[place].id for place in least.argmin(axis=0).tolist()}
