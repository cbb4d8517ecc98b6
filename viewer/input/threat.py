"""The area into which units can shoot or charge after their next move.

A point is under threat of a weapon where a model can end a Normal move with its base within the weapon's
range of it, or an Advance with an Assault weapon, at a roll of 6. It is under threat of a charge where a
model can end so within 12 inches of it, from where charges are declared. Sight, the charge's own roll and
coherency are not asked. The ways, ends and ranges are the engine's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec
import shapely

from engine.core.state import Unit
from engine.w40k.battle import Battle
from engine.w40k.ground.aircraft import AIRCRAFT, held_by
from engine.w40k.phase.movement import limits
from geometry.shape.convex_shape import Stance
from viewer.input.reach import Rows, ends_of
from viewer.input.region import NOTHING, grown, joined, swept

ADVANCE = 6.0
"""The most that a die adds to a move."""
Span = tuple[str, float, float]
"""A kind of move ("": none), its limit in inches, and how far a model acts from its end."""


class Threat(msgspec.Struct, frozen=True):
    """The areas into which units can shoot, and in which they can charge, after a move."""

    shots: shapely.Geometry = NOTHING
    charge: shapely.Geometry = NOTHING


def threat_of(battle: Battle, units: Iterable[Unit], cell: float) -> Threat:
    """Return the threat of some units on the battlefield together.

    Its borders are off by less than 1.5 times `cell` inches.
    """
    shots, charges = [], []
    for unit in units:
        ends = _Ends(battle, unit, cell)
        shots += [ends.threatened(rows, key) for key, rows in _by_span(battle, unit, shooting).items()]
        charges += [ends.threatened(rows, key) for key, rows in _by_span(battle, unit, charging).items()]
    board = shapely.box(0, 0, *battle.state.position.board.size)
    return Threat(*(shapely.intersection(joined(each), board) for each in (shots, charges)))


def _by_span(
    battle: Battle, unit: Unit, spans: Callable[[Battle, Unit, int], list[Span]]
) -> dict[tuple[Stance, Span], Rows]:
    """Return the models of a unit by how they stand and act, those that are alike together."""
    found: dict[tuple[Stance, Span], Rows] = {}
    for row in unit.rows:
        for span in spans(battle, unit, row):
            key = battle.state.position.table.stance(row), span
            found[key] = (*found.get(key, ()), row)
    return found


class _Ends:
    """What the bases of a unit can cover at the ends of moves, each kind worked out once."""

    def __init__(self, battle: Battle, unit: Unit, cell: float) -> None:
        self._battle, self._unit, self._cell = battle, unit, cell
        self._known: dict[tuple[Rows, str, float], shapely.Geometry] = {}

    def threatened(self, rows: Rows, key: tuple[Stance, Span]) -> shapely.Geometry:
        """Return what is within a distance of the bases of models that are alike, after their move."""
        stance, (kind, limit, far) = key
        known = self._known.get((rows, kind, limit))
        if known is None:
            known = self._known[rows, kind, limit] = swept(self._middles(rows, kind, limit), stance)
        return grown(known, far)

    def _middles(self, rows: Rows, kind: str, limit: float) -> shapely.Geometry:
        field = self._battle.field
        if not kind:
            return shapely.MultiPoint(field.position.table.xy[list(rows)])
        return ends_of(field, rows, kind, field.ground(self._unit, kind), limit, self._cell)


def shooting(battle: Battle, unit: Unit, row: int) -> list[Span]:
    """Return the moves from whose ends a model could shoot next, and how far at the most.

    Rule: CORE.SHOOT.1, CORE.SHOOT.4, CORE.WPN.ASSAULT, CORE.WPN.PIST
    """
    if unit.has(AIRCRAFT):
        return []
    far = limits(battle, unit)[row]
    engaged, big = bool(held_by(battle.field, unit)), unit.has("MONSTER") or unit.has("VEHICLE")
    hurried = battle.query.may("shoot-after-advance", unit=unit)
    best: dict[tuple[str, float], float] = {}
    for place in battle.state.position.models[row].facts.weapons:
        weapon = unit.weapon(place)
        reach = 0.0 if weapon.is_melee else battle.query.reach(unit, weapon)
        if not reach:
            continue
        keywords = battle.query.weapon_keywords(unit, row, place, None)
        moves: list[tuple[str, float]] = []
        if engaged:
            moves += [("", 0.0)] if big or "pistol" in keywords else []
            moves += [("fall-back", far)] if _may_after(battle, unit, "shoot-after-fall-back") else []
        else:
            moves.append(("normal", far))
            may_advance = battle.query.may("advance", unit=unit)
            moves += (
                [("advance", far + ADVANCE)] if may_advance and (hurried or "assault" in keywords) else []
            )
        for move in moves:
            best[move] = max(best.get(move, 0.0), reach)
    return [(*move, reach) for move, reach in best.items()]


def charging(battle: Battle, unit: Unit, row: int) -> list[Span]:
    """Return the moves from whose ends a model could declare a charge next. Rule: CORE.CHG.1"""
    if unit.has(AIRCRAFT) or not battle.query.may("declare-charge", unit=unit):
        return []
    far, reach = limits(battle, unit)[row], battle.ruleset.parameters.charge_range
    if held_by(battle.field, unit):
        return [("fall-back", far, reach)] if _may_after(battle, unit, "charge-after-fall-back") else []
    found: list[Span] = [("normal", far, reach)]
    if battle.query.may("advance", unit=unit) and battle.query.may("charge-after-advance", unit=unit):
        found.append(("advance", far + ADVANCE, reach))
    return found


def _may_after(battle: Battle, unit: Unit, question: str) -> bool:
    """Return whether a unit in combat may Fall Back and then act as a question asks."""
    return battle.query.may("fall-back", unit=unit) and battle.query.may(question, unit=unit)
