"""Packing bases one after another: along a front or near other bases, each beside those before it.

Owns the pool of critical spots, which grows with every base that is set down, and the choice of the next.
Which of several packings is taken is `geometry.placement`'s.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely

from geometry.base import Bools, Floats, Polygon
from geometry.coherency import Spacing
from geometry.footing import CLOSE, Footing
from geometry.goal import gaps
from geometry.ground import Ground
from geometry.outline import Outlines
from geometry.spot import Edges, crossings, distances, extremes, meeting, on_lines, union_of
from geometry.zone import Segment

KEEPOUTS = 80
SEEDS = 6
APART = 4.0


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

    discs: Outlines

    def far(self, xy: Floats, radius: float) -> Floats:
        """Return how far bases at these points are from the nearest of the bases, from edge to edge."""
        return np.asarray(np.maximum(gaps(xy, radius, self.discs).min(axis=1), 0.0))

    def aims(self) -> Floats:
        """Return the centres of the bases."""
        return self.discs.xy


class Packing:
    """Where the bases of a group may be set down on one ground."""

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
        self.beds = {float(size): _Bed(Footing(ground, float(size)), self) for size in np.unique(radius)}

    def seeds(self) -> list[Floats]:
        """Return spots for the first base, the best first and each apart from those before it."""
        bed = self.beds[float(self.radius[0])]
        aside = distances(bed.spots, self.near.aims()[:1])[:, 0].round(6)
        order = np.lexsort((aside, bed.far))
        if not len(order):
            return []
        foremost = aside[bed.far <= bed.far[order[0]]]
        apart = max(bed.radius, min(APART, float(foremost.max()) / SEEDS))
        found: list[Floats] = []
        for spot in bed.spots[order]:
            if not found or float(distances(spot[None], np.array(found)).min()) > apart:
                found.append(spot)
            if len(found) == SEEDS:
                break
        return found

    def far(self, xy: Floats, radius: float) -> Floats:
        """Return how far bases at these points are from what they are set up by, or beyond the area."""
        if not self.area:
            return np.asarray(np.round(self.near.far(xy, radius), 6))
        area = union_of(self.area)
        spots = shapely.points(xy)
        out: Floats = shapely.distance(area, spots)
        deep: Floats = shapely.distance(shapely.boundary(area), spots)
        return np.asarray(np.round(np.where(out > 0, out, -deep) + radius, 6))

    def filled(
        self, rows: list[int], spots: list[Floats], more: Sequence[int]
    ) -> tuple[list[int], list[Floats]]:
        """Return the rows and spots after as many more bases as fit have been set down."""
        rows, spots = list(rows), list(spots)
        pools = {size: _Pool(bed) for size, bed in self.beds.items()}
        for row, spot in zip(rows, spots, strict=True):
            for pool in pools.values():
                pool.beside(spot, float(self.radius[row]))
        for row in more:
            found = pools[float(self.radius[row])].best(min(self.need, len(rows)), self.spacing.reach)
            if found is None:
                break
            rows.append(row)
            spots.append(found)
            for pool in pools.values():
                pool.beside(found, float(self.radius[row]))
        return rows, spots


class _Bed:
    """The spots that a ground alone offers to bases of one radius."""

    def __init__(self, footing: Footing, packing: Packing) -> None:
        self.footing, self.packing = footing, packing
        self.radius = footing.radius
        aims = packing.near.aims()
        self.edges = footing.edges.near(aims[0], np.inf, KEEPOUTS)
        points = np.vstack([crossings(self.edges), extremes(self.edges, aims[:12]), aims, *self._middles()])
        self.spots = points[footing.stands(points)]
        self.far = packing.far(self.spots, self.radius)

    def _middles(self) -> list[Floats]:
        """Return the middles of the front, moved aside by the radius either way."""
        near = self.packing.near
        if not isinstance(near, Front):
            return []
        ends = np.array(near.segments)
        along = ends[:, 1] - ends[:, 0]
        normal = np.stack([-along[:, 1], along[:, 0]], axis=1) / np.maximum(np.hypot(*along.T), 1e-9)[:, None]
        middle = ends.mean(axis=1)
        return [middle + self.radius * normal, middle - self.radius * normal]


class _Pool:
    """The spots still free for bases of one radius, with those set down so far."""

    def __init__(self, bed: _Bed) -> None:
        self.bed = bed
        self.spots, self.far = bed.spots, bed.far
        self.friends = Outlines(np.empty((0, 2)), np.empty(0))
        self.first: Floats | None = None

    def beside(self, spot: Floats, radius: float) -> None:
        """Set a base down: its rim offers new spots, and its place is taken."""
        bed, reach = self.bed, radius + self.bed.radius
        if self.first is None:
            self.first = spot
        edges, centre, reach_ = bed.edges, spot[None], np.array([reach])
        others = [Edges.of_circles(self.friends.xy, self.friends.radius + bed.radius), edges]
        found = [
            extremes(Edges.of_circles(centre, reach_), np.vstack([bed.packing.near.aims()[:12], self.first]))
        ]
        for other in others:
            same = np.zeros(len(other.reach), dtype=np.intp)
            found.append(meeting(centre[same], reach_[same], other.centre, other.reach).reshape(-1, 2))
        found.append(on_lines(edges.start, edges.end, centre, reach_))
        self.friends = Outlines(np.vstack([self.friends.xy, centre]), np.append(self.friends.radius, radius))
        points = np.vstack(found)
        points = points[self._free(points)]
        points = points[bed.footing.stands(points)]
        kept = self._free(self.spots)
        self.spots = np.vstack([self.spots[kept], points])
        self.far = np.concatenate([self.far[kept], bed.packing.far(points, bed.radius)])

    def _free(self, points: Floats) -> Bools:
        touch = self.friends.radius + self.bed.radius - CLOSE
        return np.asarray((distances(points, self.friends.xy) >= touch).all(axis=1))

    def best(self, need: int, reach: float) -> Floats | None:
        """Return the best free spot that is near enough to as many of those set down as needed."""
        touch = self.friends.radius + self.bed.radius + reach + CLOSE
        apart = distances(self.spots, self.friends.xy)
        rows = np.flatnonzero((apart <= touch).sum(axis=1) >= need)
        if not len(rows):
            return None
        beside = np.round(apart[rows, 0], 6)
        return np.asarray(self.spots[rows[np.lexsort((beside, self.far[rows]))[0]]])
