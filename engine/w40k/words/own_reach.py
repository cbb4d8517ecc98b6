"""The words of conditions about what the part of a unit that bears a rule reaches.

Each word reads the battle and changes nothing.
"""

from __future__ import annotations

import numpy as np

from engine.core.state import Model, Unit
from engine.records.context import Context
from engine.records.language import word
from engine.w40k.attack.outcome import Outcome
from engine.w40k.battle import Battle
from geometry.measure.distance import distances
from geometry.measure.distance import within as within_inches


@word(looks_up=("bearer", "own_part"))
def engages_own(battle: Battle, unit: Unit, context: Context) -> bool:
    """Return whether a unit engages the part that bears the rule. Rule: CORE.ER.1"""
    bearer, part = context["bearer"], context["own_part"]
    if not battle.field.engaged(unit, bearer):
        return False
    near = np.asarray(battle.field.engaged_models(bearer, unit).any(axis=1)).tolist()
    models = battle.state.position.alive(bearer)
    return any(is_near and model.facts.part == part for model, is_near in zip(models, near, strict=True))


@word(looks_up=("bearer", "own_part", "hero"))
def within_own(battle: Battle, thing: Unit | Model | None, inches: float, context: Context) -> bool:
    """Return whether a unit or model is within this distance of the part that bears the rule.

    A model that was destroyed is measured from where it fell, if its unit was on the battlefield.
    """
    own = _own(battle, context)
    unit = battle.state.position.units[thing.unit] if isinstance(thing, Model) else thing
    if unit is None or unit.where != "table" or not own:
        return False
    rows = (thing.row,) if isinstance(thing, Model) else unit.rows
    bodies = battle.field.bodies
    return bool(rows) and bool(within_inches(distances(bodies(own), bodies(rows)), inches).any())


@word(looks_up=("bearer", "own_part", "hero"))
def sees_own(battle: Battle, unit: Unit, context: Context) -> bool:
    """Return whether the part that bears the rule sees a unit. Rule: CORE.LOS.1"""
    bearer, own = context["bearer"], _own(battle, context)
    if not own or unit.where != "table" or not unit.rows:
        return False
    seen = np.asarray(battle.field.visible(bearer, unit).any(axis=1)).tolist()
    return any(is_seen and row in own for row, is_seen in zip(bearer.rows, seen, strict=True))


def _own(battle: Battle, context: Context) -> tuple[int, ...]:
    """Return the rows of the living models on the battlefield that bear the rule."""
    bearer, part, hero = context["bearer"], context["own_part"], context["hero"]
    if bearer is None or bearer.where != "table":
        return ()
    models = [hero] if isinstance(hero, Model) else battle.state.position.alive(bearer)
    return tuple(model.row for model in models if part in (None, model.facts.part) or model is hero)


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
