"""Whether and how a Horde unit in combat falls back.

Owns AI.FALLBACK.1. Paths are `ai.moving.move_planning`'s.
"""

from __future__ import annotations

from ai.moving.move_planning import Plan
from ai.moving.retreat import away, straight_away
from ai.reasons.clause import carries_out
from ai.reasons.condition import MAY_NOT_ACT_AFTER, NO_WAY
from ai.reasons.inquiry import outcome
from ai.reckoning.armament import is_charger
from engine.core.request import Because
from engine.core.state import Unit
from engine.w40k.view import View

SHORT = 2.0
"""How far a unit falls back that means to charge again, in inches."""


def reason_to_fall_back(view: View, unit: Unit) -> tuple[Because, Plan | None]:
    """Return why the unit falls back and its plan, or why it stays and no plan."""
    return fall_back_plan(view, unit, view.move_limits(unit))


@carries_out("AI.FALLBACK.1")
def fall_back_plan(view: View, unit: Unit, limits: dict[int, float]) -> tuple[Because, Plan | None]:
    """Return how a unit in combat leaves it, if it may act afterwards.

    Rule: AI.FALLBACK.1, R.A28, R.A29, R.A30
    """
    shoots = view.may("shoot-after-fall-back", unit=unit)
    charges = view.may("charge-after-fall-back", unit=unit) and is_charger(view, unit)
    if not (shoots or view.may("charge-after-fall-back", unit=unit)):
        return _because(
            "It is in combat and may neither shoot nor charge after falling back: it stays.",
            MAY_NOT_ACT_AFTER,
        ), None
    if charges:
        plan = straight_away(view, unit, min(SHORT, *limits.values()))
        said = 'It would charge again, so it falls back only 2".'
        if plan is None and view.ruling("ai.fall_back.short") == "least":
            plan = away(view, unit, limits, least=True)
            said = 'It would charge again, but 2" do not get clear: it falls back the least that does.'
    else:
        plan = away(view, unit, limits)
        said = "It would not charge, so it falls back a full move."
    if plan is None:
        return _because("It cannot get out of engagement range: it stays.", NO_WAY), None
    return _because(said), plan


def _because(reason: str, failed: str = "") -> Because:
    return Because(clause="AI.FALLBACK.1", reason=reason, candidates=(outcome("fall-back", failed),))
