"""The formats of files that hold a log: what reads them, and which program plays each on.

Owns the upgrade of the rows of an older file, one function a step. A format rises with every change after
which a stored battle no longer plays as it did: a rule, a decision, a row of the file. A log of any format
can be watched, as its events are folded; the program that wrote it plays it on and verifies it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

FORMAT = 8
"""At most one step between two pushes; `scripts/replays.py` then writes the replays anew."""
PROGRAM = "0.6.0"
"""The version of the program, which pyproject.toml says too."""
UNNAMED = {1: "0.1.0 (22 November 2026)", 2: "0.1.0 (23 November 2026)", 3: "0.1.0 (26 November 2026)"}
"""The last version that wrote a format whose headers do not name their program."""

Row = dict[str, Any]


def _with_digests_by_file(row: Row) -> Row:
    """Return a row of format 2 as one of format 3: a digest for each file of data."""
    header = row.get("header")
    if not isinstance(header, dict) or not isinstance(header.get("library"), str):
        return row
    return {**row, "header": {**header, "library": {"all files": header["library"]}}}


UPGRADES: Mapping[int, Callable[[Row], Row]] = {2: _with_digests_by_file}
"""What makes a row of a format one of the next; rows of all others stay as they are."""


def is_read(number: object) -> bool:
    """Return whether files of a format can be read."""
    return type(number) is int and min(UNNAMED) <= number <= FORMAT


def is_upgraded(number: int) -> bool:
    """Return whether any row of a format has another form by now."""
    return any(step >= number for step in UPGRADES)


def upgraded(row: Row, number: int) -> Row:
    """Return a row of a format in the form of the newest."""
    for step in range(number, FORMAT):
        if step in UPGRADES:
            row = UPGRADES[step](row)
    return row


def program_of(header: Mapping[str, Any]) -> str:
    """Return the version of the program that wrote a header."""
    return f"version {header.get('program') or UNNAMED.get(header['format'], 'that wrote it')}"


def unread(header: Mapping[str, Any]) -> str:
    """Return why a file of a newer format cannot be read, and what reads it."""
    what = f"it has format {header.get('format')}, and this program reads {min(UNNAMED)} to {FORMAT}"
    program = header.get("program")
    return f"{what}: version {program} reads it" if isinstance(program, str) else what


def played_elsewhere(header: Mapping[str, Any]) -> str:
    """Return which program plays an older battle on or verifies it, nothing where this one does."""
    if header.get("format", FORMAT) == FORMAT:
        return ""
    return (
        f"it has format {header['format']}, and this program plays {FORMAT}: "
        f"{program_of(header)} plays it on and verifies it"
    )
