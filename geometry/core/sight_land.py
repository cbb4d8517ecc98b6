# cython: infer_types=True
"""The terrain as sight meets it: convex parts with heights, and bodies in footprints.

Owns the terrain as flat columns, the clipping of a segment by a part, and where bodies stand. Parts are
shrunk by the tolerance, so that grazing cuts nothing. It asks no question of sight. Lengths are inches.
"""

from __future__ import annotations

from array import array
from itertools import pairwise
from typing import Any

import cython
from cython import Py_ssize_t, bint, double
from cython.cimports.libc.math import sqrt

if not cython.compiled:
    from geometry.core.sight_bodies import UprightBodies

MOST_SIDES = cython.declare(cython.int, 62)
"""Of a part this many sides are remembered as those beyond which a body lies."""


class SightLand:
    """The parts of all pieces, their footprints, corners and borders.

    A part closes lines between `bottom` and `top` where it `closes`; the others do what their piece's kind
    says. A part that `hangs` on an `other` piece does nothing unless that one does.
    """

    def __init__(
        self,
        parts: tuple[list[int], ...],
        heights: tuple[list[float], ...],
        sides: tuple[list[float], ...],
        pieces: tuple[list[int], ...],
        points: tuple[list[Any], ...],
        borders: tuple[list[float], ...],
        tolerance: float,
    ) -> None:
        """Take the terrain as columns.

        `parts`: where their sides begin (one more than parts), owner, other, closes, hangs; `heights`:
        bottom, top; `sides`: normal x and y, offset, corner x and y; `pieces`: boundless, veil, solid,
        convex, where their borders begin and their walls among these; `points`: x, y, owner; `borders`:
        start x and y, end x and y, ordered by piece.
        """
        self.first, self.owner, self.other, self.closes, self.hangs = [array("i", each) for each in parts]
        self.bottom, self.top = [array("d", each) for each in heights]
        (self.normal_x, self.normal_y, self.offset, self.corner_x, self.corner_y) = [
            array("d", each) for each in sides
        ]
        (self.boundless, self.veil, self.solid, self.convex, self.border_first, self.walls_first) = [
            array("i", each) for each in pieces
        ]
        self.point_x, self.point_y = array("d", points[0]), array("d", points[1])
        self.point_owner = array("i", points[2])
        self.start_x, self.start_y, self.end_x, self.end_y = [array("d", each) for each in borders]
        self.parts, self.pieces = len(heights[0]), len(pieces[0])
        self.corners, self.borders = len(points[0]), len(borders[0])
        self.most_sides = max((b - a for a, b in pairwise(parts[0])), default=0)
        self.tolerance = tolerance
        self.enter = self.leave = 0.0
        circles = [_circle(sides[3][a:b], sides[4][a:b]) for a, b in pairwise(parts[0])]
        self.middle_x, self.middle_y, self.reach = _columns(circles)
        ends = list(zip(pieces[4], pieces[5], strict=False))
        circles = [_circle(borders[0][a:b], borders[1][a:b]) for a, b in ends]
        self.piece_x, self.piece_y, self.piece_reach = _columns(circles)

    def cut(self, part: Py_ssize_t, sx: double, sy: double, ex: double, ey: double) -> bint:
        """Return whether a part cuts a segment.

        The part cuts it between the shares `enter` and `leave`, which are kept.
        """
        enter = 0.0
        leave = 1.0
        for side in range(self.first[part], self.first[part + 1]):
            nx = self.normal_x[side]
            ny = self.normal_y[side]
            limit = self.offset[side] - self.tolerance
            over = nx * sx + ny * sy - limit
            inward = over - (nx * ex + ny * ey - limit)
            if inward > 0.0:
                over /= inward
                enter = over if over > enter else enter
            elif inward < 0.0:
                over /= inward
                leave = over if over < leave else leave
            elif over >= 0.0:
                leave = -1.0
            if enter >= leave:
                break
        self.enter, self.leave = enter, leave
        return enter < leave

    def lies_under(self, part: Py_ssize_t, bodies: UprightBodies, row: Py_ssize_t) -> bint:
        """Return whether a body may overlap a part: it lies beyond none of its sides."""
        for side in range(self.first[part], self.first[part + 1]):
            nx = self.normal_x[side]
            ny = self.normal_y[side]
            if -bodies.far(row, -nx, -ny) >= self.offset[side] - self.tolerance:
                return False
        return True

    def take_in(self, bodies: UprightBodies) -> None:
        """Tell bodies in which footprints they stand, and beyond which sides of parts they lie."""
        bodies.partly = array("i", bytes(4 * bodies.count * self.pieces))
        bodies.wholly = array("i", bytes(4 * bodies.count * self.pieces))
        bodies.beyond = array("Q", bytes(8 * bodies.count * self.parts))
        for row in range(bodies.count):
            for piece in range(self.pieces):
                self._stand(bodies, row, piece)
            for part in range(self.parts):
                found: cython.ulonglong = 0
                one: cython.ulonglong = 1
                count = self.first[part + 1] - self.first[part]
                count = MOST_SIDES if count > MOST_SIDES else count
                for side in range(self.first[part], self.first[part] + count):
                    nx = self.normal_x[side]
                    ny = self.normal_y[side]
                    if -bodies.far(row, -nx, -ny) >= self.offset[side] - self.tolerance:
                        found |= one
                    one = one << 1
                bodies.beyond[row * self.parts + part] = found

    def _stand(self, bodies: UprightBodies, row: Py_ssize_t, piece: Py_ssize_t) -> None:
        """Write down whether a body stands in a footprint at least partly, and whether wholly.

        A base that only touches a footprint from outside is not in it; one that touches its border from
        inside is wholly in it.
        """
        x = bodies.x[row]
        y = bodies.y[row]
        dx = x - self.piece_x[piece]
        dy = y - self.piece_y[piece]
        if sqrt(dx * dx + dy * dy) >= bodies.reach[row] + self.piece_reach[piece]:
            return
        inside = False
        crossed = False
        for edge in range(self.border_first[piece], self.walls_first[piece]):
            sx = self.start_x[edge]
            sy = self.start_y[edge]
            ex = self.end_x[edge]
            ey = self.end_y[edge]
            if (sy > y) != (ey > y) and x < sx + (y - sy) / (ey - sy) * (ex - sx):
                inside = not inside
            if not crossed:
                crossed = bodies.crossed(row, sx, sy, ex, ey)
        at = row * self.pieces + piece
        bodies.partly[at] = inside or crossed
        bodies.wholly[at] = inside and not crossed

    def standing(self, bodies: UprightBodies) -> tuple[list[int], list[int]]:
        """Return whether each body stands in each footprint at least partly, and whether wholly.

        The answers (0 or 1) go body by body, and for each body piece by piece.
        """
        self.take_in(bodies)
        return list(bodies.partly), list(bodies.wholly)


def _circle(x: list[float], y: list[float]) -> tuple[float, float, float]:
    """Return the middle and the radius of a circle round these corners."""
    if not x:
        return 0.0, 0.0, 0.0
    mx, my = (min(x) + max(x)) / 2, (min(y) + max(y)) / 2
    far = max((a - mx) * (a - mx) + (b - my) * (b - my) for a, b in zip(x, y, strict=True))
    return mx, my, sqrt(far)


def _columns(rows: list[tuple[float, float, float]]) -> list[array[float]]:
    return [array("d", [row[k] for row in rows]) for k in range(3)]
