"""Models that have lost their last wound and stay in play until they have fought.

Which models may do so is a question to the rules in force.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.state import Model, Unit
from engine.w40k.activation.unit_choice import mark

if TYPE_CHECKING:
    from engine.w40k.battle import Battle

STRIKER = "striker"
"""The mark of the battle, while its attacks last, that names a unit whose victims may strike back."""
FALLEN = "fallen:"
"""How the marks of a unit begin that tell of a model, by its row, that is to be removed: by whom, and why."""


def is_kept(battle: Battle, unit: Unit, model: Model, by: str, credit: str, cause: str) -> bool:
    """Return whether a model that has lost its last wound stays in play for now, to fight."""
    if STRIKER not in battle.state.marks or not battle.query.may("fight-on-death", unit=unit, model=model):
        return False
    mark(battle, unit, f"{FALLEN}{model.row}", (by, credit, cause), "phase", cause)
    return True


def stands(battle: Battle, unit: Unit) -> bool:
    """Return whether a model of the unit on the battlefield has wounds left."""
    return unit.where == "table" and any(model.alive for model in battle.state.position.alive(unit))
