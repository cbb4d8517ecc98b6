"""Counts of abilities of datasheets: how many are simulated, how many not and why.

Owns the counting alone: the status of each ability is the library's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from datasheets.library import Library
from datasheets.schema import Ability, Datasheet


@dataclass(frozen=True)
class Tally:
    """How many abilities of some datasheets have each status, each counted on each datasheet."""

    datasheets: int
    modelled: int
    hooked: int
    unmodelled: int
    waiting: int
    """For an army rule's resource."""
    without_effect: int
    """In battle."""
    reasons: dict[str, int]
    """How many abilities are not simulated, by the reason."""

    @property
    def abilities(self) -> int:
        """Return the number of all abilities."""
        return self.modelled + self.hooked + self.unmodelled + self.waiting + self.without_effect


def tally(sheets: Iterable[Datasheet], *, fielded_by_horde: bool = False) -> Tally:
    """Return the counts of some datasheets; the Horde's are without army rules. Rule: PLAY.6"""
    sheets = tuple(sheets)
    abilities = [each for sheet in sheets for each in _abilities(sheet, fielded_by_horde)]
    counted = Counter(each.status for each in abilities)
    reasons = Counter(each.reason for each in abilities if each.reason)
    return Tally(
        datasheets=len(sheets),
        modelled=counted["modelled"],
        hooked=counted["hooked"],
        unmodelled=counted["unmodelled"],
        waiting=counted["waiting"],
        without_effect=counted["no effect"],
        reasons=dict(reasons.most_common()),
    )


def current(library: Library, faction: str) -> tuple[Datasheet, ...]:
    """Return the faction's datasheets that are no Legends, in order of id."""
    return tuple(sheet for sheet in library.datasheets(faction) if not sheet.legends)


def spawned(library: Library, faction: str) -> tuple[Datasheet, ...]:
    """Return the datasheets that the faction's spawning table can bring, Legends among them."""
    return tuple(library.datasheet(each) for each in library.spawn_table(faction).datasheets)


def _abilities(sheet: Datasheet, fielded_by_horde: bool) -> tuple[Ability, ...]:
    return sheet.abilities_of_horde if fielded_by_horde else sheet.abilities
