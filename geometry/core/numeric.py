"""Angles between directions, directions turned by an angle, sums, and places in a ring.

Only + - * / are used, so that every machine and every compiler finds equal bits. Angles are in radians.
"""

from __future__ import annotations

from collections.abc import Iterable, MutableSequence, Sequence

import cython

TURN = 6.283185307179586
"""A full turn, in radians."""
HALF_TURN = 3.141592653589793
"""Half a turn, in radians."""
QUARTER_TURN = 1.5707963267948966
"""A quarter of a turn, in radians."""
QUARTER_TURN_LOW = cython.declare(cython.double, 6.123233995736766e-17)
"""What a quarter turn is more than its nearest double."""
QUARTER_HEAD = cython.declare(cython.double, 1.5707963267341256)
"""The first 33 bits of a quarter turn, of which four times are still exact."""
QUARTER_TAIL = cython.declare(cython.double, 6.077100506506192e-11)
"""The rest of a quarter turn."""
EIGHTH_TANGENT = cython.declare(cython.double, 0.66)
"""The tangent above which an angle is reckoned from an eighth of a turn, for precision."""


def turned(ax: cython.double, ay: cython.double, bx: cython.double, by: cython.double) -> cython.double:
    """Return the angle counter-clockwise from one direction to another, 0 to a full turn.

    Directions are vectors of any length; where one is (0, 0) the angle is 0. The error is at most 2e-15. A
    direction that lies clockwise of the other by a rounding error is almost a full turn ahead, not 0.
    """
    along: cython.double = ax * bx + ay * by
    across: cython.double = ax * by - ay * bx
    ahead: cython.double = -along if along < 0.0 else along
    aside: cython.double = -across if across < 0.0 else across
    angle: cython.double
    # The smaller by the larger: a tangent of at most 1, and no division by 0.
    if aside > ahead:
        angle = QUARTER_TURN - (_arctangent(ahead / aside) - QUARTER_TURN_LOW)
    elif ahead > 0.0:
        angle = _arctangent(aside / ahead)
    else:
        angle = 0.0
    if along < 0.0:
        angle = HALF_TURN - (angle - 2.0 * QUARTER_TURN_LOW)
    return TURN - (angle - 4.0 * QUARTER_TURN_LOW) if across < 0.0 else angle


def rotated(x: cython.double, y: cython.double, angle: cython.double) -> tuple[cython.double, cython.double]:
    """Return a direction turned counter-clockwise by an angle from 0 to a full turn.

    A rounding error beyond these bounds does no harm. The error is at most 1e-15 of the direction's length.
    """
    quarters: cython.int = 0
    while quarters < 4 and angle > (quarters + 0.5) * QUARTER_TURN:
        quarters += 1
    rest: cython.double = (angle - quarters * QUARTER_HEAD) - quarters * QUARTER_TAIL
    square: cython.double = rest * rest
    sine: cython.double = rest + rest * square * _sine_series(square)
    cosine: cython.double = 1.0 - square * _cosine_series(square)
    ahead_x: cython.double = x * cosine - y * sine
    ahead_y: cython.double = y * cosine + x * sine
    if quarters == 1:
        return -ahead_y, ahead_x
    if quarters == 2:
        return -ahead_x, -ahead_y
    if quarters == 3:
        return ahead_y, -ahead_x
    return ahead_x, ahead_y


def angle_of(x: cython.double, y: cython.double) -> cython.double:
    """Return the angle of a way from the x axis, from minus half a turn to half a turn.

    It is counter-clockwise, and 0 for (0, 0).
    """
    return -turned(1.0, 0.0, x, -y) if y < 0.0 else turned(1.0, 0.0, x, y)


def put_angles(ways: Sequence[float], found: MutableSequence[float]) -> cython.int:
    """Put the angles of ways, flat (x, y, …), as `angle_of` does."""
    i: cython.Py_ssize_t
    for i in range(len(ways) // 2):
        found[i] = angle_of(ways[2 * i], ways[2 * i + 1])
    return 0


def way_of(angle: cython.double) -> tuple[cython.double, cython.double]:
    """Return the way of length 1 at an angle from minus a full turn to a full turn."""
    if angle < 0.0:
        x, y = rotated(1.0, 0.0, -angle)
        return x, -y
    return rotated(1.0, 0.0, angle)


def put_ways(angles: Sequence[float], found: MutableSequence[float]) -> cython.int:
    """Put the ways at angles, flat (x, y, …), as `way_of` does."""
    i: cython.Py_ssize_t
    for i in range(len(angles)):
        found[2 * i], found[2 * i + 1] = way_of(angles[i])
    return 0


def sum_of(numbers: Iterable[float]) -> cython.double:
    """Return the sum of numbers, added from the left.

    From Python 3.12 on `sum` gives back what rounding loses.
    """
    found: cython.double = 0.0
    number: cython.double
    for number in numbers:
        found += number
    return found


@cython.cfunc
@cython.exceptval(check=False)
def _arctangent(tangent: cython.double) -> cython.double:
    """Return the angle of a tangent from 0 to 1, by a rational approximation."""
    rest: cython.double = tangent
    if tangent > EIGHTH_TANGENT:
        rest = (tangent - 1.0) / (tangent + 1.0)
    square: cython.double = rest * rest
    # The coefficients are those of Cephes (S. L. Moshier, netlib.org/cephes, cmath/atan.c).
    above: cython.double = -8.750608600031904122785e-1
    above = above * square - 1.615753718733365076637e1
    above = above * square - 7.500855792314704667340e1
    above = above * square - 1.228866684490136173410e2
    above = above * square - 6.485021904942025371773e1
    below: cython.double = square + 2.485846490142306297962e1
    below = below * square + 1.650270098316988542046e2
    below = below * square + 4.328810604912902668951e2
    below = below * square + 4.853903996359136964868e2
    below = below * square + 1.945506571482613964425e2
    angle: cython.double = rest + rest * (square * above / below)
    if tangent > EIGHTH_TANGENT:
        return 0.5 * QUARTER_TURN + (angle + 0.5 * QUARTER_TURN_LOW)
    return angle


@cython.cfunc
@cython.exceptval(check=False)
def _sine_series(square: cython.double) -> cython.double:
    """Return (sin a - a) / a³ for the square of an angle up to an eighth of a turn (Taylor)."""
    series: cython.double = 1.0 / 355687428096000.0
    series = series * square - 1.0 / 1307674368000.0
    series = series * square + 1.0 / 6227020800.0
    series = series * square - 1.0 / 39916800.0
    series = series * square + 1.0 / 362880.0
    series = series * square - 1.0 / 5040.0
    series = series * square + 1.0 / 120.0
    return series * square - 1.0 / 6.0


@cython.cfunc
@cython.exceptval(check=False)
def _cosine_series(square: cython.double) -> cython.double:
    """Return (1 - cos a) / a² for the square of an angle up to an eighth of a turn (Taylor)."""
    series: cython.double = -1.0 / 20922789888000.0
    series = series * square + 1.0 / 87178291200.0
    series = series * square - 1.0 / 479001600.0
    series = series * square + 1.0 / 3628800.0
    series = series * square - 1.0 / 40320.0
    series = series * square + 1.0 / 720.0
    series = series * square - 1.0 / 24.0
    return series * square + 1.0 / 2.0
