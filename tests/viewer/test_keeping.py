"""What a person plays is kept whatever happens: sudden ends, undoing, full disks."""

from __future__ import annotations

import errno
import json
from pathlib import Path

import pytest

from ai.agents import agent
from datasheets.errors import BadData
from datasheets.library import Library
from engine.core import journal
from engine.core.journal import Journal, is_journal, load_journal, read_journal
from engine.core.log import BecauseLine
from engine.core.play import play
from engine.core.replay import encode
from engine.horde.setup import Options
from engine.systems import begin, new_game
from engine.w40k.battle import Battle
from engine.w40k.view import View
from viewer.commands import keeping
from viewer.commands.keeping import Keeper, left_over, taken_up, unused

SEATS = {"horde": agent("horde"), "p1": agent("steady")}


@pytest.fixture(scope="module")
def library() -> Library:
    return Library()


@pytest.fixture
def game(library: Library) -> Battle:
    """Return a battle at its first question."""
    options = Options((library.army("space-marines-1000"),), ("tyranids",), 1000, seed=3)
    return new_game(options, library)


def play_on(game: Battle, answers: int) -> None:
    """Play a battle on by some answers."""
    most = len(game.answers) + answers
    play(game, SEATS, View, until=lambda game: len(game.answers) >= most)


def same(one: Battle, other: Battle) -> bool:
    """Return whether two battles stand alike: their logs and questions."""
    logs = [list(map(encode, each.lines)) for each in (one, other)]
    return logs[0] == logs[1] and encode(one.pending) == encode(other.pending)


def test_a_journal_that_was_cut_anywhere_loses_at_most_its_last_row(
    game: Battle, library: Library, tmp_path: Path
) -> None:
    kept = Journal(tmp_path / "a.journal", game)
    for _ in range(5):
        play_on(game, 3)
        kept.keep(game)
    body = kept.path.read_bytes()
    whole = len(read_journal(kept.path)[1])
    ends = [at for at, byte in enumerate(body) if byte == ord("\n")]
    for end in ends[1:]:
        for cut in (end, end + 1, end - 7):
            (tmp_path / "cut.journal").write_bytes(body[: cut + 1])
            rows = len(read_journal(tmp_path / "cut.journal")[1])
            assert rows >= sum(at <= cut for at in ends) - 1
    assert whole >= 15
    assert same(load_journal(kept.path, library, begin), game)


def test_what_was_taken_back_is_not_there_again(game: Battle, library: Library, tmp_path: Path) -> None:
    kept = Journal(tmp_path / "a.journal", game)
    play_on(game, 8)
    kept.keep(game)
    game.undo(3)
    kept.keep(game)
    play_on(game, 2)
    kept.keep(game)
    found = load_journal(kept.path, library, begin)
    assert len(found.answers) == 5
    assert same(found, game)


def test_a_file_that_is_there_is_never_written_over(game: Battle, tmp_path: Path) -> None:
    (tmp_path / "horde-3.journal").write_text("mine")
    with pytest.raises(FileExistsError):
        Journal(tmp_path / "horde-3.journal", game)
    assert unused("horde-3", tmp_path).name == "horde-3-2.save"


@pytest.mark.parametrize(
    "body",
    [b"", b"{}\n", b'{"journal":3}\n', b'{"journal":{"format":1}}\n', b'{"journal":{"format":'],
)
def test_what_is_no_journal_is_refused_in_a_sentence(body: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    path.write_bytes(body)
    with pytest.raises(BadData):
        read_journal(path)


def reasoned(path: Path, reason: str) -> None:
    """Append a row with a reason to a journal."""
    row = {"because": 0, "seat": "p1", "decision": "deploy", "reasons": [{"clause": "A", "reason": reason}]}
    with path.open("a") as file:
        file.write(json.dumps(row) + "\n")


def test_a_journal_s_texts_are_shown_and_not_obeyed(game: Battle, tmp_path: Path) -> None:
    kept = Journal(tmp_path / "a.journal", game)
    kept.close()
    reasoned(kept.path, "Mine\x1b[2J\u202e")
    [line] = read_journal(kept.path)[1]
    assert isinstance(line, BecauseLine)
    assert line.reasons[0].reason == "Mine\ufffd[2J\ufffd"


def test_a_text_of_a_journal_that_nobody_wrote_is_refused(game: Battle, tmp_path: Path) -> None:
    kept = Journal(tmp_path / "a.journal", game)
    kept.close()
    reasoned(kept.path, "N" * 100_000)
    with pytest.raises(BadData, match="longer than any") as fault:
        read_journal(kept.path)
    assert len(str(fault.value)) < 1000


def test_leaving_saves_the_battle_and_takes_the_journal_away(
    game: Battle, library: Library, tmp_path: Path
) -> None:
    told: list[str] = []
    keeper = Keeper(game, tmp_path / "mine.save", tell=told.append)
    play_on(game, 4)
    keeper.keep()
    assert is_journal(tmp_path / "mine.journal")
    assert left_over(tmp_path) == []  # this program still writes it
    keeper.put_aside()
    assert [path.name for path in tmp_path.iterdir()] == ["mine.save"]
    assert "mine.save" in told[-1]
    assert same(taken_up(tmp_path / "mine.save", library), game)


def test_a_journal_of_a_sudden_end_is_found_and_taken_up(
    game: Battle, library: Library, tmp_path: Path
) -> None:
    kept = Journal(tmp_path / "horde-3.journal", game)
    play_on(game, 4)
    kept.keep(game)
    kept.close()
    assert left_over(tmp_path) == [kept.path]
    again = taken_up(kept.path, library)
    assert same(again, game)
    keeper = Keeper(again, None, kept.path, tell=lambda _: None)
    keeper.put_aside()
    assert [path.name for path in tmp_path.iterdir()] == ["horde-3.save"]


def test_a_journal_that_was_begun_and_not_finished_is_none(
    game: Battle, library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sudden end while all answers go into a new journal leaves the one before as the newest."""
    before = Journal(tmp_path / "horde-3.journal", game)
    play_on(game, 4)
    before.keep(game)
    before.close()
    write = Journal._write

    def ended(self: Journal, rows: list[object]) -> None:
        write(self, rows[:1])
        raise SystemExit

    monkeypatch.setattr(Journal, "_write", ended)
    with pytest.raises(SystemExit):
        Journal(tmp_path / "horde-3-2.journal", game)
    assert left_over(tmp_path) == [before.path]
    assert same(load_journal(before.path, library, begin), game)


def test_the_journal_that_a_battle_was_taken_up_from_goes_with_the_first_answer(
    game: Battle, library: Library, tmp_path: Path
) -> None:
    kept = Journal(tmp_path / "horde-3.journal", game)
    play_on(game, 4)
    kept.keep(game)
    kept.close()
    again = taken_up(kept.path, library)
    keeper = Keeper(again, None, kept.path, tell=lambda _: None)
    assert kept.path.exists()
    play_on(again, 1)
    keeper.keep()
    found = [path for path in tmp_path.iterdir() if is_journal(path)]
    assert len(found) == 1
    assert found != [kept.path]
    assert same(load_journal(found[0], library, begin), again)


def full(*_: object) -> None:
    """Fail as a full disk does."""
    raise OSError(errno.ENOSPC, "No space left on device")


def test_where_the_disk_is_full_answers_go_to_the_user_s_own_folder(
    game: Battle, library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    own = tmp_path / "own"
    own.mkdir()
    monkeypatch.setattr(keeping, "own_folder", lambda: own)
    keeper = Keeper(game, tmp_path / "here" / "mine.save", tell=told.append)
    keeper.aside.parent.mkdir()
    play_on(game, 2)
    keeper.keep()
    play_on(game, 2)
    fsync = journal.os.fsync
    calls = []

    def once_full(handle: int) -> None:
        calls.append(handle)
        if len(calls) == 1 or not list(own.iterdir()):
            full()
        fsync(handle)

    monkeypatch.setattr(journal.os, "fsync", once_full)
    keeper.keep()
    monkeypatch.setattr(journal.os, "fsync", fsync)
    kept = [path for path in own.iterdir() if is_journal(path)]
    assert kept
    assert str(kept[-1]) in told[-1]
    assert same(load_journal(kept[-1], library, begin), game)


def test_where_no_disk_has_room_the_person_is_told_once_and_plays_on(
    game: Battle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr(keeping, "own_folder", full)
    monkeypatch.setattr(journal.os, "fsync", full)
    keeper = Keeper(game, tmp_path / "mine.save", tell=told.append)
    for _ in range(3):
        play_on(game, 1)
        keeper.keep()
    assert [text for text in told if "cannot be kept" in text] == told
    assert len(told) == 1
