"""Turns a wish (toward, onto, into contact, away) into a legal move of a whole unit.

Owns the way from geometry's paths to the answer's legs, and what each kind of move asks of its end. It
never decides what is wished.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
from msgspec.structs import replace

from ai.moving.closing_in import closing_in
from ai.reasons.ranking import Entry, closest
from engine.core.facts import Point
from engine.core.request import Move, Moves
from engine.core.state import Unit
from engine.w40k.legality.free_contact import Approach, FreeContact
from engine.w40k.view import View
from geometry.group.group_move import (
    Moved,
    move_into_contact,
    move_to_point,
    move_toward,
)
from geometry.measure.coherency import is_coherent
from geometry.measure.distance import gaps, overlaps, within
from geometry.measure.region import Segment
from geometry.path.ground import Ground
from geometry.path.planner import Blocked, Path
from geometry.portable import norms, sum_of
from geometry.shape.base import Floats
from geometry.shape.convex_shape import Outlines
from geometry.tolerance import TOLERANCE

STOP_SHORT_INCHES = 0.001
"""How far outside engagement range a move toward an enemy stops. Rule: R.A04"""
FOREMOST = 3
"""How many of a unit's models, the nearest ones, are tried to see if it can reach an enemy."""
Legs = tuple[tuple[float, ...], ...]


class Plan(msgspec.Struct, frozen=True):
    """A legal move of a unit: its legs by row, and its bases at the end.

    `blocked` says what kept it from getting nearer.
    """

    paths: dict[int, Legs]
    bases: Outlines
    longest: float = 0.0
    blocked: str = ""
    nearer: bool = False
    """Whether some model ends nearer to the goal than any stood before the move."""
    together: bool = False
    """Whether all models together have less left to the goal after the move."""
    lost: bool = False
    """Whether every way to the goal is closed to some model, which then gets as near as it can."""
    behind: bool = False
    """Whether the move ends behind friends in the way, rather than on a way round them."""

    @property
    def moves(self) -> bool:
        """Return whether any model moves."""
        return bool(self.paths)

    @property
    def ends(self) -> Floats:
        """Return where each model ends, (n, 2)."""
        return self.bases.xy


def stand(view: View, unit: Unit, blocked: str = "") -> Plan:
    """Return the move of a unit that stays where it is."""
    return Plan({}, view.bases(unit), 0.0, blocked)


def planned(view: View, unit: Unit, outcome: Moved | Blocked) -> Plan:
    """Return what geometry found as a plan.

    Where it found nothing, the unit stays where it is, and the plan holds the reason.
    """
    if isinstance(outcome, Blocked):
        return stand(view, unit, outcome.reason)
    paths = {
        row: path.legs for row, path in zip(unit.rows, outcome.paths, strict=True) if path.length > TOLERANCE
    }
    left, before = outcome.left.tolist(), outcome.before.tolist()
    return Plan(
        paths,
        view.bases_after(unit, paths),
        max(path.length for path in outcome.paths),
        nearer=min(left) < min(before) - TOLERANCE,
        together=sum_of(left) < sum_of(before) - TOLERANCE,
        lost=outcome.lost,
    )


def toward(
    view: View,
    unit: Unit,
    kind: str,
    limits: dict[int, float],
    goal: Outlines,
    stop: float,
    ground: Ground | None = None,
    *,
    stays: bool = True,
) -> Plan:
    """Return the move as near to the goal as may be, but not within `stop` inches of it."""
    party, ground = view.party(unit, limits), ground or view.ground(unit, kind)
    return planned(view, unit, move_toward(party, goal, ground, view.spacing, stop, stays))


def to_point(
    view: View,
    unit: Unit,
    kind: str,
    limits: dict[int, float],
    goal: Point | Segment,
    ground: Ground | None = None,
    *,
    stays: bool = True,
) -> Plan:
    """Return the move as near to a point (or a line) as may be."""
    party, ground = view.party(unit, limits), ground or view.ground(unit, kind)
    return planned(view, unit, move_to_point(party, goal, ground, view.spacing, stays))


def may_end(view: View, request: Move, moves: Moves) -> bool:
    """Return whether a move ends where it may, in the cases that no planner promises.

    These are moves that must end clear of enemies, and those of units that AIRCRAFT alone hold up: all of
    their models must leave engagement range. Rule: CORE.AIR.3
    """
    is_promised = not request.clear and (
        request.kind not in ("normal", "advance") or not view.is_engaged(view.unit(request.unit))
    )
    return is_promised or not view.faults(request, moves)


def continued(
    view: View, unit: Unit, first: Plan, limits: dict[int, float], goal: Point, ground: Ground
) -> Plan:
    """Return the plan with what is left of each model's move spent toward a point."""
    gone = {row: _length(view.at(row), legs) for row, legs in first.paths.items()}
    left = {row: max(limits.get(row, 0.0) - gone.get(row, 0.0), 0.0) for row in unit.rows}
    outcome = move_to_point(view.party_after(unit, first.paths, left), goal, ground, view.spacing)
    second = planned(view, unit, outcome)
    if not second.moves:
        return first
    paths = {
        row: (*first.paths.get(row, ()), *second.paths.get(row, ()))
        for row in unit.rows
        if row in first.paths or row in second.paths
    }
    longest = max(_length(view.at(row), legs) for row, legs in paths.items())
    return Plan(
        paths,
        view.bases_after(unit, paths),
        longest,
        nearer=first.nearer or second.nearer,
        together=first.together or second.together,
        lost=first.lost,
    )


def _length(start: Point, legs: Legs) -> float:
    return Path.from_legs(start, legs).length


def into_contact(
    view: View,
    unit: Unit,
    kind: str,
    limits: dict[int, float],
    targets: tuple[str, ...],
    *,
    is_first: bool = False,
) -> Plan | None:
    """Return the move into engagement range of every target, None where there is none.

    With `is_first` it is the first such move that is found: it shows that there is one, and is not to be
    made. Rule: CORE.CHG.2
    """
    ground = view.ground(unit, kind, targets)
    foes = [view.field.outlines(view.unit(t).rows) for t in targets]
    party, reach = view.party(unit, limits), view.field.engagement
    across = view.field.across(view.field.rows([view.unit(t) for t in targets]))
    # Contact with the nearest target may leave another out of reach: then each is tried as the one to touch.
    for aims in [foes, *([foe] for foe in foes if len(foes) > 1)]:
        outcome = move_into_contact(
            party, aims, ground, view.spacing, view.parameters.engagement, across=across, is_first=is_first
        )
        if isinstance(outcome, Blocked):
            continue
        plan = planned(view, unit, outcome)
        if not is_first:
            plan = _in_contact(view, Approach(unit, kind, limits, targets, ground), plan)
        if all(reach.near(gaps(plan.bases, foe), plan.bases, foe).any() for foe in foes):
            return plan
    return None


def _in_contact(view: View, approach: Approach, plan: Plan) -> Plan:
    """Return the plan with each model that misses a free contact sent into it.

    Models are sent one by one, until none misses one. Each adds one to those in contact, so that this ends.
    Rule: CORE.CHG.3, CORE.FGT.4
    """
    rows = [row for row in approach.unit.rows if row in approach.limits]
    while missed := FreeContact(view.field, approach, plan.bases).missed(rows):
        row, at = next(iter(missed.items()))
        spot = (round(float(at[0]), 7), round(float(at[1]), 7))
        far = max(plan.longest, _length(view.at(row), (spot,)))
        paths = {**plan.paths, row: (spot,)}
        plan = replace(plan, paths=paths, bases=view.bases_after(approach.unit, paths), longest=far)
    return plan


def reach_of_charge(view: View, unit: Unit, target: str, beside: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return the targets within whose engagement range a model that charges this one would end.

    The unit's foremost models are tried, with the longest charge. They may come near the units `beside` too.
    None where no model gets there. Rule: CORE.CHG.2, R.A53
    """
    named = (target, *beside)
    ground = view.ground(unit, "charge", named)
    foe = view.field.outlines(view.unit(target).rows)
    order = np.argsort(view.gaps(unit, view.unit(target)).min(axis=1), kind="stable")
    across = view.field.across(view.unit(target).rows)
    for i in order[:FOREMOST]:
        row = unit.rows[int(i)]
        party = view.party(unit, {row: view.parameters.charge_range}).take([int(i)])
        outcome = move_into_contact(
            party, [foe], ground, view.spacing, view.parameters.engagement, across=across
        )
        if isinstance(outcome, Moved):
            end = view.bases_after(unit, {row: outcome.paths[0].legs}).take([int(i)])
            return tuple(t for t in named if _meets(view, end, t))
    return None


def _meets(view: View, end: Outlines, target: str) -> bool:
    foes = view.bases(view.unit(target))
    return bool(view.field.engagement.near(gaps(end, foes), end, foes).any())


def close_in(
    view: View, unit: Unit, kind: str, limits: dict[int, float], first: Sequence[str] = ()
) -> Plan | None:
    """Return the pile-in or consolidation toward the closest enemies, as far as it may go.

    None where the unit cannot end within engagement range of an enemy. Of enemies that are equally near
    those named `first` are preferred.

    Rule: CORE.FGT.4, CORE.FGT.7, CORE.AIR.5
    """
    found = closing_in(view.field, unit, kind, limits, view.party(unit, limits), first)
    if found is None:
        return None
    foes, outcome = found
    plan = _only_closer(view, unit, planned(view, unit, outcome), foes)
    plan = _in_contact(view, Approach(unit, kind, limits, (), view.ground(unit, kind)), plan)
    return plan if view.field.engagement.near(gaps(plan.bases, foes), plan.bases, foes).any() else None


def into_combat(view: View, request: Move, first: Sequence[str] = ()) -> Plan | None:
    """Return the consolidation into engagement range; None where no legal one is known.

    The unit may go onto a marker only where there is none. So a plain move that is legal counts where no
    other is planned. Rule: CORE.FGT.7
    """
    unit = view.unit(request.unit)
    plan = close_in(view, unit, "consolidate", request.limits, first)
    if plan is not None:
        return plan
    paths = view.plain_engagement(request)
    return None if paths is None else Plan(paths, view.bases_after(unit, paths), nearer=True)


def _only_closer(view: View, unit: Unit, plan: Plan, foes: Outlines) -> Plan:
    """Return the plan without the models that would not end closer to their closest enemy."""
    before, after = gaps(view.bases(unit), foes), gaps(plan.bases, foes)
    i = np.arange(len(unit.rows))
    nearest = before.argmin(axis=1)
    gained = before[i, nearest] - after[i, nearest] > 2 * TOLERANCE
    kept = {row: legs for row, legs in plan.paths.items() if gained[unit.rows.index(row)]}
    if len(kept) == len(plan.paths):
        return plan
    poses, bases = view.poses_after(unit, kept), view.bases_after(unit, kept)
    if not is_coherent(bases, poses[:, 2], view.spacing) or overlaps(bases):
        return stand(view, unit)
    return replace(plan, paths=kept, bases=bases)


def to_marker(view: View, unit: Unit, limits: dict[int, float]) -> tuple[str, Plan] | None:
    """Return the closest marker and the consolidation into its range; None if out of reach.

    Of markers that are equally close one is drawn. Rule: CORE.FGT.7, R.A06
    """
    gaps_to = {i: view.field.closest_to_objective(unit, m) for i, m in view.objectives.items()}
    markers = [Entry(i, round(apart, 6)) for i, apart in gaps_to.items()]
    if not markers or not limits:
        return None
    name = closest(view, markers, f"to-marker/{unit.id}").chosen
    at = view.objectives[name].at
    bases, far = view.bases(unit), view.parameters.marker_radius + view.parameters.objective_range
    # Whichever way a base faces, it is no nearer than the circle that holds it.
    ahead = [limits.get(row, 0.0) for row in unit.rows] + bases.reach + far
    if (norms(bases.xy - at) > ahead + TOLERANCE).all():
        return None
    # A move that ends within engagement range is one toward the enemy, which asks for more.
    foes = view.field.outlines(view.field.rows(view.enemies(unit)), view.parameters.engagement)
    ground = replace(view.ground(unit, "consolidate"), end_avoid=foes)
    plan = to_point(view, unit, "consolidate", limits, at, ground)
    apart = plan.bases.distances(np.array([at]))[0] - view.parameters.marker_radius
    low = within(view.poses_after(unit, plan.paths)[:, 2], view.parameters.objective_vertical)
    near = within(apart, view.parameters.objective_range) & low
    return (name, plan) if near.any() else None
