"""Verifies the stored replays, or writes them anew.

    python scripts/replays.py [--pushed REF]            # verifies them
    python scripts/replays.py --write [--pushed REF]    # writes them for a format that has risen

The format (`FORMAT` in `engine/core/format.py`) rises with every change after which a stored replay no longer
verifies, at most once between two pushes. So nothing is written over replays that no longer verify while the
format is that of the last pushed commit: REF, or else the upstream of the branch, or the main branch of
origin, or HEAD where there is none of these. Exit code 1 where a replay of this format does not verify.

One replay of each older format stays in `tests/replays/older`: it can be watched, and no more.
"""

from __future__ import annotations

import gzip
import io
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import redirect_stdout
from itertools import cycle
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from ai.agents import agent
from datasheets.errors import HordeError
from datasheets.library import Library
from engine.core import event as ev
from engine.core.facts import HORDE
from engine.core.format import FORMAT
from engine.core.game import Game
from engine.core.play import Agent, play
from engine.core.replay import Replay, read_replay, write_replay
from engine.core.verify import verify
from engine.horde.setup import Options
from engine.systems import begin, new_game
from engine.w40k.battle import Battle
from engine.w40k.view import View
from viewer.terminal.terminal import Person

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "tests" / "replays"
OLDER = "older"
ENDING = ".replay.gz"
TYPED = ("", "1", "", "2", "none", "", "yes", "3", "no", "")
"""What a person types over and over: suggestions, choices, and what is asked again."""
RAISE = "raise FORMAT in engine/core/format.py and run: python scripts/replays.py --write"


class Stored(NamedTuple):
    """A battle whose replay is stored."""

    name: str
    faction: str
    points: int
    seed: int
    rounds: int = 2
    typed: tuple[str, ...] = ()
    """What a person types in the seat of the player; nothing: the autopilot plays."""
    disembarks: bool = False
    """Whether a Horde unit must disembark: seeds from this one on are tried until one does."""

    @property
    def file(self) -> str:
        """Return the name of its file."""
        return f"{self.name}{ENDING}"


BATTLES = (
    Stored("death-guard-1000", "death-guard", 1000, 1),
    Stored("death-guard-2000", "death-guard", 2000, 2),
    Stored("tyranids-1000", "tyranids", 1000, 3),
    Stored("tyranids-2000", "tyranids", 2000, 4),
    Stored("by-hand", "tyranids", 1000, 5, typed=TYPED),
    Stored("disembarking", "astra-militarum", 1000, 2, disembarks=True),
)


class Typing(io.StringIO):
    """A keyboard on which lines are typed over and over."""

    def __init__(self, lines: tuple[str, ...]) -> None:
        """Take the lines."""
        super().__init__()
        self._lines = cycle(lines)

    def readline(self, size: int | None = -1, /) -> str:
        """Return the next line."""
        return f"{next(self._lines)}\n"


def has_disembarked(events: Iterable[ev.Event]) -> bool:
    """Return whether a unit of the Horde disembarks in a log."""
    horde = set()
    for event in events:
        facts = getattr(event, "facts", None)
        if facts is not None and facts.side == HORDE:
            horde.add(facts.id)
        if isinstance(event, ev.Disembarked) and event.unit in horde:
            return True
    return False


def played(stored: Stored) -> Battle:
    """Return a battle of the list at its end."""
    game = _played(stored)
    while stored.disembarks and not has_disembarked(game.events):
        stored = stored._replace(seed=stored.seed + 1)
        game = _played(stored)
    return game


def _played(stored: Stored) -> Battle:
    library = Library(overrides=None)
    army = library.army(f"space-marines-{stored.points}")
    options = Options((army,), (stored.faction,), stored.points, rounds=stored.rounds, seed=stored.seed)
    game = new_game(options, library)
    player: Agent[View] = Person(agent("steady")) if stored.typed else agent("steady")
    keyboard, sys.stdin = sys.stdin, Typing(stored.typed)
    try:
        with redirect_stdout(io.StringIO()):
            play(game, {"horde": agent("horde"), "p1": player}, View)
    finally:
        sys.stdin = keyboard
    return game


def fault_of(file: Path) -> str:
    """Return why a replay of this format does not verify, nothing for all other replays."""
    try:
        replay = read_replay(file)
        if replay.header["format"] == FORMAT:
            verify(replay, Library(overrides=None), begin)
    except HordeError as fault:
        return str(fault)
    return ""


def format_of(body: bytes) -> int | None:
    """Return the format of a replay."""
    found = re.match(rb'\{"header":\{"format":(\d+),', gzip.decompress(body))
    return int(found[1]) if found else None


class Pushed(NamedTuple):
    """What was pushed last: the number of its format, and its replays by name."""

    format: int
    files: dict[str, bytes]


Git = Callable[..., bytes]


def git(*words: str) -> bytes:
    """Return what git prints, nothing where it fails."""
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, check=False)
    return done.stdout if done.returncode == 0 else b""


def pushed(ref: str, ask: Git = git) -> Pushed:
    """Return what was pushed last: at a commit, or at the first ref upstream that exists."""
    names = [ref] if ref else ["@{upstream}", "origin/HEAD", "origin/main", "HEAD"]
    commit = next((found for name in names if (found := ask("rev-parse", "--verify", "-q", name))), b"")
    if not commit:
        return Pushed(0, {})
    at = commit.decode().strip()
    # Older commits have the number in another module.
    lines = ask("grep", "-h", "^FORMAT = ", at, "--", "engine/core")
    told = re.search(rb"^FORMAT = (\d+)$", lines, re.MULTILINE)
    there = ask("ls-tree", "--name-only", at, "--", "tests/replays/").decode().split()
    files = {Path(name).name: ask("show", f"{at}:{name}") for name in there if name.endswith(ENDING)}
    return Pushed(int(told[1]) if told else 0, files)


def broken(folder: Path, before: Pushed) -> Iterator[tuple[str, str]]:
    """Yield each replay of this format that does not verify, stored here or pushed, and why."""
    for file in sorted(folder.glob(f"*{ENDING}")):
        fault = fault_of(file)
        if fault:
            yield file.name, fault
    with tempfile.TemporaryDirectory() as aside:
        for name, body in sorted(before.files.items() if before.format == FORMAT else ()):
            here = folder / name
            if here.exists() and here.read_bytes() == body:
                continue
            file = Path(aside) / name
            file.write_bytes(body)
            fault = fault_of(file)
            if fault:
                yield f"{name} as it was pushed", fault


def missing(folder: Path) -> list[Stored]:
    """Return the battles that have no replay of this format."""
    files = [(stored, folder / stored.file) for stored in BATTLES]
    return [each for each, file in files if not file.exists() or format_of(file.read_bytes()) != FORMAT]


def keep_older(folder: Path, before: Pushed) -> None:
    """Keep the first replay that was pushed, where it is of an older format."""
    body = before.files.get(BATTLES[0].file, b"")
    if body and before.format < FORMAT:
        (folder / OLDER).mkdir(exist_ok=True)
        (folder / OLDER / f"format-{before.format}{ENDING}").write_bytes(body)


def write(
    folder: Path,
    before: Pushed,
    faults: dict[str, str],
    play_one: Callable[[Stored], Game | Replay] = played,
) -> int:
    """Write the replays that are missing, and all where one does not verify; return how many."""
    wanted = BATTLES if faults else tuple(missing(folder))
    if wanted:
        keep_older(folder, before)
    for stored in wanted:
        game = play_one(stored)
        write_replay(folder / stored.file, game.header, list(game.lines))
    return len(wanted)


def main(
    write_anew: Annotated[bool, typer.Option("--write", help="Write them anew.")] = False,
    ref: Annotated[str, typer.Option("--pushed", help="The commit that was pushed last.")] = "",
    folder: Annotated[Path, typer.Option(help="Where they are stored.")] = FOLDER,
) -> None:
    """Verify the stored replays, or write them anew."""
    before = pushed(ref)
    faults = dict(broken(folder, before))
    sys.stdout.writelines(f"{name}: {fault}\n" for name, fault in faults.items())
    if faults and before.format >= FORMAT:
        sys.stdout.write(f"Format {FORMAT} is pushed, and what is stored of it no longer verifies: {RAISE}\n")
        raise typer.Exit(1)
    if write_anew:
        sys.stdout.write(f"{write(folder, before, faults)} replays of format {FORMAT} written\n")
        return
    left = [stored.file for stored in missing(folder)]
    if left:
        sys.stdout.write(f"not stored in format {FORMAT}: {', '.join(left)}\n")
    if faults or left:
        sys.stdout.write("Write them: python scripts/replays.py --write\n")
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)
