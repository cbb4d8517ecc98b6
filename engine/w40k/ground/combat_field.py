"""The engaged units, the obstacles of a mover, and the contents of a spawning zone.

Owns the table's questions that need a keyword or a distance of the edition. Where a unit may go is
`engine.w40k.ground.tabletop`'s.
"""

from __future__ import annotations

import numpy as np

from engine.core.facts import HORDE, Point
from engine.core.state import Position, Unit
from engine.table.allowances import PRINTED, Allowances
from engine.table.battlefield import Battlefield, discs_of
from engine.table.memory import Memory
from engine.table.positions import Rows
from engine.w40k.ground.engaged_pairs import Encounters
from engine.w40k.ground.engagement import Engagement, barricades_of
from engine.w40k.ground.leave import Leave, leave_of, walks_in_ruins
from engine.w40k.ground.terrain import TerrainTraits
from engine.w40k.ground.vision import vision_of
from engine.w40k.parameters import Parameters
from geometry.measure.distance import within
from geometry.path.ground import wholly_in
from geometry.shape.base import Bools, Floats, Polygon
from geometry.shape.convex_shape import Outlines


class CombatField(Battlefield):
    """The table on which units of an edition fight one another."""

    def __init__(self, position: Position, parameters: Parameters, allowances: Allowances = PRINTED) -> None:
        """Take where models stand, the numbers of the edition, and what rules in force change."""
        super().__init__(position, parameters, vision_of(parameters), allowances)
        self.parameters = parameters
        self._encounters = Encounters(self, self.are_near)
        self._engagement: tuple[int, Engagement] | None = None
        self._terrain_traits: tuple[int, TerrainTraits] | None = None
        self._behinds: Memory[int, Outlines] = Memory()
        self._besides: Memory[Rows, list[int]] = Memory()

    # engagement

    def engaged(self, a: Unit, b: Unit) -> bool:
        """Return whether two units are within engagement range. Rule: CORE.ER.1."""
        return b.id in self._encounters.of(a.id)

    def is_engaged(self, unit: Unit) -> bool:
        """Return whether the unit is within engagement range of any enemy."""
        return bool(self._encounters.of(unit.id))

    def engaged_by(self, units: list[Unit]) -> frozenset[str]:
        """Return the ids of the enemies within engagement range of any of these units."""
        return frozenset().union(*[self._encounters.of(unit.id) for unit in units])

    def engaged_with(self, unit: Unit) -> list[Unit]:
        """Return the enemy units within engagement range of this unit."""
        met = self._encounters.of(unit.id)
        return [enemy for enemy in self.enemies(unit) if enemy.id in met] if met else []

    def engaged_models(self, a: Unit, b: Unit) -> Bools:
        """Return which models of a (rows) are within engagement range of which of b (columns)."""
        return self.are_near(a.rows, b.rows, self.flat_gaps(a, b))

    def are_near(self, a: Rows, b: Rows, apart: Floats) -> Bools:
        """Return which models of a (rows) are within engagement range of which of b (columns).

        `apart` holds their distances in inches.
        """
        z = self.position.table.z
        i, j = np.array(a, dtype=np.intp), np.array(b, dtype=np.intp)
        level = within(np.abs(z[i][:, None] - z[j][None, :]), self.parameters.engagement_vertical)
        return np.asarray(self.engagement.near(apart, self.outlines(a), self.outlines(b)) & level)

    def climbs_free(self, unit: Unit, kind: str) -> bool:
        """Return whether heights cost the unit nothing in a move of this kind. Rule: MISERY.28"""
        return not self._allowances.may("height-counts", unit=unit, kind=kind)

    @property
    def engagement(self) -> Engagement:
        """Return engagement range among the terrain as it is now."""
        version = self.position.table.terrain_version
        if self._engagement is None or self._engagement[0] != version:
            barricades = barricades_of(list(self.position.terrain.values()))
            self._engagement = (version, Engagement(self.parameters, barricades))
        return self._engagement[1]

    def behind(self, row: int) -> Outlines:
        """Return the places within engagement range of a model across a barricade. Rule: CORE.ER.2."""
        known = self._behinds.at(self.version)
        if row not in known:
            table = self.position.table
            (x, y), facing = table.xy[row].tolist(), float(table.facing[row])
            known[row] = self.engagement.behind(row, (x, y, facing), lambda: self.outlines((row,)))
        return known[row]

    def beside_barricades(self, rows: Rows) -> list[int]:
        """Return which of these models are so near a barricade that range may reach across it."""
        if not self.engagement.barricades:
            return []
        known = self._besides.at(self.version)
        if rows not in known:
            near = self.engagement.beside(self.outlines(rows)).tolist()
            known[rows] = [row for row, is_near in zip(rows, near, strict=True) if is_near]
        return known[rows]

    # what a mover meets

    @property
    def terrain_traits(self) -> TerrainTraits:
        """Return the terrain of now as movers meet it."""
        version = self.position.table.terrain_version
        if self._terrain_traits is None or self._terrain_traits[0] != version:
            terrain = tuple(self.position.terrain.values())
            self._terrain_traits = (version, TerrainTraits(terrain, self.parameters.free_height))
        return self._terrain_traits[1]

    def kept_off(self, unit: Unit) -> list[Unit]:
        """Return the units that it stays clear of: its enemies, in some editions its friends too."""
        return self.enemies(unit) + (self.friends(unit) if self.parameters.keep_off_friends else [])

    def leave(self, unit: Unit, kind: str) -> Leave:
        """Return what rules in force let the unit move through in a move of this kind."""
        return leave_of(self.position, self._allowances, unit, kind)

    def walks_in_ruins(self, unit: Unit) -> bool:
        """Return whether a rule lets the unit walk in ruins as INFANTRY does. Rule: CORE.TER.6"""
        return walks_in_ruins(self._allowances, unit)

    @property
    def are_ends_barred(self) -> bool:
        """Return whether any rule in force bars where moves may end near enemies."""
        return self._allowances.are_asked("move.apart")

    def barred_ends(self, unit: Unit, kind: str) -> list[tuple[Rows, float]]:
        """Return the enemy models near which a unit may not end such a move, and the inches.

        Models of one part of a unit are asked about together.
        """
        if not self.are_ends_barred:
            return []
        found = []
        for enemy in self.enemies(unit):
            models = self.position.alive(enemy)
            for part in dict.fromkeys(model.facts.part for model in models):
                own = [model for model in models if model.facts.part == part]
                far = self._allowances.value(
                    "move.apart", 0.0, unit=unit, target=enemy, model=own[0], kind=kind
                )
                found += [(tuple(model.row for model in own), far)] if far else []
        return found

    def kept_clear(self, clear: float, of_all: bool, discs: tuple[tuple[Point, float], ...]) -> Outlines:
        """Return the shapes out of which a marker must stay.

        These are the discs, and what is within `clear` inches of a Horde model, or of any model with
        `of_all`.
        """
        near: list[Unit] = []
        if of_all:
            near = self.position.on_table()
        elif clear > 0:
            near = self.position.on_table(HORDE)
        return self.outlines(self.rows(near), clear).joined(discs_of(discs))

    def pivot_cost(self, row: int) -> float:
        """Return what the first pivot of a move costs a model, in inches. Rule: CORE.MOVE.3."""
        model, base = self.position.models[row], self.position.table.base[row]
        unit = self.position.units[model.unit]
        if unit.has("AIRCRAFT"):
            return 0.0
        if base.shape != "round":
            is_big = unit.has("MONSTER") or unit.has("VEHICLE")
            return self.parameters.pivot_big if is_big else self.parameters.pivot
        stem = model.facts.base.flying and unit.has("VEHICLE")
        return self.parameters.pivot_big if stem and base.length > self.parameters.pivot_stem else 0.0

    # spawning zones

    def spawn_zones(self) -> list[Polygon]:
        """Return the polygons of the spawning zones."""
        return [zone.polygon for zone in self.position.zones.values() if zone.kind == "spawn"]

    def in_spawn_zone(self, unit: Unit) -> Bools:
        """Return which models of the unit are within a spawning zone."""
        inside = np.zeros(len(unit.rows), dtype=bool)
        for polygon in self.spawn_zones():
            inside |= self.within_zone(unit, polygon)
        return inside

    def wholly_in_spawn_zones(self, unit: Unit) -> Bools:
        """Return which models have their whole base in the spawning zones taken together."""
        zones = tuple(self.spawn_zones())
        bases = self.outlines(unit.rows)
        return wholly_in(zones, bases) if zones else np.zeros(len(bases), dtype=bool)
