"""The obstacles to sight between units: terrain and, in some battles, other models.

Owns the landscapes of the table. How a line passes through one is `geometry.sight.visibility`'s.
"""

from __future__ import annotations

import numpy as np
import shapely

from engine.core.state import Unit
from engine.table.allowances import PRINTED, Allowances
from engine.table.edition import Vision
from engine.table.memory import Memory
from engine.table.positions import Positions, Rows
from geometry.measure.body import Bodies
from geometry.shape.base import Bools
from geometry.shape.constructed import gaps
from geometry.sight.landscape import Landscape, solid_bodies
from geometry.sight.visibility import visible


class Screens:
    """The landscapes through which the units on a table look at one another."""

    def __init__(self, positions: Positions, vision: Vision, allowances: Allowances = PRINTED) -> None:
        """Take where units stand, what hides them, and what rules in force let them look through."""
        self._positions = positions
        self._vision = vision
        self._allowances = allowances
        self._landscapes: dict[tuple[int, bool], Landscape] = {}
        self._crowded: Memory[tuple[bool, frozenset[str]], Landscape] = Memory()

    @property
    def models_block(self) -> bool:
        """Return whether models of any unit close the lines between two others. Rule: S.L21"""
        return self._vision.blocks is not None

    def landscape(self, ignores_terrain: bool = False) -> Landscape:
        """Return the terrain as sight meets it; none of it for a unit that ignores terrain."""
        position = self._positions.position
        key = (position.table.terrain_version, ignores_terrain)
        if key not in self._landscapes:
            pieces = () if ignores_terrain else position.terrain.values()
            self._landscapes[key] = Landscape([self._vision.screen_of(each) for each in pieces])
        return self._landscapes[key]

    def looks_through(self, unit: Unit) -> bool:
        """Return whether terrain hides nothing from the unit."""
        return not self._allowances.may("sight-blocked", unit=unit)

    def between(self, a: Unit, b: Unit | None = None) -> Landscape:
        """Return what closes the lines from unit a to unit b, or to what is no unit.

        Where models block, those of all other units do. Rule: CORE.LOS.1, S.L21
        """
        through = self.looks_through(a)
        if not self.models_block:
            return self.landscape(through)
        known = self._crowded.at(self._positions.version)
        apart = frozenset(unit.id for unit in (a, b) if unit is not None)
        key = (through, apart)
        if key not in known:
            own = self._positions.bodies(a.rows)
            there = self._positions.bodies(() if b is None else b.rows)
            known[key] = self._crowd(through, self._bystanders(apart, own, there))
        return known[key]

    def _bystanders(self, apart: frozenset[str], own: Bodies, there: Bodies) -> Rows:
        """Return the models of other units that may stand between; all if no models are looked at."""
        blocks, here = self._vision.blocks, self._positions
        if blocks is None:
            return ()
        rows = here.rows([unit for unit in here.position.on_table() if unit.id not in apart and blocks(unit)])
        if not rows or not len(there):
            return rows
        ends, others = own.outlines.joined(there.outlines), here.outlines(rows)
        hull = shapely.convex_hull(shapely.multipoints(ends.xy))
        apart_by = gaps(hull, shapely.points(others.xy))
        near = apart_by <= others.reach + ends.reach.max(initial=0.0)
        return tuple(row for row, is_near in zip(rows, near.tolist(), strict=True) if is_near)

    def _crowd(self, through: bool, rows: Rows) -> Landscape:
        """Return the terrain, unless it is looked through, and these models as pieces."""
        if not rows:
            return self.landscape(through)
        position = self._positions.position
        names = [f"{position.models[row].unit}.{row}" for row in rows]
        terrain = [] if through else [self._vision.screen_of(each) for each in position.terrain.values()]
        return Landscape([*terrain, *solid_bodies(self._positions.bodies(rows), names)])

    def seen(self, unit: Unit, own: Bodies, rows: Rows) -> Bools:
        """Return which bodies of a unit see which models of these rows, shape (bodies, models).

        The bodies are the unit's models where they stand, or where they would stand.
        """
        here, through = self._positions, self.looks_through(unit)
        found = visible(own, here.bodies(rows), self.landscape(through))
        if not self.models_block:
            return found
        # Models only ever close lines: whatever terrain hides need not be asked again.
        names = [here.position.models[row].unit for row in rows]
        for name in dict.fromkeys(names):
            columns = np.array([k for k, each in enumerate(names) if each == name], dtype=np.intp)
            columns, lines = (
                columns[found[:, columns].any(axis=0)],
                np.logical_or.reduce(found[:, columns], axis=1).nonzero()[0],
            )
            mine, there = own.take(lines), here.bodies(tuple(rows[k] for k in columns))
            others = self._bystanders(frozenset((unit.id, name)), mine, there) if len(columns) else ()
            if others:
                found[np.ix_(lines, columns)] = visible(mine, there, self._crowd(through, others))
        return found
