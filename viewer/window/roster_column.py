"""The column of units: those of both sides with their state, and the objectives.

Draws `viewer.story.roster`'s rows, and tells which unit is under the mouse.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pygame

from engine.core.state import State
from viewer.story.roster import Row, Section
from viewer.window.board import letters_of
from viewer.window.label import badge_look
from viewer.window.lettering import Lettering
from viewer.window.pages import Page, Scroll
from viewer.window.palette import Colour, Palette, mix

_HIGH, _LOW = 40, 28
"""How high a row is: with its note, and without."""


@dataclass(slots=True)
class RosterColumn:
    """The column, how far it is scrolled, and where its rows were drawn last."""

    lettering: Lettering
    scroll: Scroll = field(default_factory=Scroll)
    rows: list[tuple[pygame.Rect, str]] = field(default_factory=list)
    _marked: tuple[str, str] = ("", "")
    _laid: tuple[tuple[object, ...], Page] | None = None

    def unit_at(self, at: tuple[int, int]) -> str:
        """Return the unit whose row is under a pixel, "" where there is none."""
        return next((unit for box, unit in self.rows if box.collidepoint(at)), "")

    def close(self) -> None:
        """Be gone."""
        self.rows, self.scroll.rect = [], pygame.Rect(0, 0, 0, 0)

    def draw(
        self,
        surface: pygame.Surface,
        rect: pygame.Rect,
        state: State,
        sections: Sequence[Section],
        chosen: str = "",
        hovered: str = "",
    ) -> None:
        """Draw the column."""
        lettering, palette = self.lettering, self.lettering.palette
        pygame.draw.rect(surface, palette.panel, rect)
        self.rows, self._marked = [], (chosen, hovered)
        pad = lettering.u(10)
        inner = pygame.Rect(rect.x + pad, rect.y + lettering.u(4), rect.w - 2 * pad - lettering.u(4), 0)
        inner.h = rect.bottom - lettering.u(4) - inner.y
        if inner.w < 60 or inner.h < 40:
            return
        holders = tuple((each.by, each.players) for each in state.position.objectives.values())
        key = (tuple(sections), holders, inner.size, *lettering.stamp)
        if self._laid is None or self._laid[0] != key:
            page = self._page(inner.w, state, sections, low=False)
            if page.high > inner.h:
                page = self._page(inner.w, state, sections, low=True)
            self._laid = key, page
        self.scroll.draw(surface, inner, self._laid[1])

    def _page(self, wide: int, state: State, sections: Sequence[Section], *, low: bool) -> Page:
        page = Page(self.lettering, wide)
        for section in sections:
            page.heading(section.title, section.note)
            for row in section.rows:
                self._row(page, row, low=low)
        self._objectives(page, state)
        return page

    def _row(self, page: Page, row: Row, *, low: bool) -> None:
        lettering, palette = self.lettering, self.lettering.palette
        lines = lettering.leading(13) + (0 if low else lettering.leading(12))
        high = max(lettering.t(_LOW if low else _HIGH), lines + lettering.u(4 if low else 8))
        colour = palette.side(row.side, row.seat)

        def draw(surface: pygame.Surface, x: int, y: int) -> None:
            box = pygame.Rect(x - lettering.u(6), y, page.wide + lettering.u(8), high - 1)
            self.rows.append((box, row.unit))
            if row.tag == "now":
                pygame.draw.rect(surface, palette.raised, box, border_radius=4)
                pygame.draw.rect(surface, palette.accent, (box.x, box.y, lettering.u(3), box.h))
            if row.unit in self._marked:
                pygame.draw.rect(surface, palette.hover, box, border_radius=4)
                if row.unit == self._marked[0]:
                    bar = pygame.Rect(box.x, box.y, lettering.u(3), box.h)
                    pygame.draw.rect(surface, palette.accent, bar)
            side = min(high - lettering.u(6), lettering.t(28))
            sign = pygame.Rect(x, 0, side, side)
            sign.centery = box.centery
            radius = side // 2 if row.side != "horde" else lettering.u(5)
            dull = 0.5 if row.dim else 0.0
            edge = mix(colour, palette.panel, dull)
            pygame.draw.rect(surface, mix(colour, palette.background, 0.72), sign, border_radius=radius)
            pygame.draw.rect(surface, edge, sign, max(lettering.u(2), 2), border_radius=radius)
            tone = mix(mix(palette.side_text(row.side), palette.ink, 0.3), palette.panel, dull)
            lettering.glyphs.draw(surface, row.role, sign.center, round(side * 0.56), tone)
            left = sign.right + lettering.t(9)
            right = x + page.wide
            if row.badge:
                name, badge_colour = badge_look(row.badge, lettering)
                size = lettering.t(14)
                lettering.glyphs.draw(surface, name, (right - size / 2, box.centery), size, badge_colour)
                right -= size + lettering.t(6)
            if row.tag:
                shade = _tag_colour(row.tag, palette)
                at = (right, box.centery)
                word = lettering.draw(surface, row.tag, at, 12, shade, bold=True, anchor="midright")
                right = word.x - lettering.t(6)
            ink = palette.soft if row.dim else palette.ink
            top = box.y + (box.h - lines) // 2
            shown = lettering.fitted(row.name, 13, right - left, True)
            lettering.draw(surface, shown, (left, top), 13, ink, bold=True)
            if not low:
                note = lettering.fitted(row.note, 12, right - left)
                lettering.draw(surface, note, (left, top + lettering.leading(13)), 12, palette.soft)
            if row.left < 1.0:
                track = pygame.Rect(left, box.bottom - lettering.u(3), right - left, lettering.u(2))
                pygame.draw.rect(surface, palette.line, track)
                track.w = round(track.w * row.left)
                part = row.left
                shade = palette.good if part > 0.5 else palette.accent if part > 0.25 else palette.loss
                pygame.draw.rect(surface, shade, track)

        page.add(high, draw)

    def _objectives(self, page: Page, state: State) -> None:
        """Add the markers side by side, each with its holder under it."""
        objectives = list(state.position.objectives.values())
        if not objectives:
            return
        lettering, palette = self.lettering, self.lettering.palette
        page.heading("Objectives")
        least = lettering.t(46)
        count = max(min(len(objectives), page.wide // least), 1)
        wide, side = page.wide // count, lettering.t(26)
        high = side + lettering.leading(11) + lettering.t(8)

        def line(some: list[int]) -> None:
            def draw(surface: pygame.Surface, x: int, y: int) -> None:
                for place, index in enumerate(some):
                    objective = objectives[index]
                    colour = palette.holder(objective.by) if objective.by else palette.soft
                    middle = (x + wide * place + wide // 2, y + side // 2)
                    pygame.draw.circle(surface, palette.background, middle, side // 2)
                    pygame.draw.aacircle(surface, colour, middle, side // 2, lettering.u(2))
                    letters = lettering.fitted(letters_of(objective.facts.id), 12, side, True)
                    lettering.draw(surface, letters, middle, 12, palette.ink, bold=True, anchor="center")
                    words = _holder(state, objective.by, objective.players)
                    words = lettering.fitted(words, 11, wide - lettering.u(4))
                    at = (middle[0], y + side + lettering.u(2))
                    tone = palette.side_text(objective.by)
                    lettering.draw(surface, words, at, 11, tone, anchor="midtop")

            page.add(high, draw)

        for start in range(0, len(objectives), count):
            line(list(range(start, min(start + count, len(objectives)))))


def _tag_colour(tag: str, palette: Palette) -> Colour:
    return {"now": palette.accent, "next": palette.soft}.get(tag, palette.loss)


def _holder(state: State, by: str, players: tuple[str, ...]) -> str:
    """Return a marker's holder, in a word or two."""
    if by == "horde":
        return "Horde"
    if by != "players":
        return "nobody"
    seats = list(state.players)
    if len(seats) == 1:
        return "yours"
    numbers = [f"{seats.index(each) + 1}" for each in players if each in seats]
    return f"players {', '.join(numbers)}" if len(numbers) > 1 else f"player {''.join(numbers)}"
