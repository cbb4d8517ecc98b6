"""The widgets of a page: made one under the other, and each joined with what it does.

Owns sizes of fields and the way of an event to its widget's maker; what a page asks is the page's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pygame
import pygame_gui
from pygame_gui.core import ObjectID
from pygame_gui.core.interfaces import IContainerLikeInterface, IUIElementInterface
from pygame_gui.elements import (
    UIButton,
    UIDropDownMenu,
    UIHorizontalSlider,
    UIImage,
    UILabel,
    UIScrollingContainer,
    UISelectionList,
    UITextEntryBox,
    UITextEntryLine,
)

from viewer.menu.ring import Ring
from viewer.window.lettering import Lettering
from viewer.window.theme import BODY, CAPTION, HEADING, NAME, SMALL, TITLE
from viewer.window.widgets import Widgets

LEAST_TARGET = 36
"""The least height of what is clicked, in pixels."""
TALL = 100_000
"""The height of a page while it is made."""
_SIZES = {"@caption": CAPTION, "@soft": SMALL, "@heading": HEADING, "@title": TITLE, "@name": NAME}
_BOLD = ("@caption", "@heading", "@title", "@name", "@good", "@fault")
Act = Callable[[], None]


class Kit:
    """The widgets of one page: what each does, and the order in which keys reach them."""

    def __init__(self, widgets: Widgets, lettering: Lettering) -> None:
        """Start with no widget."""
        self.widgets, self.lettering = widgets, lettering
        self.ring = Ring(widgets)
        self._answers: dict[tuple[int, IUIElementInterface], Callable[[Any], None]] = {}
        self._made: list[Any] = []
        self.scroll: UIScrollingContainer | None = None
        self.deepest = 0
        """How far down lists reach that drop down within what scrolls."""

    @property
    def high(self) -> int:
        """Return the height of a field."""
        return max(self.lettering.t(LEAST_TARGET), LEAST_TARGET)

    @property
    def gap(self) -> int:
        """Return the room between two fields."""
        return self.lettering.t(14)

    def scrolled(self, rect: pygame.Rect) -> UIScrollingContainer:
        """Return a container that scrolls within a part of the window."""
        self.scroll = UIScrollingContainer(rect, self.widgets, allow_scroll_x=False)
        self.scroll.set_scrollable_area_dimensions((rect.w - self.lettering.t(20), TALL))
        self._made.append(self.scroll)
        return self.scroll

    def close_at(self, height: int) -> None:
        """Let what scrolls end at this height."""
        if self.scroll is None:
            return
        room, height = self.scroll.relative_rect, max(height, self.deepest)
        self.scroll.set_scrollable_area_dimensions((room.w - self.lettering.t(20), max(height, 1)))
        bar = self.scroll.vert_scroll_bar
        if bar is not None and height <= room.h:
            bar.hide()

    def add(self, widget: Any, *, reached: bool = True) -> Any:
        """Take in a widget; keys reach it, unless the caller says otherwise."""
        self._made.append(widget)
        if reached:
            self.ring.add(widget, self.scroll)
        return widget

    def answer(self, event: int, widget: IUIElementInterface, act: Callable[[Any], None]) -> None:
        """Carry something out as a widget tells of an event."""
        self._answers[event, widget] = act

    def take(self, event: pygame.event.Event) -> bool:
        """Carry out what a widget's event is joined with; return whether there was anything."""
        act = self._answers.get((event.type, getattr(event, "ui_element", None)))  # type: ignore[arg-type]
        if act is not None:
            act(event)
        return act is not None

    def clear(self) -> None:
        """Take all widgets away."""
        for widget in self._made:
            widget.kill()
        self._made, self._answers, self.scroll, self.deepest = [], {}, None, 0
        self.ring.clear()

    def button(
        self,
        words: str,
        rect: pygame.Rect,
        act: Act,
        kind: str = "",
        container: IContainerLikeInterface | None = None,
        tip: str = "",
    ) -> UIButton:
        """Make a button, of a class such as "@main"."""
        found = UIButton(
            rect,
            words,
            self.widgets,
            container=container,
            tool_tip_text=tip or None,
            object_id=ObjectID(class_id=kind) if kind else None,
            command=lambda _: act(),
        )
        self.add(found)
        return found

    def label(
        self,
        words: str,
        at: tuple[int, int],
        width: int,
        kind: str = "",
        container: IContainerLikeInterface | None = None,
    ) -> int:
        """Write words of a class, in lines at most this wide; return how high they are."""
        size, bold = _SIZES.get(kind, BODY), kind in _BOLD
        lead = self.lettering.leading(size)
        lines = self.lettering.wrap(words, size, max(width, 1), bold) or [""]
        for number, line in enumerate(lines):
            rect = pygame.Rect(at[0], at[1] + number * lead, max(width, 1), lead)
            shown = self.lettering.fitted(line, size, rect.w, bold)
            made = UILabel(
                rect,
                shown,
                self.widgets,
                container=container,
                object_id=ObjectID(class_id=kind) if kind else None,
            )
            self._made.append(made)
        return lead * len(lines)


class FieldColumn:
    """A column of fields, one under the other."""

    def __init__(
        self, kit: Kit, left: int, top: int, width: int, container: IContainerLikeInterface | None
    ) -> None:
        """Begin at a place."""
        self.kit, self.container = kit, container
        self.left, self.y, self.width = left, top, max(width, 1)

    def skip(self, pixels: float) -> None:
        """Leave some room."""
        self.y += self.kit.lettering.t(pixels)

    def words(self, words: str, kind: str = "") -> None:
        """Write words over the whole width."""
        self.y += self.kit.label(words, (self.left, self.y), self.width, kind, self.container)

    def caption(self, words: str) -> None:
        """Write what the next field is about."""
        self.words(words.upper(), "@caption")
        self.skip(4)

    def _next(self, height: int) -> pygame.Rect:
        rect = pygame.Rect(self.left, self.y, self.width, height)
        self.y += height
        return rect

    def _end(self) -> None:
        self.y += self.kit.gap

    def button(self, words: str, act: Act, kind: str = "", tip: str = "") -> UIButton:
        """Make a button over the whole width."""
        found = self.kit.button(words, self._next(self.kit.high), act, kind, self.container, tip)
        self._end()
        return found

    def buttons(self, acts: Sequence[tuple[str, Act]], kind: str = "", gap: int = 8) -> list[UIButton]:
        """Make buttons beside one another, or one under the other where their words need the room."""
        kit = self.kit
        between = kit.lettering.t(gap)
        share = (self.width - between * (len(acts) - 1)) // max(len(acts), 1)
        widest = max(kit.lettering.width(words, BODY, True) for words, _ in acts) + kit.lettering.t(16)
        found = []
        if widest <= share:
            row = self._next(kit.high)
            for number, (words, act) in enumerate(acts):
                rect = pygame.Rect(row.x + number * (share + between), row.y, share, row.h)
                found.append(kit.button(words, rect, act, kind, self.container))
        else:
            for words, act in acts:
                shown = kit.lettering.fitted(words, BODY, self.width - kit.lettering.t(8), True)
                found.append(kit.button(shown, self._next(kit.high), act, kind, self.container))
                self.y += between // 2
        self._end()
        return found

    def segments(self, words: Mapping[str, str], chosen: str, pick: Callable[[str], None]) -> list[UIButton]:
        """Make a row of which one is chosen."""

        def picked(name: str) -> Act:
            def act() -> None:
                for other, button in zip(words, made, strict=True):
                    if other == name:
                        button.select()
                    else:
                        button.unselect()
                pick(name)

            return act

        made = self.buttons([(shown, picked(name)) for name, shown in words.items()], "@segment", gap=0)
        for name, button in zip(words, made, strict=True):
            if name == chosen:
                button.select()
        return made

    def choice(
        self, options: Sequence[tuple[str, str]], chosen: str, pick: Callable[[str], None], below: int = 0
    ) -> UIDropDownMenu:
        """Make a list that drops down, of words and what each stands for.

        `below` is the room that the list has under it, in pixels; by default eight fields.
        """
        rect, kit = self._next(self.kit.high), self.kit
        room = rect.w - kit.lettering.t(32 + 12 + 14)
        shown = [
            (kit.lettering.fitted(words, BODY, room), f"option-{i}") for i, (words, _) in enumerate(options)
        ]
        names = {f"option-{i}": name for i, (_, name) in enumerate(options)}
        start = next((each for each in shown if names[each[1]] == chosen), shown[0])
        found = UIDropDownMenu(
            list(shown),
            start,
            rect,
            kit.widgets,
            container=self.container,
            expansion_height_limit=below or 8 * kit.high,
        )
        kit.add(found)
        if self.container is not None:
            row = kit.lettering.leading(BODY) + kit.lettering.t(12)
            kit.deepest = max(kit.deepest, rect.bottom + min(len(shown) * row + 8, below or 8 * kit.high))
        kit.answer(
            pygame_gui.UI_DROP_DOWN_MENU_CHANGED, found, lambda event: pick(names[event.selected_option_id])
        )
        self._end()
        return found

    def entry(self, value: str, typed: Callable[[str], None], hint: str = "") -> UITextEntryLine:
        """Make a line to type into."""
        found = UITextEntryLine(
            self._next(self.kit.high),
            self.kit.widgets,
            container=self.container,
            initial_text=value,
            placeholder_text=hint or None,
        )
        self.kit.add(found)
        self.kit.answer(pygame_gui.UI_TEXT_ENTRY_CHANGED, found, lambda event: typed(event.text))
        self._end()
        return found

    def box(self, value: str, height: int, typed: Callable[[str], None], hint: str = "") -> UITextEntryBox:
        """Make a box of lines to type or paste into."""
        found = UITextEntryBox(
            self._next(height),
            value,
            self.kit.widgets,
            container=self.container,
            placeholder_text=hint or None,
        )
        self.kit.add(found)
        self.kit.answer(pygame_gui.UI_TEXT_ENTRY_CHANGED, found, lambda event: typed(event.text))
        self._end()
        return found

    def slider(
        self, value: float, bounds: tuple[float, float], step: float, moved: Callable[[float], None]
    ) -> UIHorizontalSlider:
        """Make a slider; what it tells is rounded to its steps."""
        found = UIHorizontalSlider(
            self._next(self.kit.high),
            float(value),
            (float(bounds[0]), float(bounds[1])),
            self.kit.widgets,
            container=self.container,
            click_increment=step,
        )
        self.kit.add(found)
        self.kit.answer(
            pygame_gui.UI_HORIZONTAL_SLIDER_MOVED,
            found,
            lambda event: moved(round(round(event.value / step) * step, 4)),
        )
        self._end()
        return found

    def items(
        self, names: Sequence[str], height: int, pick: Callable[[str], None], done: Act
    ) -> UISelectionList:
        """Make a list of which one is picked; a double click, or Enter, takes it."""
        found = UISelectionList(
            self._next(height),
            list(names),
            self.kit.widgets,
            container=self.container,
            allow_double_clicks=True,
        )
        self.kit.add(found)
        self.kit.answer(pygame_gui.UI_SELECTION_LIST_NEW_SELECTION, found, lambda event: pick(event.text))
        self.kit.answer(pygame_gui.UI_SELECTION_LIST_DOUBLE_CLICKED_SELECTION, found, lambda _: done())
        self._end()
        return found

    def picture(self, surface: pygame.Surface) -> UIImage:
        """Show a picture."""
        found = UIImage(
            pygame.Rect((self.left, self.y), surface.get_size()),
            surface,
            self.kit.widgets,
            container=self.container,
        )
        self.kit.add(found, reached=False)
        self.y += surface.get_height()
        self._end()
        return found
