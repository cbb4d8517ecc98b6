"""What the rules in force make of a number, a permission, a keyword: the value and how it came about.

Numbers are asked for, never stored changed. A question that no rule in force concerns costs a look-up.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine import event as ev
from engine.effect.compiled import Change, Replacement
from engine.effect.context import Context
from engine.effect.expression import Expression
from engine.effect.hook import HOOKS
from engine.effect.names import BESTOWED, CAPPED, CEILINGS, ENHANCED, FLOORS, LOWER_IS_BETTER, QUESTIONS
from engine.effect.rulebook import Active, InForce
from engine.effect.vocabulary import Vocabulary
from engine.event import Trail
from geometry.base import TOLERANCE

if TYPE_CHECKING:
    from engine.effect.compiled import Gift, Reaction
    from engine.game import Game
    from engine.state import Unit

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
PASSES = (ev.PhaseEnded, ev.TurnEnded, ev.RoundEnded)
"""Events with which rules end that are in force for a while."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number as the rules in force make it, and its trail."""

    value: float
    trail: Trail

    @property
    def source(self) -> str:
        """Return the first clause that made it what it is, nothing where none changed it."""
        return next((rule for rule, value in self.trail.steps if value == self.value), "")


class Query:
    """The questions that steps put to the rules in force."""

    def __init__(self, game: Game) -> None:
        """Answer for this battle."""
        self._game = game
        self.vocabulary = Vocabulary(game)
        self._in_force: InForce | None = None
        self._cap = float(game.ruleset.knobs.roll_cap)

    @property
    def in_force(self) -> InForce:
        """Return the clauses in force."""
        if self._in_force is None:
            self._in_force = self._game.rulebook.in_force(self._game.state)
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
        self._in_force = None
        if isinstance(event, ev.CardRevealed | ev.CardDiscarded | ev.Setup):
            self._game.field.forget()

    def context(self, names: dict[str, Any], active: Active | None = None) -> Context:
        """Return the names given, with those of a rule's bearer."""
        return Context(self._game, {**names, **active.names} if active else names)

    def holds(self, condition: Expression | None, names: dict[str, Any], active: Active) -> bool:
        """Return whether a clause's condition holds."""
        if condition is None:
            return True
        return bool(self.vocabulary.evaluate(condition, self.context(names, active)))

    # numbers

    def number(self, name: str, base: float, **context: Any) -> Number:
        """Return a number as the rules in force change it. Rule: CORE.DICE.3, CORE.DICE.5, CORE.ABL.AURA"""
        clauses = self.in_force.numbers.get(name)
        if clauses is None:
            value = max(-self._cap, min(self._cap, base)) if name in CAPPED else base
            return Number(value, Trail(number=name, base=float(base), value=float(value)))
        value, steps = self._worked_out(name, float(base), clauses, context)
        return Number(value, Trail(number=name, base=float(base), value=value, steps=tuple(steps)))

    def is_fixed(self, name: str) -> bool:
        """Return whether no rule in force changes this number."""
        return name not in self.in_force.numbers

    def value(self, name: str, base: float, **context: Any) -> float:
        """Return a number as the rules in force change it, without how it came about."""
        clauses = self.in_force.numbers.get(name)
        if clauses is None:
            return max(-self._cap, min(self._cap, base)) if name in CAPPED else base
        return self._worked_out(name, float(base), clauses, context)[0]

    def _worked_out(
        self, name: str, value: float, clauses: list[tuple[Change, Active]], names: dict[str, Any]
    ) -> tuple[float, list[tuple[str, float]]]:
        """Return a number after each change in turn, and the clauses that changed it."""
        steps: list[tuple[str, float]] = []
        auras: set[tuple[str, int]] = set()
        for change, active in clauses:
            if self.holds(change.condition, names, active) and _is_new(active, change, auras):
                value = self._changed(name, value, change, names, active)
                steps.append((active.rule.clause, value))
        return self._bounded(name, value, changed=bool(steps)), steps

    def _changed(
        self, name: str, value: float, change: Change, names: dict[str, Any], active: Active
    ) -> float:
        by = change.by
        if isinstance(by, Expression):
            by = float(self.vocabulary.evaluate(by, self.context(names, active)))
        if change.how == "set":
            return float(by)
        if change.how == "multiply":
            # Fractions round up. Rule: CORE.DICE.2
            return float(math.ceil(value * by - TOLERANCE))
        if change.how == "at_least":
            return max(value, float(by))
        if change.how == "at_most":
            return min(value, float(by))
        down = (change.how == "improve") == (name in LOWER_IS_BETTER) and change.how != "add"
        return value - by if down else value + by

    def _bounded(self, name: str, value: float, changed: bool) -> float:
        if name in CAPPED:
            return max(-self._cap, min(self._cap, value))
        if not changed:
            return value
        value = max(value, FLOORS.get(name, value))
        return min(value, CEILINGS.get(name, value))

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
        names = {
            "attacker": unit,
            "unit": unit,
            "model": self._game.state.models[row],
            "weapon": facts,
            "target": target,
            "melee": facts.is_melee,
            "rewarded": rewarded,
        }
        return (*facts.keywords, *self._granted(gifts, names, facts.keywords))

    def giver(self, ability: str, printed: tuple[str, ...], **names: Any) -> str:
        """Return the clause of the rule that gives attacks an ability; nothing where it is printed."""
        if any(_same(ability, each) for each in printed):
            return ""
        for gift, active in self.in_force.weapons:
            if _same(gift.weapon, ability) and self.holds(gift.condition, names, active):
                return active.rule.clause
        return ""

    def _granted(
        self, gifts: list[tuple[Gift, Active]], names: dict[str, Any], printed: tuple[str, ...]
    ) -> list[str]:
        found: list[str] = []
        for gift, active in gifts:
            known = any(_same(gift.weapon, each) for each in (*printed, *found))
            if not known and self.holds(gift.condition, names, active):
                found.append(gift.weapon)
        return found

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


def _is_new(active: Active, change: Change, auras: set[tuple[str, int]]) -> bool:
    """Return whether a change counts: of an aura only once, by however many bearers. Rule: CORE.ABL.AURA"""
    if not active.rule.aura:
        return True
    key = (active.rule.name, active.compiled.changes.index(change))
    counts = key not in auras
    auras.add(key)
    return counts


def _is_marker(event: ev.Placed | ev.Reserved) -> bool:
    return isinstance(event, ev.Placed) and bool(event.marker)


def _printed(abilities: tuple[str, ...], name: str) -> str:
    return next((each for each in abilities if _is(each, name)), "")


def _is(ability: str, name: str) -> bool:
    return ability == name or ability.startswith(name + " ")


def _same(a: str, b: str) -> bool:
    """Return whether two weapon abilities are the same one, whatever their numbers."""
    return _bare(a) == _bare(b)


def _bare(ability: str) -> str:
    words = ability.split()
    return " ".join(words[:-1]) if len(words) > 1 and any(c.isdigit() for c in words[-1]) else ability
