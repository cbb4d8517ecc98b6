# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Curves about a place: rims of shapes, circles and lines, as far as they lie within reach.

Owns the tables of curves. Where they cross is `geometry/core/critical_points.py`'s.

The curves of one shape form a rim: whole circles, arcs, and straight edges. Of a `Curve` there are its
`kind`; `x`, `y` and `radius` of a circle, or where an edge begins, and its length; the directions in which an
arc begins and ends to face, or `begin_x`, `begin_y` in which an edge runs; and a circle that holds the curve.
Of a `Rim` there are its `first` curve and a circle that holds all of its curves, which go on to the first of
the next rim. Lengths are in inches.
"""

from __future__ import annotations

import cython

from geometry.tolerance import DIRECTION_SLACK_RADIANS, PLACE_SLACK_INCHES, ROUNDING, SLIVER_INCHES

if not cython.compiled:
    from math import sqrt

    from geometry.core.numeric import rotated, turned
    from geometry.core.plain import ArcTable, free, realloc, table
    from geometry.core.plain_unit import Curve, CurveTable, Rim, RimTable
    from geometry.core.shapes import Shapes

CIRCLE = 1
ARC = cython.declare(cython.int, 2)
EDGE = 3
BLOCK = 8
"""The number of curves that stand in one circle, to be passed over together."""
FULL_TURN = cython.declare(cython.double, 6.283185307179586)


@cython.cclass
class Curves:
    """Curves that come within reach of a place."""

    def __init__(self) -> None:
        """Begin with no curves."""
        self._curve_room = self._rim_room = 0
        self.curve_count = self.rim_count = 0

    def __dealloc__(self) -> None:
        """Give the memory back."""
        free(self.curves)
        free(self.rims)

    def forget(self, x: cython.double, y: cython.double, reach: cython.double) -> cython.int:
        """Forget all curves; those count from now on that come no farther than `reach` from a place."""
        self.curve_count = self.rim_count = 0
        self._start_x, self._start_y = x, y
        # More than the root of what points are held against, for any reach.
        self._far = reach + SLIVER_INCHES
        self._reserve_rims()
        self.rims[0].first = 0
        return 0

    def _reserve_rims(self) -> cython.int:
        """Make room for one more rim, and for where that ends."""
        if self.rim_count + 2 <= self._rim_room:
            return 0
        room: cython.Py_ssize_t = max(2 * self._rim_room, 64)
        if not cython.compiled:
            self.rims: RimTable = table(Rim, room, self.rims if self._rim_room else None)
        else:
            self.rims = cython.cast(RimTable, realloc(self.rims, room * cython.sizeof(Rim)))
            if not self.rims:
                raise MemoryError
        self._rim_room = room
        return 0

    def _add(self, kind: cython.int, x: cython.double, y: cython.double, radius: cython.double) -> cython.int:
        """Add a curve to the rim that is open, and return its row."""
        row: cython.Py_ssize_t = self.curve_count
        if row == self._curve_room:
            room: cython.Py_ssize_t = max(2 * self._curve_room, 256)
            if not cython.compiled:
                self.curves: CurveTable = table(Curve, room, self.curves if self._curve_room else None)
            else:
                self.curves = cython.cast(CurveTable, realloc(self.curves, room * cython.sizeof(Curve)))
                if not self.curves:
                    raise MemoryError
            self._curve_room = room
        self.curve_count += 1
        self.curves[row].kind = kind
        self.curves[row].x, self.curves[row].y, self.curves[row].radius = x, y, radius
        return row

    def reaches(self, x: cython.double, y: cython.double, radius: cython.double) -> cython.bint:
        """Return whether points in a circle may lie within reach."""
        off_x: cython.double = x - self._start_x
        off_y: cython.double = y - self._start_y
        about: cython.double = radius + self._far
        return off_x * off_x + off_y * off_y <= about * about

    def add_circle(self, x: cython.double, y: cython.double, radius: cython.double) -> cython.int:
        """Add a whole circle as a rim of its own, if some of it may lie within reach."""
        off_x: cython.double = x - self._start_x
        off_y: cython.double = y - self._start_y
        far: cython.double = sqrt(off_x * off_x + off_y * off_y)
        if radius > PLACE_SLACK_INCHES and max(far - radius, radius - far) <= self._far:
            row: cython.Py_ssize_t = self._add(CIRCLE, x, y, radius)
            self.curves[row].middle_x, self.curves[row].middle_y = x, y
            self.curves[row].reach = radius
            self.curves[row].begin_x, self.curves[row].begin_y = 1.0, 0.0
            self.close_rim()
        return 0

    def add_line(
        self, ax: cython.double, ay: cython.double, bx: cython.double, by: cython.double
    ) -> cython.int:
        """Add a straight line as a rim of its own."""
        self.add_edge(ax, ay, bx, by, ax, ay, 0.0)
        return self.close_rim()

    def add_shape(
        self,
        shapes: Shapes,
        row: cython.Py_ssize_t,
        x: cython.double,
        y: cython.double,
        margin: cython.double,
        focus_x: cython.double,
        focus_y: cython.double,
        near: cython.double,
    ) -> cython.int:
        """Add the rim of a shape, moved by (x, y) and grown, where it comes near to a focus."""
        arcs: ArcTable = shapes.shapes[row].arcs
        first: cython.Py_ssize_t = shapes.shapes[row].first
        if shapes.shapes[row].count == 1:
            radius: cython.double = arcs[first].radius + margin
            off_x: cython.double = arcs[first].centre_x + x - focus_x
            off_y: cython.double = arcs[first].centre_y + y - focus_y
            far: cython.double = sqrt(off_x * off_x + off_y * off_y) - radius
            if -near <= far <= near:
                self.add_circle(arcs[first].centre_x + x, arcs[first].centre_y + y, radius)
            return 0
        off_x = shapes.shapes[row].middle_x + x
        off_y = shapes.shapes[row].middle_y + y
        about: cython.double = shapes.shapes[row].reach + max(margin, 0.0) + ROUNDING
        if not self._is_within(off_x - focus_x, off_y - focus_y, about + near) or not self._is_within(
            off_x - self._start_x, off_y - self._start_y, about + self._far
        ):
            return 0
        i: cython.Py_ssize_t
        for i in range(first, first + shapes.shapes[row].count):
            self._add_arc(arcs, i, x, y, margin, focus_x, focus_y, near)
            if arcs[i].edge > 0.0:
                j: cython.Py_ssize_t = arcs[i].following
                self.add_edge(
                    arcs[i].centre_x + x + (arcs[i].radius + margin) * arcs[i].end_x,
                    arcs[i].centre_y + y + (arcs[i].radius + margin) * arcs[i].end_y,
                    arcs[j].centre_x + x + (arcs[j].radius + margin) * arcs[j].begin_x,
                    arcs[j].centre_y + y + (arcs[j].radius + margin) * arcs[j].begin_y,
                    focus_x,
                    focus_y,
                    near,
                )
        return self.close_rim()

    def _add_arc(
        self,
        arcs: ArcTable,
        arc: cython.Py_ssize_t,
        x: cython.double,
        y: cython.double,
        margin: cython.double,
        focus_x: cython.double,
        focus_y: cython.double,
        near: cython.double,
    ) -> cython.int:
        """Add an arc to the rim that is open, if it comes near to a focus and within reach."""
        radius: cython.double = arcs[arc].radius + margin
        if radius <= PLACE_SLACK_INCHES:
            return 0
        x += arcs[arc].centre_x
        y += arcs[arc].centre_y
        half_x: cython.double = (arcs[arc].begin_x + arcs[arc].end_x) / 2
        half_y: cython.double = (arcs[arc].begin_y + arcs[arc].end_y) / 2
        cosine: cython.double = arcs[arc].begin_x * arcs[arc].end_x + arcs[arc].begin_y * arcs[arc].end_y
        middle_x: cython.double = x
        middle_y: cython.double = y
        reach: cython.double = radius
        if cosine > 0.0:
            # The chord's middle holds an arc of less than a quarter turn within half the chord and the rise.
            middle_x, middle_y = x + radius * half_x, y + radius * half_y
            chord: cython.double = sqrt(max((1.0 - cosine) / 2, 0.0))
            reach = radius * (chord + 1.0 - sqrt((1.0 + cosine) / 2))
        if not self._is_within(middle_x - focus_x, middle_y - focus_y, reach + near):
            return 0
        if not self._is_within(middle_x - self._start_x, middle_y - self._start_y, reach + self._far):
            return 0
        row: cython.Py_ssize_t = self._add(ARC, x, y, radius)
        self.curves[row].begin_x, self.curves[row].begin_y = arcs[arc].begin_x, arcs[arc].begin_y
        self.curves[row].end_x, self.curves[row].end_y = arcs[arc].end_x, arcs[arc].end_y
        self.curves[row].middle_x, self.curves[row].middle_y = middle_x, middle_y
        self.curves[row].reach = reach
        return 0

    def _is_within(self, x: cython.double, y: cython.double, far: cython.double) -> cython.bint:
        """Return whether a vector is no longer than a length."""
        return x * x + y * y <= far * far

    def add_edge(
        self,
        ax: cython.double,
        ay: cython.double,
        bx: cython.double,
        by: cython.double,
        focus_x: cython.double,
        focus_y: cython.double,
        near: cython.double,
    ) -> cython.int:
        """Add a straight edge to the rim that is open, if it comes near to a focus."""
        along_x: cython.double = bx - ax
        along_y: cython.double = by - ay
        length: cython.double = sqrt(along_x * along_x + along_y * along_y)
        if length <= PLACE_SLACK_INCHES:
            return 0
        along_x /= length
        along_y /= length
        foot: cython.double = (focus_x - ax) * along_x + (focus_y - ay) * along_y
        foot = min(max(foot, 0.0), length)
        off_x: cython.double = ax + foot * along_x - focus_x
        off_y: cython.double = ay + foot * along_y - focus_y
        if off_x * off_x + off_y * off_y > near * near:
            return 0
        row: cython.Py_ssize_t = self._add(EDGE, ax, ay, length)
        self.curves[row].begin_x, self.curves[row].begin_y = along_x, along_y
        self.curves[row].middle_x, self.curves[row].middle_y = (ax + bx) / 2, (ay + by) / 2
        self.curves[row].reach = length / 2
        return 0

    def close_rim(self) -> cython.int:
        """End the rim that is open, with a circle that holds it; a rim of no curves is none."""
        first: cython.Py_ssize_t = self.rims[self.rim_count].first
        count: cython.Py_ssize_t = self.curve_count - first
        if count <= 0:
            return 0
        x: cython.double = 0.0
        y: cython.double = 0.0
        i: cython.Py_ssize_t
        for i in range(first, self.curve_count):
            x += self.curves[i].middle_x
            y += self.curves[i].middle_y
        x /= count
        y /= count
        reach: cython.double = 0.0
        for i in range(first, self.curve_count):
            off_x: cython.double = self.curves[i].middle_x - x
            off_y: cython.double = self.curves[i].middle_y - y
            reach = max(reach, sqrt(off_x * off_x + off_y * off_y) + self.curves[i].reach)
        self.rims[self.rim_count].x, self.rims[self.rim_count].y = x, y
        self.rims[self.rim_count].reach = reach
        self.close_blocks(first)
        self.rim_count += 1
        self._reserve_rims()
        self.rims[self.rim_count].first = self.curve_count
        return 0

    def close_blocks(self, first: cython.Py_ssize_t) -> cython.int:
        """Note circles that hold the curves of the last rim, block by block."""
        # A range with steps that are no plain number is no C loop.
        block: cython.Py_ssize_t = first
        while block < self.curve_count:
            self._close_block(block, min(block + BLOCK, self.curve_count))
            block += BLOCK
        return 0

    def _close_block(self, first: cython.Py_ssize_t, last: cython.Py_ssize_t) -> cython.int:
        """Note a circle that holds the curves from one to before another."""
        x: cython.double = self.curves[(first + last) >> 1].middle_x
        y: cython.double = self.curves[(first + last) >> 1].middle_y
        reach: cython.double = 0.0
        i: cython.Py_ssize_t
        for i in range(first, last):
            off_x: cython.double = self.curves[i].middle_x - x
            off_y: cython.double = self.curves[i].middle_y - y
            reach = max(reach, sqrt(off_x * off_x + off_y * off_y) + self.curves[i].reach)
        self.curves[first].block_x, self.curves[first].block_y = x, y
        self.curves[first].block = reach
        return 0

    def _faces(self, curve: cython.Py_ssize_t, x: cython.double, y: cython.double) -> cython.bint:
        """Return whether a circle or arc faces in a direction, of any length."""
        if self.curves[curve].kind == CIRCLE:
            return True
        slack: cython.double = -DIRECTION_SLACK_RADIANS * sqrt(x * x + y * y)
        begin_x: cython.double = self.curves[curve].begin_x
        begin_y: cython.double = self.curves[curve].begin_y
        end_x: cython.double = self.curves[curve].end_x
        end_y: cython.double = self.curves[curve].end_y
        if begin_x * y - begin_y * x < slack or x * end_y - y * end_x < slack:
            return False
        return x * (begin_x + end_x) + y * (begin_y + end_y) > slack

    def along(self, curve: cython.Py_ssize_t, share: cython.double) -> tuple[cython.double, cython.double]:
        """Return the point at a share of a curve, 0 where it begins, 1 where it ends."""
        radius: cython.double = self.curves[curve].radius
        x: cython.double = self.curves[curve].begin_x
        y: cython.double = self.curves[curve].begin_y
        if self.curves[curve].kind == EDGE:
            return self.curves[curve].x + share * radius * x, self.curves[curve].y + share * radius * y
        sweep: cython.double = FULL_TURN
        if self.curves[curve].kind == ARC:
            sweep = turned(x, y, self.curves[curve].end_x, self.curves[curve].end_y)
        x, y = rotated(x, y, share * sweep)
        return self.curves[curve].x + radius * x, self.curves[curve].y + radius * y
