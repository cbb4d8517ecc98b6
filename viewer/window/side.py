"""The right column: card, question, log; in a small window the log and units are tabs.

Divides the column and keeps what is scrolled; each part is drawn by its own module. While a question waits
its parts keep their edges.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pygame

from engine.core.state import State
from viewer.input.answering import Answering
from viewer.story.horde_order import place_words
from viewer.story.source import Reason
from viewer.story.tally import Deeds
from viewer.story.unit_card import UnitCard, unit_card
from viewer.window.card import card_page, reason_page
from viewer.window.dossier import Dossier
from viewer.window.layout import Layout
from viewer.window.lettering import Lettering
from viewer.window.logbook import Logbook
from viewer.window.pages import Page, Scroll
from viewer.window.panel import Panel
from viewer.window.playback import Playback
from viewer.window.roster_column import RosterColumn
from viewer.window.verdict import Verdict

TABS = ("Unit", "Units", "Log")
CARD_SHARE, QUESTION_SHARE = 0.48, (0.42, 0.54)
"""The most of the column that the card takes, and the question beside and without the log."""
CARD_ALONE = 0.68
"""The most of it that the card takes while nothing is asked."""
LARGE = 1.5
"""From this size of words on a question needs more of the column."""
PAD = 14


def _nothing() -> pygame.Rect:
    return pygame.Rect(0, 0, 0, 0)


@dataclass(slots=True)
class Shown:
    """What the column shows: the unit of the card, whether it is pinned, the decision."""

    unit: str = ""
    pinned: bool = False
    reason: Reason | None = None
    told: bool = False
    """Whether the decision's facts stand in the place of a card."""
    then: Callable[[], State] | None = None
    halts: tuple[str, ...] = ()
    """What may stop the turn that is watched, a line each."""


@dataclass(slots=True)
class SideColumn:
    """The column's parts, and where they were drawn last."""

    lettering: Lettering
    panel: Panel
    dossier: Dossier
    logbook: Logbook
    roster: RosterColumn
    tab: str = "Unit"
    card: Scroll = field(default_factory=Scroll)
    tabs: list[tuple[pygame.Rect, str]] = field(default_factory=list)
    deeds: Deeds = field(default_factory=Deeds)
    verdict: Verdict = field(init=False)
    _of: str = ""
    _known: tuple[object, ...] = ()
    _card: UnitCard | None = None
    _laid: tuple[object, ...] = ()
    _page: Page | None = None
    _split: tuple[object, int, int] = (None, 0, 0)

    def __post_init__(self) -> None:
        """Start with no decision drawn."""
        self.verdict = Verdict(self.lettering)

    def close(self) -> None:
        """Be gone, as where something else stands in the column."""
        self.tabs, self.card.rect, self.dossier.rect = [], _nothing(), _nothing()
        self.logbook.shown, self.logbook.rect = [], _nothing()
        self.verdict.close()

    def tab_at(self, at: tuple[int, int]) -> str:
        """Return the tab under a pixel, "" where there is none."""
        return next((name for box, name in self.tabs if box.collidepoint(at)), "")

    def draw(
        self,
        surface: pygame.Surface,
        layout: Layout,
        playback: Playback,
        shown: Shown,
        asked: Answering | None,
        mouse: tuple[int, int],
        draw_units: Callable[[pygame.Rect], None],
    ) -> None:
        """Draw the column; `draw_units` draws the units where these are a tab."""
        palette, column = self.lettering.palette, layout.side
        self.tabs, self.card.rect, self.dossier.rect = [], _nothing(), _nothing()
        self.logbook.shown = []
        self.verdict.close()
        if column.w < 1:
            return
        pygame.draw.rect(surface, palette.panel, column)
        pygame.draw.line(surface, palette.line, column.topleft, column.bottomleft, 1)
        room = column.copy()
        if layout.has_tabs:
            room = self._draw_tabs(surface, column)
        foot = room.bottom
        if asked is not None:
            foot = self._draw_question(surface, layout, room, asked, mouse)
        if layout.has_tabs and self.tab == "Units":
            draw_units(pygame.Rect(room.x + 1, room.y, room.w - 1, foot - room.y))
        elif layout.has_tabs and self.tab == "Log":
            self._draw_log(surface, pygame.Rect(room.x, room.y, room.w, foot - room.y), playback, shown.unit)
        else:
            self._draw_unit(surface, layout, room, playback, shown, asked, foot)

    def _draw_tabs(self, surface: pygame.Surface, column: pygame.Rect) -> pygame.Rect:
        """Draw the tabs and return what is left of the column."""
        lettering, palette = self.lettering, self.lettering.palette
        high = max(lettering.leading(14) + lettering.t(12), 36)
        wide = column.w // len(TABS)
        for i, name in enumerate(TABS):
            box = pygame.Rect(column.x + i * wide, column.y, wide, high)
            chosen = name == self.tab
            ink = palette.ink if chosen else palette.soft
            lettering.draw(surface, name, box.center, 14, ink, bold=chosen, anchor="center")
            edge = palette.accent if chosen else palette.line
            thick = lettering.u(3) if chosen else 1
            pygame.draw.rect(surface, edge, (box.x, box.bottom - thick, box.w, thick))
            self.tabs.append((box, name))
        return pygame.Rect(column.x, column.y + high, column.w, column.h - high)

    def _draw_question(
        self,
        surface: pygame.Surface,
        layout: Layout,
        room: pygame.Rect,
        asked: Answering,
        mouse: tuple[int, int],
    ) -> int:
        """Draw the question in its place; return where what stands over it ends."""
        key = (asked, tuple(room), self.lettering.sizes)
        if self._split[0] != key:
            needed = self.panel.needed(asked, room.w)
            share = QUESTION_SHARE[layout.has_tabs] * (1.2 if self.lettering.sizes.setting >= LARGE else 1.0)
            high = min(needed, round(room.h * share))
            high = min(max(high, self.lettering.t(150)), room.h)
            card = round(room.h * (1 - high / room.h) if layout.has_tabs else room.h * CARD_SHARE)
            self._split = (key, card, high)
        _, card, high = self._split
        top = room.y + card
        if layout.has_tabs:
            high = room.bottom - top
        place = pygame.Rect(room.x + 1, top, room.w - 1, min(high, room.bottom - top))
        self.panel.draw(surface, place, layout.bottom, asked, mouse)
        return top

    def _draw_unit(
        self,
        surface: pygame.Surface,
        layout: Layout,
        room: pygame.Rect,
        playback: Playback,
        shown: Shown,
        asked: Answering | None,
        foot: int,
    ) -> None:
        """Draw the card, or the decision's facts, and under all the log."""
        below = self.panel.rect.bottom if asked is not None else 0
        limit = foot if asked is not None else room.y + round(room.h * CARD_ALONE)
        top = room.y
        if shown.reason is not None and shown.told and shown.then is not None and asked is None:
            space = pygame.Rect(room.x + 1, room.y, room.w - 1, limit - room.y)
            if self.dossier.is_open:
                state, then = playback.state, shown.then
                top = self.dossier.draw(surface, space, self.lettering, shown.reason, state, then)
            else:
                state = playback.state
                place = place_words(playback.chronicle, playback.cursor, state, shown.reason.unit)
                top = self.verdict.draw(surface, space, shown.reason, state, place)
        elif self._find_card(playback, shown) is not None:
            top = self._draw_card(surface, room, playback, shown, limit)
        else:
            top = self._draw_none(surface, room)
        if layout.has_tabs and asked is not None:
            return
        top = below if asked is not None else top
        end = room.bottom
        if shown.halts and asked is None and not layout.has_tabs:
            end = self._draw_halts(surface, pygame.Rect(room.x, top, room.w, room.bottom - top), shown.halts)
        self._draw_log(surface, pygame.Rect(room.x + 1, top, room.w - 1, end - top), playback, shown.unit)

    def _draw_halts(self, surface: pygame.Surface, room: pygame.Rect, halts: tuple[str, ...]) -> int:
        """Draw what may stop the turn at the foot of a room; return where that begins."""
        lettering, pad = self.lettering, self.lettering.u(PAD)
        page = Page(lettering, room.w - 2 * pad)
        page.heading("You will be stopped if")
        for line in halts:
            page.write(line, 13, lettering.palette.soft, most=3)
            page.gap(2)
        top = room.bottom - page.high - lettering.u(8)
        if top < room.y + room.h // 2:
            return room.bottom
        pygame.draw.line(surface, lettering.palette.line, (room.x, top), (room.right, top), 1)
        Scroll().draw(surface, pygame.Rect(room.x + pad, top, page.wide, page.high), page)
        return top

    def _draw_none(self, surface: pygame.Surface, room: pygame.Rect) -> int:
        """Say how a card is seen."""
        lettering = self.lettering
        pad = lettering.u(PAD)
        page = Page(lettering, room.w - 2 * pad)
        page.write("The mouse over a unit shows its card; a click pins it.", 13, lettering.palette.faint)
        inner = pygame.Rect(room.x + pad, room.y + pad, page.wide, min(page.high, room.h))
        Scroll().draw(surface, inner, page)
        return inner.bottom + pad

    def _find_card(self, playback: Playback, shown: Shown) -> UnitCard | None:
        """Return the card, worked out once for a moment."""
        knowledge = playback.source.knowledge
        unit = playback.state.position.units.get(shown.unit) or knowledge.coming(shown.unit)
        if unit is None:
            self._card = None
            return None
        now = playback.at_end
        key = (shown.unit, playback.cursor, now, id(playback.chronicle))
        if self._known != key or self._card is None:
            deeds = self.deeds.until(playback.chronicle.entries, playback.cursor)
            self._card = unit_card(playback.state, unit, knowledge, deeds, now=now)
            self._known = key
        return self._card

    def _draw_card(
        self, surface: pygame.Surface, room: pygame.Rect, playback: Playback, shown: Shown, limit: int
    ) -> int:
        lettering, palette, card = self.lettering, self.lettering.palette, self._card
        assert card is not None
        if self._of != shown.unit:
            self._of, self.card.back = shown.unit, 0
        pad = lettering.u(PAD)
        wide = room.w - 2 * pad - lettering.u(6)
        reason = shown.reason if shown.reason is not None and shown.reason.unit == shown.unit else None
        key = (self._known, wide, shown.pinned, reason, palette.name, lettering.sizes)
        if self._laid != key or self._page is None:
            told = reason_page(lettering, wide, playback.state, reason) if reason is not None else None
            tight = lettering.sizes.setting >= LARGE
            self._page = card_page(lettering, wide, card, pinned=shown.pinned, told=told, tight=tight)
            self._laid = key
        high = min(self._page.high + lettering.u(20), limit - room.y)
        box = pygame.Rect(room.x + 1, room.y, room.w - 1, high)
        pygame.draw.rect(surface, palette.raised, box)
        bar = pygame.Rect(box.x, box.y, lettering.u(3), box.h)
        pygame.draw.rect(surface, palette.holder(card.side), bar)
        inner = pygame.Rect(room.x + pad, room.y + lettering.u(10), wide, max(high - lettering.u(16), 0))
        self.card.draw(surface, inner, self._page)
        self.card.rect = box
        return box.bottom

    def _draw_log(self, surface: pygame.Surface, rect: pygame.Rect, playback: Playback, unit: str) -> None:
        self.logbook.draw(surface, rect, self.lettering, playback.chronicle, playback.cursor, unit)
