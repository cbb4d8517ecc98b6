"""Points, ways and corners as arrays: `(..., 2)` floats.

They are put together without the detours that numpy takes.

Owns what every module here does to pairs of numbers. It knows no shape.
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from geometry.shape.base import Bools, Floats, Ints

N = TypeVar("N", Floats, Ints, Bools)


def points(x: Floats, y: Floats) -> Floats:
    """Return points, `(..., 2)`, of these coordinates, which have one shape."""
    found = np.empty((*x.shape, 2))
    found[..., 0], found[..., 1] = x, y
    return found


def left_of(way: Floats) -> Floats:
    """Return ways, `(..., 2)`, turned by a quarter to the left."""
    found = way[..., ::-1].copy()
    np.negative(found[..., 0], out=found[..., 0])
    return found


def right_of(way: Floats) -> Floats:
    """Return ways, `(..., 2)`, turned by a quarter to the right."""
    found = way[..., ::-1].copy()
    np.negative(found[..., 1], out=found[..., 1])
    return found


def following(ring: N) -> N:
    """Return for each row of a closed ring the next one's."""
    return np.concatenate([ring[1:], ring[:1]])


def previous(ring: N) -> N:
    """Return for each row of a closed ring the one's before it."""
    return np.concatenate([ring[-1:], ring[:-1]])


def runs(numbers: Ints) -> Ints:
    """Return where each run of equal numbers begins."""
    changes = np.ones(len(numbers), dtype=np.bool_)
    np.not_equal(numbers[1:], numbers[:-1], out=changes[1:])
    return changes.nonzero()[0]
