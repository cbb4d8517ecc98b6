"""`horde scenario`: trying scenario files, and telling which expectations hold."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import typer

from datasheets.errors import BadData, HordeError, unknown
from datasheets.library import Library
from datasheets.scenario import load_scenario
from engine.scenario.frame import TRANSFORMS, Transform
from engine.scenario.trial import Report, try_scenario
from viewer.commands.cast import CAST

ALL = "all"
NOTES = 2
"""How many things that are not simulated are named in a file's lines."""
LONG = 20
"""More files than this are tried by all processors, and failing ones named again at the end."""


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


@dataclass(frozen=True, slots=True)
class Tried:
    """The result of one file; `bad` says why it could not be read or played."""

    path: str
    holds: bool
    bad: str
    lines: tuple[str, ...]
    plain: dict[str, Any]


def run(paths: list[Path], transform: str, as_json: bool, workers: int | None = None) -> None:
    """Try every file and print a line for each; exit 0 if all hold, 1 if not, 2 for a bad file.

    Several workers try the files at the same time; the lines keep the order of the files. Without a number of
    workers one tries few files, and as many as there are processors try many.
    """
    moves = transforms_of(transform)
    files = list(files_of(paths))
    told: list[Tried] = []
    for each in _all_tried(files, moves, _enough(files) if workers is None else workers):
        told.append(each)
        if each.bad and not as_json:
            sys.stderr.write(f"{each.bad}\n")
        elif not as_json:
            sys.stdout.write("\n".join(each.lines) + "\n")
    held, bad = sum(each.holds for each in told), sum(bool(each.bad) for each in told)
    if as_json:
        plain = {"scenarios": [each.plain for each in told], "held": held, "bad": bad}
        sys.stdout.write(json.dumps(plain, indent=1) + "\n")
    else:
        sys.stdout.write("\n".join(summary(told)) + "\n")
    if bad or held < len(files):
        raise typer.Exit(2 if bad else 1)


def _enough(files: list[Path]) -> int:
    return 1 if len(files) <= LONG else os.cpu_count() or 1


def _all_tried(files: list[Path], moves: tuple[Transform, ...], workers: int) -> Iterator[Tried]:
    """Yield what came of each file, in order. Raises HordeError for no worker at all."""
    if workers < 1:
        raise HordeError(f"{workers} workers cannot try anything; give --workers 1 or more.")
    if workers == 1 or len(files) < 2:
        for path in files:
            yield _tried(path, moves)
        return
    with ProcessPoolExecutor(min(workers, len(files)), mp_context=get_context("spawn")) as pool:
        yield from pool.map(_tried, files, [moves] * len(files), chunksize=4)


def _tried(path: Path, moves: tuple[Transform, ...]) -> Tried:
    try:
        report = try_scenario(load_scenario(path), _library(), str(path), CAST, moves)
    except HordeError as error:
        return Tried(str(path), False, str(error), (), {"path": str(path), "holds": False, "bad": str(error)})
    return Tried(str(path), report.holds, "", tuple(lines(report)), _plain(report))


@lru_cache(maxsize=1)
def _library() -> Library:
    """Return the library, read once in each process."""
    return Library()


def summary(told: Sequence[Tried]) -> list[str]:
    """Return how many hold, by folder where there are several, and the names of the others."""
    folders: dict[str, list[Tried]] = {}
    for each in told:
        folders.setdefault(str(Path(each.path).parent), []).append(each)
    found = []
    if len(folders) > 1:
        width = max(map(len, folders))
        for folder, some in folders.items():
            found.append(f"{folder:<{width}}  {sum(each.holds for each in some)} of {len(some)} hold")
    failing = [each.path for each in told if not each.holds]
    if failing and len(told) > LONG:
        found += [f"does not hold: {path}" for path in failing]
    held, bad = sum(each.holds for each in told), sum(bool(each.bad) for each in told)
    wrong = len(told) - held - bad
    rest = f", {wrong} do not" if wrong else ""
    rest += f", {bad} cannot be read or played" if bad else ""
    return [*found, f"{held} of {len(told)} scenarios hold{rest}."]


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
