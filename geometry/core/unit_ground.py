# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The ground of a unit's move as bases of one kind meet it, a shape at a facing.

Owns where such bases may pass and end, and what they have left to go to targets. Grounds of moves with
another aim stand beside: `away_ground.py`, `contact_ground.py`. Which spots models take is `unit_spots.py`'s.

What a base can expect from a place is noted in `began`, what it has left there, in `least`, what it has left
at least after its move, in `aim_x` and `aim_y`, where it would have that, and in `is_closed`. On a ground
that `is_wide` the best spot may be anywhere, rather than near there.
"""

from __future__ import annotations

import cython

from geometry.tolerance import PLACE_SLACK_INCHES, ROUNDING

if not cython.compiled:
    from math import sqrt

    from geometry.core.arcs import faces
    from geometry.core.critical_points import CriticalPoints
    from geometry.core.distance_map import DistanceMap
    from geometry.core.end_ground import EndGround
    from geometry.core.plain import ArcTable
    from geometry.core.shapes import INFINITE, Shapes
    from geometry.core.tangents import VisibilityGraph
    from geometry.core.targets import Targets

AIMS = 3
"""The number of nearest targets toward which every curve offers a spot."""


@cython.cclass
class KindGround:
    """What bases of one kind may pass, and where they may stand."""

    def __init__(
        self,
        graph: VisibilityGraph,
        ends: EndGround,
    ) -> None:
        """Take what is in the way of paths, and of ends."""
        self.graph, self.ends = graph, ends
        self.next_x = self.next_y = 0.0
        self.began = self.least = self.aim_x = self.aim_y = 0.0
        self.is_closed = self.is_wide = False

    def expect(self, x: cython.double, y: cython.double, limit: cython.double) -> cython.int:
        """Note what a base can expect that goes no farther from a place than a limit."""
        self.began = self.least = 0.0
        self.aim_x, self.aim_y, self.is_closed = x, y, False
        self.next_x, self.next_y = x, y
        return 0

    def left(
        self, x: cython.double, y: cython.double, most: cython.double, is_closed: cython.bint
    ) -> cython.double:
        """Return what a base has left at a place; infinite where that is not less than `most`."""
        return 0.0 if most > 0.0 else INFINITE

    def begin(self, x: cython.double, y: cython.double, limit: cython.double) -> cython.int:
        """Note from where a base goes, and how far, before curves are added for it."""
        return 0

    def add_curves(
        self, points: CriticalPoints, x: cython.double, y: cython.double, near: cython.double
    ) -> cython.int:
        """Add the curves about a place on which what is left changes."""
        return 0

    def offer_aims(self, points: CriticalPoints, x: cython.double, y: cython.double) -> cython.int:
        """Offer of every curve the spots that may leave least, as seen from a place."""
        return 0

    def offer_feet(
        self, points: CriticalPoints, x: cython.double, y: cython.double, limit: cython.double
    ) -> cython.int:
        """Offer spots opposite to all bends of ways that lie within a limit of a place.

        Climbs end at such spots.
        """
        return 0


@cython.cclass
class TargetGround(KindGround):
    """The ground of a move to targets, with a map of how far it is to these."""

    def __init__(
        self,
        graph: VisibilityGraph,
        ends: EndGround,
        field: DistanceMap,
    ) -> None:
        """Take the ground as `KindGround` does, and the map."""
        KindGround.__init__(self, graph, ends)
        self.field = field
        self.nearest_x = self.nearest_y = 0.0

    def expect(self, x: cython.double, y: cython.double, limit: cython.double) -> cython.int:
        """Note what a base can expect by its shortest way.

        Where all ways are closed, the straight line counts.
        """
        field: DistanceMap = self._field_from(x, y)
        left: cython.double = field.left(x, y, INFINITE)
        self.is_closed = left == INFINITE
        if left < INFINITE:
            self.aim_x, self.aim_y = field.ahead(x, y, max(limit - ROUNDING, 0.0))
            self.next_x, self.next_y = field.next_x, field.next_y
            self.least = max(left - limit, 0.0)
        else:
            self.next_x, self.next_y = x, y
            left = self.crow(x, y)
            share: cython.double = min(limit, left) / max(left, ROUNDING)
            self.aim_x = x + share * (self.nearest_x - x)
            self.aim_y = y + share * (self.nearest_y - y)
            self.least = 0.0
        self.began = left
        return 0

    def left(
        self, x: cython.double, y: cython.double, most: cython.double, is_closed: cython.bint
    ) -> cython.double:
        """Return how far it is to the targets, as the crow flies where all ways are closed."""
        if not is_closed:
            return self.field.left(x, y, most)
        left: cython.double = self.crow(x, y)
        return left if left < most else INFINITE

    def crow(self, x: cython.double, y: cython.double) -> cython.double:
        """Return how far the nearest target is as the crow flies; `nearest_x` and `_y` tell where."""
        shapes: Shapes = self.field.targets.shapes
        least: cython.double = INFINITE
        row: cython.Py_ssize_t
        for row in range(self.field.targets.rings):
            gap: cython.double = max(shapes.gap(row, x, y), 0.0)
            if gap < least:
                way_x: cython.double
                way_y: cython.double
                way_x, way_y = outward(shapes, row, x, y)
                least, self.nearest_x, self.nearest_y = gap, x - gap * way_x, y - gap * way_y
        return least

    def _field_from(self, x: cython.double, y: cython.double) -> DistanceMap:
        """Return the map without what holds a place."""
        graph: VisibilityGraph = self.field.graph.freed(x, y)
        if graph is self.field.graph:
            return self.field
        field: DistanceMap = self.field
        rings: Shapes = field.targets.shapes.base or field.targets.shapes
        targets: Targets = Targets(graph, rings)
        return DistanceMap(graph, targets, (field.low_x, field.low_y, field.high_x, field.high_y))

    def add_curves(
        self, points: CriticalPoints, x: cython.double, y: cython.double, near: cython.double
    ) -> cython.int:
        """Add the rims of the targets."""
        targets: Targets = self.field.targets
        return add_rims(points, targets.shapes, targets.rings, x, y, near)

    def offer_aims(self, points: CriticalPoints, x: cython.double, y: cython.double) -> cython.int:
        """Offer the spots nearest to the middles of the targets that are nearest to a place."""
        shapes: Shapes = self.field.targets.shapes
        row: cython.Py_ssize_t
        last: cython.double = -1.0
        last_row: cython.Py_ssize_t = -1
        for _ in range(AIMS):
            best: cython.double = INFINITE
            best_row: cython.Py_ssize_t = -1
            for row in range(self.field.targets.rings):
                off_x: cython.double = shapes.shapes[row].middle_x - x
                off_y: cython.double = shapes.shapes[row].middle_y - y
                far: cython.double = off_x * off_x + off_y * off_y
                is_next: cython.bint = far > last or (far == last and row > last_row)
                if is_next and far < best:
                    best, best_row = far, row
            if best_row < 0:
                break
            points.offer_nearest(shapes.shapes[best_row].middle_x, shapes.shapes[best_row].middle_y)
            last, last_row = best, best_row
        return 0

    def offer_feet(
        self, points: CriticalPoints, x: cython.double, y: cython.double, limit: cython.double
    ) -> cython.int:
        """Offer spots opposite to all bends of ways that lie within a limit of a place.

        Climbs end at such spots.
        """
        step: cython.Py_ssize_t
        for step in range(self.field.count):
            off_x: cython.double = self.field.steps[step].x - x
            off_y: cython.double = self.field.steps[step].y - y
            if off_x * off_x + off_y * off_y <= limit * limit:
                points.offer_nearest(self.field.steps[step].x, self.field.steps[step].y)
        return 0


def add_rims(
    points: CriticalPoints,
    shapes: Shapes,
    count: cython.Py_ssize_t,
    x: cython.double,
    y: cython.double,
    near: cython.double,
) -> cython.int:
    """Add the rims of the first shapes of a table, those near to a place; points have none."""
    row: cython.Py_ssize_t
    for row in range(count):
        if shapes.shapes[row].reach <= 0.0:
            continue
        off_x: cython.double = shapes.shapes[row].middle_x - x
        off_y: cython.double = shapes.shapes[row].middle_y - y
        about: cython.double = shapes.shapes[row].reach + near
        if off_x * off_x + off_y * off_y <= about * about:
            points.add_shape(shapes, row, 0.0, 0.0, 0.0, x, y, near)
    return 0


def outward(
    shapes: Shapes, row: cython.Py_ssize_t, x: cython.double, y: cython.double
) -> tuple[cython.double, cython.double]:
    """Return the direction, an inch long, in which a place gets away from a shape fastest."""
    arcs: ArcTable = shapes.shapes[row].arcs
    first: cython.Py_ssize_t = shapes.shapes[row].first
    gap: cython.double = shapes.gap(row, x, y) - PLACE_SLACK_INCHES
    i: cython.Py_ssize_t
    for i in range(first, first + shapes.shapes[row].count):
        off_x: cython.double = x - arcs[i].centre_x
        off_y: cython.double = y - arcs[i].centre_y
        far: cython.double = sqrt(off_x * off_x + off_y * off_y)
        is_facing: cython.bint = arcs[i].following == i or (
            far > 0.0 and faces(arcs, i, off_x / far, off_y / far)
        )
        if far > 0.0 and is_facing and far - arcs[i].radius >= gap:
            return off_x / far, off_y / far
        if arcs[i].following != i and off_x * arcs[i].end_x + off_y * arcs[i].end_y - arcs[i].radius >= gap:
            return arcs[i].end_x, arcs[i].end_y
    return 0.0, 1.0
