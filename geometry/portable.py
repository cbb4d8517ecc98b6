"""Lengths, angles, sums and powers with equal bits on every machine.

Geometry, engine and ai compute with + - * / and square roots, which IEEE 754 rounds in one way only. `hypot`,
`sin`, `atan2`, `exp` and `pow` are another matter: processors, and versions of Python, of numpy and of the
library of mathematics, differ in the last bits of these. So do sums in an order that a library chooses:
`numpy.sum`, `mean`, `dot` and `@`, and from Python 3.12 on `sum` of floats. What stands here takes their
place, for numbers and for arrays. `tests/geometry/test_portable.py` names what else may be called.

Angles are in radians, counter-clockwise from the x axis.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import fmod, sqrt, tau
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from geometry.core import numeric

Floats = NDArray[np.float64]
Number = TypeVar("Number", float, Floats)

DEGREE = tau / 360
"""One degree, in radians."""
RADIAN = 360 / tau
"""One radian, in degrees."""


def norm(x: float, y: float, z: float = 0.0) -> float:
    """Return the length of a vector."""
    return sqrt(x * x + y * y + z * z)


def norms(vectors: Floats) -> Floats:
    """Return the lengths (…) of vectors (…, 2)."""
    x, y = vectors[..., 0], vectors[..., 1]
    found: Floats = np.sqrt(x * x + y * y)
    return found


def span(a: Sequence[float] | Floats, b: Sequence[float] | Floats) -> float:
    """Return the distance of two points on the ground; a third coordinate counts for nothing."""
    return norm(float(b[0]) - float(a[0]), float(b[1]) - float(a[1]))


def dots(a: Floats, b: Floats) -> Floats:
    """Return the scalar products (…) of vectors (…, 2)."""
    found: Floats = a[..., 0] * b[..., 0] + a[..., 1] * b[..., 1]
    return found


def dot(a: Sequence[float] | Floats, b: Sequence[float] | Floats) -> float:
    """Return the scalar product of two vectors on the ground."""
    return float(a[0]) * float(b[0]) + float(a[1]) * float(b[1])


def angle_of(x: float, y: float) -> float:
    """Return the angle of a way from the x axis, from minus half a turn to half a turn.

    It is counter-clockwise, and 0 for (0, 0). Numbers of numpy give a plain one, however the core runs.
    """
    return numeric.angle_of(float(x), float(y))


def sum_of(numbers: Iterable[float]) -> float:
    """Return the sum of numbers, added from the left, as a plain number."""
    return float(numeric.sum_of(numbers))


def angles_of(vectors: Floats) -> Floats:
    """Return the angles (…) of vectors (…, 2), as `angle_of` does."""
    flat: Any = np.ascontiguousarray(vectors, dtype=np.float64).reshape(-1)
    found: Any = np.empty(len(flat) // 2)
    numeric.put_angles(flat, found)
    return np.asarray(found.reshape(vectors.shape[:-1]))


def way_at(angle: float) -> tuple[float, float]:
    """Return the way of length 1 in a direction."""
    x, y = numeric.way_of(fmod(angle, tau))
    return x, y


def ways_at(angles: Floats) -> Floats:
    """Return the ways (…, 2) of length 1 in directions (…)."""
    flat: Any = np.ascontiguousarray(np.fmod(angles, tau)).reshape(-1)
    found: Any = np.empty(2 * len(flat))
    numeric.put_ways(flat, found)
    return np.asarray(found.reshape(*angles.shape, 2))


def radians(degrees_: Number) -> Number:
    """Return angles in radians."""
    return degrees_ * DEGREE


def degrees(angles: Number) -> Number:
    """Return angles in degrees."""
    return angles * RADIAN


def mean_point(points: Floats) -> Floats:
    """Return the mean of points (n, 2) or (n, 3), added in their order."""
    found: Floats = np.add.accumulate(points, axis=0)[-1] / len(points)
    return found


def power(base: float, exponent: int) -> float:
    """Return a number multiplied by itself, `exponent` factors in all."""
    found = 1.0
    for _ in range(exponent):
        found *= base
    return found
