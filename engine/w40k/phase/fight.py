"""The Fight phase: the order of fighting, pile in, melee attacks, consolidate."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.core import event as ev
from engine.core.facts import HORDE, PLAYERS
from engine.core.request import Line, Move, Moves, Split, Splits, Steps
from engine.core.state import Unit
from engine.w40k.activation.stratagem import offer
from engine.w40k.activation.unit_choice import mark, next_unit, note
from engine.w40k.activation.walk import carry_out
from engine.w40k.attack.attack_sequence import resolve
from engine.w40k.attack.eligibility import copies
from engine.w40k.ground.aircraft import AIRCRAFT, may_fight
from engine.w40k.phase.last_stand import await_fallen, let_fallen_attack
from engine.w40k.phase.shooting import shoot_with
from geometry.shape.base import Bools

if TYPE_CHECKING:
    from engine.w40k.battle import Battle

CALLED_UP = "called-up"
"""The mark of the battle that names the unit which fights next, out of order."""


def fights_first(battle: Battle) -> Steps[bool]:
    """Fight with one unit that has Fights First. Rule: CORE.FGT.1, CORE.CHG.4."""
    return (yield from _fight_next(battle, first=True))


def remaining_combats(battle: Battle) -> Steps[bool]:
    """Fight with one unit that has not fought yet. Rule: CORE.FGT.1."""
    return (yield from _fight_next(battle, first=False))


def _fight_next(battle: Battle, first: bool) -> Steps[bool]:
    """Fight with the next unit; return whether there was one.

    A unit that is called up goes first. Else the sides pick in turn, beginning with the side whose turn it is
    not. Rule: CORE.FGT.1, CORE.STR.2.
    """
    called = battle.state.position.units.get(str(battle.state.marks.get(CALLED_UP, "")))
    if called is not None:
        note(battle, CALLED_UP, None)
        if _may_fight(battle, called, first=False):
            yield from _fight(battle, called, first)
            return True
    other = PLAYERS if battle.state.turn == HORDE else HORDE
    side = str(battle.state.marks.get("fights-next", other))
    units = _next_to_fight(battle, side, first)
    if units:
        unit = yield from next_unit(battle, units, "CORE.FGT.1", "fight", must_act=lambda unit: True)
        assert unit is not None
        yield from _fight(battle, unit, first)
        return True
    note(battle, "fights-next", None)
    return False


def _next_to_fight(battle: Battle, side: str, first: bool) -> list[Unit]:
    """Return the units of which the next to fight is picked.

    These are this side's, else the other's; units that fight last come after all others.
    Rule: CORE.FGT.1, CORE.FGT.3
    """
    sides = (side, HORDE if side == PLAYERS else PLAYERS)
    of_sides = [
        [u for u in battle.state.position.on_table(one) if _may_fight(battle, u, first)] for one in sides
    ]
    for last in (False, True):
        for able in of_sides:
            units = [u for u in able if fights_last(battle, u) == last]
            if units:
                return units
    return []


def _fight(battle: Battle, unit: Unit, first: bool) -> Steps[None]:
    """Fight with a unit; the other side picks next. Rule: CORE.FGT.1, CORE.STR.2."""
    note(battle, "fights-next", HORDE if unit.side == PLAYERS else PLAYERS, "phase")
    yield from fight_with(battle, unit)
    yield from offer(battle, "fought", unit, first=first)


def _may_fight(battle: Battle, unit: Unit, first: bool) -> bool:
    """Return whether the unit may be picked now. Rule: CORE.FGT.2, CORE.FGT.8, CORE.ABL.FF."""
    if "fought" in unit.marks or not unit.rows:
        return False
    if first and not has_fights_first(battle, unit):
        return False
    return "charged" in unit.marks or bool(opposed(battle, unit))


def opposed(battle: Battle, unit: Unit) -> list[Unit]:
    """Return the enemies within engagement range that the unit may strike. Rule: CORE.AIR.4"""
    return [enemy for enemy in battle.field.engaged_with(unit) if may_fight(battle.field, unit, enemy)]


def has_fights_first(battle: Battle, unit: Unit) -> bool:
    """Return whether the unit fights in the Fights First step.

    A Fights Last effect keeps it from that. Rule: CORE.CHG.4, CORE.STR.11, CORE.FGT.3
    """
    return _strikes_early(battle, unit) and not battle.query.has_ability(unit, "fights last")


def fights_last(battle: Battle, unit: Unit) -> bool:
    """Return whether the unit fights after all others, as no Fights First makes up for it.

    Rule: CORE.FGT.3
    """
    return bool(battle.query.has_ability(unit, "fights last")) and not _strikes_early(battle, unit)


def _strikes_early(battle: Battle, unit: Unit) -> bool:
    """Return whether the unit has Fights First, printed or because it charged."""
    if "charged" in unit.marks and battle.query.may("charge-bonus", unit=unit):
        return True
    return bool(battle.query.has_ability(unit, "fights first"))


def fight_with(battle: Battle, unit: Unit) -> Steps[None]:
    """Pile in, attack and consolidate. Rule: CORE.FGT.2, CORE.STR.3."""
    mark(battle, unit, "fought", True, "phase", "CORE.FGT.2")
    yield from battle.fire("selected-to-fight", None, unit=unit)
    yield from offer(battle, "selected-to-fight", unit)
    yield from shuffle_up(battle, unit, "pile-in", "CORE.FGT.4")
    yield from strike(battle, unit)
    if unit.rows and unit.where == "table":
        yield from shuffle_up(battle, unit, "consolidate", "CORE.FGT.7")


def shuffle_up(battle: Battle, unit: Unit, kind: str, clause: str) -> Steps[None]:
    """Ask for a pile-in or consolidation move of up to 3".

    Rule: CORE.FGT.4, CORE.FGT.7, CORE.AIR.2.
    """
    free = [row for row, held in zip(unit.rows, in_contact(battle, unit), strict=True) if not held]
    if not free or unit.has(AIRCRAFT) or (kind == "pile-in" and not battle.field.enemies(unit)):
        return
    moves = yield Move(
        seats=(unit.player,),
        rule=clause,
        decision=kind,
        prompt=f"{unit.name} may {kind.replace('-', ' ')} up to 3 inches.",
        unit=unit.id,
        kind=kind,
        limits=dict.fromkeys(free, battle.ruleset.parameters.pile_in),
    )
    assert isinstance(moves, Moves)
    yield from carry_out(battle, unit, kind, moves, clause)


def in_contact(battle: Battle, unit: Unit) -> Bools:
    """Return which models of the unit are in base contact with an enemy, which is in range then."""
    held = np.zeros(len(unit.rows), dtype=bool)
    for enemy in battle.field.engaged_with(unit):
        held |= battle.field.touching(unit, enemy).any(axis=1)
    return held


def strike(battle: Battle, unit: Unit) -> Steps[None]:
    """Ask for the unit's melee attacks, and resolve them; the fallen may strike back.

    Rule: CORE.FGT.6.
    """
    yield from strike_with(battle, unit, unit.rows)
    yield from let_fallen_attack(battle, strike_with, shoot_with)


def strike_with(battle: Battle, unit: Unit, rows: tuple[int, ...]) -> Steps[None]:
    """Ask for the melee attacks of some of the unit's models, and resolve them."""
    possible = tuple(line for line in lines(battle, unit) if line.model in rows)
    if not possible:
        return
    answer = yield blow_choice(unit, possible)
    assert isinstance(answer, Splits)
    if answer.shots:
        yield from battle.happen(ev.Targeted(unit=unit.id, shots=answer.shots, melee=True), "CORE.FGT.6")
        targets = tuple(shot.target for shot in answer.shots)
        yield from offer(battle, "targeted", unit, targets=targets)
        await_fallen(battle, unit, targets)
        made = yield from resolve(battle, unit, answer.shots, melee=True)
        yield from battle.fire("struck", None, unit=unit, attacks=made)


def blow_choice(unit: Unit, possible: tuple[Line, ...]) -> Split:
    """Return the question at what a unit strikes with these weapons. Rule: CORE.FGT.6"""
    return Split(
        seats=(unit.player,),
        rule="CORE.FGT.6",
        decision="fight",
        prompt=f"Whom does {unit.name} attack?",
        unit=unit.id,
        melee=True,
        lines=possible,
    )


def lines(battle: Battle, unit: Unit) -> tuple[Line, ...]:
    """Return every melee weapon that may strike, with its targets.

    Rule: CORE.FGT.5, CORE.FGT.6, CORE.FGT.9, CORE.WPN.EXTRA.
    """
    reach = reachable(battle, unit)
    found = []
    for i, model in enumerate(battle.state.position.alive(unit)):
        if not reach[i]:
            continue
        for place, copy in copies(model.facts.weapons):
            weapon = unit.weapon(place)
            if not weapon.is_melee:
                continue
            extra = "extra attacks" in battle.query.weapon_keywords(unit, model.row, place, None)
            if copy and not extra:
                continue
            name = weapon.item or weapon.name
            found.append(
                Line(
                    model=model.row,
                    weapon=place,
                    targets=reach[i],
                    group=f"{model.row}:{name}:{copy}",
                    set="" if extra else name,
                )
            )
    return tuple(found)


def reachable(battle: Battle, unit: Unit) -> list[tuple[str, ...]]:
    """Return, for each model, the enemy units that it may strike. Rule: CORE.FGT.5, CORE.AIR.4."""
    enemies = opposed(battle, unit)
    near = {e.id: np.asarray(battle.field.engaged_models(unit, e).any(axis=1)) for e in enemies}
    touch = {e.id: battle.field.touching(unit, e).any(axis=1) for e in enemies}
    side_by_side = battle.field.touching(unit, unit)
    return [
        tuple(e.id for e in enemies if near[e.id][k] or bool((side_by_side[k] & touch[e.id]).any()))
        for k in range(len(unit.rows))
    ]
