"""Bad data is refused with its path, its key and what to do about it."""

from __future__ import annotations

from copy import deepcopy
from datetime import date
from typing import Any

import pytest

from datasheets.errors import BadData, HordeError, unknown
from datasheets.record import as_written, record
from datasheets.rule import Rule
from datasheets.schema import BaseSize, Datasheet, RosterUnit, SpawnTable, Weapon

WEAPON: dict[str, Any] = {
    "name": "Gun",
    "item": "Gun",
    "type": "ranged",
    "range": 24.0,
    "attacks": "D6+1",
    "skill": 3,
    "strength": 4,
    "ap": -1,
    "damage": "2",
    "keywords": ["rapid fire 1"],
}


def refusal(kind: type[Any], data: dict[str, Any]) -> BadData:
    """Return the error with which this data is refused."""
    with pytest.raises(BadData) as caught:
        record(kind, data, "sheet.json")
    return caught.value


def changed(**changes: Any) -> dict[str, Any]:
    """Return the good weapon with these keys changed."""
    return {**deepcopy(WEAPON), **changes}


def test_good_weapon_is_read_as_written() -> None:
    weapon = record(Weapon, WEAPON, "sheet.json")
    assert (weapon.range, weapon.attacks, weapon.ap) == (24.0, "D6+1", -1)
    assert weapon.has("rapid fire")
    assert weapon.value("rapid fire") == "1"
    assert not weapon.has("rapid")


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"ap": 1}, "ap"),
        ({"strength": "four"}, "strength"),
        ({"attacks": "D4"}, "attacks"),
        ({"damage": "many"}, "damage"),
        ({"type": "thrown"}, "type"),
        ({"kewords": []}, "kewords"),
        ({"range": "24"}, "range"),
        ({"keywords": "melta 2"}, "keywords"),
    ],
)
def test_wrong_key_is_named(changes: dict[str, Any], key: str) -> None:
    error = refusal(Weapon, changed(**changes))
    assert (error.path, error.key) == ("sheet.json", key)
    assert error.mend
    assert str(error).startswith(f"sheet.json: {key}: ")
    assert "\n" not in str(error)


@pytest.mark.parametrize(
    ("changes", "mend"),
    [
        ({"ap": 1}, "should be a whole number of at most 0, not 1"),
        ({"strength": "four"}, "should be a number or dice such as \"D6+1\", not 'four'"),
        ({"range": [24]}, "should be a number, not a list in [brackets]"),
        ({"type": "thrown"}, "should be 'melee' or 'ranged', not 'thrown'"),
        ({"kewords": []}, "this key is not known here; remove or rename it; did you mean 'keywords'?"),
        ({"keywords": "melta 2"}, "should be a list in [brackets], not 'melta 2'"),
    ],
)
def test_fault_is_told_in_the_words_of_who_wrote_the_file(changes: dict[str, Any], mend: str) -> None:
    assert refusal(Weapon, changed(**changes)).mend == mend


def test_values_of_freely_chosen_keys_are_named_by_them() -> None:
    roster = {"id": "a", "datasheet": "x", "models": 1, "wargear": {"Bolter": 1, "Sword": "two"}}
    error = refusal(RosterUnit, roster)
    assert (error.key, error.mend) == ("wargear.Sword", "should be a whole number, not 'two'")
    assert "not empty" in refusal(RosterUnit, {**roster, "id": ""}).mend
    assert refusal(RosterUnit, {**roster, "wargear": {"Sword": date(2000, 1, 1)}}).key == "wargear.Sword"
    row = {"id": "a", "name": "a", "units": [{"datasheets": ["x"], "models": "two"}]}
    table = {"faction": "f", "name": "f", "brackets": {"1": [row]}}
    assert refusal(SpawnTable, table).key == "brackets.….0.units.0.models"


def test_what_is_written_is_what_was_read() -> None:
    assert as_written(record(Weapon, WEAPON, "sheet.json")) == WEAPON
    rule: dict[str, Any] = {"id": "a", "clause": "A", "name": "a", "source": "", "summary": ""}
    rule["permit"] = [{"question": "control", "if": "horde(unit)"}]
    assert as_written(record(Rule, rule, "rules.toml")) == rule


def test_missing_key_says_so() -> None:
    data = {key: value for key, value in WEAPON.items() if key != "strength"}
    assert str(refusal(Weapon, data)) == "sheet.json: strength: this key is missing."


def test_key_inside_a_list_is_named_by_its_place() -> None:
    bad = {"shape": "round", "mm": [32, 40]}
    error = refusal(Datasheet, {"id": "x", "models": [{"name": "a", "base": bad}]})
    assert isinstance(error, HordeError)
    assert error.key


@pytest.mark.parametrize(
    "base",
    [
        {"shape": "round", "mm": [32, 40]},
        {"shape": "oval", "mm": [75]},
        {"shape": "hull", "mm": [100, 70]},
        {"shape": "round", "mm": [0]},
        {"shape": "round"},
    ],
)
def test_base_needs_the_lengths_of_its_shape(base: dict[str, Any]) -> None:
    assert "one length" in str(refusal(BaseSize, base))


def test_base_sizes_are_given_in_inches() -> None:
    assert BaseSize(shape="round", mm=(25.4,)).size == pytest.approx((1, 1))
    assert BaseSize(shape="oval", mm=(50.8, 25.4)).size == pytest.approx((2, 1))
    assert BaseSize(shape="hull", inches=(4.5, 3)).size == (4.5, 3)


def test_records_cannot_be_changed() -> None:
    weapon = record(Weapon, WEAPON, "sheet.json")
    with pytest.raises(AttributeError, match="immutable"):
        weapon.ap = -4  # type: ignore[misc]


def test_unknown_name_suggests_near_ones() -> None:
    error = unknown("death-gaurd", ["tyranids", "death-guard", "orks"], "faction")
    assert error.near == ("death-guard",)
    assert str(error) == "There is no faction 'death-gaurd'; did you mean 'death-guard'?"


@pytest.mark.parametrize(
    ("count", "told"),
    [
        (0, "."),
        (1, "; there is 'f0'."),
        (3, "; there are 'f0', 'f1' and 'f2'."),
        (13, "; there are 13, from 'f0' to 'f9'."),
    ],
)
def test_an_unknown_name_near_none_tells_what_there_is(count: int, told: str) -> None:
    error = unknown("zzz", [f"f{n}" for n in range(count)], "faction")
    assert error.near == ()
    assert str(error) == f"There is no faction 'zzz'{told}"
