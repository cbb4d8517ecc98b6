"""One army in every format: all give the same roster. The lists are ours."""

from __future__ import annotations

import gzip
import io
import zipfile
from base64 import b64encode, urlsafe_b64encode
from pathlib import Path
from typing import Any

import pytest

from datasheets.library import Library
from datasheets.loadout import roster_loadout
from datasheets.roster_text import roster_toml
from datasheets.rosters.detect import read_list
from datasheets.rosters.reading import read_roster
from datasheets.schema import Roster
from tests.datasheets.rosters.conftest import LISTS

FORMS = {
    "app.txt": "app text",
    "app_four_blanks.txt": "app text",
    "app_french.txt": "app text",
    "flat_bare.txt": "app text, flattened",
    "flat_dash.txt": "app text, flattened",
    "glued.txt": "app text",
    "listforge.json": "ListForge JSON",
    "listforge.txt": "ListForge text",
    "nr.json": "New Recruit JSON",
    "nr_gw.txt": "New Recruit GW text",
    "nr_markdown.txt": "New Recruit text",
    "nr_simple.txt": "New Recruit text",
    "nr_wtc.txt": "New Recruit WTC text",
    "nr_wtc_compact.txt": "New Recruit WTC-compact text",
    "rosterizer.json": "Rosterizer JSON",
    "saved.ros": "BattleScribe .ros",
}
"""The lists that say everything; the short one names no detachment and no Warlord."""
UNITS: tuple[tuple[str, int, dict[str, int]], ...] = (
    ("captain-1", 1, {"Master-crafted power weapon": 1, "Plasma pistol": 1}),
    ("infernus-squad-1", 10, {}),
    ("intercessor-squad-1", 5, {"Astartes grenade launcher": 1, "Power fist": 1}),
    ("rhino-1", 1, {"Hunter-killer missile": 1}),
    ("rhino-2", 1, {}),
)


def units(roster: Roster) -> tuple[tuple[str, int, dict[str, int]], ...]:
    """Return each unit's id, number of models and wargear, in order of id."""
    return tuple(sorted((each.id, each.models, each.wargear) for each in roster.units))


def check_all(roster: Roster, limit: int = 2000) -> None:
    """Fail where a roster is not that of the lists, in a battle of this many points."""
    assert units(roster) == UNITS
    assert roster.faction == "space-marines"
    assert roster.detachment == "Gladius Task Force"
    assert roster.points == limit
    captain = next(each for each in roster.units if each.warlord)
    assert captain.id == "captain-1"
    assert [each.enhancement for each in roster.units if each.enhancement] == ["Artificer Armour"]
    assert captain.enhancement == "Artificer Armour"


@pytest.mark.parametrize("name", FORMS)
def test_the_same_army_in_every_format_gives_the_same_roster(library: Library, name: str) -> None:
    found = read_roster((LISTS / name).read_bytes(), name, library)
    assert found.roster is not None
    # That one format says nothing of the battle, so that the army's own points are the limit.
    check_all(found.roster, 500 if name == "listforge.txt" else 2000)
    assert found.form == FORMS[name]
    assert found.total == 500
    assert found.points == 490
    assert found.findings == ()


def test_every_list_is_tried() -> None:
    assert {path.name for path in LISTS.iterdir()} == {*FORMS, "nr_short.txt"}


def test_a_list_without_a_head_tells_its_faction_by_its_units(library: Library) -> None:
    found = read_roster((LISTS / "nr_short.txt").read_bytes(), "nr_short.txt", library)
    assert found.roster is not None
    assert units(found.roster) == UNITS
    assert found.roster.faction == "space-marines"
    assert [each.subject for each in found.findings] == ["faction", "points", "breach", "points"]


def zipped(data: bytes, method: int = zipfile.ZIP_DEFLATED, *names: str) -> bytes:
    """Return a ZIP file that holds the data under each of these names."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name in names or ("another name.ros",):
            archive.writestr(name, data)
    return file.getvalue()


def test_a_rosz_file_is_a_zipped_ros_file(library: Library) -> None:
    found = read_roster(zipped((LISTS / "saved.ros").read_bytes()), "army.rosz", library)
    assert found.form == "BattleScribe .rosz"
    assert found.roster is not None
    check_all(found.roster)


@pytest.mark.parametrize("encode", [b64encode, urlsafe_b64encode])
@pytest.mark.parametrize("link", ["{}", "https://example.org/share?list={}&lang=en"])
def test_a_packed_list_is_read_alone_and_in_a_link(library: Library, encode: Any, link: str) -> None:
    code = encode(gzip.compress((LISTS / "listforge.json").read_bytes(), mtime=0)).decode()
    assert code.startswith("H4sI")
    found = read_roster(link.format(code).encode(), "link.txt", library)
    assert found.roster is not None
    check_all(found.roster)


@pytest.mark.parametrize(
    ("name", "encoding"),
    [("app.txt", "utf-8-sig"), ("app_french.txt", "utf-16"), ("saved.ros", "utf-8-sig")],
)
def test_the_mark_that_an_editor_writes_does_no_harm(library: Library, name: str, encoding: str) -> None:
    text = (LISTS / name).read_text(encoding="utf-8")
    found = read_roster(text.encode(encoding), name, library)
    assert found.roster is not None
    check_all(found.roster)


def test_a_list_in_letters_of_windows_is_read(library: Library) -> None:
    text = (LISTS / "nr_wtc.txt").read_text(encoding="utf-8").replace("CHARACTER", "PERSONNAGES DU CHÂTEAU")
    found = read_roster(text.encode("cp1252"), "nr_wtc.txt", library)
    assert found.roster is not None
    check_all(found.roster)


def test_all_wargear_of_a_resolved_list_is_accepted_by_the_datasheets(library: Library) -> None:
    roster = read_roster((LISTS / "nr_gw.txt").read_bytes(), "list", library).roster
    assert roster is not None
    for unit in roster.units:
        assert sum(
            row.models for row in roster_loadout(library.datasheet(unit.datasheet), unit.models, unit.wargear)
        )


def test_what_is_written_is_read_back_as_the_same_roster(library: Library, tmp_path: Path) -> None:
    read = read_roster((LISTS / "app.txt").read_bytes(), "app.txt", library)
    assert read.roster is not None
    text = roster_toml(read.roster, "a comment")
    again = read_roster(text.encode(), "army.toml", library)
    assert again.form == "TOML"
    assert again.roster == read.roster
    path = tmp_path / "army.toml"
    path.write_text(text, encoding="utf-8")
    assert library.army(path) == read.roster


@pytest.mark.parametrize("name", ["app.txt", "nr.json", "saved.ros", "rosterizer.json"])
def test_the_library_takes_an_army_of_any_format(library: Library, name: str) -> None:
    check_all(library.army(LISTS / name))


def test_numbers_of_a_saved_list_are_of_the_whole_unit_already() -> None:
    raw = read_list((LISTS / "saved.ros").read_bytes())
    squad = next(each for each in raw.units if each.name == "Infernus Squad")
    assert squad.models == 10
    assert [(each.name, each.count, each.inner[0].count) for each in squad.entries] == [
        ("Infernus Sergeant", 1, 1),
        ("Infernus Marines", 9, 9),
    ]
    captain = raw.units[0]
    assert captain.points == 90
