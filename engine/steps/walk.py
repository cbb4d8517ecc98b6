"""Carrying out the moves that an answer gives: positions, paths and the marks that they leave."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import event as ev
from engine.request import Moves
from engine.ruleset import Steps
from engine.state import Unit

if TYPE_CHECKING:
    from engine.game import Game


def carry_out(game: Game, unit: Unit, kind: str, moves: Moves, cause: str) -> Steps[None]:
    """Move the unit's models along the paths of an answer that has been checked."""
    poses: dict[int, ev.Pose] = {}
    for row, legs in moves.paths.items():
        if not legs:
            continue
        x, y, z, facing = game.field.after(row, legs)
        poses[row] = (x, y, z, moves.facing.get(row, facing))
    if poses:
        paths = {row: moves.paths[row] for row in poses}
        yield from game.happen(ev.Moved(unit=unit.id, kind_of_move=kind, poses=poses, paths=paths), cause)
