"""A message over the board: a sentence and a second line, for some seconds or until a click.

It asks nothing, and nothing waits for it.
"""

from __future__ import annotations

import pygame

from viewer.window.lettering import Lettering

STAYS = 8.0
"""How long a message is shown, in seconds, if it is not said otherwise."""
WIDEST = 0.92
"""The part of the board's width that a message takes up at most."""


class Message:
    """The message that is shown, if there is one."""

    def __init__(self) -> None:
        """Say nothing."""
        self.words, self.more = "", ""
        self.is_bad = False
        self._is_new = False
        self._left = 0.0
        self._box = pygame.Rect(0, 0, 0, 0)

    @property
    def is_shown(self) -> bool:
        """Return whether a message is shown."""
        return bool(self.words)

    def say(self, words: str, more: str = "", *, is_bad: bool = False, stays: float = STAYS) -> None:
        """Show a sentence, with a second line, for some seconds."""
        self.words, self.more, self.is_bad, self._left = words, more, is_bad, stays
        self._is_new = True

    def close(self) -> None:
        """Show nothing any more."""
        self.words, self.more, self._box = "", "", pygame.Rect(0, 0, 0, 0)

    def tick(self, passed: float) -> bool:
        """Let some seconds go by; return whether the message has come or gone."""
        is_new, self._is_new = self._is_new, False
        if not self.words:
            return False
        self._left -= passed
        if self._left <= 0:
            self.close()
        return is_new or not self.words

    def takes(self, at: tuple[int, int]) -> bool:
        """Return whether a click was on the message, which closes it."""
        hit = self.is_shown and bool(self._box.collidepoint(at))
        if hit:
            self.close()
        return hit

    def draw(self, surface: pygame.Surface, lettering: Lettering, board: pygame.Rect) -> None:
        """Draw the message at the foot of the board."""
        if not self.words:
            return
        palette, pad = lettering.palette, lettering.t(14)
        room = max(round(min(board.w, surface.get_width()) * WIDEST) - 2 * pad - lettering.u(4), 1)
        lines = [(part, 14, palette.ink, True) for part in lettering.wrap(self.words, 14, room, True)]
        lines += [(part, 12, palette.soft, False) for part in _broken(lettering, self.more, 12, room)]
        wide = max(lettering.width(words, size, bold) for words, size, _, bold in lines)
        high = sum(lettering.leading(size) for _, size, _, _ in lines)
        box = pygame.Rect(0, 0, wide + 2 * pad + lettering.u(4), high + 2 * lettering.t(9))
        box.midbottom = (board.centerx, board.bottom - lettering.u(4))
        box.clamp_ip(surface.get_rect())
        self._box = box
        pygame.draw.rect(surface, palette.raised, box, border_radius=6)
        pygame.draw.rect(surface, palette.line, box, 1, border_radius=6)
        bar = pygame.Rect(box.x, box.y + 3, lettering.u(4), box.h - 6)
        pygame.draw.rect(surface, palette.loss if self.is_bad else palette.good, bar, border_radius=2)
        lettering.cover(box)
        y = box.y + lettering.t(9)
        for words, size, colour, bold in lines:
            lettering.draw(surface, words, (bar.right + pad, y), size, colour, bold=bold)
            y += lettering.leading(size)


def _broken(lettering: Lettering, words: str, size: float, room: int) -> list[str]:
    """Return words in lines of at most this width, broken within a word where it is a path."""
    found: list[str] = []
    for line in lettering.wrap(words, size, room):
        left = line
        while left and lettering.width(left, size) > room:
            cut = len(left)
            while cut > 1 and lettering.width(left[:cut], size) > room:
                cut -= 1
            found.append(left[:cut])
            left = left[cut:]
        found += [left] if left else []
    return found
