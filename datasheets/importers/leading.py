"""The units that a leader can join, by id: several datasheets may have the same name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from datasheets.importers.naming import plain
from datasheets.importers.tables import table
from datasheets.schema import Datasheet

Row = Mapping[str, Any]


class Names:
    """The ids of all datasheets by their names, and which factions fight in one army."""

    def __init__(self, rows: Iterable[Row], includes: Mapping[str, Sequence[str]]) -> None:
        """Arrange the rows of all factions; `includes` are factions whose sheets an army has too."""
        self._ids: dict[str, list[str]] = {}
        self._includes = includes
        for row in rows:
            self._ids.setdefault(plain(row["name"]), []).append(row["id"])

    def ids(self, name: str, faction: str) -> tuple[str, ...]:
        """Return the datasheets of a name: those of the nearest factions that have one.

        Nearest are the faction itself and those whose armies have its sheets; then those that it includes;
        then all.
        """
        found = self._ids.get(plain(name), [])
        near = (
            {faction, *(each for each, others in self._includes.items() if faction in others)},
            set(self._includes.get(faction, ())),
        )
        for factions in near:
            own = [each for each in found if each.partition("/")[0] in factions]
            if own:
                return tuple(own)
        return tuple(found)


def leads(row: Row, names: Names) -> tuple[str, ...]:
    """Return the ids of the units that a leader can join, in order."""
    return tuple(sorted({each for name in row["leads"] for each in names.ids(name, row["faction"])}))


def with_joiners(sheets: Sequence[Datasheet]) -> list[Datasheet]:
    """Return the datasheets with what the table says of second leaders and of retinues."""
    beside = {each: entry["beside"] for entry in table("leaders")["second"] for each in entry["datasheets"]}
    retinues = {each: entry for entry in table("leaders")["retinue"] for each in entry["datasheets"]}
    two = {each for entry in table("leaders")["two"] for each in entry["datasheets"]}
    found = []
    for sheet in sheets:
        if sheet.id in beside:
            sheet = replace(sheet, joins_leader=True, joins_beside=tuple(beside[sheet.id]))
        if sheet.id in retinues:
            sheet = _retinue(sheet, retinues[sheet.id], sheets)
        found.append(replace(sheet, two_leaders=True) if sheet.id in two else sheet)
    return found


def _retinue(sheet: Datasheet, entry: Row, sheets: Sequence[Datasheet]) -> Datasheet:
    """Return a sheet that joins units which have or may have a leader, beside that leader."""
    word = entry.get("led_by")
    units = set(entry.get("units", ()))
    if word:
        leaders = [each for each in sheets if each.faction == sheet.faction and word in each.keywords]
        units |= {led for each in leaders for led in each.leads}
    return replace(
        sheet,
        leads=tuple(sorted({*sheet.leads, *units})),
        joins_leader=True,
        joins_beside=(word or "CHARACTER",),
    )
