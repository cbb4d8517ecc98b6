"""Where a whole group of bases is set up: legal, in coherency, and as near as may be to what it is set up by.

Owns the packing of bases along a front or near other bases. Who is set up where is its callers' business.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import shapely

from geometry.base import TOLERANCE, Discs, Floats, Polygon
from geometry.berth import Company
from geometry.coherency import Spacing, is_coherent
from geometry.footing import Footing
from geometry.goal import gaps
from geometry.ground import Ground, may_stand
from geometry.path import Blocked
from geometry.spot import Edges, crossings, distances, extremes, union_of
from geometry.zone import Segment

KEEPOUTS, FRIENDS = 40, 14
SEEDS = 8


@dataclass(frozen=True, slots=True)
class Front:
    """Set up in rows along these stretches of a zone's border. Rule: R.A63"""

    segments: tuple[Segment, ...]

    def far(self, xy: Floats, radius: float) -> Floats:
        """Return how far bases at these points are from the front, from edge to edge."""
        lines = shapely.multilinestrings([shapely.linestrings(np.array(s)) for s in self.segments])
        return np.asarray(np.maximum(shapely.distance(lines, shapely.points(xy)) - radius, 0.0))

    def aims(self) -> Floats:
        """Return the middle and the ends of the stretches, the longest first."""
        order = sorted(self.segments, key=lambda s: -float(np.hypot(*np.subtract(s[1], s[0]))))
        ends = np.array(order)
        return np.vstack([ends.mean(axis=1), ends[:, 0], ends[:, 1]])


@dataclass(frozen=True, slots=True)
class Nearest:
    """Set up as close as may be to these bases. Rule: R.A69"""

    discs: Discs

    def far(self, xy: Floats, radius: float) -> Floats:
        """Return how far bases at these points are from the nearest of the bases, from edge to edge."""
        return np.asarray(np.maximum(gaps(xy, radius, self.discs).min(axis=1), 0.0))

    def aims(self) -> Floats:
        """Return the centres of the bases."""
        return self.discs.xy


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
    packing = _Packing(radius, ground, spacing, near)
    wider = None
    if overflow:
        wider = _Packing(radius, replace(ground, area=(*ground.area, *overflow)), spacing, near, ground.area)
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


def _outside(radius: Floats, wider: _Packing, spacing: Spacing) -> Placed | Blocked:
    for seed in wider.seeds():
        found = _sound(*wider.filled([0], [seed], range(1, len(radius))), radius, spacing, wider)
        if found is not None:
            return found
    return Blocked("there is no place where the models may be set up")


def _sound(
    rows: list[int], spots: list[Floats], radius: Floats, spacing: Spacing, packing: _Packing
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


class _Packing:
    """The search for spots, one base after another."""

    def __init__(
        self,
        radius: Floats,
        ground: Ground,
        spacing: Spacing,
        near: Front | Nearest,
        area: tuple[Polygon, ...] = (),
    ) -> None:
        """Take the ground; with `area`, spots count by how far they lie beyond it."""
        self.radius, self.ground, self.spacing, self.near = radius, ground, spacing, near
        self.area = area
        self.need = spacing.neighbours_needed(len(radius))
        self.footings = {float(r): Footing(ground, float(r)) for r in np.unique(radius)}

    def seeds(self) -> list[Floats]:
        """Return spots for the first base, the best first and each well apart from those before it."""
        radius = float(self.radius[0])
        footing = self.footings[radius]
        aims = self.near.aims()
        edges = footing.edges.near(aims[0], np.inf, 80)
        points = np.vstack([crossings(edges), extremes(edges, aims[:12]), aims, self._on_front(radius, aims)])
        points = points[footing.stands(points)]
        if not len(points):
            return []
        far = np.round(self._far(points, radius), 6)
        beside = np.round(distances(points, aims[:1])[:, 0], 6)
        points = points[np.lexsort((beside, far))]
        found: list[Floats] = []
        for point in points:
            if all(np.hypot(*(point - other)) > radius for other in found):
                found.append(point)
            if len(found) == SEEDS:
                break
        return found

    def _on_front(self, radius: float, aims: Floats) -> Floats:
        """Return the middles of the front, moved aside by the radius either way."""
        if not isinstance(self.near, Front):
            return aims[:1]
        ends = np.array(self.near.segments)
        along = ends[:, 1] - ends[:, 0]
        normal = np.stack([-along[:, 1], along[:, 0]], axis=1) / np.maximum(np.hypot(*along.T), 1e-9)[:, None]
        middle = ends.mean(axis=1)
        return np.vstack([middle + radius * normal, middle - radius * normal])

    def _far(self, xy: Floats, radius: float) -> Floats:
        if not self.area:
            return self.near.far(xy, radius)
        area = union_of(self.area)
        spots = shapely.points(xy)
        out: Floats = shapely.distance(area, spots)
        deep: Floats = shapely.distance(shapely.boundary(area), spots)
        return np.asarray(np.where(out > 0, out, -deep) + radius)

    def filled(
        self, rows: list[int], spots: list[Floats], more: Sequence[int]
    ) -> tuple[list[int], list[Floats]]:
        """Return the rows and spots after as many more bases as fit have been placed."""
        rows, spots = list(rows), list(spots)
        for row in more:
            spot = self._next(row, rows, spots)
            if spot is None:
                break
            rows.append(row)
            spots.append(spot)
        return rows, spots

    def _next(self, row: int, rows: list[int], spots: list[Floats]) -> Floats | None:
        """Return the best spot for one more base."""
        radius = float(self.radius[row])
        footing = self.footings[radius]
        friends = Discs(np.array(spots), self.radius[rows])
        company = Company(friends, min(self.need, len(rows)), self.spacing.reach)
        middle = friends.xy.mean(axis=0)
        points = self._around(footing, friends, radius, middle)
        points = points[company.suits(points, radius)]
        points = points[footing.stands(points)]
        if not len(points):
            return None
        far = np.round(self._far(points, radius), 6)
        beside = np.round(distances(points, spots[0][None])[:, 0], 6)
        return np.asarray(points[np.lexsort((beside, far))[0]])

    def _around(self, footing: Footing, friends: Discs, radius: float, middle: Floats) -> Floats:
        """Return the critical spots about the friends that have theirs."""
        touch = Edges.of_circles(friends.xy, friends.radius + radius)
        aims = self.near.aims()
        nearest = aims[np.argsort(distances(aims, middle[None])[:, 0], kind="stable")[:4]]
        found = []
        for focus in _ends(friends.xy, middle):
            edges = footing.edges.near(focus, 8.0, KEEPOUTS // 2).joined(touch.near(focus, np.inf, FRIENDS))
            found += [crossings(edges), extremes(edges, np.vstack([nearest, middle]))]
        return np.vstack(found)


def _ends(xy: Floats, middle: Floats) -> Floats:
    """Return the spots farthest apart, and the last."""
    one = int(np.hypot(*(xy - middle).T).argmax())
    two = int(np.hypot(*(xy - xy[one]).T).argmax())
    return xy[sorted({one, two, len(xy) - 1})]
