"""The screens that stand in the place of the usual question, or before the whole window.

Says which is there, and passes keys and mouse on to it; each is drawn by its own module.
"""

from __future__ import annotations

from collections.abc import Callable

import pygame

from viewer.input.answering import Answering
from viewer.window.curtain import Curtain
from viewer.window.end_board import EndBoard
from viewer.window.layout import Layout
from viewer.window.offer_toast import OfferToast
from viewer.window.set_up_screen import SetUpScreen
from viewer.window.shop_effect import ShopEffect
from viewer.window.shop_panel import ShopPanel
from viewer.window.table import Table
from viewer.window.told_box import ToldBox

NOTCH = 48
"""How far a notch of the wheel scrolls, in pixels."""
QUIET = 0.12
"""A curtain or an offer takes keys once none has been pressed for this many seconds."""
MOUSE = (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP, pygame.MOUSEWHEEL)


class Screens:
    """All screens of a window."""

    def __init__(
        self, table: Table, wish: Callable[[str], None], choose: Callable[[str], None] = lambda unit: None
    ) -> None:
        """Start with none shown; the window hears of a wish, and of a unit whose card is pinned."""
        self._table = table
        self.end = EndBoard(table, wish)
        self.shop = ShopPanel(table)
        self.toast = OfferToast(table)
        self.curtain = Curtain(table)
        self.set_up = SetUpScreen(table, choose)
        self._effect = ShopEffect(table)
        self.told = ToldBox(table)
        self._pressed = False
        """Whether the mouse was pressed within a screen."""
        self._of: Answering | None = None
        self._quiet = QUIET
        """The seconds since the last key."""
        self._opened: Answering | None = None
        """The question that takes keys: none takes one that was pressed for the question before."""

    # what is there

    def takes_over(self, asked: Answering | None) -> bool:
        """Return whether a question is put by a screen, not in the side column."""
        parts = (self.curtain, self.shop, self.toast, self.set_up)
        return any(part.shows(asked) for part in parts)

    def fills_side(self, asked: Answering | None) -> bool:
        """Return whether a screen fills the right column."""
        return self.shop.shows(asked)

    def width(self, asked: Answering | None, window: int) -> int:
        """Return how wide the right column has to be, 0 where it stays as it is."""
        return self.shop.width(window) if self.shop.shows(asked) else 0

    # drawing

    def sketch(self, surface: pygame.Surface, asked: Answering | None) -> None:
        """Draw over the board what a screen is about."""
        if asked is not None and asked.shop is not None:
            self._effect.draw(surface, asked.shop)
        elif asked is not None and self.set_up.shows(asked):
            self.set_up.sketch(surface, asked)

    def draw(
        self, surface: pygame.Surface, layout: Layout, asked: Answering | None, mouse: tuple[int, int]
    ) -> None:
        """Draw the screens that are there."""
        if asked is not None and self.shop.shows(asked):
            self.shop.draw(surface, layout, asked, mouse)
        else:
            self.shop.close()
        if asked is not None and self.toast.shows(asked):
            self.toast.draw(surface, layout, asked, mouse)
        else:
            self.toast.close()
        if asked is not None and self.set_up.shows(asked):
            self.set_up.draw(surface, layout, asked, mouse)
        else:
            self.set_up.close()
        others = [self.toast.rect] if self.toast.rect.w else []
        self.told.draw(surface, asked if self.takes_over(asked) else None, others)
        if asked is not None and self.curtain.shows(asked):
            self.curtain.draw(surface, asked, mouse)
        if self.end.is_open:
            self.end.draw(surface, mouse)

    # events

    def handle(self, event: pygame.event.Event, mouse: tuple[int, int]) -> bool:
        """Take an event for a screen; return whether it was one."""
        asked = self._table.player.asked
        if self.end.is_open:
            return self._at_end(event, mouse)
        if event.type == pygame.KEYDOWN:
            self._quiet = 0.0
            if self.end.may_open and pygame.key.name(event.key) == "escape":
                self.end.is_open = True
                return True
        if asked is None or not self.takes_over(asked):
            return False
        if self.curtain.shows(asked):
            early = event.type == pygame.KEYDOWN and asked is not self._opened
            return early or self.curtain.handle(asked, event)
        if event.type == pygame.MOUSEWHEEL and self.told.rect.collidepoint(mouse):
            self.told.scroll.turn(NOTCH * event.y)
            return True
        if self.set_up.shows(asked):
            return self._set_up_event(asked, event)
        if event.type == pygame.KEYDOWN:
            return self._key(asked, event)
        return event.type in MOUSE and self._mouse(asked, event, mouse)

    def look(self, passed: float) -> bool:
        """Let some seconds go by; return whether a screen opens now."""
        asked = self._table.player.asked
        self._quiet += passed
        if self._quiet >= QUIET:
            self._opened = asked
        placed = self.set_up.look(asked)
        return self.end.look() or placed

    def _set_up_event(self, asked: Answering, event: pygame.event.Event) -> bool:
        """Take an event in the set-up."""
        if event.type == pygame.KEYDOWN:
            commands = pygame.KMOD_CTRL | pygame.KMOD_META | pygame.KMOD_ALT
            return not event.mod & commands and self.set_up.key(asked, event)
        if event.type == pygame.MOUSEMOTION:
            self.set_up.hover(asked, event.pos)
        elif event.type == pygame.MOUSEBUTTONDOWN:
            self._pressed = self.set_up.hides(event.pos)
            return self._pressed or self.set_up.press(asked, event.pos, event.button)
        elif event.type == pygame.MOUSEBUTTONUP:
            if self._pressed and event.button == 1 and self.set_up.hides(event.pos):
                self.set_up.click(asked, event.pos)
            taken, self._pressed = self._pressed, False
            return taken or self.set_up.release(asked, event.pos, event.button)
        return False

    def _at_end(self, event: pygame.event.Event, mouse: tuple[int, int]) -> bool:
        """Take an event on the last screen; return whether it was one of the mouse or a key."""
        if event.type == pygame.KEYDOWN:
            return self.end.key(pygame.key.name(event.key))
        if event.type == pygame.MOUSEWHEEL:
            self.end.turn(event.y, mouse)
        elif event.type == pygame.MOUSEBUTTONDOWN:
            self._pressed = event.button == 1
        elif event.type == pygame.MOUSEBUTTONUP and event.button == 1 and self._pressed:
            self._pressed = False
            self.end.click(event.pos)
        return event.type in MOUSE

    def _key(self, asked: Answering, event: pygame.event.Event) -> bool:
        if event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META | pygame.KMOD_ALT):
            return False
        name, sign = pygame.key.name(event.key), event.unicode
        if self.toast.shows(asked) and asked is not self._opened and self.toast.is_own(asked, name, sign):
            return True
        return self._part(asked).key(asked, name, sign)

    def _part(self, asked: Answering) -> ShopPanel | OfferToast:
        """Return the screen that puts a question."""
        return self.shop if self.shop.shows(asked) else self.toast

    def _mouse(self, asked: Answering, event: pygame.event.Event, mouse: tuple[int, int]) -> bool:
        """Take a wheel, press or release over the screen that puts a question."""
        part = self._part(asked)
        if event.type == pygame.MOUSEWHEEL:
            if part is self.shop and part.hides(mouse):
                self.shop.turn(event.y)
            return part.hides(mouse)
        if part.hides(event.pos):
            if event.type == pygame.MOUSEBUTTONDOWN:
                self._pressed, self._of = True, asked
            elif self._pressed and event.button == 1 and self._of is asked:
                part.click(asked, event.pos)
            if event.type == pygame.MOUSEBUTTONUP:
                self._pressed = False
            return True
        is_press = event.type == pygame.MOUSEBUTTONDOWN and event.button == 1
        return is_press and part is self.shop and self.shop.point(asked, event.pos)
