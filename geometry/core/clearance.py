# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Whether a leg of a path, a straight line or an arc, enters convex shapes or leaves a box.

Owns the questions about one leg and shapes that stand anywhere on the board. The shapes are
`geometry.core.shapes`'; nothing here knows of searches. Lengths are in inches.
"""

from __future__ import annotations

from collections.abc import Sequence

import cython

if not cython.compiled:
    from math import sqrt

    from geometry.core.plain import ArcTable
    from geometry.core.shapes import Shapes


@cython.cclass
class Leg:
    """A straight line or an arc on the board.

    Of an arc there are its centre, its radius, and the directions of length 1 from the centre to its ends,
    `first` the one from which it runs counter-clockwise to `last`.
    """

    def __init__(self, x: cython.double, y: cython.double, leg: Sequence[float]) -> None:
        """Take where the leg begins, and the leg.

        A line is (x, y) of its end, an arc (x, y, centre x, centre y, turn), its turn 1 counter-clockwise or
        -1 clockwise. An arc has the radius of its end; where it begins, only the direction counts.
        """
        self.begin_x, self.begin_y, self.end_x, self.end_y = x, y, leg[0], leg[1]
        self.is_arc = len(leg) == 5
        if not self.is_arc:
            return
        self.centre_x, self.centre_y = leg[2], leg[3]
        off_x: cython.double = x - self.centre_x
        off_y: cython.double = y - self.centre_y
        far: cython.double = sqrt(off_x * off_x + off_y * off_y)
        if far > 0.0:
            off_x, off_y = off_x / far, off_y / far
        to_x: cython.double = self.end_x - self.centre_x
        to_y: cython.double = self.end_y - self.centre_y
        self.radius = sqrt(to_x * to_x + to_y * to_y)
        if self.radius > 0.0:
            to_x, to_y = to_x / self.radius, to_y / self.radius
        self.begin_x = self.centre_x + self.radius * off_x
        self.begin_y = self.centre_y + self.radius * off_y
        if cython.cast(cython.double, leg[4]) > 0.0:
            self.first_x, self.first_y, self.last_x, self.last_y = off_x, off_y, to_x, to_y
        else:
            self.first_x, self.first_y, self.last_x, self.last_y = to_x, to_y, off_x, off_y

    def first_entered(
        self, shapes: Sequence[Shapes], places: Sequence[float], radii: Sequence[float]
    ) -> cython.Py_ssize_t:
        """Return the first shape into whose inside the leg leads; -1 for none.

        Shape i is all within `radii[i]` of the one shape of the table `shapes[i]`, which stands at place i of
        the flat `places` (x, y, …). Where a radius is less than 0, only what lies deeper than that is inside.
        """
        row: cython.Py_ssize_t
        for row in range(len(shapes)):
            shape: Shapes = shapes[row]
            if self._enters(shape, places[2 * row], places[2 * row + 1], radii[row]):
                return row
        return -1

    def _enters(
        self, shape: Shapes, at_x: cython.double, at_y: cython.double, margin: cython.double
    ) -> cython.bint:
        """Return whether the leg leads into what is within a margin of a shape at a place."""
        if self.is_arc:
            return self._enters_by_arc(shape, at_x, at_y, margin)
        return shape.enters(
            0, self.begin_x - at_x, self.begin_y - at_y, self.end_x - at_x, self.end_y - at_y, -margin
        )

    def _enters_by_arc(
        self, shape: Shapes, at_x: cython.double, at_y: cython.double, margin: cython.double
    ) -> cython.bint:
        """Return the same of an arc, asked at the places where it may be deepest in the shape.

        These are its ends, and where the way to the nearest part of the rim runs through its centre: toward
        the centre of one of the rim's arcs, or square to an edge.
        """
        arcs: ArcTable = shape.shapes[0].arcs
        reach: cython.double = shape.shapes[0].reach + margin
        off_x: cython.double = at_x + shape.shapes[0].middle_x - self.centre_x
        off_y: cython.double = at_y + shape.shapes[0].middle_y - self.centre_y
        far: cython.double = sqrt(off_x * off_x + off_y * off_y)
        if reach <= 0.0 or far - self.radius >= reach or self.radius - far >= reach:
            return False
        if shape.gap(0, self.begin_x - at_x, self.begin_y - at_y) < margin:
            return True
        if shape.gap(0, self.end_x - at_x, self.end_y - at_y) < margin:
            return True
        first: cython.Py_ssize_t = shape.shapes[0].first
        i: cython.Py_ssize_t
        for i in range(first, first + shape.shapes[0].count):
            off_x = at_x + arcs[i].centre_x - self.centre_x
            off_y = at_y + arcs[i].centre_y - self.centre_y
            far = sqrt(off_x * off_x + off_y * off_y)
            if far > 0.0:
                off_x, off_y = off_x / far, off_y / far
                if self._is_inside_at(shape, at_x, at_y, margin, off_x, off_y):
                    return True
                if self._is_inside_at(shape, at_x, at_y, margin, -off_x, -off_y):
                    return True
            if self._is_inside_at(shape, at_x, at_y, margin, arcs[i].begin_x, arcs[i].begin_y):
                return True
            if self._is_inside_at(shape, at_x, at_y, margin, -arcs[i].begin_x, -arcs[i].begin_y):
                return True
        return False

    def _is_inside_at(
        self,
        shape: Shapes,
        at_x: cython.double,
        at_y: cython.double,
        margin: cython.double,
        x: cython.double,
        y: cython.double,
    ) -> cython.bint:
        """Return whether the arc runs, in a direction from its centre, within a margin of a shape."""
        if not self._faces(x, y):
            return False
        off_x: cython.double = self.centre_x + self.radius * x - at_x
        off_y: cython.double = self.centre_y + self.radius * y - at_y
        aside_x: cython.double = off_x - shape.shapes[0].middle_x
        aside_y: cython.double = off_y - shape.shapes[0].middle_y
        reach: cython.double = shape.shapes[0].reach + margin
        if aside_x * aside_x + aside_y * aside_y >= reach * reach:
            return False
        return shape.gap(0, off_x, off_y) < margin

    def _faces(self, x: cython.double, y: cython.double) -> cython.bint:
        """Return whether a direction from the centre, of length 1, is one of those of the arc."""
        after: cython.double = self.first_x * y - self.first_y * x
        before: cython.double = x * self.last_y - y * self.last_x
        if self.first_x * self.last_y - self.first_y * self.last_x < 0.0:
            return after >= 0.0 or before >= 0.0
        ahead: cython.double = x * (self.first_x + self.last_x) + y * (self.first_y + self.last_y)
        return after >= 0.0 and before >= 0.0 and ahead >= 0.0

    def leaves(
        self,
        low_x: cython.double,
        low_y: cython.double,
        high_x: cython.double,
        high_y: cython.double,
    ) -> cython.bint:
        """Return whether a part of the leg lies outside a box."""
        left: cython.double = min(self.begin_x, self.end_x)
        right: cython.double = max(self.begin_x, self.end_x)
        low: cython.double = min(self.begin_y, self.end_y)
        high: cython.double = max(self.begin_y, self.end_y)
        if self.is_arc:
            if self._faces(-1.0, 0.0):
                left = self.centre_x - self.radius
            if self._faces(1.0, 0.0):
                right = self.centre_x + self.radius
            if self._faces(0.0, -1.0):
                low = self.centre_y - self.radius
            if self._faces(0.0, 1.0):
                high = self.centre_y + self.radius
        return left < low_x or low < low_y or right > high_x or high > high_y
