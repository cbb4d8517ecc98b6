"""The ring that keys move from widget to widget, for those without a mouse.

Owns which widget the keys are at and what Enter, Space and the arrows do there; it draws the ring only.
"""

from __future__ import annotations

from typing import Any

import pygame
import pygame_gui
from pygame_gui.elements import (
    UIButton,
    UIDropDownMenu,
    UIHorizontalSlider,
    UIScrollingContainer,
    UISelectionList,
    UITextEntryBox,
    UITextEntryLine,
)

from viewer.window.palette import Colour
from viewer.window.widgets import Widgets

PRESSING = ("return", "enter", "keypad enter", "space")
_STEPS = {"left": -1, "down": 1, "right": 1, "up": -1}


class Ring:
    """The widgets that keys reach, in order, and the one at which they are."""

    def __init__(self, widgets: Widgets) -> None:
        """Start at none."""
        self._widgets = widgets
        self.stops: list[tuple[Any, UIScrollingContainer | None]] = []
        self.at: Any = None

    def add(self, widget: Any, scroll: UIScrollingContainer | None = None) -> None:
        """Take in a widget, perhaps within something that scrolls."""
        self.stops.append((widget, scroll))

    def clear(self) -> None:
        """Forget all widgets."""
        self.stops, self.at = [], None

    @property
    def place(self) -> int | None:
        """Return the place of the widget at which the keys are."""
        return next((i for i, (widget, _) in enumerate(self.stops) if widget is self.at), None)

    def go_to(self, place: int | None) -> None:
        """Go to the widget at a place, as after all were made anew; to none without one."""
        self.at = self.stops[place][0] if place is not None and place < len(self.stops) else None

    def key(self, event: pygame.event.Event) -> bool:
        """Take a key; return whether it was one for the ring."""
        name = pygame.key.name(event.key)
        if name == "tab":
            self._step(-1 if event.mod & pygame.KMOD_SHIFT else 1)
            return True
        if name == "escape" and self.at is not None:
            self._leave()
            return True
        widget = self.at
        if widget is None or isinstance(widget, UITextEntryLine | UITextEntryBox):
            return False
        if isinstance(widget, UIButton) and name in PRESSING:
            widget.on_self_event(pygame_gui.UI_BUTTON_PRESSED, {"mouse_button": pygame.BUTTON_LEFT})
            return True
        if isinstance(widget, UISelectionList) and name in ("return", "enter", "keypad enter"):
            return self._post(widget, pygame_gui.UI_SELECTION_LIST_DOUBLE_CLICKED_SELECTION, text="")
        step = _STEPS.get(name)
        return step is not None and self._move(widget, step)

    def _step(self, by: int) -> None:
        """Go to the next widget, or the one before."""
        alive = [stop for stop in self.stops if stop[0].alive() and stop[0].visible]
        alive = [stop for stop in alive if getattr(stop[0], "is_enabled", True)]
        if not alive:
            return
        here = next((i for i, (widget, _) in enumerate(alive) if widget is self.at), -1 if by > 0 else 0)
        self.at, scroll = alive[(here + by) % len(alive)]
        if scroll is not None:
            reveal(self.at, scroll)
        typed = isinstance(self.at, UITextEntryLine | UITextEntryBox)
        self._widgets.set_focus_set(self.at if typed else None)

    def _leave(self) -> None:
        self.at = None
        self._widgets.set_focus_set(None)

    def _move(self, widget: Any, step: int) -> bool:
        """Choose the next of a list, or move a slider."""
        if isinstance(widget, UIHorizontalSlider):
            low, high = widget.value_range
            value = min(max(widget.get_current_value() + step * widget.increment, low), high)
            widget.set_current_value(value)
            return self._post(widget, pygame_gui.UI_HORIZONTAL_SLIDER_MOVED, value=value)
        if isinstance(widget, UIDropDownMenu):
            options: list[Any] = list(widget.options_list)
            place = options.index(widget.selected_option) + step
            if 0 <= place < len(options):
                words, id_ = options[place]
                self._post(widget, pygame_gui.UI_DROP_DOWN_MENU_CHANGED, text=words, selected_option_id=id_)
                _choose(widget, options[place])
            return True
        if isinstance(widget, UISelectionList) and widget.item_list:
            return self._select(widget, step)
        return False

    def _select(self, widget: UISelectionList, step: int) -> bool:
        items = widget.item_list
        here = next((i for i, item in enumerate(items) if item["selected"]), None)
        place = 0 if here is None else min(max(here + step, 0), len(items) - 1)
        for number, item in enumerate(items):
            item["selected"] = number == place
            button = item["button_element"]
            if button is not None:
                (button.select if number == place else button.unselect)()
        return self._post(widget, pygame_gui.UI_SELECTION_LIST_NEW_SELECTION, text=items[place]["text"])

    def _post(self, widget: Any, kind: int, **told: Any) -> bool:
        pygame.event.post(pygame.event.Event(kind, {"ui_element": widget, **told}))
        return True

    def draw(self, surface: pygame.Surface, colour: Colour) -> None:
        """Draw the ring round the widget at which the keys are."""
        if self.at is None or not self.at.alive():
            return
        pygame.draw.rect(surface, colour, self.at.get_abs_rect().inflate(4, 4), 2, border_radius=8)


def _choose(widget: UIDropDownMenu, option: tuple[str, str]) -> None:
    """Show another option of a list that drops down, without dropping it down."""
    widget.selected_option = option
    state = widget.current_state
    if state is not None:
        state.selected_option = option
        state.finish()
        widget.current_state = widget.menu_states["closed"]
        widget.current_state.selected_option = option
        widget.current_state.start()


def reveal(widget: Any, scroll: UIScrollingContainer) -> None:
    """Scroll until a widget is seen."""
    bar, view, inner = scroll.vert_scroll_bar, scroll.get_abs_rect(), scroll.get_container()
    high = inner.get_abs_rect().h
    if bar is None or high <= view.h:
        return
    rect, top = widget.get_abs_rect(), inner.get_abs_rect().y
    if view.contains(rect):
        return
    start = (rect.y - top - (view.h - rect.h) / 2) / high
    bar.set_scroll_from_start_percentage(min(max(start, 0.0), 1.0 - view.h / high))
    bar.has_moved_recently = True
