"""The numbers that the rules in force make of one matter, and how each came about.

Owns how clauses change a number. Which clauses are in force is `engine.records.query`'s.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import msgspec

from engine.core.event import NumberTrail
from engine.core.marks import place_of
from engine.records.clauses import Active, Clauses
from engine.records.compiled import Change
from engine.records.context import Context
from engine.records.current_rules import CurrentRules
from engine.records.expression import CONTEXT, Expression
from engine.records.language import NumberLimits
from geometry.tolerance import TOLERANCE

Effect = tuple[str, float]
"""How a number is changed, and by what: ("add", 1.0)."""


class Number(msgspec.Struct, frozen=True):
    """A number as the rules in force make it, and its trail."""

    value: float
    trail: NumberTrail

    @property
    def source(self) -> str:
        """Return the first clause that made it what it is, nothing where none changed it."""
        return next((rule for rule, value in self.trail.steps if value == self.value), "")


class Question:
    """A question about one matter, such as an attack or a model.

    It serves for all the numbers that are asked of the matter.
    """

    __slots__ = ("_plain", "_rules", "_seen", "names")

    def __init__(self, rules: CurrentRules, names: dict[str, Any]) -> None:
        """Ask the rules in force about the things of these names."""
        self._rules = rules
        self.names = names
        self._plain: Context | None = None
        self._seen: dict[int, tuple[Active, Context]] = {}

    def number(self, name: str, base: float) -> Number:
        """Return a number as the rules in force change it.

        Rule: CORE.DICE.3, CORE.DICE.5, CORE.ABL.AURA
        """
        clauses = self._rules.in_force.numbers.get(name)
        if not clauses:
            return _unchanged(name, self._rules.language.numbers[name], base, self._rules.cap)
        limits, holding, steps = self._rules.language.numbers[name], self._holding(name, clauses), []
        before = after = float(base)
        for effect, active in holding:
            after = _after(limits, after, effect)
            steps.append((active.rule.clause, after))
        value = changed(limits, before, [effect for effect, _ in holding], self._rules.cap)
        return Number(value, NumberTrail(number=name, base=before, value=value, steps=tuple(steps)))

    def value(self, name: str, base: float) -> float:
        """Return a number as the rules in force change it, without how it came about."""
        clauses = self._rules.in_force.numbers.get(name)
        limits = self._rules.language.numbers[name]
        return changed(limits, base, self._effects(name, clauses) if clauses else (), self._rules.cap)

    def effects(self, names: Sequence[str]) -> tuple[tuple[Effect, ...], ...]:
        """Return how the rules in force change each of some numbers, whatever these are before."""
        known = self._rules.in_force.numbers
        return tuple([self._effects(name, known[name]) if name in known else () for name in names])

    def _effects(self, name: str, clauses: Clauses[Change]) -> tuple[Effect, ...]:
        return tuple([effect for effect, _ in self._holding(name, clauses)])

    def spares(self, name: str) -> bool:
        """Return whether a rule in force leaves out what worsens a number, as its player would."""
        question = self._rules.language.numbers[name].ignored_by
        return bool(question) and question in self._rules.in_force.questions and self.may(question)

    def may(self, question: str, but: str = "") -> bool:
        """Return whether the rules in force allow it; what forbids outweighs what permits.

        The rule of the id `but` has no say.
        """
        permitted = self._rules.language.questions[question]
        known = self._rules.in_force.questions.get(question)
        for verdict, active in known.about(self.names) if known else ():
            if (verdict.yes and permitted) or active.rule.id == but:
                continue
            if self.holds(verdict.condition, active):
                if not verdict.yes:
                    return False
                permitted = True
        return permitted

    def holds(self, condition: Expression | None, active: Active) -> bool:
        """Return whether a clause's condition holds."""
        if condition is None:
            return True
        # The names of the rule's bearer count before others.
        here, own = self.names, active.names
        for name, bearer in condition.same:
            if own.get(name, here.get(name)) is not own.get(bearer, here.get(bearer)):
                return False
        return bool(self._rules.evaluate(condition, self._seen_by(active, condition)))

    def _seen_by(self, active: Active, asks: Expression) -> Context:
        """Return the names in sight of a rule: the question's and, if it asks, its bearer's."""
        if CONTEXT not in asks.names and asks.names.isdisjoint(active.names):
            if self._plain is None:
                self._plain = self._rules.context(self.names)
            return self._plain
        known = self._seen.get(id(active))
        if known is None:
            known = self._seen[id(active)] = active, self._rules.context(self.names, active)
        return known[1]

    def _holding(self, name: str, clauses: Clauses[Change]) -> list[tuple[Effect, Active]]:
        """Return what a number's clauses do whose conditions hold, without what it is spared."""
        seen: set[tuple[str, int, str]] = set()
        found = [
            ((change.how, self._by(change, active)), active)
            for change, active in clauses.about(self.names)
            if self.holds(change.condition, active) and _is_new(active, change, seen)
        ]
        if not found or not self.spares(name):
            return found
        worsens = self._rules.language.numbers[name].worsens
        return [each for each in found if not worsens(*each[0])]

    def _by(self, change: Change, active: Active) -> float:
        if isinstance(change.by, Expression):
            return float(self._rules.evaluate(change.by, self._seen_by(active, change.by)))
        return change.by


def changed(limits: NumberLimits, base: float, effects: Sequence[Effect], cap: float) -> float:
    """Return a number after these changes; a roll's modifier is at most `cap` either way."""
    value = base
    for effect in effects:
        value = _after(limits, float(value), effect)
    if limits.capped:
        return max(-cap, min(cap, value))
    if effects and limits.floor is not None:
        value = max(value, limits.floor)
    return value if limits.ceiling is None or not effects else min(value, limits.ceiling)


def _after(limits: NumberLimits, value: float, effect: Effect) -> float:
    how, by = effect
    if how == "set":
        return float(by)
    if how == "multiply":
        # Fractions round up. Rule: CORE.DICE.2
        return float(math.ceil(value * by - TOLERANCE))
    if how == "at_least":
        return max(value, float(by))
    if how == "at_most":
        return min(value, float(by))
    down = (how == "improve") == limits.lower_is_better and how != "add"
    return value - by if down else value + by


def _is_new(active: Active, change: Change, seen: set[tuple[str, int, str]]) -> bool:
    """Return whether a change counts: of an aura, or a state of a unit, only once.

    However many bear the aura, or have bestowed the state. Rule: CORE.ABL.AURA
    """
    if active.rule.aura:
        on = ""
    elif active.compiled.names_giver:
        on = place_of(active.names["bearer"])
    else:
        return True
    key = (active.rule.name, active.compiled.changes.index(change), on)
    counts = key not in seen
    seen.add(key)
    return counts


@lru_cache(maxsize=1024, typed=True)
def _unchanged(name: str, limits: NumberLimits, base: float, cap: float) -> Number:
    """Return a number that no clause changes, with its trail.

    Answers are kept, because most are asked for again and again.
    """
    value = changed(limits, base, (), cap)
    return Number(value, NumberTrail(number=name, base=float(base), value=float(value)))
