"""The log panel: a line for each event and reason, newest at the bottom.

Owns how far it is scrolled back and which line is under the mouse; what the lines say is the chronicle's.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import pygame

from viewer.story.chronicle import Chronicle, Line
from viewer.window.lettering import Lettering
from viewer.window.palette import (
    ACCENT,
    BACKGROUND,
    HORDE_COLOUR,
    HORDE_TEXT,
    INK,
    INK_FAINT,
    INK_SOFT,
    LINE,
    LOSS,
    PANEL,
    PANEL_RAISED,
    PLAYERS_COLOURS,
    PLAYERS_TEXT,
    Colour,
    mix,
)

PAD = 16
LEADING = 18
SIZE = 13
_TONES: dict[str, Colour] = {
    "horde": HORDE_TEXT,
    "players": PLAYERS_TEXT,
    "neutral": INK_SOFT,
    "loss": LOSS,
    "faint": INK_FAINT,
    "reason": INK_SOFT,
    "answer": INK_SOFT,
}

_CHIPS: dict[str, Colour] = {"reason": HORDE_COLOUR, "answer": PLAYERS_COLOURS[0]}


@dataclass(slots=True)
class Logbook:
    """The panel's state."""

    back: int = 0
    """How many lines it is scrolled back from the newest."""
    shown: list[tuple[pygame.Rect, Line]] = field(default_factory=list)
    """Where the lines were drawn last, from the bottom up."""

    def scroll(self, lines: int) -> None:
        """Scroll back (or forth, when negative) by some lines."""
        self.back = max(self.back + lines, 0)

    def line_at(self, at: tuple[int, int]) -> Line | None:
        """Return the line drawn at a place."""
        return next((line for rect, line in self.shown if rect.collidepoint(at)), None)

    def draw(
        self,
        surface: pygame.Surface,
        rect: pygame.Rect,
        lettering: Lettering,
        chronicle: Chronicle,
        cursor: int,
        unit: str,
    ) -> None:
        """Draw the lines of the entries before the cursor; those of the chosen unit are marked."""
        pygame.draw.rect(surface, PANEL, rect)
        self.shown = []
        if rect.w < 60 or rect.h < 50:
            return
        clip = surface.get_clip()
        lettering.draw(surface, "LOG", (rect.x + PAD, rect.y + 10), 11, INK_FAINT, bold=True)
        if self.back:
            note = "scrolled back · wheel down for the newest"
            lettering.draw(surface, note, (rect.right - PAD, rect.y + 10), 11, ACCENT, anchor="topright")
        body = pygame.Rect(rect.x, rect.y + 28, rect.w, rect.h - 34)
        surface.set_clip(body)
        lines = _newest_first(chronicle.lines, chronicle.lines_until(cursor))
        self.back = min(self.back, max(len(chronicle.lines) - 1, 0))
        bottom = body.bottom
        newest = True
        for i, line in enumerate(lines):
            if i < self.back:
                continue
            bottom = self._line(surface, body, bottom, lettering, line, newest and not self.back, unit)
            newest = newest and line.index >= cursor - 1
            if bottom < body.top:
                break
        surface.set_clip(clip)

    def _line(
        self,
        surface: pygame.Surface,
        body: pygame.Rect,
        bottom: int,
        lettering: Lettering,
        line: Line,
        newest: bool,
        unit: str,
    ) -> int:
        """Draw a line with its foot at `bottom`, and return where its head is."""
        if line.tone in ("round", "turn", "phase"):
            rect = _heading(surface, body, bottom, lettering, line)
        else:
            rect = _body_line(surface, body, bottom, lettering, line, newest, unit)
        self.shown.append((rect, line))
        return rect.top


def _newest_first(lines: list[Line], count: int) -> list[Line]:
    """Return the newest lines that count, a few hundred, without those that are replaced."""
    kept: list[Line] = []
    skip = False
    for line in reversed(lines[max(count - 4000, 0) : count]):
        if not skip:
            kept.append(line)
        skip = line.replaces
    return kept


def _heading(
    surface: pygame.Surface, body: pygame.Rect, bottom: int, lettering: Lettering, line: Line
) -> pygame.Rect:
    high, size, colour = {"round": (40, 17, INK), "turn": (30, 14, INK), "phase": (26, 11, INK_FAINT)}[
        line.tone
    ]
    rect = pygame.Rect(body.x, bottom - high, body.w, high)
    words = line.text.upper() if line.tone == "phase" else line.text
    if line.tone == "turn":
        colour = HORDE_TEXT if "Horde" in words else PLAYERS_TEXT
    foot = rect.bottom - 5
    if line.tone == "round":
        pygame.draw.rect(surface, PANEL_RAISED, (rect.x, rect.y + 8, rect.w, rect.h - 10))
    box = lettering.draw(surface, words, (rect.x + PAD, foot), size, colour, bold=True, anchor="bottomleft")
    if line.tone != "round":
        pygame.draw.line(surface, LINE, (box.right + 10, box.centery), (rect.right - PAD, box.centery), 1)
    return rect


def _body_line(
    surface: pygame.Surface,
    body: pygame.Rect,
    bottom: int,
    lettering: Lettering,
    line: Line,
    newest: bool,
    unit: str,
) -> pygame.Rect:
    indent = PAD + (14 if line.tone in ("reason", "answer", "loss") else 0)
    chip = lettering.width(line.clause, 11, True) + 16 if line.clause else 0
    room = max(body.w - indent - PAD, 40)
    words = lettering.wrap(line.text, SIZE, room)
    above = 0
    if chip:
        first = lettering.wrap(line.text, SIZE, max(room - chip, 60))
        rest = lettering.wrap(" ".join(first[1:]), SIZE, room)
        words = first[:1] + rest
        above = 2
    high = LEADING * max(len(words), 1) + 3 + above
    rect = pygame.Rect(body.x, bottom - high, body.w, high)
    if newest or (unit and line.unit == unit):
        pygame.draw.rect(surface, PANEL_RAISED, rect)
        pygame.draw.rect(surface, ACCENT, (rect.x, rect.y, 3, rect.h))
    y = rect.y + above
    if chip:
        box = pygame.Rect(rect.x + indent, y, chip - 6, LEADING - 1)
        pygame.draw.rect(surface, mix(_CHIPS.get(line.tone, LINE), BACKGROUND, 0.6), box, border_radius=4)
        lettering.draw(surface, line.clause, box.center, 11, INK, bold=True, anchor="center")
    for i, part in enumerate(words):
        x = rect.x + indent + (chip if i == 0 else 0)
        lettering.draw(surface, part, (x, y + i * LEADING), SIZE, _TONES.get(line.tone, INK))
    return rect
