# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The points where curves about a place cross, or come nearest to a place.

Owns curves and their points. Which point a model takes is `geometry/core/unit_spots.py`'s.

The curves of one shape form a rim: whole circles, arcs, and straight edges. Of a `Curve` there are its
`kind`; `x`, `y` and `radius` of a circle, or where an edge begins, and its length; the directions in which an
arc begins and ends to face, or `begin_x`, `begin_y` in which an edge runs; and a circle that holds the curve.
Of a `Rim` there are its `first` curve and a circle that holds all of its curves, which go on to the first of
the next rim. Of a `Spot` there are its place and what a model would have `left` there. Lengths are in inches.
"""

from __future__ import annotations

import cython

if not cython.compiled:
    from math import sqrt

    from geometry.core.numeric import rotated, turned
    from geometry.core.plain import ArcTable, free, realloc, table
    from geometry.core.plain_unit import Curve, CurveTable, Rim, RimTable, Spot, SpotTable
    from geometry.core.shapes import Shapes

CIRCLE = 1
ARC = cython.declare(cython.int, 2)
EDGE = 3
SHORT = cython.declare(cython.double, 1e-7)
"""Curves shorter than this, in inches, are none."""
ROUNDING = cython.declare(cython.double, 1e-9)
"""Curves that come so near to one another, in inches, cross."""
FACING_SLACK = cython.declare(cython.double, 1e-7)
"""An arc faces directions that lie so little beyond its ends, in radians."""
FARTHER = cython.declare(cython.double, 1e-4)
"""Curves this far beyond reach, in inches, are still looked at."""
BLOCK = cython.declare(cython.Py_ssize_t, 8)
"""The number of curves that stand in one circle, to be passed over together."""
SAME = cython.declare(cython.double, 1e-6)
"""Spots leave the same that differ by no more than this, in inches."""
FULL_TURN = cython.declare(cython.double, 6.283185307179586)


@cython.cclass
class CriticalPoints:
    """Curves, and points on them that lie within reach of a place."""

    def __init__(self) -> None:
        """Begin with no curves."""
        self._curve_room = self._rim_room = self._spot_room = 0
        self.curve_count = self.rim_count = self.count = 0

    def __dealloc__(self) -> None:
        """Give the memory back."""
        free(self.curves)
        free(self.rims)
        free(self.spots)

    def begin(self, x: cython.double, y: cython.double, reach: cython.double) -> cython.int:
        """Forget all curves and points; points count that lie no farther than `reach` from a place."""
        self.curve_count = self.rim_count = self.count = 0
        self._start_x, self._start_y = x, y
        self._reach = reach * reach + ROUNDING
        # More than the root of that for any reach.
        self._far = reach + FARTHER
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

    def offer(self, x: cython.double, y: cython.double) -> cython.int:
        """Add a point, if it lies within reach."""
        off_x: cython.double = x - self._start_x
        off_y: cython.double = y - self._start_y
        if off_x * off_x + off_y * off_y > self._reach:
            return 0
        row: cython.Py_ssize_t = self.count
        if row == self._spot_room:
            room: cython.Py_ssize_t = max(2 * self._spot_room, 512)
            if not cython.compiled:
                self.spots: SpotTable = table(Spot, room, self.spots if self._spot_room else None)
            else:
                self.spots = cython.cast(SpotTable, realloc(self.spots, room * cython.sizeof(Spot)))
                if not self.spots:
                    raise MemoryError
            self._spot_room = room
        self.spots[row].x, self.spots[row].y = x, y
        self.count += 1
        return 0

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
        if radius > SHORT and max(far - radius, radius - far) <= self._far:
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
        if radius <= SHORT:
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
        if length <= SHORT:
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
        slack: cython.double = -FACING_SLACK * sqrt(x * x + y * y)
        begin_x: cython.double = self.curves[curve].begin_x
        begin_y: cython.double = self.curves[curve].begin_y
        end_x: cython.double = self.curves[curve].end_x
        end_y: cython.double = self.curves[curve].end_y
        if begin_x * y - begin_y * x < slack or x * end_y - y * end_x < slack:
            return False
        return x * (begin_x + end_x) + y * (begin_y + end_y) > slack

    def offer_nearest(self, x: cython.double, y: cython.double) -> cython.int:
        """Add the point of each curve that is nearest to a place."""
        return self.offer_nearest_on(0, self.curve_count, x, y, True)

    def offer_nearest_on(
        self,
        first: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
        x: cython.double,
        y: cython.double,
        are_ends: cython.bint,
    ) -> cython.int:
        """Add the point of some curves nearest to a place; ends of edges only if wanted.

        Else where an edge that leads nearer crosses the next one, which leads farther off.
        """
        i: cython.Py_ssize_t
        leads_nearer: cython.bint = False
        for i in range(first, end):
            off_x: cython.double = x - self.curves[i].x
            off_y: cython.double = y - self.curves[i].y
            radius: cython.double = self.curves[i].radius
            if self.curves[i].kind == EDGE:
                foot: cython.double = off_x * self.curves[i].begin_x + off_y * self.curves[i].begin_y
                if leads_nearer and not are_ends and foot < radius / 2:
                    self.cross(i - 1, i)
                leads_nearer = foot > radius / 2
                if not are_ends and not 0.0 < foot < radius:
                    continue
                foot = min(max(foot, 0.0), radius)
                self.offer(
                    self.curves[i].x + foot * self.curves[i].begin_x,
                    self.curves[i].y + foot * self.curves[i].begin_y,
                )
                continue
            leads_nearer = False
            far: cython.double = sqrt(off_x * off_x + off_y * off_y)
            if far > ROUNDING and self._faces(i, off_x, off_y):
                self.offer(self.curves[i].x + radius * off_x / far, self.curves[i].y + radius * off_y / far)
        return 0

    def offer_farthest(self, x: cython.double, y: cython.double) -> cython.int:
        """Add the point of each circle and arc that is farthest from a place; an edge is so at its ends."""
        i: cython.Py_ssize_t
        for i in range(self.curve_count):
            off_x: cython.double = self.curves[i].x - x
            off_y: cython.double = self.curves[i].y - y
            far: cython.double = sqrt(off_x * off_x + off_y * off_y)
            if self.curves[i].kind != EDGE and far > ROUNDING and self._faces(i, off_x, off_y):
                share: cython.double = self.curves[i].radius / far
                self.offer(self.curves[i].x + share * off_x, self.curves[i].y + share * off_y)
        return 0

    def offer_crossings(self) -> cython.int:
        """Add the points where curves of different rims cross."""
        rim: cython.Py_ssize_t
        for rim in range(self.rim_count):
            self.offer_crossings_of(rim)
        return 0

    def offer_crossings_of(self, rim: cython.Py_ssize_t) -> cython.int:
        """Add the points where curves of a rim cross those of the rims before it."""
        other: cython.Py_ssize_t
        for other in range(rim):
            if not self._are_apart(rim, other):
                self._cross_rims(rim, other)
        return 0

    def _are_apart(self, rim: cython.Py_ssize_t, other: cython.Py_ssize_t) -> cython.bint:
        """Return whether two rims are seen at once not to cross."""
        off_x: cython.double = self.rims[other].x - self.rims[rim].x
        off_y: cython.double = self.rims[other].y - self.rims[rim].y
        square: cython.double = off_x * off_x + off_y * off_y
        both: cython.double = self.rims[rim].reach + self.rims[other].reach + ROUNDING
        if square > both * both:
            return True
        # What lies wholly within a circle does not cross it.
        room: cython.double = self.rims[rim].reach - self.rims[other].reach
        wider: cython.Py_ssize_t = rim
        if room < 0.0:
            room, wider = -room, other
        room -= 4 * ROUNDING
        return self.curves[self.rims[wider].first].kind == CIRCLE and room > 0.0 and square < room * room

    def _cross_rims(self, rim: cython.Py_ssize_t, other: cython.Py_ssize_t) -> cython.int:
        """Add the points where the curves of two rims cross."""
        i: cython.Py_ssize_t
        k: cython.Py_ssize_t
        block: cython.Py_ssize_t
        last: cython.Py_ssize_t = self.rims[other + 1].first
        for i in range(self.rims[rim].first, self.rims[rim + 1].first):
            x: cython.double = self.curves[i].middle_x
            y: cython.double = self.curves[i].middle_y
            near: cython.double = self.rims[other].reach + self.curves[i].reach + ROUNDING
            if not self._is_within(self.rims[other].x - x, self.rims[other].y - y, near):
                continue
            block = self.rims[other].first
            while block < last:
                after: cython.Py_ssize_t = min(block + BLOCK, last)
                about: cython.double = self.curves[block].block + self.curves[i].reach + ROUNDING
                if self._is_within(self.curves[block].block_x - x, self.curves[block].block_y - y, about):
                    for k in range(block, after):
                        self.cross(i, k)
                block = after
        return 0

    def cross(self, one: cython.Py_ssize_t, other: cython.Py_ssize_t) -> cython.int:
        """Add the points where two curves cross."""
        off_x: cython.double = self.curves[other].middle_x - self.curves[one].middle_x
        off_y: cython.double = self.curves[other].middle_y - self.curves[one].middle_y
        if not self._is_within(off_x, off_y, self.curves[other].reach + self.curves[one].reach + ROUNDING):
            return 0
        if self.curves[one].kind != EDGE and self.curves[other].kind != EDGE:
            return self._cross_arcs(one, other)
        if self.curves[one].kind != EDGE:
            return self._cross_arc_and_edge(one, other)
        if self.curves[other].kind != EDGE:
            return self._cross_arc_and_edge(other, one)
        return self._cross_edges(one, other)

    def _cross_arcs(self, one: cython.Py_ssize_t, other: cython.Py_ssize_t) -> cython.int:
        """Add the points where two circles or arcs cross."""
        x: cython.double = self.curves[one].x
        y: cython.double = self.curves[one].y
        off_x: cython.double = self.curves[other].x - x
        off_y: cython.double = self.curves[other].y - y
        square: cython.double = off_x * off_x + off_y * off_y
        both: cython.double = self.curves[one].radius + self.curves[other].radius
        apart: cython.double = self.curves[one].radius - self.curves[other].radius
        if (
            square <= ROUNDING * ROUNDING
            or square > both * both + ROUNDING
            or square < apart * apart - ROUNDING
        ):
            return 0
        along: cython.double = (square + both * apart) / (2.0 * square)
        aside: cython.double = self.curves[one].radius * self.curves[one].radius / square - along * along
        aside = sqrt(max(aside, 0.0))
        for _ in range(2):
            at_x: cython.double = along * off_x - aside * off_y
            at_y: cython.double = along * off_y + aside * off_x
            if self._faces(one, at_x, at_y) and self._faces(other, at_x - off_x, at_y - off_y):
                self.offer(x + at_x, y + at_y)
            aside = -aside
        return 0

    def _cross_arc_and_edge(self, arc: cython.Py_ssize_t, edge: cython.Py_ssize_t) -> cython.int:
        """Add the points where a circle or arc crosses a straight edge."""
        along_x: cython.double = self.curves[edge].begin_x
        along_y: cython.double = self.curves[edge].begin_y
        off_x: cython.double = self.curves[arc].x - self.curves[edge].x
        off_y: cython.double = self.curves[arc].y - self.curves[edge].y
        radius: cython.double = self.curves[arc].radius
        foot: cython.double = off_x * along_x + off_y * along_y
        aside: cython.double = off_x * along_y - off_y * along_x
        if aside * aside > radius * radius + ROUNDING:
            return 0
        half: cython.double = sqrt(max(radius * radius - aside * aside, 0.0))
        side: cython.int
        for side in range(2):
            far: cython.double = foot - half if side == 0 else foot + half
            if -ROUNDING <= far <= self.curves[edge].radius + ROUNDING:
                x: cython.double = self.curves[edge].x + far * along_x
                y: cython.double = self.curves[edge].y + far * along_y
                if self._faces(arc, x - self.curves[arc].x, y - self.curves[arc].y):
                    self.offer(x, y)
        return 0

    def _cross_edges(self, one: cython.Py_ssize_t, other: cython.Py_ssize_t) -> cython.int:
        """Add the point where two straight edges cross."""
        ax: cython.double = self.curves[one].begin_x
        ay: cython.double = self.curves[one].begin_y
        bx: cython.double = self.curves[other].begin_x
        by: cython.double = self.curves[other].begin_y
        across: cython.double = ax * by - ay * bx
        if -ROUNDING < across < ROUNDING:
            return 0
        off_x: cython.double = self.curves[other].x - self.curves[one].x
        off_y: cython.double = self.curves[other].y - self.curves[one].y
        first: cython.double = (off_x * by - off_y * bx) / across
        second: cython.double = (off_x * ay - off_y * ax) / across
        if (
            -ROUNDING <= first <= self.curves[one].radius + ROUNDING
            and -ROUNDING <= second <= self.curves[other].radius + ROUNDING
        ):
            self.offer(self.curves[one].x + first * ax, self.curves[one].y + first * ay)
        return 0

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

    def least(self) -> cython.Py_ssize_t:
        """Return the row of the spot that leaves least; of equal ones the nearest to the start."""
        best: cython.Py_ssize_t = 0
        i: cython.Py_ssize_t
        for i in range(1, self.count):
            gain: cython.double = self.spots[best].left - self.spots[i].left
            if gain > SAME or (gain >= -SAME and self._square(i) < self._square(best)):
                best = i
        return best

    def _square(self, spot: cython.Py_ssize_t) -> cython.double:
        """Return the square of how far a spot is from where the model stands."""
        off_x: cython.double = self.spots[spot].x - self._start_x
        off_y: cython.double = self.spots[spot].y - self._start_y
        return off_x * off_x + off_y * off_y

    def drop(self, spot: cython.Py_ssize_t) -> cython.int:
        """Take a spot out."""
        self.count -= 1
        last: cython.Py_ssize_t = self.count
        self.spots[spot].x, self.spots[spot].y = self.spots[last].x, self.spots[last].y
        self.spots[spot].left = self.spots[last].left
        return 0
