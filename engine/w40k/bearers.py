"""Which models of a unit bear a rule of its datasheets: "this model", or "this unit".

Owns the choice alone. Distances and sight from them are asked by the words of conditions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.core.marks import carries
from engine.records.context import Context
from geometry.shape.base import Bools

if TYPE_CHECKING:
    from engine.w40k.battle import Battle


def bearers(battle: Battle, context: Context) -> Bools | None:
    """Return which living models of the bearer's unit bear the rule at hand, None where all do.

    An enhancement is borne by its hero, a rule of wargear by its carriers, that of a leader by its own
    models, any other by the unit with all that is attached to it. Rule: CORE.ABL.LEADER
    """
    unit, part, hero = context["bearer"], context["own_part"], context["hero"]
    if hero is not None:
        return np.array([row == hero.row for row in unit.rows], dtype=bool)
    items = battle.rulebook.rule(context["this"]).wargear if context["this"] else ()
    if not items and (not part or len(unit.parts) < 2):
        return None
    models = battle.state.position.alive(unit)
    return np.array(
        [
            (not part or model.facts.part == part) and (not items or carries(unit, model, items))
            for model in models
        ],
        dtype=bool,
    )
