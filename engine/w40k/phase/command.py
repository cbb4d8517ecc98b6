"""The Command phase of both sides: recovering from and testing for Battle-shock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core import event as ev
from engine.core.facts import HORDE
from engine.core.request import Steps
from engine.core.state import Unit
from engine.w40k.activation.stratagem import offer
from engine.w40k.activation.throw import Throw, offer_own

if TYPE_CHECKING:
    from engine.w40k.battle import Battle


def recover(battle: Battle) -> Steps[bool]:
    """End the Battle-shock of the side whose turn it is, in reserves too.

    Then Stratagems may be used. Rule: CORE.BS.3, CORE.TURN.2, R.G03.
    """
    for unit in list(battle.state.position.units.values()):
        if unit.side == battle.state.turn and "battle-shocked" in unit.marks and unit.rows:
            yield from battle.happen(ev.Recovered(unit=unit.id), "CORE.BS.3")
    yield from offer(battle, "command")
    return False


def battle_shock(battle: Battle) -> Steps[bool]:
    """Test every unit of the side that is Below Half-strength, once.

    A rule may have others test, too, of either side. Ruling `horde.battle_shock`: "no" spares the Horde
    these tests.
    Rule: CORE.BS.1, CORE.BS.4, R.A80, MISERY.23
    """
    spared = HORDE if battle.ruling("horde.battle_shock") == "no" else ""
    for unit in battle.state.position.on_table():
        if unit.side == spared or unit.where != "table":
            continue
        must = unit.side == battle.state.turn and is_below_half(battle, unit)
        if must or battle.query.may("battle-shock-everyone", unit=unit):
            yield from take_test(battle, unit)
    return False


def take_test(battle: Battle, unit: Unit, cause: str = "CORE.BS.1", modifier: int = 0) -> Steps[bool]:
    """Take a Battle-shock test with a modifier; return whether it is passed.

    Rule: CORE.BS.1, CORE.STR.4.
    """
    fails = battle.query.may("battle-shock-auto-fail", unit=unit)
    if not fails:
        yield from offer(battle, "battle-shock-test", unit)
        if battle.query.may("battle-shock-auto-pass", unit=unit):
            return True
    need = leadership(battle, unit)
    count = int(battle.query.number("unit.battle-shock-dice", 2, unit=unit).value)
    change = battle.query.number("unit.battle-shock-modifier", modifier, unit=unit)
    passed = False
    if not fails:
        trail = change.trail if change.trail.steps or modifier else None
        dice = battle.roll("battle-shock", count, unit=unit.id, need=need, cause=cause, trail=trail)
        throw = _throw("battle-shock", unit, dice, need - int(change.value))
        again = battle.query.may("reroll-battle-shock", unit=unit)
        passed = yield from _is_passed(battle, throw, again, cause)
    if not passed and "battle-shocked" not in unit.marks:
        yield from battle.happen(ev.Shocked(unit=unit.id), cause)
    if not passed:
        yield from battle.fire("shock-failed", None, unit=unit)
    return passed


def take_leadership_test(battle: Battle, unit: Unit, cause: str) -> Steps[bool]:
    """Return whether a Leadership test is passed, from which nothing follows by itself."""
    need = leadership(battle, unit)
    dice = battle.roll("leadership", 2, unit=unit.id, need=need, cause=cause)
    again = battle.query.may("reroll-leadership", unit=unit)
    return (yield from _is_passed(battle, _throw("leadership", unit, dice, need), again, cause))


def _throw(kind: str, unit: Unit, dice: tuple[int, ...], need: int) -> Throw:
    """Return a test's dice as a roll that could be better while it is below its need."""
    return Throw(kind, unit, list(dice), lambda total: total < need, size=len(dice), need=need)


def _is_passed(battle: Battle, throw: Throw, again: bool, cause: str) -> Steps[bool]:
    """Return whether a test is passed, at once or once a rule lets it be taken again.

    Rule: CORE.DICE.1
    """
    yield from offer_own(battle, throw, again, f"pass its {throw.roll.capitalize()} test", cause)
    return throw.totals()[0] >= throw.need


def leadership(battle: Battle, unit: Unit) -> int:
    """Return the best Leadership among the unit's models."""
    printed = min(
        (m.facts.characteristics.get("Ld", 7) for m in battle.state.position.alive(unit)), default=7
    )
    return int(battle.query.number("unit.leadership", printed, unit=unit).value)


def is_below_start(battle: Battle, unit: Unit) -> bool:
    """Return whether the unit is below its Starting Strength; one of one model has lost a wound.

    Rule: CORE.BS.2
    """
    starting = sum(part.starting_models for part in unit.parts)
    if starting > 1:
        return len(unit.rows) < starting
    models = battle.state.position.alive(unit)
    return bool(models) and models[0].wounds < models[0].facts.characteristics.get("W", 1)


def is_below_half(battle: Battle, unit: Unit) -> bool:
    """Return whether the unit is Below Half-strength. Rule: CORE.BS.2."""
    starting = sum(part.starting_models for part in unit.parts)
    if starting > 1:
        return 2 * len(unit.rows) < starting
    models = battle.state.position.alive(unit)
    return bool(models) and 2 * models[0].wounds < models[0].facts.characteristics.get("W", 1)
