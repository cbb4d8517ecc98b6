"""What a unit would be asked next, were it chosen to act now.

Nothing is asked or changed here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.request import AnyRequest
from engine.core.state import Unit
from engine.w40k.attack.eligibility import lines
from engine.w40k.phase import charge, fight, movement, shooting

if TYPE_CHECKING:
    from engine.w40k.battle import Battle


def foreseen(battle: Battle, unit: Unit) -> AnyRequest | None:
    """Return the question about the unit's own deed in this phase; None where there is none."""
    phase = battle.state.phase
    if phase == "movement" and movement.can_move(battle, unit):
        return movement.move_choice(battle, unit)
    if phase == "shooting" and (shots := lines(battle, unit)):
        return shooting.shot_choice(unit, shots)
    if phase == "charge" and (enemies := charge.targets(battle, unit)):
        return charge.target_choice(unit, enemies)
    if phase == "fight" and (blows := fight.lines(battle, unit)):
        return fight.blow_choice(unit, blows)
    return None
