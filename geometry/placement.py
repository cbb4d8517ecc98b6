"""Where a whole group of bases is set up: legal, in coherency, and as near as may be to what it is set up by.

Owns the packing of bases along a front or near other bases. Who is set up where is its callers' business.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from geometry.base import TOLERANCE, Floats, Polygon
from geometry.coherency import Spacing, is_coherent
from geometry.ground import Ground, may_stand
from geometry.packing import Front, Nearest, Packing
from geometry.path import Blocked
from geometry.spot import distances


@dataclass(frozen=True, slots=True)
class Placed:
    """Where the bases stand, and the rows of those for which there is no place (they have none in `xy`)."""

    xy: Floats
    left_out: tuple[int, ...] = ()


def place_group(
    radius: Floats,
    ground: Ground,
    spacing: Spacing,
    near: Front | Nearest,
    overflow: Sequence[Polygon] | None = None,
) -> Placed | Blocked:
    """Return legal places for a group of bases, as near as may be to a front or to other bases.

    Along a front they stand row by row, the farthest base as near as may be. What does not fit into the
    ground's area stands in the overflow, as little beyond the area as may be; what fits nowhere is left out,
    last rows first. Rule: R.A63, R.A64, R.A69
    """
    best: Placed | None = None
    best_rank: tuple[float, ...] = ()
    packing = Packing(radius, ground, spacing, near)
    wider = None
    if overflow:
        wider = Packing(radius, replace(ground, area=(*ground.area, *overflow)), spacing, near, ground.area)
    for seed in packing.seeds():
        rows, spots = packing.filled([0], [seed], range(1, len(radius)))
        if wider is not None and len(rows) < len(radius):
            rows, spots = wider.filled(rows, spots, [i for i in range(len(radius)) if i not in rows])
        found = _sound(rows, spots, radius, spacing, wider or packing)
        if found is None:
            continue
        far = near_to(near, found, radius)
        beyond = len(radius) - int(may_stand(ground, found.xy, np.delete(radius, found.left_out)).sum())
        first = far.max() if isinstance(near, Front) else far.min()
        rank = (len(found.left_out), beyond, round(float(first), 6), round(float(far.sum()), 6))
        if best is None or rank < best_rank:
            best, best_rank = found, rank
        if not beyond and _is_ideal(near, far):
            break
    if best is None and wider is not None:
        return _outside(radius, wider, spacing)
    return best or Blocked("there is no place where the models may be set up")


def _is_ideal(near: Front | Nearest, far: Floats) -> bool:
    return isinstance(near, Nearest) or bool(far.max() <= TOLERANCE)


def near_to(near: Front | Nearest, placed: Placed, radius: Floats) -> Floats:
    """Return how far each base that has a place is from what the group is set up by."""
    size = np.delete(radius, placed.left_out)
    rows = zip(placed.xy, size, strict=True)
    return np.array([near.far(xy[None], float(r))[0] for xy, r in rows])


def _outside(radius: Floats, wider: Packing, spacing: Spacing) -> Placed | Blocked:
    for seed in wider.seeds():
        found = _sound(*wider.filled([0], [seed], range(1, len(radius))), radius, spacing, wider)
        if found is not None:
            return found
    return Blocked("there is no place where the models may be set up")


def _sound(
    rows: list[int], spots: list[Floats], radius: Floats, spacing: Spacing, packing: Packing
) -> Placed | None:
    """Return the bases as placed, checked anew, without the last ones where they would not be coherent."""
    order = np.argsort(rows, kind="stable")
    rows = [rows[i] for i in order]
    xy = np.round(np.array(spots)[order], 7)
    size = radius[rows]
    apart = distances(xy, xy) - size[:, None] - size[None]
    if (np.triu(apart < -TOLERANCE / 2, k=1)).any() or not may_stand(packing.ground, xy, size).all():
        return None
    if not is_coherent(xy, np.zeros(len(xy)), size, spacing):
        return None
    return Placed(xy, tuple(i for i in range(len(radius)) if i not in rows))
