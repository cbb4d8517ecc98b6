"""The project's papers: commands that exist, rulings written down, checks that CI runs."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import entry_points
from importlib.resources import files
from pathlib import Path

import typer
from typer.main import get_command

from engine.horde.all_settings import SETTINGS
from viewer.commands import arguments
from viewer.window.keys import BINDINGS

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
SOURCES = ("ai", "engine", "datasheets", "factions", "geometry", "assets", "viewer")


def words(command: str) -> list[str]:
    """Return a command line's words after `horde`."""
    return command.split("horde ", 1)[1].split()


def commands_told() -> list[str]:
    """Return every `horde …` command that the README shows."""
    shown = re.findall(r"(?:^|[ `/])(horde [a-z][^`\n]*)", README, re.MULTILINE)
    return [command for command in shown if not command.startswith("horde stands")]


def command_of(told: list[str]) -> typer.core.TyperCommand:
    """Return the command of these words; fails where there is none."""
    found = get_command(arguments.app)
    for word in told:
        if not hasattr(found, "commands"):
            break
        assert word in found.commands, f"README tells of 'horde {' '.join(told)}'"
        found = found.commands[word]
    return found  # type: ignore[return-value]


def test_the_readme_s_commands_and_options_exist() -> None:
    told = commands_told()
    assert len(told) >= 6
    for line in told:
        command = command_of(words(line))
        known = {option for parameter in command.params for option in parameter.opts}
        for option in re.findall(r"--[a-z-]+", line):
            assert option in known, f"README tells of {option} in '{line}'"


def test_the_readme_s_first_command_plays_and_the_second_tests() -> None:
    lines = [line for line in README.splitlines() if line.startswith("python3 -m venv")]
    assert len(lines) == 2
    assert ".[viewer]" in lines[0]
    assert "horde battle" in lines[0]
    assert "--replay" in lines[0]
    assert ".[dev]" in lines[1]
    assert "pytest" in lines[1]
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert {"viewer", "dev"} <= set(extras)
    assert any(script.name == "horde" for script in entry_points(group="console_scripts"))


def test_the_readme_tells_every_key_of_the_window() -> None:
    table = README.split("### In the window")[1].split("## ")[0].lower()
    told = {
        "Space",
        ".",
        ",",
        "N",
        "B",
        "]",
        "[",
        "Page Down",
        "Home",
        "+",
        "Z, X",
        "F",
        "Tab",
        "L",
        "R",
        "H",
        "0",
        "F2",
        "F6",
        "F10",
        "F12",
    }
    assert told <= {binding.shown for binding in BINDINGS}
    for key in (
        "space",
        "`.`",
        "`,`",
        "n and b",
        "page down",
        "home",
        "tab",
        "l, r",
        "h, f2, f10",
        "f6, f12",
    ):
        assert key in table


def test_the_readme_s_army_is_one_that_the_program_reads() -> None:
    text = README.split("```toml\n")[1].split("```")[0]
    told = tomllib.loads(text)
    shipped = tomllib.loads(files("assets").joinpath("armies", "space-marines-1000.toml").read_text())
    assert told["unit"] == shipped["unit"][:2]


def test_every_ruling_that_the_code_cites_is_written_down() -> None:
    rulings = (ROOT / "docs" / "RULINGS.md").read_text()
    cited = set()
    for package in SOURCES:
        for path in sorted((ROOT / package).rglob("*")):
            if path.suffix in (".py", ".toml"):
                cited |= set(re.findall(r"\b[RS]\.[A-Z]\d\d\b", path.read_text()))
    assert cited
    assert cited == set(re.findall(r"^\| ([RS]\.[A-Z]\d\d) \|", rulings, re.MULTILINE))


def test_every_setting_that_the_code_asks_for_is_one() -> None:
    asked = {
        key
        for package in SOURCES
        for path in sorted((ROOT / package).rglob("*.py"))
        for key in re.findall(r"\.ruling\(\s*\"([a-z.\-_]+)\"", path.read_text())
    }
    assert asked <= {each.key for each in SETTINGS}


def test_every_setting_is_written_down_with_its_ruling_and_its_readings() -> None:
    papers = (ROOT / "docs" / "RULINGS.md").read_text().split("## Settings")[1].split("\n## ")[0]
    rows = re.findall(
        r"^\| `([a-z.\-_]+)` \| `([\w.]+)` \(([A-Z.\d]+)\): [^|]+\|(.*)\|$", papers, re.MULTILINE
    )
    told = {(key, ruling, first, *re.findall(r"`([\w.]+)`:", rest)) for key, first, ruling, rest in rows}
    assert told == {(each.key, each.ruling, *each.values) for each in SETTINGS}


def test_ci_checks_and_then_runs_the_readme_s_second_command() -> None:
    script = (ROOT / ".ci" / "run").read_text()
    assert script.startswith("#!/usr/bin/env bash\n")
    assert "set -euo pipefail" in script
    assert script.index('ruff" check') < script.index('mypy"') < script.index('eval "$tests"')
    assert script.rstrip().endswith('eval "$tests"')


def test_the_rule_that_contributing_teaches_is_the_one_in_the_deck() -> None:
    told = (ROOT / "CONTRIBUTING.md").read_text().split("```toml\n")[1].split("```")[0]
    assert told in files("assets").joinpath("decks", "misery.toml").read_text()


def test_the_ability_that_contributing_teaches_is_the_one_in_the_files() -> None:
    section = (
        (ROOT / "CONTRIBUTING.md").read_text().partition("## Adding an ability")[2].partition("\n## ")[0]
    )
    blocks = [each.split("```")[0] for each in section.split("```toml\n")[1:]]
    assert blocks[0] in files("assets").joinpath("rules", "ability-templates.toml").read_text()
    assert blocks[1] in files("factions").joinpath("data", "tyranids", "abilities.toml").read_text()
    assert blocks[-1] == (ROOT / "tests" / "scenarios" / "DATASHEET.bounding-leap.toml").read_text()
