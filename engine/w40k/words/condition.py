"""The words of conditions about the wounds a model has left: its bracket, and what it costs.

Each word reads the battle and changes nothing. Those that are `of_sheet` change their answer with a model's
wounds: whoever asks once for models that are alike asks for each model with a bracket apart.
"""

from __future__ import annotations

from engine.core.facts import WeaponFacts
from engine.core.state import Model, Unit
from engine.records.language import word
from engine.w40k.battle import Battle


@word(of_sheet=True)
def is_damaged(battle: Battle, thing: Unit | Model | None) -> bool:
    """Return whether a model, or any of a unit, has few enough wounds left for its bracket.

    Rule: CORE.ABL.DAMAGED
    """
    if isinstance(thing, Unit):
        return any(_is_damaged(each) for each in battle.state.position.alive(thing))
    return thing is not None and _is_damaged(thing)


@word(clause="CORE.ABL.DAMAGED", of_sheet=True)
def hit_lost(battle: Battle, model: Model | None) -> int:
    """Return what a model's bracket takes from its hit rolls now. Rule: CORE.ABL.DAMAGED"""
    return model.facts.damaged_hit if model is not None and _is_damaged(model) else 0


@word(clause="CORE.ABL.DAMAGED", of_sheet=True)
def control_lost(battle: Battle, model: Model | None) -> int:
    """Return what a model's bracket takes from its Objective Control now. Rule: CORE.ABL.DAMAGED"""
    return model.facts.damaged_oc if model is not None and _is_damaged(model) else 0


@word()
def printed_attacks(battle: Battle, weapon: WeaponFacts | None) -> int:
    """Return the Attacks that a weapon is printed with; 0 where they are rolled."""
    return int(weapon.attacks) if weapon is not None and weapon.attacks.isdigit() else 0


def _is_damaged(model: Model) -> bool:
    return 0 < model.wounds <= model.facts.damaged
