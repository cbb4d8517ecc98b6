"""Plays battles, and counts which abilities units bore and which acted.

    python scripts/ability_battles.py --games 60 --workers 2 --out out/abilities.jsonl

The Horde is of each of its first factions in turn; its enemies are the shipped Space Marines or a random
army of theirs or of a chapter. One battle more is played with each other faction as the Horde. The referee
reads each log. An ability acts where a clause of its record holds as the battle asks it, or where an event
names it. `--out` gets one JSON line a battle; run again, it goes on from there. At the end stands, for each
ability that a unit bore, in how many battles it was borne and in how many it acted, those first that never
did, and which abilities no unit bore. Exit 1 where a battle fails.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
from rich.console import Console
from series import play_all, row_of, told, with_faults
from settings_battles import acted

HORDES = ("death-guard", "tyranids")
ARMIES = (
    "space-marines",
    "blood-angels",
    "space-marines",
    "dark-angels",
    "space-wolves",
    "space-marines",
    "black-templars",
    "deathwatch",
)
"""The factions of the players' armies, in turn.

The first one's army is the shipped one in every other cycle.
"""
SIZES = (1000, 2000)
MOST_ANSWERS = 20_000
"""A battle that is not over by then has stalled."""
FAULTS = ("error", "stalled", "faults", "disagreements")
FAMILY = "DATASHEET."
Row = dict[str, Any]


class Job(NamedTuple):
    """One battle to play."""

    seed: int
    horde: str
    army: str
    points: int
    shipped: bool

    @property
    def key(self) -> str:
        """Return the name under which the battle is found again."""
        return f"{self.horde}/{self.army}/{self.points}/{self.seed}/{'shipped' if self.shipped else 'random'}"


def jobs(games: int, first: int, others: Sequence[str]) -> list[Job]:
    """Return the battles of the first factions, then one with each other faction as the Horde."""
    hordes = [HORDES[i % len(HORDES)] for i in range(games)] + list(others)
    found = []
    for i, horde in enumerate(hordes):
        turn, faction = divmod(i, len(HORDES))
        cycle, place = divmod(turn, len(ARMIES))
        # Both factions meet each army, from one cycle of the armies to the next at another size.
        points = SIZES[(cycle + place + faction) % len(SIZES)]
        shipped = ARMIES[place] == ARMIES[0] and cycle % 2 == 0
        found.append(Job(first + i, horde, ARMIES[place], points, shipped))
    return found


def played(job: Job) -> Row:
    """Return what one battle shows; one that fails to be played says so under "error"."""
    return row_of(job, {"key": job.key, **job._asdict()}, _shown)


def _shown(job: Job) -> Row:
    from holding import heard

    from ai.agents import agent
    from ai.muster.builder import random_army
    from datasheets.library import Library
    from engine.audit.inspection import inspect
    from engine.audit.referee.reading import read as reading_of
    from engine.core.play import play
    from engine.horde.setup import Options
    from engine.systems import new_game
    from engine.w40k.view import View

    library = Library()
    if job.shipped:
        army = library.army(library.army_within(job.army, job.points))
    else:
        army = random_army(job.army, job.points, job.seed, library)
    game = new_game(Options((army,), (job.horde,), job.points, seed=job.seed), library)
    agents = {"horde": agent("horde"), "p1": agent("steady")}
    with heard() as holding:
        play(game, agents, View, until=lambda game: len(game.answers) >= MOST_ANSWERS)
    found = inspect(game.events, game.ruleset.parameters)
    reading = reading_of(game.lines, game.ruleset, game.rulebook, game.rulings)
    units = game.state.position.units.values()
    return {
        "stalled": game.pending is not None,
        "faults": [f"event {fault.n}: {fault.check}: {fault.text}" for fault in found.faults],
        "disagreements": [str(each) for each in reading.disagreements],
        "borne": sorted({rule for unit in units for part in unit.facts.parts for rule in part.rules}),
        "acted": sorted(acted(game.lines) | holding),
    }


def counted(rows: Sequence[Row]) -> tuple[Counter[str], Counter[str]]:
    """Return in how many battles abilities were borne, and in how many of these they acted.

    An ability acts too where a record acts that it puts in force.
    """
    from datasheets.library import Library

    records = {rule.id: rule for rule in Library().rules()}
    borne: Counter[str] = Counter()
    active: Counter[str] = Counter()
    for row in rows:
        met = set(row.get("acted", ()))
        for name in row.get("borne", ()):
            rule = records.get(name)
            if rule is None or rule.status == "unmodelled" or rule.no_effect:
                continue
            borne[name] += 1
            active[name] += name in met or rule.clause in met
    return borne, active


def unborne(rows: Sequence[Row]) -> list[str]:
    """Return those abilities of the factions played that no unit bore."""
    from datasheets.library import Library

    met = {name for row in rows for name in row.get("borne", ())}
    factions = {*HORDES, *ARMIES}
    return [
        rule.id
        for rule in Library().rules()
        if rule.clause.startswith(FAMILY)
        and rule.status != "unmodelled"
        and not rule.no_effect
        and any(sheet.partition("/")[0] in factions for sheet in rule.datasheets)
        and rule.id not in met
    ]


def main(
    games: Annotated[int, typer.Option(min=1, help="How many battles of the first factions.")] = 60,
    workers: Annotated[int, typer.Option(min=1, help="How many processes.")] = 2,
    out: Annotated[Path, typer.Option(help="Where the rows go.")] = Path("out/abilities.jsonl"),
    first: Annotated[int, typer.Option(help="The first seed.")] = 1,
    alone: Annotated[bool, typer.Option("--alone", help="Play the first factions alone.")] = False,
) -> None:
    """Play the battles that are missing, and tell what failed and which abilities acted."""
    from datasheets.library import Library

    console = Console(width=150)
    others = () if alone else tuple(each for each in Library().hordes() if each not in HORDES)
    rows = play_all(played, jobs(games, first, others), workers, out, told(console))
    bad = with_faults(rows, FAULTS, console)
    borne, active = counted(rows)
    for name in sorted(borne, key=lambda each: (active[each], -borne[each], each)):
        console.print(f"{active[name]:3} of {borne[name]:3} battles: {name}", highlight=False, markup=False)
    console.print(f"borne by no unit: {', '.join(unborne(rows)) or 'none'}", highlight=False, markup=False)
    idle = sum(not active[name] for name in borne)
    of_all = f"{len(borne)} abilities borne, {idle} of them never acted"
    console.print(f"{len(rows)} battles, {len(bad)} with faults; {of_all}", highlight=False)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    typer.run(main)
