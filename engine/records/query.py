"""What the rules in force make of a number, a permission or a keyword, and how.

Numbers are asked for, never stored changed. A question that no rule in force concerns costs a look-up.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from engine.core.facts import WeaponFacts
from engine.core.state import Unit
from engine.records.clauses import Active, Clauses
from engine.records.compiled import Gift, Reaction, Replacement
from engine.records.current_rules import CurrentRules
from engine.records.expression import Expression
from engine.records.hook import HOOKS
from engine.records.question import Number, Question


class Query(CurrentRules):
    """The questions that steps put to the rules in force."""

    def holds(self, condition: Expression | None, names: dict[str, Any], active: Active) -> bool:
        """Return whether a clause's condition holds."""
        return condition is None or Question(self, names).holds(condition, active)

    # numbers

    def about(self, **context: Any) -> Question:
        """Return the question about one matter, of which several numbers are asked."""
        return Question(self, context)

    def number(self, name: str, base: float, **context: Any) -> Number:
        """Return a number as the rules in force change it, and how it came about."""
        return Question(self, context).number(name, base)

    def reach(self, unit: Unit, weapon: WeaponFacts) -> float:
        """Return how far a unit's weapon reaches, as the rules in force change it; 0 in melee."""
        return self.value("weapon.range", weapon.range or 0.0, unit=unit, attacker=unit, weapon=weapon)

    def value(self, name: str, base: float, **context: Any) -> float:
        """Return a number as the rules in force change it; without any of them it costs a look-up."""
        if name not in self.in_force.numbers and not self.language.numbers[name].capped:
            return base
        return Question(self, context).value(name, base)

    def are_asked(self, name: str) -> bool:
        """Return whether any rule in force may speak on a number or question."""
        return name in self.in_force.numbers or name in self.in_force.questions

    # permissions

    def may(self, question: str, **context: Any) -> bool:
        """Return whether the rules in force allow it; what forbids outweighs what permits."""
        if question not in self.in_force.questions:
            return self.language.questions[question]
        return self.about(**context).may(question)

    def may_apart_from(self, rule: str, question: str, **context: Any) -> bool:
        """Return whether the rules in force but the one of this id allow it."""
        return self.about(**context).may(question, rule)

    # keywords and abilities

    def granted_keyword(self, unit: Unit, keyword: str) -> bool:
        """Return whether a rule in force gives the unit a keyword."""
        gifts, names = self.in_force.keywords.get(keyword), {"unit": unit}
        if not gifts:
            return False
        return any(self.holds(gift.condition, names, active) for gift, active in gifts.about(names))

    def has_ability(self, unit: Unit, ability: str) -> str:
        """Return a core ability as printed on all of the unit's parts, or as granted; "" without it.

        A rule that forbids "have-ability" of an ability, its `what`, takes it from the unit.
        """
        if self.are_asked("have-ability") and not self.may("have-ability", unit=unit, what=ability):
            return ""
        found = [_printed(part.abilities, ability) for part in unit.parts]
        if found and all(found):
            return found[0]
        names = {"unit": unit}
        for gift, active in self.in_force.abilities.about(names):
            if _is(gift.ability, ability) and self.holds(gift.condition, names, active):
                return gift.ability
        return ""

    def rewards(self, unit: Unit) -> tuple[str, ...]:
        """Return the names of the rules that reward the unit for standing still. Rule: AI.STAY.3"""
        return tuple(
            active.rule.name
            for active in self.in_force.rewards
            if active.names.get("bearer") is None or active.names["bearer"] is unit
        )

    def weapon_keywords(
        self,
        unit: Unit,
        row: int,
        weapon: int,
        target: Unit | None = None,
        *,
        rewarded: bool | None = None,
        **scored: bool,
    ) -> tuple[str, ...]:
        """Return a weapon's abilities, printed and granted; a printed one stands before its like.

        `scored` names what the attacks have rolled: a critical hit, a critical wound.
        """
        facts = unit.weapon(weapon)
        gifts = self.in_force.weapons
        if not gifts:
            return facts.keywords
        question = self.about(
            attacker=unit,
            unit=unit,
            model=self._battle.state.position.models[row],
            weapon=facts,
            target=target,
            melee=facts.is_melee,
            rewarded=rewarded,
            **scored,
        )
        return (*facts.keywords, *self._granted(gifts, question, facts.keywords))

    def giver(self, ability: str, printed: tuple[str, ...], **names: Any) -> str:
        """Return the clause of the rule that gives attacks an ability; nothing where it is printed."""
        if _bare(ability) in _all_bare(printed):
            return ""
        for gift, active in self.in_force.weapons.about(names):
            if _bare(gift.weapon) == _bare(ability) and self.holds(gift.condition, names, active):
                return active.rule.clause
        return ""

    def _granted(self, gifts: Clauses[Gift], question: Question, printed: tuple[str, ...]) -> list[str]:
        found: dict[str, str] = {}
        known = _all_bare(printed)
        for gift, active in gifts.about(question.names):
            bare = _bare(gift.weapon)
            if bare not in known and bare not in found and question.holds(gift.condition, active):
                found[bare] = gift.weapon
        return list(found.values())

    # moments and rolls

    def reactions(self, moment: str) -> tuple[tuple[Reaction, Active], ...]:
        """Return the when clauses in force for a moment."""
        return tuple(self.in_force.moments.get(moment, ()))

    def calls(self, moment: str, **context: Any) -> list[tuple[Callable[..., Any], Active]]:
        """Return the hooks that the rules in force call at a moment."""
        known = self.in_force.calls.get(moment)
        return [
            (HOOKS[summons.hook], active)
            for summons, active in (known.about(context) if known else ())
            if self.holds(summons.condition, context, active)
        ]

    def instead(self, roll: str, **context: Any) -> Replacement | None:
        """Return the first rule in force that replaces a roll of this kind."""
        known = self.in_force.rolls.get(roll)
        for replacement, active in known.about(context) if known else ():
            if self.holds(replacement.condition, context, active):
                return replacement
        return None


@lru_cache(maxsize=1024)
def _printed(abilities: tuple[str, ...], name: str) -> str:
    return next((each for each in abilities if _is(each, name)), "")


def _is(ability: str, name: str) -> bool:
    return ability == name or ability.startswith(name + " ")


@lru_cache(maxsize=1024)
def _bare(ability: str) -> str:
    """Return a weapon ability without its number: abilities that are alike so are the same one."""
    words = ability.split()
    return " ".join(words[:-1]) if len(words) > 1 and any(c.isdigit() for c in words[-1]) else ability


@lru_cache(maxsize=1024)
def _all_bare(abilities: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(_bare, abilities))
