"""Findings in a list: what was not understood, and where the list differs from the data."""

from __future__ import annotations

from typing import Literal

import msgspec

from datasheets.rosters.printable import printable

Subject = Literal["unit", "line", "wargear", "models", "points", "number", "faction", "breach"]


class Finding(msgspec.Struct, frozen=True):
    """One sentence about a list; `line` is 0 where no line is meant.

    A "unit" was not found, a "line" was not understood, "wargear" is unknown or more than the datasheet
    allows, "models", "points" and "number" differ, a "faction" is unknown or inferred, a "breach" is no
    legal army.
    """

    subject: Subject
    text: str
    line: int = 0

    def __str__(self) -> str:
        """Return the sentence with the line that it is about."""
        stop = "" if self.text.endswith("?") else "."
        return f"line {self.line}: {self.text}{stop}" if self.line else f"{self.text}{stop}"


def quoted(name: str) -> str:
    """Return a name of a list in quotes, fit to be printed."""
    return f"'{printable(name)}'"
