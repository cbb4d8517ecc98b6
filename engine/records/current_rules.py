"""The clauses in force in a battle at this moment.

They are found again after each event that may change them.
"""

from __future__ import annotations

from typing import Any

from engine.core import event as ev
from engine.core.marks import BESTOWED, ENHANCED
from engine.records.clauses import Active
from engine.records.context import Context
from engine.records.evaluator import Evaluator
from engine.records.language import Language
from engine.records.rulebook import InForce, Ruled
from geometry.shape.cached import cached_property

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
    ev.Returned,
    ev.UnitDestroyed,
    ev.Removed,
    ev.Marked,
)
"""Events after which other rules may be in force."""
OF_A_UNIT = (ev.Reserved, ev.Embarked, ev.Disembarked, ev.Arrived, ev.Returned, ev.UnitDestroyed)
"""Those of them that matter only for a unit that brings rules."""
OF_CARDS = (ev.Setup, ev.CardRevealed, ev.CardDiscarded)
"""Those of them after which the rules may make something else of the whole table."""
PASSES = (ev.PhaseEnded, ev.TurnEnded, ev.RoundEnded, ev.TurnBegan, ev.PhaseBegan)
"""Events with which rules end that are in force for a while."""
OF_CARRIERS = (ev.Destroyed, ev.Returned)
"""Events after which the rules of wargear may be in force, or no longer."""


class CurrentRules:
    """The clauses in force, and what evaluates their expressions."""

    def __init__(self, battle: Ruled, language: Language, cap: float) -> None:
        """Take what rules are in force on.

        `cap` bounds the modifiers of a roll, either way. Rule: CORE.DICE.3
        """
        self._battle = battle
        self._sets = 0
        self.language = language
        evaluator = Evaluator(language, battle)
        self.evaluate = evaluator.evaluate
        self.select = evaluator.select
        self.cap = cap

    @cached_property
    def in_force(self) -> InForce:
        """Return the clauses in force, found once until an event may have changed them."""
        found = self._battle.rulebook.in_force(self._battle.state)
        self._sets += 1
        found.place = self._sets
        return found

    def _find_again(self) -> None:
        """Find the clauses in force anew when they are next asked for."""
        self.__dict__.pop("in_force", None)

    def context(self, names: dict[str, Any], active: Active | None = None) -> Context:
        """Return the names given, with those of a rule's bearer."""
        return Context(self._battle.state, names, active.names if active else None)

    def heed(self, event: ev.Event) -> bool:
        """Notice an event that has just been carried out, as it may change which rules are in force.

        Return whether the rules may make something else of the whole table now.
        """
        kind = type(event)
        if kind in PASSES and "in_force" in self.__dict__ and self.in_force.passing:
            self._find_again()
        if isinstance(event, OF_CARRIERS) and self._brings_gear(event.unit):
            self._find_again()
        if kind not in CHANGES_RULES:
            return False
        if isinstance(event, ev.Marked) and not event.key.startswith(("fortified", BESTOWED, ENHANCED)):
            return False
        if isinstance(event, ev.Placed | ev.Reserved) and event.facts is None and not _is_marker(event):
            return False
        if isinstance(event, OF_A_UNIT) and not self._brings_rules(event.unit):
            return False
        self._find_again()
        return kind in OF_CARDS

    def _brings_gear(self, unit: str) -> bool:
        """Return whether a unit has rules of wargear."""
        parts = self._battle.state.position.units[unit].facts.parts
        return any(self._battle.rulebook.rule(name).wargear for part in parts for name in part.rules)

    def _brings_rules(self, unit: str) -> bool:
        """Return whether a unit has rules of its own, or is under some."""
        known = self._battle.state.position.units[unit]
        under = any(key.startswith((BESTOWED, ENHANCED)) for key in known.marks.values)
        return under or any(part.rules for part in known.facts.parts)


def _is_marker(event: ev.Placed | ev.Reserved) -> bool:
    return isinstance(event, ev.Placed) and bool(event.marker)
