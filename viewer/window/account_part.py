"""What was asked with "why", or settled before: a part that scrolls by itself.

Its lines stand between the options and the foot, so that no option moves when they come.
"""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from viewer.window.lettering import Lettering
from viewer.window.pages import Page, Scroll

LEAST_LINES, FIRST_LINES = 2, 4
"""The lines that the part shows at the least, and those that a question keeps room for."""


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

    def needed(self, lines: Sequence[str], wide: int) -> int:
        """Return the height that is kept for the part as a question is shown."""
        lettering = self._lettering
        many = sum(len(lettering.wrap(line, 13, wide - lettering.u(20))) for line in lines)
        return min(max(many, LEAST_LINES), FIRST_LINES) * lettering.leading(13) + lettering.t(14)

    def draw(self, surface: pygame.Surface, room: pygame.Rect, lines: Sequence[str], least: int) -> int:
        """Draw lines at the foot of a room; return where what stands over them ends.

        What stands over them keeps its least height, as long as two lines have room.
        """
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
        first = LEAST_LINES * lettering.leading(13) + 2 * edge
        high = min(page.high + 2 * edge, max(room.h - least - lettering.t(4), first), room.h)
        box = pygame.Rect(room.x, room.bottom - high, room.w, high)
        pygame.draw.rect(surface, palette.background, box, border_radius=5)
        inner = pygame.Rect(box.x + lettering.u(6), box.y + edge, wide, max(high - 2 * edge, 0))
        self.scroll.draw(surface, inner, page)
        self.scroll.rect = box
        return box.top - lettering.t(4)
