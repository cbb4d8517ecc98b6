"""Which models are in engagement range, and how a barricade between two widens it.

Owns the distances at which enemies are engaged; where models stand is `engine.table.positions`'s.
Rule: CORE.ER.1, CORE.ER.2, R.A86.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
import numpy as np

from engine.core.facts import TerrainFacts
from engine.w40k.parameters import Parameters
from geometry.measure.distance import clearances, within
from geometry.measure.segment_crossing import Across, behind, is_crossed
from geometry.portable import norms
from geometry.shape.base import Bools, Floats, Polygon
from geometry.shape.cached import cached_property
from geometry.shape.convex_shape import NOTHING, Outlines
from geometry.tolerance import TOLERANCE

Pose = tuple[float, float, float]


def barricades_of(terrain: Sequence[TerrainFacts]) -> tuple[Polygon, ...]:
    """Return the footprints of the barricades on the table."""
    return tuple(each.footprint for each in terrain if each.kind == "barricade")


class Engagement(msgspec.Struct, frozen=True, dict=True):
    """Engagement range on a table with these barricades."""

    parameters: Parameters
    barricades: tuple[Polygon, ...]
    _behind: dict[int, tuple[Pose, Outlines]] = msgspec.field(default_factory=dict)

    @property
    def farthest(self) -> float:
        """Return the most that models within engagement range may be apart."""
        return self.parameters.engagement_barricade if self.barricades else self.parameters.engagement

    def near(self, apart: Floats, a: Outlines, b: Outlines) -> Bools:
        """Return which of a (rows) are in range of which of b (columns), at any heights.

        `apart` holds their distances in inches.
        """
        found: Bools = np.asarray(within(apart, self.parameters.engagement))
        if not self.barricades:
            return found
        i, j = (~found & within(apart, self.parameters.engagement_barricade)).nonzero()
        if len(i):
            found[i, j] = is_crossed(a.take(i), b.take(j), self.barricades)
        return found

    def across(self, places: Outlines) -> Across | None:
        """Return these places behind barricades, with the test for bases in range from them.

        None where there are no places.
        """
        return Across(places, self.is_met) if len(places) else None

    def is_met(self, ends: Outlines, foes: Outlines) -> bool:
        """Return whether any of these planned ends is in range of any of those bases."""
        # A planned end stays a little within its bound: it is rounded before it is checked.
        apart = np.maximum(clearances(ends, foes) + TOLERANCE / 2, 0.0)
        return bool(self.near(apart, ends, foes).any())

    def beside(self, bases: Outlines) -> Bools:
        """Return which bases are so near a barricade that others may be in range across it."""
        far = bases.reach + (self.parameters.engagement_barricade + TOLERANCE)
        low, high = self._boxes
        off = np.maximum(np.maximum(low - bases.xy, bases.xy - high), 0.0)
        found: Bools = np.logical_or.reduce(norms(off) <= far, axis=0)
        return found

    @cached_property
    def _boxes(self) -> tuple[Floats, Floats]:
        """Return the lower left and upper right corners of a box round each barricade, (n, 1, 2)."""
        corners = [np.array(each, dtype=np.float64) for each in self.barricades]
        low, high = ([pick(each, axis=0) for each in corners] for pick in (np.min, np.max))
        return np.array(low).reshape(-1, 1, 2), np.array(high).reshape(-1, 1, 2)

    def behind(self, row: int, pose: Pose, base: Callable[[], Outlines]) -> Outlines:
        """Return the places in range of a model across a barricade.

        A base that only reaches into them need not be in range.
        """
        if not self.barricades:
            return NOTHING
        known = self._behind.get(row)
        if known is None or known[0] != pose:
            known = (pose, behind(base(), self.barricades, self.parameters.engagement_barricade))
            self._behind[row] = known
        return known[1]
