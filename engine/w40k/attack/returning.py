"""Models that come back to their unit: one by one where they fit, or to full strength."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core import event as ev
from engine.core.facts import HORDE
from engine.core.request import RETURN, Choose, Chosen, Option, Place, Places, Steps
from engine.core.state import Model, Unit
from engine.w40k.attack.damage import heal, heal_model, is_character
from engine.w40k.boarding import takes

if TYPE_CHECKING:
    from engine.w40k.battle import Battle


STOOD_UP = "stood-up"
"""The mark of a unit that lists its models which have stood up again, by their rows."""


def restore(battle: Battle, unit: Unit, cause: str, leaders: bool = False) -> Steps[None]:
    """Return a unit to its Starting Strength with all its wounds.

    Its lost leaders come back too where `leaders` says it. Rule: MISERY.8, R.A85.
    """
    heal(battle, unit, sum(whole(battle.state.position.models[row]) for row in unit.rows), cause)
    for model in lost(battle, unit, leaders):
        yield from bring_back(battle, unit, model, whole(model), cause)


def mend(battle: Battle, unit: Unit, wounds: int, cause: str) -> Steps[None]:
    """Heal a unit wound by wound.

    When all its models are whole, a wound brings a lost model back with one wound. Rule: BUY.field-hospital.
    """
    for _ in range(wounds):
        hurt = [m for m in battle.state.position.alive(unit) if m.wounds < whole(m)]
        if hurt:
            heal_model(battle, unit, (yield from _one_of(unit, hurt, cause)), 1, cause)
            continue
        gone = lost(battle, unit, leaders=False)
        if not gone or not (yield from bring_back(battle, unit, gone[0], 1, cause)):
            return


def _one_of(unit: Unit, hurt: list[Model], cause: str) -> Steps[Model]:
    """Return the wounded model that heals: a player's pick, of the Horde's the first."""
    if len(hurt) == 1 or unit.side == HORDE:
        return hurt[0]
    answer = yield Choose(
        seats=(unit.player,),
        rule=cause,
        decision="heal",
        prompt=f"Which model of {unit.name} regains a wound?",
        unit=unit.id,
        options=tuple(Option(id=str(m.row), label=m.facts.name) for m in hurt),
    )
    assert isinstance(answer, Chosen)
    return next(m for m in hurt if str(m.row) == answer.ids[0])


def _rejoin(battle: Battle, unit: Unit, model: Model, wounds: int, cause: str) -> Steps[bool]:
    """Return a model to a unit in reserves, or aboard if the transport has room for it."""
    position = battle.state.position
    if unit.where == "embarked" and not takes(position, position.units[unit.transport], model):
        return False
    pose = (0.0, 0.0, 0.0, 0.0)
    yield from battle.happen(ev.Returned(unit=unit.id, model=model.row, wounds=wounds, pose=pose), cause)
    return True


def whole(model: Model) -> int:
    """Return a model's Wounds characteristic."""
    return model.facts.characteristics.get("W", 1)


def lost(battle: Battle, unit: Unit, leaders: bool) -> list[Model]:
    """Return the unit's destroyed models.

    Without `leaders` these hold no leader of an Attached unit and no model of a lost part. A leader that
    stands again as a unit of its own is never among them.
    """
    found = []
    for facts in unit.facts.models:
        model = battle.state.position.models[facts.row]
        if model.alive or (facts.part in unit.parts_lost and not leaders):
            continue
        if facts.part in unit.parts_lost and str(facts.row) in unit.marks.names(STOOD_UP):
            continue
        if len(unit.facts.parts) > 1 and is_character(unit, model) and not leaders:
            continue
        found.append(model)
    return found


def bring_back(battle: Battle, unit: Unit, model: Model, wounds: int, cause: str) -> Steps[bool]:
    """Bring a destroyed model back to its unit; return whether it finds a place.

    Its player sets it up, in coherency and engaging no enemy anew.
    Rule: MISERY.8, BUY.field-hospital, CORE.RES.8
    """
    if unit.where != "table":
        return (yield from _rejoin(battle, unit, model, wounds, cause))
    answer = yield Place(
        seats=(unit.player,),
        rule=cause,
        decision=RETURN,
        prompt=f"Where does a model return to {unit.name}?",
        unit=unit.id,
        kind=RETURN,
        rows=(model.row,),
        areas=(),
        clear=battle.ruleset.parameters.engagement,
        partly=True,
    )
    assert isinstance(answer, Places)
    if not answer.poses:
        return False
    event = ev.Returned(unit=unit.id, model=model.row, wounds=wounds, pose=answer.poses[model.row])
    yield from battle.happen(event, cause)
    return True
