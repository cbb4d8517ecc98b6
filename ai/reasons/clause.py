"""Which functions carry out which clause of the rules.

Owns the registry that `@carries_out` fills at import, for coverage and for switching clauses off. It holds
no rule itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

_FUNCTIONS: dict[str, list[str]] = {}


def carries_out(*clauses: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator that records the function under these clauses."""

    def record(function: Callable[P, R]) -> Callable[P, R]:
        for clause in clauses:
            _FUNCTIONS.setdefault(clause, []).append(f"{function.__module__}.{function.__qualname__}")
        return function

    return record


def carried_out() -> dict[str, tuple[str, ...]]:
    """Return the names of the functions that carry out each clause, by clause id."""
    return {clause: tuple(_FUNCTIONS[clause]) for clause in sorted(_FUNCTIONS)}
