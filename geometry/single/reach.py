"""How far a base gets along a way that is given, and no other.

Owns where such a way is closed, or leads to no place to stand. It looks for no way of its own.
"""

from __future__ import annotations

import numpy as np

from geometry.path.ground import Ground
from geometry.path.path import Path
from geometry.path.reference_path import Trail
from geometry.shape.arrangement import Edges
from geometry.shape.convex_shape import Stance
from geometry.single.free_space import Footing

Point = tuple[float, float]


def farthest(stance: Stance, way: Path, limit: float, ground: Ground) -> Point:
    """Return the farthest place to which a base may pass along a way, and where it may end.

    It is where the base stands, if there is none. The way runs on the level of the ground.
    """
    footing, trail = Footing(ground, stance), Trail(way)
    free = footing.free_of(way.start)
    far = Trail(way.at(min(limit, trail.length))).entry(Edges.of(free.shapes).joined(footing.bounds), free)
    brinks = trail.cuts(footing.edges)
    lengths = np.sort(np.append(brinks[brinks < far], far), kind="stable")[::-1]
    spots = np.round(trail.spots(lengths), 7)
    stands = footing.stands(spots).nonzero()[0]
    if not len(stands):
        return way.start
    x, y = spots[stands[0]]
    return float(x), float(y)
