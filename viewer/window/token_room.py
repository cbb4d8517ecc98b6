"""The rooms that tokens take on the screen, for words to keep clear of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pygame

from engine.core.state import State
from viewer.window.camera import Camera


def rooms_on_table(camera: Camera, state: State) -> list[pygame.Rect]:
    """Return the room that each model on the table takes on the screen."""
    rows = state.position.table.on.nonzero()[0].tolist()
    return rooms_of(camera, state, {row: state.position.table.xy[row].tolist() for row in rows})


def rooms_of(camera: Camera, state: State, places: Mapping[int, Sequence[float]]) -> list[pygame.Rect]:
    """Return the rooms that models take on the screen at these places of the board, by row."""
    found = []
    for row, place in places.items():
        base, (x, y) = state.position.models[row].facts.base, camera.to_screen(place[0], place[1])
        half = max(base.length, base.width) / 2 * camera.scale
        found.append(pygame.Rect(round(x - half), round(y - half), round(2 * half), round(2 * half)))
    return found
