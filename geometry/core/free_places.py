# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The free places of one base beside others of its unit.

Owns the question whether there is any: wherever there is room, a curve that keeps the base out or in
crosses another, or runs on free all round. So one of these points is free if any place is. Where units
are set up as wholes is no question of this module.
"""

from __future__ import annotations

from collections.abc import Sequence

import cython

from geometry.tolerance import LINE_SLACK_INCHES, PLACE_SLACK_INCHES

if not cython.compiled:
    from math import sqrt

    from geometry.core.critical_points import CriticalPoints
    from geometry.core.end_ground import EndGround, offer_sides
    from geometry.core.shapes import Shapes


@cython.cclass
class FreePlaces:
    """The places at which one base joins others of its unit."""

    def __init__(
        self,
        ground: EndGround,
        beside: Shapes,
        groups: Sequence[int],
        lacking: Sequence[bool],
        spacing: float,
        need: int,
    ) -> None:
        """Take where the base meets each of the others, and what these are to one another.

        Each of the others is of one of the `groups`, counted from 0, of neighbours and their neighbours,
        or, with -1, at another height; all groups must be joined, and all that are `lacking` a neighbour.
        The base itself needs as many neighbours as told.
        """
        self.ground, self.beside, self.spacing, self.need = ground, beside, spacing, need
        self.groups, self.lacking = list(groups), [bool(each) for each in lacking]
        self.points = CriticalPoints()

    def nearest_first(self, x: float, y: float) -> list[tuple[float, float]]:
        """Return free places, those first that are nearest to a point."""
        self._lay(x, y)
        points: CriticalPoints = self.points
        found: list[tuple[float, float, float]] = []
        i: cython.Py_ssize_t
        for i in range(points.count):
            at_x: cython.double = points.spots[i].x
            at_y: cython.double = points.spots[i].y
            if self._joins(at_x, at_y) and self.ground.stands(at_x, at_y):
                off_x: cython.double = at_x - x
                off_y: cython.double = at_y - y
                found.append((round(sqrt(off_x * off_x + off_y * off_y), 6), at_x, at_y))
        return [(at_x, at_y) for _, at_x, at_y in sorted(found)]

    def _lay(self, x: cython.double, y: cython.double) -> cython.int:
        """Offer all points that count, those of curves that are nearest to a point among them."""
        points: CriticalPoints = self.points
        beside: Shapes = self.beside
        stand: Shapes = self.ground.stand
        middle_x: cython.double = (stand.low_x + stand.high_x) / 2
        middle_y: cython.double = (stand.low_y + stand.high_y) / 2
        off_x: cython.double = stand.high_x - middle_x
        off_y: cython.double = stand.high_y - middle_y
        reach: cython.double = sqrt(off_x * off_x + off_y * off_y) + 1.0
        row: cython.Py_ssize_t
        if beside.count:
            middle_x, middle_y, reach = beside.shapes[0].middle_x, beside.shapes[0].middle_y, 0.0
            for row in range(beside.count):
                off_x = beside.shapes[row].middle_x - middle_x
                off_y = beside.shapes[row].middle_y - middle_y
                far: cython.double = sqrt(off_x * off_x + off_y * off_y)
                reach = max(reach, far + beside.shapes[row].reach + self.spacing)
        points.begin(middle_x, middle_y, reach)
        border: cython.Py_ssize_t = self.ground.lay(points, middle_x, middle_y, reach)
        for row in range(beside.count):
            points.add_shape(beside, row, 0.0, 0.0, LINE_SLACK_INCHES, middle_x, middle_y, reach)
            points.add_shape(
                beside, row, 0.0, 0.0, self.spacing - LINE_SLACK_INCHES, middle_x, middle_y, reach
            )
        points.offer(x, y)
        points.offer_nearest_on(0, border, x, y, False)
        points.offer_nearest_on(border, points.curve_count, x, y, True)
        offer_sides(points)
        return points.offer_crossings()

    def _joins(self, x: cython.double, y: cython.double) -> cython.bint:
        """Return whether a base at a place meets none of the others, and is in coherency with them."""
        near: cython.int = 0
        row: cython.Py_ssize_t
        joined: list[int] = []
        for row in range(self.beside.count):
            gap: cython.double = self.beside.gap(row, x, y)
            if gap < -PLACE_SLACK_INCHES:
                return False
            if self.groups[row] < 0 or gap > self.spacing + PLACE_SLACK_INCHES:
                if self.lacking[row]:
                    return False
                continue
            near += 1
            if self.groups[row] not in joined:
                joined.append(self.groups[row])
        return near >= self.need and (not self.groups or len(joined) > max(self.groups))
