"""Whether a base that may not stay where it stands may end anywhere that it can get to, and at last where.

Owns that refusal, before any way to a goal is looked for, and the way out where none is found near one to it.
Of all places where it may end the nearest is one where two edges cross, or where one comes nearest to where
the base comes from; round a corner it is on the open part of an edge.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from geometry.path.budget import WAY
from geometry.path.core_obstacles import MERE
from geometry.path.planner import Path, check_path
from geometry.path.reference_path import rounded
from geometry.shape.arrangement import NONE, Edges, between, crossings, distances, extremes
from geometry.shape.array import ways_at
from geometry.shape.base import TOLERANCE, Bools, Floats, distinct
from geometry.shape.convex_shape import NOTHING, Outlines, polygon_core
from geometry.single.free_space import Footing
from geometry.single.goal import Goal
from geometry.single.routes import own_ways


def not_straight_out(footing: Footing, starts: Floats, limits: Floats) -> list[int]:
    """Return the rows of bases that may not stay and of which it is not told at once that they may leave.

    Those within reach of fewest of the places that are asked come first.
    """
    rows = np.flatnonzero(~footing.stands(starts))
    spots = extremes(footing.exits, starts[rows])
    near: Bools = np.asarray(distances(starts[rows], spots) <= limits[rows, None] + TOLERANCE)
    some = np.flatnonzero(near.any(axis=0))
    some = some[footing.stands(spots[some])]
    near = near[:, some]
    own, to = near.nonzero()
    leave = np.zeros(len(rows), dtype=np.bool_)
    leave[own[footing.obstacles.clear(starts[rows[own]], spots[some[to]])]] = True
    seen = near.sum(axis=1)
    return [int(rows[i]) for i in sorted(np.flatnonzero(~leave).tolist(), key=lambda i: (int(seen[i]), i))]


def may_leave(footing: Footing, at: Floats, limit: float) -> bool:
    """Return whether a base that goes no farther than a limit may end anywhere."""
    if footing.stands(at[None])[0]:
        return True
    exits = footing.exits.within(at, limit)
    if _goes_straight(footing, at, _open(footing, extremes(exits, at[None]), at, limit)):
        return True
    found = _spots(footing, footing.edges_within(at, limit), at, limit)
    if not len(found):
        return False
    if _goes_straight(footing, at, found):
        return True
    rings = Outlines(found, np.full(len(found), MERE)).joined(_open_parts(footing, exits, found, at, limit))
    way = own_ways(footing).nearest(at.tolist(), rings, limit)
    return isinstance(way, Path) and way.length <= limit + TOLERANCE


def ways_out(footing: Footing, at: Floats, limit: float, goal: Goal) -> Iterator[Path]:
    """Yield ways of a base to where it may end, those first that leave least to a goal as the crow flies.

    Such places are where edges cross, come nearest to it or the goal, or are as far off as it goes.
    """
    edges = footing.edges_within(at, limit)
    reach = Edges(at[None], np.array([limit - TOLERANCE / 4]), np.empty((0, 2)), np.empty((0, 2)))
    points = np.concatenate([at[None], goal.aims(at, footing.stance)])
    spots = np.concatenate([crossings(edges), between(edges, reach), extremes(edges, points)])
    spots = _open(footing, spots, at, limit)
    far, left = np.hypot(*(spots - at).T).round(6), goal.left(spots, footing.stance).round(6)
    for row in np.lexsort((far, left)).tolist():
        footing.budget.spend(WAY)
        way = own_ways(footing).shortest(at.tolist(), spots[row].tolist(), limit)
        if isinstance(way, Path) and not check_path(
            rounded(way), footing.stance, at.tolist(), limit, footing.ground
        ):
            yield rounded(way)


def _spots(footing: Footing, edges: Edges, at: Floats, limit: float) -> Floats:
    """Return where a base may end, of the places where edges cross, come nearest to it, or bend."""
    turns = NONE
    if edges.low is not None:
        turns = edges.centre + edges.reach[:, None] * ways_at(edges.low)
    return _open(footing, np.concatenate([crossings(edges), extremes(edges, at[None]), turns]), at, limit)


def _open(footing: Footing, spots: Floats, at: Floats, limit: float) -> Floats:
    """Return those spots, no farther off than a limit, on which a base may end."""
    near = spots[np.hypot(*(spots - at).T) <= limit + TOLERANCE]
    return np.asarray(near[footing.stands(near)])


def _goes_straight(footing: Footing, at: Floats, spots: Floats) -> bool:
    x, y = at.tolist()
    start = np.broadcast_to(at, spots.shape)
    return len(spots) > 0 and bool(footing.free_of((x, y)).clear(start, spots).any())


def _open_parts(footing: Footing, exits: Edges, spots: Floats, at: Floats, limit: float) -> Outlines:
    """Return the parts of straight edges on which a base may end, no farther off than a limit.

    What is open on an edge changes at one of some spots.
    """
    parts = []
    for a, b in zip(exits.start, exits.end, strict=True):
        long = float(np.hypot(*(b - a)))
        way = (b - a) / long
        foot = (at - a) @ way
        half = math.sqrt(max(limit**2 - float(np.square(a + foot * way - at).sum()), 0.0))
        share = (spots - a) @ way
        beside = np.hypot(*(spots - a - share[:, None] * way).T)
        on = np.append(share[beside <= TOLERANCE], [foot - half, foot + half])
        ends = a + distinct(np.clip(on, 0.0, long))[:, None] * way
        parts.append(np.stack([ends[:-1], ends[1:]], axis=1))
    if not parts:
        return NOTHING
    found = np.concatenate(parts)
    found = found[np.hypot(*(found[:, 1] - found[:, 0]).T) > TOLERANCE]
    found = found[footing.stands(found.mean(axis=1))]
    middle = found.mean(axis=1)
    cores = tuple(polygon_core(list(part)) for part in found - middle[:, None])
    return Outlines(middle, np.zeros(len(middle)), cores)
