"""The words about the part of a unit that bears a rule: whom it engages, what it destroyed.

Each word reads the battle and changes nothing.
"""

from __future__ import annotations

import numpy as np

from engine.core.state import Unit
from engine.records.context import Context
from engine.records.language import word
from engine.w40k.attack.outcome import Outcome
from engine.w40k.battle import Battle
from geometry.shape.base import Bools


@word(looks_up=("bearer", "own_part"))
def engages_own(battle: Battle, unit: Unit, context: Context) -> bool:
    """Return whether a unit engages the part that bears the rule. Rule: CORE.ER.1"""
    bearer, part = context["bearer"], context["own_part"]
    if not battle.field.engaged(unit, bearer):
        return False
    near: Bools = np.asarray(battle.field.engaged_models(bearer, unit).any(axis=1))
    own = np.array([model.facts.part == part for model in battle.state.position.alive(bearer)])
    return bool((near & own).any())


@word(clause="DATASHEET.grisly-spectacle", looks_up=("attacks",))
def enemies_lost(battle: Battle, unit: Unit, context: Context) -> int:
    """Return how many enemies of a unit the attacks just made destroyed.

    A leader is one by itself. Rule: R.A77
    """
    made, models = context["attacks"], battle.state.position.models
    if not isinstance(made, Outcome):
        return 0
    found = 0
    for name, rows in made.lost.items():
        target = battle.state.position.units[name]
        left = {models[row].facts.part for row in target.rows}
        found += len({models[row].facts.part for row in rows} - left) if target.side != unit.side else 0
    return found
