"""The stored replays verify, and the format's number rises where one no longer would."""

from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import replays
from replays import (
    BATTLES,
    FOLDER,
    RAISE,
    Pushed,
    broken,
    fault_of,
    has_disembarked,
    keep_older,
    main,
    missing,
    pushed,
    write,
)
from typer import Exit

from engine.core.format import FORMAT
from engine.core.replay import Replay, read_replay


@pytest.mark.parametrize("stored", BATTLES, ids=lambda stored: stored.name)
def test_a_stored_replay_verifies(stored: replays.Stored) -> None:
    file = FOLDER / stored.file
    assert file.exists(), "write it: python scripts/replays.py --write"
    fault = fault_of(file)
    assert not fault, f"{fault} Where this format is pushed, {RAISE}"


def test_every_stored_replay_is_of_this_format() -> None:
    assert missing(FOLDER) == [], "the number has risen: python scripts/replays.py --write"
    assert {path.name for path in FOLDER.glob("*.gz")} == {stored.file for stored in BATTLES}


def test_what_was_pushed_of_this_format_still_verifies() -> None:
    """A replay that was written over without need of a new number is found in what was pushed."""
    assert dict(broken(FOLDER / "none", only_changed(pushed("")))) == {}, RAISE


def only_changed(before: Pushed) -> Pushed:
    """Return what was pushed without the files that are here unchanged."""
    here = {path.name: path.read_bytes() for path in FOLDER.glob("*.gz")}
    changed = {name: body for name, body in before.files.items() if here.get(name) != body}
    return before._replace(files=changed)


@pytest.fixture(scope="module")
def logs() -> dict[str, Replay]:
    return {stored.name: read_replay(FOLDER / stored.file) for stored in BATTLES}


def test_the_stored_battles_are_of_many_kinds(logs: dict[str, Replay]) -> None:
    setups = [log.header["setup"] for log in logs.values()]
    found = {(*setup["factions"], setup["points"]) for setup in setups}
    assert {(name, points) for name in ("death-guard", "tyranids") for points in (1000, 2000)} <= found
    assert has_disembarked(logs["disembarking"].events)
    assert next(stored for stored in BATTLES if stored.name == "by-hand").typed
    assert sum(path.stat().st_size for path in FOLDER.rglob("*.gz")) < 500_000


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a copy of the stored replays."""
    shutil.copytree(FOLDER, tmp_path / "replays")
    return tmp_path / "replays"


def bent(file: Path) -> None:
    """Change the last event of a replay: it no longer verifies."""
    *lines, ended, end = gzip.decompress(file.read_bytes()).splitlines()
    other = json.loads(ended) | {"reason": "something else"}
    file.write_bytes(gzip.compress(b"\n".join([*lines, json.dumps(other).encode(), end]) + b"\n"))


NAME = BATTLES[0].file


@pytest.mark.parametrize("number", [FORMAT, FORMAT + 1])
def test_a_pushed_format_is_not_written_over(
    number: int, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bent(folder / NAME)
    before = (folder / NAME).read_bytes()
    monkeypatch.setattr(replays, "pushed", lambda ref: Pushed(number, {}))
    monkeypatch.setattr(replays, "BATTLES", BATTLES[:1])
    with pytest.raises(Exit):
        main(write_anew=True, folder=folder)
    assert RAISE in capsys.readouterr().out
    assert (folder / NAME).read_bytes() == before


def test_a_format_above_the_pushed_one_is_written_over_and_an_old_one_kept(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = gzip.compress(b'{"header":{"format":%d,' % (FORMAT - 1))
    monkeypatch.setattr(replays, "BATTLES", BATTLES[:1])
    before = Pushed(FORMAT - 1, {NAME: old})
    log = read_replay(folder / NAME)

    stored = (folder / NAME).read_bytes()
    bent(folder / NAME)
    assert write(folder, before, {NAME: "diverges"}, lambda _: log) == 1
    assert fault_of(folder / NAME) == ""
    assert read_replay(folder / NAME).lines == log.lines
    assert stored != old
    assert (folder / "older" / f"format-{FORMAT - 1}.replay.gz").read_bytes() == old


def test_a_replay_that_is_not_of_this_format_is_missing(folder: Path) -> None:
    shutil.copy(folder / "older" / "format-3.replay.gz", folder / NAME)
    assert fault_of(folder / NAME) == ""
    assert [stored.file for stored in missing(folder)] == [NAME]
    keep_older(folder, Pushed(FORMAT, {NAME: b"new"}))
    assert not (folder / "older" / f"format-{FORMAT}.replay.gz").exists()


def test_what_was_pushed_and_no_longer_verifies_is_found(folder: Path) -> None:
    good = (folder / NAME).read_bytes()
    bent(folder / NAME)
    bad = (folder / NAME).read_bytes()
    for path in folder.glob("*.gz"):
        path.unlink()
    (folder / NAME).write_bytes(good)
    assert list(broken(folder, Pushed(FORMAT, {NAME: good}))) == []
    assert [name for name, _ in broken(folder, Pushed(FORMAT, {NAME: bad}))] == [f"{NAME} as it was pushed"]
    assert list(broken(folder, Pushed(FORMAT - 1, {NAME: bad}))) == []


def git_with(known: dict[str, bytes]) -> Callable[..., bytes]:
    """Return a git that knows some commits, each with one replay and its format."""

    def ask(*words: str) -> bytes:
        if words[0] == "rev-parse":
            return words[-1].encode() if words[-1] in known else b""
        if words[0] == "grep":
            return b"FORMAT = %s\n" % known[words[3]]
        return b"tests/replays/a.replay.gz\ntests/replays/older\n" if words[0] == "ls-tree" else b"body"

    return ask


@pytest.mark.parametrize(
    ("ref", "known", "number"),
    [
        ("", {"@{upstream}": b"7", "origin/main": b"6", "HEAD": b"5"}, 7),
        ("", {"origin/main": b"6", "HEAD": b"5"}, 6),
        ("", {"HEAD": b"5"}, 5),
        ("abc", {"abc": b"4", "HEAD": b"5"}, 4),
    ],
)
def test_what_was_pushed_last_is_upstream(ref: str, known: dict[str, bytes], number: int) -> None:
    assert pushed(ref, git_with(known)) == Pushed(number, {"a.replay.gz": b"body"})


def test_without_a_history_nothing_was_pushed() -> None:
    assert pushed("", lambda *_: b"") == Pushed(0, {})
