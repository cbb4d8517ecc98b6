"""The saving throw: armour and AP, cover, invulnerable saves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine import event as ev
from engine.effect.question import Number
from engine.ruleset import Steps
from engine.state import Model
from engine.steps.cover import cover
from engine.steps.throw import Throw, offer_again
from engine.steps.volley import Volley

if TYPE_CHECKING:
    from engine.game import Game

NONE = 7
"""A roll that no die reaches."""


def roll_save(game: Game, volley: Volley, model: Model, ap: Number, sheltered: frozenset[int]) -> Steps[bool]:
    """Return whether a model saves; an unmodified 1 never does. Rule: CORE.ATK.4, CORE.DICE.4, CORE.STR.1."""
    trail, warded = needed(game, volley, model, ap, model.row in sheltered)
    need = int(trail.value)
    about: dict[str, Any] = {"unit": volley.target.id, "target": volley.attacker.id, "need": need}
    dice = game.roll("save", cause="CORE.ATK.4", trail=trail if trail.steps else None, **about)
    again = _again(game, volley, model) if warded and dice[0] == 1 else ""
    if again:
        dice = game.roll("save-reroll", cause=again, **about)
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
    dice = yield from offer_again(game, throw)
    return _saves(dice[0], need)


def _again(game: Game, volley: Volley, model: Model) -> str:
    """Return the clause by which an invulnerable save of 1 is rolled again, "" for none. Rule: CORE.DICE.1"""
    asked = {**volley.context, "unit": volley.target, "model": model}
    return game.query.number("attack.reroll-invulnerable", 0, **asked).source


def _saves(die: int, need: int) -> bool:
    return die != 1 and die >= need


def armour_piercing(game: Game, volley: Volley) -> Number:
    """Return the attacks' AP, 0 or below. Rule: CORE.TER.7, CORE.DICE.5."""
    printed = volley.weapon.ap
    ap = game.query.number("weapon.ap", printed - volley.plunging, **volley.context)
    if not volley.plunging:
        return ap
    steps, value = (("CORE.TER.7", printed - 1.0), *ap.trail.steps), float(ap.value)
    return Number(value, ev.Trail(number="weapon.ap", base=float(printed), value=value, steps=steps))


def in_cover(game: Game, volley: Volley) -> frozenset[int]:
    """Return the target's rows that have the Benefit of Cover.

    Rule: CORE.COV.1, CORE.WPN.IGN, CORE.WPN.IND.
    """
    may_shelter = game.query.may("gain-cover", unit=volley.target, attacker=volley.attacker)
    if volley.melee or volley.has("ignores cover") or not may_shelter:
        return frozenset()
    if volley.unseen:
        return frozenset(volley.target.rows)
    covered = cover(game, volley.attacker, volley.target)
    return frozenset(row for row, has in zip(volley.target.rows, covered, strict=True) if has)


def needed(game: Game, volley: Volley, model: Model, ap: Number, sheltered: bool) -> tuple[ev.Trail, bool]:
    """Return the roll that saves, with how it came about, and whether it is the invulnerable save.

    That is used where it is better than the armour.

    Rule: CORE.ATK.4, CORE.COV.1.
    """
    printed = model.facts.characteristics.get("Sv", NONE)
    unit = volley.target
    about = {"unit": unit, "target": unit, "model": model, "attacker": volley.attacker, "melee": volley.melee}
    armour = game.query.number("model.save", printed, **about)
    steps, value = list(armour.trail.steps), float(armour.value)
    steps += _pierced(value, ap)
    value -= ap.value
    if sheltered and (armour.value > 3 or ap.value):
        value -= 1
        steps.append(("CORE.COV.1", value))
    invulnerable = game.query.number("model.invulnerable", _printed_invulnerable(model, volley), **about)
    warded = invulnerable.value < value
    if warded:
        value = float(invulnerable.value)
        steps += invulnerable.trail.steps or (("CORE.ATK.4", value),)
    if value < 2:
        value = 2.0
        steps.append(("CORE.DICE.4", value))
    return ev.Trail(number="save", base=float(printed), value=value, steps=tuple(steps)), warded


def _pierced(armour: float, ap: Number) -> list[tuple[str, float]]:
    """Return what the roll is after the printed AP, and after each rule that changed it."""
    found, last = [], armour
    for rule, pierced in (("CORE.ATK.4", ap.trail.base), *ap.trail.steps):
        now = armour - min(pierced, 0.0)
        if now != last:
            found.append((rule, now))
        last = now
    return found


def _printed_invulnerable(model: Model, volley: Volley) -> int:
    """Return a model's invulnerable save against such attacks: some hold against one kind only."""
    kind = model.facts.characteristics.get("InvOnly", 0)
    if kind and (kind == 1) == volley.melee:
        return NONE
    return model.facts.characteristics.get("Inv", NONE)
