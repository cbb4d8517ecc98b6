# cython: infer_types=True
"""Whether some line from one body to another is free of all that comes between, exactly.

Owns the search: a few lines first, then the critical lines, through two corners or through a corner and
tangent to a body. A free line can be slid until it is one of these. What passes over low parts and under
raised ones only is `geometry.core.sight_height`'s.
"""

from __future__ import annotations

from array import array

import cython
from cython import Py_ssize_t, bint, double
from cython.cimports.libc.math import sqrt

if not cython.compiled:
    from geometry.core.sight_bodies import UprightBodies
    from geometry.core.sight_land import SightLand
    from geometry.core.sight_pair import SightPair


class FreeLine:
    """The search for a free line between the bodies of a pair.

    The pair knows what lies between them.
    """

    def __init__(self, pair: SightPair) -> None:
        """Take the pair; it may turn to other bodies later."""
        self.pair = pair
        self.land: SightLand = pair.land
        self.q: UprightBodies = pair.q
        self.p: UprightBodies = pair.p
        room = self.land.corners + 4 * self.land.borders
        self.at_x, self.at_y = array("d", bytes(8 * room)), array("d", bytes(8 * room))
        self.present = array("i", bytes(4 * (self.land.pieces + 1)))
        self.points = self.last_shut = 0
        self.from_far = self.to_far = self.some_low = self.loose = False
        self.start_x = self.start_y = self.end_x = self.end_y = self.start_z = self.end_z = 0.0
        self.tried: list[tuple[float, float, float, float]] = []

    def is_free(self) -> bint:
        """Return whether a line is free; it is left as `start_x` to `end_z`.

        Outlines that overlap always have one, unless something lies between the bodies like a lid. `tried`
        and `points` tell what was asked where only lines over low parts are left; `some_low` whether so.
        """
        pair = self.pair
        self.start_z, self.end_z = pair.eye_top, pair.goal_top
        self.from_far = self.to_far = self.some_low = self.loose = False
        self.last_shut = 0
        for row in range(pair.count):
            if pair.lid[row]:
                self.some_low = False
                return False
            if pair.is_partial(row):
                self.some_low = True
            if pair.closes[row]:
                self.from_far = self.from_far or pair.high[row] < 1.0
                self.to_far = self.to_far or pair.low[row] > 0.0
        if self.q.overlaps(pair.i, self.p, pair.j):
            self.some_low = False
            self.chords(pair.qx, pair.qy, pair.ex, pair.ey, False)
            self.start_x, self.start_y = self.near_qx, self.near_qy
            self.end_x, self.end_y = self.near_px, self.near_py
            return True
        if self._first_lines():
            return True
        if self.some_low:
            self.tried = []
        self.find_points()
        if self._critical_lines():
            return True
        self.some_low = self.some_low and self.loose
        return False

    def chords(self, x: double, y: double, ux: double, uy: double, within: bint) -> bint:
        """Return whether a line touches both bodies; keep its near and far ends in them.

        With `within` it must touch the discs within the bodies.
        """
        if within:
            if not self.q.chord_within(self.pair.i, x, y, ux, uy):
                return False
            if not self.p.chord_within(self.pair.j, x, y, ux, uy):
                return False
        elif not (self.q.chord(self.pair.i, x, y, ux, uy) and self.p.chord(self.pair.j, x, y, ux, uy)):
            return False
        near_q = self.q.high
        far_q = self.q.low
        near_p = self.p.low
        far_p = self.p.high
        if near_p + far_p < near_q + far_q:
            near_q, far_q, near_p, far_p = far_q, near_q, far_p, near_p
        self.near_qx, self.near_qy = x + near_q * ux, y + near_q * uy
        self.far_qx, self.far_qy = x + far_q * ux, y + far_q * uy
        self.near_px, self.near_py = x + near_p * ux, y + near_p * uy
        self.far_px, self.far_py = x + far_p * ux, y + far_p * uy
        return True

    def shuts(self, row: Py_ssize_t, sx: double, sy: double, ex: double, ey: double) -> bint:
        """Return whether what lies between as `row` closes a stretch on its share of it."""
        pair = self.pair
        low = pair.low[row]
        high = pair.high[row]
        dx = ex - sx
        dy = ey - sy
        if high < 1.0:
            ex, ey = sx + high * dx, sy + high * dy
        if low > 0.0:
            sx, sy = sx + low * dx, sy + low * dy
        return self.land.cut(pair.part[row], sx, sy, ex, ey)

    def line_is_free(self, x: double, y: double, ux: double, uy: double) -> bint:
        """Return whether a line meets both bodies and is free between them; it is left where it is."""
        if not self.chords(x, y, ux, uy, False):
            return False
        if self.some_low:
            self.tried.append((x, y, ux, uy))
        return self._chords_are_free()

    def joins(self, sx: double, sy: double, ex: double, ey: double) -> bint:
        """Return whether the line through two points is free between the bodies."""
        dx = ex - sx
        dy = ey - sy
        length = sqrt(dx * dx + dy * dy)
        if length <= self.land.tolerance:
            return False
        return self.line_is_free(sx, sy, dx / length, dy / length)

    def _chords_are_free(self) -> bint:
        """Return whether the line whose chords were found last is free.

        It must be free from near rim to near rim. Where the way runs over something lower than one of the
        bodies, it may instead be free from the far rim of the lower body.
        """
        sx = self.near_qx
        sy = self.near_qy
        ex = self.near_px
        ey = self.near_py
        if not self._stretch_is_free(sx, sy, ex, ey):
            if not (self.from_far or self.to_far):
                return False
            if self.from_far:
                sx, sy = self.far_qx, self.far_qy
            if self.to_far:
                ex, ey = self.far_px, self.far_py
            if not self._stretch_is_free(sx, sy, ex, ey):
                return False
        self.start_x, self.start_y, self.end_x, self.end_y = sx, sy, ex, ey
        return True

    def _stretch_is_free(self, sx: double, sy: double, ex: double, ey: double) -> bint:
        """Return whether nothing closes a stretch; `loose` where nothing of full height does."""
        pair = self.pair
        shut = False
        # What has closed one line closes the next one likely.
        last = self.last_shut
        if last < pair.count and pair.is_whole(last) and self.land.cut(pair.part[last], sx, sy, ex, ey):
            return False
        for row in range(pair.count):
            if not pair.closes[row] or not self.shuts(row, sx, sy, ex, ey):
                continue
            self.last_shut = row
            if not self.some_low or pair.is_whole(row):
                return False
            shut = True
        if shut:
            self.loose = True
        return not shut

    def _is_free_within(self, x: double, y: double, ux: double, uy: double) -> bint:
        """Return whether a line meets the discs within both bodies and is free between these."""
        return self.chords(x, y, ux, uy, True) and self._chords_are_free()

    def _first_lines(self) -> bint:
        """Return whether one of five lines between the discs within the bodies is free.

        They run between the middles, along the outer tangents, and along the inner ones.
        """
        pair = self.pair
        rq = self.q.inner[pair.i]
        rp = self.p.inner[pair.j]
        if self._is_free_within(pair.qx, pair.qy, pair.ex, pair.ey):
            return True
        for k in range(4):
            side_q = 1.0 if k == 0 or k == 2 else -1.0
            side_p = 1.0 if k == 0 or k == 3 else -1.0
            cosine = (side_q * rq - side_p * rp) / pair.apart
            cosine = 1.0 if cosine > 1.0 else -1.0 if cosine < -1.0 else cosine
            sine = sqrt(1.0 - cosine * cosine)
            nx = cosine * pair.ex - sine * pair.ey
            ny = cosine * pair.ey + sine * pair.ex
            if self._is_free_within(pair.qx + side_q * rq * nx, pair.qy + side_q * rq * ny, ny, -nx):
                return True
        return False

    def find_points(self) -> None:
        """Find the points on which a free line may be stuck.

        They are corners, and the points where borders cross the rims of the bodies.
        """
        pair = self.pair
        land = self.land
        for k in range(land.pieces):
            self.present[k] = 0
        for row in range(pair.count):
            self.present[land.owner[pair.part[row]]] = 1
        self.points = 0
        widest = pair.widest + land.tolerance
        for k in range(land.corners):
            if not self.present[land.point_owner[k]]:
                continue
            dx = land.point_x[k] - pair.qx
            dy = land.point_y[k] - pair.qy
            along = dx * pair.ex + dy * pair.ey
            along = 0.0 if along < 0.0 else pair.apart if along > pair.apart else along
            dx -= along * pair.ex
            dy -= along * pair.ey
            if dx * dx + dy * dy > widest * widest:
                continue
            self.at_x[self.points], self.at_y[self.points] = land.point_x[k], land.point_y[k]
            self.points += 1
        for piece in range(land.pieces):
            if self.present[piece]:
                for k in range(land.border_first[piece], land.border_first[piece + 1]):
                    self._add_crossings(self.q, pair.i, k)
                    self._add_crossings(self.p, pair.j, k)

    def _add_crossings(self, bodies: UprightBodies, body: Py_ssize_t, border: Py_ssize_t) -> None:
        """Add the points where a border crosses the rim of a body."""
        land = self.land
        for k in range(
            bodies.crossings(
                body, land.start_x[border], land.start_y[border], land.end_x[border], land.end_y[border]
            )
        ):
            self.at_x[self.points], self.at_y[self.points] = (
                bodies.crossing[2 * k],
                bodies.crossing[2 * k + 1],
            )
            self.points += 1

    def _critical_lines(self) -> bint:
        """Return whether some critical line is free.

        It runs through a point and is tangent to a body, or it runs through two points.
        """
        for i in range(self.points):
            if self._tangents_from(i, self.q, self.pair.i) or self._tangents_from(i, self.p, self.pair.j):
                return True
        for i in range(self.points):
            x = self.at_x[i]
            y = self.at_y[i]
            for j in range(i + 1, self.points):
                dx = self.at_x[j] - x
                dy = self.at_y[j] - y
                length = sqrt(dx * dx + dy * dy)
                if length <= self.land.tolerance or not self._comes_near(x, y, dx, dy, length):
                    continue
                if self.line_is_free(x, y, dx / length, dy / length):
                    return True
        return False

    def _tangents_from(self, k: Py_ssize_t, bodies: UprightBodies, row: Py_ssize_t) -> bint:
        """Return whether a line through a point and tangent to a body is free."""
        x = self.at_x[k]
        y = self.at_y[k]
        if not bodies.has_tangents(row, x, y):
            return False
        if not bodies.tangent(row, x, y, 1.0):
            return False
        ux = bodies.way_x
        uy = bodies.way_y
        if not bodies.tangent(row, x, y, -1.0):
            return False
        dx = bodies.way_x
        dy = bodies.way_y
        if self._comes_near(x, y, ux, uy, 1.0) and self.line_is_free(x, y, ux, uy):
            return True
        return self._comes_near(x, y, dx, dy, 1.0) and self.line_is_free(x, y, dx, dy)

    def _comes_near(self, x: double, y: double, ux: double, uy: double, length: double) -> bint:
        """Return whether a line along a way of this length meets the circles round both bodies."""
        pair = self.pair
        tolerance = self.land.tolerance
        aside = (pair.qx - x) * uy - (pair.qy - y) * ux
        reach = (self.q.reach[pair.i] + tolerance) * length
        if aside > reach or -aside > reach:
            return False
        aside = (pair.px - x) * uy - (pair.py - y) * ux
        reach = (self.p.reach[pair.j] + tolerance) * length
        return -reach <= aside <= reach
