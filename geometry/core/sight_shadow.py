# cython: infer_types=True
"""The full shadow of one convex part lit from a body, and whether it falls on another.

Owns the exact test for one part taken alone: its umbra is an intersection of half planes. Shadows that only
several parts cast together belong to `geometry.core.sight_cells`.
"""

from __future__ import annotations

from array import array

import cython
from cython import Py_ssize_t, bint, double
from cython.cimports.libc.math import sqrt

from geometry.tolerance import ROUNDING

if not cython.compiled:
    from geometry.core.sight_bodies import UprightBodies
    from geometry.core.sight_land import SightLand
    from geometry.core.sight_pair import FAR


class Umbra:
    """The points hidden from all of a body: half planes `nx x + ny y <= limit`, `count` of them."""

    def __init__(self, land: SightLand, most_sides: int) -> None:
        """Take the terrain and the number of sides that a part of it has at most."""
        self.land = land
        self.count = 0
        size = bytes(8 * (3 * most_sides + 1))
        self.nx, self.ny, self.limit, self.room = [array("d", size) for _ in range(4)]

    def cast(self, q: UprightBodies, i: Py_ssize_t, part: Py_ssize_t, low: double, high: double) -> None:
        """Find what a part hides that closes the share of the way from q between `low` and `high`.

        Where `low` is 0, q must not overlap it.
        """
        land = self.land
        self.count = 0
        for side in range(land.first[part], land.first[part + 1]):
            self.nx[self.count], self.ny[self.count] = land.normal_x[side], land.normal_y[side]
            self.limit[self.count] = land.offset[side]
            self.count += 1
        self._add_tangents(q, i, part)
        nearest = 1.0 / max(high, land.tolerance)
        farthest = 1.0 / max(low, 1.0 / FAR)
        for k in range(self.count):
            depth = self.limit[k] - q.far(i, self.nx[k], self.ny[k])
            if -ROUNDING < depth < ROUNDING:
                depth = 0.0
            # Scaled about a point of q by s the part reaches s limit - (s - 1) (that point).
            self.limit[k] += ((nearest if depth < 0.0 else farthest) - 1.0) * depth
            self.limit[k] = min(self.limit[k], FAR)

    def _add_tangents(self, q: UprightBodies, i: Py_ssize_t, part: Py_ssize_t) -> None:
        """Add the half planes bounded by the outer tangents of a body and a part.

        There are more than two where body and part cross.
        """
        land = self.land
        for corner in range(land.first[part], land.first[part + 1]):
            x, y = land.corner_x[corner], land.corner_y[corner]
            if not q.has_tangents(i, x, y):
                continue
            for side in range(-1, 2, 2):
                if not q.tangent(i, x, y, side):
                    continue
                nx, ny = -side * q.way_y, side * q.way_x
                beyond = 0.0
                for k in range(land.first[part], land.first[part + 1]):
                    beyond = max(beyond, nx * (land.corner_x[k] - x) + ny * (land.corner_y[k] - y))
                if beyond <= land.tolerance:
                    self.nx[self.count], self.ny[self.count] = nx, ny
                    self.limit[self.count] = nx * x + ny * y + beyond
                    self.count += 1

    def falls_on(self, p: UprightBodies, j: Py_ssize_t) -> bint:
        """Return whether the half planes have more than a border in common with a body."""
        tolerance = self.land.tolerance
        within = True
        for k in range(self.count):
            room = self.limit[k] - (self.nx[k] * p.x[j] + self.ny[k] * p.y[j]) - tolerance
            if room < 0.0:
                if room <= tolerance - p.reach[j]:
                    return False
                within = False
            self.room[k] = room
        if within:
            return True
        if p.shapes[j] is None:
            return self._disc_is_met(p.radius[j] - tolerance)
        return self._is_met(p, j)

    def _holds(self, x: double, y: double) -> bint:
        """Return whether a point, given from the body's middle, lies in all half planes."""
        worst = -FAR
        for k in range(self.count):
            worst = max(worst, x * self.nx[k] + y * self.ny[k] - self.room[k])
        return worst <= ROUNDING

    def _disc_is_met(self, radius: double) -> bint:
        """Return whether the half planes, which do not hold the middle, come as near to it as this."""
        for i in range(self.count):
            room = self.room[i]
            if -radius <= room <= radius and self._holds(self.nx[i] * room, self.ny[i] * room):
                return True
            for j in range(i + 1, self.count):
                cross = self.nx[i] * self.ny[j] - self.ny[i] * self.nx[j]
                if -ROUNDING <= cross <= ROUNDING:
                    continue
                x = (room * self.ny[j] - self.room[j] * self.ny[i]) / cross
                y = (self.nx[i] * self.room[j] - self.nx[j] * room) / cross
                if sqrt(x * x + y * y) <= radius and self._holds(x, y):
                    return True
        return False

    def _is_met(self, p: UprightBodies, j: Py_ssize_t) -> bint:
        """Return whether the half planes meet a body's inside, its middle being outside of some.

        Where they do their border passes through the body, so that it has a corner there or crosses the rim.
        """
        tolerance = self.land.tolerance
        x = p.x[j]
        y = p.y[j]
        for i in range(self.count):
            nx = self.nx[i]
            ny = self.ny[i]
            fx = nx * self.room[i]
            fy = ny * self.room[i]
            if p.chord(j, x + fx, y + fy, -ny, nx) and p.high - p.low > tolerance:
                low = p.low + tolerance
                high = p.high - tolerance
                if self._holds(fx - low * ny, fy + low * nx) or self._holds(fx - high * ny, fy + high * nx):
                    return True
            for k in range(i + 1, self.count):
                cross = nx * self.ny[k] - ny * self.nx[k]
                if -ROUNDING <= cross <= ROUNDING:
                    continue
                cx = (self.room[i] * self.ny[k] - self.room[k] * ny) / cross
                cy = (nx * self.room[k] - self.nx[k] * self.room[i]) / cross
                if self._holds(cx, cy) and p.holds(j, x + cx, y + cy, -tolerance):
                    return True
        return False
