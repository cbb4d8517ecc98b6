"""On which CHARACTER a Horde unit puts a wound of a weapon with Precision.

Owns R.A46's second half; the target of such a weapon is `ai.horde.shoot`'s.
"""

from __future__ import annotations

from ai.reasons.condition import MORE_WOUNDS, TIE_LOST
from engine.core.request import Because, Candidate, Choose, Chosen
from engine.w40k.view import View


def weakest_leader(view: View, request: Choose) -> Chosen:
    """Return the CHARACTER with the fewest wounds left, always. Rule: CORE.WPN.PREC, R.A46"""
    left = {option.id: view.model(int(option.id)).wounds for option in request.options}
    order = sorted(left, key=lambda row: (left[row], int(row)))
    least = left[order[0]]
    others = (
        Candidate(
            id=row, failed=MORE_WOUNDS if left[row] > least else TIE_LOST, measured=left[row], needed=least
        )
        for row in order[1:]
    )
    because = Because(
        clause="CORE.WPN.PREC",
        reason=f"Of the CHARACTER models that it sees it has the fewest wounds left, {least}.",
        candidates=(Candidate(id=order[0]), *others),
        ruling="R.A46",
    )
    return Chosen(ids=(order[0],), because=(because,))
