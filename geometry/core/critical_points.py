# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The points where curves about a place cross, or come nearest to a place.

Owns these points. Which of them a model takes is `geometry/core/unit_spots.py`'s. Of a `Spot` there are its
place and what a model would have `left` there. Lengths are in inches.
"""

from __future__ import annotations

import cython

from geometry.tolerance import ROUNDING, TOLERANCE

if not cython.compiled:
    from math import sqrt

    from geometry.core.curves import BLOCK, CIRCLE, EDGE, Curves
    from geometry.core.plain import free, realloc, table
    from geometry.core.plain_unit import Spot, SpotTable


@cython.cclass
class CriticalPoints(Curves):
    """Curves, and points on them that lie within reach of a place."""

    def __init__(self) -> None:
        """Begin with no curves."""
        Curves.__init__(self)
        self._spot_room = self.count = 0

    def __dealloc__(self) -> None:
        """Give the memory back."""
        free(self.spots)

    def begin(self, x: cython.double, y: cython.double, reach: cython.double) -> cython.int:
        """Forget all curves and points; points count that lie no farther than `reach` from a place."""
        self.count = 0
        self._reach = reach * reach + ROUNDING
        return self.forget(x, y, reach)

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
                if not are_ends and not -ROUNDING <= foot <= radius + ROUNDING:
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
        """Add the point of each circle and arc that is farthest from a place.

        An edge adds none, as it is farthest at one of its ends.
        """
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

    def least(self) -> cython.Py_ssize_t:
        """Return the row of the spot that leaves least; of equal ones the nearest to the start."""
        best: cython.Py_ssize_t = 0
        i: cython.Py_ssize_t
        for i in range(1, self.count):
            gain: cython.double = self.spots[best].left - self.spots[i].left
            if gain > TOLERANCE or (gain >= -TOLERANCE and self._square(i) < self._square(best)):
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
