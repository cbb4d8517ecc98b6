"""The clauses on one matter, without those of other bearers."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from engine.records.clauses import Active, Clauses, concerning
from engine.records.compiled import Verdict
from engine.records.expression import Grammar

GRAMMAR = Grammar([], ["attacker", "target", "model", "bearer", "hero", "melee"])
ONE, TWO, OTHER = SimpleNamespace(), SimpleNamespace(), SimpleNamespace()


def clause(text: str, **names: Any) -> tuple[Verdict, Active]:
    """Return a clause with this condition, of a rule with these names."""
    return Verdict("shoot", True, GRAMMAR.expression(text) if text else None), Active(None, names)  # type: ignore[arg-type]


ALL = (
    clause("attacker == bearer and melee", bearer=ONE),
    clause("melee"),
    clause("target == bearer", bearer=TWO),
    clause("attacker == bearer and model == hero", bearer=ONE, hero=TWO),
    clause(""),
    clause("attacker == bearer or melee", bearer=TWO),
    clause("attacker == bearer"),
    clause("attacker == bearer", attacker=ONE, bearer=ONE),
    clause("attacker == bearer", attacker=TWO, bearer=ONE),
)


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ({}, [1, 4, 5, 6, 7]),
        ({"attacker": ONE}, [0, 1, 4, 5, 6, 7]),
        ({"attacker": ONE, "model": TWO}, [0, 1, 3, 4, 5, 6, 7]),
        ({"attacker": TWO, "target": TWO}, [1, 2, 4, 5, 6, 7]),
        ({"attacker": OTHER, "target": ONE, "model": TWO}, [1, 4, 5, 6, 7]),
        ({"attacker": ONE, "target": TWO, "model": TWO}, [0, 1, 2, 3, 4, 5, 6, 7]),
    ],
)
def test_those_of_other_bearers_are_left_out(names: dict[str, Any], expected: list[int]) -> None:
    """In order; what may hold for any bearer, or compares nothing, stays."""
    clauses = Clauses(ALL)
    for _ in range(2):
        assert [ALL.index(each) for each in clauses.about(names)] == expected


def test_without_comparisons_all_are_asked() -> None:
    """Also where nothing is in force."""
    assert Clauses().about({"attacker": ONE}) == []
    assert Clauses(ALL[1:2]).about({"attacker": ONE}) == list(ALL[1:2])


@pytest.mark.parametrize(
    ("unit", "names", "expected"),
    [
        (ONE, ("attacker",), [0, 1, 2, 3, 4, 5, 6, 7]),
        (OTHER, ("attacker",), [1, 2, 4, 5, 6, 7]),
        (TWO, ("target", "unit"), [0, 1, 2, 3, 4, 5, 6, 7]),
        (OTHER, ("target", "unit"), [0, 1, 3, 4, 5, 6, 7]),
        (None, ("attacker",), list(range(9))),
    ],
)
def test_those_that_can_concern_a_unit_by_its_names(
    unit: Any, names: tuple[str, ...], expected: list[int]
) -> None:
    found = [id(active) for _, active in concerning(Clauses(ALL), unit, names)]
    assert found == [id(ALL[place][1]) for place in expected]
