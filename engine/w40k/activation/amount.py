"""Amounts that are rolled: "3", "D6", "2D3+1". It rolls them, or tells their mean.

A D3 is rolled as a die of three sides, which comes to the same as half a D6. Rule: CORE.DICE.2
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from datasheets.errors import HordeError

if TYPE_CHECKING:
    from engine.w40k.battle import Battle

_FORM = re.compile(r"(?:(\d*)D(\d+))?(?:\+?(\d+))?")


@lru_cache(maxsize=512)
def parts(text: str) -> tuple[int, int, int]:
    """Return how many dice, with how many sides, and what is added."""
    match = _FORM.fullmatch(text.replace(" ", ""))
    if match is None or not text:
        raise HordeError(f"'{text}' is no amount; write 3, D6 or 2D3+1.")
    count, sides, added = match.groups()
    if sides is None:
        return 0, 6, int(added or 0)
    return int(count or 1), int(sides), int(added or 0)


def mean(text: str) -> float:
    """Return the mean of an amount."""
    count, sides, added = parts(text)
    return count * (sides + 1) / 2 + added


def mean_strength(strength: int | str) -> float:
    """Return a weapon's Strength, or the mean of the dice that it is rolled with."""
    return float(strength) if isinstance(strength, int) else mean(strength)


def roll_amount(
    battle: Battle, text: str, roll: str, *, unit: str = "", target: str = "", cause: str = ""
) -> int:
    """Return an amount, rolling its dice if it has any."""
    count, sides, added = parts(text)
    if not count:
        return added
    return sum(battle.roll(roll, count, sides, unit=unit, target=target, cause=cause)) + added
