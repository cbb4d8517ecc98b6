"""The benchmark of starts: what is measured, in what order, and when a limit is missed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from benchmarks.start import ONE_START, Share, library_of, start_of
from benchmarks.trees import Tree

ROOT = Path(__file__).resolve().parent.parent
ASKED: list[str] = []


@dataclass(frozen=True)
class MadeUpTree(Tree):
    """A tree that starts nothing, but returns given times and notes when it was asked."""

    times: list[dict[str, float]] = field(default_factory=list, hash=False, compare=False)

    def figures(self, script: Path, *words: str) -> dict[str, Any]:
        """Return the next of the given times."""
        ASKED.append(f"{self.commit} {script.name} {words[0]}")
        return self.times.pop(0)


def tree(commit: str, *seconds: float) -> MadeUpTree:
    return MadeUpTree(commit, Path(), [{"seconds": each} for each in seconds])


def test_starts_take_turns_and_the_medians_are_compared() -> None:
    ASKED.clear()
    share = start_of(tree("b", 1.0, 2.0, 3.0, 90.0), tree("h", 3.0, 3.0, 2.0, 80.0), 4, 1.1)
    assert [each[0] for each in ASKED] == list("hbbhhbbh")
    assert ASKED[0] == "h one_start.py battle"
    assert (share.time, share.of, share.ratio) == (3.0, 2.5, 1.2)
    assert share.is_missed


def test_the_library_is_measured_by_the_import_of_the_program() -> None:
    times = [{"import": 0.5, "library": each} for each in (0.2, 9.0, 0.1)]
    share = library_of(MadeUpTree("h", Path(), times), 3)
    assert (share.ratio, share.limit, share.is_missed) == (0.4, 3.0, False)


@pytest.mark.parametrize(("time", "missed"), [(1.1, False), (1.11, True)])
def test_a_limit_is_missed_above_it(time: float, missed: bool) -> None:
    share = Share(time, 1.0, 1.1)
    assert share.is_missed == missed
    assert str(share).endswith("limit 1.1: missed" if missed else "limit 1.1: met")


@pytest.mark.parametrize(
    ("words", "keys"), [(["battle", "--seed", "1"], {"seconds"}), (["library"], {"import", "library"})]
)
def test_one_start_prints_its_times_and_no_battle(words: list[str], keys: set[str]) -> None:
    command = [sys.executable, "-P", str(ONE_START), *words]
    own = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, capture_output=True, text=True, env=own, check=True)
    found = json.loads(done.stdout)
    assert set(found) == keys
    assert all(each > 0 for each in found.values())
