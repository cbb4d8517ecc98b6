"""Turns resolved spawning tables into the spawning part of a faction's file.

Owns the mending of the tables: junk rows, sizes that datasheets no longer have, names of rows in our own
words. The brackets are those of Horde Mode, 1 to 4, from the four dice ranges of the source.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from datasheets.schema import Datasheet, SpawnEntry, SpawnUnit

BRACKETS = {"3-4": 1, "5-6": 2, "7-9": 3, "10+": 4}
"""The source's dice ranges, weakest first, and the bracket that each is."""


def spawn_toml(
    faction: str, name: str, table: Mapping[str, list[Mapping[str, Any]]], sheets: Mapping[str, Datasheet]
) -> str:
    """Return the text of a faction's file with its spawning table."""
    lines = ["# The Horde's spawning table: bracket 1 is the weakest, rows in printed order.", ""]
    lines += ["[spawn]", f'faction = "{faction}"', f'name = "{name}"', ""]
    entries, leaders = _entries(faction, table, sheets)
    if leaders:
        lines += ["[spawn.leaders]"]
        lines += [f"{json.dumps(led)} = {json.dumps(list(ids))}" for led, ids in sorted(leaders.items())]
        lines.append("")
    for bracket, entry in entries:
        lines += _row(bracket, entry)
    return "\n".join(lines).rstrip() + "\n"


def _entries(
    faction: str, table: Mapping[str, list[Mapping[str, Any]]], sheets: Mapping[str, Datasheet]
) -> tuple[list[tuple[int, SpawnEntry]], dict[str, tuple[str, ...]]]:
    """Return the rows with their brackets, and by led datasheet who may lead it."""
    used: Counter[str] = Counter()
    entries: list[tuple[int, SpawnEntry]] = []
    leaders: dict[str, tuple[str, ...]] = {}
    for dice, bracket in BRACKETS.items():
        for row in table[dice]:
            if row["kind"] != "unit":
                continue
            entry = _entry(f"{faction}/{bracket}", row, sheets)
            used[entry.id] += 1
            if used[entry.id] > 1:
                entry = replace(entry, id=f"{entry.id}-{used[entry.id]}")
            entries.append((bracket, entry))
            if entry.leader_choices:
                leaders[entry.units[0].datasheets[0]] = entry.possible_leaders
    return entries, leaders


def _entry(start: str, row: Mapping[str, Any], sheets: Mapping[str, Datasheet]) -> SpawnEntry:
    """Return one row; the characters that it names are leaders of the unit beside them."""
    fixed = tuple(row.get("leader_attached", ()))
    led = [unit for unit in row["units"] if unit["datasheets"][0] not in fixed] or row["units"][:1]
    units = tuple(SpawnUnit(datasheets=tuple(u["datasheets"]), models=u["models_resolved"]) for u in led)
    choices = int(row.get("leaders", 0))
    possible = tuple(led[0].get("possible_leaders", ())) if choices else ()
    is_full = row.get("transport") == "full"
    parts = [sheets[each].name for each in fixed]
    parts += [_unit_name(unit, sheets) for unit in units]
    parts += {0: [], 1: ["a leader"], 2: ["two leaders"]}[choices]
    name = " + ".join(parts) + (" (full)" if is_full else "")
    return SpawnEntry(
        id=f"{start}/{_slug(name)}",
        name=name,
        units=units,
        leaders=fixed,
        leader_choices=choices if possible else 0,
        possible_leaders=possible,
        transport_full=is_full,
        resized=any(unit.get("size_mismatch", False) for unit in led),
    )


def _unit_name(unit: SpawnUnit, sheets: Mapping[str, Datasheet]) -> str:
    """Return the unit by its datasheet, with its size where it has more than one."""
    sheet = sheets[unit.datasheets[0]]
    size = sheet.unit_size
    return sheet.name if size.minimum == size.maximum else f"{sheet.name} ({unit.models})"


def _slug(name: str) -> str:
    """Return a name in kebab-case."""
    return "-".join("".join(c if c.isalnum() else " " for c in name.lower().replace("'", "")).split())


def _row(bracket: int, entry: SpawnEntry) -> list[str]:
    """Return the TOML lines of one row."""
    units = ", ".join(
        f"{{ datasheets = {json.dumps(list(unit.datasheets))}, models = {unit.models} }}"
        for unit in entry.units
    )
    lines = [
        "[[spawn.entry]]",
        f"bracket = {bracket}",
        f'id = "{entry.id}"',
        f"name = {json.dumps(entry.name)}",
    ]
    lines.append(f"units = [{units}]")
    if entry.leaders:
        lines.append(f"leaders = {json.dumps(list(entry.leaders))}")
    if entry.leader_choices:
        lines.append(f"leader_choices = {entry.leader_choices}")
    if entry.transport_full:
        lines.append("transport_full = true")
    if entry.resized:
        lines.append("resized = true")
    return [*lines, ""]
