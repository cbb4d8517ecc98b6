"""Kills battles that persons play at random moments, and looks for what is lost.

    python scripts/killed.py --kills 100 [--where terminal,window] [--seed 1]

A process of its own plays a battle by suggestions in the terminal (`horde battle --ask p1`) or in
the window (`horde play`, without a screen). After some answers and a moment of chance it is killed, as by
`kill -9`. Its journal must then be readable and hold every answer that was given, but the last at most. The
next process takes the journal up and plays on from there. Exit code 1 where anything was lost.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import IO, Annotated, NamedTuple

import typer

ROOT = Path(__file__).resolve().parent.parent
TERMINAL = "terminal"
WINDOW = "window"
PLAYER = "p1"
ROUNDS = 1
MOST_ANSWERS = 6
"""The most answers that are given before a kill."""
LONGEST_MOMENT = 0.4
"""The longest time from these answers to the kill, in seconds; more are given in it."""
PATIENCE = 120.0
"""The longest wait for an answer, in seconds."""
PROMPT, ANSWERED = b" > ", b"answered\n"
"""What the terminal prints where it waits for a line, and the window here after an answer."""
OVER = b"The battle is over"
"""What both print at the end of a battle; its journal goes after that."""


class Kill(NamedTuple):
    """What was left after a kill."""

    given: int
    """The answers of the person that were given, those of the processes before with them."""
    kept: int
    """Those of them that the journal holds; -1 where it cannot be read."""
    is_over: bool
    """Whether the battle ended before it was killed."""
    fault: str = ""

    @property
    def is_lost(self) -> bool:
        """Return whether more is lost than the last answer."""
        return bool(self.fault) or (not self.is_over and self.kept < self.given - 1)


class Driver:
    """A battle in a process of its own, answered by suggestions until it is killed."""

    def __init__(self, where: str, folder: Path, resumed: Path | None, seed: int) -> None:
        """Start the process, and a thread that gives its answers."""
        self.where = where
        self.given = 0
        self.is_over = False
        self.changed = threading.Condition()
        own = {"XDG_DATA_HOME": str(folder / "own"), "SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"}
        own["PYTHONPATH"] = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH", ""))))
        self.process = subprocess.Popen(
            command_of(where, resumed, seed),
            cwd=folder,
            env=os.environ | own,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=(folder / "errors").open("ab"),
        )
        self._thread = threading.Thread(target=self._answer, daemon=True)
        self._thread.start()

    def _answer(self) -> None:
        """Give an answer wherever one is asked for, and count them."""
        told, asked = self.process.stdout, self.process.stdin
        assert told is not None
        assert asked is not None
        mark = PROMPT if self.where == TERMINAL else ANSWERED
        for found in marks(told, mark, OVER):
            if found == OVER:
                self.is_over = True
                continue
            if self.where == TERMINAL:
                try:
                    asked.write(b"\n")
                    asked.flush()
                except OSError:
                    return
            with self.changed:
                self.given += 1
                self.changed.notify_all()

    def wait(self, answers: int) -> None:
        """Wait until answers are given, or the battle is over."""
        end = time.monotonic() + PATIENCE
        with self.changed:
            while self.given < answers and self.process.poll() is None and time.monotonic() < end:
                self.changed.wait(0.05)

    def kill(self) -> bool:
        """Kill the process; return whether the battle was over."""
        has_ended = self.process.poll() is not None
        self.process.kill()
        self.process.wait()
        self._thread.join()
        return has_ended or self.is_over


def marks(told: IO[bytes], *wanted: bytes) -> Iterator[bytes]:
    """Yield each of some marks as it is printed."""
    longest = max(map(len, wanted))
    tail = b""
    while sign := told.read(1):
        tail = (tail + sign)[-longest:]
        yield from (mark for mark in wanted if tail.endswith(mark))


def command_of(where: str, resumed: Path | None, seed: int) -> list[str]:
    """Return the command line of a battle."""
    if where == WINDOW:
        return [
            sys.executable,
            str(Path(__file__).resolve()),
            "--window",
            str(resumed or ""),
            "--seed",
            str(seed),
        ]
    more = ["--resume", str(resumed)] if resumed else ["--seed", str(seed), "--rounds", str(ROUNDS)]
    start = "from viewer.cli import main; main()"
    return [sys.executable, "-c", start, "battle", "--ask", PLAYER, *more]


def play_in_window(file: Path | None, seed: int) -> None:
    """Play a battle in a window without a screen, by suggestions; print a line after each."""
    import pygame

    from datasheets.library import Library
    from engine.horde.setup import Options
    from viewer.commands import play_command
    from viewer.input.seat import Seated
    from viewer.window import watching
    from viewer.window.window import Window

    def watch(source: Seated, jump: str | None = None, **_: object) -> None:
        pygame.display.init()
        window = Window(pygame.display.set_mode((900, 600)), source)
        if jump is not None:
            window.playback.jump(jump)
        window.playback.playing = True
        while not (source.ended and window.playback.at_end):
            asked, given = window.player.asked, len(source.game.answers)
            if window.turn.is_open:
                window.turn.close()
            if asked is None:
                source.wait()
                window.tick(60.0)
                continue
            # Enter takes what is suggested once that is known.
            assert asked.advice is not None
            window.player.enter("")
            if len(source.game.answers) > given:
                sys.stdout.write("answered\n")
                sys.stdout.flush()

    def options(library: Library) -> Options:
        army = library.army("space-marines-1000")
        return Options((army,), ("death-guard",), rounds=ROUNDS, seed=seed)

    watching.watch = watch  # type: ignore[assignment]
    play_command.run(file, options, autopilot="steady", ask=(), aside=None, out=None)


def kept_in(folder: Path) -> tuple[Path | None, int, str]:
    """Return the newest journal of a folder, the answers of the person in it, and its fault."""
    from datasheets.errors import HordeError
    from engine.core.journal import read_journal
    from engine.core.log import AnswerLine
    from viewer.commands.keeping import left_over

    found = left_over(folder)
    if not found:
        return None, 0, ""
    try:
        _, lines = read_journal(found[0])
    except HordeError as fault:
        return found[0], -1, str(fault)
    return found[0], sum(isinstance(line, AnswerLine) and line.seat == PLAYER for line in lines), ""


def kills(
    where: str, count: int, seed: int, folder: Path, tell: Callable[[Kill], None] = lambda _: None
) -> list[Kill]:
    """Kill battles this many times, each taken up again until it is over; return what was left.

    `tell` is given what each kill left, as it happens.
    """
    chance = Random(f"{where}/{seed}")
    found: list[Kill] = []
    before, resumed, battles = 0, None, 0
    place = folder
    while len(found) < count:
        if resumed is None:
            battles += 1
            place = folder / f"{where}-{battles}"
            place.mkdir()
        driver = Driver(where, place, resumed, seed + battles)
        driver.wait(chance.randrange(MOST_ANSWERS + 1))
        time.sleep(chance.uniform(0.0, LONGEST_MOMENT))
        is_over = driver.kill()
        errors = (place / "errors").read_text(errors="replace").strip()
        file, kept, fault = kept_in(place)
        if is_over and driver.process.returncode not in (0, -signal.SIGKILL):
            fault = f"it ended with exit code {driver.process.returncode}: {errors}"
        found.append(Kill(before + driver.given, kept, is_over, fault))
        tell(found[-1])
        before, resumed = kept, file
        if is_over or fault or file is None:
            before, resumed = 0, None
    return found


def told(kill: Kill) -> None:
    """Print what a kill left."""
    end = "over" if kill.is_over else "LOST" if kill.is_lost else "kept"
    sys.stdout.write(f"  {end}: {kill.kept} of {kill.given} answers\n")
    sys.stdout.flush()


def main(
    count: Annotated[int, typer.Option("--kills", help="The number of kills in each place.")] = 100,
    where: Annotated[str, typer.Option(help="Where it is played.")] = f"{TERMINAL},{WINDOW}",
    seed: Annotated[int, typer.Option(help="The seed of the battles and the moments.")] = 1,
    window: Annotated[str | None, typer.Option(hidden=True)] = None,
) -> None:
    """Kill battles and print what was lost."""
    if window is not None:
        play_in_window(Path(window) if window else None, seed)
        return
    is_lost = False
    for place in where.split(","):
        with tempfile.TemporaryDirectory() as folder:
            found = kills(place, count, seed, Path(folder), told)
        lost = [kill for kill in found if kill.is_lost]
        last = sum(not kill.is_over and kill.kept == kill.given - 1 for kill in found)
        over, answered = sum(kill.is_over for kill in found), sum(kill.given > 0 for kill in found)
        sys.stdout.write(
            f"{place}: {len(found)} kills, {over} after the end of a battle, {answered} after an answer; "
            f"the last answer lost {last} times, more lost {len(lost)} times\n"
        )
        sys.stdout.writelines(f"  {kill}\n" for kill in lost)
        is_lost = is_lost or bool(lost)
    if is_lost:
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)
