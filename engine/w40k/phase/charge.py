"""The Charge phase: declare targets, roll, move into engagement range."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from engine.core.request import Choose, Chosen, Move, Steps
from engine.core.state import Unit
from engine.w40k.activation.throw import Throw, offer_again, offer_own
from engine.w40k.activation.transport import BEFORE, DISEMBARKED
from engine.w40k.activation.unit_choice import decide, mark, next_unit, options, waiting
from engine.w40k.activation.walk import ask, carry_out
from engine.w40k.attack.hazard import suffer_after_charge
from geometry.measure.distance import within
from geometry.tolerance import TOLERANCE

if TYPE_CHECKING:
    from engine.w40k.battle import Battle


def charge(battle: Battle) -> Steps[bool]:
    """Charge with one unit."""
    units = [u for u in waiting(battle, battle.state.turn, "charge") if targets(battle, u)]
    if not units:
        return False
    unit = yield from next_unit(battle, units, "CORE.CHG.1", "charge")
    if unit is None:
        return False
    yield from charge_with(battle, unit)
    return True


def targets(battle: Battle, unit: Unit) -> list[Unit]:
    """Return the enemies at which the unit may declare a charge.

    Rule: CORE.CHG.1, CORE.CHG.2, CORE.CHG.5.
    """
    if not _eligible(battle, unit):
        return []
    flies = battle.field.has(unit, "FLY")
    return [
        enemy
        for enemy in battle.field.enemies(unit)
        if (flies or not enemy.has("AIRCRAFT"))
        and within(battle.field.gap(unit, enemy), battle.ruleset.parameters.charge_range)
    ]


def _eligible(battle: Battle, unit: Unit) -> bool:
    """Return whether the unit may declare a charge at all.

    Rule: CORE.CHG.1, CORE.ACT.2, CORE.TRN.3, R.A56
    """
    after = unit.marks.get(DISEMBARKED, BEFORE) != BEFORE
    if after and not battle.query.may("charge-after-disembark", unit=unit):
        return False
    if "action" in unit.marks or unit.has("AIRCRAFT") or battle.field.engaged_with(unit):
        return False
    if not battle.query.may("declare-charge", unit=unit):
        return False
    if "advanced" in unit.marks and not battle.query.may("charge-after-advance", unit=unit):
        return False
    return "fell-back" not in unit.marks or battle.query.may("charge-after-fall-back", unit=unit)


def charge_with(battle: Battle, unit: Unit) -> Steps[None]:
    """Declare, roll and move. Rule: CORE.CHG.2 to CORE.CHG.4, CORE.CHG.6."""
    chosen = yield from _declare(battle, unit)
    if chosen:
        yield from _charge_at(battle, unit, chosen)


def _declare(battle: Battle, unit: Unit) -> Steps[tuple[str, ...]]:
    """Return the targets that a unit declares, anew where one of them leaves the battlefield.

    Rule: CORE.CHG.2
    """
    while possible := targets(battle, unit):
        answer = yield target_choice(unit, possible)
        assert isinstance(answer, Chosen)
        if not answer.ids:
            break
        decide(battle, unit, "charge", *answer.ids, cause="CORE.CHG.2")
        yield from battle.fire("charge-declared", None, unit=unit, targets=answer.ids)
        if all(battle.state.position.units[name].where == "table" for name in answer.ids):
            return answer.ids
    decide(battle, unit, "charge", "no-charge", cause="CORE.CHG.2")
    return ()


def target_choice(unit: Unit, possible: list[Unit]) -> Choose:
    """Return the question which of these enemies a unit charges. Rule: CORE.CHG.2"""
    return Choose(
        seats=(unit.player,),
        rule="CORE.CHG.2",
        decision="charge",
        prompt=f"What does {unit.name} charge?",
        unit=unit.id,
        options=options(possible),
        minimum=0,
        maximum=len(possible),
    )


def charge_at(battle: Battle, unit: Unit, chosen: tuple[str, ...]) -> Steps[None]:
    """Charge targets that a rule names. Rule: CORE.STR.11"""
    decide(battle, unit, "charge", *chosen, cause="CORE.CHG.2")
    yield from _charge_at(battle, unit, chosen)


def _charge_at(battle: Battle, unit: Unit, chosen: tuple[str, ...]) -> Steps[None]:
    """Charge the targets that were declared, and suffer for hazards. Rule: CORE.WPN.HAZ."""
    yield from _carry_out(battle, unit, chosen)
    yield from suffer_after_charge(battle)


def _carry_out(battle: Battle, unit: Unit, chosen: tuple[str, ...]) -> Steps[None]:
    """Roll, and move into contact with the targets. Rule: CORE.CHG.2, CORE.CHG.3, CORE.CHG.4."""
    roll = yield from charge_roll(battle, unit, chosen)
    request = Move(
        seats=(unit.player,),
        rule="CORE.CHG.3",
        decision="path",
        prompt=f"{unit.name} charges {roll} inches: where do its models end?",
        unit=unit.id,
        kind="charge",
        limits={row: float(roll) for row in unit.rows},
        targets=chosen,
    )
    moves = yield from ask(battle, request)
    if not unit.rows:
        return
    if not any(moves.paths.values()):
        decide(battle, unit, "charge", "charge-failed", cause="CORE.CHG.2")
        return
    mark(battle, unit, "charged", True, "turn", "CORE.CHG.4")
    yield from carry_out(battle, unit, "charge", moves, "CORE.CHG.3")


def _least_roll(battle: Battle, unit: Unit, chosen: tuple[str, ...]) -> int:
    """Return the inches that a unit has to go at the least to engage each target of its charge."""
    units = battle.state.position.units
    gaps = [battle.field.gap(unit, units[name]) for name in chosen]
    return max(0, ceil(max(gaps, default=0.0) - battle.ruleset.parameters.engagement - TOLERANCE))


def charge_roll(battle: Battle, unit: Unit, chosen: tuple[str, ...] = ()) -> Steps[int]:
    """Return how far the unit charges at these targets. Rule: CORE.CHG.2, CORE.STR.1."""
    change = battle.query.number("roll.charge-modifier", 0, unit=unit, targets=chosen)
    trail = change.trail if change.trail.steps else None
    rolled = battle.roll("charge", 2, unit=unit.id, cause="CORE.CHG.2", trail=trail)
    throw = Throw("charge", unit, list(rolled), lambda total: total < 12, size=2)
    throw.need = _least_roll(battle, unit, chosen) - int(change.value)
    permitted = battle.query.may("reroll-charge", unit=unit, targets=chosen)
    yield from offer_own(battle, throw, permitted, "charge", "CORE.CHG.2")
    dice = yield from offer_again(battle, throw)
    return max(0, sum(dice) + int(change.value))
