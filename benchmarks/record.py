"""Records the moves of units in whole battles, as data that any commit can plan again.

    python benchmarks/record.py DIR [--battles 40] [--sample FILE] [--count 200]

A file of DIR holds the moves of one battle; battles that are there are not played again. The battles are of
ten factions against five armies. Each fourth is on a table with walls and floors (`benchmarks/walled.py`).
Each runs in a process of its own, and what it raises stands in its file.

`--sample` writes some of the moves of DIR into one file: those of the least hashes, of each sort some.
"""

from __future__ import annotations

import json
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from hashlib import sha256
from importlib import import_module
from inspect import signature
from multiprocessing import get_context
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import Annotated, Any, NamedTuple

if __name__ == "__main__":
    # This folder has a module called like a package: it must not stand before it.
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

import typer

import ai.moving
from ai.agents import agent
from benchmarks.recorded import CALLS, SUFFIX, Data, Reading, RecordedMove, lines_of, moves_of
from benchmarks.walled import LAYOUTS, make
from benchmarks.writing import Writing, compressed
from datasheets.library import Library
from engine.core import state
from engine.core.game import Game
from engine.core.play import play
from engine.horde.setup import Options
from engine.systems import header_of, new_game
from engine.w40k.view import View
from geometry.group import group_move
from geometry.shape import convex_shape

FACTIONS = (
    "death-guard",
    "tyranids",
    "astra-militarum",
    "orks",
    "necrons",
    "chaos-knights",
    "chaos-daemons",
    "aeldari",
    "genestealer-cults",
    "world-eaters",
)
ARMIES = ("space-marines", "tau-empire", "astra-militarum", "tyranids", "imperial-knights")
POINTS = 2000
BATTLES = 40
WALLED_EACH = 4
"""One battle in this many is on a table with walls and floors."""
MOST_ANSWERS = 20_000
"""A battle that is not over by then has stalled."""
WALLED_ASSETS = "walled-assets"
"""The folder, in that of the record, of the assets with walls and floors."""
SAMPLE = 200
LEAST_OF_A_SORT = 4


class Job(NamedTuple):
    """One battle that is recorded."""

    seed: int
    faction: str
    army: str
    layout: str
    """The walled layout; nothing where the seed draws one of those that are shipped."""

    @property
    def name(self) -> str:
        """Return the name of its file."""
        return f"{self.seed:03}-{self.faction}{'-walled' if self.layout else ''}"


def jobs(count: int) -> list[Job]:
    """Return this many battles, the factions, the armies and the walled layouts in turn."""
    found = []
    for i in range(count):
        walled, is_plain = divmod(i, WALLED_EACH)
        layout = "" if is_plain else LAYOUTS[walled % len(LAYOUTS)]
        # Shifted in each round, or a faction would always meet the same army.
        army = ARMIES[(i + i // len(FACTIONS)) % len(ARMIES)]
        found.append(Job(i + 1, FACTIONS[i % len(FACTIONS)], army, layout))
    return found


def planning_modules() -> list[ModuleType]:
    """Return the modules that call planners of units."""
    return [import_module(f"{ai.moving.__name__}.{each.name}") for each in iter_modules(ai.moving.__path__)]


@contextmanager
def recording(writing: Writing) -> Iterator[None]:
    """Write down each call of a planner that `ai.moving` makes meanwhile."""
    real: list[tuple[ModuleType, str, Any]] = []

    def put(module: ModuleType, name: str, wrapped: Callable[..., Any]) -> None:
        real.append((module, name, getattr(module, name)))
        setattr(module, name, wrapped)

    for name in CALLS:
        planner: Callable[..., Any] = getattr(group_move, name)
        for module in planning_modules():
            if getattr(module, name, None) is planner:
                put(module, name, partial(_written, writing, planner, name))
    # The cores of bases on the table are told by base and facing: a commit makes them in its own way.
    for module in (state, convex_shape):
        put(module, "core_of", partial(_noted, writing, convex_shape.core_of))
    try:
        yield
    finally:
        for module, name, own in reversed(real):
            setattr(module, name, own)


def _written(writing: Writing, planner: Callable[..., Any], name: str, *words: Any, **named: Any) -> Any:
    given = signature(planner).bind(*words, **named)
    given.apply_defaults()
    asked = writing.asked(name, given.arguments)
    outcome = planner(*words, **named)
    writing.write(asked, outcome)
    return outcome


def _noted(writing: Writing, make_core: Callable[..., Any], base: Any, facing: float = 0.0) -> Any:
    core = make_core(base, facing)
    writing.note(core, base, facing)
    return core


def options_of(job: Job, library: Library, points: int = POINTS) -> Options:
    """Return the options of a battle."""
    army = library.army(f"{job.army}-{points}")
    options = Options((army,), (job.faction,), points, seed=job.seed)
    if not job.layout:
        return options
    deployment = library.layout(job.layout).deployment
    return Options((army,), (job.faction,), points, seed=job.seed, deployment=deployment, layout=job.layout)


def recorded(job: Job, library: Library, points: int = POINTS, rounds: int = 5) -> Writing:
    """Return the moves of a battle. What it raises stands in the line of the battle."""
    options = options_of(job, library, points)
    about: Data = {**job._asdict(), "name": job.name, "walled": bool(job.layout), "points": points}
    about["layout"] = header_of(options, library)["setup"]["layout"]
    writing = Writing(about)
    error = ""
    with recording(writing):
        try:
            _play(options, library, rounds)
        except Exception:
            error = traceback.format_exc(limit=-4)
    writing.lines[0] = json.dumps({"battle": {**about, "error": error}})
    return writing


def _play(options: Options, library: Library, rounds: int) -> None:
    answers = 0

    def count(game: Game) -> None:
        nonlocal answers
        answers += 1
        if answers > MOST_ANSWERS:
            raise RuntimeError(f"not over after {MOST_ANSWERS} answers")

    def is_over(game: Game) -> bool:
        return bool(game.state.round > rounds)

    game = new_game(options, library)
    play(game, {"horde": agent("horde"), "p1": agent("steady")}, View, until=is_over, watch=count)


def _record(job: Job, folder: Path) -> str:
    """Record a battle into its file, and return what it shows."""
    library = Library(assets=folder / WALLED_ASSETS) if job.layout else Library()
    writing = recorded(job, library)
    path = folder / f"{job.name}{SUFFIX}"
    writing.save(path)
    about = json.loads(writing.lines[0])["battle"]
    size = path.stat().st_size / 1e6
    return f"{job.name}: {writing.count} moves, {size:.2f} MB{' RAISED' if about['error'] else ''}"


def record(folder: Path, battles: int) -> None:
    """Record the battles of a folder that are not there yet, each in a process of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    left = [job for job in jobs(battles) if not (folder / f"{job.name}{SUFFIX}").exists()]
    if left and not (folder / WALLED_ASSETS).exists():
        make(folder / WALLED_ASSETS)
    context = get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context, max_tasks_per_child=1) as pool:
        for told in pool.map(partial(_record, folder=folder), left):
            print(told, file=sys.stderr, flush=True)


def sort_of(move: RecordedMove) -> tuple[str, str, bool]:
    """Return what kind a move is, of which shapes, and whether on a table with walls and floors."""
    return move.kind, move.shapes, move.is_walled


def chosen(moves: Sequence[RecordedMove], count: int) -> set[str]:
    """Return the names of some moves: those of the least hashes, and of each sort some at least."""
    ordered = sorted(moves, key=lambda move: sha256(move.name.encode()).digest())
    taken: Counter[tuple[str, str, bool]] = Counter()
    found: list[str] = []
    for move in ordered:
        if taken[sort_of(move)] < LEAST_OF_A_SORT:
            found.append(move.name)
            taken[sort_of(move)] += 1
    others = [move.name for move in ordered if move.name not in found]
    return {*found, *others[: max(count - len(found), 0)]}


def write_sample(folder: Path, file: Path, count: int) -> None:
    """Write a sample of the moves of a folder into one file."""
    names = chosen(list(moves_of(folder)), count)
    lines: list[str] = []
    for path in sorted(folder.glob(f"*{SUFFIX}")):
        lines += _only(path, names)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(compressed(lines))


def _only(path: Path, names: set[str]) -> Iterator[str]:
    """Yield the lines of a file that the moves of these names need."""
    rows = list(lines_of(path))
    things = {row["thing"]: row for row in rows if "thing" in row}
    moves = [row for row in rows if "move" in row and row["move"]["name"] in names]
    needed: set[int] = set()
    for row in moves:
        reading = Reading(things)
        RecordedMove(row["move"], {}, reading).question()
        needed.update(reading.made)
    yield from (json.dumps(row) for row in rows if "battle" in row and moves)
    yield from (json.dumps(things[number]) for number in sorted(needed))
    yield from map(json.dumps, moves)


def counted(folder: Path) -> Counter[str]:
    """Return how many moves there are of each kind, of each shape and on walled tables."""
    found: Counter[str] = Counter()
    for move in moves_of(folder):
        found.update(("all", move.kind, move.shapes, *(("on walled tables",) if move.is_walled else ())))
    return found


def main(
    folder: Annotated[Path, typer.Argument(help="The folder of the record.")],
    battles: Annotated[int, typer.Option(min=1, help="The number of battles.")] = BATTLES,
    sample: Annotated[Path | None, typer.Option(help="The file of the sample.")] = None,
    count: Annotated[int, typer.Option(min=1, help="The number of moves of the sample.")] = SAMPLE,
) -> None:
    """Record the moves of battles."""
    record(folder, battles)
    if sample is not None:
        write_sample(folder, sample, count)
    for name, number in counted(folder).most_common():
        print(f"{number:6} {name}")


if __name__ == "__main__":
    typer.run(main)
