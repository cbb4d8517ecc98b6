"""How far apart units, markers and zones are on a table, and which of them see one another.

Owns the questions and what is remembered of the answers. It knows no keyword, no phase and no kind of move.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence

import numpy as np

from engine.core.facts import Point
from engine.core.state import Objective, Position, Unit
from engine.table.allowances import PRINTED, Allowances
from engine.table.edition import Distances, Vision
from engine.table.memory import Memory
from engine.table.outlook import Grounds, Outlook, Outlooks
from engine.table.positions import Positions, Rows
from engine.table.proximity import Proximity
from engine.table.screens import Screens
from engine.table.unit_gaps import Gaps
from geometry.measure.body import Bodies
from geometry.measure.distance import within
from geometry.measure.region import base_touches, base_within
from geometry.shape.base import Bools, Floats, Polygon
from geometry.shape.convex_shape import NOTHING, Outlines
from geometry.sight.visibility import Sight, hidden_by, sight, visible


class Battlefield(Positions):
    """The table with the questions of distance and sight, cached by what they rest on."""

    def __init__(
        self, position: Position, distances: Distances, vision: Vision, allowances: Allowances = PRINTED
    ) -> None:
        """Take where models stand, what an edition tells the table, and what rules in force change."""
        super().__init__(position, vision, allowances)
        self.screens = Screens(self, vision, allowances)
        self._distances = distances
        self._gaps = Gaps(self)
        self._proximity = Proximity(self, distances)
        self._outlooks = Outlooks(self, self.screens)
        self._points: dict[Hashable, tuple[int, Grounds, Bools]] = {}
        self._sights: Memory[tuple[str, str], Sight] = Memory()
        self._hidden: Memory[tuple[Rows, tuple[str, ...]], dict[int, Bools]] = Memory()

    # distances

    def gaps(self, a: Unit, b: Unit) -> Floats:
        """Return the distances between the models of two units, shape (models of a, models of b)."""
        return self._gaps.between(a, b).gaps

    def flat_gaps(self, a: Unit, b: Unit) -> Floats:
        """Return the same as seen from above, whatever the heights at which they stand."""
        return self._gaps.between(a, b).flat

    def gap(self, a: Unit, b: Unit) -> float:
        """Return the distance between the closest models of two units; infinite if one has none."""
        return self._gaps.between(a, b).closest

    def closest_gap(self, unit: Unit, others: list[Unit]) -> float:
        """Return the least gap between a unit and any of some others, infinite without any."""
        return min([each.closest for each in self._gaps.from_one(unit, others)], default=math.inf)

    def touching(self, a: Unit, b: Unit) -> Bools:
        """Return which models of a (rows) are in base contact with which of b, never across floors."""
        z, free = self.position.table.z, self._distances.free_height
        level = within(np.abs(z[list(a.rows)][:, None] - z[list(b.rows)]), free)
        return np.asarray(within(self.flat_gaps(a, b), 0.0) & level)

    # objective markers

    def gap_to_objective(self, unit: Unit, objective: Objective) -> Floats:
        """Return the distance from each model of the unit to the marker's edge."""
        return self._proximity.gaps(unit, objective.at, self._distances.marker_radius)

    def closest_to_objective(self, unit: Unit, objective: Objective) -> float:
        """Return the distance from the unit's closest model to the marker's edge."""
        return self._proximity.closest(unit, objective.at, self._distances.marker_radius)

    def gap_to_disc(self, unit: Unit, at: Point, radius: float) -> Floats:
        """Return the distance from each model of the unit to a disc."""
        return self._proximity.gaps(unit, at, radius)

    def in_range_of(self, unit: Unit, objective: Objective) -> Bools:
        """Return which models of the unit are within range of the marker. Rule: CORE.OBJ.1."""
        return self._proximity.in_range(unit, objective.at)

    def near(self, objective: Objective) -> list[Unit]:
        """Return the units with a model within range of the marker, in order of arrival."""
        return self._proximity.near(objective.at)

    # zones

    def within_zone(self, unit: Unit, polygon: Polygon) -> Bools:
        """Return which models of the unit have any part of their base in the polygon.

        Rule: R.A66, R.A89.
        """
        return base_touches(polygon, self.outlines(unit.rows))

    def wholly_within_zone(self, unit: Unit, polygon: Polygon) -> Bools:
        """Return which models of the unit have their whole base in the polygon."""
        return base_within(polygon, self.outlines(unit.rows))

    # sight

    def outlook(self, unit: Unit) -> Outlook:
        """Return what the unit sees of its enemies on the battlefield. Rule: CORE.LOS.1."""
        return self._outlooks.of(unit)

    def visible(self, a: Unit, b: Unit) -> Bools:
        """Return which models of a see which models of b."""
        if a.side != b.side:
            view = self.outlook(a)
            return view.visible[:, view.span(b.id)]
        return visible(self.bodies(a.rows), self.bodies(b.rows), self.screens.between(a, b))

    def sight(self, a: Unit, b: Unit) -> Sight:
        """Return the sight of a on b, what is fully visible and what hides a part. Rule: CORE.LOS.2"""
        known, key = self._sights.at(self.version), (a.id, b.id)
        if key not in known:
            known[key] = sight(self.bodies(a.rows), self.bodies(b.rows), self.screens.between(a, b))
        return known[key]

    def hidden_by(self, a: Unit, b: Unit, rows: Rows, enough: tuple[str, ...]) -> Bools:
        """Return which terrain (columns) hides which of these models of b (rows) in part from a.

        That terrain keeps the model from being fully visible to all of a. Where terrain of one of the kinds
        in `enough` hides a model in part, other terrain that hides it may be left out.
        """
        # Where models only fall, what terrain hides of the others holds, but not what models hide.
        version = self.version if self.screens.models_block else self.unmoved_since
        known = self._hidden.at(version).setdefault((a.rows, enough), {})
        new = tuple(row for row in rows if row not in known)
        if new:
            land = self.screens.between(a, b)
            terrain = [each.kind in enough for each in self.position.terrain.values()]
            counts = np.array([*terrain, *[False] * len(land)][: len(land)], dtype=np.bool_)
            found = hidden_by(self.bodies(a.rows), self.bodies(new), land, counts)
            known.update(zip(new, found, strict=True))
        return np.array([known[row] for row in rows])

    def sees_points(self, unit: Unit, at: Sequence[Point], radius: float) -> Bools:
        """Return which models of the unit (rows) see which of these flat discs on the ground.

        Rule: R.A10.
        """
        key, now = (unit.id, tuple(at), radius), self._outlooks.grounds(unit, ())
        known = self._points.get(key)
        if known is None or known[1] != now or self.have_moved(unit.rows, known[0]):
            seen = visible(self.bodies(unit.rows), flat_discs(at, radius), self.screens.between(unit))
            known = self._points[key] = (self.version, now, seen)
        return known[2]


def flat_discs(at: Sequence[Point], radius: float) -> Bodies:
    """Return flat discs on the ground as something to be seen."""
    none, flat = np.zeros(len(at), bool), np.zeros(len(at))
    return Bodies(np.array(at), flat, np.full(len(at), radius), flat, none, none)


def discs_of(discs: tuple[tuple[Point, float], ...]) -> Outlines:
    """Return discs given by centre and radius."""
    if not discs:
        return NOTHING
    return Outlines(np.array([at for at, _ in discs]), np.array([radius for _, radius in discs]))
