"""Keys and clicks that come too early: meant for the question before the one that is shown.

Counts the seconds that the window lets go by; what a key or click does is its caller's.
"""

from __future__ import annotations

QUIET_SECONDS = 0.12
"""A new question takes no key until none was pressed for this long; held ones repeat."""
DOUBLE_SECONDS = 0.35
"""Two clicks on one thing within this time are a double click."""


class Early:
    """The time since the last key and click, and whether another question came since."""

    def __init__(self) -> None:
        """Begin with nothing pressed."""
        self._now = 0.0
        self._key = self._click = -1.0
        self._on = self._name = ""
        self.is_repeated = False
        """Whether the last key is the one before, at once again: it is held down."""
        self.is_new = False
        """Whether another question was shown between the last two clicks."""
        self._opened_since_key = self._opened_since_click = False

    def pass_by(self, seconds: float) -> None:
        """Let some seconds go by."""
        self._now += seconds

    def open_anew(self) -> None:
        """Note that another question is shown."""
        self._opened_since_key = self._opened_since_click = True

    def take_key(self, name: str) -> bool:
        """Note a key; return whether it is early: the question is newer than the key just before."""
        is_soon = self._key >= 0.0 and self._now - self._key < QUIET_SECONDS
        is_early = self._opened_since_key and is_soon
        self.is_repeated = is_soon and bool(name) and name == self._name
        self._key, self._name = self._now, name
        # While keys go on the question stays closed to them.
        self._opened_since_key = is_early
        return is_early

    def take_click(self, on: str) -> bool:
        """Note a click on something; return whether it is the second of a double click there."""
        is_second = on == self._on and self._click >= 0.0 and self._now - self._click < DOUBLE_SECONDS
        self.is_new, self._opened_since_click = self._opened_since_click, False
        self._click, self._on = self._now, "" if is_second and not self.is_new else on
        return is_second
