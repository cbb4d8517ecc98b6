"""The models of a unit that is to move: where each stands, how it faces, how far it may go.

Owns no way of theirs: a unit's move is planned in `geometry.group.planned_move`.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
from msgspec.structs import replace

from geometry.path.budget import Budget
from geometry.path.planner import Path
from geometry.shape.base import Base, Floats
from geometry.shape.convex_shape import Outlines, Stance, stance_of
from geometry.shape.nearby import shapes_of


class Party(msgspec.Struct, frozen=True):
    """The models of a unit: `xy` (n, 2), `radius` (n,), and how far each may go, `limit` (n,).

    Without `bases` all are round. With them `facing` (n,) says which way each faces, in degrees, and `pivot`
    (n,) what turning at the start of the move costs it, in inches; without `pivot` nobody turns. `z` (n,) is
    how high each stands; without it, all on the ground. All searches for one move share its `budget`.
    """

    xy: Floats
    radius: Floats
    limit: Floats
    bases: tuple[Base, ...] = ()
    facing: Floats | None = None
    pivot: Floats | None = None
    z: Floats | None = None
    budget: Budget | None = None
    climbs: bool = False
    """Whether models change their height first: one that ends where it stands has moved, too."""

    def __len__(self) -> int:
        """Return how many models there are."""
        return len(self.radius)

    def take(self, rows: Sequence[int]) -> Party:
        """Return the models of these rows."""
        i = np.array(rows, dtype=np.intp)
        bases = tuple(self.bases[row] for row in i) if self.bases else ()
        facing, pivot, z = (None if each is None else each[i] for each in (self.facing, self.pivot, self.z))
        xy, radius, limit = self.xy[i], self.radius[i], self.limit[i]
        return replace(self, xy=xy, radius=radius, limit=limit, bases=bases, facing=facing, pivot=pivot, z=z)

    def faces(self, row: int) -> float:
        """Return which way a model faces, in degrees."""
        return 0.0 if self.facing is None else float(self.facing[row])

    def stance(self, row: int) -> Stance:
        """Return how a model stands."""
        if not self.bases:
            return Stance(float(self.radius[row]))
        return stance_of(self.bases[row], self.faces(row))

    def stance_after(self, row: int, path: Path) -> Stance:
        """Return how a model stands after the pivot with which its path may begin."""
        return stance_of(self.bases[row], path.legs[0][2]) if path.is_turned else self.stance(row)

    def disc(self, row: int) -> Stance:
        """Return the disc within a model's base: no facing passes where that does not."""
        if not self.bases:
            return Stance(float(self.radius[row]))
        return Stance(min(self.bases[row].length, self.bases[row].width) / 2)

    @property
    def outlines(self) -> Outlines:
        """Return the bases as they stand."""
        return shapes_of(self.xy, [self.stance(row) for row in range(len(self))])
