"""The words of conditions about attacks: with which weapon, whom they hit, what a unit sees.

Each word reads the battle and changes nothing.
"""

from __future__ import annotations

from engine.core.facts import WeaponFacts
from engine.core.state import Unit
from engine.records.context import Context
from engine.records.language import word
from engine.w40k.attack.outcome import Outcome, is_named, own_rows
from engine.w40k.battle import Battle


@word()
def is_weapon(battle: Battle, weapon: WeaponFacts | None, *names: str) -> bool:
    """Return whether a weapon has one of these names, whatever the mode of its profile."""
    return weapon is not None and is_named(weapon.name, names)


@word()
def sees(battle: Battle, unit: Unit, other: Unit) -> bool:
    """Return whether any model of a unit sees any model of another. Rule: CORE.VIS.1"""
    if unit.where != "table" or other.where != "table":
        return False
    return bool(battle.field.visible(unit, other).any())


@word(looks_up=("attacks",))
def was_hit(battle: Battle, unit: Unit, context: Context) -> bool:
    """Return whether an attack that was just made hit a unit."""
    made = context["attacks"]
    return isinstance(made, Outcome) and made.hits(unit) > 0


@word(looks_up=("attacks", "bearer", "own_part"))
def was_hit_by_own(battle: Battle, unit: Unit, *names: str | Context) -> bool:
    """Return whether an attack of the part that bears the rule hit a unit, with one of these weapons.

    With any weapon where none is named.
    """
    *weapons, context = names
    assert isinstance(context, Context)
    made, rows = context["attacks"], own_rows(battle, context["bearer"], context["own_part"])
    return isinstance(made, Outcome) and made.hits(unit, tuple(map(str, weapons)), rows) > 0


@word(looks_up=("attacks",))
def allocated(battle: Battle, unit: Unit, context: Context) -> int:
    """Return how many of the attacks that were just made were allocated to models of a unit."""
    made = context["attacks"]
    return made.allocated(unit) if isinstance(made, Outcome) else 0


@word(looks_up=("attacks",))
def models_lost(battle: Battle, unit: Unit, context: Context) -> int:
    """Return how many models a unit lost to the attacks that were just made."""
    made = context["attacks"]
    return len(made.lost.get(unit.id, ())) if isinstance(made, Outcome) else 0


@word(clause="CORE.STR.8")
def overwatch_need(battle: Battle, unit: Unit) -> int:
    """Return the unmodified roll on which a unit hits in Overwatch. Rule: CORE.STR.8"""
    return int(battle.query.number("attack.overwatch-need", 6, unit=unit, attacker=unit).value)
