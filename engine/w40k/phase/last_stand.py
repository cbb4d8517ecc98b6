"""Models that are destroyed and may fight before they are removed: who is kept in play, and how they strike.

Owns the time between a model's last wound and its removal. Who may do so is a question to the rules in force.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from engine.core.request import Steps
from engine.core.state import Model, Unit
from engine.w40k.activation.unit_choice import mark, note

if TYPE_CHECKING:
    from engine.w40k.battle import Battle

STRIKER = "striker"
"""The mark of the battle, while its attacks last, that names a unit whose victims may strike back."""
FALLEN = "fallen:"
"""How the marks of a unit begin that tell of a model, by its row, that is to be removed: by whom, and why."""


def await_fallen(battle: Battle, attacker: Unit, targets: Iterable[str]) -> None:
    """Note that models which the attacks of a unit destroy may be kept in play until they are over."""
    if any(battle.query.may("fight-on-death", unit=battle.state.position.units[name]) for name in targets):
        note(battle, STRIKER, attacker.id, "phase")


def is_kept(battle: Battle, unit: Unit, model: Model, by: str, credit: str, cause: str) -> bool:
    """Return whether a model that has lost its last wound stays in play for now, to fight."""
    if STRIKER not in battle.state.marks or not battle.query.may("fight-on-death", unit=unit, model=model):
        return False
    mark(battle, unit, f"{FALLEN}{model.row}", (by, credit, cause), "phase", cause)
    return True


def stands(battle: Battle, unit: Unit) -> bool:
    """Return whether a model of the unit on the battlefield has wounds left."""
    return unit.where == "table" and any(model.alive for model in battle.state.position.alive(unit))


def let_fallen_fight(battle: Battle) -> Steps[None]:
    """Let the models that were kept in play strike, where they stand, and remove them.

    Rule: R.G01
    """
    if STRIKER not in battle.state.marks:
        return
    note(battle, STRIKER, None)
    from engine.w40k.phase.fight import strike_with

    for unit in battle.state.position.on_table():
        fallen = {row: unit.marks.names(f"{FALLEN}{row}") for row in unit.rows}
        fallen = {row: told for row, told in fallen.items() if told}
        if fallen:
            yield from strike_with(battle, unit, tuple(fallen))
            yield from _remove(battle, unit, fallen)


def _remove(battle: Battle, unit: Unit, fallen: dict[int, tuple[str, ...]]) -> Steps[None]:
    from engine.w40k.attack.damage import destroy_model

    for row, (by, credit, cause) in fallen.items():
        mark(battle, unit, f"{FALLEN}{row}", None, cause=cause)
        yield from destroy_model(
            battle, unit, battle.state.position.models[row], by=by, credit=credit, cause=cause
        )
