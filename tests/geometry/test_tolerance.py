"""The tolerances: where they may stand, and the order that searches and their checks need."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

import pytest

from geometry.tolerance import (
    DIRECTION_SLACK_RADIANS,
    LINE_SLACK_INCHES,
    PLACE_SLACK_INCHES,
    ROUNDING,
    SLIVER_INCHES,
    TOLERANCE,
    TOUCHING_DEPTH_INCHES,
)

ROOT = Path(__file__).parent.parent.parent
LEAST = 1e-3
"""Smaller numbers are tolerances."""
HOMES = ("geometry/tolerance.py", "geometry/core/numeric.py")
"""The modules of geometry with small numbers: tolerances, and coefficients of polynomials."""
ROUNDED_INCHES = 0.5e-7 * 2**0.5
"""The length by which a place is shifted that is rounded to seven digits."""


def modules(package: str) -> list[Path]:
    """Return the modules of a package, in order."""
    return sorted((ROOT / package).rglob("*.py"))


def name_of(path: Path) -> str:
    """Return the path of a module in the project."""
    return path.relative_to(ROOT).as_posix()


def small_numbers(tree: ast.AST) -> Iterator[ast.Constant]:
    """Yield the literals of floats between 0 and a thousandth."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, float) and 0.0 < node.value < LEAST:
            yield node


def unnamed(text: str) -> Iterator[int]:
    """Yield the lines of small numbers that are no constant of the module with a docstring."""
    body = ast.parse(text).body
    for statement, after in zip_longest(body, body[1:]):
        is_said = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
        if not (isinstance(statement, ast.Assign) and is_said):
            yield from (node.lineno for node in small_numbers(statement))


def test_geometry_has_its_tolerances_in_one_place() -> None:
    found = [
        f"{name_of(path)}:{node.lineno}"
        for path in modules("geometry")
        if name_of(path) not in HOMES
        for node in small_numbers(ast.parse(path.read_text()))
    ]
    assert not found


@pytest.mark.parametrize("package", ["datasheets", "engine", "ai", "factions", "viewer"])
def test_every_tolerance_above_geometry_is_a_constant_with_a_reason(package: str) -> None:
    found = [f"{name_of(path)}:{line}" for path in modules(package) for line in unnamed(path.read_text())]
    assert not found


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("FAR = 1e-5\n'''Farther than this, in inches.'''", 0),
        ("FAR = 1e-5\nNEAR = 2.0", 1),
        ("def f(x):\n    return x < 1e-9", 1),
        ("FAR = 0.5", 0),
    ],
)
def test_an_unnamed_tolerance_is_found(text: str, count: int) -> None:
    assert len(list(unnamed(text))) == count


def test_every_tolerance_has_a_reason() -> None:
    assert not list(unnamed((ROOT / HOMES[0]).read_text()))


def test_geometry_cites_no_rule() -> None:
    assert not [
        name_of(path) for path in modules("geometry") if re.search(r"\bRule: [A-Z]", path.read_text())
    ]


def test_a_search_has_less_slack_than_its_check() -> None:
    assert ROUNDING * 10 <= LINE_SLACK_INCHES < PLACE_SLACK_INCHES
    # Two places that a search finds too near, both then rounded toward each other.
    assert PLACE_SLACK_INCHES + 2 * ROUNDED_INCHES + LINE_SLACK_INCHES < TOLERANCE
    # A length that is a little too long, between two ends that are rounded.
    assert 2 * PLACE_SLACK_INCHES + 2 * ROUNDED_INCHES < TOLERANCE


def test_what_a_search_found_suits_the_next_one() -> None:
    # Spots stand off what they touch by the slack of lines, and then are rounded.
    assert 2 * ROUNDED_INCHES + 2 * LINE_SLACK_INCHES < PLACE_SLACK_INCHES


def test_a_path_stays_outside_a_strict_bound_when_it_is_rounded() -> None:
    assert LINE_SLACK_INCHES + ROUNDED_INCHES + ROUNDING < PLACE_SLACK_INCHES


def test_what_is_legal_is_not_taken_for_an_overlap() -> None:
    # Bases overlap by up to the tolerance, as do the shapes that they stand in, and are rounded.
    assert TOLERANCE + PLACE_SLACK_INCHES < TOUCHING_DEPTH_INCHES < SLIVER_INCHES


def test_a_direction_is_blurred_by_more_than_a_contact_is() -> None:
    root_of_rounding = 2.0**-26
    assert root_of_rounding < DIRECTION_SLACK_RADIANS <= PLACE_SLACK_INCHES
