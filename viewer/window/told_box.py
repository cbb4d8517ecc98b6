"""A box of what was asked for with "why" or "?" beside a screen in the question's place.

A box in a corner of the board; Esc closes it.
"""

from __future__ import annotations

import pygame

from viewer.input.answering import Answering
from viewer.window.corner import free_corner
from viewer.window.pages import Page, Scroll
from viewer.window.table import Table

WIDE = 420
SHARE = 0.6
"""The most of the board's height that the box takes."""


class ToldBox:
    """The box, and how far it is scrolled."""

    def __init__(self, table: Table) -> None:
        """Start with none."""
        self._table = table
        self.scroll = Scroll()
        self._of: list[str] = []
        self.rect = pygame.Rect(0, 0, 0, 0)

    def draw(self, surface: pygame.Surface, asked: Answering | None, shunned: list[pygame.Rect]) -> None:
        """Draw the lines said to a question, clear of the parts of the screen that are taken."""
        told = asked.told if asked is not None and asked.told is not asked.settled else []
        if not told:
            self.rect, self._of = pygame.Rect(0, 0, 0, 0), []
            return
        lettering, palette = self._table.lettering, self._table.lettering.palette
        left, top, wide, high = self._table.camera.viewport
        page = Page(lettering, min(lettering.t(WIDE), max(wide // 2 - 16, 160)) - lettering.t(28))
        for line in told:
            page.write(line, 13, palette.ink)
            page.gap(3)
        page.write("Esc closes this.", 12, palette.faint)
        size = page.wide + lettering.t(28), min(page.high + lettering.t(20), round(high * SHARE))
        if told != self._of or self.rect.size != size:
            self._of, self.scroll.back = list(told), 0
            self.rect = free_corner(size, (left, top, wide, high), [], shunned)
        lettering.cover(self.rect)
        pygame.draw.rect(surface, palette.raised, self.rect, border_radius=10)
        pygame.draw.rect(surface, palette.line, self.rect, 1, border_radius=10)
        inner = self.rect.inflate(-lettering.t(28), -lettering.t(20))
        self.scroll.draw(surface, pygame.Rect(inner.x, inner.y, page.wide, inner.h), page)
