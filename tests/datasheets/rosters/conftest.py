"""Lists that we wrote, and what they are made of."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from datasheets.library import Library
from datasheets.rosters.reading import read_roster
from datasheets.rosters.resolve import ReadRoster

LISTS = Path(__file__).parent / "lists"
HEAD = "Test (500 Points)\n\nSpace Marines\nGladius Task Force\nIncursion (1000 Points)\n\nCHARACTERS\n\n"
CAPTAIN = "Captain (80 Points)\n  • Warlord\n  • 1x Plasma pistol\n  • 1x Power fist\n"

Reading = Callable[[str], ReadRoster]


@pytest.fixture(scope="session")
def reading(library: Library) -> Reading:
    """Return a function that reads a list of text."""
    return lambda text: read_roster(text.encode(), "list.txt", library)


@pytest.fixture(scope="session")
def with_units(reading: Reading) -> Reading:
    """Return a function that reads a list of Space Marines with these units after its Captain."""
    return lambda text: reading(f"{HEAD}{CAPTAIN}\n{text}")
