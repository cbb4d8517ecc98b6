"""Where models begin whose places are written with few decimals: beside an edge or a wall, not over it.

Owns the push of a hair that makes such a place legal; what is wrong by more stays as it is written.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import shapely

from engine.event import Pose
from engine.table import Battlefield
from geometry.base import TOLERANCE, Bools, Floats, Polygon
from geometry.ground import Ground, may_stand, placed
from geometry.outline import Outlines, Stance
from geometry.spot import rings, union_of

HAIR = 1e-4
"""A base that is over an edge or in terrain by no more touches it: four decimals cannot say it better."""
STEPS, WAYS = 4, 16
"""So many lengths of a push are tried, the shortest first, each in so many directions."""


def pushed_clear(field: Battlefield, name: str) -> dict[int, Pose]:
    """Return the poses of those of a unit's models that stand legally only after a push of a hair."""
    table, unit = field.state.table, field.state.units.get(name)
    if unit is None or not unit.rows:
        return {}
    ground = field.ground(unit, "normal")
    found: dict[int, Pose] = {}
    for row in unit.rows:
        x, y, z, facing = table.after(row, ())
        here, base = ground.at(z), table.stance(row)
        bare = Ground(here.size, here.walls, here.no_stand)
        if _stands(bare, np.array([[x, y]]), base)[0]:
            continue
        spots = np.array([x, y]) + _pushes()
        legal = np.flatnonzero(_stands(bare, spots, base))
        if len(legal):
            found[row] = (float(spots[legal[0], 0]), float(spots[legal[0], 1]), z, facing)
    return found


def _stands(ground: Ground, spots: Floats, base: Stance) -> Bools:
    """Return at which spots a base stands clear of all terrain and of the edges, to the tolerance."""
    bases = placed(spots, [base] * len(spots))
    on_board = may_stand(Ground(ground.size), spots, [base] * len(spots))
    return on_board & _clear(ground.walls, bases) & _clear(ground.no_stand, bases)


def _clear(areas: tuple[Polygon, ...], bases: Outlines) -> Bools:
    if not areas:
        return np.ones(len(bases), dtype=bool)
    edges = np.array([pair for ring in rings(areas, merged=True) for pair in pairwise(ring)])
    far = bases.line_distances(edges[:, 0], edges[:, 1]).min(axis=0)
    inside = shapely.intersects(union_of(areas), shapely.points(bases.xy))
    return np.asarray((far >= -TOLERANCE) & ~inside)


def _pushes() -> Floats:
    angle = 2 * np.pi * np.arange(WAYS) / WAYS
    ways = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    lengths = HAIR * np.arange(1, STEPS + 1) / STEPS
    return np.asarray((lengths[:, None, None] * ways).reshape(-1, 2))
