"""Whether a roll is worth making again, for both sides. Rule: R.A102"""

from __future__ import annotations

from engine.core.request import YesNo

LOWER_HALF = 3
"""The highest result of the lower half of a D6."""


def falls_short(request: YesNo) -> bool:
    """Return whether a roll is below its need, or in its lower half where it needs nothing."""
    return request.rolled < (request.need or LOWER_HALF + 1)
