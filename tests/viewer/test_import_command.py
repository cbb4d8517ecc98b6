"""`horde army import`: what is written where, and what is refused."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from datasheets.library import Library
from datasheets.roster import load_roster
from viewer.cli import main
from viewer.commands.options import army_named

LISTS = Path(__file__).parent.parent / "datasheets" / "rosters" / "lists"


class Ended(NamedTuple):
    """What a command ended with."""

    code: int
    out: str
    err: str


Import = Callable[..., Ended]


@pytest.fixture
def imported(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Import:
    """Return a function that runs `horde army import`, with some bytes as standard input."""

    def run(*words: str | Path, piped: bytes = b"") -> Ended:
        monkeypatch.setattr("sys.argv", ["horde", "army", "import", *map(str, words)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(piped), encoding="utf-8"))
        try:
            main()
            code = 0
        except SystemExit as end:
            code = int(end.code or 0)
        said = capsys.readouterr()
        return Ended(code, said.out, said.err)

    return run


def ids(text: str) -> list[str]:
    """Return the ids of the units of a roster file."""
    return [each.id for each in load_roster(text).units]


UNITS = ["captain-1", "intercessor-squad-1", "rhino-1", "rhino-2", "infernus-squad-1"]


def test_a_list_becomes_a_roster_file_on_standard_output(imported: Import) -> None:
    done = imported(LISTS / "app.txt")
    assert (done.code, done.err) == (0, "")
    assert ids(done.out) == UNITS


def test_a_list_is_read_from_standard_input(imported: Import) -> None:
    done = imported("-", piped=(LISTS / "saved.ros").read_bytes())
    assert done.code == 0
    assert ids(done.out) == UNITS


def test_a_roster_file_is_written_where_it_is_wanted(imported: Import, tmp_path: Path) -> None:
    done = imported(LISTS / "nr.json", "--output", tmp_path / "mine.toml")
    assert (done.code, done.out) == (0, "")
    assert ids((tmp_path / "mine.toml").read_text(encoding="utf-8")) == UNITS


def test_what_is_found_goes_to_standard_error(imported: Import) -> None:
    done = imported("-", piped=(LISTS / "app.txt").read_bytes().replace(b"(80 Points)", b"(85 Points)"))
    assert done.code == 0
    assert ids(done.out) == UNITS
    assert "standard input: line 17: Intercessor Squad: the list says 85 points, the data 80.\n" in done.err


@pytest.mark.parametrize(
    ("piped", "told"),
    [
        (b"Force Disposition: Purge", "this is a list of the 11th edition"),
        (b"Escouade tactique (80 pts)\nRhino (75 pts)", "line 1: there is no unit 'Escouade tactique'"),
        (b"nothing", "no unit is found in it"),
    ],
)
def test_a_list_that_is_refused_writes_nothing(
    imported: Import, tmp_path: Path, piped: bytes, told: str
) -> None:
    done = imported("-", "--output", tmp_path / "mine.toml", piped=piped)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("standard input: ")
    assert told in done.err
    assert not (tmp_path / "mine.toml").exists()


def test_a_battle_takes_a_list_and_says_what_was_found(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "list.txt"
    path.write_text((LISTS / "app.txt").read_text(encoding="utf-8") + "\nFIN\n", encoding="utf-8")
    assert [each.id for each in army_named(Library(), str(path)).units] == UNITS
    assert "'FIN' is no wargear or model of it" in capsys.readouterr().err
