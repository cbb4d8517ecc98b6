"""The wound roll: Strength against Toughness, and what wounds come of the hits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from engine.core import event as ev
from engine.core.request import Steps
from engine.w40k.activation.amount import mean_strength, roll_amount
from engine.w40k.attack.die import Need, modified, roll_against
from engine.w40k.attack.hit import Hits
from engine.w40k.attack.volley import Volley

if TYPE_CHECKING:
    from engine.w40k.battle import Battle

ALL = 2
"""Every failed roll is rolled again."""


class Wounds(msgspec.Struct, frozen=True):
    """How many wounds are to be saved, and how many critical ones devastate instead."""

    count: int
    critical: int
    devastating: int
    trail: ev.NumberTrail


def roll_wounds(battle: Battle, volley: Volley, hits: Hits) -> Steps[Wounds]:
    """Roll to wound for the hits that do not wound by themselves.

    Rule: CORE.ATK.1, CORE.WPN.LETHAL, CORE.WPN.DEV.
    """
    devastates = volley.has("devastating wounds")
    critical, met = 0, 0
    for strength, number in _strengths(battle, volley, hits.count - hits.lethal):
        need = _need(battle, volley, strength)
        dice = yield from roll_against(battle, volley, "wound", number, need, fishes=devastates)
        critical += sum(die >= need.critical for die in dice)
        met += sum(need.is_met(die) for die in dice)
    devastating = critical if devastates else 0
    return Wounds(hits.lethal + met - devastating, critical, devastating, need.trail)


def _strengths(battle: Battle, volley: Volley, number: int) -> list[tuple[int, int]]:
    """Return the Strengths of some wound rolls with their numbers; dice are rolled for each.

    There is always one, as the trail of the roll is logged. Rule: CORE.DICE.5.
    """
    printed = volley.weapon.strength
    if isinstance(printed, int):
        return [(printed, number)]
    if number <= 0:
        return [(round(mean_strength(printed)), 0)]
    unit = volley.attacker.id
    return [
        (roll_amount(battle, printed, "strength", unit=unit, cause="CORE.ATK.1"), 1) for _ in range(number)
    ]


def wound_need(strength: int, toughness: int) -> int:
    """Return the roll that wounds. Rule: CORE.ATK.1."""
    if strength >= 2 * toughness:
        return 2
    if strength > toughness:
        return 3
    if strength == toughness:
        return 4
    return 6 if 2 * strength <= toughness else 5


def _need(battle: Battle, volley: Volley, own_strength: int) -> Need:
    """Return what wounds with a Strength.

    Rule: CORE.DICE.3, CORE.WPN.LANCE, CORE.WPN.TWIN, CORE.WPN.ANTI."""
    target = {"unit": volley.target, "target": volley.target}
    strength = battle.query.number("weapon.strength", own_strength, **volley.context)
    toughness = battle.query.number("model.toughness", volley.toughness, **target)
    printed = wound_need(own_strength, volley.toughness)
    before = [(rule, wound_need(int(s), volley.toughness)) for rule, s in strength.trail.steps]
    before += [(rule, wound_need(int(strength.value), int(t))) for rule, t in toughness.trail.steps]
    own = []
    if volley.has("lance") and "charged" in volley.attacker.marks:
        own.append((volley.source(battle, "lance", "CORE.WPN.LANCE"), 1))
    change = battle.query.number("attack.wound-modifier", sum(a for _, a in own), **volley.context)
    natural, trail = modified("wound", printed, before, own, change)
    again = battle.query.number("attack.reroll-wound", 0, **volley.context)
    twin = volley.has("twin-linked")
    source = "CORE.WPN.TWIN" if twin else again.source
    return Need(natural, _critical(battle, volley), 0, ALL if twin else int(again.value), trail, source)


def _critical(battle: Battle, volley: Volley) -> int:
    """Return the natural roll from which a wound is critical. Rule: CORE.WPN.ANTI."""
    critical = int(battle.query.number("attack.critical-wound", 6, **volley.context).value)
    for keyword in volley.keywords:
        if keyword.startswith("anti-"):
            against, _, roll = keyword.removeprefix("anti-").rpartition(" ")
            word = against.upper()
            if volley.target.has(word) or battle.query.granted_keyword(volley.target, word):
                critical = min(critical, int(roll.rstrip("+")))
    return critical
