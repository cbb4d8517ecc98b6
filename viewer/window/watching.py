"""A battle opened in a window and shown until it is closed, or drawn into one picture.

Opens and closes pygame; what is shown is the window's, which screens follow its caller's.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pygame

from datasheets.errors import BadData
from viewer.story.source import Source
from viewer.window.application import Following, nothing_more, show
from viewer.window.look import Look
from viewer.window.screen import open_screen
from viewer.window.window import Window


def watch(
    source: Source,
    size: tuple[int, int] = (1600, 900),
    screenshot: Path | None = None,
    jump: str | int | None = None,
    frames: int | None = None,
    unit: str = "",
    play: bool = True,
    look: Look | None = None,
    prepare: Callable[[Window], None] | None = None,
    following: Following = nothing_more,
) -> None:
    """Show a battle in a window until it is closed.

    `jump` is the moment at which it starts (see `Playback.jump`), `unit` the one that is chosen (by its id
    or name), `frames` how many pictures are drawn at most. With `screenshot` the moment is saved there as a
    PNG instead, and the window closes. `prepare` is given the window before it is shown, `following` says
    which screen follows one that is left. Raises NoWindow without a screen, UnknownName for a moment or unit
    that is not there.
    """
    surface = open_screen(size, source.title, exactly=screenshot is not None)
    try:
        window = Window(surface, source, look)
        window.begin(jump, unit, play=play and screenshot is None)
        if screenshot is not None:
            _save(window, screenshot)
            return
        if prepare is not None:
            prepare(window)
        show(window, following, frames)
    finally:
        pygame.quit()


def _save(window: Window, path: Path) -> None:
    picture = window.picture()
    pygame.display.flip()
    try:
        path.write_bytes(picture)
    except OSError as fault:
        raise BadData(str(path), "", f"the picture cannot be written there ({fault.strerror})") from fault
