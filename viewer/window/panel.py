"""The question in the window: its text, its options, the line, and the buttons.

Draws an answering and remembers where its options and buttons are; what they do is the answering's.
"""

from __future__ import annotations

import pygame

from viewer.input.answering import Answering
from viewer.input.course import told
from viewer.window.layout import Layout
from viewer.window.lettering import Lettering
from viewer.window.palette import (
    ACCENT,
    BACKGROUND,
    INK,
    INK_FAINT,
    INK_SOFT,
    LINE,
    LOSS,
    PANEL,
    PANEL_RAISED,
    PLAYERS_TEXT,
    Colour,
    mix,
)

EDGE = 14
ROW = 19
"""How high a line of small letters is."""
ORDINALS = {1: "1st", 2: "2nd", 3: "3rd"}


def room_of(layout: Layout) -> pygame.Rect:
    """Return where the question stands: atop the side column, else over the foot of the board."""
    side = layout.side
    if side.w > 0:
        return pygame.Rect(side.x, side.y, side.w, max(round(side.h * 0.6), min(side.h, 330)))
    board = layout.board
    high = min(max(board.h * 11 // 20, 200), board.h)
    return pygame.Rect(board.x, board.bottom - high, board.w, high)


class Panel:
    """Draws questions, and tells what is under the mouse."""

    def __init__(self, lettering: Lettering) -> None:
        """Start with nothing drawn."""
        self._lettering = lettering
        self.rect = pygame.Rect(0, 0, 0, 0)
        self.rows: list[tuple[pygame.Rect, int]] = []
        self.buttons: list[tuple[pygame.Rect, str]] = []
        self._scrolled = 0
        self._over = 0
        self._of: Answering | None = None

    def hides(self, at: tuple[int, int]) -> bool:
        """Return whether a pixel is the panel's."""
        return self.rect.collidepoint(at)

    def option_at(self, at: tuple[int, int]) -> int | None:
        """Return the place of the option under a pixel."""
        return next((place for box, place in self.rows if box.collidepoint(at)), None)

    def button_at(self, at: tuple[int, int]) -> str | None:
        """Return the line of the button under a pixel."""
        return next((line for box, line in self.buttons if box.collidepoint(at)), None)

    def scroll(self, turns: int) -> None:
        """Show earlier options (positive) or later ones."""
        self._scrolled = min(max(self._scrolled - 2 * ROW * turns, 0), self._over)

    def close(self) -> None:
        """Be gone, until the next question."""
        self.rect = pygame.Rect(0, 0, 0, 0)
        self.rows, self.buttons = [], []

    def draw(
        self, surface: pygame.Surface, room: pygame.Rect, asked: Answering, mouse: tuple[int, int]
    ) -> None:
        """Draw a question in its room."""
        if asked is not self._of:
            self._of, self._scrolled = asked, 0
        self.rect, self.rows, self.buttons = room, [], []
        pygame.draw.rect(surface, PANEL_RAISED, room)
        pygame.draw.rect(surface, ACCENT, room, 1)
        clip = surface.get_clip()
        surface.set_clip(room.inflate(-2, -2))
        inner = room.inflate(-2 * EDGE, -16)
        top = self._draw_head(surface, inner, asked)
        bottom = self._draw_foot(surface, inner, asked, mouse)
        body = pygame.Rect(inner.x, top, inner.w, max(bottom - top, 0))
        surface.set_clip(body)
        self._draw_body(surface, body, asked, mouse)
        surface.set_clip(clip)
        if self._over:
            self._draw_bar(surface, body)

    def _write(
        self, surface: pygame.Surface, words: str, at: tuple[int, int], wide: int, size: int, colour: Colour,
        *, bold: bool = False, most: int = 9,
    ) -> int:  # fmt: skip
        """Write wrapped words downward and return where they end."""
        x, y = at
        lines = self._lettering.wrap(words, size, wide, bold)
        for i, line in enumerate(lines[:most]):
            last = line + " …" if i == most - 1 and len(lines) > most else line
            shown = self._lettering.fitted(last, size, wide, bold)
            self._lettering.draw(surface, shown, (x, y), size, colour, bold=bold)
            y += size + 5
        return y

    def _draw_head(self, surface: pygame.Surface, room: pygame.Rect, asked: Answering) -> int:
        y = self._write(surface, asked.when, room.topleft, room.w, 12, PLAYERS_TEXT, bold=True, most=1)
        y = self._write(surface, asked.prompt, (room.x, y), room.w, 15, INK, bold=True, most=4)
        if asked.course is not None:
            ways = told(asked.course.stretches)
            words = f"Straight ahead {ways}" if ways else "No flight ends on the board: it must leave"
            words += (
                f"; then a turn of up to {asked.course.most_turn:g}° either way. Click or drag along the "
                "course, right click where it looks after; ↑ ↓ inches, ← → degrees."
            )
            return self._write(surface, words, (room.x, y + 2), room.w, 13, INK_SOFT, most=5) + 4
        for words in asked.details:
            y = self._write(surface, words, (room.x, y + 2), room.w, 13, INK_SOFT, most=3)
        return y + 4

    def _draw_foot(
        self, surface: pygame.Surface, room: pygame.Rect, asked: Answering, mouse: tuple[int, int]
    ) -> int:
        """Draw upward from the foot: buttons, line, suggestion, fault; return where they begin."""
        y = self._draw_buttons(surface, room, asked, mouse)
        box = pygame.Rect(room.x, y - 32, room.w, 26)
        pygame.draw.rect(surface, BACKGROUND, box, border_radius=5)
        pygame.draw.rect(surface, ACCENT if asked.line else LINE, box, 1, border_radius=5)
        words, colour = (asked.line + "▏", INK) if asked.line else (f"type: {asked.hint}", INK_FAINT)
        while asked.line and self._lettering.width(words, 14) > box.w - 16:
            words = words[1:]
        words = self._lettering.fitted(words, 14, box.w - 16)
        self._lettering.draw(surface, words, (box.x + 8, box.centery), 14, colour, anchor="midleft")
        y = box.y - 6
        told = [(f"Suggested: {asked.suggestion}", INK_SOFT, 2)]
        told += [(asked.note, ACCENT, 2)] if asked.note else []
        told += [(asked.fault, LOSS, 4)] if asked.fault else []
        for line, colour, most in told:
            high = (13 + 5) * min(len(self._lettering.wrap(line, 13, room.w)), most)
            self._write(surface, line, (room.x, y - high), room.w, 13, colour, most=most)
            y -= high + 2
        return y - 2

    def _draw_buttons(
        self, surface: pygame.Surface, room: pygame.Rect, asked: Answering, mouse: tuple[int, int]
    ) -> int:
        """Draw the buttons at the foot, in as many rows as they need; return where they begin."""
        rows: list[list[tuple[str, str, int]]] = [[]]
        x = 0
        for line, words in asked.buttons:
            wide = self._lettering.width(words, 13, True) + 20
            if x + wide > room.w and rows[-1]:
                rows.append([])
                x = 0
            rows[-1].append((line, words, wide))
            x += wide + 8
        top = room.bottom - 32 * len(rows)
        for i, row in enumerate(rows):
            x = room.x
            for line, words, wide in row:
                box = pygame.Rect(x, top + 4 + 32 * i, min(wide, room.w), 26)
                main = not line
                fill = mix(ACCENT, PANEL, 0.1 if main else 0.75)
                fill = mix(fill, INK, 0.2) if box.collidepoint(mouse) else fill
                pygame.draw.rect(surface, fill, box, border_radius=6)
                ink = BACKGROUND if main else INK
                self._lettering.draw(surface, words, box.center, 13, ink, bold=True, anchor="center")
                self.buttons.append((box, line))
                x = box.right + 8
        return top

    def _draw_body(
        self, surface: pygame.Surface, room: pygame.Rect, asked: Answering, mouse: tuple[int, int]
    ) -> None:
        """Draw the options, numbered, and what was asked with "why"."""
        y = room.y - self._scrolled
        for words in asked.told:
            y = self._write(surface, words, (room.x, y), room.w - 8, 13, INK_SOFT) + 2
        picked = asked.picked if asked.several else []
        for place, option in enumerate(asked.options):
            lines = self._lettering.wrap(option.label, 14, room.w - 46 - (34 if asked.in_order else 0))
            box = pygame.Rect(room.x, y, room.w - 6, ROW * max(len(lines), 1) + 5)
            seen = box.clip(room)
            if seen.h > 0:
                if place in picked or seen.collidepoint(mouse):
                    tone = mix(ACCENT, PANEL, 0.7) if place in picked else mix(INK, PANEL, 0.85)
                    pygame.draw.rect(surface, tone, box, border_radius=5)
                number = f"{place + 1}"
                self._lettering.draw(
                    surface, number, (box.x + 26, y + 3), 14, ACCENT, bold=True, anchor="topright"
                )
                for i, line in enumerate(lines):
                    self._lettering.draw(surface, line, (box.x + 36, y + 3 + ROW * i), 14, INK)
                if place in picked and asked.in_order:
                    nth = picked.index(place) + 1
                    words = ORDINALS.get(nth, f"{nth}th")
                    spot = (box.right - 8, y + 3)
                    self._lettering.draw(surface, words, spot, 14, ACCENT, bold=True, anchor="topright")
                self.rows.append((seen, place))
            y = box.bottom + 2
        self._over = max(y + self._scrolled - room.bottom, 0)
        self._scrolled = min(self._scrolled, self._over)

    def _draw_bar(self, surface: pygame.Surface, room: pygame.Rect) -> None:
        """Draw how much of the options is seen."""
        whole = room.h + self._over
        high = max(round(room.h * room.h / whole), 12)
        top = room.y + round((room.h - high) * self._scrolled / self._over)
        pygame.draw.rect(surface, LINE, (room.right - 3, room.y, 4, room.h), border_radius=2)
        pygame.draw.rect(surface, INK_SOFT, (room.right - 3, top, 4, high), border_radius=2)
