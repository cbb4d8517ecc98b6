"""Hazardous weapons: the tests after a unit's attacks, and which model suffers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.request import Option, Order, Ordered, Steps
from engine.core.state import Model, Unit
from engine.w40k.activation.throw import Throw, offer_again
from engine.w40k.activation.unit_choice import mark
from engine.w40k.attack.damage import is_character, lose_wounds
from engine.w40k.attack.volley import Volley

if TYPE_CHECKING:
    from engine.w40k.battle import Battle

WAITING = "hazards"
"""The mark of a unit that fired at a charging one: its failed tests, and those rows."""
HARM = 3
"""The mortal wounds of a failed test."""


def suffer_hazards(battle: Battle, attacker: Unit, volleys: list[Volley]) -> Steps[None]:
    """Roll one D6 a Hazardous weapon that was used: a bearer suffers on a 1, without spill.

    In the Charge phase of the other side they suffer once the charging unit has ended its move.
    Rule: CORE.WPN.HAZ, CORE.ATK.6, CORE.STR.1.
    """
    used = [row for volley in volleys if volley.has("hazardous") for row in volley.models]
    used = [row for row in used if not _passes(battle, attacker, row)]
    if not used:
        return
    rolled = battle.roll("hazardous", len(used), unit=attacker.id, need=2, cause="CORE.WPN.HAZ")
    throw = Throw("hazardous", attacker, list(rolled), lambda die: die == 1, need=2)
    dice = yield from offer_again(battle, throw)
    failed, rows = sum(die == 1 for die in dice), sorted(set(used))
    if failed and battle.state.phase == "charge" and battle.state.turn != attacker.side:
        waiting = tuple(map(str, (failed, *rows)))
        mark(battle, attacker, WAITING, waiting, "phase", "CORE.WPN.HAZ")
        return
    yield from _suffer(battle, attacker, failed, rows)


def _passes(battle: Battle, attacker: Unit, row: int) -> bool:
    """Return whether a rule has a model pass its Hazardous tests without a roll."""
    return battle.query.may("pass-hazardous", unit=attacker, model=battle.state.position.models[row])


def suffer_after_charge(battle: Battle) -> Steps[None]:
    """Let units suffer for tests that they failed as they fired at a unit that charged.

    Rule: CORE.WPN.HAZ
    """
    for unit in battle.state.position.on_table():
        if WAITING in unit.marks:
            failed, *rows = map(int, unit.marks.names(WAITING))
            mark(battle, unit, WAITING, None, "phase", "CORE.WPN.HAZ")
            yield from _suffer(battle, unit, failed, rows)


def _suffer(battle: Battle, attacker: Unit, failed: int, rows: list[int]) -> Steps[None]:
    """Let a bearer suffer for each failed test; `rows` are the models that fired such weapons."""
    for _ in range(failed):
        model = yield from _sufferer(battle, attacker, rows)
        if model is None:
            return
        for _ in range(HARM):
            if model.alive:
                yield from lose_wounds(
                    battle, attacker, model, 1, by="", credit="", cause="CORE.WPN.HAZ", mortal=True
                )


def _sufferer(battle: Battle, attacker: Unit, used: list[int]) -> Steps[Model | None]:
    """Return the model that suffers.

    That is a wounded bearer, else one that is no CHARACTER, else a CHARACTER. Among equals their owner picks.
    Rule: CORE.WPN.HAZ.
    """
    bearers = [m for m in battle.state.position.alive(attacker) if m.row in used or _carries(attacker, m)]
    if not bearers:
        return None
    ranks = {m.row: _rank(attacker, m) for m in bearers}
    first = min(ranks.values())
    equals = [m for m in bearers if ranks[m.row] == first]
    if len(equals) == 1:
        return equals[0]
    answer = yield Order(
        seats=(attacker.player,),
        rule="CORE.WPN.HAZ",
        decision="allocation",
        prompt=f"Which model of {attacker.name} does its weapon hurt?",
        unit=attacker.id,
        items=tuple(Option(id=str(m.row), label=m.facts.name) for m in equals),
    )
    assert isinstance(answer, Ordered)
    return battle.state.position.models[int(answer.ids[0])]


def _carries(attacker: Unit, model: Model) -> bool:
    return any("hazardous" in attacker.weapon(place).keywords for place in model.facts.weapons)


def _rank(attacker: Unit, model: Model) -> tuple[bool, bool]:
    whole = model.wounds >= model.facts.characteristics.get("W", 1)
    return whole, is_character(attacker, model)
