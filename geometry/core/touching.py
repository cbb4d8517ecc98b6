"""The lines from a point that touch a convex shape.

Owns on which arc of a rim such a line touches, and where. Lines that touch two rims are
`geometry/core/tangents.py`'s.

Seen from the point, the shape has a left and a right tangent. The `side` of one is 1 where a way that comes
from the point goes on counter-clockwise round the shape, -1 where it goes on clockwise.
"""

from __future__ import annotations

import cython

from geometry.tolerance import PLACE_SLACK_INCHES, TOLERANCE

if not cython.compiled:
    from math import sqrt

    from geometry.core.arcs import arc_facing, faces, may_touch
    from geometry.core.plain import ArcTable
    from geometry.core.shapes import Shapes

FEW_ARCS = cython.declare(cython.int, 12)
"""Rims of no more arcs are asked arc by arc."""


def touched_arc(
    shapes: Shapes, row: cython.Py_ssize_t, x: cython.double, y: cython.double, side: cython.int
) -> cython.Py_ssize_t:
    """Return the arc that the line from a point touches on a side; -1 where it may be any.

    The directions in which the rim faces and sees the point are one run. Within half a turn from one of
    them, an arc at which the rim no longer sees the point is found by halving.
    """
    arcs: ArcTable = shapes.shapes[row].arcs
    first: cython.Py_ssize_t = shapes.shapes[row].first
    count: cython.Py_ssize_t = shapes.shapes[row].count
    if count <= FEW_ARCS:
        return -1
    seen_x: cython.double = x - shapes.shapes[row].middle_x
    seen_y: cython.double = y - shapes.shapes[row].middle_y
    reach: cython.double = shapes.shapes[row].reach + TOLERANCE
    begin: cython.Py_ssize_t
    if seen_x * seen_x + seen_y * seen_y > reach * reach:
        begin = arc_facing(arcs, first, count, seen_x, seen_y)
    else:
        gap: cython.double
        gap, begin = shapes.nearest(row, x, y)
        if gap <= TOLERANCE:
            return -1
        seen_x, seen_y = x - arcs[begin].centre_x, y - arcs[begin].centre_y
        if seen_x * arcs[begin].end_y - seen_y * arcs[begin].end_x < 0.0:
            # It is the edge after the arc that faces the point.
            seen_x, seen_y = arcs[begin].end_x, arcs[begin].end_y
    # Between 0 and `high` arcs onward on the side, the last whose nearer end sees the point.
    low: cython.Py_ssize_t = 0
    high: cython.Py_ssize_t = (arc_facing(arcs, first, count, -seen_x, -seen_y) - begin) * side
    high = high + count if high < 0 else high
    while low < high:
        middle: cython.Py_ssize_t = (low + high + 1) >> 1
        arc: cython.Py_ssize_t = begin + middle if side > 0 else begin - middle + 1
        arc = arc - count if arc >= first + count else arc + count if arc < first else arc
        off_x: cython.double = x - arcs[arc].centre_x
        off_y: cython.double = y - arcs[arc].centre_y
        if off_x * arcs[arc].begin_x + off_y * arcs[arc].begin_y >= arcs[arc].radius:
            low = middle
        else:
            high = middle - 1
    found: cython.Py_ssize_t = begin + side * low
    return found - count if found >= first + count else found + count if found < first else found


def touch(
    arcs: ArcTable,
    arc: cython.Py_ssize_t,
    x: cython.double,
    y: cython.double,
    side: cython.int,
    slack: cython.double,
) -> tuple[cython.double, cython.double, cython.double]:
    """Return the length of the line that touches an arc on a side, and how the arc faces there.

    The length is -1 where there is no such line. The point may lie `slack` deep within the arc, in inches.
    """
    if not may_touch(arcs, arc, x, y):
        return -1.0, 0.0, 0.0
    off_x: cython.double = x - arcs[arc].centre_x
    off_y: cython.double = y - arcs[arc].centre_y
    radius: cython.double = arcs[arc].radius
    square: cython.double = off_x * off_x + off_y * off_y
    least: cython.double = max(radius - PLACE_SLACK_INCHES - slack, 0.0)
    if square <= 0.0 or square < least * least:
        return -1.0, 0.0, 0.0
    length: cython.double = sqrt(max(square - radius * radius, 0.0))
    face_x: cython.double = (radius * off_x - side * length * off_y) / square
    face_y: cython.double = (radius * off_y + side * length * off_x) / square
    if not faces(arcs, arc, face_x, face_y):
        return -1.0, 0.0, 0.0
    return length, face_x, face_y
