"""Numbers of a saved list, which programs write as whole numbers, fractions or text."""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite
from typing import Any

LARGEST_NUMBER = 99_999
POINTS = ("pts", "points", "pt")


def saved_number(value: Any, default: int = 0) -> int:
    """Return the whole number of a value, from 0 to 99,999; the default for no number."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return default
    try:
        number = float(value) if not isinstance(value, str) or len(value) < 30 else default
    except (ValueError, OverflowError):
        return default
    return max(0, min(LARGEST_NUMBER, int(number))) if isfinite(number) else default


def points_among(costs: Iterable[tuple[str, Any]]) -> int | None:
    """Return the points among named costs of every kind; None where there are none."""
    return next(
        (
            saved_number(value)
            for name, value in costs
            if name.strip().casefold() in POINTS and value is not None
        ),
        None,
    )
