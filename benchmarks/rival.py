"""The obvious alternatives: rays one by one, two libraries for paths, and a grid.

Owns how each is asked the same question as ours; what is not installed is left out.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Sequence
from importlib.metadata import packages_distributions
from itertools import pairwise
from typing import Any

import numpy as np
import shapely

from benchmarks.board import SIZE
from geometry.measure.body import Bodies
from geometry.portable import ways_at
from geometry.shape.base import Floats, Polygon

RAYS = 16
CELL = 0.25
Point = tuple[float, float]
Asked = Callable[[Point, Point], float]
"""A library made ready: the length of the shortest way between two points."""


def rim_points(bodies: Bodies) -> Floats:
    """Return the points (n, 16, 2) of the rims from which and to which rays go."""
    angle: Floats = np.asarray(np.arange(RAYS) * (math.tau / RAYS), dtype=np.float64)
    rims = bodies.xy[:, None] + bodies.radius[:, None, None] * ways_at(angle)
    for i, core in enumerate(bodies.core):
        rims[i] += [core.rim(turn) for turn in angle.tolist()]
    return np.asarray(rims)


class Rays:
    """Sight as rays from rim points to rim points, tried with shapely."""

    def __init__(self, pieces: Sequence[Polygon], prepared: bool = False) -> None:
        """Take the pieces that close rays, and whether they are made ready for many questions.

        For the plain loop they are not.
        """
        self.area = shapely.union_all([shapely.Polygon(piece) for piece in pieces])
        if prepared:
            shapely.prepare(self.area)

    def one_by_one(self, here: Floats, there: Floats) -> bool:
        """Return whether a ray is free; the loop ends at the first that is."""
        for a in here.tolist():
            for b in there.tolist():
                if not self.area.intersects(shapely.LineString((a, b))):
                    return True
        return False

    def at_once(self, here: Floats, there: Floats) -> bool:
        """Return the same with all rays in one array."""
        ends = np.stack(np.broadcast_arrays(here[:, None], there[None]), axis=2)
        return not shapely.intersects(self.area, shapely.linestrings(ends)).all()


def libraries(pieces: Sequence[Polygon]) -> dict[str, Asked]:
    """Return the libraries that are installed, each with the pieces taken in."""
    makers = {"extremitypathfinder": _extremity, "pyvisgraph": _pyvisgraph}
    installed = packages_distributions()
    return {name: make(pieces) for name, make in makers.items() if name in installed}


def _extremity(pieces: Sequence[Polygon]) -> Asked:
    from extremitypathfinder import PolygonEnvironment

    width, depth = SIZE
    environment: Any = PolygonEnvironment()
    border = [(0.0, 0.0), (width, 0.0), (width, depth), (0.0, depth)]
    environment.store(border, [_clockwise(piece) for piece in pieces], validate=False)

    def ask(start: Point, goal: Point) -> float:
        return float(environment.find_shortest_path(start, goal, verify=False)[1])

    return ask


def _clockwise(piece: Polygon) -> list[Point]:
    ring = shapely.Polygon(piece).exterior
    return list(piece)[::-1] if ring.is_ccw else list(piece)


def _pyvisgraph(pieces: Sequence[Polygon]) -> Asked:
    import pyvisgraph

    graph: Any = pyvisgraph.VisGraph()
    graph.build([[pyvisgraph.Point(x, y) for x, y in piece] for piece in pieces], status=False)

    def ask(start: Point, goal: Point) -> float:
        found = graph.shortest_path(pyvisgraph.Point(*start), pyvisgraph.Point(*goal))
        return sum(math.dist((a.x, a.y), (b.x, b.y)) for a, b in pairwise(found))

    return ask


class Grid:
    """Ways from cell to cell, eight neighbours each, over what a base's centre may cover."""

    def __init__(self, pieces: Sequence[Polygon], radius: float, keep_out: Sequence[Any] = ()) -> None:
        """Mark the cells that are free."""
        closed = shapely.union_all([*(shapely.Polygon(p).buffer(radius) for p in pieces), *keep_out])
        shapely.prepare(closed)
        self.columns, self.rows = int(SIZE[0] / CELL) + 1, int(SIZE[1] / CELL) + 1
        x, y = np.meshgrid(np.arange(self.columns) * CELL, np.arange(self.rows) * CELL)
        on = (x >= radius) & (x <= SIZE[0] - radius) & (y >= radius) & (y <= SIZE[1] - radius)
        free = on & ~shapely.intersects_xy(closed, x, y)
        self.free = [bool(value) for value in free.ravel()]
        self.marked = free

    def __call__(self, start: Point, goal: Point) -> float:
        """Return the length of the shortest way; infinite where there is none."""
        first, last = self._cell(start), self._cell(goal)
        across = math.hypot(CELL, CELL)
        steps = [
            (dx, dy, across if dx and dy else CELL) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy
        ]
        goal_x, goal_y = last % self.columns, last // self.columns
        far = {first: 0.0}
        queue = [(0.0, first)]
        done: set[int] = set()
        while queue:
            _, cell = heapq.heappop(queue)
            if cell == last:
                return far[cell]
            if cell in done:
                continue
            done.add(cell)
            x, y = cell % self.columns, cell // self.columns
            for dx, dy, step in steps:
                nx, ny = x + dx, y + dy
                other = ny * self.columns + nx
                if not (0 <= nx < self.columns and 0 <= ny < self.rows and self.free[other]):
                    continue
                total = far[cell] + step
                if total < far.get(other, math.inf):
                    far[other] = total
                    a, b = abs(nx - goal_x), abs(ny - goal_y)
                    ahead = CELL * max(a, b) + (across - CELL) * min(a, b)
                    heapq.heappush(queue, (total + ahead, other))
        return math.inf

    def _cell(self, point: Point) -> int:
        """Return the free cell nearest to a point."""
        x, y = np.meshgrid(np.arange(self.columns) * CELL, np.arange(self.rows) * CELL)
        off = np.where(self.marked, np.hypot(x - point[0], y - point[1]), np.inf)
        return int(off.argmin())
