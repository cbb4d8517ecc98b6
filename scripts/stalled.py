"""Plays battles on crowded boards, then looks for units that a legal move could have helped.

    python scripts/stalled.py --games 100 --workers 2 --out out/stalled.jsonl

Each Horde unit that stood, or got no nearer to its target although it was free to move, is looked at again
by a slow search of its own (`engine.audit.stalemate`). The boards are the fullest: 2,000 points on the
layouts with most terrain. `--out` gets one JSON line a battle; run again, it goes on from there. `--sample`
plays a short one, as CI does. Exit 1 where a move was missed.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
from rich.console import Console
from series import play_all

FACTIONS = ("tyranids", "death-guard")
LAYOUTS = (
    "search-and-destroy-1",
    "hammer-and-anvil-1",
    "sweeping-engagement-1",
    "dawn-of-war-1",
    "search-and-destroy-2",
    "crucible-of-battle-2",
    "sweeping-engagement-2",
    "tipping-point-2",
    "hammer-and-anvil-2",
    "dawn-of-war-2",
)
"""Layouts of all deployments, those with most ground under terrain first."""
MOST_ANSWERS = 20_000


class Job(NamedTuple):
    """One battle to play."""

    seed: int
    faction: str
    layout: str
    points: int = 2000
    rounds: int = 5

    @property
    def key(self) -> str:
        """Return the name under which the battle is found again."""
        return f"{self.faction}/{self.points}/{self.layout}/{self.seed}/{self.rounds}"


def jobs(games: int, first: int) -> Iterator[Job]:
    """Yield this many battles, each with a seed of its own, the layouts and factions in turn."""
    for i in range(games):
        yield Job(first + i, FACTIONS[i % len(FACTIONS)], LAYOUTS[i // len(FACTIONS) % len(LAYOUTS)])


def played(job: Job) -> dict[str, Any]:
    """Return which moves were missed in one battle."""
    from ai.agents import agent
    from datasheets.library import Library
    from engine.audit.stalemate import missed
    from engine.core.play import play
    from engine.horde.setup import Options
    from engine.systems import new_game
    from engine.w40k.view import View

    library, began = Library(), time.perf_counter()
    options = Options(
        (library.army(f"space-marines-{job.points}"),),
        (job.faction,),
        job.points,
        deployment=job.layout.rpartition("-")[0],
        layout=f"horde-{job.layout}",
        rounds=job.rounds,
        seed=job.seed,
    )
    game = new_game(options, library)
    seats = {"horde": agent("horde"), "p1": agent("steady")}
    play(game, seats, View, until=lambda game: len(game.answers) >= MOST_ANSWERS)
    found, looked = missed(game.lines, game.ruleset, game.rulebook)
    return {
        "key": job.key,
        "stalled": looked,
        "missed": [asdict(each) for each in found],
        "seconds": round(time.perf_counter() - began, 2),
    }


def told(row: dict[str, Any]) -> Iterator[str]:
    """Yield a line for each move that was missed in a battle."""
    for each in row["missed"]:
        yield (
            f"{row['key']}, answer {each['n']}, round {each['round']}: {each['unit']} could have come "
            f'{each["nearer"]:.2f}" nearer to {each["target"]}; it said: {each["why"]}'
        )


def main(
    games: Annotated[int, typer.Option(min=1, help="How many battles.")] = 100,
    workers: Annotated[int, typer.Option(min=1, help="How many processes.")] = 2,
    out: Annotated[Path, typer.Option(help="Where the rows go; what it holds is not played again.")] = Path(
        "out/stalled.jsonl"
    ),
    first: Annotated[int, typer.Option(help="The first seed.")] = 1,
    sample: Annotated[bool, typer.Option("--sample", help="Play only a short one.")] = False,
) -> None:
    """Play battles, look for moves that were missed and print them."""
    console = Console() if sys.stdout.isatty() else Console(width=120)
    wanted = [Job(1, "tyranids", LAYOUTS[0], 1000, 2)] if sample else list(jobs(games, first))

    def tell(_: str, row: dict[str, Any]) -> None:
        counts = f"{row['stalled']} stalled, {len(row['missed'])} missed"
        console.print(f"{row['key']}: {counts}, {row['seconds']} s", highlight=False)

    rows = play_all(played, wanted, workers, out, tell)
    for row in rows:
        for line in told(row):
            console.print(line, markup=False, soft_wrap=True)
    stalled, lost = sum(row["stalled"] for row in rows), sum(len(row["missed"]) for row in rows)
    console.print(f"{len(rows)} battles: {stalled} units got no nearer, {lost} of them could have.")
    sys.exit(1 if lost else 0)


if __name__ == "__main__":
    typer.run(main)
