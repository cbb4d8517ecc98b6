"""Words as pictures: the fonts of the window, measured, wrapped, drawn and kept.

Owns fonts, their cache and the factors by which all sizes grow; where words go is for those that draw them.
Sizes are given as for a window of the standard height with words of the usual size.
"""

from __future__ import annotations

import io
from collections import OrderedDict
from dataclasses import dataclass
from importlib import resources

import pygame

from viewer.window.glyph import Glyphs
from viewer.window.look import Look, Sizes, sizes
from viewer.window.palette import Colour, Palette

KEPT = 3000
SMALLEST = 11
"""No words are drawn smaller, in pixels."""
FONT_FOLDER = "assets.fonts"
FONT_FILES = {False: "Inter-Regular.otf", True: "Inter-SemiBold.otf"}
"""The files of our font, by whether it is bold."""


@dataclass(frozen=True, slots=True)
class Written:
    """Words that stand on the surface: where, and within which part of it they are seen."""

    words: str
    box: pygame.Rect
    clip: pygame.Rect

    @property
    def is_cut(self) -> bool:
        """Return whether a part of the words cannot be seen."""
        return not self.clip.contains(self.box)


class Lettering:
    """Fonts by size and weight, and the last few thousand words drawn with them."""

    def __init__(self, look: Look | None = None, factors: Sizes | None = None) -> None:
        """Read the fonts."""
        pygame.font.init()
        self.look = look or Look()
        self.sizes = factors or Sizes()
        self.glyphs = Glyphs()
        folder = resources.files(FONT_FOLDER)
        self._data = {bold: (folder / name).read_bytes() for bold, name in FONT_FILES.items()}
        self._fonts: dict[tuple[int, bool], pygame.font.Font] = {}
        self._wrapped: OrderedDict[tuple[str, int, int, bool], list[str]] = OrderedDict()
        self._drawn: OrderedDict[tuple[object, ...], pygame.Surface] = OrderedDict()
        self._widths: dict[tuple[str, int, bool], int] = {}
        self._target: pygame.Surface | None = None
        self.written: list[Written] = []
        """What stands on the surface, since `begin`."""

    @property
    def palette(self) -> Palette:
        """Return the colours in which the window is drawn."""
        return self.look.colours

    @property
    def stamp(self) -> tuple[object, ...]:
        """Return what changes when anything looks otherwise: the look, and the factors of sizes."""
        return self.look, self.sizes

    # sizes

    def fit(self, height: int) -> None:
        """Take the factors for a window of this height."""
        self.sizes = sizes(height, self.look)

    def t(self, pixels: float) -> int:
        """Return a length that grows with the words."""
        return round(pixels * self.sizes.text)

    def u(self, pixels: float) -> int:
        """Return a length that grows with the window alone."""
        return round(pixels * self.sizes.ui)

    def leading(self, size: float) -> int:
        """Return how high a line of words of this size is."""
        return round(self.pixels(size) * 1.35)

    def on_board(self, size: float) -> float:
        """Return the size that words on the board have which are of this size elsewhere."""
        return size * self.sizes.plate / self.sizes.text

    def of_pixels(self, pixels: float) -> float:
        """Return the size of words that are this many pixels high."""
        return pixels / self.sizes.text

    def pixels(self, size: float) -> int:
        """Return how high words of this size are."""
        return max(round(size * self.sizes.text), SMALLEST)

    # words

    def font(self, size: float, bold: bool = False) -> pygame.font.Font:
        """Return the font of this size."""
        return self._font(self.pixels(size), bold)

    def _font(self, pixels: int, bold: bool) -> pygame.font.Font:
        key = (pixels, bold)
        if key not in self._fonts:
            self._fonts[key] = pygame.font.Font(io.BytesIO(self._data[bold]), pixels)
        return self._fonts[key]

    def text(self, words: str, size: float, colour: Colour, bold: bool = False) -> pygame.Surface:
        """Return these words as a picture."""
        pixels = self.pixels(size)
        key = (words, pixels, colour, bold)
        found = self._kept(key)
        if found is None:
            found = self._font(pixels, bold).render(words.replace("\0", ""), True, colour)
            self._keep(key, found)
        return found

    def _shaded(self, words: str, size: float, colour: Colour) -> pygame.Surface:
        """Return these words as a picture with a soft shadow round them."""
        pixels, ground = self.pixels(size), self.palette.background
        key = (words, pixels, colour, "shaded", ground)
        found = self._kept(key)
        if found is None:
            light = self._font(pixels, True).render(words.replace("\0", ""), True, colour)
            dark = self._font(pixels, True).render(words.replace("\0", ""), True, ground)
            found = pygame.Surface((light.get_width() + 2, light.get_height() + 2), pygame.SRCALPHA)
            for at in ((0, 1), (2, 1), (1, 0), (1, 2), (2, 2)):
                found.blit(dark, at)
            found.blit(light, (1, 1))
            self._keep(key, found)
        return found

    def _kept(self, key: tuple[object, ...]) -> pygame.Surface | None:
        found = self._drawn.get(key)
        if found is not None:
            self._drawn.move_to_end(key)
        return found

    def _keep(self, key: tuple[object, ...], picture: pygame.Surface) -> None:
        self._drawn[key] = picture
        if len(self._drawn) > KEPT:
            self._drawn.popitem(last=False)

    def width(self, words: str, size: float, bold: bool = False) -> int:
        """Return how wide these words are."""
        key = (words, self.pixels(size), bold)
        if key not in self._widths:
            if len(self._widths) > 4 * KEPT:
                self._widths.clear()
            self._widths[key] = self.font(size, bold).size(words)[0]
        return self._widths[key]

    def height(self, size: float, bold: bool = False) -> int:
        """Return how high a picture of words of this size is."""
        return self.font(size, bold).get_height()

    def wrap(self, words: str, size: float, width: int, bold: bool = False) -> list[str]:
        """Return the words broken into lines that are at most this wide, where words are that short."""
        key = (words, self.pixels(size), width, bold)
        if key not in self._wrapped:
            self._wrapped[key] = self._wrap(words, size, width, bold)
            if len(self._wrapped) > KEPT:
                self._wrapped.popitem(last=False)
        return self._wrapped[key]

    def _wrap(self, words: str, size: float, width: int, bold: bool) -> list[str]:
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

    def fitted(self, words: str, size: float, width: int, bold: bool = False) -> str:
        """Return the words, shortened to fit this width."""
        if self.width(words, size, bold) <= width:
            return words
        short = words
        while short and self.width(short + "…", size, bold) > width:
            short = short[:-1]
        return short.rstrip(" ,;:·") + "…"

    # drawing

    def begin(self, surface: pygame.Surface) -> None:
        """Forget what was written; from now on this surface is the one that counts."""
        self._target, self.written = surface, []

    def cover(self, box: pygame.Rect) -> None:
        """Forget what was written in a part of the surface that something opaque covers."""
        self.written = [each for each in self.written if not each.box.colliderect(box)]

    def draw(
        self,
        surface: pygame.Surface,
        words: str,
        at: tuple[float, float],
        size: float,
        colour: Colour,
        *,
        bold: bool = False,
        anchor: str = "topleft",
        shaded: bool = False,
    ) -> pygame.Rect:
        """Draw words with this corner or side of theirs at a place, and return the room they take."""
        picture = self._shaded(words, size, colour) if shaded else self.text(words, size, colour, bold)
        rect = picture.get_rect()
        setattr(rect, anchor, (round(at[0]), round(at[1])))
        surface.blit(picture, rect)
        if surface is self._target and words.strip():
            self.written.append(Written(words, rect.copy(), surface.get_clip()))
        return rect
