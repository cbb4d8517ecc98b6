"""Whether a model that ends a move apart from the enemy missed a free contact ahead.

Only straight ways to spots that are free are looked at, so that no legal move is ever found wanting; the rest
of what a move must keep to is `engine.w40k.legality.move_check`'s. An agent that plans a move asks here too,
and takes what was missed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from engine.core.state import Unit
from engine.w40k.ground.aircraft import opponents
from geometry.measure.coherency import is_coherent
from geometry.measure.distance import clearances, gaps
from geometry.path.checker import check_path, first_height
from geometry.path.ground import Ground
from geometry.path.path import Path
from geometry.portable import norm
from geometry.shape.base import Bools, Floats
from geometry.shape.cached import cached_property
from geometry.shape.convex_shape import POINT, Outlines, Stance
from geometry.tolerance import ROUNDING, TOLERANCE

if TYPE_CHECKING:
    from engine.w40k.ground.tabletop import Tabletop


STEPS = 40


class Approach(msgspec.Struct, frozen=True):
    """A charge, pile-in or consolidation of a unit, with its limits and ground.

    `limits` says how far each model may go, by row; `ground` what is in the way.
    """

    unit: Unit
    kind: str
    limits: dict[int, float]
    targets: tuple[str, ...]
    ground: Ground


class FreeContact:
    """The contacts that were free to one unit in a charge, pile-in or consolidation."""

    def __init__(self, field: Tabletop, approach: Approach, ends: Outlines) -> None:
        """Take the move and the bases at its ends; of enemies, a charge looks for its targets only."""
        self.field = field
        self.approach = approach
        self.ends = ends
        self.unit = approach.unit
        table = field.position.table
        self.bases = field.outlines(self.unit.rows)
        self.z = table.z[list(self.unit.rows)]
        names = approach.targets or tuple(enemy.id for enemy in opponents(field, self.unit))
        self._enemies = [field.position.units[name] for name in names]
        self.foes = [field.outlines(foe.rows) for foe in self._enemies]
        rows = field.rows(self._enemies)
        self.at, self.at_z = field.outlines(rows), table.z[list(rows)]

    def missed(self, rows: Sequence[int]) -> dict[int, Floats]:
        """Return which of these models miss a contact, and where it is.

        Rule: CORE.CHG.3, CORE.FGT.4, CORE.AIR.5
        """
        if not len(self.at):
            return {}
        near = self._near
        places = {row: i for i, row in enumerate(self.unit.rows) if row in rows and near[i].any()}
        if not places:
            return {}
        after = gaps(self.ends, self.at).min(axis=1)
        apart = {row: i for row, i in places.items() if after[i] > TOLERANCE}
        found = {
            row: next((at for at in self._spots(i) if self._is_free(i, at)), None) for row, i in apart.items()
        }
        return {row: at for row, at in found.items() if at is not None}

    @cached_property
    def _before(self) -> Floats:
        """Return how far each model was from each enemy before it moved."""
        return np.concatenate([self.field.flat_gaps(self.unit, foe) for foe in self._enemies], axis=1)

    @cached_property
    def _near(self) -> Bools:
        """Return whom each model could meet straight ahead: any enemy in a charge, else the closest."""
        before, limits = self._before, self.approach.limits
        far = np.array([limits.get(row, 0.0) for row in self.unit.rows])
        if self.approach.kind != "charge":
            far = np.minimum(far, before.min(axis=1))
        level = np.abs(self.at_z - self.z[:, None]) <= TOLERANCE
        # A model this near counts as in contact: no move that gains so little ends closer.
        return np.asarray((before <= far[:, None] + TOLERANCE) & (before > 2 * TOLERANCE) & level)

    def _spots(self, i: int) -> Iterator[Floats]:
        """Yield where a straight move of one model meets those enemies, the nearest first."""
        foes = self._near[i].nonzero()[0]
        for j in foes[self._before[i, foes].argsort(kind="stable")]:
            yield meeting_point(self.bases.take([i]), self.at.take([j]))

    def _is_free(self, i: int, spot: Floats) -> bool:
        """Return whether one model could end there while all others end where they do."""
        row, own = self.unit.rows[i], self.bases.take([i])
        apart = clearances(Outlines(spot[None], own.radius, own.core), self.ends)[0]
        apart[i] = np.inf
        if apart.min() < -TOLERANCE:
            return False
        xy = self.ends.xy.copy()
        xy[i] = spot
        # A model that is sent straight ahead does not turn, whatever the plan had it do.
        core = (*self.ends.core[:i], self.bases.core[i], *self.ends.core[i + 1 :]) if self.ends.core else ()
        ends = Outlines(xy, self.ends.radius, core)
        if not is_coherent(ends, self.z, self.field.parameters.spacing):
            return False
        if self.approach.kind == "charge" and not self._reaches_all(ends):
            return False
        start, limit = (*self.bases.xy[i], self.z[i]), self.approach.limits[row]
        begin = (*start[:2], first_height(start, self.approach.ground))
        way = Path.from_legs(begin, (tuple(map(float, spot)),))
        return not check_path(way, self.field.position.table.stance(row), start, limit, self.approach.ground)

    def _reaches_all(self, ends: Outlines) -> bool:
        near = self.field.engagement.near
        return all(near(gaps(ends, foes), ends, foes).any() for foes in self.foes)


def meeting_point(base: Outlines, foe: Outlines) -> Floats:
    """Return where a base that moves straight toward the middle of another first touches it."""
    way = foe.xy[0] - base.xy[0]
    if not base.core and not foe.core:
        return np.asarray(foe.xy[0] - way * float(base.radius[0] + foe.radius[0]) / norm(*way))
    shut = foe.against(Stance(float(base.radius[0]), base.core[0] if base.core else POINT))

    def apart(share: float) -> float:
        return float(shut.distances(base.xy + share * way)[0, 0])

    # Distances from a convex shape bend one way only, so that a chord from outside stops short of its rim.
    before, here = 0.0, max(apart(0.0), 0.0) / norm(*way)
    was, left = apart(before), apart(here)
    for _ in range(STEPS):
        if left <= ROUNDING or was - left <= 0:
            break
        before, here, was = here, here + left * (here - before) / (was - left), left
        left = apart(here)
    return np.asarray(base.xy[0] + here * way)
