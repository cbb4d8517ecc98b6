"""Sets every row of the spawning tables up, and looks whether all of it stands there armed.

    python scripts/spawn_entries.py --all --workers 2 --out out/spawn_entries.jsonl
    python scripts/spawn_entries.py --sample 40

Each row is the only one of its bracket. It is rolled for in round 1 of a battle at 2,000 points, where the
zones are smallest, and the Horde sets it up in its empty zone. `--sample` takes rows by the hash of their
id. `--out` gets one JSON line a row; run again, it goes on from there. Exit 1 where a row has a fault.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec
import typer
from msgspec.structs import replace
from series import play_all

from ai.agents import agent
from datasheets.errors import HordeError
from datasheets.library import Library
from datasheets.schema import SpawnEntry, SpawnTable, SpawnUnit
from engine.core import event as ev
from engine.core.facts import HORDE, BoardFacts, UnitFacts
from engine.core.play import play
from engine.core.request import Steps
from engine.core.ruleset import Step
from engine.core.state import Unit
from engine.horde.ruleset_1_1 import HORDE_1_1
from engine.horde.setup import board_of
from engine.horde.spawn_scheme import minimum
from engine.horde.steps.spawn import enter, spawn
from engine.records.rulebook import Rulebook
from engine.scenario.situation import Stand, situation
from engine.w40k.battle import Battle
from engine.w40k.muster import horde_part, muster
from engine.w40k.view import View

DEPLOYMENT, LAYOUT, ZONES = "dawn-of-war", "horde-dawn-of-war-1", 4
SCHEME = "d12_matched"
ALWAYS_BARRED = "FORTIFICATION"
COUNTS = ("rows", "units", "models", "no room", "barred", "in the air", "full", "riders", "faults")


class Job(NamedTuple):
    """One row to set up; the digest is of all that it says and of its datasheets."""

    faction: str
    entry: str
    digest: str

    @property
    def key(self) -> str:
        """Return the name under which the row is found again."""
        return f"{self.entry}@{self.digest}"


class OneRow(Library):
    """The library, but that a bracket of a faction's table has a single row."""

    def __init__(self, table: SpawnTable) -> None:
        """Open the packaged data with this table."""
        super().__init__()
        self.table = table

    def spawn_table(self, faction: str) -> SpawnTable:
        """Return the table."""
        return self.table


@lru_cache(maxsize=1)
def library() -> Library:
    """Return the packaged library."""
    return Library()


@lru_cache(maxsize=1)
def board() -> BoardFacts:
    """Return the battlefield on which every row is set up."""
    return board_of(library().deployment(DEPLOYMENT), library().layout(LAYOUT), ZONES)


def rows_of(faction: str) -> Iterator[tuple[int, SpawnEntry]]:
    """Yield the rows of a faction's table with their brackets."""
    table = library().spawn_table(faction)
    yield from ((bracket, each) for bracket in sorted(table.brackets) for each in table.brackets[bracket])


def jobs() -> list[Job]:
    """Return every row of every table."""
    return [
        Job(faction, entry.id, digest_of(entry))
        for faction in library().hordes()
        for _, entry in rows_of(faction)
    ]


def sampled(wanted: Sequence[Job], size: int) -> list[Job]:
    """Return a number of rows, by the hash of their ids."""
    return sorted(wanted, key=lambda job: sha256(job.entry.encode()).hexdigest())[:size]


def digest_of(entry: SpawnEntry) -> str:
    """Return a short digest of a row and of the datasheets that it may bring."""
    sheets = [library().datasheet(each) for each in sheets_of(entry)]
    return sha256(msgspec.json.encode((entry, sheets), order="sorted")).hexdigest()[:12]


def sheets_of(entry: SpawnEntry) -> list[str]:
    """Return the ids of all datasheets that a row may bring."""
    units = (i for unit in entry.units for i in unit.datasheets)
    return list(dict.fromkeys((*units, *entry.leaders, *entry.possible_leaders)))


def played(job: Job) -> dict[str, Any]:
    """Return what came of a row: counts, and its faults in words."""
    bracket, entry = next(each for each in rows_of(job.faction) if each[1].id == job.entry)
    row = dict.fromkeys(COUNTS, 0) | {"key": job.key, "entry": job.entry, "name": entry.name}
    row["rows"] = 1
    try:
        battle = spawned(job.faction, bracket, entry)
    except (HordeError, ArithmeticError, AssertionError, LookupError, TypeError, ValueError) as error:
        return row | {"faults": 1, "told": [f"{type(error).__name__}: {error}"]}
    told = list(faults_of(entry, battle))
    return row | counted(entry, battle) | {"faults": len(told), "told": told}


def spawned(faction: str, bracket: int, entry: SpawnEntry) -> Battle:
    """Return a battle in which the row was rolled for and set up."""
    table = library().spawn_table(faction)
    one = OneRow(replace(table, brackets={**table.brackets, bracket: (entry,)}))
    barred = is_barred(entry)
    battle = situation(
        [Stand("marine", "players", ((30.0, 2.0),))],
        [Step("spawn", "start-of-round", barred_rows(entry, bracket) if barred else first_zone)],
        HORDE_1_1,
        library=one,
        rulebook=rulebook_of(faction),
        board=board(),
        round_number=1,
        factions=(faction,),
        dice={"spawn-bracket": [minimum(SCHEME, bracket)]},
        rulings={"spawn.aircraft": "yes", "spawn.scheme": SCHEME},
    )
    play(battle, {HORDE: agent("horde")}, View)
    return battle


@lru_cache(maxsize=4)
def rulebook_of(faction: str) -> Rulebook:
    """Return the rules in force when a faction is the Horde."""
    return Rulebook.load(library(), HORDE_1_1.language, (faction,))


def first_zone(battle: Battle) -> Steps[bool]:
    """Spawn into the first zone alone."""
    if "zones-spawned" in battle.state.marks:
        return False
    return (yield from spawn(battle))


def is_barred(entry: SpawnEntry) -> bool:
    """Return whether no ruling lets the row come."""
    return any(library().datasheet(i).has(ALWAYS_BARRED) for i in sheets_of(entry))


def barred_rows(entry: SpawnEntry, bracket: int) -> Any:
    """Return a step that sets up what no roll brings."""

    def step(battle: Battle) -> Steps[bool]:
        zone = battle.state.position.zones["S1"]
        for i, wanted in enumerate(entry.units):
            yield from enter(battle, zone, facts_of(battle, wanted, i, bracket))
        return False

    return step


def facts_of(battle: Battle, wanted: SpawnUnit, number: int, bracket: int) -> UnitFacts:
    """Return the facts of a unit that a barred row asks for."""
    return muster(
        f"horde/barred#{number}",
        [horde_part(battle.library, wanted.datasheets[0], wanted.models)],
        side=HORDE,
        player=HORDE,
        first_row=len(battle.state.position.models),
        bracket=bracket,
    )


# what came of it


def horde(battle: Battle) -> list[Unit]:
    """Return the Horde's units."""
    return [unit for unit in battle.state.position.units.values() if unit.side == HORDE]


def counted(entry: SpawnEntry, battle: Battle) -> dict[str, int]:
    """Return the numbers of a row that was set up."""
    units = horde(battle)
    riders = [unit for unit in units if unit.where == "embarked"]
    return {
        "units": len(units),
        "models": sum(len(unit.facts.models) for unit in units),
        "no room": len(left_out(battle)),
        "barred": int(
            is_barred(entry) or any(library().datasheet(i).has("AIRCRAFT") for i in sheets_of(entry))
        ),
        "in the air": sum(unit.where == "reserves" for unit in units),
        "full": int(entry.transport_full),
        "riders": sum(len(unit.facts.models) for unit in riders),
    }


def left_out(battle: Battle) -> list[int]:
    """Return the models for which there was no room. Rule: R.A64"""
    lost = (each for each in battle.events if isinstance(each, ev.Destroyed) and each.cause == "R.A64")
    return [each.model for each in lost]


def faults_of(entry: SpawnEntry, battle: Battle) -> Iterator[str]:
    """Yield what is wrong with a row that was set up."""
    units = horde(battle)
    own = [unit for unit in units if unit.where != "embarked"]
    if len(own) != len(entry.units):
        yield f"{len(entry.units)} units were to come, {len(own)} did"
    for unit in units:
        yield from faults_of_unit(unit)
    models = [each for unit in own for each in unit.facts.models]
    standing = sum(len(battle.state.position.alive(unit)) for unit in own)
    if standing + len(left_out(battle)) != len(models) or not standing:
        yield f"of {len(models)} models {standing} stand"
    if entry.transport_full and len(own) == len(units):
        yield "nobody rides in it"
    leaders = len(entry.leaders) + entry.leader_choices
    if own and len(own[0].facts.parts) != 1 + leaders and not is_barred(entry):
        yield f"{own[0].name} has {len(own[0].facts.parts) - 1} leaders, not {leaders}"
    for wanted, unit in zip(entry.units, own, strict=False):
        sheet = library().datasheet(unit.facts.parts[0].datasheet)
        if unit.facts.parts[0].starting_models != sheet.unit_size.nearest(wanted.models):
            yield f"{unit.name} has {unit.facts.parts[0].starting_models} models, not {wanted.models}"


def faults_of_unit(unit: Unit) -> Iterator[str]:
    """Yield what is wrong with one unit: where it is, its bases, its weapons."""
    in_the_air = unit.has("AIRCRAFT")
    if unit.where not in ("table", "embarked") and not (in_the_air and unit.where == "reserves"):
        yield f"{unit.name} is in no place: {unit.where}"
    for model in unit.facts.models:
        if min(model.base.length, model.base.width) <= 0 or model.height <= 0:
            yield f"{model.name} has no base"
        sheet = library().datasheet(unit.facts.parts[model.part].datasheet)
        if not model.weapons and sheet.weapons:
            yield f"{model.name} of {sheet.id} has no weapon"


# the report


def tell_counts(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Yield a line for each faction, and one for all."""
    found: dict[str, Counter[str]] = {}
    for row in rows:
        for name in (row["entry"].partition("/")[0], "all"):
            found.setdefault(name, Counter()).update({key: row[key] for key in COUNTS})
    width = max(map(len, found))
    yield " ".join([" " * width, *COUNTS])
    for name in [*sorted(found.keys() - {"all"}), "all"]:
        yield " ".join([f"{name:{width}}", *(f"{found[name][key]:{len(key)}}" for key in COUNTS)])


def main(
    every: Annotated[bool, typer.Option("--all", help="Set every row up; else only a sample.")] = False,
    sample: Annotated[int, typer.Option(min=1, help="How many rows, by the hash of their ids.")] = 40,
    workers: Annotated[int, typer.Option(min=1, help="How many processes.")] = 1,
    out: Annotated[Path, typer.Option(help="Where the results go; what it holds is not done again.")] = Path(
        "out/spawn_entries.jsonl"
    ),
) -> None:
    """Set rows of the spawning tables up, and print what came of them."""
    wanted = jobs()
    rows = play_all(played, wanted if every else sampled(wanted, sample), workers, out, lambda *_: None)
    for line in tell_counts(rows):
        print(line)
    for row in rows:
        if row["no room"]:
            print(f"{row['entry']}: {row['no room']} of {row['models']} models find no room in the zone")
        for each in row["told"]:
            print(f"{row['entry']}: {each}")
    sys.exit(1 if any(row["told"] for row in rows) else 0)


if __name__ == "__main__":
    typer.run(main)
