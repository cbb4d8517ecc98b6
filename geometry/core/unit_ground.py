# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The ground of a unit's move as bases of one kind meet it, a shape at a facing.

Owns where such bases may pass and end, and what they have left to go. Which spots models take is
`geometry/core/unit_spots.py`'s.
"""

from __future__ import annotations

import cython

if not cython.compiled:
    from math import sqrt

    from geometry.core.arcs import faces
    from geometry.core.distance_map import DistanceMap
    from geometry.core.end_ground import EndGround
    from geometry.core.plain import ArcTable
    from geometry.core.shapes import INFINITE, Shapes
    from geometry.core.tangents import VisibilityGraph
    from geometry.core.targets import Targets

GAIN = 1e-7
"""A spot is better than another if it leaves less by this, in inches."""


@cython.cclass
class KindGround:
    """What bases of one kind may pass, where they may stand, and how far is left."""

    def __init__(self, graph: VisibilityGraph, ends: EndGround, field: DistanceMap) -> None:
        """Take what is in the way of paths, and of ends, and the map of what is left."""
        self.graph, self.ends, self.field = graph, ends, field
        self.nearest_x = self.nearest_y = 0.0

    def crow(self, x: cython.double, y: cython.double) -> cython.double:
        """Return how far the nearest target is as the crow flies; `nearest_x` and `_y` tell where."""
        shapes: Shapes = self.field.targets.shapes
        least: cython.double = INFINITE
        row: cython.Py_ssize_t
        i: cython.Py_ssize_t
        for row in range(self.field.targets.rings):
            gap: cython.double = max(shapes.gap(row, x, y), 0.0)
            if gap >= least:
                continue
            least, self.nearest_x, self.nearest_y = gap, x, y
            arcs: ArcTable = shapes.shapes[row].arcs
            first: cython.Py_ssize_t = shapes.shapes[row].first
            for i in range(first, first + (shapes.shapes[row].count if gap > 0.0 else 0)):
                off_x: cython.double = x - arcs[i].centre_x
                off_y: cython.double = y - arcs[i].centre_y
                far: cython.double = sqrt(off_x * off_x + off_y * off_y)
                if far > 0.0 and faces(arcs, i, off_x / far, off_y / far):
                    self.nearest_x, self.nearest_y = x - gap * off_x / far, y - gap * off_y / far
                elif off_x * arcs[i].end_x + off_y * arcs[i].end_y - arcs[i].radius >= gap - GAIN:
                    self.nearest_x, self.nearest_y = x - gap * arcs[i].end_x, y - gap * arcs[i].end_y
        return least

    def field_from(self, x: cython.double, y: cython.double) -> DistanceMap:
        """Return the map without what holds a place."""
        graph: VisibilityGraph = self.field.graph.freed(x, y)
        if graph is self.field.graph:
            return self.field
        field: DistanceMap = self.field
        rings: Shapes = field.targets.shapes.base or field.targets.shapes
        targets: Targets = Targets(graph, rings)
        return DistanceMap(graph, targets, (field.low_x, field.low_y, field.high_x, field.high_y))
