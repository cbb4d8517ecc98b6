"""The view that follows the unit that acts, where it is not in sight.

Moves a camera within a short time; it never zooms, and leaves the view alone while all is in sight.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pygame

from viewer.window.camera import Camera

Pair = tuple[float, float]
SECONDS = 0.3
INNER = 0.12
"""The part of the view along each edge in which a unit does not count as in sight."""


@dataclass(slots=True)
class Follow:
    """Whether the view follows, and the way that it is on."""

    on: bool = True
    _of: str = ""
    _start: Pair = (0.0, 0.0)
    _end: Pair | None = None
    _elapsed: float = 0.0

    def tick(
        self,
        passed: float,
        camera: Camera,
        acting: str,
        rooms: Callable[[], list[pygame.Rect]],
        size: Pair,
        *,
        at_once: bool,
    ) -> bool:
        """Let some seconds go by; return whether the view moved.

        `rooms` tells what the unit that acts and its target take on the screen; `size` is the board's.
        """
        if not self.on:
            self._of, self._end = "", None
            return False
        if acting != self._of:
            self._of = acting
            self._end = None
            if acting and not _shows_all(camera, size):
                self._aim(camera, rooms(), size)
        if self._end is None:
            return False
        self._elapsed += passed
        part = 1.0 if at_once else min(self._elapsed / SECONDS, 1.0)
        eased = 1 - (1 - part) ** 3
        (ax, ay), (bx, by) = self._start, self._end
        camera.centre = (ax + (bx - ax) * eased, ay + (by - ay) * eased)
        if part >= 1.0:
            self._end = None
        return True

    def _aim(self, camera: Camera, rooms: list[pygame.Rect], size: Pair) -> None:
        """Set out for the middle of what acts, unless it is in sight."""
        if not rooms:
            return
        left, top, wide, high = camera.viewport
        inner = pygame.Rect(left, top, wide, high).inflate(-2 * INNER * wide, -2 * INNER * high)
        whole = rooms[0].unionall(rooms[1:])
        if inner.contains(whole):
            return
        x, y = camera.to_world(*whole.center)
        self._start, self._elapsed = camera.centre, 0.0
        self._end = (min(max(x, 0.0), size[0]), min(max(y, 0.0), size[1]))


def _shows_all(camera: Camera, size: Pair) -> bool:
    """Return whether the view shows the whole board."""
    left, top, wide, high = camera.viewport
    (x0, y1), (x1, y0) = camera.to_screen(0.0, 0.0), camera.to_screen(*size)
    return x0 >= left - 1 and y0 >= top - 1 and x1 <= left + wide + 1 and y1 <= top + high + 1
