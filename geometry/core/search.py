"""The shortest way from a point to targets over a visibility graph, by A*.

Owns the order of the search: the least sum of the length behind and the bound ahead comes first. Tangents are
asked whether they are clear only when they are the next to be tried.
"""

from __future__ import annotations

import cython

from geometry.tolerance import LINE_SLACK_INCHES, ROUNDING

if not cython.compiled:
    from math import sqrt

    from geometry.core.climb import Heights, climb_along, climb_of
    from geometry.core.frontier import Frontier
    from geometry.core.plain import ArcTable
    from geometry.core.rim import legs_along, onward, place_facing, place_near, point_at
    from geometry.core.shapes import INFINITE, Shapes
    from geometry.core.tangents import VisibilityGraph
    from geometry.core.targets import Targets
    from geometry.core.touching import touch, touched_arc

Legs = tuple[tuple[float, ...], ...]
"""Legs as `geometry/core/rim.py` says."""
ON_RIM = cython.declare(cython.int, -2)
"""Stands for the step of an entry that begins on a rim."""


@cython.cclass
class Search(Frontier):
    """One search for the shortest way from a point to any of some targets.

    What holds the start, or a point to be reached, is to be left out of the graph before (`freed`). The
    `length` is that of the way found last, climbs and all, in inches.
    """

    def __init__(
        self, graph: VisibilityGraph, targets: Targets, start_x: cython.double, start_y: cython.double
    ) -> None:
        """Take the graph, the targets, and where ways begin."""
        Frontier.__init__(self, graph, targets)
        self.start_x, self.start_y = start_x, start_y
        self.length = INFINITE
        ranges: list[tuple[int, int] | None] = [None] * (2 * graph.shapes.count)
        self._ranges = ranges

    def bound(self, x: cython.double, y: cython.double) -> cython.double:
        """Return what no way on from a point to the targets is shorter than."""
        return self.targets.bound(x, y)

    def shortest(self, limit: cython.double) -> Legs | None:
        """Return the legs of the shortest way; None where none is as short as the limit, in inches."""
        self.length = INFINITE
        self._begin(limit)
        while self.waiting > 0 and self.entries[0].bound <= limit:
            bound: cython.double = self.entries[0].bound
            far: cython.double = self.entries[0].far
            step: cython.int = self.entries[0].step
            index: cython.int = self.entries[0].index
            self.pop()
            if index < 0:
                k: cython.Py_ssize_t = -1 - index
                if self.is_clear_stretch(k) and not self.is_put_back(
                    bound,
                    self.targets.stretches[k].climb,
                    self.targets.stretches[k].end_x,
                    self.targets.stretches[k].end_y,
                    far,
                    step,
                    index,
                ):
                    self.length = bound
                    return self._traced(step, k)
            elif step == ON_RIM:
                self._leave_rim(index, limit)
            elif step < 0:
                self._leave(index, bound, far, limit)
            elif self.is_best(step, index, far):
                self.go_on(step, index, bound, far, limit)
        return None

    def _begin(self, limit: cython.double) -> cython.int:
        """Put the straight ways and the tangents from the start into the queue."""
        k: cython.Py_ssize_t
        self.targets.add_from_point(self.start_x, self.start_y)
        for k in range(self.targets.count):
            length: cython.double = self.targets.stretches[k].length
            if length <= limit:
                self.push(length, length, -1, -1 - cython.cast(cython.int, k))
        shapes: Shapes = self.graph.shapes
        row: cython.Py_ssize_t
        for row in range(shapes.count):
            if shapes.shapes[row].absent:
                continue
            reach: cython.double = shapes.shapes[row].reach
            if shapes.shapes[row].count == 1 and reach <= ROUNDING:
                continue
            off_x: cython.double = shapes.shapes[row].middle_x - self.start_x
            off_y: cython.double = shapes.shapes[row].middle_y - self.start_y
            least: cython.double = max(sqrt(off_x * off_x + off_y * off_y) - reach, 0.0)
            beyond: cython.double = self.bound(shapes.shapes[row].middle_x, shapes.shapes[row].middle_y)
            if least + max(beyond - reach, 0.0) > limit:
                continue
            gap: cython.double = 1.0
            if least <= 0.0 and shapes.shapes[row].count > 1:
                gap = shapes.gap(row, self.start_x, self.start_y)
            if gap < ROUNDING and gap > -LINE_SLACK_INCHES:
                # Next to a corner the directions of tangents mean nothing: the way begins on the rim.
                k = 2 * row
                self.push(0.0, 0.0, ON_RIM, cython.cast(cython.int, k))
                self.push(0.0, 0.0, ON_RIM, cython.cast(cython.int, k + 1))
            self._push_touched(row, limit)
        return 0

    def _push_touched(self, row: cython.Py_ssize_t, limit: cython.double) -> cython.int:
        """Put the tangents from the start to a rim into the queue."""
        shapes: Shapes = self.graph.shapes
        first: cython.Py_ssize_t = shapes.shapes[row].first
        k: cython.Py_ssize_t
        one: cython.Py_ssize_t = touched_arc(shapes, row, self.start_x, self.start_y, 1) - first
        other: cython.Py_ssize_t = touched_arc(shapes, row, self.start_x, self.start_y, -1) - first
        if one >= 0 and other >= 0:
            # In the order of arcs: of ways of one length the first that is found is taken.
            if one > other:
                self._push_arc(row, other, -1, limit)
            self._push_arc(row, one, 1, limit)
            if one <= other:
                self._push_arc(row, other, -1, limit)
            return 0
        for k in range(shapes.shapes[row].count):
            self._push_arc(row, k, 1, limit)
            self._push_arc(row, k, -1, limit)
        return 0

    def _leave_rim(self, index: cython.int, limit: cython.double) -> cython.int:
        """Begin on the rim that the start touches, in a sense."""
        turn: cython.int = -1 if index & 1 else 1
        row: cython.int = index >> 1
        place: cython.double = place_near(self.graph.shapes, row, self.start_x, self.start_y)
        x: cython.double
        y: cython.double
        x, y = point_at(self.graph.shapes, row, place)
        self.arrive(row, turn, place, 0.0, -1, 0.0, x, y, limit)
        return 0

    def _push_arc(
        self, row: cython.Py_ssize_t, k: cython.Py_ssize_t, turn: cython.int, limit: cython.double
    ) -> cython.int:
        """Put the tangent from the start to an arc in a sense into the queue, if there is one.

        Its index tells the row, the arc's number in the shape, and the sense.
        """
        arcs: ArcTable = self.graph.shapes.shapes[row].arcs
        arc: cython.Py_ssize_t = self.graph.shapes.shapes[row].first + k
        length: cython.double
        face_x: cython.double
        face_y: cython.double
        length, face_x, face_y = touch(arcs, arc, self.start_x, self.start_y, turn, 0.0)
        if length < 0.0:
            return 0
        bound: cython.double = length + self.bound(
            arcs[arc].centre_x + arcs[arc].radius * face_x, arcs[arc].centre_y + arcs[arc].radius * face_y
        )
        if bound <= limit:
            index: cython.int = cython.cast(cython.int, (row * MOST_ARCS + k) * 2 + (1 if turn < 0 else 0))
            self.push(bound, length, -1, index)
        return 0

    def _leave(
        self, index: cython.int, bound: cython.double, far: cython.double, limit: cython.double
    ) -> cython.int:
        """Go from the start to a rim, if the tangent is clear."""
        turn: cython.int = -1 if index & 1 else 1
        row: cython.Py_ssize_t = (index >> 1) // MOST_ARCS
        k: cython.Py_ssize_t = (index >> 1) - row * MOST_ARCS
        arcs: ArcTable = self.graph.shapes.shapes[row].arcs
        arc: cython.Py_ssize_t = self.graph.shapes.shapes[row].first + k
        _: cython.double
        face_x: cython.double
        face_y: cython.double
        _, face_x, face_y = touch(arcs, arc, self.start_x, self.start_y, turn, 0.0)
        x: cython.double = arcs[arc].centre_x + arcs[arc].radius * face_x
        y: cython.double = arcs[arc].centre_y + arcs[arc].radius * face_y
        if self.graph.is_clear(self.start_x, self.start_y, x, y):
            climb: cython.double = climb_of(self.graph.shapes, self.start_x, self.start_y, x, y)
            if not self.is_put_back(bound, climb, x, y, far, -1, index):
                place: cython.double = place_facing(arcs, arc, face_x, face_y)
                self.arrive(cython.cast(cython.int, row), turn, place, far + climb, -1, 0.0, x, y, limit)
        return 0

    def arrive(
        self,
        row: cython.int,
        turn: cython.int,
        place: cython.double,
        far: cython.double,
        before: cython.int,
        leaves: cython.double,
        x: cython.double,
        y: cython.double,
        limit: cython.double,
    ) -> cython.double:
        """Arrive on a rim, and put what leads on from there into the queue, to targets too."""
        room: cython.double = self.expand(row, turn, place, far, before, leaves, x, y, limit)
        targets: Targets = self.targets
        key: cython.Py_ssize_t = 2 * row + (1 if turn < 0 else 0)
        known = self._ranges[key]
        if known is None:
            begin: cython.Py_ssize_t = targets.count
            targets.add_from_rim(self.graph.shapes, row, turn)
            known = self._ranges[key] = (begin, targets.count)
        first: cython.Py_ssize_t = known[0]
        last: cython.Py_ssize_t = known[1]
        n: cython.int = cython.cast(cython.int, self.count - 1)
        k: cython.Py_ssize_t
        perimeter: cython.double = self.graph.shapes.shapes[row].perimeter
        heights: Heights = self.graph.heights(row)
        for k in range(first, last):
            if targets.stretches[k].clear < 0:
                continue
            ahead: cython.double = onward(targets.stretches[k].leaves, place, turn, perimeter)
            total: cython.double = far + ahead + targets.stretches[k].length
            if heights:
                total += climb_along(heights, perimeter, place, ahead, turn)
            if ahead <= room and total <= limit:
                self.push(total, total, n, -1 - cython.cast(cython.int, k))
        return room

    def _traced(self, step: cython.int, stretch: cython.Py_ssize_t) -> Legs:
        """Return the legs of the way that ends by a stretch from a step."""
        targets: Targets = self.targets
        end: tuple[float, ...] = (targets.stretches[stretch].end_x, targets.stretches[stretch].end_y)
        backward = [end]
        leaves: cython.double = targets.stretches[stretch].leaves
        while step >= 0:
            row: cython.Py_ssize_t = self.steps[step].row
            turn: cython.int = self.steps[step].turn
            far: cython.double = onward(
                leaves, self.steps[step].place, turn, self.graph.shapes.shapes[row].perimeter
            )
            backward += legs_along(self.graph.shapes, row, turn, self.steps[step].place, far)[::-1]
            backward.append((self.steps[step].x, self.steps[step].y))
            leaves, step = self.steps[step].leaves, self.steps[step].before
        legs = []
        x: cython.double = self.start_x
        y: cython.double = self.start_y
        for leg in backward[::-1]:
            off_x: cython.double = cython.cast(cython.double, leg[0]) - x
            off_y: cython.double = cython.cast(cython.double, leg[1]) - y
            if len(leg) != 2 or sqrt(off_x * off_x + off_y * off_y) > ROUNDING:
                legs.append(leg)
                x, y = leg[0], leg[1]
        return tuple(legs)


MOST_ARCS = cython.declare(cython.int, 1024)
"""No shape has as many arcs: an oval's and an oval's sum has 192."""
