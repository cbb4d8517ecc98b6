"""What is said where the library that draws is not installed.

The windows themselves are `viewer.window`'s; commands load them only where a window or picture is wanted.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from datasheets.errors import HordeError

LIBRARIES = ("pygame", "pygame_gui")


@contextmanager
def drawing() -> Iterator[None]:
    """Import what draws within this. Raises HordeError where the library for that is missing."""
    try:
        yield
    except ModuleNotFoundError as missing:
        name = (missing.name or "").partition(".")[0]
        if name not in LIBRARIES:
            raise
        raise HordeError(
            f"Windows and pictures need {name}, which is not installed: install the extra 'viewer', "
            "as in pip install -e '.[viewer]'."
        ) from None
