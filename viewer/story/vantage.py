"""The position of a thing relative to a unit: its distance, and what hides it.

Asks the engine's geometry about a state that a log was folded to; what follows for a decision is the log's.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil

import numpy as np

from engine.core.state import Unit
from engine.systems import RULESETS
from engine.table.battlefield import flat_discs
from engine.w40k.ground.tabletop import Tabletop
from engine.w40k.parameters import Parameters
from geometry.sight.visibility import sight
from geometry.tolerance import TOLERANCE
from viewer.story.name import Known, thing_name


class Vantage:
    """A unit's place on the battlefield."""

    def __init__(self, state: Known, unit: Unit) -> None:
        """Look from where the unit stands."""
        ruleset = RULESETS.get(state.ruleset)
        self._state = state
        self._unit = unit
        self._field = Tabletop(state.position, ruleset.parameters if ruleset is not None else Parameters())

    def distance(self, thing: str) -> float | None:
        """Return the distance of a unit, objective marker or edge; None off the battlefield."""
        if not self._unit.rows or self._unit.where != "table":
            return None
        other = self._state.position.units.get(thing)
        if other is not None:
            return self._field.gap(self._unit, other) if other.where == "table" and other.rows else None
        marker = self._state.position.objectives.get(thing)
        if marker is not None:
            return self._field.closest_to_objective(self._unit, marker)
        return None

    @property
    def is_engaged(self) -> bool:
        """Return whether the unit is within engagement range of an enemy."""
        return bool(self._field.engaged_with(self._unit))

    @property
    def charge_range(self) -> float:
        """Return from how far away a charge may be declared."""
        return self._field.parameters.charge_range

    def least_charge(self, targets: Iterable[str]) -> int | None:
        """Return the least charge roll that engages each of some units; None where one is not there."""
        gaps = [self.distance(target) for target in targets]
        known = [gap for gap in gaps if gap is not None]
        if not known or len(known) < len(gaps):
            return None
        return max(0, ceil(max(known) - self._field.parameters.engagement - TOLERANCE))

    def nearest(self) -> float | None:
        """Return how far the closest enemy is, None where there is none."""
        return min(
            (self._field.gap(self._unit, foe) for foe in self._field.enemies(self._unit)), default=None
        )

    def hidden_by(self, thing: str) -> tuple[str, ...]:
        """Return the names of what hides a thing from the unit's closest model; empty if seen."""
        if self.distance(thing) is None:
            return ()
        other, marker = self._state.position.units.get(thing), self._state.position.objectives.get(thing)
        own = self._field.bodies(self._unit.rows)
        if other is not None:
            gaps = self._field.gaps(self._unit, other)
            i, j = np.unravel_index(int(gaps.argmin()), gaps.shape)
            there = self._field.bodies((other.rows[int(j)],))
        else:
            assert marker is not None
            i = self._field.gap_to_objective(self._unit, marker).argmin()
            there = flat_discs([marker.at], self._field.parameters.marker_radius)
        land = self._field.screens.between(self._unit, other)
        witness = sight(own.take([int(i)]), there, land).witness(0, 0)
        return tuple(self._name(each) for each in witness if isinstance(each, str))

    def _name(self, piece: str) -> str:
        """Return the name of a piece of terrain, or of the unit of a model that stands between."""
        unit, _, row = piece.rpartition(".")
        return thing_name(
            self._state, unit if row.isdigit() and unit in self._state.position.units else piece
        )
