"""Whether a model that ends a move apart from the enemy passed by a contact that lay straight ahead and free.

Only straight ways to spots that are free are looked at, so that no legal move is ever found wanting; the rest
of what a move must keep to is `engine.legality`'s. Who plans a move asks here too, and takes what was missed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from engine.state import Unit
from geometry.base import TOLERANCE, Floats
from geometry.coherency import is_coherent
from geometry.gap import gap_between
from geometry.ground import Ground
from geometry.path import Path, check_path

if TYPE_CHECKING:
    from engine.table import Battlefield


@dataclass(frozen=True, slots=True)
class Approach:
    """A charge, pile-in or consolidation of a unit: how far each model may go, and what is in the way."""

    unit: Unit
    kind: str
    limits: dict[int, float]
    targets: tuple[str, ...]
    ground: Ground


class FreeContact:
    """The contacts that were free to one unit in a charge, pile-in or consolidation with these ends."""

    def __init__(self, field: Battlefield, approach: Approach, ends: Floats) -> None:
        """Take the move and its ends; enemies other than a charge's targets are not looked for."""
        self.field = field
        self.approach = approach
        self.ends = ends
        self.unit = approach.unit
        table = field.state.table
        self.xy, self.radius = table.xy[list(self.unit.rows)], table.radius[list(self.unit.rows)]
        self.z = table.z[list(self.unit.rows)]
        names = approach.targets or tuple(enemy.id for enemy in field.enemies(self.unit))
        self.foes = [list(field.state.units[name].rows) for name in names]
        rows = [row for foe in self.foes for row in foe]
        self.at, self.size = table.xy[rows], table.radius[rows]

    def missed(self, rows: Sequence[int]) -> dict[int, Floats]:
        """Return which of these models miss a contact, and where it is. Rule: CORE.CHG.3, CORE.FGT.4."""
        if not len(self.at):
            return {}
        after = gap_between(self.ends, self.radius, self.at, self.size)
        apart = [row for row in rows if after[self.unit.rows.index(row)].min() > TOLERANCE]
        found = {row: next((at for at in self._spots(row) if self._is_free(row, at)), None) for row in apart}
        return {row: at for row, at in found.items() if at is not None}

    def _toward(self, i: int, j: int) -> Floats:
        along = self.at[j] - self.xy[i]
        return np.asarray(along / np.hypot(*along))

    def _spots(self, row: int) -> Iterator[Floats]:
        """Yield where a straight move meets an enemy: any in a charge, else only the closest."""
        i = self.unit.rows.index(row)
        gaps = np.hypot(*(self.xy[i] - self.at).T) - self.radius[i] - self.size
        limit = self.approach.limits[row]
        if self.approach.kind != "charge":
            limit = min(limit, float(gaps.min()) + TOLERANCE)
        near = np.flatnonzero((gaps <= limit) & (gaps > TOLERANCE))
        for j in near[np.argsort(gaps[near], kind="stable")]:
            yield self.at[j] - self._toward(i, int(j)) * (self.radius[i] + self.size[j])

    def _is_free(self, row: int, spot: Floats) -> bool:
        """Return whether the model could end there while all others end where they do."""
        i = self.unit.rows.index(row)
        others = np.arange(len(self.ends)) != i
        room = np.hypot(*(self.ends[others] - spot).T) - self.radius[others] - self.radius[i]
        if (room < -TOLERANCE).any():
            return False
        ends = self.ends.copy()
        ends[i] = spot
        if not is_coherent(ends, self.z, self.radius, self.field.knobs.spacing):
            return False
        if self.approach.kind == "charge" and not self._reaches_all(ends):
            return False
        way = Path.from_legs(tuple(self.xy[i]), (tuple(map(float, spot)),))
        limit = self.approach.limits[row]
        return not check_path(way, float(self.radius[i]), self.xy[i], limit, self.approach.ground)

    def _reaches_all(self, ends: Floats) -> bool:
        table, reach = self.field.state.table, self.field.knobs.engagement
        return all(
            gap_between(ends, self.radius, table.xy[rows], table.radius[rows]).min() <= reach
            for rows in self.foes
        )
