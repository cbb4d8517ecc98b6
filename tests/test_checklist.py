"""The list of clauses against the code that cites them and the tests that pin them."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from typer.testing import CliRunner

from datasheets.errors import UnknownName
from datasheets.library import Library
from datasheets.schema import Status
from viewer.commands import arguments
from viewer.commands.coverage import group
from viewer.commands.pin import pins

ROOT = Path(__file__).parent.parent
PACKAGES = ("ai", "datasheets", "engine", "factions", "geometry", "viewer")
LINES = {line.id: line for line in Library().checklist()}
CORE = {
    "DICE": 5,
    "SEQ": 2,
    "TURN": 4,
    "MOVE": 11,
    "COH": 3,
    "ER": 2,
    "TER": 7,
    "COV": 2,
    "LOS": 4,
    "SHOOT": 8,
    "ATK": 8,
    "WPN": 21,
    "CHG": 6,
    "FGT": 9,
    "RES": 8,
    "ABL": 9,
    "TRN": 6,
    "AIR": 5,
    "OBJ": 6,
    "BS": 4,
    "STR": 11,
    "ACT": 5,
}
CITED = re.compile(
    r"\b((?:CORE\.[A-Z]+|AI\.[A-Z]+|AI|ARMY|SETUP|PLAY|ACTION|ROUND|SPAWN|SP|WIN|MISERY|SEC|SECRET)"
    r"\.(?:[CR]?\d+)|CORE\.(?:WPN|ABL)\.[A-Z]+|AI\.S[CI][A-Z]+|(?:BUY|FACTION)\.[a-z-]+[a-z])(?![\w-])"
)
SPAN = re.compile(r"([A-Z.]+)\.(\d+) to (?:[A-Z.]+\.)?(\d+)")


def cited(path: Path) -> set[str]:
    """Return every clause that a module names.

    Spans like "CORE.TER.1 to CORE.TER.6" are written out.
    """
    text = path.read_text()
    spans = {
        f"{family}.{n}" for family, a, b in SPAN.findall(text) for n in range(int(a), int(b) + 1) if family
    }
    return set(CITED.findall(text)) | {each for each in spans if CITED.fullmatch(each)}


def modules() -> Iterator[tuple[str, Path]]:
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            yield ".".join(path.relative_to(ROOT).with_suffix("").parts), path


BY_MODULE = {name: cited(path) for name, path in modules()}


def test_the_list_has_every_clause_of_the_core_rules() -> None:
    counted = Counter(group(clause).removeprefix("CORE.") for clause in LINES if clause.startswith("CORE."))
    assert counted == CORE


def test_every_clause_that_the_code_cites_is_listed() -> None:
    strange = {name: found for name, ids in BY_MODULE.items() if (found := sorted(ids - set(LINES)))}
    assert not strange


def test_every_clause_is_cited_where_it_is_carried_out() -> None:
    missing = [
        f"{line.id} is not cited in {module}"
        for line in LINES.values()
        for module in line.by
        if line.id not in BY_MODULE.get(module, ())
    ]
    assert not missing


def test_tests_and_scenarios_pin_what_is_listed() -> None:
    found = pins(ROOT / "tests")
    assert len(found) > 200
    strange = {id_: found[id_] for id_ in found if id_ not in LINES and not re.match(r"[RS]\.", id_)}
    assert not strange


def told(*words: str) -> str:
    done = CliRunner().invoke(arguments.app, ["rules", *words])
    assert done.exit_code == 0, done.output
    return done.output


def test_a_clause_is_shown_with_what_pins_it() -> None:
    shown = told("show", "core.wpn.melta")
    assert shown.startswith("CORE.WPN.MELTA: Melta X")
    assert "carried out by engine.w40k.attack.blow" in shown
    assert "engine/test_attack.py::test_melta_in_half_range" in shown
    assert "the record misery/3-rip-and-tear" in told("show", "MISERY.3")


def test_a_ruling_is_shown_too() -> None:
    shown = told("show", "r.a21")
    assert shown.startswith("R.A21: how many models with Heavy weapons are most of a unit (ai.stay.majority)")
    assert "settled in docs/RULINGS.md" in shown
    assert "scenarios/ai/AI.STAY.1-half-is-enough.toml" in shown
    assert "a doubt about the text" in told("show", "R.A13")


def test_an_unknown_clause_brings_up_those_near_it() -> None:
    with pytest.raises(UnknownName, match=r"no clause 'CORE\.WPN\.MELT'; did you mean 'CORE\.WPN\.MELTA'"):
        CliRunner().invoke(arguments.app, ["rules", "show", "CORE.WPN.MELT"], catch_exceptions=False)
    with pytest.raises(UnknownName, match="no family"):
        CliRunner().invoke(arguments.app, ["rules", "coverage", "--family", "CARE"], catch_exceptions=False)


FEW = ("--tests", str(ROOT / "tests" / "golden"))
"""Tests that are soon looked through, where none is asked for."""


def rows(*words: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(told("coverage", *words, "--json"))
    return found


def test_coverage_counts_and_names_what_is_missing() -> None:
    text = told("coverage", "--family", "CORE")
    assert "CORE.WPN" in text
    assert "MISERY" not in text
    assert "Not simulated, or not whole: " not in text
    assert "Not simulated" in told("coverage", "--family", "DATASHEET.orks")
    every = rows()
    assert {row["kind"] for row in every} == {"clause", "ruling", "ability"}
    assert {row["id"] for row in every if row["kind"] == "clause"} == {
        each for each in LINES if group(each) != "DATASHEET"
    }
    ids = Counter(row["id"] for row in every)
    assert not [each for each in ids if ids[each] > 1]
    rulings = {row["id"]: row for row in every if row["kind"] == "ruling"}
    assert {"R.A01", "R.A75", "R.ORDER"} <= set(rulings)
    assert all(row["pinned_by"] for row in rulings.values())
    assert {row["status"] for row in every} <= set(get_args(Status))
    assert all((row["status"] in ("unmodelled", "waiting")) == bool(row["reason"]) for row in every)


def test_rulings_are_counted_apart_from_clauses() -> None:
    parts = told("coverage", *FEW).split("\n\n")
    assert [part.split()[:2] for part in parts[:2]] == [["family", "clauses"], ["family", "rulings"]]
    whole = next(line.split() for line in parts[0].splitlines() if line.startswith("all "))
    assert int(whole[1]) == sum(group(each) != "DATASHEET" for each in LINES)
    assert told("coverage", "--family", "R", *FEW).startswith("family  rulings")


@pytest.mark.parametrize("faction", ["death-guard", "space-marines"])
def test_every_ability_of_every_current_datasheet_is_counted(faction: str) -> None:
    sheets = [sheet for sheet in Library().datasheets(faction) if not sheet.legends]
    wanted = Counter(each.status for sheet in sheets for each in sheet.abilities)
    assert wanted["unmodelled"]
    family = f"DATASHEET.{faction}"
    assert Counter(row["status"] for row in rows("--family", family, *FEW)) == wanted
    listings, others = told("coverage", "--family", family, *FEW).split("\n\n")
    own = Counter(each.status for sheet in sheets for each in sheet.abilities if each.is_listing)
    act, idle, wait, none = (own[each] for each in ("modelled", "unmodelled", "waiting", "no effect"))
    act += own["hooked"]
    line = next(line.split() for line in listings.splitlines() if line.startswith(family))
    share = f"{act / (act + idle):.1%}"
    assert line == [family, *map(str, (act + idle + wait, act, idle, wait, share, none, 0))]
    rest = wanted - own
    line = next(line.split() for line in others.splitlines() if line.startswith(family))
    assert line == [
        family,
        *map(str, (rest.total(), rest["modelled"], rest["hooked"], 0, rest["unmodelled"])),
    ]


def test_a_faction_of_legends_alone_has_no_abilities_to_count() -> None:
    words = ["rules", "coverage", "--family", "DATASHEET.heresy-legends", *FEW]
    with pytest.raises(UnknownName, match=r"no family of clauses 'DATASHEET\.heresy-legends'"):
        CliRunner().invoke(arguments.app, words, catch_exceptions=False)


@pytest.mark.rule("PLAY.6")
def test_spawning_tables_are_counted_apart_with_legends_and_without_army_rules() -> None:
    found = rows("--family", "SPAWNED.death-guard", *FEW)
    names = {row["id"].split(".", 3)[2] for row in found}
    assert {"poxwalkers", "death-guard-chaos-lord-legends"} <= names
    gifts = [row["id"] for row in rows(*FEW) if "nurgle's-gift" in row["id"]]
    assert "DATASHEET.death-guard.poxwalkers.nurgle's-gift-(aura)" in gifts
    assert not [each for each in gifts if each.startswith("SPAWNED")]
    text = told("coverage", "--family", "SPAWNED.death-guard", *FEW)
    assert text.startswith("Abilities of what spawning tables bring, Legends among them, without army rules")
    assert "as no record yet." in text


def test_a_record_of_a_datasheet_is_tested_on_the_datasheet_that_has_it() -> None:
    found = {row["id"]: row for row in rows("--family", "DATASHEET.space-marines.devastator-squad")}
    signum = found["DATASHEET.space-marines.devastator-squad.signum"]
    assert signum["status"] == "modelled"
    assert signum["pinned_by"]


def test_without_tests_at_hand_coverage_says_so(tmp_path: Path) -> None:
    (tmp_path / "notes.toml").write_text("x = 1\n")
    text = told("coverage", "--family", "AI", "--tests", str(tmp_path))
    assert "without a test: AI.0, AI.SCOUT" in text
