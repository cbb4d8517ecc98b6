"""The shapes that stand on the table.

Owns bases (in inches); upright bodies are `geometry.measure.body`'s. It knows no rule.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from geometry.portable import norm

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.intp]
Polygon = tuple[tuple[float, float], ...]
N = TypeVar("N", np.float64, np.int64)

MM_PER_INCH = 25.4

Shape = Literal["round", "oval", "hull"]


class Base(msgspec.Struct, frozen=True):
    """A model's outline on the ground, in inches: `length` along its facing, `width` across it."""

    shape: Shape
    length: float
    width: float

    @property
    def radius(self) -> float:
        """Return the radius of the smallest circle round the base's centre that holds it."""
        if self.shape == "hull":
            return norm(self.length, self.width) / 2
        return max(self.length, self.width) / 2


def round_base(millimetres: float) -> Base:
    """Return a round base of this diameter."""
    inches = millimetres / MM_PER_INCH
    return Base("round", inches, inches)


def oval_base(length_mm: float, width_mm: float) -> Base:
    """Return an oval base with these axes, the first along the facing."""
    return Base("oval", length_mm / MM_PER_INCH, width_mm / MM_PER_INCH)


def hull_base(length: float, width: float) -> Base:
    """Return the rectangle of a hull without a base, in inches, the first side along the facing."""
    return Base("hull", length, width)


def distinct(values: NDArray[N]) -> NDArray[N]:
    """Return the distinct values in order, as `numpy.unique` does, but in less time."""
    ordered: NDArray[N] = np.sort(values, axis=None, kind="stable")
    first = np.ones(len(ordered), dtype=np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return ordered[first]


@lru_cache(maxsize=256)
def pairs_of(count: int) -> Bools:
    """Return which places (n, n) of a table tell of two different things, each two of them once."""
    found: Bools = np.triu(np.ones((count, count), dtype=np.bool_), k=1)
    found.setflags(write=False)
    return found
