"""How much damage an attack does on average, exactly, from profiles and the rules in force.

Owns the arithmetic of one attack sequence as probabilities. It rolls nothing and chooses nothing.
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from dataclasses import dataclass
from functools import lru_cache
from math import comb

from engine.facts import ModelFacts, WeaponFacts
from engine.state import Unit
from engine.steps.amount import mean, parts
from engine.steps.wound import wound_need
from engine.view import View

OF_VICTIMS = ("attack.reroll-invulnerable", "model.save", "model.invulnerable", "model.feel-no-pain")
"""The numbers that are asked of each model of a target by itself."""
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


def ability_number(keywords: tuple[str, ...], ability: str) -> float:
    """Return the number of a weapon ability ("melta 2" has 2), its mean if dice, 0 where there is none."""
    for keyword in keywords:
        if keyword == ability or keyword.startswith((ability + " ", ability + "-")):
            found = _NUMBER.search(keyword)
            return mean(found[1].upper()) if found else 1.0
    return 0.0


def anti(keywords: tuple[str, ...], target: Unit) -> int:
    """Return the roll from which a wound is critical through Anti against this unit; 7 for none."""
    best = 7
    for keyword in keywords:
        if keyword.startswith("anti-"):
            what, _, number = keyword[5:].rpartition(" ")
            if target.has(what.upper()):
                best = min(best, int(number.rstrip("+")))
    return best


@dataclass(frozen=True, slots=True)
class Hit:
    """What a hit roll needs: skill (0 hits by itself), modifier, re-rolls (1 ones, 2 all), critical from."""

    skill: int
    modifier: int = 0
    reroll: int = 0
    critical: int = 6
    minimum: int = 0


@dataclass(frozen=True, slots=True)
class Wound:
    """What a wound roll needs: strength against toughness, modifier, re-rolls, critical from."""

    strength: int
    toughness: int
    modifier: int = 0
    reroll: int = 0
    critical: int = 6


def _chances(need: int, modifier: int, reroll: int, critical: int, minimum: int = 0) -> tuple[float, float]:
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
        hits, crits = _chances(hit.skill, hit.modifier, hit.reroll, hit.critical, hit.minimum)
    else:
        hits, crits = 1.0, 0.0
    need = wound_need(wound.strength, wound.toughness)
    wounds, sharp = _chances(need, wound.modifier, wound.reroll, wound.critical)
    by_itself = crits if lethal else 0.0
    rolled = hits - by_itself + crits * sustained
    saved = rolled * wounds + by_itself
    past = rolled * sharp if devastating else 0.0
    return (saved - past) * (1 - save) + past


@lru_cache(maxsize=4096)
def damage_to_model(amount: str, bonus: int, wounds: int, feel_no_pain: int) -> float:
    """Return how many wounds one failed save costs a model on average, at most all that it has."""
    keep = 1.0 if feel_no_pain > 6 else (feel_no_pain - 1) / 6
    total = 0.0
    for value, chance in distribution(amount):
        n = max(1, value + bonus)
        for lost in range(1, n + 1):
            total += chance * comb(n, lost) * keep**lost * (1 - keep) ** (n - lost) * min(lost, wounds)
    return total


def save_chance(save: int, ap: int, invulnerable: int, cover: bool, again: bool = False) -> float:
    """Return the chance of a save; `ap` is 0 or negative, with `again` an invulnerable 1 is rolled again.

    Rule: CORE.ATK.4, CORE.COV.1
    """
    covered = cover and not (save <= 3 and ap == 0)
    armour = max(2, save - ap - (1 if covered else 0))
    ward = max(2, invulnerable)
    chance = max(0.0, (7 - min(armour, ward)) / 6)
    return chance * 7 / 6 if again and ward < armour else chance


def models_of(unit: Unit) -> list[ModelFacts]:
    """Return the facts of the unit's models that are not destroyed."""
    rows = set(unit.rows)
    return [model for model in unit.facts.models if model.row in rows]


def takes_the_wounds(unit: Unit) -> list[ModelFacts]:
    """Return the models on which attacks are put: those of the bodyguard while one lives."""
    models = models_of(unit)
    first = min((model.part for model in models), default=0)
    return [model for model in models if model.part == first]


def expected_damage(
    view: View,
    attacker: Unit,
    row: int,
    weapon: int,
    target: Unit,
    *,
    half_range: bool = False,
    covered: frozenset[int] = frozenset(),
    rewarded: bool | None = None,
) -> float:
    """Return the wounds that a model's weapon costs the target on average, before any runs out of models.

    `covered` are the rows of its models that have cover. With `rewarded` the attacker stands still, and has
    (True) or has not (False) what its abilities give for it.
    """
    facts = attacker.weapon(weapon)
    keywords = view.weapon_keywords(attacker, row, weapon, target, rewarded=rewarded)
    victims = takes_the_wounds(target)
    if not victims:
        return 0.0
    ask = _Asked(view, attacker, target, facts, rewarded)
    hit, wound = ask.hit(keywords), ask.wound(keywords, victims)
    ap = min(0, round(ask.number("weapon.ap", facts.ap)))
    bonus = round(ask.number("weapon.damage-modifier", 0))
    bonus += round(ability_number(keywords, "melta")) if half_range else 0
    total, lost = 0.0, dict[Hashable, float]()
    for victim in victims:
        hides = victim.row in covered and "ignores cover" not in keywords
        kind = ask.kind(victim, hides)
        if kind in lost:
            total += lost[kind]
            continue
        again = ask.victim_number("attack.reroll-invulnerable", 0, victim) > 0
        save = save_chance(*ask.saves(victim, ap), hides, again)
        unsaved = unsaved_per_attack(
            hit,
            wound,
            save,
            ability_number(keywords, "sustained hits"),
            "lethal hits" in keywords,
            "devastating wounds" in keywords,
        )
        pain = round(ask.victim_number("model.feel-no-pain", _feel_no_pain(target, victim), victim))
        wounds = victim.characteristics.get("W", 1)
        lost[kind] = unsaved * damage_to_model(facts.damage, bonus, wounds, pain)
        total += lost[kind]
    return ask.attacks(keywords, half_range) * total / len(victims)


def _feel_no_pain(unit: Unit, model: ModelFacts) -> int:
    part = unit.facts.parts[model.part] if model.part < len(unit.facts.parts) else unit.bodyguard
    found = [a for a in part.abilities if a.startswith("feel no pain ")]
    return min((int(a.rsplit(" ", 1)[1].rstrip("+")) for a in found), default=7)


@dataclass(frozen=True, slots=True)
class _Asked:
    """The numbers of one weapon against one unit, with every rule in force."""

    view: View
    attacker: Unit
    target: Unit
    weapon: WeaponFacts
    rewarded: bool | None

    def number(self, name: str, base: float) -> float:
        return self.view.number(
            name,
            base,
            attacker=self.attacker,
            target=self.target,
            weapon=self.weapon,
            melee=self.weapon.is_melee,
            rewarded=self.rewarded,
        )

    def victim_number(self, name: str, base: float, model: ModelFacts) -> float:
        return self.view.number(
            name,
            base,
            attacker=self.attacker,
            target=self.target,
            unit=self.target,
            model=self.view.model(model.row),
            melee=self.weapon.is_melee,
        )

    def kind(self, model: ModelFacts, hides: bool) -> Hashable:
        """Return what a model's loss depends on: its profile and cover, or itself where rules may tell."""
        if all(self.view.is_fixed(name) for name in OF_VICTIMS):
            return model.part, hides, *model.characteristics.items()
        return model.row

    def attacks(self, keywords: tuple[str, ...], half_range: bool) -> float:
        amount = mean(self.weapon.attacks) + self.number("weapon.attacks-modifier", 0)
        if half_range:
            amount += ability_number(keywords, "rapid fire")
        if "blast" in keywords:
            amount += len(self.target.rows) // 5
        return max(1.0, amount)

    def hit(self, keywords: tuple[str, ...]) -> Hit:
        if "torrent" in keywords or self.weapon.skill is None:
            return Hit(0)
        still = self.rewarded is not None or self.attacker.marks.get("moved", "") == "remain-stationary"
        own = 1 if "heavy" in keywords and still else 0
        if not self.weapon.is_melee and self.view.has_ability(self.target, "stealth"):
            own -= 1
        modifier = self.number("attack.hit-modifier", own)
        return Hit(
            max(2, round(self.number("weapon.skill", self.weapon.skill))),
            round(modifier),
            round(self.number("attack.reroll-hit", 0)),
            round(self.number("attack.critical-hit", 6)),
            round(self.number("attack.minimum-hit", 0)),
        )

    def wound(self, keywords: tuple[str, ...], victims: list[ModelFacts]) -> Wound:
        lance = "lance" in keywords and "charged" in self.attacker.marks
        modifier = self.number("attack.wound-modifier", 1 if lance else 0)
        toughest = max(victims, key=lambda m: m.characteristics.get("T", 4))
        base = toughest.characteristics.get("T", 4)
        reroll = 2 if "twin-linked" in keywords else round(self.number("attack.reroll-wound", 0))
        critical = min(anti(keywords, self.target), round(self.number("attack.critical-wound", 6)))
        return Wound(
            round(self.number("weapon.strength", self.weapon.strength)),
            max(1, round(self.victim_number("model.toughness", base, toughest))),
            round(modifier),
            reroll,
            critical,
        )

    def saves(self, victim: ModelFacts, ap: int) -> tuple[int, int, int]:
        facts = victim.characteristics
        kind = facts.get("InvOnly", 0)
        ward_base = 7 if kind and (kind == 1) == self.weapon.is_melee else facts.get("Inv", 7) or 7
        armour = self.victim_number("model.save", facts.get("Sv", 7), victim)
        ward = self.victim_number("model.invulnerable", ward_base, victim)
        return round(armour), ap, round(ward) or 7
