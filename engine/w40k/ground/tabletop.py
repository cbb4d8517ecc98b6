"""Where the models of a unit may go, stand and be set up on the table of an edition.

Owns what is remembered of these grounds; how rules become a ground is `engine.w40k.ground.passage`'s.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from engine.core.event import Pose
from engine.core.state import Position, Unit
from engine.table.allowances import PRINTED, Allowances
from engine.table.memory import Memory
from engine.table.positions import Rows
from engine.w40k.ground.combat_field import CombatField
from engine.w40k.ground.passage import IN_COMBAT, ground_for, is_on_foot, landing_for, settled
from engine.w40k.parameters import Parameters
from geometry.measure.segment_crossing import Across
from geometry.path.ground import Ground
from geometry.shape.convex_shape import NOTHING


class Tabletop(CombatField):
    """The table on which units of an edition move."""

    def __init__(self, position: Position, parameters: Parameters, allowances: Allowances = PRINTED) -> None:
        """Take where models stand, the numbers of the edition, and what rules in force change."""
        super().__init__(position, parameters, allowances)
        self._grounds: Memory[Hashable, Ground] = Memory()

    def ground(self, unit: Unit, kind: str, targets: tuple[str, ...] = (), planned: bool = True) -> Ground:
        """Return where the models of the unit may go in a move of this kind.

        `kind` is normal, advance, fall-back, charge, pile-in, consolidate or surge. Rule: CORE.MOVE.4.
        """
        known = self._grounds.at(self.version)
        flies, on_foot = self.has(unit, "FLY"), is_on_foot(self, unit)
        # Only barricades and barred ends make a difference between a plan and its check.
        planned = planned and (bool(self.engagement.barricades) or self.are_ends_barred)
        # A unit in combat finds the same in its way wherever it moves.
        sort, leave = kind in IN_COMBAT or kind, self.leave(unit, kind)
        key = (unit.id, sort, targets, planned, flies, on_foot, self.climbs_free(unit, kind), leave)
        if key not in known:
            known[key] = ground_for(self, unit, kind, targets, planned, leave)
        return known[key]

    def landing(self, unit: Unit) -> Ground:
        """Return where the unit may be set up.

        It stays clear of terrain that carries no model, and of all bases.
        """
        return landing_for(self, unit)

    def across(self, rows: Rows) -> Across | None:
        """Return where others may be in range of these models across a barricade.

        None where there is no such place.
        """
        places = NOTHING
        for row in self.beside_barricades(rows):
            places = places.joined(self.behind(row))
        return self.engagement.across(places)

    def after(self, row: int, legs: Sequence[Sequence[float]]) -> Pose:
        """Return the pose of a row at the end of a path, as high as it really stands there."""
        pose = self.position.table.after(row, legs)
        return settled(self, row, pose) if legs else pose
