"""What replaces a roll: a fixed result without dice, or more dice of which some are kept."""

from __future__ import annotations

from collections.abc import Callable

from datasheets.rule import Instead


def replaced(clause: Instead, count: int, die: Callable[[], int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the dice as rolled, and those that count.

    Where some are kept, at least one die more is rolled than the roll has. Rule: MISERY.4, MISERY.7, S.D14.
    """
    if clause.result:
        return clause.result, clause.result
    dice = tuple(die() for _ in range(max(clause.dice, count + 1)))
    ordered = sorted(dice, reverse=clause.keep == "highest")
    return dice, tuple(ordered[:count])
