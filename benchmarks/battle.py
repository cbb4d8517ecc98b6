"""Measures whole battles: from the start of the command to its end, and what each phase takes of it.

    python benchmarks/battle.py [--json] [--points 1000] [--seeds 10]

Prints a table, or with `--json` each figure by name. All is processor time of one process at a time; the unit
of comparison is a pair of the 16 x 16 shapely loop of `benchmarks/geometry.py`, timed in the same run.

A battle is measured three ways: as the command, start and library included; in process, on a map where
nobody has been; and in process once more on a map where another battle was fought before, so that its path
graphs are there. What the graphs take is the difference, and is told apart.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Annotated, TypeVar

from msgspec.structs import replace

if __name__ == "__main__":
    # This folder has a module called like a package that it measures: it must not stand before it.
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

import typer
from rich.console import Console
from rich.table import Table

from ai.agents import agent
from benchmarks.sights import LoopTimes, loop_times
from benchmarks.timing import Figure
from datasheets.library import Library
from engine.core.game import Game
from engine.core.play import play
from engine.horde.setup import Options
from engine.systems import header_of, new_game
from engine.w40k.view import View
from viewer.cli import seldom_collect

FACTIONS = ("death-guard", "tyranids")
PAIRS = {1000: 600}
"""So many pairs of the loop a battle of so many points may take at the most, as the command."""
CORE_PAIRS = {2000: 300}
"""Likewise in process, after imports, library and path graphs."""
REPEATS = 3
"""Each battle and each pair of the loop is timed so often: what counts is the least, as machines falter."""
LOOP_BOARDS = 4
"""The loop is timed on so many boards: what lies in the way of rays differs from one to the next."""
ELSEWHERE = 1000
"""The seed of the battle that was fought on a map before is so much higher."""
OUTSIDE = "set-up"
FORK = get_context("fork")
T = TypeVar("T")
START = "from viewer.cli import main; main()"


def whole(points: int, seed: int) -> float:
    """Return the processor time of `horde battle`, start and library included."""
    faction = FACTIONS[seed % len(FACTIONS)]
    command = [sys.executable, "-c", START, "battle", "--faction", faction, "--points", str(points)]
    command += ["--seed", str(seed), "--json"]
    # Told to write no bytecode it would compile every module anew, as no user's second start does.
    own = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True, cwd=sys.path[0], env=own)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def options_of(points: int, seed: int, library: Library) -> Options:
    """Return the options of the battle of a seed, on the layout that the seed draws."""
    army = library.army(f"space-marines-{points}")
    options = Options((army,), (FACTIONS[seed % len(FACTIONS)],), points, seed=seed)
    setup = header_of(options, library)["setup"]
    return replace(options, deployment=setup["deployment"], layout=setup["layout"])


def phases(options: Options, library: Library) -> dict[str, float]:
    """Return what each phase of a battle takes, both sides together, in process."""
    spent: defaultdict[str, float] = defaultdict(float)
    began = time.process_time()
    game = new_game(options, library)
    last, phase = time.process_time(), OUTSIDE
    spent[OUTSIDE] += last - began

    def note(game: Game) -> None:
        nonlocal last, phase
        now = time.process_time()
        spent[phase] += now - last
        last, phase = now, game.state.phase or OUTSIDE

    play(game, {"horde": agent("horde"), "p1": agent("steady")}, View, watch=note)
    return spent


def core(options: Options, library: Library) -> float:
    """Return what a battle takes in process where another was fought on the same map before."""
    phases(replace(options, seed=options.seed + ELSEWHERE), library)
    return sum(phases(options, library).values())


def engine_alone(options: Options, library: Library) -> float:
    """Return what a battle takes whose answers are all given from a record of it: no choice, no plan."""
    told = new_game(options, library)
    play(told, {"horde": agent("horde"), "p1": agent("steady")}, View)
    began = time.process_time()
    game = new_game(options, library)
    for line in told.answers:
        game.submit(line.value, line.seat)
    return time.process_time() - began


def apart(what: Callable[[], T]) -> T:
    """Return what a call returns in a process of its own, which remembers nothing of earlier battles.

    It looks for garbage as the command does.
    """

    def tell() -> None:
        seldom_collect()
        teller.send(what())

    told, teller = FORK.Pipe(duplex=False)
    child = FORK.Process(target=tell)
    child.start()
    teller.close()
    found: T = told.recv()
    child.join()
    return found


@dataclass(frozen=True, slots=True)
class Measured:
    """What the battle of one seed takes, in seconds, and a pair of the loop beside it."""

    took: float
    spent: dict[str, float]
    core: float
    engine: float
    loop: LoopTimes

    @property
    def fresh(self) -> float:
        """Return what it takes in process."""
        return sum(self.spent.values())


def measured(points: int, seed: int, library: Library) -> Measured:
    """Return what a battle takes. The loop is timed right beside it: machines change their pace."""
    options = options_of(points, seed, library)
    took = min(whole(points, seed) for _ in range(REPEATS))
    spent = min(
        (apart(partial(phases, options, library)) for _ in range(REPEATS)),
        key=lambda each: sum(each.values()),
    )
    again = min(apart(partial(core, options, library)) for _ in range(REPEATS))
    alone = min(apart(partial(engine_alone, options, library)) for _ in range(REPEATS))
    return Measured(took, spent, again, alone, loop_times(LOOP_BOARDS, REPEATS))


def figures(points: int, seeds: int) -> list[Figure]:
    """Return the figures of battles of one size over so many seeds, medians."""
    library = Library()
    battles = [measured(points, seed, library) for seed in range(1, seeds + 1)]
    took, fresh = median(each.took for each in battles), median(each.fresh for each in battles)
    cores = median(each.core for each in battles)
    most, core_most = PAIRS.get(points), CORE_PAIRS.get(points)
    told = "a battle over one pair of the 16 x 16 loop, none of its rays free"
    core_told = "the same without start, library and path graphs"
    engine_told = "of that the engine: every answer given from a record, checked and carried out"
    pairs = median(each.took / each.loop.whole for each in battles)
    core_pairs = median(each.core / each.loop.whole for each in battles)
    engine_pairs = median(each.engine / each.loop.whole for each in battles)
    prepared = median(each.loop.prepared_whole for each in battles)
    found = [
        Figure("battle_pairs", pairs, "x", told, most=most),
        Figure("core_pairs", core_pairs, "x", core_told, most=core_most),
        Figure("engine_pairs", engine_pairs, "x", engine_told),
        Figure("battle_s", took, "s", f"horde battle of {points} points, start included, median"),
        Figure("in_process_s", fresh, "s", "the same in process, median"),
        Figure("core_s", cores, "s", "the same on a map where another battle was fought, median"),
        Figure("graphs_s", fresh - cores, "s", "what the map's path graphs take of it"),
        Figure("start_s", took - fresh, "s", "what start, imports and library take"),
        Figure("pair_ms", 1e3 * median(each.loop.whole for each in battles), "ms", "one pair of the loop"),
        Figure("prepared_pair_ms", 1e3 * prepared, "ms", "one by a loop over prepared pieces"),
    ]
    spent = [each.spent for each in battles]
    names = dict.fromkeys(phase for each in spent for phase in each)
    means = {phase: sum(each.get(phase, 0.0) for each in spent) / len(spent) for phase in names}
    for phase, seconds in sorted(means.items(), key=lambda each: -each[1]):
        told = f"in the {phase} phase of both sides, mean"
        found.append(Figure(f"{phase.replace('-', '_')}_s", seconds, "s", told))
    return found


def main(
    as_json: Annotated[bool, typer.Option("--json", help="Print each figure by name.")] = False,
    points: Annotated[int, typer.Option(help="The size of the battles.")] = 1000,
    seeds: Annotated[int, typer.Option(min=1, help="How many battles.")] = 10,
) -> None:
    """Measure whole battles."""
    found = figures(points, seeds)
    if as_json:
        print(json.dumps({figure.name: figure.value for figure in found}, indent=2))
        return
    table = Table("figure", "value", "target", "what", title=f"Battles of {points} points")
    for figure in found:
        most = "" if figure.most is None else f"<= {figure.most:g}"
        table.add_row(figure.name, f"{figure.value or 0:,.3g} {figure.unit}", most, figure.told)
    Console().print(table)


if __name__ == "__main__":
    typer.run(main)
