"""The rows of the Horde's spawning tables, each with its faction and its bracket.

It chooses none of them; `engine.horde.spawn_choice` does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from datasheets.schema import SpawnEntry, SpawnUnit

if TYPE_CHECKING:
    from datasheets.library import Library
    from engine.w40k.battle import Battle


class Row(msgspec.Struct, frozen=True):
    """An entry of a faction's spawning table, in its bracket."""

    faction: str
    bracket: int
    entry: SpawnEntry


def rows_of(battle: Battle, faction: str, bracket: int) -> list[Row]:
    """Return the rows of one bracket of a faction's table, in printed order."""
    entries = battle.library.spawn_table(faction).brackets.get(bracket, ())
    return [Row(faction, bracket, entry) for entry in entries]


def leaders_of(library: Library, entry: SpawnEntry, led: str) -> list[str]:
    """Return those of an entry's possible leaders that may lead this datasheet."""
    return [each for each in entry.possible_leaders if led in library.datasheet(each).leads]


def narrowed(entry: SpawnEntry, place: int, datasheets: tuple[str, ...]) -> SpawnEntry:
    """Return the entry with only these datasheets to choose from for the unit at this place."""
    unit = SpawnUnit(datasheets=datasheets, models=entry.units[place].models)
    return replace(entry, units=(*entry.units[:place], unit, *entry.units[place + 1 :]))


def led_by(entry: SpawnEntry, leader: str) -> SpawnEntry:
    """Return the entry with this leader chosen, and one choice less."""
    return replace(
        entry,
        leaders=(*entry.leaders, leader),
        leader_choices=entry.leader_choices - 1,
        possible_leaders=tuple(each for each in entry.possible_leaders if each != leader),
    )
