"""A battle that a person plays in the terminal is kept however it ends."""

from __future__ import annotations

import errno
import os
import resource
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
from killed import TERMINAL, WINDOW, Driver, Kill, kept_in, kills

from datasheets.library import Library
from engine.core.replay import read_replay
from tests.viewer.command_line import HORDE, Horde, alone
from viewer.commands import battle_command
from viewer.commands.keeping import taken_up

BATTLE = ("battle", "--ask", "p1", "--seed", "7", "--rounds", "1")


def answers_in(file: Path) -> int:
    """Return the number of the person's answers in the battle of a save or journal."""
    game = taken_up(file, Library())
    assert game.pending is not None
    return sum(line.seat == "p1" for line in game.answers)


@pytest.mark.parametrize("typed", ["\n\n\nquit\n", "\n\n\n"], ids=["quit", "end of input"])
def test_who_leaves_finds_the_battle_in_a_save(typed: str, tmp_path: Path) -> None:
    done = alone(BATTLE, typed, folder=tmp_path)
    assert done.code == 2
    assert "Go on with: horde battle --ask p1 --resume horde-7.save" in done.out
    assert [path.name for path in tmp_path.iterdir()] == ["horde-7.save"]
    assert answers_in(tmp_path / "horde-7.save") == 3


@pytest.mark.parametrize(
    ("sign", "file"),
    [(signal.SIGINT, "save"), (signal.SIGHUP, "journal"), (signal.SIGKILL, "journal")],
    ids=["Ctrl+C", "closed terminal", "kill -9"],
)
def test_a_signal_leaves_the_answers_in_a_file(sign: signal.Signals, file: str, tmp_path: Path) -> None:
    """The keyboard stays open: Ctrl+C comes while the person thinks."""
    with subprocess.Popen(
        [*HORDE, *BATTLE],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # Tests that run in the background inherit that these signals are ignored.
        preexec_fn=lambda: signal.signal(sign, signal.SIG_DFL) if sign != signal.SIGKILL else None,
    ) as battle:
        assert battle.stdin is not None
        assert battle.stdout is not None
        for _ in range(3):
            read_prompt(battle)
            battle.stdin.write(b"\n")
            battle.stdin.flush()
        read_prompt(battle)
        battle.send_signal(sign)
        battle.wait(timeout=60)
    found = [path for path in tmp_path.iterdir() if path.suffix == f".{file}"]
    assert len(found) == 1
    assert answers_in(found[0]) == 3
    if file == "journal":
        told = alone(BATTLE, "quit\n", folder=tmp_path).out
        assert f"Go on with: horde battle --ask p1 --resume {found[0].name}" in told


def read_prompt(battle: subprocess.Popen[bytes]) -> None:
    """Read on up to the next question."""
    assert battle.stdout is not None
    tail = b""
    while not tail.endswith(b" > "):
        sign = battle.stdout.read(1)
        assert sign, "the battle ended"
        tail = (tail + sign)[-3:]


@pytest.mark.parametrize("where", [TERMINAL, WINDOW])
def test_a_battle_killed_at_any_moment_loses_its_last_answer_at_most(where: str, tmp_path: Path) -> None:
    found = kills(where, 3, 1, tmp_path)
    assert [kill for kill in found if kill.is_lost] == []
    assert max(kill.kept for kill in found) > 0


def test_what_is_lost_is_noticed(tmp_path: Path) -> None:
    assert not Kill(given=5, kept=4, is_over=False).is_lost
    assert Kill(given=5, kept=3, is_over=False).is_lost
    assert Kill(given=5, kept=-1, is_over=False, fault="a.journal: this is no journal").is_lost
    assert kept_in(tmp_path) == (None, 0, "")
    (tmp_path / "a.journal").write_text('{"journal":{}}\n')
    assert kept_in(tmp_path)[1] == -1


# full disks

SMALL = 2**15
"""The room for a file, in bytes: that of a journal of a few answers."""


def test_where_no_disk_has_room_the_person_is_told_and_plays_to_the_end(tmp_path: Path) -> None:
    """No file may grow beyond some bytes, as on disks that are full."""

    def little_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

    more = {"XDG_DATA_HOME": str(tmp_path / "own")}
    done = alone(BATTLE, "\n\nauto\n", folder=tmp_path, more=more, prepare=little_room)
    assert done.code == 0, done.err
    before, _, after = done.out.partition("Your answers cannot be kept (File too large)")
    assert "Suggested" in before
    assert "Suggested" in after
    assert done.out.count("cannot be kept") == 1
    assert "The battle is over" in after


def small_disk(folder: Path) -> list[str]:
    """Return a command that runs another while a small disk lies on a folder, or skip."""
    unshare = shutil.which("unshare")
    mount = f'mount -t tmpfs -o size={SMALL} none "{folder}"'
    wrapped = [
        unshare or "",
        "--map-root-user",
        "--mount",
        "sh",
        "-c",
        f'{mount} && cd "{folder}" && exec "$0" "$@"',
    ]
    if unshare is None or subprocess.run([*wrapped, "true"], capture_output=True, check=False).returncode:
        pytest.skip("no disk may be mounted here")
    return wrapped


def test_where_the_disk_fills_up_all_goes_on_in_the_user_s_own_folder(tmp_path: Path) -> None:
    full, own = tmp_path / "full", tmp_path / "own"
    full.mkdir()
    fill = f"open('filler', 'wb').write(bytes({SMALL} - 4096 * 4))"
    typed = "\n" * 12 + "quit\n"
    done = alone(
        BATTLE,
        typed,
        before=f"import os; {fill}",
        wrapped=small_disk(full),
        more={"XDG_DATA_HOME": str(own)},
    )
    assert done.code == 2
    assert "No space left on device" in done.out
    saves = own / "horde" / "saves"
    assert f"Go on with: horde battle --ask p1 --resume {saves}" in done.out
    assert [answers_in(path) for path in saves.iterdir()] == [12]


@pytest.mark.parametrize(
    "again", [None, ("--ask", "p1"), ()], ids=["ask", "resume", "resume by the autopilot"]
)
def test_a_replay_by_hand_that_cannot_be_written_lies_elsewhere(
    again: tuple[str, ...] | None, horde: Horde, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only what the autopilot plays is given again by the seed."""
    own = tmp_path / "own"
    own.mkdir()
    words = list(BATTLE)
    if again is not None:
        alone(BATTLE, "\n\nquit\n", folder=tmp_path)
        words = ["battle", *again, "--resume", str(tmp_path / "horde-7.save")]
    write = battle_command.write_replay

    def full(path: Path, *rest: object) -> None:
        if path.parent != own:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        write(path, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(battle_command, "write_replay", full)
    monkeypatch.setattr(battle_command, "own_folder", lambda: own)
    monkeypatch.setattr("sys.stdin", type("Hand", (), {"readline": lambda self: "auto\n"})())
    monkeypatch.chdir(tmp_path)
    done = horde(*words, "--replay", tmp_path / "a.replay")
    assert done.code == 2
    assert "the seed gives it again" not in done.err
    assert f"it is in {own / 'a.replay'}" in done.err
    assert read_replay(own / "a.replay").events
    done = horde("battle", "--seed", "7", "--rounds", "1", "--replay", tmp_path / "a.replay")
    assert "the seed gives it again" in done.err


def test_a_battle_that_is_driven_counts_its_answers(tmp_path: Path) -> None:
    driver = Driver(TERMINAL, tmp_path, None, 7)
    driver.wait(2)
    time.sleep(0.05)
    assert not driver.kill()
    assert driver.given >= 2
