"""Builds the packaged datasheets, spawning tables and maps from folders of reference facts.

    python scripts/import_datasheets.py DATASHEETS_FOLDER RULES_FOLDER

Writes datasheets/data/w40k-10, the spawning tables of factions/data, assets/deployments and
assets/layouts, each file whole and in a fixed order, so that a second run changes nothing. Prints what
it left out and why.
"""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from datasheets.errors import HordeError
from datasheets.importers.maps import deployment, layout
from datasheets.importers.reference import datasheets
from datasheets.importers.spawning import entries_of, home, spawn_toml
from datasheets.library import EDITION
from datasheets.record import as_written
from datasheets.schema import Datasheet

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    """Read both folders and write every data file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("datasheets", type=Path, help="the folder with the datasheets' facts (*.jsonl)")
    parser.add_argument("rules", type=Path, help="the folder with the deployments and layouts (*.json)")
    arguments = parser.parse_args()
    tables = json.loads((arguments.datasheets / "spawn_resolved.json").read_text(encoding="utf-8"))
    sheets = _import_datasheets(arguments.datasheets)
    for table in tables.values():
        _import_table(table, sheets)
    _import_maps(arguments.rules)


def _run() -> None:
    """Run, and say in a sentence what is missing."""
    try:
        main()
    except (HordeError, FileNotFoundError) as error:
        sys.exit(str(error))


def _about(faction: str) -> Mapping[str, Any]:
    """Return what the file of a faction says of it; of one without a file, a name from its id."""
    path = ROOT / "factions" / "data" / f"{faction}.toml"
    data = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return {"name": faction.replace("-", " ").title()} | dict(data.get("faction", {}))


def _import_table(table: Mapping[str, list[Mapping[str, Any]]], sheets: Mapping[str, Datasheet]) -> None:
    """Write a spawning table into the file of the faction that most of its units are of."""
    faction = home(table)
    path = ROOT / "factions" / "data" / f"{faction}.toml"
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    head = {"faction": faction, "name": _about(faction)["name"]}
    _write(path, spawn_toml(head, entries_of(faction, table, sheets), sheets, before))


def _import_datasheets(source: Path) -> dict[str, Datasheet]:
    """Write the datasheets of every faction, a file each, and return them by id."""
    rows = {path.stem: _rows(path) for path in sorted(source.glob("*.jsonl"))}
    includes = {faction: _about(faction).get("includes", ()) for faction in rows}
    found = {sheet.id: sheet for sheet in datasheets([row for own in rows.values() for row in own], includes)}
    for faction, own in rows.items():
        ids = sorted({row["id"] for row in own})
        left_out = ", ".join(each for each in ids if each not in found)
        sheets = [as_written(found[each]) for each in ids if each in found]
        print(f"{faction}: {len(sheets)} datasheets; left out (build-a-character): {left_out or 'none'}")
        data = {"edition": EDITION, "faction": faction, "name": _about(faction)["name"], "datasheets": sheets}
        _write(ROOT / "datasheets" / "data" / EDITION / f"{faction}.json", _json(data))
    return found


def _rows(path: Path) -> list[Mapping[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _import_maps(source: Path) -> None:
    """Write a file for each deployment and for each layout that is legal in Horde Mode."""
    maps = json.loads((source / "DEPLOYMENTS.json").read_text(encoding="utf-8"))
    layouts = json.loads((source / "TERRAIN_LAYOUTS.json").read_text(encoding="utf-8"))
    for each in maps["deployments"]:
        found = as_written(deployment(each, maps["meta"]["board"]))
        _write(ROOT / "assets" / "deployments" / f"{each['id']}.json", _json(found))
    for each in layouts["horde_layouts"]:
        _write(ROOT / "assets" / "layouts" / f"{each['id']}.json", _json(as_written(layout(each))))


def _json(data: Mapping[str, Any]) -> str:
    """Return JSON in which each key has a line, and each member of a list of records."""
    return "\n".join(_lines(data, 0)) + "\n"


def _lines(data: Any, depth: int) -> Iterable[str]:
    """Return the lines of a value: records inside records inside a list stay on one line."""
    pad = " " * depth
    if isinstance(data, dict) and (depth < 2 or "id" in data) and depth < 4:
        yield "{"
        for number, (key, value) in enumerate(data.items()):
            lines = list(_lines(value, depth + 1))
            comma = "," if number < len(data) - 1 else ""
            yield from _joined(f"{pad} {json.dumps(key)}: ", lines, comma)
        yield f"{pad}}}"
    elif isinstance(data, list) and any(isinstance(each, dict) for each in data):
        yield "["
        for number, value in enumerate(data):
            lines = list(_lines(value, depth + 1))
            yield from _joined(f"{pad} ", lines, "," if number < len(data) - 1 else "")
        yield f"{pad}]"
    else:
        yield json.dumps(data, ensure_ascii=False)


def _joined(start: str, lines: list[str], comma: str) -> Iterable[str]:
    """Return the lines with a start before the first and a comma after the last."""
    lines[0] = start + lines[0]
    lines[-1] += comma
    return lines


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    _run()
