"""The resupply screen: the list of purchases, and its buttons in the bottom bar.

Draws what `viewer.input.shopping` has marked, and turns clicks and keys into it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pygame

from engine.core.ware import Ware, WareTarget
from viewer.input.answering import Answering
from viewer.input.shopping import Shopping
from viewer.story.shelf import price_words
from viewer.window.buttons import ButtonFace, draw_button_bar
from viewer.window.layout import Layout
from viewer.window.pages import Draw, Page, Scroll
from viewer.window.palette import mix
from viewer.window.player import PlayerSeat
from viewer.window.scene import thing_at
from viewer.window.table import Table

WIDTH = 824
"""How wide the column is, at the usual size of words."""
SHARE = 0.58
"""The most of the window's width that it takes."""
NOTCH = 48
PAD = 20
CARDS = 3
"""The most cards of targets side by side."""
MOST_CARDS = 9
BUY, UNDO, DONE, PASS = "buy", "undo", "done", "pass"


@dataclass(slots=True)
class ShopPanel:
    """The screen, how far it is scrolled, and where its rows and cards were drawn last."""

    table: Table
    scroll: Scroll = field(default_factory=Scroll)
    rows: list[tuple[pygame.Rect, int]] = field(default_factory=list)
    cards: list[tuple[pygame.Rect, str]] = field(default_factory=list)
    buttons: list[tuple[pygame.Rect, str]] = field(default_factory=list)
    rect: pygame.Rect = field(default_factory=lambda: pygame.Rect(0, 0, 0, 0))
    bar: pygame.Rect = field(default_factory=lambda: pygame.Rect(0, 0, 0, 0))
    fault: str = ""
    _of: Answering | None = None
    _tops: list[tuple[int, int]] = field(default_factory=list)

    def shows(self, asked: Answering | None) -> bool:
        """Return whether a purchase is asked for."""
        return asked is not None and asked.shop is not None

    def width(self, window: int) -> int:
        """Return how wide the column is in a window of this width."""
        return min(self.table.lettering.t(WIDTH), round(window * SHARE))

    def hides(self, at: tuple[int, int]) -> bool:
        """Return whether a pixel is the screen's."""
        return self.rect.collidepoint(at) or self.bar.collidepoint(at)

    def close(self) -> None:
        """Be gone, until the next purchase."""
        self.rect = self.bar = pygame.Rect(0, 0, 0, 0)
        self.rows, self.cards, self.buttons, self._of = [], [], [], None

    # keys and mouse

    def key(self, asked: Answering, name: str, sign: str) -> bool:
        """Take a key; return whether it was one of the screen's."""
        shop, player = asked.shop, self.table.player
        if shop is None or asked.line:
            return False
        if name in ("up", "down"):
            shop.step(1 if name == "down" else -1)
        elif name in ("left", "right"):
            shop.aim(1 if name == "right" else -1)
        elif name == "b" or sign == "b":
            shop.next_open()
        elif name in ("return", "enter", "keypad enter"):
            self._buy(shop, player)
            return True
        elif name == "end":
            player.answer(shop.leave())
        else:
            return False
        self.fault = ""
        self._see(shop)
        return True

    def click(self, asked: Answering, at: tuple[int, int]) -> None:
        """Take a click within the screen."""
        shop, player = asked.shop, self.table.player
        if shop is None:
            return
        button = next((id_ for box, id_ in self.buttons if box.collidepoint(at)), "")
        card = next((id_ for box, id_ in self.cards if box.collidepoint(at)), None)
        row = next((place for box, place in self.rows if box.collidepoint(at)), None)
        self.fault = ""
        if button == BUY:
            self._buy(shop, player)
        elif button == UNDO:
            player.enter("undo")
        elif button in (DONE, PASS):
            player.answer(shop.leave(done=button == DONE))
        elif card is not None:
            shop.aim_at(card)
        elif row is not None:
            shop.mark(row)

    def point(self, asked: Answering, at: tuple[int, int]) -> bool:
        """Take a click on the board: the target there is marked; return whether there was one."""
        if asked.shop is None:
            return False
        thing = thing_at(self.table.camera, self.table.playback, at)
        state = self.table.playback.state
        rows = state.position.units[thing].rows if thing in state.position.units else ()
        found = [thing, *(f"{thing}:{row}" for row in rows)]
        x, y = self.table.camera.to_world(*at)
        pieces = list(state.position.terrain.values())
        found += [pieces[place].id for place in self.table.playback.index.terrain_at(x, y)]
        return any(asked.shop.aim_at(each) for each in found if each)

    def turn(self, turns: int) -> None:
        """Show earlier lines (positive) or later ones."""
        self.scroll.turn(NOTCH * turns)

    def _buy(self, shop: Shopping, player: PlayerSeat) -> None:
        bought = shop.buy()
        if bought is None:
            self.fault = shop.fault
        else:
            player.answer(bought.answer, bought.errand)

    def _see(self, shop: Shopping) -> None:
        """Scroll to where the marked row is seen."""
        if shop.row < len(self._tops):
            top, high = self._tops[shop.row]
            back = self.scroll.back
            if top < back:
                self.scroll.back = max(top - NOTCH, 0)
            elif top + high > back + self.scroll.rect.h:
                self.scroll.back = top + high - self.scroll.rect.h

    # drawing

    def draw(self, surface: pygame.Surface, layout: Layout, asked: Answering, mouse: tuple[int, int]) -> None:
        """Draw the list, the buttons, and on the board what the marked purchase is about."""
        shop = asked.shop
        if shop is None:
            return
        if asked is not self._of:
            self._of, self.scroll.back, self.fault = asked, 0, ""
        lettering, palette = self.table.lettering, self.table.lettering.palette
        self.rect, self.bar = layout.side, layout.bottom
        pygame.draw.rect(surface, palette.panel, self.rect)
        pygame.draw.line(surface, palette.line, self.rect.topleft, self.rect.bottomleft, 1)
        pad = lettering.u(PAD)
        inner = self.rect.inflate(-2 * pad, 0)
        top = self._draw_head(surface, inner, shop)
        page = self._page(inner.w - lettering.u(6), shop)
        foot = inner.bottom - lettering.u(8)
        body = pygame.Rect(inner.x, top, page.wide, max(foot - top, 0))
        self.rows, self.cards = [], []
        self.scroll.draw(surface, body, page)
        self._draw_bar(surface, shop, mouse)

    def _draw_head(self, surface: pygame.Surface, room: pygame.Rect, shop: Shopping) -> int:
        lettering, palette = self.table.lettering, self.table.lettering.palette
        top = room.y + lettering.t(14)
        points = f"{shop.points} SP"
        right = lettering.draw(
            surface, points, (room.right, top), 28, palette.ink, bold=True, anchor="topright"
        )
        title = lettering.fitted("Resupply", 28, max(right.x - room.x - 8, 1), True)
        lettering.draw(surface, title, (room.x, top), 28, palette.ink, bold=True)
        y = top + lettering.leading(28)
        words = lettering.fitted("Each line says what it would do now.", 13, room.w)
        lettering.draw(surface, words, (room.x, y), 13, palette.soft)
        return y + lettering.leading(13) + lettering.t(4)

    def _page(self, wide: int, shop: Shopping) -> Page:
        lettering, palette = self.table.lettering, self.table.lettering.palette
        page = Page(lettering, wide)
        self._tops = []
        place = 0
        for section in shop.shelf.sections:
            page.heading(section.title)
            for ware in section.wares:
                before = page.high
                self._row(page, shop, ware, place)
                self._tops.append((before, page.high - before))
                place += 1
        if shop.shelf.rest:
            page.gap(10)
            page.write(shop.shelf.rest, 12, palette.faint)
        return page

    def _row(self, page: Page, shop: Shopping, ware: Ware, place: int) -> None:
        """Add a purchase: price, name, what is missing, the sentence; its cards if marked."""
        lettering, palette = self.table.lettering, self.table.lettering.palette
        marked = place == shop.row
        indent = lettering.t(62)
        lines = lettering.wrap(shop.words(ware), 12, page.wide - indent - lettering.t(8))
        cards = self._card_lines(shop, ware, page.wide - indent - lettering.t(12)) if marked else []
        high = lettering.t(14) + lettering.leading(14) + lettering.leading(12) * len(lines)
        tall = high + sum(each + lettering.t(8) for each, _ in cards) + (lettering.t(4) if cards else 0)
        lack = shop.lack(ware)

        def draw(surface: pygame.Surface, x: int, y: int) -> None:
            box = pygame.Rect(x - lettering.u(8), y, page.wide + lettering.u(10), tall)
            self.rows.append((box, place))
            pygame.draw.line(surface, palette.line, box.topleft, box.topright, 1)
            if marked:
                pygame.draw.rect(surface, palette.raised, box)
                pygame.draw.rect(surface, palette.accent, (x, box.y, max(lettering.u(3), 2), box.h))
            tone = palette.accent if ware.is_open else palette.faint
            price = pygame.Rect(x + lettering.t(8), y + lettering.t(8), lettering.t(44), lettering.t(24))
            pygame.draw.rect(surface, tone, price, 1, border_radius=4)
            lettering.draw(surface, price_words(ware), price.center, 13, tone, bold=True, anchor="center")
            left, top = x + indent, y + lettering.t(6)
            colour = palette.good if ware.is_open else palette.soft
            end = lettering.draw(
                surface, lack, (x + page.wide - lettering.t(4), top), 13, colour,
                bold=ware.is_open, anchor="topright",
            )  # fmt: skip
            room = end.x - left - lettering.t(12)
            name = lettering.draw(
                surface, lettering.fitted(ware.name, 14, room, True), (left, top), 14, palette.ink, bold=True
            )
            note = " · ".join(ware.kinds)
            if ware.id == shop.suggested:
                note = f"{note} · suggested" if note else "suggested"
            if note and name.w + lettering.t(8) + lettering.width(note, 12) <= room:
                shade = palette.accent if ware.id == shop.suggested else palette.faint
                at = (name.right + lettering.t(8), name.y + lettering.t(2))
                lettering.draw(surface, note, at, 12, shade)
            line_y = top + lettering.leading(14)
            for line in lines:
                lettering.draw(surface, line, (left, line_y), 12, palette.soft)
                line_y += lettering.leading(12)
            line_y += lettering.t(6)
            for each, paint in cards:
                paint(surface, left, line_y)
                line_y += each + lettering.t(8)

        page.add(tall, draw)

    def _card_lines(self, shop: Shopping, ware: Ware, wide: int) -> list[tuple[int, Draw]]:
        """Return the lines of cards of a purchase's targets: their heights and what draws them."""
        lettering = self.table.lettering
        targets = ware.targets[:MOST_CARDS]
        if not targets:
            return []
        count = max(min(CARDS, len(targets), wide // lettering.t(130)), 1)
        gap = lettering.t(8)
        each = (wide - gap * (count - 1)) // count
        found = []
        for start in range(0, len(targets), count):
            some = targets[start : start + count]
            found.append(self._line_of_cards(shop, ware, some, each, gap))
        return found

    def _line_of_cards(
        self, shop: Shopping, ware: Ware, some: Sequence[WareTarget], each: int, gap: int
    ) -> tuple[int, Draw]:
        """Return a line of cards: its height, and what draws it."""
        lettering, palette = self.table.lettering, self.table.lettering.palette
        noted = any(shop.note_of(target) or target.id == shop.advised for target in some)
        high = lettering.leading(12) * (2 if noted else 1) + lettering.t(14)

        def draw(surface: pygame.Surface, x: int, y: int) -> None:
            for i, target in enumerate(some):
                box = pygame.Rect(x + i * (each + gap), y, each, high)
                self.cards.append((box, target.id))
                aimed = target is shop.aimed
                pygame.draw.rect(surface, mix(palette.panel, palette.background, 0.4), box, border_radius=6)
                edge = palette.accent if aimed else palette.line
                pygame.draw.rect(surface, edge, box, 2 if aimed else 1, border_radius=6)
                left, top = box.x + lettering.t(9), box.y + lettering.t(6)
                room = box.w - lettering.t(18)
                name = shop.name_of(ware, target)
                shown = lettering.fitted(name[:1].upper() + name[1:], 12, room, True)
                lettering.draw(surface, shown, (left, top), 12, palette.ink, bold=True)
                note = shop.note_of(target)
                tone = palette.soft
                if target.id == shop.advised:
                    note, tone = (f"suggested · {note}" if note else "suggested"), palette.accent
                if note:
                    words = lettering.fitted(note, 12, room)
                    lettering.draw(surface, words, (left, top + lettering.leading(12)), 12, tone)

        return high, draw

    def _draw_bar(self, surface: pygame.Surface, shop: Shopping, mouse: tuple[int, int]) -> None:
        faces = [ButtonFace(UNDO, "Undo", "Ctrl Z", icon="undo")]
        if shop.may_pass:
            faces.append(ButtonFace(PASS, "Let another act first"))
        faces.append(ButtonFace(DONE, "Buy nothing more", "End"))
        faces.append(
            ButtonFace(BUY, shop.title, "Enter" if shop.may_buy else "", main=True, dim=not shop.may_buy)
        )
        words = self.fault or "A purchase can be taken back until the next roll."
        self.buttons = draw_button_bar(
            surface, self.bar, self.table.lettering, "Command phase.", words, faces, mouse
        )
