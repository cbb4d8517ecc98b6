"""The distance between two ends of a ruler: bases, objective markers, points of the ground.

Bases are measured edge to edge and in space, as the engine measures models; a marker from its edge; to a
point of the ground, or from one, the height of a model does not count.
"""

from __future__ import annotations

import math

import msgspec
import numpy as np
import shapely

from engine.core.facts import Point
from engine.table.index import Index
from engine.w40k.ground.tabletop import Tabletop
from geometry.measure.distance import gaps, in_space
from geometry.shape.convex_shape import Outlines
from viewer.input.region import polygons_of


class End(msgspec.Struct, frozen=True):
    """An end of a ruler: a place, and the model (by its row) or marker that it has snapped to."""

    at: Point
    row: int = -1
    marker: str = ""


class Measure(msgspec.Struct, frozen=True):
    """A length, and the line between the two edges, as seen from above."""

    inches: float
    line: tuple[Point, Point]
    rise: float = 0.0
    """How much higher one base stands than the other, in inches."""

    @property
    def words(self) -> str:
        """Return the length, and the rise where there is any."""
        return f"{self.inches:.1f}″" + (f" · {self.rise:.1f}″ of height" if self.rise else "")


def end_at(field: Tabletop, index: Index, at: Point, slack: float) -> End:
    """Return the end of a ruler at a place: of the base or marker within some slack of it."""
    table = field.position.table
    rows = index.models_near_point(*at, slack)
    if rows:
        row = min(rows, key=lambda each: (math.dist(table.xy[each].tolist(), at), each))
        x, y = table.xy[row].tolist()
        return End((x, y), row)
    radius = field.parameters.marker_radius
    for name, marker in field.position.objectives.items():
        if math.dist(marker.at, at) <= radius + slack:
            return End(marker.at, marker=name)
    return End(at)


def between(field: Tabletop, a: End, b: End) -> Measure:
    """Return the distance between two ends, edge to edge."""
    one, two = _outline(field, a), _outline(field, b)
    flat = gaps(one, two)
    line = shapely.shortest_line(_shape(one), _shape(two))
    (ax, ay), (bx, by) = shapely.get_coordinates(line).tolist()
    z = field.position.table.z
    if a.row < 0 or b.row < 0:
        return Measure(float(flat[0, 0]), ((ax, ay), (bx, by)))
    apart = in_space(flat, z[[a.row]], z[[b.row]])
    return Measure(float(apart[0, 0]), ((ax, ay), (bx, by)), abs(float(z[a.row] - z[b.row])))


def _outline(field: Tabletop, end: End) -> Outlines:
    if end.row >= 0:
        return field.outlines((end.row,))
    radius = field.parameters.marker_radius if end.marker else 0.0
    return Outlines(np.array([end.at]), np.array([radius]))


def _shape(outline: Outlines) -> shapely.Geometry:
    found = polygons_of(outline)
    return found[0] if found else shapely.Point(outline.xy[0].tolist())
