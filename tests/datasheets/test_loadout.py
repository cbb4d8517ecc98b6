"""Which models a unit has and what they carry: by default, in full, and as a roster asks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasheets.errors import BadData, UnknownName
from datasheets.library import Library
from datasheets.loadout import (
    ModelLoadout,
    default_loadout,
    full_loadout,
    item_names,
    roster_loadout,
    weapons,
)

SM = "space-marines"
ALL_SHEETS = [sheet for faction in Library().factions() for sheet in Library().datasheets(faction)]


def kinds(rows: Sequence[ModelLoadout]) -> dict[str, int]:
    """Return how many models there are of each kind."""
    counts: Counter[str] = Counter()
    for row in rows:
        counts[row.kind] += row.models
    return dict(counts)


def items(rows: Sequence[ModelLoadout]) -> dict[str, int]:
    """Return how many of each item the unit has."""
    counts: Counter[str] = Counter()
    for row in rows:
        for each in row.items:
            counts[each.item] += each.count * row.models
    return dict(counts)


def test_default_is_the_printed_loadout(library: Library) -> None:
    rows = default_loadout(library.datasheet(f"{SM}/intercessor-squad"), 10)
    assert kinds(rows) == {"Intercessor Sergeant": 1, "Intercessor": 9}
    assert items(rows) == {"Bolt pistol": 10, "Bolt Rifle": 10, "Close combat weapon": 10}


def test_printed_loadout_outranks_the_source_that_names_another_default(library: Library) -> None:
    rows = default_loadout(library.datasheet(f"{SM}/inceptor-squad"), 3)
    assert items(rows)["Assault Bolters"] == 3


@pytest.mark.rule("SPAWN.5")
def test_full_plague_marines_have_some_of_everything(library: Library) -> None:
    sheet = library.datasheet("death-guard/plague-marines")
    rows = full_loadout(sheet, 10)
    assert kinds(rows) == {
        "Plague Champion": 1,
        "Plague Marine w/ bubotic weapons": 2,
        "Plague Marine w/ heavy plague weapon": 2,
        "Plague Marine w/ blight launcher": 1,
        "Plague Marine w/ plague spewer": 1,
        "Plague Marine w/ icon of despair": 1,
        "Plague Marine w/ meltagun": 1,
        "Plague Marine w/ plasma gun": 1,
    }
    small = kinds(full_loadout(sheet, 5))
    assert small["Plague Champion"] == 1
    assert max(small.values()) == 1


@pytest.mark.rule("SPAWN.5")
def test_limits_shrink_with_the_unit(library: Library) -> None:
    sheet = library.datasheet("tyranids/termagants")
    assert kinds(full_loadout(sheet, 10))["Termagant w/ Strangleweb"] == 1
    assert kinds(full_loadout(sheet, 20))["Termagant w/ Strangleweb"] == 2


@pytest.mark.rule("SPAWN.5")
def test_kinds_of_a_shared_limit_count_together(library: Library) -> None:
    rows = kinds(full_loadout(library.datasheet("death-guard/blightlord-terminators"), 5))
    heavy = [name for name in rows if any(word in name for word in ("spewer", "launcher", "autocannon"))]
    assert sum(rows[name] for name in heavy) == 1


@pytest.mark.rule("SPAWN.5")
def test_full_vehicle_takes_what_replaces_nothing(library: Library) -> None:
    sheet = library.datasheet("death-guard/chaos-predator-destructor")
    assert items(default_loadout(sheet, 1)) == {"Predator autocannon": 1, "Armoured tracks": 1}
    full = items(full_loadout(sheet, 1))
    assert full["Havoc launcher"] == 1
    assert full["Heavy bolter"] == 2
    assert "Lascannon" not in full


def test_unlimited_alternatives_keep_the_default(library: Library) -> None:
    rows = full_loadout(library.datasheet("tyranids/hive-guard"), 6)
    assert kinds(rows) == {"Hive Guard w/ shockcannon": 6}


@pytest.mark.parametrize(
    ("sheet", "models", "wargear", "expected"),
    [
        ("terminator-squad", 5, {"Assault Cannon": 1}, {"Assault Cannon": 1, "Storm bolter": 4}),
        ("terminator-squad", 5, {"Chainfist": 2}, {"Chainfist": 2, "Power fist": 3, "Storm bolter": 5}),
        (
            "inceptor-squad",
            3,
            {"plasma exterminators": 3},
            {"Plasma Exterminators": 3, "Close combat weapon": 3},
        ),
        ("hellblaster-squad", 5, {"Plasma pistol": 1}, {"Plasma pistol": 1, "Bolt pistol": 4}),
        ("captain", 1, {"Power fist": 1, "Plasma pistol": 1}, {"Power fist": 1, "Plasma pistol": 1}),
        ("predator-destructor", 1, {"Lascannon": 2}, {"Lascannon": 2, "Predator Autocannon": 1}),
        ("intercessor-squad", 5, {"Power weapon": 1}, {"Power weapon": 1, "Bolt Rifle": 5}),
    ],
)
def test_roster_gets_what_it_asks_for(
    library: Library, sheet: str, models: int, wargear: dict[str, int], expected: dict[str, int]
) -> None:
    found = items(roster_loadout(library.datasheet(f"{SM}/{sheet}"), models, wargear))
    assert {item: found.get(item) for item in expected} == expected


@pytest.mark.parametrize(
    ("sheet", "models", "wargear"),
    [
        ("terminator-squad", 5, {"Assault Cannon": 2}),
        ("hellblaster-squad", 5, {"Plasma pistol": 2}),
        ("captain", 1, {"Master-crafted bolter": 1, "Plasma pistol": 1}),
        ("predator-destructor", 1, {"Lascannon": 2, "Heavy Bolter": 2}),
        ("intercessor-squad", 11, {}),
        ("intercessor-squad", 4, {}),
    ],
)
def test_roster_is_refused_what_the_sheet_does_not_allow(
    library: Library, sheet: str, models: int, wargear: dict[str, int]
) -> None:
    with pytest.raises(BadData):
        roster_loadout(library.datasheet(f"{SM}/{sheet}"), models, wargear)


def test_unknown_wargear_is_named(library: Library) -> None:
    with pytest.raises(UnknownName, match="Bolt Rifle"):
        roster_loadout(library.datasheet(f"{SM}/intercessor-squad"), 5, {"Bolt Rifel": 1})


def test_weapons_count_what_is_carried_twice(library: Library) -> None:
    sheet = library.datasheet(f"{SM}/land-raider")
    (row,) = default_loadout(sheet, 1)
    assert {weapon.name: count for weapon, count in weapons(sheet, row)}["Godhammer Lascannon"] == 2


@given(sheet=st.sampled_from(ALL_SHEETS), data=st.data())
def test_every_loadout_has_the_models_and_respects_the_kinds(sheet, data) -> None:  # type: ignore[no-untyped-def]
    models = data.draw(st.sampled_from(sheet.sizes))
    names = item_names(sheet)
    asked = data.draw(st.dictionaries(st.sampled_from(names), st.integers(1, 3), max_size=2)) if names else {}
    loadouts = [default_loadout(sheet, models), full_loadout(sheet, models)]
    try:
        armed = roster_loadout(sheet, models, asked)
    except BadData:
        pass
    else:
        assert all(items(armed)[item] >= count for item, count in asked.items())
        loadouts.append(armed)
    for rows in loadouts:
        assert sum(row.models for row in rows) == models
        for name, number in kinds(rows).items():
            kind = sheet.kind(name)
            assert kind.minimum <= number or sheet.mixes
            assert kind.maximum is None or number <= kind.maximum


def test_the_order_of_a_rosters_wargear_says_nothing(library: Library) -> None:
    """A replay's header tells wargear sorted by name, and must muster the same models."""
    sheet = library.datasheet("space-marines/terminator-squad")
    wargear = {"Cyclone missile launcher": 1, "Chainfist": 1}
    assert roster_loadout(sheet, 5, wargear) == roster_loadout(sheet, 5, dict(sorted(wargear.items())))


def test_models_that_were_asked_for_are_not_recruited_twice(library: Library) -> None:
    """All five have a maul, so that none is left for gauntlets: the unit does not grow to seven."""
    sheet = library.datasheet("leagues-of-votann/cthonian-beserks")
    asked = {"Concussion maul": 5, "Twin concussion gauntlets": 2}
    with pytest.raises(BadData, match="a unit of 5 may have at most 3"):
        roster_loadout(sheet, 5, asked)
    some = roster_loadout(sheet, 5, asked | {"Concussion maul": 3})
    assert [(each.kind, each.models) for each in some] == [
        ("Beserk", 3),
        ("Beserk w/ twin concussion gauntlets", 2),
    ]


def test_every_shipped_unit_has_the_models_that_its_army_says(library: Library) -> None:
    for name in library.armies():
        for unit in library.army(name).units:
            rows = roster_loadout(library.datasheet(unit.datasheet), unit.models, unit.wargear)
            assert sum(row.models for row in rows) == unit.models, (name, unit.id)
            assert all(row.models > 0 for row in rows), (name, unit.id)
