"""A wish to move as a legal move of a whole unit: toward, away, stay, ahead.

Raises Misread, with what would be understood, where words mean nothing. Ways are `ai.moving`'s.
"""

from __future__ import annotations

from msgspec.structs import replace

from ai.moving.flying import Flights
from ai.moving.move_planning import (
    STOP_SHORT_INCHES,
    Plan,
    close_in,
    into_combat,
    into_contact,
    stand,
    to_marker,
    to_point,
    toward,
)
from ai.moving.retreat import away
from ai.moving.surging import closest_approach
from engine.core.facts import Point
from engine.core.request import Move, Moves
from engine.core.state import Unit
from engine.w40k.view import View
from viewer.input.reading import Misread, named, number, point


def move_of(view: View, request: Move, text: str) -> Moves:
    """Return the legal move that words wish for. Raises Misread."""
    unit = view.unit(request.unit)
    words, limits = _shortened(request, text.split())
    word = words[0].lower() if words else ""
    if request.least:
        return _flight(view, unit, words)
    if word in ("stay", "stand") and len(words) == 1:
        plan = stand(view, unit)
    elif word == "away" and len(words) == 1:
        plan = _found(away(view, unit, limits, kind=request.kind, threats=_threats(view, unit)), "way out")
    elif word in ("toward", "towards", "to") and len(words) > 1:
        plan = _toward(view, unit, request, limits, " ".join(words[1:]))
    else:
        raise Misread('Say "toward X Y", "toward NAME", "away" or "stay"; "by 3" after it stops 3" on.')
    return Moves(paths=plan.paths)


def _flight(view: View, unit: Unit, words: list[str]) -> Moves:
    """Return a flight with the turn after it, or none, off the board. Rule: CORE.AIR.2"""
    said = [word.lower() for word in words]
    if said == ["leave"]:
        return Moves()
    if said[:1] != ["ahead"] or len(said) not in (2, 4) or said[2:3] not in ([], ["turn"]):
        raise Misread('Say "ahead 24", "ahead 24 turn 45" (to the left; -45 to the right), or "leave".')
    flights, far = Flights(view, unit), number(said[1])
    turn = number(said[3]) if len(said) == 4 else 0.0
    return Moves(paths=flights.flown(far, turn).paths)


def _shortened(request: Move, words: list[str]) -> tuple[list[str], dict[int, float]]:
    """Return the words without "by N" at their end, and the limits cut to that."""
    if len(words) < 3 or words[-2].lower() != "by":
        return words, request.limits
    far = number(words[-1])
    if far < 0:
        raise Misread("A move is not shorter than nothing.")
    return words[:-2], {row: min(limit, far) for row, limit in request.limits.items()}


def _threats(view: View, unit: Unit) -> tuple[str, ...]:
    """Return whom to get away from: those engaged with, or else the nearest enemy."""
    enemies = view.enemies(unit)
    if view.is_engaged(unit) or not enemies:
        return ()
    return (min(enemies, key=lambda enemy: (view.gap(unit, enemy), enemy.id)).id,)


def _toward(view: View, unit: Unit, request: Move, limits: dict[int, float], text: str) -> Plan:
    if request.kind == "charge":
        return _found(into_contact(view, unit, "charge", limits, request.targets), "way into contact")
    at = point(text)
    if request.kind == "surge":
        return closest_approach(view, replace(request, limits=limits))
    if request.kind in ("pile-in", "consolidate"):
        return _combat_move(view, unit, replace(request, limits=limits))
    if at is not None:
        return to_point(view, unit, request.kind, limits, _on_board(view, unit, at))
    name = named(view, text)
    if name in view.objectives:
        return to_point(view, unit, request.kind, limits, view.objectives[name].at)
    other = view.unit(name)
    stop = view.parameters.engagement + STOP_SHORT_INCHES if other.side != unit.side else 0.0
    return toward(view, unit, request.kind, limits, view.field.outlines(other.rows), stop)


def _on_board(view: View, unit: Unit, wanted: Point) -> Point:
    """Return the nearest point at which each base of a unit lies on the board."""
    bases = [view.model(row).facts.base for row in unit.rows]
    half = max(max(base.length, base.width) for base in bases) / 2
    x, y = (
        min(max(at, half), max(size - half, half)) for at, size in zip(wanted, view.board.size, strict=True)
    )
    return x, y


def _combat_move(view: View, unit: Unit, request: Move) -> Plan:
    """Return the pile-in or consolidation; its rules leave no choice of where to."""
    if request.kind == "pile-in":
        return _found(close_in(view, unit, request.kind, request.limits), "such move")
    plan = into_combat(view, request)
    if plan is None:
        found = to_marker(view, unit, request.limits)
        plan = found[1] if found else None
    return _found(plan, "such move")


def _found(plan: Plan | None, what: str) -> Plan:
    if plan is None:
        raise Misread(f"There is no {what}.")
    return plan
