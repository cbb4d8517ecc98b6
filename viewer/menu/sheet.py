"""A page of a menu: its widgets within a part of the window, and how it is made anew.

Owns what all pages share: the place scrolled to, the ring of the keys, and the sentence on what is wrong.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import pygame

from datasheets.errors import HordeError
from viewer.menu.desk import Desk
from viewer.menu.kit import Act, FieldColumn, Kit
from viewer.window.lettering import Lettering
from viewer.window.widgets import Widgets


class Sheet(ABC):
    """A page of a menu."""

    title = ""
    under = ""
    """What stands below the title."""

    def __init__(self, desk: Desk, widgets: Widgets, lettering: Lettering) -> None:
        """Begin without widgets."""
        self.desk, self.lettering = desk, lettering
        self.kit = Kit(widgets, lettering)
        self.rect = pygame.Rect(0, 0, 0, 0)
        self.fault = ""
        self.aside: tuple[str, Act] | None = None
        """A button beside the others that leaves the page, where there is one."""
        self._is_shown = False
        self._place = 0.0
        """Where it was scrolled to as it was closed."""
        self._at: int | None = None
        """Where the keys were as it was closed."""

    def build(self, rect: pygame.Rect) -> None:
        """Make the widgets within a part of the window."""
        self.rect, self._is_shown = rect.copy(), True
        self.renew()

    def renew(self) -> None:
        """Make the widgets anew; what is scrolled to, and where the keys are, stays.

        Nothing is made of a page that is not shown.
        """
        if not self._is_shown:
            return
        place = self._scrolled() or self._place
        at = self._at if self.kit.ring.place is None else self.kit.ring.place
        self._place, self._at = 0.0, None
        self.kit.clear()
        self.make()
        self.kit.ring.go_to(at)
        bar = self.kit.scroll.vert_scroll_bar if self.kit.scroll is not None else None
        if bar is not None and place:
            bar.set_scroll_from_start_percentage(place)
            bar.has_moved_recently = True

    def _scrolled(self) -> float:
        bar = self.kit.scroll.vert_scroll_bar if self.kit.scroll is not None else None
        return float(bar.start_percentage) if bar is not None and bar.alive() else 0.0

    @abstractmethod
    def make(self) -> None:
        """Make the widgets."""

    def head(self, *acts: tuple[str, Act, str]) -> int:
        """Write the title with buttons beside it, and below it what is wrong; return where it ends.

        A button is its words, what it does, and its class.
        """
        kit, rect = self.kit, self.rect
        gap, right = kit.lettering.t(12), rect.right
        if self.aside is not None:
            acts = (*acts, (*self.aside, ""))
        for words, act, kind in acts:
            wide = kit.lettering.width(words, 14, True) + kit.lettering.t(32)
            wide = min(max(wide, kit.high), rect.w // max(len(acts), 1))
            right -= wide
            kit.button(words, pygame.Rect(right, rect.y, wide, kit.high), act, kind)
            right -= gap
        room = right - rect.x
        beside = room >= min(rect.w // 2, kit.lettering.width(self.title, 28, True))
        top = rect.y if beside else rect.y + kit.high + gap
        column = FieldColumn(kit, rect.x, top, room if beside else rect.w, None)
        column.words(self.title, "@title")
        column = FieldColumn(kit, rect.x, max(column.y, rect.y + kit.high), rect.w, None)
        if self.fault:
            column.words(self.fault, "@fault")
        elif self.under and rect.h > kit.lettering.t(420):
            column.words(self.under, "@soft")
        column.skip(10)
        return column.y

    def attempt(self, act: Act) -> bool:
        """Do something that may be refused, and keep the sentence; return whether it was done."""
        try:
            act()
        except HordeError as fault:
            self.fault = " ".join(str(fault).split())
            return False
        self.fault = ""
        return True

    def take(self, event: pygame.event.Event) -> bool:
        """Take an event; return whether it was for the page."""
        if event.type == pygame.KEYDOWN and self.kit.ring.key(event):
            return True
        return self.kit.take(event)

    def tick(self, passed: float) -> bool:
        """Let some seconds go by; return whether it has to be drawn again."""
        return False

    def draw(self, surface: pygame.Surface) -> None:
        """Draw what lies over the widgets."""
        self.kit.ring.draw(surface, self.lettering.palette.accent)

    def close(self) -> None:
        """Take the widgets away."""
        if self._is_shown:
            self._place, self._at = self._scrolled(), self.kit.ring.place
        self._is_shown = False
        self.kit.clear()
