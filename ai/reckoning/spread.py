"""The chances of each number of wounds that attacks cost; the mean is `ai.reckoning.odds`'.

Asks the same rolls as the mean does, and no rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from ai.reckoning.odds import (
    AttackRoll,
    DamageRoll,
    Defence,
    Odds,
    attack_roll,
    chances_of,
    damage_roll,
    distribution,
    lost_to_one,
    more_attacks,
    shares,
)
from engine.core.facts import WeaponFacts
from engine.w40k.attack.wound import wound_need
from geometry.portable import sum_of

Spread = tuple[float, ...]
"""The chances of 0, 1, 2, … wounds."""
SURE: Spread = (1.0,)
"""No wound, for certain."""


@lru_cache(maxsize=4096)
def spread_of(
    weapon: WeaponFacts,
    keywords: tuple[str, ...],
    half_range: bool,
    critical: int,
    hidden: tuple[int, ...],
    odds: Odds,
) -> Spread:
    """Return the chances of each number of wounds that a weapon costs its targets.

    The arguments are those of `dealt`, which is its mean: a fraction of an attack or of a further hit is its
    chance. Each attack meets any of the models alike.
    """
    if not odds.defences:
        return SURE
    roll, damage = (
        attack_roll(weapon, keywords, critical, odds),
        damage_roll(weapon, keywords, half_range, odds),
    )
    met = shares(weapon, keywords, hidden, odds)
    count = sum(some for some, _, _ in met)
    one = _mixed((some / count, _of_attack(roll, damage, defence, save)) for some, defence, save in met)
    more = more_attacks(keywords, half_range, odds)
    numbers = [
        (chance * part, max(1, number + extra))
        for number, chance in distribution(weapon.attacks)
        for extra, part in _whole(more)
    ]
    return _mixed((chance, together([one] * number)) for chance, number in numbers)


def together(spreads: Sequence[Spread]) -> Spread:
    """Return the spread of several attacks together."""
    found = SURE
    for spread in spreads:
        sums = [0.0] * (len(found) + len(spread) - 1)
        for i, a in enumerate(found):
            if a:
                for j, b in enumerate(spread):
                    sums[i + j] += a * b
        found = tuple(sums)
    return found


def mean_of(spread: Spread) -> float:
    """Return the mean of a spread."""
    return sum_of(wounds * chance for wounds, chance in enumerate(spread))


def at_least(spread: Spread, wounds: int) -> float:
    """Return the chance of a number of wounds or more."""
    return sum_of(spread[max(wounds, 0) :])


def middle_half(spread: Spread) -> tuple[int, int]:
    """Return the first and third quartile: in half of all cases it lies between them."""
    return _quantile(spread, 0.25), _quantile(spread, 0.75)


def _quantile(spread: Spread, part: float) -> int:
    gone = 0.0
    for wounds, chance in enumerate(spread):
        gone += chance
        if gone >= part:
            return wounds
    return len(spread) - 1


def _of_attack(roll: AttackRoll, damage: DamageRoll, defence: Defence, save: float) -> Spread:
    """Return the spread of one attack at models with one defence."""
    if roll.hit.skill:
        hit = roll.hit
        hits, crits = chances_of(hit.skill, hit.modifier, hit.reroll, hit.critical, hit.minimum)
    else:
        hits, crits = 1.0, 0.0
    need = wound_need(roll.wound.strength, roll.wound.toughness)
    wounds, sharp = chances_of(need, roll.wound.modifier, roll.wound.reroll, roll.wound.critical)
    past = sharp if roll.devastating else 0.0
    cost = _cost(damage, defence)
    rolled = _scaled((wounds - past) * (1 - save) + past, cost)
    main = _scaled(1 - save, cost) if roll.lethal else rolled
    critical = _mixed((part, together([main] + [rolled] * extra)) for extra, part in _whole(roll.sustained))
    return _mixed(((1 - hits, SURE), (hits - crits, rolled), (crits, critical)))


def _cost(damage: DamageRoll, defence: Defence) -> Spread:
    """Return the spread of what one failed save costs a model."""
    found = [0.0] * (defence.wounds + 1)
    rolls = lost_to_one(damage.amount, damage.bonus, defence.pain, damage.effects, damage.again)
    for lost, chance in rolls:
        found[min(lost, defence.wounds)] += chance
    found[0] = 1 - sum_of(found[1:])
    return tuple(found)


def _scaled(chance: float, spread: Spread) -> Spread:
    """Return a spread that counts only with a chance."""
    return _mixed(((1 - chance, SURE), (chance, spread)))


def _mixed(parts: Iterable[tuple[float, Spread]]) -> Spread:
    """Return the spread that is one of several, each with its chance."""
    found: list[float] = []
    for chance, spread in parts:
        found += [0.0] * (len(spread) - len(found))
        for wounds, likely in enumerate(spread):
            found[wounds] += chance * likely
    return tuple(found)


def _whole(number: float) -> list[tuple[int, float]]:
    """Return the whole numbers beside a number, with the chances that have it as their mean."""
    low = int(number // 1)
    part = number - low
    return [(low, 1 - part), (low + 1, part)] if part else [(low, 1.0)]
