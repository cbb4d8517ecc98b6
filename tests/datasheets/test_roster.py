"""Armies: the shipped ones are legal, and each kind of fault has a sentence of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from datasheets.errors import BadData
from datasheets.library import Library
from datasheets.roster import check_roster, cost, load_roster
from datasheets.schema import Roster

HEAD = 'name = "Test"\nfaction = "space-marines"\ndetachment = "Gladius Task Force"\npoints = 1000\n'


def unit(name: str, sheet: str, models: int = 1, **keys: Any) -> str:
    """Return a unit of a roster file."""
    lines = [
        "[[unit]]",
        f'id = "{name}"',
        f'datasheet = "{sheet if "/" in sheet else f"space-marines/{sheet}"}"',
    ]
    lines.append(f"models = {models}")
    for key, value in keys.items():
        lines.append(f"{key} = {str(value).lower()}" if isinstance(value, bool) else f"{key} = {value!r}")
    return "\n".join(lines) + "\n"


CAPTAIN = unit("boss", "captain", warlord=True)
SQUAD = unit("squad", "intercessor-squad", 5)


def roster(*units: str) -> Roster:
    """Return a roster of these units."""
    return load_roster(HEAD + "\n".join(units))


def faults(library: Library, *units: str, points: int = 1000) -> tuple[str, ...]:
    """Return what is wrong with an army of these units."""
    return check_roster(roster(*units), library, points)


@pytest.mark.rule("ARMY.4", "ARMY.5")
@pytest.mark.parametrize("points", [1000, 2000])
def test_shipped_army_is_legal_and_uses_its_points(library: Library, points: int) -> None:
    army = library.army(f"space-marines-{points}")
    assert check_roster(army, library, points) == ()
    assert points - 10 <= cost(army, library) <= points


@pytest.mark.rule("ARMY.4", "ARMY.5")
def test_each_faction_of_the_horde_ships_two_legal_armies(library: Library) -> None:
    shipped = {f"{faction}-{points}": points for faction in library.hordes() for points in (1000, 2000)}
    assert set(shipped) <= set(library.armies())
    for name, points in shipped.items():
        army = library.army(name)
        assert check_roster(army, library, points) == (), name
        assert 0.95 * points <= cost(army, library) <= points, name


@pytest.mark.parametrize("points", [1000, 2000])
def test_shipped_army_has_something_for_everything(library: Library, points: int) -> None:
    army = library.army(f"space-marines-{points}")
    sheets = [library.datasheet(each.datasheet) for each in army.units]
    assert any(sheet.core("deep strike") is not None for sheet in sheets)
    assert any(sheet.has("BATTLELINE") for sheet in sheets)
    assert sum(sheet.has("CHARACTER") for sheet in sheets) in (2, 3, 4)
    assert any(weapon.has("melta") for sheet in sheets for weapon in sheet.weapons)
    assert any(weapon.has("torrent") for sheet in sheets for weapon in sheet.weapons)
    reserves = sum(
        s.cost(u.models) for u, s in zip(army.units, sheets, strict=True) if s.core("deep strike") == ""
    )
    assert reserves <= points / 2


def test_legal_army_has_no_faults(library: Library) -> None:
    assert faults(library, CAPTAIN, SQUAD) == ()


ILLEGAL = [
    ([SQUAD], "The army has 0 Warlords, and needs exactly one: say warlord = true"),
    ([CAPTAIN, unit("second", "librarian", warlord=True)], "2 Warlords (boss, second)"),
    ([unit("squad", "intercessor-squad", 5, warlord=True)], "'squad': Intercessor Squad is no CHARACTER"),
    ([CAPTAIN, *(unit(f"h{n}", "hellblaster-squad", 5) for n in range(3))], "3 units of Hellblaster Squad"),
    ([CAPTAIN, *(unit(f"i{n}", "intercessor-squad", 5) for n in range(5))], "5 units of Intercessor Squad"),
    (
        [CAPTAIN, *(unit(f"m{n}", "kayvaan-shrike") for n in range(2))],
        "2 units of Kayvaan Shrike, and may have 1",
    ),
    ([CAPTAIN, unit("squad", "intercessor-squad", 11)], "'squad': Intercessor Squad: models"),
    ([CAPTAIN, unit("squad", "intercesor-squad", 5)], "did you mean 'space-marines/intercessor-squad'"),
    (
        [CAPTAIN, unit("bugs", "tyranids/termagants", 10)],
        "'bugs': Termagants is not a datasheet of space-marines",
    ),
    ([CAPTAIN, SQUAD, SQUAD], "'squad': another unit has the same id"),
    ([unit("boss", "captain", warlord=True, attached_to="nobody")], "attached_to names no unit 'nobody'"),
    (
        [unit("boss", "captain", warlord=True, attached_to="terms"), unit("terms", "terminator-squad", 5)],
        "'boss': Captain cannot lead Terminator Squad",
    ),
    (
        [
            unit("boss", "captain", warlord=True, attached_to="squad"),
            unit("two", "chaplain", attached_to="squad"),
            SQUAD,
        ],
        "'squad': Captain and Chaplain cannot lead it together",
    ),
    ([unit("boss", "captain", warlord=True, enhancement="Artificer Armour")], "'boss': the enhancement"),
    (
        [CAPTAIN, SQUAD + "wargear = { 'Lascannon' = 1 }\n"],
        "There is no wargear of Intercessor Squad 'Lascannon'",
    ),
    ([CAPTAIN, SQUAD + "wargear = { 'Power fist' = 3 }\n"], "wargear 'Power fist'"),
    (
        [CAPTAIN, unit("squad", "intercessor-squad", 5, embarked_in="boss")],
        "embarked_in names no transport 'boss'",
    ),
    (
        [CAPTAIN, unit("squad", "intercessor-squad", 10, embarked_in="car"), unit("car", "impulsor")],
        "'car': it carries 10 models' room, and has 7",
    ),
    (
        [CAPTAIN, unit("terms", "terminator-squad", 5, embarked_in="car"), unit("car", "impulsor")],
        "'terms': Terminator Squad cannot embark in Impulsor",
    ),
    (
        [
            CAPTAIN,
            *(unit(f"t{n}", "terminator-squad", 10) for n in range(2)),
            unit("dread", "redemptor-dreadnought"),
            SQUAD,
        ],
        "more than its share of 1000",
    ),
]


@pytest.mark.rule("ARMY.4")
def test_an_army_has_one_titanic_character_at_most(library: Library) -> None:
    giants = [unit(name, f"imperial-knights/{name}") for name in ("knight-errant", "knight-gallant")]
    head = HEAD.replace("space-marines", "imperial-knights").replace("Gladius Task Force", "Noble Lance")
    assert any(
        "2 TITANIC CHARACTER units (knight-errant, knight-gallant)" in fault
        for fault in check_roster(load_roster(head + "\n".join(giants)), library, 1000)
    )


@pytest.mark.rule("ARMY.4", "ARMY.5")
@pytest.mark.parametrize(("units", "sentence"), ILLEGAL)
def test_each_fault_is_one_sentence_that_names_it(library: Library, units: list[str], sentence: str) -> None:
    found = faults(library, *units)
    assert any(sentence in fault for fault in found), found
    assert all(fault.endswith((".", "?")) and "\n" not in fault for fault in found)


def test_two_leaders_are_fine_where_one_may_join(library: Library) -> None:
    leaders = (
        unit("boss", "captain", warlord=True, attached_to="squad"),
        unit("two", "lieutenant", attached_to="squad"),
    )
    assert faults(library, *leaders, SQUAD) == ()


@pytest.mark.rule("ARMY.4")
def test_a_unit_of_which_one_model_is_a_character_may_be_the_warlord(library: Library) -> None:
    sheet = library.datasheet("space-marines/marneus-calgar")
    assert "CHARACTER" not in sheet.keywords
    lord = unit("lord", "marneus-calgar", sheet.unit_size.minimum, warlord=True)
    assert not [fault for fault in faults(library, lord) if "CHARACTER" in fault]


@pytest.mark.rule("ARMY.7")
def test_smaller_army_is_a_handicap_not_a_fault(library: Library) -> None:
    assert faults(library, CAPTAIN, SQUAD, points=2000) == ()


@pytest.mark.rule("ARMY.2")
def test_attached_leader_and_transport_count_towards_the_share(library: Library) -> None:
    assert cost(roster(CAPTAIN, SQUAD), library) == 160
    assert faults(library, CAPTAIN, SQUAD, points=155) == (
        "The army costs 160 points, 5 more than its share of 155.",
    )


@pytest.mark.rule("ARMY.4", "CORE.TRN.1")
@pytest.mark.parametrize(
    ("lead", "found"),
    [("arjac-rockfist", False), ("logan-grimnar", True)],
)
def test_a_model_may_take_more_room_by_its_own_datasheet(library: Library, lead: str, found: bool) -> None:
    """Five Terminators and Arjac take 12 in a Land Raider; Logan Grimnar takes 4 for 2."""
    army = (
        unit("boss", f"space-wolves/{lead}", warlord=True, attached_to="guard"),
        unit("guard", "space-wolves/wolf-guard-terminators", 5, embarked_in="car"),
        unit("car", "land-raider"),
    )
    told = [each for each in faults(library, *army) if "room" in each]
    assert told == (
        ["Unit 'car': it carries 14 models' room, and has 12; take some out of it."] if found else []
    )


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("name = ", ""),
        (HEAD, "unit"),
        (HEAD + "[[unit]]\nid = 'a'\ndatasheet = 'x'\n", "unit.0.models"),
        (HEAD + "[[unit]]\nid = 'a'\ndatasheet = 'x'\nmodels = 0\n", "unit.0.models"),
        (HEAD + "[[unit]]\nid = 'a'\ndatasheet = 'x'\nmodels = 1\nwarlrd = true\n", "unit.0.warlrd"),
        ("colour = 'red'\n" + HEAD + SQUAD, "colour"),
    ],
)
def test_broken_file_is_refused_by_key(text: str, key: str) -> None:
    with pytest.raises(BadData) as caught:
        load_roster(text)
    assert caught.value.key == key
    assert "\n" not in str(caught.value)


def test_file_that_is_not_there_is_named(tmp_path: Path, library: Library) -> None:
    with pytest.raises(BadData, match=r"nowhere\.toml"):
        library.army(tmp_path / "nowhere.toml")
    good = tmp_path / "mine.toml"
    good.write_text(HEAD + CAPTAIN, encoding="utf-8")
    assert library.army(good).units[0].id == "boss"
    assert library.army(str(good)).name == "Test"


@pytest.mark.rule("ARMY.7")
@pytest.mark.parametrize(("points", "army"), [(105, 100), (125, 125), (215, 200), (850, 665), (2000, 2000)])
def test_an_army_is_shipped_for_each_share(points: int, army: int) -> None:
    assert Library().army_within("space-marines", points) == f"space-marines-{army}"
