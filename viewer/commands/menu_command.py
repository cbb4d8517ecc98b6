"""`horde` and `horde menu`: the window with the start menu."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec

from datasheets.library import Library
from viewer.commands.drawing import LIBRARIES, drawing

SIZE = (1600, 900)
"""The size of the window, where the screen has room for it."""


def run(palette: str = "", text: str = "") -> None:
    """Open the window on the start menu. Raises NoWindow without a screen."""
    with drawing():
        import pygame

        from viewer.commands.menu_desk import MenuDesk
        from viewer.commands.session import Session
        from viewer.window.application import show
        from viewer.window.screen import open_screen
    desk = MenuDesk(Library(), palette, text)
    session = Session(desk)
    surface = open_screen(SIZE, "Horde", exactly=False)
    try:
        show(session.menu(surface), session.following)
        session.end()
    finally:
        session.put_aside()
        pygame.quit()


def opened() -> bool:
    """Open the start menu where there is a screen and what draws; return whether it was opened."""
    if not _has_screen() or any(find_spec(name) is None for name in LIBRARIES):
        return False
    from viewer.window.screen import UNSEEN, NoWindow

    if os.environ.get("SDL_VIDEODRIVER") in UNSEEN:
        return False
    try:
        run()
    except NoWindow:
        return False
    return True


def _has_screen() -> bool:
    """Return whether a window may be opened here, as far as is known without opening one."""
    if os.environ.get("SDL_VIDEODRIVER"):
        return True
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
