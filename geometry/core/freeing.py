"""Shapes left out of a table: those that hold a point, and those that others cover.

Owns tables that stand upon another and differ from it so; tables are `geometry/core/shapes.py`'s.
"""

from __future__ import annotations

import cython

from geometry.tolerance import MOST_MITRE

if not cython.compiled:
    from geometry.core.plain import ArcTable
    from geometry.core.shapes import INFINITE, Shapes


def leave_out_covered(shapes: Shapes, slack: cython.double) -> cython.int:
    """Leave out the table's own shapes that lie wholly in another of its own, and note in which.

    Only discs in discs are known to, and shapes in wider ones of the same rim about the same place.
    """
    row: cython.Py_ssize_t
    other: cython.Py_ssize_t
    for row in range(shapes.shared, shapes.count):
        for other in range(shapes.shared, shapes.count):
            if other == row or shapes.shapes[other].absent or not _lies_in(shapes, row, other, slack):
                continue
            # Of two equal ones the first stays.
            if row < other and _lies_in(shapes, other, row, slack):
                continue
            shapes.shapes[row].absent, shapes.shapes[row].cover = True, other
            break
    for row in range(shapes.shared, shapes.count):
        other = shapes.shapes[row].cover
        while other >= 0:
            shapes.shapes[row].cover = other
            other = shapes.shapes[other].cover
    return 0


def _lies_in(
    shapes: Shapes, row: cython.Py_ssize_t, other: cython.Py_ssize_t, slack: cython.double
) -> cython.bint:
    """Return whether a shape is known to lie wholly in another."""
    count: cython.Py_ssize_t = shapes.shapes[row].count
    if count != shapes.shapes[other].count:
        return False
    off_x: cython.double = shapes.shapes[row].middle_x - shapes.shapes[other].middle_x
    off_y: cython.double = shapes.shapes[row].middle_y - shapes.shapes[other].middle_y
    room: cython.double = shapes.shapes[other].reach + slack - shapes.shapes[row].reach
    if room < 0.0 or off_x * off_x + off_y * off_y > room * room:
        return False
    ours: ArcTable = shapes.shapes[row].arcs
    theirs: ArcTable = shapes.shapes[other].arcs
    i: cython.Py_ssize_t = shapes.shapes[row].first
    j: cython.Py_ssize_t = shapes.shapes[other].first
    k: cython.Py_ssize_t
    for k in range(count if count > 1 else 0):
        same: cython.bint = (
            ours[i + k].centre_x == theirs[j + k].centre_x
            and ours[i + k].centre_y == theirs[j + k].centre_y
            and ours[i + k].begin_x == theirs[j + k].begin_x
            and ours[i + k].begin_y == theirs[j + k].begin_y
        )
        if not same or ours[i + k].radius > theirs[j + k].radius:
            return False
    return True


def freed(
    shapes: Shapes, x: cython.double, y: cython.double, touch: cython.double, slack: cython.double
) -> Shapes:
    """Return a table without the shapes that hold a point, shrunk where they only touch it.

    A shape holds a point that lies deeper in it than `touch`. The result stands upon this table, or is
    this table where nothing changes; what is no deeper than half the `slack` does not touch.
    """
    depths: list[float] = [-INFINITE] * shapes.count
    changed: cython.bint = False
    row: cython.Py_ssize_t
    for row in range(shapes.count):
        if not shapes.shapes[row].absent or shapes.shapes[row].cover >= 0:
            depth: cython.double = _depth(shapes, row, x, y)
            depths[row] = depth
            changed = changed or depth > slack / 2
    if not changed:
        return shapes
    put: list[int] = []
    arcs: cython.Py_ssize_t = 0
    for row in range(shapes.count):
        cover: cython.Py_ssize_t = shapes.shapes[row].cover
        depth = depths[row]
        if depth > touch or (shapes.shapes[row].absent and cover < 0):
            continue
        if (depth if cover < 0 else cython.cast(cython.double, depths[cover])) > 0.0:
            put.append(row)
            arcs += shapes.shapes[row].count
    found: Shapes = Shapes((shapes.low_x, shapes.low_y, shapes.high_x, shapes.high_y), (), (), (), (), shapes)
    found.reserve(shapes.count + len(put), arcs)
    for row in range(shapes.count):
        depth = depths[row]
        found.shapes[row].absent = shapes.shapes[row].absent or depth > 0.0
        cover = shapes.shapes[row].cover
        if depth > touch or (cover >= 0 and cython.cast(cython.double, depths[cover]) > 0.0):
            found.shapes[row].cover = -1
    first: cython.Py_ssize_t = 0
    k: cython.Py_ssize_t
    for k in range(len(put)):
        row = put[k]
        _put_inset(found, shapes.count + k, first, row, max(cython.cast(cython.double, depths[row]), 0.0))
        first += shapes.shapes[row].count
    found.count_climbable()
    return found


def narrowed(shapes: Shapes, depth: cython.double) -> Shapes:
    """Return a table of which its own shapes are those that may be climbed, moved in by a depth."""
    put: list[int] = []
    arcs: cython.Py_ssize_t = 0
    row: cython.Py_ssize_t
    for row in range(shapes.count):
        height: cython.double = shapes.shapes[row].height
        if not shapes.shapes[row].absent and height > 0.0 and height < INFINITE:
            put.append(row)
            arcs += shapes.shapes[row].count
    found: Shapes = Shapes((shapes.low_x, shapes.low_y, shapes.high_x, shapes.high_y), (), (), (), (), shapes)
    found.reserve(shapes.count + len(put), arcs)
    first: cython.Py_ssize_t = 0
    k: cython.Py_ssize_t
    for k in range(len(put)):
        row = put[k]
        _put_inset(found, shapes.count + k, first, row, depth)
        first += shapes.shapes[row].count
    return found


def _depth(shapes: Shapes, row: cython.Py_ssize_t, x: cython.double, y: cython.double) -> cython.double:
    """Return how deep a point lies in a shape; less than 0, or nothing exact, outside."""
    off_x: cython.double = x - shapes.shapes[row].middle_x
    off_y: cython.double = y - shapes.shapes[row].middle_y
    if off_x * off_x + off_y * off_y >= shapes.shapes[row].reach * shapes.shapes[row].reach:
        return -INFINITE
    return -shapes.gap(row, x, y)


def _put_inset(
    shapes: Shapes,
    row: cython.Py_ssize_t,
    first: cython.Py_ssize_t,
    source: cython.Py_ssize_t,
    depth: cython.double,
) -> cython.int:
    """Put a shape of the base into a row, its rim moved in by a depth, which is very little.

    Arcs lose as much of their radius; corners, and arcs hardly wider than the depth, move along their
    bisectors.
    """
    arcs: ArcTable = shapes.own_arcs
    theirs: ArcTable = shapes.shapes[source].arcs
    count: cython.Py_ssize_t = shapes.shapes[source].count
    shapes.shapes[row].arcs, shapes.shapes[row].first = arcs, first
    shapes.shapes[row].count = count
    shapes.shapes[row].absent = False
    shapes.shapes[row].cover = -1
    shapes.shapes[row].height = shapes.shapes[source].height
    k: cython.Py_ssize_t
    for k in range(count):
        i: cython.Py_ssize_t = first + k
        j: cython.Py_ssize_t = shapes.shapes[source].first + k
        arcs[i].centre_x, arcs[i].centre_y = theirs[j].centre_x, theirs[j].centre_y
        arcs[i].begin_x, arcs[i].begin_y = theirs[j].begin_x, theirs[j].begin_y
        arcs[i].end_x, arcs[i].end_y = theirs[j].end_x, theirs[j].end_y
        share: cython.double = 1.0 + arcs[i].begin_x * arcs[i].end_x + arcs[i].begin_y * arcs[i].end_y
        if count > 1 and theirs[j].radius <= 2 * depth and share * MOST_MITRE * MOST_MITRE > 2.0:
            arcs[i].centre_x -= depth / share * (arcs[i].begin_x + arcs[i].end_x)
            arcs[i].centre_y -= depth / share * (arcs[i].begin_y + arcs[i].end_y)
            arcs[i].radius = theirs[j].radius
        else:
            arcs[i].radius = max(theirs[j].radius - depth, 0.0)
    return shapes.measure(row)
