"""The words of conditions about what the part of a unit that bears a rule reaches.

Each word reads the battle and changes nothing.
"""

from __future__ import annotations

from typing import overload

import numpy as np

from engine.core.state import Model, Objective, Unit
from engine.records.context import Context
from engine.records.language import word
from engine.w40k.attack.outcome import Outcome, own_rows
from engine.w40k.battle import Battle
from engine.w40k.bearers import bearers
from engine.w40k.words.units import is_a
from geometry.measure.distance import distances
from geometry.measure.distance import within as within_inches
from geometry.shape.base import Bools, Floats

BEARING = ("bearer", "own_part", "this", "hero")


@word(looks_up=BEARING)
def engages_own(battle: Battle, unit: Unit, context: Context) -> bool:
    """Return whether a unit engages a model that bears the rule. Rule: CORE.ER.1"""
    bearer = context["bearer"]
    if not battle.field.engaged(unit, bearer):
        return False
    return bool(
        _own(battle, context, np.logical_or.reduce(battle.field.engaged_models(bearer, unit), axis=1)).any()
    )


@word(looks_up=BEARING)
def near_own(battle: Battle, thing: Unit | Model | None, inches: float, context: Context) -> bool:
    """Return whether a unit or model is within a distance of a model that bears the rule.

    A model that was destroyed is measured from where it fell, if its unit is on the battlefield.
    """
    bearer = context["bearer"]
    unit = battle.state.position.units[thing.unit] if isinstance(thing, Model) else thing
    if unit is None or unit.where != "table" or bearer is None or bearer.where != "table":
        return False
    if isinstance(thing, Model):
        bodies = battle.field.bodies
        gaps = distances(bodies(bearer.rows), bodies((thing.row,)))
    else:
        gaps = battle.field.gaps(bearer, unit)
    apart = _own(battle, context, gaps.min(axis=1, initial=np.inf))
    return bool(within_inches(float(apart.min(initial=np.inf)), inches))


@word(looks_up=BEARING)
def seen_by_own(battle: Battle, unit: Unit, context: Context) -> bool:
    """Return whether a model that bears the rule sees any model of a unit. Rule: CORE.LOS.1"""
    bearer = context["bearer"]
    if unit.where != "table" or bearer.where != "table":
        return False
    return bool(_own(battle, context, np.logical_or.reduce(battle.field.visible(bearer, unit), axis=1)).any())


@word(clause="DATASHEET.unbreakable-duty", looks_up=BEARING)
def own_in_range(battle: Battle, objective: Objective, context: Context) -> bool:
    """Return whether a model that bears the rule is within range of a marker. Rule: CORE.OBJ.1"""
    return bool(_own(battle, context, battle.field.in_range_of(context["bearer"], objective)).any())


@word(clause="DATASHEET.unbreakable-duty", looks_up=BEARING)
def own_from_centre(battle: Battle, context: Context) -> float:
    """Return how far the closest model that bears the rule is from the battlefield's centre."""
    apart = battle.field.gap_to_disc(context["bearer"], battle.state.position.board.centre, 0.0)
    return float(_own(battle, context, apart).min(initial=np.inf))


@overload
def _own(battle: Battle, context: Context, each: Bools) -> Bools: ...
@overload
def _own(battle: Battle, context: Context, each: Floats) -> Floats: ...
def _own(battle: Battle, context: Context, each: Bools | Floats) -> Bools | Floats:
    """Return the values of those models of the bearer's unit that bear the rule."""
    own = bearers(battle, context)
    return each if own is None else each[own]


@word(looks_up=("attacks",))
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
