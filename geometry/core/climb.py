"""What climbs on a way cost: how much the height of what is climbed varies along it.

Owns heights over points, straight lines and rims. The height over a point is that of the highest climbable
shape that covers the point, else 0. What a line or a stretch of rim costs is the sum of all changes of this
height, up and down, both ends included. Searches are `geometry/core/frontier.py`'s.
"""

from __future__ import annotations

import cython

from geometry.tolerance import PLACE_SLACK_INCHES, ROUNDING, TOLERANCE

if not cython.compiled:
    from math import sqrt

    from geometry.core.arcs import faces
    from geometry.core.plain import ArcTable
    from geometry.core.rim import add_crossings, around, point_at
    from geometry.core.shapes import INFINITE, Shapes


Numbers = list[float]
Heights = list[float]
"""Where each stretch of one height begins on a rim, and that height, one after the other."""


def height_at(shapes: Shapes, x: cython.double, y: cython.double) -> cython.double:
    """Return the height over a point, in inches."""
    found: cython.double = 0.0
    if shapes.climbable == 0:
        return found
    row: cython.Py_ssize_t
    for row in range(shapes.count):
        height: cython.double = shapes.shapes[row].height
        if shapes.shapes[row].absent or height == INFINITE or height <= found:
            continue
        off_x: cython.double = x - shapes.shapes[row].middle_x
        off_y: cython.double = y - shapes.shapes[row].middle_y
        reach: cython.double = shapes.shapes[row].reach
        if off_x * off_x + off_y * off_y < reach * reach and shapes.gap(row, x, y) < -TOLERANCE:
            found = height
    return found


def climb_of(
    shapes: Shapes, ax: cython.double, ay: cython.double, bx: cython.double, by: cython.double
) -> cython.double:
    """Return what the climbs on a straight line cost, in inches."""
    if shapes.climbable == 0:
        return 0.0
    spans: Numbers = spans_of(shapes, ax, ay, bx, by)
    if not spans:
        return 0.0
    found: cython.double = 0.0
    if len(spans) == 3:
        found += cython.cast(cython.double, spans[2]) if spans[0] >= 0.0 else 0.0
        found += cython.cast(cython.double, spans[2]) if spans[1] <= 1.0 else 0.0
        return found
    heights: Numbers = profile(spans)
    k: cython.Py_ssize_t
    for k in range(2, len(heights), 2):
        change: cython.double = cython.cast(cython.double, heights[k]) - cython.cast(
            cython.double, heights[k - 2]
        )
        found += change if change >= 0.0 else -change
    return found


def spans_of(
    shapes: Shapes, ax: cython.double, ay: cython.double, bx: cython.double, by: cython.double
) -> Numbers:
    """Return where a line is in climbable shapes: flat shares (begin, end) and heights.

    A share is less than 0, or more than 1, where the shape covers that end of the line.
    """
    found: Numbers = []
    row: cython.Py_ssize_t
    for row in range(shapes.count):
        height: cython.double = shapes.shapes[row].height
        if shapes.shapes[row].absent or height == INFINITE or height <= 0.0:
            continue
        begin: cython.double
        end: cython.double
        begin, end = _span(shapes, row, ax, ay, bx, by)
        if begin < end:
            found += [begin, end, height]
    return found


def profile(spans: Numbers) -> Numbers:
    """Return the heights along a line, each with the share of its beginning, flat.

    The numbers are height, share, height, share, and so on. The first height is that over the line's start,
    the last that over its end.
    """
    shares: Numbers = [0.0, 1.0]
    k: cython.Py_ssize_t
    for k in range(0, len(spans), 3):
        shares += [each for each in spans[k : k + 2] if 0.0 < each < 1.0]
    shares.sort()
    found: Numbers = [_highest(spans, -0.5), 0.0]
    for k in range(len(shares) - 1):
        begin: cython.double = shares[k]
        end: cython.double = shares[k + 1]
        if end > begin:
            found += [_highest(spans, (begin + end) / 2), begin]
    found += [_highest(spans, 1.5), 1.0]
    return found


def _highest(spans: Numbers, share: cython.double) -> cython.double:
    """Return the height at a share of a line."""
    found: cython.double = 0.0
    k: cython.Py_ssize_t
    for k in range(0, len(spans), 3):
        begin: cython.double = spans[k]
        end: cython.double = spans[k + 1]
        if begin < share and share < end:
            found = max(found, cython.cast(cython.double, spans[k + 2]))
    return found


def _span(
    shapes: Shapes,
    row: cython.Py_ssize_t,
    ax: cython.double,
    ay: cython.double,
    bx: cython.double,
    by: cython.double,
) -> tuple[cython.double, cython.double]:
    """Return the shares between which a shape covers a line; (1, 0) for none.

    A share is -1, or 2, where the shape covers that end of the line.
    """
    along_x: cython.double = bx - ax
    along_y: cython.double = by - ay
    length: cython.double = sqrt(along_x * along_x + along_y * along_y)
    off_x: cython.double = shapes.shapes[row].middle_x - ax
    off_y: cython.double = shapes.shapes[row].middle_y - ay
    reach: cython.double = shapes.shapes[row].reach
    if length <= 0.0:
        return 1.0, 0.0
    along_x /= length
    along_y /= length
    foot: cython.double = off_x * along_x + off_y * along_y
    aside: cython.double = off_x * along_y - off_y * along_x
    if aside >= reach or -aside >= reach or foot <= -reach or foot >= length + reach:
        return 1.0, 0.0
    low: cython.double
    high: cython.double
    low, high = _crossed(shapes, row, ax, ay, along_x, along_y)
    is_from: cython.bint = shapes.gap(row, ax, ay) < -TOLERANCE
    is_to: cython.bint = shapes.gap(row, bx, by) < -TOLERANCE
    low = 0.0 if is_from else max(low, 0.0)
    high = length if is_to else min(high, length)
    if low >= high:
        return 1.0, 0.0
    middle: cython.double = (low + high) / 2
    if not (is_from or is_to) and (
        shapes.gap(row, ax + middle * along_x, ay + middle * along_y) >= -TOLERANCE
    ):
        return 1.0, 0.0
    return -1.0 if is_from else low / length, 2.0 if is_to else high / length


def _crossed(
    shapes: Shapes,
    row: cython.Py_ssize_t,
    x: cython.double,
    y: cython.double,
    along_x: cython.double,
    along_y: cython.double,
) -> tuple[cython.double, cython.double]:
    """Return how far along a straight line from a point it first and last crosses a rim.

    Where it crosses none, the first is infinite and the last is less.
    """
    low: cython.double = INFINITE
    high: cython.double = -INFINITE
    arcs: ArcTable = shapes.shapes[row].arcs
    first: cython.Py_ssize_t = shapes.shapes[row].first
    i: cython.Py_ssize_t
    side: cython.int
    for i in range(first, first + shapes.shapes[row].count):
        radius: cython.double = arcs[i].radius
        off_x: cython.double = arcs[i].centre_x - x
        off_y: cython.double = arcs[i].centre_y - y
        foot: cython.double = off_x * along_x + off_y * along_y
        aside: cython.double = off_x * along_y - off_y * along_x
        if radius > 0.0 and aside * aside <= radius * radius:
            half: cython.double = sqrt(radius * radius - aside * aside)
            for side in range(2):
                at: cython.double = foot - half if side == 0 else foot + half
                if faces(arcs, i, (at * along_x - off_x) / radius, (at * along_y - off_y) / radius):
                    low, high = min(low, at), max(high, at)
        if arcs[i].edge <= 0.0:
            continue
        # The edge after the arc, square to the direction in which it faces.
        slope: cython.double = along_x * arcs[i].end_x + along_y * arcs[i].end_y
        if slope < ROUNDING and slope > -ROUNDING:
            continue
        at = (off_x * arcs[i].end_x + off_y * arcs[i].end_y + radius) / slope
        beyond_x: cython.double = at * along_x - off_x
        beyond_y: cython.double = at * along_y - off_y
        along: cython.double = beyond_y * arcs[i].end_x - beyond_x * arcs[i].end_y
        if along >= -PLACE_SLACK_INCHES and along <= arcs[i].edge + PLACE_SLACK_INCHES:
            low, high = min(low, at), max(high, at)
    return low, high


def heights_along(shapes: Shapes, covers: Shapes, row: cython.Py_ssize_t) -> Heights:
    """Return the heights along a shape's rim; none where all of the rim is on the ground.

    The `covers` are a table that stands upon the shapes; its own are where those that are climbed cover.
    """
    places: Numbers = []
    near: cython.bint = False
    other: cython.Py_ssize_t
    for other in range(covers.shared, covers.count):
        off_x: cython.double = covers.shapes[other].middle_x - shapes.shapes[row].middle_x
        off_y: cython.double = covers.shapes[other].middle_y - shapes.shapes[row].middle_y
        reach: cython.double = covers.shapes[other].reach + shapes.shapes[row].reach
        if off_x * off_x + off_y * off_y < reach * reach:
            add_crossings(shapes, row, covers, other, places)
            near = True
    if not near:
        return []
    perimeter: cython.double = shapes.shapes[row].perimeter
    places = sorted([around(place, perimeter) for place in places]) or [0.0]
    found: Heights = []
    highest: cython.double = 0.0
    k: cython.Py_ssize_t
    for k in range(len(places)):
        begin: cython.double = places[k]
        end: cython.double = places[0]
        end = cython.cast(cython.double, places[k + 1]) if k + 1 < len(places) else end + perimeter
        if end - begin <= PLACE_SLACK_INCHES:
            continue
        x: cython.double
        y: cython.double
        x, y = point_at(shapes, row, around(begin + (end - begin) / 2, perimeter))
        over: cython.double = height_at(shapes, x, y)
        highest = max(highest, over)
        if not found or found[len(found) - 1] != over:
            found += [begin, over]
    return found if highest > 0.0 else []


def climb_along(
    heights: Heights,
    perimeter: cython.double,
    place: cython.double,
    far: cython.double,
    turn: cython.int,
) -> cython.double:
    """Return the cost of the climbs on a stretch of rim from a place on, in inches."""
    found: cython.double = 0.0
    last: cython.Py_ssize_t = len(heights) - 2
    k: cython.Py_ssize_t
    for k in range(0, last + 2 if last > 0 else 0, 2):
        ahead: cython.double = around((cython.cast(cython.double, heights[k]) - place) * turn, perimeter)
        if ahead < far:
            rise: cython.double = heights[k + 1]
            rise -= cython.cast(cython.double, heights[k - 1 if k > 0 else last + 1])
            found += rise if rise >= 0.0 else -rise
    return found
