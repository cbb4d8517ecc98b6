"""A column of lines that is scrolled as a whole: wrapped words and drawings between them.

A line is drawn only where all of it has room, so that no word is cut.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pygame

from viewer.window.lettering import Lettering
from viewer.window.palette import Colour, mix

Draw = Callable[[pygame.Surface, int, int], None]
"""Draws a line with its left upper corner at a place."""


@dataclass(frozen=True, slots=True)
class Run:
    """Words in one style."""

    words: str
    colour: Colour
    bold: bool = False


@dataclass(slots=True)
class Page:
    """Lines with their heights, as wide as was asked for."""

    lettering: Lettering
    wide: int
    lines: list[tuple[int, Draw]] = field(default_factory=list)

    @property
    def high(self) -> int:
        """Return how high all lines are together."""
        return sum(high for high, _ in self.lines)

    def add(self, high: int, draw: Draw) -> None:
        """Add a drawing of this height."""
        self.lines.append((high, draw))

    def gap(self, pixels: float) -> None:
        """Add room that grows with the words."""
        self.add(self.lettering.t(pixels), lambda surface, x, y: None)

    def write(
        self, words: str, size: float, colour: Colour, *, bold: bool = False, indent: int = 0, most: int = 0
    ) -> None:
        """Add words, wrapped; of more lines than `most` the last is shortened."""
        room = self.wide - indent
        lines = self.lettering.wrap(words, size, room, bold)
        if most and len(lines) > most:
            rest = " ".join(lines[most - 1 :])
            lines = [*lines[: most - 1], self.lettering.fitted(rest, size, room, bold)]
        for line in lines:
            shown = self.lettering.fitted(line, size, room, bold)
            self.add(self.lettering.leading(size), self._writer(shown, size, colour, bold, indent))

    def _writer(self, words: str, size: float, colour: Colour, bold: bool, indent: int) -> Draw:
        def draw(surface: pygame.Surface, x: int, y: int) -> None:
            self.lettering.draw(surface, words, (x + indent, y), size, colour, bold=bold)

        return draw

    def runs(self, runs: list[Run], size: float, *, indent: int = 0, mark: Run | None = None) -> None:
        """Add words of several styles, wrapped together; a mark stands before the first line."""
        line: list[Run] = []
        wide, first = 0, True
        for run in runs:
            for word in run.words.split():
                piece = Run(word, run.colour, run.bold)
                more = self.lettering.width(word + " ", size, run.bold)
                if line and wide + more > self.wide - indent:
                    self._add_runs(line, size, indent, mark if first else None)
                    line, wide, first = [], 0, False
                line.append(piece)
                wide += more
        if line:
            self._add_runs(line, size, indent, mark if first else None)

    def _add_runs(self, line: list[Run], size: float, indent: int, mark: Run | None) -> None:
        pieces: list[Run] = []
        for run in line:
            if pieces and pieces[-1].colour == run.colour and pieces[-1].bold == run.bold:
                pieces[-1] = Run(f"{pieces[-1].words} {run.words}", run.colour, run.bold)
            else:
                pieces.append(run)

        def draw(surface: pygame.Surface, x: int, y: int) -> None:
            if mark is not None:
                self.lettering.draw(surface, mark.words, (x, y), size, mark.colour, bold=mark.bold)
            left = x + indent
            for piece in pieces:
                box = self.lettering.draw(
                    surface, piece.words, (left, y), size, piece.colour, bold=piece.bold
                )
                left = box.right + self.lettering.width(" ", size)

        self.add(self.lettering.leading(size), draw)

    def heading(self, words: str, note: str = "") -> None:
        """Add a caption in capitals, with a note at the right."""
        palette = self.lettering.palette
        self.gap(7)

        def draw(surface: pygame.Surface, x: int, y: int) -> None:
            shown = self.lettering.fitted(words.upper(), 11, self.wide, True)
            box = self.lettering.draw(surface, shown, (x, y), 11, palette.faint, bold=True)
            if note and box.w + self.lettering.width(note, 11) + self.lettering.t(8) <= self.wide:
                at = (x + self.wide, y)
                self.lettering.draw(surface, note, at, 11, palette.faint, anchor="topright")

        self.add(self.lettering.leading(11) + self.lettering.t(2), draw)


@dataclass(slots=True)
class Scroll:
    """How far a page is scrolled, in pixels, and how much of it lies below."""

    back: int = 0
    over: int = 0
    rect: pygame.Rect = field(default_factory=lambda: pygame.Rect(0, 0, 0, 0))
    """Where the page was drawn last."""

    def turn(self, pixels: int) -> None:
        """Show earlier lines (positive) or later ones."""
        self.back = min(max(self.back - pixels, 0), self.over)

    def draw(self, surface: pygame.Surface, rect: pygame.Rect, page: Page) -> None:
        """Draw the lines that have room in a rectangle, and a bar where there are more."""
        self.rect = rect
        self.over = max(page.high - rect.h, 0)
        self.back = min(self.back, self.over)
        y = rect.y - self.back
        clip = surface.get_clip()
        surface.set_clip(rect.clip(clip))
        for high, draw in page.lines:
            if y >= rect.y and y + high <= rect.bottom:
                draw(surface, rect.x, y)
            y += high
        surface.set_clip(clip)
        if self.over:
            self._bar(surface, rect, page)

    def _bar(self, surface: pygame.Surface, rect: pygame.Rect, page: Page) -> None:
        palette = page.lettering.palette
        whole = rect.h + self.over
        high = max(round(rect.h * rect.h / whole), 12)
        top = rect.y + round((rect.h - high) * self.back / self.over)
        left = rect.right + page.lettering.u(6)
        track = pygame.Rect(left, rect.y, page.lettering.u(4), rect.h)
        pygame.draw.rect(surface, palette.line, track, border_radius=2)
        thumb = pygame.Rect(left, top, track.w, high)
        pygame.draw.rect(surface, mix(palette.soft, palette.line, 0.2), thumb, border_radius=2)
