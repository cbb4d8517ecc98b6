"""The opening of a window on the screen that is there.

Owns the refusal where none is; what is drawn is the window's.
"""

from __future__ import annotations

import os

import pygame

from datasheets.errors import HordeError

DRIVER = "SDL_VIDEODRIVER"
UNSEEN = ("offscreen", "dummy", "evdev")
"""The drivers that draw where nobody sees it: taken only where SDL_VIDEODRIVER asks for one."""


class NoWindow(HordeError):  # noqa: N818 - a sentence for people, like its kin
    """There is no screen on which a window could be opened."""


def open_screen(size: tuple[int, int], title: str, *, exactly: bool) -> pygame.Surface:
    """Open a window of this size, or of what the screen has room for; NoWindow without one.

    One of exactly this size is for pictures: nobody sees it, and it needs no screen.
    """
    driver = os.environ.get(DRIVER)
    try:
        if exactly and not driver:
            os.environ[DRIVER] = "dummy"
        pygame.display.init()
        pygame.display.set_caption(title)
        if not exactly and pygame.display.get_driver() in UNSEEN and not driver:
            raise NoWindow("No window can be opened here, as there is no screen: set DISPLAY to one.")
        if exactly:
            return pygame.display.set_mode(size, pygame.HIDDEN)
        surface = pygame.display.set_mode(_on_desktop(size), pygame.RESIZABLE)
    except pygame.error as fault:
        raise NoWindow(f"No window can be opened here ({fault}); a screen is needed.") from fault
    finally:
        if exactly and not driver:
            del os.environ[DRIVER]
    pygame.key.set_repeat(350, 45)
    return surface


def _on_desktop(size: tuple[int, int]) -> tuple[int, int]:
    """Return a window's size, or as much of it as the smallest screen has room for."""
    screens = [screen for screen in pygame.display.get_desktop_sizes() if min(screen) > 0]
    width, height = (min([own, *(screen[i] for screen in screens)]) for i, own in enumerate(size))
    return width, height
