"""How near to a point one base gets in a move.

Owns the single base's answer; a unit's is `geometry.group`'s.
"""

from __future__ import annotations

from collections.abc import Sequence

from geometry.berth import Company, berth
from geometry.footing import Footing
from geometry.goal import ToLine
from geometry.ground import Ground
from geometry.mover import Mover
from geometry.outline import NOTHING, Stance
from geometry.path import Path
from geometry.trail import rounded


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
