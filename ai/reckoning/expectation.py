"""How much damage an attack does on average, from profiles and the rules in force.

Owns what is asked of the rules for it; the arithmetic is `ai.reckoning.odds`'. It rolls nothing and chooses
nothing.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from ai.reckoning.odds import Defence, Odds, dealt
from ai.reckoning.spread import Spread, spread_of
from engine.core.facts import ModelFacts, WeaponFacts
from engine.core.state import Unit
from engine.records.clauses import DEFENDS
from engine.w40k.numbers import OF_ATTACKS
from engine.w40k.view import View

if TYPE_CHECKING:
    from engine.records.question import Question

OF_VICTIMS = (
    "attack.reroll-invulnerable",
    "attack.reroll-save",
    "model.save",
    "model.invulnerable",
    "model.feel-no-pain",
    "roll.armour-modifier",
)
"""The numbers that are asked of each model of a target by itself."""
OF_DEFENDERS = ("model.toughness", *OF_VICTIMS)
"""All numbers that are asked of a target."""


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


def anti(keywords: tuple[str, ...], target: Unit) -> int:
    """Return the roll from which a wound is critical through Anti against this unit; 7 for none."""
    best = 7
    for keyword in keywords:
        if keyword.startswith("anti-"):
            what, _, number = keyword[5:].rpartition(" ")
            if target.has(what.upper()):
                best = min(best, int(number.rstrip("+")))
    return best


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
    """Return the mean wounds that a model's weapon costs the target.

    They are not limited by the number of the target's models. `covered` are the rows of its models that have
    cover. With `rewarded` the attacker stands still, and has (True) or has not (False) what its abilities
    give for it.
    """
    return dealt(*_attack(view, attacker, row, weapon, target, half_range, covered, rewarded))


def expected_spread(
    view: View,
    attacker: Unit,
    row: int,
    weapon: int,
    target: Unit,
    *,
    half_range: bool = False,
    covered: frozenset[int] = frozenset(),
) -> Spread:
    """Return the chances of each number of wounds of which `expected_damage` is the mean."""
    return spread_of(*_attack(view, attacker, row, weapon, target, half_range, covered, None))


def _attack(
    view: View,
    attacker: Unit,
    row: int,
    weapon: int,
    target: Unit,
    half_range: bool,
    covered: frozenset[int],
    rewarded: bool | None,
) -> tuple[WeaponFacts, tuple[str, ...], bool, int, tuple[int, ...], Odds]:
    """Return what `dealt` asks about a model's weapon at a target."""
    facts = attacker.weapon(weapon)
    keywords = view.weapon_keywords(attacker, row, weapon, target, rewarded=rewarded)
    between = (attacker.id, target.id, facts.is_melee, rewarded)
    attacks = view.meanwhile(between, lambda: _Attacks(view, attacker, target, facts.is_melee, rewarded))
    victims = attacks.defenders(weapon).victims if covered else {}
    hidden = tuple(len(rows & covered) for rows in victims.values())
    return facts, keywords, half_range, anti(keywords, target), hidden, attacks.odds(row, weapon)


def _feel_no_pain(unit: Unit, model: ModelFacts) -> int:
    part = unit.facts.parts[model.part] if model.part < len(unit.facts.parts) else unit.bodyguard
    found = [a for a in part.abilities if a.startswith("feel no pain ")]
    return min((int(a.rsplit(" ", 1)[1].rstrip("+")) for a in found), default=7)


def _is_half_warded(unit: Unit) -> bool:
    """Return whether an invulnerable save of the unit holds against attacks of one kind only."""
    return any("InvOnly" in model.characteristics for model in unit.facts.models)


def _profiles(unit: Unit) -> list[list[ModelFacts]]:
    """Return the models on which attacks are put, those with the same characteristics together."""
    found: dict[Hashable, list[ModelFacts]] = {}
    for model in takes_the_wounds(unit):
        found.setdefault(tuple(model.characteristics.items()), []).append(model)
    return list(found.values())


class _Defenders:
    """A target as the rules in force make it: what defends its models, and their Toughness."""

    def __init__(self, view: View, attacker: Unit, target: Unit, weapon: WeaponFacts) -> None:
        self._view, self._target, self._melee = view, target, weapon.is_melee
        self._names = {"attacker": attacker, "target": target, "unit": target, "weapon": weapon}
        self._names |= {"melee": weapon.is_melee, "attack": True}
        self._profiles = view.remembered(("profiles", target.rows), lambda: _profiles(target))
        self._looks_at_models = "model" in view.looked_at(OF_DEFENDERS, target, DEFENDS)
        self._question: Question | None = None
        self.victims = self._defended()
        """The rows of the models on which the attacks are put, by what defends them."""
        self.defences = tuple((defence, len(rows)) for defence, rows in self.victims.items())
        self.toughness = self._toughness() if self.victims else 1
        self.is_stealthy = view.has_ability(target, "stealth")

    def _toughness(self) -> int:
        """Return the highest Toughness of the models on which the attacks are put."""
        takers = (alike[0] for alike in self._profiles)
        toughest = max(takers, key=lambda m: m.characteristics.get("T", 4))
        base = toughest.characteristics.get("T", 4)
        return max(1, round(self._of(toughest).value("model.toughness", base)))

    def _of(self, model: ModelFacts) -> Question:
        """Return the question about a model; one for all where no rule tells models apart."""
        if self._question is None or self._looks_at_models:
            self._question = self._view.about(**self._names, model=self._view.model(model.row))
        return self._question

    def _defended(self) -> dict[Defence, frozenset[int]]:
        """Return the rows of the target's models by what defends them.

        It is asked once for a profile, but for each model that rules tell apart.
        """
        alone = self._view.singled_out(OF_VICTIMS, self._target, DEFENDS)
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
        ward = 7 if kind and (kind == 1) == self._melee else facts.get("Inv", 7) or 7
        return Defence(
            round(number("model.save", facts.get("Sv", 7))),
            round(number("model.invulnerable", ward)) or 7,
            number("attack.reroll-invulnerable", 0) > 0,
            round(number("model.feel-no-pain", _feel_no_pain(self._target, model))),
            facts.get("W", 1),
            always=number("attack.reroll-save", 0) > 0,
            eased=round(number("roll.armour-modifier", 0)),
        )


class _Attacks:
    """What the rules in force make of the attacks of one unit on another."""

    def __init__(self, view: View, attacker: Unit, target: Unit, melee: bool, rewarded: bool | None) -> None:
        self._view, self._attacker, self._target = view, attacker, target
        self._melee, self._rewarded = melee, rewarded
        looked = view.looked_at(OF_DEFENDERS, target, DEFENDS)
        # Models defend themselves alike against all attackers and kinds of attack, unless a rule or a save
        # looks at these.
        whose = attacker.id if "attacker" in looked else ""
        how = melee if "melee" in looked or _is_half_warded(target) else None
        self._key = ("defenders", target.id, how, whose)
        self._tells_weapons = "weapon" in looked
        self._by_weapon = "weapon" in view.looked_at(OF_ATTACKS, attacker)
        self._odds: dict[tuple[int, int], Odds] = {}

    def defenders(self, weapon: int) -> _Defenders:
        """Return what defends against a weapon, made out once for weapons that are alike."""
        facts = self._attacker.weapon(weapon)
        key = (*self._key, facts if self._tells_weapons else None)
        return self._view.meanwhile(key, lambda: _Defenders(self._view, self._attacker, self._target, facts))

    def odds(self, row: int, weapon: int) -> Odds:
        """Return the odds of a model's attacks with a weapon, asked once for models that are alike."""
        alike = (
            self._view.told_by(self._attacker, row, OF_ATTACKS),
            weapon if self._by_weapon or self._tells_weapons else -1,
        )
        if alike not in self._odds:
            self._odds[alike] = self._of(row, weapon)
        return self._odds[alike]

    def _of(self, row: int, weapon: int) -> Odds:
        marks, defenders = self._attacker.marks, self.defenders(weapon)
        first = next(iter(takes_the_wounds(self._target)), None)
        question = self._view.about(
            attacker=self._attacker,
            target=self._target,
            weapon=self._attacker.weapon(weapon),
            melee=self._melee,
            model=self._view.model(row),
            rewarded=self._rewarded,
            victim=None if first is None else self._view.model(first.row),
        )
        return Odds(
            question.effects(OF_ATTACKS),
            self._view.parameters.roll_cap,
            defenders.defences,
            defenders.toughness,
            defenders.is_stealthy and not question.spares("attack.hit-modifier"),
            self._rewarded is not None or marks.get("moved", "") == "remain-stationary",
            "charged" in marks,
            len(self._target.rows),
        )
