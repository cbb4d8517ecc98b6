"""The shortest way among as few obstacles as it takes.

A way that is shortest among some of the obstacles, and runs into none of the others, is the shortest of all;
where some close every way, all do. Owns which obstacles are looked at; ways among them are
`geometry.path.graph_search`'s.

Whether obstacles close off a place from all that a way is to lead to.

Owns a quick proof that they do: polygons within the obstacles already part the board. Where these leave a
gap, it proves nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
import shapely
from msgspec.structs import replace
from numpy.typing import NDArray

from geometry.path.obstacles import SLACK, Leg, Obstacles, sweep
from geometry.shape.arrangement import distances
from geometry.shape.array import ways_at
from geometry.shape.base import Bools, Floats
from geometry.shape.convex_shape import POINT, Outlines
from geometry.shape.core_polygon import Core

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


SIDES = 24
"""Obstacles are taken for polygons of about so many corners."""
MOST = 1000
"""What a way leads to for those with a corner on every arc, discs for those of `SIDES`."""
WITHIN = 1e-5
"""By this share of their size polygons lie within their shapes: between two that touch a way may lead."""
BULGE = 0.01
"""By no more than this share of its size a shape reaches beyond its polygon."""


def is_closed_off(free: Obstacles, start: Point, rings: Outlines, limit: float = math.inf) -> bool:
    """Return whether obstacles surely close every way from a place into any of some rings, up to a limit."""
    if not len(free.shapes):
        return False
    low, high = np.maximum(free.low, np.array(start) - limit), np.minimum(free.high, np.array(start) + limit)
    board = shapely.box(*low - WITHIN, *high + WITHIN)
    parts = shapely.get_parts(
        shapely.difference(board, shapely.union_all(_polygons(free.shapes, WITHIN, SIDES)))
    )
    about = parts[shapely.intersects(parts, shapely.Point(start))]
    if len(about) != 1:
        return False
    near = shapely.dwithin(about[0], _polygons(rings, 0.0, MOST), BULGE * rings.reach)
    return not near.any()


def _polygons(shapes: Outlines, inset: float, most: int) -> NDArray[np.object_]:
    """Return polygons that lie in shapes, their corners by a share of the shapes' size, of about so many."""
    cores = shapes.core or (POINT,) * len(shapes)
    corners = [_corners(core, most) for core in cores]
    owner = np.repeat(np.arange(len(shapes)), [len(off) for off, _ in corners])
    off = np.concatenate([off for off, _ in corners])
    off += shapes.radius[owner, None] * np.concatenate([face for _, face in corners])
    rings = shapely.linearrings(shapes.xy[owner] + (1.0 - inset) * off, indices=owner)
    return np.asarray(shapely.polygons(rings))


@lru_cache(maxsize=4096)
def _corners(core: Core, most: int) -> tuple[Floats, Floats]:
    """Return places (k, 2) on the rim of a core, and the way in which it faces there."""
    if core.is_point:
        return np.zeros((SIDES, 2)), ways_at(
            np.linspace(0.0, math.tau, SIDES, endpoint=False, dtype=np.float64)
        )
    step = max(len(core.radius) // most, 1)
    face = np.stack([core.begin, core.end], axis=1)[::step].reshape(-1, 2)
    off = np.repeat(core.centre[::step], 2, axis=0) + np.repeat(core.radius[::step], 2)[:, None] * face
    return off, face
