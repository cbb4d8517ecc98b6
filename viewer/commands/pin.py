"""The tests and scenarios that pin each clause, read from their marks without running them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import tomli

from datasheets.errors import BadData

Pins = dict[str, tuple[str, ...]]


def tests_folder(asked: Path | None) -> Path | None:
    """Return the folder of tests: the one given, or the project's own. Raises BadData."""
    if asked is not None:
        if not asked.is_dir():
            raise BadData(str(asked), "", "there is no such folder of tests")
        return asked
    root = Path(__file__).parents[2]
    own = root / "tests"
    # Beside an installed program there may be the tests of a stranger.
    return own if own.is_dir() and (root / "pyproject.toml").is_file() else None


@lru_cache(maxsize=1)
def pins(folder: Path | None) -> Pins:
    """Return, by clause, the tests that are marked with it and the scenarios that name it."""
    found: dict[str, list[str]] = {}
    if folder is None:
        return {}
    for path in sorted(folder.rglob("*.py")):
        for clause, test in _marked(path):
            found.setdefault(clause, []).append(f"{path.relative_to(folder).as_posix()}::{test}")
    for path in sorted(folder.rglob("*.toml")):
        for clause in _named(path):
            found.setdefault(clause, []).append(path.relative_to(folder).as_posix())
    return {clause: tuple(dict.fromkeys(each)) for clause, each in sorted(found.items())}


def _marked(path: Path) -> Iterator[tuple[str, str]]:
    """Yield each clause that a test of the file is marked with, and the test's name."""
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
    except SyntaxError as error:
        raise BadData(str(path), "", f"cannot be read ({error.msg})") from None
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            for clause in _ids(node):
                yield clause, node.name


def _ids(function: ast.FunctionDef) -> Iterator[str]:
    for call in function.decorator_list:
        for part in ast.walk(call):
            if isinstance(part, ast.Call) and ast.unparse(part.func) == "pytest.mark.rule":
                for argument in part.args:
                    if isinstance(argument, ast.Constant):
                        yield str(argument.value)


def _named(path: Path) -> tuple[str, ...]:
    """Return the clauses that a scenario file says it pins; none for a file that is no scenario."""
    try:
        told = tomli.loads(path.read_text(encoding="utf-8")).get("rules", ())
    except tomli.TOMLDecodeError as error:
        raise BadData(str(path), "", f"cannot be read ({error})") from None
    return tuple(str(each) for each in told) if isinstance(told, list) else ()
