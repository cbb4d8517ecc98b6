"""What a unit's weapons make of it: a charger, a gun line, a bearer of side-arms.

Owns the readings of "better than a close combat weapon", "side-arm" and "primary ranged weapon". It looks
at profiles, not at the table.
"""

from __future__ import annotations

from collections import Counter

from ai.reasons.clause import carries_out
from ai.reckoning.expectation import models_of
from engine.core.facts import ModelFacts, WeaponFacts
from engine.core.state import Unit
from engine.w40k.activation.amount import mean, mean_strength
from engine.w40k.view import View

CLOSE_COMBAT_WEAPON = "close combat weapon"


def is_better(weapon: WeaponFacts, toughness: int, *, by_name: bool = False) -> bool:
    """Return whether a melee profile is better than a close combat weapon.

    With `by_name` every profile of another name is. Rule: R.A52
    """
    if not weapon.is_melee or CLOSE_COMBAT_WEAPON in (weapon.name.lower(), weapon.item.lower()):
        return False
    strong = mean_strength(weapon.strength) > toughness
    return by_name or weapon.ap <= -1 or mean(weapon.damage) >= 2 or bool(weapon.keywords) or strong


def good_fighters(view: View, unit: Unit) -> int:
    """Return how many of the unit's models carry better than a close combat weapon in melee."""
    by_name = view.ruling("ai.charge.table") == "name"
    alike = Counter((model.characteristics.get("T", 4), model.weapons) for model in models_of(unit))
    return sum(
        count
        for (toughness, weapons), count in alike.items()
        if any(is_better(unit.weapon(i), toughness, by_name=by_name) for i in weapons)
    )


@carries_out("AI.CHARGE.1")
def is_charger(view: View, unit: Unit) -> bool:
    """Return whether most of the unit's models carry such a melee profile.

    Rule: AI.CHARGE.1, R.A52
    """
    models = models_of(unit)
    return 2 * good_fighters(view, unit) > len(models)


@carries_out("AI.SIDEARM")
def is_side_arm(view: View, unit: Unit, model: ModelFacts, weapon: WeaponFacts) -> bool:
    """Return whether a gun is only a side-arm. Rule: AI.SIDEARM, R.A33"""
    if weapon.is_melee:
        return False
    if unit.is_attached and "CHARACTER" in unit.facts.parts[model.part].keywords:
        return True
    return weapon.has("pistol") and is_charger(view, unit)


def guns(unit: Unit, model: ModelFacts) -> list[int]:
    """Return the places of the ranged weapons that a model carries."""
    return [i for i in model.weapons if not unit.weapon(i).is_melee]


def primary_gun(view: View, unit: Unit, model: ModelFacts) -> int | None:
    """Return a model's primary ranged weapon: the largest A × D × S, then range. Rule: R.A22"""
    by_range = view.ruling("ai.stay.primary_gun") == "longest"

    def weight(i: int) -> tuple[float, float, int]:
        weapon = unit.weapon(i)
        force, reach = (
            mean(weapon.attacks) * mean(weapon.damage) * mean_strength(weapon.strength),
            weapon.range or 0.0,
        )
        return (reach, force, -i) if by_range else (force, reach, -i)

    return max(guns(unit, model), key=weight, default=None)
