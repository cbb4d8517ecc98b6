"""Plays the builder's armies and random ones, each by itself, against the same Horde.

    python scripts/builder.py --seeds 100 --out out/builder.jsonl

For each seed a faction is taken in turn, and a Horde; both armies of the faction play that Horde, with equal
decks, table and seed. The better army is the one that wins, else the one that stands longer, else that with
more points of living models. `--out` gets one JSON line a battle; run again, it goes on from there. Exit 1 if
the builder is better in less than 55 % of the pairs that differ.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer
from rich.console import Console
from rich.table import Table
from series import play_all, row_of, told

if TYPE_CHECKING:
    from engine.w40k.battle import Battle

FACTIONS = (
    "adeptus-custodes",
    "aeldari",
    "astra-militarum",
    "death-guard",
    "necrons",
    "orks",
    "space-marines",
    "tau-empire",
    "tyranids",
    "world-eaters",
)
KINDS = ("built", "random")
ENOUGH = 0.55
"""The share of the pairs that differ in which the builder must be better."""
MOST_ANSWERS = 20_000
"""A battle that is not over by then has stalled."""
Row = dict[str, Any]


class Job(NamedTuple):
    """One battle to play."""

    seed: int
    faction: str
    horde: str
    points: int
    kind: str

    @property
    def key(self) -> str:
        """Return the name under which the battle is found again."""
        return f"{self.faction}/{self.horde}/{self.points}/{self.seed}/{self.kind}"


def jobs(seeds: int, first: int, points: int, factions: Sequence[str], hordes: Sequence[str]) -> list[Job]:
    """Return two battles a seed: factions and Hordes in turn, none against itself."""
    wanted = []
    for n in range(seeds):
        faction = factions[n % len(factions)]
        others = [horde for horde in hordes if horde != faction]
        horde = others[(n + n // len(factions)) % len(others)]
        wanted += [Job(first + n, faction, horde, points, kind) for kind in KINDS]
    return wanted


def played(job: Job) -> Row:
    """Return how one battle ended; one that fails to be played says so under "error"."""
    return row_of(job, {"key": job.key, **job._asdict()}, _shown)


def _shown(job: Job) -> Row:
    from ai.agents import agent
    from ai.muster.builder import new_army, random_army
    from datasheets.library import Library
    from engine.core.play import play
    from engine.horde.setup import Options
    from engine.systems import new_game
    from engine.w40k.view import View

    library = Library()
    make = new_army if job.kind == "built" else random_army
    army = make(job.faction, job.points, job.seed, library)
    game = new_game(Options((army,), (job.horde,), job.points, seed=job.seed), library)
    agents = {"horde": agent("horde"), "p1": agent("steady")}
    play(game, agents, View, until=lambda game: len(game.answers) >= MOST_ANSWERS)
    return {
        "stalled": game.pending is not None,
        "won": bool(game.state.winners),
        "rounds": game.state.round,
        "living": round(living(game), 1),
        "stands": living(game) > 0,
        "units": {unit.id: unit.models for unit in army.units},
    }


def living(game: Battle) -> float:
    """Return the points of the players' models that are not destroyed."""
    total = 0.0
    for unit in game.state.position.units.values():
        if unit.side == "players" and unit.where != "destroyed":
            parts, rows = unit.facts.parts, set(unit.rows)
            alive = [parts[model.part] for model in unit.facts.models if model.row in rows]
            total += sum(part.points / part.starting_models for part in alive)
    return total


def better(built: Row, random: Row) -> int:
    """Return 1 where the builder's army did better, -1 where the random one did, else 0."""
    mine, theirs = ((row["won"], row["stands"], row["rounds"], row["living"]) for row in (built, random))
    return (mine > theirs) - (mine < theirs)


def table(pairs: Sequence[tuple[Row, Row]]) -> Table:
    """Return the pairs as a table, a line for each faction."""
    made = Table(title="The builder's armies against random ones", show_lines=False)
    for column in (
        "faction",
        "pairs",
        "better",
        "worse",
        "even",
        "won",
        "random won",
        "living",
        "random living",
    ):
        made.add_column(column, justify="left" if column == "faction" else "right")
    groups: dict[str, list[tuple[Row, Row]]] = {}
    for pair in pairs:
        groups.setdefault(pair[0]["faction"], []).append(pair)
    for name, group in [*sorted(groups.items()), ("all", list(pairs))]:
        outcomes = [better(*pair) for pair in group]
        made.add_row(
            name,
            str(len(group)),
            *(str(outcomes.count(outcome)) for outcome in (1, -1, 0)),
            *(str(sum(pair[side]["won"] for pair in group)) for side in (0, 1)),
            *(f"{sum(pair[side]['living'] for pair in group) / len(group):.0f}" for side in (0, 1)),
        )
    return made


def main(
    seeds: Annotated[int, typer.Option(min=1, help="How many pairs of battles.")] = 100,
    factions: Annotated[str, typer.Option(help="The players' factions, by commas.")] = ",".join(FACTIONS),
    hordes: Annotated[str, typer.Option(help="The Horde's factions, by commas; all if not given.")] = "",
    points: Annotated[int, typer.Option(help="1000 or 2000.")] = 1000,
    first: Annotated[int, typer.Option(help="The first seed.")] = 1,
    workers: Annotated[int, typer.Option(min=1, help="How many processes.")] = 1,
    out: Annotated[Path, typer.Option(help="Where the rows go; what it holds is not played again.")] = Path(
        "out/builder.jsonl"
    ),
) -> None:
    """Play the pairs and print how they compare."""
    from datasheets.library import Library

    console = Console() if sys.stdout.isatty() else Console(width=120)
    wanted = jobs(
        seeds, first, points, factions.split(","), hordes.split(",") if hordes else Library().hordes()
    )
    rows = play_all(played, wanted, workers, out, told(console))
    faults = [row for row in rows if "error" in row or row["stalled"]]
    for row in faults:
        console.print(f"FAILS {row['key']}: {row.get('error', 'stalled')}", markup=False, soft_wrap=True)
    pairs = [(rows[i], rows[i + 1]) for i in range(0, len(rows), 2)]
    pairs = [pair for pair in pairs if not any(row in faults for row in pair)]
    console.print(table(pairs))
    outcomes = [better(*pair) for pair in pairs]
    differ = len(outcomes) - outcomes.count(0)
    share = outcomes.count(1) / differ if differ else 0.0
    console.print(
        f"better in {outcomes.count(1)} of {differ} pairs that differ: {share:.1%}", highlight=False
    )
    sys.exit(0 if share >= ENOUGH and not faults else 1)


if __name__ == "__main__":
    typer.run(main)
