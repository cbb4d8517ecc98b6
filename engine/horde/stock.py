"""The models that the Horde may still field beside what is in play.

Owns which datasheets are barred, that of an epic hero there is one, and the players' collection.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import TYPE_CHECKING

from datasheets.schema import SpawnEntry
from engine.core.facts import HORDE
from engine.horde.spawn_row import leaders_of

if TYPE_CHECKING:
    from engine.w40k.battle import Battle

BARRED = ("AIRCRAFT", "FORTIFICATION")
"""Barred from spawning, as the text advises; a ruling lets the first in. Rule: ARMY.9"""
IN_PLAY = ("table", "reserves", "embarked")
"""Where units are whose models cannot be fielded a second time."""


class Stock:
    """The models of the Horde that are not in play now. Rule: ARMY.9, SP.R6"""

    def __init__(self, battle: Battle) -> None:
        """Count the living models of the Horde's units in play, by datasheet."""
        self._library = battle.library
        self._owned = battle.state.collection
        self._barred = BARRED[1:] if battle.ruling("spawn.aircraft") == "yes" else BARRED
        position = battle.state.position
        self._used = Counter(
            unit.facts.parts[model.facts.part].datasheet
            for unit in position.units.values()
            if unit.side == HORDE and unit.where in IN_PLAY
            for model in position.alive(unit)
        )

    def in_play(self, datasheet: str) -> bool:
        """Return whether a model of the datasheet is in play."""
        return self._used[datasheet] > 0

    def bars(self, entry: SpawnEntry) -> bool:
        """Return whether the entry cannot come for what its datasheets are, whatever is in play."""
        return any(all(map(self._is_barred, unit.datasheets)) for unit in entry.units)

    def _is_barred(self, datasheet: str) -> bool:
        sheet = self._library.datasheet(datasheet)
        return any(sheet.has(word) for word in self._barred)

    def covers(self, entries: Sequence[SpawnEntry]) -> bool:
        """Return whether all these entries can come together, for some choice."""
        return self._cover(entries, Counter())

    def _cover(self, entries: Sequence[SpawnEntry], taken: Counter[str]) -> bool:
        if not entries:
            return True
        return any(self._cover(entries[1:], after) for after in self._ways(entries[0], taken))

    def _ways(self, entry: SpawnEntry, taken: Counter[str]) -> Iterator[Counter[str]]:
        """Yield all that is taken after an entry, for each choice of its datasheets and leaders."""
        for sheets in product(*(dict.fromkeys(unit.datasheets) for unit in entry.units)):
            wanted = taken.copy()
            for sheet, unit in zip(sheets, entry.units, strict=True):
                self._add(wanted, sheet, unit.models)
            for leader in entry.leaders:
                self._add(wanted, leader, 1)
            if not self._suffices(wanted):
                continue
            able = leaders_of(self._library, entry, sheets[0])
            for leaders in combinations(able, entry.leader_choices):
                after = wanted.copy()
                for leader in leaders:
                    self._add(after, leader, 1)
                if self._suffices(after):
                    yield after

    def _add(self, wanted: Counter[str], datasheet: str, models: int) -> None:
        wanted[datasheet] += self._library.datasheet(datasheet).unit_size.nearest(models)

    def _suffices(self, wanted: Counter[str]) -> bool:
        return all(self._has(sheet, models) for sheet, models in wanted.items())

    def _has(self, datasheet: str, models: int) -> bool:
        """Return whether this many models of a datasheet may come."""
        if self._is_barred(datasheet):
            return False
        sheet = self._library.datasheet(datasheet)
        if sheet.has("EPIC HERO") and (self.in_play(datasheet) or models > sheet.unit_size.maximum):
            return False
        return self._owned is None or self._used[datasheet] + models <= self._owned.get(datasheet, 0)
