"""The end of a turn: models out of coherency go, and reserves that came too late are lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core import event as ev
from engine.core.facts import PLAYERS
from engine.core.request import Steps
from engine.w40k.attack.damage import destroy_unit, lose_part
from engine.w40k.flight import FLOWN_OFF
from engine.w40k.phase.reserves import EVACUATED, RECRUITED
from geometry.measure.coherency import is_coherent, largest_coherent

if TYPE_CHECKING:
    from engine.w40k.battle import Battle

WITHDRAWN = "withdrawn"
"""The mark of a unit that has left the battlefield for Strategic Reserves."""
LATECOMERS = (EVACUATED, RECRUITED, FLOWN_OFF, WITHDRAWN)
"""The marks of units that came into reserves during the battle."""


def coherency(battle: Battle) -> Steps[bool]:
    """Remove models until each unit is one coherent group. Rule: CORE.COH.2, CORE.TURN.4."""
    table = battle.state.position.table
    spacing = battle.ruleset.parameters.spacing
    for unit in battle.state.position.on_table():
        rows = list(unit.rows)
        bases, z = battle.field.outlines(unit.rows), table.z[rows]
        if is_coherent(bases, z, spacing):
            continue
        kept = {rows[i] for i in largest_coherent(bases, z, spacing)}
        for row in rows:
            if row not in kept:
                yield from battle.happen(ev.Destroyed(unit=unit.id, model=row), "CORE.COH.2")
                part = battle.state.position.models[row].facts.part
                yield from lose_part(battle, unit, part, by="", credit="", cause="CORE.COH.2")
    return False


def late_reserves(battle: Battle) -> Steps[bool]:
    """Destroy the players' units that stay in reserves too long.

    They may stay until the end of the third round. Units that came into reserves during the battle may stay
    until its end. Rule: CORE.RES.4.
    """
    ends = battle.state.is_last_round()
    if not ends and battle.state.round != battle.ruleset.parameters.reserves_last_round:
        return False
    for unit in list(battle.state.position.units.values()):
        may_wait = not ends and any(mark in unit.marks for mark in LATECOMERS)
        if unit.where == "reserves" and unit.side == PLAYERS and not may_wait:
            yield from destroy_unit(battle, unit, cause="CORE.RES.4")
    return False
