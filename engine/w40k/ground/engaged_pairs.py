"""Which enemy units are engaged with one another, kept for those that neither move nor lose a model.

Owns the memory of it. At what distance models are in range is `engine.w40k.ground.engagement`'s.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.core.state import Unit
from geometry.measure.distance import gaps
from geometry.shape.base import Bools

if TYPE_CHECKING:
    from engine.table.battlefield import Battlefield

NOBODY: frozenset[str] = frozenset()


class Encounters:
    """The pairs of enemy units within engagement range of each other. Rule: CORE.ER.1."""

    def __init__(self, field: Battlefield) -> None:
        """Know of none yet."""
        self._field = field
        self._met: dict[str, set[str]] = {}
        """The enemies of each unit that has any in range."""
        self._on: Bools = np.empty(0, dtype=np.bool_)
        self._again: set[str] = set()
        """The units that have to be looked at once more."""

    def forget(self, rows: list[int] | None = None) -> None:
        """Forget of whom these models are in range, as they have moved; all of it where none are named."""
        models, on = self._field.position.models, self._field.position.table.on
        known = len(self._on)
        changed = [*(on[:known] != self._on).nonzero()[0].tolist(), *range(known, len(on))]
        if rows is None:
            self._again |= self._field.position.units.keys()
        else:
            moved = {models[row].unit for row in rows}
            # Who is off the table is in nobody's range any more, who has just come is like one that moves.
            lost = {models[row].unit for row in changed if not on[row]} & self._met.keys()
            come = {models[row].unit for row in changed if on[row]}
            self._again |= moved | lost | come
        self._on = on.copy()

    def of(self, unit: str) -> set[str] | frozenset[str]:
        """Return the ids of the enemies within engagement range of a unit."""
        if self._again:
            self._look(self._again)
            self._again = set()
        return self._met.get(unit, NOBODY)

    def _look(self, units: set[str]) -> None:
        """Look who is in range of these units."""
        for name in units:
            for enemy in self._met.pop(name, ()):
                self._part(enemy, name)
        hordes, players = (self._field.position.on_table(side) for side in ("horde", "players"))
        mine = [unit for unit in hordes if unit.id in units]
        self._meet(mine, players)
        self._meet([unit for unit in hordes if unit.id not in units], [u for u in players if u.id in units])

    def _part(self, one: str, other: str) -> None:
        left = self._met.get(one, set())
        left.discard(other)
        if not left:
            self._met.pop(one, None)

    def _meet(self, own: list[Unit], foes: list[Unit]) -> None:
        """Note which of these units are in range of which of those."""
        field, (a, b) = self._field, (self._field.rows(own), self._field.rows(foes))
        if not a or not b:
            return
        near = field.are_near(a, b, gaps(field.outlines(a), field.outlines(b)))
        models = field.position.models
        for i, j in np.argwhere(near).tolist():
            one, other = models[a[i]].unit, models[b[j]].unit
            self._met.setdefault(one, set()).add(other)
            self._met.setdefault(other, set()).add(one)
