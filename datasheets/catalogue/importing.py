"""From a folder of catalogues to a file of overrides of the packaged datasheets.

Owns the whole way and the file's bytes. A person reads of it what `viewer.commands.catalogue_command` tells.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from datasheets.catalogue.compare import Comparison, compare
from datasheets.catalogue.facts import Facts, facts
from datasheets.catalogue.folder import Catalogues, read_folder
from datasheets.catalogue.match import match
from datasheets.catalogue.tree import Forest
from datasheets.errors import BadData
from datasheets.record import as_written
from datasheets.schema import Datasheet

POINTS = "pts"
"""The catalogues' name of the cost that is points."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What came of an import: every datasheet that was compared, and what has no counterpart."""

    source: str
    catalogues: int
    compared: tuple[Comparison, ...]
    unmatched: tuple[Datasheet, ...]
    new_sheets: tuple[Facts, ...]

    @property
    def changed(self) -> tuple[Comparison, ...]:
        """Return the comparisons that found a difference, in order of the datasheets' ids."""
        return tuple(each for each in self.compared if each.fields)

    def overrides(self, edition: str) -> bytes:
        """Return the bytes of the file of overrides: the changed fields of each changed datasheet."""
        sheets = {
            each.sheet.id: {name: as_written(value) for name, value in sorted(each.fields.items())}
            for each in self.changed
        }
        told = {"edition": edition, "source": self.source, "datasheets": sheets}
        return f"{json.dumps(told, indent=1, ensure_ascii=False)}\n".encode()


def import_catalogues(folder: Path, sheets: Iterable[Datasheet]) -> Imported:
    """Return what the catalogues of a folder say otherwise of our datasheets. Raises BadData."""
    catalogues = read_folder(folder)
    found = match(sheets, _facts(catalogues))
    return Imported(
        source=catalogues.source,
        catalogues=len(catalogues.files),
        compared=tuple(compare(sheet, each) for sheet, each in found.pairs),
        unmatched=tuple(found.unmatched),
        new_sheets=tuple(found.new_sheets),
    )


def _facts(catalogues: Catalogues) -> Iterable[Facts]:
    """Yield the facts of every datasheet of the catalogues: what has a model's profile."""
    points = _points(catalogues)
    forest = Forest(catalogues)
    for home in catalogues.files:
        for entry in forest.datasheets(home):
            found = facts(forest.tree(entry, home), home.file, points)
            if found.profiles:
                yield found


def _points(catalogues: Catalogues) -> str:
    """Return the id of the cost that is points. Raises BadData where the game system has none."""
    for each in catalogues.files:
        for kind in each.root.iterfind("costTypes/costType"):
            if kind.get("name") == POINTS:
                return kind.get("id", "")
    system = next(each.file for each in catalogues.files if each.is_system)
    raise BadData(system, "costTypes", f"has no cost called '{POINTS}'; fetch the file again")


def write(path: Path, data: bytes) -> None:
    """Write a file whole or not at all: what was there stays until the new one is complete."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
