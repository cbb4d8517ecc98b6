"""What the Horde says when it broke off a search for a move.

Owns that reason. How much may be looked at is the ruleset's, the count `geometry.path.budget`'s.
"""

from __future__ import annotations

from typing import TypeVar

from msgspec.structs import replace

from engine.core.request import BROKEN_OFF, Answer, Because
from engine.w40k.view import View

A = TypeVar("A", bound=Answer)


def flagged(view: View, answer: A) -> A:
    """Return the answer with one more reason: a search for it was broken off. Rule: R.BUDGET"""
    reason = (
        f"A search for a move was broken off after {view.parameters.search:,} spots: "
        "this is the best that had been found until then."
    )
    return replace(
        answer, because=(*answer.because, Because(clause="AI.0", reason=reason, ruling=BROKEN_OFF))
    )
