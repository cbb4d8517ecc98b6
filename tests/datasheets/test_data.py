"""What the data files may hold: names and numbers, and not a sentence of anybody's rules."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from datasheets.errors import BadData
from datasheets.importers.footprint import footprint, height, height_of_base
from datasheets.importers.leading import Names
from datasheets.importers.naming import plain
from datasheets.importers.options import Piece, choices, path_of
from datasheets.importers.tables import table
from datasheets.library import Library
from datasheets.record import as_written
from datasheets.schema import BaseSize

LONGEST_NAME = 75
ESTIMATED_ROUND = {
    "space-marines/ferren-areios-legends",
    "space-marines/lieutenant-titus",
    "tyranids/the-red-terror",
    "tyranids/tyranid-prime-with-lash-whip",
}
DATA = ["death-guard", "space-marines", "tyranids"]


def strings(value: Any) -> Iterator[str]:
    """Return every string in a piece of data."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from strings(key)
            yield from strings(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from strings(each)


@pytest.mark.parametrize("faction", DATA)
def test_no_datasheet_holds_prose(library: Library, faction: str) -> None:
    for sheet in library.datasheets(faction):
        for text in strings(as_written(replace(sheet, id="", leads=()))):
            assert len(text) <= LONGEST_NAME, text
            assert not re.search(r"[.?;](\s|$)", text), text
            assert len(text.split()) <= 12, text


@pytest.mark.parametrize("faction", DATA)
def test_no_table_holds_prose(library: Library, faction: str) -> None:
    for bracket in library.spawn_table(faction).brackets.values():
        for entry in bracket:
            assert len(entry.name) <= LONGEST_NAME
            assert not re.search(r"[.?;](\s|$)", entry.name)


def test_files_hold_no_path_and_no_address() -> None:
    for folder in (
        files("datasheets") / "data" / "w40k-10",
        files("factions") / "data",
        files("assets") / "layouts",
    ):
        for path in Path(str(folder)).rglob("*.*"):
            text = path.read_text(encoding="utf-8")
            assert "http" not in text


@pytest.mark.parametrize("faction", DATA)
def test_every_datasheet_hangs_together(library: Library, faction: str) -> None:
    for sheet in library.datasheets(faction):
        items = {weapon.item for weapon in sheet.weapons}
        wargear = {ability.item for ability in sheet.abilities if ability.kind == "wargear"}
        assert sheet.points, sheet.id
        for kind in sheet.models:
            sheet.profile(kind)
            bundles = [kind.items, *(bundle for option in kind.options for bundle in option.alternatives)]
            assert {each.item for bundle in bundles for each in bundle} <= items | wargear, sheet.id
            for option in kind.options:
                assert option.default is None or 0 <= option.default < len(option.alternatives)
        names = [(weapon.name, weapon.type) for weapon in sheet.weapons]
        assert len(set(names)) == len(names), sheet.id


@pytest.mark.rule("ARMY.9")
def test_aircraft_and_fortifications_keep_their_keyword(library: Library) -> None:
    assert library.datasheet("tyranids/harpy").has("AIRCRAFT")
    assert library.datasheet("death-guard/miasmic-malignifier").has("FORTIFICATION")
    table = library.spawn_table("tyranids")
    assert "tyranids/harpy" in table.datasheets


def test_hulls_are_marked_as_estimates(library: Library) -> None:
    rhino = library.datasheet("death-guard/chaos-rhino").models[0].base
    marine = library.datasheet("death-guard/plague-marines").models[0].base
    assert rhino.shape == "hull"
    assert rhino.estimated
    assert not marine.estimated
    for sheet in (each for faction in DATA for each in library.datasheets(faction)):
        for kind in sheet.models:
            is_guess = kind.base.shape == "hull" or sheet.id in ESTIMATED_ROUND
            assert kind.base.estimated == is_guess, sheet.id


def test_heights_grow_with_the_base_of_a_monster() -> None:
    small, large = BaseSize(shape="round", mm=(60,)), BaseSize(shape="oval", mm=(170, 105))
    assert height_of_base(small, ("INFANTRY",)) == 2.5
    assert height_of_base(small, ("SWARM", "INFANTRY")) == 1
    assert 2.5 < height_of_base(small, ("MONSTER",)) < height_of_base(large, ("MONSTER",)) <= 8


def test_every_estimate_stands_once_in_the_table() -> None:
    names = [plain(name) for entry in table("footprints")["footprint"] for name in entry["names"]]
    assert len(set(names)) == len(names)
    assert all(entry["reason"] for entry in table("footprints")["footprint"])


def test_a_model_without_a_base_anywhere_is_named_with_the_table() -> None:
    with pytest.raises(BadData, match=r"footprints\.toml: Moon Walker: no source has a base for 'Walker'"):
        footprint("Walker", "Moon Walker")


def test_the_table_tells_how_tall_a_hull_is() -> None:
    rhino = footprint("Rhino", "Rhino")
    assert (rhino.inches, rhino.estimated) == ((4.5, 3.0), True)
    assert height("Rhino", "Rhino", rhino, ("VEHICLE",)) == 3.0


@pytest.mark.parametrize("name", ["leaders", "gear", "limits"])
def test_tables_name_datasheets_that_there_are(library: Library, name: str) -> None:
    for entries in table(name).values():
        for entry in entries:
            for each in (*entry.get("datasheets", ()), *entry.get("units", ())):
                assert library.datasheet(each).id == each


def test_a_leader_joins_the_units_of_its_own_army_first() -> None:
    row = {"profiles": [1], "leads": ["Guard"]}
    names = Names(
        [{**row, "name": "Guard", "id": f"{faction}/guard"} for faction in ("a", "b", "c")],
        {"b": ["a"], "c": []},
    )
    assert names.ids("Guard", "a") == ("a/guard", "b/guard")
    assert names.ids("Guard", "c") == ("c/guard",)
    assert names.ids("guard", "d") == ("a/guard", "b/guard", "c/guard")


def piece(
    item: str, option: str | None, *, default: bool = False, melee: bool = False, count: int = 1
) -> Piece:
    """Return a piece of wargear as a source lists it."""
    return Piece(item, melee, default, count, path_of(option))


def test_folder_with_one_default_is_a_choice() -> None:
    listed = [piece("Gun", "Wargear", default=True), piece("Cannon", "Wargear"), piece("Flamer", "Wargear")]
    fixed, options = choices(listed, Counter({"gun": 1}), False)
    assert fixed == ()
    assert [[each.item for each in bundle] for bundle in options[0].alternatives] == [
        ["Gun"],
        ["Cannon"],
        ["Flamer"],
    ]
    assert options[0].default == 0


def test_folder_named_after_what_it_holds_is_carried_together() -> None:
    listed = [
        piece("Rifle", "Weapon 1", default=True),
        piece("Rifle", "Weapon 1 / Rifle w/ Launcher"),
        piece("Launcher", "Weapon 1 / Rifle w/ Launcher"),
    ]
    _, options = choices(listed, Counter({"rifle": 1}), False)
    assert [[each.item for each in bundle] for bundle in options[0].alternatives] == [
        ["Rifle"],
        ["Rifle", "Launcher"],
    ]


def test_additions_to_a_vehicle_are_choices_of_their_own() -> None:
    listed = [
        piece("Turret", "Wargear", default=True),
        piece("Tracks", "Wargear", default=True, melee=True),
        piece("Missile", "Wargear"),
        piece("Bolter", "Wargear / Sponsons / 2 bolters", count=2),
        piece("Lance", "Wargear / Sponsons / 2 lances", count=2),
    ]
    fixed, options = choices(listed, Counter({"turret": 1, "tracks": 1}), False)
    assert [each.item for each in fixed] == ["Turret", "Tracks"]
    assert [option.name for option in options] == ["Missile", "Sponsons"]
    assert [option.default for option in options] == [None, None]
    assert options[1].alternatives[0][0].count == 2
