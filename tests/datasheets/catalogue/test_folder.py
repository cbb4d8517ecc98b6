"""Catalogues are read safely; what is none of the edition is refused in a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from datasheets.catalogue import folder as reading
from datasheets.catalogue.folder import read_folder
from datasheets.errors import BadData
from tests.datasheets.catalogue.conftest import Folder
from tests.datasheets.catalogue.writing import GAME, HEAD, SPACE, catalogue

ASH = catalogue("ash")


def check_refused(home: Path, *told: str) -> None:
    """Check that the folder is refused in one line that says all of this."""
    with pytest.raises(BadData) as error:
        read_folder(home)
    assert "\n" not in str(error.value)
    for each in told:
        assert each in str(error.value)


def test_names_and_revisions_are_the_source(folder: Folder) -> None:
    assert read_folder(folder(ash=ASH)).source == "ash 7, Battle Game 10th Edition 3"


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    check_refused(tmp_path / "gone", "gone", "no such folder")


def test_a_file_in_place_of_a_folder(folder: Folder) -> None:
    check_refused(folder(ash=ASH) / "ash.cat", "ash.cat", "folder that it lies in")


def test_a_folder_without_catalogues(folder: Folder) -> None:
    check_refused(folder(), "no catalogue")


def test_a_folder_without_a_game_system(folder: Folder) -> None:
    check_refused(folder(game=None, ash=ASH), "no game system")


@pytest.mark.parametrize("edition", ["9th", "11th"])
def test_another_edition_is_refused_by_its_name(folder: Folder, edition: str) -> None:
    game = GAME.replace("10th", edition).replace("sys-352e", "sys-9")
    check_refused(folder(game=game, ash=ASH), "game.gst", f"Battle Game {edition} Edition", "10th")


def test_another_edition_under_the_same_id_is_refused(folder: Folder) -> None:
    check_refused(folder(game=GAME.replace("10th", "11th"), ash=ASH), "11th")


def test_a_catalogue_of_another_system_is_refused(folder: Folder) -> None:
    other = ASH.replace("sys-352e-adc2-7639-d6a9", "sys-other")
    check_refused(folder(ash=other), "ash.cat", "sys-other", "10th")


def test_a_truncated_file_names_its_line(folder: Folder) -> None:
    check_refused(folder(ash=ASH[:-20]), "ash.cat: line 2", "broken XML")


def test_an_empty_file_is_refused(folder: Folder) -> None:
    check_refused(folder(ash=""), "ash.cat", "broken XML")


def test_bytes_that_are_no_text_are_refused(folder: Folder) -> None:
    home = folder(ash=ASH)
    (home / "bad.cat").write_bytes(b"\x00\xff\xfe\x00" * 9)
    check_refused(home, "bad.cat")


def test_an_unknown_encoding_is_refused(folder: Folder) -> None:
    check_refused(folder(ash=ASH.replace("UTF-8", "klingon")), "ash.cat")


@pytest.mark.parametrize(
    "document",
    [
        '<!DOCTYPE catalogue [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>',
        '<!DOCTYPE catalogue SYSTEM "file:///etc/passwd">',
    ],
)
def test_a_document_type_is_refused(folder: Folder, document: str) -> None:
    check_refused(folder(ash=ASH.replace(HEAD, HEAD + document)), "ash.cat", "document type")


def test_a_file_that_is_too_large_is_not_read(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "LARGEST_BYTES", 100)
    check_refused(folder(ash=ASH), "ash.cat", "larger")


def test_a_file_that_is_nested_too_deeply_is_refused(folder: Folder) -> None:
    deep = ASH.replace("</catalogue>", "<a>" * 9000 + "</a>" * 9000 + "</catalogue>")
    check_refused(folder(ash=deep), "ash.cat", "nested")


def test_another_kind_of_file_is_refused(folder: Folder) -> None:
    check_refused(folder(ash=f'{HEAD}<roster xmlns="{SPACE}rosterSchema"/>'), "ash.cat", "roster")


def test_a_linked_catalogue_that_is_missing_is_named(folder: Folder) -> None:
    check_refused(
        folder(ash=catalogue("ash", links=("Shared Armoury",))), "ash.cat", "'Shared Armoury' is missing"
    )
