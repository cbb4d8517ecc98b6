"""A map of how far it is to targets from any place, over a visibility graph.

Owns the map: a search that begins at the targets, goes on only as far as an answer needs, and keeps what it
has found. Answers are those of a search from the place, to the last rounding error.
"""

from __future__ import annotations

from collections.abc import Sequence

import cython

from geometry.tolerance import LINE_SLACK_INCHES, ROUNDING, TOUCHING_DEPTH_INCHES

if not cython.compiled:
    from math import sqrt

    from geometry.core.climb import Heights, climb_along, climb_of, profile, spans_of
    from geometry.core.frontier import Frontier
    from geometry.core.plain import ArcTable
    from geometry.core.rim import around, onward, place_facing, place_near, point_at
    from geometry.core.shapes import INFINITE, Shapes
    from geometry.core.tangents import VisibilityGraph
    from geometry.core.targets import Targets
    from geometry.core.touching import touch, touched_arc

FROM_TARGET = cython.declare(cython.int, -1)
"""Stands for the step of an entry that leads from a target to a rim."""
ROW = cython.declare(cython.int, -2)
"""Stands for the step of an entry of a rim whose stretches are not yet found."""
GLANCING = cython.declare(cython.double, 1e-3)
"""A place that touches two shapes may lie this far in a stretch that one closes, in inches."""


@cython.cclass
class DistanceMap(Frontier):
    """How far it is from any place to the nearest of some targets.

    A place that lies deep in an obstacle has no way: what holds it is to be left out of the graph (`freed`),
    as what holds a target. A place that only touches obstacles has one, which may enter shapes as deep. The
    map is quickest for places in its box, and right for all.
    """

    def __init__(self, graph: VisibilityGraph, targets: Targets, box: Sequence[float]) -> None:
        """Take the graph, the targets, and a box that holds most places to be asked about.

        The box is low x, low y, high x, high y.
        """
        Frontier.__init__(self, graph, targets)
        self.low_x, self.low_y, self.high_x, self.high_y = box
        self._via, self._via_place = -1, 0.0
        self._touched, self._touched_place = -1, 0.0
        self._slack, self._beyond = LINE_SLACK_INCHES, 0.0
        self.next_x = self.next_y = 0.0
        row: cython.Py_ssize_t
        for row in range(graph.shapes.count):
            self._push_row(row)

    def bound(self, x: cython.double, y: cython.double) -> cython.double:
        """Return the distance of a point from the box."""
        off_x: cython.double = max(max(self.low_x - x, x - self.high_x), 0.0)
        off_y: cython.double = max(max(self.low_y - y, y - self.high_y), 0.0)
        return sqrt(off_x * off_x + off_y * off_y)

    def _push_row(self, row: cython.Py_ssize_t) -> cython.int:
        """Put a rim into the queue with a bound of all ways from the targets over it."""
        shapes: Shapes = self.graph.shapes
        reach: cython.double = shapes.shapes[row].reach
        if shapes.shapes[row].absent or (shapes.shapes[row].count == 1 and reach <= ROUNDING):
            return 0
        x: cython.double = shapes.shapes[row].middle_x
        y: cython.double = shapes.shapes[row].middle_y
        least: cython.double = max(self.targets.bound(x, y) - reach, 0.0) + max(self.bound(x, y) - reach, 0.0)
        return self.push(least, 0.0, ROW, cython.cast(cython.int, row))

    def _open_row(self, row: cython.Py_ssize_t) -> cython.int:
        """Put the stretches between the targets and a rim into the queue."""
        targets: Targets = self.targets
        first: cython.Py_ssize_t = targets.count
        targets.add_from_rim(self.graph.shapes, row, 1)
        targets.add_from_rim(self.graph.shapes, row, -1)
        k: cython.Py_ssize_t
        for k in range(first, targets.count):
            far: cython.double = targets.stretches[k].length
            bound: cython.double = far + self.bound(
                targets.stretches[k].begin_x, targets.stretches[k].begin_y
            )
            self.push(bound, far, FROM_TARGET, cython.cast(cython.int, k))
        return 0

    def _grow(self, below: cython.double) -> cython.int:
        """Settle every arrival on a rim whose bound is less than a length."""
        targets: Targets = self.targets
        while self.waiting > 0 and self.entries[0].bound < below:
            least: cython.double = self.entries[0].bound
            far: cython.double = self.entries[0].far
            step: cython.int = self.entries[0].step
            index: cython.int = self.entries[0].index
            self.pop()
            if step == ROW:
                self._open_row(index)
            elif step == FROM_TARGET:
                if self.is_clear_stretch(index):
                    climb: cython.double = targets.stretches[index].climb
                    begin_x: cython.double = targets.stretches[index].begin_x
                    begin_y: cython.double = targets.stretches[index].begin_y
                    if self.is_put_back(least, climb, begin_x, begin_y, far, step, index):
                        continue
                    # A way to the targets leaves the rim here: seen from there, one arrives and goes back.
                    self.expand(
                        targets.stretches[index].row,
                        -targets.stretches[index].turn,
                        targets.stretches[index].leaves,
                        far + climb,
                        -1 - index,
                        0.0,
                        begin_x,
                        begin_y,
                        INFINITE,
                    )
            elif self.is_best(step, index, far):
                self.go_on(step, index, least, far, INFINITE)
        return 0

    def left(self, x: cython.double, y: cython.double, most: cython.double) -> cython.double:
        """Return the distance of a place from the nearest target; infinite from `most` on."""
        self._note_slack(x, y)
        best: cython.double = min(self.targets.straight(self.graph, x, y, most, self._slack), most)
        found: cython.bint = best < most
        self._via = -1
        outside: cython.double = self.bound(x, y)
        step: cython.Py_ssize_t = 0
        while best > 0.0:
            if step == self.count:
                # Both the place and what is still to come may be nearer to the box than to each other.
                if self.waiting == 0 or self.entries[0].bound - outside >= best:
                    break
                self._grow(self.entries[0].bound + ROUNDING)
                continue
            far: cython.double = self._over(step, x, y, best)
            if far < best:
                best = far
                found = True
                self._via = step
            step += 1
        return best if found else INFINITE

    def _over(
        self, step: cython.Py_ssize_t, x: cython.double, y: cython.double, best: cython.double
    ) -> cython.double:
        """Return the length of the way from a place over an arrival; `best` where that is less."""
        shapes: Shapes = self.graph.shapes
        row: cython.Py_ssize_t = self.steps[step].row
        turn: cython.int = self.steps[step].turn
        base: cython.double = self.steps[step].far
        off_x: cython.double = x - shapes.shapes[row].middle_x
        off_y: cython.double = y - shapes.shapes[row].middle_y
        if base + sqrt(off_x * off_x + off_y * off_y) - shapes.shapes[row].reach >= best:
            return best
        ahead: cython.double
        perimeter: cython.double = shapes.shapes[row].perimeter
        heights: Heights = self.graph.heights(row)
        begin: cython.double = self.steps[step].place
        climb: cython.double = 0.0
        if row == self._touched:
            # It is on this rim: next to a corner the directions of tangents mean nothing.
            ahead = onward(self._touched_place, begin, turn, perimeter)
            climb = climb_along(heights, perimeter, begin, ahead, turn) if heights else 0.0
            if ahead <= self.steps[step].room + self._beyond and base + ahead + climb < best:
                best = base + ahead + climb
                self._via_place = self._touched_place
        arc: cython.Py_ssize_t = touched_arc(shapes, row, x, y, -turn)
        if arc >= 0:
            return self._over_arc(step, arc, x, y, best)
        first: cython.Py_ssize_t = shapes.shapes[row].first
        for arc in range(first, first + shapes.shapes[row].count):
            best = self._over_arc(step, arc, x, y, best)
        return best

    def _over_arc(
        self,
        step: cython.Py_ssize_t,
        arc: cython.Py_ssize_t,
        x: cython.double,
        y: cython.double,
        best: cython.double,
    ) -> cython.double:
        """Return the length as `_over`, of the way that joins the rim of the arrival on one arc."""
        shapes: Shapes = self.graph.shapes
        row: cython.Py_ssize_t = self.steps[step].row
        turn: cython.int = self.steps[step].turn
        arcs: ArcTable = shapes.shapes[row].arcs
        # Seen from the place, the way back goes on in the other sense.
        length: cython.double
        face_x: cython.double
        face_y: cython.double
        length, face_x, face_y = touch(arcs, arc, x, y, -turn, self._slack)
        base: cython.double = self.steps[step].far
        if length < 0.0 or base + length >= best:
            return best
        place: cython.double = place_facing(arcs, arc, face_x, face_y)
        begin: cython.double = self.steps[step].place
        perimeter: cython.double = shapes.shapes[row].perimeter
        ahead: cython.double = onward(place, begin, turn, perimeter)
        if ahead > self.steps[step].room + self._beyond or base + ahead + length >= best:
            return best
        heights: Heights = self.graph.heights(row)
        climb: cython.double = climb_along(heights, perimeter, begin, ahead, turn) if heights else 0.0
        on_x: cython.double = arcs[arc].centre_x + arcs[arc].radius * face_x
        on_y: cython.double = arcs[arc].centre_y + arcs[arc].radius * face_y
        if base + ahead + length + climb < best and shapes.is_clear(on_x, on_y, x, y, self._slack):
            climb += climb_of(shapes, on_x, on_y, x, y)
            if base + ahead + length + climb < best:
                best = base + ahead + length + climb
                self._via_place = place
        return best

    def _note_slack(self, x: cython.double, y: cython.double) -> cython.int:
        """Note how deep ways from a place may enter shapes: as deep as the place that touches."""
        shapes: Shapes = self.graph.shapes
        self._slack, self._beyond, self._touched = LINE_SLACK_INCHES, 0.0, -1
        row: cython.Py_ssize_t = shapes.holder(x, y, 0.0, -1, 0)
        while row >= 0:
            depth: cython.double = -shapes.gap(row, x, y)
            if depth > TOUCHING_DEPTH_INCHES:
                self._slack, self._beyond, self._touched = LINE_SLACK_INCHES, 0.0, -1
                return 0
            self._slack, self._beyond = max(self._slack, depth + LINE_SLACK_INCHES), GLANCING
            self._touched, self._touched_place = row, place_near(shapes, row, x, y)
            row = shapes.holder(x, y, 0.0, -1, row + 1)
        for row in range(shapes.count if shapes.climbable > 0 else 0):
            if shapes.shapes[row].absent or shapes.shapes[row].height == INFINITE:
                continue
            depth = -shapes.gap(row, x, y)
            if depth > 0.0 and depth <= TOUCHING_DEPTH_INCHES:
                self._slack, self._beyond = max(self._slack, depth + LINE_SLACK_INCHES), GLANCING
                self._touched, self._touched_place = row, place_near(shapes, row, x, y)
        return 0

    def ahead(self, x: cython.double, y: cython.double, far: cython.double) -> tuple[float, float]:
        """Return the point that lies a length along the shortest way, its end at the most.

        Where no way leads to a target it is the place itself. Climbs count; where the length ends on what is
        climbed, it is the last point before on the ground. Then `next_x` and `next_y` tell where the way
        bends next, or ends.
        """
        self.next_x, self.next_y = x, y
        if self.left(x, y, INFINITE) == INFINITE:
            return x, y
        step: cython.Py_ssize_t = self._via
        place: cython.double = self._via_place
        end_x: cython.double = self.targets.end_x
        end_y: cython.double = self.targets.end_y
        while step >= 0:
            row: cython.Py_ssize_t = self.steps[step].row
            perimeter: cython.double = self.graph.shapes.shapes[row].perimeter
            on_x: cython.double
            on_y: cython.double
            on_x, on_y = point_at(self.graph.shapes, row, around(place, perimeter))
            length: cython.double = sqrt((on_x - x) * (on_x - x) + (on_y - y) * (on_y - y))
            length += climb_of(self.graph.shapes, x, y, on_x, on_y)
            self.next_x, self.next_y = on_x, on_y
            if length >= far:
                return _along(self.graph.shapes, x, y, on_x, on_y, far)
            far -= length
            turn: cython.int = self.steps[step].turn
            along: cython.double = onward(place, self.steps[step].place, turn, perimeter)
            heights: Heights = self.graph.heights(row)
            climb: cython.double = 0.0
            if heights:
                climb = climb_along(heights, perimeter, self.steps[step].place, along, turn)
            self.next_x, self.next_y = self.steps[step].x, self.steps[step].y
            if along + climb >= far:
                far = 0.0 if climb > 0.0 else far
                return point_at(self.graph.shapes, row, around(place - turn * far, perimeter))
            far -= along + climb
            x, y = self.steps[step].x, self.steps[step].y
            place = self.steps[step].leaves
            before: cython.Py_ssize_t = self.steps[step].before
            if before < 0:
                end_x = self.targets.stretches[-1 - before].end_x
                end_y = self.targets.stretches[-1 - before].end_y
            step = before
        self.next_x, self.next_y = end_x, end_y
        return _along(self.graph.shapes, x, y, end_x, end_y, far)


@cython.cfunc
def _along(
    shapes: Shapes,
    ax: cython.double,
    ay: cython.double,
    bx: cython.double,
    by: cython.double,
    far: cython.double,
) -> tuple[cython.double, cython.double]:
    """Return the last point on the ground within a length along a straight line."""
    length: cython.double = sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay))
    spans: list[float] = spans_of(shapes, ax, ay, bx, by) if shapes.climbable > 0 else []
    share: cython.double = 0.0
    if length <= 0.0:
        return bx, by
    if not spans:
        if length <= far:
            return bx, by
        share = far / length
        return ax + share * (bx - ax), ay + share * (by - ay)
    heights: list[float] = profile(spans)
    height: cython.double = heights[0]
    k: cython.Py_ssize_t
    for k in range(2, len(heights) - 2, 2):
        change: cython.double = cython.cast(cython.double, heights[k]) - height
        height = heights[k]
        far -= change if change >= 0.0 else -change
        left: cython.double = far / length - cython.cast(cython.double, heights[k + 1])
        if left < 0.0:
            break
        if height <= 0.0:
            share = min(cython.cast(cython.double, heights[k + 3]), far / length)
    return ax + share * (bx - ax), ay + share * (by - ay)
