"""The distance from enemies and the round of arrivals from reserves, as rules change them.

Where they arrive is asked by `engine.w40k.phase.reserves`, of the Horde by its own step.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.state import Unit

if TYPE_CHECKING:
    from engine.w40k.battle import Battle


def distances(battle: Battle, unit: Unit, inches: float) -> dict[str, float]:
    """Return how far a unit arrives from single enemies, by id, where that is not `inches`.

    Rule: CORE.RES.2, CORE.RES.5
    """
    found = {
        enemy.id: battle.query.value("unit.arrival-distance", inches, unit=unit, target=enemy)
        for enemy in battle.field.enemies(unit)
    }
    return {name: far for name, far in found.items() if far != inches}


def arrival_round(battle: Battle, unit: Unit) -> int:
    """Return the battle round that counts for where and whether a unit arrives. Rule: CORE.RES.2"""
    return int(battle.query.value("unit.arrival-round", battle.state.round, unit=unit))


def deep_strikes_now(battle: Battle, unit: Unit) -> bool:
    """Return whether a unit has Deep Strike, printed or given by a rule. Rule: CORE.RES.5"""
    return bool(battle.query.has_ability(unit, "deep strike"))
