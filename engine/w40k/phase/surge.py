"""Moves out of turn toward the closest enemy, into engagement range where they reach it.

What is asked of their end is `engine.w40k.legality.move_check`'s.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.request import Move, Moves, Steps
from engine.core.state import Unit
from engine.w40k.activation.unit_choice import decide, mark
from engine.w40k.activation.walk import carry_out
from engine.w40k.phase.movement import UP_TO

if TYPE_CHECKING:
    from engine.w40k.battle import Battle

SURGE = "surge"
"""The kind of such a move."""


def surge(battle: Battle, unit: Unit, inches: int, passed: str, cause: str) -> Steps[None]:
    """Move a unit up to a number of inches, as close as possible to the closest enemy.

    Enemies with the keyword `passed` do not count; of equally close ones the first by name is meant.
    """
    field = battle.field
    enemies = [each for each in field.enemies(unit) if not (passed and each.has(passed))]
    if not unit.rows or not enemies:
        return
    target = min(enemies, key=lambda each: (field.gap(unit, each), each.id))
    decide(battle, unit, SURGE, target.id, cause=cause)
    mark(battle, unit, UP_TO, inches, "phase", cause)
    moves = yield Move(
        seats=(unit.player,),
        rule=cause,
        decision=SURGE,
        prompt=f"{unit.name} surges up to {inches} inches toward {target.name}.",
        unit=unit.id,
        kind=SURGE,
        limits=dict.fromkeys(unit.rows, float(inches)),
        targets=(target.id,),
    )
    assert isinstance(moves, Moves)
    if any(moves.paths.values()):
        mark(battle, unit, "moved", SURGE, cause=cause)
    yield from carry_out(battle, unit, SURGE, moves, cause)
