"""Where a whole group of bases is set up: legal, in coherency, and as near as may be to what it is set up by.

Owns the packing of bases along a front or near other bases. Who is set up where is its callers' business.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
from msgspec.structs import replace

from geometry.group.packing import Front, Nearest, Packing, crammed
from geometry.measure.coherency import Spacing, is_coherent
from geometry.measure.distance import clearances
from geometry.path.ground import Ground, may_stand
from geometry.path.obstacles import as_stance
from geometry.path.planner import Blocked
from geometry.shape.base import TOLERANCE, Floats, Polygon, pairs_of
from geometry.shape.convex_shape import Stance
from geometry.shape.nearby import as_checked, shapes_of


class Placed(msgspec.Struct, frozen=True):
    """Where the bases stand, and the rows of those for which there is no place (they have none in `xy`)."""

    xy: Floats
    left_out: tuple[int, ...] = ()


def place_group(
    bases: Floats | Sequence[Stance],
    ground: Ground,
    spacing: Spacing,
    near: Front | Nearest,
    overflow: Sequence[Polygon] | None = None,
) -> Placed | Blocked:
    """Return legal places for a group of bases, as near as may be to a front or to other bases.

    The bases are given by how they stand, or by their radii where all are round.
    Along a front they stand row by row, the farthest base as near as may be. What does not fit into the
    ground's area stands in the overflow, as little beyond the area as may be; what fits nowhere is left out,
    last rows first. Rule: R.A63, R.A64, R.A69
    """
    stances = [as_stance(base) for base in bases]
    packing = Packing(stances, ground, spacing, near)
    wider = None
    if overflow:
        wider = Packing(stances, replace(ground, area=(*ground.area, *overflow)), spacing, near, ground.area)
    best = _Best(packing, wider)
    for seed in packing.seeds():
        rows, spots, far = packing.filled([0], [seed], range(1, len(stances)), best.is_hopeless)
        if not best.is_hopeless(far) and best.consider(rows, spots):
            break
    if best.beyond:
        best.cram(packing, best.beyond)
    # Who fits into the area is not set up elsewhere for the sake of the others.
    if best.placed is None and wider is not None:
        for seed in wider.seeds():
            best.consider(*wider.filled([0], [seed], range(1, len(stances)))[:2])
            if best.placed is not None:
                break
        if best.left_out:
            best.cram(wider, best.left_out)
    return best.placed or Blocked("there is no place where the models may be set up")


class _Best:
    """The best places found so far for a group, on its own ground or where it may spill over a wider one."""

    def __init__(self, packing: Packing, wider: Packing | None) -> None:
        self.packing, self.wider = packing, wider
        self.placed: Placed | None = None
        self.left_out = self.beyond = len(packing.stances)
        """So many find no place at all, or none on the group's own ground."""
        self._nearness: tuple[float, float] = (np.inf, np.inf)

    def is_hopeless(self, far: Sequence[float]) -> bool:
        """Return whether bases so far from the front are no better off already than all of the best are."""
        if self.placed is None or self.left_out or self.beyond:
            return False
        return _nearness(self.packing.near, far) >= self._nearness

    def consider(self, rows: list[int], spots: list[Floats]) -> bool:
        """Take these if they are the best so far; return whether none can be better."""
        stances, near, wider = self.packing.stances, self.packing.near, self.wider
        if wider is not None and len(rows) < len(stances):
            rows, spots, _ = wider.filled(rows, spots, [i for i in range(len(stances)) if i not in rows])
        found = _sound(rows, spots, wider or self.packing)
        if found is None:
            return False
        own = [stance for i, stance in enumerate(stances) if i not in found.left_out]
        far = near_to(near, found.xy, own)
        # What stands on the narrower ground itself has been asked already.
        inside = len(own)
        if wider is not None:
            inside = int(may_stand(self.packing.ground, found.xy, as_checked(own)).sum())
        beyond = len(stances) - inside
        rank = (len(found.left_out), beyond, _nearness(near, far.tolist()))
        if self.placed is None or rank < (self.left_out, self.beyond, self._nearness):
            self.placed = found
            self.left_out, self.beyond, self._nearness = rank
        return not beyond and _is_ideal(near, far)

    def cram(self, some: Packing, missing: int) -> None:
        """Look for room for more bases than the best has, which lacks it for so many."""
        found = crammed(some, len(some.stances) - missing + 1)
        if found is not None:
            self.consider(*found)


def _is_ideal(near: Front | Nearest, far: Floats) -> bool:
    return isinstance(near, Nearest) or bool(far.max() <= TOLERANCE)


def _nearness(near: Front | Nearest, far: Sequence[float]) -> tuple[float, float]:
    """Return by what of two groups the nearer is told, from how far each base is; the less the better."""
    first = max(far) if isinstance(near, Front) else min(far)
    return round(first, 6), round(sum(far), 6)


def near_to(near: Front | Nearest, xy: Floats, stances: Sequence[Stance]) -> Floats:
    """Return how far bases (n) are from what the group is set up by, as they stand at these places (n, 2)."""
    found = np.empty(len(xy))
    for stance in dict.fromkeys(stances):
        rows = [i for i, each in enumerate(stances) if each == stance]
        found[rows] = near.far(xy[rows], stance)
    return found


def _sound(rows: list[int], spots: list[Floats], packing: Packing) -> Placed | None:
    """Return the bases as placed, checked anew, without the last ones where they would not be coherent."""
    stances, order = packing.stances, np.argsort(rows, kind="stable")
    rows = [rows[i] for i in order]
    xy = np.round(np.array(spots)[order], 7)
    own = [stances[row] for row in rows]
    bases = shapes_of(xy, own)
    if np.count_nonzero((clearances(bases, bases) < -TOLERANCE / 2) & pairs_of(len(bases))):
        return None
    if not may_stand(packing.ground, xy, as_checked(own)).all():
        return None
    if not is_coherent(bases, np.zeros(len(xy)), packing.spacing):
        return None
    return Placed(xy, tuple(i for i in range(len(stances)) if i not in rows))
