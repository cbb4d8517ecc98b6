"""Asking for moves and carrying them out.

Other units may react as a unit starts or ends its move.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from engine.core import event as ev
from engine.core.request import Move, Moves, Steps
from engine.core.state import Unit
from engine.w40k.activation.stratagem import offer
from engine.w40k.ground.aircraft import held_by
from engine.w40k.ground.crossing import Journey

if TYPE_CHECKING:
    from engine.w40k.battle import Battle


MOVES = ("normal", "advance", "fall-back", "charge")
"""The moves to which others may react."""


def ask(battle: Battle, request: Move) -> Steps[Moves]:
    """Ask how a unit moves, and ask again if models of it fall as it starts.

    The second time the models that are left move. A charge whose targets are all gone has nowhere to go.
    Rule: CORE.STR.8, BUY.minefield, BUY.razor-wire.
    """
    moves = yield request
    assert isinstance(moves, Moves)
    if not any(moves.paths.values()):
        return moves
    unit = battle.state.position.units[request.unit]
    before = battle.state.position.table.version
    yield from battle.fire("move-began", None, unit=unit, kind=request.kind)
    yield from offer(battle, "move-began", unit, kind=request.kind)
    if battle.state.position.table.version == before:
        return moves
    targets = tuple(name for name in request.targets if battle.state.position.units[name].rows)
    if not unit.rows or (request.targets and not targets):
        return Moves()
    # A unit that surged as it was shot at may be in combat by now. Rule: CORE.MOVE.5
    if request.kind in ("normal", "advance") and held_by(battle.field, unit):
        return Moves()
    left = {row: far for row, far in request.limits.items() if row in unit.rows}
    moves = yield msgspec.structs.replace(request, limits=left, targets=targets)
    assert isinstance(moves, Moves)
    return moves


def carry_out(battle: Battle, unit: Unit, kind: str, moves: Moves, cause: str) -> Steps[None]:
    """Move the unit's models along the paths of an answer that has been checked.

    Rule: CORE.STR.6, CORE.STR.8, CORE.STR.11.
    """
    poses: dict[int, ev.Pose] = {}
    for row, legs in moves.paths.items():
        if not legs:
            continue
        x, y, z, facing = battle.field.after(row, legs)
        poses[row] = (x, y, z, moves.facing.get(row, facing))
    if poses:
        paths = {row: moves.paths[row] for row in poses}
        journey = Journey({row: battle.state.position.table.after(row, ()) for row in poses}, paths)
        moved = ev.Moved(unit=unit.id, kind_of_move=kind, poses=poses, paths=paths)
        yield from battle.happen(moved, cause, journey=journey)
        if kind in MOVES:
            yield from offer(battle, "move-ended", unit, kind=kind)
