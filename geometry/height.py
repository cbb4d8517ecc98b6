"""Whether each stretch of a path runs at a height that the terrain gives it: the checker of climbs.

Owns the faults of climbs and of level stretches above the ground, judged from the path alone. It knows
nothing of the search; what stands about on a level is `geometry.path`'s to check.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from geometry.base import TOLERANCE
from geometry.clearance import Leg, part
from geometry.climb import cuts
from geometry.ground import Ground
from geometry.level import climbed_to
from geometry.outline import Stance
from geometry.rise import touches

Point = tuple[float, float]


def climb_faults(here: Point, leg: Leg, before: float, ground: Ground, stance: Stance) -> list[str]:
    """Return the faults of a leg (x, y, z) of a base that does not fly. Rule: CORE.MOVE.8."""
    if math.dist(here, leg[:2]) > TOLERANCE:
        return ["the path goes through the air"]
    if climbed_to(ground, leg[2]) not in (leg[2], 0.0) or leg[2] < 0:
        return ["the path ends below the ground"]
    top = max(before, leg[2])
    at = np.array([leg[:2]])
    near = any(
        rise.height >= top - TOLERANCE and touches(rise.polygon, stance, at)[0] for rise in ground.rises
    )
    return [] if near else ["the path climbs where there is nothing to climb"]


def hover_faults(here: Point, leg: Leg, z: float, ground: Ground, stance: Stance) -> list[str]:
    """Return the faults of a level stretch above the ground: it must run over terrain that is so high."""
    if z <= ground.free + TOLERANCE:
        return []
    high = [rise for rise in ground.rises if rise.height >= z - TOLERANCE]
    shares = cuts(here, leg, high, stance)
    middle = np.array([part(here, leg, (a + b) / 2)[:2] for a, b in pairwise(shares)])
    held = np.zeros(len(middle), dtype=bool)
    for rise in high:
        held |= touches(rise.polygon, stance, middle)
    return [] if held.all() else ["the path leaves what it climbed without climbing down"]
