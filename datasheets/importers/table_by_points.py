"""Makes a spawning table for a faction from its current datasheets and their points.

Owns the bands of points of the brackets and what kinds of row there are. A bracket has at most as many rows
as the median of the tables that were found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import median_low

import msgspec

from datasheets.importers.spawning import Entries, numbered
from datasheets.schema import Datasheet, SpawnEntry, SpawnTable, SpawnUnit
from datasheets.spelling import slug

BANDS = (80, 160, 265)
"""The least points of brackets 2, 3 and 4: the cuts that fit the found tables best."""


class _Candidate(msgspec.Struct, frozen=True):
    """A row that might be in the table, and what it is worth."""

    points: int
    entry: SpawnEntry


def made_table(faction: str, sheets: Sequence[Datasheet], found: Sequence[SpawnTable]) -> Entries:
    """Return the rows of a faction's table with their brackets, the cheaper first.

    `sheets` are all datasheets of the faction, `found` the tables whose proportions are taken.
    """
    own = _own(sheets)
    candidates = [each for sheet in own for each in _candidates(sheet, own)]
    chosen = []
    for bracket in range(1, len(BANDS) + 2):
        here = [each for each in candidates if bracket_of_points(each.points) == bracket]
        most = median_low(len(table.brackets.get(bracket, ())) for table in found)
        chosen += [(bracket, _within(each.entry, faction, bracket)) for each in _spread(here, most)]
    return numbered(chosen)


def bracket_of_points(points: int) -> int:
    """Return the bracket of what is worth this many points."""
    return 1 + sum(points >= least for least in BANDS)


def _own(sheets: Iterable[Datasheet]) -> list[Datasheet]:
    """Return the current datasheets of the faction itself, without those of its allies."""
    current = [sheet for sheet in sheets if not sheet.legends]
    words = Counter(word for sheet in current for word in sheet.faction_keywords)
    return [sheet for sheet in current if words.most_common(1)[0][0] in sheet.faction_keywords]


def _candidates(sheet: Datasheet, own: Sequence[Datasheet]) -> Iterable[_Candidate]:
    """Return a datasheet's rows: in each of its sizes alone, then led; a transport comes full."""
    if sheet.transport is not None:
        yield _Candidate(_full(sheet, own), _entry(sheet, sheet.unit_size.minimum, is_full=True))
        return
    leaders = [each for each in own if sheet.id in each.leads]
    sizes = [row.models for row in sheet.points]
    for size in sizes:
        yield _Candidate(sheet.cost(size), _entry(sheet, size))
    for size in sizes if leaders else ():
        worth = median_low(each.cost(each.unit_size.minimum) for each in leaders)
        yield _Candidate(sheet.cost(size) + worth, _entry(sheet, size, leaders))


def _full(transport: Datasheet, own: Sequence[Datasheet]) -> int:
    """Return the points of a full transport: with the largest BATTLELINE unit that it holds."""
    room = transport.transport.capacity if transport.transport else 0
    sizes = [(row.models, row.points) for s in own if s.has("BATTLELINE") for row in s.points]
    return transport.cost(1) + max(((m, p) for m, p in sizes if m <= room), default=(0, 0))[1]


def _entry(
    sheet: Datasheet, models: int, leaders: Sequence[Datasheet] = (), is_full: bool = False
) -> SpawnEntry:
    """Return the row of a unit; it names the leader where only one is possible."""
    size = sheet.unit_size
    name = sheet.name if size.minimum == size.maximum else f"{sheet.name} ({models})"
    if is_full:
        name += " (full)"
    elif leaders:
        name = f"{leaders[0].name} + {name}" if len(leaders) == 1 else f"{name} + a leader"
    return SpawnEntry(
        id=slug(name),
        name=name,
        units=(SpawnUnit(datasheets=(sheet.id,), models=models),),
        leaders=tuple(each.id for each in leaders) if len(leaders) == 1 else (),
        leader_choices=int(len(leaders) > 1),
        possible_leaders=tuple(each.id for each in leaders) if len(leaders) > 1 else (),
        transport_full=is_full,
    )


def _within(entry: SpawnEntry, faction: str, bracket: int) -> SpawnEntry:
    return msgspec.structs.replace(entry, id=f"{faction}/{bracket}/{entry.id}")


def _spread(candidates: Sequence[_Candidate], most: int) -> list[_Candidate]:
    """Return the candidates kept, at most this many: one of each datasheet before a second."""
    used: Counter[str] = Counter()
    ranked = []
    for each in candidates:
        sheet = each.entry.units[0].datasheets[0]
        ranked.append((used[sheet], each))
        used[sheet] += 1
    chosen = [each for _, each in sorted(ranked, key=lambda pair: pair[0])[:most]]
    return sorted(chosen, key=lambda each: (each.points, each.entry.id))
