"""Words as pictures: the fonts of the window, measured, wrapped, drawn and kept.

Owns fonts and their cache; where words go is for those who draw them.
"""

from __future__ import annotations

import io
from collections import OrderedDict
from importlib import resources

import pygame

from viewer.window.palette import Colour

KEPT = 3000
_FILES = {False: "Inter-Regular.otf", True: "Inter-SemiBold.otf"}


class Lettering:
    """Fonts by size and weight, and the last few thousand words drawn with them."""

    def __init__(self) -> None:
        """Read the fonts."""
        pygame.font.init()
        folder = resources.files("assets") / "fonts"
        self._data = {bold: (folder / name).read_bytes() for bold, name in _FILES.items()}
        self._fonts: dict[tuple[int, bool], pygame.font.Font] = {}
        self._wrapped: OrderedDict[tuple[str, int, int, bool], list[str]] = OrderedDict()
        self._drawn: OrderedDict[tuple[str, int, Colour, bool], pygame.Surface] = OrderedDict()

    def font(self, size: int, bold: bool = False) -> pygame.font.Font:
        """Return the font of this height in pixels."""
        key = (size, bold)
        if key not in self._fonts:
            self._fonts[key] = pygame.font.Font(io.BytesIO(self._data[bold]), size)
        return self._fonts[key]

    def text(self, words: str, size: int, colour: Colour, bold: bool = False) -> pygame.Surface:
        """Return these words as a picture."""
        key = (words, size, colour, bold)
        found = self._drawn.get(key)
        if found is None:
            found = self.font(size, bold).render(words.replace("\0", ""), True, colour)
            self._drawn[key] = found
            if len(self._drawn) > KEPT:
                self._drawn.popitem(last=False)
        else:
            self._drawn.move_to_end(key)
        return found

    def width(self, words: str, size: int, bold: bool = False) -> int:
        """Return how wide these words are."""
        return self.font(size, bold).size(words)[0]

    def wrap(self, words: str, size: int, width: int, bold: bool = False) -> list[str]:
        """Return the words broken into lines that are at most this wide, where words are that short."""
        key = (words, size, width, bold)
        if key not in self._wrapped:
            self._wrapped[key] = self._wrap(words, size, width, bold)
            if len(self._wrapped) > KEPT:
                self._wrapped.popitem(last=False)
        return self._wrapped[key]

    def _wrap(self, words: str, size: int, width: int, bold: bool) -> list[str]:
        lines: list[str] = []
        line = ""
        for word in words.split():
            longer = f"{line} {word}".strip()
            if line and self.width(longer, size, bold) > width:
                lines.append(line)
                line = word
            else:
                line = longer
        return [*lines, line] if line else lines

    def fitted(self, words: str, size: int, width: int, bold: bool = False) -> str:
        """Return the words, shortened to fit this width."""
        if self.width(words, size, bold) <= width:
            return words
        short = words
        while short and self.width(short + "…", size, bold) > width:
            short = short[:-1]
        return short.rstrip() + "…"

    def draw(
        self,
        surface: pygame.Surface,
        words: str,
        at: tuple[float, float],
        size: int,
        colour: Colour,
        *,
        bold: bool = False,
        anchor: str = "topleft",
    ) -> pygame.Rect:
        """Draw words with this corner or side of theirs at a place, and return the room they take."""
        picture = self.text(words, size, colour, bold)
        rect = picture.get_rect()
        setattr(rect, anchor, (round(at[0]), round(at[1])))
        surface.blit(picture, rect)
        return rect
