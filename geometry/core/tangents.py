"""The visibility graph of configuration-space obstacles: rims, and tangents of two.

A taut string touches a convex shape only where it leaves or joins its rim tangentially, so shortest ways are
made of tangents and stretches of rims. Owns which tangents there are, which shape blocks each, and which
stretches of rims other shapes close; all that is found when first asked for, and kept. The search over the
graph is `geometry/core/search.py`'s.

Graphs stand upon each other as their tables of shapes do. The graph of the walls is kept for a battle; that
of a ground stands upon it and adds the models; one from which what holds a point is left out stands upon
that of the ground, is light, and asks those below for whatever has not changed.

Of a `Tangent` there are the places where it `leaves` one rim and `arrives` on another, its `length`, its two
ends, the `row` and the `turn` (1 counter-clockwise, -1 clockwise) in which it goes on, and its `blocker`: the
row of a shape that it enters, CLEAR, OFF_BOARD, or UNKNOWN until that is asked; and what its climbs cost
(`climb`, less than 0 until that is asked).
"""

from __future__ import annotations

import cython

from geometry.tolerance import (
    LINE_SLACK_INCHES,
    PLACE_SLACK_INCHES,
    ROUNDING,
    SLIVER_INCHES,
    TOLERANCE,
    TOUCHING_DEPTH_INCHES,
)

if not cython.compiled:
    from math import sqrt

    from geometry.core.arcs import arc_facing, faces, sweep_left
    from geometry.core.climb import Heights, climb_of, heights_along
    from geometry.core.freeing import freed, narrowed
    from geometry.core.plain import ArcTable, ShapeTable, Tangent, TangentTable, free, realloc, table
    from geometry.core.rim import add_board_crossings, add_crossings, around, place_facing, point_at
    from geometry.core.shapes import INFINITE, Shapes

FIRST_ROOM = cython.declare(cython.int, 16)
"""The number of tangents for which there is room at first."""
CLEAR = cython.declare(cython.int, -1)
UNKNOWN = cython.declare(cython.int, -2)
OFF_BOARD = cython.declare(cython.int, 2147483647)

Stretches = list[float]
"""Where each closed stretch of a rim begins, and how long it is, one after the other."""


@cython.cclass
class Tangents:
    """The tangents that leave one rim in a sense, the `shared` ones of the graph below first."""

    def __init__(self) -> None:
        """Hold none yet."""
        self.count = self.room = self.shared = 0
        self._reserve(FIRST_ROOM)

    def __dealloc__(self) -> None:
        """Give the memory back."""
        free(self.rows)

    def _reserve(self, room: cython.Py_ssize_t) -> cython.int:
        """Make room for a number of tangents."""
        if not cython.compiled:
            self.rows: TangentTable = table(Tangent, room, self.rows if self.room else None)
        else:
            self.rows = cython.cast(TangentTable, realloc(self.rows, room * cython.sizeof(Tangent)))
            if not self.rows:
                raise MemoryError
        self.room = room
        return 0

    def _copy(self, other: Tangents, same_climbs: cython.bint) -> cython.int:
        """Take over the tangents of the graph below, with what climbs cost where that is the same."""
        self._reserve(other.count + FIRST_ROOM)
        self.count = self.shared = other.count
        k: cython.Py_ssize_t
        for k in range(other.count):
            if cython.compiled:
                self.rows[k] = other.rows[k]
            else:
                for name in Tangent.__slots__:
                    setattr(self.rows[k], name, getattr(other.rows[k], name))
            if self.rows[k].blocker == CLEAR:
                self.rows[k].blocker = UNKNOWN
            if not same_climbs:
                self.rows[k].climb = -1.0
        return 0


@cython.cclass
class VisibilityGraph:
    """The ways of one base among shapes, none of which holds an end of these ways."""

    def __init__(self, shapes: Shapes, base: VisibilityGraph | None = None, is_light: bool = False) -> None:
        """Take the shapes, and the graph of the table on which theirs stands, if it is kept.

        A light graph keeps no tangents between shapes that the graph below has, too.
        """
        self.shapes, self.is_light = shapes, is_light
        self.base = cython.cast(VisibilityGraph, base)
        tangents: list[Tangents | None] = [None] * (2 * shapes.count)
        closed: list[Stretches | None] = [None] * shapes.count
        heights: list[Heights | None] = [None] * shapes.count
        self._tangents, self._closed, self._heights = tangents, closed, heights
        self._leaves_out = self.same_climbs = False
        self._covers: Shapes | None = None
        row: cython.Py_ssize_t
        if base is not None:
            below: Shapes = base.shapes
            self.same_climbs = shapes.climbable == below.climbable
            for row in range(below.count, shapes.count if not is_light else 0):
                if shapes.shapes[row].height < INFINITE:
                    self.same_climbs = False
            for row in range(below.count):
                if shapes.shapes[row].absent and not below.shapes[row].absent:
                    self._leaves_out = True

    def freed(self, x: cython.double, y: cython.double) -> VisibilityGraph:
        """Return the graph without the shapes that hold a point, shrunk where they only touch it."""
        shapes: Shapes = freed(self.shapes, x, y, TOUCHING_DEPTH_INCHES, LINE_SLACK_INCHES)
        return self if shapes is self.shapes else VisibilityGraph(shapes, self, True)

    def is_clear(
        self, ax: cython.double, ay: cython.double, bx: cython.double, by: cython.double
    ) -> cython.bint:
        """Return whether a straight line stays on the board and enters no shape."""
        return self.shapes.is_clear(ax, ay, bx, by, LINE_SLACK_INCHES)

    def tangents(self, row: cython.Py_ssize_t, turn: cython.int) -> Tangents:
        """Return the tangents that leave a rim in a sense; a light graph only those that it adds."""
        key: cython.Py_ssize_t = 2 * row + (1 if turn < 0 else 0)
        known = self._tangents[key]
        if known is not None:
            return known
        found: Tangents = Tangents()
        first: cython.Py_ssize_t = 0
        if self.base is not None and row < self.shapes.shared:
            first = self.shapes.shared
            if not self.is_light:
                found._copy(self.base.tangents(row, turn), self.same_climbs)
        other: cython.Py_ssize_t
        for other in range(first, self.shapes.count):
            if other != row and not self.shapes.shapes[other].absent:
                self._add_to(found, row, turn, other, 1)
                self._add_to(found, row, turn, other, -1)
        self._tangents[key] = found
        return found

    def _add_to(
        self,
        found: Tangents,
        row: cython.Py_ssize_t,
        turn: cython.int,
        other: cython.Py_ssize_t,
        sense: cython.int,
    ) -> cython.int:
        """Add the tangents to another rim that go on there in the same (1) or other (-1) sense.

        The directions that both rims face, the other one backward for the other sense, are gone through
        once round; between two directions in which an arc ends, only one pair of arcs can have a tangent.
        It has none where one rim reaches farther than the other in all of these directions.
        """
        shape: ShapeTable = self.shapes.shapes
        count: cython.Py_ssize_t = shape[row].count
        other_count: cython.Py_ssize_t = shape[other].count
        if (count == 1 and shape[row].reach <= ROUNDING) or (
            other_count == 1 and shape[other].reach <= ROUNDING
        ):
            return 0
        arcs: ArcTable = shape[row].arcs
        others: ArcTable = shape[other].arcs
        i: cython.Py_ssize_t = shape[row].first
        j: cython.Py_ssize_t = shape[other].first
        if count == 1 and other_count == 1:
            return self._add(found, row, i, turn, other, j, sense)
        x: cython.double = arcs[i].begin_x
        y: cython.double = arcs[i].begin_y
        if count == 1:
            x, y = sense * others[j].begin_x, sense * others[j].begin_y
        elif other_count > 1:
            j = arc_facing(others, j, other_count, sense * x, sense * y)
        rest: cython.double = arcs[i].sweep
        other_rest: cython.double = others[j].sweep
        if count > 1 and other_count > 1:
            other_rest = sweep_left(others, j, sense * x, sense * y)
        farther: cython.double = self._farther(arcs, i, others, j, sense, x, y)
        _: cython.Py_ssize_t
        for _ in range((count if count > 1 else 0) + (other_count if other_count > 1 else 0)):
            ends: cython.bint = other_count == 1 or (count > 1 and rest < other_rest)
            end_x: cython.double = arcs[i].end_x if ends else sense * others[j].end_x
            end_y: cython.double = arcs[i].end_y if ends else sense * others[j].end_y
            after: cython.double = self._farther(arcs, i, others, j, sense, end_x, end_y)
            off_x: cython.double = others[j].centre_x - arcs[i].centre_x
            off_y: cython.double = others[j].centre_y - arcs[i].centre_y
            if _may_be_tangent(x, y, end_x, end_y, off_x, off_y, farther, after):
                self._add(found, row, i, turn, other, j, sense)
            x, y, farther = end_x, end_y, after
            if ends:
                other_rest -= rest
                i = arcs[i].following
                rest = arcs[i].sweep
            else:
                rest -= other_rest
                j = others[j].following
                other_rest = others[j].sweep
        return 0

    def _farther(
        self,
        arcs: ArcTable,
        arc: cython.Py_ssize_t,
        others: ArcTable,
        other: cython.Py_ssize_t,
        sense: cython.int,
        x: cython.double,
        y: cython.double,
    ) -> cython.double:
        """Return by how much the other arc, which may face backward, reaches farther in a direction."""
        reach: cython.double = (others[other].centre_x - arcs[arc].centre_x) * x
        reach += (others[other].centre_y - arcs[arc].centre_y) * y
        return reach + sense * others[other].radius - arcs[arc].radius

    def _add(
        self,
        found: Tangents,
        row: cython.Py_ssize_t,
        arc: cython.Py_ssize_t,
        turn: cython.int,
        other: cython.Py_ssize_t,
        other_arc: cython.Py_ssize_t,
        sense: cython.int,
    ) -> cython.int:
        """Add the tangent from an arc to another, if there is one."""
        arcs: ArcTable = self.shapes.shapes[row].arcs
        others: ArcTable = self.shapes.shapes[other].arcs
        off_x: cython.double = others[other_arc].centre_x - arcs[arc].centre_x
        off_y: cython.double = others[other_arc].centre_y - arcs[arc].centre_y
        square: cython.double = off_x * off_x + off_y * off_y
        lean: cython.double = arcs[arc].radius - sense * others[other_arc].radius
        if square <= lean * lean:
            return 0
        length: cython.double = sqrt(square - lean * lean)
        if length <= ROUNDING:
            return 0
        # The direction in which the rim faces where the tangent leaves it.
        x: cython.double = (lean * off_x + turn * length * off_y) / square
        y: cython.double = (lean * off_y - turn * length * off_x) / square
        if not faces(arcs, arc, x, y) or not faces(others, other_arc, sense * x, sense * y):
            return 0
        k: cython.Py_ssize_t = found.count
        if k == found.room:
            found._reserve(2 * k)
        found.rows[k].leaves = place_facing(arcs, arc, x, y)
        found.rows[k].arrives = place_facing(others, other_arc, sense * x, sense * y)
        found.rows[k].length = length
        found.rows[k].start_x = arcs[arc].centre_x + arcs[arc].radius * x
        found.rows[k].start_y = arcs[arc].centre_y + arcs[arc].radius * y
        found.rows[k].end_x = others[other_arc].centre_x + others[other_arc].radius * sense * x
        found.rows[k].end_y = others[other_arc].centre_y + others[other_arc].radius * sense * y
        found.rows[k].row = other
        found.rows[k].turn = turn * sense
        found.rows[k].blocker = UNKNOWN
        found.rows[k].climb = -1.0
        found.count = k + 1
        return 0

    def blocker(
        self, row: cython.Py_ssize_t, turn: cython.int, index: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """Return a shape that a tangent of this graph's own list enters, or CLEAR, or OFF_BOARD."""
        found: Tangents = self.tangents(row, turn)
        if found.rows[index].blocker != UNKNOWN:
            return found.rows[index].blocker
        ax: cython.double = found.rows[index].start_x
        ay: cython.double = found.rows[index].start_y
        bx: cython.double = found.rows[index].end_x
        by: cython.double = found.rows[index].end_y
        blocker: cython.Py_ssize_t
        if index < found.shared:
            blocker = self.base.blocker(row, turn, index)
            if blocker == CLEAR:
                blocker = self.shapes.blocker(ax, ay, bx, by, LINE_SLACK_INCHES, self.shapes.shared)
        elif self.shapes.is_on_board(ax, ay) and self.shapes.is_on_board(bx, by):
            blocker = self.shapes.blocker(ax, ay, bx, by, LINE_SLACK_INCHES, 0)
        else:
            blocker = OFF_BOARD
        found.rows[index].blocker = cython.cast(cython.int, blocker)
        return blocker

    def climb(self, row: cython.Py_ssize_t, turn: cython.int, index: cython.Py_ssize_t) -> cython.double:
        """Return what the climbs on a tangent of this graph's own list cost."""
        found: Tangents = self.tangents(row, turn)
        if found.rows[index].climb < 0.0:
            found.rows[index].climb = climb_of(
                self.shapes,
                found.rows[index].start_x,
                found.rows[index].start_y,
                found.rows[index].end_x,
                found.rows[index].end_y,
            )
        return found.rows[index].climb

    def covers(self) -> Shapes:
        """Return the table of where shapes that may be climbed cover."""
        if self._covers is None:
            self._covers = self.base.covers() if self.same_climbs else narrowed(self.shapes, TOLERANCE)
        return self._covers

    def heights(self, row: cython.Py_ssize_t) -> Heights:
        """Return the heights along a rim, as `heights_along` tells them."""
        known = self._heights[row]
        if known is None:
            if self.shapes.climbable == 0:
                known = []
            elif self.same_climbs and row < self.shapes.shared:
                known = self.base.heights(row)
            else:
                known = heights_along(self.shapes, self.covers(), row)
            self._heights[row] = known
        return known

    def open_ahead(self, row: cython.Py_ssize_t, place: cython.double, turn: cython.int) -> cython.double:
        """Return the length of rim that is open from a place on; all where nothing closes it.

        Where a tangent arrives from close by, rounding shifts it a little: a stretch that is closed, but by
        no more than rounding, is passed.
        """
        perimeter: cython.double = self.shapes.shapes[row].perimeter
        closed: Stretches = self.closed(row)
        if not closed:
            return perimeter
        ahead: cython.double = _open_ahead(closed, perimeter, place, turn)
        if ahead > 0.0:
            return ahead
        sliver: cython.double = _closed_ahead(closed, perimeter, place, turn)
        if sliver > SLIVER_INCHES:
            return ahead
        x: cython.double
        y: cython.double
        x, y = point_at(self.shapes, row, around(place, perimeter))
        if not self.shapes.is_open(x, y, LINE_SLACK_INCHES, row):
            return ahead
        return sliver + _open_ahead(closed, perimeter, place + turn * sliver, turn)

    def closed(self, row: cython.Py_ssize_t) -> Stretches:
        """Return the stretches of a rim that other shapes or the edge of the board close."""
        known = self._closed[row]
        if known is not None:
            return known
        if self.base is not None and row < self.shapes.shared and not self._is_disturbed(row):
            found: Stretches = self.base.closed(row)
            more: Stretches = self._closed_by(row, self.shapes.shared)
            found = found + more if more else found
        else:
            found = self._closed_by(row, 0)
        self._closed[row] = found
        return found

    def _is_disturbed(self, row: cython.Py_ssize_t) -> cython.bint:
        """Return whether a shape that may close some of a rim in the graph below is left out here."""
        if not self._leaves_out:
            return False
        other: cython.Py_ssize_t
        for other in range(self.shapes.shared):
            if (
                self.shapes.shapes[other].absent
                and not self.base.shapes.shapes[other].absent
                and self._may_meet(row, other)
            ):
                return True
        return False

    def _may_meet(self, row: cython.Py_ssize_t, other: cython.Py_ssize_t) -> cython.bint:
        """Return whether the circles that hold two shapes meet."""
        shape: ShapeTable = self.shapes.shapes
        off_x: cython.double = shape[other].middle_x - shape[row].middle_x
        off_y: cython.double = shape[other].middle_y - shape[row].middle_y
        reach: cython.double = shape[other].reach + shape[row].reach + ROUNDING
        return off_x * off_x + off_y * off_y < reach * reach

    def _closed_by(self, row: cython.Py_ssize_t, first: cython.Py_ssize_t) -> Stretches:
        """Return the stretches of a rim that shapes from a row on close; from row 0, the board too."""
        places: list[float] = []
        other: cython.Py_ssize_t
        near: cython.bint = False
        for other in range(first, self.shapes.count):
            if (
                other == row
                or self.shapes.shapes[other].absent
                or self.shapes.shapes[other].height < INFINITE
            ):
                continue
            if self._may_meet(row, other):
                add_crossings(self.shapes, row, self.shapes, other, places)
                near = True
        if first == 0:
            near = add_board_crossings(self.shapes, row, places) > 0 or near
        if not near:
            return []
        perimeter: cython.double = self.shapes.shapes[row].perimeter
        places = sorted([around(place, perimeter) for place in places]) or [0.0]
        found: Stretches = []
        k: cython.Py_ssize_t
        for k in range(len(places)):
            begin: cython.double = places[k]
            end: cython.double = places[0]
            end = cython.cast(cython.double, places[k + 1]) if k + 1 < len(places) else end + perimeter
            if end - begin <= PLACE_SLACK_INCHES:
                continue
            x: cython.double
            y: cython.double
            x, y = point_at(self.shapes, row, around(begin + (end - begin) / 2, perimeter))
            is_open: cython.bint = self.shapes.holder(x, y, LINE_SLACK_INCHES, row, first) < 0
            if not is_open or (first == 0 and not self.shapes.is_on_board(x, y)):
                found.append(begin)
                found.append(end - begin)
        return found


@cython.cfunc
@cython.exceptval(check=False)
def _may_be_tangent(
    x: cython.double,
    y: cython.double,
    end_x: cython.double,
    end_y: cython.double,
    off_x: cython.double,
    off_y: cython.double,
    farther: cython.double,
    after: cython.double,
) -> cython.bint:
    """Return whether two arcs reach equally far in a direction between two in which both face.

    The second arc's centre lies (off_x, off_y) off the first's. The second reaches farther by `farther` in
    the first of these directions, and by `after` in the last.
    """
    if farther > TOUCHING_DEPTH_INCHES and after > TOUCHING_DEPTH_INCHES:
        # Least is between the ends only where the pair's centres lie so.
        off_x, off_y = -off_x, -off_y
    elif farther >= -TOUCHING_DEPTH_INCHES or after >= -TOUCHING_DEPTH_INCHES:
        off_x = off_y = 0.0
    if x * off_y - y * off_x >= 0.0 and off_x * end_y - off_y * end_x >= 0.0:
        return True
    # Half a turn or more may hold any direction.
    return x * end_y - y * end_x < 0.0


@cython.cfunc
def _open_ahead(
    closed: Stretches, perimeter: cython.double, place: cython.double, turn: cython.int
) -> cython.double:
    """Return how far on a rim is open from a place that need not be."""
    found: cython.double = perimeter
    k: cython.Py_ssize_t
    for k in range(0, len(closed), 2):
        begin: cython.double = closed[k]
        length: cython.double = closed[k + 1]
        inside: cython.double = around(place - begin, perimeter)
        if inside > PLACE_SLACK_INCHES and inside < length - PLACE_SLACK_INCHES:
            return 0.0
        ahead: cython.double = around(begin - place if turn > 0 else place - begin - length, perimeter)
        found = min(found, 0.0 if ahead > perimeter - PLACE_SLACK_INCHES else ahead)
    return found


@cython.cfunc
def _closed_ahead(
    closed: Stretches, perimeter: cython.double, place: cython.double, turn: cython.int
) -> cython.double:
    """Return how far on the closed stretch about a place ends."""
    found: cython.double = perimeter
    k: cython.Py_ssize_t
    for k in range(0, len(closed), 2):
        length: cython.double = closed[k + 1]
        inside: cython.double = around(place - cython.cast(cython.double, closed[k]), perimeter)
        if inside < length:
            found = min(found, length - inside if turn > 0 else inside)
    return found
