"""The facings to which a long base may turn before it moves.

Owns which facings are tried, none of them drawn by lot: to the goal, quarter turns, along the walls about it.
Whether one is worth its price is `geometry.group.planned_move`'s.
"""

from __future__ import annotations

import numpy as np

from geometry.group.party import Party
from geometry.path.ground import Ground
from geometry.portable import angle_of, angles_of, degrees, dots, norm, norms
from geometry.shape.array import following
from geometry.shape.base import Floats
from geometry.single.goal import Goal
from geometry.tolerance import FACING_TOLERANCE_DEGREES, ROUNDING, TOLERANCE

MOST = 6
"""The number of facings that are tried."""


def facings(party: Party, row: int, ground: Ground, goal: Goal) -> list[float]:
    """Return the facings that matter to a model, in degrees, other than its own."""
    base, here, at = party.bases[row], party.faces(row), party.xy[row]
    ahead = _ahead(at, goal, party, row)
    found = [*ahead, here + 90.0, *(angle + 90.0 for angle in ahead)]
    found += _along_walls(at, float(party.limit[row]) + base.radius, ground)
    kept: list[float] = []
    for facing in found:
        turned = round(facing % 360.0, 9)
        # Half a turn changes nothing: every base is the same both ways.
        if all(_apart(turned, known) > FACING_TOLERANCE_DEGREES for known in (*kept, here)):
            kept.append(turned)
    return kept[:MOST]


def _ahead(at: Floats, goal: Goal, party: Party, row: int) -> list[float]:
    """Return the direction of what is made for, if the model is not there."""
    off = goal.aims(at, party.stance(row))[0] - at
    return [degrees(angle_of(off[0], off[1]))] if norm(*off) > TOLERANCE else []


def _along_walls(at: Floats, within: float, ground: Ground) -> list[float]:
    """Return the directions of the sides of walls near a place, the nearest first."""
    sides: list[tuple[float, float]] = []
    for wall in ground.walls:
        corner = np.array(wall)
        along = following(corner) - corner
        share = dots(at - corner, along) / np.maximum(dots(along, along), ROUNDING * ROUNDING)
        foot = corner + np.clip(share, 0, 1)[:, None] * along
        far = norms(foot - at)
        angle = degrees(angles_of(along))
        near = far <= within
        sides += zip(far[near].round(6).tolist(), angle[near].tolist(), strict=True)
    return [angle for _, angle in sorted(sides, key=lambda side: side[0])[: 4 * MOST]]


def _apart(a: float, b: float) -> float:
    """Return by how many degrees two facings differ, for bases that are the same both ways."""
    return abs((a - b + 90.0) % 180.0 - 90.0)
