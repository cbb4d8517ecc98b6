"""Files from strangers: nothing a terminal obeys, no traceback, bounds of memory and time."""

from __future__ import annotations

import gzip
import json
import resource
import zlib
from importlib.resources import files
from pathlib import Path

import pytest

from datasheets.errors import HordeError
from datasheets.scenario import load_scenario
from engine.core import event as ev
from engine.core.replay import read_replay
from tests.viewer.command_line import Done, Horde, alone, changed, check_refused
from viewer.commands.recorded import recording
from viewer.story.source import Recording
from viewer.window.watching import watch

ARMY = files("assets").joinpath("armies", "space-marines-1000.toml").read_text()
NAME = "Third Company, Strike Force"
OBEYED = "\x1b]0;mine\x07\x1b[2J\u202e"
"""A new title for the window of a terminal, an empty screen, and writing from right to left."""
ESCAPED = r"\u001b]0;mine\u0007\u001b[2J\u202e"
"""The same as TOML and JSON escape it."""
SCENARIO = """
title = "%s"
[[unit]]
id = "h"
side = "horde"
at = [[5, 5]]
[[expect]]
that = "%s('h')"
"""


def is_plain(done: Done) -> bool:
    """Return whether a command printed nothing that a terminal obeys."""
    return not set(done.out + done.err) & set("\x1b\x07\u202e")


# what a terminal obeys


@pytest.mark.parametrize(("sign", "code"), [(OBEYED, 2), (ESCAPED, 0)], ids=["raw", "escaped"])
def test_an_army_s_name_is_shown_and_not_obeyed(horde: Horde, tmp_path: Path, sign: str, code: int) -> None:
    """TOML has none of these signs as they are, only escaped."""
    path = tmp_path / "army.toml"
    path.write_text(ARMY.replace(NAME, f"Mine{sign}"))
    done = horde("army", "check", path)
    assert done.code == code
    assert is_plain(done)
    assert code or "Mine" in done.out


@pytest.mark.parametrize(("title", "word"), [(ESCAPED, "destroyed"), ("Title", f"{OBEYED}destroyed")])
def test_a_scenario_is_shown_and_not_obeyed(horde: Horde, tmp_path: Path, title: str, word: str) -> None:
    path = tmp_path / "scenario.toml"
    path.write_text(SCENARIO % (title, word))
    assert all(is_plain(horde("scenario", command, path)) for command in ("run", "show", "explain"))


@pytest.mark.parametrize("command", ["info", "log", "explain", "verify"])
def test_a_replay_s_names_are_shown_and_not_obeyed(
    horde: Horde, replay: Path, tmp_path: Path, command: str
) -> None:
    assert NAME in replay.read_text()
    path = changed(replay, tmp_path, lambda lines: [line.replace(NAME, f"Mine{ESCAPED}") for line in lines])
    assert is_plain(horde("replay", command, path))


def test_no_reader_keeps_what_a_terminal_obeys(replay: Path, tmp_path: Path) -> None:
    path = changed(replay, tmp_path, lambda lines: [line.replace(NAME, f"Mine{ESCAPED}") for line in lines])
    found = read_replay(path)
    begun = found.events[0]
    assert isinstance(begun, ev.Setup)
    for name in (found.header["setup"]["armies"][0]["name"], begun.players[0].name):
        assert name.startswith("Mine")
        assert not set(name) & set("\x1b\x07\u202e")


def test_no_scenario_keeps_what_a_terminal_obeys(tmp_path: Path) -> None:
    """The window shows its title too."""
    path = tmp_path / "scenario.toml"
    path.write_text(SCENARIO % (f"Mine{ESCAPED}", "destroyed"))
    title = load_scenario(path).title
    assert title.startswith("Mine")
    assert not set(title) & set("\x1b\x07\u202e")


def test_the_name_of_a_file_is_shown_and_not_obeyed(horde: Horde, tmp_path: Path) -> None:
    done = horde("replay", "info", tmp_path / f"a{OBEYED}.replay")
    assert done.code == 2
    assert is_plain(done)


LONG = "N" * 100_000


@pytest.mark.parametrize("kind", ["army", "scenario", "replay"])
def test_a_name_of_a_hundred_thousand_letters_is_cut(
    horde: Horde, replay: Path, tmp_path: Path, kind: str
) -> None:
    path = tmp_path / kind
    if kind == "army":
        path.write_text(ARMY.replace(NAME, LONG))
        done = horde("army", "check", path)
    elif kind == "scenario":
        path.write_text(SCENARIO % (LONG, "destroyed"))
        done = horde("scenario", "run", path)
    else:
        path = changed(replay, tmp_path, lambda lines: [line.replace(NAME, LONG) for line in lines])
        done = horde("replay", "info", path)
    assert done.code == 2
    assert len(done.err) < 1000
    assert len(done.out) < 1000


def test_a_long_text_after_the_header_of_a_replay_is_refused(
    horde: Horde, replay: Path, tmp_path: Path
) -> None:
    path = changed(
        replay, tmp_path, lambda lines: [lines[0], *(line.replace(NAME, LONG) for line in lines[1:])]
    )
    check_refused(horde("replay", "info", path), "line 2", "longer than any")


@pytest.mark.parametrize("words", [("rules", "show"), ("replay", "info")], ids=["name", "file"])
def test_a_word_of_a_hundred_thousand_letters_is_cut_where_it_is_shown(
    words: tuple[str, str], tmp_path: Path
) -> None:
    done = alone([*words, LONG], folder=tmp_path)
    assert "N … N" in done.err
    assert (done.code, done.out, len(done.err) < 3000) == (2, "", True)


# damaged and packed files


def test_a_damaged_packed_replay_is_refused(horde: Horde, replay: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.replay.gz"
    good = gzip.compress(replay.read_bytes(), mtime=0)
    middle = len(good) // 2
    for body, told in (
        (good[:middle], "cut short"),
        (good[:middle] + b"\xff" * 40 + good[middle + 40 :], "damaged"),
        (good[:-8] + b"\x00" * 8, "damaged"),
        (b"\x1f\x8b", "cut short"),
    ):
        path.write_bytes(body)
        for command in ("info", "log", "explain", "verify"):
            check_refused(horde("replay", command, path), "a.replay.gz", told)


def bomb(parts: bool) -> bytes:
    """Return 4 MB that unpack to 4 GB: in one stream, or in many one after another."""
    zeros = bytes(2**24)
    if parts:
        return gzip.compress(zeros, mtime=0) * 256
    packer = zlib.compressobj(wbits=31)
    head = packer.compress(zeros) + packer.flush(zlib.Z_FULL_FLUSH)
    again = packer.compress(zeros) + packer.flush(zlib.Z_FULL_FLUSH)
    return head + again * 255


@pytest.mark.parametrize("parts", [False, True], ids=["one stream", "many"])
def test_four_megabytes_that_unpack_to_four_gigabytes_are_refused(tmp_path: Path, parts: bool) -> None:
    path = tmp_path / "bomb.replay.gz"
    path.write_bytes(bomb(parts))
    assert path.stat().st_size < 5_000_000

    def little_memory() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (2**31, 2**31))

    check_refused(alone(["replay", "info", path], prepare=little_memory), "unpacks to more than 200 MB")


def with_event(lines: list[str], kind: str, **changes: object) -> list[str]:
    """Return the lines of a replay of which the first event of a kind says something else."""
    number = next(i for i, line in enumerate(lines) if f'"event":"{kind}"' in line)
    return [*lines[:number], json.dumps(json.loads(lines[number]) | changes), *lines[number + 1 :]]


@pytest.mark.parametrize(
    ("kind", "changes", "told"),
    [
        ("moved", {"unit": "nobody"}, "a unit 'nobody' that is not there"),
        ("moved", {"paths": {"0": [[]]}}, "a place that is nowhere"),
        ("moved", {"poses": {"99999": [1, 2, 0, 0]}}, "a model 99999 that is not there"),
        ("moved", {"poses": {"-1": [1, 2, 0, 0]}}, "a model -1 that is not there"),
        ("targeted", {"shots": [{"model": 99999, "weapon": 0, "target": "nobody"}]}, "'nobody'"),
        ("attacked", {"unit": "nobody"}, "'nobody'"),
        ("gained", {"player": "p9"}, "a player 'p9' that is not there"),
        ("controlled", {"by": "vlayers"}, "a side 'vlayers' that is not there"),
    ],
)
def test_an_event_about_what_is_not_there_is_refused(
    horde: Horde, replay: Path, tmp_path: Path, kind: str, changes: dict[str, object], told: str
) -> None:
    path = changed(replay, tmp_path, lambda lines: with_event(lines, kind, **changes))
    for command in ("info", "log", "explain"):
        check_refused(horde("replay", command, path), told)
    with pytest.raises(HordeError, match=told):
        recording(path)


@pytest.mark.parametrize("moment", ["²", "event:²", "9" * 5000, "round:²", "round:" + "9" * 5000, "-1"])
def test_a_moment_that_no_battle_has_is_one_sentence(recording: Recording, moment: str) -> None:
    with pytest.raises(HordeError, match="moment of the battle") as fault:
        watch(recording, jump=moment, frames=1)
    assert "\n" not in str(fault.value)


def test_a_count_of_four_hundred_digits_is_refused(horde: Horde, tmp_path: Path) -> None:
    path = tmp_path / "army.toml"
    for before, after in (
        ('"Power fist" = 1,', f'"Power fist" = {"9" * 400},'),
        ("models = 5", f"models = {'9' * 400}"),
    ):
        assert before in ARMY
        path.write_text(ARMY.replace(before, after, 1))
        done = horde("army", "check", path)
        check_refused(done, "army.toml")
        assert len(done.err) < 1000
        check_refused(horde("battle", "--army", path, "--seed", "1"), "army.toml")


def test_links_that_go_round_are_no_place_for_a_replay(horde: Horde, tmp_path: Path) -> None:
    one, other = tmp_path / "one.replay", tmp_path / "other.replay"
    one.symlink_to(other)
    other.symlink_to(one)
    check_refused(horde("battle", "--seed", "7", "--rounds", "1", "--replay", one), "links in it go round")


def test_nobody_is_asked_where_the_keyboard_is_closed(tmp_path: Path) -> None:
    done = alone(
        ["battle", "--ask", "p1", "--seed", "7"], folder=tmp_path, wrapped=["sh", "-c", 'exec "$0" "$@" <&-']
    )
    assert done.code == 2
    assert "Traceback" not in done.err
    assert "The battle was left in the set-up" in done.err
