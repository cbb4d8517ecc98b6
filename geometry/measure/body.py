"""Upright bodies on the table as arrays: where they stand, how tall they are, how they see.

Owns the columns that measuring and sight read; shapes are `geometry.shape.convex_shape`'s. It knows no rule.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
import numpy as np

from geometry.shape.base import Bools, Floats
from geometry.shape.convex_shape import Outlines
from geometry.shape.core_polygon import Core


class Bodies(msgspec.Struct, frozen=True):
    """Upright prisms on the table: n models as columns.

    `xy` is (n, 2); `z`, `radius` and `height` are (n,), in inches; `radius` is what lies round the `core`,
    all of it where the base is round (no `core` at all: every base is). `sees_over` marks bodies for which
    boundless terrain hides nothing, seen or seeing; `sees_out` those that see out of boundless terrain
    when they merely overlap it (others must stand wholly within it).
    """

    xy: Floats
    z: Floats
    radius: Floats
    height: Floats
    sees_over: Bools
    sees_out: Bools
    core: tuple[Core, ...] = ()

    def __len__(self) -> int:
        """Return how many bodies there are."""
        return len(self.radius)

    @property
    def outlines(self) -> Outlines:
        """Return the shapes of the bases on the ground."""
        return Outlines(self.xy, self.radius, self.core)

    def take(self, rows: Iterable[int]) -> Bodies:
        """Return the bodies of these rows, in this order."""
        i = np.fromiter(rows, dtype=np.intp)
        core = tuple(self.core[row] for row in i) if self.core else ()
        seeing = self.sees_over[i], self.sees_out[i]
        return Bodies(self.xy[i], self.z[i], self.radius[i], self.height[i], *seeing, core)
