"""The scenario files of `tests/scenarios`: as they stand, and on a moved board.

One file in three is tried on one such board; a hash of its name chooses both. With HORDE_ALL_BOARDS=1 each
file is tried on all of them, as `horde scenario run tests/scenarios --transform all` does. Of the files of
abilities one in three is played, chosen by the same hash; with HORDE_ALL_SCENARIOS=1 all of them.
"""

from __future__ import annotations

import os
import re
from hashlib import sha256
from pathlib import Path

import pytest

from datasheets.library import Library
from datasheets.scenario import load_scenario
from engine.scenario.frame import TRANSFORMS, Transform
from engine.scenario.trial import try_scenario
from viewer.commands.cast import CAST
from viewer.commands.scenario_command import lines

MOVED = 3
"""One file in this number is tried on a moved board."""
ABILITIES = "DATASHEET."
PLAYED = 3
"""One file of an ability in this number is played where not all are asked for."""
FILES = sorted((Path(__file__).parent / "scenarios").rglob("*.toml"))


def hash_of(path: Path) -> int:
    """Return a number that a file's name alone decides."""
    return int.from_bytes(sha256(path.stem.encode()).digest()[:4], "big")


def is_played(path: Path) -> bool:
    """Return whether a file is in the sample."""
    every = "1" in (os.environ.get("HORDE_ALL_SCENARIOS"), os.environ.get("HORDE_ALL_BOARDS"))
    return every or not path.stem.startswith(ABILITIES) or hash_of(path) // 16 % PLAYED == 0


def boards(path: Path) -> tuple[Transform, ...]:
    """Return the ways in which the board of a file is moved."""
    names = TRANSFORMS
    if os.environ.get("HORDE_ALL_BOARDS") == "1":
        return names
    drawn = hash_of(path)
    return (names[drawn // MOVED % len(names)],) if drawn % MOVED == 0 else ()


@pytest.fixture(scope="module")
def library() -> Library:
    return Library()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_scenario_holds_wherever_its_board_lies(path: Path, library: Library) -> None:
    """S.INV and each file's own situation; also of one that is not played, what it pins."""
    scenario = load_scenario(path)
    assert scenario.title
    assert scenario.rules
    assert all(re.fullmatch(r"[A-Z]+(\.[A-Za-z0-9-]+)+", rule) for rule in scenario.rules)
    if not is_played(path):
        pytest.skip("not in the sample: HORDE_ALL_SCENARIOS=1 plays all")
    report = try_scenario(scenario, library, path.name, CAST, boards(path))
    assert report.holds, "\n".join(lines(report))
