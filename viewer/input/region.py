"""Areas of the board as polygons: shapes, their sums, and what lies within a distance.

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
from geometry.shape.base import Bools, Floats, Ints
from geometry.shape.convex_shape import Outlines, Stance
from geometry.shape.core_polygon import Core

Box = tuple[float, float, float, float]
"""Low x, low y, high x, high y, in inches."""
Distances = Callable[[Floats], Sequence[float]]
"""Return how far points of the board (n, 2) are, in inches."""
RIM = 0.005
"""The inches by which an arc may leave its polygon."""
COARSEST = 1.0
"""The side of the largest cells of a grid, in inches."""
NOTHING = shapely.Polygon()


def shape_at(core: Core, radius: float, x: float, y: float) -> shapely.Geometry:
    """Return a shape about its middle as a polygon."""
    widest = radius + core.reach
    # Corners in which two arcs meet may be two but for rounding, which a hull puts right.
    return shapely.convex_hull(shapely.MultiPoint(ring(core, radius, _turn(widest)) + np.array([x, y])))


def polygons_of(outlines: Outlines) -> list[shapely.Geometry]:
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


def _along(shape: shapely.Geometry, rim: Floats) -> shapely.Geometry:
    """Return what a convex shape covers whose middle goes along the border of another."""
    hulls = []
    for part in shapely.get_parts(shape):
        if part.geom_type == "Point":
            hulls.append(shapely.convex_hull(shapely.MultiPoint(rim + shapely.get_coordinates(part))))
            continue
        for line in (part.exterior, *part.interiors):
            for a, b in pairwise(shapely.get_coordinates(line)):
                hulls.append(shapely.convex_hull(shapely.MultiPoint(np.concatenate([rim + a, rim + b]))))
    return joined(hulls)


@lru_cache(maxsize=256)
def _turn(radius: float) -> float:
    """Return the angle of an arc of this radius that leaves its chord by RIM inches."""
    return 2 * math.acos(max(1 - RIM / max(radius, RIM), 0.0))


def within_limit(
    distances: Distances,
    limit: float,
    box: Box,
    cell: float,
    rims: shapely.Geometry = NOTHING,
    closed: shapely.Geometry = NOTHING,
) -> shapely.Geometry:
    """Return where a distance is within a limit, to a cell of a grid, but for what is closed.

    The distance may grow by no more than an inch an inch, but across the borders of `rims`, where it may
    leap. Cells are quartered down to a side of `cell` inches wherever the border may lie. A border away from
    rims is off by half a cell's diagonal, and by three quarters of a cell as it is made smooth: by 1.5 cells
    at the most. What is thinner than that is left out.
    """
    grid = _Grid(distances, limit, box, cell, (rims, closed))
    grid.fill()
    found = shapely.difference(shapely.simplify(grid.outlined(), 0.75 * cell), closed)
    thin = 0.7 * cell
    return shapely.buffer(shapely.buffer(found, -thin, join_style="mitre"), thin, join_style="mitre")


CORNERS = np.array([(0.0, 0.0), (-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)])
"""The middle of a cell and its corners, in halves of its side."""


class _Grid:
    """The cells of a grid, and those that lie where the distance is within the limit."""

    def __init__(
        self,
        distances: Distances,
        limit: float,
        box: Box,
        cell: float,
        shapes: tuple[shapely.Geometry, shapely.Geometry],
    ) -> None:
        self._distances, self._limit, self._cell = distances, limit, cell
        self._left, self._low, right, high = box
        self._rims, self._closed = shapely.boundary(shapes[0]), shapes[1]
        shapely.prepare(self._closed)
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
        cells = np.array([(i, k) for i in range(0, columns, side) for k in range(0, rows, side)])
        while len(cells):
            left = self._sorted_out(cells, side)
            side //= 2
            quarters = np.array([(di, dk) for di in (0, side) for dk in (0, side)])
            cells = (left[:, None] + quarters).reshape(-1, 2)

    def _sorted_out(self, cells: Ints, side: int) -> Ints:
        """Mark the cells that lie inside, and return those that are to be quartered."""
        half, is_last = side * self._cell / 2, side == 1
        middles = (cells + side / 2) * self._cell + (self._left, self._low)
        boxes = shapely.box(*(middles - half).T, *(middles + half).T)
        cells, middles, boxes = (
            each[~shapely.contains(self._closed, boxes)] for each in (cells, middles, boxes)
        )
        meets = np.asarray(shapely.intersects(self._rims, boxes), dtype=bool)
        inside, left = np.zeros(len(cells), dtype=bool), np.zeros(len(cells), dtype=bool)
        far = np.array(self._distances(middles[~meets]))
        away = 0.0 if is_last else half * math.sqrt(2)
        inside[~meets] = far + away <= self._limit
        left[~meets] = far - away <= self._limit
        if is_last:
            inside[meets] = self._are_open(middles[meets], half)
        else:
            left[meets] = True
        for i, k in cells[inside].tolist():
            self._inside[k : k + side, i : i + side] = True
        return cells[:0] if is_last else cells[left & ~inside]

    def _are_open(self, middles: Floats, half: float) -> Bools:
        """Return which cells have their middle or a corner within the limit where nothing is closed.

        A spot that is closed would have the cell inside though nothing of it is.
        """
        found = np.zeros(len(middles), dtype=bool)
        for corner in CORNERS:
            spots = middles + corner * half
            asked = (~found & ~shapely.contains_xy(self._closed, spots)).nonzero()[0]
            found[asked] = np.array(self._distances(spots[asked])) <= self._limit
        return found

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
    """Return the borders of a shape as rings of corners, its holes too; the last is the first."""
    found: list[Sequence[tuple[float, float]]] = []
    for part in shapely.get_parts(shape):
        if part.geom_type == "Polygon" and not part.is_empty:
            lines = (part.exterior, *part.interiors)
            found += [[(x, y) for x, y in shapely.get_coordinates(line).tolist()] for line in lines]
    return found
