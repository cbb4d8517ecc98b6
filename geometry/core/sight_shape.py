# cython: infer_types=True
"""A convex shape of arcs and straight edges: its supports, its chords and its tangents.

Owns one shape about its origin, all within a distance of which is the outline of a body. It knows no table.
Directions are unit vectors, lengths are inches.
"""

from __future__ import annotations

from array import array

import cython
from cython import Py_ssize_t, bint, double
from cython.cimports.libc.math import sqrt

from geometry.tolerance import ROUNDING, TOUCHING_DEPTH_INCHES

FAR = cython.declare(double, 1e9)
ROUNDS = cython.declare(cython.int, 8)
"""From arc to arc a tangent is followed this often before all arcs are asked."""


def bearing(x: double, y: double) -> double:
    """Return a number from 0 to 4 that grows with the angle of a direction other than (0, 0)."""
    share = y / ((x if x >= 0.0 else -x) + (y if y >= 0.0 else -y))
    if x < 0.0:
        return 2.0 - share
    return share if y >= 0.0 else 4.0 + share


class ArcShape:
    """A convex shape about an origin, counter-clockwise.

    Of each arc there are five numbers in a row: its middle (x, y), its radius (0 for a corner), and the
    direction (x, y) in which it begins to face; it ends where the next begins.
    """

    def __init__(self, arcs: array[float], reach: float, tolerance: float) -> None:
        """Take the arcs, the radius of the circle about the origin round them, and the tolerance."""
        self.arcs = arcs
        self.count = len(arcs) // 5
        self.reach = reach
        self.tolerance = tolerance
        self.first = bearing(arcs[3], arcs[4])
        keys = [bearing(arcs[5 * i + 3], arcs[5 * i + 4]) - self.first for i in range(len(arcs) // 5)]
        self.keys = array("d", [key if key >= 0.0 else key + 4.0 for key in keys])
        self.way_x, self.way_y = 1.0, 0.0
        self.touches = False
        self.inner = self._inner()

    def arc(self, x: double, y: double) -> Py_ssize_t:
        """Return the number of the arc that faces a direction of any length."""
        low = 0
        high = self.count - 1
        key = bearing(x, y) - self.first
        if key < 0.0:
            key += 4.0
        while low < high:
            middle = (low + high + 1) >> 1
            if self.keys[middle] <= key:
                low = middle
            else:
                high = middle - 1
        return low

    def support(self, x: double, y: double) -> double:
        """Return how far out the shape reaches in a direction, from its origin."""
        at = 5 * self.arc(x, y)
        return self.arcs[at] * x + self.arcs[at + 1] * y + self.arcs[at + 2]

    def leave(self, level: double, ux: double, uy: double, wide: double) -> double:
        """Return how far along (ux, uy) a line leaves all within `wide` of the shape.

        The length counts from the origin's foot on the line. The line passes the origin at `level` to its
        left as the direction goes. `touches` tells whether it meets the outline; a line that misses is moved
        until it touches.
        """
        nx = -uy
        ny = ux
        count = self.count
        last = self.arc(nx, ny)
        first = self.arc(-nx, -ny)
        at = 5 * last
        highest = self.arcs[at] * nx + self.arcs[at + 1] * ny + self.arcs[at + 2] + wide
        at = 5 * first
        lowest = self.arcs[at] * nx + self.arcs[at + 1] * ny - self.arcs[at + 2] - wide
        self.touches = lowest - self.tolerance <= level <= highest + self.tolerance
        level = lowest if level < lowest else highest if level > highest else level
        low = 0
        high = last - first if last >= first else last - first + count
        span = high
        while low < high:
            middle = (low + high + 1) >> 1
            at = first + middle
            at = 5 * (at - count if at >= count else at)
            radius = self.arcs[at + 2] + wide
            if (self.arcs[at] + radius * self.arcs[at + 3]) * nx + (
                self.arcs[at + 1] + radius * self.arcs[at + 4]
            ) * ny <= level:
                low = middle
            else:
                high = middle - 1
        at = first + low
        at = at - count if at >= count else at
        after = 5 * (at + 1 if at + 1 < count else 0)
        at *= 5
        x = self.arcs[at]
        y = self.arcs[at + 1]
        radius = self.arcs[at + 2] + wide
        if low < span:
            end_x = x + radius * self.arcs[after + 3]
            end_y = y + radius * self.arcs[after + 4]
            end = end_x * nx + end_y * ny
            if level > end:
                radius = self.arcs[after + 2] + wide
                x = self.arcs[after] + radius * self.arcs[after + 3]
                y = self.arcs[after + 1] + radius * self.arcs[after + 4]
                rise = x * nx + y * ny - end
                share = (level - end) / rise if rise > 0.0 else 0.0
                share = 1.0 if share > 1.0 else share
                reach = end_x * ux + end_y * uy
                return reach + share * (x * ux + y * uy - reach)
        off = level - (x * nx + y * ny)
        square = radius * radius - off * off
        return x * ux + y * uy + (sqrt(square) if square > 0.0 else 0.0)

    def tangent(self, x: double, y: double, side: double, wide: double) -> bint:
        """Find the way from a point to the tangent on one side; return whether it is real.

        The side is 1 for left and -1 for right. The point is given from the origin; the way is left in
        `way_x`, `way_y`.
        """
        arc = self.arc(side * y, -side * x)
        apart = 0.0
        excess = FAR
        for _ in range(ROUNDS):
            apart = self._toward(arc, x, y, side, wide)
            before = arc
            arc = self.arc(-side * self.way_y, side * self.way_x)
            if arc == before:
                break
        if apart > self.tolerance:
            excess = self._excess(x, y, side, wide)
        if excess <= ROUNDING:
            return True
        best_x = self.way_x
        best_y = self.way_y
        for arc in range(self.count):
            # From a sharp corner itself no way leads to it.
            if self._toward(arc, x, y, side, wide) > self.tolerance:
                own = self._excess(x, y, side, wide)
                if own < excess:
                    excess, best_x, best_y = own, self.way_x, self.way_y
        self.way_x, self.way_y = best_x, best_y
        return excess <= self.tolerance

    def nearness(self, x: double, y: double, wide: double) -> double:
        """Return how far a point is outside the outline, negative inside.

        The direction in which the nearest stretch of the outline faces is left in `way_x`, `way_y`.
        """
        found = -FAR
        for at in range(0, 5 * self.count, 5):
            after = at + 5 if at + 5 < 5 * self.count else 0
            dx = x - self.arcs[at]
            dy = y - self.arcs[at + 1]
            radius = self.arcs[at + 2] + wide
            nx = self.arcs[at + 3]
            ny = self.arcs[at + 4]
            out = dx * nx + dy * ny - radius
            if out > found:
                found, self.way_x, self.way_y = out, nx, ny
            length = sqrt(dx * dx + dy * dy)
            # Next to a sharp corner rounding decides which way a point lies: there the edges tell.
            ahead = min(nx * dy - ny * dx, dx * self.arcs[after + 4] - dy * self.arcs[after + 3])
            if length - radius > found and length > TOUCHING_DEPTH_INCHES and ahead >= -ROUNDING * length:
                found, self.way_x, self.way_y = length - radius, dx / length, dy / length
        return found

    def _toward(self, arc: Py_ssize_t, x: double, y: double, side: double, wide: double) -> double:
        """Find the way from a point to a tangent of an arc's circle.

        The way is kept in `way_x`, `way_y`. What is returned is how far the circle's middle is from the
        point.
        """
        dx = self.arcs[5 * arc] - x
        dy = self.arcs[5 * arc + 1] - y
        apart = sqrt(dx * dx + dy * dy)
        length = apart if apart > ROUNDING else ROUNDING
        sine = (self.arcs[5 * arc + 2] + wide) / length
        sine = side * (1.0 if sine > 1.0 else sine)
        cosine = sqrt(1.0 - sine * sine)
        dx /= length
        dy /= length
        self.way_x = cosine * dx - sine * dy
        self.way_y = cosine * dy + sine * dx
        return apart

    def _excess(self, x: double, y: double, side: double, wide: double) -> double:
        """Return how far the outline reaches over a line, or falls short of it.

        The line runs from a point along `way_x`, `way_y`.
        """
        nx = -side * self.way_y
        ny = side * self.way_x
        if nx == 0.0 and ny == 0.0:
            return FAR
        over = self.support(nx, ny) + wide - (x * nx + y * ny)
        return over if over >= 0.0 else -over

    def _inner(self) -> double:
        """Return the radius of the greatest disc about the origin in the shape, 0 for none."""
        found = FAR
        for arc in range(self.count):
            x = self.arcs[5 * arc]
            y = self.arcs[5 * arc + 1]
            radius = self.arcs[5 * arc + 2]
            least = x * self.arcs[5 * arc + 3] + y * self.arcs[5 * arc + 4] + radius
            far = sqrt(x * x + y * y)
            if far > 0.0 and self.arc(-x, -y) == arc and radius - far < least:
                least = radius - far
            found = least if least < found else found
        return found if found > 0.0 else 0.0
