"""Lists that are refused: each in one sentence, whatever the bytes."""

from __future__ import annotations

import contextlib
import json
import zipfile
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasheets.errors import BadData, HordeError
from datasheets.library import Library
from datasheets.rosters.detect import read_list
from datasheets.rosters.raw_list import LARGEST, MOST_DEPTH, RefusedList
from datasheets.rosters.reading import read_roster
from tests.datasheets.rosters.conftest import LISTS
from tests.datasheets.rosters.test_lists import zipped

ROS = (LISTS / "saved.ros").read_text(encoding="utf-8")
APP = (LISTS / "app.txt").read_text(encoding="utf-8")
NINTH = "++ Patrol Detachment 0CP (Orks) [30 PL, 600pts] ++\n\n+ HQ +\n\nWarboss [5 PL, 90pts]: Slugga\n"
LAUGHS = '<!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>'


def nested(depth: int) -> str:
    """Return a saved list whose one unit has selections within selections."""
    inner: list[object] = []
    for _ in range(depth):
        inner = [{"name": "x", "type": "upgrade", "number": 1, "selections": inner}]
    return json.dumps(
        {"roster": {"forces": [{"selections": [{"name": "y", "type": "unit", "selections": inner}]}]}}
    )


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "no unit is found in it"),
        (b"Dear friend, how are you?", "no unit is found in it"),
        (b"\x00\xff\x01 binary", "it is no text"),
        (NINTH.encode(), "line 1: this is a list of the 9th edition"),
        (
            APP.replace("Strike Force", "Gladius (3 Detachment Points)\nStrike Force").encode(),
            "line 5: this is a list of the 11th",
        ),
        (APP.replace("v1.40.0", "v2.6.0").encode(), "this is a list of the 11th edition"),
        (
            APP.replace("• Warlord", "• Attached as: Leader (Character)").encode(),
            "this is a list of the 11th edition",
        ),
        (ROS.replace("d6a9", "d610").encode(), "this is a list of the 11th edition"),
        (ROS.replace("10th Edition", "9th Edition").encode(), "this is a list of the 9th edition"),
        (ROS.replace("Warhammer 40,000 10th Edition", "Kill Team").encode(), "a list of another game"),
        (ROS.replace("<roster ", f"{LAUGHS}<roster ").encode(), "document type or entities"),
        (b"<html><body>404</body></html>", "no roster of BattleScribe (its root is 'html')"),
        (ROS[:-40].encode(), "looks like XML and cannot be read"),
        (b'{"a": 1}', "no army list of New Recruit"),
        (b'{"roster": {"forces": "none"}}', "no army list of New Recruit"),
        (b'{"roster": {"forces": []}}', "no unit is found in it"),
        (b"{broken", "looks like JSON and cannot be read"),
        (nested(MOST_DEPTH + 2).encode(), f"nested more than {MOST_DEPTH} deep"),
        (b'{"a":' * 30_000, "looks like JSON and cannot be read"),
        (b"H4sIAAAAAAAAA" + b"x" * 60, "cut short or damaged"),
        (b"PK\x03\x04 and no archive", "damaged ZIP file"),
        (zipped(b"x", zipfile.ZIP_STORED, "a.ros", "b.ros"), "a ZIP file of 2 files"),
        (b"Unit (10 Points)\n" * 6_000, "more than any army list"),
        (b"Foo (10 Points)\n" * 400, "it has 400 units"),
    ],
)
def test_what_is_no_list_of_this_edition_is_refused_in_a_sentence(
    library: Library, data: bytes, sentence: str
) -> None:
    with pytest.raises(BadData) as fault:
        read_roster(data, "army.txt", library)
    text = str(fault.value)
    assert sentence in text
    assert text.startswith("army.txt: ")
    assert "\n" not in text
    assert "\x1b" not in text


def test_a_file_that_unpacks_to_too_much_is_refused_unread() -> None:
    bomb = zipped(b"<roster>" + b" " * (LARGEST + 10))
    assert len(bomb) < 100_000
    with pytest.raises(RefusedList, match="larger than 20 MB unpacked"):
        read_list(bomb)
    with pytest.raises(RefusedList, match="larger than 20 MB unpacked"):
        read_list(zlib.compress(b" " * (LARGEST + 10), wbits=31))


def test_a_damaged_archive_of_any_kind_is_refused() -> None:
    good = zipped(ROS.encode())
    for place in range(0, len(good), 7):
        bad = good[:place] + bytes([good[place] ^ 0xFF]) + good[place + 1 :]
        try:
            read_list(bad)
        except HordeError:
            continue


def test_a_file_that_is_not_there_is_named(library: Library, tmp_path: Path) -> None:
    with pytest.raises(BadData, match="cannot be read"):
        library.army(tmp_path / "nothing.txt")


LINES = st.sampled_from(
    [
        *APP.splitlines(),
        *(LISTS / "nr_wtc.txt").read_text(encoding="utf-8").splitlines(),
        "1x",
        "(1 pts)",
        ": (٣ pts)",
        "• ",
    ]
)
TEXTS = st.lists(LINES | st.text(max_size=40), max_size=25).map("\n".join)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                [
                    "name",
                    "type",
                    "number",
                    "costs",
                    "value",
                    "selections",
                    "categories",
                    "forces",
                    "item",
                    "assets",
                    "included",
                ]
            )
            | st.text(max_size=4),
            inner | st.sampled_from(["unit", "model", "upgrade", "pts", "Rhino", "Unit§Rhino", "Detachment"]),
            max_size=6,
        )
    ),
    max_leaves=40,
)


def check_no_traceback(data: bytes, library: Library) -> None:
    """Read a list; anything but a refusal or a roster is an error of the test."""
    with contextlib.suppress(HordeError):
        found = read_roster(data, "list", library)
        assert all(str(each).isprintable() for each in found.findings)


@settings(max_examples=150, deadline=None)
@given(TEXTS)
def test_any_text_gives_a_roster_or_a_sentence(library: Library, text: str) -> None:
    check_no_traceback(text.encode("utf-8", "replace"), library)


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_give_a_roster_or_a_sentence(library: Library, data: bytes) -> None:
    check_no_traceback(data, library)


@settings(max_examples=150, deadline=None)
@given(st.lists(JSON, max_size=4), st.booleans())
def test_any_json_gives_a_roster_or_a_sentence(
    library: Library, inner: list[object], is_assets: bool
) -> None:
    saved = {"roster": {"costs": inner, "forces": [{"selections": inner}, *inner]}}
    asset = {
        "rulebook": inner,
        "snapshot": {"stats": {"Points": {"value": inner}}, "assets": {"included": inner}},
    }
    check_no_traceback(json.dumps(asset if is_assets else saved).encode(), library)


@pytest.mark.parametrize(
    "text",
    [
        "(" * 4_000,
        "1x " * 1_500,
        "a, " * 1_300 + "(10 pts)",
        "• " * 2_000,
        "Unit (10 Points)\n" + "  • aA" * 600,
        "Unit (10 Points)\n" + "\n".join(" " * depth + "• 2x a: b" for depth in range(400)),
        "Unit (10 Points)\n" + "9999x Boltgun, " * 250,
        "[" + "1 000 " * 700 + "pts]",
    ],
)
def test_long_lines_of_one_kind_end(library: Library, text: str) -> None:
    check_no_traceback(text.encode(), library)
