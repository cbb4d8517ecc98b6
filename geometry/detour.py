"""The shortest way among as few obstacles as it takes.

A way that is shortest among some of the obstacles, and runs into none of the others, is the shortest of all;
where some close every way, all do. Owns which obstacles are looked at; ways among them are
`geometry.search`'s.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from msgspec.structs import replace

from geometry.base import Bools
from geometry.clearance import SLACK, Leg, Obstacles, sweep
from geometry.closure import is_closed_off
from geometry.outline import Outlines
from geometry.spot import distances

Point = tuple[float, float]
Legs = tuple[Leg, ...]


def among_few(
    free: Obstacles,
    start: Point,
    straight: Point,
    goals: Outlines,
    limit: float,
    find: Callable[[Obstacles], Legs | None],
) -> Legs | None:
    """Return the legs of the shortest way into any of some goals; None where none is within the limit.

    `straight` is where the straight way leads, `find` tells the shortest way among some obstacles.
    """
    shapes = free.shapes
    met = _met(shapes, start, [straight])
    taken = met | _about(shapes, met)
    asked = limit < math.inf  # a search that may not go far soon comes to its end
    while True:
        # What closes every way hangs together, and crosses the straight one.
        if not asked and is_closed_off(_some(free, _linked(shapes, taken)), start, goals, limit):
            return None
        legs = find(_some(free, taken))
        met = _met(shapes, start, legs) & ~taken if legs else np.zeros(len(shapes), dtype=np.bool_)
        if not met.any():
            return legs
        asked = limit == math.inf
        taken |= met | _about(shapes, met)


def _some(free: Obstacles, rows: Bools) -> Obstacles:
    """Return some of the obstacles, by row of their shapes."""
    count = len(free.models)
    return replace(free, models=free.models.take(rows[:count]), walls=free.walls.take(rows[count:]))


def _about(shapes: Outlines, rows: Bools) -> Bools:
    """Return which shapes may overlap one of these, so that no way leads between the two."""
    apart = distances(shapes.xy, shapes.xy[rows]) - shapes.reach[rows]
    return np.asarray((apart < shapes.reach[:, None]).any(axis=1))


def _linked(shapes: Outlines, rows: Bools) -> Bools:
    """Return which shapes hang together with some, one overlapping the next."""
    found, fresh = rows, rows
    while fresh.any():
        fresh = _about(shapes, fresh) & ~found
        found = found | fresh
    return found


def _met(shapes: Outlines, start: Point, legs: Sequence[Leg]) -> Bools:
    """Return which shapes a way on the level runs into, and which one of its arcs may run into."""
    begin = np.array([start, *(leg[:2] for leg in legs[:-1])])
    end = np.array([leg[:2] for leg in legs])
    is_arc = np.array([len(leg) == 5 for leg in legs])
    found = shapes.met(begin[~is_arc], end[~is_arc], SLACK)
    if is_arc.any():
        wide = [_wide(begin[row].tolist(), legs[row]) for row in is_arc.nonzero()[0].tolist()]
        apart = distances((begin[is_arc] + end[is_arc]) / 2, shapes.xy) - shapes.reach
        found |= (apart < np.array(wide)[:, None]).any(axis=0)
    return found


def _wide(begin: Sequence[float], arc: Leg) -> float:
    """Return the radius of a circle that holds an arc, about the middle between its ends."""
    rise = math.dist(arc[:2], arc[2:4]) * (1.0 - math.cos(sweep(begin, arc) / 2))
    return max(math.dist(begin, arc[:2]) / 2, rise)
