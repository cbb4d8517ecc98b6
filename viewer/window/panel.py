"""The question in the window: its text and options, and its buttons in the bottom bar.

Draws an answering and remembers where its options and buttons are; what they do is the answering's.
"""

from __future__ import annotations

import re

import pygame

from viewer.input.answering import Answering
from viewer.input.button import Button
from viewer.input.course import told
from viewer.window.account_part import AccountPart
from viewer.window.bottom import MENU, draw_bottom, draw_menu, draw_typed
from viewer.window.layout import Layout
from viewer.window.lettering import Lettering
from viewer.window.palette import Colour, mix
from viewer.window.target_rows import draw_targets, targets_high

EDGE = 14
ORDINALS = {1: "1st", 2: "2nd", 3: "3rd"}


def room_of(layout: Layout) -> pygame.Rect:
    """Return where the question stands without a card: at the side column's or board's foot."""
    side = layout.side
    if side.w > 0:
        high = max(round(side.h * 0.5), min(side.h, 250))
        return pygame.Rect(side.x, side.bottom - high, side.w, high)
    board = layout.board
    high = min(max(board.h * 11 // 20, 200), board.h)
    return pygame.Rect(board.x, board.bottom - high, board.w, high)


class Panel:
    """Draws questions, and tells what is under the mouse."""

    def __init__(self, lettering: Lettering) -> None:
        """Start with nothing drawn."""
        self._lettering = lettering
        self.rect = pygame.Rect(0, 0, 0, 0)
        self.bar = pygame.Rect(0, 0, 0, 0)
        """The bottom bar, while a question is there."""
        self.rows: list[tuple[pygame.Rect, int]] = []
        self.buttons: list[tuple[pygame.Rect, str]] = []
        self.account = AccountPart(lettering)
        self._scrolled = 0
        self._over = 0
        self._targets_high = 0
        """How high the rows of targets have been in this question."""
        self._of: Answering | None = None
        self._typed = False
        self._in_menu: list[Button] = []
        self.menu_is_open = False
        """Whether the menu of the main button is shown."""
        self.menu = pygame.Rect(0, 0, 0, 0)

    def hides(self, at: tuple[int, int]) -> bool:
        """Return whether a pixel is the panel's."""
        return any(part.collidepoint(at) for part in (self.rect, self.bar, self.menu))

    def option_at(self, at: tuple[int, int]) -> int | None:
        """Return the place of the option under a pixel."""
        return next((place for box, place in self.rows if box.collidepoint(at)), None)

    def button_at(self, at: tuple[int, int]) -> str | None:
        """Return the line of the button under a pixel."""
        return next((line for box, line in reversed(self.buttons) if box.collidepoint(at)), None)

    def scroll(self, turns: int, at: tuple[int, int] = (-1, -1)) -> None:
        """Show earlier options (positive) or later ones; over an account its lines."""
        step = 2 * self._lettering.leading(14)
        if self.account.scroll.rect.collidepoint(at):
            self.account.scroll.turn(step * turns)
            return
        self._scrolled = min(max(self._scrolled - step * turns, 0), self._over)

    def close(self) -> None:
        """Be gone, until the next question."""
        self.rect = self.bar = self.menu = pygame.Rect(0, 0, 0, 0)
        self.account.close()
        self.rows, self.buttons = [], []

    def needed(self, asked: Answering, wide: int) -> int:
        """Return how high the room is that a question would fill."""
        lettering = self._lettering
        inner = wide - 2 * lettering.u(EDGE)
        high = lettering.t(40)
        for words, size in ((_bare(asked.prompt), 14), *((each, 13) for each in asked.details)):
            high += lettering.leading(size) * len(lettering.wrap(words, size, inner))
        for option in asked.options:
            lines = lettering.wrap(_bare(option.label), 14, inner - lettering.t(44))
            high += lettering.leading(14) * max(len(lines), 1) + lettering.t(8)
        high += targets_high(lettering, asked) + self.account.needed(asked.told, inner)
        high += lettering.leading(13) * len(lettering.wrap(f"Suggested: {asked.suggestion}", 13, inner))
        return high

    def _least(self, asked: Answering, wide: int) -> int:
        """Return the height at which the first three options are seen."""
        lettering, room = self._lettering, wide - self._lettering.t(44)
        lines = [len(lettering.wrap(_bare(option.label), 14, room)) for option in asked.options[:3]]
        return sum(lettering.leading(14) * max(many, 1) + lettering.t(8) for many in lines)

    def draw(
        self,
        surface: pygame.Surface,
        room: pygame.Rect,
        bar: pygame.Rect,
        asked: Answering,
        mouse: tuple[int, int],
    ) -> None:
        """Draw a question in its room, and its buttons in the bar."""
        if asked is not self._of:
            self._of, self._scrolled, self._targets_high, self.menu_is_open = asked, 0, 0, False
        palette = self._lettering.palette
        self.rect, self.bar, self.rows = room, bar, []
        self.buttons, self._typed, self._in_menu = draw_bottom(surface, bar, self._lettering, asked, mouse)
        pygame.draw.rect(surface, palette.raised, room)
        pygame.draw.rect(surface, mix(palette.accent, palette.raised, 0.3), (room.x, room.y, 3, room.h))
        if room.h < 30 or room.w < 60:
            return
        clip = surface.get_clip()
        surface.set_clip(room.inflate(-2, -2).clip(clip))
        edge = self._lettering.u(EDGE)
        inner = pygame.Rect(room.x + edge, room.y + self._lettering.t(8), room.w - 2 * edge, 0)
        inner.h = room.bottom - self._lettering.t(8) - inner.y
        top = self._draw_head(surface, inner, asked)
        bottom = self._draw_foot(surface, inner, asked, top)
        between = pygame.Rect(inner.x, top, inner.w, max(bottom - top, 0))
        bottom = self.account.draw(surface, between, asked.told, self._least(asked, inner.w))
        body = pygame.Rect(inner.x, top, inner.w, max(bottom - top, 0))
        self._draw_body(surface, body.clip(room), asked, mouse)
        surface.set_clip(clip)
        if self._over and body.h > 0:
            self._draw_bar(surface, body)

    def draw_menu(self, surface: pygame.Surface, mouse: tuple[int, int]) -> None:
        """Draw the menu of the main button over all else, where it is open."""
        self.menu = pygame.Rect(0, 0, 0, 0)
        if self.menu_is_open and self._in_menu and self.bar.h > 0:
            placed = draw_menu(surface, self.bar, self._lettering, self._in_menu, mouse)
            self.buttons += placed
            self.menu = placed[0][0].unionall([box for box, _ in placed]).inflate(16, 16)

    def press(self, at: tuple[int, int]) -> str | None:
        """Return the line of the button under a pixel; the menu's own opens and closes it."""
        line = self.button_at(at)
        self.menu_is_open = line == MENU and not self.menu_is_open
        return None if line == MENU else line

    def _write(
        self, surface: pygame.Surface, words: str, at: tuple[int, int], wide: int, size: float,
        colour: Colour, *, foot: int, bold: bool = False, most: int = 9,
    ) -> int:  # fmt: skip
        """Write wrapped words downward, as far as a foot, and return where they end."""
        x, y = at
        lines = self._lettering.wrap(words, size, wide, bold)
        lead = self._lettering.leading(size)
        for i, line in enumerate(lines[:most]):
            if y + lead > foot:
                break
            last = line + " …" if i == most - 1 and len(lines) > most else line
            shown = self._lettering.fitted(last, size, wide, bold)
            self._lettering.draw(surface, shown, (x, y), size, colour, bold=bold)
            y += lead
        return y

    def _draw_head(self, surface: pygame.Surface, room: pygame.Rect, asked: Answering) -> int:
        palette, foot = self._lettering.palette, room.bottom
        y = self._write(
            surface, _bare(asked.prompt), room.topleft, room.w, 14, palette.ink, foot=foot, bold=True, most=4
        )
        # Beside options details stand after them, so that the first options are seen at once.
        words_ = [] if asked.options else list(asked.details)
        if asked.course is not None:
            ways = told(asked.course.stretches)
            words = f"Straight ahead {ways}" if ways else "No flight ends on the board: it must leave"
            words += f"; then a turn of up to {asked.course.most_turn:g}° either way."
            words_ = [
                words,
                "Click or drag along the course, right click for its facing; ↑ ↓ inches, ← → degrees.",
            ]
        for words in words_:
            y = self._write(surface, words, (room.x, y), room.w, 13, palette.soft, foot=foot, most=5)
        return y + self._lettering.t(4)

    def _draw_foot(self, surface: pygame.Surface, room: pygame.Rect, asked: Answering, top: int) -> int:
        """Draw upward from the foot: line, suggestion, note, fault; return where they begin."""
        lettering, palette = self._lettering, self._lettering.palette
        y = room.bottom
        # Three options at least are seen before anything that the yellow button says, too.
        least = top + min(3, len(asked.options)) * (lettering.leading(14) + lettering.t(8))
        has_room = asked.open is None and y - lettering.leading(14) - lettering.t(14) > least
        if not self._typed and (asked.line or has_room):
            box = pygame.Rect(room.x, 0, room.w, lettering.leading(14) + lettering.t(8))
            box.bottom = y
            draw_typed(surface, box, lettering, asked)
            y = box.y - lettering.t(5)
        lines = [(f"Suggested: {asked.suggestion}", palette.soft, 2)]
        lines += [(asked.note, palette.accent, 2)] if asked.note else []
        lines += [(asked.fault, palette.loss, 6)] if asked.fault else []
        lead = lettering.leading(13)
        for line, colour, most in reversed(lines):
            high = lead * min(len(lettering.wrap(line, 13, room.w)), most)
            if y - high < (least if colour == palette.soft else top):
                continue
            self._write(surface, line, (room.x, y - high), room.w, 13, colour, foot=y, most=most)
            y -= high + lettering.t(2)
        return y - 2

    def _draw_body(
        self, surface: pygame.Surface, room: pygame.Rect, asked: Answering, mouse: tuple[int, int]
    ) -> None:
        """Draw the targets of the unit that acts next, and the options, numbered."""
        lettering, palette = self._lettering, self._lettering.palette
        lead, y = lettering.leading(14), room.y - self._scrolled
        end, targets = draw_targets(surface, room, lettering, asked, y, mouse)
        self.buttons += targets
        # Another unit with fewer targets leaves the options where they are.
        self._targets_high = max(self._targets_high, end - y)
        y += self._targets_high
        picked = asked.picked if asked.several else []
        indent = lettering.t(36)
        for place, option in enumerate(asked.options):
            wide = room.w - indent - lettering.t(8) - (lettering.t(34) if asked.in_order else 0)
            lines = lettering.wrap(_bare(option.label), 14, wide)
            box = pygame.Rect(room.x, y, room.w - lettering.u(6), lead * max(len(lines), 1) + lettering.t(6))
            seen = box.clip(room)
            if seen.h > 0:
                if place in picked or seen.collidepoint(mouse):
                    tone = mix(palette.accent, palette.panel, 0.7) if place in picked else palette.hover
                    pygame.draw.rect(surface, tone, seen, border_radius=5)
                self.rows.append((seen, place))
            top = y + lettering.t(3)
            for i, line in enumerate(lines):
                if room.y <= top + lead * i and top + lead * (i + 1) <= room.bottom:
                    shown = lettering.fitted(line, 14, wide)
                    lettering.draw(surface, shown, (box.x + indent, top + lead * i), 14, palette.ink)
            if room.y <= top and top + lead <= room.bottom:
                at = (box.x + lettering.t(26), top)
                lettering.draw(surface, f"{place + 1}", at, 14, palette.accent, bold=True, anchor="topright")
                if place in picked and asked.in_order:
                    nth = picked.index(place) + 1
                    words, spot = ORDINALS.get(nth, f"{nth}th"), (box.right - lettering.t(8), top)
                    lettering.draw(surface, words, spot, 14, palette.accent, bold=True, anchor="topright")
            y = box.bottom + lettering.t(2)
        y = self._draw_details(surface, room, asked.details, y) if asked.options else y
        self._over = max(y + self._scrolled - room.bottom, 0)
        self._scrolled = min(self._scrolled, self._over)

    def _draw_details(self, surface: pygame.Surface, room: pygame.Rect, details: list[str], y: int) -> int:
        """Draw what the options do, where it has room; return where it ends."""
        lead, wide = self._lettering.leading(13), room.w - self._lettering.u(8)
        for words in details:
            y += self._lettering.t(3)
            for line in self._lettering.wrap(words, 13, wide):
                if room.y <= y and y + lead <= room.bottom:
                    shown = self._lettering.fitted(line, 13, wide)
                    self._lettering.draw(surface, shown, (room.x, y), 13, self._lettering.palette.soft)
                y += lead
        return y

    def _draw_bar(self, surface: pygame.Surface, room: pygame.Rect) -> None:
        """Draw how much of the options is seen."""
        palette, whole = self._lettering.palette, room.h + self._over
        high = max(round(room.h * room.h / whole), 12)
        top = room.y + round((room.h - high) * self._scrolled / self._over)
        pygame.draw.rect(surface, palette.line, (room.right - 3, room.y, 4, room.h), border_radius=2)
        pygame.draw.rect(surface, palette.soft, (room.right - 3, top, 4, high), border_radius=2)


def _bare(words: str) -> str:
    """Return words without the ids that are typed and the clause, which "Why?" tells."""
    return re.sub(r" \[[^\[\]\s]+\]", "", re.sub(r" \([A-Z]+(?:\.[\w-]+)+\)$", "", words))
