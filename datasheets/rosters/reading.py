"""The door to the readers of army lists: a file, or bytes, in any format becomes a roster.

A fault raises `BadData` that names the file, and where there is one the line.
"""

from __future__ import annotations

from pathlib import Path

from datasheets.belonging import SheetSource
from datasheets.errors import BadData, HordeError
from datasheets.record import read_toml, record
from datasheets.rosters.detect import is_own, read_list, text_of
from datasheets.rosters.raw_list import LARGEST, RefusedList
from datasheets.rosters.resolve import ReadRoster, resolved
from datasheets.schema import Roster

OWN_FORM = "TOML"


def list_bytes(path: Path) -> bytes:
    """Return what a file holds, at most a byte more than a list may have. Raises BadData."""
    try:
        with path.open("rb") as file:
            return file.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is no file"
        raise BadData(str(path), "", f"cannot be read ({reason})") from None


def read_roster(data: bytes, path: str, library: SheetSource) -> ReadRoster:
    """Return what came of a list; `path` names it in faults. Raises BadData where it is refused."""
    try:
        if is_own(data):
            roster = record(Roster, read_toml(text_of(data).removeprefix("\ufeff"), path), path)
            points = sum(library.datasheet(each.datasheet).cost(each.models) for each in roster.units)
            return ReadRoster(OWN_FORM, roster, (), len(roster.units), None, points, points)
        return resolved(read_list(data), library)
    except RefusedList as fault:
        raise BadData(path, "", str(fault)) from None


def whole_roster(data: bytes, path: str, library: SheetSource) -> tuple[ReadRoster, Roster]:
    """Return what came of a list, and its roster.

    Raises HordeError with a sentence for each unit that is not known.
    """
    read = read_roster(data, path, library)
    missing = read.of("unit")
    if missing or read.roster is None:
        raise HordeError("\n".join(f"{path}: {each}" for each in missing))
    return read, read.roster


def army_of_file(path: Path, library: SheetSource) -> Roster:
    """Return the roster that a file of any format says. Raises HordeError for an unknown unit."""
    return whole_roster(list_bytes(path), str(path), library)[1]
