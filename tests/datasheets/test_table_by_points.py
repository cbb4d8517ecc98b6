"""A spawning table that is made by bands of points: what rows it has, and in which bracket."""

from __future__ import annotations

from typing import Any

import pytest

from datasheets.importers.table_by_points import bracket_of_points, made_table
from datasheets.schema import Datasheet, PointsRow, SpawnEntry, SpawnTable, SpawnUnit, Transport, UnitSize

F = "blues"


def sheet(name: str, *costs: tuple[int, int], leads: tuple[str, ...] = (), **more: Any) -> Datasheet:
    """Return a datasheet of the Blues; the costs are by number of models."""
    keywords = more.pop("keywords", ("INFANTRY",))
    return Datasheet(
        id=f"{F}/{name.lower()}",
        name=name,
        faction=F,
        keywords=keywords,
        leads=leads,
        points=tuple(PointsRow(models=models, points=points) for models, points in costs),
        unit_size=UnitSize(minimum=costs[0][0], maximum=costs[-1][0]),
        profiles=(),
        models=(),
        **{"faction_keywords": ("BLUES",), **more},
    )


def found(rows: tuple[int, int, int, int]) -> SpawnTable:
    """Return a table with a number of rows in each bracket."""
    any_row = SpawnEntry(id="x", name="x", units=(SpawnUnit(datasheets=("x",), models=1),))
    return SpawnTable(
        faction="x", name="x", brackets={i: (any_row,) * n for i, n in enumerate(rows, start=1)}
    )


def made(*sheets: Datasheet, most: tuple[int, int, int, int] = (9, 9, 9, 9)) -> list[tuple[int, str]]:
    """Return the names of the rows that are made, with their brackets."""
    return [(bracket, entry.name) for bracket, entry in made_table(F, sheets, [found(most)])]


@pytest.mark.parametrize(
    ("points", "bracket"), [(0, 1), (79, 1), (80, 2), (159, 2), (160, 3), (264, 3), (265, 4), (800, 4)]
)
def test_the_bands_begin_at_80_160_and_265(points: int, bracket: int) -> None:
    assert bracket_of_points(points) == bracket


def test_a_unit_comes_in_each_of_its_sizes() -> None:
    assert made(sheet("Guards", (5, 70), (10, 160))) == [(1, "Guards (5)"), (3, "Guards (10)")]


def test_a_led_unit_is_worth_its_leader_too() -> None:
    """The only possible leader is named; of several one is left to choose, at the median price."""
    guards, lord = sheet("Guards", (5, 70)), sheet("Lord", (1, 90), leads=(f"{F}/guards",))
    assert made(guards, lord) == [(1, "Guards"), (2, "Lord"), (3, "Lord + Guards")]
    priest = sheet("Priest", (1, 60), leads=(f"{F}/guards",))
    assert (2, "Guards + a leader") in made(guards, lord, priest)


def test_a_transport_comes_full_and_is_worth_the_largest_unit_that_it_holds() -> None:
    """Six are too many for the wagon: it is worth 100 with the three at 50."""
    wagon = sheet("Wagon", (1, 50), transport=Transport(capacity=5, allows="BLUES"), keywords=("VEHICLE",))
    guards = sheet("Guards", (3, 50), (6, 120), keywords=("INFANTRY", "BATTLELINE"))
    assert (2, "Wagon (full)") in made(wagon, guards)
    assert not [name for _, name in made(wagon, guards) if name == "Wagon"]


def test_neither_allies_nor_legends_are_in_it() -> None:
    own = [sheet("Guards", (5, 70)), sheet("Scouts", (5, 60))]
    ally, old = sheet("Imps", (5, 50), faction_keywords=("REDS",)), sheet("Elders", (5, 50), legends=True)
    assert made(*own, ally, old) == [(1, "Scouts"), (1, "Guards")]


def test_a_bracket_has_no_more_rows_than_the_tables_that_were_found() -> None:
    """Each datasheet has a row before any has a second."""
    sheets = [sheet("Guards", (1, 10), (2, 20), (3, 30)), sheet("Scouts", (5, 60))]
    assert made(*sheets, most=(2, 0, 0, 0)) == [(1, "Guards (1)"), (1, "Scouts")]
