"""Named functions for what no clause can say; `call` clauses of rules name them.

Rulesets' steps and `factions/hooks` enter theirs as they are imported. At a moment a hook is called with the
battle and the act, and may take steps; where a step asks for hooks ("cover"), it says with what.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])
HOOKS: dict[str, Callable[..., Any]] = {}
ASKED = ("cover",)
"""Moments at which a step asks for hooks by itself."""


def hook(name: str) -> Callable[[F], F]:
    """Enter a function under this name."""

    def enter(function: F) -> F:
        HOOKS[name] = function
        return function

    return enter
