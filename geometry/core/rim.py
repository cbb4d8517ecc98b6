"""The rims of shapes as closed curves, measured by how far along them a place is.

Owns where on a rim a direction is faced, where rims cross, and the legs that follow a rim. Places are inches
along a rim, counter-clockwise from where the shape's first arc begins. What is tangent to two rims is
`geometry/core/tangents.py`'s.
"""

from __future__ import annotations

import cython

from geometry.tolerance import PLACE_SLACK_INCHES, ROUNDING

if not cython.compiled:
    from math import sqrt

    from geometry.core.arcs import faces
    from geometry.core.numeric import TURN, rotated, turned
    from geometry.core.plain import ArcTable
    from geometry.core.shapes import INFINITE, Shapes

Places = list[float]
"""Places on one rim, in any order."""
Legs = list[tuple[float, ...]]
"""Legs of a way, as `legs_along` tells them."""


def around(place: cython.double, perimeter: cython.double) -> cython.double:
    """Return a place within once round a rim."""
    while place < 0.0:
        place += perimeter
    while place >= perimeter:
        place -= perimeter
    return place


def onward(
    place: cython.double, begin: cython.double, turn: cython.int, perimeter: cython.double
) -> cython.double:
    """Return the distance of a place from another in a sense; 0 if it is behind by rounding."""
    if perimeter <= 0.0:
        return 0.0
    ahead: cython.double = around((place - begin) * turn, perimeter)
    return 0.0 if ahead > perimeter - PLACE_SLACK_INCHES else ahead


def place_facing(arcs: ArcTable, arc: cython.Py_ssize_t, x: cython.double, y: cython.double) -> cython.double:
    """Return the place where an arc faces in a direction that it faces but for rounding."""
    angle: cython.double = turned(arcs[arc].begin_x, arcs[arc].begin_y, x, y)
    # What lies beyond both ends belongs to the nearer one.
    if angle > (arcs[arc].sweep + TURN) / 2:
        angle = 0.0
    return arcs[arc].place + min(angle, arcs[arc].sweep) * arcs[arc].radius


def place_near(shapes: Shapes, row: cython.Py_ssize_t, x: cython.double, y: cython.double) -> cython.double:
    """Return the place on a shape's rim next to a point that lies on the rim but for rounding."""
    arcs: ArcTable = shapes.shapes[row].arcs
    first: cython.Py_ssize_t = shapes.shapes[row].first
    most: cython.double = -INFINITE
    found: cython.double = 0.0
    i: cython.Py_ssize_t
    for i in range(first, first + shapes.shapes[row].count):
        off_x: cython.double = x - arcs[i].centre_x
        off_y: cython.double = y - arcs[i].centre_y
        out: cython.double = off_x * arcs[i].end_x + off_y * arcs[i].end_y - arcs[i].radius
        if arcs[i].edge > 0.0 and out > most:
            along: cython.double = off_y * arcs[i].end_x - off_x * arcs[i].end_y
            most = out
            found = arcs[i].place + arcs[i].sweep * arcs[i].radius + min(max(along, 0.0), arcs[i].edge)
        far: cython.double = sqrt(off_x * off_x + off_y * off_y)
        if far > 0.0 and far - arcs[i].radius > most and faces(arcs, i, off_x / far, off_y / far):
            most = far - arcs[i].radius
            found = place_facing(arcs, i, off_x / far, off_y / far)
    return found


def point_at(
    shapes: Shapes, row: cython.Py_ssize_t, place: cython.double
) -> tuple[cython.double, cython.double]:
    """Return the point at a place on a shape's rim."""
    arcs: ArcTable = shapes.shapes[row].arcs
    arc: cython.Py_ssize_t = shapes.shapes[row].first
    last: cython.Py_ssize_t = arc + shapes.shapes[row].count - 1
    while arc < last and arcs[arc + 1].place <= place:
        arc += 1
    return _point_past(arcs, arc, place - arcs[arc].place)


def _point_past(
    arcs: ArcTable, arc: cython.Py_ssize_t, past: cython.double
) -> tuple[cython.double, cython.double]:
    """Return the point at a length past an arc's beginning, on it or the edge after it."""
    radius: cython.double = arcs[arc].radius
    over: cython.double = past - arcs[arc].sweep * radius
    if over > 0.0 and arcs[arc].edge > 0.0:
        other: cython.Py_ssize_t = arcs[arc].following
        share: cython.double = over / arcs[arc].edge
        ax: cython.double = arcs[arc].centre_x + radius * arcs[arc].end_x
        ay: cython.double = arcs[arc].centre_y + radius * arcs[arc].end_y
        bx: cython.double = arcs[other].centre_x + arcs[other].radius * arcs[other].begin_x
        by: cython.double = arcs[other].centre_y + arcs[other].radius * arcs[other].begin_y
        return ax + share * (bx - ax), ay + share * (by - ay)
    if radius <= ROUNDING:
        return arcs[arc].centre_x, arcs[arc].centre_y
    face_x: cython.double
    face_y: cython.double
    face_x, face_y = rotated(arcs[arc].begin_x, arcs[arc].begin_y, past / radius)
    return arcs[arc].centre_x + radius * face_x, arcs[arc].centre_y + radius * face_y


def place_after(arcs: ArcTable, arc: cython.Py_ssize_t) -> cython.double:
    """Return the place where the edge after an arc ends."""
    return arcs[arc].place + arcs[arc].radius * arcs[arc].sweep + arcs[arc].edge


def add_crossings(
    shapes: Shapes, row: cython.Py_ssize_t, others: Shapes, other: cython.Py_ssize_t, places: Places
) -> cython.int:
    """Add the places where a rim crosses or touches another, which may be of another table."""
    arcs: ArcTable = others.shapes[other].arcs
    first: cython.Py_ssize_t = others.shapes[other].first
    i: cython.Py_ssize_t = first - 1
    last: cython.Py_ssize_t = first + others.shapes[other].count - 1
    while i < last:
        i += 1
        off_x: cython.double = arcs[i].held_x - shapes.shapes[row].middle_x
        off_y: cython.double = arcs[i].held_y - shapes.shapes[row].middle_y
        apart: cython.double = sqrt(off_x * off_x + off_y * off_y) - shapes.shapes[row].reach
        if shapes.shapes[row].count > 1 and apart <= arcs[i].held + ROUNDING:
            apart = shapes.gap(row, arcs[i].held_x, arcs[i].held_y)
        apart = (apart if apart >= 0.0 else -apart) - ROUNDING
        if apart > arcs[i].held:
            # Whatever lies on the rim within this much of the arc is too far off, too.
            apart += arcs[i].place - arcs[i].held
            while i < last and place_after(arcs, i + 1) < apart:
                i += 1
            continue
        _add_arc_crossings(shapes, row, arcs, i, places)
        if arcs[i].edge > 0.0:
            j: cython.Py_ssize_t = arcs[i].following
            _add_line_crossings(
                shapes,
                row,
                arcs[i].centre_x + arcs[i].radius * arcs[i].end_x,
                arcs[i].centre_y + arcs[i].radius * arcs[i].end_y,
                arcs[j].centre_x + arcs[j].radius * arcs[j].begin_x,
                arcs[j].centre_y + arcs[j].radius * arcs[j].begin_y,
                places,
            )
    return 0


def add_board_crossings(shapes: Shapes, row: cython.Py_ssize_t, places: Places) -> cython.int:
    """Add the places where a rim crosses the edge of the board; return 1 where it may, else 0."""
    x: cython.double = shapes.shapes[row].middle_x
    y: cython.double = shapes.shapes[row].middle_y
    reach: cython.double = shapes.shapes[row].reach
    low_x: cython.double = shapes.low_x
    low_y: cython.double = shapes.low_y
    high_x: cython.double = shapes.high_x
    high_y: cython.double = shapes.high_y
    if x - reach < low_x or y - reach < low_y or x + reach > high_x or y + reach > high_y:
        _add_line_crossings(shapes, row, low_x, low_y, high_x, low_y, places)
        _add_line_crossings(shapes, row, high_x, low_y, high_x, high_y, places)
        _add_line_crossings(shapes, row, high_x, high_y, low_x, high_y, places)
        _add_line_crossings(shapes, row, low_x, high_y, low_x, low_y, places)
        return 1
    return 0


def _add_arc_crossings(
    shapes: Shapes,
    row: cython.Py_ssize_t,
    others: ArcTable,
    other: cython.Py_ssize_t,
    places: Places,
) -> cython.int:
    """Add the places where a rim crosses an arc of another."""
    reach: cython.double = others[other].radius
    if reach <= ROUNDING:
        return 0
    arcs: ArcTable = shapes.shapes[row].arcs
    first: cython.Py_ssize_t = shapes.shapes[row].first
    i: cython.Py_ssize_t
    side: cython.int
    for i in range(first, first + shapes.shapes[row].count):
        off_x: cython.double = arcs[i].held_x - others[other].held_x
        off_y: cython.double = arcs[i].held_y - others[other].held_y
        held: cython.double = arcs[i].held + others[other].held + ROUNDING
        if off_x * off_x + off_y * off_y > held * held:
            continue
        radius: cython.double = arcs[i].radius
        off_x = others[other].centre_x - arcs[i].centre_x
        off_y = others[other].centre_y - arcs[i].centre_y
        apart: cython.double = sqrt(off_x * off_x + off_y * off_y)
        if arcs[i].edge > 0.0:
            _add_edge_and_arc(arcs, i, others, other, places)
        if radius <= ROUNDING or apart <= ROUNDING or apart > radius + reach + ROUNDING:
            continue
        if apart < radius - reach - ROUNDING or apart < reach - radius - ROUNDING:
            continue
        along: cython.double = (apart + (radius * radius - reach * reach) / apart) / 2
        aside: cython.double = sqrt(max(radius * radius - along * along, 0.0))
        for side in range(2):
            if side == 1:
                aside = -aside
            x: cython.double = (along * off_x - aside * off_y) / apart
            y: cython.double = (along * off_y + aside * off_x) / apart
            if faces(arcs, i, x / radius, y / radius) and faces(
                others, other, (x - off_x) / reach, (y - off_y) / reach
            ):
                places.append(place_facing(arcs, i, x / radius, y / radius))
    return 0


def _add_edge_and_arc(
    arcs: ArcTable,
    arc: cython.Py_ssize_t,
    others: ArcTable,
    other: cython.Py_ssize_t,
    places: Places,
) -> cython.int:
    """Add the places where the edge after an arc crosses an arc of another rim."""
    j: cython.Py_ssize_t = arcs[arc].following
    reach: cython.double = others[other].radius
    ax: cython.double = arcs[arc].centre_x + arcs[arc].radius * arcs[arc].end_x
    ay: cython.double = arcs[arc].centre_y + arcs[arc].radius * arcs[arc].end_y
    along_x: cython.double = arcs[j].centre_x + arcs[j].radius * arcs[j].begin_x - ax
    along_y: cython.double = arcs[j].centre_y + arcs[j].radius * arcs[j].begin_y - ay
    along_x /= arcs[arc].edge
    along_y /= arcs[arc].edge
    off_x: cython.double = others[other].centre_x - ax
    off_y: cython.double = others[other].centre_y - ay
    foot: cython.double = off_x * along_x + off_y * along_y
    aside: cython.double = off_x * along_y - off_y * along_x
    if aside * aside > reach * reach + ROUNDING:
        return 0
    half: cython.double = sqrt(max(reach * reach - aside * aside, 0.0))
    side: cython.int
    for side in range(2):
        at: cython.double = foot - half if side == 0 else foot + half
        if (
            at >= -ROUNDING
            and at <= arcs[arc].edge + ROUNDING
            and faces(others, other, (at * along_x - off_x) / reach, (at * along_y - off_y) / reach)
        ):
            places.append(arcs[arc].place + arcs[arc].sweep * arcs[arc].radius + at)
    return 0


def _add_line_crossings(
    shapes: Shapes,
    row: cython.Py_ssize_t,
    ax: cython.double,
    ay: cython.double,
    bx: cython.double,
    by: cython.double,
    places: Places,
) -> cython.int:
    """Add the places where a rim crosses a straight line."""
    arcs: ArcTable = shapes.shapes[row].arcs
    first: cython.Py_ssize_t = shapes.shapes[row].first
    along_x: cython.double = bx - ax
    along_y: cython.double = by - ay
    length: cython.double = sqrt(along_x * along_x + along_y * along_y)
    if length <= ROUNDING:
        return 0
    along_x /= length
    along_y /= length
    i: cython.Py_ssize_t
    side: cython.int
    for i in range(first, first + shapes.shapes[row].count):
        held: cython.double = arcs[i].held + length / 2 + ROUNDING
        middle_x: cython.double = arcs[i].held_x - (ax + bx) / 2
        middle_y: cython.double = arcs[i].held_y - (ay + by) / 2
        if middle_x * middle_x + middle_y * middle_y > held * held:
            continue
        radius: cython.double = arcs[i].radius
        off_x: cython.double = arcs[i].centre_x - ax
        off_y: cython.double = arcs[i].centre_y - ay
        aside: cython.double = off_x * along_y - off_y * along_x
        if radius > ROUNDING and aside * aside <= radius * radius + ROUNDING:
            foot: cython.double = off_x * along_x + off_y * along_y
            half: cython.double = sqrt(max(radius * radius - aside * aside, 0.0))
            for side in range(2):
                at: cython.double = foot - half if side == 0 else foot + half
                x: cython.double = (at * along_x - off_x) / radius
                y: cython.double = (at * along_y - off_y) / radius
                if at >= -ROUNDING and at <= length + ROUNDING and faces(arcs, i, x, y):
                    places.append(place_facing(arcs, i, x, y))
        if arcs[i].edge > 0.0:
            _add_edge_and_line(arcs, i, ax, ay, along_x, along_y, length, places)
    return 0


def _add_edge_and_line(
    arcs: ArcTable,
    arc: cython.Py_ssize_t,
    ax: cython.double,
    ay: cython.double,
    along_x: cython.double,
    along_y: cython.double,
    length: cython.double,
    places: Places,
) -> cython.int:
    """Add the place where the edge after an arc crosses a straight line."""
    j: cython.Py_ssize_t = arcs[arc].following
    px: cython.double = arcs[arc].centre_x + arcs[arc].radius * arcs[arc].end_x
    py: cython.double = arcs[arc].centre_y + arcs[arc].radius * arcs[arc].end_y
    edge_x: cython.double = arcs[j].centre_x + arcs[j].radius * arcs[j].begin_x - px
    edge_y: cython.double = arcs[j].centre_y + arcs[j].radius * arcs[j].begin_y - py
    edge_x /= arcs[arc].edge
    edge_y /= arcs[arc].edge
    cross: cython.double = edge_x * along_y - edge_y * along_x
    if cross >= -ROUNDING and cross <= ROUNDING:
        return 0
    off_x: cython.double = ax - px
    off_y: cython.double = ay - py
    on_edge: cython.double = (off_x * along_y - off_y * along_x) / cross
    on_line: cython.double = (off_x * edge_y - off_y * edge_x) / cross
    if (
        on_edge >= -ROUNDING
        and on_edge <= arcs[arc].edge + ROUNDING
        and on_line >= -ROUNDING
        and on_line <= length + ROUNDING
    ):
        places.append(arcs[arc].place + arcs[arc].sweep * arcs[arc].radius + on_edge)
    return 0


def legs_along(
    shapes: Shapes, row: cython.Py_ssize_t, turn: cython.int, begin: cython.double, far: cython.double
) -> Legs:
    """Return the legs that follow a rim for a length from a place on it.

    A leg is (x, y) for a straight line to there, or (x, y, centre x, centre y, turn) for an arc; turn is 1
    for counter-clockwise, -1 for clockwise.
    """
    arcs: ArcTable = shapes.shapes[row].arcs
    first: cython.Py_ssize_t = shapes.shapes[row].first
    count: cython.Py_ssize_t = shapes.shapes[row].count
    legs: Legs = []
    here: cython.double = around(begin, shapes.shapes[row].perimeter)
    i: cython.Py_ssize_t = first
    while i + 1 < first + count and arcs[i + 1].place <= here:
        i += 1
    past: cython.double = here - arcs[i].place
    while far > ROUNDING:
        arc: cython.double = arcs[i].sweep * arcs[i].radius
        on_edge: cython.bint = past > arc or (turn > 0 and past >= arc)
        low: cython.double = arc if on_edge else 0.0
        high: cython.double = arc + arcs[i].edge if on_edge else arc
        step: cython.double = min(high - past if turn > 0 else past - low, far)
        if step > ROUNDING:
            past += turn * step
            far -= step
            at = _point_past(arcs, i, past)
            if on_edge:
                legs.append((at[0], at[1]))
            else:
                legs.append((at[0], at[1], arcs[i].centre_x, arcs[i].centre_y, float(turn)))
        if far <= ROUNDING:
            break
        if turn > 0 and (on_edge or arcs[i].edge == 0.0):
            i, past = arcs[i].following, 0.0
        elif turn > 0 or on_edge:
            past = arc
        else:
            i = i - 1 if i > first else first + count - 1
            past = arcs[i].sweep * arcs[i].radius + arcs[i].edge
    return legs
