"""Turns a wish (toward, onto, into contact, away) into a legal move of a whole unit.

Owns the way from geometry's paths to the answer's legs, and what each kind of move asks of its end. It
never decides what is wished.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from geometry.ground import Ground
from geometry.group import (
    Blocked,
    Moved,
    move_into_contact,
    move_to_point,
    move_toward,
)

from engine.facts import Point
from engine.state import Unit
from engine.view import View
from geometry.base import TOLERANCE, Discs, Floats

Legs = tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """A legal move of a unit: legs by row, where each model ends, and what kept it from getting nearer."""

    paths: dict[int, Legs]
    ends: Floats
    longest: float = 0.0
    blocked: str = ""

    @property
    def moves(self) -> bool:
        """Return whether any model moves."""
        return bool(self.paths)


def move_limits(view: View, unit: Unit) -> dict[int, float]:
    """Return how far each model goes in a normal move. Rule: CORE.MOVE.5, AI.SCOUT"""
    extra = _scouts(view, unit)
    return {
        row: view.number("unit.move", view.characteristics(row).get("M", 0), unit=unit, model=view.model(row))
        + extra
        for row in unit.rows
    }


def _scouts(view: View, unit: Unit) -> float:
    fresh = "spawned" in unit.marks if unit.side == "horde" else view.round == 1
    if not fresh:
        return 0.0
    found = [a for part in unit.parts for a in part.abilities if a.startswith("scouts ")]
    return min((float(a.split()[-1].rstrip('"')) for a in found), default=0.0)


def stand(view: View, unit: Unit, blocked: str = "") -> Plan:
    """Return the move of a unit that stays where it is."""
    return Plan({}, view.xy(unit), 0.0, blocked)


def _plan(view: View, unit: Unit, outcome: Moved | Blocked) -> Plan:
    if isinstance(outcome, Blocked):
        return stand(view, unit, outcome.reason)
    paths = {
        row: path.legs for row, path in zip(unit.rows, outcome.paths, strict=True) if path.length > TOLERANCE
    }
    ends = np.array([path.end for path in outcome.paths])
    return Plan(paths, ends, max((path.length for path in outcome.paths), default=0.0))


def toward(
    view: View,
    unit: Unit,
    kind: str,
    limits: dict[int, float],
    goal: Discs,
    stop: float,
    ground: Ground | None = None,
) -> Plan:
    """Return the move as near to the goal as may be, but not within `stop` inches of it."""
    ground = ground or view.ground(unit, kind)
    return _plan(view, unit, move_toward(view.party(unit, limits), goal, ground, view.spacing, stop))


def to_point(
    view: View,
    unit: Unit,
    kind: str,
    limits: dict[int, float],
    goal: Point | tuple[Point, Point],
    ground: Ground | None = None,
) -> Plan:
    """Return the move as near to a point (or a line) as may be."""
    ground = ground or view.ground(unit, kind)
    return _plan(view, unit, move_to_point(view.party(unit, limits), goal, ground, view.spacing))


def into_contact(
    view: View, unit: Unit, kind: str, limits: dict[int, float], targets: tuple[str, ...]
) -> Plan | None:
    """Return the move into engagement range of every target, None where there is none. Rule: CORE.CHG.2"""
    ground = view.ground(unit, kind, targets)
    foes = [view.field.discs(view.unit(t).rows) for t in targets]
    party = view.party(unit, limits)
    outcome = move_into_contact(party, foes, ground, view.spacing, view.knobs.engagement)
    return None if isinstance(outcome, Blocked) else _plan(view, unit, outcome)
