"""Models whose floor or hill is taken away: they come down to where there is room.

What terrain goes, and whom that hurts, is the business of the rule that takes it away.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from engine.core import event as ev
from engine.core.request import Steps
from engine.core.state import Unit
from engine.w40k.attack.damage import destroy_model
from engine.w40k.ground.passage import is_on_foot, settled
from geometry.path.ground import may_stand
from geometry.shape.convex_shape import NOTHING
from geometry.single.free_spot import free_spot
from geometry.tolerance import TOLERANCE

if TYPE_CHECKING:
    from engine.w40k.battle import Battle


def come_down(battle: Battle, event: ev.Event | None) -> Steps[None]:
    """Set models that nothing carries any more up on the ground, each as near as its base fits.

    What fits nowhere on the battlefield is destroyed, to nobody's credit. Rule: MISERY.10
    """
    if not isinstance(event, ev.Removed) or not event.what.startswith("terrain:"):
        return
    for unit in battle.state.position.on_table():
        for row in unit.rows:
            if not _is_carried(battle, unit, row):
                yield from _bring_down(battle, unit, row, event.cause)


def _is_carried(battle: Battle, unit: Unit, row: int) -> bool:
    """Return whether a model stands on the ground, or on terrain that carries its base."""
    table, field = battle.state.position.table, battle.field
    z = float(table.z[row])
    if z <= TOLERANCE:
        return True
    rises = field.terrain_traits.rises(field.has(unit, "FLY"), is_on_foot(field, unit))
    return any(rise.carries(table.stance(row), table.xy[row], z) for rise in rises)


def _bring_down(battle: Battle, unit: Unit, row: int, cause: str) -> Steps[None]:
    table, field = battle.state.position.table, battle.field
    low = [each for each in unit.rows if each != row and table.z[each] <= field.parameters.free_height]
    landing = field.landing(unit)
    ground = replace(landing, no_end=landing.no_end.joined(table.outlines(low)), crowd=None)
    stance, at = table.stance(row), table.xy[row]
    if may_stand(ground, at[None], [stance])[0]:
        spot = (float(at[0]), float(at[1]))
    else:
        found = free_spot(ground, stance, NOTHING, field.parameters.spacing, at)
        if found is None:
            yield from destroy_model(battle, unit, battle.state.position.models[row], cause=cause)
            return
        spot = found
    pose = settled(field, row, (spot[0], spot[1], 0.0, float(table.facing[row])))
    # Its unit is not set up by that: no rule acts on it.
    battle.log(ev.Placed(unit=unit.id, poses={row: pose}), cause)
