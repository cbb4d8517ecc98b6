"""The units that come aboard a full transport: the rows that may ride, and the one drawn.

It sets nobody up; `engine.horde.steps.spawn` does. Rule: SPAWN.4, R.A98
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from datasheets.hold import may_ride, room
from datasheets.schema import Datasheet, SpawnEntry, Transport
from engine.horde.spawn_row import Row, leaders_of, narrowed, rows_of
from engine.horde.stock import Stock

if TYPE_CHECKING:
    from datasheets.library import Library
    from engine.w40k.battle import Battle


class Load(msgspec.Struct, frozen=True):
    """A row of which all units may ride, with the least room that they take."""

    row: Row
    room: int


def hold_of(battle: Battle, row: Row) -> Transport | None:
    """Return what the full transport of a row carries; None where the row brings none."""
    if not row.entry.transport_full:
        return None
    sheets = [battle.library.datasheet(each) for unit in row.entry.units for each in unit.datasheets]
    return next((sheet.transport for sheet in sheets if sheet.transport is not None), None)


def loads(battle: Battle, row: Row, left: int | None = None) -> list[Load]:
    """Return what may ride in a row's transport and fits into the room left, by default all.

    The row's bracket was worked out with all that it brings, so that passengers are of a lower one; of the
    same one only where no lower one has any. Rule: R.A98
    """
    known = _known_loads(battle.library)
    if (row, left) not in known:
        known[row, left] = _loads(battle, row, left)
    return known[row, left]


@lru_cache(maxsize=4)
def _known_loads(library: Library) -> dict[tuple[Row, int | None], list[Load]]:
    """Return what was found of a library, which alone decides, by row and room left."""
    return {}


def _loads(battle: Battle, row: Row, left: int | None) -> list[Load]:
    hold = hold_of(battle, row)
    if hold is None:
        return []
    for brackets in (range(1, row.bracket), [row.bracket]):
        able = [
            load
            for bracket in brackets
            for each in rows_of(battle, row.faction, bracket)
            if (load := _load(battle, hold, each, hold.capacity))
        ]
        if able:
            most = hold.capacity if left is None else left
            return [load for each in able if (load := _load(battle, hold, each.row, most))]
    return []


def next_load(battle: Battle, row: Row, left: int, later: Sequence[SpawnEntry] = ()) -> Row | None:
    """Return the row that comes aboard next, drawn from those that fit; None where none does.

    Those that take more than half of the room left come first. What comes later must still be able to come.
    Rule: R.A98
    """
    stock = Stock(battle)
    fit = [load for load in loads(battle, row, left) if stock.covers([load.row.entry, *later])]
    fit = [load for load in fit if 2 * load.room > left] or fit
    if not fit:
        return None
    place = 0 if len(fit) == 1 else battle.pick("spawn-passengers", len(fit), stream="spawn", cause="SPAWN.4")
    return fit[place].row


def _load(battle: Battle, hold: Transport, row: Row, left: int) -> Load | None:
    """Return a row as it may ride in the room left: only with datasheets and leaders that may."""
    entry = row.entry
    if entry.transport_full or _is_lone_character(battle, entry):
        return None
    taken = 0
    for place, unit in enumerate(entry.units):
        sheets = [sheet for each in unit.datasheets if may_ride(hold, (sheet := _sheet(battle, each)).has)]
        if not sheets:
            return None
        taken += max(room(hold, sheet) * sheet.unit_size.nearest(unit.models) for sheet in sheets)
        entry = narrowed(entry, place, tuple(sheet.id for sheet in sheets))
    leaders = [_sheet(battle, each) for each in entry.leaders]
    if not all(may_ride(hold, sheet.has) for sheet in leaders):
        return None
    taken += sum(_room_of_leader(hold, sheet) for sheet in leaders)
    if not entry.leader_choices:
        return Load(replace(row, entry=entry), taken) if taken <= left else None
    share = (left - taken) // entry.leader_choices
    led = entry.units[0].datasheets[0]
    able = [_sheet(battle, each) for each in leaders_of(battle.library, entry, led)]
    able = [s for s in able if may_ride(hold, s.has) and _room_of_leader(hold, s) <= share]
    if len(able) < entry.leader_choices:
        return None
    sizes = sorted(_room_of_leader(hold, sheet) for sheet in able)
    entry = replace(entry, possible_leaders=tuple(sheet.id for sheet in able))
    return Load(replace(row, entry=entry), taken + sum(sizes[: entry.leader_choices]))


def _is_lone_character(battle: Battle, entry: SpawnEntry) -> bool:
    """Return whether the entry brings nothing but single CHARACTER models."""
    return all(
        unit.models == 1 and _sheet(battle, unit.datasheets[0]).has("CHARACTER") for unit in entry.units
    )


def _room_of_leader(hold: Transport, sheet: Datasheet) -> int:
    return room(hold, sheet) * sheet.unit_size.minimum


def _sheet(battle: Battle, datasheet: str) -> Datasheet:
    return battle.library.datasheet(datasheet)
