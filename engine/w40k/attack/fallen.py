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
"""How the marks of a unit begin that tell of a model, by its row, that is to be removed: by whom, and why."""


def may_be_kept(battle: Battle, unit: Unit) -> bool:
    """Return whether models of the unit may stay in play for now that attacks destroy."""
    if battle.query.may("fight-on-death", unit=unit):
        return True
    return any(_last_attack(battle, unit, model).value <= 6 for model in battle.state.position.alive(unit))


def is_kept(battle: Battle, unit: Unit, model: Model, by: str, credit: str, cause: str) -> bool:
    """Return whether a model that has lost its last wound stays in play for now.

    It does to attack once more. It rolls for that where a rule gives the roll, if the unit that attacks
    destroys it. Rule: MISERY.30
    """
    if STRIKER not in battle.state.marks:
        return False
    if not battle.query.may("fight-on-death", unit=unit, model=model):
        number = _last_attack(battle, unit, model)
        need = int(number.value)
        if need > 6 or by != battle.state.marks.get(STRIKER):
            return False
        if battle.roll("last-attack", unit=unit.id, need=need, cause=number.source)[0] < need:
            return False
    mark(battle, unit, f"{FALLEN}{model.row}", (by, credit, cause), "phase", cause)
    return True


def _last_attack(battle: Battle, unit: Unit, model: Model) -> Number:
    """Return the roll on which a destroyed model attacks once more, 7 where none does."""
    return battle.query.number("model.last-attack", 7, unit=unit, model=model)


def stands(battle: Battle, unit: Unit) -> bool:
    """Return whether a model of the unit on the battlefield has wounds left."""
    return unit.where == "table" and any(model.alive for model in battle.state.position.alive(unit))
