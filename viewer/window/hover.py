"""The unit under the mouse: outlined at once, its card shown after a moment."""

from __future__ import annotations

from dataclasses import dataclass

DELAY = 0.25
"""After this many seconds the card of the unit under the mouse is shown."""


@dataclass(slots=True)
class Hover:
    """What the mouse rests on, and for how long."""

    unit: str = ""
    _rested: float = 0.0

    @property
    def card(self) -> str:
        """Return the unit whose card is shown for the mouse, "" where there is none."""
        return self.unit if self._rested >= DELAY else ""

    def over(self, unit: str) -> None:
        """Take notice of what is under the mouse; from one unit to the next the card stays open."""
        if unit == self.unit:
            return
        open_ = bool(self.card)
        self.unit = unit
        self._rested = DELAY if open_ and unit else 0.0

    def tick(self, passed: float) -> bool:
        """Let some seconds go by; return whether a card is shown now that was not."""
        before = self.card
        if self.unit:
            self._rested += passed
        return self.card != before
