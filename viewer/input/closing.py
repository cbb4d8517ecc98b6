"""The end of the program by a fault of its own that came again at once."""

from __future__ import annotations

import sys

FAILED = 1
"""What a program ends with that a fault has closed."""


class ClosedByFault(SystemExit):
    """A fault came again at once: the window closes."""

    def __init__(self) -> None:
        """End the program with the exit code of a fault."""
        super().__init__(FAILED)


def closes_by_fault() -> bool:
    """Return whether the program is just being ended by a fault."""
    return isinstance(sys.exc_info()[1], ClosedByFault)
