"""The library finds what it has, says what it has not, and is the same everywhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import shapely

from datasheets.dependency import everything
from datasheets.errors import BadData, UnknownName
from datasheets.library import EDITION, Library
from datasheets.record import as_written


def test_datasheet_has_the_printed_numbers(library: Library) -> None:
    sheet = library.datasheet("space-marines/intercessor-squad")
    kind = sheet.kind("Intercessor")
    assert sheet.profile(kind).characteristics == {"M": 6, "T": 4, "Sv": 3, "W": 2, "Ld": 6, "OC": 2}
    assert kind.base.mm == (32.0,)
    (rifle,) = sheet.weapon_profiles("Bolt Rifle")
    assert (rifle.range, rifle.attacks, rifle.skill, rifle.strength, rifle.ap, rifle.damage) == (
        24,
        "2",
        3,
        4,
        -1,
        "1",
    )
    assert rifle.keywords == ("assault", "heavy")
    assert sheet.has("Battleline")
    assert sheet.has("adeptus astartes")
    assert not sheet.has("CHARACTER")


def test_profiles_of_one_weapon_share_their_item(library: Library) -> None:
    sheet = library.datasheet("death-guard/plague-marines")
    gun = sheet.weapon_profiles("Plasma gun")
    assert [weapon.name for weapon in gun] == ["Plasma gun - standard", "Plasma gun - supercharge"]


def test_torrent_has_no_skill_and_melee_no_range(library: Library) -> None:
    sheet = library.datasheet("death-guard/plague-marines")
    (spewer,) = sheet.weapon_profiles("Plague spewer")
    (knives,) = sheet.weapon_profiles("Plague knives")
    assert spewer.skill is None
    assert spewer.has("torrent")
    assert knives.range is None


@pytest.mark.parametrize(("models", "points"), [(5, 95), (6, 130), (7, 130), (8, 190), (10, 190)])
def test_cost_is_that_of_the_row_that_holds_the_unit(library: Library, models: int, points: int) -> None:
    assert library.datasheet("death-guard/plague-marines").cost(models) == points


def test_core_ability_gives_its_number(library: Library) -> None:
    poxwalkers = library.datasheet("death-guard/poxwalkers")
    assert poxwalkers.core("feel no pain") == "5+"
    assert poxwalkers.core("infiltrators") == ""
    assert poxwalkers.core("deep strike") is None


def test_what_is_not_carried_out_is_named(library: Library) -> None:
    poxwalkers = library.datasheet("death-guard/poxwalkers")
    names = [ability.name for ability in poxwalkers.unmodelled]
    assert "Nurgle's Gift (Aura)" in names
    assert "infiltrators" not in names
    assert "feel no pain 5+" not in names
    assert all(ability.reason for ability in poxwalkers.unmodelled)


def test_leaders_lead_datasheets_that_exist(library: Library) -> None:
    typhus = library.datasheet("death-guard/typhus")
    assert "death-guard/poxwalkers" in typhus.leads
    for faction in library.factions():
        for sheet in library.datasheets(faction):
            for led in sheet.leads:
                assert library.datasheet(led).id == led


@pytest.mark.parametrize(
    ("ask", "name", "near"),
    [
        ("datasheet", "death-guard/plage-marines", "death-guard/plague-marines"),
        ("datasheet", "intercesor squad", "space-marines/intercessor-squad"),
        ("faction", "tyranid", "tyranids"),
        ("spawn_table", "deathguard", "death-guard"),
        ("deployment", "dawn-of-wars", "dawn-of-war"),
        ("layout", "horde-dawn-of-war", "horde-dawn-of-war-1"),
        ("layouts", "hammer-anvil", "hammer-and-anvil"),
        ("army", "space-marine-1000", "space-marines-1000"),
    ],
)
def test_unknown_name_comes_with_near_ones(library: Library, ask: str, name: str, near: str) -> None:
    with pytest.raises(UnknownName) as caught:
        getattr(library, ask)(name)
    assert near in caught.value.near
    assert f"'{name}'" in str(caught.value)


def test_factions_know_their_spawning_table(library: Library) -> None:
    assert library.faction("death-guard").has_spawn_table
    assert {"death-guard", "tyranids"} <= set(library.hordes())
    assert library.faction("tyranids").name == "Tyranids"


@pytest.mark.rule("SETUP.3")
def test_spawn_zones_are_equal_parts_from_left_to_right(library: Library) -> None:
    dawn = library.deployment("dawn-of-war")
    assert [zone.id for zone in dawn.spawn_zones[4]] == ["S1", "S2", "S3", "S4"]
    assert [sorted(zone.front) for zone in dawn.spawn_zones[2]] == [[(0, 32), (30, 32)], [(30, 32), (60, 32)]]
    anvil = library.deployment("hammer-and-anvil")
    fronts = [sorted(zone.front) for zone in anvil.spawn_zones[4]]
    assert fronts == [[(42, y), (42, y + 11)] for y in (33, 22, 11, 0)]


@pytest.mark.rule("SETUP.4")
def test_terrain_stands_in_no_mans_land_and_off_its_markers(library: Library) -> None:
    for deployment in library.deployments():
        layouts = library.layouts(deployment.id)
        assert len(layouts) == 2
        zones = [shapely.Polygon(zone) for zone in (deployment.defender, deployment.attacker)]
        markers = [shapely.Point(each.at) for each in deployment.objectives if each.zone == "no-mans-land"]
        for piece in (piece for layout in layouts for piece in layout.pieces):
            ground = shapely.Polygon(piece.polygon)
            assert all(zone.intersection(ground).area < 1e-6 for zone in zones), (deployment.id, piece.id)
            assert all(ground.distance(marker) >= 6 - 1e-6 for marker in markers), (deployment.id, piece.id)


def test_terrain_has_the_heights_of_its_kind(library: Library) -> None:
    heights = {piece.kind: piece.height for layout in library.layouts() for piece in layout.pieces}
    assert heights == {"ruin": 5, "woods": 4, "barricade": 1, "crater": 0}


def copy_of(library: Library, folder: Path) -> Library:
    """Return a library of one small faction in this folder."""
    sheet = as_written(library.datasheet("tyranids/lictor"))
    (folder / EDITION).mkdir(parents=True)
    data = {"edition": EDITION, "faction": "tyranids", "name": "Tyranids", "datasheets": [sheet]}
    (folder / EDITION / "tyranids.json").write_text(json.dumps(data), encoding="utf-8")
    return Library(datasheets=folder, factions=folder / "none", assets=folder / "none")


def test_a_digest_changes_with_a_number_and_not_with_the_layout_of_a_file(
    library: Library, tmp_path: Path
) -> None:
    first = everything(copy_of(library, tmp_path))
    assert list(first) == ["datasheets/w40k-10/tyranids.json"]
    path = tmp_path / EDITION / "tyranids.json"
    text = path.read_text(encoding="utf-8")
    path.write_text(json.dumps(json.loads(text), indent=4).replace("\n", "\r\n"), encoding="utf-8")
    again = Library(datasheets=tmp_path, factions=tmp_path / "none", assets=tmp_path / "none")
    assert everything(again) == first
    path.write_text(text.replace('"M": 8', '"M": 9', 1), encoding="utf-8")
    other = Library(datasheets=tmp_path, factions=tmp_path / "none", assets=tmp_path / "none")
    assert everything(other) != first


@pytest.mark.parametrize(
    ("text", "key"),
    [("{", ""), ('{"name": "T", "datasheets": [{"id": "tyranids/x"}]}', "name")],
)
def test_broken_file_is_named(tmp_path: Path, text: str, key: str) -> None:
    (tmp_path / EDITION).mkdir()
    (tmp_path / EDITION / "tyranids.json").write_text(text, encoding="utf-8")
    broken = Library(datasheets=tmp_path, factions=tmp_path / "none", assets=tmp_path / "none")
    with pytest.raises(BadData) as caught:
        broken.datasheet("tyranids/x")
    assert "tyranids.json" in caught.value.path
    assert caught.value.key == key
