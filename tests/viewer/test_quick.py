"""A plain battle's words are read as typer reads them, and all others are left to it."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pytest

from viewer.commands import arguments
from viewer.commands.quick import Words, battle_words

LIGHT = """
import sys
from viewer.cli import main
main()
heavy = {"typer", "numpy.ma"} & set(sys.modules)
sys.exit(f"it loaded {sorted(heavy)}" if heavy else 0)
"""
"""A command that must load none of the slow modules that a plain battle does not need."""


def test_a_battle_that_is_told_nothing_is_the_same_battle() -> None:
    theirs = {name: each.default for name, each in inspect.signature(arguments.battle).parameters.items()}
    ours = {name: getattr(Words(), name) for name in Words.__struct_fields__}
    assert theirs.pop("ask") == []
    assert theirs.pop("ask_all") is False
    assert theirs.pop("resume") is None
    assert theirs.pop("game_master") is False
    assert {**theirs, "replay": theirs["replay"] or ""} == ours


def test_plain_words_are_read() -> None:
    words = ["battle", "--faction", "tyranids", "--points", "2000", "--seed", "7", "--json", "--replay", "x"]
    wanted = Words(faction=["tyranids"], points="2000", seed="7", json=True, replay="x")
    assert battle_words(words) == wanted
    assert battle_words(["battle"]) == Words()


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["watch"],
        ["--help"],
        ["battle", "--help"],
        ["battle", "seed"],
        ["battle", "--seed"],
        ["battle", "--seed=7"],
        ["battle", "--seed", "-7"],
        ["battle", "--seed", ""],
        ["battle", "--sed", "7"],
        ["battle", "--ask", "p1"],
        ["battle", "--seed", "7", "--seed", "8"],
        ["battle", "--faction", "tyranids", "--faction", "death-guard"],
        ["battle", "--json", "--json"],
    ],
)
def test_what_is_not_plain_is_typers(words: list[str]) -> None:
    assert battle_words(words) is None


def test_a_plain_battle_is_the_one_that_typer_starts_but_loads_it_not() -> None:
    words = ["battle", "--rounds", "1", "--json"]
    quick = subprocess.run([sys.executable, "-c", LIGHT, *words, "--seed", "7"], capture_output=True)
    assert quick.returncode == 0, quick.stderr
    asked = subprocess.run([sys.executable, "-c", LIGHT, *words, "--seed=7"], capture_output=True)
    assert asked.stdout == quick.stdout
