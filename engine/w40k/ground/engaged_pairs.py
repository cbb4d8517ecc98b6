"""Which enemy units are engaged with one another.

The pairs are kept for units that neither move nor lose a model. Owns the memory of it. At what distance
models are in range is `engine.w40k.ground.engagement`'s.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from engine.core.facts import HORDE, PLAYERS
from engine.core.state import Unit
from engine.table.positions import Positions, Rows
from geometry.measure.distance import gaps
from geometry.shape.base import Bools, Floats

NOBODY: frozenset[str] = frozenset()


class Encounters:
    """The pairs of enemy units within engagement range of each other. Rule: CORE.ER.1."""

    def __init__(self, positions: Positions, are_near: Callable[[Rows, Rows, Floats], Bools]) -> None:
        """Begin with no pair known.

        `are_near` returns which models, at these distances in inches, are within range of which.
        """
        self._positions = positions
        self._are_near = are_near
        self._version = -1
        self._met: dict[str, set[str]] = {}
        """The enemies of each unit that has any in range."""
        self._on: Bools = np.empty(0, dtype=np.bool_)
        self._again: set[str] = set()
        """The units that have to be looked at once more."""

    def _forget(self) -> None:
        """Forget the pairs of units that have moved, come or lost a model since the last version."""
        position = self._positions.position
        models, on = position.models, position.table.on
        known = len(self._on)
        changed = [*(on[:known] != self._on).nonzero()[0].tolist(), *range(known, len(on))]
        if self._positions.is_alike(self._version):
            moved = {models[row].unit for row in self._positions.moved_since(self._version)}
            # A unit off the table is in no range any more; one that has just come is like one that moves.
            lost = {models[row].unit for row in changed if not on[row]} & self._met.keys()
            come = {models[row].unit for row in changed if on[row]}
            self._again |= moved | lost | come
        else:
            self._again |= position.units.keys()
        self._on = on.copy()

    def of(self, unit: str) -> set[str] | frozenset[str]:
        """Return the ids of the enemies within engagement range of a unit."""
        version = self._positions.version
        if version != self._version:
            self._forget()
            self._version = version
        if self._again:
            self._look(self._again)
            self._again = set()
        return self._met.get(unit, NOBODY)

    def _look(self, units: set[str]) -> None:
        """Look which enemies are in range of these units."""
        for name in units:
            for enemy in self._met.pop(name, ()):
                self._part(enemy, name)
        hordes, players = (self._positions.position.on_table(side) for side in (HORDE, PLAYERS))
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
        here = self._positions
        a, b = here.rows(own), here.rows(foes)
        if not a or not b:
            return
        near = self._are_near(a, b, gaps(here.outlines(a), here.outlines(b)))
        models = here.position.models
        for i, j in np.argwhere(near).tolist():
            one, other = models[a[i]].unit, models[b[j]].unit
            self._met.setdefault(one, set()).add(other)
            self._met.setdefault(other, set()).add(one)
