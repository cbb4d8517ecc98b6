"""The golden playthroughs: logs of short battles, read against the rules and then kept.

Where one has changed, read it anew and write it with `python scripts/golden.py --write`.
"""

from __future__ import annotations

from pathlib import Path

import golden
import pytest

from datasheets.library import Library

FOLDER = Path(__file__).parent
FILES = sorted(FOLDER.glob("*.toml"))
COVERED = {
    "shooting": ("by CORE.COV.1", "feel no pain", "for hazardous weapons", "by CORE.WPN.HEAVY"),
    "combat": (" charged ", " piled in ", " consolidated ", " fell back "),
    "battle-shock": ("became Battle-shocked", "recovered from Battle-shock", "to escape", "took the West"),
    "transport": (" disembarked from ", "for its Deadly Demise", "wreck ", "boltgun"),
    "stratagems": ("used Fire Overwatch", "used Command Re-roll", "used Armour of Contempt", "by ARMY.10"),
    "spawning": ("Spawn zone S1 rolled", "[AI.MOVE.1]", "[SPAWN.7]", "arrived from reserves", "Misery card"),
}
"""What each of them must show, so that a new seed does not lose it."""


@pytest.fixture(scope="module")
def library() -> Library:
    return Library()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_playthrough_is_as_it_was_read(path: Path, library: Library) -> None:
    kept = path.with_suffix(".txt").read_text(encoding="utf-8")
    assert golden.told(path, library).splitlines() == kept.splitlines(), (
        "read it anew, then golden.py --write"
    )
    for words in COVERED[path.stem]:
        assert words.lower() in kept.lower(), f"{path.stem} no longer shows: {words}"


def test_there_is_one_of_each_kind() -> None:
    assert sorted(path.stem for path in FILES) == sorted(COVERED)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_playthrough_holds_a_sum_of_the_autopilot(path: Path) -> None:
    """Otherwise every change of its tuning would change the goldens."""
    assert "points on average" not in path.with_suffix(".txt").read_text(encoding="utf-8")
