"""The arcs of a convex rim: which directions each faces, and what lies beyond them.

Owns how far a point lies beyond a run of arcs, and whether a run has a direction that parts a line from the
shape. Whole shapes are `geometry/core/shapes.py`'s.

A rim is a ring of arcs, counter-clockwise, with a straight edge after each. Lengths are in inches, angles in
radians, directions have length 1. Of an `Arc` there are:

- `centre_x`, `centre_y`, `radius` (0 for a corner);
- `begin_x`, `begin_y`, `end_x`, `end_y`: the directions in which the arc begins and ends to face, `sweep`:
  the angle between these; the edge after an arc faces as the arc does where it ends;
- `place`: how far along the rim the arc begins, counter-clockwise from where the shape's first arc begins;
- `edge`: the length of the straight edge after the arc, 0 for none; `following`: the next arc's number;
- `held_x`, `held_y`, `held`: a circle, by its centre and radius, that holds the arc and the edge after it.

Long runs are halved: a half is passed over when none of its directions can matter, by a bound that one point
of the rim gives (`_most_along`).
"""

from __future__ import annotations

import cython

from geometry.tolerance import DIRECTION_SLACK_RADIANS, ROUNDING, TOLERANCE

if not cython.compiled:
    from math import sqrt

    from geometry.core.numeric import TURN, turned
    from geometry.core.plain import ArcTable

FEW_ARCS = cython.declare(cython.int, 8)
"""Runs of no more arcs are asked arc by arc."""


def faces(arcs: ArcTable, arc: cython.Py_ssize_t, x: cython.double, y: cython.double) -> cython.bint:
    """Return whether an arc faces in a direction of length 1, but for rounding."""
    if arcs[arc].following == arc:
        return True
    if arcs[arc].begin_x * y - arcs[arc].begin_y * x < -DIRECTION_SLACK_RADIANS:
        return False
    if x * arcs[arc].end_y - y * arcs[arc].end_x < -DIRECTION_SLACK_RADIANS:
        return False
    ahead: cython.double = x * (arcs[arc].begin_x + arcs[arc].end_x)
    return ahead + y * (arcs[arc].begin_y + arcs[arc].end_y) > -DIRECTION_SLACK_RADIANS


def may_touch(arcs: ArcTable, arc: cython.Py_ssize_t, x: cython.double, y: cython.double) -> cython.bint:
    """Return whether a line from a point may be tangent to an arc: it sees some of it, not all."""
    if arcs[arc].following == arc:
        return True
    off_x: cython.double = x - arcs[arc].centre_x
    off_y: cython.double = y - arcs[arc].centre_y
    begin: cython.double = off_x * arcs[arc].begin_x + off_y * arcs[arc].begin_y - arcs[arc].radius
    end: cython.double = off_x * arcs[arc].end_x + off_y * arcs[arc].end_y - arcs[arc].radius
    if begin > TOLERANCE or end > TOLERANCE:
        return begin <= TOLERANCE or end <= TOLERANCE
    if begin >= -TOLERANCE or end >= -TOLERANCE:
        return True
    # Neither end is seen: some of the arc between them may be, if it faces the point.
    return (
        arcs[arc].begin_x * off_y - arcs[arc].begin_y * off_x >= -TOLERANCE
        and off_x * arcs[arc].end_y - off_y * arcs[arc].end_x >= -TOLERANCE
    )


def arc_facing(
    arcs: ArcTable, first: cython.Py_ssize_t, count: cython.Py_ssize_t, x: cython.double, y: cython.double
) -> cython.Py_ssize_t:
    """Return the arc of a whole rim that faces in a direction of any length, but for rounding."""
    low: cython.Py_ssize_t = first
    high: cython.Py_ssize_t = first + count - 1
    from_x: cython.double = arcs[first].begin_x
    from_y: cython.double = arcs[first].begin_y
    is_beyond: cython.bint = _is_beyond_half(from_x, from_y, x, y)
    while low < high:
        middle: cython.Py_ssize_t = (low + high + 1) >> 1
        begin_x: cython.double = arcs[middle].begin_x
        begin_y: cython.double = arcs[middle].begin_y
        has_begun: cython.bint = is_beyond
        if _is_beyond_half(from_x, from_y, begin_x, begin_y) == is_beyond:
            has_begun = begin_x * y - begin_y * x >= 0.0
        if has_begun:
            low = middle
        else:
            high = middle - 1
    return low


def sweep_left(arcs: ArcTable, arc: cython.Py_ssize_t, x: cython.double, y: cython.double) -> cython.double:
    """Return the angle from a direction that an arc faces to where the arc ends."""
    left: cython.double = turned(x, y, arcs[arc].end_x, arcs[arc].end_y)
    if left <= arcs[arc].sweep:
        return left
    # It is a rounding error before the arc begins, or past its end.
    return arcs[arc].sweep if left < (arcs[arc].sweep + TURN) / 2 else 0.0


def _is_beyond_half(
    from_x: cython.double, from_y: cython.double, x: cython.double, y: cython.double
) -> cython.bint:
    """Return whether a direction lies half a turn or more ahead of another."""
    aside: cython.double = from_x * y - from_y * x
    return aside < 0.0 or (aside == 0.0 and from_x * x + from_y * y < 0.0)


def outmost(
    arcs: ArcTable,
    low: cython.Py_ssize_t,
    high: cython.Py_ssize_t,
    x: cython.double,
    y: cython.double,
    found: cython.double,
    at: cython.Py_ssize_t,
) -> tuple[cython.double, cython.Py_ssize_t]:
    """Return how far a point lies beyond arcs `low` to `high` - 1, and the arc that faces it.

    `found` and `at` are these of other arcs; they are returned where no arc of the run has more.
    """
    i: cython.Py_ssize_t
    if high - low <= FEW_ARCS:
        for i in range(low, high):
            off_x: cython.double = x - arcs[i].centre_x
            off_y: cython.double = y - arcs[i].centre_y
            out: cython.double
            if arcs[i].following == i:
                return sqrt(off_x * off_x + off_y * off_y) - arcs[i].radius, i
            out = off_x * arcs[i].end_x + off_y * arcs[i].end_y - arcs[i].radius
            if (
                arcs[i].begin_x * off_y - arcs[i].begin_y * off_x >= 0.0
                and off_x * arcs[i].end_y - off_y * arcs[i].end_x >= 0.0
                and off_x * (arcs[i].begin_x + arcs[i].end_x) + off_y * (arcs[i].begin_y + arcs[i].end_y)
                >= 0.0
            ):
                out = max(out, sqrt(off_x * off_x + off_y * off_y) - arcs[i].radius)
            if out > found:
                found, at = out, i
        return found, at
    middle: cython.Py_ssize_t = (low + high) >> 1
    off_x = x - arcs[middle].centre_x - arcs[middle].radius * arcs[middle].begin_x
    off_y = y - arcs[middle].centre_y - arcs[middle].radius * arcs[middle].begin_y
    if _most_along(arcs, low, high, off_x, off_y) <= found - ROUNDING:
        return found, at
    if arcs[middle].begin_x * off_y - arcs[middle].begin_y * off_x >= 0.0:
        found, at = outmost(arcs, middle, high, x, y, found, at)
        return outmost(arcs, low, middle, x, y, found, at)
    found, at = outmost(arcs, low, middle, x, y, found, at)
    return outmost(arcs, middle, high, x, y, found, at)


def _most_along(
    arcs: ArcTable,
    low: cython.Py_ssize_t,
    high: cython.Py_ssize_t,
    x: cython.double,
    y: cython.double,
) -> cython.double:
    """Return the most that a vector reaches in any direction that arcs `low` to `high` - 1 face.

    As the shape reaches as far as each of its points, a point at this vector from one of them lies no
    farther beyond the rim.
    """
    begin_x: cython.double = arcs[low].begin_x
    begin_y: cython.double = arcs[low].begin_y
    end_x: cython.double = arcs[high - 1].end_x
    end_y: cython.double = arcs[high - 1].end_y
    # Half a turn or more bounds nothing; the whole rim ends where it begins, but for rounding.
    if begin_x * end_y - begin_y * end_x <= DIRECTION_SLACK_RADIANS or (
        begin_x * y - begin_y * x >= 0.0 and x * end_y - y * end_x >= 0.0
    ):
        return sqrt(x * x + y * y)
    return max(x * begin_x + y * begin_y, x * end_x + y * end_y)


def are_parted(
    arcs: ArcTable,
    low: cython.Py_ssize_t,
    high: cython.Py_ssize_t,
    ax: cython.double,
    ay: cython.double,
    bx: cython.double,
    by: cython.double,
    slack: cython.double,
) -> cython.bint:
    """Return whether arcs `low` to `high` - 1 face a direction that parts a line from the shape."""
    i: cython.Py_ssize_t
    if high - low <= FEW_ARCS:
        i = low
        while i < high and not _arc_parts(arcs, i, ax, ay, bx, by, slack):
            i += 1
        return i < high
    middle: cython.Py_ssize_t = (low + high) >> 1
    begin_x: cython.double = arcs[middle].begin_x
    begin_y: cython.double = arcs[middle].begin_y
    at_x: cython.double = arcs[middle].centre_x + arcs[middle].radius * begin_x
    at_y: cython.double = arcs[middle].centre_y + arcs[middle].radius * begin_y
    from_x: cython.double = ax - at_x
    from_y: cython.double = ay - at_y
    to_x: cython.double = bx - at_x
    to_y: cython.double = by - at_y
    if _most_along(arcs, low, high, from_x, from_y) < -slack - ROUNDING:
        return False
    if _most_along(arcs, low, high, to_x, to_y) < -slack - ROUNDING:
        return False
    if from_x * begin_x + from_y * begin_y > to_x * begin_x + to_y * begin_y:
        from_x, from_y = to_x, to_y
    if begin_x * from_y - begin_y * from_x >= 0.0:
        return are_parted(arcs, middle, high, ax, ay, bx, by, slack) or are_parted(
            arcs, low, middle, ax, ay, bx, by, slack
        )
    return are_parted(arcs, low, middle, ax, ay, bx, by, slack) or are_parted(
        arcs, middle, high, ax, ay, bx, by, slack
    )


def _arc_parts(
    arcs: ArcTable,
    arc: cython.Py_ssize_t,
    ax: cython.double,
    ay: cython.double,
    bx: cython.double,
    by: cython.double,
    slack: cython.double,
) -> cython.bint:
    """Return whether an arc or the edge after it parts a line from the shape."""
    from_x: cython.double = ax - arcs[arc].centre_x
    from_y: cython.double = ay - arcs[arc].centre_y
    to_x: cython.double = bx - arcs[arc].centre_x
    to_y: cython.double = by - arcs[arc].centre_y
    radius: cython.double = arcs[arc].radius - slack
    # Square to the edge after the arc.
    if (
        from_x * arcs[arc].end_x + from_y * arcs[arc].end_y >= radius
        and to_x * arcs[arc].end_x + to_y * arcs[arc].end_y >= radius
    ):
        return True
    # From the arc's centre to either end of the line.
    if _parts(arcs, arc, from_x, from_y, to_x, to_y, radius):
        return True
    if _parts(arcs, arc, to_x, to_y, from_x, from_y, radius):
        return True
    # Square to the line, on either side.
    along_x: cython.double = bx - ax
    along_y: cython.double = by - ay
    side: cython.double = along_x * from_y - along_y * from_x
    square: cython.double = along_x * along_x + along_y * along_y
    if square <= 0.0 or (radius > 0.0 and side * side < radius * radius * square * 0.999999):
        return False
    length: cython.double = sqrt(square)
    aside_x: cython.double = -along_y / length
    aside_y: cython.double = along_x / length
    side = from_x * aside_x + from_y * aside_y
    if side >= radius and faces(arcs, arc, aside_x, aside_y):
        return True
    return -side >= radius and faces(arcs, arc, -aside_x, -aside_y)


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

    Both ends are given as seen from the centre. An end that lies on the centre has no direction.
    """
    if arcs[arc].begin_x * near_y - arcs[arc].begin_y * near_x < 0.0:
        return False
    if near_x * arcs[arc].end_y - near_y * arcs[arc].end_x < 0.0:
        return False
    ahead: cython.double = near_x * (arcs[arc].begin_x + arcs[arc].end_x)
    if ahead + near_y * (arcs[arc].begin_y + arcs[arc].end_y) < 0.0:
        return False
    far: cython.double = sqrt(near_x * near_x + near_y * near_y)
    return far > 0.0 and far >= radius and near_x * other_x + near_y * other_y >= radius * far
