"""Reads files that chance has damaged: nothing but our own errors may come of it.

    python scripts/fuzz.py --minutes 10 [--readers replay,save,journal,army,list,scenario,overrides]

A case takes a good file, changes bytes of it or values in it, and gives it to its reader, as a command would.
Each batch of cases runs in a process of its own, with bounds on time and memory. What raises another error,
or takes too long, is printed with the number that makes the case again. A run goes on where an earlier one
ended; exit code 1 where anything was found.
"""

from __future__ import annotations

import io
import json
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from random import Random
from typing import Annotated, Any, NamedTuple

import typer
from rich.console import Console
from series import Row, play_all, row_of, told

from ai.agents import agent
from datasheets.errors import HordeError
from datasheets.library import EDITION, Library
from datasheets.overrides import load_overrides
from engine.core.journal import Journal
from engine.core.play import play
from engine.core.replay import write_replay
from engine.core.save import save
from engine.horde.setup import Options
from engine.systems import new_game
from engine.w40k.view import View
from viewer.commands.army_command import check_army
from viewer.commands.explanation import explain_replay
from viewer.commands.import_command import import_army
from viewer.commands.keeping import taken_up
from viewer.commands.recorded import recording
from viewer.commands.replay_command import tell, tell_all
from viewer.commands.scenario_command import run

ROOT = Path(__file__).resolve().parent.parent
CASES = 40
"""The number of cases of a batch."""
SECONDS = 60
"""The longest that a case may take."""
MEMORY = 4 * 2**30
"""The most memory of a batch, in bytes."""
LONGEST = 3000
"""The most characters of a sentence that refuses a file."""
ODD: tuple[Any, ...] = (
    *(None, True, -1, 0, 7, 99999, 10**18, 10**40, 1e308, -0.0, 0.1),
    *("", "nobody", "x" * 5000, "\x1b[2J", "\u202e", "p1", "horde"),
    *([], {}, [[]], {"a": 1}, [1, 2]),
)
"""What stands in the place of a value."""


class Batch(NamedTuple):
    """Some cases of one reader."""

    reader: str
    number: int

    @property
    def key(self) -> str:
        """Return the name under which it is found again."""
        return f"{self.reader}/{self.number}"


def _battle_files(folder: Path) -> dict[str, list[Path]]:
    """Return files of a short battle: a replay, packed and not, a save and a journal."""
    library = Library()
    game = new_game(
        Options((library.army("space-marines-1000"),), ("tyranids",), 1000, rounds=1, seed=3), library
    )
    agents = {"horde": agent("horde"), "p1": agent("steady")}
    play(game, agents, View, until=lambda game: len(game.answers) >= 12)
    save(game, folder / "good.save")
    Journal(folder / "good.journal", game).close()
    play(game, agents, View)
    files = [folder / "good.replay", folder / "good.replay.gz"]
    for file in files:
        write_replay(file, game.header, game.lines)
    return {"replay": files, "save": [folder / "good.save"], "journal": [folder / "good.journal"]}


@cache
def good_files(reader: str) -> list[tuple[str, bytes]]:
    """Return the endings and bytes of the good files of a reader."""
    if reader in ("replay", "save", "journal"):
        with tempfile.TemporaryDirectory() as folder:
            made = _battle_files(Path(folder))[reader]
            return [("".join(file.suffixes), file.read_bytes()) for file in made]
    if reader == "overrides":
        sheets = {"orks/boyz": {"points": {"10": 85}}}
        text = json.dumps({"edition": EDITION, "datasheets": sheets})
        return [(".json", text.encode())]
    folders = {
        "army": ROOT / "assets" / "armies",
        "list": ROOT / "tests" / "datasheets" / "rosters" / "lists",
        "scenario": ROOT / "tests" / "scenarios",
    }
    files = sorted(path for path in folders[reader].rglob("*") if path.is_file())
    return [(path.suffix, path.read_bytes()) for path in files]


def _read_replay(file: Path) -> None:
    """Read a replay as each command does."""
    for read in (lambda: tell(file, False), lambda: tell_all(file, "all"), lambda: recording(file)):
        read()
    explain_replay(file, "", None, False)


READERS: dict[str, Callable[[Path], object]] = {
    "replay": _read_replay,
    "save": lambda file: taken_up(file, Library()),
    "journal": lambda file: taken_up(file, Library()),
    "army": lambda file: check_army(str(file), "1000", "1", "0", "0"),
    "list": lambda file: import_army(str(file), file.with_suffix(".made")),
    "scenario": lambda file: run([file], "", False, 1),
    "overrides": lambda file: load_overrides(file, EDITION),
}
"""What reads a file, by the name of the reader."""


def damaged(body: bytes, chance: Random) -> bytes:
    """Return a file of which chance has changed bytes, or values where it is JSON or TOML."""
    changes = [_with_other_bytes, _cut, _doubled]
    if b"\x00" not in body[:1000]:
        changes += [_with_other_value] * 4
    for _ in range(chance.choice((1, 1, 1, 2, 5))):
        body = chance.choice(changes)(body, chance)
    return body


def _with_other_bytes(body: bytes, chance: Random) -> bytes:
    found = bytearray(body)
    for _ in range(chance.choice((1, 3, 20))):
        if found:
            found[chance.randrange(len(found))] = chance.randrange(256)
    return bytes(found)


def _cut(body: bytes, chance: Random) -> bytes:
    at = chance.randrange(len(body) + 1)
    return body[:at] if chance.random() < 0.5 else body[:at] + body[at + chance.randrange(1, 200) :]


def _doubled(body: bytes, chance: Random) -> bytes:
    lines = body.split(b"\n")
    at, to = chance.randrange(len(lines)), chance.randrange(len(lines))
    lines.insert(to, lines[at])
    return b"\n".join(lines)


def _with_other_value(body: bytes, chance: Random) -> bytes:
    lines = body.split(b"\n")
    at = chance.randrange(len(lines))
    try:
        row = json.loads(lines[at])
    except (ValueError, RecursionError):
        key, is_pair, _ = lines[at].partition(b"=")
        if is_pair:
            lines[at] = key + b"= " + json.dumps(chance.choice(ODD)).encode()
        return b"\n".join(lines)
    places = list(_places(row))
    if places:
        holder, key_of = chance.choice(places)
        if isinstance(holder, dict) and chance.random() < 0.2:
            holder[chance.choice(("0", "nobody", "unit"))] = holder.pop(key_of)
        elif isinstance(holder, dict) and chance.random() < 0.2:
            del holder[key_of]
        else:
            holder[key_of] = chance.choice(ODD)
        lines[at] = json.dumps(row).encode()
    return b"\n".join(lines)


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each place of a value within another: what holds it, and its key."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from _places(value[key])


class TooLong(Exception):  # noqa: N818 - a finding and no fault of the program
    """A case that took too long."""


def _stop(*_: object) -> None:
    raise TooLong


def fault_of(reader: str, seed: str) -> str:
    """Return the fault of a case: an error that is not ours, or too long a time."""
    chance = Random(seed)
    ending, good = chance.choice(good_files(reader))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"case{ending}"
        file.write_bytes(damaged(good, chance))
        signal.signal(signal.SIGALRM, _stop)
        signal.alarm(SECONDS)
        try:
            with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
                READERS[reader](file)
        except HordeError as refused:
            return "" if len(str(refused)) <= LONGEST else f"a sentence of {len(str(refused))} characters"
        except (typer.Exit, SystemExit):
            return ""
        except TooLong:
            return f"it took more than {SECONDS} seconds"
        except BaseException:
            return traceback.format_exc(limit=-3)
        finally:
            signal.alarm(0)
    return ""


def tried(batch: Batch) -> Row:
    """Return the faults of a batch by the seeds of their cases."""
    return row_of(batch, {"key": batch.key}, _tried)


def _tried(batch: Batch) -> Row:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    faults = {}
    for case in range(CASES):
        seed = f"{batch.key}/{case}"
        fault = fault_of(batch.reader, seed)
        if fault:
            faults[seed] = fault
    return {"faults": faults}


def main(
    minutes: Annotated[float, typer.Option(help="How long each reader is tried.")] = 10.0,
    readers: Annotated[str, typer.Option(help="Which readers.")] = ",".join(READERS),
    workers: Annotated[int, typer.Option(help="Batches at a time.")] = 2,
    out: Annotated[Path, typer.Option(help="The file of the results.")] = Path("out/fuzz.jsonl"),
) -> None:
    """Try each reader for some minutes."""
    console = Console(file=sys.stdout)
    found = False
    for reader in readers.split(","):
        end, number, rows = time.monotonic() + 60 * minutes, 0, list[Row]()
        while time.monotonic() < end:
            batches = [Batch(reader, number + step) for step in range(workers)]
            rows += play_all(tried, batches, workers, out, told(console))
            number += workers
        faults = {seed: fault for row in rows for seed, fault in row.get("faults", {}).items()}
        faults |= {row["key"]: row["error"] for row in rows if "error" in row}
        console.print(f"{reader}: {CASES * len(rows)} cases, {len(faults)} faults", highlight=False)
        for seed, fault in faults.items():
            console.print(f"{seed}: {fault}", highlight=False, markup=False)
        found = found or bool(faults)
    if found:
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)
