"""Models that come back to their unit: one at a time to where they fit, or all to full strength."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import replace

from engine.core import event as ev
from engine.core.request import Steps
from engine.core.state import Model, Unit
from engine.w40k.attack.damage import heal, is_character
from geometry.group.group_move import Nearest, place_group
from geometry.measure.coherency import is_coherent
from geometry.path.ground import Ground, faults_of_standing
from geometry.path.planner import Blocked

if TYPE_CHECKING:
    from engine.w40k.battle import Battle


def restore(battle: Battle, unit: Unit, cause: str, leaders: bool = False) -> Steps[None]:
    """Return a unit to its Starting Strength with all its wounds, its lost leaders too where it is said.

    Rule: MISERY.8, R.A85.
    """
    heal(battle, unit, sum(_whole(battle.state.position.models[row]) for row in unit.rows), cause)
    for model in _lost(battle, unit, leaders):
        yield from bring_back(battle, unit, model, _whole(model), cause)


def mend(battle: Battle, unit: Unit, wounds: int, cause: str) -> Steps[None]:
    """Heal a unit wound by wound; when its models are whole, a wound brings a lost one back with one wound.

    Rule: BUY.field-hospital.
    """
    for _ in range(wounds):
        if heal(battle, unit, 1, cause):
            continue
        lost = _lost(battle, unit, leaders=False)
        if not lost or not (yield from bring_back(battle, unit, lost[0], 1, cause)):
            return


def _whole(model: Model) -> int:
    return model.facts.characteristics.get("W", 1)


def _lost(battle: Battle, unit: Unit, leaders: bool) -> list[Model]:
    """Return the unit's destroyed models; without `leaders`, no leader of an Attached unit, no lost part."""
    found = []
    for facts in unit.facts.models:
        model = battle.state.position.models[facts.row]
        if model.alive or (facts.part in unit.parts_lost and not leaders):
            continue
        if len(unit.facts.parts) > 1 and is_character(unit, model) and not leaders:
            continue
        found.append(model)
    return found


def bring_back(battle: Battle, unit: Unit, model: Model, wounds: int, cause: str) -> Steps[bool]:
    """Return a destroyed model as near to its unit as it fits; tell whether it does."""
    pose = spot_for(battle, unit, model)
    if pose is None:
        return False
    event = ev.Returned(unit=unit.id, model=model.row, wounds=wounds, pose=pose)
    yield from battle.happen(event, cause)
    return True


def spot_for(battle: Battle, unit: Unit, model: Model) -> ev.Pose | None:
    """Return where a model may come back: next to its unit, coherent, and engaging no enemy anew."""
    table = battle.state.position.table
    rows = list(unit.rows)
    ground = _ground(battle, unit)
    facing = table.facing[rows[:1]]
    stances = [table.stance(model.row, float(facing[0]))]
    near = Nearest(table.outlines(rows))
    placed = place_group(stances, ground, battle.ruleset.parameters.spacing, near)
    if isinstance(placed, Blocked) or placed.left_out or faults_of_standing(ground, placed.xy, stances):
        return None
    bases = table.outlines(rows).joined(table.outlines((model.row,), placed.xy, facing))
    if not is_coherent(bases, np.append(table.z[rows], 0.0), battle.ruleset.parameters.spacing):
        return None
    return float(placed.xy[0, 0]), float(placed.xy[0, 1]), 0.0, float(facing[0])


def _ground(battle: Battle, unit: Unit) -> Ground:
    field = battle.field
    engaged = {enemy.id for enemy in field.engaged_with(unit)}
    shunned = [enemy for enemy in field.enemies(unit) if enemy.id not in engaged]
    landing = field.landing(unit)
    return replace(
        landing,
        no_end=landing.no_end.joined(field.outlines(unit.rows)),
        end_avoid=field.outlines(field.rows(shunned), battle.ruleset.parameters.engagement),
    )
