# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""How far it is from any place to some targets: a map that is rooted at the targets and grows as it is asked.

Owns the search from the targets outward, by Dijkstra over the visibility graph, and the questions put to it.
The search for one way is `geometry/core/search.py`'s.
"""

from __future__ import annotations

import cython
from cython.cimports.libc.math import sqrt

if not cython.compiled:
    from geometry.core.frontier import Frontier
    from geometry.core.plain import Arc, free, realloc
    from geometry.core.rim import SHORT_LEG, onward, place_facing, point_at
    from geometry.core.shapes import INFINITE, Shapes, faces, may_touch
    from geometry.core.tangents import Tangents, VisibilityGraph
    from geometry.core.targets import Targets

UNDER = cython.declare(cython.double, 2e-7)
"""So deep within an arc a point may lie and still see its tangents, in inches."""
ROOM_SLACK = cython.declare(cython.double, 1e-7)
"""A rim that is open so little short of a place, in inches, is open up to there."""
STEP = cython.declare(cython.double, 1e-9)
"""The map grows in steps no less than this, in inches."""
ROOT_OF_TWO = cython.declare(cython.double, 1.4142135623730951)


@cython.cclass
class DistanceMap(Frontier):
    """The lengths of shortest ways to targets, from rims on which ways arrive."""

    def __init__(
        self,
        graph: VisibilityGraph,
        targets: Targets,
        low_x: cython.double,
        low_y: cython.double,
        high_x: cython.double,
        high_y: cython.double,
    ) -> None:
        """Take the graph, the targets, and the box in which most places lie that are asked about."""
        Frontier.__init__(self, graph, targets)
        self.low_x, self.low_y, self.high_x, self.high_y = low_x, low_y, high_x, high_y
        self._is_seeded = False
        self._rooms_room = 0
        self._via = -2

    def __dealloc__(self) -> None:
        """Give the memory back."""
        free(self._rooms)

    def bound(self, x: cython.double, y: cython.double) -> cython.double:
        """Return how far a point is from the box, which no way on to a place in the box is shorter than."""
        off_x: cython.double = max(max(self.low_x - x, x - self.high_x), 0.0)
        off_y: cython.double = max(max(self.low_y - y, y - self.high_y), 0.0)
        return sqrt(off_x * off_x + off_y * off_y)

    def straight(self, x: cython.double, y: cython.double) -> cython.double:
        """Return how far the nearest target is as the crow flies; where that is stands in `nearest_x, _y`."""
        least: cython.double = INFINITE
        at_x: cython.double = x
        at_y: cython.double = y
        row: cython.Py_ssize_t
        shapes: Shapes = self.targets.shapes
        for row in range(self.targets.rings):
            off_x: cython.double = shapes.shapes[row].middle_x - x
            off_y: cython.double = shapes.shapes[row].middle_y - y
            if sqrt(off_x * off_x + off_y * off_y) - shapes.shapes[row].reach >= least:
                continue
            far: cython.double = self._nearest_of(row, x, y)
            if far < least:
                least, at_x, at_y = far, self.nearest_x, self.nearest_y
        self.nearest_x, self.nearest_y = at_x, at_y
        return least

    def _nearest_of(self, row: cython.Py_ssize_t, x: cython.double, y: cython.double) -> cython.double:
        """Return how far a target is, 0 within it, and note its nearest point."""
        arcs: cython.pointer[Arc] = self.targets.shapes.shapes[row].arcs
        first: cython.Py_ssize_t = self.targets.shapes.shapes[row].first
        self.nearest_x, self.nearest_y = x, y
        i: cython.Py_ssize_t
        for i in range(first, first + self.targets.shapes.shapes[row].count):
            off_x: cython.double = x - arcs[i].centre_x
            off_y: cython.double = y - arcs[i].centre_y
            far: cython.double = sqrt(off_x * off_x + off_y * off_y)
            if far > arcs[i].radius and faces(arcs, i, off_x / far, off_y / far):
                share: cython.double = arcs[i].radius / far
                self.nearest_x = arcs[i].centre_x + share * off_x
                self.nearest_y = arcs[i].centre_y + share * off_y
                return far - arcs[i].radius
            if arcs[i].edge > 0.0:
                far = off_x * arcs[i].end_x + off_y * arcs[i].end_y - arcs[i].radius
                along: cython.double = off_y * arcs[i].end_x - off_x * arcs[i].end_y
                if far > 0.0 and 0.0 <= along <= arcs[i].edge:
                    self.nearest_x, self.nearest_y = x - far * arcs[i].end_x, y - far * arcs[i].end_y
                    return far
        return 0.0

    def left(self, x: cython.double, y: cython.double, most: cython.double) -> cython.double:
        """Return the length of the shortest way from a place to a target; infinite where that is not < `most`.

        What holds the place must not be in the graph.
        """
        self._via = -2
        straight: cython.double = self.straight(x, y)
        if straight >= most:
            return INFINITE
        self._to_x, self._to_y = self.nearest_x, self.nearest_y
        if self.graph.is_clear(x, y, self._to_x, self._to_y):
            self._via = -1
            return straight
        if not self._is_seeded:
            self._seed()
        best: cython.double = self._seen(x, y, most)
        step: cython.Py_ssize_t = 0
        beyond: cython.double = self.bound(x, y) * ROOT_OF_TWO
        while True:
            if step == self.count:
                if self.waiting == 0 or self.entries[0].bound - beyond >= best:
                    break
                self.grow(self.entries[0].bound + STEP)
                continue
            found: cython.double = self._by_step(step, x, y, best)
            if found < best:
                best = found
            step += 1
        return best if self._via > -2 else INFINITE

    def _seen(self, x: cython.double, y: cython.double, most: cython.double) -> cython.double:
        """Return how far the nearest target is that a place has a clear straight way to, if less than `most`."""
        row: cython.Py_ssize_t
        for row in range(self.targets.shapes.count):
            far: cython.double = self._nearest_of(row, x, y)
            if far < most and self.graph.is_clear(x, y, self.nearest_x, self.nearest_y):
                most = far
                self._to_x, self._to_y, self._via = self.nearest_x, self.nearest_y, -1
        return most

    def _by_step(
        self, step: cython.Py_ssize_t, x: cython.double, y: cython.double, best: cython.double
    ) -> cython.double:
        """Return how far it is from a place by the rim of a step, if that is less than the best."""
        shapes: Shapes = self.graph.shapes
        row: cython.Py_ssize_t = self.steps[step].row
        turn: cython.int = self.steps[step].turn
        base: cython.double = self.steps[step].far
        off_x: cython.double = x - shapes.shapes[row].middle_x
        off_y: cython.double = y - shapes.shapes[row].middle_y
        if base + sqrt(off_x * off_x + off_y * off_y) - shapes.shapes[row].reach >= best:
            return best
        arcs: cython.pointer[Arc] = shapes.shapes[row].arcs
        first: cython.Py_ssize_t = shapes.shapes[row].first
        i: cython.Py_ssize_t
        for i in range(first, first + shapes.shapes[row].count):
            if not may_touch(arcs, i, x, y):
                continue
            radius: cython.double = arcs[i].radius
            off_x, off_y = x - arcs[i].centre_x, y - arcs[i].centre_y
            square: cython.double = off_x * off_x + off_y * off_y
            least: cython.double = max(radius - UNDER, 0.0)
            if square < least * least or square <= 0.0:
                continue
            length: cython.double = sqrt(max(square - radius * radius, 0.0))
            if base + length >= best:
                continue
            face_x: cython.double = (radius * off_x + turn * length * off_y) / square
            face_y: cython.double = (radius * off_y - turn * length * off_x) / square
            if not faces(arcs, i, face_x, face_y):
                continue
            leaves: cython.double = place_facing(arcs, i, face_x, face_y)
            ahead: cython.double = onward(leaves, self.steps[step].place, turn, shapes.shapes[row].perimeter)
            if ahead > self._rooms[step] or base + ahead + length >= best:
                continue
            at_x: cython.double = arcs[i].centre_x + radius * face_x
            at_y: cython.double = arcs[i].centre_y + radius * face_y
            if self.graph.is_clear(at_x, at_y, x, y):
                best = base + ahead + length
                self._via, self._leaves, self._to_x, self._to_y = step, leaves, at_x, at_y
        return best

    def ahead(
        self, x: cython.double, y: cython.double, far: cython.double
    ) -> tuple[cython.double, cython.double]:
        """Return the point so far along the way from the place that `left` was asked about last."""
        step: cython.Py_ssize_t = self._via
        leaves: cython.double = self._leaves
        to_x: cython.double = self._to_x
        to_y: cython.double = self._to_y
        while True:
            off_x: cython.double = to_x - x
            off_y: cython.double = to_y - y
            length: cython.double = sqrt(off_x * off_x + off_y * off_y)
            if length >= far and length > 0.0:
                return x + far / length * off_x, y + far / length * off_y
            if step < 0:
                return to_x, to_y
            far -= length
            row: cython.Py_ssize_t = self.steps[step].row
            turn: cython.int = self.steps[step].turn
            perimeter: cython.double = self.graph.shapes.shapes[row].perimeter
            around: cython.double = onward(leaves, self.steps[step].place, turn, perimeter)
            if around >= far:
                place: cython.double = leaves - turn * far
                if place < 0.0:
                    place += perimeter
                elif place >= perimeter:
                    place -= perimeter
                return point_at(self.graph.shapes, row, place)
            far -= around
            x, y = self.steps[step].x, self.steps[step].y
            leaves = self.steps[step].leaves
            before: cython.Py_ssize_t = self.steps[step].before
            if before < 0:
                to_x = self.targets.stretches[-1 - before].end_x
                to_y = self.targets.stretches[-1 - before].end_y
                step = -1
            else:
                at = point_at(self.graph.shapes, self.steps[before].row, leaves)
                to_x, to_y = at[0], at[1]
                step = before

    def _seed(self) -> cython.int:
        """Put the stretches from the targets to all rims into the queue."""
        self._is_seeded = True
        shapes: Shapes = self.graph.shapes
        row: cython.Py_ssize_t
        k: cython.Py_ssize_t
        side: cython.int
        for row in range(shapes.count):
            if shapes.shapes[row].absent:
                continue
            if shapes.shapes[row].count == 1 and shapes.shapes[row].reach <= SHORT_LEG:
                continue
            for side in range(2):
                first: cython.Py_ssize_t = self.targets.count
                self.targets.add_from_rim(shapes, row, 1 if side == 0 else -1)
                # The way back goes round the rim in the other sense.
                step: cython.int = -1 - cython.cast(cython.int, 2 * row + (1 - side))
                for k in range(first, self.targets.count):
                    far: cython.double = self.targets.stretches[k].length
                    bound: cython.double = far + self.bound(
                        self.targets.stretches[k].begin_x, self.targets.stretches[k].begin_y
                    )
                    self.push(bound, far, step, cython.cast(cython.int, k))
        return 0

    def grow(self, upto: cython.double) -> cython.int:
        """Settle all arrivals whose bound is less than a length."""
        if not self._is_seeded:
            self._seed()
        while self.waiting > 0 and self.entries[0].bound < upto:
            far: cython.double = self.entries[0].far
            step: cython.int = self.entries[0].step
            index: cython.int = self.entries[0].index
            self.pop()
            if step < 0:
                if self.is_clear_stretch(index):
                    key: cython.int = -1 - step
                    self._settle(
                        key >> 1,
                        -1 if key & 1 else 1,
                        self.targets.stretches[index].leaves,
                        far,
                        -1 - index,
                        0.0,
                        self.targets.stretches[index].begin_x,
                        self.targets.stretches[index].begin_y,
                    )
            elif self.is_best(step, index, far):
                graph: VisibilityGraph = self.tangents_of(step, index)
                found: Tangents = graph.tangents(self.steps[step].row, self.steps[step].turn)
                k: cython.Py_ssize_t = self.within
                if self.is_open_tangent(graph, step, k):
                    self._settle(
                        found.rows[k].row,
                        found.rows[k].turn,
                        found.rows[k].arrives,
                        far,
                        step,
                        found.rows[k].leaves,
                        found.rows[k].end_x,
                        found.rows[k].end_y,
                    )
        return 0

    def _settle(
        self,
        row: cython.int,
        turn: cython.int,
        place: cython.double,
        far: cython.double,
        before: cython.int,
        leaves: cython.double,
        x: cython.double,
        y: cython.double,
    ) -> cython.int:
        """Arrive on a rim, and note how far on it is open."""
        step: cython.Py_ssize_t = self.count
        room: cython.double = self.expand(row, turn, place, far, before, leaves, x, y, INFINITE)
        if step >= self._rooms_room:
            rooms: cython.Py_ssize_t = 2 * step + 64
            if not cython.compiled:
                known: list[float] = self._rooms if self._rooms_room else []
                self._rooms = known + [0.0] * (rooms - len(known))
            else:
                self._rooms = cython.cast(
                    cython.pointer[cython.double], realloc(self._rooms, rooms * cython.sizeof(cython.double))
                )
                if self._rooms is cython.NULL:
                    raise MemoryError
            self._rooms_room = rooms
        self._rooms[step] = room
        return 0
