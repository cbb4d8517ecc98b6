"""How a Horde unit of AIRCRAFT flies: as near to its target as it can, or off the board.

Owns what the clauses of movement mean for a unit that flies straight on. Targets are `ai.horde.target`'s,
flights `ai.moving.flying`'s.
"""

from __future__ import annotations

import numpy as np

from ai.horde.target import ENEMY, OBJECTIVE, Target, discs_of, edge_gaps
from ai.moving.flying import fly_toward, middle
from ai.moving.move_planning import Plan
from ai.reasons.condition import NO_WAY
from ai.reasons.inquiry import outcome
from engine.core.request import Because
from engine.core.state import Unit
from engine.w40k.view import View
from geometry.measure.distance import gaps
from geometry.shape.convex_shape import Outlines


def flight_to(view: View, unit: Unit, target: Target) -> Plan | None:
    """Return the flight that ends nearest to the target; None where there is none.

    Rule: CORE.AIR.2
    """

    def planned() -> Plan | None:
        if target.kind == ENEMY:
            foes = discs_of(view, target)
            return fly_toward(view, unit, lambda ends: float(gaps(ends, foes).min()), middle(foes.xy))
        if target.kind == OBJECTIVE:
            at = view.objectives[target.id].at
            return fly_toward(view, unit, lambda ends: _apart(ends, at), at)
        wish = lambda ends: float(edge_gaps(view, ends).min())  # noqa: E731 - one of three alike
        return fly_toward(view, unit, wish, middle(view.toward_edge()))

    return view.remembered(("flight", unit.id, target.id), planned)


def _apart(ends: Outlines, at: tuple[float, float]) -> float:
    return float(ends.distances(np.array([at])).min())


def why_off() -> Because:
    """Return why an aircraft leaves the board. Rule: CORE.AIR.2"""
    reason = "Straight ahead there is no place to end a flight on the board: it leaves for reserves."
    return Because(clause="CORE.AIR.2", reason=reason, candidates=(outcome("normal-move", NO_WAY),))


def why_there(plan: Plan) -> Because:
    """Return how an aircraft flies. Rule: CORE.AIR.2"""
    reason = f'It flies {plan.longest:.2f}" straight on, which brings it nearest, and turns to fly on.'
    return Because(clause="CORE.AIR.2", reason=reason)
