"""What the importer makes of the rows of a spawning table that are not simply a unit."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import Any

import pytest

from datasheets.importers.spawning import entries_of, home, kept, spawn_toml
from datasheets.schema import Datasheet, PointsRow, SpawnEntry, UnitSize

F = "blues"


def sheet(
    name: str, *, leads: tuple[str, ...] = (), models: tuple[int, int] = (1, 1), **more: Any
) -> Datasheet:
    """Return a datasheet of the Blues of which only what a table reads is said."""
    slug = f"{F}/{name.lower().replace(' ', '-')}"
    return Datasheet(
        id=slug,
        name=name,
        faction=F,
        leads=tuple(f"{F}/{each}" for each in leads),
        points=(PointsRow(models=models[1], points=100),),
        unit_size=UnitSize(minimum=models[0], maximum=models[1]),
        profiles=(),
        models=(),
        **{"keywords": ("INFANTRY",), **more},
    )


SHEETS: Mapping[str, Datasheet] = {
    each.id: each
    for each in (
        sheet("Guards", models=(5, 10)),
        sheet("Scouts", models=(5, 5)),
        sheet("Elders", models=(3, 3)),
        sheet("Lord", leads=("guards",)),
        sheet("Lord on Horse", leads=("elders",)),
        sheet("Priest", leads=("guards", "scouts")),
        sheet("Champion Brown", leads=("scouts",)),
        sheet("Champion Green", leads=("guards",)),
        sheet("Twins", models=(2, 2), keywords=("EPIC HERO",)),
        sheet("Wagon"),
        sheet("Wall Gate", keywords=("FORTIFICATION",)),
        sheet("Wall Tower", keywords=("FORTIFICATION",)),
    )
}


def unit(*names: str, models: int = 1, **more: Any) -> dict[str, Any]:
    """Return a unit of a row as the source has it."""
    return {"datasheets": [f"{F}/{name}" for name in names], "models_resolved": models, **more}


def row(*units: dict[str, Any], named: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    """Return a row of the source."""
    return {
        "kind": "unit",
        "units": list(units),
        "leader_attached": [f"{F}/{each}" for each in named],
        **more,
    }


def read(*rows: dict[str, Any]) -> list[SpawnEntry]:
    """Return what the importer makes of these rows of the second bracket."""
    junk = {"kind": "no-spawn", "units": []}
    table = {"3-4": [], "5-6": [junk, *rows], "7-9": [], "10+": [junk]}
    found = entries_of(F, table, SHEETS)
    assert all(bracket == 2 for bracket, _ in found)
    return [entry for _, entry in found]


def sizes(entry: SpawnEntry) -> list[tuple[str, int]]:
    """Return the first datasheet and the models of each unit of an entry."""
    return [(each.datasheets[0].partition("/")[2], each.models) for each in entry.units]


def test_a_named_character_leads_the_unit_beside_it() -> None:
    (entry,) = read(row(unit("priest"), unit("guards", models=5), named=("priest",)))
    assert (entry.name, entry.leaders) == ("Priest + Guards (5)", (f"{F}/priest",))
    assert sizes(entry) == [("guards", 5)]


def test_a_character_who_may_not_lead_the_unit_comes_beside_it() -> None:
    (entry,) = read(row(unit("priest"), unit("elders", models=3), named=("priest",)))
    assert entry.leaders == ()
    assert sizes(entry) == [("elders", 3), ("priest", 1)]


def test_a_lord_who_may_lead_on_a_horse_alone_has_one() -> None:
    (entry,) = read(row(unit("lord"), unit("elders", models=3), named=("lord",)))
    assert entry.leaders == (f"{F}/lord-on-horse",)


def test_a_character_named_with_nobody_comes_alone() -> None:
    (entry,) = read(row(unit("priest"), named=("priest",)))
    assert (entry.name, entry.leaders, sizes(entry)) == ("Priest", (), [("priest", 1)])


def test_a_unit_is_chosen_only_among_those_whom_its_named_leader_may_lead() -> None:
    squads = unit("scouts", "guards", models=5)
    (entry,) = read(row(unit("lord"), squads, named=("lord",)))
    assert entry.units[0].datasheets == (f"{F}/guards",)


def test_a_champion_that_matches_its_unit_is_left_to_choose() -> None:
    champion = unit("champion-brown", "champion-green")
    (entry,) = read(row(champion, unit("scouts", "guards", models=5), named=("champion-brown",)))
    assert (entry.leaders, entry.leader_choices) == ((), 1)
    assert entry.possible_leaders == (f"{F}/champion-brown", f"{F}/champion-green")
    assert entry.name == "Champion + Scouts or another"


def test_two_units_of_a_kind_are_both_listed() -> None:
    guards = unit("guards", models=10, units_count=2, possible_leaders=[f"{F}/lord", f"{F}/elders"])
    (entry,) = read(row(guards, leaders=1))
    assert sizes(entry) == [("guards", 10), ("guards", 10)]
    assert (entry.name, entry.id) == ("2 × Guards (10) + a leader", f"{F}/2/2-guards-10-a-leader")
    assert entry.possible_leaders == (f"{F}/lord",)


@pytest.mark.parametrize(("asked", "choices"), [(1, 1), (2, 2), (3, 2)])
def test_no_more_leaders_are_left_to_choose_than_may_lead(asked: int, choices: int) -> None:
    guards = unit("guards", models=5, possible_leaders=[f"{F}/lord", f"{F}/priest", f"{F}/lord-on-horse"])
    (entry,) = read(row(guards, leaders=asked))
    assert entry.leader_choices == choices


def test_a_unit_that_nobody_may_lead_comes_without_leader() -> None:
    (entry,) = read(row(unit("elders", models=3, possible_leaders=[]), leaders=1))
    assert (entry.name, entry.leader_choices) == ("Elders", 0)


def test_a_note_says_who_must_lead() -> None:
    (entry,) = read(row(unit("scouts", models=5), note="Must attach Champion"))
    assert (entry.leader_choices, entry.possible_leaders) == (1, (f"{F}/champion-brown",))


def test_an_epic_hero_named_by_two_models_comes_once() -> None:
    (entry,) = read(row(unit("twins", models=2), unit("twins", models=2)))
    assert sizes(entry) == [("twins", 2)]


def test_each_piece_of_a_fortification_may_be_any_of_its_family() -> None:
    (entry,) = read(row(unit("wall-gate"), pieces=2))
    assert [each.datasheets for each in entry.units] == [(f"{F}/wall-gate", f"{F}/wall-tower")] * 2


def test_only_a_full_transport_has_riders() -> None:
    full, empty = read(row(unit("wagon"), transport="full"), row(unit("wagon"), transport="empty"))
    assert (full.transport_full, full.name) == (True, "Wagon (full)")
    assert (empty.transport_full, empty.name) == (False, "Wagon")


def test_a_row_that_stands_twice_is_there_twice() -> None:
    first, second = read(row(unit("wagon")), row(unit("wagon")))
    assert (first.id, second.id) == (f"{F}/2/wagon", f"{F}/2/wagon-2")


def test_a_size_that_the_datasheet_lost_is_marked() -> None:
    (entry,) = read(row(unit("scouts", models=5, size_mismatch=True)))
    assert entry.resized


def test_the_faction_of_a_table_is_that_of_most_of_its_units() -> None:
    table = {"3-4": [row(unit("wagon")), row(unit("wagon"))], "5-6": [row({"datasheets": ["reds/cart"]})]}
    assert home(table) == F


FACTION = '# Of the Blues.\n[faction]\nid = "blues"  # as is\n\n[[faction.allies]]\narmies = []\n\n'


@pytest.mark.parametrize("before", ["", FACTION, FACTION + "[spawn]\nfaction = 'old'\n"])
def test_what_stands_before_the_table_is_kept_byte_for_byte(before: str) -> None:
    guards = unit("guards", models=5, possible_leaders=[f"{F}/lord", f"{F}/priest"])
    entries = [(2, entry) for entry in read(row(guards, leaders=1), row(unit("scouts", models=5)))]
    head = {"faction": F, "name": "The Blues"}
    text = spawn_toml(head, entries, SHEETS, before)
    assert text.startswith(kept(before))
    assert kept(text) == before.partition("[spawn]")[0]
    assert spawn_toml(head, entries, SHEETS, text) == text
    table = tomllib.loads(text)["spawn"]
    assert table["leaders"] == {f"{F}/guards": [f"{F}/lord", f"{F}/priest"]}
    assert [each["name"] for each in table["entry"]] == ["Guards (5) + a leader", "Scouts"]
