"""A battle taken back, saved and loaded at random decisions goes on to the same log."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "undo_check.py"


@pytest.mark.parametrize(
    "words",
    [
        ["--decisions", "8", "--seed", "7"],
        ["--decisions", "8", "--seed", "4", "--faction", "tyranids", "--agent", "fuzz"],
    ],
    ids=["steady", "fuzz"],
)
def test_undo_and_save_lead_to_the_same_log(words: list[str]) -> None:
    done = subprocess.run([sys.executable, SCRIPT, *words], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("8 of ")
