"""How near to a point one base gets in a move.

Owns the single base's answer; a unit's is `geometry.group.group_move`'s.

How far a base gets along a way that is given, and no other.

Owns where such a way is closed, or leads to no place to stand. It looks for no way of its own.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from geometry.path.ground import Ground
from geometry.path.planner import Path
from geometry.path.reference_path import Trail, rounded
from geometry.shape.convex_shape import NOTHING, Stance
from geometry.single.best_spot import berth
from geometry.single.free_space import Footing
from geometry.single.goal import ToLine
from geometry.single.model_move import Mover, Straight
from geometry.single.placed_friends import Company


def reach(
    base: Stance | float, start: Sequence[float], toward: Sequence[float], limit: float, ground: Ground
) -> Path:
    """Return the path within the limit that leaves least to go to a point, itself legal or not.

    `base` is how the base stands; a round one's radius is enough.
    """
    point = (float(toward[0]), float(toward[1]))
    mover = Mover(start, limit, Footing(ground, base), ToLine(point, point))
    taken = berth(mover, Company(NOTHING, 0, 0.0))
    if taken is None:
        return Path(mover.start)
    return rounded(taken.path or mover.path_to(taken.option))


Point = tuple[float, float]


def farthest(stance: Stance, way: Path, limit: float, ground: Ground) -> Point:
    """Return the farthest place on a way to which a base may pass along it, and on which it may end.

    Where it stands, if there is none. The way is one on the level of the ground.
    """
    footing = Footing(ground, stance)
    end = (float(way.end[0]), float(way.end[1]))
    mover = Mover(way.start, limit, footing, ToLine(end, end), Straight(way, is_free=False))
    trail = Trail(way)
    brinks = trail.cuts(footing.edges)
    lengths = np.sort(np.append(brinks[brinks < mover.far], mover.far))[::-1]
    spots = np.round(trail.spots(lengths), 7)
    stands = footing.stands(spots).nonzero()[0]
    if not len(stands):
        return mover.start
    x, y = spots[stands[0]]
    return float(x), float(y)
