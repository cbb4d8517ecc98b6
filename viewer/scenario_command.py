"""`horde scenario`: trying scenario files, and telling which expectations hold."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from ai.autopilot.agent import SteadyAgent
from ai.horde.agent import HordeAgent
from datasheets.errors import BadData, HordeError, unknown
from datasheets.library import Library
from datasheets.scenario import load_scenario
from engine.scenario.frame import TRANSFORMS, Transform
from engine.scenario.play import Cast
from engine.scenario.trial import Report, try_scenario

ALL = "all"
NOTES = 2
"""How many things that are not simulated are named in a file's lines."""
CAST = Cast(HordeAgent, SteadyAgent)
"""Who plays scenarios: the Horde by its rules, and for players who do not decline the steady autopilot."""


def transforms_of(name: str) -> tuple[Transform, ...]:
    """Return the ways in which the board is moved. Raises UnknownName."""
    if not name:
        return ()
    if name == ALL:
        return TRANSFORMS
    for transform in TRANSFORMS:
        if name == transform:
            return (transform,)
    raise unknown(name, (*TRANSFORMS, ALL), "transform")


def files_of(paths: list[Path]) -> Iterator[Path]:
    """Yield every scenario file named, and those in the folders named, in order. Raises BadData."""
    for path in paths:
        if not path.exists():
            raise BadData(str(path), "", "there is no such file or folder")
        if path.is_dir():
            found = sorted(path.rglob("*.toml"))
            if not found:
                raise BadData(str(path), "", "the folder has no scenario (*.toml)")
            yield from found
        else:
            yield path


def run(paths: list[Path], transform: str, as_json: bool) -> None:
    """Try every file and print a line for each; exit 0 if all hold, 1 if some do not, 2 if a file is bad."""
    moves = transforms_of(transform)
    files = list(files_of(paths))
    library = Library()
    told: list[dict[str, Any]] = []
    held, bad = 0, 0
    for path in files:
        try:
            report = try_scenario(load_scenario(path), library, str(path), CAST, moves)
        except HordeError as error:
            bad += 1
            told.append({"path": str(path), "holds": False, "bad": str(error)})
            if not as_json:
                sys.stderr.write(f"{error}\n")
            continue
        held += report.holds
        told.append(_plain(report))
        if not as_json:
            sys.stdout.write("\n".join(lines(report)) + "\n")
    if as_json:
        sys.stdout.write(json.dumps({"scenarios": told, "held": held, "bad": bad}, indent=1) + "\n")
    else:
        wrong = len(files) - held - bad
        rest = f", {wrong} do not" if wrong else ""
        rest += f", {bad} cannot be read or played" if bad else ""
        sys.stdout.write(f"{held} of {len(files)} scenarios hold{rest}.\n")
    if bad or held < len(files):
        raise typer.Exit(2 if bad else 1)


def lines(report: Report) -> list[str]:
    """Return what is printed of one file: a line, and one more for whatever does not hold."""
    moved = f" ({', '.join(report.transforms)})" if report.transforms else ""
    state = "holds" if report.holds else "FAILS"
    found = [f"{state}  {report.path}: {report.title}{moved}"]
    for each in report.verdicts:
        if not each.holds:
            found.append(f"       expect {each.place}: {each.says}")
            found.append(f"         {each.found}")
    found += [f"       {fault}" for fault in report.faults]
    found += [f"       not simulated: {note}" for note in report.notes[:NOTES]]
    more = len(report.notes) - NOTES
    return found + ([f"       and {more} more that is not simulated"] if more > 0 else [])


def _plain(report: Report) -> dict[str, Any]:
    return {
        "path": report.path,
        "title": report.title,
        "rules": list(report.rules),
        "holds": report.holds,
        "expectations": [
            {"place": v.place, "says": v.says, "holds": v.holds, "found": v.found} for v in report.verdicts
        ],
        "faults": list(report.faults),
        "unmodelled": list(report.notes),
        "transforms": list(report.transforms),
    }
