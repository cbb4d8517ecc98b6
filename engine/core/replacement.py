"""What stands in a roll's place: a fixed result that takes no dice, or more dice of which some are kept."""

from __future__ import annotations

from collections.abc import Callable

from datasheets.rule import Instead


def replaced(clause: Instead, count: int, die: Callable[[], int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the dice as rolled, and those that count. Rule: MISERY.4, MISERY.7, S.D14."""
    if clause.result:
        return clause.result, clause.result
    dice = tuple(die() for _ in range(clause.dice))
    ordered = sorted(dice, reverse=clause.keep == "highest")
    return dice, tuple(ordered[:count])
