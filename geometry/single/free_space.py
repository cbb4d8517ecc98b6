"""One ground as bases of one shape and facing meet it, ready for many questions at once.

Owns the quick tests of many spots and many straight ways, a little stricter than the rules of
`geometry.path.ground`, which judges the outcome.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from copy import copy
from functools import lru_cache
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
import shapely
from msgspec.structs import replace
from numpy.typing import NDArray

from geometry.path.budget import Budget
from geometry.path.end_ground import shadows
from geometry.path.ground import Ground, areas_of
from geometry.path.obstacles import CLEAR, CLOSE, SLACK, Obstacles, as_stance, in_box
from geometry.shape.arrangement import Edges
from geometry.shape.array import following
from geometry.shape.base import TOLERANCE, Bools, Floats, Polygon
from geometry.shape.cached import cached_property
from geometry.shape.convex_shape import NOTHING, POINT, Outlines, Stance, polygon_core
from geometry.shape.disc import Disc, Line, Point, Round, is_off, rounds
from geometry.shape.nearby import Vicinity
from geometry.shape.polygon import rim, rings, union_of

T = TypeVar("T")
ARCS = 8
"""Shapes of more arcs are not told in circles and lines."""
NO_SPOTS = np.empty((0, 2))
BOARD, DISC, SHAPE, WALL = "board", "disc", "shape", "wall"
Holder = tuple[tuple[str, int], list[Disc], list[Line]]
"""What a base may stand in, by kind and row; circles and lines bound where its middle is then."""
Held = tuple[int, Disc, float]
"""A disc that bases keep out of: its row, and how near to its middle theirs do not come."""


class Footing:
    """Where bases of one stance may stand and pass."""

    def __init__(self, ground: Ground, base: Stance | float, budget: Budget | None = None) -> None:
        """Take the ground, how the bases stand (a round base's radius is enough), and what may be asked."""
        self.ground = ground
        self.budget = budget or Budget()
        self.stance = as_stance(base)
        self.obstacles = Obstacles.of(self.stance, ground)
        soft, hard = ground.solid.joined(ground.no_end), ground.avoid.joined(ground.end_avoid)
        shapes = soft.joined(hard.grown(TOLERANCE + CLEAR)).against(self.stance)
        self.keepout = Vicinity(shapes)
        self._slack = np.where(np.arange(len(shapes)) < len(soft), CLOSE, SLACK)
        self.low, self.high = self.obstacles.low, self.obstacles.high
        self._box = self.low, self.high
        self._known: dict[Hashable, Any] = {}

    def about(self, low: Floats, high: Floats) -> Footing:
        """Return the same for bases whose middles stay in a box, with only the models that count there."""
        found = copy(self)
        models = self.obstacles.models
        found.obstacles = replace(self.obstacles, models=models.take(in_box(models, low, high)))
        found._box = np.maximum(self.low, low), np.minimum(self.high, high)
        rows = in_box(self.keepout.shapes, low, high)
        found.keepout, found._slack = Vicinity(self.keepout.shapes.take(rows)), self._slack[rows]
        return found

    @property
    def is_round(self) -> bool:
        """Return whether the bases are round."""
        return self.stance.core.is_point

    @cached_property
    def _closed(self) -> tuple[Polygon, ...]:
        ground = self.ground
        return (
            areas_of(ground.walls + ground.no_stand + ground.shun)
            if ground.no_stand or ground.shun
            else ground.walls
        )

    @cached_property
    def _closed_area(self) -> shapely.Geometry:
        return union_of(self._closed)

    @cached_property
    def edges(self) -> Edges:
        """Return the edges of the spots where the bases may stand."""
        return self._edges(lambda shapes: shapes)

    def edges_near(self, at: Floats, within: float, most: int) -> Edges:
        """Return the edges that pass within this distance of a point, as `Edges.near` picks them."""
        return (self.edges if self.is_round else self._edges_about(at, within)).near(at, within, most)

    def edges_within(self, at: Floats, limit: float) -> Edges:
        """Return the edges that come within this distance of a point."""
        return (self.edges if self.is_round else self._edges_about(at, limit)).within(at, limit)

    def _edges_about(self, at: Floats, within: float) -> Edges:
        """Return the edges of long bases that shapes give some of whose edges may come so near to a point."""

        def about(shapes: Outlines) -> Outlines:
            return shapes.take(np.hypot(*(shapes.xy - at).T) - shapes.reach <= within + CLOSE)

        return self._edges(about)

    @cached_property
    def exits(self) -> Edges:
        """Return the edges that what is shunned sets to who must leave it."""
        return outside(areas_of(self.ground.shun), self.stance).joined(self._board)

    def _edges(self, of: Callable[[Outlines], Outlines]) -> Edges:
        """Return the edges that some shapes give, and those that areas give to a round base."""
        return Edges.of(of(self.keepout.shapes)).joined(self._given_by_areas(of))

    @property
    def borders(self) -> Edges:
        """Return those edges that the board and areas set."""
        return self._given_by_areas(lambda shapes: shapes)

    def _given_by_areas(self, of: Callable[[Outlines], Outlines]) -> Edges:
        ground, stance, found = self.ground, self.stance, self._board
        if self._closed and self.is_round:
            found = found.joined(outside(self._closed, stance))
        elif self._closed:
            found = found.joined(Edges.of(of(shadows(self._closed, stance))))
        if ground.area:
            inside = rim(ground.area, stance.radius, inside=True) if self.is_round else None
            found = found.joined(inside or Edges.of(of(borders(ground.area, stance))))
        return found

    def has_rims(self, shapes: Outlines) -> bool:
        """Return whether the rims of some shapes are edges of where the bases may stand anyway."""
        return _marks(shapes) <= self._rims

    @cached_property
    def _rims(self) -> frozenset[tuple[object, ...]]:
        return _marks(self.keepout.shapes)

    @property
    def _board(self) -> Edges:
        (x0, y0), (x1, y1) = self.low, self.high
        corner = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
        return Edges(np.empty((0, 2)), np.empty(0), corner, following(corner))

    @cached_property
    def passing(self) -> Vicinity:
        """Return the shapes that the bases' centres may not pass, but for walls."""
        ground = self.ground
        return Vicinity(ground.solid.joined(ground.avoid.grown(TOLERANCE + CLEAR)).against(self.stance))

    @cached_property
    def bounds(self) -> Edges:
        """Return the edges of walls and of the board for what passes."""
        walls = self.ground.walls
        return self._board.joined(outside(walls, self.stance)) if walls else self._board

    def stands(self, xy: Floats) -> Bools:
        """Return which spots (n, 2) a base may stand on."""
        low, high = self._bounds
        inside = (xy >= low) & (xy <= high)
        good = inside[:, 0] & inside[:, 1]
        good &= self.keepout.clear(xy, self._slack)
        if self._closed or self.ground.area:
            rows = good.nonzero()[0]
            if len(rows):
                good[rows] = self._fits_round(xy[rows]) if self.is_round else self._fits(xy[rows])
        return good

    def standing(self, spots: Sequence[Point], is_open: bool = False) -> list[Point]:
        """Return those of a few spots on which a round base may stand; only discs bar those in the open."""
        off = [spot for spot in spots if is_off(self._discs, spot)]
        if is_open or not off:
            return off
        good = self._rest.stands(np.array(off)).tolist()
        return [spot for spot, is_good in zip(off, good, strict=True) if is_good]

    def are_open(self, xy: Floats, within: Floats) -> Bools:
        """Return about which points (n, 2), so far off at most (n,), only discs bar spots to a round base."""
        far = within[:, None] + CLOSE
        good = ((xy - far >= self.low) & (xy + far <= self.high)).all(axis=1)
        rest, points = self._rest.keepout, shapely.points(xy)
        if len(rest):
            good &= (rest.distances(xy, within + CLOSE) >= far).all(axis=1)
        if self._closed:
            good &= ~shapely.dwithin(self._closed_area, points, within + self.stance.radius)
        if self.ground.area:
            area = union_of(self.ground.area)
            good &= shapely.intersects(area, points)
            good &= ~shapely.dwithin(_border(area), points, within + self.stance.radius)
        return np.asarray(good)

    def discs_about(self, at: Point, far: float) -> list[Held]:
        """Return the discs that the bases keep out of and that come so near to a place, with their rows."""
        x, y = at
        return [
            (row, disc, deep)
            for row, (disc, deep) in enumerate(self._plain_discs)
            if math.hypot(x - disc[0], y - disc[1]) < deep + far
        ]

    def holders(self, spot: Point, discs: Sequence[Held], in_open: bool = False) -> list[Holder] | None:
        """Return what a base on a spot would stand in, of discs only these; in the open that is all.

        None where that is not told in circles and lines.
        """
        x, y = spot
        if in_open:
            return [
                ((DISC, row), [disc], [])
                for row, disc, deep in discs
                if math.hypot(x - disc[0], y - disc[1]) < deep
            ]
        low, high = self._bounds
        found: list[Holder] = []
        if not (low[0] <= x <= high[0] and low[1] <= y <= high[1]):
            found.append(((BOARD, 0), [], _plain(self._board)[1]))
        for row, disc, deep in discs:
            if math.hypot(x - disc[0], y - disc[1]) < deep:
                found.append(((DISC, row), [disc], []))
        if found:
            return found
        at = np.array([spot])
        rest = self._rest
        if len(rest.keepout):
            shapes = rest.keepout.shapes
            for row in (rest.keepout.distances(at, 0.0)[0] < -rest._slack).nonzero()[0].tolist():
                if len(shapes.core[row].radius) > ARCS:
                    return None
                found.append(((SHAPE, row), *rest._told(row)))
        if self._fits_round(at)[0]:
            return found
        walls, edges = _each_closed(self._closed, self.stance.radius)
        near = shapely.dwithin(walls, shapely.points(x, y), self.stance.radius - CLOSE)
        found += [((WALL, row), *edges[row]) for row in near.nonzero()[0].tolist()]
        return found or None

    def _told(self, row: int) -> tuple[list[Disc], list[Line]]:
        """Return the rim of a shape in circles and lines, worked out once."""
        if row not in self._rims_told:
            self._rims_told[row] = _plain(Edges.of(self.keepout.shapes.take([row])))
        return self._rims_told[row]

    @cached_property
    def _rims_told(self) -> dict[int, tuple[list[Disc], list[Line]]]:
        return {}

    @cached_property
    def _plain_discs(self) -> list[tuple[Disc, float]]:
        """Return the discs that the bases keep out of, and how near to their middles these come."""
        shapes = self.keepout.shapes
        core = shapes.core or (POINT,) * len(shapes)
        rows = zip(shapes.xy.tolist(), shapes.radius.tolist(), self._slack.tolist(), core, strict=True)
        return [((x, y, reach), reach - slack) for (x, y), reach, slack, own in rows if own.is_point]

    @cached_property
    def _discs(self) -> list[Round]:
        """Return the discs that the bases keep out of, in plain numbers."""
        return rounds(self.keepout.shapes, self.keepout.shapes.radius - self._slack)

    @cached_property
    def _rest(self) -> Footing:
        """Return the same without those discs."""
        found, shapes = copy(self), self.keepout.shapes
        rows = np.array([not core.is_point for core in shapes.core], dtype=np.bool_).nonzero()[0]
        found.keepout, found._slack = Vicinity(shapes.take(rows)), self._slack[rows]
        return found

    @cached_property
    def _bounds(self) -> tuple[Floats, Floats]:
        """Return the corners of the box that the middle of a base stays in."""
        low, high = self._box
        return low - CLOSE, high + CLOSE

    def _fits_round(self, xy: Floats) -> Bools:
        """Return at which spots a round base lies in no closed area, and wholly in the open one."""
        good, spots, radius = np.ones(len(xy), dtype=np.bool_), shapely.points(xy), self.stance.radius
        if self._closed:
            good = ~shapely.dwithin(self._closed_area, spots, radius - CLOSE)
        if self.ground.area:
            area = union_of(self.ground.area)
            good &= shapely.intersects(area, spots)
            good &= ~shapely.dwithin(_border(area), spots, radius - CLOSE)
        return good

    def _fits(self, xy: Floats) -> Bools:
        good, spots = np.ones(len(xy), dtype=np.bool_), shapely.points(xy)
        if self._closed:
            # Only of bases about as far off as they reach their shape tells.
            area, stance = self._closed_area, self.stance
            good &= ~shapely.dwithin(area, spots, max(stance.radius + stance.core.inner - 2 * CLOSE, 0.0))
            rows = (good & shapely.dwithin(area, spots, stance.radius + stance.core.reach)).nonzero()[0]
            good[rows] = self._shadows.clear(xy[rows], CLOSE)
        if self.ground.area:
            good &= shapely.intersects(union_of(self.ground.area), spots)
            good &= self._borders.clear(xy, CLOSE)
        return good

    @cached_property
    def _shadows(self) -> Vicinity:
        return Vicinity(shadows(self._closed, self.stance))

    @cached_property
    def _borders(self) -> Vicinity:
        return Vicinity(borders(self.ground.area, self.stance))

    def kept(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return what `make` gives, worked out once for these bases on this ground."""
        if key not in self._known:
            self._known[key] = make()
        found: T = self._known[key]
        return found

    def free_of(self, *points: tuple[float, float]) -> Obstacles:
        """Return what is in the way of a path, without what holds one of the points."""
        return self.obstacles.freed(*points)


def _marks(shapes: Outlines) -> frozenset[tuple[object, ...]]:
    """Return what tells shapes apart."""
    cores = map(id, shapes.core) if shapes.core else [id(POINT)] * len(shapes)
    return frozenset(zip(map(tuple, shapes.xy.tolist()), shapes.radius.tolist(), cores, strict=True))


def _plain(edges: Edges) -> tuple[list[Disc], list[Line]]:
    """Return edges in plain numbers, arcs as whole circles."""
    circles = [
        (x, y, reach) for (x, y), reach in zip(edges.centre.tolist(), edges.reach.tolist(), strict=True)
    ]
    lines = [(*a, *b) for a, b in zip(edges.start.tolist(), edges.end.tolist(), strict=True)]
    return circles, lines


@lru_cache(maxsize=512)
def _each_closed(
    areas: tuple[Polygon, ...], radius: float
) -> tuple[NDArray[np.object_], list[tuple[list[Disc], list[Line]]]]:
    """Return areas, ready for questions, and the edges of a round base that touches each from outside."""
    shapes = np.array([shapely.Polygon(area) for area in areas])
    shapely.prepare(shapes)
    return shapes, [_plain(rim((area,), radius, inside=False)) for area in areas]


def _border(area: shapely.Geometry) -> shapely.Geometry:
    return shapely.boundary(area)


@lru_cache(maxsize=512)
def outside(areas: tuple[Polygon, ...], stance: Stance) -> Edges:
    """Return the edges of a base that touches areas from outside."""
    if stance.core.is_point:
        return rim(areas, stance.radius, inside=False)
    return Edges.of(shadows(areas, stance))


@lru_cache(maxsize=512)
def borders(areas: tuple[Polygon, ...], stance: Stance) -> Outlines:
    """Return where the middle of a base is while the base lies across the border of the areas' union."""
    found = NOTHING
    for ring in rings(areas, merged=True):
        for a, b in pairwise(ring):
            middle = (a + b) / 2
            core = polygon_core([a - middle, b - middle])
            found = found.joined(Outlines(middle[None], np.zeros(1), (core,)))
    return found.against(stance)
