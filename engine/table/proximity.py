"""How far units are from discs on the ground, objective markers above all.

What is asked of one unit is worked out for all on the battlefield together, and kept until a model moves.
"""

from __future__ import annotations

import numpy as np

from engine.core.facts import Point
from engine.core.state import Unit
from engine.table.edition import Distances
from engine.table.positions import Positions, Rows
from geometry.measure.distance import within
from geometry.shape.base import Bools, Floats


class Proximity:
    """The distances of units from discs while nothing moves."""

    def __init__(self, positions: Positions, distances: Distances) -> None:
        """Measure where these stand, by the distances of an edition."""
        self._positions = positions
        self._distances = distances
        self._version = -1
        self._places: dict[Rows, slice] = {}
        """Where each unit's models stand among those of all on the battlefield."""
        self._every: Rows = ()
        self._apart: dict[tuple[Point, float], Floats] = {}
        self._inside: dict[Point, Bools] = {}
        self._closest: dict[tuple[Rows, Point, float], float] = {}

    def _fresh(self) -> None:
        """Forget what was measured before something moved."""
        version = self._positions.unmoved_since
        if version != self._version:
            self._forget()
            self._version = version

    def _forget(self) -> None:
        self._places.clear()
        self._apart.clear()
        self._inside.clear()
        self._closest.clear()

    def gaps(self, unit: Unit, at: Point, radius: float) -> Floats:
        """Return the distance from each model of the unit to a disc."""
        self._fresh()
        place = self._place(unit)
        return (
            self._measured(unit.rows, [at], radius)[0] if place is None else self._of_all(at, radius)[place]
        )

    def closest(self, unit: Unit, at: Point, radius: float) -> float:
        """Return the distance from the unit's closest model to a disc."""
        self._fresh()
        key = (unit.rows, at, radius)
        known = self._closest.get(key)
        if known is None:
            known = float(self.gaps(unit, at, radius).min())
            self._closest[key] = known
        return known

    def in_range(self, unit: Unit, at: Point) -> Bools:
        """Return which models of the unit are within range of a marker. Rule: CORE.OBJ.1."""
        self._fresh()
        place = self._place(unit)
        return self._near(unit.rows, [at])[0] if place is None else self._in_range(at)[place]

    def near(self, at: Point) -> list[Unit]:
        """Return the units with a model within range of a marker, in order of arrival."""
        self._fresh()
        units = self._positions.position.on_table()
        for unit in units:
            self._place(unit)
        inside = self._in_range(at)
        rows = {self._every[place] for place in inside.nonzero()[0].tolist()}
        return [unit for unit in units if not rows.isdisjoint(unit.rows)] if rows else []

    def _place(self, unit: Unit) -> slice | None:
        """Return where the unit's models are among all, None where it is not on the battlefield."""
        if unit.rows not in self._places:
            units = self._positions.position.on_table()
            if not any(each is unit for each in units):
                return None
            self._forget()
            self._every = self._positions.rows(units)
            end = 0
            for each in units:
                start, end = end, end + len(each.rows)
                self._places[each.rows] = slice(start, end)
        return self._places[unit.rows]

    def _of_all(self, at: Point, radius: float) -> Floats:
        if (at, radius) not in self._apart:
            places = self._together(at)
            apart = self._measured(self._every, places, radius)
            self._apart |= {(place, radius): row for place, row in zip(places, apart, strict=True)}
        return self._apart[at, radius]

    def _in_range(self, at: Point) -> Bools:
        if at not in self._inside:
            places = self._together(at)
            near = self._near(self._every, places)
            self._inside |= dict(zip(places, near, strict=True))
        return self._inside[at]

    def _together(self, at: Point) -> list[Point]:
        """Return the discs that are asked about together with one: for a marker, all of them."""
        markers = [each.at for each in self._positions.position.objectives.values()]
        return markers if at in markers else [at]

    def _measured(self, rows: Rows, places: list[Point], radius: float) -> Floats:
        """Return the distance of each model (columns) from each disc (rows)."""
        found = np.maximum(self._positions.outlines(rows).distances(np.array(places)) - radius, 0.0)
        found.setflags(write=False)
        return found

    def _near(self, rows: Rows, places: list[Point]) -> Bools:
        edition = self._distances
        apart = self._measured(rows, places, edition.marker_radius)
        z = self._positions.position.table.z[list(rows)]
        found: Bools = within(apart, edition.objective_range) & within(z, edition.objective_vertical)
        found.setflags(write=False)
        return found
