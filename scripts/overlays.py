"""Holds the window's overlays against the engine's own verdicts, on random positions.

    python scripts/overlays.py --positions 200 --workers 2 --out out/overlays.jsonl

A position is a battle of a random army, Horde and seed that is stopped at a random answer. Of each, sights,
reaches, threats, places of set-up and the control of markers are asked at random points, for random units as
they stand and elsewhere. Points within a pixel of an area's border are not judged, and counted as `near`.
Run again, it goes on where it ended; `--only` asks some classes alone. Exit 1 on a wrong answer.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer
from rich.console import Console
from series import Row, play_all, row_of, told, with_faults

if TYPE_CHECKING:
    from engine.w40k.battle import Battle

MOST_ANSWERS = 400
SIZES = (1000, 1000, 2000)


class Position(NamedTuple):
    """One position, by its seed, and the classes of overlays that are asked about."""

    seed: int
    only: str = ""

    @property
    def key(self) -> str:
        """Return the name under which it is found again."""
        return f"{self.seed}/{self.only or 'all'}"


def stopped(seed: int) -> Battle:
    """Return a battle at a random moment: all drawn by the seed."""
    from ai.agents import agent
    from datasheets.library import Library
    from engine.core.play import step
    from engine.horde.setup import Options
    from engine.systems import new_game
    from engine.w40k.view import View

    chance, library = Random(seed), Library()
    horde = chance.choice(sorted(library.hordes()))
    points = chance.choice(SIZES)
    army = library.army(f"{chance.choice(sorted(library.hordes()))}-{points}")
    game = new_game(Options((army,), (horde,), points, seed=seed), library)
    agents = {"horde": agent("horde"), "p1": agent("steady")}
    views = {name: View(game, name) for name in agents}
    for _ in range(chance.randint(10, MOST_ANSWERS)):
        if game.pending is None:
            break
        step(game, agents, views)
    return game


def judged(position: Position) -> Row:
    """Return what the checks show of a position."""
    return row_of(position, {"key": position.key}, _judged)


def _judged(position: Position) -> Row:
    from overlay_verdicts import CHECKS

    battle, count, wrong = stopped(position.seed), Counter[str](), list[str]()
    for name, check in CHECKS.items():
        if not position.only or name in position.only.split(","):
            found = check(battle, Random(f"{position.seed} {name}"), count)
            wrong += [f"{name}: {fault}" for fault in found]
    return {"count": dict(count), "wrong": wrong}


def main(
    positions: Annotated[int, typer.Option(help="How many positions are judged.")] = 20,
    first: Annotated[int, typer.Option(help="The seed of the first.")] = 1,
    only: Annotated[str, typer.Option(help="Classes: sight,reach,threat,places,control.")] = "",
    workers: Annotated[int, typer.Option(help="How many processes.")] = 1,
    out: Annotated[Path, typer.Option(help="Where the rows go.")] = Path("out/overlays.jsonl"),
) -> None:
    """Judge the positions, and say what they show."""
    console = Console()
    wanted = [Position(seed, only) for seed in range(first, first + positions)]
    rows = play_all(judged, wanted, workers, out, told(console))
    total: Counter[str] = Counter()
    for row in rows:
        total.update(row.get("count", {}))
    counts = ", ".join(f"{value} {name}" for name, value in sorted(total.items()))
    bad = with_faults(rows, ("error", "wrong"), console)
    console.print(f"{len(rows)} positions: {counts}; {len(bad)} with a wrong answer", highlight=False)
    raise typer.Exit(1 if bad else 0)


if __name__ == "__main__":
    typer.run(main)
