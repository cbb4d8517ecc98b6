"""The models of a unit made ready to move: which of them have a free straight way, asked all at once.

Owns the batch of straight ways, by far the most common case. Ways round things are `geometry.mover`'s.
"""

from __future__ import annotations

import numpy as np

from geometry.base import Floats
from geometry.footing import Footing
from geometry.goal import Away, Goal
from geometry.ground import Ground
from geometry.mover import Mover, Straight
from geometry.path import Path
from geometry.spot import distances


def movers_of(xy: Floats, radius: Floats, limit: Floats, ground: Ground, goal: Goal) -> list[Mover]:
    """Return a mover for each model, those with a free straight way already knowing it."""
    movers: dict[int, Mover] = {}
    for size in np.unique(radius):
        rows = np.flatnonzero(radius == size)
        footing = Footing(ground, float(size))
        ways = _straight_ways(xy[rows], limit[rows], footing, goal)
        for row, straight in zip(rows.tolist(), ways, strict=True):
            movers[row] = Mover(xy[row], float(limit[row]), footing, goal, straight)
    return [movers[row] for row in range(len(radius))]


def _straight_ways(xy: Floats, limit: Floats, footing: Footing, goal: Goal) -> list[Straight | None]:
    """Return the straight way of each model, None where something is in it."""
    if isinstance(goal, Away):
        return [None] * len(xy)
    shapes = footing.ways(goal.discs).obstacles
    aims = goal.nearest(xy, footing.radius)
    held = (distances(xy, footing.obstacles.centre) < footing.obstacles.reach).any(axis=1)
    open_ = ~held & shapes.clear(xy, aims)
    left = goal.left(xy, footing.radius)
    off = aims - xy
    way = off / np.maximum(np.hypot(*off.T), 1e-12)[:, None]
    ends = xy + way * left[:, None]
    free = footing.obstacles.clear(xy, xy + way * np.minimum(left, limit)[:, None])
    return [
        Straight(Path.from_legs(start, [tuple(end)] if far > 0 else []), bool(is_free)) if straight else None
        for start, end, far, straight, is_free in zip(xy, ends, left, open_, free, strict=True)
    ]
