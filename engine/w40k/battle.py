"""A battle of an edition: the loop over its steps, with its table and its rules in force."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from datasheets.rule import Instead
from engine.core import event as ev
from engine.core.facts import UnitFacts
from engine.core.game import Game
from engine.core.request import Steps
from engine.core.state import Unit
from engine.records import interpreter
from engine.records.query import Query
from engine.records.rulebook import Rulebook
from engine.table.index import Index
from engine.w40k.edition import Edition
from engine.w40k.ground.tabletop import Tabletop


@dataclass
class Battle(Game):
    """A battle on a table, with the records of the rules that may come into force."""

    ruleset: Edition[Battle]
    rulebook: Rulebook = field(kw_only=True)
    mustered: tuple[UnitFacts, ...] = field(default=(), kw_only=True)
    """The players' units, in the order in which they are set up."""

    def wire(self) -> None:
        """Join the table and the rules in force to the state."""
        parameters = self.ruleset.parameters.under(self.rulings)
        self.query = Query(self, self.ruleset.language, float(parameters.roll_cap))
        self.field = Tabletop(self.state.position, parameters, self.query)
        self.near = Index(self.state.position)
        self.rules = RulesInForce(self)


class RulesInForce:
    """The rule records in force, as the loop over the steps asks for them."""

    def __init__(self, battle: Battle) -> None:
        """Answer for this battle."""
        self._battle = battle

    def fire(self, moment: str, event: ev.Event | None, names: Mapping[str, Any]) -> Steps[None]:
        """Carry out every `when` clause and hook in force whose moment this is."""
        return interpreter.fire(self._battle, moment, event, names)

    def instead(self, roll: str, unit: Unit | None) -> tuple[Instead, str] | None:
        """Return the first replacement in force of a roll of this kind, and its rule's clause.

        None where no rule replaces the roll.
        """
        found = self._battle.query.instead(roll, unit=unit)
        return None if found is None else (found.clause, found.rule.clause)

    def heed(self, event: ev.Event) -> None:
        """Notice an event, as other rules may be in force after it."""
        if self._battle.query.heed(event):
            self._battle.field.forget()
