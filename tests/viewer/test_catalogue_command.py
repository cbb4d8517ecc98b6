"""`horde datasheets import`: what it tells of a folder, what it writes, and how it refuses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from datasheets.library import EDITION, Library
from datasheets.overrides import load_overrides
from tests.datasheets.catalogue.writing import GAME, catalogue, entries, entry, profiles, unit_profile
from viewer import cli

Horde = Callable[..., tuple[int, str, str]]
SHEET = "death-guard/typhus"


@pytest.fixture
def horde(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Horde:
    """Return a function that imports, and gives the exit code, the output and the errors."""

    def run(*words: str | Path) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["horde", "datasheets", "import", *map(str, words)])
        try:
            cli.main()
            code = 0
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(bool(end.code))
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with one catalogue, in which Typhus has a Toughness of 9, and others."""
    printed = unit_profile("Typhus", toughness=9, M='5"', SV="2+", W="6")
    typhus = entry("model", "Typhus", profiles(printed))
    other = entry("unit", "Lamp Lighters", entries(entry("model", "Two", profiles(unit_profile("Two")))))
    text = catalogue("m", typhus, other, own=("typhus", "lamp lighters"))
    home = tmp_path / "catalogues"
    home.mkdir()
    (home / "game.gst").write_text(GAME)
    (home / "m.cat").write_text(text)
    return home


def test_a_change_is_told_and_written(horde: Horde, folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "new.json"
    code, out, err = horde(folder, "--output", path)
    assert (code, err) == (0, "")
    assert f"{SHEET}\n  Typhus, T: 7 -> 9\n" in out
    assert f"Wrote {path}." in out
    assert list(load_overrides(path, EDITION).datasheets) == [SHEET]
    changed = Library(overrides=path).datasheet(SHEET).profiles[0]
    assert changed.characteristics["T"] == 9


def test_a_second_import_writes_the_same_bytes(horde: Horde, folder: Path, tmp_path: Path) -> None:
    one, two = tmp_path / "one.json", tmp_path / "two.json"
    horde(folder, "--output", one)
    horde(folder, "--output", two)
    assert one.read_bytes() == two.read_bytes()


def test_a_dry_run_writes_nothing(horde: Horde, folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "new.json"
    code, out, _ = horde(folder, "--output", path, "--dry-run")
    assert code == 0
    assert "T: 7 -> 9" in out
    assert "Nothing was written." in out
    assert not path.exists()


def test_without_an_output_the_user_s_own_file_is_written(
    horde: Horde, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "data" / "overrides.json"
    monkeypatch.setattr("viewer.commands.catalogue_command.default_path", lambda: own)
    assert horde(folder)[0] == 0
    assert list(load_overrides(own, EDITION).datasheets) == [SHEET]


def test_overrides_in_force_do_not_hide_a_change(
    horde: Horde, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "new.json"
    horde(folder, "--output", path)
    monkeypatch.setenv("HORDE_OVERRIDES", str(path))
    assert "T: 7 -> 9" in horde(folder, "--dry-run")[1]


def test_what_is_not_compared_is_counted_and_listed(horde: Horde, folder: Path) -> None:
    short = horde(folder, "--dry-run")[1]
    assert "1 that only they have" in short
    assert "Lamp Lighters" not in short
    told = horde(folder, "--dry-run", "--verbose")[1]
    assert "  m.cat: Lamp Lighters is none of our datasheets\n" in told
    assert "  death-guard/poxwalkers: the catalogues have no datasheet of this name\n" in told
    assert f"  {SHEET}: weapon " in told


@pytest.mark.parametrize(
    ("file", "text", "told"),
    [
        ("m.cat", "<catalogue", "broken XML"),
        ("m.cat", "<!DOCTYPE a><catalogue/>", "document type"),
        ("game.gst", GAME.replace("10th", "11th"), "11th"),
    ],
)
def test_a_fault_is_one_sentence_and_the_old_file_stays(
    horde: Horde, folder: Path, tmp_path: Path, file: str, text: str, told: str
) -> None:
    path = tmp_path / "old.json"
    path.write_text("old")
    (folder / file).write_text(text)
    code, out, err = horde(folder, "--output", path)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"{file}: ")
    assert told in err
    assert path.read_text() == "old"
