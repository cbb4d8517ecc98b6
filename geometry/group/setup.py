"""Where a whole group of bases is set up: legal, coherent, and near to what it is set up by.

Owns the border to the core's set-up (`geometry.core.unit_setup`), and judges its outcome anew. Which group is
set up where is its callers' business.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import msgspec
import numpy as np
from msgspec.structs import replace

from geometry.core.spot_pool import SpotPool
from geometry.core.unit_setup import UnitSetup
from geometry.measure.coherency import Spacing, is_coherent
from geometry.measure.distance import clearances
from geometry.measure.region import Segment
from geometry.path.blockage import Blocked
from geometry.path.end_ground import end_ground
from geometry.path.ground import Ground, may_stand, placed
from geometry.path.obstacles import as_stance
from geometry.path.path import Point
from geometry.portable import span
from geometry.shape.base import Floats, Polygon, pairs_of
from geometry.shape.convex_shape import Outlines, Stance, polygon_core
from geometry.shape.nearby import as_checked
from geometry.shape.shape_table import meetings_of, shapes_of
from geometry.tolerance import TOLERANCE

NOWHERE = Blocked("there is no place where the models may be set up")


class Front(msgspec.Struct, frozen=True):
    """Set up in rows along these stretches of a zone's border."""

    segments: tuple[Segment, ...]
    first: tuple[Point, ...] = ()
    """The place to be near to among those equally near to the border, where one is wanted."""

    @property
    def bases(self) -> Outlines:
        """Return the stretches as shapes without width."""
        return _stretches(self.segments)

    def aims(self) -> Floats:
        """Return the place to be near to, and the middle and ends of the stretches."""
        order = sorted(self.segments, key=lambda s: -span(*s))
        ends = np.array(order)
        middles = (ends[:, 0] + ends[:, 1]) / 2
        return np.vstack([*(np.array([at]) for at in self.first), middles, ends[:, 0], ends[:, 1]])


class Nearest(msgspec.Struct, frozen=True):
    """Set up as close as may be to these bases."""

    bases: Outlines

    def aims(self) -> Floats:
        """Return the centres of the bases."""
        return self.bases.xy


class Placed(msgspec.Struct, frozen=True):
    """Where the bases stand, and the rows of those that find no place; `xy` is of the others."""

    xy: Floats
    left_out: tuple[int, ...] = ()


def place_group(
    bases: Floats | Sequence[Stance],
    ground: Ground,
    spacing: Spacing,
    near: Front | Nearest,
    overflow: Sequence[Polygon] | None = None,
    *,
    judged: bool = True,
) -> Placed | Blocked:
    """Return legal places for a group of bases, as near as may be to a front or to other bases.

    The bases are given by how they stand, or by their radii where all are round. Along a front they stand
    row by row, the farthest base as near as may be. What does not fit into the ground's area stands in
    the overflow, as little beyond the area as may be; what fits nowhere is left out, last rows first.
    An outcome that is not `judged` may be illegal.
    """
    setup = _Setup([as_stance(base) for base in bases], ground, spacing, near, judged)
    found = setup.placed(ground)
    if overflow and (isinstance(found, Blocked) or found.left_out):
        return setup.placed(replace(ground, area=(*ground.area, *overflow)))
    return found


class _Setup:
    """A group that is set up, and its own ground as each kind of base meets it."""

    def __init__(
        self, stances: list[Stance], ground: Ground, spacing: Spacing, near: Front | Nearest, judged: bool
    ) -> None:
        self.stances, self.ground, self.spacing, self.near = stances, ground, spacing, near
        self.judged = judged
        self.kinds = list(dict.fromkeys(stances))
        self.pairs = meetings_of(self.kinds)
        self.own = self._pools(ground)

    def _pools(self, ground: Ground) -> list[SpotPool]:
        """Return the spots for each kind of base on the group's own ground, or on a wider one."""
        aims = [(float(x), float(y)) for x, y in self.near.aims()]
        pools = []
        for kind in self.kinds:
            targets = shapes_of(self.near.bases.against(kind))
            own = None if ground is self.ground else end_ground(self.ground, kind).area
            is_front = isinstance(self.near, Front)
            pools.append(
                SpotPool(
                    end_ground(ground, kind), targets, aims, is_front, self.pairs, self.spacing.reach, own
                )
            )
        return pools

    def placed(self, ground: Ground) -> Placed | Blocked:
        """Return the places on the group's own ground, or of some bases on a wider one."""
        wider = [] if ground is self.ground else self._pools(ground)
        needs = [self.spacing.neighbours_needed(count) for count in range(len(self.stances) + 1)]
        kinds = [self.kinds.index(stance) for stance in self.stances]
        found = sorted(UnitSetup(kinds, self.own, wider, needs, isinstance(self.near, Front)).place())
        if not found:
            return NOWHERE
        rows = [row for row, _, _ in found]
        xy = np.round(np.array([(x, y) for _, x, y in found]), 7)
        if self.judged and not self._is_legal(xy, [self.stances[row] for row in rows], ground):
            return NOWHERE
        return Placed(xy, tuple(row for row in range(len(self.stances)) if row not in rows))

    def _is_legal(self, xy: Floats, stances: list[Stance], ground: Ground) -> bool:
        bases = placed(xy, stances)
        if np.count_nonzero((clearances(bases, bases) < -TOLERANCE / 2) & pairs_of(len(bases))):
            return False
        if not may_stand(ground, xy, as_checked(stances)).all():
            return False
        return is_coherent(bases, np.zeros(len(xy)), self.spacing)


@lru_cache(maxsize=64)
def _stretches(segments: tuple[Segment, ...]) -> Outlines:
    """Return stretches of line as shapes without width."""
    ends = np.array(segments, dtype=np.float64)
    middle = (ends[:, 0] + ends[:, 1]) / 2
    cores = tuple(polygon_core(pair.tolist()) for pair in ends - middle[:, None])
    return Outlines(middle, np.zeros(len(middle)), cores)
