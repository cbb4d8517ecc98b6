"""The hit roll: what it needs, and what hits come of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from engine.core import event as ev
from engine.core.request import Steps
from engine.w40k.attack.die import Need, modified, roll_against
from engine.w40k.attack.volley import Volley

if TYPE_CHECKING:
    from engine.w40k.battle import Battle

BLIND = 4
"""The least natural roll that hits a unit out of sight."""


class Hits(msgspec.Struct, frozen=True):
    """How many attacks hit; `lethal` of them wound by themselves."""

    count: int
    critical: int = 0
    lethal: int = 0
    trail: ev.NumberTrail | None = None


def roll_hits(battle: Battle, volley: Volley, attacks: int) -> Steps[Hits]:
    """Roll to hit; a Torrent hits by itself.

    A critical hit may score more hits and may wound by itself; then the further hits still roll to wound.
    Rule: CORE.ATK.1, CORE.WPN.TORR, CORE.WPN.SUST, CORE.WPN.LETHAL, CORE.WPN.CRIT.
    """
    if volley.weapon.skill is None or volley.has("torrent"):
        return Hits(attacks)
    need = _need(battle, volley, volley.weapon.skill)
    fishes = volley.has("sustained hits") or volley.has("lethal hits")
    dice = yield from roll_against(battle, volley, "hit", attacks, need, fishes=fishes)
    critical = sum(need.least <= die >= need.critical for die in dice)
    count = sum(need.is_met(die) for die in dice) + sum(volley.extra(battle, "sustained hits", critical))
    return Hits(count, critical, critical if volley.has("lethal hits") else 0, need.trail)


def _need(battle: Battle, volley: Volley, printed: int) -> Need:
    """Return what hits. Rule: CORE.DICE.3, CORE.DICE.4, CORE.WPN.IND, CORE.STR.8."""
    skill = battle.query.number("weapon.skill", printed, **volley.context)
    own = modifiers(battle, volley)
    change = battle.query.number("attack.hit-modifier", sum(amount for _, amount in own), **volley.context)
    before = [(rule, int(value)) for rule, value in skill.trail.steps]
    natural, trail = modified("hit", printed, before, own, change)
    blind = BLIND if volley.unseen and battle.ruling("shoot.indirect_blind") == "yes" else 0
    least = battle.query.number("attack.minimum-hit", blind, **volley.context)
    if least.trail.steps and least.value > natural:
        natural = int(least.value)
        steps = (*trail.steps, (least.trail.steps[-1][0], float(natural)))
        trail = msgspec.structs.replace(trail, value=float(natural), steps=steps)
    again = battle.query.number("attack.reroll-hit", 0, **volley.context)
    return Need(
        natural,
        int(battle.query.number("attack.critical-hit", 6, **volley.context).value),
        int(least.value),
        int(again.value),
        trail,
        again.source,
    )


def modifiers(battle: Battle, volley: Volley) -> list[tuple[str, int]]:
    """Return how the core rules modify the roll, without what the attacker ignores.

    A unit that was not selected to move has remained stationary. Rule: CORE.WPN.HEAVY, CORE.MOVE.11.
    """
    still = volley.attacker.has_stayed
    found = [("CORE.WPN.HEAVY", 1)] if volley.has("heavy") and still and not volley.melee else []
    if volley.melee or battle.query.about(**volley.context).spares("attack.hit-modifier"):
        return found
    return found + _penalties(battle, volley)


def _penalties(battle: Battle, volley: Volley) -> list[tuple[str, int]]:
    """Return what worsens a shot.

    Rule: CORE.ABL.STEALTH, CORE.SHOOT.4, CORE.SHOOT.5, CORE.WPN.IND.
    """
    found = []
    if battle.query.has_ability(volley.target, "stealth"):
        found.append(("CORE.ABL.STEALTH", -1))
    if volley.unseen:
        found.append(("CORE.WPN.IND", -1))
    return found + _combat_penalty(battle, volley)


def _combat_penalty(battle: Battle, volley: Volley) -> list[tuple[str, int]]:
    """Return what worsens a shot out of combat or into one. Rule: CORE.SHOOT.4, CORE.SHOOT.5"""
    engaged, clause = bool(battle.field.engaged_with(volley.attacker)), ""
    if engaged and not volley.has("pistol"):
        clause = "CORE.SHOOT.5"
    elif not engaged and battle.field.engaged_with(volley.target):
        clause = "CORE.SHOOT.4"
    if not clause or not battle.query.may("combat-penalty", **volley.context):
        return []
    return [(clause, -1)]
