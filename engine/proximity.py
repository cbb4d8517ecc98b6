"""How far units are from discs on the ground, objective markers above all.

What is asked of one unit is worked out for all on the battlefield together, and kept until anything moves.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from engine.facts import Point
from engine.state import Unit
from geometry.base import Bools, Floats
from geometry.gap import within

if TYPE_CHECKING:
    from engine.table import Battlefield

Rows = tuple[int, ...]


class Proximity:
    """The distances of units from discs while nothing moves."""

    def __init__(self, field: Battlefield) -> None:
        """Measure on this battlefield."""
        self._field = field
        self._gaps: dict[tuple[Rows, Point, float], Floats] = {}
        self._near: dict[tuple[Rows, Point], Bools] = {}
        self._units: dict[Point, list[Unit]] = {}

    def forget(self) -> None:
        """Forget what was measured, as something has moved."""
        self._gaps.clear()
        self._near.clear()
        self._units.clear()

    def gaps(self, unit: Unit, at: Point, radius: float) -> Floats:
        """Return the distance from each model of the unit to a disc."""
        key = (unit.rows, at, radius)
        if key not in self._gaps:
            units = self._together(unit)
            bases = self._field.outlines(self._field.rows(units))
            apart = np.maximum(bases.distances(np.array([at]))[0] - radius, 0.0)
            for rows, part in _parts(units, apart):
                self._gaps[rows, at, radius] = part
        return self._gaps[key]

    def in_range(self, unit: Unit, at: Point) -> Bools:
        """Return which models of the unit are within range of a marker. Rule: CORE.OBJ.1."""
        key = (unit.rows, at)
        if key not in self._near:
            units, knobs = self._together(unit), self._field.knobs
            apart = np.concatenate([self.gaps(each, at, knobs.marker_radius) for each in units])
            z = self._field.state.table.z[list(self._field.rows(units))]
            near = within(apart, knobs.objective_range) & within(z, knobs.objective_vertical)
            for rows, part in _parts(units, np.asarray(near)):
                self._near[rows, at] = part
        return self._near[key]

    def near(self, at: Point) -> list[Unit]:
        """Return the units with a model within range of a marker, in order of arrival."""
        if at not in self._units:
            units = self._field.state.on_table()
            self._units[at] = [unit for unit in units if self.in_range(unit, at).any()]
        return self._units[at]

    def _together(self, unit: Unit) -> list[Unit]:
        """Return the units that are measured with this one."""
        units = self._field.state.on_table()
        return units if any(each is unit for each in units) else [unit]


def _parts(units: list[Unit], found: NDArray[Any]) -> list[tuple[Rows, NDArray[Any]]]:
    """Return each unit's rows with its part, read-only, of what was found for the models of all."""
    found.setflags(write=False)
    ends = np.cumsum([0, *(len(unit.rows) for unit in units)]).tolist()
    return [(unit.rows, found[a:b]) for unit, (a, b) in zip(units, pairwise(ends), strict=True)]
