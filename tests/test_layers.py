"""The house's layers: who may import whom, what a headless battle loads, and how long a file may be."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("geometry", "datasheets", "engine", "ai", "factions", "viewer", "assets")
MAY_IMPORT = {
    "geometry": set(),
    "datasheets": set(),
    "assets": set(),
    "engine": {"geometry", "datasheets"},
    "ai": {"engine", "geometry", "datasheets"},
    "factions": {"engine", "geometry", "datasheets"},
    "viewer": set(PACKAGES),
}
PURE = ("geometry", "engine", "ai")
CHANCE_AND_TIME = {"random", "secrets", "time", "datetime"}
LONGEST = 500


def modules(*packages: str) -> list[Path]:
    """Return the modules of these packages, in order."""
    return [path for package in packages for path in sorted((ROOT / package).rglob("*.py"))]


def imported(path: Path) -> Iterator[str]:
    """Yield the name of every module that a file imports, at its top or in a function."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


def top(name: str) -> str:
    return name.split(".")[0]


@pytest.mark.parametrize("package", PACKAGES)
def test_a_layer_imports_only_what_is_below_it(package: str) -> None:
    allowed = MAY_IMPORT[package] | {package}
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in modules(package)
        for name in imported(path)
        if top(name) in PACKAGES and top(name) not in allowed
    ]
    assert not wrong


def test_only_the_viewer_draws() -> None:
    others = [package for package in PACKAGES if package != "viewer"]
    assert not [p for p in modules(*others) if any(top(name) == "pygame" for name in imported(p))]


def test_the_rules_know_neither_chance_nor_time() -> None:
    found = {
        str(path.relative_to(ROOT)): used
        for path in modules(*PURE)
        if (used := {top(name) for name in imported(path)} & CHANCE_AND_TIME)
    }
    assert found == {"engine/core/dice.py": {"random"}}


def test_no_file_is_too_long() -> None:
    scripts = [*(ROOT / "scripts").rglob("*.py"), *(ROOT / "tests").rglob("*.py")]
    long = {p: n for p in [*modules(*PACKAGES), *scripts] if (n := len(p.read_text().splitlines())) > LONGEST}
    assert not long


HEADLESS = """
import sys
from viewer import cli
sys.argv = ["horde", "battle", "--seed", "7", "--rounds", "1"]
try:
    cli.main()
except SystemExit as end:
    assert not end.code, end.code
drawn = sorted(name for name in sys.modules if name.split(".")[0] == "pygame")
sys.exit(f"a headless battle loaded {drawn}" if drawn else 0)
"""


def test_a_headless_battle_loads_no_pygame() -> None:
    done = subprocess.run([sys.executable, "-c", HEADLESS], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "The battle is over" in done.stdout
