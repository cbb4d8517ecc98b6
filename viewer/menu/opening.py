"""The page on which a replay, a scenario or a battle that is not over is opened."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pygame

from viewer.menu.desk import Desk
from viewer.menu.file_picker import FilePicker
from viewer.menu.kit import FieldColumn
from viewer.menu.sheet import Sheet
from viewer.window.lettering import Lettering
from viewer.window.widgets import Widgets

KINDS = {"replays": "Replays", "scenarios": "Scenarios", "battles": "Battles not over"}
_EMPTY = {
    "replays": "There is no replay in this folder, nor in your own. Each battle of this menu leaves one.",
    "scenarios": "There is no scenario in this folder. A scenario is a TOML file; open one from anywhere.",
    "battles": "No battle is left over.",
}


class Opening(Sheet):
    """The page of files to open."""

    title = "Replays and scenarios"
    under = "A replay is watched, a scenario is played and watched, a battle goes on."

    def __init__(
        self, desk: Desk, widgets: Widgets, lettering: Lettering, opened: Callable[[Path], None]
    ) -> None:
        """Begin with the replays; `opened` is given the file."""
        super().__init__(desk, widgets, lettering)
        self._opened = opened
        self._kind = "replays"
        self._picked = ""
        self._files: dict[str, Path] = {}
        self._picker: FilePicker | None = None

    def make(self) -> None:
        """Make the widgets."""
        kit, rect = self.kit, self.rect
        top = self.head(("Open · Enter", self.open, "@main"), ("Another file…", self._choose, ""))
        column = FieldColumn(kit, rect.x, top, rect.w, None)
        column.segments(KINDS, self._kind, self._show)
        self._files = {_shown(path): path for path in self._found()}
        if not self._files:
            column.words(_EMPTY[self._kind], "@soft")
            return
        self._picked = self._picked if self._picked in self._files else next(iter(self._files))
        high = max(rect.bottom - column.y, kit.high)
        column.items(list(self._files), high, self._pick, self.open)

    def _found(self) -> list[Path]:
        if self._kind == "battles":
            return [each.file for each in self.desk.left_over()]
        return self.desk.replays() if self._kind == "replays" else self.desk.scenarios()

    def _show(self, kind: str) -> None:
        self._kind, self._picked = kind, ""
        self.renew()

    def _pick(self, name: str) -> None:
        self._picked = name

    def open(self) -> None:
        """Open the file that is picked."""
        path = self._files.get(self._picked)
        if path is not None:
            self._open(path)

    def _open(self, path: Path) -> None:
        if self.attempt(lambda: self.desk.check(path)):
            self._opened(path)
        else:
            self.renew()

    def _choose(self) -> None:
        def closed(path: Path | None) -> None:
            self._picker = None
            if path is not None:
                self._open(path)

        self._picker = FilePicker(self.kit, "Open a replay, a scenario or a save", closed)

    def take(self, event: pygame.event.Event) -> bool:
        """Take an event; Enter opens what is picked."""
        if self._picker is not None:
            return self._picker.take(event)
        if super().take(event):
            return True
        if event.type == pygame.KEYDOWN and event.key in (pygame.K_RETURN, pygame.K_KP_ENTER):
            self.open()
            return True
        return False


def _shown(path: Path) -> str:
    """Return how a file is listed: by its place from here, where that is shorter."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)
