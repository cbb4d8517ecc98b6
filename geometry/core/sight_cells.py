# cython: infer_types=True
"""The points of one body that several parts together hide from all of another.

Owns the general search for one pair: the lines at which the view of a point changes divide the target into
cells, and points of each cell are asked for a free line. Cells narrower than `SLIVER_INCHES` may be
overlooked; so may cells that the far ends of two low parts' shadows bound together.
"""

from __future__ import annotations

from array import array

import cython
from cython import Py_ssize_t, bint, double
from cython.cimports.libc.math import sqrt

from geometry.tolerance import DIRECTION_SLACK_RADIANS, PLACE_SLACK_INCHES, ROUNDING, SLIVER_INCHES

if not cython.compiled:
    from geometry.core.sight_bodies import UprightBodies
    from geometry.core.sight_land import SightLand
    from geometry.core.sight_pair import FAR, SightPair
    from geometry.core.sight_shadow import Umbra


class Cells:
    """The search of a pair, among those `rows` of what lies between its bodies that are asked."""

    def __init__(self, pair: SightPair, umbra: Umbra) -> None:
        """Take the pair, which may turn to other bodies later."""
        self.pair = pair
        self.land: SightLand = pair.land
        self.q: UprightBodies = pair.q
        self.p: UprightBodies = pair.p
        self.umbra = umbra
        room = 4 * self.land.parts + 1
        self.rows, self.taking, self.spared = [array("i", bytes(4 * room)) for _ in range(3)]
        room = self.land.corners + 2 * self.land.borders + 1
        self.at_x, self.at_y = array("d", bytes(8 * room)), array("d", bytes(8 * room))
        self.nx, self.ny, self.limit = [array("d", bytes(8 * 64)) for _ in range(3)]
        self.present = array("i", bytes(4 * (self.land.pieces + 1)))
        self.owners = array("i", bytes(4 * (self.land.pieces + 1)))
        self.count = self.anchors = self.lines = 0
        self.some_low = self.some_high = False

    def hides(self) -> bint:
        """Return whether the rows hide some point of p from all of q.

        The middle of p is asked first.
        """
        self._find_anchors()
        if self._is_hiding(self.p.x[self.pair.j], self.p.y[self.pair.j]):
            return True
        return self.find_hiding(True)

    def find_hiding(self, first_only: bint) -> bint:
        """Return whether the rows hide some point of p from all of q.

        The owners of the rows that take part are marked in `owners`. With `first_only` the search ends at the
        first hidden point. Points in veils that are `spared` are not asked.
        """
        p = self.p
        j = self.pair.j
        for k in range(self.land.pieces):
            self.owners[k] = 0
        self._find_anchors()
        self._find_lines()
        found = self._is_hiding(p.x[j], p.y[j])
        for i in range(self.lines):
            if found and first_only:
                return True
            found = self._any_hiding_on(i, first_only) or found
            for k in range(i):
                if found and first_only:
                    return True
                found = self._any_hiding_at(i, k, first_only) or found
        return found

    def _find_anchors(self) -> None:
        """Find the points past which a line may graze: corners, and where borders cross q's rim."""
        pair = self.pair
        land = self.land
        self.some_low = self.some_high = False
        for k in range(land.pieces):
            self.present[k] = 0
        for k in range(self.count):
            row = self.rows[k]
            self.present[land.owner[pair.part[row]]] = 1
            self.some_low = self.some_low or pair.low[row] > 0.0
            self.some_high = self.some_high or pair.high[row] < 1.0
        self.anchors = 0
        for k in range(land.corners):
            if self.present[land.point_owner[k]]:
                self.at_x[self.anchors], self.at_y[self.anchors] = land.point_x[k], land.point_y[k]
                self.anchors += 1
        for piece in range(land.pieces):
            if not self.present[piece]:
                continue
            for k in range(land.border_first[piece], land.border_first[piece + 1]):
                for n in range(
                    self.q.crossings(pair.i, land.start_x[k], land.start_y[k], land.end_x[k], land.end_y[k])
                ):
                    self.at_x[self.anchors] = self.q.crossing[2 * n]
                    self.at_y[self.anchors] = self.q.crossing[2 * n + 1]
                    self.anchors += 1

    def _find_lines(self) -> None:
        """Find the lines at which the view of a point changes, those that pass through p."""
        pair = self.pair
        land = self.land
        q = self.q
        self.lines = 0
        for k in range(self.anchors):
            x = self.at_x[k]
            y = self.at_y[k]
            if q.has_tangents(pair.i, x, y):
                for side in range(-1, 2, 2):
                    if q.tangent(pair.i, x, y, side):
                        self._add_line(x, y, q.way_x, q.way_y)
            for m in range(k + 1, self.anchors):
                self._add_line(x, y, self.at_x[m] - x, self.at_y[m] - y)
        for piece in range(land.pieces):
            if self.present[piece]:
                for k in range(land.border_first[piece], land.border_first[piece + 1]):
                    x = land.start_x[k]
                    y = land.start_y[k]
                    self._add_line(x, y, land.end_x[k] - x, land.end_y[k] - y)
        umbra = self.umbra
        for k in range(self.count):
            row = self.rows[k]
            # The sides of other shadows are borders, and tangents to a corner.
            if pair.low[row] > 0.0 or pair.high[row] < 1.0:
                umbra.cast(q, pair.i, pair.part[row], pair.low[row], pair.high[row])
                for m in range(umbra.count):
                    if -FAR / 1e3 < umbra.limit[m] < FAR / 1e3:
                        self._add_half_plane(umbra.nx[m], umbra.ny[m], umbra.limit[m])

    def _add_line(self, x: double, y: double, dx: double, dy: double) -> None:
        """Add the line through a point along a way."""
        length = sqrt(dx * dx + dy * dy)
        if length <= self.land.tolerance:
            return
        nx = -dy / length
        ny = dx / length
        self._add_half_plane(nx, ny, nx * x + ny * y)

    def _add_half_plane(self, nx: double, ny: double, limit: double) -> None:
        """Add the line `nx x + ny y = limit`, if it passes through p and is not there."""
        p = self.p
        j = self.pair.j
        off = limit - (nx * p.x[j] + ny * p.y[j])
        if off >= p.reach[j] or -off >= p.reach[j]:
            return
        if limit >= p.far(j, nx, ny) - self.land.tolerance:
            return
        if -limit >= p.far(j, -nx, -ny) - self.land.tolerance:
            return
        if nx < -ROUNDING or (nx <= ROUNDING and ny < 0.0):
            nx, ny, limit = -nx, -ny, -limit
        for k in range(self.lines):
            off = self.limit[k] - limit
            turn = (self.nx[k] - nx) * (self.nx[k] - nx) + (self.ny[k] - ny) * (self.ny[k] - ny)
            if (
                -PLACE_SLACK_INCHES < off < PLACE_SLACK_INCHES
                and turn < DIRECTION_SLACK_RADIANS * DIRECTION_SLACK_RADIANS
            ):
                return
        if self.lines == len(self.nx):
            more = bytes(8 * self.lines)
            self.nx = array("d", bytes(self.nx) + more)
            self.ny = array("d", bytes(self.ny) + more)
            self.limit = array("d", bytes(self.limit) + more)
        self.nx[self.lines], self.ny[self.lines], self.limit[self.lines] = nx, ny, limit
        self.lines += 1

    def _is_hiding(self, x: double, y: double) -> bint:
        """Return whether a point well within p is asked and hidden; mark what takes part."""
        land = self.land
        if not self.p.holds(self.pair.j, x, y, -land.tolerance):
            return False
        for k in range(self.count):
            if not self.spared[self.rows[k]]:
                continue
            part = self.pair.part[self.rows[k]]
            for side in range(land.first[part], land.first[part + 1]):
                if land.normal_x[side] * x + land.normal_y[side] * y > land.offset[side]:
                    break
            else:
                return False
        if not self._is_hidden(x, y):
            return False
        for k in range(self.count):
            if self.taking[k]:
                self.owners[land.owner[self.pair.part[self.rows[k]]]] = 1
        return True

    def _any_hiding_on(self, k: Py_ssize_t, first_only: bint) -> bint:
        """Return whether one of six points of p about a line is hidden.

        Four lie beside the line's ends in p. Two lie just within p's rim, farthest on either side of the
        line.
        """
        p = self.p
        j = self.pair.j
        nx = self.nx[k]
        ny = self.ny[k]
        room = self.limit[k] - (nx * p.x[j] + ny * p.y[j])
        x = p.x[j] + room * nx
        y = p.y[j] + room * ny
        p.chord(j, x, y, -ny, nx)
        low = p.low + SLIVER_INCHES
        high = p.high - SLIVER_INCHES
        found = False
        for turn in range(-1, 2, 2):
            aside = turn * SLIVER_INCHES / 4.0
            found = self._is_hiding(x - high * ny + aside * nx, y + high * nx + aside * ny) or found
            if found and first_only:
                return True
            found = self._is_hiding(x - low * ny + aside * nx, y + low * nx + aside * ny) or found
            if found and first_only:
                return True
            p.touch(j, turn * nx, turn * ny)
            found = (
                self._is_hiding(p.px - turn * SLIVER_INCHES * nx, p.py - turn * SLIVER_INCHES * ny) or found
            )
            if found and first_only:
                return True
        return found

    def _any_hiding_at(self, i: Py_ssize_t, k: Py_ssize_t, first_only: bint) -> bint:
        """Return whether one of four points close to the crossing of two lines is hidden.

        One lies in each corner of the crossing.
        """
        p = self.p
        j = self.pair.j
        cross = self.nx[i] * self.ny[k] - self.ny[i] * self.nx[k]
        if -ROUNDING <= cross <= ROUNDING:
            return False
        one = self.limit[i] - (self.nx[i] * p.x[j] + self.ny[i] * p.y[j])
        two = self.limit[k] - (self.nx[k] * p.x[j] + self.ny[k] * p.y[j])
        x = (one * self.ny[k] - two * self.ny[i]) / cross
        y = (self.nx[i] * two - self.nx[k] * one) / cross
        reach = p.reach[j] + SLIVER_INCHES
        if x * x + y * y > reach * reach:
            return False
        x += p.x[j]
        y += p.y[j]
        found = False
        for side in range(-1, 2, 2):
            dx = -self.ny[i] - side * self.ny[k]
            dy = self.nx[i] + side * self.nx[k]
            length = sqrt(dx * dx + dy * dy)
            for turn in range(-1, 2, 2):
                step = turn * SLIVER_INCHES / length
                found = self._is_hiding(x + step * dx, y + step * dy) or found
                if found and first_only:
                    return True
        return found

    def _is_hidden(self, x: double, y: double) -> bint:
        """Return whether no point of q sees a point; mark in `taking` what closes lines to it."""
        pair = self.pair
        q = self.q
        if q.holds(pair.i, x, y, 0.0):
            return False
        for k in range(self.count):
            self.taking[k] = 0
        if self._sees_along(x, y, pair.qx - x, pair.qy - y):
            return False
        if q.tangent(pair.i, x, y, 1.0) and self._sees_along(x, y, q.way_x, q.way_y):
            return False
        if q.tangent(pair.i, x, y, -1.0) and self._sees_along(x, y, q.way_x, q.way_y):
            return False
        for k in range(self.anchors):
            if self._sees_along(x, y, self.at_x[k] - x, self.at_y[k] - y):
                return False
        for k in range(self.count):
            row = self.rows[k]
            if pair.low[row] > 0.0 and self._sees_over(x, y, row, pair.low[row]):
                return False
            if pair.high[row] < 1.0 and self._sees_over(x, y, row, pair.high[row]):
                return False
        return True

    def _sees_along(self, x: double, y: double, ux: double, uy: double) -> bint:
        """Return whether q sees a point along a way from it, from q's near rim or from its far one."""
        length = sqrt(ux * ux + uy * uy)
        if length <= self.land.tolerance:
            return False
        ux /= length
        uy /= length
        if not self.q.chord(self.pair.i, x, y, ux, uy) or self.q.high <= 0.0:
            return False
        low = max(self.q.low, 0.0)
        high = self.q.high
        if self._sees_from(x + low * ux, y + low * uy, x, y):
            return True
        return self.some_high and self._sees_from(x + high * ux, y + high * uy, x, y)

    def _sees_from(self, eye_x: double, eye_y: double, x: double, y: double) -> bint:
        """Return whether no row closes the line from an eye to a point; mark those that do."""
        pair = self.pair
        free = True
        dx = x - eye_x
        dy = y - eye_y
        for k in range(self.count):
            row = self.rows[k]
            low = pair.low[row]
            high = pair.high[row]
            if self.land.cut(
                pair.part[row], eye_x + low * dx, eye_y + low * dy, eye_x + high * dx, eye_y + high * dy
            ):
                self.taking[k] = 1
                free = False
        return free

    def _sees_over(self, x: double, y: double, row: Py_ssize_t, share: double) -> bint:
        """Return whether a point is seen from where it is just seen over a side of a part.

        From there the line to the point comes to the part's height where it comes to that side.
        """
        land = self.land
        part = self.pair.part[row]
        last = land.first[part + 1] - 1
        grow = 1.0 / max(1.0 - share, 1.0 / FAR)
        sx = x + grow * (land.corner_x[last] - x)
        sy = y + grow * (land.corner_y[last] - y)
        for k in range(land.first[part], last + 1):
            ex = x + grow * (land.corner_x[k] - x)
            ey = y + grow * (land.corner_y[k] - y)
            count = self.q.crossings(self.pair.i, sx, sy, ex, ey)
            for n in range(count):
                if self._sees_from(self.q.crossing[2 * n], self.q.crossing[2 * n + 1], x, y):
                    return True
            if self.q.holds(self.pair.i, ex, ey, 0.0) and self._sees_from(ex, ey, x, y):
                return True
            sx, sy = ex, ey
        return False
