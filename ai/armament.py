"""What a unit's weapons make of it: a charger, a gun line, a bearer of side-arms.

Owns the readings of "better than a close combat weapon", "side-arm" and "primary ranged weapon". It looks
at profiles, not at the table.
"""

from __future__ import annotations

from ai.clause import carries_out
from ai.expectation import models_of
from engine.facts import ModelFacts, WeaponFacts
from engine.state import Unit
from engine.steps.amount import mean

CLOSE_COMBAT_WEAPON = "close combat weapon"


def is_better(weapon: WeaponFacts, toughness: int) -> bool:
    """Return whether a melee profile beats a close combat weapon. Rule: R.A52"""
    if not weapon.is_melee or CLOSE_COMBAT_WEAPON in (weapon.name.lower(), weapon.item.lower()):
        return False
    strong = weapon.strength > toughness
    return weapon.ap <= -1 or mean(weapon.damage) >= 2 or bool(weapon.keywords) or strong


def fights_well(unit: Unit, model: ModelFacts) -> bool:
    """Return whether a model carries a melee profile better than a close combat weapon."""
    toughness = model.characteristics.get("T", 4)
    return any(is_better(unit.weapon(i), toughness) for i in model.weapons)


@carries_out("AI.CHARGE.1")
def is_charger(unit: Unit) -> bool:
    """Return whether most of the unit's models have such a melee profile. Rule: AI.CHARGE.1, R.A52"""
    models = models_of(unit)
    return 2 * sum(fights_well(unit, model) for model in models) > len(models)


@carries_out("AI.SIDEARM")
def is_side_arm(unit: Unit, model: ModelFacts, weapon: WeaponFacts) -> bool:
    """Return whether a gun is only a side-arm. Rule: AI.SIDEARM, R.A33"""
    if weapon.is_melee:
        return False
    if unit.is_attached and "CHARACTER" in unit.facts.parts[model.part].keywords:
        return True
    return weapon.has("pistol") and is_charger(unit)


def guns(unit: Unit, model: ModelFacts) -> list[int]:
    """Return the places of the ranged weapons that a model carries."""
    return [i for i in model.weapons if not unit.weapon(i).is_melee]


def primary_gun(unit: Unit, model: ModelFacts) -> int | None:
    """Return a model's primary ranged weapon: the largest A × D × S, then range. Rule: R.A22"""

    def weight(i: int) -> tuple[float, float, int]:
        weapon = unit.weapon(i)
        force = mean(weapon.attacks) * mean(weapon.damage) * weapon.strength
        return force, weapon.range or 0.0, -i

    return max(guns(unit, model), key=weight, default=None)
