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
"""The mark of the battle that names a unit whose victims may strike back.

It is there while the unit's attacks last.
"""
FALLEN = "fallen:"
"""How the marks of a unit begin that tell of a model, by its row, that is to be removed.

By whom it was destroyed follows, to whose credit, why, and how it attacks once more.
"""
ATTACK, SHOOT = "attack", "shoot"
"""How a model attacks once more: as those do that destroyed it, or with shots."""


def may_be_kept(battle: Battle, unit: Unit) -> bool:
    """Return whether models of the unit may stay in play for now that attacks destroy."""
    if battle.query.may("fight-on-death", unit=unit):
        return True
    models = battle.state.position.alive(unit)
    return any(need.value <= 6 for model in models for need in _needs(battle, unit, model).values())


def is_kept(battle: Battle, unit: Unit, model: Model, by: str, credit: str, cause: str) -> bool:
    """Return whether a model that has lost its last wound stays in play for now.

    It does to attack once more. It rolls for that where a rule gives the roll, if the unit that attacks
    destroys it. Rule: MISERY.30
    """
    if STRIKER not in battle.state.marks:
        return False
    how = ATTACK if battle.query.may("fight-on-death", unit=unit, model=model) else ""
    if not how and by == battle.state.marks.get(STRIKER):
        needs = _needs(battle, unit, model)
        how = next((each for each, need in needs.items() if _rolls(battle, unit, need)), "")
    if how:
        mark(battle, unit, f"{FALLEN}{model.row}", (by, credit, cause, how), "phase", cause)
    return bool(how)


def _rolls(battle: Battle, unit: Unit, found: Number) -> bool:
    """Return whether a model rolls as high as a number asks; nobody rolls above a six."""
    need = int(found.value)
    if need > 6:
        return False
    return battle.roll("last-attack", unit=unit.id, need=need, cause=found.source)[0] >= need


def _needs(battle: Battle, unit: Unit, model: Model) -> dict[str, Number]:
    """Return the rolls on which a model attacks or shoots once more, 7 where it does not."""
    asked = battle.query.about(unit=unit, model=model)
    return {ATTACK: asked.number("model.last-attack", 7), SHOOT: asked.number("model.last-shots", 7)}


def stands(battle: Battle, unit: Unit) -> bool:
    """Return whether a model of the unit on the battlefield has wounds left."""
    return unit.where == "table" and any(model.alive for model in battle.state.position.alive(unit))
