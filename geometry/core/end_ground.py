# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The ground as bases of one kind, a shape at a facing, meet it where they end.

Owns where such bases may end, and the curves on which they touch what is in the way. Which of the places
a base takes is not asked here.
"""

from __future__ import annotations

import cython

from geometry.tolerance import LINE_SLACK_INCHES, PLACE_SLACK_INCHES, TOLERANCE

if not cython.compiled:
    from geometry.core.area import Area
    from geometry.core.critical_points import CriticalPoints
    from geometry.core.curves import CIRCLE, EDGE
    from geometry.core.shapes import Shapes

OUTSIDE = cython.declare(cython.double, PLACE_SLACK_INCHES + LINE_SLACK_INCHES)
"""The distance of spots from what is in the way, in inches: more than that is narrowed by."""

Rows = list[int]


@cython.cclass
class EndGround:
    """What bases of one kind may not stand in, and the area in which they end."""

    def __init__(self, stand: Shapes, base: Shapes, area: Area | None = None) -> None:
        """Take where the middle of a base may not be, its shape and that mirrored, and the area."""
        self.stand, self.base, self.area = stand, base, area

    def stands(self, x: cython.double, y: cython.double) -> cython.bint:
        """Return whether a base may end at a place."""
        if not self.stand.is_open(x, y, LINE_SLACK_INCHES, -1):
            return False
        area: Area | None = self.area
        return area is None or area.has_whole(self.base, x, y, PLACE_SLACK_INCHES)

    def lay(
        self, points: CriticalPoints, x: cython.double, y: cython.double, near: cython.double
    ) -> cython.Py_ssize_t:
        """Add the curves on which a base touches what is in the way, so near to a place.

        Return how many of them, the first ones, are of the area's border.
        """
        area: Area | None = self.area
        stand: Shapes = self.stand
        before: cython.Py_ssize_t = points.curve_count
        if area is not None:
            area.lay(points, self.base, LINE_SLACK_INCHES, x, y, near)
        count: cython.Py_ssize_t = points.curve_count - before
        row: cython.Py_ssize_t
        for row in range(stand.count):
            middle_x: cython.double = stand.shapes[row].middle_x
            middle_y: cython.double = stand.shapes[row].middle_y
            reach: cython.double = stand.shapes[row].reach
            off_x: cython.double = middle_x - x
            off_y: cython.double = middle_y - y
            about: cython.double = reach + near
            if off_x * off_x + off_y * off_y <= about * about and points.reaches(middle_x, middle_y, reach):
                first: cython.Py_ssize_t = points.curve_count
                points.add_shape(stand, row, 0.0, 0.0, OUTSIDE, x, y, near)
                if points.curve_count > first + 1:
                    self._drop_hidden(points, row, first)
        if x - near < stand.low_x:
            points.add_line(stand.low_x, stand.low_y, stand.low_x, stand.high_y)
        if x + near > stand.high_x:
            points.add_line(stand.high_x, stand.low_y, stand.high_x, stand.high_y)
        if y - near < stand.low_y:
            points.add_line(stand.low_x, stand.low_y, stand.high_x, stand.low_y)
        if y + near > stand.high_y:
            points.add_line(stand.low_x, stand.high_y, stand.high_x, stand.high_y)
        return count

    def _drop_hidden(
        self, points: CriticalPoints, row: cython.Py_ssize_t, first: cython.Py_ssize_t
    ) -> cython.int:
        """Drop the curves of the last rim, a shape's, that lie in other shapes: nobody ends on them."""
        stand: Shapes = self.stand
        kept: cython.Py_ssize_t = first
        k: cython.Py_ssize_t
        i: cython.Py_ssize_t
        others: list[int] = []
        for k in range(stand.count):
            off_x: cython.double = stand.shapes[k].middle_x - stand.shapes[row].middle_x
            off_y: cython.double = stand.shapes[k].middle_y - stand.shapes[row].middle_y
            about: cython.double = stand.shapes[k].reach + stand.shapes[row].reach
            if k != row and not stand.shapes[k].absent and off_x * off_x + off_y * off_y < about * about:
                others.append(k)
        if not others:
            return 0
        for i in range(first, points.curve_count):
            if self._is_hidden(
                points.curves[i].middle_x, points.curves[i].middle_y, points.curves[i].reach, others
            ):
                continue
            if cython.compiled:
                points.curves[kept] = points.curves[i]
            else:
                points.curves[kept], points.curves[i] = points.curves[i], points.curves[kept]
            kept += 1
        points.curve_count = kept
        points.close_blocks(first)
        if kept == first:
            points.rim_count -= 1
        points.rims[points.rim_count].first = kept
        return 0

    def _is_hidden(
        self, x: cython.double, y: cython.double, reach: cython.double, others: Rows
    ) -> cython.bint:
        """Return whether a circle lies in one of some shapes."""
        stand: Shapes = self.stand
        k: cython.Py_ssize_t
        for other in others:
            k = other
            off_x: cython.double = x - stand.shapes[k].middle_x
            off_y: cython.double = y - stand.shapes[k].middle_y
            room: cython.double = stand.shapes[k].reach - reach - TOLERANCE
            if room <= 0.0 or off_x * off_x + off_y * off_y >= room * room:
                continue
            if stand.gap(k, x, y) < -reach - TOLERANCE:
                return True
        return False


def offer_sides(points: CriticalPoints) -> cython.int:
    """Offer a point of each rim, and four of each whole circle."""
    rim: cython.Py_ssize_t
    for rim in range(points.rim_count):
        i: cython.Py_ssize_t = points.rims[rim].first
        x: cython.double = points.curves[i].x
        y: cython.double = points.curves[i].y
        radius: cython.double = points.curves[i].radius
        if points.curves[i].kind == EDGE:
            points.offer(x, y)
            continue
        points.offer(x + radius * points.curves[i].begin_x, y + radius * points.curves[i].begin_y)
        if points.curves[i].kind == CIRCLE:
            points.offer(x - radius, y)
            points.offer(x, y - radius)
            points.offer(x, y + radius)
    return 0
