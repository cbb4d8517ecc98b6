"""`horde rules show`: what a clause says, where it is carried out, and what pins it."""

from __future__ import annotations

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
    lines = {line.id.lower(): line for line in (*Library().checklist(), *rulings(found))}
    line = lines.get(clause.lower())
    if line is None:
        raise unknown_clause(clause, [each.id for each in lines.values()], "clause")
    sys.stdout.write("\n".join(_told(line, found, folder is not None)) + "\n")


def unknown_clause(name: str, known: Iterable[str], kind: str) -> UnknownName:
    """Return the error for an id that is not listed, with the ids near it."""
    ids = {each.lower(): each for each in known}
    near = unknown(name.lower(), ids, kind).near
    return UnknownName(name, tuple(ids[each] for each in near), kind, tuple(ids.values()))


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


def rulings(found: Pins) -> tuple[Line, ...]:
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
