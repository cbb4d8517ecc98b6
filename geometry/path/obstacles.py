"""How near the legs of a path, straight lines and arcs, come to discs and walls.

Owns legs, their lengths, and the obstacles that a base of one shape and facing must stay clear of.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache

import msgspec
import numpy as np
import shapely

from geometry.path.elevation import parts_of
from geometry.path.ground import Ground
from geometry.portable import angle_of, norm, way_at
from geometry.shape.arrangement import NONE, Edges, distances
from geometry.shape.array import following
from geometry.shape.base import Bools, Floats, Ints, Polygon
from geometry.shape.cached import cached_property
from geometry.shape.convex_shape import NOTHING, Outlines, Stance
from geometry.shape.disc import Round, is_past, rounds
from geometry.shape.polygon import union_of
from geometry.tolerance import LINE_SLACK_INCHES, PLACE_SLACK_INCHES, TOLERANCE, TOUCHING_DEPTH_INCHES

Leg = tuple[float, ...]
"""(x, y) for a straight line to there; (x, y, cx, cy, turn) for an arc round (cx, cy).

The turn is 1 or -1. (x, y, z) is for a straight line in space, to another height; (x, y, facing, cost) for a
pivot in place to a facing in degrees, which counts as `cost` inches."""


def leg_length(start: Sequence[float], leg: Leg) -> float:
    """Return the length of one leg from (x, y), or from (x, y, z)."""
    if len(leg) == 2:
        return norm(leg[0] - start[0], leg[1] - start[1])
    if len(leg) == 3:
        rise = leg[2] - (start[2] if len(start) > 2 else 0.0)
        return norm(leg[0] - start[0], leg[1] - start[1], rise)
    if len(leg) == 4:
        return leg[3]
    x, y, cx, cy, _turn = leg
    return norm(x - cx, y - cy) * sweep(start, leg)


def sweep(start: Sequence[float], leg: Leg) -> float:
    x, y, cx, cy, turn = leg
    a = angle_of(start[0] - cx, start[1] - cy)
    b = angle_of(x - cx, y - cy)
    return ((b - a) * turn) % math.tau


def part(start: Sequence[float], leg: Leg, share: float) -> Leg:
    if len(leg) == 2:
        return (start[0] + share * (leg[0] - start[0]), start[1] + share * (leg[1] - start[1]))
    if len(leg) == 3:
        begin = (start[0], start[1], start[2] if len(start) > 2 else 0.0)
        return tuple(a + share * (b - a) for a, b in zip(begin, leg, strict=True))
    if len(leg) == 4:
        return leg[:2]  # a pivot that is not paid for in full is not made
    x, y, cx, cy, turn = leg
    radius = norm(x - cx, y - cy)
    a = angle_of(start[0] - cx, start[1] - cy) + turn * share * sweep(start, leg)
    ahead = way_at(a)
    return (cx + radius * ahead[0], cy + radius * ahead[1], cx, cy, turn)


class Obstacles(msgspec.Struct, frozen=True, eq=False, dict=True):
    """Where the middle of a base must not be, because of models, walls and the board's edge.

    `bare` are the walls themselves where the base is round and each of them counts whole; lines are then
    measured from these, which is quicker.
    """

    models: Outlines
    walls: Outlines
    low: Floats
    high: Floats
    bare: shapely.Geometry | None = None
    margin: float = 0.0

    @staticmethod
    def of(base: Stance | float, ground: Ground) -> Obstacles:
        """Return the obstacles of a ground for a base that stands like this.

        A round base may be given by its radius.
        """
        stance = as_stance(base)
        return ground.kept(("obstacles", stance), lambda: Obstacles._of(stance, ground))

    @staticmethod
    def _of(stance: Stance, ground: Ground) -> Obstacles:
        models = ground.solid.joined(ground.avoid.grown(TOLERANCE + PLACE_SLACK_INCHES)).against(stance)
        near, far = stance.core.extent
        low, high = stance.radius - near, np.array(ground.size) - stance.radius - far
        is_plain = bool(ground.walls) and stance.core.is_point and stance.radius > 2 * LINE_SLACK_INCHES
        bare = union_of(ground.walls) if is_plain else None
        return Obstacles(models, _walls(ground.walls, stance), low, high, bare, stance.radius)

    @cached_property
    def shapes(self) -> Outlines:
        """Return all of it as one, but for the board's edge."""
        return self.models.joined(self.walls)

    def freed(self, *points: tuple[float, float]) -> Obstacles:
        """Return the obstacles without those that hold one of the points.

        An obstacle that a point only touches is shrunk.
        """
        at = np.array(points)
        walls = self.walls if self._are_off_walls(at) else _freed(self.walls, at)
        models = _freed(self.models, at)
        if models is self.models and walls is self.walls:
            return self
        bare = self.bare if walls is self.walls else None
        return Obstacles(models, walls, self.low, self.high, bare, self.margin)

    def _are_off_walls(self, points: Floats) -> bool:
        """Return whether points are known to lie outside all walls, where that is quick to see."""
        return (
            self.bare is not None
            and not shapely.dwithin(self.bare, shapely.points(points), self.margin + LINE_SLACK_INCHES).any()
        )

    def clear(self, start: Floats, end: Floats) -> Bools:
        """Return which straight ways (n) from points to points (n, 2) run into nothing."""
        low, high = self._bounds
        inside = (np.minimum(start, end) >= low) & (np.maximum(start, end) <= high)
        return self._clear(start, end, np.asarray(inside[:, 0] & inside[:, 1]))

    def _clear(self, start: Floats, end: Floats, good: Bools) -> Bools:
        """Return which of the straight ways that `good` marks run into nothing."""
        for is_clear in self._questions:
            if good.all():
                good = is_clear(start, end)
                continue
            rows = good.nonzero()[0]
            if not len(rows):
                break
            some = start[rows]
            good[rows] = is_clear(some, some if start is end else end[rows])
        return good

    def is_clear(self, start: Sequence[float], end: Sequence[float]) -> bool:
        """Return whether one straight way runs into nothing."""
        if not self.holds(start, end) or not is_past(self._discs, start, end):
            return False
        if self.bare is not None:
            (ax, ay), (bx, by) = start, end
            line = shapely.points(start) if ax == bx and ay == by else shapely.linestrings([start, end])
            if shapely.dwithin(self.bare, line, self.margin - LINE_SLACK_INCHES):
                return False
        if is_past(self._about, start, end):
            return True
        return bool(self._others.clear(np.array([start]), np.array([end]), LINE_SLACK_INCHES)[0])

    @cached_property
    def _discs(self) -> list[Round]:
        """Return the models' discs, in plain numbers."""
        return rounds(self.models, self.models.radius - LINE_SLACK_INCHES)

    @cached_property
    def _others(self) -> Outlines:
        """Return the models that are no discs, and the walls if lines are not measured to `bare`."""
        cored = np.array([not core.is_point for core in self.models.core], dtype=np.bool_)
        models = self.models.take(cored) if cored.any() else NOTHING
        return models if self.bare is not None else models.joined(self.walls)

    @cached_property
    def _about(self) -> list[Round]:
        """Return discs that hold the other shapes."""
        others = self._others
        return rounds(Outlines(others.xy, others.radius), others.reach)

    def holds(self, start: Sequence[float], end: Sequence[float]) -> bool:
        """Return whether the board's edge lets the middle of the base be at both points."""
        left, low, right, high = self._box
        (ax, ay), (bx, by) = start, end
        return left <= ax <= right and left <= bx <= right and low <= ay <= high and low <= by <= high

    @cached_property
    def _box(self) -> tuple[float, float, float, float]:
        (left, low), (right, high) = (bound.tolist() for bound in self._bounds)
        return left, low, right, high

    @cached_property
    def _bounds(self) -> tuple[Floats, Floats]:
        return self.low - PLACE_SLACK_INCHES, self.high + PLACE_SLACK_INCHES

    @cached_property
    def _questions(self) -> tuple[Callable[[Floats, Floats], Bools], ...]:
        """Return what to ask of straight ways, the quickest first."""
        walls = self._clear_of_bare if self.bare is not None else self._clear_of_walls
        found = [walls] if len(self.walls) else []
        return tuple([*found, self._clear_of_models] if len(self.models) else found)

    def _clear_of_models(self, start: Floats, end: Floats) -> Bools:
        return self._widest_models.clear(start, end, LINE_SLACK_INCHES)

    @cached_property
    def _widest_models(self) -> Outlines:
        """Return the models without those that lie in a wider one of the same core.

        This is done only where there are cores.
        """
        if not self.models.core:
            return self.models
        kept = _widest(self.models)
        return self.models if kept.all() else self.models.take(kept)

    def _clear_of_walls(self, start: Floats, end: Floats) -> Bools:
        return self.walls.clear(start, end, LINE_SLACK_INCHES)

    def _clear_of_bare(self, start: Floats, end: Floats) -> Bools:
        if start is end:
            points = shapely.points(start)
            return np.asarray(~shapely.dwithin(self.bare, points, self.margin - LINE_SLACK_INCHES))
        ends = np.empty((len(start), 2, 2))
        ends[:, 0], ends[:, 1] = start, end
        return self._are_past_bare(ends)

    def _are_past_bare(self, lines: Floats) -> Bools:
        """Return which straight ways (n, 2, 2) come nowhere near the bare walls."""
        asked = shapely.linestrings(lines)
        points = (lines[:, 0] == lines[:, 1]).all(axis=1)
        if points.any():
            # A prepared shape is not told to be near a line of no length that lies beside it.
            asked[points] = shapely.points(lines[points, 0])
        return np.asarray(~shapely.dwithin(self.bare, asked, self.margin - LINE_SLACK_INCHES))

    @property
    def edges(self) -> Edges:
        """Return the edges of where the middle of the base may be."""
        return Edges.of(self.shapes).joined(self.board)

    @property
    def board(self) -> Edges:
        """Return the edges that the board's edge sets to the middle of the base."""
        (x0, y0), (x1, y1) = self.low, self.high
        corner = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
        return Edges(NONE, np.empty(0), corner, following(corner))


def as_stance(base: Stance | float) -> Stance:
    """Return how a base stands, given so or as the radius of a round one."""
    return base if isinstance(base, Stance) else Stance(float(base))


@lru_cache(maxsize=512)
def _walls(walls: tuple[Polygon, ...], stance: Stance) -> Outlines:
    """Return where the middle of a base must not be because of walls."""
    found = NOTHING
    for wall in walls:
        found = found.joined(parts_of(wall))
    return found.against(stance)


def _widest(shapes: Outlines) -> Bools:
    """Return which shapes are not within another of the same core about the same middle."""
    kept = np.ones(len(shapes), dtype=np.bool_)
    widest: dict[tuple[float, float, int], int] = {}
    radius = shapes.radius.tolist()
    for row, ((x, y), core) in enumerate(zip(shapes.xy.tolist(), shapes.core, strict=False)):
        other = widest.setdefault((x, y, id(core)), row)
        if other != row:
            narrow = row if radius[row] <= radius[other] else other
            kept[narrow] = False
            widest[x, y, id(core)] = other if narrow == row else row
    return kept


def _freed(shapes: Outlines, points: Floats) -> Outlines:
    """Return the shapes without those that hold one of the points, shrunk where it only touches."""
    if not len(shapes):
        return shapes
    near = np.logical_or.reduce(distances(points, shapes.xy) < shapes.reach, axis=0).nonzero()[0]
    if not len(near):
        return shapes
    depth = -shapes.take(near).distances(points).min(axis=0)
    if not (depth > LINE_SLACK_INCHES / 2).any():
        return shapes
    radius, core, keep = shapes.radius.copy(), list(shapes.core), np.ones(len(shapes), dtype=np.bool_)
    for row, deep in zip(near.tolist(), depth.tolist(), strict=True):
        if deep > TOUCHING_DEPTH_INCHES:
            keep[row] = False
        elif deep > 0 and core and not core[row].is_point and radius[row] <= 2 * TOUCHING_DEPTH_INCHES:
            core[row], radius[row] = core[row].inset(radius[row], deep), 0.0
        elif deep > 0:
            radius[row] -= deep
    return Outlines(shapes.xy, radius, tuple(core)).take(keep)


AXES = ((0.0, 1, 0), (math.pi / 2, 0, 1), (math.pi, -1, 0), (-math.pi / 2, 0, -1))
"""The directions of the axes, in radians, and the ways of length 1 in them."""


def arc_extremes(start: Sequence[float], leg: Leg) -> list[tuple[float, float]]:
    """Return the arc's points that lie farthest along the axes."""
    x, y, cx, cy, turn = leg
    radius = norm(x - cx, y - cy)
    first, far = angle_of(start[0] - cx, start[1] - cy), sweep(start, leg)
    return [
        (cx + radius * ahead_x, cy + radius * ahead_y)
        for a, ahead_x, ahead_y in AXES
        if ((a - first) * turn) % math.tau <= far
    ]


def in_box(shapes: Outlines, low: Floats, high: Floats) -> Ints:
    """Return the rows of the shapes that reach into a box."""
    aside = np.abs(shapes.xy - (low + high) / 2) - (high - low) / 2
    return (np.maximum(aside[:, 0], aside[:, 1]) <= shapes.reach + PLACE_SLACK_INCHES).nonzero()[0]
