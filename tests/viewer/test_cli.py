"""The command line: whole battles, and one clear sentence for whatever is put in wrongly."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

from tests.viewer.command_line import HORDE, Done, Horde, changed, check_refused

ARMY = files("assets").joinpath("armies", "space-marines-1000.toml").read_text()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--faction", "deth-guard"], ["There is no", "'deth-guard'", "death-guard"]),
        (["--points", "1500"], ["1500 points is no game size"]),
        (["--points", "many"], ["'many'", "whole number"]),
        (["--seed", "lucky"], ["'lucky' is no seed"]),
        (["--seed", "1.5"], ["'1.5' is no seed"]),
        (["--rounds", "0"], ["0 rounds"]),
        (["--rounds", "some"], ["'some'", "infinite"]),
        (["--players", "3", "--army", "orks-1000", "--army", "orks-1000"], ["3 players need 3 armies"]),
        (["--army", "no-such-army"], ["'no-such-army'"]),
        (["--army", "missing.toml"], ["missing.toml"]),
        (["--deployment", "dawn-of-peace"], ["'dawn-of-peace'", "dawn-of-war"]),
        (
            ["--deployment", "dawn-of-war", "--layout", "horde-hammer-and-anvil-1"],
            ["horde-hammer-and-anvil-1"],
        ),
        (["--ruleset", "horde-9"], ["'horde-9'", "horde-1.1"]),
        (["--ruling", "nonsense"], ["'nonsense' is no ruling"]),
        (["--ruling", "sight.block=true"], ["'sight.block'", "sight.models_block"]),
        (["--ruling", "sight.models_block=maybe"], ["'sight.models_block'", "'maybe'", "false or true"]),
        (["--autopilot", "genius"], ["'genius'", "steady"]),
        (["--ask", "p3"], ["no seat 'p3'"]),
        (["--replay", "/no/such/folder/a.replay"], ["cannot be written"]),
    ],
    ids=lambda value: " ".join(value) if value[0].startswith("--") else "",
)
def test_a_wrong_option_is_refused_in_a_sentence(horde: Horde, words: list[str], told: list[str]) -> None:
    check_refused(horde("battle", *words), *told)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("name = ", ["army.toml"]),
        ("\x00\x01", ["army.toml"]),
        ("faction = 'space-marines'", ["army.toml", "missing"]),
        (ARMY.replace("bladeguard-veteran-squad", "bladegard-veteran-squad"), ["bladegard", "did you mean"]),
        (ARMY.replace("models = 3", "models = 4"), ["costs"]),
        (ARMY.replace("models = 3", "models = 'three'"), ["army.toml", "models"]),
        (ARMY.replace("models = 3", "models = -3"), ["models"]),
        ("colour = 'blue'\n" + ARMY, ["army.toml", "colour"]),
        (ARMY.replace("warlord = true", ""), ["Warlord"]),
    ],
    ids=["cut-short", "binary", "no-name", "unknown", "too-dear", "no-number", "negative", "key", "warlord"],
)
def test_a_wrong_roster_is_refused_in_a_sentence(
    horde: Horde, tmp_path: Path, text: str, told: list[str]
) -> None:
    army = tmp_path / "army.toml"
    army.write_text(text)
    check_refused(horde("battle", "--army", army, "--seed", "1"), *told)


def test_a_roster_that_costs_too_much_is_refused(horde: Horde) -> None:
    check_refused(horde("battle", "--army", "space-marines-2000", "--points", "1000", "--seed", "1"), "1000")


def test_a_replay_verifies_and_tells_what_it_is(horde: Horde, replay: Path) -> None:
    verified = horde("replay", "verify", replay)
    assert (verified.code, verified.err) == (0, "")
    assert "verified" in verified.out
    told = json.loads(horde("replay", "info", replay, "--json").out)
    assert told["seed"] == 7
    assert told["setup"]["rounds"] == 1


@pytest.mark.rule("S.DET4")
@pytest.mark.parametrize(
    ("key", "old", "told"),
    [
        ("format", 0, ["format 0", "reads 1 to"]),
        ("format", 3, ["format 3", "plays it on", "version"]),
        ("library", {"factions/tyranids.toml": "0123"}, ["factions/tyranids.toml", "use the version"]),
        ("ruleset", "horde-0.9", ["'horde-0.9'", "horde-1.1"]),
    ],
)
def test_a_replay_of_another_version_is_told_with_both(
    horde: Horde, replay: Path, tmp_path: Path, key: str, old: object, told: list[str]
) -> None:
    def aged(lines: list[str]) -> list[str]:
        header = json.loads(lines[0])["header"]
        return [json.dumps({"header": {**header, key: old}}), *lines[1:]]

    check_refused(horde("replay", "verify", changed(replay, tmp_path, aged)), *told)


def test_a_replay_is_told_line_by_line_with_its_dice(horde: Horde, replay: Path) -> None:
    told = horde("replay", "log", replay)
    assert (told.code, told.err) == (0, "")
    assert "=== Battle round 1 ===" in told.out
    assert "  [AI.MOVE.1] " in told.out
    assert "; needs 3+" in told.out


@pytest.mark.parametrize("command", ["verify", "info", "log"])
@pytest.mark.parametrize("keep", [0, 1, 40, -1])
def test_a_replay_cut_short_is_found(
    horde: Horde, replay: Path, tmp_path: Path, command: str, keep: int
) -> None:
    cut = changed(replay, tmp_path, lambda lines: lines[:keep])
    check_refused(horde("replay", command, cut), "changed.replay")


def test_a_replay_cut_within_a_line_is_found(horde: Horde, replay: Path, tmp_path: Path) -> None:
    path = tmp_path / "half.replay"
    path.write_bytes(replay.read_bytes()[:5000])
    check_refused(horde("replay", "verify", path), "cut short")


@pytest.mark.parametrize(
    "text", ["", "hello", "{}", "[1, 2]", '{"header": 3}', "\x00\x01", '{"header": {"format": 99}}']
)
def test_what_is_no_replay_is_refused(horde: Horde, tmp_path: Path, text: str) -> None:
    path = tmp_path / "odd.replay"
    path.write_text(text)
    check_refused(horde("replay", "verify", path), "odd.replay")
    check_refused(horde("watch", path), "odd.replay")


def test_a_replay_that_is_not_there_is_refused(horde: Horde, tmp_path: Path) -> None:
    check_refused(horde("replay", "verify", tmp_path / "none.replay"), "no such file")
    check_refused(horde("replay", "verify", tmp_path), "cannot be read")


def test_a_changed_answer_is_found_and_named(horde: Horde, replay: Path, tmp_path: Path) -> None:
    def other_secret(lines: list[str]) -> list[str]:
        number = next(i for i, line in enumerate(lines) if '"keep-secret"' in line)
        line = json.loads(lines[number])
        dealt = [json.loads(each) for each in lines[:number] if '"card-revealed"' in each]
        cards = [event["card"] for event in dealt if event["deck"] == "secret"]
        line["value"]["ids"] = [next(card for card in cards if [card] != line["value"]["ids"])]
        return [*lines[:number], json.dumps(line), *lines[number + 1 :]]

    path = changed(replay, tmp_path, other_secret)
    check_refused(horde("replay", "verify", path), "diverges at event")


def test_a_changed_die_is_found_and_named(horde: Horde, replay: Path, tmp_path: Path) -> None:
    def luckier(lines: list[str]) -> list[str]:
        number = next(i for i, line in enumerate(lines) if '"spawn-rolled"' in line)
        event = json.loads(lines[number])
        event["natural"] = [12 if event["natural"] != [12] else 11]
        told.append(f"diverges at event {event['n']}")
        return [*lines[:number], json.dumps(event), *lines[number + 1 :]]

    told: list[str] = []
    path = changed(replay, tmp_path, luckier)
    check_refused(horde("replay", "verify", path), *told)


def test_the_referee_agrees_with_a_battle_as_it_was(horde: Horde, replay: Path) -> None:
    done = horde("replay", "verify", replay, "--referee")
    assert (done.code, done.err) == (0, "")
    assert "the referee agrees" in done.out
    assert " paths" in done.out
    assert "verified" in done.out
    told = json.loads(horde("replay", "verify", replay, "--referee", "--json").out)
    assert told["verified"]
    assert told["referee"]["disagreements"] == []
    assert told["referee"]["checked"]["paths"] > 0


def test_the_referee_names_the_event_and_the_unit_of_a_changed_path(
    horde: Horde, replay: Path, tmp_path: Path
) -> None:
    def farther(lines: list[str]) -> list[str]:
        number = next(i for i, line in enumerate(lines) if '"moved"' in line and '"paths"' in line)
        event = json.loads(lines[number])
        row = next(iter(event["paths"]))
        event["paths"][row][-1][0] -= 40
        event["poses"][row][0] -= 40
        told.append(f"event {event['n']}, {event['unit']}, length: model {row} ")
        return [*lines[:number], json.dumps(event), *lines[number + 1 :]]

    told: list[str] = []
    path = changed(replay, tmp_path, farther)
    done = horde("replay", "verify", path, "--referee")
    assert done.code == 2
    assert told[0] in done.out
    assert "the referee disagrees" in done.err
    found = json.loads(horde("replay", "verify", path, "--referee", "--json").out)
    assert not found["verified"]
    assert found["referee"]["disagreements"][0]["check"] == "length"


def test_bad_input_in_a_process_of_its_own(tmp_path: Path) -> None:
    for words in (
        ["battle", "--faction", "elves"],
        ["replay", "verify", str(tmp_path / "none")],
        ["army", "check", "x"],
    ):
        done = subprocess.run([*HORDE, *words], capture_output=True, text=True, timeout=120)
        check_refused(Done(done.returncode, done.stdout, done.stderr))


def test_an_unknown_command_says_so(horde: Horde) -> None:
    done = horde("conquer")
    assert done.code == 2
    assert "conquer" in done.err


def test_the_same_seed_gives_the_same_bytes_in_any_process(tmp_path: Path) -> None:
    written = []
    for salt in ("1", "2"):
        path = tmp_path / f"{salt}.replay"
        words = ["battle", "--faction", "tyranids", "--seed", "7", "--rounds", "2", "--replay", str(path)]
        subprocess.run(
            [*HORDE, *words],
            check=True,
            capture_output=True,
            timeout=300,
            env={**os.environ, "PYTHONHASHSEED": salt},
        )
        written.append(path.read_bytes())
    assert written[0] == written[1]


def test_odd_bytes_and_a_terminal_without_signs_are_no_reason_to_stop() -> None:
    done = subprocess.run(
        [*HORDE, "battle", "--ask", "p1", "--seed", "7"],
        input=b"\xff\xfe\n1\n\xc3\x28\n?\nquit\n",
        capture_output=True,
        timeout=120,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr
    assert b"The battle was left in the set-up" in done.stderr


def test_a_reader_who_has_enough_is_no_reason_for_a_traceback() -> None:
    command = f'"{sys.executable}" -c "from viewer.cli import main; main()" battle --seed 7 --rounds 1 --json'
    done = subprocess.run(f"{command} | head -1", shell=True, capture_output=True, timeout=120)
    assert done.stdout.startswith(b"{")
    assert b"Traceback" not in done.stderr
    assert b"BrokenPipe" not in done.stderr


def header_with(replay: Path, folder: Path, *keys: str, value: object) -> Path:
    """Return a copy of a replay with `value` at a place in its header.

    `keys` lead to the place; None leaves it out.
    """

    def other(lines: list[str]) -> list[str]:
        first = json.loads(lines[0])
        part = first["header"]
        for key in keys[:-1]:
            part = part[key]
        part.pop(keys[-1], None)
        if value is not None:
            part[keys[-1]] = value
        return [json.dumps(first), *lines[1:]]

    return changed(replay, folder, other)


@pytest.mark.parametrize("command", ["verify", "info", "log", "explain"])
@pytest.mark.parametrize(
    ("keys", "value"),
    [
        (("setup",), None),
        (("seed",), None),
        (("seed",), "seven"),
        (("rulings",), [[1]]),
        (("setup", "armies"), []),
        (("setup", "factions"), "death-guard"),
        (("setup", "points"), 1500),
        (("setup", "colour"), "red"),
    ],
)
def test_a_header_that_is_none_is_refused_by_its_key(
    horde: Horde, replay: Path, tmp_path: Path, command: str, keys: tuple[str, ...], value: object
) -> None:
    check_refused(horde("replay", command, header_with(replay, tmp_path, *keys, value=value)), *keys)


def test_a_replay_nested_too_deeply_is_refused(horde: Horde, tmp_path: Path) -> None:
    path = tmp_path / "deep.replay"
    path.write_text('{"header": ' + "[" * 100_000 + "]" * 100_000 + "}\n")
    check_refused(horde("replay", "info", path), "line 1")


def test_a_roster_goes_by_its_name_whatever_its_end(
    horde: Horde, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without .toml, and with the mark that some editors put before the text."""
    monkeypatch.chdir(tmp_path)
    Path("mine").write_text("\ufeff" + ARMY, encoding="utf-8")
    assert horde("army", "check", "mine").code == 0
    Path("empty").touch()
    check_refused(horde("army", "check", "empty"), "empty: no unit is found")


def test_a_new_army_is_legal_and_written_to_a_new_file_alone(horde: Horde, tmp_path: Path) -> None:
    out = tmp_path / "mine.toml"
    words = ("army", "new", "--faction", "necrons", "--points", "500", "--seed", "3")
    printed = horde(*words)
    assert horde(*words, "--output", out).code == 0
    assert out.read_text(encoding="utf-8") == printed.out
    assert horde("army", "check", out, "--players", "2").code == 0
    check_refused(horde(*words, "--output", out), "mine.toml", "there already")
    assert horde(*words, "--random").out != printed.out
    check_refused(horde("army", "new", "--faction", "necron"), "did you mean 'necrons'")
    check_refused(horde("army", "new", "--faction", "necrons", "--points", "0"), "points", "not 0")


def test_what_is_no_file_is_written_into_and_never_replaced(tmp_path: Path) -> None:
    """A pipe; a device file goes the same way."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    command = [*HORDE, "battle", "--seed", "7", "--rounds", "1", "--replay", str(pipe)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as battle:
        written = pipe.read_bytes()
        assert battle.wait(timeout=120) == 0
    assert written.startswith(b'{"header"')
    assert pipe.is_fifo()


def test_a_full_disk_is_told_in_a_sentence(tmp_path: Path) -> None:
    full = Path("/dev/full")
    if not full.is_char_device():
        pytest.skip("there is no device that is always full")
    with full.open("w") as out:
        command = [*HORDE, "rules", "coverage", "--json"]
        done = subprocess.run(command, stdout=out, stderr=subprocess.PIPE, text=True, timeout=120)
    check_refused(Done(done.returncode, "", done.stderr), "cannot be written")
