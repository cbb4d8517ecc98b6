"""How far apart units are, kept for those that neither move nor lose a model.

Owns the memory of distances from base to base. What is within range of what is `engine.table`'s business.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from engine.state import Unit
from geometry.base import Floats
from geometry.gap import gaps, in_space

if TYPE_CHECKING:
    from engine.table import Battlefield

Rows = tuple[int, ...]


class Apart(msgspec.Struct, frozen=True):
    """How far models of one unit are from those of another: seen from above, in space, and the closest."""

    rows: tuple[Rows, Rows]
    flat: Floats
    gaps: Floats
    closest: float


class Gaps:
    """The distances between units on the battlefield."""

    def __init__(self, field: Battlefield) -> None:
        """Know of none yet."""
        self._field = field
        self._known: dict[str, dict[str, Apart]] = {}

    def between(self, a: Unit, b: Unit) -> Apart:
        """Return how far the models of two units are apart; infinitely where one has none."""
        of_a = self._known.setdefault(a.id, {})
        known = of_a.get(b.id)
        if known is None or known.rows != (a.rows, b.rows):
            known = of_a[b.id] = self._measured(a.rows, b.rows)
        return known

    def _measured(self, a: Rows, b: Rows) -> Apart:
        z = self._field.state.table.z
        flat = gaps(self._field.outlines(a), self._field.outlines(b))
        found = in_space(flat, z[list(a)], z[list(b)])
        return Apart((a, b), flat, found, float(found.min(initial=np.inf)))

    def forget(self, units: Iterable[str]) -> None:
        """Forget how far these units are from others, as they have moved."""
        for name in units:
            self._known.pop(name, None)
            for others in self._known.values():
                others.pop(name, None)
