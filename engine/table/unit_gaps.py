"""How far apart units are, kept for those that neither move nor lose a model.

Owns the memory of distances from base to base. Where bases stand is `engine.table.positions`'s.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec
import numpy as np

from engine.core.state import Unit
from engine.table.positions import Positions, Rows
from geometry.measure.distance import gaps, in_space
from geometry.shape.base import Floats


class Apart(msgspec.Struct, frozen=True):
    """How far models of one unit are from those of another.

    `flat` is seen from above, `gaps` are in space, and `closest` is the least gap. All are in inches.
    """

    rows: tuple[Rows, Rows]
    flat: Floats
    gaps: Floats
    closest: float


class Gaps:
    """The distances between units on the battlefield."""

    def __init__(self, positions: Positions) -> None:
        """Know of none yet."""
        self._positions = positions
        self._version = -1
        self._known: dict[str, dict[str, Apart]] = {}

    def between(self, a: Unit, b: Unit) -> Apart:
        """Return how far the models of two units are apart; infinitely where one has none."""
        return self._known_or_measured(self._of(a), a, b)

    def from_one(self, a: Unit, others: Sequence[Unit]) -> list[Apart]:
        """Return how far the models of a unit are from those of each of some others."""
        of_a = self._of(a)
        return [self._known_or_measured(of_a, a, b) for b in others]

    def _of(self, unit: Unit) -> dict[str, Apart]:
        """Return what is known of a unit's distances now."""
        version = self._positions.version
        if version != self._version:
            self._forget(self._positions.moved_since(self._version))
            self._version = version
        return self._known.setdefault(unit.id, {})

    def _known_or_measured(self, of_a: dict[str, Apart], a: Unit, b: Unit) -> Apart:
        known = of_a.get(b.id)
        if known is None or known.rows != (a.rows, b.rows):
            self._measure(a, b)
            known = of_a[b.id]
        return known

    def _measure(self, a: Unit, b: Unit) -> None:
        """Measure from a unit to another, and to all of that one's side, which costs hardly more."""
        here, of_a = self._positions, self._known[a.id]
        others = {b.id: b}
        for each in here.position.on_table(b.side):
            known = of_a.get(each.id)
            if each.id != a.id and (known is None or known.rows != (a.rows, each.rows)):
                others[each.id] = each
        rows, z = here.rows(list(others.values())), here.position.table.z
        flat = gaps(here.outlines(a.rows), here.outlines(rows))
        found = in_space(flat, z[list(a.rows)], z[list(rows)])
        # Views give these out, and they are kept.
        flat.setflags(write=False)
        found.setflags(write=False)
        least = np.minimum.reduce(found, axis=0, initial=np.inf).tolist()
        end = 0
        for name, each in others.items():
            start, end = end, end + len(each.rows)
            closest = min(least[start:end], default=math.inf)
            of_a[name] = Apart((a.rows, each.rows), flat[:, start:end], found[:, start:end], closest)

    def _forget(self, rows: list[int]) -> None:
        """Forget how far the units of these models are from others, as they have moved."""
        models = self._positions.position.models
        for name in {models[row].unit for row in rows}:
            self._known.pop(name, None)
            for others in self._known.values():
                others.pop(name, None)
