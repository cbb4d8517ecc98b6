"""How far points are from a convex shape that stands anywhere on the board.

Owns the distances of many points from one shape. The shapes are `geometry.core.shapes`'.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

import cython

if not cython.compiled:
    from geometry.core.shapes import Shapes


def put_gaps(
    shape: Shapes,
    at_x: cython.double,
    at_y: cython.double,
    radius: cython.double,
    points: Sequence[float],
    found: MutableSequence[float],
    first: cython.Py_ssize_t,
    step: cython.Py_ssize_t,
) -> cython.int:
    """Put the distances of points from what is within a radius of a shape.

    `shape` is a table of this shape alone, about (0, 0); it stands at (at_x, at_y). `points` are flat
    (x, y, …), in inches. The distance of point i comes to place `first` + i * `step` of `found`; inside the
    shape it is less than 0, by the depth.
    """
    i: cython.Py_ssize_t
    for i in range(len(points) // 2):
        found[first + i * step] = shape.gap(0, points[2 * i] - at_x, points[2 * i + 1] - at_y) - radius
    return 0
