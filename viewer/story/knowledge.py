"""What is known of a battle beside its log: abilities, rules in force, cards' progress.

A recording knows the datasheets alone, and these only while its data is the program's; a battle that is
played knows the rest. Of other seats' secrets nothing is said. Rule: PLAY.9
"""

from __future__ import annotations

from dataclasses import dataclass, field

from datasheets.library import Library
from datasheets.rule import Rule
from datasheets.schema import Ability
from engine.core.facts import PartFacts, UnitFacts
from engine.core.state import Unit
from engine.w40k.acting import Acting, acting, progress
from engine.w40k.battle import Battle


@dataclass(slots=True)
class Knowledge:
    """A library, and a battle that is played; either may be missing."""

    library: Library | None = None
    game: Battle | None = None
    _known: dict[str, tuple[Ability, ...]] = field(default_factory=dict)
    """Abilities by datasheet, those of one that is not there among them."""

    def abilities(self, part: PartFacts) -> tuple[Ability, ...]:
        """Return the abilities of a part's datasheet with their status; none where it is not known."""
        if part.datasheet not in self._known:
            self._known[part.datasheet] = self._abilities(part.datasheet)
        return self._known[part.datasheet]

    def _abilities(self, datasheet: str) -> tuple[Ability, ...]:
        faction, library = datasheet.partition("/")[0], self.library
        # A situation may have units of no datasheet; the names nearest to theirs are not asked for.
        if library is None or faction not in library.factions():
            return ()
        known = datasheet in library.datasheet_ids(faction)
        return library.datasheet(datasheet).abilities if known else ()

    def rule(self, name: str) -> Rule | None:
        """Return a rule of the battle by its id or clause, None where it is not known."""
        if self.game is None or name not in self.game.rulebook:
            return None
        return self.game.rulebook.rule(name)

    def clause(self, clause: str) -> str:
        """Return what a clause of the rules says, in a sentence."""
        return self.library.summary(clause) if self.library is not None and clause else ""

    @property
    def mustered(self) -> tuple[UnitFacts, ...]:
        """Return the units of the players' armies, those to come among them."""
        return self.game.mustered if self.game is not None else ()

    def coming(self, unit: str) -> Unit | None:
        """Return a unit that is not in the battle yet, with all its models."""
        facts = next((each for each in self.mustered if each.id == unit), None)
        if facts is None:
            return None
        return Unit(facts=facts, rows=tuple(model.row for model in facts.models), where="to place")

    def unit(self, unit: str) -> Unit | None:
        """Return a unit as it is in the battle now."""
        return self.game.state.position.units.get(unit) if self.game is not None else None

    def acting(self, unit: str, row: int | None = None) -> tuple[Acting, ...]:
        """Return the rules that act on a unit now, or on a model of it."""
        known = self.unit(unit)
        return () if known is None or self.game is None else acting(self.game, known, row)

    def keywords(self, unit: str, row: int, weapon: int) -> tuple[str, ...] | None:
        """Return a weapon's abilities, printed and granted, None where the battle is not known."""
        known = self.unit(unit)
        if known is None or self.game is None or row not in known.rows:
            return None
        return self.game.query.weapon_keywords(known, row, weapon)

    def progress(self, card: str, seat: str = "") -> tuple[int, int] | None:
        """Return how far a card has come for a seat that may know it, and how far it has to come."""
        return progress(self.game, card, seat) if self.game is not None else None
