"""The frontier of a search over a visibility graph: what is reached, and what is next.

Owns the queue, the arrivals on rims, and what leads on from an arrival. The order in which the frontier
advances is that of what builds on it: toward targets in `geometry/core/search.py`, from targets in
`geometry/core/distance_map.py`. A frontier has all of its state to itself, so that many may use one graph.

Of a `Step`, an arrival on a rim, there are the `row` and the `turn` in which it goes on, the `place` and the
point `x`, `y` where it arrives, how `far` it is by then, how much `room`
is open on the rim from there on, the step `before` it (-1 for none), and the place at which that step's rim
is left (`leaves`). Of an `Entry` of the queue there are a `bound` of what leads over it, how `far` it is to
its end, the `step` that it goes on from, and the `index` of its tangent. What the climbs on a tangent cost is
asked when the tangent is the next to be tried; `far` does not hold that.
"""

from __future__ import annotations

import cython

from geometry.tolerance import LINE_SLACK_INCHES, PLACE_SLACK_INCHES, ROUNDING

if not cython.compiled:
    from geometry.core.climb import Heights, climb_along, climb_of, height_at
    from geometry.core.plain import Entry, EntryTable, LengthTable, Step, StepTable, free, realloc, table
    from geometry.core.rim import onward
    from geometry.core.shapes import INFINITE, Shapes
    from geometry.core.tangents import Tangents, VisibilityGraph
    from geometry.core.targets import Targets


@cython.cclass
class Frontier:
    """What a search has reached of a graph, and what it may reach next, the least bound first."""

    def __init__(self, graph: VisibilityGraph, targets: Targets) -> None:
        """Take the graph and the targets, which no other frontier may use at the same time."""
        self.graph, self.targets = graph, targets
        self.count = self.waiting = self._best_count = 0
        self._step_room = self._entry_room = self._best_room = 0
        self._reserve_steps(64)
        self._reserve_entries(256)
        self._reserve_best(1024)
        self._first_best = [-1] * (2 * graph.shapes.count)

    def __dealloc__(self) -> None:
        """Give the memory back."""
        free(self.steps)
        free(self.entries)
        free(self._best)

    def bound(self, x: cython.double, y: cython.double) -> cython.double:
        """Return what no way on from a point is shorter than."""
        return 0.0

    def _reserve_steps(self, room: cython.Py_ssize_t) -> cython.int:
        """Make room for a number of steps."""
        if not cython.compiled:
            self.steps: StepTable = table(Step, room, self.steps if self._step_room else None)
        else:
            self.steps = cython.cast(StepTable, realloc(self.steps, room * cython.sizeof(Step)))
            if not self.steps:
                raise MemoryError
        self._step_room = room
        return 0

    def _reserve_entries(self, room: cython.Py_ssize_t) -> cython.int:
        """Make room for a number of entries of the queue."""
        if not cython.compiled:
            self.entries: EntryTable = table(Entry, room, self.entries if self._entry_room else None)
        else:
            self.entries = cython.cast(EntryTable, realloc(self.entries, room * cython.sizeof(Entry)))
            if not self.entries:
                raise MemoryError
        self._entry_room = room
        return 0

    def _reserve_best(self, room: cython.Py_ssize_t) -> cython.int:
        """Make room for the best lengths of a number of tangents."""
        if not cython.compiled:
            known: LengthTable = self._best if self._best_room else []
            self._best: LengthTable = known + [0.0] * (room - len(known))
        else:
            self._best = cython.cast(LengthTable, realloc(self._best, room * cython.sizeof(cython.double)))
            if not self._best:
                raise MemoryError
        self._best_room = room
        return 0

    def push(
        self, bound: cython.double, far: cython.double, step: cython.int, index: cython.int
    ) -> cython.int:
        """Put an entry into the queue."""
        if self.waiting == self._entry_room:
            self._reserve_entries(2 * self.waiting)
        i: cython.Py_ssize_t = self.waiting
        self.waiting += 1
        while i > 0:
            above: cython.Py_ssize_t = (i - 1) >> 1
            if self.entries[above].bound <= bound:
                break
            self.entries[i].bound, self.entries[i].far = self.entries[above].bound, self.entries[above].far
            self.entries[i].step, self.entries[i].index = self.entries[above].step, self.entries[above].index
            i = above
        self.entries[i].bound, self.entries[i].far = bound, far
        self.entries[i].step, self.entries[i].index = step, index
        return 0

    def pop(self) -> cython.int:
        """Take the first entry out of the queue."""
        self.waiting -= 1
        last: cython.Py_ssize_t = self.waiting
        bound: cython.double = self.entries[last].bound
        far: cython.double = self.entries[last].far
        step: cython.int = self.entries[last].step
        index: cython.int = self.entries[last].index
        i: cython.Py_ssize_t = 0
        while True:
            below: cython.Py_ssize_t = 2 * i + 1
            if below >= last:
                break
            if below + 1 < last and self.entries[below + 1].bound < self.entries[below].bound:
                below += 1
            if self.entries[below].bound >= bound:
                break
            self.entries[i].bound, self.entries[i].far = self.entries[below].bound, self.entries[below].far
            self.entries[i].step, self.entries[i].index = self.entries[below].step, self.entries[below].index
            i = below
        self.entries[i].bound, self.entries[i].far = bound, far
        self.entries[i].step, self.entries[i].index = step, index
        return 0

    def is_put_back(
        self,
        bound: cython.double,
        climb: cython.double,
        x: cython.double,
        y: cython.double,
        far: cython.double,
        step: cython.int,
        index: cython.int,
    ) -> cython.bint:
        """Put an entry back into the queue if its bound did not count its climb.

        Return whether that is so. The point is where the entry's tangent ends.
        """
        if climb <= 0.0:
            return False
        least: cython.double = far + climb + self.bound(x, y)
        if least <= bound + ROUNDING:
            return False
        self.push(least, far, step, index)
        return True

    def expand(
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
        """Note an arrival on a rim and put the tangents that lead on from it into the queue.

        Tangents whose bound is beyond the limit are left out. Return how far on the rim is open.
        """
        n: cython.Py_ssize_t = self.count
        if n == self._step_room:
            self._reserve_steps(2 * n)
        self.steps[n].row, self.steps[n].turn, self.steps[n].before = row, turn, before
        self.steps[n].place, self.steps[n].far, self.steps[n].leaves = place, far, leaves
        self.steps[n].x, self.steps[n].y = x, y
        self.count = n + 1
        room: cython.double = self.graph.open_ahead(row, place, turn) + PLACE_SLACK_INCHES
        self.steps[n].room = room
        graph: VisibilityGraph = self.graph
        below: Tangents = graph.tangents(row, turn)
        above: Tangents = below
        if graph.is_light and row < graph.shapes.shared:
            # Those of the graph below come first, then those that each light graph adds.
            total: cython.Py_ssize_t = 0
            while graph.is_light and row < graph.shapes.shared:
                total += graph.tangents(row, turn).count
                graph = graph.base
            below = graph.tangents(row, turn)
            total += below.count
        else:
            total = below.count
        key: cython.Py_ssize_t = 2 * row + (1 if turn < 0 else 0)
        first: cython.Py_ssize_t = self._first_best[key]
        k: cython.Py_ssize_t
        if first < 0:
            first = self._best_count
            self._first_best[key] = first
            if first + total > self._best_room:
                self._reserve_best(2 * (first + total))
            for k in range(first, first + total):
                self._best[k] = INFINITE
            self._best_count = first + total
        self._relax(below, 0, room, limit)
        graph = self.graph
        index: cython.Py_ssize_t = below.count
        while graph.is_light and row < graph.shapes.shared:
            above = graph.tangents(row, turn)
            self._relax(above, index, room, limit)
            index += above.count
            graph = graph.base
        return room

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
        """Arrive on a rim by a tangent; return how far on the rim is open."""
        return self.expand(row, turn, place, far, before, leaves, x, y, limit)

    def go_on(
        self,
        step: cython.int,
        index: cython.int,
        bound: cython.double,
        far: cython.double,
        limit: cython.double,
    ) -> cython.int:
        """Go from a rim to another, if the tangent is clear."""
        row: cython.Py_ssize_t = self.steps[step].row
        graph: VisibilityGraph = self.tangents_of(step, index)
        found: Tangents = graph.tangents(row, self.steps[step].turn)
        k: cython.Py_ssize_t = self.within
        if self.is_open_tangent(graph, step, k):
            climb: cython.double = self.climb_of_tangent(graph, step, k)
            if self.is_put_back(bound, climb, found.rows[k].end_x, found.rows[k].end_y, far, step, index):
                return 0
            self.arrive(
                found.rows[k].row,
                found.rows[k].turn,
                found.rows[k].arrives,
                far + climb,
                step,
                found.rows[k].leaves,
                found.rows[k].end_x,
                found.rows[k].end_y,
                limit,
            )
        return 0

    def _relax(
        self,
        tangents: Tangents,
        first: cython.Py_ssize_t,
        room: cython.double,
        limit: cython.double,
    ) -> cython.int:
        """Put the tangents on from the last step into the queue, those numbered from `first` on."""
        n: cython.int = cython.cast(cython.int, self.count - 1)
        row: cython.Py_ssize_t = self.steps[n].row
        turn: cython.int = self.steps[n].turn
        shapes: Shapes = self.graph.shapes
        perimeter: cython.double = shapes.shapes[row].perimeter
        best: cython.Py_ssize_t = self._first_best[2 * row + (1 if turn < 0 else 0)]
        best += first
        heights: Heights = self.graph.heights(row)
        k: cython.Py_ssize_t
        for k in range(tangents.count):
            blocker: cython.Py_ssize_t = tangents.rows[k].blocker
            if shapes.shapes[tangents.rows[k].row].absent or (
                blocker >= 0 and (blocker >= shapes.count or not shapes.shapes[blocker].absent)
            ):
                continue
            ahead: cython.double = onward(tangents.rows[k].leaves, self.steps[n].place, turn, perimeter)
            if ahead > room:
                continue
            far: cython.double = self.steps[n].far + ahead + tangents.rows[k].length
            if heights:
                far += climb_along(heights, perimeter, self.steps[n].place, ahead, turn)
            if far >= self._best[best + k] - ROUNDING:
                continue
            self._best[best + k] = far
            bound: cython.double = far + self.bound(tangents.rows[k].end_x, tangents.rows[k].end_y)
            if bound <= limit:
                self.push(bound, far, n, cython.cast(cython.int, first + k))
        return 0

    def is_best(self, step: cython.int, index: cython.Py_ssize_t, far: cython.double) -> cython.bint:
        """Return whether no shorter way to the end of a tangent was found since."""
        key: cython.Py_ssize_t = 2 * self.steps[step].row + (1 if self.steps[step].turn < 0 else 0)
        first: cython.Py_ssize_t = self._first_best[key]
        return far <= self._best[first + index]

    def tangents_of(self, step: cython.int, index: cython.Py_ssize_t) -> VisibilityGraph:
        """Return the graph whose own list holds a tangent; `within` is then its place there."""
        row: cython.Py_ssize_t = self.steps[step].row
        turn: cython.int = self.steps[step].turn
        graph: VisibilityGraph = self.graph
        while graph.is_light and row < graph.shapes.shared:
            graph = graph.base
        self.within = index
        if index < graph.tangents(row, turn).count:
            return graph
        self.within = index - graph.tangents(row, turn).count
        graph = self.graph
        while self.within >= graph.tangents(row, turn).count:
            self.within -= graph.tangents(row, turn).count
            graph = graph.base
        return graph

    def is_open_tangent(
        self, graph: VisibilityGraph, step: cython.int, index: cython.Py_ssize_t
    ) -> cython.bint:
        """Return whether a tangent of a graph's own list runs into nothing of all that is about."""
        row: cython.Py_ssize_t = self.steps[step].row
        turn: cython.int = self.steps[step].turn
        blocker: cython.Py_ssize_t = graph.blocker(row, turn, index)
        shapes: Shapes = self.graph.shapes
        if graph is self.graph:
            return blocker < 0
        first: cython.Py_ssize_t = graph.shapes.count
        if blocker >= 0:
            if blocker >= shapes.count or not shapes.shapes[blocker].absent:
                return False
            # What blocks it is left out here: another shape may block it, too.
            first = 0
        found: Tangents = graph.tangents(row, turn)
        return (
            shapes.blocker(
                found.rows[index].start_x,
                found.rows[index].start_y,
                found.rows[index].end_x,
                found.rows[index].end_y,
                LINE_SLACK_INCHES,
                first,
            )
            < 0
        )

    def climb_of_tangent(
        self, graph: VisibilityGraph, step: cython.int, index: cython.Py_ssize_t
    ) -> cython.double:
        """Return what the climbs on a tangent of a graph's own list cost among all that is about."""
        if self.graph.shapes.climbable == 0:
            return 0.0
        row: cython.Py_ssize_t = self.steps[step].row
        turn: cython.int = self.steps[step].turn
        above: VisibilityGraph = self.graph
        while above is not graph and above.same_climbs:
            above = above.base
        if above is graph:
            return graph.climb(row, turn, index)
        found: Tangents = graph.tangents(row, turn)
        return climb_of(
            self.graph.shapes,
            found.rows[index].start_x,
            found.rows[index].start_y,
            found.rows[index].end_x,
            found.rows[index].end_y,
        )

    def is_clear_stretch(self, index: cython.Py_ssize_t) -> cython.bint:
        """Return whether a last stretch runs into nothing; that and its climb are asked once."""
        targets: Targets = self.targets
        shapes: Shapes = self.graph.shapes
        if targets.stretches[index].clear == 0:
            is_clear: cython.bint = self.graph.is_clear(
                targets.stretches[index].begin_x,
                targets.stretches[index].begin_y,
                targets.stretches[index].end_x,
                targets.stretches[index].end_y,
            )
            if is_clear and shapes.climbable > 0:
                end_x: cython.double = targets.stretches[index].end_x
                end_y: cython.double = targets.stretches[index].end_y
                is_clear = targets.are_points or height_at(shapes, end_x, end_y) <= 0.0
                targets.stretches[index].climb = climb_of(
                    shapes, targets.stretches[index].begin_x, targets.stretches[index].begin_y, end_x, end_y
                )
            targets.stretches[index].clear = 1 if is_clear else -1
        return targets.stretches[index].clear > 0
