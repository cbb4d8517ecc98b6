"""Files of older formats: watched to their end, played on by their own program."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from datasheets.errors import BadData, HordeError
from datasheets.library import Library
from engine.core import event as ev
from engine.core import format as formats
from engine.core.apply import fold
from engine.core.format import FORMAT, PROGRAM, UNNAMED, is_read, upgraded
from engine.core.journal import Journal, load_journal
from engine.core.replay import read_replay, write_replay
from engine.core.save import load, save
from engine.core.verify import verify
from engine.horde.setup import Options
from engine.systems import begin, new_game
from engine.w40k.battle import Battle
from viewer.commands.explanation import explain_replay
from viewer.commands.recorded import recording
from viewer.commands.replay_command import tell, tell_all

ROOT = Path(__file__).parent.parent.parent
OLDER = {int(path.name[7]): path for path in sorted((ROOT / "tests" / "replays" / "older").iterdir())}
"""A stored replay of each older format."""


@pytest.fixture(scope="module")
def library() -> Library:
    return Library(overrides=None)


@pytest.fixture(scope="module")
def game(library: Library) -> Battle:
    return new_game(Options((library.army("space-marines-1000"),), ("tyranids",), 1000, seed=3), library)


def aged(path: Path, **changes: Any) -> Path:
    """Change the header of a file; None leaves a key out."""
    first, *rest = path.read_text().splitlines()
    (kind, header), *_ = json.loads(first).items()
    header = {key: value for key, value in {**header, **changes}.items() if value is not None}
    path.write_text("\n".join([json.dumps({kind: header}, separators=(",", ":")), *rest]) + "\n")
    return path


def test_each_older_format_has_a_stored_replay_and_a_program() -> None:
    assert set(OLDER) >= set(UNNAMED)
    assert max(OLDER) < FORMAT
    told = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert told == PROGRAM


@pytest.mark.parametrize("number", OLDER)
def test_an_older_replay_is_watched_to_its_end(number: int, capsys: pytest.CaptureFixture[str]) -> None:
    file = OLDER[number]
    replay = read_replay(file)
    assert replay.header["format"] == number
    assert fold(replay.events).over
    shown = recording(file)
    assert isinstance(shown.poll()[-1], ev.BattleEnded)
    for tell_one in (lambda file: tell_all(file, "all"), lambda file: tell(file, False)):
        tell_one(file)
        assert "The battle is over" in capsys.readouterr().out
    tell(file, True)
    assert json.loads(capsys.readouterr().out)["format"] == number
    explain_replay(file, "", 1, False)
    assert "Round 1, " in capsys.readouterr().out


@pytest.mark.parametrize("number", OLDER)
def test_an_older_replay_is_verified_by_its_own_program(number: int, library: Library) -> None:
    with pytest.raises(HordeError) as fault:
        verify(read_replay(OLDER[number]), library, begin)
    assert f"it has format {number}, and this program plays {FORMAT}: version " in str(fault.value)
    assert "\n" not in str(fault.value)


def test_an_older_save_is_watched_and_not_played_on(game: Battle, library: Library, tmp_path: Path) -> None:
    save(game, tmp_path / "a.save")
    assert load(tmp_path / "a.save", library, begin).pending is not None
    old = aged(tmp_path / "a.save", format=3, program=None)
    assert len(recording(old).poll()) == len(game.events)
    with pytest.raises(BadData, match=r"version 0\.1\.0 \(26 .*\) plays it on .* 'horde watch' shows"):
        load(old, library, begin)


def test_the_program_that_a_header_names_is_told(game: Battle, library: Library, tmp_path: Path) -> None:
    save(game, tmp_path / "a.save")
    assert read_replay(tmp_path / "a.save").header["program"] == PROGRAM
    with pytest.raises(BadData, match=r"format 3, and this program plays \d+: version 0\.1\.7 plays it on"):
        load(aged(tmp_path / "a.save", format=3, program="0.1.7"), library, begin)


def test_a_journal_is_watched_and_an_older_one_names_its_program(
    game: Battle, library: Library, tmp_path: Path
) -> None:
    kept = Journal(tmp_path / "a.journal", game)
    kept.close()
    assert len(recording(kept.path).poll()) == len(game.events)
    with pytest.raises(BadData, match=r"format 3, and this program plays \d+: version 0\.1\.7 plays it on"):
        load_journal(aged(kept.path, format=3, program="0.1.7"), library, begin)
    with pytest.raises(BadData, match=r"format 99, .* version 9\.9 reads it"):
        load_journal(aged(kept.path, format=99, program="9.9"), library, begin)


@pytest.mark.parametrize("number", [0, -1, FORMAT + 1, True, "3", 3.0, None])
def test_what_is_no_format_is_not_read(number: object, game: Battle, tmp_path: Path) -> None:
    assert not is_read(number)
    save(game, tmp_path / "a.save")
    with pytest.raises(BadData, match=f"this program reads 1 to {FORMAT}"):
        read_replay(aged(tmp_path / "a.save", format=number))


def test_a_battle_that_goes_on_is_written_by_this_program(
    game: Battle, library: Library, tmp_path: Path
) -> None:
    save(game, tmp_path / "a.save")
    again = load(aged(tmp_path / "a.save", program="0.1.9"), library, begin)
    write_replay(tmp_path / "b.replay", again.header, again.lines)
    assert read_replay(tmp_path / "b.replay").header["program"] == PROGRAM


def test_rows_go_through_every_step_that_there_is(
    game: Battle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A step of the upgrades gives a field of an event its new name."""

    save(game, tmp_path / "a.save")
    old = aged(tmp_path / "a.save", format=3)
    text = old.read_text()
    begun = next(event for event in game.events if isinstance(event, ev.PhaseBegan))
    old.write_text(text.replace('"cursor":', '"place":'))
    with pytest.raises(BadData):
        read_replay(old)
    monkeypatch.setattr(formats, "UPGRADES", {3: _with_cursor})
    assert begun in read_replay(old).events
    assert upgraded({"place": 1}, FORMAT) == {"place": 1}


def _with_cursor(row: formats.Row) -> formats.Row:
    return {"cursor" if key == "place" else key: value for key, value in row.items()}
