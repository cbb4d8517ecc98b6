# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The stretches of a front along which bases of one kind may end while they touch the front.

Owns where these stretches begin and end. The middle of a base that touches a straight front lies on a line
beside the front; that line is cut where it crosses a curve that keeps the base out or in. Between two cuts
the base may end everywhere or nowhere. Which of the places a unit takes is not asked here.
"""

from __future__ import annotations

import cython

from geometry.tolerance import LINE_SLACK_INCHES, PLACE_SLACK_INCHES

if not cython.compiled:
    from math import sqrt

    from geometry.core.area import support
    from geometry.core.critical_points import CriticalPoints
    from geometry.core.end_ground import EndGround

Stretches = list[tuple[float, float]]
"""From where to where along a front, in inches from where it begins."""


def free_stretches(
    ground: EndGround, ax: cython.double, ay: cython.double, bx: cython.double, by: cython.double
) -> Stretches:
    """Return the stretches of a straight front opposite to which a base may stand and touch it.

    The front leads from (ax, ay) to (bx, by), and the base may touch it from either side.
    """
    along_x: cython.double = bx - ax
    along_y: cython.double = by - ay
    length: cython.double = sqrt(along_x * along_x + along_y * along_y)
    if length <= PLACE_SLACK_INCHES:
        return []
    along_x /= length
    along_y /= length
    found = _on_left(ground, ax, ay, along_x, along_y, length)
    for begin, end in _on_left(ground, bx, by, -along_x, -along_y, length):
        found.append((length - end, length - begin))
    return _joined(found)


def _on_left(
    ground: EndGround,
    x: cython.double,
    y: cython.double,
    along_x: cython.double,
    along_y: cython.double,
    length: cython.double,
) -> Stretches:
    """Return the stretches of a front that a base on its left may touch where it ends."""
    far: cython.double
    back: cython.double
    ahead: cython.double
    far, back, ahead = support(ground.base, along_y, -along_x)
    # The part of the base that touches the front may lie before its middle, or behind.
    first: cython.double = max(0.0, -ahead)
    room: cython.double = min(length, length - back) - first
    if room <= PLACE_SLACK_INCHES:
        return []
    x += first * along_x - (far + LINE_SLACK_INCHES) * along_y
    y += first * along_y + (far + LINE_SLACK_INCHES) * along_x
    found: Stretches = []
    begin: cython.double = 0.0
    end: cython.double
    for cut in _cuts(ground, x, y, along_x, along_y, room):
        end = cut
        middle: cython.double = (begin + end) / 2
        if end > begin and ground.stands(x + middle * along_x, y + middle * along_y):
            found.append((first + begin, first + end))
        begin = max(begin, end)
    return found


def _cuts(
    ground: EndGround,
    x: cython.double,
    y: cython.double,
    along_x: cython.double,
    along_y: cython.double,
    room: cython.double,
) -> list[float]:
    """Return where a line crosses curves of the ground, in order, and where it ends."""
    points: CriticalPoints = CriticalPoints()
    middle_x: cython.double = x + room / 2 * along_x
    middle_y: cython.double = y + room / 2 * along_y
    near: cython.double = room / 2 + PLACE_SLACK_INCHES
    points.begin(middle_x, middle_y, near)
    ground.lay(points, middle_x, middle_y, near)
    # Where curves of the ground cross one another does not matter here.
    points.count = 0
    points.add_line(x, y, x + room * along_x, y + room * along_y)
    points.offer_crossings_of(points.rim_count - 1)
    found: list[float] = [room]
    i: cython.Py_ssize_t
    for i in range(points.count):
        cut: cython.double = (points.spots[i].x - x) * along_x + (points.spots[i].y - y) * along_y
        if 0.0 < cut < room:
            found.append(cut)
    return sorted(found)


def _joined(stretches: Stretches) -> Stretches:
    """Return stretches in order, those that meet as one."""
    found: Stretches = []
    for begin, end in sorted(stretches):
        if found and begin <= found[len(found) - 1][1]:
            first, last = found.pop()
            found.append((first, max(last, end)))
        else:
            found.append((begin, end))
    return found
