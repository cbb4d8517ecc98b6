"""What ways lead to: points, rings about bases, and straight lines, of which any will do.

Owns the last stretches of ways: a shortest way ends square to a ring or line, at a point, or in a corner
where an obstacle cuts a ring or line off. Which way is shortest is `geometry/core/search.py`'s.

A target is a shape: a point is a disc of radius 0, a line a shape of two arcs of radius 0. Of a `Stretch`
there are the place where it `leaves` a rim, the rim's `row` and the `turn` in which it is left, its `length`,
its two ends, whether it is `clear`: 1, -1, or 0 until that is asked, and what its climbs cost (`climb`).
"""

from __future__ import annotations

import cython

from geometry.tolerance import LINE_SLACK_INCHES, PLACE_SLACK_INCHES, ROUNDING, TOLERANCE

if not cython.compiled:
    from math import sqrt

    from geometry.core.arcs import arc_facing, faces, may_touch, sweep_left
    from geometry.core.climb import climb_of, height_at
    from geometry.core.plain import ArcTable, Stretch, StretchTable, free, realloc, table
    from geometry.core.rim import add_board_crossings, add_crossings, place_facing, place_near, point_at
    from geometry.core.shapes import INFINITE, Shapes
    from geometry.core.tangents import VisibilityGraph

Corners = list[tuple[float, float]]


@cython.cclass
class Targets:
    """Targets, with the corners to which obstacles cut them, and last stretches to these."""

    def __init__(self, graph: VisibilityGraph, rings: Shapes) -> None:
        """Take the obstacles and the targets."""
        corners = self._corners(graph, rings)
        box = (rings.low_x, rings.low_y, rings.high_x, rings.high_y)
        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        self.shapes = Shapes(box, xs, ys, [0.0] * len(corners), (), rings)
        self.rings = rings.count
        self.are_points = True
        row: cython.Py_ssize_t
        for row in range(rings.count):
            if rings.shapes[row].reach > TOLERANCE:
                self.are_points = False
        self.count = self.room = 0
        self.end_x = self.end_y = 0.0
        self._reserve(64)

    def __dealloc__(self) -> None:
        """Give the memory back."""
        free(self.stretches)

    def _reserve(self, room: cython.Py_ssize_t) -> cython.int:
        """Make room for a number of stretches."""
        if not cython.compiled:
            self.stretches: StretchTable = table(Stretch, room, self.stretches if self.room else None)
        else:
            self.stretches = cython.cast(StretchTable, realloc(self.stretches, room * cython.sizeof(Stretch)))
            if not self.stretches:
                raise MemoryError
        self.room = room
        return 0

    def _corners(self, graph: VisibilityGraph, rings: Shapes) -> Corners:
        """Return the open points at which obstacles and the board's edge cut the rims of targets."""
        obstacles: Shapes = graph.shapes
        box = (obstacles.low_x, obstacles.low_y, obstacles.high_x, obstacles.high_y)
        on_board: Shapes = Shapes(box, (), (), (), (), rings)
        found: Corners = []
        row: cython.Py_ssize_t
        other: cython.Py_ssize_t
        for row in range(rings.count):
            middle_x: cython.double = rings.shapes[row].middle_x
            middle_y: cython.double = rings.shapes[row].middle_y
            if rings.shapes[row].reach <= TOLERANCE:
                continue
            places: list[float] = []
            for other in range(obstacles.count):
                if obstacles.shapes[other].absent:
                    continue
                off_x: cython.double = obstacles.shapes[other].middle_x - middle_x
                off_y: cython.double = obstacles.shapes[other].middle_y - middle_y
                reach: cython.double = obstacles.shapes[other].reach + rings.shapes[row].reach + ROUNDING
                if off_x * off_x + off_y * off_y < reach * reach:
                    add_crossings(rings, row, obstacles, other, places)
            add_board_crossings(on_board, row, places)
            for place in places:
                x: cython.double
                y: cython.double
                x, y = point_at(rings, row, place)
                if (
                    obstacles.is_open(x, y, LINE_SLACK_INCHES, -1)
                    and rings.holder(x, y, PLACE_SLACK_INCHES, -1, 0) < 0
                    and height_at(obstacles, x, y) <= 0.0
                ):
                    found.append((x, y))
        return found

    def bound(self, x: cython.double, y: cython.double) -> cython.double:
        """Return what no way from a point to the targets is shorter than."""
        least: cython.double = INFINITE
        row: cython.Py_ssize_t
        for row in range(self.rings):
            off_x: cython.double = self.shapes.shapes[row].middle_x - x
            off_y: cython.double = self.shapes.shapes[row].middle_y - y
            far: cython.double = sqrt(off_x * off_x + off_y * off_y) - self.shapes.shapes[row].reach
            least = min(least, far)
        return max(least, 0.0)

    def straight(
        self,
        graph: VisibilityGraph,
        x: cython.double,
        y: cython.double,
        most: cython.double,
        slack: cython.double,
    ) -> cython.double:
        """Return the length of the shortest straight way from a point to a target.

        It enters no shape deeper than `slack`, and ends at `end_x`, `end_y`. Infinite where none is shorter
        than `most`.
        """
        best: cython.double = most
        row: cython.Py_ssize_t
        k: cython.Py_ssize_t
        for row in range(self.shapes.count):
            off_x: cython.double = self.shapes.shapes[row].middle_x - x
            off_y: cython.double = self.shapes.shapes[row].middle_y - y
            if sqrt(off_x * off_x + off_y * off_y) - self.shapes.shapes[row].reach >= best:
                continue
            if row < self.rings and self.shapes.gap(row, x, y) <= 0.0:
                self.end_x, self.end_y = x, y
                return 0.0
            arcs: ArcTable = self.shapes.shapes[row].arcs
            first: cython.Py_ssize_t = self.shapes.shapes[row].first
            for k in range(first, first + self.shapes.shapes[row].count):
                off_x, off_y = x - arcs[k].centre_x, y - arcs[k].centre_y
                far: cython.double = sqrt(off_x * off_x + off_y * off_y)
                if far > 0.0 and far >= arcs[k].radius and faces(arcs, k, off_x / far, off_y / far):
                    share: cython.double = arcs[k].radius / far
                    end_x: cython.double = arcs[k].centre_x + share * off_x
                    end_y: cython.double = arcs[k].centre_y + share * off_y
                    best = self._straight_to(graph, x, y, end_x, end_y, best, slack)
                if arcs[k].edge > 0.0:
                    out_x: cython.double = arcs[k].end_x
                    out_y: cython.double = arcs[k].end_y
                    out: cython.double = off_x * out_x + off_y * out_y - arcs[k].radius
                    along: cython.double = off_y * out_x - off_x * out_y
                    if out >= 0.0 and along >= 0.0 and along <= arcs[k].edge:
                        best = self._straight_to(graph, x, y, x - out * out_x, y - out * out_y, best, slack)
        return best if best < most else INFINITE

    def _straight_to(
        self,
        graph: VisibilityGraph,
        x: cython.double,
        y: cython.double,
        end_x: cython.double,
        end_y: cython.double,
        most: cython.double,
        slack: cython.double,
    ) -> cython.double:
        """Return the length of a straight way if that is clear and shorter than `most`, else `most`."""
        length: cython.double = sqrt((end_x - x) * (end_x - x) + (end_y - y) * (end_y - y))
        if length >= most or not graph.shapes.is_clear(x, y, end_x, end_y, slack):
            return most
        if graph.shapes.climbable > 0:
            if not self.are_points and height_at(graph.shapes, end_x, end_y) > 0.0:
                return most
            length += climb_of(graph.shapes, x, y, end_x, end_y)
            if length >= most:
                return most
        self.end_x, self.end_y = end_x, end_y
        return length

    def add_from_point(self, x: cython.double, y: cython.double) -> cython.int:
        """Add the straight stretches from a point to every target."""
        spot: Shapes = Shapes((x, y, x, y), (x,), (y,), (0.0,))
        return self.add_from_rim(spot, 0, 1)

    def add_from_rim(self, shapes: Shapes, row: cython.Py_ssize_t, turn: cython.int) -> cython.int:
        """Add the stretches that leave a rim in a sense and end square to a target."""
        before: cython.Py_ssize_t = self.count
        i: cython.Py_ssize_t
        target: cython.Py_ssize_t
        for target in range(self.shapes.count):
            self._add_to_shape(shapes, row, turn, target)
        for target in range(self.rings):
            if self.shapes.shapes[target].reach <= 0.0:
                self._add_on_rim(shapes, row, target)
        for i in range(before, self.count):
            self.stretches[i].row, self.stretches[i].turn = cython.cast(cython.int, row), turn
        return 0

    def _add_on_rim(self, shapes: Shapes, row: cython.Py_ssize_t, target: cython.Py_ssize_t) -> cython.int:
        """Add the stretch of no length to a point that lies on the rim."""
        x: cython.double = self.shapes.shapes[target].middle_x
        y: cython.double = self.shapes.shapes[target].middle_y
        off_x: cython.double = x - shapes.shapes[row].middle_x
        off_y: cython.double = y - shapes.shapes[row].middle_y
        reach: cython.double = shapes.shapes[row].reach + LINE_SLACK_INCHES
        if shapes.shapes[row].count == 1 or off_x * off_x + off_y * off_y > reach * reach:
            return 0
        gap: cython.double = shapes.gap(row, x, y)
        if gap >= ROUNDING or gap <= -LINE_SLACK_INCHES:
            return 0
        return self._append(place_near(shapes, row, x, y), 0.0, x, y, x, y)

    def _add_to_shape(
        self, shapes: Shapes, row: cython.Py_ssize_t, turn: cython.int, target: cython.Py_ssize_t
    ) -> cython.int:
        """Add the stretches from a rim to a target.

        The directions that the rim faces are gone through once round, and with them those that the target
        faces a quarter turn away, against which a stretch runs. Until one of two arcs ends, these two alone
        may have a stretch.
        """
        arcs: ArcTable = shapes.shapes[row].arcs
        theirs: ArcTable = self.shapes.shapes[target].arcs
        first: cython.Py_ssize_t = self.shapes.shapes[target].first
        count: cython.Py_ssize_t = shapes.shapes[row].count
        their_count: cython.Py_ssize_t = self.shapes.shapes[target].count
        i: cython.Py_ssize_t = shapes.shapes[row].first
        k: cython.Py_ssize_t = first
        rest: cython.double = arcs[i].sweep
        their_rest: cython.double = theirs[k].sweep
        if count > 1 and their_count > 1:
            face_x: cython.double = turn * arcs[i].begin_y
            face_y: cython.double = -turn * arcs[i].begin_x
            k = arc_facing(theirs, first, their_count, face_x, face_y)
            their_rest = sweep_left(theirs, k, face_x, face_y)
        steps: cython.Py_ssize_t = (count if count > 1 else 0) + (their_count if their_count > 1 else 0)
        _: cython.Py_ssize_t
        for _ in range(max(steps, 1)):
            self._add_to_arc(arcs, i, turn, target, k)
            if their_count == 1 or (count > 1 and rest < their_rest):
                their_rest -= rest
                i = arcs[i].following
                rest = arcs[i].sweep
            else:
                if theirs[k].edge > 0.0:
                    self._add_to_edge(arcs, i, turn, target, k)
                rest -= their_rest
                k = theirs[k].following
                their_rest = theirs[k].sweep
        return 0

    def _add_to_arc(
        self,
        arcs: ArcTable,
        arc: cython.Py_ssize_t,
        turn: cython.int,
        target: cython.Py_ssize_t,
        target_arc: cython.Py_ssize_t,
    ) -> cython.int:
        """Add the stretch from an arc that ends square to an arc of a target: toward its centre."""
        theirs: ArcTable = self.shapes.shapes[target].arcs
        if not may_touch(arcs, arc, theirs[target_arc].centre_x, theirs[target_arc].centre_y):
            return 0
        off_x: cython.double = theirs[target_arc].centre_x - arcs[arc].centre_x
        off_y: cython.double = theirs[target_arc].centre_y - arcs[arc].centre_y
        radius: cython.double = arcs[arc].radius
        square: cython.double = off_x * off_x + off_y * off_y
        least: cython.double = max(radius - PLACE_SLACK_INCHES, 0.0)
        if square <= 0.0 or square < least * least:
            return 0
        length: cython.double = sqrt(max(square - radius * radius, 0.0))
        rest: cython.double = length - theirs[target_arc].radius
        if rest < -ROUNDING:
            return 0
        rest = max(rest, 0.0)
        x: cython.double = (radius * off_x + turn * length * off_y) / square
        y: cython.double = (radius * off_y - turn * length * off_x) / square
        if not faces(arcs, arc, x, y):
            return 0
        begin_x: cython.double = arcs[arc].centre_x + radius * x
        begin_y: cython.double = arcs[arc].centre_y + radius * y
        # Going counter-clockwise, the line runs to the left of where the rim faces.
        if not faces(theirs, target_arc, turn * y, -turn * x):
            return 0
        share: cython.double = 1.0
        if theirs[target_arc].radius > 0.0:
            share = rest / length if length > 0.0 else 0.0
        return self._append(
            place_facing(arcs, arc, x, y),
            rest,
            begin_x,
            begin_y,
            begin_x + share * (theirs[target_arc].centre_x - begin_x),
            begin_y + share * (theirs[target_arc].centre_y - begin_y),
        )

    def _add_to_edge(
        self,
        arcs: ArcTable,
        arc: cython.Py_ssize_t,
        turn: cython.int,
        target: cython.Py_ssize_t,
        target_arc: cython.Py_ssize_t,
    ) -> cython.int:
        """Add the stretch that leaves an arc and ends square to the edge after an arc of a target."""
        theirs: ArcTable = self.shapes.shapes[target].arcs
        out_x: cython.double = theirs[target_arc].end_x
        out_y: cython.double = theirs[target_arc].end_y
        # The line runs against the direction in which the edge faces.
        x: cython.double = -turn * out_y
        y: cython.double = turn * out_x
        if not faces(arcs, arc, x, y):
            return 0
        begin_x: cython.double = arcs[arc].centre_x + arcs[arc].radius * x
        begin_y: cython.double = arcs[arc].centre_y + arcs[arc].radius * y
        edge_x: cython.double = theirs[target_arc].centre_x + theirs[target_arc].radius * out_x
        edge_y: cython.double = theirs[target_arc].centre_y + theirs[target_arc].radius * out_y
        length: cython.double = (begin_x - edge_x) * out_x + (begin_y - edge_y) * out_y
        # Counter-clockwise along the edge is to the left of where it faces.
        along: cython.double = (begin_y - edge_y) * out_x - (begin_x - edge_x) * out_y
        if (
            length < -ROUNDING
            or along < -PLACE_SLACK_INCHES
            or along > theirs[target_arc].edge + PLACE_SLACK_INCHES
        ):
            return 0
        length = max(length, 0.0)
        return self._append(
            place_facing(arcs, arc, x, y),
            length,
            begin_x,
            begin_y,
            begin_x - length * out_x,
            begin_y - length * out_y,
        )

    def _append(
        self,
        leaves: cython.double,
        length: cython.double,
        begin_x: cython.double,
        begin_y: cython.double,
        end_x: cython.double,
        end_y: cython.double,
    ) -> cython.int:
        """Append a stretch of which is not yet known whether it is clear."""
        k: cython.Py_ssize_t = self.count
        if k == self.room:
            self._reserve(2 * k)
        self.stretches[k].leaves, self.stretches[k].length = leaves, length
        self.stretches[k].begin_x, self.stretches[k].begin_y = begin_x, begin_y
        self.stretches[k].end_x, self.stretches[k].end_y = end_x, end_y
        self.stretches[k].clear = 0
        self.stretches[k].climb = 0.0
        self.count = k + 1
        return 0
