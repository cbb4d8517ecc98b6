"""`horde rules`: what a clause says, where it is carried out, and what pins it."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from pathlib import Path

from datasheets.checklist import Line
from datasheets.errors import UnknownName, unknown
from datasheets.library import Library
from engine.horde.all_settings import SETTINGS
from viewer.commands.pin import Pins, pins, tests_folder

RULING = re.compile(r"R\.[A-Z]+\d*[a-z]?")
NO_TESTS = "no folder of tests is at hand (--tests names one)"


def show(clause: str, tests: Path | None) -> None:
    """Print a clause or ruling, where it is carried out, and what pins it. Raises UnknownName."""
    folder = tests_folder(tests)
    found = pins(folder)
    lines = {line.id.lower(): line for line in (*Library().checklist(), *_rulings(found))}
    line = lines.get(clause.lower())
    if line is None:
        raise _unknown(clause, [each.id for each in lines.values()], "clause")
    sys.stdout.write("\n".join(_told(line, found, folder is not None)) + "\n")


def _unknown(name: str, known: Iterable[str], kind: str) -> UnknownName:
    """Return the error for an id that is not listed, with the ids near it."""
    ids = {each.lower(): each for each in known}
    near = unknown(name.lower(), ids, kind).near
    return UnknownName(name, tuple(ids[each] for each in near), kind)


def _told(line: Line, found: Pins, looked: bool) -> list[str]:
    told = [f"{line.id}: {line.says}"]
    if line.unmodelled:
        told.append(f"  not simulated: {line.unmodelled}")
    where = [*line.by, *(f"the record {rule}" for rule in line.rules)]
    if RULING.fullmatch(line.id):
        told.append(f"  settled in {', '.join(where)}")
    elif where:
        told.append(f"  {'in part ' if line.unmodelled else ''}carried out by {', '.join(where)}")
    if not looked:
        return [*told, f"  {NO_TESTS}"]
    pinned = found.get(line.id, ())
    told.append(f"  pinned by {len(pinned)} {'test' if len(pinned) == 1 else 'tests'}")
    return told + [f"    {each}" for each in pinned]


def coverage(family: str, tests: Path | None, as_json: bool) -> None:
    """Print how many clauses are simulated and tested, and name the others. Raises UnknownName."""
    folder = tests_folder(tests)
    found = pins(folder)
    listed = (*Library().checklist(), *_rulings(found))
    lines = [line for line in listed if _belongs(line.id, family)]
    if not lines:
        raise _unknown(family, {group(line.id) for line in listed}, "family of clauses")
    if as_json:
        sys.stdout.write(json.dumps([_plain(line, found) for line in lines], indent=1) + "\n")
        return
    sys.stdout.write("\n".join(_table(lines, found)) + "\n")
    if folder is None:
        sys.stdout.write(f"{NO_TESTS[0].upper()}{NO_TESTS[1:]}.\n")


def _rulings(found: Pins) -> tuple[Line, ...]:
    """Return a line for each ruling that is a setting or that a test pins."""
    settings = {each.ruling: each for each in SETTINGS if RULING.fullmatch(each.ruling)}
    ids = {*settings, *filter(RULING.fullmatch, found)}
    return tuple(
        Line(
            id=each,
            says=f"{settings[each].doubt} ({settings[each].key})"
            if each in settings
            else "a doubt about the text",
            by=("docs/RULINGS.md",),
        )
        for each in sorted(ids)
    )


def _belongs(clause: str, family: str) -> bool:
    told, wanted = clause.lower(), family.lower().rstrip(".")
    return not wanted or told == wanted or told.startswith(f"{wanted}.")


def group(clause: str) -> str:
    """Return the family under which a clause is counted: "CORE.WPN", "AI.MOVE", "MISERY"."""
    parts = clause.split(".")
    return ".".join(parts[:2]) if len(parts) > 2 else parts[0]


def _plain(line: Line, found: Pins) -> dict[str, object]:
    pinned = list(found.get(line.id, ()))
    return {"id": line.id, "status": line.status, "reason": line.unmodelled or None, "pinned_by": pinned}


def _table(lines: list[Line], found: Pins) -> list[str]:
    groups: dict[str, list[Line]] = {}
    for line in lines:
        groups.setdefault(group(line.id), []).append(line)
    rows = [("family", "clauses", "modelled", "tested", "unmodelled")]
    rows += [(name, *_counts(some, found)) for name, some in groups.items()]
    if len(groups) > 1:
        rows.append(("all", *_counts(lines, found)))
    width = max(len(row[0]) for row in rows)
    told = [f"{row[0]:<{width}} " + " ".join(f"{each:>10}" for each in row[1:]) for row in rows]
    missing = [line.id for line in lines if line.unmodelled]
    untested = [line.id for line in lines if not line.unmodelled and line.id not in found]
    told += [f"Not simulated, or not whole: {', '.join(missing)}."] if missing else []
    return told + ([f"Simulated, but without a test: {', '.join(untested)}."] if untested else [])


def _counts(lines: list[Line], found: Pins) -> tuple[str, str, str, str]:
    unmodelled = sum(bool(line.unmodelled) for line in lines)
    tested = sum(line.id in found for line in lines)
    return str(len(lines)), str(len(lines) - unmodelled), str(tested), str(unmodelled)
