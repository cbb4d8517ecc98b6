"""The spawning tables hold what the source has, and every row can be put on the table."""

from __future__ import annotations

import pytest

from datasheets.library import Library
from datasheets.loadout import default_loadout, full_loadout, weapons
from datasheets.schema import SpawnEntry

HORDES = ("death-guard", "tyranids")
EVERY = Library().hordes()
FOUND = tuple(each for each in EVERY if not Library().spawn_table(each).made_by_us)
WITHOUT_WEAPONS = {"tyranids/spore-mines", "tyranids/mucolid-spores"}


def entries(library: Library, faction: str) -> list[SpawnEntry]:
    """Return every row of the faction's table."""
    table = library.spawn_table(faction)
    return [entry for number in sorted(table.brackets) for entry in table.brackets[number]]


def sizes(library: Library, faction: str) -> list[tuple[str, int]]:
    """Return every datasheet of the table with each size in which it comes; leaders come alone."""
    found = {(i, unit.models) for e in entries(library, faction) for unit in e.units for i in unit.datasheets}
    found |= {(i, 1) for e in entries(library, faction) for i in (*e.leaders, *e.possible_leaders)}
    return sorted(found)


@pytest.mark.rule("SPAWN.4")
@pytest.mark.parametrize(
    ("faction", "counts"),
    [("death-guard", [9, 22, 13, 7]), ("tyranids", [21, 38, 23, 8]), ("space-marines", [8, 39, 31, 7])],
)
def test_brackets_have_the_rows_of_the_source_without_the_junk_row(
    library: Library, faction: str, counts: list[int]
) -> None:
    table = library.spawn_table(faction)
    assert [len(table.brackets[number]) for number in (1, 2, 3, 4)] == counts
    assert sorted(table.brackets) == [1, 2, 3, 4]


def test_the_tables_that_were_found_have_all_their_rows(library: Library) -> None:
    """The source has 1,200 rows in 21 tables; the one that is ours comes beside them."""
    assert sum(len(entries(library, faction)) for faction in FOUND) == 1200
    assert len(FOUND) == 21


@pytest.mark.parametrize("faction", EVERY)
def test_every_row_has_an_id_of_its_own(library: Library, faction: str) -> None:
    ids = [entry.id for entry in entries(library, faction)]
    assert len(set(ids)) == len(ids)
    assert all(each.startswith(f"{faction}/") and each == each.lower() and " " not in each for each in ids)


@pytest.mark.parametrize("faction", HORDES)
def test_every_row_can_be_put_on_the_table(library: Library, faction: str) -> None:
    for name, models in sizes(library, faction):
        sheet = library.datasheet(name)
        assert sheet.unit_size.minimum <= models <= sheet.unit_size.maximum, name
        assert sheet.cost(models) > 0, name
        assert all(min(kind.base.size) > 0 and kind.height > 0 for kind in sheet.models), name
        assert bool(sheet.weapons) == (name not in WITHOUT_WEAPONS), name
        assert set(sheet.profiles[0].characteristics) == {"M", "T", "Sv", "W", "Ld", "OC"}, name


@pytest.mark.parametrize("faction", EVERY)
def test_leaders_of_a_row_may_lead_its_unit(library: Library, faction: str) -> None:
    """A named leader may lead whichever datasheet is drawn; of those left to choose enough may."""
    for entry in entries(library, faction):
        for led in entry.units[0].datasheets:
            assert all(led in library.datasheet(each).leads for each in entry.leaders), entry.id
            able = [each for each in entry.possible_leaders if led in library.datasheet(each).leads]
            assert len(able) >= entry.leader_choices, (entry.id, led)
        assert bool(entry.possible_leaders) == bool(entry.leader_choices), entry.id


@pytest.mark.parametrize("faction", EVERY)
def test_every_row_asks_for_a_size_that_its_datasheet_has(library: Library, faction: str) -> None:
    """Where one of several is drawn, the size is the first's; others take the nearest size."""
    for entry in entries(library, faction):
        for unit in entry.units:
            size = library.datasheet(unit.datasheets[0]).unit_size
            assert size.nearest(unit.models) == unit.models, entry.id
            for each in unit.datasheets:
                sheet = library.datasheet(each)
                models = sheet.unit_size.nearest(unit.models)
                assert sum(row.models for row in full_loadout(sheet, models)) == models, (entry.id, each)


@pytest.mark.parametrize("faction", EVERY)
def test_every_faction_with_a_table_has_its_rule_as_the_horde(library: Library, faction: str) -> None:
    (rule,) = (each for each in library.rules() if faction in each.factions and each.tags == ("faction",))
    assert rule.clause == f"FACTION.{faction}"
    assert (rule.status == "unmodelled") == bool(rule.reason)


def test_a_table_that_is_ours_keeps_to_the_bands_of_points(library: Library) -> None:
    """Less than 80 points are the first bracket, and so on; a leader or riders add to that."""
    for faction in EVERY:
        table = library.spawn_table(faction)
        for bracket, rows in table.brackets.items() if table.made_by_us else ():
            for entry in rows:
                unit = entry.units[0]
                cost = library.datasheet(unit.datasheets[0]).cost(unit.models)
                cost += sum(library.datasheet(each).cost(1) for each in entry.leaders)
                least = (0, 80, 160, 265, 10_000)[bracket - 1]
                more = entry.leader_choices or entry.transport_full
                assert cost < (0, 80, 160, 265, 10_000)[bracket], entry.id
                assert more or cost >= least, entry.id


def test_two_leaders_are_asked_for_where_the_table_says_double(library: Library) -> None:
    rows = {entry.id: entry for entry in entries(library, "death-guard")}
    assert rows["death-guard/3/plague-marines-5-two-leaders"].leader_choices == 2
    assert rows["death-guard/2/typhus-poxwalkers-10"].leaders == ("death-guard/typhus",)
    assert rows["death-guard/3/chaos-rhino-full"].transport_full


def test_warriors_come_with_the_weapons_that_the_row_names(library: Library) -> None:
    for row in entries(library, "tyranids"):
        if "Tyranid Warriors" in row.name:
            sheet = library.datasheet(row.units[0].datasheets[0])
            assert any(weapon.is_ranged for weapon in sheet.weapons) == ("Ranged" in row.name)


@pytest.mark.rule("SPAWN.5")
@pytest.mark.parametrize("faction", HORDES)
def test_full_loadouts_are_whole_and_every_model_can_fight(library: Library, faction: str) -> None:
    for name, models in sizes(library, faction):
        sheet = library.datasheet(name)
        rows = full_loadout(sheet, models)
        assert sum(row.models for row in rows) == models
        for row in rows:
            kind = sheet.kind(row.kind)
            assert kind.maximum is None or row.models <= kind.maximum
            if name in WITHOUT_WEAPONS or name == "death-guard/miasmic-malignifier":
                continue
            assert any(not weapon.is_ranged for weapon, _ in weapons(sheet, row)), (name, row)


@pytest.mark.rule("SPAWN.5")
@pytest.mark.parametrize("faction", HORDES)
def test_full_loadout_never_takes_two_alternatives_of_one_choice(library: Library, faction: str) -> None:
    for name, models in sizes(library, faction):
        sheet = library.datasheet(name)
        for row in full_loadout(sheet, models):
            kind, carried = sheet.kind(row.kind), {each.item for each in row.items}
            for option in kind.options:
                elsewhere = {c.item for c in kind.items}
                elsewhere |= {
                    c.item for o in kind.options if o is not option for b in o.alternatives for c in b
                }
                taken = [b for b in option.alternatives if {c.item for c in b} - elsewhere & carried]
                counts = {c.item: c.count for c in row.items}
                own = [b for b in taken if all(counts.get(c.item, 0) >= c.count for c in b)]
                assert len(own) <= 1 or all({c.item for c in b} & elsewhere for b in own), (name, option)


@pytest.mark.rule("SPAWN.5")
@pytest.mark.parametrize("faction", HORDES)
def test_full_loadout_has_at_least_the_kinds_of_weapon_of_the_default(library: Library, faction: str) -> None:
    for name, models in sizes(library, faction):
        sheet = library.datasheet(name)
        full = {w.item for row in full_loadout(sheet, models) for w, _ in weapons(sheet, row)}
        plain = {w.item for row in default_loadout(sheet, models) for w, _ in weapons(sheet, row)}
        assert len(full) >= len(plain), name
