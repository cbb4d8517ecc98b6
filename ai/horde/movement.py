"""How a Horde unit moves: which kind of move, and along which paths.

Owns the order in which the clauses of movement are asked, the arrival at a marker and at the board's edge.
Targets are `ai.horde.target`'s, paths `ai.moving.move_planning`'s.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import numpy as np

from ai.horde.advance import reason_to_advance
from ai.horde.air import flight_to, why_off, why_there
from ai.horde.bonus import STAY
from ai.horde.edge import IN_CONTACT, is_at_edge, to_edge
from ai.horde.fall_back import fall_back_plan, reason_to_fall_back
from ai.horde.leave_zone import plan_out_of_zones, reason_to_hurry
from ai.horde.obstruction import why_not_nearer
from ai.horde.queue import behind_friends, why_behind
from ai.horde.stay import came_from_reserves, holds, must_leave_zone, scouts_ahead
from ai.horde.target import EDGE, ENEMY, OBJECTIVE, Target, discs_of, movement_target, passed_over, shown
from ai.moving.move_planning import STOP_SHORT_INCHES, Plan, may_end, stand, to_point, toward
from ai.reasons.condition import CAN_CLOSE_UP, CAN_GO_ON, NO_WAY, NOT_ALL_IN_RANGE
from ai.reasons.inquiry import Inquiry
from engine.core.request import Because, Choose, Chosen, Move, Moves
from engine.core.state import Unit
from engine.w40k.flight import LEAVE
from engine.w40k.view import View
from geometry.measure.body import Bodies
from geometry.portable import norms, sum_of

WORTH_MOVING = 0.25
"""The least total of inches by which a unit on a marker must close up, to move at all.

Rule: R.A16
"""


class Course(msgspec.Struct, frozen=True):
    """Where a unit means to go this phase, and every reason for it."""

    target: Target
    because: tuple[Because, ...]
    leaving: bool


WHY_HELD = Because(
    clause="CORE.AIR.3", reason="Not all its models can leave the engagement range of AIRCRAFT."
)
"""Why a unit stays that only AIRCRAFT hold up."""


def course(view: View, unit: Unit) -> Course:
    """Return where the unit means to go if it moves."""
    return view.remembered(("way", unit.id), lambda: _course(view, unit))


def _course(view: View, unit: Unit) -> Course:
    target = movement_target(view, unit)
    leave = must_leave_zone(view, unit)
    extra = [b for b in (leave, came_from_reserves(unit), scouts_ahead(view, unit)) if b is not None]
    return Course(target, (*extra, shown(view, unit, target)), leave is not None)


def choose_move(view: View, request: Choose) -> Chosen:
    """Return which kind of move the unit makes, by what it sees now. Rule: R.A07, R.A34"""
    unit = view.unit(request.unit)
    offered = {option.id for option in request.options}
    if LEAVE in offered:
        return _fly_or_leave(view, unit)
    if "normal-move" not in offered:
        return _engaged(view, unit, offered)
    way, asked = course(view, unit), Inquiry()
    chosen, because = _kind(view, unit, way, "advance" in offered, asked)
    return Chosen(
        ids=(chosen,), because=because, passed=(*passed_over(view, unit, way.target), *asked.passed)
    )


def _kind(
    view: View, unit: Unit, way: Course, may_advance: bool, asked: Inquiry
) -> tuple[str, tuple[Because, ...]]:
    """Return which kind of move a unit makes that is not in combat, and why."""
    held = None if way.leaving else holds(view, unit, asked)
    if held is not None:
        return STAY, (held, way.because[-1])
    limits = view.move_limits(unit)

    def planned() -> Plan:
        return plan_course(view, unit, way, "normal", limits)

    if not way.leaving and (arrived := _arrived(view, unit, way.target, planned, asked)) is not None:
        return STAY, (arrived, way.because[-1])

    def ends() -> Bodies:
        return view.bodies_after(unit, planned().paths)

    faster = reason_to_advance(view, unit, limits, ends, asked) if may_advance else ()
    if not faster and way.leaving and may_advance:
        faster = reason_to_hurry(view, planned())
    if faster:
        return "advance", (*way.because, *faster)
    if not planned().moves:
        asked.failed(way.target.because.clause, "normal-move", NO_WAY)
        stuck = why_not_nearer(view, unit, way.target, "normal", limits, planned())
        return STAY, (*way.because, stuck)
    return "normal-move", way.because


def _engaged(view: View, unit: Unit, offered: set[str]) -> Chosen:
    because, plan = reason_to_fall_back(view, unit)
    if "fall-back" in offered and plan is not None:
        return Chosen(ids=("fall-back",), because=(because,))
    return Chosen(ids=(STAY,), because=(because,))


def _fly_or_leave(view: View, unit: Unit) -> Chosen:
    """Return whether AIRCRAFT fly on over the board. Rule: CORE.AIR.2"""
    way = course(view, unit)
    plan = flight_to(view, unit, way.target)
    passed = passed_over(view, unit, way.target)
    if plan is None:
        return Chosen(ids=(LEAVE,), because=(way.because[-1], why_off()), passed=passed)
    return Chosen(ids=("normal-move",), because=(way.because[-1], why_there(plan)), passed=passed)


def _fly(view: View, unit: Unit) -> Moves:
    way = course(view, unit)
    plan = flight_to(view, unit, way.target)
    because = why_off() if plan is None else why_there(plan)
    return replace_because(plan or stand(view, unit), (way.because[-1], because))


def _arrived(
    view: View, unit: Unit, target: Target, planned: Callable[[], Plan], asked: Inquiry
) -> Because | None:
    """Return why a unit that is where it wants to be stays there. Rule: R.A16, R.A18"""
    if target.kind == OBJECTIVE:
        marker = view.objectives[target.id]
        inside = view.field.in_range_of(unit, marker)
        if view.ruling("ai.move.marker_arrival") == "any_model" and inside.any():
            reason = f"It is within range of {target.id}."
            return Because(
                clause="AI.MOVE.2", reason=reason, target=target.id, ruling="ai.move.marker_arrival"
            )
        if not inside.all():
            asked.failed("AI.MOVE.2", STAY, NOT_ALL_IN_RANGE, int(np.count_nonzero(inside)), len(inside))
            return None
        gain = _total(view.xy(unit), marker.at) - _total(planned().ends, marker.at)
        if gain >= WORTH_MOVING:
            asked.failed("AI.MOVE.2", STAY, CAN_CLOSE_UP, gain, WORTH_MOVING)
            return None
        reason = f"All its models are within range of {target.id}, and it cannot close up any more."
        return Because(clause="AI.MOVE.2", reason=reason, target=target.id, ruling="ai.move.marker_arrival")
    if target.kind != EDGE or not is_at_edge(view, view.bases(unit)):
        return None
    if planned().longest <= IN_CONTACT:
        reason = "It stands at the Defender's edge, as near to the central line as it can."
        return Because(clause="AI.MOVE.3", reason=reason, target=target.id)
    asked.failed("AI.MOVE.3", STAY, CAN_GO_ON, planned().longest)
    return None


def _total(xy: np.ndarray, at: tuple[float, float]) -> float:
    return sum_of(norms(xy - np.array(at)).tolist())


def move(view: View, request: Move) -> Moves:
    """Return the paths of a normal move, an Advance or a fall back."""
    unit = view.unit(request.unit)
    if request.least:
        return _fly(view, unit)
    if request.kind == "fall-back":
        because, plan = fall_back_plan(view, unit, request.limits)
        return replace_because(plan or stand(view, unit), (because,))
    way = course(view, unit)
    plan = plan_course(view, unit, way, request.kind, request.limits)
    if not may_end(view, request, Moves(paths=plan.paths)):
        return replace_because(stand(view, unit), (*way.because, WHY_HELD))
    # To a marker all models count together, so that each that moves is a gain.
    gains = plan.moves if way.target.kind == OBJECTIVE else plan.nearer
    stuck: tuple[Because, ...] = ()
    if plan.behind:
        stuck = (why_behind(view, unit, way.target, plan),)
    elif plan.lost or not gains:
        stuck = (why_not_nearer(view, unit, way.target, request.kind, request.limits, plan),)
    return replace_because(plan, (*way.because, *stuck), passed_over(view, unit, way.target))


def replace_because(plan: Plan, because: tuple[Because, ...], passed: tuple[Because, ...] = ()) -> Moves:
    """Return the plan as an answer with its reasons."""
    return Moves(paths=plan.paths, because=because, passed=passed)


def plan_course(view: View, unit: Unit, way: Course, kind: str, limits: dict[int, float]) -> Plan:
    """Return the move toward the target, out of the spawning zones first."""

    def planned() -> Plan:
        if way.leaving:
            return plan_out_of_zones(view, unit, kind, limits, way.target)
        plan = plan_toward(view, unit, way.target, kind, limits)
        return behind_friends(view, unit, way.target, kind, limits, plan)

    key = ("course", unit.id, kind, way.target.id, tuple(limits.items()))
    return view.remembered(key, planned)


def plan_toward(view: View, unit: Unit, target: Target, kind: str, limits: dict[int, float]) -> Plan:
    """Return the move that brings the unit nearest to its target.

    Rule: R.A03, R.A04, R.A05, R.A16, R.A18, R.A36
    """
    if target.kind == ENEMY:
        stop = view.parameters.engagement + STOP_SHORT_INCHES
        return toward(view, unit, kind, limits, discs_of(view, target), stop)
    if target.kind == OBJECTIVE:
        return to_point(view, unit, kind, limits, view.objectives[target.id].at)
    return to_edge(view, unit, kind, limits)
