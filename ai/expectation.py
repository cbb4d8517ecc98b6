"""How much damage an attack does on average, exactly, from profiles and the rules in force.

Owns the arithmetic of one attack sequence as probabilities. It rolls nothing and chooses nothing.
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING

import msgspec

from engine.facts import ModelFacts, WeaponFacts
from engine.state import Unit
from engine.steps.amount import mean, parts
from engine.steps.wound import wound_need
from engine.view import View
from geometry.cached import cached_property

if TYPE_CHECKING:
    from engine.effect.question import Question

OF_VICTIMS = ("attack.reroll-invulnerable", "model.save", "model.invulnerable", "model.feel-no-pain")
"""The numbers that are asked of each model of a target by itself."""
OF_DEFENDERS = ("model.toughness", *OF_VICTIMS)
"""All that are asked of those who are attacked."""
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


class Hit(msgspec.Struct, frozen=True):
    """What a hit roll needs: skill (0 hits by itself), modifier, re-rolls (1 ones, 2 all), critical from."""

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
    if len(unit.rows) == len(unit.facts.models):
        return list(unit.facts.models)
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
    between = (attacker.id, target.id, facts.is_melee, rewarded)
    attacks = view.meanwhile(between, lambda: _Attacks(view, attacker, target, facts.is_melee, rewarded))
    victims = attacks.defenders.victims
    if not victims:
        return 0.0
    ask = _Asked(attacks, weapon, facts)
    hit, wound = ask.hit(keywords), ask.wound(keywords)
    ap = min(0, round(ask.number("weapon.ap", facts.ap)))
    bonus = round(ask.number("weapon.damage-modifier", 0))
    bonus += round(ability_number(keywords, "melta")) if half_range else 0
    sustained = ability_number(keywords, "sustained hits")
    lethal, devastating = "lethal hits" in keywords, "devastating wounds" in keywords
    hidden = frozenset[int]() if "ignores cover" in keywords else covered
    total, count = 0.0, 0
    for defence, rows in victims.items():
        one = damage_to_model(facts.damage, bonus, defence.wounds, defence.pain)
        hides = len(rows & hidden)
        for some, is_hidden in ((len(rows) - hides, False), (hides, True)):
            if some:
                save = save_chance(defence.armour, ap, defence.ward, is_hidden, defence.again)
                total += some * one * unsaved_per_attack(hit, wound, save, sustained, lethal, devastating)
        count += len(rows)
    return ask.attacks(keywords, half_range) * total / count


def _feel_no_pain(unit: Unit, model: ModelFacts) -> int:
    part = unit.facts.parts[model.part] if model.part < len(unit.facts.parts) else unit.bodyguard
    found = [a for a in part.abilities if a.startswith("feel no pain ")]
    return min((int(a.rsplit(" ", 1)[1].rstrip("+")) for a in found), default=7)


def _profiles(unit: Unit) -> list[list[ModelFacts]]:
    """Return the models on which attacks are put, those with the same characteristics together."""
    found: dict[Hashable, list[ModelFacts]] = {}
    for model in takes_the_wounds(unit):
        found.setdefault(tuple(model.characteristics.items()), []).append(model)
    return list(found.values())


class Defence(msgspec.Struct, frozen=True):
    """What stands between an attack and a model: its saves, what ignores wounds, and its wounds."""

    armour: int
    ward: int
    again: bool
    """An invulnerable save of 1 is rolled again."""
    pain: int
    wounds: int


class _Defenders:
    """Who is attacked, as the rules in force make them: what defends them, and how hard they are to hurt."""

    def __init__(self, view: View, attacker: Unit, target: Unit, melee: bool) -> None:
        self.view, self.attacker, self.target, self.melee = view, attacker, target, melee
        self._profiles = view.meanwhile(("profiles", target.id), lambda: _profiles(target))
        self.victims = self._defended()
        """The rows of the models on which the attacks are put, by what defends them."""

    @cached_property
    def toughness(self) -> int:
        """Return the highest Toughness of those on whom the attacks are put."""
        takers = (alike[0] for alike in self._profiles)
        toughest = max(takers, key=lambda m: m.characteristics.get("T", 4))
        base = toughest.characteristics.get("T", 4)
        return max(1, round(self._of(toughest).value("model.toughness", base)))

    @cached_property
    def is_stealthy(self) -> bool:
        """Return whether the target is harder to hit from afar. Rule: CORE.ABL.STEALTH"""
        return self.view.has_ability(self.target, "stealth")

    def _of(self, model: ModelFacts) -> Question:
        return self.view.about(
            attacker=self.attacker,
            target=self.target,
            unit=self.target,
            model=self.view.model(model.row),
            melee=self.melee,
        )

    def _defended(self) -> dict[Defence, frozenset[int]]:
        """Return rows by what defends them, asked once for a profile but for whom rules tell apart."""
        alone = self.view.singled_out(OF_VICTIMS)
        found: dict[Defence, frozenset[int]] = {}
        for alike in self._profiles:
            told = alike if alone is None else [model for model in alike if model.row in alone]
            rest = [model for model in alike if model not in told] if told else alike
            for models in [*([model] for model in told), *([rest] if rest else [])]:
                defence = self._defence(models[0])
                found[defence] = found.get(defence, frozenset()) | {model.row for model in models}
        return found

    def _defence(self, model: ModelFacts) -> Defence:
        facts, number = model.characteristics, self._of(model).value
        kind = facts.get("InvOnly", 0)
        ward = 7 if kind and (kind == 1) == self.melee else facts.get("Inv", 7) or 7
        return Defence(
            round(number("model.save", facts.get("Sv", 7))),
            round(number("model.invulnerable", ward)) or 7,
            number("attack.reroll-invulnerable", 0) > 0,
            round(number("model.feel-no-pain", _feel_no_pain(self.target, model))),
            facts.get("W", 1),
        )


class _Attacks:
    """What the rules in force make of the attacks of one unit on another, whatever the weapon."""

    def __init__(self, view: View, attacker: Unit, target: Unit, melee: bool, rewarded: bool | None) -> None:
        self.view, self.attacker, self.target, self.melee = view, attacker, target, melee
        self.rewarded = rewarded
        self.changed = view.changed()
        self._by_weapon = view.looking_at("weapon")
        self._questions: dict[int, Question] = {}
        self._numbers: dict[tuple[str, float, int], float] = {}
        # Whoever attacks, they defend themselves alike, unless a rule looks at who it is.
        whose = "" if view.looking_at("attacker").isdisjoint(OF_DEFENDERS) else attacker.id
        key = ("defenders", target.id, melee, whose)
        self.defenders = view.meanwhile(key, lambda: _Defenders(view, attacker, target, melee))

    def number(self, name: str, base: float, place: int, weapon: WeaponFacts) -> float:
        """Return a number of the attacks with a weapon: asked once for all that no rule tells apart."""
        place = place if name in self._by_weapon else -1
        key = (name, base, place)
        if key not in self._numbers:
            self._numbers[key] = self._question(place, weapon).value(name, base)
        return self._numbers[key]

    def _question(self, place: int, weapon: WeaponFacts) -> Question:
        if place not in self._questions:
            self._questions[place] = self.view.about(
                attacker=self.attacker,
                target=self.target,
                weapon=weapon,
                melee=self.melee,
                rewarded=self.rewarded,
            )
        return self._questions[place]


class _Asked:
    """The numbers of one weapon against one unit."""

    def __init__(self, attacks: _Attacks, place: int, weapon: WeaponFacts) -> None:
        self._attacks, self._place, self.weapon = attacks, place, weapon
        self.view, self.attacker, self.target = attacks.view, attacks.attacker, attacks.target

    def number(self, name: str, base: float) -> float:
        if name not in self._attacks.changed:
            return base
        return self._attacks.number(name, base, self._place, self.weapon)

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
        told = self._attacks.rewarded is not None
        still = told or self.attacker.marks.get("moved", "") == "remain-stationary"
        own = 1 if "heavy" in keywords and still else 0
        if not self.weapon.is_melee and self._attacks.defenders.is_stealthy:
            own -= 1
        modifier = self.number("attack.hit-modifier", own)
        return Hit(
            max(2, round(self.number("weapon.skill", self.weapon.skill))),
            round(modifier),
            round(self.number("attack.reroll-hit", 0)),
            round(self.number("attack.critical-hit", 6)),
            round(self.number("attack.minimum-hit", 0)),
        )

    def wound(self, keywords: tuple[str, ...]) -> Wound:
        lance = "lance" in keywords and "charged" in self.attacker.marks
        modifier = self.number("attack.wound-modifier", 1 if lance else 0)
        reroll = 2 if "twin-linked" in keywords else round(self.number("attack.reroll-wound", 0))
        critical = min(anti(keywords, self.target), round(self.number("attack.critical-wound", 6)))
        return Wound(
            round(self.number("weapon.strength", self.weapon.strength)),
            self._attacks.defenders.toughness,
            round(modifier),
            reroll,
            critical,
        )
