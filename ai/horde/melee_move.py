"""How a Horde unit piles in and consolidates.

Owns AI.FIGHT.2. Paths are `ai.plan`'s.
"""

from __future__ import annotations

from ai.clause import carries_out
from ai.plan import close_in, stand, to_marker
from engine.request import Because, Move, Moves
from engine.view import View


def pile_in(view: View, request: Move) -> Moves:
    """Return the pile-in, always as far as it may go. Rule: CORE.FGT.4, R.A62"""
    unit = view.unit(request.unit)
    plan = close_in(view, unit, "pile-in", request.limits)
    if plan is None or not plan.moves:
        return _stays(view, request, "No model can get closer to its closest enemy.", "CORE.FGT.4")
    count = len(plan.paths)
    who = (
        "1 model closes up on its closest enemy"
        if count == 1
        else f"{count} models close up on their closest enemies"
    )
    reason = f"{who}."
    return Moves(paths=plan.paths, because=(Because(clause="CORE.FGT.4", reason=reason, ruling="R.A62"),))


@carries_out("AI.FIGHT.2")
def consolidate(view: View, request: Move) -> Moves:
    """Return the consolidation: toward the enemy if it ends in engagement range, else onto a marker.

    Rule: AI.FIGHT.2, R.A61
    """
    unit = view.unit(request.unit)
    plan = close_in(view, unit, "consolidate", request.limits)
    if plan is not None and plan.moves:
        reason = "It consolidates toward the closest enemy, within engagement range."
        return Moves(paths=plan.paths, because=(Because(clause="AI.FIGHT.2", reason=reason, ruling="R.A61"),))
    if plan is None:
        found = to_marker(view, unit, request.limits)
        if found is not None and found[1].moves:
            marker, plan = found
            reason = f"No enemy can be reached; it consolidates toward {marker}."
            because = Because(clause="AI.FIGHT.2", reason=reason, target=marker, ruling="R.A61")
            return Moves(paths=plan.paths, because=(because,))
    reason = "Neither an enemy nor a marker can be reached, or it is already as close as it can be."
    return _stays(view, request, reason, "AI.FIGHT.2")


def _stays(view: View, request: Move, reason: str, clause: str) -> Moves:
    plan = stand(view, view.unit(request.unit))
    return Moves(paths=plan.paths, because=(Because(clause=clause, reason=reason, target=request.unit),))
