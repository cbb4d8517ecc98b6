"""An import writes a file of overrides that the library reads, whole or not at all."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from datasheets.catalogue.importing import write
from datasheets.errors import BadData
from datasheets.library import EDITION, Library
from datasheets.overrides import load_overrides, overridden
from tests.datasheets.catalogue.conftest import Folder
from tests.datasheets.catalogue.writing import (
    blade,
    catalogue,
    entries,
    entry,
    gun,
    imported,
    link,
    modified,
    profiles,
    squad,
    unit_profile,
)

KNIFE = entry("upgrade", "Knife", profiles(blade("Knife")))


def ash(strength: int = 4, points: int = 80) -> str:
    """Return a catalogue with a squad; its modifier of points is the same for each size."""
    rifle = entry("upgrade", "Rifle", profiles(gun("Rifle", strength=strength)))
    guard = entry(
        "model", "Guard", profiles(unit_profile("Guard")), link("rifle"), link("knife"), limits="5-10"
    )
    change = modified("p", str(points))
    return catalogue(
        "ash", entry("unit", "Ash Guard", change, entries(guard)), rifle, KNIFE, own=("ash guard",)
    )


def test_two_imports_give_the_same_bytes(folder: Folder) -> None:
    home = folder(ash=ash(strength=5, points=75))
    first = imported(home, squad()).overrides(EDITION)
    assert imported(home, squad()).overrides(EDITION) == first


def test_only_what_changed_is_in_the_file(folder: Folder) -> None:
    told = json.loads(imported(folder(ash=ash(strength=5, points=75)), squad()).overrides(EDITION))
    assert told["edition"] == EDITION
    assert told["source"] == "ash 7, Battle Game 10th Edition 3"
    assert list(told["datasheets"]) == ["ash/ash-guard"]
    fields = told["datasheets"]["ash/ash-guard"]
    assert sorted(fields) == ["points", "weapons"]
    assert fields["points"] == [{"models": 10, "points": 75}]
    assert [weapon["strength"] for weapon in fields["weapons"]] == [5, 4]


def test_the_file_is_read_back_as_the_new_datasheet(folder: Folder, tmp_path: Path) -> None:
    found = imported(folder(ash=ash(strength=5)), squad())
    path = tmp_path / "new" / "overrides.json"
    write(path, found.overrides(EDITION))
    sheet = overridden(squad(), load_overrides(path, EDITION), path)
    assert [weapon.strength for weapon in sheet.weapons] == [5, 4]
    assert sheet.models == squad().models


def test_no_sentence_of_a_catalogue_comes_into_the_file(folder: Folder) -> None:
    prose = "whoever reads this aloud in the dark shall see a lamp go out"
    text = ash(strength=5).replace('typeName="Ranged Weapons"', f'typeName="Ranged Weapons" page="{prose}"')
    text = text.replace(">Melee<", f">{prose}<")
    assert prose.encode() not in imported(folder(ash=text), squad()).overrides(EDITION)


def test_an_old_file_stays_where_the_new_one_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "overrides.json"
    path.write_bytes(b"old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space"):
        write(path, b"new")
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["overrides.json"]


def test_a_game_system_without_points_is_refused(folder: Folder) -> None:
    home = folder(ash=ash())
    system = home / "game.gst"
    system.write_text(system.read_text().replace('name="pts"', 'name="coins"'))
    with pytest.raises(BadData, match=r"game\.gst: costTypes: has no cost called 'pts'"):
        imported(home, squad())


def test_a_changed_number_reaches_the_library(folder: Folder, tmp_path: Path) -> None:
    packaged = Library(overrides=None).datasheet("space-marines/intercessor-squad")
    intercessor = entry("model", "Guard", profiles(unit_profile(packaged.profiles[0].name, toughness=7)))
    text = catalogue("m", entry("unit", packaged.name, entries(intercessor)), own=(packaged.name.lower(),))
    path = tmp_path / "overrides.json"
    write(path, imported(folder(m=text), packaged).overrides(EDITION))
    sheet = Library(overrides=path).datasheet(packaged.id)
    assert sheet.profiles[0].characteristics["T"] == 7
    assert sheet.weapons == packaged.weapons
