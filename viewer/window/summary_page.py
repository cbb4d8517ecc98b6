"""The summary of a turn: four numbers, losses, the table, what was answered unasked.

Draws `viewer.story.turn_summary`'s lines, and tells where its buttons are; what they do is the turn watch's.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import pygame

from engine.core.state import State
from viewer.story.name import count
from viewer.story.role import role_of
from viewer.story.turn_summary import LossLine, TableLine, TurnSummary
from viewer.window.board import letters_of
from viewer.window.lettering import Lettering
from viewer.window.pages import Page, Scroll
from viewer.window.palette import Colour, mix

WIDE = 644
"""How wide the column of the summary is, at the usual size of words."""
PAD = 28
NOTCH = 48
CLOSE, AGAIN, SHOW = "close", "again", "show"
_LEAST = 36


@dataclass(slots=True)
class SummaryPage:
    """The page, how far it is scrolled, and where its buttons were drawn last."""

    lettering: Lettering
    scroll: Scroll = field(default_factory=Scroll)
    buttons: list[tuple[pygame.Rect, str]] = field(default_factory=list)
    shows_answers: bool = False
    """Whether the questions that were answered unasked are listed."""
    _show: list[pygame.Rect] = field(default_factory=list)

    def close(self) -> None:
        """Be gone."""
        self.buttons, self._show = [], []
        self.scroll = Scroll()
        self.shows_answers = False

    def button_at(self, at: tuple[int, int]) -> str:
        """Return the button under a pixel, "" where there is none."""
        return next((name for box, name in self.buttons if box.collidepoint(at)), "")

    def turn(self, turns: int) -> None:
        """Turn the wheel over the page."""
        self.scroll.turn(NOTCH * turns)

    def draw(
        self,
        surface: pygame.Surface,
        rect: pygame.Rect,
        bar: pygame.Rect,
        told: tuple[TurnSummary, State, str],
        mouse: tuple[int, int],
    ) -> None:
        """Draw a summary, with the words of its main button, in its column and in the bar.

        The state is the one in which the turn ended.
        """
        summary, state, go_on = told
        lettering, palette = self.lettering, self.lettering.palette
        self.buttons = []
        pygame.draw.rect(surface, palette.panel, rect)
        pygame.draw.line(surface, palette.line, rect.topleft, rect.bottomleft, 1)
        lettering.cover(rect)
        pad = min(lettering.u(PAD), rect.w // 16)
        inner = pygame.Rect(rect.x + pad, rect.y + lettering.u(18), rect.w - 2 * pad - lettering.u(4), 0)
        inner.h = max(rect.bottom - lettering.u(10) - inner.y, 0)
        if inner.w > 80:
            self.scroll.draw(surface, inner, self._page(inner.w, summary, state))
            seen = [box.clip(inner) for box in self._show]
            self.buttons += [(box, SHOW) for box in seen if box.h > 0]
        self._draw_bar(surface, bar, go_on, mouse)

    def _page(self, wide: int, summary: TurnSummary, state: State) -> Page:
        lettering, palette = self.lettering, self.lettering.palette
        page = Page(lettering, wide)
        page.write(f"ROUND {summary.round}", 11, palette.faint, bold=True)
        page.write(summary.title, 28, palette.ink, bold=True)
        page.gap(10)
        self._numbers(page, summary)
        for heading, losses, good in (("You lost", summary.lost, False), ("It lost", summary.it_lost, True)):
            if losses:
                page.heading(heading)
                for line in losses:
                    self._loss(page, line, state, palette.good if good else palette.loss)
        for heading, lines in (("The table", summary.table), ("You begin with", summary.outlook)):
            if lines:
                page.heading(heading)
                for each in lines:
                    self._table(page, each, state)
        self._answers(page, summary)
        return page

    def _numbers(self, page: Page, summary: TurnSummary) -> None:
        """Add the four numbers, each in a box with its name."""
        lettering, palette = self.lettering, self.lettering.palette
        fourth = (
            (f"{summary.stops}", "stop" if summary.stops == 1 else "stops", palette.ink)
            if summary.stops is not None
            else (f"{summary.models[1]}", "models it lost", palette.good)
        )
        boxes = [
            (f"{summary.wounds[0]}", "wounds you lost", palette.loss),
            (f"{summary.models[0]}", "models you lost", palette.loss),
            (f"{summary.wounds[1]}", "wounds it lost", palette.good),
            fourth,
        ]
        gap = lettering.u(8)
        least = max(lettering.width(words, 13) for _, words, _ in boxes) + lettering.t(12)
        columns = 4 if (page.wide - 3 * gap) // 4 >= least else 2
        wide = (page.wide - (columns - 1) * gap) // columns
        high = lettering.leading(28) + lettering.leading(13) + lettering.t(14)
        for start in range(0, 4, columns):

            def draw(surface: pygame.Surface, x: int, y: int, start: int = start) -> None:
                for place, (number, words, colour) in enumerate(boxes[start : start + columns]):
                    box = pygame.Rect(x + place * (wide + gap), y, wide, high)
                    pygame.draw.rect(surface, palette.background, box, border_radius=6)
                    tone = colour if number != "0" else palette.ink
                    at = (box.centerx, box.y + lettering.t(5))
                    head = lettering.draw(surface, number, at, 28, tone, bold=True, anchor="midtop")
                    foot = (box.centerx, head.bottom)
                    shown = lettering.fitted(words, 13, box.w - 4)
                    lettering.draw(surface, shown, foot, 13, palette.soft, anchor="midtop")

            page.add(high + gap, draw)

    def _loss(self, page: Page, line: LossLine, state: State, tone: Colour) -> None:
        amount = count(line.wounds, "wound") if line.wounds else count(line.models, "model")
        self._row(page, line.head, line.by, line.unit, state, (amount, tone))

    def _table(self, page: Page, line: TableLine, state: State) -> None:
        self._row(page, line.head, line.note, line.thing, state, ("", self.lettering.palette.ink), line.side)

    def _row(
        self, page: Page, head: str, note: str, thing: str, state: State, amount: tuple[str, Colour],
        side: str = "",
    ) -> None:  # fmt: skip
        """Add a row: the sign of what it is about, a head with a note under it, an amount."""
        lettering, palette = self.lettering, self.lettering.palette
        words, tone = amount
        unit = state.position.units.get(thing)
        side = unit.side if unit is not None else side
        sign = lettering.t(28)
        left = sign + lettering.t(14)
        right = lettering.width(words, 14, True) + lettering.t(12) if words else 0
        heads = lettering.wrap(head, 14, page.wide - left - right, True)[:2]
        notes = lettering.wrap(note, 12, page.wide - left - right)[:2] if note else []
        lines = lettering.leading(14) * len(heads) + lettering.leading(12) * len(notes)
        high = max(lines, sign) + lettering.t(12)

        def draw(surface: pygame.Surface, x: int, y: int) -> None:
            pygame.draw.line(surface, palette.line, (x, y), (x + page.wide, y), 1)
            box = pygame.Rect(x, 0, sign, sign)
            box.centery = y + high // 2
            self._sign(surface, box, thing, side, state)
            top = y + (high - lines) // 2
            for each in heads:
                shown = lettering.fitted(each, 14, page.wide - left - right, True)
                lettering.draw(surface, shown, (x + left, top), 14, palette.ink, bold=True)
                top += lettering.leading(14)
            for each in notes:
                shown = lettering.fitted(each, 12, page.wide - left - right)
                lettering.draw(surface, shown, (x + left, top), 12, palette.soft)
                top += lettering.leading(12)
            if words:
                at = (x + page.wide, y + high // 2)
                lettering.draw(surface, words, at, 14, tone, bold=True, anchor="midright")

        page.add(high, draw)

    def _sign(self, surface: pygame.Surface, box: pygame.Rect, thing: str, side: str, state: State) -> None:
        """Draw what a row is about: a unit's role, or an objective's letter."""
        lettering, palette = self.lettering, self.lettering.palette
        unit = state.position.units.get(thing)
        colour = palette.holder(side)
        radius = box.w // 2 if side != "horde" else lettering.u(5)
        pygame.draw.rect(surface, mix(colour, palette.background, 0.72), box, border_radius=radius)
        pygame.draw.rect(surface, colour, box, max(lettering.u(2), 2), border_radius=radius)
        tone = mix(palette.side_text(side), palette.ink, 0.3)
        if unit is not None:
            lettering.glyphs.draw(surface, role_of(unit.facts), box.center, round(box.w * 0.56), tone)
        elif thing in state.position.objectives:
            letter = lettering.fitted(letters_of(thing), 13, box.w - 4, True)
            lettering.draw(surface, letter, box.center, 13, tone, bold=True, anchor="center")

    def _answers(self, page: Page, summary: TurnSummary) -> None:
        """Add what was answered unasked, in a box, and on demand each question."""
        if not summary.answered:
            return
        lettering, palette = self.lettering, self.lettering.palette
        self._show = []
        word = "Hide" if self.shows_answers else "Show"
        wide = lettering.width(word, 13, True) + lettering.t(24)
        pad = lettering.t(12)
        lines = lettering.wrap(summary.answered_words, 13, page.wide - wide - 2 * pad)
        high = max(lettering.leading(13) * len(lines) + 2 * pad, _LEAST)
        page.gap(14)

        def draw(surface: pygame.Surface, x: int, y: int) -> None:
            box = pygame.Rect(x, y, page.wide, high)
            pygame.draw.rect(surface, palette.raised, box, border_radius=6)
            for i, each in enumerate(lines):
                at = (x + pad, y + pad + i * lettering.leading(13))
                lettering.draw(surface, each, at, 13, palette.soft)
            at = (box.right - pad, box.centery)
            shown = lettering.draw(surface, word, at, 13, palette.ink, bold=True, anchor="midright")
            pygame.draw.line(surface, palette.soft, shown.bottomleft, shown.bottomright, 1)
            self._show = [pygame.Rect(box.right - wide, box.y, wide, box.h)]

        page.add(high, draw)
        if self.shows_answers:
            page.gap(6)
            for each in summary.answered:
                page.write(each.words, 12, palette.soft, most=3)

    def _draw_bar(
        self, surface: pygame.Surface, bar: pygame.Rect, go_on: str, mouse: tuple[int, int]
    ) -> None:
        """Draw the buttons in the bottom bar: to watch the turn again, and to go on."""
        lettering, palette = self.lettering, self.lettering.palette
        pygame.draw.rect(surface, palette.panel, bar)
        pygame.draw.line(surface, palette.line, bar.topleft, bar.topright, 1)
        if bar.h < 24:
            return
        pad = lettering.u(14)
        again = self._wide("Watch it again", "B", "play")
        main = self._wide(go_on, "Enter", "")
        if again + main + 3 * pad <= bar.w:
            self._button(surface, pygame.Rect(bar.x + pad, 0, again, 0), bar, AGAIN, mouse)
        box = pygame.Rect(bar.right - pad - min(main, bar.w - 2 * pad), 0, min(main, bar.w - 2 * pad), 0)
        self._button(surface, box, bar, CLOSE, mouse, go_on)

    def _wide(self, words: str, key: str, sign: str) -> int:
        lettering = self.lettering
        wide = lettering.width(words, 14, True) + lettering.width(key, 11, True) + lettering.t(48)
        return wide + (lettering.t(22) if sign else 0)

    def _button(
        self,
        surface: pygame.Surface,
        box: pygame.Rect,
        bar: pygame.Rect,
        name: str,
        mouse: tuple[int, int],
        words: str = "Watch it again",
    ) -> None:
        lettering, palette, main = self.lettering, self.lettering.palette, name == CLOSE
        box.h = min(max(round(bar.h * 0.66), _LEAST), bar.h - 2)
        box.centery = bar.centery
        fill = palette.accent if main else palette.raised
        fill = mix(fill, palette.ink, 0.15) if box.collidepoint(mouse) else fill
        pygame.draw.rect(surface, fill, box, border_radius=6)
        ink = palette.on_accent if main else palette.ink
        if not main:
            pygame.draw.rect(surface, palette.line, box, 1, border_radius=6)
        x = box.x + lettering.t(14)
        if not main:
            lettering.glyphs.draw(surface, "play", (x + lettering.t(7), box.centery), lettering.t(16), ink)
            x += lettering.t(22)
        key = "Enter" if main else "B"
        cap = lettering.width(key, 11, True) + lettering.t(10)
        shown = lettering.fitted(words, 14, max(box.right - x - cap - lettering.t(16), 1), True)
        word = lettering.draw(surface, shown, (x, box.centery), 14, ink, bold=True, anchor="midleft")
        frame = pygame.Rect(word.right + lettering.t(8), 0, cap, lettering.height(11, True) + lettering.t(4))
        frame.centery = box.centery
        edge = mix(palette.on_accent, fill, 0.4) if main else palette.edge
        pygame.draw.rect(surface, edge, frame, 1, border_radius=4)
        tone = palette.on_accent if main else palette.soft
        lettering.draw(surface, key, frame.center, 11, tone, bold=True, anchor="center")
        self.buttons.append((box, name))
