"""The poses and bases of the models on the table, and the changes since a version.

Owns the version that all memories of the table go by. It measures no distance and judges no rule.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain

import numpy as np

from engine.core.state import Position, Unit
from engine.table.allowances import PRINTED, Allowances
from engine.table.edition import Vision
from geometry.measure.body import Bodies
from geometry.shape.base import Bools
from geometry.shape.convex_shape import NOTHING, Outlines

Rows = tuple[int, ...]
ANEW = 100_000_000
"""The difference between the versions of unlike terrain or rules.

It is more than a battle has changes of positions.
"""


class Positions:
    """The rows, bases and bodies of the units on the table, with the versions of their poses."""

    def __init__(self, position: Position, vision: Vision, allowances: Allowances = PRINTED) -> None:
        """Read the poses of the models from this position.

        The allowances are asked for the changes by rules in force.
        """
        self.position = position
        self._vision = vision
        self._allowances = allowances
        self._rules = 0
        self._version = -1
        self._unmoved_since = -1
        self._alike_since = -1
        self._bases: dict[Rows, Outlines] = {}

    # versions

    @property
    def version(self) -> int:
        """Return a number that is higher after every change of models, terrain or rules."""
        self._fresh()
        return self._version

    @property
    def unmoved_since(self) -> int:
        """Return the version since which models stand unmoved, terrain and rules unchanged.

        Models have at most come and gone since.
        """
        self._fresh()
        return self._unmoved_since

    def moved_since(self, version: int) -> list[int]:
        """Return the rows that stand elsewhere, or otherwise, than in that version."""
        found: list[int] = (self.position.table.moved_at > _of_table(version)).nonzero()[0].tolist()
        return found

    def have_moved(self, rows: Rows, version: int) -> bool:
        """Return whether any of these models stands elsewhere, or otherwise, than in that version."""
        return bool((self.position.table.moved_at[list(rows)] > _of_table(version)).any())

    def is_alike(self, version: int) -> bool:
        """Return whether terrain and rules are those of that version."""
        return version >= self._alike_since

    def forget(self) -> None:
        """Begin a new version, as rules that bear on the table have changed."""
        self._rules += 1

    def _fresh(self) -> None:
        """Note what has moved since the last version, if there is a new one."""
        table = self.position.table
        version = table.version + ANEW * (table.terrain_version + self._rules)
        if version != self._version:
            self._notice(version)

    def _notice(self, version: int) -> None:
        is_anew = self._version < 0 or version - self._version >= ANEW
        if is_anew:
            self._alike_since = version
        has_moved = self.position.table.moved_at > _of_table(self._version)
        if is_anew or has_moved.any():
            self._unmoved_since = version
            still = set((self.position.table.on & ~has_moved).nonzero()[0].tolist())
            self._bases = {rows: each for rows, each in self._bases.items() if still.issuperset(rows)}
        self._version = version

    # what stands on the table

    def has(self, unit: Unit, keyword: str) -> bool:
        """Return whether every living part of the unit has the keyword, printed or granted."""
        return keyword in unit.shared_keywords or self._allowances.granted_keyword(unit, keyword)

    def rows(self, units: list[Unit]) -> Rows:
        """Return the rows of all models of these units."""
        return tuple(chain.from_iterable([unit.rows for unit in units]))

    def enemies(self, unit: Unit) -> list[Unit]:
        """Return the units of the other side on the battlefield."""
        side = unit.side
        return [each for each in self.position.units.values() if each.where == "table" and each.side != side]

    def friends(self, unit: Unit) -> list[Unit]:
        """Return the other units of its side on the battlefield."""
        return [other for other in self.position.on_table(unit.side) if other.id != unit.id]

    def bodies(self, rows: Rows) -> Bodies:
        """Return the models of these rows as upright bodies."""
        table, i, bases = self.position.table, np.array(rows, dtype=np.intp), self.outlines(rows)
        names = [self.position.models[row].unit for row in rows]
        over, out = self._which(names, self._vision.sees_over), self._which(names, self._vision.sees_out)
        return Bodies(bases.xy, table.z[i], bases.radius, table.height[i], over, out, bases.core)

    def _which(self, names: list[str], question: Callable[[Unit], bool]) -> Bools:
        """Return the answer about the unit of each model."""
        found = {name: question(self.position.units[name]) for name in dict.fromkeys(names)}
        return np.array([found[name] for name in names], dtype=bool)

    def outlines(self, rows: Rows, margin: float = 0.0) -> Outlines:
        """Return the bases of these rows, each wider by the margin."""
        if not rows:
            return NOTHING
        self._fresh()
        if rows not in self._bases:
            self._bases[rows] = self.position.table.outlines(rows)
        bases = self._bases[rows]
        return bases.grown(margin) if margin else bases


def _of_table(version: int) -> int:
    """Return the table's own part of a version, which tells when its models moved."""
    return version % ANEW if version >= 0 else -1
