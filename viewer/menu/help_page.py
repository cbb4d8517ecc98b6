"""The page that tells how to play: what a battle is about, and every key."""

from __future__ import annotations

import pygame

from viewer.menu.kit import Act, FieldColumn
from viewer.menu.sheet import Sheet
from viewer.window.keys import help_lines

STEPS = (
    (
        "Meet your secret objective",
        "After the last round you win by it. Its chip is in the top bar.",
    ),
    ("Hold the table", "The Horde spawns each round. Markers that you control bring points to buy with."),
    ("Answer on the board", "Click what you mean. The yellow button, and Enter, take what is suggested."),
    ("Move", "Drag a unit. A ghost shows where it may stand, and why not where it may not."),
    ("Shoot and charge", "Click a target. A card over it tells what comes of it, and how that varies."),
    ("Buy", "In each Command phase supply points buy help: units, mines, second chances."),
    ("Watch the Horde", "It says why it does what it does. Right-click a thing to ask why it did not."),
    ("Take back", "Ctrl+Z takes your last answer back. Each answer is kept as you give it."),
)


class HelpPage(Sheet):
    """The page that tells how to play."""

    title = "How to play"
    under = "A battle in eight sentences, and all keys."
    back: tuple[str, Act] | None = None
    """The main button, which leaves the page, where there is one."""

    def make(self) -> None:
        """Write it."""
        kit, rect = self.kit, self.rect
        top = self.head(*([(*self.back, "@main")] if self.back else []))
        inside = kit.scrolled(pygame.Rect(rect.x, top, rect.w, max(rect.bottom - top, 1)))
        wide = rect.w - kit.lettering.t(24)
        column = FieldColumn(kit, 0, 0, wide, inside)
        for number, (head, words) in enumerate(STEPS, start=1):
            column.words(f"{number} · {head}", "@heading")
            column.words(words)
            column.skip(10)
        column.words("Keys", "@heading")
        column.skip(8)
        keys = max(kit.lettering.width(key, 14) for key, _ in help_lines()) + kit.lettering.t(20)
        keys = min(keys, wide // 2)
        for key, does in help_lines():
            names = FieldColumn(kit, 0, column.y, keys, inside)
            names.words(key)
            told = FieldColumn(kit, keys, column.y, wide - keys, inside)
            told.words(does)
            column.y = max(names.y, told.y) + kit.lettering.t(2)
        kit.close_at(column.y)
