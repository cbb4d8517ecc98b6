"""Areas of the board as polygons, to be drawn: shapes, their sums, and where a distance is within a limit.

A rim of an arc is drawn by corners on it, and so off by less than RIM inches. Where a distance is within a
limit is found to the cell of a grid that is as fine as its caller asks for; see `within_limit`. The engine's
answers are exact: what is drawn here stands for them on the screen alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
import shapely

from geometry.measure.region import ring
from geometry.shape.convex_shape import Outlines, Stance
from geometry.shape.core_polygon import Core

Box = tuple[float, float, float, float]
"""Low x, low y, high x, high y, in inches."""
Distance = Callable[[float, float], float]
"""Return how far a point of the board is, in inches."""
RIM = 0.005
"""The inches by which an arc may leave its polygon."""
COARSEST = 1.0
"""The side of the largest cells of a grid, in inches."""
NOTHING = shapely.Polygon()


def shape_at(core: Core, radius: float, x: float, y: float) -> shapely.Geometry:
    """Return a shape about its middle as a polygon."""
    widest = radius + core.reach
    return shapely.Polygon(ring(core, radius, _turn(widest)) + np.array([x, y]))


def shapes_of(outlines: Outlines) -> list[shapely.Geometry]:
    """Return outlines as polygons, in their order; of those without an extent, none."""
    found = []
    for i in range(len(outlines)):
        core = outlines.core[i] if outlines.core else Stance(0.0).core
        x, y = outlines.xy[i].tolist()
        if float(outlines.radius[i]) + core.reach > 0:
            found.append(shape_at(core, float(outlines.radius[i]), x, y))
    return found


def joined(shapes: Iterable[shapely.Geometry]) -> shapely.Geometry:
    """Return the union of shapes."""
    return shapely.union_all([each for each in shapes if not each.is_empty])


def grown(shape: shapely.Geometry, margin: float) -> shapely.Geometry:
    """Return a shape with a margin round it, in inches."""
    if shape.is_empty or margin <= 0:
        return shape
    return shapely.buffer(shape, margin, quad_segs=max(math.ceil(math.pi / 2 / _turn(margin)), 4))


def swept(shape: shapely.Geometry, stance: Stance) -> shapely.Geometry:
    """Return what bases cover whose middles are anywhere in a shape."""
    if shape.is_empty:
        return shape
    if stance.core.is_point:
        return grown(shape, stance.radius)
    rim = ring(stance.core, stance.radius, _turn(stance.radius + stance.core.reach))
    return joined([shape, _along(shape, rim)])


def eroded(shape: shapely.Geometry, stance: Stance) -> shapely.Geometry:
    """Return where the middle of a base may be for it to lie wholly in a shape."""
    if shape.is_empty:
        return shape
    if stance.core.is_point:
        fine = max(math.ceil(math.pi / 2 / _turn(max(stance.radius, RIM))), 4)
        return shapely.buffer(shape, -stance.radius, quad_segs=fine)
    mirrored = stance.core.reversed()
    rim = ring(mirrored, stance.radius, _turn(stance.radius + mirrored.reach))
    return shapely.difference(shape, _along(shape, rim))


def _along(shape: shapely.Geometry, rim: np.ndarray) -> shapely.Geometry:
    """Return what a convex shape covers whose middle goes along the border of another."""
    hulls = []
    for part in shapely.get_parts(shape):
        for line in (part.exterior, *part.interiors):
            for a, b in pairwise(shapely.get_coordinates(line)):
                hulls.append(shapely.convex_hull(shapely.MultiPoint(np.concatenate([rim + a, rim + b]))))
    return joined(hulls)


@lru_cache(maxsize=256)
def _turn(radius: float) -> float:
    """Return the angle of an arc of this radius that leaves its chord by RIM inches."""
    return 2 * math.acos(max(1 - RIM / max(radius, RIM), 0.0))


def within_limit(
    distance: Distance, limit: float, box: Box, cell: float, rims: shapely.Geometry = NOTHING
) -> shapely.Geometry:
    """Return where a distance is within a limit, to a cell of a grid.

    The distance may grow by no more than an inch an inch, but across the rims, where it may leap. Cells are
    quartered down to a side of `cell` inches wherever the border may lie. A border away from the rims is off
    by half a cell's diagonal, and by three quarters of a cell as it is made smooth: by 1.5 cells at the most.
    """
    grid = _Grid(distance, limit, box, cell, rims)
    grid.fill()
    return shapely.simplify(grid.outlined(), 0.75 * cell)


class _Grid:
    """The cells of a grid, and those that lie where the distance is within the limit."""

    def __init__(
        self, distance: Distance, limit: float, box: Box, cell: float, rims: shapely.Geometry
    ) -> None:
        self._distance, self._limit, self._cell = distance, limit, cell
        self._left, self._low, right, high = box
        self._solid, self._rims = rims, shapely.boundary(rims)
        shapely.prepare(self._solid)
        shapely.prepare(self._rims)
        self._coarsest: int = 2 ** max(math.ceil(math.log2(COARSEST / cell)), 0)
        columns, rows = (
            max(math.ceil(each / cell / self._coarsest), 1) for each in (right - self._left, high - self._low)
        )
        self._inside = np.zeros((rows * self._coarsest, columns * self._coarsest), dtype=bool)

    def fill(self) -> None:
        """Find the cells inside, the largest first."""
        side = self._coarsest
        rows, columns = self._inside.shape
        cells = [(i, k) for i in range(0, columns, side) for k in range(0, rows, side)]
        while cells:
            left = self._sorted_out(cells, side)
            side //= 2
            cells = [(i + di, k + dk) for i, k in left for di in (0, side) for dk in (0, side)]

    def _sorted_out(self, cells: list[tuple[int, int]], side: int) -> list[tuple[int, int]]:
        """Mark the cells that lie inside, and return those that are to be quartered."""
        wide, is_last = side * self._cell, side == 1
        away = wide / 2 * math.sqrt(2)
        meets, closed = self._met(cells, wide)
        left = []
        for (i, k), is_met, is_closed in zip(cells, meets, closed, strict=True):
            if is_closed:
                continue
            x, y = self._left + i * self._cell + wide / 2, self._low + k * self._cell + wide / 2
            if is_met:
                far, slack = (self._least(x, y, wide / 2) if is_last else 0.0), 0.0 if is_last else math.inf
            else:
                far, slack = self._distance(x, y), 0.0 if is_last else away
            if far + slack <= self._limit:
                self._inside[k : k + side, i : i + side] = True
            elif far - slack <= self._limit:
                left.append((i, k))
        return left

    def _met(self, cells: list[tuple[int, int]], wide: float) -> tuple[list[bool], list[bool]]:
        """Return which cells meet a rim, and which lie within what it surrounds."""
        if self._solid.is_empty:
            return [False] * len(cells), [False] * len(cells)
        x, y = np.array(cells).T * self._cell + np.array([[self._left], [self._low]])
        boxes = shapely.box(x, y, x + wide, y + wide)
        return shapely.intersects(self._rims, boxes).tolist(), shapely.contains(self._solid, boxes).tolist()

    def _least(self, x: float, y: float, half: float) -> float:
        """Return the least distance of those of a cell's middle and corners that no rim surrounds.

        Another one would have the cell inside though nothing of it is.
        """
        spots = [(x, y), *((x + dx * half, y + dy * half) for dx in (-1, 1) for dy in (-1, 1))]
        closed = shapely.contains_xy(self._solid, np.array(spots)).tolist()
        return min(
            (self._distance(*spot) for spot, is_closed in zip(spots, closed, strict=True) if not is_closed),
            default=math.inf,
        )

    def outlined(self) -> shapely.Geometry:
        """Return the cells inside as one shape."""
        inside = np.pad(self._inside, 1)
        above, x = (inside[1:] != inside[:-1]).nonzero()
        y, before = (inside[:, 1:] != inside[:, :-1]).nonzero()
        level = np.stack([x - 1, above, x, above], axis=1)
        upright = np.stack([before, y - 1, before, y], axis=1)
        ends = np.concatenate([level, upright]).reshape(-1, 2, 2) * self._cell + (self._left, self._low)
        if not len(ends):
            return NOTHING
        lines = shapely.line_merge(shapely.multilinestrings(shapely.linestrings(ends)))
        return shapely.build_area(lines)


def rings_of(shape: shapely.Geometry) -> list[Sequence[tuple[float, float]]]:
    """Return the borders of a shape as rings of corners, holes among them, the last corner the first."""
    found: list[Sequence[tuple[float, float]]] = []
    for part in shapely.get_parts(shape):
        if part.geom_type == "Polygon" and not part.is_empty:
            lines = (part.exterior, *part.interiors)
            found += [[(x, y) for x, y in shapely.get_coordinates(line).tolist()] for line in lines]
    return found
