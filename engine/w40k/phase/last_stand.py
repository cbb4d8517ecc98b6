"""Models that are destroyed and may fight before they are removed: who is kept in play, and how they strike.

Owns the time between a model's last wound and its removal. Who may do so is a question to the rules in force.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from engine.core.ruleset import Steps
from engine.core.state import Model, Unit
from engine.w40k.activation.unit_choice import mark, note

if TYPE_CHECKING:
    from engine.core.game import Game

STRIKER = "striker"
"""The mark of the battle, while its attacks last, that names a unit whose victims may strike back."""
FALLEN = "fallen:"
"""How the marks of a unit begin that tell of a model, by its row, that is to be removed: by whom, and why."""


def await_fallen(game: Game, attacker: Unit, targets: Iterable[str]) -> None:
    """Note that models which the attacks of a unit destroy may be kept in play until they are over."""
    if any(game.query.may("fight-on-death", unit=game.state.position.units[name]) for name in targets):
        note(game, STRIKER, attacker.id, "phase")


def is_kept(game: Game, unit: Unit, model: Model, by: str, credit: str, cause: str) -> bool:
    """Return whether a model that has lost its last wound stays in play for now, to fight."""
    if STRIKER not in game.state.marks or not game.query.may("fight-on-death", unit=unit, model=model):
        return False
    mark(game, unit, f"{FALLEN}{model.row}", (by, credit, cause), "phase", cause)
    return True


def stands(game: Game, unit: Unit) -> bool:
    """Return whether a model of the unit on the battlefield has wounds left."""
    return unit.where == "table" and any(model.alive for model in game.state.position.alive(unit))


def let_fallen_fight(game: Game) -> Steps[None]:
    """Let the models that were kept in play strike, where they stand, and remove them.

    Rule: R.G01
    """
    if STRIKER not in game.state.marks:
        return
    note(game, STRIKER, None)
    from engine.w40k.phase.fight import strike_with

    for unit in game.state.position.on_table():
        fallen = {row: unit.marks.names(f"{FALLEN}{row}") for row in unit.rows}
        fallen = {row: told for row, told in fallen.items() if told}
        if fallen:
            yield from strike_with(game, unit, tuple(fallen))
            yield from _remove(game, unit, fallen)


def _remove(game: Game, unit: Unit, fallen: dict[int, tuple[str, ...]]) -> Steps[None]:
    from engine.w40k.attack.damage import destroy_model

    for row, (by, credit, cause) in fallen.items():
        mark(game, unit, f"{FALLEN}{row}", None, cause=cause)
        yield from destroy_model(
            game, unit, game.state.position.models[row], by=by, credit=credit, cause=cause
        )
