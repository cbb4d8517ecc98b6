"""The Shooting phase: which units shoot, with what, at what; and actions started instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from engine.core import event as ev
from engine.core.facts import PLAYERS
from engine.core.request import Choose, Chosen, Line, Option, Split, Splits, Steps
from engine.core.state import Unit
from engine.w40k.activation.stratagem import is_usable, offer
from engine.w40k.activation.unit_choice import decide, mark, next_unit, waiting
from engine.w40k.attack import firing_deck
from engine.w40k.attack.attack_sequence import resolve
from engine.w40k.attack.eligibility import (
    DECK,
    has_shots,
    lines,
    lines_at,
    lines_of_models,
    may_shoot_nothing,
)
from engine.w40k.phase.action import actions_for, begin_action
from engine.w40k.phase.last_stand import await_fallen, let_fallen_attack

if TYPE_CHECKING:
    from engine.w40k.battle import Battle


SHOOT_INSTEAD = "shoot"
"""The option of a unit that starts no action."""


def shooting(battle: Battle) -> Steps[bool]:
    """Shoot with one unit, or start an action with it."""
    units = [u for u in waiting(battle, battle.state.turn, "shooting") if _may_act(battle, u)]
    if not units:
        return False
    unit = yield from next_unit(battle, units, "CORE.SHOOT.1", "shooting")
    if unit is None:
        return False
    yield from offer(battle, "selected-to-shoot", unit)
    if not (yield from _action(battle, unit)):
        yield from shoot(battle, unit)
    return True


def _may_act(battle: Battle, unit: Unit) -> bool:
    if unit.side == PLAYERS and actions_for(battle, unit):
        return True
    if has_shots(battle, unit) or may_shoot_nothing(battle, unit):
        return True
    return unit.side == PLAYERS and is_usable(battle, "selected-to-shoot", unit)


def _action(battle: Battle, unit: Unit) -> Steps[bool]:
    rules = actions_for(battle, unit) if unit.side == PLAYERS else ()
    if not rules:
        return False
    shoots = Option(id=SHOOT_INSTEAD, label="Shoot, or do nothing")
    answer = yield Choose(
        seats=(unit.player,),
        rule="ACTION.1",
        decision="action",
        prompt=f"Does {unit.name} start an action?",
        unit=unit.id,
        options=(shoots, *(Option(id=rule.id, label=rule.name) for rule in rules)),
    )
    assert isinstance(answer, Chosen)
    for rule in rules:
        if rule.id == answer.ids[0]:
            yield from begin_action(battle, unit, rule)
            return True
    return False


def shoot(battle: Battle, unit: Unit, target: Unit | None = None) -> Steps[None]:
    """Ask the unit's owner for targets, or for shots at the one given, and resolve them.

    Rule: CORE.SHOOT.2, CORE.STR.8, CORE.STR.9, CORE.STR.10.
    """
    yield from battle.fire("selected-to-shoot", None, unit=unit)
    possible = _lines_for(battle, unit, target)
    crew = {int(line.group.removeprefix(DECK)) for line in possible if line.group.startswith(DECK)}
    if crew:
        yield from firing_deck.man(battle, unit, crew)
        possible = _lines_for(battle, unit, target)
    if not possible:
        return
    if not battle.query.may("split-fire", unit=unit):
        possible = yield from _at_one(battle, unit, possible)
    answer = yield shot_choice(unit, possible)
    assert isinstance(answer, Splits)
    if not answer.shots:
        decide(battle, unit, "shoot", "no-shot", cause="CORE.SHOOT.2")
        return
    mark(battle, unit, "shot", True, "turn", "CORE.SHOOT.2")
    _spend_one_shots(battle, unit, answer)
    yield from battle.happen(ev.Targeted(unit=unit.id, shots=answer.shots), "CORE.SHOOT.2")
    yield from resolve_shots(battle, unit, answer.shots)
    yield from let_fallen_attack(battle, shoot_with, shoot_with)


def _at_one(battle: Battle, unit: Unit, possible: tuple[Line, ...]) -> Steps[tuple[Line, ...]]:
    """Ask for the one enemy at which the unit shoots, and return the lines at that enemy."""
    names = tuple(dict.fromkeys(target for line in possible for target in line.targets))
    if len(names) > 1:
        answer = yield Choose(
            seats=(unit.player,),
            rule="CORE.SHOOT.2",
            decision="sole-target",
            prompt=f"At which one enemy does {unit.name} shoot with all it has?",
            unit=unit.id,
            options=tuple(Option(id=name, label=battle.state.position.units[name].name) for name in names),
        )
        assert isinstance(answer, Chosen)
        names = answer.ids
    at = tuple(line for line in possible if names[0] in line.targets)
    return tuple(structs.replace(line, targets=names) for line in at)


def shoot_back(battle: Battle, unit: Unit, rows: tuple[int, ...], target: Unit) -> Steps[None]:
    """Let some models of a unit shoot at one enemy, as in their own Shooting phase.

    Whether the unit has shot in another phase of the turn does not matter. Rule: CORE.ACT.2
    """
    if unit.where != "table" or "action" in unit.marks or not target.rows:
        return
    yield from battle.fire("selected-to-shoot", None, unit=unit)
    at = lines_of_models(battle, unit, target)
    yield from _shoot_along(battle, unit, tuple(line for line in at if line.model in rows))


def shoot_with(battle: Battle, unit: Unit, rows: tuple[int, ...]) -> Steps[None]:
    """Ask for the shots of some models of a unit that shoots out of turn, and resolve them.

    Whether the unit has shot, or is eligible to, does not matter. Rule: MISERY.30
    """
    possible = tuple(line for line in lines_of_models(battle, unit) if line.model in rows)
    yield from _shoot_along(battle, unit, possible)


def _shoot_along(battle: Battle, unit: Unit, possible: tuple[Line, ...]) -> Steps[None]:
    if not possible:
        return
    answer = yield shot_choice(unit, possible)
    assert isinstance(answer, Splits)
    if answer.shots:
        _spend_one_shots(battle, unit, answer)
        yield from battle.happen(ev.Targeted(unit=unit.id, shots=answer.shots), "CORE.SHOOT.2")
        yield from resolve_shots(battle, unit, answer.shots)


def resolve_shots(battle: Battle, unit: Unit, shots: tuple[ev.Shot, ...]) -> Steps[None]:
    """Resolve declared shots, after what their targets may do."""
    targets = tuple(shot.target for shot in shots)
    yield from offer(battle, "targeted", unit, targets=targets)
    await_fallen(battle, unit, targets)
    made = yield from resolve(battle, unit, shots, melee=False)
    yield from battle.fire("shot", None, unit=unit, attacks=made)


def shot_choice(unit: Unit, possible: tuple[Line, ...]) -> Split:
    """Return the question at what a unit shoots with these weapons. Rule: CORE.SHOOT.2"""
    return Split(
        seats=(unit.player,),
        rule="CORE.SHOOT.2",
        decision="shoot",
        prompt=f"What does {unit.name} shoot at?",
        unit=unit.id,
        melee=False,
        lines=possible,
    )


def _spend_one_shots(battle: Battle, unit: Unit, answer: Splits) -> None:
    for shot in answer.shots:
        if "one shot" in unit.weapon(shot.weapon).keywords:
            key = f"one-shot:{shot.model}:{shot.weapon}"
            mark(battle, unit, key, unit.marks.count(key) + 1, "battle", "CORE.WPN.ONE")


def _lines_for(battle: Battle, unit: Unit, target: Unit | None) -> tuple[Line, ...]:
    return lines(battle, unit) if target is None else lines_at(battle, unit, target)
