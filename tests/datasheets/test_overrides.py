"""Overrides replace fields of datasheets; a fault in their file comes with its key."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from datasheets.errors import BadData
from datasheets.library import Library
from datasheets.overrides import FILE, VARIABLE, default_path, path_in_force
from datasheets.schema import PointsRow
from tests.stand_in import overrides_file

MARINES = "death-guard/plague-marines"
POINTS = {"points": [{"models": 10, "points": 7}]}


def sheet_under(folder: Path, told: Any, name: str = MARINES) -> Any:
    """Return a datasheet under overrides of it."""
    return Library(overrides=overrides_file(folder, {name: told})).datasheet(name)


def test_a_field_is_replaced_whole_and_the_others_stay(library: Library, tmp_path: Path) -> None:
    packaged = library.datasheet(MARINES)
    sheet = sheet_under(tmp_path, POINTS)
    assert sheet.points == (PointsRow(models=10, points=7),)
    assert sheet.cost(5) == 7
    # With what is simulated of its abilities.
    assert replace(sheet, points=packaged.points) == packaged


def test_other_datasheets_are_the_packaged_ones(library: Library, tmp_path: Path) -> None:
    other = Library(overrides=overrides_file(tmp_path, {MARINES: POINTS}))
    assert other.datasheet("death-guard/typhus") == library.datasheet("death-guard/typhus")


def test_a_field_may_be_taken_away(tmp_path: Path) -> None:
    assert sheet_under(tmp_path, {"transport": None}, "death-guard/chaos-rhino").transport is None


@pytest.mark.parametrize(
    ("told", "key"),
    [
        ({"pionts": []}, "pionts"),
        ({"id": "death-guard/others"}, "id"),
        ({"faction": "orks"}, "faction"),
        ({"points": [{"models": 5, "points": "90"}]}, "points.0.points"),
        ({"points": [{"models": 5}]}, "points.0.points"),
        ({"points": []}, "points"),
        (
            {"profiles": [{"name": "Plague Marine", "characteristics": {"M": 5}}]},
            "profiles.0.characteristics",
        ),
        ({"models": []}, "models"),
        ({"weapons": []}, "weapons"),
        ({"joins_leader": "yes"}, "joins_leader"),
    ],
)
def test_a_fault_in_a_datasheet_is_told_by_its_key(tmp_path: Path, told: Any, key: str) -> None:
    with pytest.raises(BadData) as caught:
        sheet_under(tmp_path, told)
    assert caught.value.key == key
    assert caught.value.path == f"{tmp_path / 'overrides.json'}, {MARINES}"


def test_a_model_of_a_profile_that_is_gone_is_refused(library: Library, tmp_path: Path) -> None:
    profile = library.datasheet(MARINES).profiles[0]
    told = {"profiles": [{"name": "Another", "characteristics": profile.characteristics}]}
    with pytest.raises(BadData, match="no profile is called"):
        sheet_under(tmp_path, told)


@pytest.mark.parametrize(
    ("name", "near"),
    [("death-guard/plage-marines", MARINES), ("deth-guard/plague-marines", "faction")],
)
def test_an_unknown_datasheet_is_refused_by_its_id(tmp_path: Path, name: str, near: str) -> None:
    library = Library(overrides=overrides_file(tmp_path, {name: POINTS}))
    with pytest.raises(BadData) as caught:
        library.datasheet(MARINES)
    assert caught.value.key == f"datasheets.{name}"
    assert near in str(caught.value)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("{", ""),
        ("[" * 100_000, ""),
        ("[]", ""),
        ('{"edition": "w40k-10", "datasheets": {}}', "source"),
        ('{"edition": "w40k-9", "source": "x", "datasheets": {}}', "edition"),
        ('{"edition": "w40k-10", "source": "x", "datasheets": {}, "points": 3}', "points"),
        ('{"edition": "w40k-10", "source": "x", "datasheets": {"a/b": 3}}', "datasheets.a/b"),
    ],
)
def test_a_file_that_is_none_is_refused_by_its_key(tmp_path: Path, text: str, key: str) -> None:
    path = tmp_path / "own.json"
    path.write_text(text)
    with pytest.raises(BadData) as caught:
        Library(overrides=path).overrides()
    assert (caught.value.path, caught.value.key) == (str(path), key)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadData, match="cannot be read"):
        Library(overrides=tmp_path / "none.json").datasheet(MARINES)
    monkeypatch.setenv(VARIABLE, str(tmp_path / "none.json"))
    with pytest.raises(BadData, match=VARIABLE):
        Library()


def test_the_file_in_force_is_that_of_the_environment_or_the_user_s(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platformdirs.user_data_path", lambda name: tmp_path / name)
    own = default_path()
    assert own == tmp_path / "horde" / FILE
    monkeypatch.delenv(VARIABLE)
    assert path_in_force() is None
    own.parent.mkdir()
    overrides_file(own.parent, {MARINES: POINTS}, FILE)
    assert path_in_force() == own
    assert Library().datasheet(MARINES).cost(5) == 7
    other = overrides_file(tmp_path, {MARINES: {"points": [{"models": 10, "points": 8}]}}, "other.json")
    monkeypatch.setenv(VARIABLE, str(other))
    assert Library().datasheet(MARINES).cost(5) == 8
    # None means none, and so does an empty value.
    assert Library(overrides=None).overrides() is None
    monkeypatch.setenv(VARIABLE, "")
    assert Library().overrides_path is None


def test_tests_run_with_no_overrides() -> None:
    assert path_in_force() is None
