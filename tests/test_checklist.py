"""The list of clauses against the code that cites them and the tests that pin them."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from datasheets.errors import UnknownName
from datasheets.library import Library
from viewer.commands import arguments
from viewer.commands.pin import pins
from viewer.commands.rules_command import group

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
    "ABL": 8,
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
    """Return every clause that a module names, spans like "CORE.TER.1 to CORE.TER.6" written out."""
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
    assert "carried out by engine.w40k.attack.attack_sequence" in shown
    assert "engine/test_attack.py::test_melta_in_half_range" in shown
    assert "not simulated: the Horde's choices are made by its rules" in told("show", "ARMY.8")
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


def test_coverage_counts_and_names_what_is_missing() -> None:
    text = told("coverage", "--family", "CORE")
    assert "CORE.WPN" in text
    assert "MISERY" not in text
    assert "Not simulated, or not whole: " not in text
    assert "ARMY.8" in told("coverage", "--family", "ARMY")
    rows = json.loads(told("coverage", "--json"))
    rulings = {row["id"] for row in rows} - set(LINES)
    assert len(rows) == len(LINES) + len(rulings)
    assert {"R.A01", "R.A75", "R.ORDER"} <= rulings
    assert all(row["pinned_by"] for row in rows if row["id"] in rulings)
    assert {row["status"] for row in rows} == {"modelled", "hooked", "unmodelled"}
    assert all((row["status"] == "unmodelled") == bool(row["reason"]) for row in rows)


def test_without_tests_at_hand_coverage_says_so(tmp_path: Path) -> None:
    (tmp_path / "notes.toml").write_text("x = 1\n")
    text = told("coverage", "--family", "AI", "--tests", str(tmp_path))
    assert "without a test: AI.0, AI.SCOUT" in text
