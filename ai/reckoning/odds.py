"""The exact arithmetic of attacks: the mean wounds that they cost, by what each roll needs.

Owns the chances of one attack sequence. It knows no attacker and no target, and asks no rule.
"""

from __future__ import annotations

import re
from functools import lru_cache
from math import comb

import msgspec

from engine.core.facts import WeaponFacts
from engine.records.question import Effect, changed
from engine.w40k.activation.amount import mean, mean_strength, parts
from engine.w40k.attack.wound import wound_need
from engine.w40k.numbers import NUMBERS, OF_ATTACKS
from geometry.portable import power, sum_of

_PLACE = {number: place for place, number in enumerate(OF_ATTACKS)}
_NUMBER = re.compile(r"(\d+|[dD]\d+)\+?$")


@lru_cache(maxsize=256)
def distribution(amount: str) -> tuple[tuple[int, float], ...]:
    """Return each value that an amount such as "2", "D6" or "2D3+1" can have, with its chance."""
    count, sides, added = parts(amount)
    sums = {added: 1.0}
    for _ in range(count):
        after: dict[int, float] = {}
        for total, chance in sums.items():
            for face in range(1, sides + 1):
                after[total + face] = after.get(total + face, 0.0) + chance / sides
        sums = after
    return tuple(sorted(sums.items()))


@lru_cache(maxsize=1024)
def ability_number(keywords: tuple[str, ...], ability: str) -> float:
    """Return the number of a weapon ability ("melta 2" has 2), its mean where it is dice.

    An ability without a number has 1; it is 0 where the weapon does not have the ability.
    """
    for keyword in keywords:
        if keyword == ability or keyword.startswith((ability + " ", ability + "-")):
            found = _NUMBER.search(keyword)
            return mean(found[1].upper()) if found else 1.0
    return 0.0


class Hit(msgspec.Struct, frozen=True):
    """What a hit roll needs, and how it is re-rolled.

    With a `skill` of 0 an attack hits by itself. `reroll` is 1 for rolls of 1, 2 for all that miss.
    `critical` is the least roll that is critical.
    """

    skill: int
    modifier: int = 0
    reroll: int = 0
    critical: int = 6
    minimum: int = 0


class Wound(msgspec.Struct, frozen=True):
    """What a wound roll needs: strength against toughness, modifier, re-rolls, critical from."""

    strength: int
    toughness: int
    modifier: int = 0
    reroll: int = 0
    critical: int = 6


def chances_of(need: int, modifier: int, reroll: int, critical: int, minimum: int = 0) -> tuple[float, float]:
    """Return the chances that a roll succeeds and that it is critical."""
    shift = max(-1, min(1, modifier))
    good = [n for n in range(2, 7) if (n >= critical or n == 6 or n + shift >= need) and n >= minimum]
    hit, crit = len(good) / 6, sum(n >= critical for n in good) / 6
    again = {0: 0.0, 1: 1 / 6}.get(reroll, 1 - hit)
    return hit + again * hit, crit + again * crit


@lru_cache(maxsize=4096)
def unsaved_per_attack(
    hit: Hit, wound: Wound, save: float, sustained: float, lethal: bool, devastating: bool
) -> float:
    """Return how many damaging wounds one attack makes on average; `save` is the chance to save."""
    if hit.skill:
        hits, crits = chances_of(hit.skill, hit.modifier, hit.reroll, hit.critical, hit.minimum)
    else:
        hits, crits = 1.0, 0.0
    need = wound_need(wound.strength, wound.toughness)
    wounds, sharp = chances_of(need, wound.modifier, wound.reroll, wound.critical)
    by_itself = crits if lethal else 0.0
    rolled = hits - by_itself + crits * sustained
    saved = rolled * wounds + by_itself
    past = rolled * sharp if devastating else 0.0
    return (saved - past) * (1 - save) + past


@lru_cache(maxsize=256)
def rolled_again(amount: str, reroll: int) -> tuple[tuple[int, float], ...]:
    """Return the values of an amount; rolls of 1, or those below its mean (2), are made again."""
    plain, (_, _, added) = distribution(amount), parts(amount)
    short = {
        value
        for value, _ in plain
        if (reroll == 1 and value - added == 1) or (reroll > 1 and value < mean(amount))
    }
    again = sum_of(chance for value, chance in plain if value in short)
    return tuple((value, chance * (again + (value not in short))) for value, chance in plain)


@lru_cache(maxsize=4096)
def damage_to_model(
    amount: str,
    bonus: int,
    wounds: int,
    feel_no_pain: int,
    effects: tuple[Effect, ...] = (),
    reroll: int = 0,
) -> float:
    """Return how many wounds one failed save costs a model on average, at most all that it has.

    `effects` change the Damage that is rolled, before the `bonus` is added to it; of `reroll` see
    `rolled_again`.
    """
    total = 0.0
    for lost, chance in lost_to_one(amount, bonus, feel_no_pain, effects, reroll):
        total += chance * min(lost, wounds)
    return total


@lru_cache(maxsize=4096)
def lost_to_one(
    amount: str, bonus: int, feel_no_pain: int, effects: tuple[Effect, ...] = (), reroll: int = 0
) -> tuple[tuple[int, float], ...]:
    """Return each number of wounds above 0 that one failed save may cost, with its chance.

    A number may stand there more than once.
    """
    keep = 1.0 if feel_no_pain > 6 else (feel_no_pain - 1) / 6
    found = []
    for value, chance in rolled_again(amount, reroll) if reroll else distribution(amount):
        own = round(changed(NUMBERS["weapon.damage"], value, effects, 0.0)) if effects else value
        n = max(1, own + bonus) if own else 0
        for lost in range(1, n + 1):
            likely = comb(n, lost) * power(keep, lost) * power(1 - keep, n - lost)
            found.append((lost, chance * likely))
    return tuple(found)


def save_chance(
    save: int,
    ap: int,
    invulnerable: int,
    cover: bool,
    again: bool = False,
    always: bool = False,
    eased: int = 0,
) -> float:
    """Return the chance of a save; `ap` is 0 or negative.

    With `again` an invulnerable save of 1 is rolled again, with `always` any save of 1. `eased` is what rules
    add to armour saves. Rule: CORE.ATK.4, CORE.COV.1, CORE.DICE.3
    """
    covered = cover and not (save <= 3 and ap == 0)
    armour = max(2, save - ap - min(1, eased + covered))
    ward = max(2, invulnerable)
    chance = max(0.0, (7 - min(armour, ward)) / 6)
    return chance * 7 / 6 if always or (again and ward < armour) else chance


class Defence(msgspec.Struct, frozen=True):
    """What stands between an attack and a model: its saves, what ignores wounds, and its wounds."""

    armour: int
    ward: int
    again: bool
    """An invulnerable save of 1 is rolled again."""
    pain: int
    wounds: int
    always: bool = False
    """Any save of 1 is rolled again."""
    eased: int = 0
    """What rules add to armour saves."""


class Odds(msgspec.Struct, frozen=True):
    """What the rules in force, the attacker and the target make of attacks.

    Attacks with equal odds deal alike.
    """

    effects: tuple[tuple[Effect, ...], ...]
    """What the rules do to each of the numbers of attacks, in their order."""
    cap: float
    defences: tuple[tuple[Defence, int], ...]
    """The defences of the models on which the attacks are put, each with how many have it."""
    toughness: int
    is_stealthy: bool
    """The target is harder to hit from afar. Rule: CORE.ABL.STEALTH"""
    is_still: bool
    has_charged: bool
    size: int
    """How many models the target has."""

    def number(self, name: str, base: float) -> float:
        """Return a number of the attacks, from the value before the rules, as the rules make it."""
        return changed(NUMBERS[name], base, self.effects[_PLACE[name]], self.cap)


@lru_cache(maxsize=16384)
def dealt(
    weapon: WeaponFacts,
    keywords: tuple[str, ...],
    half_range: bool,
    critical: int,
    hidden: tuple[int, ...],
    odds: Odds,
) -> float:
    """Return the mean wounds that a weapon costs its target.

    `critical` is the roll from which a wound is critical through Anti. `hidden` tells for each defence how
    many of its models have cover; where it is empty, none have.
    """
    if not odds.defences:
        return 0.0
    roll, damage = (
        attack_roll(weapon, keywords, critical, odds),
        damage_roll(weapon, keywords, half_range, odds),
    )
    total, count = 0.0, 0
    for some, defence, save in shares(weapon, keywords, hidden, odds):
        total += some * damage.mean_against(defence) * roll.unsaved(save)
        count += some
    return _attacks(weapon, keywords, half_range, odds) * total / count


class AttackRoll(msgspec.Struct, frozen=True):
    """How one attack comes to wounds that a save may stop."""

    hit: Hit
    wound: Wound
    sustained: float
    """How many more hits a critical hit makes, on average."""
    lethal: bool
    devastating: bool

    def unsaved(self, save: float) -> float:
        """Return how many damaging wounds the attack makes on average; `save` is the chance to save."""
        return unsaved_per_attack(self.hit, self.wound, save, self.sustained, self.lethal, self.devastating)


class DamageRoll(msgspec.Struct, frozen=True):
    """What one failed save costs."""

    amount: str
    bonus: int
    effects: tuple[Effect, ...]
    again: int

    def mean_against(self, defence: Defence) -> float:
        """Return the mean wounds that it costs a model with this defence."""
        return damage_to_model(
            self.amount, self.bonus, defence.wounds, defence.pain, self.effects, self.again
        )


def attack_roll(weapon: WeaponFacts, keywords: tuple[str, ...], critical: int, odds: Odds) -> AttackRoll:
    """Return how an attack with a weapon comes to wounds."""
    return AttackRoll(
        _hit(weapon, keywords, odds),
        _wound(weapon, keywords, critical, odds),
        ability_number(keywords, "sustained hits"),
        "lethal hits" in keywords,
        "devastating wounds" in keywords,
    )


def damage_roll(weapon: WeaponFacts, keywords: tuple[str, ...], half_range: bool, odds: Odds) -> DamageRoll:
    """Return what a failed save against a weapon costs."""
    bonus = round(odds.number("weapon.damage-modifier", 0))
    bonus += round(ability_number(keywords, "melta")) if half_range else 0
    again = round(odds.number("attack.reroll-damage", 0))
    return DamageRoll(weapon.damage, bonus, odds.effects[_PLACE["weapon.damage"]], again)


def shares(
    weapon: WeaponFacts, keywords: tuple[str, ...], hidden: tuple[int, ...], odds: Odds
) -> list[tuple[int, Defence, float]]:
    """Return how many models have each defence, in cover and out, and their chance to save."""
    ap = min(0, round(odds.number("weapon.ap", weapon.ap)))
    if not hidden or "ignores cover" in keywords:
        hidden = (0,) * len(odds.defences)
    found = []
    for (defence, many), hides in zip(odds.defences, hidden, strict=True):
        for some, is_hidden in ((many - hides, False), (hides, True)):
            if some:
                saves = (defence.armour, ap, defence.ward, is_hidden, defence.again, defence.always)
                found.append((some, defence, save_chance(*saves, defence.eased)))
    return found


def _attacks(weapon: WeaponFacts, keywords: tuple[str, ...], half_range: bool, odds: Odds) -> float:
    return max(1.0, mean(weapon.attacks) + more_attacks(keywords, half_range, odds))


def more_attacks(keywords: tuple[str, ...], half_range: bool, odds: Odds) -> float:
    """Return how many attacks a weapon makes beside those that it is printed with."""
    amount = odds.number("weapon.attacks-modifier", 0)
    if half_range:
        amount += ability_number(keywords, "rapid fire")
    if "blast" in keywords:
        amount += odds.size // 5
    return amount


def _hit(weapon: WeaponFacts, keywords: tuple[str, ...], odds: Odds) -> Hit:
    if "torrent" in keywords or weapon.skill is None:
        return Hit(0)
    own = 1 if "heavy" in keywords and odds.is_still else 0
    if not weapon.is_melee and odds.is_stealthy:
        own -= 1
    return Hit(
        max(2, round(odds.number("weapon.skill", weapon.skill))),
        round(odds.number("attack.hit-modifier", own)),
        round(odds.number("attack.reroll-hit", 0)),
        round(odds.number("attack.critical-hit", 6)),
        round(odds.number("attack.minimum-hit", 0)),
    )


def _wound(weapon: WeaponFacts, keywords: tuple[str, ...], critical: int, odds: Odds) -> Wound:
    lance = "lance" in keywords and odds.has_charged
    return Wound(
        round(odds.number("weapon.strength", mean_strength(weapon.strength))),
        odds.toughness,
        round(odds.number("attack.wound-modifier", 1 if lance else 0)),
        2 if "twin-linked" in keywords else round(odds.number("attack.reroll-wound", 0)),
        min(critical, round(odds.number("attack.critical-wound", 6))),
    )
