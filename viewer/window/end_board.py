"""The last screen of a battle: its end, what decided it, damage by unit, what is next.

Draws `viewer.story.ending`, and says what was clicked: a moment to watch, or a wish of the person.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pygame

from viewer.story.ending import Ending, ending
from viewer.story.goal import Sight, goals
from viewer.story.live import Live
from viewer.story.turning_points import TurningPoint
from viewer.window.buttons import ButtonFace, draw_face
from viewer.window.end_tables import add_heads, add_losses, unit_line
from viewer.window.pages import Draw, Page, Scroll
from viewer.window.palette import Colour
from viewer.window.table import Table

AGAIN, SAME, WATCH, MENU, LOOK = "again", "same-seed", "watch", "menu", "look"
ROUND = "from-round:"
MOMENT = "moment:"
KEYS = {
    "return": AGAIN,
    "enter": AGAIN,
    "keypad enter": AGAIN,
    "s": SAME,
    "w": WATCH,
    "escape": MENU,
    "t": LOOK,
}
NARROW = 1400
"""A window narrower than this, by the size of its words, has two columns."""
NOTCH = 48
Link = tuple[pygame.Rect, str]
_Fill = Callable[[Page, Ending, tuple[int, int]], None]


@dataclass(slots=True)
class EndBoard:
    """The screen: whether it is open, what it says, and where its links were drawn last."""

    table: Table
    wish: Callable[[str], None]
    is_open: bool = False
    links: list[Link] = field(default_factory=list)
    chosen: int = 0
    """The round from which the battle may go on."""
    _known: tuple[tuple[object, ...], Ending] | None = None
    _was_before: bool = True
    """Whether the end had not been reached at the last look."""
    _scrolls: list[Scroll] = field(default_factory=lambda: [Scroll(), Scroll(), Scroll()])

    @property
    def ending(self) -> Ending | None:
        """Return what is said, worked out once."""
        playback = self.table.playback
        if not playback.chronicle.head.over:
            return None
        key = (id(playback.chronicle), len(playback.chronicle))
        if self._known is None or self._known[0] != key:
            source, state = playback.source, playback.chronicle.head
            sight = Sight(self.table.player.people)
            known = goals(state, source.summaries, source.knowledge, sight, now=True)
            found = ending(playback.chronicle.entries, state, known)
            self._known, self.chosen = (key, found), found.turned
        return self._known[1]

    @property
    def may_open(self) -> bool:
        """Return whether the battle that is played here is shown at its end, without the screen."""
        playback = self.table.playback
        return isinstance(playback.source, Live) and playback.at_end and bool(playback.state.over)

    def look(self) -> bool:
        """Open as a battle that is played here has been shown to its end; return whether it opened."""
        playback = self.table.playback
        over = playback.source.ended and playback.at_end and playback.effect is None and playback.state.over
        if not over:
            self._was_before, self.is_open = True, False
        elif self._was_before and isinstance(playback.source, Live):
            self._was_before, self.is_open = False, True
            playback.playing = False
            return True
        return False

    # keys and mouse

    def key(self, name: str) -> bool:
        """Take a key; all are the screen's while it is open."""
        found = self.ending
        if found is None:
            return False
        if name in KEYS:
            self._do(KEYS[name])
        elif name == "c":
            self._do(f"{ROUND}{self.chosen}")
        elif name in ("left", "right"):
            self.chosen = min(max(self.chosen + (1 if name == "right" else -1), 1), found.rounds)
        elif name.isdecimal() and 1 <= int(name) <= len(found.moments):
            self._do(f"{MOMENT}{int(name) - 1}")
        return True

    def click(self, at: tuple[int, int]) -> None:
        """Take a click."""
        wanted = next((id_ for box, id_ in self.links if box.collidepoint(at)), "")
        if wanted:
            self._do(wanted)

    def turn(self, turns: int, at: tuple[int, int]) -> None:
        """Turn the wheel over a column."""
        for scroll in self._scrolls:
            if scroll.rect.collidepoint(at):
                scroll.turn(NOTCH * turns)

    def _do(self, wanted: str) -> None:
        found, playback = self.ending, self.table.playback
        if wanted == LOOK:
            self.is_open = False
        elif wanted.startswith(MOMENT) and found is not None:
            self.is_open, self._was_before = False, True
            playback.seek(found.moments[int(wanted.removeprefix(MOMENT))].index)
            playback.playing = True
        else:
            self.wish(wanted)

    # drawing

    def draw(self, surface: pygame.Surface, mouse: tuple[int, int]) -> None:
        """Draw the screen over the whole window."""
        found = self.ending
        if found is None:
            return
        lettering, palette = self.table.lettering, self.table.lettering.palette
        lettering.cover(surface.get_rect())
        surface.fill(palette.background)
        self.links = []
        edge = lettering.u(48) if surface.get_width() >= NARROW else lettering.u(20)
        room = surface.get_rect().inflate(-2 * edge, -lettering.u(48))
        top = self._draw_head(surface, room, found) + lettering.t(14)
        body = pygame.Rect(room.x, top, room.w, max(room.bottom - top, 40))
        gap = lettering.u(20)
        if room.w / lettering.sizes.text >= NARROW - 100:
            left, right = round(body.w * 0.345), round(body.w * 0.245)
            middle = body.w - left - right - 2 * gap
            boxes = [
                pygame.Rect(body.x, body.y, left, body.h),
                pygame.Rect(body.x + left + gap, body.y, middle, body.h),
                pygame.Rect(body.right - right, body.y, right, body.h),
            ]
            fills: list[tuple[_Fill, ...]] = [(self._moments,), (self._units,), (self._next, self._supply)]
        else:
            right = round(body.w * 0.4)
            boxes = [
                pygame.Rect(body.x, body.y, body.w - right - gap, body.h),
                pygame.Rect(body.right - right, body.y, right, body.h),
            ]
            fills = [(self._moments, self._units), (self._next, self._supply)]
        pad, foot = lettering.u(22), lettering.u(24)
        pages = []
        for box, some in zip(boxes, fills, strict=True):
            page = Page(lettering, box.w - 2 * pad - lettering.u(8))
            for fill in some:
                fill(page, found, mouse)
            pages.append(page)
        high = min(max(page.high for page in pages) + foot, body.h)
        for box, page, scroll in zip(boxes, pages, self._scrolls, strict=False):
            box.h = high
            pygame.draw.rect(surface, palette.panel, box, border_radius=8)
            pygame.draw.rect(surface, palette.line, box, 1, border_radius=8)
            inner = pygame.Rect(box.x + pad, box.y + foot // 2, page.wide, box.h - foot)
            scroll.draw(surface, inner, page)

    def _draw_head(self, surface: pygame.Surface, room: pygame.Rect, found: Ending) -> int:
        """Draw the title and the boxes of numbers; return where they end."""
        lettering, palette = self.table.lettering, self.table.lettering.palette
        numbers = [
            ("Missions", f"{found.missions_met} of {len(found.missions)}"),
            ("Models lost", f"{found.lost}"),
            ("Models killed", f"{found.killed}"),
        ]
        x = room.right
        if room.w / lettering.sizes.text > 1000:
            for name, value in reversed(numbers):
                wide = max(lettering.width(name, 11, True), lettering.width(value, 16, True)) + lettering.t(
                    36
                )
                box = pygame.Rect(x - wide, room.y + lettering.t(8), wide, lettering.t(54))
                pygame.draw.rect(surface, palette.panel, box, border_radius=6)
                at = (box.centerx, box.y + lettering.t(9))
                head = lettering.draw(surface, name, at, 11, palette.faint, bold=True, anchor="midtop")
                at = (box.centerx, head.bottom + lettering.t(2))
                lettering.draw(surface, value, at, 16, palette.ink, bold=True, anchor="midtop")
                x = box.x - lettering.t(10)
        wide = x - room.x - lettering.t(10)
        caption = lettering.fitted(found.caption.upper(), 11, wide, True)
        box = lettering.draw(surface, caption, room.topleft, 11, palette.faint, bold=True)
        size = next((each for each in (46, 36, 28) if lettering.width(found.title, each, True) <= wide), 20)
        words = lettering.fitted(found.title, size, wide, True)
        box = lettering.draw(surface, words, (room.x, box.bottom), size, palette.ink, bold=True)
        y = box.bottom
        for line in lettering.wrap(found.sentence, 16, wide)[:3]:
            shown = lettering.fitted(line, 16, wide)
            lettering.draw(surface, shown, (room.x, y), 16, palette.soft)
            y += lettering.leading(16)
        return y

    # columns

    def _moments(self, page: Page, found: Ending, mouse: tuple[int, int]) -> None:
        page.write("What decided it", 20, self.table.lettering.palette.ink, bold=True)
        if found.moments:
            words = "Balance is the players' share of the strength that both sides have left."
            page.write(words, 12, self.table.lettering.palette.faint)
            page.gap(6)
        else:
            page.write("Nothing was lost and nothing changed hands.", 13, self.table.lettering.palette.soft)
        for place, moment in enumerate(found.moments):
            page.add(*self._moment(page.wide, place, moment, mouse))
        add_losses(page, found)

    def _moment(
        self, wide: int, place: int, moment: TurningPoint, mouse: tuple[int, int]
    ) -> tuple[int, Draw]:
        """Return a moment's lines: its round, title and detail, and the link to watch it."""
        lettering, palette = self.table.lettering, self.table.lettering.palette
        tone = palette.side_text("players" if moment.worth > 0 else "horde")
        indent = lettering.t(46)
        link = lettering.width("Watch", 13)
        room = wide - indent - link - lettering.t(16)
        titles = lettering.wrap(moment.title, 14, room, True)
        details = lettering.wrap(moment.detail, 12, room)
        high = lettering.leading(14) * len(titles) + lettering.leading(12) * len(details) + lettering.t(20)

        def draw(surface: pygame.Surface, x: int, y: int) -> None:
            pygame.draw.line(surface, palette.line, (x, y), (x + wide, y), 1)
            top = y + lettering.t(9)
            when = f"R{moment.round}" if moment.round else "Start"
            lettering.draw(surface, when, (x, top), 13, tone, bold=True)
            for line in titles:
                lettering.draw(surface, line, (x + indent, top), 14, palette.ink, bold=True)
                top += lettering.leading(14)
            for line in details:
                lettering.draw(surface, line, (x + indent, top), 12, palette.soft)
                top += lettering.leading(12)
            at = (x + wide, y + lettering.t(9))
            box = lettering.draw(surface, "Watch", at, 13, palette.soft, anchor="topright")
            target = box.inflate(lettering.t(14), max(36 - box.h, 0))
            lit = target.collidepoint(mouse)
            pygame.draw.line(
                surface, palette.accent if lit else palette.soft, box.bottomleft, box.bottomright, 1
            )
            self.links.append((target, f"{MOMENT}{place}"))

        return high, draw

    def _units(self, page: Page, found: Ending, mouse: tuple[int, int]) -> None:
        page.write("Units", 20, self.table.lettering.palette.ink, bold=True)
        most = max((max(line.dealt, line.taken) for line in (*found.own, *found.horde)), default=0) or 1
        palette = self.table.lettering.palette
        for name, lines, colour in (
            ("Players", found.own, palette.players[0]),
            ("The Horde", found.horde, palette.horde),
        ):
            add_heads(page, name)
            for line in lines:
                page.add(*unit_line(page, line, colour, most))

    def _next(self, page: Page, found: Ending, mouse: tuple[int, int]) -> None:
        page.write("Next", 20, self.table.lettering.palette.ink, bold=True)
        page.gap(6)
        self._button(page, ButtonFace(AGAIN, "Play again, new seed", "Enter", main=True), mouse, 52)
        self._button(page, ButtonFace(SAME, "Same seed, same dice", "S"), mouse)
        self._rounds(page, found, mouse)
        self._button(page, ButtonFace(WATCH, "Watch the battle", "W"), mouse)
        self._button(page, ButtonFace(LOOK, "Look at the table", "T"), mouse)
        self._button(page, ButtonFace(MENU, "Menu", "Esc"), mouse)

    def _button(self, page: Page, face: ButtonFace, mouse: tuple[int, int], high: int = 44) -> None:
        lettering = self.table.lettering

        def draw(surface: pygame.Surface, x: int, y: int) -> None:
            box = pygame.Rect(x, y, page.wide, lettering.t(high))
            draw_face(surface, box, lettering, face, over=box.collidepoint(mouse))
            self.links.append((box, face.id))

        page.add(lettering.t(high) + lettering.t(8), draw)

    def _rounds(self, page: Page, found: Ending, mouse: tuple[int, int]) -> None:
        """Add the rounds from which the battle may be continued."""
        lettering, palette = self.table.lettering, self.table.lettering.palette
        page.write("Continue from a round (C)", 14, palette.ink, bold=True)
        page.write("You play on from its beginning.", 12, palette.soft)
        page.gap(4)
        gap = lettering.t(6)
        count = max(found.rounds, 1)
        wide = (page.wide - gap * (count - 1)) // count
        high = max(lettering.t(36), 36)

        def draw(surface: pygame.Surface, x: int, y: int) -> None:
            for i in range(found.rounds):
                box = pygame.Rect(x + i * (wide + gap), y, wide, high)
                chosen = i + 1 == self.chosen
                fill = palette.hover if box.collidepoint(mouse) else palette.raised
                pygame.draw.rect(surface, fill, box, border_radius=6)
                edge = palette.accent if chosen else palette.line
                pygame.draw.rect(surface, edge, box, 2 if chosen else 1, border_radius=6)
                tone = palette.accent if chosen else palette.ink
                lettering.draw(surface, f"R{i + 1}", box.center, 14, tone, bold=True, anchor="center")
                self.links.append((box, f"{ROUND}{i + 1}"))

        page.add(high + lettering.t(10), draw)

    def _supply(self, page: Page, found: Ending, mouse: tuple[int, int]) -> None:
        palette = self.table.lettering.palette
        page.heading("Missions and supply")
        for number, name, outcome in found.missions:
            tone = palette.good if outcome == "met" else palette.loss
            self._pair(page, f"R{number} {name}", outcome, tone)
        gained, spent, points = found.supply
        self._pair(page, f"SP gained {gained}, spent {spent}", "", palette.ink)
        self._pair(page, f"CP spent {points}", "", palette.ink)
        if found.unmodelled:
            self._pair(page, f"{found.unmodelled} rules are not simulated yet", "", palette.soft)

    def _pair(self, page: Page, words: str, value: str, tone: Colour) -> None:
        lettering, palette = self.table.lettering, self.table.lettering.palette

        def draw(surface: pygame.Surface, x: int, y: int) -> None:
            room = page.wide - (lettering.width(value, 13, True) + lettering.t(8) if value else 0)
            ink = palette.ink if value else tone
            lettering.draw(surface, lettering.fitted(words, 13, room), (x, y), 13, ink)
            if value:
                at = (x + page.wide, y)
                lettering.draw(surface, value, at, 13, tone, bold=True, anchor="topright")

        page.add(lettering.leading(13) + lettering.t(2), draw)
