"""What lies behind ≡ in a battle: settings, help, tools, saving under a name, leaving.

Lies over the battle's window, which waits while it is open. Nothing that leaves the battle is one letter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pygame

from datasheets.errors import HordeError
from viewer.menu.desk import Desk
from viewer.menu.file_picker import FilePicker
from viewer.menu.help_page import HelpPage
from viewer.menu.kit import Act, FieldColumn, Kit
from viewer.menu.settings_page import SettingsPage
from viewer.window.widgets import Widgets
from viewer.window.window import Window

DIM = 153
"""How much of the battle the veil hides, of 255."""
WIDE = 340
"""How wide the list is, at the usual size of words."""
SETTINGS, HELP, TOOLS = "settings", "help", "tools"
Save = Callable[[Path], str]
"""Saves the battle into a file and says so; raises HordeError or OSError where that fails."""


class BattleMenu:
    """The menu of a battle."""

    def __init__(self, window: Window, desk: Desk, save: Save | None = None, name: str = "horde") -> None:
        """Begin closed; without `save` nothing is saved, `name` is what a save may be called."""
        self._name = name
        self._window, self._desk, self._save = window, desk, save
        self._widgets: Widgets | None = None
        self._kit: Kit | None = None
        self._page: SettingsPage | HelpPage | None = None
        self._list = ""
        self._frame = pygame.Rect(0, 0, 0, 0)
        self._picker: FilePicker | None = None
        self.told = ""
        self.fault = ""

    @property
    def is_open(self) -> bool:
        """Return whether it is there."""
        return self._widgets is not None

    def open(self, page: str = "") -> None:
        """Show it, perhaps at one of its pages."""
        self._list, self.told, self.fault = page, "", ""
        if self._widgets is None:
            self._widgets = Widgets(self._window.lettering, self._window.surface.get_size())
            self._kit = Kit(self._widgets, self._window.lettering)
        self._build()

    def close(self) -> None:
        """Go back to the battle."""
        self._widgets, self._kit, self._page, self._picker = None, None, None, None
        self._window.changed = True

    # the widgets

    def _build(self) -> None:
        """Make all widgets anew."""
        widgets, kit = self._widgets, self._kit
        if widgets is None or kit is None:
            return
        kit.clear()
        kind = {SETTINGS: SettingsPage, HELP: HelpPage}.get(self._list)
        if self._page is not None and type(self._page) is not kind:
            self._page.close()
            self._page = None
        if kind is None:
            self._make_list(kit)
            return
        if self._page is None:
            self._page = kind(self._desk, widgets, self._window.lettering)
            self._page.back = ("Back · Esc", self.close)
        self._make_page(self._page)

    def _make_page(self, page: SettingsPage | HelpPage) -> None:
        lettering, (width, height) = self._window.lettering, self._window.surface.get_size()
        self._frame = pygame.Rect(0, 0, min(lettering.t(1100), width), min(lettering.t(900), height))
        self._frame.center = width // 2, height // 2
        pad = lettering.t(20)
        page.build(self._frame.inflate(-2 * pad, -2 * pad))

    def _entries(self) -> Sequence[tuple[str, Act, str]]:
        """Return the words of the list, what each does, and its class."""
        if self._list == TOOLS:
            tools = [
                (f"{name} · {key}" if key else name, self._tool(act), "")
                for name, key, act in self._window.tools
            ]
            return [("Back", lambda: self.open(), "@main"), *tools]
        found: list[tuple[str, Act, str]] = [("Back to the battle · Esc", self.close, "@main")]
        found.append(("Settings · F2", lambda: self.open(SETTINGS), ""))
        found.append(("Help · F1", lambda: self.open(HELP), ""))
        if self._window.tools:
            found.append(("Tools", lambda: self.open(TOOLS), ""))
        if self._save is not None:
            found.append(("Save under a name…", self._name_save, ""))
        found.append(("To the start menu", lambda: self._leave("menu"), ""))
        found.append(("Quit", lambda: self._leave("quit"), "@danger"))
        return found

    def _make_list(self, kit: Kit) -> None:
        lettering, (width, height) = self._window.lettering, self._window.surface.get_size()
        entries, pad, gap = self._entries(), lettering.t(20), lettering.t(8)
        wide = min(lettering.t(WIDE), width)
        title = "Tools" if self._list == TOOLS else "Menu"
        words = self.fault or self.told
        lines = lettering.wrap(words, 14, wide - 2 * pad, True)
        head = lettering.leading(28) + lettering.t(8) + len(lines) * lettering.leading(14)
        high = min(head + len(entries) * (kit.high + gap) - gap + 2 * pad, height)
        self._frame = pygame.Rect(0, 0, wide, high)
        self._frame.center = width // 2, height // 2
        column = FieldColumn(kit, self._frame.x + pad, self._frame.y + pad, self._frame.w - 2 * pad, None)
        column.words(title, "@title")
        if words:
            column.words(words, "@fault" if self.fault else "@good")
        column.skip(8)
        for words, act, look in entries:
            rect = pygame.Rect(column.left, column.y, column.width, kit.high)
            kit.button(words, rect, act, look)
            column.y += kit.high + gap

    # what it does

    def _tool(self, act: Act) -> Act:
        def use() -> None:
            act()
            self.close()

        return use

    def _leave(self, wish: str) -> None:
        self._window.wish = wish
        self.close()

    def _name_save(self) -> None:
        kit = self._kit
        if kit is not None:
            start = Path.cwd() / f"{self._name}.save"
            self._picker = FilePicker(kit, "Save the battle as", self._saved, new=True, start=start)

    def _saved(self, path: Path | None) -> None:
        self._picker = None
        if path is None or self._save is None:
            return
        try:
            self.told, self.fault = self._save(path), ""
        except HordeError as fault:
            self.told, self.fault = "", str(fault)
        except OSError as fault:
            self.told, self.fault = "", f"{path}: the battle cannot be saved there ({fault.strerror})."
        self._build()

    # the veil

    def handle(self, event: pygame.event.Event) -> None:
        """Take an event."""
        widgets, kit = self._widgets, self._kit
        if widgets is None or kit is None:
            return
        if self._picker is not None and self._picker.take(event):
            return
        if kit.take(event) or (self._page is not None and self._page.take(event)):
            return
        if event.type == pygame.KEYDOWN and self._key(event, kit):
            return
        outside = event.type == pygame.MOUSEBUTTONDOWN and not self._frame.collidepoint(event.pos)
        if not widgets.take(event) and outside and self._picker is None:
            self.close()

    def _key(self, event: pygame.event.Event, kit: Kit) -> bool:
        if kit.ring.key(event):
            return True
        if event.key == pygame.K_ESCAPE or (event.key == pygame.K_F10 and not self._list):
            self.close()
        elif event.key == pygame.K_F10:
            self.open()
        elif event.key in (pygame.K_F1, pygame.K_F2):
            self.open(HELP if event.key == pygame.K_F1 else SETTINGS)
        else:
            return False
        return True

    def tick(self, passed: float) -> bool:
        """Let some seconds go by; return whether it has to be drawn again."""
        if self._widgets is None:
            return False
        moved = self._page.tick(passed) if self._page is not None else False
        return self._widgets.tick(passed) or moved

    def draw(self) -> None:
        """Draw it over the battle."""
        surface, palette = self._window.surface, self._window.lettering.palette
        if self._widgets is None or self._kit is None:
            return
        veil = pygame.Surface(surface.get_size(), pygame.SRCALPHA)
        veil.fill((*palette.background, DIM))
        surface.blit(veil, (0, 0))
        pygame.draw.rect(surface, palette.panel, self._frame, border_radius=8)
        pygame.draw.rect(surface, palette.edge, self._frame, 1, border_radius=8)
        self._window.lettering.cover(self._frame)
        self._widgets.draw_ui(surface)
        self._kit.ring.draw(surface, palette.accent)
        if self._page is not None:
            self._page.draw(surface)

    def resize(self) -> None:
        """Take another size of the window, or another look."""
        if self._widgets is not None and self._kit is not None:
            self._kit.clear()
            if self._page is not None:
                self._page.close()
            self._widgets.fit(self._window.surface.get_size())
            self._build()
