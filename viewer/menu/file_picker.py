"""A dialog in which a file is picked: one that is there, or a name for a new one."""

from __future__ import annotations

import locale
import os
from collections.abc import Callable
from pathlib import Path

import pygame
import pygame_gui
from pygame_gui.windows import UIFileDialog

from viewer.menu.kit import Kit

LEAST = (260, 300)
"""The least size of the dialog, in pixels."""


class FilePicker:
    """A dialog that is open until a file is picked, or none."""

    def __init__(
        self,
        kit: Kit,
        title: str,
        closed: Callable[[Path | None], None],
        *,
        new: bool = False,
        start: Path | None = None,
    ) -> None:
        """Open the dialog amid the window; with `new` a file that is not there yet may be named."""
        self._closed = closed
        self._word, self._is_new, self._widgets = "Save" if new else "Open", new, kit.widgets
        width, height = kit.widgets.window_resolution
        lettering = kit.lettering
        rect = pygame.Rect(0, 0, min(lettering.t(720), width), min(lettering.t(560), height))
        rect.size = max(rect.w, LEAST[0]), max(rect.h, LEAST[1])
        rect.center = width // 2, height // 2
        _check_locale()
        self.dialog = UIFileDialog(
            rect,
            kit.widgets,
            window_title=title,
            initial_file_path=str(start or Path.cwd()),
            allow_existing_files_only=not new,
            always_on_top=True,
        )
        self.dialog.set_blocking(True)
        self._arrange(kit)

    def _arrange(self, kit: Kit) -> None:
        """Give the dialog's buttons words and a size that can be hit; nothing is deleted here."""
        dialog, lettering = self.dialog, kit.lettering
        high, gap = kit.high, lettering.t(10)
        for button in (dialog.delete_button, dialog.refresh_button):
            button.hide()
        left = gap
        for button, words in ((dialog.home_button, "Home"), (dialog.parent_directory_button, "Up")):
            wide = lettering.width(words, 14, True) + lettering.t(28)
            button.set_text(words)
            button.set_relative_position((left, gap))
            button.set_dimensions((wide, high))
            left += wide + gap
        room = dialog.get_container().get_size()
        line, files = dialog.file_path_text_line, dialog.file_selection_list
        line.set_relative_position((gap, high + 2 * gap))
        line.set_dimensions((room[0] - 2 * gap, high))
        top = 2 * high + 3 * gap
        files.set_relative_position((gap, top))
        files.set_dimensions((room[0] - 2 * gap, max(room[1] - top - high - 2 * gap, high)))
        right = -gap
        for button, words in ((dialog.cancel_button, "Cancel"), (dialog.ok_button, self._word)):
            button.set_text(words)
            wide = lettering.width("Cancel", 14, True) + lettering.t(28)
            button.set_dimensions((wide, high))
        dialog.cancel_button.set_relative_position((right - wide, -high - gap))
        dialog.ok_button.set_relative_position((-wide - gap, -high - gap))

    def take(self, event: pygame.event.Event) -> bool:
        """Take an event; return whether it was for the dialog."""
        if getattr(event, "ui_element", None) is self.dialog:
            if event.type == pygame_gui.UI_FILE_DIALOG_PATH_PICKED:
                self._end(Path(event.text))
                return True
            if event.type == pygame_gui.UI_WINDOW_CLOSE:
                self._end(None)
                return True
        if event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE:
            self.close()
            return True
        if event.type == pygame.KEYDOWN and event.key in (pygame.K_RETURN, pygame.K_KP_ENTER):
            return self._take_typed()
        if event.type in (pygame.KEYDOWN, pygame.KEYUP, pygame.TEXTINPUT):
            self._widgets.take(event)
            return True
        return False

    def _take_typed(self) -> bool:
        """Take the file whose path is typed; a folder is looked into."""
        path = Path(self.dialog.file_path_text_line.get_text())
        if path.is_file() or (self._is_new and path.parent.is_dir() and not path.is_dir()):
            closed, self._closed = self._closed, lambda _: None
            self.dialog.kill()
            closed(path)
        elif path.is_dir():
            self.dialog.current_directory_path = str(path.resolve())
            self.dialog.update_current_file_list()
            self.dialog.file_selection_list.set_item_list(self.dialog.current_file_list)
        return True

    def close(self) -> None:
        """Close the dialog without a file."""
        self.dialog.kill()

    def _end(self, path: Path | None) -> None:
        closed, self._closed = self._closed, lambda _: None
        closed(path)


def _check_locale() -> None:
    """See to it that the dialog can ask for the user's language: not every machine has it."""
    try:
        locale.setlocale(locale.LC_ALL, "")
    except locale.Error:
        os.environ["LC_ALL"] = "C"
