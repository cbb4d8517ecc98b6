"""In which order Horde units act.

Owns the choice of the next unit in each phase. What the unit then does is decided elsewhere.
"""

from __future__ import annotations

import math

from msgspec.structs import replace

from ai.horde.movement import course, plan_course
from ai.horde.queue import is_in_way
from ai.horde.target import movement_target
from ai.reasons.condition import BLOCKED_BY_FRIENDS, IN_COMBAT
from ai.reasons.ranking import Entry, Ranked, closest, dearest
from engine.core.request import Because, Candidate, Choose, Chosen
from engine.core.state import Unit
from engine.w40k.view import View

ORDER = "ai.order.units"
"""The setting that says which unit acts first. Rule: R.A08"""
LITTLE = 0.5
"""A unit that gets no farther than this share of its move is held up.

That counts only where a friend near it has still to move.
"""


def next_unit(view: View, request: Choose) -> Chosen:
    """Return the unit that acts next."""
    units = [view.unit(option.id) for option in request.options if option.id in _ids(view, request)]
    if request.rule.startswith("CORE.FGT"):
        by_chance = view.ruling("ai.fight.order") == "random"
        return drawn(view, units) if by_chance else most_expensive(view, units)
    if request.rule.startswith("CORE.MOVE"):
        return nearest_to_target(view, units)
    return nearest_to_enemy(view, units, request.rule)


def _ids(view: View, request: Choose) -> set[str]:
    known = {unit.id for unit in view.units()}
    return {option.id for option in request.options} & known


def most_expensive(
    view: View, units: list[Unit], clause: str = "AI.FIGHT.1", ruling: str = "R.A60"
) -> Chosen:
    """Return the unit of most points; ties are drawn. Rule: R.A60"""
    ranked = dearest(view, {unit.id: unit.facts.points for unit in units}, "fight-order")
    what = "fight" if clause == "AI.FIGHT.1" else "act"
    reason = f"Of the units that may {what} it costs most: {ranked.distance:g} points."
    return _next(ranked, clause, reason, ruling)


def drawn(view: View, units: list[Unit]) -> Chosen:
    """Return any of the units, drawn. Rule: R.A60"""
    ranked = closest(view, [Entry(unit.id, 0.0) for unit in units], "fight-order")
    reason = "It is drawn among the units that may fight."
    return Chosen(
        ids=(ranked.chosen,), because=(Because(clause="AI.FIGHT.1", reason=reason, ruling="ai.fight.order"),)
    )


def dearest_first(view: View) -> bool:
    """Return whether units act by their points, not by their distances. Rule: R.A08"""
    return view.ruling(ORDER) == "dearest"


def nearest_to_enemy(view: View, units: list[Unit], rule: str) -> Chosen:
    """Return the unit closest to an enemy. Rule: R.A08"""
    if dearest_first(view):
        return most_expensive(view, units, "AI.0", ORDER)
    enemies = view.enemies(units[0]) if units else []
    entries = [Entry(unit.id, view.closest_gap(unit, enemies)) for unit in units]
    ranked = closest(view, entries, f"order/{rule}")
    reason = f'It is the closest to an enemy, {ranked.distance:.2f}" away.'
    return _next(ranked, "AI.0", reason, "R.A08")


def _next(ranked: Ranked, clause: str, reason: str, ruling: str) -> Chosen:
    because = Because(clause=clause, reason=reason, candidates=ranked.candidates, ruling=ruling)
    return Chosen(ids=(ranked.chosen,), because=(because,))


def nearest_to_target(view: View, units: list[Unit]) -> Chosen:
    """Return the unit closest to its own target; units in combat come last.

    Where friends hold it up, the next closest unit that is not held up goes first.

    Rule: R.A08, R.A30
    """
    fighting = {unit.id for unit in units if view.is_engaged(unit)}
    free = [unit for unit in units if unit.id not in fighting]
    if free and dearest_first(view):
        return most_expensive(view, free, "AI.MOVE.1", ORDER)
    far = {u.id: math.inf if u.id in fighting else movement_target(view, u).distance for u in units}
    ranked = closest(view, [Entry(id_, distance) for id_, distance in far.items()], "move-order")
    reason = f'It is the closest to its own target, {ranked.distance:.2f}" away.'
    if ranked.chosen in fighting:
        return _next(ranked, "AI.MOVE.1", "Only units in combat are left.", "R.A08")
    ranked = Ranked(ranked.chosen, ranked.distance, _combat_apart(ranked.candidates, fighting))
    if _is_held_up(view, view.unit(ranked.chosen), units):
        others = (u for u in sorted(free, key=lambda u: (far[u.id], u.id)) if u.id != ranked.chosen)
        ahead = next((u for u in others if not _is_held_up(view, u, units)), None)
        if ahead is not None:
            name = view.unit(ranked.chosen).name
            reason = f"{name} is blocked by friends that have not moved; this unit goes first."
            ranked = Ranked(ahead.id, far[ahead.id], _blocked_before(ranked.candidates, ahead.id))
    return _next(ranked, "AI.MOVE.1", reason, "R.A08")


def _combat_apart(candidates: tuple[Candidate, ...], fighting: set[str]) -> tuple[Candidate, ...]:
    """Return the candidates, those in combat rejected for that."""
    return tuple(replace(c, failed=IN_COMBAT) if c.id in fighting else c for c in candidates)


def _blocked_before(candidates: tuple[Candidate, ...], chosen: str) -> tuple[Candidate, ...]:
    """Return the candidates where those before the chosen one are blocked by friends."""
    at = [c.id for c in candidates].index(chosen)
    before = tuple(replace(c, failed=BLOCKED_BY_FRIENDS) for c in candidates[:at])
    return (*before, replace(candidates[at], failed=""), *candidates[at + 1 :])


def _is_held_up(view: View, unit: Unit, waiting: list[Unit]) -> bool:
    """Return whether the unit would hardly get ahead while a friend near it has still to move."""
    reach = max(view.move_limits(unit).values(), default=0.0)
    friends = [u for u in waiting if u.id != unit.id and not view.is_engaged(u)]
    near = [friend for friend in friends if view.gap(unit, friend) <= reach]
    if not near:
        return False
    way = course(view, unit)
    # The move is planned only where no friend is in the way: with one there, a plan would be in vain.
    if not way.leaving and is_in_way(view, unit, way.target, near):
        return True
    plan = plan_course(view, unit, way, "normal", view.move_limits(unit))
    return plan.longest < LITTLE * min(reach, max(way.target.distance - 1.0, 0.0))
