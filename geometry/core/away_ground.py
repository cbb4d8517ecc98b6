# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The ground of a move away from threats, as bases of one kind meet it.

Owns what is left there: how much less than a length the nearest threat is away. No map is needed, as only
the place of an end counts.
"""

from __future__ import annotations

import cython

from geometry.tolerance import ROUNDING, TOLERANCE

if not cython.compiled:
    from math import sqrt

    from geometry.core.critical_points import CriticalPoints
    from geometry.core.end_ground import EndGround
    from geometry.core.numeric import rotated
    from geometry.core.shapes import INFINITE, Shapes
    from geometry.core.tangents import VisibilityGraph
    from geometry.core.unit_ground import AIMS, KindGround, outward

MIDWAY = cython.declare(cython.Py_ssize_t, 6)
"""The number of nearest threats of which two and two are as far."""
PARTS = cython.declare(cython.int, 48)
"""The number of parts in which the circle of all that a base may go is searched."""
HALVINGS = cython.declare(cython.int, 26)
FULL_TURN = cython.declare(cython.double, 6.283185307179586)


@cython.cclass
class AwayGround(KindGround):
    """The ground of a move that ends as far as may be from the nearest threat."""

    def __init__(
        self,
        graph: VisibilityGraph,
        ends: EndGround,
        threats: Shapes,
        far: float,
    ) -> None:
        """Take the ground as `KindGround` does, the threats, and how far away would be far enough."""
        KindGround.__init__(self, graph, ends)
        self.threats, self.far = threats, far
        self.is_wide = True
        self._start_x = self._start_y = self._limit = 0.0
        self._nearest: list[int] = []

    def expect(self, x: cython.double, y: cython.double, limit: cython.double) -> cython.int:
        """Note what a base can expect that goes straight away from the nearest threat."""
        self.begin(x, y, limit)
        self.began = self.far - self.threats.least_gap(x, y)
        # No base gets farther from the nearest threat than by all that it may go.
        self.least = self.began - limit
        way_x: cython.double
        way_y: cython.double
        way_x, way_y = outward(self.threats, self._nearest[0], x, y)
        length: cython.double = max(limit - ROUNDING, 0.0)
        self.aim_x, self.aim_y, self.is_closed = x + length * way_x, y + length * way_y, False
        self.next_x, self.next_y = x, y
        return 0

    def left(
        self, x: cython.double, y: cython.double, most: cython.double, is_closed: cython.bint
    ) -> cython.double:
        """Return how much less than far enough the nearest threat is away."""
        left: cython.double = self.far - self.threats.least_gap(x, y)
        return left if left < most else INFINITE

    def begin(self, x: cython.double, y: cython.double, limit: cython.double) -> cython.int:
        """Note from where a base goes, and how far, and the threats that are nearest there."""
        self._start_x, self._start_y, self._limit = x, y, limit
        order = sorted([(round(self.threats.gap(row, x, y), 6), row) for row in range(self.threats.count)])
        self._nearest = [row for _, row in order[:MIDWAY]]
        return 0

    def add_curves(
        self, points: CriticalPoints, x: cython.double, y: cython.double, near: cython.double
    ) -> cython.int:
        """Add the lines on which a base is as far from two round threats as from each other."""
        shapes: Shapes = self.threats
        limit: cython.double = self._limit
        i: cython.Py_ssize_t
        k: cython.Py_ssize_t
        for i, k in [(i, k) for i in self._nearest for k in self._nearest if i < k]:
            way_x: cython.double = shapes.shapes[k].middle_x - shapes.shapes[i].middle_x
            way_y: cython.double = shapes.shapes[k].middle_y - shapes.shapes[i].middle_y
            apart: cython.double = sqrt(way_x * way_x + way_y * way_y)
            if apart <= TOLERANCE:
                continue
            way_x, way_y = way_x / apart, way_y / apart
            share: cython.double = (apart + shapes.shapes[i].reach - shapes.shapes[k].reach) / 2
            at_x: cython.double = shapes.shapes[i].middle_x + share * way_x
            at_y: cython.double = shapes.shapes[i].middle_y + share * way_y
            # The foot of the place from which the base goes.
            along: cython.double = (self._start_y - at_y) * way_x - (self._start_x - at_x) * way_y
            at_x, at_y = at_x - along * way_y, at_y + along * way_x
            off_x: cython.double = at_x - self._start_x
            off_y: cython.double = at_y - self._start_y
            if off_x * off_x + off_y * off_y < limit * limit:
                points.add_line(
                    at_x + limit * way_y, at_y - limit * way_x, at_x - limit * way_y, at_y + limit * way_x
                )
        return 0

    def offer_aims(self, points: CriticalPoints, x: cython.double, y: cython.double) -> cython.int:
        """Offer the spots farthest from the threats, and those where the nearest threat changes."""
        row: cython.Py_ssize_t
        length: cython.double = max(self._limit - ROUNDING, 0.0)
        for nearest in self._nearest[:AIMS]:
            row = nearest
            way_x: cython.double
            way_y: cython.double
            way_x, way_y = outward(self.threats, row, self._start_x, self._start_y)
            points.offer(self._start_x + length * way_x, self._start_y + length * way_y)
            points.offer_farthest(self.threats.shapes[row].middle_x, self.threats.shapes[row].middle_y)
        return self._offer_midway(points, length)

    def _offer_midway(self, points: CriticalPoints, length: cython.double) -> cython.int:
        """Offer the spots as far as a base goes at which another threat becomes the nearest."""
        part: cython.int
        x: cython.double = length
        y: cython.double = 0.0
        nearest: cython.Py_ssize_t = self._nearest_at(x, y)
        for part in range(PARTS):
            next_x, next_y = rotated(length, 0.0, FULL_TURN * (part + 1) / PARTS)
            other: cython.Py_ssize_t = self._nearest_at(next_x, next_y)
            points.offer(self._start_x + next_x, self._start_y + next_y)
            if other != nearest:
                begin: cython.double = FULL_TURN * part / PARTS
                end: cython.double = FULL_TURN * (part + 1) / PARTS
                for _ in range(HALVINGS):
                    middle: cython.double = (begin + end) / 2
                    x, y = rotated(length, 0.0, middle)
                    if self._nearest_at(x, y) == nearest:
                        begin = middle
                    else:
                        end = middle
                points.offer(self._start_x + x, self._start_y + y)
            nearest = other
        return 0

    def _nearest_at(self, off_x: cython.double, off_y: cython.double) -> cython.Py_ssize_t:
        """Return the row of the threat nearest to a place, given by its offset from the start."""
        best: cython.Py_ssize_t = -1
        least: cython.double = INFINITE
        row: cython.Py_ssize_t
        for row in range(self.threats.count):
            gap: cython.double = self.threats.gap(row, self._start_x + off_x, self._start_y + off_y)
            if gap < least:
                best, least = row, gap
        return best
