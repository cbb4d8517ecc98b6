"""Packing bases one after another: along a front or near other bases, each beside those before it.

Owns the pool of critical spots, which grows with every base that is set down, and the choice of the next.
Which of several packings is taken is `geometry.group.setup`'s.

Bases set down where there is hardly room for them: whichever choice leaves room for all is found.

Owns the search that takes back what it has set down, for the few cases in which one base after another, each
where it stands best, leaves some out. The spots are `geometry.group.packing`'s.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from functools import lru_cache

import msgspec
import numpy as np
import shapely

from geometry.measure.coherency import Spacing
from geometry.measure.region import Segment
from geometry.path.ground import Ground
from geometry.path.obstacles import CLOSE
from geometry.shape.arrangement import Edges, between, crossings, distances, extremes, outermost
from geometry.shape.array import left_of
from geometry.shape.base import Bools, Floats, Ints, Polygon
from geometry.shape.cached import cached_property
from geometry.shape.convex_shape import NOTHING, Outlines, Stance, polygon_core
from geometry.shape.nearby import Vicinity, shapes_of
from geometry.shape.polygon import union_of
from geometry.single.free_space import Footing

KEEPOUTS = 80
SEEDS = 6
APART = 4.0
AIMS = 12


class Front(msgspec.Struct, frozen=True):
    """Set up in rows along these stretches of a zone's border. Rule: R.A63"""

    segments: tuple[Segment, ...]

    def far(self, xy: Floats, stance: Stance) -> Floats:
        """Return how far bases at these points are from the front, from edge to edge."""
        if stance.core.is_point:
            apart = shapely.distance(_lines(self.segments), shapely.points(xy))
            return np.asarray(np.maximum(apart - stance.radius, 0.0))
        return np.asarray(np.maximum(Vicinity(stretches(self.segments).against(stance)).nearest(xy)[0], 0.0))

    def aims(self) -> Floats:
        """Return the middle and the ends of the stretches, the longest first."""
        order = sorted(self.segments, key=lambda s: -float(np.hypot(*np.subtract(s[1], s[0]))))
        ends = np.array(order)
        return np.vstack([ends.mean(axis=1), ends[:, 0], ends[:, 1]])


class Nearest(msgspec.Struct, frozen=True):
    """Set up as close as may be to these bases. Rule: R.A69"""

    bases: Outlines

    def far(self, xy: Floats, stance: Stance) -> Floats:
        """Return how far bases at these points are from the nearest of the bases, from edge to edge."""
        return np.asarray(np.maximum(Vicinity(self.bases.against(stance)).nearest(xy)[0], 0.0))

    def aims(self) -> Floats:
        """Return the centres of the bases."""
        return self.bases.xy


@lru_cache(maxsize=64)
def _lines(segments: tuple[Segment, ...]) -> shapely.Geometry:
    return shapely.multilinestrings([shapely.linestrings(np.array(each)) for each in segments])


def stretches(segments: Sequence[Segment]) -> Outlines:
    """Return stretches of line as shapes without width."""
    ends = np.array(segments, dtype=np.float64)
    middle = ends.mean(axis=1)
    cores = tuple(polygon_core(pair.tolist()) for pair in ends - middle[:, None])
    return Outlines(middle, np.zeros(len(middle)), cores)


class Packing:
    """Where the bases of a group may be set down on one ground."""

    def __init__(
        self,
        stances: Sequence[Stance],
        ground: Ground,
        spacing: Spacing,
        near: Front | Nearest,
        area: tuple[Polygon, ...] = (),
    ) -> None:
        """Take the ground; with `area`, spots count by how far they lie beyond it."""
        self.stances, self.ground, self.spacing, self.near = stances, ground, spacing, near
        self.area = area
        self.need = spacing.neighbours_needed(len(stances))

    @cached_property
    def beds(self) -> dict[Stance, _Bed]:
        """Return the spots for each shape of base, sought only once a base is to be set down."""
        return {stance: _Bed(self._footing(stance), self) for stance in dict.fromkeys(self.stances)}

    def _footing(self, stance: Stance) -> Footing:
        """Return the ground as such a base meets it, of the models only those that reach into the area."""
        found = Footing(self.ground, stance)
        if not self.ground.area:
            return found
        corners = np.concatenate([np.asarray(area, dtype=np.float64) for area in self.ground.area])
        return found.about(corners.min(axis=0), corners.max(axis=0))

    def seeds(self) -> list[Floats]:
        """Return spots for the first base, the best first and each apart from those before it."""
        bed = self.beds[self.stances[0]]
        aside = distances(bed.spots, self.near.aims()[:1])[:, 0].round(6)
        order = np.lexsort((aside, bed.far))
        if not len(order):
            return []
        foremost = aside[bed.far <= bed.far[order[0]]]
        apart = max(_reach(bed.stance), min(APART, float(foremost.max()) / SEEDS))
        spots = bed.spots[order]
        found, off = [spots[0]], distances(spots, spots[:1])[:, 0]
        # Where there is little room all spots are near one another, and each may be the only good one.
        for least in (apart, CLOSE):
            rest = (off > least).nonzero()[0]
            while len(rest) and len(found) < SEEDS:
                found.append(spots[rest[0]])
                off = np.minimum(off, distances(spots, spots[rest[:1]])[:, 0])
                rest = rest[off[rest] > least]
        return found

    def far(self, xy: Floats, stance: Stance) -> Floats:
        """Return how far bases at these points are from what they are set up by, or beyond the area."""
        if not self.area:
            return np.asarray(np.round(self.near.far(xy, stance), 6))
        area = union_of(self.area)
        spots = shapely.points(xy)
        out: Floats = shapely.distance(area, spots)
        deep: Floats = shapely.distance(shapely.boundary(area), spots)
        return np.asarray(np.round(np.where(out > 0, out, -deep) + _reach(stance), 6))

    def filled(
        self,
        rows: Sequence[int],
        spots: Sequence[Floats],
        more: Sequence[int],
        is_hopeless: Callable[[Sequence[float]], bool] = lambda far: False,
    ) -> tuple[list[int], list[Floats], list[float]]:
        """Return the rows and spots after as many more bases as fit have been set down, unless hopeless.

        With how far each is from what they are set up by, which tells whether they are.
        """
        rows, spots = list(rows), list(spots)
        far = [
            float(self.far(spot[None], self.stances[row])[0]) for row, spot in zip(rows, spots, strict=True)
        ]
        pools = {stance: FreeSpots(bed) for stance, bed in self.beds.items()}
        for row in more:
            if is_hopeless(far):
                break
            pool = pools[self.stances[row]]
            for i in range(len(pool.taken), len(rows)):
                pool.beside(spots[i], self.stances[rows[i]])
            found = pool.best(min(self.need, len(rows)))
            if found is None:
                break
            rows.append(row)
            spots.append(pool.spots[found])
            far.append(float(pool.far[found]))
        return rows, spots, far


class _Bed:
    """The spots that a ground alone offers to bases of one radius."""

    def __init__(self, footing: Footing, packing: Packing) -> None:
        self.footing, self.packing = footing, packing
        self.stance = footing.stance
        aims = packing.near.aims()
        self.aims = aims[:AIMS]
        self.edges = footing.edges.near(aims[0], np.inf, KEEPOUTS)
        found = (question(self.edges, self.aims) for question in (extremes, outermost))
        points = np.vstack([crossings(self.edges), *found, aims, *self._middles()])
        self.spots = points[footing.stands(points)]
        self.far = packing.far(self.spots, self.stance)

    def _middles(self) -> list[Floats]:
        """Return the middles of the front, moved aside by the base's reach either way."""
        near = self.packing.near
        if not isinstance(near, Front):
            return []
        ends = np.array(near.segments)
        along = ends[:, 1] - ends[:, 0]
        normal = left_of(along) / np.maximum(np.hypot(*along.T), 1e-9)[:, None]
        middle = ends.mean(axis=1)
        if self.stance.core.is_point:
            return [middle + self.stance.radius * normal, middle - self.stance.radius * normal]
        # Each stretch's own rim, as the middle of a base meets it.
        rims = Edges.of(stretches(near.segments).against(self.stance))
        return [extremes(rims, np.concatenate([middle + 9 * normal, middle - 9 * normal]))]


class FreeSpots:
    """The spots still free for bases of one radius, with those set down so far."""

    def __init__(self, bed: _Bed) -> None:
        self.bed = bed
        self.spots, self.far = bed.spots, bed.far
        self.reach = bed.packing.spacing.reach
        self.taken, self.rims = NOTHING, Edges.of(NOTHING)
        self.neighbours: Ints = np.zeros(len(bed.spots), dtype=np.intp)
        """How many of those set down each spot is near enough to."""

    def beside(self, spot: Floats, stance: Stance) -> None:
        """Set a base down: its rim offers new spots, and its place is taken."""
        bed = self.bed
        taken = shapes_of(spot[None], [stance]).against(bed.stance)
        apart = self._apart(taken, self.spots)[:, 0]
        kept = apart >= -CLOSE
        near = self.neighbours[kept] + self._are_near(apart[kept])
        rim = Edges.of(taken)
        first = self.taken.xy[:1] if len(self.taken) else spot[None]
        found = extremes(rim, np.concatenate([bed.aims, first]))
        points = np.concatenate([found, between(rim, self.rims), between(rim, bed.edges)])
        self.taken, self.rims = self.taken.joined(taken), rim.joined(self.rims)
        apart = self._apart(self.taken, points)
        rows = np.asarray((apart >= -CLOSE).all(axis=1)).nonzero()[0]
        rows = rows[bed.footing.stands(points[rows])]
        points = points[rows]
        self.spots = np.concatenate([self.spots[kept], points])
        self.far = np.concatenate([self.far[kept], bed.packing.far(points, bed.stance)])
        self.neighbours = np.concatenate([near, self._are_near(apart[rows]).sum(axis=1)])

    def _apart(self, taken: Outlines, xy: Floats) -> Floats:
        """Return how far spots are from where they would overlap some of those set down, if it matters."""
        return Vicinity(taken).distances(xy, self.reach + 2 * CLOSE)

    def _are_near(self, apart: Floats) -> Bools:
        return np.asarray(apart <= self.reach + CLOSE)

    def near(self, need: int) -> Ints:
        """Return the rows of the free spots that are near enough to as many of those set down as needed."""
        near: Ints = (self.neighbours >= need).nonzero()[0]
        return near

    def best(self, need: int) -> int | None:
        """Return the row of the best free spot that is near enough to as many of those set down as needed.

        Of several that are as good it is the nearest to the first base.
        """
        rows = self.near(need)
        if not len(rows):
            return None
        far = self.far[rows]
        rows = rows[far == far.min()]
        return int(rows[distances(self.spots[rows], self.taken.xy[:1])[:, 0].round(6).argmin()])


def _reach(stance: Stance) -> float:
    """Return how far a base reaches from its middle."""
    return stance.radius + stance.core.reach


MOST = 500
"""So many bases are set down, and taken back, before a search for a group of one size ends."""
DIGITS = 6
Taken = list[tuple[int, Floats]]


def crammed(packing: Packing, least: int) -> tuple[list[int], list[Floats]] | None:
    """Return the rows and spots of as many of the first bases as are found to fit, at least so many.

    The spots tried for each are those where edges cross, rims of the bases before it among them; those that
    leave most room come first, and a group that was looked at is not looked at again in another order. None
    where no group so large is found.
    """
    search, best = _Search(packing), None
    for count in range(least, len(packing.stances) + 1):
        found = search.of(count)
        if found is None:
            break
        best = [row for row, _ in found], [spot for _, spot in found]
    return best


class _Search:
    """The groups that have been looked at, and how many bases may still be set down."""

    def __init__(self, packing: Packing) -> None:
        self.packing = packing
        self.kinds = {stance: k for k, stance in enumerate(packing.beds)}

    def of(self, count: int) -> Taken | None:
        """Return a group of the first so many bases."""
        self.need = self.packing.spacing.neighbours_needed(count)
        self.known: dict[frozenset[tuple[int, float, float]], int] = {}
        pools = {stance: FreeSpots(bed) for stance, bed in self.packing.beds.items()}
        spare, self.left, self.cut = 0, MOST, True
        while self.cut and self.left > 0:
            self.cut = False
            found = self._filled([], list(range(count)), pools, spare)
            if found is not None:
                return found
            spare = 2 * spare + 1
        return None

    def _filled(
        self, taken: Taken, rows: Sequence[int], pools: dict[Stance, FreeSpots], spare: int
    ) -> Taken | None:
        """Return these bases and those of some more rows, set down where they all fit; None where none do.

        All together pass over no more than `spare` spots that look better.
        """
        if not rows:
            return taken
        stances = self.packing.stances
        for stance in dict.fromkeys(stances[row] for row in rows):
            row = next(row for row in rows if stances[row] == stance)
            rest = [other for other in rows if other != row]
            spots = self._spots(pools[stance], len(taken), bool(rest))
            self.cut |= len(spots) > spare + 1
            for passed, spot in enumerate(spots[: spare + 1]):
                more = [*taken, (row, spot)]
                if rest and (self.left <= 0 or self._is_known(more, spare - passed)):
                    continue
                found = self._filled(more, rest, self._beside(pools, rest, spot, stance), spare - passed)
                if found is not None:
                    return found
        return None

    def _is_known(self, taken: Taken, spare: int) -> bool:
        """Return whether the same group has been looked at before, with as much to spare; remember it."""
        key = frozenset((self.kinds[self.packing.stances[row]], *np.round(at, DIGITS)) for row, at in taken)
        known = self.known.get(key, -1) >= spare
        self.known[key] = max(spare, self.known.get(key, -1))
        return known

    def _beside(
        self, pools: dict[Stance, FreeSpots], rows: Sequence[int], spot: Floats, stance: Stance
    ) -> dict[Stance, FreeSpots]:
        """Return the spots that are left for the other bases."""
        self.left -= 1
        found = {own: copy(pools[own]) for own in dict.fromkeys(self.packing.stances[row] for row in rows)}
        for pool in found.values():
            pool.beside(spot, stance)
        return found

    def _spots(self, pool: FreeSpots, count: int, more: bool) -> Floats:
        """Return the free spots near enough to those set down, first what leaves most others free."""
        rows = pool.near(min(self.need, count)) if count else np.arange(len(pool.spots))
        _, first = np.unique(np.round(pool.spots[rows], DIGITS), axis=0, return_index=True)
        rows = rows[first]
        spots, far = pool.spots[rows], pool.far[rows]
        apart = distances(spots, spots)
        free = np.zeros(len(spots))
        if more and len(rows):
            stance = pool.bed.stance
            own = Vicinity(shapes_of(np.zeros((1, 2)), [stance]).against(stance))
            off = (spots[:, None] - spots[None]).reshape(-1, 2)
            free = own.clear(off, CLOSE).reshape(len(spots), -1).sum(axis=1)
        aside = distances(spots, self.packing.near.aims()[:1])[:, 0]
        # How far all the others are tells spots apart that are alike so far, wherever the table lies.
        alike = (apart.sum(axis=1), aside)
        return spots[np.lexsort((*np.round(alike, DIGITS - 1), far, -free))]
