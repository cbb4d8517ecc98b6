"""What the rules in force make of a number, a permission, a keyword: the value and how it came about.

Numbers are asked for, never stored changed. A question that no rule in force concerns costs a look-up.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from engine.core import event as ev
from engine.records.compiled import Replacement
from engine.records.context import Context
from engine.records.expression import Expression
from engine.records.hook import HOOKS
from engine.records.question import Number, Question
from engine.records.rulebook import Active, InForce
from engine.w40k.numbers import BESTOWED, ENHANCED, QUESTIONS
from engine.w40k.words.units import Vocabulary

if TYPE_CHECKING:
    from engine.core.state import Unit
    from engine.records.compiled import Gift, Reaction
    from engine.w40k.battle import Battle

CHANGES_RULES = (
    ev.Setup,
    ev.Placed,
    ev.Reserved,
    ev.Embarked,
    ev.Disembarked,
    ev.Arrived,
    ev.CardRevealed,
    ev.CardDiscarded,
    ev.SecretRevealed,
    ev.UnitDestroyed,
    ev.Removed,
    ev.Marked,
)
"""Events after which other rules may be in force."""
OF_A_UNIT = (ev.Reserved, ev.Embarked, ev.Disembarked, ev.Arrived, ev.UnitDestroyed)
"""Those of them that matter only for a unit that brings rules."""
PASSES = (ev.PhaseEnded, ev.TurnEnded, ev.RoundEnded)
"""Events with which rules end that are in force for a while."""


class Query:
    """The questions that steps put to the rules in force."""

    def __init__(self, battle: Battle) -> None:
        """Answer for this battle."""
        self._game = battle
        self.vocabulary = Vocabulary(battle)
        self._in_force: InForce | None = None
        self._sets = 0
        self.cap = float(battle.ruleset.parameters.roll_cap)

    @property
    def in_force(self) -> InForce:
        """Return the clauses in force."""
        if self._in_force is None:
            self._in_force = self._game.rulebook.in_force(self._game.state)
            self._sets += 1
            self._in_force.place = self._sets
        return self._in_force

    def heed(self, event: ev.Event) -> None:
        """Notice an event that has just been carried out, as it may change which rules are in force."""
        if isinstance(event, PASSES) and self._in_force is not None and self._in_force.passing:
            self._in_force = None
        if not isinstance(event, CHANGES_RULES):
            return
        if isinstance(event, ev.Marked) and not event.key.startswith(("fortified", BESTOWED, ENHANCED)):
            return
        if isinstance(event, ev.Placed | ev.Reserved) and event.facts is None and not _is_marker(event):
            return
        if isinstance(event, OF_A_UNIT) and not self._brings_rules(event.unit):
            return
        self._in_force = None
        if isinstance(event, ev.CardRevealed | ev.CardDiscarded | ev.Setup):
            self._game.field.forget()

    def _brings_rules(self, unit: str) -> bool:
        """Return whether a unit has rules of its own, or is under some."""
        known = self._game.state.position.units[unit]
        under = any(key.startswith((BESTOWED, ENHANCED)) for key in known.marks.values)
        return under or any(part.rules for part in known.facts.parts)

    def context(self, names: dict[str, Any], active: Active | None = None) -> Context:
        """Return the names given, with those of a rule's bearer."""
        return Context(self._game, names, active.names if active else None)

    def holds(self, condition: Expression | None, names: dict[str, Any], active: Active) -> bool:
        """Return whether a clause's condition holds."""
        return Question(self, names).holds(condition, active)

    # numbers

    def about(self, **context: Any) -> Question:
        """Return the question about one matter, of which several numbers are asked."""
        return Question(self, context)

    def number(self, name: str, base: float, **context: Any) -> Number:
        """Return a number as the rules in force change it, and how it came about."""
        return Question(self, context).number(name, base)

    # permissions

    def may(self, question: str, **context: Any) -> bool:
        """Return whether the rules in force allow it; what forbids outweighs what permits."""
        permitted = QUESTIONS[question]
        for verdict, active in self.in_force.questions.get(question, ()):
            if verdict.yes and permitted:
                continue
            if self.holds(verdict.condition, context, active):
                if not verdict.yes:
                    return False
                permitted = True
        return permitted

    # keywords and abilities

    def granted_keyword(self, unit: Unit, keyword: str) -> bool:
        """Return whether a rule in force gives the unit a keyword."""
        gifts = self.in_force.keywords.get(keyword)
        if not gifts:
            return False
        return any(self.holds(gift.condition, {"unit": unit}, active) for gift, active in gifts)

    def has_ability(self, unit: Unit, ability: str) -> str:
        """Return a core ability as printed on all of the unit's parts, or as granted; "" without it."""
        found = [_printed(part.abilities, ability) for part in unit.parts]
        if found and all(found):
            return found[0]
        for gift, active in self.in_force.abilities:
            if _is(gift.ability, ability) and self.holds(gift.condition, {"unit": unit}, active):
                return gift.ability
        return ""

    def rewards(self, unit: Unit) -> tuple[str, ...]:
        """Return the names of the rules that give the unit something for standing still. Rule: AI.STAY.3"""
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
    ) -> tuple[str, ...]:
        """Return a weapon's abilities, printed and granted; a printed one stands before its like."""
        facts = unit.weapon(weapon)
        gifts = self.in_force.weapons
        if not gifts:
            return facts.keywords
        question = self.about(
            attacker=unit,
            unit=unit,
            model=self._game.state.position.models[row],
            weapon=facts,
            target=target,
            melee=facts.is_melee,
            rewarded=rewarded,
        )
        return (*facts.keywords, *self._granted(gifts, question, facts.keywords))

    def giver(self, ability: str, printed: tuple[str, ...], **names: Any) -> str:
        """Return the clause of the rule that gives attacks an ability; nothing where it is printed."""
        if _bare(ability) in _all_bare(printed):
            return ""
        for gift, active in self.in_force.weapons:
            if _bare(gift.weapon) == _bare(ability) and self.holds(gift.condition, names, active):
                return active.rule.clause
        return ""

    def _granted(
        self, gifts: list[tuple[Gift, Active]], question: Question, printed: tuple[str, ...]
    ) -> list[str]:
        found: dict[str, str] = {}
        known = _all_bare(printed)
        for gift, active in gifts:
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
        return [
            (HOOKS[summons.hook], active)
            for summons, active in self.in_force.calls.get(moment, ())
            if self.holds(summons.condition, context, active)
        ]

    def instead(self, roll: str, **context: Any) -> Replacement | None:
        """Return the first rule in force that replaces a roll of this kind."""
        for replacement, active in self.in_force.rolls.get(roll, ()):
            if self.holds(replacement.condition, context, active):
                return replacement
        return None


def _is_marker(event: ev.Placed | ev.Reserved) -> bool:
    return isinstance(event, ev.Placed) and bool(event.marker)


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
