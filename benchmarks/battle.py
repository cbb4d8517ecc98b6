"""Measures whole battles: the command from its start to its end, and each phase of it.

    python benchmarks/battle.py [--json] [--points 1000] [--seeds 10] [--factions death-guard,tyranids]

Prints a table, or with `--json` each figure by name. All is processor time of one process at a time; the unit
of comparison is a pair of the 16 x 16 shapely loop of `benchmarks/geometry.py`, timed in the same run.

A battle is measured three ways: as the command, start and library included; in process, on a map where
nobody has been; and in process once more on a map where another battle was fought before, so that its path
graphs are there. The difference, which the graphs take, is a figure of its own.

The battles are those of the factions in turn. Of each faction its own are told apart, in process: mean and
median, the dearest answer of the Horde, and what a model takes in a turn of its own side in which it lives.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from statistics import mean, median
from typing import Annotated, TypeVar

from msgspec.structs import replace

if __name__ == "__main__":
    # This folder has a module called like a package that it measures: it must not stand before it.
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

import typer
from rich.console import Console
from rich.table import Table

from ai.agents import agent
from benchmarks.one_battle import TimedAgent
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
"""The most pairs of the loop that a battle may take, by its points, as the command."""
CORE_PAIRS = {2000: 300}
"""The same in process, after imports, library and path graphs."""
REPEATS = 3
"""How often each battle and each pair of the loop is timed.

The least time counts, as machines falter.
"""
LOOP_BOARDS = 4
"""The number of boards on which the loop is timed.

What lies in the way of rays differs from one to the next.
"""
ELSEWHERE = 1000
"""What is added to the seed for the battle that is fought before on the same map."""
OUTSIDE = "set-up"
FORK = get_context("fork")
T = TypeVar("T")
START = "from viewer.cli import main; main()"


def whole(points: int, seed: int, faction: str) -> float:
    """Return the processor time of `horde battle`, start and library included."""
    command = [sys.executable, "-c", START, "battle", "--faction", faction, "--points", str(points)]
    command += ["--seed", str(seed), "--json"]
    # Told to write no bytecode it would compile every module anew, as no user's second start does.
    own = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True, cwd=sys.path[0], env=own)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def options_of(points: int, seed: int, faction: str, library: Library) -> Options:
    """Return the options of the battle of a seed, on the layout that the seed draws."""
    army = library.army(f"space-marines-{points}")
    options = Options((army,), (faction,), points, seed=seed)
    setup = header_of(options, library)["setup"]
    return replace(options, deployment=setup["deployment"], layout=setup["layout"])


@dataclass(frozen=True, slots=True)
class Played:
    """What a battle takes in process: each phase of both sides, the Horde's dearest answer.

    Times are processor seconds. `turns` counts each living model on the table once in each turn of its own
    side, as the turn begins.
    """

    spent: dict[str, float]
    dearest: float
    turns: int

    @property
    def seconds(self) -> float:
        """Return what all of it takes."""
        return sum(self.spent.values())


def played(options: Options, library: Library) -> Played:
    """Return what a battle takes."""
    spent: defaultdict[str, float] = defaultdict(float)
    began = time.process_time()
    game = new_game(options, library)
    last, phase, turn, turns = time.process_time(), OUTSIDE, (0, ""), 0
    spent[OUTSIDE] += last - began
    answers: list[float] = []

    def note(game: Game) -> None:
        nonlocal last, phase, turn, turns
        now = time.process_time()
        spent[phase] += now - last
        state = game.state
        if (state.round, state.turn) != turn:
            turn = (state.round, state.turn)
            # Between the turns of the two sides it is nobody's turn.
            acting = state.position.on_table(state.turn) if state.turn else ()
            turns += sum(len(unit.rows) for unit in acting)
        last, phase = time.process_time(), state.phase or OUTSIDE

    agents = {"horde": TimedAgent(agent("horde"), answers), "p1": agent("steady")}
    play(game, agents, View, watch=note)
    return Played(spent, max(answers, default=0.0), turns)


def core(options: Options, library: Library) -> float:
    """Return what a battle takes in process where another was fought on the same map before."""
    played(replace(options, seed=options.seed + ELSEWHERE), library)
    return played(options, library).seconds


def engine_alone(options: Options, library: Library) -> float:
    """Return what a battle takes whose answers all come from a record: no choice, no plan."""
    told = new_game(options, library)
    play(told, {"horde": agent("horde"), "p1": agent("steady")}, View)
    began = time.process_time()
    game = new_game(options, library)
    for line in told.answers:
        game.submit(line.value, line.seat)
    return time.process_time() - began


def apart(what: Callable[[], T]) -> T:
    """Return what a call returns in a process of its own.

    The process remembers nothing of earlier battles. It looks for garbage as the command does.
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

    faction: str
    took: float
    fresh: Played
    core: float
    engine: float
    loop: LoopTimes


def measured(points: int, seed: int, faction: str, library: Library) -> Measured:
    """Return what a battle takes. The loop is timed right beside it: machines change their pace."""
    options = options_of(points, seed, faction, library)
    took = min(whole(points, seed, faction) for _ in range(REPEATS))
    runs = [apart(partial(played, options, library)) for _ in range(REPEATS)]
    again = min(apart(partial(core, options, library)) for _ in range(REPEATS))
    alone = min(apart(partial(engine_alone, options, library)) for _ in range(REPEATS))
    loop = loop_times(LOOP_BOARDS, REPEATS)
    return Measured(faction, took, min(runs, key=lambda run: run.seconds), again, alone, loop)


def figures_of(faction: str, battles: Sequence[Played]) -> list[Figure]:
    """Return the figures of the battles of one faction, in process."""
    seconds = [each.seconds for each in battles]
    turns = sum(each.turns for each in battles)
    dearest = max(each.dearest for each in battles)
    name = faction.replace("-", "_")
    many = f"{len(battles)} of {faction} in process"
    return [
        Figure(f"{name}_mean_s", mean(seconds), "s", f"{many}, mean"),
        Figure(f"{name}_median_s", median(seconds), "s", f"{many}, median"),
        Figure(f"{name}_dearest_ms", 1e3 * dearest, "ms", "the dearest answer of the Horde in them"),
        Figure(f"{name}_model_ms", 1e3 * sum(seconds) / turns, "ms", "a living model in a turn of its side"),
    ]


def figures(points: int, seeds: int, factions: Sequence[str] = FACTIONS) -> list[Figure]:
    """Return the figures of battles of one size, medians, then those of each faction."""
    library = Library()
    names = [factions[seed % len(factions)] for seed in range(1, seeds + 1)]
    battles = [measured(points, seed, faction, library) for seed, faction in enumerate(names, start=1)]
    took, fresh = median(each.took for each in battles), median(each.fresh.seconds for each in battles)
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
    spent = [each.fresh.spent for each in battles]
    phases = dict.fromkeys(phase for each in spent for phase in each)
    means = {phase: sum(each.get(phase, 0.0) for each in spent) / len(spent) for phase in phases}
    for phase, seconds in sorted(means.items(), key=lambda each: -each[1]):
        told = f"in the {phase} phase of both sides, mean"
        found.append(Figure(f"{phase.replace('-', '_')}_s", seconds, "s", told))
    for faction in dict.fromkeys(names):
        found += figures_of(faction, [each.fresh for each in battles if each.faction == faction])
    return found


def main(
    as_json: Annotated[bool, typer.Option("--json", help="Print each figure by name.")] = False,
    points: Annotated[int, typer.Option(help="The size of the battles.")] = 1000,
    seeds: Annotated[int, typer.Option(min=1, help="How many battles.")] = 10,
    factions: Annotated[str, typer.Option(help="The Horde factions, with commas.")] = ",".join(FACTIONS),
) -> None:
    """Measure whole battles."""
    found = figures(points, seeds, factions.split(","))
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
