"""The way out of a base that may not stay where it stands, where none is found near its way to a goal.

Owns the places where it may end: where two edges cross, or where one comes nearest to it or to the goal.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from geometry.path.budget import WAY
from geometry.path.planner import Path, check_path
from geometry.path.reference_path import rounded
from geometry.shape.arrangement import Edges, between, crossings, extremes
from geometry.shape.base import TOLERANCE, Floats
from geometry.single.free_space import Footing
from geometry.single.goal import Goal
from geometry.single.routes import own_ways


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


def _open(footing: Footing, spots: Floats, at: Floats, limit: float) -> Floats:
    """Return those spots, no farther off than a limit, on which a base may end."""
    near = spots[np.hypot(*(spots - at).T) <= limit + TOLERANCE]
    return np.asarray(near[footing.stands(near)])
