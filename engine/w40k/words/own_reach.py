"""The words of conditions about what the part of a unit that bears a rule reaches.

Each word reads the battle and changes nothing.
"""

from __future__ import annotations

import numpy as np

from engine.core.state import Unit
from engine.records.context import Context
from engine.records.language import word
from engine.w40k.attack.outcome import Outcome, own_rows
from engine.w40k.battle import Battle
from engine.w40k.words.units import is_a


@word(looks_up=("bearer", "own_part"))
def engages_own(battle: Battle, unit: Unit, context: Context) -> bool:
    """Return whether a unit engages the part that bears the rule. Rule: CORE.ER.1"""
    bearer, part = context["bearer"], context["own_part"]
    if not battle.field.engaged(unit, bearer):
        return False
    near = np.asarray(battle.field.engaged_models(bearer, unit).any(axis=1)).tolist()
    models = battle.state.position.alive(bearer)
    return any(is_near and model.facts.part == part for model, is_near in zip(models, near, strict=True))


@word(clause="DATASHEET.grisly-spectacle", looks_up=("attacks",))
def units_lost(battle: Battle, context: Context) -> int:
    """Return how many units, or parts of Attached units, the attacks destroyed. Rule: R.A77"""
    made, models = context["attacks"], battle.state.position.models
    if not isinstance(made, Outcome):
        return 0
    found = 0
    for name, rows in made.lost.items():
        left = {models[row].facts.part for row in battle.state.position.units[name].rows}
        found += len({models[row].facts.part for row in rows} - left)
    return found


@word(clause="DATASHEET.parasitic-infection", looks_up=("attacks", "bearer", "own_part"))
def slain_with(battle: Battle, keyword: str, weapon: str, context: Context) -> Unit | None:
    """Return the unit that lost a model of a keyword to a weapon of the bearer's own part.

    None where none did.
    """
    made, rows = context["attacks"], own_rows(context["bearer"], context["own_part"])
    if not isinstance(made, Outcome):
        return None
    models = (battle.state.position.models[row] for row in made.felled_with(weapon, rows))
    found = next((model for model in models if is_a(battle, model, keyword)), None)
    return None if found is None else battle.state.position.units[found.unit]
