"""A battle says once that overrides are in force, and its replay needs the same ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from datasheets.overrides import VARIABLE
from tests.stand_in import overrides_file
from viewer import cli

MARINES = "death-guard/plague-marines"
CHEAP = {"points": [{"models": 10, "points": 7}]}
SHORT = ("--seed", "7", "--rounds", "1", "--json")


def horde(monkeypatch: pytest.MonkeyPatch, *words: str | Path) -> int:
    """Return the exit code of `horde` with these words."""
    monkeypatch.setattr("sys.argv", ["horde", *map(str, words)])
    try:
        cli.main()
    except SystemExit as end:
        return int(end.code or 0)
    return 0


@pytest.fixture
def cheap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a file of overrides of the Horde's datasheets that is in force."""
    path = overrides_file(tmp_path, {MARINES: CHEAP})
    monkeypatch.setenv(VARIABLE, str(path))
    return path


def test_a_battle_under_overrides_says_so_and_is_verified_with_them_only(
    cheap: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    replay = tmp_path / "a.replay"
    assert horde(monkeypatch, "battle", *SHORT, "--replay", replay) == 0
    printed = capsys.readouterr()
    assert printed.err == f"Overrides of datasheets are in force: {cheap} (a test).\n"
    assert json.loads(printed.out)["seed"] == 7
    assert horde(monkeypatch, "replay", "verify", replay) == 0
    assert capsys.readouterr().err == ""
    monkeypatch.setenv(VARIABLE, "")
    assert horde(monkeypatch, "replay", "verify", replay) == 2
    assert capsys.readouterr().err == (
        "The replay was made with overrides of datasheets, and none are in force: "
        "name their file by HORDE_OVERRIDES.\n"
    )


def test_overrides_of_other_factions_are_not_spoken_of(
    cheap: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert horde(monkeypatch, "battle", *SHORT, "--faction", "tyranids") == 0
    assert capsys.readouterr().err == ""


def test_overrides_at_fault_are_refused_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = overrides_file(tmp_path, {MARINES: {"pionts": []}})
    monkeypatch.setenv(VARIABLE, str(path))
    assert horde(monkeypatch, "battle", *SHORT) == 2
    assert f"{path}, {MARINES}: pionts: this key is not known here" in capsys.readouterr().err
