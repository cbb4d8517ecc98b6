"""A table of convex shapes on the board, whose rims are true arcs and straight edges.

Owns distances of points from the shapes and whether straight lines enter them. What leads round the shapes
is `geometry/core/tangents.py`'s.

A shape is a ring of arcs, counter-clockwise, with a straight edge after each; a disc is one arc all round.
Lengths are in inches, angles in radians, directions have length 1. Of an `Arc` there are:

- `centre_x`, `centre_y`, `radius` (0 for a corner);
- `begin_x`, `begin_y`, `end_x`, `end_y`: the directions in which the arc begins and ends to face, `sweep`:
  the angle between these; the edge after an arc faces as the arc does where it ends;
- `place`: how far along the rim the arc begins, counter-clockwise from where the shape's first arc begins;
- `edge`: the length of the straight edge after the arc, 0 for none; `following`: the next arc's number;
- `held_x`, `held_y`, `held`: a circle, by its centre and radius, that holds the arc and the edge after it.

Of a `Shape` there are `middle_x`, `middle_y`, `reach` (a circle that holds it; a disc's own), `perimeter`,
its arcs (`arcs[first]` to `arcs[first + count - 1]`), and whether it is `absent`: passed over by every
question about all shapes. `height` is that of a shape that may be climbed, so that it closes no line and no
place; infinite for what closes. `cover` is the row of a shape that is wider all round and makes this one
needless, else -1.
"""

from __future__ import annotations

from collections.abc import Sequence

import cython

if not cython.compiled:
    from math import sqrt

    from geometry.core.numeric import TURN, turned
    from geometry.core.plain import Arc, ArcTable, Shape, ShapeTable, free, realloc, table

BOARD_SLACK = 2e-7
"""At this distance beyond the box a point still counts as on the board, in inches."""
DIRECTION_SLACK = 1e-7
"""An arc faces directions this little beyond its ends, in radians: rounding opens no gap."""
SHORT_EDGE = 1e-9
"""Straight edges shorter than this, in inches, are none."""
INFINITE = float("inf")
SEEN = cython.declare(cython.double, 1e-6)
"""A point no farther from the line along a rim, in inches, may lie on it but for rounding."""

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
            self.shapes[row].reach = arcs[first].radius
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
            arcs[i].edge = edge if edge >= SHORT_EDGE else 0.0
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
        arcs: ArcTable = self.shapes[row].arcs
        first: cython.Py_ssize_t = self.shapes[row].first
        found: cython.double = -INFINITE
        i: cython.Py_ssize_t
        for i in range(first, first + self.shapes[row].count):
            off_x: cython.double = x - arcs[i].centre_x
            off_y: cython.double = y - arcs[i].centre_y
            if arcs[i].following == i:
                return sqrt(off_x * off_x + off_y * off_y) - arcs[i].radius
            found = max(found, off_x * arcs[i].end_x + off_y * arcs[i].end_y - arcs[i].radius)
            if (
                arcs[i].begin_x * off_y - arcs[i].begin_y * off_x >= 0.0
                and off_x * arcs[i].end_y - off_y * arcs[i].end_x >= 0.0
                and off_x * (arcs[i].begin_x + arcs[i].end_x) + off_y * (arcs[i].begin_y + arcs[i].end_y)
                >= 0.0
            ):
                found = max(found, sqrt(off_x * off_x + off_y * off_y) - arcs[i].radius)
        return found

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
            x >= self.low_x - BOARD_SLACK
            and y >= self.low_y - BOARD_SLACK
            and x <= self.high_x + BOARD_SLACK
            and y <= self.high_y + BOARD_SLACK
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
            if self.shapes[row].count == 1 or self.gap(row, x, y) < -slack:
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
        if not self._comes_near(row, ax, ay, bx, by, slack):
            return False
        if self.shapes[row].count == 1:
            return True
        arcs: ArcTable = self.shapes[row].arcs
        first: cython.Py_ssize_t = self.shapes[row].first
        along_x: cython.double = bx - ax
        along_y: cython.double = by - ay
        length: cython.double = sqrt(along_x * along_x + along_y * along_y)
        aside_x: cython.double = 0.0
        aside_y: cython.double = 0.0
        if length > 0.0:
            aside_x, aside_y = -along_y / length, along_x / length
        i: cython.Py_ssize_t
        for i in range(first, first + self.shapes[row].count):
            from_x: cython.double = ax - arcs[i].centre_x
            from_y: cython.double = ay - arcs[i].centre_y
            to_x: cython.double = bx - arcs[i].centre_x
            to_y: cython.double = by - arcs[i].centre_y
            radius: cython.double = arcs[i].radius - slack
            # Square to the edge after the arc.
            if (
                from_x * arcs[i].end_x + from_y * arcs[i].end_y >= radius
                and to_x * arcs[i].end_x + to_y * arcs[i].end_y >= radius
            ):
                return False
            # From the arc's centre to either end of the line.
            if _parts(arcs, i, from_x, from_y, to_x, to_y, radius):
                return False
            if _parts(arcs, i, to_x, to_y, from_x, from_y, radius):
                return False
            # Square to the line, on either side.
            if length > 0.0:
                side: cython.double = from_x * aside_x + from_y * aside_y
                if side >= radius and faces(arcs, i, aside_x, aside_y):
                    return False
                if -side >= radius and faces(arcs, i, -aside_x, -aside_y):
                    return False
        return True

    def _comes_near(
        self,
        row: cython.Py_ssize_t,
        ax: cython.double,
        ay: cython.double,
        bx: cython.double,
        by: cython.double,
        slack: cython.double,
    ) -> cython.bint:
        """Return whether a straight line enters the circle that holds a shape."""
        reach: cython.double = self.shapes[row].reach - slack
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


def faces(arcs: ArcTable, arc: cython.Py_ssize_t, x: cython.double, y: cython.double) -> cython.bint:
    """Return whether an arc faces in a direction of length 1, but for rounding."""
    if arcs[arc].following == arc:
        return True
    if arcs[arc].begin_x * y - arcs[arc].begin_y * x < -DIRECTION_SLACK:
        return False
    if x * arcs[arc].end_y - y * arcs[arc].end_x < -DIRECTION_SLACK:
        return False
    ahead: cython.double = x * (arcs[arc].begin_x + arcs[arc].end_x)
    return ahead + y * (arcs[arc].begin_y + arcs[arc].end_y) > -DIRECTION_SLACK


def may_touch(arcs: ArcTable, arc: cython.Py_ssize_t, x: cython.double, y: cython.double) -> cython.bint:
    """Return whether a line from a point may be tangent to an arc: it sees some of it, not all."""
    if arcs[arc].following == arc:
        return True
    off_x: cython.double = x - arcs[arc].centre_x
    off_y: cython.double = y - arcs[arc].centre_y
    begin: cython.double = off_x * arcs[arc].begin_x + off_y * arcs[arc].begin_y - arcs[arc].radius
    end: cython.double = off_x * arcs[arc].end_x + off_y * arcs[arc].end_y - arcs[arc].radius
    if begin > SEEN or end > SEEN:
        return begin <= SEEN or end <= SEEN
    if begin >= -SEEN or end >= -SEEN:
        return True
    # Neither end is seen: some of the arc between them may be, if it faces the point.
    return (
        arcs[arc].begin_x * off_y - arcs[arc].begin_y * off_x >= -SEEN
        and off_x * arcs[arc].end_y - off_y * arcs[arc].end_x >= -SEEN
    )


def _parts(
    arcs: ArcTable,
    arc: cython.Py_ssize_t,
    near_x: cython.double,
    near_y: cython.double,
    other_x: cython.double,
    other_y: cython.double,
    radius: cython.double,
) -> cython.bint:
    """Return whether the direction from an arc's centre to a line's end parts line and arc.

    Both ends are given as seen from the centre.
    """
    if arcs[arc].begin_x * near_y - arcs[arc].begin_y * near_x < 0.0:
        return False
    if near_x * arcs[arc].end_y - near_y * arcs[arc].end_x < 0.0:
        return False
    ahead: cython.double = near_x * (arcs[arc].begin_x + arcs[arc].end_x)
    if ahead + near_y * (arcs[arc].begin_y + arcs[arc].end_y) < 0.0:
        return False
    far: cython.double = sqrt(near_x * near_x + near_y * near_y)
    return far >= radius and near_x * other_x + near_y * other_y >= radius * far
