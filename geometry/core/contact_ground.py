# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The ground of a move into contact with targets, as bases of one kind meet it.

Owns the rings of engagement range about targets, and what ending short of base contact counts for. Which
targets are to be reached, and by which models, is `unit_contact.py`'s.
"""

from __future__ import annotations

from collections.abc import Sequence

import cython

from geometry.tolerance import PLACE_SLACK_INCHES

if not cython.compiled:
    from geometry.core.critical_points import CriticalPoints
    from geometry.core.distance_map import DistanceMap
    from geometry.core.end_ground import EndGround
    from geometry.core.shapes import INFINITE, Shapes
    from geometry.core.tangents import VisibilityGraph
    from geometry.core.unit_ground import TargetGround, add_rims


@cython.cclass
class ContactGround(TargetGround):
    """The ground of a move into contact, with the rings of engagement range about targets."""

    def __init__(
        self,
        graph: VisibilityGraph,
        ends: EndGround,
        field: DistanceMap,
        rings: Shapes,
        firsts: Sequence[int],
        reach: float,
        untouched: float,
    ) -> None:
        """Take what `TargetGround` takes, and the rings, which end `reach` inches from targets.

        The rings of one group of targets stand from its row in `firsts` to the next. Rows from the last of
        `firsts` on are places within range of all groups. A base short of contact counts as having
        `untouched` more inches left.
        """
        TargetGround.__init__(self, graph, ends, field)
        self.rings, self.firsts, self.reach, self.untouched = rings, list(firsts), reach, untouched

    def expect(self, x: cython.double, y: cython.double, limit: cython.double) -> cython.int:
        """Note what a base can expect on its way into contact."""
        TargetGround.expect(self, x, y, limit)
        if self.is_closed:
            self.least = max(self.began - limit, 0.0)
        if self.began > PLACE_SLACK_INCHES:
            self.began += self.untouched
        if self.is_closed or self.least > PLACE_SLACK_INCHES:
            self.least += self.untouched
        return 0

    def left(
        self, x: cython.double, y: cython.double, most: cython.double, is_closed: cython.bint
    ) -> cython.double:
        """Return how far it is into contact, more where a base does not touch."""
        left: cython.double = TargetGround.left(self, x, y, most, is_closed)
        if PLACE_SLACK_INCHES < left < INFINITE:
            left += self.untouched
        return left if left < most else INFINITE

    def add_curves(
        self, points: CriticalPoints, x: cython.double, y: cython.double, near: cython.double
    ) -> cython.int:
        """Add the rims of the targets and of the rings."""
        TargetGround.add_curves(self, points, x, y, near)
        return add_rims(points, self.rings, self.rings.count, x, y, near)

    def apart(self, row: cython.Py_ssize_t, x: cython.double, y: cython.double) -> cython.double:
        """Return how far a base at a place is from the target of a ring, 0 where it touches."""
        return max(self.rings.gap(row, x, y) + self.reach, 0.0)

    def is_within(self, group: cython.Py_ssize_t, x: cython.double, y: cython.double) -> cython.bint:
        """Return whether a base at a place is within range of a group of targets."""
        return self.range_gap(group, x, y) <= PLACE_SLACK_INCHES

    def range_gap(self, group: cython.Py_ssize_t, x: cython.double, y: cython.double) -> cython.double:
        """Return how far a place is from the range of a group of targets, 0 or less within it."""
        least: cython.double = INFINITE
        first: cython.Py_ssize_t = self.firsts[group]
        end: cython.Py_ssize_t = self.firsts[group + 1]
        last: cython.Py_ssize_t = self.firsts[len(self.firsts) - 1]
        row: cython.Py_ssize_t
        for row in range(first, self.rings.count):
            if row < end or row >= last:
                off_x: cython.double = x - self.rings.shapes[row].middle_x
                off_y: cython.double = y - self.rings.shapes[row].middle_y
                reach: cython.double = self.rings.shapes[row].reach + least
                if least == INFINITE or off_x * off_x + off_y * off_y < reach * reach:
                    least = min(least, self.rings.gap(row, x, y))
                    if least <= 0.0:
                        break
        return least
