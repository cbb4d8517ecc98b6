"""Facts and data compared field by field: a difference that is not decided is an error."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from datasheets.importers.reference import datasheets
from datasheets.record import as_written

SCRIPT = Path(__file__).parents[2] / "scripts" / "compare_facts.py"


def carried(item: str, **more: Any) -> list[dict[str, Any]]:
    """Return the carriers of a weapon in the facts: every guard."""
    return [{"model": "Guard", "option": None, "item": item, "default": True, **more}]


FACTS: dict[str, Any] = {
    "id": "watch/town-guard",
    "name": "Town Guard",
    "faction": "watch",
    "legends": False,
    "keywords": ["Infantry", "Town Guard"],
    "faction_keywords": ["Watch"],
    "unit_size": {"min": 5, "max": 10},
    "profiles": [{"name": "Guard", "M": '6"', "T": "3", "SV": "5+", "W": "1", "LD": "7+", "OC": "2"}],
    "models": [
        {"name": "Guard", "profile": "Guard", "min": 5, "max": 10, "default": 5, "group": "Guards"},
        {"name": "Guard w/ horn", "profile": "Guard", "min": 0, "max": 1, "default": 0, "group": "Guards"},
    ],
    "invuln": [{"save": "6+", "scope": "unit"}],
    "core_abilities": ['Scouts 6"'],
    "faction_abilities": ["Night Watch"],
    "abilities": [{"name": "Wall", "kind": "datasheet"}, {"name": "Horn", "kind": "wargear"}],
    "wargear_abilities": [{"name": "Horn", "item": "Horn", "model": "Guard w/ horn", "default": True}],
    "damaged": None,
    "transport": None,
    "weapons": [
        {
            "name": "Halberd",
            "type": "melee",
            "range": "Melee",
            "A": "2",
            "WS": "4+",
            "S": "4",
            "AP": "-1",
            "D": "1",
            "keywords": ["Lance"],
            "carried": carried("Halberd"),
        },
        {
            "name": "Culverin",
            "type": "ranged",
            "range": "24",
            "A": "D3",
            "BS": "5+",
            "S": "D6+6",
            "AP": "-2",
            "D": "D6",
            "keywords": ["Anti-vehicle 4+"],
            "carried": carried("Culverin", option="Wargear", default=False),
        },
    ],
    "default_loadout": {"models": []},
    "composition": ["5-10 Guards"],
    "leads": [],
    "points": [],
    "points_now": [{"models": 5, "pts": 40}, {"models": 10, "pts": 80}],
    "base": [{"model": "Guard", "shape": "round", "mm": [28.5], "flying": False}],
}


def run(folder: Path, decisions: str = "") -> subprocess.CompletedProcess[str]:
    """Return what the script says of the facts and the data in a folder."""
    (folder / "decisions.toml").write_text(decisions)
    options = ["--decisions", folder / "decisions.toml", "--data", folder / "data"]
    called = [sys.executable, str(SCRIPT), str(folder), *map(str, options)]
    return subprocess.run(called, capture_output=True, text=True, check=False)


@pytest.fixture
def data(tmp_path: Path) -> dict[str, Any]:
    """Return the datasheet that is imported from the facts; the facts lie in the folder."""
    (tmp_path / "watch.jsonl").write_text(json.dumps(FACTS) + "\n")
    (sheet,) = datasheets([FACTS])
    written: dict[str, Any] = as_written(sheet)
    return written


def write(folder: Path, *sheets: dict[str, Any]) -> None:
    """Write a data file of these datasheets."""
    (folder / "data").mkdir()
    (folder / "data" / "watch.json").write_text(json.dumps({"datasheets": sheets}))


def test_imported_facts_are_the_data(tmp_path: Path, data: dict[str, Any]) -> None:
    write(tmp_path, data)
    found = run(tmp_path)
    assert found.returncode == 0, found.stdout + found.stderr
    assert "different 0" in found.stdout


def test_a_strength_of_dice_is_carried_over(data: dict[str, Any]) -> None:
    assert {each["name"]: each["strength"] for each in data["weapons"]} == {"Halberd": 4, "Culverin": "D6+6"}


PLANTED: dict[str, Any] = {
    "weapon": lambda sheet: sheet["weapons"][0].update(ap=0),
    "profile": lambda sheet: sheet["profiles"][0]["characteristics"].update(T=4),
    "points": lambda sheet: sheet["points"][0].update(points=45),
    "maximum": lambda sheet: sheet["models"][1].update(maximum=2),
    "carried": lambda sheet: sheet["models"][0].update(options=[]),
    "item of ours": lambda sheet: sheet["models"][0]["items"].append({"item": "Crown"}),
    "wargear": lambda sheet: sheet["models"][1].update(items=[]),
    "base": lambda sheet: sheet["models"][0]["base"].update(mm=[40.0]),
    "invulnerable": lambda sheet: sheet["profiles"][0].update(invulnerable=5),
    "core abilities": lambda sheet: sheet.update(core_abilities=[]),
    "abilities": lambda sheet: sheet["abilities"].append({"name": "Flight", "kind": "datasheet"}),
    "keywords": lambda sheet: sheet["keywords"].append("FLY"),
    "leads of ours": lambda sheet: sheet.update(leads=["watch/militia"]),
}


@pytest.mark.parametrize("field", PLANTED)
def test_a_planted_difference_is_found(tmp_path: Path, data: dict[str, Any], field: str) -> None:
    PLANTED[field](data)
    write(tmp_path, data)
    found = run(tmp_path)
    assert found.returncode == 1
    assert f"watch/town-guard: {field}: the facts say" in found.stdout


def decision(field: str) -> str:
    """Return a file with the decision that this field of the datasheet differs."""
    return f'[[decision]]\nfield = "{field}"\nwhy = "newer"\ndatasheets = ["watch/town-guard"]\n'


def test_a_decided_difference_is_none_and_a_decision_of_nothing_is(
    tmp_path: Path, data: dict[str, Any]
) -> None:
    PLANTED["points"](data)
    write(tmp_path, data)
    assert run(tmp_path, decision("points")).returncode == 0
    assert run(tmp_path, decision("keywords")).returncode == 1
    both = run(tmp_path, decision("points") + decision("keywords"))
    assert both.returncode == 1
    assert "take the decision out" in both.stdout


def test_a_missing_datasheet_is_found(tmp_path: Path, data: dict[str, Any]) -> None:
    write(tmp_path)
    found = run(tmp_path)
    assert found.returncode == 1
    assert "watch/town-guard" in found.stdout
