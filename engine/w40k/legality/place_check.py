"""Whether a set-up is legal: where each base stands, and that the unit stands together.

Whether a model that is left out finds room is asked of single bases: see `engine.w40k.legality.free_place`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import replace

from engine.core.event import Pose
from engine.core.facts import Ring
from engine.core.request import (
    EMERGENCY,
    Place,
    Places,
)
from engine.core.state import Unit
from engine.w40k.ground.beside import lies_within
from engine.w40k.legality.free_place import closer, ground_of, hulls_of, nearer, place_beside, standing
from engine.w40k.legality.move_check import overlap_faults
from engine.w40k.legality.terrain_check import terrain_faults
from geometry.measure.coherency import is_coherent
from geometry.path.ground import Ground, faults_of_standing
from geometry.path.resting import faults_of_resting
from geometry.shape.base import Floats
from geometry.shape.convex_shape import Outlines

if TYPE_CHECKING:
    from engine.w40k.battle import Battle


class PlaceCheck:
    """The check of a set-up."""

    def __init__(self, battle: Battle, request: Place, answer: Places) -> None:
        """Take what is to be set up and the poses given."""
        self.battle = battle
        self.request = request
        self.poses: dict[int, Pose] = answer.poses

    def faults(self) -> list[str]:
        """Return every fault of the set-up. Rule: CORE.RES.8, CORE.RES.2, CORE.RES.5, SPAWN.6."""
        asked = self.request
        if not self.poses and (asked.optional or not asked.partly):
            return [] if asked.optional else ["it must be set up"]
        if asked.kind == "marker":
            return self._marker_faults()
        if asked.piece is not None:
            return terrain_faults(self.battle.field, asked, Places(poses=self.poses))
        unit = self.battle.state.position.units[asked.unit]
        rows = [row for row in asked.rows if row in self.poses]
        found = [f"model {row} is not to be set up" for row in self.poses if row not in asked.rows]
        if found:
            return found
        if len(rows) != len(asked.rows):
            found += self._left_out() if asked.partly else ["every model must be set up"]
        if not rows:
            return found or self._wreck_faults()
        poses = np.array([self.poses[row] for row in rows]).reshape(-1, 4)
        bases = self.battle.state.position.table.outlines(rows, poses[:, :2], poses[:, 3])
        found += self._standing(unit, rows, bases) + self._together(rows, bases, poses[:, 2])
        found += [] if found or asked.toward is None else self._nearness()
        return found or self._wreck_faults()

    def _nearness(self) -> list[str]:
        """Check that each model is as near to the point asked as the others let it."""
        better = nearer(self.battle.field, self.request, self.poses) or {}
        return [f"model {row} could stand closer, at {x:.2f} {y:.2f}" for row, (x, y, *_) in better.items()]

    def _together(self, rows: list[int], bases: Outlines, z: Floats) -> list[str]:
        """Check that no two models of the unit overlap and that it is coherent. Rule: CORE.RES.8"""
        table, others = self.battle.state.position.table, list(standing(self.battle.field, self.request))
        everyone, high = table.outlines(others).joined(bases), np.append(table.z[others], z)
        found = overlap_faults([*others, *rows], everyone, high, table.height)
        if not is_coherent(everyone, high, self.battle.ruleset.parameters.spacing):
            found.append("the unit would not be coherent")
        return found

    def _left_out(self) -> list[str]:
        """Check that a model is left out only where it finds no place beside the others.

        Rule: CORE.RES.8
        """
        left = [row for row in self.request.rows if row not in self.poses]
        for row in left:
            if place_beside(self.battle.field, self.request, row, self.poses) is not None:
                return [f"model {row} could be set up, too"]
        return []

    def _wreck_faults(self) -> list[str]:
        """Check that a unit gets out far from a wreck only for want of room. Rule: CORE.TRN.3"""
        if self.request.kind != EMERGENCY or closer(self.battle.field, self.request, self.poses) is None:
            return []
        near = self.battle.ruleset.parameters.boarding
        return [f'all of it could be set up wholly within {near:g}" of {self.request.beside}']

    def _standing(self, unit: Unit, rows: list[int], bases: Outlines) -> list[str]:
        landing = self.battle.field.landing(unit)
        asked = self.request
        areas = () if asked.beside else (*asked.areas, *asked.overflow)
        if asked.beside and not all(self._beside(bases)):
            return [f'it must be set up wholly within {asked.within:g}" of {asked.beside}']
        ground = ground_of(self.battle.field, asked, areas)
        if any(self.poses[row][2] for row in rows):
            return [fault for row in rows for fault in self._resting(row, landing, areas, ground.end_avoid)]
        table = self.battle.state.position.table
        stances = [table.stance(row, self.poses[row][3]) for row in rows]
        return [str(fault) for fault in faults_of_standing(ground, bases.xy, stances)]

    def _resting(self, row: int, landing: Ground, areas: tuple[Ring, ...], shun: Outlines) -> list[str]:
        """Check where one model is set up that may be above the ground.

        Rule: CORE.TER.4, CORE.TER.6.
        """
        x, y, z, facing = self.poses[row]
        ground = replace(landing.at(z), crowd=None, area=areas, end_avoid=shun)
        stance = self.battle.state.position.table.stance(row, facing)
        return [f"model {row} is {fault}" for fault in faults_of_resting(ground, (x, y, z), stance)]

    def _beside(self, bases: Outlines) -> list[bool]:
        """Return which bases lie wholly within the distance asked of the transport. Rule: CORE.TRN.2"""
        return lies_within(bases, hulls_of(self.battle.field, self.request), self.request.within)

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
