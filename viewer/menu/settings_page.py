"""The page of settings: how the window looks and plays, and which questions are put.

All of it is in force at once and remembered; where it cannot be written it holds until the program ends.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pygame
from pygame_gui.elements import UILabel

from viewer.input.preferences import LARGEST, SMALLEST, Preferences
from viewer.input.settings import Rules
from viewer.input.stops import NAMED, Asking, Kind
from viewer.menu.kit import Act, FieldColumn
from viewer.menu.sheet import Sheet
from viewer.window.theme import BODY

TEXT_STEP = 5
"""The step of the slider of words, in percent."""
MOST, STEP = 5.0, 0.25
"""The largest threshold of the slider, and its step; `horde settings` takes any number."""
TWO = 760
"""A page at least this wide, by the size of its words, has two columns."""
PALETTES = {"default": "Default", "colour-blind": "Colour-blind"}
MOTION = {"full": "Full", "less": "Less"}
SPEED = {"slow": "Slow", "normal": "Normal", "fast": "Fast", "skip": "Skip"}
UNDO = {"last-roll": "To the last roll", "free": "Free, marked"}
ASKED = {"always": "Always", "matters": "When it matters", "never": "Never"}


class SettingsPage(Sheet):
    """The page of settings."""

    title = "Settings"
    under = "In force at once, and remembered."
    back: tuple[str, Act] | None = None
    """The main button, which leaves the page, where there is one."""

    def __init__(self, *args: Any) -> None:
        """Begin with what is in force."""
        super().__init__(*args)
        self._dragged: tuple[str, float] | None = None
        """A slider that is held, and what it tells."""
        self._told: dict[str, UILabel] = {}

    def make(self) -> None:
        """Make the widgets."""
        kit, rect = self.kit, self.rect
        self._told = {}
        acts = [(*self.back, "@main")] if self.back else []
        top = self.head(*acts, ("All as by default", self._reset, ""))
        inside = kit.scrolled(pygame.Rect(rect.x, top, rect.w, max(rect.bottom - top, 1)))
        wide, gap = rect.w - kit.lettering.t(24), kit.lettering.t(24)
        two = wide >= kit.lettering.t(TWO)
        share = (wide - gap) // 2 if two else wide
        left = FieldColumn(kit, 0, 0, share, inside)
        self._make_look(left)
        right = FieldColumn(kit, share + gap, 0, share, inside) if two else left
        self._make_play(right)
        kinds = list(NAMED.values())
        under = max(left.y, right.y)
        whole = FieldColumn(kit, 0, under, wide, inside)
        whole.words("Questions", "@heading")
        whole.words(
            "What is not asked is settled as suggested, an offer is declined; the log tells it. A threshold "
            "of 1.5× is one and a half prices.",
            "@soft",
        )
        whole.skip(10)
        columns = [FieldColumn(kit, i * (share + gap), whole.y, share, inside) for i in range(1 + two)]
        for kind in kinds:
            self._make_kind(min(columns, key=lambda column: column.y), kind)
        kit.close_at(max(column.y for column in columns))

    # the window

    def _make_look(self, column: FieldColumn) -> None:
        wishes = self.desk.preferences
        column.words("Window", "@heading")
        column.skip(8)
        column.caption("Colours")
        column.segments(PALETTES, wishes.palette, self._setter("palette"))
        self._tell(column, "text", f"Size of words: {wishes.text} %")
        column.slider(
            wishes.text, (SMALLEST, LARGEST), TEXT_STEP, self._sliding("text", "Size of words: {:.0f} %")
        )
        column.caption("Motion")
        column.segments(MOTION, wishes.motion, self._setter("motion"))

    def _make_play(self, column: FieldColumn) -> None:
        wishes = self.desk.preferences
        column.words("Play", "@heading")
        column.skip(8)
        column.caption("Speed of the Horde")
        column.segments(SPEED, wishes.speed, self._setter("speed"))
        column.caption("Undo")
        column.segments(UNDO, wishes.undo, self._setter("undo"))
        column.words(
            "To the last roll: answers are taken back until a die was rolled or a card revealed. "
            "Free: all of them.",
            "@soft",
        )
        column.skip(14)

    def _setter(self, name: str) -> Callable[[str], None]:
        return lambda value: self._prefer(name, value)

    def _prefer(self, name: str, value: object) -> None:
        """Put a wish in force."""
        wishes = msgspec.structs.replace(self.desk.preferences, **{name: value})
        self._change(lambda: self.desk.prefer(wishes))

    def _change(self, act: Act) -> None:
        self.attempt(act)
        self.renew()

    def _reset(self) -> None:
        def reset() -> None:
            self.desk.rule(Rules())
            self.desk.prefer(Preferences())

        self._change(reset)

    # sliders

    def _tell(self, column: FieldColumn, name: str, words: str) -> None:
        """Write what a slider tells."""
        high = self.lettering.leading(BODY)
        rect = pygame.Rect(column.left, column.y, column.width, high)
        self._told[name] = UILabel(rect, words, self.kit.widgets, container=column.container)
        self.kit.add(self._told[name], reached=False)
        column.y += high + self.lettering.t(4)

    def _sliding(self, name: str, words: str) -> Callable[[float], None]:
        """Return what tells of a slider while it moves; it is in force when it is let go."""

        def moved(value: float) -> None:
            self._dragged = (name, value)
            self._told[name].set_text(words.format(value))
            if not any(pygame.mouse.get_pressed()):
                self._let_go()

        return moved

    def _let_go(self) -> None:
        """Put in force what the slider says that was moved."""
        if self._dragged is None:
            return
        (name, value), self._dragged = self._dragged, None
        if name == "text":
            self._prefer("text", round(value))
        else:
            self._change(lambda: self.desk.rule(self.desk.rules.changed(name, [f"{value:g}"])))

    # questions

    def _make_kind(self, column: FieldColumn, kind: Kind) -> None:
        rules = self.desk.rules
        asking = rules.asking(kind)
        column.words(f"{kind.what[:1].upper()}{kind.what[1:]}")
        if kind.when:
            column.words(f"It matters when: {kind.when}.", "@soft")
        column.skip(4)
        words = {name: shown for name, shown in ASKED.items() if name != "matters" or kind.weigh is not None}
        column.segments(words, asking, lambda name: self._ask(kind, name))
        if kind.threshold is not None and asking == "matters":
            column.y -= self.kit.gap // 2
            threshold = rules.threshold(kind)
            told = "Threshold: {:g}× its price"
            self._tell(column, kind.name, told.format(threshold))
            column.slider(min(threshold, MOST), (0.0, MOST), STEP, self._sliding(kind.name, told))

    def _ask(self, kind: Kind, name: str) -> None:
        asking: Asking = next(each for each in ("always", "matters", "never") if each == name)
        self._change(lambda: self.desk.rule(self.desk.rules.changed(kind.name, [asking])))

    def take(self, event: pygame.event.Event) -> bool:
        """Take an event; a slider is in force as the mouse lets it go."""
        taken = super().take(event)
        if event.type == pygame.MOUSEBUTTONUP:
            self._let_go()
        return taken
