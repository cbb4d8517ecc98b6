"""Whether a set-up is legal: where each base stands, and that the unit stands together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import replace

from engine.core.event import Pose
from engine.core.facts import Ring
from engine.core.request import (
    CRAMPED,
    Place,
    Places,
)
from engine.core.state import Unit
from engine.table.battlefield import discs_of
from engine.w40k.ground.beside import lies_within
from engine.w40k.legality.move_check import overlap_faults
from engine.w40k.room import place_beside
from geometry.measure.coherency import is_coherent
from geometry.path.ground import Ground, faults_of_standing
from geometry.path.resting import faults_of_resting
from geometry.shape.convex_shape import Outlines

if TYPE_CHECKING:
    from engine.w40k.battle import Battle

PARTLY = ("spawn", "emergency", CRAMPED)
"""The kinds of set-up of which models may be left out that find no place."""


class PlaceCheck:
    """The check of a set-up."""

    def __init__(self, battle: Battle, request: Place, answer: Places) -> None:
        """Take what is to be set up and the poses given."""
        self.battle = battle
        self.request = request
        self.poses: dict[int, Pose] = answer.poses

    def faults(self) -> list[str]:
        """Return every fault of the set-up. Rule: CORE.RES.8, CORE.RES.2, CORE.RES.5, SPAWN.6."""
        if not self.poses and self.request.kind != CRAMPED:
            return [] if self.request.optional else ["it must be set up"]
        if self.request.kind == "marker":
            return self._marker_faults()
        unit = self.battle.state.position.units[self.request.unit]
        rows = [row for row in unit.rows if row in self.poses]
        found = [f"model {row} is not to be set up" for row in self.poses if row not in self.request.rows]
        if self.request.kind not in PARTLY and len(rows) != len(self.request.rows):
            found.append("every model must be set up")
        if self.request.kind == CRAMPED:
            found += self._left_out(unit)
        if not rows:
            return found
        poses = np.array([self.poses[row] for row in rows]).reshape(-1, 4)
        bases = self.battle.state.position.table.outlines(rows, poses[:, :2], poses[:, 3])
        found += self._standing(unit, rows, bases)
        found += overlap_faults(rows, bases, poses[:, 2], self.battle.state.position.table.height)
        if not is_coherent(bases, poses[:, 2], self.battle.ruleset.parameters.spacing):
            found.append("the unit would not be coherent")
        return found

    def _left_out(self, unit: Unit) -> list[str]:
        """Check that a model is left out only where it finds no place beside the others. Rule: CORE.RES.8"""
        left = [row for row in self.request.rows if row not in self.poses]
        for row in left:
            if place_beside(self.battle.field, unit, row, self.poses, self.request.areas) is not None:
                return [f"model {row} could be set up, too"]
        return []

    def _standing(self, unit: Unit, rows: list[int], bases: Outlines) -> list[str]:
        landing = self.battle.field.landing(unit)
        asked = self.request
        areas = () if asked.beside else (*asked.areas, *asked.overflow)
        shun = self._enemies(unit).joined(discs_of(self.request.avoid))
        if asked.beside and not all(self._beside(bases)):
            return [f'it must be set up wholly within {asked.within:g}" of {asked.beside}']
        if any(self.poses[row][2] for row in rows):
            return [fault for row in rows for fault in self._resting(row, landing, areas, shun)]
        ground = replace(landing, area=areas, end_avoid=shun)
        table = self.battle.state.position.table
        stances = [table.stance(row, self.poses[row][3]) for row in rows]
        return [str(fault) for fault in faults_of_standing(ground, bases.xy, stances)]

    def _resting(self, row: int, landing: Ground, areas: tuple[Ring, ...], shun: Outlines) -> list[str]:
        """Check where one model is set up that may be above the ground. Rule: CORE.TER.4, CORE.TER.6."""
        x, y, z, facing = self.poses[row]
        ground = replace(landing.at(z), crowd=None, area=areas, end_avoid=shun)
        stance = self.battle.state.position.table.stance(row, facing)
        return [f"model {row} is {fault}" for fault in faults_of_resting(ground, (x, y, z), stance)]

    def _beside(self, bases: Outlines) -> list[bool]:
        """Return which bases lie wholly within the distance asked of the transport. Rule: CORE.TRN.2"""
        transport = self.battle.state.position.units[self.request.beside]
        rows = transport.rows or tuple(model.row for model in transport.facts.models)
        hulls = self.battle.state.position.table.outlines(rows)
        return lies_within(bases, hulls, self.request.within)

    def _enemies(self, unit: Unit) -> Outlines:
        """Return what lies about models that the set-up must stay out of."""
        clear = self.request.clear
        if self.request.kind in ("deploy", CRAMPED):
            clear = self.battle.ruleset.parameters.engagement
        foes = self.battle.field.rows(self.battle.field.kept_off(unit))
        if clear <= 0 or not foes:
            return Outlines(np.empty((0, 2)), np.empty(0))
        return self.battle.field.outlines(foes, clear)

    def _marker_faults(self) -> list[str]:
        pose = self.poses.get(-1)
        if pose is None or len(self.poses) != 1:
            return ["a marker needs one place, for row -1"]
        xy = np.array([pose[:2]])
        radius = np.array([self.battle.ruleset.parameters.marker_radius])
        asked = self.request
        shun = self.battle.field.kept_clear(asked.clear, asked.clear_of_all, asked.avoid)
        ground = Ground(size=self.battle.state.position.board.size, area=asked.areas, end_avoid=shun)
        return [str(fault) for fault in faults_of_standing(ground, xy, radius)]
