"""What AIRCRAFT are to other units.

That is which units fight them, for which they count as the closest enemy, and which they hold up. Owns the
questions that several steps ask of two units. How an aircraft itself moves is `engine.w40k.flight`'s.
"""

from __future__ import annotations

from engine.core.state import Unit
from engine.w40k.ground.combat_field import CombatField

AIRCRAFT = "AIRCRAFT"


def may_fight(field: CombatField, unit: Unit, enemy: Unit) -> bool:
    """Return whether a unit may strike an enemy.

    AIRCRAFT strike, and are struck by, only units that can FLY. Rule: CORE.AIR.4
    """
    if enemy.has(AIRCRAFT) and not field.has(unit, "FLY"):
        return False
    return not unit.has(AIRCRAFT) or field.has(enemy, "FLY")


def opponents(field: CombatField, unit: Unit) -> list[Unit]:
    """Return the enemies that count when a unit looks for its closest one.

    AIRCRAFT count only where the unit can FLY. Rule: CORE.AIR.5
    """
    if field.has(unit, "FLY"):
        return field.enemies(unit)
    return without_aircraft(field.enemies(unit))


def without_aircraft(units: list[Unit]) -> list[Unit]:
    """Return the units that are no AIRCRAFT; others move through AIRCRAFT. Rule: CORE.AIR.3"""
    return [unit for unit in units if not unit.has(AIRCRAFT)]


def held_by(field: CombatField, unit: Unit) -> list[Unit]:
    """Return the enemies within engagement range that keep a unit from moving on.

    Rule: CORE.AIR.3
    """
    return without_aircraft(field.engaged_with(unit))
