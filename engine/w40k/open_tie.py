"""The word that several things are equal and a Game Master is asked.

Rule: R.A06, ARMY.8
"""

from __future__ import annotations

from collections.abc import Hashable


class OpenTie(Exception):  # noqa: N818 - no fault: somebody is to be asked
    """Several things are equal, and a Game Master has not decided which is taken."""

    def __init__(self, key: Hashable, ids: tuple[str, ...]) -> None:
        """Keep what is asked, and which are equal."""
        super().__init__(f"equal: {', '.join(ids)}")
        self.key, self.ids = key, ids
