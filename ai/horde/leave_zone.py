"""How a Horde unit leaves the spawning zones.

Owns AI.STAY.5's move: wholly outside every zone and near its target, or else as little inside as may be.
"""

from __future__ import annotations

from dataclasses import replace

from ai.clause import carries_out
from ai.horde.edge import to_edge
from ai.horde.target import ENEMY, OBJECTIVE, Target, discs_of
from ai.plan import Plan, to_point, toward
from engine.state import Unit
from engine.view import View

STOP_SHORT = 0.001


@carries_out("AI.STAY.5")
def plan_out_of_zones(view: View, unit: Unit, kind: str, limits: dict[int, float], target: Target) -> Plan:
    """Return the move out of all zones nearest to the target, or else as far toward the front as may be.

    Rule: AI.STAY.5, R.A24, R.A25
    """
    ground = replace(view.ground(unit, kind), shun=tuple(view.field.spawn_zones()))
    if target.kind == ENEMY:
        stop = view.knobs.engagement + STOP_SHORT
        return toward(view, unit, kind, limits, discs_of(view, target), stop, ground)
    if target.kind == OBJECTIVE:
        return to_point(view, unit, kind, limits, view.objectives[target.id].at, ground)
    return to_edge(view, unit, kind, limits, ground)
