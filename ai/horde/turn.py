"""In which order Horde units act.

Owns the choice of the next unit in each phase. What the unit then does is decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable

from ai.horde.movement import course, plan_course
from ai.horde.target import movement_target
from ai.plan import move_limits
from ai.ranking import Entry, closest
from engine.request import Because, Choose, Chosen
from engine.state import Unit
from engine.view import View

ORDER = "ai.order.units"
"""The setting that says which unit acts first. Rule: R.A08"""
LITTLE = 0.5
"""A unit that gets no farther than this share of its move is blocked, if a friend may still make room."""


def next_unit(view: View, request: Choose) -> Chosen:
    """Return the unit that acts next."""
    units = [view.unit(option.id) for option in request.options if option.id in _ids(view, request)]
    if request.rule.startswith("CORE.FGT"):
        return most_expensive(view, units)
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
    entries = [Entry(unit.id, -float(unit.facts.points)) for unit in units]
    ranked = closest(view, entries, "fight-order")
    points = view.unit(ranked.chosen).facts.points
    what = "fight" if clause == "AI.FIGHT.1" else "act"
    reason = f"Of the units that may {what} it costs most: {points} points."
    return Chosen(ids=(ranked.chosen,), because=(Because(clause=clause, reason=reason, ruling=ruling),))


def dearest_first(view: View) -> bool:
    """Return whether units act by their points, not by their distances. Rule: R.A08"""
    return view.ruling(ORDER) == "dearest"


def nearest_to_enemy(view: View, units: list[Unit], rule: str) -> Chosen:
    """Return the unit closest to an enemy. Rule: R.A08"""
    if dearest_first(view):
        return most_expensive(view, units, "AI.0", ORDER)
    entries = [
        Entry(unit.id, min((view.gap(unit, enemy) for enemy in view.enemies(unit)), default=1e6))
        for unit in units
    ]
    ranked = closest(view, entries, f"order/{rule}")
    reason = f'It is the closest to an enemy, {ranked.distance:.2f}" away.'
    return Chosen(ids=(ranked.chosen,), because=(Because(clause="AI.0", reason=reason, ruling="R.A08"),))


def nearest_to_target(view: View, units: list[Unit]) -> Chosen:
    """Return the unit closest to its own target, engaged ones last; one in a friend's way goes first.

    Rule: R.A08, R.A30
    """
    free = [unit for unit in units if not view.is_engaged(unit)]
    if free and dearest_first(view):
        return most_expensive(view, free, "AI.MOVE.1", ORDER)
    entries = []
    for unit in units:
        far = 1e6 if view.is_engaged(unit) else movement_target(view, unit).distance
        entries.append(Entry(unit.id, far))
    ranked = closest(view, entries, "move-order")
    chosen, reason = ranked.chosen, f'It is the closest to its own target, {ranked.distance:.2f}" away.'
    if ranked.distance >= 1e6:
        reason = "Only units in combat are left."
    elif _is_held_up(view, view.unit(chosen), units):
        ahead = _first(units, lambda u: u.id != chosen and not _is_held_up(view, u, units), entries)
        if ahead is not None:
            name = view.unit(chosen).name
            chosen, reason = (
                ahead.id,
                f"{name} is blocked by friends that have not moved; this unit goes first.",
            )
    return Chosen(ids=(chosen,), because=(Because(clause="AI.MOVE.1", reason=reason, ruling="R.A08"),))


def _first(units: list[Unit], wanted: Callable[[Unit], bool], entries: list[Entry]) -> Unit | None:
    far = {entry.id: entry.distance for entry in entries}
    for unit in sorted(units, key=lambda u: (far[u.id], u.id)):
        if far[unit.id] < 1e6 and wanted(unit):
            return unit
    return None


def _is_held_up(view: View, unit: Unit, waiting: list[Unit]) -> bool:
    """Return whether the unit would hardly get ahead while a friend near it has still to move."""
    reach = max(move_limits(view, unit).values(), default=0.0)
    friends = [u for u in waiting if u.id != unit.id and not view.is_engaged(u)]
    if not any(view.gap(unit, friend) <= reach for friend in friends):
        return False
    way = course(view, unit)
    plan = plan_course(view, unit, way, "normal", move_limits(view, unit))
    return plan.longest < LITTLE * min(reach, max(way.target.distance - 1.0, 0.0))
