"""How much work a search for a unit's move may take.

Work is counted, never timed, so that all machines agree.

Owns the count of spots judged and of ways sought. What a search leaves out once it is spent is the search's
own business; whatever it then gives is legal.
"""

from __future__ import annotations

from collections.abc import Callable

MOST = 50_000
"""The work of one search: several times what the hardest of hundreds of battles took."""


class Budget:
    """The work that one search for a unit's move may still take."""

    __slots__ = ("_most", "_tell", "spent")

    def __init__(self, most: int = MOST, tell: Callable[[], None] | None = None) -> None:
        """Take the most work that is allowed, and what to call once as soon as it is spent."""
        self._most, self._tell, self.spent = most, tell, 0

    @property
    def is_spent(self) -> bool:
        """Return whether a search must end with what it has."""
        return self.spent >= self._most

    @property
    def left(self) -> int:
        """Return the work that may still be done."""
        return max(self._most - self.spent, 0)

    def spend(self, work: int) -> None:
        """Count work that is done."""
        before, self.spent = self.is_spent, self.spent + work
        if self._tell is not None and self.is_spent and not before:
            self._tell()
