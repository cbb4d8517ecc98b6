"""How a Horde unit leaves the spawning zones.

Owns AI.STAY.5's move: wholly outside every zone and near its target, or else as little inside as may be.
"""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from ai.horde.edge import to_edge
from ai.horde.target import EDGE, ENEMY, OBJECTIVE, Target, discs_of
from ai.moving.move_planning import STOP_SHORT_INCHES, Plan, to_point, toward
from ai.reasons.clause import carries_out
from engine.core.request import Because
from engine.core.state import Unit
from engine.w40k.view import View
from geometry.measure.region import Segment, base_touches, extents
from geometry.path.ground import Ground
from geometry.portable import dot, mean_point, norm
from geometry.shape.base import Floats
from geometry.shape.convex_shape import Outlines
from geometry.tolerance import ROUNDING

LITTLE = 0.05
"""A front is closed to a unit that gets nearer to it by no more than this, in inches."""
BEYOND = 1e-5
"""How far beyond the front a base aims to end, in inches.

There it covers no more of the zone behind it than the tolerance of areas.
"""


@carries_out("AI.STAY.5")
def plan_out_of_zones(view: View, unit: Unit, kind: str, limits: dict[int, float], target: Target) -> Plan:
    """Return the move out of all zones toward the target, else as near to a front as may be.

    A unit that cannot leave whole makes for the nearest front that it can get nearer to, so that no model is
    left deep inside. Where every front is closed, it makes for the target.

    Rule: AI.STAY.5, R.A24, R.A25
    """
    plain = view.ground(unit, kind)
    outside = replace(plain, shun=tuple(view.field.spawn_zones()))
    # A model that stays inside gets no less deep: either all leave, or all make for the front.
    plan = _toward_target(view, unit, kind, limits, target, outside, stays=target.kind == EDGE)
    if plan.moves and not _inside(view, plan):
        return plan
    for front in _fronts(view, unit):
        plan = to_point(view, unit, kind, limits, front, plain)
        if _nearer(view, unit, plan, front):
            return plan
    return _toward_target(view, unit, kind, limits, target, plain)


def reason_to_hurry(view: View, plan: Plan) -> tuple[Because, ...]:
    """Return why a unit Advances if a Normal move would leave it in a zone.

    It is empty where the unit does not Advance for that. Rule: R.A27
    """
    if view.ruling("ai.advance.leave_zone") == "no" or not _inside(view, plan):
        return ()
    reason = "A Normal move does not get it out of the spawning zones."
    return (Because(clause="AI.STAY.5", reason=reason, ruling="ai.advance.leave_zone"),)


def _toward_target(
    view: View,
    unit: Unit,
    kind: str,
    limits: dict[int, float],
    target: Target,
    ground: Ground,
    *,
    stays: bool = True,
) -> Plan:
    """Return the move that ends nearest to the target.

    Without `stays` no model stays where it may not end.
    """
    if target.kind == ENEMY:
        stop = view.parameters.engagement + STOP_SHORT_INCHES
        return toward(view, unit, kind, limits, discs_of(view, target), stop, ground, stays=stays)
    if target.kind == OBJECTIVE:
        at = view.objectives[target.id].at
        return to_point(view, unit, kind, limits, at, ground, stays=stays)
    return to_edge(view, unit, kind, limits, ground)


def _inside(view: View, plan: Plan) -> int:
    """Return how many models a plan leaves within a spawning zone."""
    inside = np.zeros(len(plan.bases), dtype=np.bool_)
    for zone in view.field.spawn_zones():
        inside |= base_touches(zone, plan.bases)
    return int(np.count_nonzero(inside))


def _fronts(view: View, unit: Unit) -> list[Segment]:
    """Return the lines just beyond the fronts, on which bases are outside, the nearest first."""
    centre = mean_point(view.xy(unit))
    bases = view.bases(unit)
    fronts = [
        _shifted(front, mean_point(np.asarray(zone.polygon)), bases)
        for zone in view.zones.values()
        if zone.kind == "spawn"
        for front in zone.front
    ]
    return sorted(fronts, key=lambda front: (_distance(front, centre), front))


def _nearer(view: View, unit: Unit, plan: Plan, front: Segment) -> bool:
    """Return whether the plan brings the unit's middle nearer to a front; terrain may close one."""
    before = _distance(front, mean_point(view.xy(unit)))
    return plan.moves and _distance(front, mean_point(plan.ends)) < before - LITTLE


def _shifted(front: Segment, inside: Floats, bases: Outlines) -> Segment:
    a, b = np.asarray(front)
    along = (b - a) / norm(*(b - a))
    normal = np.array([-along[1], along[0]])
    if dot(inside - a, normal) > 0:
        normal = -normal
    by = float(extents(bases, -normal).max()) + BEYOND
    a, b = a + normal * by, b + normal * by
    return (float(a[0]), float(a[1])), (float(b[0]), float(b[1]))


def _distance(front: Segment, at: Floats) -> float:
    a, b = np.asarray(front)
    share = min(max(dot(at - a, b - a) / max(dot(b - a, b - a), ROUNDING * ROUNDING), 0.0), 1.0)
    return norm(*(at - a - share * (b - a)))
