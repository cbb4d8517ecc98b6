"""Where the models of a unit may pass and end.

That depends on terrain and other models, by keyword and by kind of move. Owns the way from rules to a ground;
the paths on it are geometry's. Rule: CORE.MOVE.4 to CORE.MOVE.9, CORE.CHG.2, CORE.AIR.3.
"""

from __future__ import annotations

from functools import partial

import msgspec
import numpy as np
from msgspec.structs import replace

from engine.core.event import Pose
from engine.core.state import Unit
from engine.w40k.ground.aircraft import AIRCRAFT, without_aircraft
from engine.w40k.ground.combat_field import CombatField
from engine.w40k.ground.leave import NO_LEAVE, Leave
from geometry.path.elevation import EMPTY, Crowd, Layer, Rise
from geometry.path.ground import Ground
from geometry.path.resting import resting_height
from geometry.shape.cached import cached_property
from geometry.shape.convex_shape import NOTHING, Outlines
from geometry.tolerance import TOLERANCE

IN_COMBAT = ("pile-in", "consolidate")
Rows = tuple[int, ...]


class _Passage(msgspec.Struct, frozen=True, dict=True):
    """One unit in one kind of move: whom it may not run into, and whom it may not come near."""

    field: CombatField
    unit: Unit
    kind: str
    targets: tuple[str, ...]
    leave: Leave = NO_LEAVE

    @cached_property
    def flies(self) -> bool:
        """Return whether it moves over everything. Rule: CORE.MOVE.9, CORE.MOVE.10."""
        walks = self.kind in (*IN_COMBAT, "surge")
        walks = walks or (self.kind == "charge" and not self.field.parameters.fly_charges)
        return self.field.has(self.unit, "FLY") and not walks

    @property
    def solid(self) -> Rows:
        """Return the rows of the models that it may not pass through. Rule: CORE.MOVE.4, CORE.AIR.3."""
        if self.flies:
            return ()
        enemies = [] if self.kind == "fall-back" else self.field.enemies(self.unit)
        friends = [u for u in self.field.friends(self.unit) if _is_heavy(u)] if _is_heavy(self.unit) else []
        return self.field.rows(self._in_the_way(without_aircraft([*enemies, *friends])))

    @property
    def avoid(self) -> Rows:
        """Return the rows of the enemies near which it may not come at all.

        Rule: CORE.MOVE.5, CORE.AIR.3.
        """
        free = self.flies or self.kind in ("fall-back", *IN_COMBAT)
        return () if free else self.field.rows(self._in_the_way(without_aircraft(self._others)))

    @cached_property
    def no_end(self) -> Rows:
        """Return the rows of the models on which it may not end. Rule: CORE.MOVE.4."""
        return self.field.rows([*self.field.friends(self.unit), *self.field.enemies(self.unit)])

    @property
    def end_avoid(self) -> Rows:
        """Return the rows of the enemies near which it may not end.

        Rule: CORE.MOVE.7, CORE.MOVE.9, CORE.AIR.3
        """
        others = self._others
        if self.kind == "fall-back" or self.flies:
            return self.field.rows(others)
        on_foot = not self.field.has(self.unit, "FLY")
        passed = [] if self.kind in IN_COMBAT else [e for e in others if e.id in self.leave.units]
        above = [enemy for enemy in others if on_foot and enemy.has(AIRCRAFT) and enemy not in passed]
        return self.field.rows([*above, *passed])

    @property
    def behind_barricades(self) -> Rows:
        """Return the rows of the enemies within whose range across a barricade it may not end.

        Rule: CORE.ER.2, S.D13
        """
        return () if self.kind in IN_COMBAT else self.field.rows(self._others)

    def _in_the_way(self, units: list[Unit]) -> list[Unit]:
        """Return those of some units that no rule lets it move over."""
        return [each for each in units if each.id not in self.leave.units] if self.leave.units else units

    @cached_property
    def _others(self) -> list[Unit]:
        return [each for each in self.field.kept_off(self.unit) if each.id not in self.targets]


def _is_heavy(unit: Unit) -> bool:
    return unit.has("MONSTER") or unit.has("VEHICLE")


def ground_for(
    field: CombatField,
    unit: Unit,
    kind: str,
    targets: tuple[str, ...] = (),
    planned: bool = True,
    leave: Leave = NO_LEAVE,
) -> Ground:
    """Return where the models of the unit may go in a move of this kind.

    A planned move keeps clear of all that is in range across a barricade, and of where rules bar an end; the
    check of an end asks both anew.
    """
    passage = _Passage(field, unit, kind, targets, leave)
    near, flies = field.parameters.engagement, passage.flies
    on_foot = is_on_foot(field, unit)
    walls, stands = field.terrain_traits.walls(flies, on_foot, leave.terrain)
    rises = field.terrain_traits.rises(flies, on_foot)
    across = _joined(_across(field, passage), _barred(field, unit, kind)) if planned else EMPTY
    flat = partial(
        Ground,
        size=field.position.board.size,
        walls=walls,
        no_stand=stands,
        rises=rises,
        flies=flies,
        free_climb=field.climbs_free(unit, kind),
        free=field.parameters.free_height,
    )
    if _may_be_high(field, rises):
        return flat(crowd=_crowd(field, passage, across)).at(0.0)
    return flat(
        solid=field.outlines(passage.solid),
        avoid=field.outlines(passage.avoid, near),
        no_end=field.outlines(passage.no_end),
        end_avoid=field.outlines(passage.end_avoid, near).joined(across.shapes),
    )


def _across(field: CombatField, passage: _Passage) -> Layer:
    """Return the places in range of enemies across barricades, at their heights.

    Rule: CORE.ER.2, S.D13
    """
    shapes, z = NOTHING, list[float]()
    for row in field.beside_barricades(passage.behind_barricades):
        places = field.behind(row)
        if len(places):
            shapes, z = shapes.joined(places), z + [float(field.position.table.z[row])] * len(places)
    far = field.parameters.engagement_vertical + TOLERANCE
    return Layer(shapes, np.array(z) - far, np.array(z) + far)


def _barred(field: CombatField, unit: Unit, kind: str) -> Layer:
    """Return the places where rules bar the end of such a move, at their heights."""
    table, shapes, low, high = field.position.table, NOTHING, list[float](), list[float]()
    for rows, far in field.barred_ends(unit, kind):
        shapes = shapes.joined(field.outlines(rows, far))
        low += [float(table.z[row]) - far for row in rows]
        high += [float(table.z[row]) + far for row in rows]
    return Layer(shapes, np.array(low), np.array(high))


def _joined(one: Layer, other: Layer) -> Layer:
    """Return two layers as one."""
    if not len(other.shapes):
        return one
    shapes = one.shapes.joined(other.shapes)
    return Layer(shapes, np.concatenate([one.low, other.low]), np.concatenate([one.high, other.high]))


def _may_be_high(field: CombatField, rises: tuple[Rise, ...]) -> bool:
    """Return whether anything stands above the ground, or may come to."""
    table = field.position.table
    above = any(level > field.parameters.free_height for rise in rises for level in rise.levels)
    return above or bool((table.on & (table.z > 0)).any())


def _crowd(field: CombatField, passage: _Passage, across: Layer = EMPTY) -> Crowd:
    """Return all models with the heights of a mover's foot at which they matter.

    Rule: CORE.ER.1.
    """
    table = field.position.table
    near, far = field.parameters.engagement, field.parameters.engagement_vertical + TOLERANCE
    tall = float(table.height[list(passage.unit.rows)].max(initial=0.0))

    def layer(rows: Rows, margin: float = 0.0) -> Layer:
        i = np.array(rows, dtype=np.intp)
        if margin:
            return Layer(field.outlines(rows, margin), table.z[i] - far, table.z[i] + far)
        # Two flat models on one level are in one another's way, too.
        low = np.minimum(table.z[i], table.z[i] - tall + TOLERANCE)
        return Layer(
            field.outlines(rows), low, np.maximum(table.z[i], table.z[i] + table.height[i] - TOLERANCE)
        )

    return Crowd(
        layer(passage.solid),
        layer(passage.avoid, near),
        layer(passage.no_end),
        _joined(layer(passage.end_avoid, near), across),
        field.outlines(passage.no_end),
        table.z[np.array(passage.no_end, dtype=np.intp)],
    )


def settled(field: CombatField, row: int, pose: Pose) -> Pose:
    """Return a pose at the height at which the model really stands.

    On low terrain that carries it, that is the terrain's top.
    """
    x, y, z, facing = pose
    if not _is_low_ground(field) or z > field.parameters.free_height + TOLERANCE:
        return pose
    rises = field.terrain_traits.rises(flies=False, on_foot=False)
    ground = Ground(field.position.board.size, rises=rises, free=field.parameters.free_height)
    return x, y, resting_height(ground, (x, y), 0.0, field.position.table.stance(row, facing)), facing


def _is_low_ground(field: CombatField) -> bool:
    tops = (each for each in field.position.terrain.values() if each.kind in ("hill", "container"))
    return any(each.height <= field.parameters.free_height + TOLERANCE for each in tops)


def landing_for(field: CombatField, unit: Unit) -> Ground:
    """Return where the unit may be set up.

    It stays clear of terrain that carries no model, and of all bases.
    """
    flies, on_foot = field.has(unit, "FLY"), is_on_foot(field, unit)
    _, stands = field.terrain_traits.walls(True, on_foot)
    walls, _ = field.terrain_traits.walls(flies, on_foot)
    others = [u for u in field.position.on_table() if u.id != unit.id]
    bases: Outlines = field.outlines(field.rows(others)) if others else NOTHING
    rises = field.terrain_traits.rises(flies, on_foot)
    ground = Ground(size=field.position.board.size, walls=walls, no_stand=stands, no_end=bases, rises=rises)
    if not others or not _may_be_high(field, rises):
        return ground
    crowd = _crowd(field, _Passage(field, unit, "normal", ()))
    return replace(ground, crowd=Crowd(no_end=crowd.no_end)).at(0.0)


def is_on_foot(field: CombatField, unit: Unit) -> bool:
    """Return whether it walks through the walls and floors of ruins. Rule: CORE.TER.6."""
    swarms = ("SWARM",) if field.parameters.swarm_in_ruins else ()
    on_foot = any(field.has(unit, keyword) for keyword in ("INFANTRY", "BEAST", "BEASTS", *swarms))
    return on_foot or field.walks_in_ruins(unit)
