"""`horde army import`: an army list of any format becomes a roster file of this program."""

from __future__ import annotations

import sys
from pathlib import Path

from datasheets.library import Library
from datasheets.roster_text import roster_toml
from datasheets.rosters.printable import printable
from datasheets.rosters.raw_list import LARGEST
from datasheets.rosters.reading import list_bytes, whole_roster
from datasheets.rosters.resolve import ReadRoster
from datasheets.schema import Roster

STANDARD_INPUT = "-"


def import_army(file: str, output: Path | None) -> None:
    """Write the roster that a list says, and to standard error what was found in the list.

    A list that is refused, or that has a unit which is not known, raises HordeError: nothing is written.
    """
    is_piped = file == STANDARD_INPUT
    data = sys.stdin.buffer.read(LARGEST + 1) if is_piped else list_bytes(Path(file))
    read, roster = _read(data, "standard input" if is_piped else file, Library())
    text = roster_toml(roster, f"{read.form}, {read.units} units, {read.points} points by the data")
    if output is None:
        sys.stdout.write(text)
    else:
        output.write_text(text, encoding="utf-8")


def read_army(path: Path, library: Library) -> Roster:
    """Return the army of a list, its findings printed on standard error. Raises HordeError."""
    return _read(list_bytes(path), str(path), library)[1]


def _read(data: bytes, file: str, library: Library) -> tuple[ReadRoster, Roster]:
    name = printable(file)
    read, roster = whole_roster(data, name, library)
    for each in read.findings:
        sys.stderr.write(f"{name}: {each}\n")
    return read, roster
