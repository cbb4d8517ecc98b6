"""Widgets in a window: one manager of pygame_gui, in our colours, fonts and sizes.

Owns the manager, its theme as the look changes, and which events are the widgets' own. Which widgets there
are is for those that make them.
"""

from __future__ import annotations

import pygame
from pygame_gui import UIManager
from pygame_gui.core.interfaces import IUIElementInterface
from pygame_gui.elements import UITextEntryBox, UITextEntryLine

from viewer.window.lettering import Lettering
from viewer.window.theme import theme

_MOUSE = (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP, pygame.MOUSEWHEEL)
_KEYS = (pygame.KEYDOWN, pygame.KEYUP, pygame.TEXTINPUT)


class Widgets(UIManager):
    """The widgets of a window, in the look of its lettering."""

    def __init__(self, lettering: Lettering, size: tuple[int, int]) -> None:
        """Read the theme for a window of this size."""
        self._lettering = lettering
        self._stamp = lettering.stamp
        self._shown: tuple[object, ...] = ()
        super().__init__(size, theme(lettering), enable_live_theme_updates=False)

    def fit(self, size: tuple[int, int]) -> None:
        """Take another size of the window, and the look where it has changed."""
        self._shown = ()
        if size != tuple(self.window_resolution):
            self.set_window_resolution(size)
        if self._stamp != self._lettering.stamp:
            self._stamp = self._lettering.stamp
            self.ui_theme.load_theme(theme(self._lettering))
            self.rebuild_all_from_changed_theme_data()

    @property
    def has_any(self) -> bool:
        """Return whether there is any widget."""
        return len(self.ui_group.sprites()) > 1

    def take(self, event: pygame.event.Event) -> bool:
        """Let the widgets take an event; return whether it is for nobody else.

        A press over a widget is, and each key while words are typed into one.
        """
        if not self.has_any:
            return False
        typed = event.type in _KEYS and self.types
        consumed = self.process_events(event)
        over = event.type in _MOUSE and self.covers(getattr(event, "pos", pygame.mouse.get_pos()))
        return bool(consumed or typed or over)

    def tick(self, passed: float) -> bool:
        """Let some seconds go by; return whether the widgets look otherwise than before."""
        if not self.has_any:
            changed, self._shown = bool(self._shown), ()
            return changed
        self.update(passed)
        before, self._shown = self._shown, tuple(map(_appearance, self.ui_group.sprites()))
        return before != self._shown or self.types

    def covers(self, at: tuple[int, int]) -> bool:
        """Return whether a widget that is shown stands at a pixel."""
        root: object = self.root_container
        return any(
            isinstance(each, IUIElementInterface) and each is not root and _stands_at(each, at)
            for each in self.ui_group.sprites()
        )

    @property
    def types(self) -> bool:
        """Return whether keys are typed into a widget."""
        return any(isinstance(each, UITextEntryLine | UITextEntryBox) for each in self.focused_set or ())


def _stands_at(widget: IUIElementInterface, at: tuple[int, int]) -> bool:
    rect = widget.get_abs_rect()
    return bool(getattr(widget, "visible", False)) and rect.w > 0 and bool(rect.collidepoint(at))


def _appearance(widget: object) -> tuple[object, ...]:
    """Return what changes as a widget looks otherwise."""
    rect = getattr(widget, "rect", None)
    return id(getattr(widget, "image", None)), tuple(rect) if rect is not None else ()
