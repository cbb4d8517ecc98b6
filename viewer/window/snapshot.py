"""The board as a picture without a window, drawn as the window draws it.

It is the one moment after all the events given; nothing moves, and no screen is opened.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

import pygame

from datasheets.errors import BadData
from viewer.story.source import Entry, Recording
from viewer.window.camera import Camera
from viewer.window.lettering import Lettering
from viewer.window.playback import Playback
from viewer.window.scene import Scene

LARGEST = 1600
"""The longer side of a picture, in pixels."""
MARGIN = 1.6
"""Inches round the board."""


def snapshot(entries: Sequence[Entry]) -> bytes:
    """Return the board after these entries as a PNG."""
    playback = Playback(Recording(entries))
    playback.seek(len(playback.chronicle))
    width, height = (side + 2 * MARGIN for side in playback.state.position.board.size)
    scale = LARGEST / max(width, height)
    size = round(width * scale), round(height * scale)
    surface = pygame.Surface(size)
    lettering = Lettering()
    surface.fill(lettering.palette.background)
    camera = Camera((0, 0, *size))
    camera.fit(*playback.state.position.board.size, MARGIN)
    Scene(lettering).draw(surface, camera, playback)
    target = io.BytesIO()
    pygame.image.save(surface, target, "board.png")
    return target.getvalue()


def save(path: Path, entries: Sequence[Entry]) -> None:
    """Write the board after these entries as a PNG. Raises BadData where it cannot be written."""
    try:
        path.write_bytes(snapshot(entries))
    except OSError as fault:
        raise BadData(str(path), "", f"the picture cannot be written there ({fault.strerror})") from None
