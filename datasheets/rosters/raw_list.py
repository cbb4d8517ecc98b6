"""What an army list says before any datasheet is looked at: the form that all readers give.

It knows no datasheet: which of a unit's lines are models and which are wargear is settled later (`resolve`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from datasheets.errors import HordeError

LARGEST = 20_000_000
"""The bytes that a list may have, unpacked."""
MOST_LINES = 5_000
MOST_UNITS = 150
MOST_DEPTH = 40
"""How deeply the parts of a unit may be nested."""


class RefusedList(HordeError):  # noqa: N818 - the name says what it is to the user
    """A list that is not one of this edition, or no list at all; `str()` is one clear sentence."""


class RawEntry(msgspec.Struct, frozen=True):
    """A line below a unit: models or wargear, how many in all, and what stands below the line.

    `line` counts from 1; 0 where the list has no lines.
    """

    name: str
    count: int = 1
    line: int = 0
    kind: Literal["", "model", "gear"] = ""
    inner: tuple[RawEntry, ...] = ()

    def names(self) -> Iterator[str]:
        """Yield the name of the entry and of all below it."""
        yield self.name
        for each in self.inner:
            yield from each.names()


class RawEnhancement(msgspec.Struct, frozen=True):
    """An enhancement in a list: its name, its bearer, and its points where they are said."""

    name: str
    points: int | None = None
    unit: str = ""
    line: int = 0


class RawUnit(msgspec.Struct, frozen=True, kw_only=True):
    """One unit of a list: its name, its lines, its points and models where they are said.

    `label` is what the list calls it beside its name ("Char1").
    """

    name: str
    line: int = 0
    label: str = ""
    points: int | None = None
    models: int | None = None
    entries: tuple[RawEntry, ...] = ()
    warlord: bool = False
    enhancements: tuple[RawEnhancement, ...] = ()
    attached_to: str = ""
    embarked_in: str = ""


class Remark(msgspec.Struct, frozen=True):
    """A line of a list, its number and its text."""

    line: int
    text: str


class RawRoster(msgspec.Struct, frozen=True, kw_only=True):
    """A whole list: what its head states, its units, and every line that was not understood.

    `head` holds lines of the head that only the data can tell apart: factions and detachments by name alone.
    """

    form: str
    name: str = ""
    factions: tuple[str, ...] = ()
    detachments: tuple[str, ...] = ()
    head: tuple[Remark, ...] = ()
    limit: int | None = None
    total: int | None = None
    number: int | None = None
    units: tuple[RawUnit, ...] = ()
    unresolved: tuple[Remark, ...] = ()
