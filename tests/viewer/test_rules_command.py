"""What rule records may say is listed, and a fault is found before a battle meets it."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from datasheets.library import Library
from datasheets.rule import Ask, Grant, Modify, Rule, When
from viewer.commands import arguments, datasheets_command, record_check
from viewer.commands.grammar import GIVEN_BY_MOMENTS, LANGUAGE, entries, names_at, said_by

LIBRARY = Library()


def record(name: str) -> Rule:
    return next(rule for rule in LIBRARY.rules() if rule.id == name)


def faults_of(rule: Rule, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the faults of its datasheet where this record replaces the one of its id."""
    rules = tuple(rule if each.id == rule.id else each for each in LIBRARY.rules())
    monkeypatch.setattr(LIBRARY, "rules", lambda *_: rules)
    return list(record_check.faults(LIBRARY, rule.datasheets[0]))


def test_no_record_names_what_is_not_there() -> None:
    assert list(record_check.faults(LIBRARY)) == []


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"name": "Hunger Grips"}, "name: There is no ability of tyranids/lictor 'Hunger Grips'"),
        ({"datasheets": ("tyranids/lichtor",)}, "datasheets: There is no datasheet 'tyranids/lichtor'"),
        ({"wargear": ("Feather",)}, "wargear: There is no wargear of tyranids/lictor 'Feather'"),
        ({"grant": (Grant(weapon="ignore cover"),)}, "'ignore cover' is no ability of weapons"),
        (
            {"when": (When(moment="arrived", condition="by == bearer", do=("withdraw(bearer)",)),)},
            "gives no 'by'; it gives kind, unit",
        ),
        ({"permit": (Ask(question="advance", condition="in_aura(unit)"),)}, "without `aura`"),
        ({"permit": (Ask(question="advance", condition="has(unit, 'TIRANIDS')"),)}, "no keyword 'TIRANIDS'"),
        ({"permit": (Ask(question="advance", condition="phase == 'figth'"),)}, "There is no phase 'figth'"),
        (
            {"modify": (Modify(number="weapon.ap", add=1, condition="is_weapon(weapon, 'Klaw')"),)},
            "There is no weapon 'klaw'",
        ),
        ({"when": (When(moment="shot", do=("bestow(unit, 'phase', 'state/nil')",)),)}, "record 'state/nil'"),
        (
            {"when": (When(moment="shot", do=("heal(bearer)",)),)},
            "other arguments than heal(unit, wounds, [part])",
        ),
        ({"permit": (Ask(question="advance", condition="has(unit)"),)}, "has(unit, keyword): 1 is given"),
    ],
)
def test_a_fault_of_a_record_is_told_with_its_place(
    changes: dict[str, object], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = replace(record("datasheet/feeder-tendrils"), datasheets=("tyranids/lictor",), like="", values={})
    found = faults_of(replace(own, **changes), monkeypatch)
    assert len(found) == 1
    assert found[0].startswith("datasheet/feeder-tendrils: ")
    assert told in found[0]


def test_the_card_of_a_datasheet_tells_the_faults_of_its_records(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(datasheets_command, "faults", lambda library, sheet: [f"{sheet}: it is wrong"])
    done = CliRunner().invoke(arguments.app, ["datasheets", "show", "tyranids/lictor"])
    assert done.exit_code == 1
    assert "tyranids/lictor: it is wrong" in done.output


def test_each_name_of_the_language_is_listed_once_with_what_it_means() -> None:
    listed = [(each.kind, each.name) for each in entries()]
    assert len(listed) == len(set(listed))
    assert {name for kind, name in listed if kind == "word"} == set(LANGUAGE.words)
    assert {name for kind, name in listed if kind == "verb"} == set(LANGUAGE.verbs)
    assert [each.name for each in entries() if not each.says] == []


def test_the_names_of_a_moment_are_those_that_its_event_gives() -> None:
    assert names_at("arrived") == ("kind", "unit")
    assert names_at("phase-began") == ()
    assert {"dealer", "weapon", "model"} <= {*names_at("damaged")}
    assert {"melee", "targets"} <= {*names_at("targeted")}
    assert {"attacker", "dealer"} <= GIVEN_BY_MOMENTS


def test_one_name_is_told_with_its_arguments_and_the_records_that_say_it() -> None:
    done = CliRunner().invoke(arguments.app, ["rules", "words", "return_models"])
    assert done.exit_code == 0
    assert "return_models(unit, amount, [keyword], barred…): Return destroyed models" in done.output
    assert "DATASHEET.tainted-narthecium" in done.output
    moment = next(each for each in entries() if each.name == "arriving")
    assert "DATASHEET.spore-mines" not in said_by(moment)


def test_a_name_that_is_not_there_is_told_with_those_near_it(tmp_path: Path) -> None:
    done = CliRunner().invoke(arguments.app, ["rules", "words", "near_mine"])
    assert done.exit_code != 0
    assert "near_own" in str(done.exception)
