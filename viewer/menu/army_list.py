"""A box into which an army list is pasted, with what was found in it.

A list that cannot be read is one sentence, and stays in the box.
"""

from __future__ import annotations

from collections.abc import Callable

import pygame

from datasheets.errors import HordeError
from datasheets.schema import Roster
from viewer.menu.desk import Desk
from viewer.menu.kit import FieldColumn, Kit

MOST_FINDINGS = 6
"""The most lines on what was found."""


class ArmyList:
    """The pasting of an army list."""

    def __init__(self, kit: Kit, desk: Desk, title: str, done: Callable[[Roster | None], None]) -> None:
        """Take what the clipboard holds."""
        self._kit, self._desk, self._title, self._done = kit, desk, title, done
        self.text = _clipboard()
        self.fault = ""
        self._found: list[str] = []
        self._army: Roster | None = None
        self._rect = pygame.Rect(0, 0, 0, 0)

    def make(self, rect: pygame.Rect) -> None:
        """Make the widgets within a part of the window."""
        kit, self._rect = self._kit, rect
        column = FieldColumn(kit, rect.x, rect.y, rect.w, None)
        column.words(self._title, "@title")
        column.words(self.fault or "A list of any app, or a roster file. Paste it with Ctrl+V.", self._kind)
        for each in self._found[:MOST_FINDINGS]:
            column.words(each, "@soft")
        column.skip(8)
        high = max(rect.bottom - column.y - 2 * kit.gap - kit.high, 2 * kit.high)
        column.box(self.text, high, self._write, "Paste an army list here.")
        main = "Use this army" if self._army is not None else "Read the list"
        between = kit.lettering.t(8)
        half = (rect.w - between) // 2
        left = FieldColumn(kit, rect.x, column.y, half, None)
        left.buttons([("Back", self.cancel), ("Clear", self._clear)])
        FieldColumn(kit, rect.x + half + between, column.y, half, None).button(main, self.use, "@main")

    @property
    def _kind(self) -> str:
        return "@fault" if self.fault else "@soft"

    def _write(self, text: str) -> None:
        self.text, self._army, self._found = text, None, []

    def _clear(self) -> None:
        self._write("")
        self.fault = ""
        self._again()

    def use(self) -> None:
        """Read the list, and use its army where nothing in it needs a look."""
        if self._army is not None:
            self._done(self._army)
            return
        try:
            army, found = self._desk.read_list(self.text.encode(), "The list")
        except HordeError as fault:
            self.fault = str(fault).splitlines()[0]
            self._again()
            return
        self.fault = ""
        if not found:
            self._done(army)
            return
        self._army, self._found = army, found
        self._again()

    def _again(self) -> None:
        self._kit.clear()
        self.make(self._rect)

    def cancel(self) -> None:
        """Go back without another army."""
        self._done(None)


def _clipboard() -> str:
    """Return the words that the clipboard holds, "" where there are none."""
    try:
        return str(pygame.scrap.get_text() or "")
    except pygame.error:
        return ""
