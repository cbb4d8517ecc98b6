"""The start menu: go on, begin, open a file, settle how it looks and plays, quit.

A screen of its own: a list of what can be done, and beside it, where there is room, the page of one of them.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pygame

from viewer.menu.choice import Choice
from viewer.menu.desk import Desk
from viewer.menu.help_page import HelpPage
from viewer.menu.kit import Act, FieldColumn, Kit
from viewer.menu.new_battle import NewBattle
from viewer.menu.opening import Opening
from viewer.menu.settings_page import SettingsPage
from viewer.menu.sheet import Sheet
from viewer.window.lettering import Lettering
from viewer.window.look import Look
from viewer.window.palette import mix
from viewer.window.widgets import Widgets

NAVIGATION = 392
"""How wide the list is, at the usual size of words."""
ROOMY = 550
"""A list at least this high, by the size of its words, has two lines for each entry."""
BESIDE = 1180
"""A window at least this wide, by the size of its words, shows list and page side by side."""
NEW, OPEN, SETTINGS, HELP = "new", "open", "settings", "help"
_KEYS = {pygame.K_n: NEW, pygame.K_o: OPEN, pygame.K_F2: SETTINGS, pygame.K_F1: HELP}
_ENTRIES = (
    (NEW, "New battle", "Set up the table as you like it", "N"),
    (OPEN, "Replays and scenarios", "Watch, or play from a moment", "O"),
    (SETTINGS, "Settings", "Text size, colours, skip rules", "F2"),
    (HELP, "How to play", "A battle in eight sentences, all keys", "F1"),
)


class StartMenu:
    """The first screen of the program."""

    def __init__(
        self,
        surface: pygame.Surface,
        desk: Desk,
        look: Callable[[], Look],
        notice: str = "",
        choice: Choice | None = None,
    ) -> None:
        """Show the menu; `look` tells how it looks, `notice` what has to be said first."""
        self.surface, self.desk, self._look = surface, desk, look
        self.changed, self.quit, self.wish = True, False, ""
        self.file: Path | None = None
        """The file that the person opens."""
        self.lettering = Lettering(look())
        self.lettering.fit(surface.get_height())
        self.widgets = Widgets(self.lettering, surface.get_size())
        self._nav = Kit(self.widgets, self.lettering)
        self.battle = NewBattle(desk, self.widgets, self.lettering, lambda: self._leave("begin"), choice)
        self.pages: dict[str, Sheet] = {
            NEW: self.battle,
            OPEN: Opening(desk, self.widgets, self.lettering, self._open),
            SETTINGS: SettingsPage(desk, self.widgets, self.lettering),
            HELP: HelpPage(desk, self.widgets, self.lettering),
        }
        self.page = NEW
        self.notice = notice
        self._left_over = desk.left_over()
        self._is_list = not self._beside
        self._boxes: list[tuple[pygame.Rect, str, str, str, str]] = []
        """The entries of the list that have a second line: where, and what stands there."""
        self._shown_look = look()
        self._build()

    @property
    def choice(self) -> Choice:
        """Return the battle that is chosen."""
        return self.battle.choice

    @property
    def _beside(self) -> bool:
        return self.surface.get_width() / self.lettering.sizes.text >= BESIDE

    # what is left for

    def _leave(self, wish: str) -> None:
        self.wish = wish

    def _open(self, path: Path) -> None:
        self.file = path
        self._leave("open")

    def _continue(self) -> None:
        if self._left_over:
            try_ = self._left_over[0].file
            page = self.pages[self.page]
            if page.attempt(lambda: self.desk.check(try_)):
                self._open(try_)
            else:
                self._build()

    # the widgets

    def _build(self) -> None:
        """Make all widgets anew."""
        self._clear()
        width, height = self.surface.get_size()
        margin = min(self.lettering.t(40), width // 24)
        whole = pygame.Rect(margin, margin, width - 2 * margin, height - 2 * margin)
        if self._beside:
            list_ = pygame.Rect(whole.x, whole.y, self.lettering.t(NAVIGATION), whole.h)
            gap = self.lettering.t(56)
            self._make_list(list_)
            left = list_.right + gap
            self._make_page(pygame.Rect(left, whole.y, whole.right - left, whole.h))
        elif self._is_list:
            self._make_list(whole)
        else:
            self._make_page(whole)

    def _clear(self) -> None:
        """Take all widgets away."""
        self.changed, self._boxes = True, []
        self._nav.clear()
        for page in self.pages.values():
            page.close()

    def _make_page(self, rect: pygame.Rect) -> None:
        pad = self.lettering.t(28) if self._beside else 0
        self._frame = rect
        self.pages[self.page].aside = None if self._beside else ("Menu", self._to_list)
        self.pages[self.page].build(rect.inflate(-2 * pad, -2 * pad))

    def _make_list(self, rect: pygame.Rect) -> None:
        kit = self._nav
        roomy = rect.h >= kit.lettering.t(ROOMY)
        self._frame = pygame.Rect(0, 0, 0, 0)
        column = FieldColumn(kit, rect.x, rect.y, rect.w, None)
        column.words("Horde", "@name" if roomy else "@title")
        if roomy:
            column.words("Hold five rounds. Keep your secret.", "@soft")
        if self.notice:
            column.words(self.notice, "@good")
        column.skip(14 if roomy else 6)
        self._make_continue(column, roomy=roomy)
        if not self._beside:
            column.button("Begin battle · Enter", self.battle.begin, "@main")
            column.y -= kit.gap // 2
        for name, words, under, key in _ENTRIES:
            self._make_entry(
                column, words, under, key, self._goer(name), chosen=name == self.page, roomy=roomy
            )
        self._make_entry(
            column,
            "Quit",
            "Each answer of a battle is kept",
            "Ctrl Q",
            lambda: self._leave("quit"),
            roomy=roomy,
        )

    def _make_continue(self, column: FieldColumn, *, roomy: bool) -> None:
        if not self._left_over:
            return
        found = self._left_over[0]
        under = f"{found.title}\n{found.words}" if roomy else ""
        words = self.lettering.fitted(
            f"Continue · {found.title}", 14, column.width - self.lettering.t(28), True
        )
        words = "Continue" if roomy else words
        self._make_entry(column, words, under, "C", self._continue, roomy=roomy, first=True)
        if roomy and found.rounds[1]:
            self._rounds = found.rounds
        column.skip(6)

    _rounds = (0, 0)

    def _make_entry(
        self,
        column: FieldColumn,
        words: str,
        under: str,
        key: str,
        act: Act,
        *,
        chosen: bool = False,
        roomy: bool = True,
        first: bool = False,
    ) -> None:
        """Make an entry of the list; where there is room, a second line and its key are drawn on it."""
        kit, lettering = self._nav, self.lettering
        lines = under.split("\n") if roomy and under else []
        high = kit.high
        if lines:
            high = lettering.t(20) + lettering.leading(16) + lettering.leading(12) * len(lines)
            high += lettering.t(16) if first and self._left_over[0].rounds[1] else 0
        rect = pygame.Rect(column.left, column.y, column.width, max(high, kit.high))
        kind = "@first" if first else "@entry"
        button = kit.button("" if lines else words, rect, act, kind)
        if chosen and self._beside:
            button.select()
        if lines:
            kind = "first" if first else "chosen" if chosen and self._beside else ""
            self._boxes.append((rect, words, under, key, kind))
        column.y = rect.bottom + lettering.t(4 if roomy else 2)

    def _goer(self, name: str) -> Act:
        return lambda: self.go(name)

    def go(self, name: str) -> None:
        """Show a page."""
        self.page, self._is_list = name, False
        self._build()

    def _to_list(self) -> None:
        self._is_list = True
        self._build()

    # the screen

    def handle(self, event: pygame.event.Event) -> None:
        """Take an event: the page's, the list's, a key of the menu."""
        self.changed = True
        if event.type == pygame.QUIT:
            self.quit = True
        elif event.type == pygame.VIDEORESIZE:
            self.surface = pygame.display.get_surface() or self.surface
            self._resize()
        else:
            page = self.pages[self.page]
            if self._nav.take(event) or (not self._list_alone and page.take(event)):
                return
            typed = self.widgets.take(event)
            if event.type == pygame.KEYDOWN and not typed:
                self._key(event)

    @property
    def _list_alone(self) -> bool:
        return self._is_list and not self._beside

    def _key(self, event: pygame.event.Event) -> None:
        if self._list_alone and self._nav.ring.key(event):
            return
        if event.key in _KEYS:
            self.go(_KEYS[event.key])
        elif event.key == pygame.K_q and event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META):
            self._leave("quit")
        elif event.key == pygame.K_c:
            self._continue()
        elif event.key == pygame.K_ESCAPE and not self._beside:
            self._to_list()
        elif event.key in (pygame.K_RETURN, pygame.K_KP_ENTER) and self._list_alone:
            self.battle.begin()

    def _resize(self) -> None:
        self.lettering.look = self._look()
        self.lettering.fit(max(self.surface.get_height(), 1))
        self._clear()
        self.widgets.fit(self.surface.get_size())
        self._build()

    def tick(self, passed: float) -> None:
        """Let some seconds go by."""
        if self._look() != self._shown_look:
            self._shown_look = self._look()
            self._resize()
        moved = self.pages[self.page].tick(passed)
        self.changed = self.widgets.tick(passed) or moved or self.changed

    def draw(self) -> None:
        """Draw the whole window."""
        surface, lettering = self.surface, self.lettering
        palette = lettering.palette
        lettering.begin(surface)
        surface.fill(palette.background)
        if self._beside:
            pygame.draw.rect(surface, palette.panel, self._frame, border_radius=8)
            pygame.draw.rect(surface, palette.line, self._frame, 1, border_radius=8)
        self.widgets.draw_ui(surface)
        for box, words, under, key, kind in self._boxes:
            self._draw_entry(box, words, under, key, is_first=kind == "first")
            if kind == "chosen":
                bar = pygame.Rect(box.x, box.y, max(lettering.t(4), 3), box.h)
                pygame.draw.rect(surface, palette.accent, bar, border_radius=2)
        if not self._list_alone:
            self.pages[self.page].draw(surface)
        self._nav.ring.draw(surface, palette.accent)
        self.changed = False

    def _draw_entry(self, box: pygame.Rect, words: str, under: str, key: str, *, is_first: bool) -> None:
        """Draw the words of an entry over its button."""
        surface, lettering = self.surface, self.lettering
        palette, pad = lettering.palette, lettering.t(16)
        room = box.w - 2 * pad
        if key:
            cap = lettering.width(key, 11, True) + lettering.t(12)
            frame = pygame.Rect(0, 0, cap, lettering.height(11, True) + lettering.t(6))
            frame.topright = (box.right - pad, box.y + lettering.t(12))
            pygame.draw.rect(surface, palette.edge, frame, 1, border_radius=4)
            lettering.draw(surface, key, frame.center, 11, palette.soft, bold=True, anchor="center")
        y = box.y + lettering.t(10)
        lettering.draw(surface, words, (box.x + pad, y), 16, palette.ink, bold=True)
        y += lettering.leading(16)
        for line in under.split("\n"):
            shown = lettering.fitted(line, 12, room)
            lettering.draw(surface, shown, (box.x + pad, y), 12, palette.soft)
            y += lettering.leading(12)
        number, of = self._rounds
        if is_first and of:
            gap, high = lettering.t(4), max(lettering.t(5), 3)
            share = (room - gap * (of - 1)) / of
            for place in range(of):
                bar = pygame.Rect(box.x + pad + place * (share + gap), y + lettering.t(6), share, high)
                done = palette.accent if place < number else mix(palette.line, palette.edge, 0.3)
                pygame.draw.rect(surface, done, bar, border_radius=2)
