"""What was asked with "why", or was settled before: a part of the question that scrolls by itself.

Its lines stand between the options and the foot, so that no option moves when they come.
"""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from viewer.window.lettering import Lettering
from viewer.window.pages import Page, Scroll

MOST_SHARE = 0.5
"""The most of the options' room that the part takes."""


class AccountPart:
    """The part, how far it is scrolled, and its lines."""

    def __init__(self, lettering: Lettering) -> None:
        """Start without lines."""
        self._lettering = lettering
        self.scroll = Scroll()
        self._laid: tuple[tuple[object, ...], Page] | None = None

    def close(self) -> None:
        """Be gone."""
        self.scroll.rect = pygame.Rect(0, 0, 0, 0)

    def draw(self, surface: pygame.Surface, room: pygame.Rect, lines: Sequence[str]) -> int:
        """Draw lines at the foot of a room; return where what stands over them ends."""
        lettering, palette = self._lettering, self._lettering.palette
        if not lines:
            self._laid = None
            self.close()
            return room.bottom
        wide = room.w - lettering.u(20)
        key = (tuple(lines), wide, *lettering.stamp)
        if self._laid is None or self._laid[0] != key:
            page = Page(lettering, wide)
            for line in lines:
                page.write(line, 13, palette.soft)
            self._laid, self.scroll.back = (key, page), 0
        page = self._laid[1]
        edge = lettering.t(5)
        high = min(page.high + 2 * edge, max(round(room.h * MOST_SHARE), lettering.leading(13) + 2 * edge))
        box = pygame.Rect(room.x, room.bottom - high, room.w, high)
        pygame.draw.rect(surface, palette.background, box, border_radius=5)
        inner = pygame.Rect(box.x + lettering.u(6), box.y + edge, wide, max(high - 2 * edge, 0))
        self.scroll.draw(surface, inner, page)
        self.scroll.rect = box
        return box.top - lettering.t(4)
