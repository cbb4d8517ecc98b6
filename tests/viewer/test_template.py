"""`horde scenario new` and `schema`: templates that hold, and a schema of what is read."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from datasheets.errors import BadData, UnknownName
from datasheets.library import Library
from datasheets.scenario import parse_scenario, schema
from engine.scenario.stage import Builder
from engine.scenario.trial import try_scenario
from viewer.commands.cast import CAST
from viewer.commands.template import STEPS, new, print_schema, template

ROOT = Path(__file__).parents[2]
LIBRARY = Library()


@pytest.mark.parametrize("step", STEPS)
def test_every_template_holds_as_it_is(step: str) -> None:
    report = try_scenario(parse_scenario(template(step), step), LIBRARY, step, CAST)
    assert report.holds, report.verdicts
    known = {line.id for line in LIBRARY.checklist()}
    assert set(report.rules) <= known
    told = [d for d in report.outcome.decisions if d.seat == "horde"]
    assert bool(told) == (step != "none")


def test_what_is_commented_out_can_be_said_as_it_stands() -> None:
    """Every optional line with its # taken away is a scenario that can be set up."""
    lines = template("movement").split("\n\n", 1)[1].splitlines()
    text = "\n".join(line.removeprefix("# ") for line in lines)
    assert "\n[[objective]]" in text
    scenario = parse_scenario(text, "uncommented")
    assert scenario.rulings == {"sight.models_block": True}
    assert "marines" in Builder(scenario, LIBRARY, "uncommented").stage().game.state.position.units


def test_a_file_is_written_once_and_never_over_another(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.toml"
    new(path, "charge")
    assert path.read_text() == template("charge")
    assert f"horde scenario run {path}" in capsys.readouterr().out
    path.write_text("mine")
    with pytest.raises(BadData, match=r"mine\.toml: it is there already"):
        new(path, "charge")
    assert path.read_text() == "mine"
    with pytest.raises(BadData, match="a folder; name a file in it"):
        new(tmp_path, "charge")
    with pytest.raises(BadData, match="folder that exists"):
        new(tmp_path / "none" / "mine.toml", "charge")


def test_without_a_file_it_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    new(None, "none")
    assert capsys.readouterr().out == template("none")


def test_an_unknown_step_names_those_near_it() -> None:
    with pytest.raises(UnknownName, match="shooting"):
        template("shoot")


def faults(said: dict[str, Any], value: Any, part: dict[str, Any], at: str) -> Iterator[str]:
    """Yield where a value is not as a part of the schema says: types, keys, counts and choices."""
    if "$ref" in part:
        part = said["$defs"][part["$ref"].rsplit("/", 1)[1]]
    if "anyOf" in part:
        if all(list(faults(said, value, each, at)) for each in part["anyOf"]):
            yield f"{at}: {value!r} is none of the shapes"
        return
    if "const" in part or "enum" in part:
        if value not in part.get("enum", [part.get("const")]):
            yield f"{at}: {value!r} is no choice"
        return
    kinds = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "array": list}
    if not isinstance(value, kinds.get(part["type"], dict)):
        yield f"{at}: {value!r} is no {part['type']}"
    elif isinstance(value, list):
        if not part.get("minItems", 0) <= len(value) <= part.get("maxItems", len(value)):
            yield f"{at}: {len(value)} items"
        inner = part.get("prefixItems", [part.get("items")] * len(value))
        for i, (each, shape) in enumerate(zip(value, inner, strict=False)):
            yield from faults(said, each, shape, f"{at}.{i}")
    elif isinstance(value, dict):
        known, more = part.get("properties", {}), part.get("additionalProperties", True)
        yield from (f"{at}.{key}: missing" for key in part.get("required", ()) if key not in value)
        for key, each in value.items():
            if key in known:
                yield from faults(said, each, known[key], f"{at}.{key}")
            elif more is False:
                yield f"{at}.{key}: unknown"
            elif isinstance(more, dict):
                yield from faults(said, each, more, f"{at}.{key}")


def test_the_schema_takes_every_scenario_of_the_project() -> None:
    said = schema()
    paths = sorted((ROOT / "tests" / "scenarios").rglob("*.toml"))
    assert len(paths) > 100
    for path in paths:
        assert list(faults(said, tomllib.loads(path.read_text(encoding="utf-8")), said, path.name)) == []


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("colour = 1", "colour: unknown"),
        ('step = 3\n[[expect]]\nthat = "1"', "step: 3"),
        ('side = "both"\n[[expect]]\nthat = "1"', "side: 'both'"),
        ('[[unit]]\nid = "a"\n[[expect]]\nthat = "1"', "unit.0.side: missing"),
        ('[[objective]]\nid = "a"\nat = [1]\n[[expect]]\nthat = "1"', "objective.0.at: 1 items"),
        ("expect = []", "expect: 0 items"),
    ],
)
def test_the_schema_refuses_what_the_program_refuses(text: str, place: str) -> None:
    said = schema()
    found = list(faults(said, tomllib.loads(text), said, "file"))
    assert any(place in each for each in found), found
    with pytest.raises(BadData):
        parse_scenario(text, "file")


def test_the_schema_is_printed_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    print_schema()
    told = json.loads(capsys.readouterr().out)
    assert told == schema()
    assert told["$schema"].endswith("2020-12/schema")
    assert "null" not in json.dumps(told)
