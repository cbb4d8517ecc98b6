"""Models that have lost their last wound and stay in play for one more attack.

Which models may do so is a question to the rules in force.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.state import Model, Unit
from engine.records.question import Number
from engine.w40k.activation.unit_choice import mark

if TYPE_CHECKING:
    from engine.w40k.battle import Battle

STRIKER = "striker"
"""The mark of the battle, while its attacks last, that names a unit whose victims may strike back."""
FALLEN = "fallen:"
"""How the marks of a unit begin that tell of a model, by its row, that is to be removed.

By whom it was destroyed follows, to whose credit, why, and which number lets it attack once more.
"""
ATTACK, SHOOT = "model.last-attack", "model.last-shots"
LAST = (ATTACK, SHOOT)
"""The numbers that say on which roll a model attacks once more, as its destroyers did, or shoots."""


def may_be_kept(battle: Battle, unit: Unit) -> bool:
    """Return whether models of the unit may stay in play for now that attacks destroy."""
    if battle.query.may("fight-on-death", unit=unit):
        return True
    models = battle.state.position.alive(unit)
    return any(_last(battle, unit, model, number).value <= 6 for number in LAST for model in models)


def is_kept(battle: Battle, unit: Unit, model: Model, by: str, credit: str, cause: str) -> bool:
    """Return whether a model that has lost its last wound stays in play for now.

    It does to attack once more. It rolls for that where a rule gives the roll, if the unit that attacks
    destroys it. Rule: MISERY.30
    """
    if STRIKER not in battle.state.marks:
        return False
    how = ATTACK if battle.query.may("fight-on-death", unit=unit, model=model) else ""
    if not how and by == battle.state.marks.get(STRIKER):
        how = next((each for each in LAST if _rolls(battle, unit, model, each)), "")
    if how:
        mark(battle, unit, f"{FALLEN}{model.row}", (by, credit, cause, how), "phase", cause)
    return bool(how)


def _rolls(battle: Battle, unit: Unit, model: Model, number: str) -> bool:
    """Return whether a model rolls as high as a number asks; without a number nobody rolls."""
    found = _last(battle, unit, model, number)
    need = int(found.value)
    if need > 6:
        return False
    return battle.roll("last-attack", unit=unit.id, need=need, cause=found.source)[0] >= need


def _last(battle: Battle, unit: Unit, model: Model, number: str) -> Number:
    """Return the roll on which a destroyed model attacks or shoots once more, 7 where none does."""
    return battle.query.number(number, 7, unit=unit, model=model)


def stands(battle: Battle, unit: Unit) -> bool:
    """Return whether a model of the unit on the battlefield has wounds left."""
    return unit.where == "table" and any(model.alive for model in battle.state.position.alive(unit))
