"""A unit set up in a block round a point, where that is legal.

What stands elsewhere, or has no room for a block, is left to the planner of set-ups.
"""

from __future__ import annotations

import math

from engine.core.event import Pose
from engine.core.facts import Point
from engine.core.request import Place, Places
from engine.w40k.view import View

GAP = 0.25
"""The space between neighbouring bases, in inches."""
KIND = "deploy"
"""The kind of set-up for which a block is tried."""


def block_round(view: View, request: Place, at: Point) -> dict[int, Pose] | None:
    """Return a block of all models round a point; None where that is not legal."""
    if request.kind != KIND or request.piece is not None or request.toward is not None:
        return None
    bases = [view.model(row).facts.base for row in request.rows]
    wide = max(max(base.length, base.width) for base in bases) + GAP
    files = math.ceil(math.sqrt(len(bases)))
    ahead = view.ahead(view.unit(request.unit))
    along, across = math.radians(ahead), math.radians(ahead + 90.0)
    ranks = math.ceil(len(bases) / files)
    poses: dict[int, Pose] = {}
    for place, row in enumerate(request.rows):
        rank, file = divmod(place, files)
        in_rank = min(files, len(bases) - rank * files)
        forth = ((ranks - 1) / 2 - rank) * wide
        aside = (file - (in_rank - 1) / 2) * wide
        x = at[0] + forth * math.cos(along) + aside * math.cos(across)
        y = at[1] + forth * math.sin(along) + aside * math.sin(across)
        poses[row] = (x, y, 0.0, ahead)
    return None if view.faults(request, Places(poses=poses)) else poses
