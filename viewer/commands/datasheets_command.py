"""`horde datasheets`: the datasheets of all factions, and the card of one."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

from datasheets.library import Library
from datasheets.lookup import every_datasheet, find_datasheet, find_faction, find_keyword
from datasheets.schema import Datasheet
from viewer.commands.record_check import faults
from viewer.commands.sheet_card import gather, plain
from viewer.commands.sheet_text import card_lines
from viewer.commands.sheet_words import points, sizes


def list_sheets(faction: str, legends: bool, keywords: Sequence[str], as_json: bool) -> None:
    """Print a line for each datasheet, and how many there are. Raises UnknownName."""
    library = Library()
    sheets = library.datasheets(find_faction(library, faction)) if faction else every_datasheet(library)
    sheets = tuple(sheet for sheet in sheets if legends or not sheet.legends)
    words = [find_keyword(sheets, word) for word in keywords]
    found = [sheet for sheet in sheets if all(sheet.has(word) for word in words)]
    if as_json:
        sys.stdout.write(json.dumps([_plain(sheet) for sheet in found], indent=1) + "\n")
        return
    sys.stdout.write("\n".join([*_lines(found), _counted(found)]) + "\n")


def show(name: str, faction: str, as_json: bool) -> None:
    """Print the card of a datasheet, and each fault of its records.

    Exits with 1 where there is a fault. Raises UnknownName, or HordeError for a name of several.
    """
    library = Library()
    card = gather(library, find_datasheet(library, name, faction))
    told = json.dumps(plain(card), indent=1) if as_json else "\n".join(card_lines(card))
    sys.stdout.write(told + "\n")
    wrong = list(faults(library, card.sheet.id))
    sys.stderr.write("".join(f"{each}\n" for each in wrong))
    if wrong:
        sys.exit(1)


def _plain(sheet: Datasheet) -> dict[str, object]:
    return {
        "id": sheet.id,
        "name": sheet.name,
        "faction": sheet.faction,
        "legends": sheet.legends,
        "points": [{"models": row.models, "points": row.points} for row in sheet.points],
        "minimum": sheet.unit_size.minimum,
        "maximum": sheet.unit_size.maximum,
    }


def _lines(sheets: Sequence[Datasheet]) -> list[str]:
    rows = [(f"{each.name}{' [Legends]' * each.legends}", each.faction, points(each)) for each in sheets]
    widths = [max((len(row[i]) for row in rows), default=0) for i in range(3)]
    return [
        f"{name:<{widths[0]}}  {faction:<{widths[1]}}  {cost:<{widths[2]}}  {sizes(sheet)}"
        for (name, faction, cost), sheet in zip(rows, sheets, strict=True)
    ]


def _counted(sheets: Sequence[Datasheet]) -> str:
    legends = sum(sheet.legends for sheet in sheets)
    factions = len({sheet.faction for sheet in sheets})
    said = f"{len(sheets) - legends} current datasheets" + (f" and {legends} of Legends" if legends else "")
    return f"{said}, of {factions} {'faction' if factions == 1 else 'factions'}."
