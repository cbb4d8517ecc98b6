"""Whether a piece of terrain may be set up where an answer wants it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import shapely

from engine.core.facts import TerrainFacts
from engine.core.request import Place, Places
from engine.w40k.ground.terrain import terrain_for
from engine.w40k.ruin import laid
from geometry.path.ground import Ground, may_stand
from geometry.shape.constructed import gaps
from geometry.tolerance import TOLERANCE

if TYPE_CHECKING:
    from engine.w40k.ground.tabletop import Tabletop


def terrain_faults(field: Tabletop, request: Place, answer: Places) -> list[str]:
    """Return every fault of a place for terrain.

    Faults are the board's edge, other terrain too near, and bases under its walls.
    Rule: BUY.defensive-positions
    """
    pose = answer.poses.get(-1)
    if pose is None or len(answer.poses) != 1 or request.piece is None:
        return ["terrain needs one place, for row -1"]
    x, y, z, facing = pose
    if z:
        return ["terrain is set up on the table"]
    piece = laid(request.piece, (x, y), facing)
    shape = shapely.Polygon(piece.footprint)
    left, low, right, high = field.position.board.bounds
    board, (west, south, east, north) = shapely.box(left, low, right, high), shape.bounds
    over = max(left - west, low - south, east - right, north - high)
    found = ["it would lie over the board's edge"] if over > TOLERANCE else []
    for other in field.position.terrain.values():
        outline = shapely.Polygon(other.footprint)
        apart = float(gaps(shape, outline))
        # What only touches the board is the end of the table, no terrain.
        is_there = board.intersects(outline) and not board.touches(outline)
        if apart <= request.clear + TOLERANCE and is_there:
            found.append(f'it would lie {apart:.2f}" from {other.id}, not more than {request.clear:g}"')
    return found + [f"a wall would cover the base of model {row}" for row in _covered(field, piece)]


def _covered(field: Tabletop, piece: TerrainFacts) -> list[int]:
    """Return the models on the table over whose bases a wall would lie; to touch one is legal."""
    table, board = field.position.table, field.position.board
    rows = [int(row) for row in np.flatnonzero(table.on)]
    _, walls = terrain_for((piece,), False, True, field.parameters.free_height)
    if not rows or not walls:
        return []
    stances = [table.stance(row) for row in rows]
    free = may_stand(Ground(board.size, no_stand=walls), table.xy[rows], stances)
    return [row for row, is_free in zip(rows, free, strict=True) if not is_free]
