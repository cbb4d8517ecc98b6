"""The models and terrain near a point, a path or the mouse, found by two rtrees.

One holds the bases on the table, the other its terrain. Each answer is sorted: models by row, terrain by its
place among the position's pieces. No library's order decides. A tree of boxes finds the candidates; exact
outlines decide. Heights are left to the caller.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
import shapely

from engine.core.facts import Point
from engine.core.state import Position
from geometry.measure.distance import within
from geometry.measure.region import Bounds
from geometry.shape.base import Floats, Ints
from geometry.shape.constructed import gaps

Rows = tuple[int, ...]
SLACK = 1e-3
"""The margin round a box that is asked for, in inches.

The rims of ovals leave their ellipses by up to 4e-5.
"""
NO_TERRAIN = -1
"""A version of the terrain that no table has."""


class Standing(msgspec.Struct, frozen=True):
    """The models on the table at one version: their rows in order, and a tree of base boxes."""

    version: int
    rows: Ints
    tree: shapely.STRtree


class Index:
    """The questions "what is near" about one position; trees are built anew when it has changed."""

    def __init__(self, position: Position) -> None:
        """Index this position; nothing is built before the first question."""
        self.position = position
        self._reach: Floats = np.empty(0)
        """The radius of the circle round each base, by row."""
        self._standing: Standing | None = None
        self._terrain: tuple[int, shapely.STRtree] = (NO_TERRAIN, shapely.STRtree([]))

    # models

    def models_at(self, x: float, y: float) -> Rows:
        """Return the rows of the models whose bases cover or touch a point, in order."""
        return self.models_near_point(x, y, 0.0)

    def models_near_point(self, x: float, y: float, reach: float) -> Rows:
        """Return the rows of the models within `reach` inches of a point, in order."""
        rows = self._boxed((x, y, x, y), reach)
        if not len(rows):
            return ()
        apart = self.position.table.outlines(rows).distances(np.array([(x, y)]))[0]
        return tuple(rows[within(apart, reach)].tolist())

    def models_near_path(self, waypoints: Sequence[Point], reach: float) -> Rows:
        """Return the rows of the models within `reach` inches of a path, in order.

        The path has straight legs between its waypoints.
        """
        start, end = _legs(waypoints)
        boxes = np.concatenate([np.minimum(start, end), np.maximum(start, end)], axis=1)
        rows = self._boxed(boxes.T, reach)
        if not len(rows):
            return ()
        apart = self.position.table.outlines(rows).line_distances(start, end).min(axis=0)
        return tuple(rows[within(apart, reach)].tolist())

    def models_about(self, bounds: Bounds) -> Rows:
        """Return the rows of all models that meet a rectangle, and of some just beside it, in order.

        For a caller with a measure of its own: no outline of a base is looked at, only a box round it.
        """
        return tuple(self._boxed(bounds, 0.0).tolist())

    def _boxed(self, bounds: Bounds | Floats, reach: float) -> Ints:
        """Return the rows whose boxes come within `reach` inches of a rectangle, in order.

        The bounds are one rectangle's, or those of several (4, n).
        """
        known, table = self._standing, self.position.table
        if known is None or known.version != table.version or len(self._reach) != len(table.base):
            known = self._standing = self._stand()
        left, low, right, high = bounds
        far = reach + SLACK
        found = known.tree.query(shapely.box(left - far, low - far, right + far, high + far))
        places = found if found.ndim == 1 else np.unique(found[1])
        places.sort()
        return np.asarray(known.rows[places])

    def _stand(self) -> Standing:
        table = self.position.table
        new = [base.radius for base in table.base[len(self._reach) :]]
        self._reach = np.append(self._reach, new)
        rows = table.on.nonzero()[0]
        reach = self._reach[rows]
        (x, y) = table.xy[rows].T
        return Standing(
            table.version, rows, shapely.STRtree(shapely.box(x - reach, y - reach, x + reach, y + reach))
        )

    # terrain

    def terrain_at(self, x: float, y: float) -> Rows:
        """Return the places of the terrain pieces that cover or touch a point, in order."""
        return self.terrain_near_point(x, y, 0.0)

    def terrain_near_point(self, x: float, y: float, reach: float) -> Rows:
        """Return the places of the terrain pieces within `reach` inches of a point, in order."""
        found = self._terrain_boxed((x, y, x, y), reach)
        return self._terrain_within(found, shapely.Point(x, y), reach) if len(found) else ()

    def terrain_near_path(self, waypoints: Sequence[Point], reach: float) -> Rows:
        """Return the places of the terrain pieces within `reach` inches of a path, in order.

        The path has straight legs between its waypoints.
        """
        spots = list(dict.fromkeys(waypoints))
        if len(spots) < 2:
            # A line without length is no line to the library.
            return self.terrain_near_point(*spots[0], reach) if spots else ()
        path = shapely.LineString(waypoints)
        return self._terrain_within(self._terrain_boxed(path.bounds, reach), path, reach)

    def terrain_about(self, bounds: Bounds) -> Rows:
        """Return the places of all terrain pieces that meet a rectangle, and of some just beside it."""
        return tuple(self._terrain_boxed(bounds, 0.0).tolist())

    def _terrain_within(self, places: Ints, shape: shapely.Geometry, reach: float) -> Rows:
        """Return those places of terrain pieces that are within `reach` inches of a shape."""
        apart = gaps(self._footprints().geometries[places], shape)
        return tuple(places[within(apart, reach)].tolist())

    def _terrain_boxed(self, bounds: Bounds, reach: float) -> Ints:
        """Return the places of the pieces whose boxes come within a reach of a rectangle, in order."""
        left, low, right, high = bounds
        far = reach + SLACK
        found = self._footprints().query(shapely.box(left - far, low - far, right + far, high + far))
        found.sort()
        return np.asarray(found)

    def _footprints(self) -> shapely.STRtree:
        version = self.position.table.terrain_version
        if self._terrain[0] != version:
            shapes = [shapely.Polygon(piece.footprint) for piece in self.position.terrain.values()]
            self._terrain = (version, shapely.STRtree(shapes))
        return self._terrain[1]


def _legs(waypoints: Sequence[Point]) -> tuple[Floats, Floats]:
    """Return the beginnings and ends of the legs between points, (n, 2) each, in inches.

    A single point is a leg, too.
    """
    spots = np.array(waypoints, dtype=np.float64).reshape(-1, 2)
    return (spots[:-1], spots[1:]) if len(spots) > 1 else (spots, spots)
