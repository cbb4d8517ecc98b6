"""What may stand in the core: its modules, tolerances, portable arithmetic."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from geometry.core import HERE

MODULES = sorted(path for path in HERE.glob("*.py") if path.name != "__init__.py")
ALLOWED = {"__future__", "array", "collections.abc", "cython", "geometry.tolerance", "typing"}
EXACT = {"math": {"sqrt"}, "cython.cimports.libc.math": {"sqrt"}, "itertools": {"pairwise"}}
"""Functions of other modules whose result is rounded correctly on every machine."""
EXACT_OF_C = {("libc.math", "sqrt"), ("libc.stdlib", "free, realloc")}
"""What a declaration may take from C: the square root, and memory for tables of records."""
CIMPORT = re.compile(r"^\s*(?:from\s+(\S+)\s+)?cimport\s+(.+)$", re.MULTILINE)


def faults(text: str) -> Iterator[str]:
    """Yield a phrase for all in a module of the core that must not stand there."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (f"import {each.name}" for each in node.names if each.name not in ALLOWED)
        elif isinstance(node, ast.ImportFrom):
            source = node.module or "."
            names = {each.name for each in node.names}
            if (
                source not in ALLOWED
                and not source.startswith("geometry.core.")
                and names - EXACT.get(source, set())
            ):
                yield f"from {source} import {', '.join(sorted(names))}"
        elif isinstance(node, ast.Pow):
            yield "**"


def declared_faults(text: str) -> Iterator[str]:
    """Yield the imports of a declaration file that lead out of the core."""
    for source, names in CIMPORT.findall(text):
        if (source, names.strip()) not in EXACT_OF_C and not source.startswith("geometry.core."):
            yield f"from {source} cimport {names.strip()}"


def test_there_are_modules() -> None:
    assert MODULES


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_a_module_stands_on_its_own_and_its_arithmetic_is_exact(path: Path) -> None:
    assert not list(faults(path.read_text()))


@pytest.mark.parametrize("path", sorted(HERE.glob("*.pxd")), ids=lambda path: path.stem)
def test_a_declaration_leads_not_out_of_the_core(path: Path) -> None:
    assert not list(declared_faults(path.read_text()))
    assert path.with_suffix(".py") in MODULES


@pytest.mark.parametrize(
    "text",
    [
        "import numpy",
        "from math import sqrt, sin",
        "from geometry.shape.base import TOLERANCE",
        "def f(x):\n    return x**2",
        "def f():\n    import shapely",
    ],
)
def test_what_must_not_stand_there_is_found(text: str) -> None:
    assert len(list(faults(text))) == 1


def test_what_may_stand_there_is_passed() -> None:
    text = "import cython\nfrom math import sqrt\nfrom geometry.core.numeric import turned"
    assert not list(faults(f"{text}\nfrom geometry.tolerance import ROUNDING"))
    assert not list(declared_faults("from libc.math cimport sqrt\nfrom geometry.core.numeric cimport turned"))
    assert len(list(declared_faults("cimport numpy\nfrom libc.math cimport sin"))) == 2
