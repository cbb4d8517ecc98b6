"""A table of convex shapes on the board, whose rims are true arcs and straight edges.

Owns distances of points from the shapes and whether straight lines enter them. What leads round the shapes
is `geometry/core/tangents.py`'s.

A shape is a ring of arcs, counter-clockwise, with a straight edge after each; a disc is one arc all round.
Lengths are in inches.

Of a `Shape` there are `middle_x`, `middle_y`, `reach` (a circle that holds it; a disc's own), `inner` (the
radius of a circle about the same middle that lies in it), `perimeter`, its arcs (`arcs[first]` to
`arcs[first + count - 1]`), and whether it is `absent`: passed over by every question about all shapes.
`height` is that of a shape that may be climbed, so that it closes no line and no place; infinite for what
closes. `cover` is the row of a shape that is wider all round and makes this one needless, else -1.
"""

from __future__ import annotations

from collections.abc import Sequence

import cython

from geometry.tolerance import PLACE_SLACK_INCHES, ROUNDING

if not cython.compiled:
    from math import sqrt

    from geometry.core.arcs import are_parted, faces, outmost
    from geometry.core.numeric import TURN, turned
    from geometry.core.plain import Arc, ArcTable, Shape, ShapeTable, free, realloc, table

INFINITE = float("inf")

Rim = Sequence[Sequence[float]]
"""Of each arc about the origin: centre x, y, radius, begin x, y, end x, y; seven lists."""


@cython.cclass
class Shapes:
    """Convex shapes in rows, and the box in which a point is on the board.

    A table may stand upon another, its `base`: it has the rows of the base first (`shared` of them), then its
    own; the base is not changed by it. Rows may be left out here that are present in the base.
    """

    def __init__(
        self,
        box: Sequence[float],
        xs: Sequence[float],
        ys: Sequence[float],
        radii: Sequence[float],
        rims: Sequence[Rim | None] = (),
        base: Shapes | None = None,
        heights: Sequence[float] = (),
    ) -> None:
        """Take the box (low x, low y, high x, high y) and the shapes.

        Shape i is all that is within `radii[i]` of a rim about (xs[i], ys[i]); None, or no rims at all, are
        points, and the shapes discs. Their heights are in inches; none may be climbed where none are given.
        """
        self.low_x, self.low_y, self.high_x, self.high_y = box
        self.base = base
        self.shared = 0 if base is None else base.count
        own: cython.Py_ssize_t = len(radii)
        arcs: cython.Py_ssize_t = own
        for rim in rims:
            arcs += 0 if rim is None else len(rim[0]) - 1
        self.reserve(self.shared + own, arcs)
        row: cython.Py_ssize_t
        first: cython.Py_ssize_t = 0
        for row in range(own):
            rim = rims[row] if rims else None
            self._put(self.shared + row, first, xs[row], ys[row], radii[row], rim)
            first += self.shapes[self.shared + row].count
            if heights:
                self.shapes[self.shared + row].height = heights[row]
        self.count_climbable()

    def __dealloc__(self) -> None:
        """Give the memory back."""
        free(self.shapes)
        free(self.own_arcs)

    def reserve(self, shapes: cython.Py_ssize_t, arcs: cython.Py_ssize_t) -> cython.int:
        """Make room for a number of shapes, the base's first, and of arcs of its own."""
        if not cython.compiled:
            self.shapes: ShapeTable = table(Shape, shapes)
            self.own_arcs: ArcTable = table(Arc, arcs)
        else:
            self.shapes = cython.cast(ShapeTable, realloc(self.shapes, (shapes + 1) * cython.sizeof(Shape)))
            self.own_arcs = cython.cast(ArcTable, realloc(self.own_arcs, (arcs + 1) * cython.sizeof(Arc)))
            if not self.shapes or not self.own_arcs:
                raise MemoryError
        self.count = shapes
        row: cython.Py_ssize_t
        if self.base is not None:
            base: Shapes = self.base
            for row in range(self.shared):
                self._share(row, base)
        return 0

    def _share(self, row: cython.Py_ssize_t, base: Shapes) -> cython.int:
        """Take over a row of the base, with its arcs where they are."""
        if cython.compiled:
            self.shapes[row] = base.shapes[row]
        else:
            for name in Shape.__slots__:
                setattr(self.shapes[row], name, getattr(base.shapes[row], name))
        return 0

    def _put(
        self,
        row: cython.Py_ssize_t,
        first: cython.Py_ssize_t,
        x: cython.double,
        y: cython.double,
        radius: cython.double,
        rim: Rim | None,
    ) -> cython.int:
        """Put a shape into a row, its arcs from a place on."""
        self.shapes[row].arcs = self.own_arcs
        self.shapes[row].first = first
        self.shapes[row].absent = False
        self.shapes[row].cover = -1
        self.shapes[row].height = INFINITE
        arc: cython.Py_ssize_t = first
        if rim is None:
            self.shapes[row].count = 1
            self.own_arcs[arc].centre_x, self.own_arcs[arc].centre_y = x, y
            self.own_arcs[arc].radius = radius
            self.own_arcs[arc].begin_x = self.own_arcs[arc].end_x = 1.0
            self.own_arcs[arc].begin_y = self.own_arcs[arc].end_y = 0.0
        else:
            centre_x, centre_y, reach, begin_x, begin_y, end_x, end_y = rim
            self.shapes[row].count = len(reach)
            i: cython.Py_ssize_t
            for i in range(len(reach)):
                self.own_arcs[arc].centre_x = x + cython.cast(cython.double, centre_x[i])
                self.own_arcs[arc].centre_y = y + cython.cast(cython.double, centre_y[i])
                self.own_arcs[arc].radius = radius + cython.cast(cython.double, reach[i])
                self.own_arcs[arc].begin_x, self.own_arcs[arc].begin_y = begin_x[i], begin_y[i]
                self.own_arcs[arc].end_x, self.own_arcs[arc].end_y = end_x[i], end_y[i]
                arc += 1
        return self.measure(row)

    def measure(self, row: cython.Py_ssize_t) -> cython.int:
        """Measure a shape's rim, and find a circle that holds it."""
        arcs: ArcTable = self.shapes[row].arcs
        first: cython.Py_ssize_t = self.shapes[row].first
        count: cython.Py_ssize_t = self.shapes[row].count
        if count == 1:
            arcs[first].sweep, arcs[first].place, arcs[first].edge = TURN, 0.0, 0.0
            arcs[first].following = first
            arcs[first].held_x, arcs[first].held_y = arcs[first].centre_x, arcs[first].centre_y
            arcs[first].held = arcs[first].radius
            self.shapes[row].perimeter = TURN * arcs[first].radius
            self.shapes[row].middle_x, self.shapes[row].middle_y = arcs[first].centre_x, arcs[first].centre_y
            self.shapes[row].reach = self.shapes[row].inner = arcs[first].radius
            return 0
        place: cython.double = 0.0
        middle_x: cython.double = 0.0
        middle_y: cython.double = 0.0
        i: cython.Py_ssize_t
        for i in range(first, first + count):
            j: cython.Py_ssize_t = i + 1 if i + 1 < first + count else first
            arcs[i].following, arcs[i].place = j, place
            arcs[i].sweep = turned(arcs[i].begin_x, arcs[i].begin_y, arcs[i].end_x, arcs[i].end_y)
            edge_x: cython.double = arcs[j].centre_x + arcs[j].radius * arcs[j].begin_x
            edge_y: cython.double = arcs[j].centre_y + arcs[j].radius * arcs[j].begin_y
            edge_x -= arcs[i].centre_x + arcs[i].radius * arcs[i].end_x
            edge_y -= arcs[i].centre_y + arcs[i].radius * arcs[i].end_y
            edge: cython.double = sqrt(edge_x * edge_x + edge_y * edge_y)
            arcs[i].edge = edge if edge >= ROUNDING else 0.0
            place += arcs[i].radius * arcs[i].sweep + arcs[i].edge
            half_x: cython.double = arcs[i].radius * (arcs[i].end_x - arcs[i].begin_x) / 2
            half_y: cython.double = arcs[i].radius * (arcs[i].end_y - arcs[i].begin_y) / 2
            arcs[i].held_x = arcs[i].centre_x + arcs[i].radius * arcs[i].begin_x + half_x
            arcs[i].held_y = arcs[i].centre_y + arcs[i].radius * arcs[i].begin_y + half_y
            arcs[i].held = sqrt(half_x * half_x + half_y * half_y) + arcs[i].edge
            middle_x += arcs[i].centre_x
            middle_y += arcs[i].centre_y
        self.shapes[row].perimeter = place
        self.shapes[row].middle_x, self.shapes[row].middle_y = middle_x / count, middle_y / count
        self.shapes[row].reach = 0.0
        for i in range(first, first + count):
            self.shapes[row].reach = max(self.shapes[row].reach, self._farthest(row, i))
        inner: cython.double = self.gap(row, self.shapes[row].middle_x, self.shapes[row].middle_y)
        self.shapes[row].inner = -inner - ROUNDING
        return 0

    def _farthest(self, row: cython.Py_ssize_t, arc: cython.Py_ssize_t) -> cython.double:
        """Return how far an arc reaches from its shape's middle."""
        arcs: ArcTable = self.shapes[row].arcs
        off_x: cython.double = arcs[arc].centre_x - self.shapes[row].middle_x
        off_y: cython.double = arcs[arc].centre_y - self.shapes[row].middle_y
        radius: cython.double = arcs[arc].radius
        far: cython.double = sqrt(off_x * off_x + off_y * off_y)
        # The point straight beyond the arc's centre is the farthest, if the arc faces that way.
        if far > 0.0 and faces(arcs, arc, off_x / far, off_y / far):
            return far + radius
        x: cython.double = off_x + radius * arcs[arc].begin_x
        y: cython.double = off_y + radius * arcs[arc].begin_y
        far = sqrt(x * x + y * y)
        x, y = off_x + radius * arcs[arc].end_x, off_y + radius * arcs[arc].end_y
        return max(far, sqrt(x * x + y * y))

    def count_climbable(self) -> cython.int:
        """Count the shapes that may be climbed and are not absent."""
        self.climbable = 0
        row: cython.Py_ssize_t
        for row in range(self.count):
            if self.shapes[row].height < INFINITE and not self.shapes[row].absent:
                self.climbable += 1
        return 0

    def leave_out(self, row: cython.Py_ssize_t) -> None:
        """Leave out a shape from all questions about all shapes, here and not in the base."""
        self.shapes[row].absent = True

    def gap(self, row: cython.Py_ssize_t, x: cython.double, y: cython.double) -> cython.double:
        """Return the distance of a point from a shape; less than 0 inside, by the depth."""
        gap: cython.double
        _: cython.Py_ssize_t
        gap, _ = self.nearest(row, x, y)
        return gap

    def nearest(
        self, row: cython.Py_ssize_t, x: cython.double, y: cython.double
    ) -> tuple[cython.double, cython.Py_ssize_t]:
        """Return the distance of a point from a shape, as `gap`, and the arc that faces the point.

        The edge after that arc may face it instead.
        """
        first: cython.Py_ssize_t = self.shapes[row].first
        return outmost(self.shapes[row].arcs, first, first + self.shapes[row].count, x, y, -INFINITE, first)

    def least_gap(self, x: cython.double, y: cython.double) -> cython.double:
        """Return the distance of a point from the nearest shape; infinite where there is none."""
        least: cython.double = INFINITE
        row: cython.Py_ssize_t
        for row in range(self.count):
            off_x: cython.double = x - self.shapes[row].middle_x
            off_y: cython.double = y - self.shapes[row].middle_y
            if sqrt(off_x * off_x + off_y * off_y) - self.shapes[row].reach < least:
                least = min(least, self.gap(row, x, y))
        return least

    def is_on_board(self, x: cython.double, y: cython.double) -> cython.bint:
        """Return whether a point lies in the box, but for rounding."""
        return (
            x >= self.low_x - PLACE_SLACK_INCHES
            and y >= self.low_y - PLACE_SLACK_INCHES
            and x <= self.high_x + PLACE_SLACK_INCHES
            and y <= self.high_y + PLACE_SLACK_INCHES
        )

    def holder(
        self,
        x: cython.double,
        y: cython.double,
        slack: cython.double,
        but: cython.Py_ssize_t,
        first: cython.Py_ssize_t,
    ) -> cython.Py_ssize_t:
        """Return the first closing shape from a row on, but for one, that holds a point; else -1.

        A shape holds a point that lies deeper in it than `slack`.
        """
        row: cython.Py_ssize_t
        for row in range(first, self.count):
            if self.shapes[row].absent or row == but or self.shapes[row].height < INFINITE:
                continue
            off_x: cython.double = x - self.shapes[row].middle_x
            off_y: cython.double = y - self.shapes[row].middle_y
            reach: cython.double = self.shapes[row].reach - slack
            if reach <= 0.0 or off_x * off_x + off_y * off_y >= reach * reach:
                continue
            inner: cython.double = self.shapes[row].inner - slack
            if inner > 0.0 and off_x * off_x + off_y * off_y < inner * inner:
                return row
            if self.gap(row, x, y) < -slack:
                return row
        return -1

    def is_open(
        self, x: cython.double, y: cython.double, slack: cython.double, but: cython.Py_ssize_t
    ) -> cython.bint:
        """Return whether a point lies on the board and, but for one, in no shape."""
        return self.is_on_board(x, y) and self.holder(x, y, slack, but, 0) < 0

    def enters(
        self,
        row: cython.Py_ssize_t,
        ax: cython.double,
        ay: cython.double,
        bx: cython.double,
        by: cython.double,
        slack: cython.double,
    ) -> cython.bint:
        """Return whether a line enters a shape deeper than `slack`: no direction parts them."""
        if not self._comes_near(row, ax, ay, bx, by, self.shapes[row].reach - slack):
            return False
        if self.shapes[row].count == 1:
            return True
        if self._comes_near(row, ax, ay, bx, by, self.shapes[row].inner - slack):
            return True
        first: cython.Py_ssize_t = self.shapes[row].first
        return not are_parted(
            self.shapes[row].arcs, first, first + self.shapes[row].count, ax, ay, bx, by, slack
        )

    def _comes_near(
        self,
        row: cython.Py_ssize_t,
        ax: cython.double,
        ay: cython.double,
        bx: cython.double,
        by: cython.double,
        reach: cython.double,
    ) -> cython.bint:
        """Return whether a straight line comes nearer to a shape's middle than `reach`."""
        if reach <= 0.0:
            return False
        along_x: cython.double = bx - ax
        along_y: cython.double = by - ay
        off_x: cython.double = self.shapes[row].middle_x - ax
        off_y: cython.double = self.shapes[row].middle_y - ay
        square: cython.double = along_x * along_x + along_y * along_y
        along: cython.double = off_x * along_x + off_y * along_y
        if 0.0 < along < square:
            aside: cython.double = off_x * along_y - off_y * along_x
            return aside * aside < reach * reach * square
        if along >= square:
            off_x -= along_x
            off_y -= along_y
        return off_x * off_x + off_y * off_y < reach * reach

    def blocker(
        self,
        ax: cython.double,
        ay: cython.double,
        bx: cython.double,
        by: cython.double,
        slack: cython.double,
        first: cython.Py_ssize_t,
    ) -> cython.Py_ssize_t:
        """Return the first closing shape, from a row on, that a straight line enters; else -1."""
        row: cython.Py_ssize_t
        for row in range(first, self.count):
            if self.shapes[row].absent or self.shapes[row].height < INFINITE:
                continue
            if self.enters(row, ax, ay, bx, by, slack):
                return row
        return -1

    def is_clear(
        self,
        ax: cython.double,
        ay: cython.double,
        bx: cython.double,
        by: cython.double,
        slack: cython.double,
    ) -> cython.bint:
        """Return whether a straight line stays on the board and enters no shape deeper than `slack`."""
        if not self.is_on_board(ax, ay) or not self.is_on_board(bx, by):
            return False
        return self.blocker(ax, ay, bx, by, slack, 0) < 0

    def are_clear(self, lines: Sequence[float], slack: float) -> list[bool]:
        """Return of flat lines (ax, ay, bx, by, …) which are clear."""
        return [
            self.is_clear(lines[i], lines[i + 1], lines[i + 2], lines[i + 3], slack)
            for i in range(0, len(lines), 4)
        ]
