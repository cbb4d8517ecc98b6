"""Makes a spawning table by bands of points for a faction of which no table was found.

    python scripts/make_spawn_table.py FACTION [--write]

Prints the rows of each bracket; with --write it puts them into factions/data/FACTION.toml, marked as made by
us, and leaves what stands before the table as it is.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from datasheets.errors import HordeError
from datasheets.importers.spawning import Entries, spawn_toml
from datasheets.importers.table_by_points import made_table
from datasheets.library import Library

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    """Print or write the table; return 2 for a faction that cannot have one."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("faction", help="the faction's id, such as necrons")
    parser.add_argument("--write", action="store_true", help="put the table into the faction's file")
    arguments = parser.parse_args()
    library = Library()
    try:
        entries = table_of(library, arguments.faction)
    except HordeError as error:
        print(error, file=sys.stderr)
        return 2
    for bracket, entry in entries:
        print(f"{bracket}  {entry.name}")
    if arguments.write:
        write(library, arguments.faction, entries)
    return 0


def table_of(library: Library, faction: str) -> Entries:
    """Return the rows for a faction. Raises HordeError where a table was found: that one stays."""
    found = [library.spawn_table(each) for each in library.hordes()]
    if any(table.faction == faction and not table.made_by_us for table in found):
        raise HordeError(f"{faction} has a table that was found; only a table made by us is made anew.")
    found = [table for table in found if not table.made_by_us]
    return made_table(faction, library.datasheets(faction), found)


def write(library: Library, faction: str, entries: Entries) -> None:
    """Put the rows into the faction's file."""
    path = ROOT / "factions" / "data" / f"{faction}.toml"
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    head: dict[str, str | bool] = {
        "faction": faction,
        "name": library.faction(faction).name,
        "made_by_us": True,
    }
    sheets = {sheet.id: sheet for sheet in library.datasheets(faction)}
    path.write_text(spawn_toml(head, entries, sheets, before), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    sys.exit(main())
