"""Models that are destroyed and attack once more before they are removed.

Which models are kept in play is the business of `engine.w40k.attack.fallen`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from engine.core.request import Steps
from engine.core.state import Unit
from engine.w40k.activation.unit_choice import mark, note
from engine.w40k.attack.damage import destroy_model
from engine.w40k.attack.fallen import ATTACK, FALLEN, SHOOT, STRIKER, may_be_kept

if TYPE_CHECKING:
    from engine.w40k.battle import Battle

AttackWith = Callable[["Battle", Unit, tuple[int, ...]], Steps[None]]
"""Carries out the attacks of some models of a unit, by their rows."""


def await_fallen(battle: Battle, attacker: Unit, targets: Iterable[str]) -> None:
    """Note that models which a unit's attacks destroy may stay in play until the attacks end."""
    if any(may_be_kept(battle, battle.state.position.units[name]) for name in targets):
        note(battle, STRIKER, attacker.id, "phase")


def let_fallen_attack(battle: Battle, attack_with: AttackWith, shoot_with: AttackWith) -> Steps[None]:
    """Let the models that were kept in play attack, or shoot, where they stand, and remove them.

    Whom they destroy may be kept in turn. Rule: R.G01, MISERY.30
    """
    while STRIKER in battle.state.marks:
        note(battle, STRIKER, None)
        for unit in battle.state.position.on_table():
            fallen = {row: unit.marks.names(f"{FALLEN}{row}") for row in unit.rows}
            fallen = {row: told for row, told in fallen.items() if told}
            for how, attack in ((ATTACK, attack_with), (SHOOT, shoot_with)):
                rows = tuple(row for row, told in fallen.items() if told[-1] == how)
                if rows:
                    yield from attack(battle, unit, rows)
            yield from _remove(battle, unit, fallen)


def _remove(battle: Battle, unit: Unit, fallen: dict[int, tuple[str, ...]]) -> Steps[None]:
    """Remove the fallen models of these rows, but none that has wounds again.

    Each row names the destroying unit, the credited player and the clause.
    """
    for row, (by, credit, cause, _) in fallen.items():
        model = battle.state.position.models[row]
        mark(battle, unit, f"{FALLEN}{row}", None, cause=cause)
        if not model.alive:
            yield from destroy_model(battle, unit, model, by=by, credit=credit, cause=cause)
