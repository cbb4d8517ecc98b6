"""The words of conditions about what bears an ability: its part, wargear and strength.

Each word reads the battle and changes nothing.
"""

from __future__ import annotations

import numpy as np

from engine.core.marks import carries as has_item
from engine.core.state import Model, Unit
from engine.records.context import Context
from engine.records.language import word
from engine.w40k.activation.transport import LEFT
from engine.w40k.attack.outcome import is_named
from engine.w40k.battle import Battle
from engine.w40k.boarding import passengers
from engine.w40k.phase import command
from engine.w40k.words.units import is_a


@word()
def is_led(battle: Battle, unit: Unit | None) -> bool:
    """Return whether a leader is attached to a unit: both parts live. Rule: CORE.ABL.LEADER"""
    return unit is not None and unit.is_attached


@word(looks_up=("bearer", "own_part"), of_sheet=True)
def is_own(battle: Battle, model: Model | None, context: Context) -> bool:
    """Return whether a model is of the part of a unit that bears the rule, such as its leader."""
    bearer = context["bearer"]
    return model is not None and model.unit == bearer.id and model.facts.part == context["own_part"]


@word()
def melee_arms(battle: Battle, model: Model | None, *but: str) -> int:
    """Return how many melee weapons a model has, but for those of some names."""
    if model is None:
        return 0
    unit = battle.state.position.units[model.unit]
    found: dict[str, int] = {}
    for place in dict.fromkeys(model.facts.weapons):
        weapon = unit.weapon(place)
        if weapon.is_melee and not is_named(weapon.name, but):
            # The profiles of a weapon that has several are one weapon.
            name = weapon.name.partition(" - ")[0]
            found[name] = max(found.get(name, 0), model.facts.weapons.count(place))
    return sum(found.values())


@word(clause="DATASHEET.death-totem")
def carries(battle: Battle, model: Model | None, item: str) -> bool:
    """Return whether a model has an item of wargear, a weapon or another."""
    return model is not None and has_item(battle.state.position.units[model.unit], model, (item,))


@word()
def models(battle: Battle, unit: Unit, keyword: str = "") -> int:
    """Return how many living models a unit has, or how many of a keyword or datasheet."""
    alive = battle.state.position.alive(unit)
    return sum(1 for model in alive if not keyword or is_a(battle, model, keyword))


@word()
def wounds(battle: Battle, thing: Unit | Model | None) -> int:
    """Return how many wounds a model has left, or all models of a unit together."""
    if isinstance(thing, Unit):
        return sum(model.wounds for model in battle.state.position.alive(thing))
    return 0 if thing is None else thing.wounds


@word()
def has_ability(battle: Battle, unit: Unit, ability: str) -> bool:
    """Return whether a unit has a core ability, printed or granted."""
    return bool(battle.query.has_ability(unit, ability))


@word()
def disembarked_from(battle: Battle, unit: Unit, transport: Unit) -> bool:
    """Return whether a unit has disembarked this turn from a transport that was not destroyed."""
    return unit.marks.get(LEFT, "") == transport.id


@word(clause="DATASHEET.deployment-complete")
def is_empty(battle: Battle, transport: Unit) -> bool:
    """Return whether nothing rides in a transport. Rule: CORE.TRN.6"""
    return not passengers(battle.state.position, transport.id)


@word()
def below_start(battle: Battle, unit: Unit) -> bool:
    """Return whether a unit is below its Starting Strength; one model has lost a wound then.

    A unit of one model has lost a wound then. Rule: CORE.BS.2
    """
    return command.is_below_start(battle, unit)


@word()
def below_half(battle: Battle, unit: Unit) -> bool:
    """Return whether a unit is Below Half-strength. Rule: CORE.BS.2"""
    return command.is_below_half(battle, unit)


@word()
def is_called(battle: Battle, model: Model | None, *names: str) -> bool:
    """Return whether a model has one of these names on its datasheet ("Ancient")."""
    return model is not None and model.facts.name in names


@word()
def contains(battle: Battle, unit: Unit, *names: str) -> bool:
    """Return whether a living model of a unit has one of these names on its datasheet."""
    return any(model.facts.name in names for model in battle.state.position.alive(unit))


@word(clause="DATASHEET.hammer-of-wrath")
def engaging(battle: Battle, unit: Unit, other: Unit) -> int:
    """Return how many models of a unit are within engagement range of another.

    Rule: CORE.ER.1
    """
    if not unit.rows or not other.rows or "table" not in (unit.where, other.where):
        return 0
    near = np.asarray(battle.field.engaged_models(unit, other).any(axis=1)).tolist()
    return int(near.count(True))


@word(clause="DATASHEET.watcher-in-the-dark")
def began_equipped(battle: Battle, unit: Unit, item: str) -> bool:
    """Return whether any model of a unit, living or lost, has an item, a weapon or another."""
    return any(
        has_item(unit, model, (item,)) for model in battle.state.position.models if model.unit == unit.id
    )


@word(clause="DATASHEET.reposition-under-covering-fire")
def equipped(battle: Battle, unit: Unit, item: str) -> bool:
    """Return whether a living model of a unit has an item of wargear, a weapon or another."""
    return any(has_item(unit, model, (item,)) for model in battle.state.position.alive(unit))
