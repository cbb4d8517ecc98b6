# cython: infer_types=True
"""The upright plane over a line on the ground: whether a line between bodies is free in it.

Owns the exact question how high a line of sight may begin and end, over what is low and under what is raised:
parts are rectangles there, and a free line can be moved until it passes two corners.
"""

from __future__ import annotations

from array import array

import cython
from cython import Py_ssize_t, bint, double
from cython.cimports.libc.math import sqrt

from geometry.tolerance import ROUNDING

if not cython.compiled:
    from geometry.core.sight_line import FreeLine
    from geometry.core.sight_pair import FAR


def free_section(line: FreeLine) -> bint:
    """Return whether a line of sight is free over the line whose chords were found last.

    The free line is kept in `line`.
    """
    dx = line.far_px - line.far_qx
    dy = line.far_py - line.far_qy
    length = sqrt(dx * dx + dy * dy)
    if length <= line.land.tolerance:
        return False
    section: Section = Section(line, length)
    return section._is_free(line)


class Section:
    """What stands along a line on the ground, with lengths from the far end of q's chord.

    The observer takes up 0 to `first`, the target `last` to `length`; row k of the pair stands from `enter`
    to `leave`, or not at all where it leaves before it enters.
    """

    def __init__(self, line: FreeLine, length: float) -> None:
        """Take the line with its chords."""
        pair = line.pair
        self.pair = pair
        self.length = length
        dx = line.near_qx - line.far_qx
        dy = line.near_qy - line.far_qy
        self.first = sqrt(dx * dx + dy * dy)
        dx = line.near_px - line.far_qx
        dy = line.near_py - line.far_qy
        self.last = sqrt(dx * dx + dy * dy)
        tolerance = line.land.tolerance
        self.eye_foot = self._off_plates(pair.eye_foot, 2.0 * tolerance)
        self.eye_top = self._off_plates(pair.eye_top, -2.0 * tolerance)
        self.goal_foot = self._off_plates(pair.goal_foot, 2.0 * tolerance)
        self.goal_top = self._off_plates(pair.goal_top, -2.0 * tolerance)
        self.enter, self.leave = array("d", bytes(8 * pair.count)), array("d", bytes(8 * pair.count))
        for row in range(pair.count):
            line.land.cut(pair.part[row], line.far_qx, line.far_qy, line.far_px, line.far_py)
            self.enter[row], self.leave[row] = line.land.enter * length, line.land.leave * length
        self.rise = self.foot = self.low = self.high = 0.0

    def _off_plates(self, level: double, step: double) -> double:
        """Return a height a step off the plates that it touches: through these nothing is seen."""
        pair = self.pair
        for row in range(pair.count):
            if pair.is_plate(row) and -pair.land.tolerance <= level - pair.top[row] <= pair.land.tolerance:
                return level + step
        return level

    def _corners(self) -> list[tuple[float, float]]:
        """Return the corners (length, height) past which a free line may just pass."""
        pair = self.pair
        found = [(at, h) for at in (0.0, self.first) for h in (self.eye_foot, self.eye_top)]
        found += [(at, h) for at in (self.last, self.length) for h in (self.goal_foot, self.goal_top)]
        for row in range(pair.count):
            enter = self.enter[row]
            leave = self.leave[row]
            if enter >= leave:
                continue
            if 0.0 < leave < self.first:
                found += [(leave, self.eye_foot), (leave, self.eye_top)]
            if self.last < enter < self.length:
                found += [(enter, self.goal_foot), (enter, self.goal_top)]
            if -FAR < pair.bottom[row] < FAR:
                found += [(enter, pair.bottom[row]), (leave, pair.bottom[row])]
            if -FAR < pair.top[row] < FAR:
                found += [(enter, pair.top[row]), (leave, pair.top[row])]
        return found

    def _is_free(self, line: FreeLine) -> bint:
        corners: list[tuple[float, float]] = self._corners()
        for i in range(len(corners)):
            at = corners[i][0]
            height = corners[i][1]
            for j in range(i + 1, len(corners)):
                run = corners[j][0] - at
                if -ROUNDING <= run <= ROUNDING:
                    continue
                self.rise = (corners[j][1] - height) / run
                if -ROUNDING <= self.rise <= ROUNDING:
                    self.rise = 0.0
                self.foot = height - self.rise * at
                self._run_between(self.eye_foot - ROUNDING, self.eye_top + ROUNDING)
                start = min(self.high, self.first)
                if start < max(self.low, 0.0) - ROUNDING:
                    continue
                self._run_between(self.goal_foot - ROUNDING, self.goal_top + ROUNDING)
                end = max(self.low, self.last)
                if min(self.high, self.length) < end - ROUNDING:
                    continue
                for row in range(self.pair.count):
                    if self._shuts(row, start, end):
                        break
                else:
                    dx = (line.far_px - line.far_qx) / self.length
                    dy = (line.far_py - line.far_qy) / self.length
                    line.start_x, line.start_y = line.far_qx + start * dx, line.far_qy + start * dy
                    line.end_x, line.end_y = line.far_qx + end * dx, line.far_qy + end * dy
                    line.start_z = self.foot + self.rise * start
                    line.end_z = self.foot + self.rise * end
                    return True
        return False

    def _run_between(self, floor: double, roof: double) -> None:
        """Find from where to where the line is between two heights; nowhere is from FAR to -FAR."""
        if self.rise == 0.0:
            within: bint = floor < self.foot < roof
            self.low = -FAR if within else FAR
            self.high = FAR if within else -FAR
            return
        self.low = (floor - self.foot) / self.rise
        self.high = (roof - self.foot) / self.rise
        if self.low > self.high:
            self.low, self.high = self.high, self.low

    def _shuts(self, row: Py_ssize_t, start: double, end: double) -> bint:
        """Return whether a rectangle closes the line on a stretch of it."""
        pair = self.pair
        tolerance = pair.land.tolerance
        first = max(self.enter[row], start)
        last = min(self.leave[row], end)
        if pair.is_plate(row):
            self._run_between(pair.bottom[row], pair.top[row])
            return first + ROUNDING < self.low < last - ROUNDING
        self._run_between(pair.bottom[row] + tolerance, pair.top[row] - tolerance)
        return min(last, self.high) - max(first, self.low) > ROUNDING
