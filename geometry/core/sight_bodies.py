# cython: infer_types=True
"""Upright bodies as columns of numbers: their reach, their chords and their tangents.

Owns the questions about one or two outlines on the table. It knows no terrain. Lengths are inches.
"""

from __future__ import annotations

from array import array

import cython
from cython import Py_ssize_t, bint, double
from cython.cimports.libc.math import sqrt

from geometry.tolerance import ROUNDING

if not cython.compiled:
    from geometry.core.sight_shape import ArcShape


def apart_from(x: double, y: double, sx: double, sy: double, ex: double, ey: double) -> double:
    """Return the distance of a point from a segment."""
    dx = ex - sx
    dy = ey - sy
    square = dx * dx + dy * dy
    share = ((x - sx) * dx + (y - sy) * dy) / square if square > 0.0 else 0.0
    share = 0.0 if share < 0.0 else 1.0 if share > 1.0 else share
    dx = x - sx - share * dx
    dy = y - sy - share * dy
    return sqrt(dx * dx + dy * dy)


class UprightBodies:
    """Bodies whose outlines are all within `radius` of a shape, or of a point, at (x, y).

    They stand between the heights `foot` and `top`. `reach` and `inner` are the radii of the discs about
    their middles that hold them and that they hold.
    """

    def __init__(
        self,
        columns: tuple[array[float], ...],
        sees_over: array[int],
        sees_out: array[int],
        shapes: list[ArcShape | None],
        tolerance: float,
    ) -> None:
        """Take x, y, radius, foot and top of each body, what it sees past (0 or 1), and its shape."""
        self.x, self.y, self.radius, self.foot, self.top = columns
        self.count = len(shapes)
        self.sees_over, self.sees_out = sees_over, sees_out
        self.shapes = shapes
        self.tolerance = tolerance
        wide = columns[2]
        self.reach = array("d", [r if s is None else r + s.reach for r, s in zip(wide, shapes, strict=True)])
        self.inner = array("d", [r if s is None else r + s.inner for r, s in zip(wide, shapes, strict=True)])
        self.partly = self.wholly = array("i")
        self.beyond = array("Q")
        self.crossing = array("d", bytes(8 * 4))
        self.px = self.py = self.low = self.high = self.way_x = self.way_y = 0.0

    def far(self, row: Py_ssize_t, nx: double, ny: double) -> double:
        """Return how far out a body reaches in a direction, from the corner of the table."""
        shape: ArcShape | None = self.shapes[row]
        found = self.x[row] * nx + self.y[row] * ny + self.radius[row]
        return found if shape is None else found + shape.support(nx, ny)

    def touch(self, row: Py_ssize_t, nx: double, ny: double) -> None:
        """Leave the outermost point of a body in a direction as `px`, `py`."""
        wide = self.radius[row]
        self.px, self.py = self.x[row], self.y[row]
        shape: ArcShape | None = self.shapes[row]
        if shape is not None:
            at = 5 * shape.arc(nx, ny)
            wide += shape.arcs[at + 2]
            self.px += shape.arcs[at]
            self.py += shape.arcs[at + 1]
        self.px += wide * nx
        self.py += wide * ny

    def chord(self, row: Py_ssize_t, x: double, y: double, ux: double, uy: double) -> bint:
        """Return whether a line touches a body; keep its chord from `low` to `high`.

        Both are lengths along the line. Where it misses, they are the places where it comes closest.
        """
        shape: ArcShape | None = self.shapes[row]
        if shape is None:
            return self._disc_chord(row, x, y, ux, uy, self.radius[row])
        dx = self.x[row] - x
        dy = self.y[row] - y
        level = dx * uy - dy * ux
        along = dx * ux + dy * uy
        self.high = along + shape.leave(level, ux, uy, self.radius[row])
        meets = shape.touches
        self.low = along - shape.leave(-level, -ux, -uy, self.radius[row])
        return meets

    def chord_within(self, row: Py_ssize_t, x: double, y: double, ux: double, uy: double) -> bint:
        """Answer as `chord` does for the disc within a body."""
        return self._disc_chord(row, x, y, ux, uy, self.inner[row])

    def _disc_chord(
        self, row: Py_ssize_t, x: double, y: double, ux: double, uy: double, radius: double
    ) -> bint:
        dx = self.x[row] - x
        dy = self.y[row] - y
        level = dx * uy - dy * ux
        along = dx * ux + dy * uy
        square = radius * radius - level * level
        half = sqrt(square) if square > 0.0 else 0.0
        self.low, self.high = along - half, along + half
        return (level if level >= 0.0 else -level) <= radius + self.tolerance

    def crossings(self, row: Py_ssize_t, sx: double, sy: double, ex: double, ey: double) -> Py_ssize_t:
        """Return how often a segment crosses a body's rim; keep the points in `crossing`.

        They are kept as x, y, x, y.
        """
        dx = ex - sx
        dy = ey - sy
        length = sqrt(dx * dx + dy * dy)
        if length <= ROUNDING:
            return 0
        dx /= length
        dy /= length
        if not self.chord(row, sx, sy, dx, dy) or self.high <= self.low:
            return 0
        count = 0
        for k in range(2):
            along = self.low if k == 0 else self.high
            if 0.0 < along < length:
                self.crossing[2 * count] = sx + along * dx
                self.crossing[2 * count + 1] = sy + along * dy
                count += 1
        return count

    def has_tangents(self, row: Py_ssize_t, x: double, y: double) -> bint:
        """Return whether there are tangents from a point to a body: there are none from inside."""
        if self.shapes[row] is not None:
            return not self.holds(row, x, y, -self.tolerance / 2.0)
        dx = self.x[row] - x
        dy = self.y[row] - y
        apart = sqrt(dx * dx + dy * dy)
        return apart >= self.radius[row] - self.tolerance and apart > self.tolerance

    def tangent(self, row: Py_ssize_t, x: double, y: double, side: double) -> bint:
        """Leave the way from a point outside to a tangent (left 1, right -1) as `way_x`, `way_y`.

        Return whether it is real.
        """
        dx = self.x[row] - x
        dy = self.y[row] - y
        shape: ArcShape | None = self.shapes[row]
        if shape is not None:
            real = shape.tangent(-dx, -dy, side, self.radius[row])
            self.way_x, self.way_y = shape.way_x, shape.way_y
            return real
        apart = sqrt(dx * dx + dy * dy)
        sine = self.radius[row] / apart
        sine = side * (1.0 if sine > 1.0 else sine)
        cosine = sqrt(1.0 - sine * sine)
        dx /= apart
        dy /= apart
        self.way_x = cosine * dx - sine * dy
        self.way_y = cosine * dy + sine * dx
        return True

    def holds(self, row: Py_ssize_t, x: double, y: double, margin: double) -> bint:
        """Return whether a point lies within a body, or within the margin of it along its way there."""
        dx = x - self.x[row]
        dy = y - self.y[row]
        apart = sqrt(dx * dx + dy * dy)
        shape: ArcShape | None = self.shapes[row]
        if apart <= self.radius[row] + margin:
            return True
        if shape is None or apart > self.reach[row] + margin + self.tolerance:
            return False
        if apart < self.inner[row] + margin - self.tolerance:
            return True
        if apart <= ROUNDING:
            return shape.leave(0.0, 1.0, 0.0, self.radius[row]) + margin >= apart
        return apart <= shape.leave(0.0, dx / apart, dy / apart, self.radius[row]) + margin

    def overlaps(self, row: Py_ssize_t, other: UprightBodies, column: Py_ssize_t) -> bint:
        """Return whether the outlines of two bodies have more than a border in common."""
        dx = other.x[column] - self.x[row]
        dy = other.y[column] - self.y[row]
        apart = sqrt(dx * dx + dy * dy)
        if apart >= self.reach[row] + other.reach[column] - self.tolerance:
            return False
        if apart < self.inner[row] + other.inner[column] - self.tolerance:
            return True
        one: ArcShape | None = self.shapes[row]
        two: ArcShape | None = other.shapes[column]
        wide = self.radius[row] + other.radius[column]
        if one is None:
            return two is None or two.nearness(-dx, -dy, wide) < -self.tolerance
        if two is None:
            return one.nearness(dx, dy, wide) < -self.tolerance
        # What lies apart along the way of an arc's beginning, or from one arc to another, does not overlap.
        for i in range(0, 5 * one.count, 5):
            nx = one.arcs[i + 3]
            ny = one.arcs[i + 4]
            if one.support(nx, ny) + two.support(-nx, -ny) + wide - (dx * nx + dy * ny) <= self.tolerance:
                return False
        for j in range(0, 5 * two.count, 5):
            nx = -two.arcs[j + 3]
            ny = -two.arcs[j + 4]
            if one.support(nx, ny) + two.support(-nx, -ny) + wide - (dx * nx + dy * ny) <= self.tolerance:
                return False
        for i in range(0, 5 * one.count, 5):
            for j in range(0, 5 * two.count, 5):
                nx = two.arcs[j] + dx - one.arcs[i]
                ny = two.arcs[j + 1] + dy - one.arcs[i + 1]
                apart = sqrt(nx * nx + ny * ny)
                if one.arcs[i + 2] + two.arcs[j + 2] + wide - apart <= self.tolerance and apart > 0.0:
                    nx /= apart
                    ny /= apart
                    if (
                        one.support(nx, ny) + two.support(-nx, -ny) + wide - (dx * nx + dy * ny)
                        <= self.tolerance
                    ):
                        return False
        return True

    def crossed(self, row: Py_ssize_t, sx: double, sy: double, ex: double, ey: double) -> bint:
        """Return whether a segment passes through the inside of a body."""
        x = self.x[row]
        y = self.y[row]
        apart = apart_from(x, y, sx, sy, ex, ey)
        shape: ArcShape | None = self.shapes[row]
        wide = self.radius[row]
        if shape is None:
            return apart - wide < -self.tolerance
        if apart >= self.reach[row]:
            return False
        dx = ex - sx
        dy = ey - sy
        # Each of four bounds tells how far the segment at least is outside.
        best = shape.nearness(sx - x, sy - y, wide)
        step = shape.way_x * dx + shape.way_y * dy
        best += step if step < 0.0 else 0.0
        least = shape.nearness(ex - x, ey - y, wide)
        step = -(shape.way_x * dx + shape.way_y * dy)
        least += step if step < 0.0 else 0.0
        best = least if least > best else best
        length = sqrt(dx * dx + dy * dy)
        if length > ROUNDING:
            nx = -dy / length
            ny = dx / length
            level = (sx - x) * nx + (sy - y) * ny
            least = level - shape.support(nx, ny) - wide
            best = least if least > best else best
            least = -level - shape.support(-nx, -ny) - wide
            best = least if least > best else best
        return best < -self.tolerance
