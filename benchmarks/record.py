"""Records the moves of units in whole battles, as data that any commit can plan again.

    python benchmarks/record.py DIR [--battles 40] [--sample FILE] [--count 200]

A file of DIR holds the moves of one battle; battles that are there are not played again. The battles are of
ten factions against five armies. Each fourth is on a table with walls and floors (`benchmarks/walled.py`).
Each runs in a process of its own, and what it raises stands in its file. One more file holds those moves on
walled tables once more that can begin on a floor (`benchmarks/lifting.py`).

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
from benchmarks.lifting import lift
from benchmarks.recorded import CALLS, SUFFIX, Data, RecordedMove, moves_of, sections_of
from benchmarks.walled import LAYOUTS, make
from benchmarks.writing import Writing, compressed, written
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
    if given.arguments.get("is_first"):
        # Only whether there is a move was asked: it is not to be made, and no move to compare.
        return planner(*words, **named)
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


def files_of(folder: Path, battles: int) -> list[Path]:
    """Return the files of these battles, recorded if need be, and that of moves from floors."""
    record(folder, battles)
    found = [folder / f"{job.name}{SUFFIX}" for job in jobs(battles)]
    return [*found, lift([file for job, file in zip(jobs(battles), found, strict=True) if job.layout])]


Sort = tuple[str, str, bool, bool]


def sort_of(move: RecordedMove) -> Sort:
    """Return the kind of a move, its shapes, and whether on a walled table and from a floor."""
    return move.kind, move.shapes, move.is_walled, move.is_high


def chosen(moves: Sequence[RecordedMove], count: int) -> set[str]:
    """Return the names of some moves: those of the least hashes, and of each sort some at least."""
    ordered = sorted(moves, key=lambda move: sha256(move.name.encode()).digest())
    taken: Counter[Sort] = Counter()
    found: list[str] = []
    for move in ordered:
        if taken[sort_of(move)] < LEAST_OF_A_SORT:
            found.append(move.name)
            taken[sort_of(move)] += 1
    others = [move.name for move in ordered if move.name not in found]
    return {*found, *others[: max(count - len(found), 0)]}


def write_sample(files: Sequence[Path], sample: Path, count: int) -> None:
    """Write some of the moves of files into one file."""
    names = chosen([move for file in files for move in moves_of(file)], count)
    lines: list[str] = []
    for file in files:
        for section in sections_of(file):
            section.moves = [told for told in section.moves if told["name"] in names]
            lines += written(section)
    sample.parent.mkdir(parents=True, exist_ok=True)
    sample.write_bytes(compressed(lines))


def counted(files: Sequence[Path]) -> Counter[str]:
    """Return the number of moves of each kind, of each shape, on walled tables, from floors."""
    found: Counter[str] = Counter()
    for move in (move for file in files for move in moves_of(file)):
        found.update(("all", move.kind, move.shapes))
        found.update({"on walled tables": int(move.is_walled), "from floors": int(move.is_high)})
    return found


def main(
    folder: Annotated[Path, typer.Argument(help="The folder of the record.")],
    battles: Annotated[int, typer.Option(min=1, help="The number of battles.")] = BATTLES,
    sample: Annotated[Path | None, typer.Option(help="The file of the sample.")] = None,
    count: Annotated[int, typer.Option(min=1, help="The number of moves of the sample.")] = SAMPLE,
) -> None:
    """Record the moves of battles."""
    files = files_of(folder, battles)
    if sample is not None:
        write_sample(files, sample, count)
    for name, number in counted(files).most_common():
        print(f"{number:6} {name}")


if __name__ == "__main__":
    typer.run(main)
