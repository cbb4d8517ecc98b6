"""Measures each question "what is near" by hand and by the rtree of `engine.table.index`.

    python benchmarks/near.py [--json] [--seed 3] [--rounds 3]

The positions are those of 2,000-point battles, one at the beginning of each phase. Each question is asked of
all positions by hand and by the index in turn; the least of several times counts. The index is timed twice:
with its trees there, and with the tree of bases built anew, as after a move. Both must give equal answers.
All is measured in one process.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

if __name__ == "__main__":
    # This folder has a module called like a package that it measures: it must not stand before it.
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from ai.agents import agent
from benchmarks.sites import SITES, Site
from benchmarks.timing import seconds
from datasheets.library import Library
from engine.core.game import Game
from engine.core.play import play
from engine.core.state import Position
from engine.horde.setup import Options
from engine.systems import new_game
from engine.table.index import Index
from engine.w40k.view import View

FACTIONS = ("death-guard", "tyranids")
POINTS = 2000
REPEATS = 9
"""Each way is timed so often, and the least time counts."""
ASKED = 8
"""Each question is asked so often of a position, each time of something else."""


@dataclass(frozen=True, slots=True)
class Cost:
    """The time of one question in microseconds, by hand and by the index.

    `anew` is the time by an index that builds its tree of bases first.
    """

    where: str
    told: str
    by_hand: float
    by_index: float
    anew: float
    kept: str
    """Which of the two the program uses."""

    @property
    def ratio(self) -> float:
        """Return how many times as long as the index it takes by hand; below 1 the hand is faster."""
        return self.by_hand / self.by_index


def positions(faction: str, seed: int, rounds: int) -> list[Position]:
    """Return one position of a battle for each phase with both sides on the table.

    It is the first of the phase in which both sides are there.
    """
    library = Library()
    options = Options(
        (library.army(f"space-marines-{POINTS}"),), (faction,), POINTS, rounds=rounds, seed=seed
    )
    found: dict[tuple[int, str, str], Position] = {}

    def note(game: Game) -> None:
        state = game.state
        key = (state.round, state.turn, state.phase)
        if key not in found and all(state.position.on_table(side) for side in ("horde", "players")):
            found[key] = state.copy().position

    play(new_game(options, library), {"horde": agent("horde"), "p1": agent("steady")}, View, watch=note)
    return list(found.values())


def cost(site: Site, tables: Sequence[Position]) -> Cost:
    """Return what the question of a site takes, asked of all these positions."""
    asks = [(table, Index(table), ask) for table in tables for ask in asks_of(site, table)]
    for table, index, ask in asks:
        one, other = site.by_hand(table, ask), site.by_index(table, index, ask)
        if site.is_exact and one != other:
            raise SystemExit(f"{site.where}: {one} by hand, {other} by the index")

    def by_hand() -> None:
        for table, _, ask in asks:
            site.by_hand(table, ask)

    def by_index() -> None:
        for table, index, ask in asks:
            site.by_index(table, index, ask)

    def anew() -> None:
        for table, index, ask in asks:
            table.table.version += 1
            site.by_index(table, index, ask)

    # By turns, so that what else runs on the machine falls on all alike.
    least = [math.inf] * 3
    for _ in range(REPEATS):
        least = [min(old, seconds(way)) for old, way in zip(least, (by_hand, by_index, anew), strict=True)]
    hand, index_, built = (1e6 * each / len(asks) for each in least)
    return Cost(site.where, site.told, hand, index_, built, site.kept)


def asks_of(site: Site, table: Position) -> Iterator[Any]:
    """Yield what is asked of a position, the same in each run."""
    chance = np.random.default_rng(len(table.models))
    for _ in range(ASKED):
        yield site.ask(table, chance)


def shown(costs: Sequence[Cost], models: float) -> Table:
    """Return the costs as a table."""
    made = Table(title=f"What is near, of {models:.0f} models on the table in the mean")
    for column in ("call site", "question", "by hand, µs", "index, µs", "built anew, µs", "ratio", "kept"):
        made.add_column(column, justify="right" if "µs" in column or column == "ratio" else "left")
    for each in costs:
        times = (f"{time:,.1f}" for time in (each.by_hand, each.by_index, each.anew))
        made.add_row(each.where, each.told, *times, f"{each.ratio:.2f}", each.kept)
    return made


def run(
    as_json: Annotated[bool, typer.Option("--json", help="Print each figure by its call site.")] = False,
    seed: Annotated[int, typer.Option(help="The seed of the battles.")] = 3,
    rounds: Annotated[int, typer.Option(min=1, help="How many rounds of each are fought.")] = 3,
) -> None:
    """Measure what is near by hand and by the index."""
    tables = [table for faction in FACTIONS for table in positions(faction, seed, rounds)]
    costs = [cost(site, tables) for site in SITES]
    if as_json:
        found = {c.where: [c.by_hand, c.by_index, c.anew] for c in costs}
        print(json.dumps(found, indent=2))
        return
    console = Console() if sys.stdout.isatty() else Console(width=170)
    console.print(shown(costs, float(np.mean([table.table.on.sum() for table in tables]))))


if __name__ == "__main__":
    typer.run(run)
