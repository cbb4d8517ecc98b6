"""What the core computes, compiled and uncompiled: equal bits."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import core_bits
import pytest

SCRIPT = str(Path(core_bits.__file__))


def test_compiled_and_uncompiled_give_equal_bits() -> None:
    environ = {**os.environ, "HORDE_CORE_PLAIN": "1"}
    words = [sys.executable, SCRIPT, "--battles", "0"]
    plain = subprocess.run(words, env=environ, capture_output=True, text=True, check=True, timeout=300)
    here = subprocess.run(words, capture_output=True, text=True, check=True, timeout=300)
    assert plain.stderr.startswith("The core runs uncompiled, because HORDE_CORE_PLAIN asks for it")
    assert plain.stdout == here.stdout
    assert len(here.stdout.strip()) == len("functions ") + 64


def test_one_bit_more_or_less_makes_another_hash(monkeypatch: pytest.MonkeyPatch) -> None:
    def numbers(last: float) -> str:
        monkeypatch.setattr(core_bits, "FUNCTIONS", (lambda: iter((1.0, last)),))
        return core_bits.functions_digest()

    assert numbers(2.0) == numbers(2.0)
    assert numbers(2.0) != numbers(2.0000000000000004)


def test_the_log_of_a_short_battle_has_one_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core_bits, "ROUNDS", 1)
    found = [core_bits.battle_digest("tyranids", 1000, seed) for seed in (11, 11, 12)]
    assert found[0] == found[1]
    assert found[0] != found[2]
