"""The end of a turn: models out of coherency are removed, and reserves that came too late are lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core import event as ev
from engine.core.facts import PLAYERS
from engine.core.ruleset import Steps
from engine.horde.steps.secret import is_last_round
from engine.w40k.attack.damage import destroy_unit, lose_part
from engine.w40k.flight import FLOWN_OFF
from geometry.measure.coherency import is_coherent, largest_coherent

if TYPE_CHECKING:
    from engine.core.game import Game

LATECOMERS = ("evacuated", "recruited", FLOWN_OFF)
"""The marks of units that came into reserves during the battle."""


def coherency(game: Game) -> Steps[bool]:
    """Remove models until each unit is one coherent group. Rule: CORE.COH.2, CORE.TURN.4."""
    table = game.state.position.table
    spacing = game.ruleset.knobs.spacing
    for unit in game.state.position.on_table():
        rows = list(unit.rows)
        bases, z = game.field.outlines(unit.rows), table.z[rows]
        if is_coherent(bases, z, spacing):
            continue
        kept = {rows[i] for i in largest_coherent(bases, z, spacing)}
        for row in rows:
            if row not in kept:
                yield from game.happen(ev.Destroyed(unit=unit.id, model=row), "CORE.COH.2")
                part = game.state.position.models[row].facts.part
                yield from lose_part(game, unit, part, by="", credit="", cause="CORE.COH.2")
    return False


def late_reserves(game: Game) -> Steps[bool]:
    """Destroy the players' units that are still in reserves at the end of the third round, or of the battle.

    Those that came into reserves during the battle have until its end. Rule: CORE.RES.4.
    """
    ends = is_last_round(game)
    if not ends and game.state.round != game.ruleset.knobs.reserves_last_round:
        return False
    for unit in list(game.state.position.units.values()):
        may_wait = not ends and any(mark in unit.marks for mark in LATECOMERS)
        if unit.where == "reserves" and unit.side == PLAYERS and not may_wait:
            yield from destroy_unit(game, unit, cause="CORE.RES.4")
    return False
