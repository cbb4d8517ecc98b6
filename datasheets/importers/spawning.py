"""Turns resolved spawning tables into the spawning part of a faction's file.

Owns the mending of the tables: junk rows, sizes that datasheets no longer have, leaders that may no longer
lead, names of rows in our own words. The brackets are those of Horde Mode, 1 to 4, from the four dice
ranges of the source.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

import msgspec
from msgspec.structs import replace

from datasheets.schema import Datasheet, SpawnEntry, SpawnUnit
from datasheets.spelling import slug

Row = Mapping[str, Any]
Table = Mapping[str, Sequence[Row]]
Sheets = Mapping[str, Datasheet]
Entries = Sequence[tuple[int, SpawnEntry]]

BRACKETS = {"3-4": 1, "5-6": 2, "7-9": 3, "10+": 4}
"""The source's dice ranges, weakest first, and the bracket that each is."""
HEADING = "# The Horde's spawning table: bracket 1 is the weakest, rows in printed order.\n\n"
START = "[spawn"
"""How the first line of the spawning part begins."""
LINKING = frozenset(("with", "of", "in", "on", "and", "the"))
"""Words with which no name ends."""
LEADERS = {0: [], 1: ["a leader"], 2: ["two leaders"]}
"""What the name of a row says of the leaders that are left to choose."""


class _Row(msgspec.Struct):
    """A row of the source: its first unit, the leaders of that, and what comes beside it."""

    units: list[SpawnUnit]
    leaders: list[str]
    choices: int = 0
    possible: tuple[str, ...] = ()
    own: tuple[tuple[str, ...], ...] = ()
    """Leaders that the row itself names as alternatives."""


def home(table: Table) -> str:
    """Return the faction that most units of a spawning table are of."""
    units = [unit for rows in table.values() for row in rows for unit in row["units"]]
    homes = Counter(str(unit["datasheets"][0]).partition("/")[0] for unit in units)
    return homes.most_common(1)[0][0]


def entries_of(faction: str, table: Table, sheets: Sheets) -> Entries:
    """Return the rows of a table with their brackets; a row that stands twice is there twice."""
    found = []
    for dice, bracket in BRACKETS.items():
        rows = [row for row in table[dice] if row["kind"] == "unit"]
        found += [(bracket, _entry(f"{faction}/{bracket}", row, sheets)) for row in rows]
    return numbered(found)


def numbered(entries: Entries) -> Entries:
    """Return the rows with a number behind an id that an earlier row has."""
    used: Counter[str] = Counter()
    found = []
    for bracket, entry in entries:
        used[entry.id] += 1
        again = f"-{used[entry.id]}" if used[entry.id] > 1 else ""
        found.append((bracket, replace(entry, id=entry.id + again)))
    return found


def spawn_toml(head: Mapping[str, str | bool], entries: Entries, sheets: Sheets, before: str = "") -> str:
    """Return the text of a faction's file with a spawning table; the text before it is kept."""
    lines = [f"{key} = {json.dumps(value)}" for key, value in head.items()]
    leaders = _leaders(entries, sheets)
    lines = ["[spawn]", *lines, ""]
    if leaders:
        lines += ["[spawn.leaders]"]
        lines += [f"{json.dumps(led)} = {json.dumps(list(ids))}" for led, ids in sorted(leaders.items())]
        lines.append("")
    for bracket, entry in entries:
        lines += _lines(bracket, entry, leaders)
    return kept(before) + HEADING + "\n".join(lines).rstrip() + "\n"


def kept(text: str) -> str:
    """Return what stands before the spawning part of a faction's file."""
    lines = text.splitlines(keepends=True)
    at = next((i for i, line in enumerate(lines) if line.startswith(START)), len(lines))
    return "".join(lines[:at]).removesuffix(HEADING)


# a row


def _entry(start: str, row: Row, sheets: Sheets) -> SpawnEntry:
    """Return one row; the characters that it names lead the unit beside them, if they may."""
    found = _read(row, sheets)
    found = _with_choices(row, found, sheets)
    is_full = row.get("transport") == "full"
    units = tuple(found.units)
    named = [sheets[each].name for each in found.leaders]
    named += [_shared_name(sheets[each].name for each in ids) for ids in found.own]
    named += [_unit_name(unit, len(list(same)), sheets) for unit, same in groupby(units)]
    name = " + ".join([*named, *LEADERS[found.choices]]) + (" (full)" if is_full else "")
    return SpawnEntry(
        id=f"{start}/{slug(name)}",
        name=name,
        units=units,
        leaders=tuple(found.leaders),
        leader_choices=found.choices + len(found.own),
        possible_leaders=(*found.possible, *(each for ids in found.own for each in ids)),
        transport_full=is_full,
        resized=any(unit.get("size_mismatch", False) for unit in row["units"]),
    )


def _read(row: Row, sheets: Sheets) -> _Row:
    """Return a row, its characters attached to its first unit or beside what they cannot lead."""
    fixed = row.get("leader_attached", ())
    units = _once([_unit(each, row, sheets) for each in row["units"]], sheets)
    named = [unit for unit in units if unit.datasheets[0] in fixed]
    body = [unit for unit in units if unit not in named] or units
    found = _Row(units=[], leaders=[])
    first, beside = body[0], []
    for unit in named if body is not units else ():
        able = _able(unit, first, sheets)
        if not able:
            beside.append(unit)
        elif len(able) == 1:
            found.leaders.append(able[0])
            led = tuple(i for i in first.datasheets if i in sheets[able[0]].leads)
            first = replace(first, datasheets=led)
        else:
            found.own += (able,)
    repeat = row["units"][[unit.datasheets[0] for unit in units].index(body[0].datasheets[0])]
    times = int(repeat.get("units_count", 0) or row.get("pieces", 0) or 1)
    found.units = [*[first] * times, *body[1:], *beside]
    return found


def _unit(unit: Row, row: Row, sheets: Sheets) -> SpawnUnit:
    """Return a unit of a row; each piece of a fortification may be any of its family."""
    ids = tuple(dict.fromkeys(unit["datasheets"]))
    if row.get("pieces"):
        family = sheets[ids[0]].name.split()[0]
        ids = tuple(
            sheet.id
            for sheet in sheets.values()
            if sheet.name.startswith(f"{family} ") and sheet.has("FORTIFICATION")
        )
    return SpawnUnit(datasheets=ids, models=unit["models_resolved"])


def _once(units: list[SpawnUnit], sheets: Sheets) -> list[SpawnUnit]:
    """Return the units without the second of an epic hero that the source names by two models."""
    return [
        unit
        for i, unit in enumerate(units)
        if unit not in units[:i] or not sheets[unit.datasheets[0]].has("EPIC HERO")
    ]


def _able(unit: SpawnUnit, led: SpawnUnit, sheets: Sheets) -> tuple[str, ...]:
    """Return which datasheets of a named character may lead a unit.

    Where none may, the one of the faction that may and whose name says more: a lord in another armour.
    """
    able = tuple(i for i in unit.datasheets if set(sheets[i].leads) & set(led.datasheets))
    if able:
        return able
    name, faction = sheets[unit.datasheets[0]].name, sheets[unit.datasheets[0]].faction
    alike = [s for s in sheets.values() if s.name.startswith(f"{name} ") and s.faction == faction]
    found = [s.id for s in alike if not s.legends and set(s.leads) & set(led.datasheets)]
    return tuple(found) if len(found) == 1 else ()


def _with_choices(row: Row, found: _Row, sheets: Sheets) -> _Row:
    """Return a row with the leaders left to choose, none where nobody may lead the unit."""
    led = set(found.units[0].datasheets)
    must = str(row.get("note", "")).partition("Must attach ")[2]
    possible = tuple(row["units"][0].get("possible_leaders", ()))
    if must:
        faction = sheets[found.units[0].datasheets[0]].faction
        own = tuple(s.id for s in sheets.values() if s.faction == faction and s.name.startswith(must))
        possible = tuple(i for i in own if not sheets[i].legends)
    found.possible = tuple(i for i in possible if led & set(sheets[i].leads))
    choices = int(row.get("leaders", 0)) or int(bool(must))
    found.choices = min(choices, len(found.possible))
    return found


# names


def _unit_name(unit: SpawnUnit, times: int, sheets: Sheets) -> str:
    """Return the unit by its datasheets, with its size where it has more than one."""
    name = _shared_name(sheets[each].name for each in unit.datasheets)
    size = sheets[unit.datasheets[0]].unit_size
    sized = name if size.minimum == size.maximum else f"{name} ({unit.models})"
    return sized if times == 1 else f"{times} × {sized}"


def _shared_name(names: Iterable[str]) -> str:
    """Return the words that all names share; without such, the first and that there are others."""
    first, *others = dict.fromkeys(names)
    words = [word for word in first.split() if all(word in other.split() for other in others)]
    while words and words[-1].lower() in LINKING:
        words.pop()
    tells = len(words) > 1 or words[:1] == first.split()[:1]
    return " ".join(words) if tells else f"{first} or another"


# lines


def _leaders(entries: Entries, sheets: Sheets) -> dict[str, tuple[str, ...]]:
    """Return the possible leaders of each datasheet whose leaders are left to choose."""
    leaders: dict[str, tuple[str, ...]] = {}
    for _, entry in entries:
        for led in entry.units[0].datasheets if entry.leader_choices else ():
            found = [i for i in entry.possible_leaders if led in sheets[i].leads]
            leaders[led] = tuple(dict.fromkeys((*leaders.get(led, ()), *found)))
    return leaders


def _lines(bracket: int, entry: SpawnEntry, leaders: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Return the TOML lines of one row."""
    units = ", ".join(
        f"{{ datasheets = {json.dumps(list(unit.datasheets))}, models = {unit.models} }}"
        for unit in entry.units
    )
    lines = [
        "[[spawn.entry]]",
        f"bracket = {bracket}",
        f'id = "{entry.id}"',
        f"name = {json.dumps(entry.name, ensure_ascii=False)}",
    ]
    lines.append(f"units = [{units}]")
    if entry.leaders:
        lines.append(f"leaders = {json.dumps(list(entry.leaders))}")
    if entry.leader_choices:
        lines.append(f"leader_choices = {entry.leader_choices}")
        if set(entry.possible_leaders) != {i for led in entry.units[0].datasheets for i in leaders[led]}:
            lines.append(f"possible_leaders = {json.dumps(list(entry.possible_leaders))}")
    if entry.transport_full:
        lines.append("transport_full = true")
    if entry.resized:
        lines.append("resized = true")
    return [*lines, ""]
