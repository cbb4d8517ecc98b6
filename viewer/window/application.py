"""One loop that shows one screen after another: the start menu, a battle, its replay.

Owns the loop and what a screen has to offer; which screen follows which is for those that begin the loop.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Protocol

import pygame

from viewer.window.fault_report import FaultGuard
from viewer.window.garbage import Garbage

FRAMES_A_SECOND = 60
LONGEST_FRAME = 0.1
"""The most seconds that a frame lets go by, however long it took."""


class Screen(Protocol):
    """What fills the window until it is left."""

    changed: bool
    """Whether it has to be drawn again."""
    quit: bool
    """Whether the window is to be closed."""
    wish: str
    """What is to come after it; "" where it is not left yet."""

    def handle(self, event: pygame.event.Event) -> None:
        """Do what a key, the mouse or the window asks for."""
        ...

    def tick(self, passed: float) -> None:
        """Let some seconds go by."""
        ...

    def draw(self) -> None:
        """Draw the whole window."""
        ...


class Veil(Protocol):
    """What lies over a screen while it is open, and takes all events then."""

    @property
    def is_open(self) -> bool:
        """Return whether it is there."""
        ...

    def open(self, page: str = "") -> None:
        """Show it, perhaps at one of its pages."""
        ...

    def handle(self, event: pygame.event.Event) -> None:
        """Take an event."""
        ...

    def tick(self, passed: float) -> bool:
        """Let some seconds go by; return whether it has to be drawn again."""
        ...

    def draw(self) -> None:
        """Draw it over the screen."""
        ...

    def resize(self) -> None:
        """Take another size of the window."""
        ...


Following = Callable[[Screen], Screen | None]
"""Gives the screen that follows one that is left; None where the window is to be closed."""


def nothing_more(left: Screen) -> Screen | None:
    """Close the window after a screen."""
    return None


def show(first: Screen, following: Following = nothing_more, frames: int | None = None) -> None:
    """Show a screen and those that follow it; with `frames` at most this many pictures in all."""
    clock, guard, garbage, shown = pygame.time.Clock(), FaultGuard(), Garbage(), 0
    screen: Screen | None = first
    while screen is not None and (frames is None or shown < frames):
        passed = min(clock.tick(FRAMES_A_SECOND) / 1000, LONGEST_FRAME)
        with guard.over(screen):
            for event in pygame.event.get():
                screen.handle(event)
            screen.tick(passed)
            is_drawn = screen.changed and not (screen.quit or screen.wish)
            if is_drawn:
                screen.draw()
                pygame.display.flip()
            garbage.collect(rests=not is_drawn)
        shown += 1
        if screen.quit or screen.wish:
            screen = following(screen)
            # The screen that was left, and its battle, are no longer needed.
            gc.collect()
