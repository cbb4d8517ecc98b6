"""What rules let a unit move through as if it were not there: terrain, and models.

Owns the questions that are asked for it. How they become a ground is `engine.w40k.ground.passage`'s.
"""

from __future__ import annotations

import msgspec

from engine.core.state import Position, Unit
from engine.table.allowances import Allowances


class Leave(msgspec.Struct, frozen=True):
    """The terrain, and the units, that a unit may move through in a move, by their ids."""

    terrain: tuple[str, ...] = ()
    units: tuple[str, ...] = ()


NO_LEAVE = Leave()


def leave_of(position: Position, allowances: Allowances, unit: Unit, kind: str) -> Leave:
    """Return what a unit may move through in a move of this kind; it may still not end there."""
    terrain: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    if allowances.are_asked("move-through-terrain"):
        pieces = position.terrain.values()
        terrain = tuple(
            p.id for p in pieces if allowances.may("move-through-terrain", unit=unit, kind=kind, terrain=p)
        )
    if allowances.are_asked("move-over-models"):
        others = (each for each in position.on_table() if each.id != unit.id)
        units = tuple(
            u.id for u in others if allowances.may("move-over-models", unit=unit, kind=kind, target=u)
        )
    return Leave(terrain, units) if terrain or units else NO_LEAVE


def walks_in_ruins(allowances: Allowances, unit: Unit) -> bool:
    """Return whether a rule lets a unit walk in ruins as INFANTRY does."""
    return allowances.are_asked("walk-in-ruins") and allowances.may("walk-in-ruins", unit=unit)
