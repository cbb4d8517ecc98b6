"""Garbage that is looked for a little at a time, so that no frame stands still for it.

Without it Python looks through half a million new things at once (`viewer.cli`), which takes longer than
several frames.
"""

from __future__ import annotations

import gc

YOUNG = 20_000
"""The number of new things from which on they are looked through."""
OLDER_AFTER = 10
"""The looks at new things before one at those that stayed, in a frame without a change."""


class Garbage:
    """Looks for the garbage of a window between its frames."""

    def __init__(self) -> None:
        """Begin to count."""
        self._looks = 0

    def collect(self, *, rests: bool) -> None:
        """Look for garbage where enough is new; `rests` says that the frame has changed nothing."""
        if gc.get_count()[0] < YOUNG:
            return
        self._looks += 1
        is_older = rests and self._looks >= OLDER_AFTER
        gc.collect(1 if is_older else 0)
        if is_older:
            self._looks = 0
