"""An attack that is allocated to a model: the moments at which rules act, and its damage.

It rolls no save; `engine.w40k.attack.saving_throw` does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from engine.core import event as ev
from engine.core.dice import AGAIN
from engine.core.request import Steps
from engine.core.state import Model
from engine.w40k.activation.amount import parts
from engine.w40k.activation.throw import Throw, offer_again
from engine.w40k.attack.volley import Volley

if TYPE_CHECKING:
    from engine.records.question import Number
    from engine.w40k.battle import Battle

ONES = 1
"""Only damage rolls of 1 are made again; more than this: those below their mean."""


class Blow(msgspec.Struct):
    """An attack that was allocated to a model."""

    damage: int | None = None
    """The Damage characteristic that a rule has given it in place of the weapon's."""
    cause: str = ""
    """The clause of that rule."""


def allocate(battle: Battle, volley: Volley, model: Model) -> Steps[Blow]:
    """Return an attack as it is allocated to a model, after what rules do. Rule: CORE.ATK.2"""
    blow = Blow()
    if "allocated" in battle.query.in_force.moments:
        yield from battle.fire("allocated", None, **_names(volley, model, blow))
    return blow


def fail_save(battle: Battle, volley: Volley, model: Model, blow: Blow) -> Steps[None]:
    """Carry out what rules do as a saving throw against an attack has failed. Rule: CORE.ATK.4"""
    if "save-failed" in battle.query.in_force.moments:
        yield from battle.fire("save-failed", None, **_names(volley, model, blow))


def _names(volley: Volley, model: Model, blow: Blow) -> dict[str, Any]:
    """Return what rules may ask of an attack and of the model to which it is allocated."""
    return {**volley.context, "model": model, "unit": volley.target, "blow": blow, "mortal": False}


def damage(
    battle: Battle, volley: Volley, victim: Model | None, blow: Blow, enough: int
) -> Steps[tuple[int, ev.NumberTrail]]:
    """Return the damage of one attack, and how it came about; more than `enough` is of no use.

    A Damage that a rule has set to 0 stays 0. Rule: CORE.ATK.5, CORE.WPN.MELTA, CORE.STR.1, CORE.DICE.5.
    """
    about = {**volley.context, "victim": victim}
    rolled = blow.damage
    if rolled is None:
        rolled = yield from _roll(battle, volley, about, enough)
    characteristic = battle.query.number("weapon.damage", rolled, **about)
    amount = int(characteristic.value)
    steps = [(blow.cause, float(rolled))] if blow.cause else []
    steps += characteristic.trail.steps
    if amount:
        amount, more = _modified(battle, volley, about, amount)
        steps += more
    return amount, ev.NumberTrail(
        number="damage", base=float(rolled), value=float(amount), steps=tuple(steps)
    )


def _modified(
    battle: Battle, volley: Volley, about: dict[str, Any], amount: int
) -> tuple[int, list[tuple[str, float]]]:
    """Return a damage with what is added to it, at least 1, and each step."""
    steps: list[tuple[str, float]] = []
    if volley.near and volley.has("melta"):
        amount += volley.extra(battle, "melta")[0]
        steps.append(("CORE.WPN.MELTA", float(amount)))
    change = battle.query.number("weapon.damage-modifier", 0, **about)
    steps += [(rule, amount + value) for rule, value in change.trail.steps]
    return max(1, amount + int(change.value)), steps


def _roll(battle: Battle, volley: Volley, about: dict[str, Any], enough: int) -> Steps[int]:
    """Return the damage that is rolled, made again as rules and Stratagems let it be."""
    count, sides, added = parts(volley.weapon.damage)
    if not count:
        return added
    unit, target = volley.attacker.id, volley.target.id
    dice = battle.roll("damage", count, sides, unit=unit, target=target)
    again = battle.query.number("attack.reroll-damage", 0, **about)
    is_again = sum(dice) + added < enough and _falls_short(sum(dice), count, sides, again)
    if is_again:
        kind, every, by = f"damage{AGAIN}", tuple(range(count)), again.source
        dice = battle.roll(kind, count, sides, unit=unit, target=target, cause=by, replaces=every)
    throw = Throw(
        "damage",
        volley.attacker,
        list(dice),
        lambda total: total < count * sides and total + added < enough,
        count,
        sides,
        fixed=frozenset((0,) if is_again else ()),
        target=volley.target.id,
        weapon=volley.weapon.name,
    )
    return sum((yield from offer_again(battle, throw))) + added


def _falls_short(total: int, count: int, sides: int, again: Number) -> bool:
    """Return whether a damage roll is made again: one of 1, or below its mean. Rule: R.A115"""
    if not again.value:
        return False
    return total == 1 if again.value == ONES else 2 * total < count * (sides + 1)
