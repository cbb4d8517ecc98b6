"""The log panel: a line for each event and reason, newest at the bottom.

Owns how far it is scrolled back and which line is under the mouse; what the lines say is the chronicle's.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import pygame

from viewer.story.chronicle import Chronicle, Line
from viewer.window.lettering import Lettering
from viewer.window.palette import Colour, Palette, mix

PAD = 14
SIZE = 13


def _tone(palette: Palette, tone: str) -> Colour:
    """Return the colour of a line."""
    return {
        "horde": palette.horde_text,
        "players": palette.players_text,
        "loss": palette.loss,
        "faint": palette.faint,
        "neutral": palette.soft,
        "reason": palette.soft,
        "answer": palette.soft,
    }.get(tone, palette.ink)


@dataclass(slots=True)
class Logbook:
    """The panel's state."""

    back: int = 0
    """How many lines it is scrolled back from the newest."""
    shown: list[tuple[pygame.Rect, Line]] = field(default_factory=list)
    """Where the lines were drawn last, from the bottom up."""
    rect: pygame.Rect = field(default_factory=lambda: pygame.Rect(0, 0, 0, 0))
    """Where the panel was drawn last."""

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
        palette, pad = lettering.palette, lettering.u(PAD)
        pygame.draw.rect(surface, palette.panel, rect)
        self.shown = []
        self.rect = rect
        head = lettering.leading(11) + lettering.t(10)
        if rect.w < 60 or rect.h < head + lettering.leading(SIZE) + lettering.t(8):
            return
        pygame.draw.line(surface, palette.line, rect.topleft, rect.topright, 1)
        clip = surface.get_clip()
        at = (rect.x + pad, rect.y + lettering.t(7))
        box = lettering.draw(surface, "LOG", at, 11, palette.faint, bold=True)
        if self.back:
            note = lettering.fitted("scrolled back", 11, rect.right - 2 * pad - box.right)
            lettering.draw(surface, note, (rect.right - pad, at[1]), 11, palette.accent, anchor="topright")
        body = pygame.Rect(rect.x, rect.y + head, rect.w, rect.h - head - lettering.t(4))
        surface.set_clip(body.clip(clip))
        lines = _newest_first(chronicle.lines, chronicle.lines_until(cursor))
        self.back = min(self.back, max(len(chronicle.lines) - 1, 0))
        bottom = body.bottom
        newest = True
        for i, line in enumerate(lines):
            if i < self.back:
                continue
            bottom = self._line(surface, body, bottom, lettering, line, newest and not self.back, unit)
            newest = newest and line.index >= cursor - 1
            if bottom <= body.top:
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
    palette, pad = lettering.palette, lettering.u(PAD)
    size = {"round": 16, "turn": 14, "phase": 11}[line.tone]
    colour = palette.faint if line.tone == "phase" else palette.ink
    words = line.text.upper() if line.tone == "phase" else line.text
    if line.tone == "turn":
        colour = palette.horde_text if "Horde" in words else palette.players_text
    high = lettering.leading(size) + lettering.t({"round": 14, "turn": 9, "phase": 8}[line.tone])
    rect = pygame.Rect(body.x, bottom - high, body.w, high)
    if rect.y < body.y:
        return rect
    if line.tone == "round":
        strip = pygame.Rect(rect.x, rect.y + lettering.t(6), rect.w, rect.h - lettering.t(8))
        pygame.draw.rect(surface, palette.raised, strip)
    shown = lettering.fitted(words, size, body.w - 2 * pad, True)
    at = (rect.x + pad, rect.bottom - lettering.t(4))
    box = lettering.draw(surface, shown, at, size, colour, bold=True, anchor="bottomleft")
    if line.tone != "round" and box.right + 14 < rect.right - pad:
        ends = (box.right + 10, box.centery), (rect.right - pad, box.centery)
        pygame.draw.line(surface, palette.line, *ends, 1)
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
    """Draw a line of the log, as much of it from its foot up as has room."""
    palette, pad, lead = lettering.palette, lettering.u(PAD), lettering.leading(SIZE)
    indent = pad + (lettering.t(12) if line.tone in ("reason", "answer", "loss") else 0)
    chip = lettering.width(line.clause, 11, True) + lettering.t(16) if line.clause else 0
    room = max(body.w - indent - pad, 40)
    words = lettering.wrap(line.text, SIZE, room)
    if chip:
        first = lettering.wrap(line.text, SIZE, max(room - chip, 60))
        words = first[:1] + lettering.wrap(" ".join(first[1:]), SIZE, room)
    high = lead * max(len(words), 1) + lettering.t(2)
    rect = pygame.Rect(body.x, bottom - high, body.w, high)
    if rect.y < body.y and bottom < body.bottom:
        return rect
    if newest or (unit and line.unit == unit):
        seen = rect.clip(body)
        pygame.draw.rect(surface, palette.raised, seen)
        pygame.draw.rect(surface, palette.accent, (seen.x, seen.y, lettering.u(3), seen.h))
    for i, part in enumerate(words):
        y = rect.y + i * lead
        if y < body.y:
            continue
        if chip and i == 0:
            box = pygame.Rect(rect.x + indent, y, chip - lettering.t(6), lead - 1)
            colour = palette.holder({"reason": "horde", "answer": "players"}.get(line.tone, ""))
            pygame.draw.rect(surface, mix(colour, palette.background, 0.6), box, border_radius=4)
            lettering.draw(surface, line.clause, box.center, 11, palette.ink, bold=True, anchor="center")
        x = rect.x + indent + (chip if i == 0 else 0)
        shown = lettering.fitted(part, SIZE, body.right - x)
        lettering.draw(surface, shown, (x, y), SIZE, _tone(palette, line.tone))
    return rect
