"""A decision in the side column: its sentence first, then its candidates, its clauses.

Draws what the log holds of it; the whole account with all clauses is the dossier's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import pygame

from ai.reasons.condition import FARTHER
from engine.core.request import Because, Candidate
from engine.core.state import State
from viewer.story.condition_words import failed_words
from viewer.story.horde_order import does
from viewer.story.name import inches, seat_name, short_name, thing_name, unit_name
from viewer.story.reasoning import reason_sentence
from viewer.story.role import role_of
from viewer.story.source import Reason
from viewer.window.lettering import Lettering
from viewer.window.overlay import considered
from viewer.window.pages import Page, Scroll
from viewer.window.palette import mix

MOST_REASONS, MOST_CANDIDATES = 3, 12
PAD = 14
WHY_NOT, CLAUSES = "why-not", "clauses"
_LEAST = 36


@dataclass(slots=True)
class Verdict:
    """The page of a decision, how far it is scrolled, and where its buttons were drawn last."""

    lettering: Lettering
    scroll: Scroll = field(default_factory=Scroll)
    buttons: list[tuple[pygame.Rect, str]] = field(default_factory=list)
    _of: Reason | None = None
    _laid: tuple[tuple[object, ...], Page] | None = None

    def close(self) -> None:
        """Be gone."""
        self.buttons, self.scroll.rect = [], pygame.Rect(0, 0, 0, 0)

    def button_at(self, at: tuple[int, int]) -> str:
        """Return the button under a pixel, "" where there is none."""
        return next((name for box, name in self.buttons if box.collidepoint(at)), "")

    def draw(
        self, surface: pygame.Surface, room: pygame.Rect, reason: Reason, state: State, place: str
    ) -> int:
        """Draw a decision, and return where it ends; `place` tells which unit's turn it is."""
        lettering, palette = self.lettering, self.lettering.palette
        if reason is not self._of:
            self._of, self.scroll.back = reason, 0
        pad = lettering.u(PAD)
        page = self._page(room.w - 2 * pad - lettering.u(6), reason, state, place)
        self.buttons = []
        high = min(page.high + lettering.u(20), room.h)
        box = pygame.Rect(room.x, room.y, room.w, high)
        pygame.draw.rect(surface, palette.raised, box)
        side = palette.holder("horde" if reason.seat == "horde" else "players")
        pygame.draw.rect(surface, side, (box.x, box.y, lettering.u(3), box.h))
        inner = pygame.Rect(room.x + pad, room.y + lettering.u(10), page.wide, max(high - lettering.u(16), 0))
        self.scroll.draw(surface, inner, page)
        return box.bottom

    def _page(self, wide: int, reason: Reason, state: State, place: str) -> Page:
        """Return the lines on a decision, laid anew where anything of them has changed."""
        key = (reason, place, wide, *self.lettering.stamp)
        if self._laid is None or self._laid[0] != key:
            page = Page(self.lettering, wide)
            self._head(page, reason, state, place)
            self._reasons(page, reason, state)
            self._candidates(page, reason, state)
            self._foot(page)
            self._laid = key, page
        return self._laid[1]

    def _head(self, page: Page, reason: Reason, state: State, place: str) -> None:
        """Add the unit's sign, its name, what it does and when."""
        lettering, palette = self.lettering, self.lettering.palette
        unit = state.position.units.get(reason.unit)
        side = unit.side if unit is not None else "horde" if reason.seat == "horde" else "players"
        name = unit_name(state, reason.unit) if unit is not None else seat_name(state, reason.seat)
        sign = lettering.t(40)
        left = sign + lettering.t(12)
        names = lettering.wrap(short_name(name), 16, page.wide - left, True)[:2]
        note = " · ".join(each for each in (does(reason), place) if each)
        lines = lettering.leading(16) * len(names) + lettering.leading(12)
        high = max(sign, lines) + lettering.t(8)
        colour = palette.holder(side)

        def draw(surface: pygame.Surface, x: int, y: int) -> None:
            box = pygame.Rect(x, y + lettering.u(2), sign, sign)
            radius = sign // 2 if side != "horde" else lettering.u(6)
            pygame.draw.rect(surface, mix(colour, palette.background, 0.7), box, border_radius=radius)
            pygame.draw.rect(surface, colour, box, max(lettering.u(2.5), 2), border_radius=radius)
            if unit is not None:
                tone = mix(palette.side_text(side), palette.ink, 0.3)
                role = role_of(unit.facts)
                lettering.glyphs.draw(surface, role, box.center, round(sign * 0.56), tone)
            top = y
            for each in names:
                shown = lettering.fitted(each, 16, page.wide - left, True)
                tone = palette.side_text(side)
                lettering.draw(surface, shown, (x + left, top), 16, tone, bold=True)
                top += lettering.leading(16)
            shown = lettering.fitted(note, 12, page.wide - left)
            lettering.draw(surface, shown, (x + left, top), 12, palette.soft)

        page.add(high, draw)

    def _reasons(self, page: Page, reason: Reason, state: State) -> None:
        """Add the sentences, each with its clause before it."""
        shown: set[tuple[str, str]] = set()
        for because in reason.because:
            words = reason_sentence(because, state, reason.unit)
            alike = (because.clause, re.sub(r"[\d.]+″", "″", words))
            if alike not in shown and len(shown) < MOST_REASONS:
                shown.add(alike)
                self._reason(page, because, words, reason)

    def _reason(self, page: Page, because: Because, words: str, reason: Reason) -> None:
        lettering, palette = self.lettering, self.lettering.palette
        colour = palette.holder("horde" if reason.seat == "horde" else "players")
        wide = lettering.width(because.clause, 11, True) + lettering.t(12)
        high = lettering.height(11, True) + lettering.t(4)
        left = wide + lettering.t(8)
        if left > page.wide * 0.45:
            left = 0
        lines = lettering.wrap(words + ("" if words.endswith(".") else "."), 14, page.wide - left)
        top = 0 if left else high + lettering.t(2)

        def draw(surface: pygame.Surface, x: int, y: int) -> None:
            box = pygame.Rect(x, y + lettering.t(1), min(wide, page.wide), high)
            pygame.draw.rect(surface, mix(colour, palette.background, 0.6), box, border_radius=4)
            clause = lettering.fitted(because.clause, 11, box.w - 4, True)
            lettering.draw(surface, clause, box.center, 11, palette.ink, bold=True, anchor="center")
            for i, line in enumerate(lines):
                at = (x + left, y + top + i * lettering.leading(14))
                shown = lettering.fitted(line, 14, page.wide - left)
                lettering.draw(surface, shown, at, 14, palette.ink)

        page.add(top + lettering.leading(14) * max(len(lines), 1) + lettering.t(5), draw)

    def _candidates(self, page: Page, reason: Reason, state: State) -> None:
        """Add what was considered, in order: what was chosen, then what was passed over and why."""
        number = 0
        for candidate in considered(reason, state)[:MOST_CANDIDATES]:
            is_ranked = candidate.failed in ("", FARTHER)
            number += is_ranked
            self._candidate(page, candidate, state, f"{number}" if is_ranked else "–")

    def _candidate(self, page: Page, candidate: Candidate, state: State, number: str) -> None:
        lettering, palette = self.lettering, self.lettering.palette
        chosen = not candidate.failed
        name = short_name(thing_name(state, candidate.id))
        name = name[:1].upper() + name[1:]
        far = inches(candidate.distance) if candidate.distance is not None else ""
        words = failed_words(candidate) or "chosen"
        disc = lettering.t(20)
        left = disc + lettering.t(10)
        column = round(page.wide * 0.27)
        is_low = lettering.width(words, 12) > column
        distance = lettering.width("00.0″", 13) + lettering.t(10)
        below = lettering.wrap(words, 12, page.wide - left)[:2] if is_low else []
        tail = 0 if is_low else column
        high = max(lettering.leading(13), disc) + lettering.leading(12) * len(below) + lettering.t(6)

        def draw(surface: pygame.Surface, x: int, y: int) -> None:
            box = pygame.Rect(x - lettering.u(4), y, page.wide + lettering.u(8), high - 1)
            if chosen:
                pygame.draw.rect(surface, palette.background, box, border_radius=5)
            row = max(lettering.leading(13), disc) // 2 + lettering.t(3)
            middle = (x + disc // 2 + lettering.t(2), y + row)
            fill = palette.accent if chosen else palette.line
            pygame.draw.aacircle(surface, fill, middle, disc // 2)
            tone = palette.on_accent if chosen else palette.soft
            lettering.draw(surface, number, middle, 11, tone, bold=True, anchor="center")
            ink = palette.ink if chosen else palette.soft
            room = page.wide - left - tail - distance
            shown = lettering.fitted(name, 13, max(room, 1), chosen)
            at = (x + left, y + row)
            lettering.draw(surface, shown, at, 13, ink, bold=chosen, anchor="midleft")
            edge = x + page.wide - tail
            lettering.draw(surface, far, (edge - lettering.t(6), y + row), 13, ink, anchor="midright")
            if not is_low:
                tint = palette.accent if chosen else palette.soft
                at = (x + page.wide, y + row)
                lettering.draw(surface, words, at, 12, tint, bold=chosen, anchor="midright")
            for i, line in enumerate(below):
                low = (x + left, y + row + disc // 2 + i * lettering.leading(12))
                line = lettering.fitted(line, 12, page.wide - left)
                lettering.draw(surface, line, low, 12, palette.soft)

        page.add(high, draw)

    def _foot(self, page: Page) -> None:
        """Add the buttons: why not another, and all clauses."""
        lettering = self.lettering
        page.gap(6)
        high = max(lettering.leading(14) + lettering.t(12), _LEAST)
        gap = lettering.u(8)
        wide = (page.wide - gap) // 2

        def draw(surface: pygame.Surface, x: int, y: int) -> None:
            first = pygame.Rect(x, y, wide, high)
            self._button(surface, first, WHY_NOT, "Why not…", "right click")
            self._button(surface, first.move(wide + gap, 0), CLAUSES, "All clauses", "")

        page.add(high + lettering.t(2), draw)

    def _button(self, surface: pygame.Surface, box: pygame.Rect, name: str, words: str, key: str) -> None:
        lettering, palette = self.lettering, self.lettering.palette
        pygame.draw.rect(surface, palette.panel, box, border_radius=6)
        pygame.draw.rect(surface, palette.line, box, 1, border_radius=6)
        tail = lettering.width(key, 12) + lettering.t(8) if key else 0
        wide = lettering.width(words, 14, True)
        if wide + tail > box.w - 8:
            tail = 0
        shown = lettering.fitted(words, 14, box.w - 8, True)
        at = (box.centerx - (min(wide, box.w - 8) + tail) // 2, box.centery)
        word = lettering.draw(surface, shown, at, 14, palette.ink, bold=True, anchor="midleft")
        if tail:
            at = (word.right + lettering.t(8), box.centery)
            lettering.draw(surface, key, at, 12, palette.soft, anchor="midleft")
        self.buttons.append((box, name))
