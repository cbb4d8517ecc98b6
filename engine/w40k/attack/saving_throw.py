"""The saving throw: armour and AP, cover, invulnerable saves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.core import event as ev
from engine.core.request import Steps
from engine.core.state import Model
from engine.records.question import Number
from engine.w40k.activation.throw import Throw, offer_again
from engine.w40k.attack.cover import cover
from engine.w40k.attack.volley import Volley

if TYPE_CHECKING:
    from engine.w40k.battle import Battle

NONE = 7
"""A roll that no die reaches."""
GOOD = 3
"""Armour as good as this is no better in cover against attacks without AP. Rule: CORE.COV.1"""


class Shelter:
    """The models of a volley's target that have the Benefit of Cover.

    They are found before any model falls, where cover may bear on a save; for armour of 3+ or better without
    AP nothing is asked. Rule: CORE.COV.1
    """

    def __init__(self, battle: Battle, volley: Volley, ap: Number) -> None:
        """Ask about the target as it stands."""
        self._game, self._volley = battle, volley
        self._rows: frozenset[int] | None = None
        armour = max(map(_armour, battle.state.position.alive(volley.target)), default=NONE)
        if ap.value or armour > GOOD or "model.save" in battle.query.in_force.numbers:
            self._rows = in_cover(battle, volley)

    def helps(self, model: Model, armour: float, ap: float) -> bool:
        """Return whether the Benefit of Cover helps a model with this armour against this AP."""
        if armour <= GOOD and not ap:
            return False
        if self._rows is None:
            self._rows = in_cover(self._game, self._volley)
        return model.row in self._rows


def roll_save(battle: Battle, volley: Volley, model: Model, ap: Number, shelter: Shelter) -> Steps[bool]:
    """Return whether a model saves; an unmodified 1 never does.

    Rule: CORE.ATK.4, CORE.DICE.4, CORE.STR.1.
    """
    trail, warded = needed(battle, volley, model, ap, shelter)
    need = int(trail.value)
    about: dict[str, Any] = {"unit": volley.target.id, "target": volley.attacker.id, "need": need}
    dice = battle.roll("save", cause="CORE.ATK.4", trail=trail if trail.steps else None, **about)
    again = _again(battle, volley, model, warded) if dice[0] == 1 else ""
    if again:
        dice = battle.roll("save-reroll", cause=again, replaces=(0,), **about)
    if _saves(dice[0], need) or need > 6:
        return _saves(dice[0], need)
    throw = Throw(
        "save",
        volley.target,
        list(dice),
        lambda die: not _saves(die, need),
        fixed=frozenset((0,) if again else ()),
        need=need,
        target=volley.attacker.id,
        weapon=volley.weapon.name,
    )
    dice = yield from offer_again(battle, throw)
    return _saves(dice[0], need)


def _again(battle: Battle, volley: Volley, model: Model, warded: bool) -> str:
    """Return the clause by which a save of 1 is rolled again, "" for none. Rule: CORE.DICE.1

    That it is the invulnerable save (`warded`) lets some rules do so that do not for armour.
    """
    asked = {**volley.context, "unit": volley.target, "model": model}
    any_save = battle.query.number("attack.reroll-save", 0, **asked).source
    return any_save or (
        battle.query.number("attack.reroll-invulnerable", 0, **asked).source if warded else ""
    )


def _saves(die: int, need: int) -> bool:
    return die != 1 and die >= need


def armour_piercing(battle: Battle, volley: Volley) -> Number:
    """Return the attacks' AP, 0 or below. Rule: CORE.TER.7, CORE.DICE.5."""
    printed = volley.weapon.ap
    ap = battle.query.number("weapon.ap", printed - volley.plunging, **volley.context)
    if not volley.plunging:
        return ap
    steps, value = (("CORE.TER.7", printed - 1.0), *ap.trail.steps), float(ap.value)
    return Number(value, ev.NumberTrail(number="weapon.ap", base=float(printed), value=value, steps=steps))


def in_cover(battle: Battle, volley: Volley) -> frozenset[int]:
    """Return the target's rows that have the Benefit of Cover.

    Rule: CORE.COV.1, CORE.WPN.IGN, CORE.WPN.IND.
    """
    may_shelter = battle.query.may("gain-cover", unit=volley.target, attacker=volley.attacker)
    if volley.melee or volley.has("ignores cover") or not may_shelter:
        return frozenset()
    if volley.unseen:
        return frozenset(volley.target.rows)
    covered = cover(battle, volley.attacker, volley.target)
    return frozenset(row for row, has in zip(volley.target.rows, covered, strict=True) if has)


def needed(
    battle: Battle, volley: Volley, model: Model, ap: Number, shelter: Shelter
) -> tuple[ev.NumberTrail, bool]:
    """Return the roll that saves, its trail, and whether it is the invulnerable save.

    The invulnerable save is used where it is better than the armour.

    Rule: CORE.ATK.4, CORE.COV.1.
    """
    unit, printed = volley.target, _armour(model)
    about = {"unit": unit, "target": unit, "model": model, "attacker": volley.attacker, "melee": volley.melee}
    about["weapon"] = volley.weapon
    armour = battle.query.number("model.save", printed, **about)
    steps, value = list(armour.trail.steps), float(armour.value)
    steps += _pierced(value, ap)
    value -= ap.value
    is_covered = shelter.helps(model, armour.value, ap.value)
    eased = battle.query.number("roll.armour-modifier", int(is_covered), **about)
    steps += _eased(value, eased, is_covered)
    value -= eased.value
    invulnerable = battle.query.number("model.invulnerable", _printed_invulnerable(model, volley), **about)
    warded = invulnerable.value < value
    if warded:
        value = float(invulnerable.value)
        steps += invulnerable.trail.steps or (("CORE.ATK.4", value),)
    if value < 2:
        value = 2.0
        steps.append(("CORE.DICE.4", value))
    return ev.NumberTrail(number="save", base=float(printed), value=value, steps=tuple(steps)), warded


def _armour(model: Model) -> int:
    return model.facts.characteristics.get("Sv", NONE)


def _pierced(armour: float, ap: Number) -> list[tuple[str, float]]:
    """Return what the roll is after the printed AP, and after each rule that changed it."""
    found, last = [], armour
    for rule, pierced in (("CORE.ATK.4", ap.trail.base), *ap.trail.steps):
        now = armour - min(pierced, 0.0)
        if now != last:
            found.append((rule, now))
        last = now
    return found


def _eased(need: float, change: Number, is_covered: bool) -> list[tuple[str, float]]:
    """Return what the roll is after cover, and after each modifier. Rule: CORE.DICE.3"""
    modifiers = [*([("CORE.COV.1", 1.0)] if is_covered else []), *change.trail.steps]
    found = [(rule, need - by) for rule, by in modifiers]
    if found and found[-1][1] != need - change.value:
        found.append(("CORE.DICE.3", need - change.value))
    return found


def _printed_invulnerable(model: Model, volley: Volley) -> int:
    """Return a model's invulnerable save against such attacks: some hold against one kind only."""
    kind = model.facts.characteristics.get("InvOnly", 0)
    if kind and (kind == 1) == volley.melee:
        return NONE
    return model.facts.characteristics.get("Inv", NONE)
