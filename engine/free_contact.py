"""Whether a model that ends a move apart from the enemy passed by a contact that lay straight ahead and free.

Only straight ways to spots that are free are looked at, so that no legal move is ever found wanting; the rest
of what a move must keep to is `engine.legality`'s. Who plans a move asks here too, and takes what was missed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from engine.aircraft import opponents
from engine.state import Unit
from geometry.base import TOLERANCE, Floats
from geometry.coherency import is_coherent
from geometry.gap import clearances, gaps
from geometry.ground import Ground
from geometry.outline import POINT, Outlines, Stance
from geometry.path import Path, check_path, first_height

if TYPE_CHECKING:
    from engine.table import Battlefield


CLOSE = 1e-9
"""How near to contact a straight way is followed, in inches."""
STEPS = 40


class Approach(msgspec.Struct, frozen=True):
    """A charge, pile-in or consolidation of a unit: how far each model may go, and what is in the way."""

    unit: Unit
    kind: str
    limits: dict[int, float]
    targets: tuple[str, ...]
    ground: Ground


class FreeContact:
    """The contacts that were free to one unit in a charge, pile-in or consolidation with these ends."""

    def __init__(self, field: Battlefield, approach: Approach, ends: Outlines) -> None:
        """Take the move and the bases at its ends; of enemies, a charge looks for its targets only."""
        self.field = field
        self.approach = approach
        self.ends = ends
        self.unit = approach.unit
        table = field.state.table
        self.bases = field.outlines(self.unit.rows)
        self.z = table.z[list(self.unit.rows)]
        names = approach.targets or tuple(enemy.id for enemy in opponents(field, self.unit))
        foes = [field.state.units[name] for name in names]
        self.foes = [field.outlines(foe.rows) for foe in foes]
        rows = field.rows(foes)
        self.at, self.at_z = field.outlines(rows), table.z[list(rows)]

    def missed(self, rows: Sequence[int]) -> dict[int, Floats]:
        """Return which of these models miss a contact, and where it is.

        Rule: CORE.CHG.3, CORE.FGT.4, CORE.AIR.5
        """
        if not len(self.at):
            return {}
        after = gaps(self.ends, self.at)
        apart = [row for row in rows if after[self.unit.rows.index(row)].min() > TOLERANCE]
        found = {row: next((at for at in self._spots(row) if self._is_free(row, at)), None) for row in apart}
        return {row: at for row, at in found.items() if at is not None}

    def _spots(self, row: int) -> Iterator[Floats]:
        """Yield where a straight move meets an enemy: any in a charge, else only the closest."""
        i = self.unit.rows.index(row)
        apart = gaps(self.bases.take([i]), self.at)[0]
        limit = self.approach.limits[row]
        if self.approach.kind != "charge":
            limit = min(limit, float(apart.min()))
        level = np.abs(self.at_z - self.z[i]) <= TOLERANCE
        near = ((apart <= limit + TOLERANCE) & (apart > TOLERANCE) & level).nonzero()[0]
        for j in near[np.argsort(apart[near], kind="stable")]:
            yield meeting_point(self.bases.take([i]), self.at.take([j]))

    def _is_free(self, row: int, spot: Floats) -> bool:
        """Return whether the model could end there while all others end where they do."""
        i = self.unit.rows.index(row)
        xy = self.ends.xy.copy()
        xy[i] = spot
        # A model that is sent straight ahead does not turn, whatever the plan had it do.
        core = (*self.ends.core[:i], self.bases.core[i], *self.ends.core[i + 1 :]) if self.ends.core else ()
        ends = Outlines(xy, self.ends.radius, core)
        if (np.delete(clearances(ends.take([i]), ends)[0], i) < -TOLERANCE).any():
            return False
        if not is_coherent(ends, self.z, self.field.knobs.spacing):
            return False
        if self.approach.kind == "charge" and not self._reaches_all(ends):
            return False
        start, limit = (*self.bases.xy[i], self.z[i]), self.approach.limits[row]
        begin = (*start[:2], first_height(start, self.approach.ground))
        way = Path.from_legs(begin, (tuple(map(float, spot)),))
        return not check_path(way, self.field.state.table.stance(row), start, limit, self.approach.ground)

    def _reaches_all(self, ends: Outlines) -> bool:
        near = self.field.engagement.near
        return all(near(gaps(ends, foes), ends, foes).any() for foes in self.foes)


def meeting_point(base: Outlines, foe: Outlines) -> Floats:
    """Return where a base that moves straight toward the middle of another first touches it."""
    way = foe.xy[0] - base.xy[0]
    if not base.core and not foe.core:
        return np.asarray(foe.xy[0] - way * float(base.radius[0] + foe.radius[0]) / float(np.hypot(*way)))
    shut = foe.against(Stance(float(base.radius[0]), base.core[0] if base.core else POINT))

    def apart(share: float) -> float:
        return float(shut.distances(base.xy + share * way)[0, 0])

    # Distances from a convex shape bend one way only, so that a chord from outside stops short of its rim.
    before, here = 0.0, max(apart(0.0), 0.0) / float(np.hypot(*way))
    was, left = apart(before), apart(here)
    for _ in range(STEPS):
        if left <= CLOSE or was - left <= 0:
            break
        before, here, was = here, here + left * (here - before) / (was - left), left
        left = apart(here)
    return np.asarray(base.xy[0] + here * way)
