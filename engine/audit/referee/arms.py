"""What models carry, by their facts: Heavy guns, primary guns, melee weapons that count.

Owns its own reading of the profiles; positions and lines of sight are `lookout`'s.
"""

from __future__ import annotations

from engine.audit.referee.scene import Scene
from engine.core.facts import ModelFacts, WeaponFacts
from engine.core.state import Unit
from engine.w40k.activation.amount import mean, mean_strength

PLAIN = "close combat weapon"


def _models(scene: Scene, unit: Unit) -> list[ModelFacts]:
    return [scene.state.position.models[row].facts for row in unit.rows]


def guns(unit: Unit, model: ModelFacts) -> list[WeaponFacts]:
    """Return the ranged weapons of a model."""
    return [unit.weapon(i) for i in model.weapons if not unit.weapon(i).is_melee]


def carriers(scene: Scene, unit: Unit, keyword: str) -> list[tuple[int, float]]:
    """Return the models that carry a gun with a keyword, each with its range."""
    return [
        (model.row, scene.allowance.reach(unit, gun))
        for model in _models(scene, unit)
        for gun in guns(unit, model)
        if gun.has(keyword)
    ]


def primary(scene: Scene, unit: Unit, keyword: str) -> list[tuple[int, float]]:
    """Return a unit's only model and the range of its primary gun, if the gun has a keyword.

    Rule: R.A22
    """
    model = _models(scene, unit)[0]
    longest = scene.ruling("ai.stay.primary_gun") == "longest"

    def force(gun: WeaponFacts) -> tuple[float, float]:
        blow, reach = mean(gun.attacks) * mean(gun.damage) * mean_strength(gun.strength), gun.range or 0.0
        return (reach, blow) if longest else (blow, reach)

    best = max(guns(unit, model), key=force, default=None)
    return [(model.row, scene.allowance.reach(unit, best))] if best is not None and best.has(keyword) else []


def fighters(scene: Scene, unit: Unit) -> int:
    """Return how many models strike with more than a close combat weapon.

    Rule: AI.CHARGE.1, R.A52
    """
    named = scene.ruling("ai.charge.table") == "name"
    return sum(_strikes_well(unit, model, named) for model in _models(scene, unit))


def _strikes_well(unit: Unit, model: ModelFacts, named: bool) -> bool:
    blades = [unit.weapon(i) for i in model.weapons if unit.weapon(i).is_melee]
    return any(
        named
        or blade.ap <= -1
        or mean(blade.damage) >= 2
        or len(blade.keywords) > 0
        or mean_strength(blade.strength) > model.characteristics.get("T", 4)
        for blade in blades
        if PLAIN not in (blade.name.lower(), blade.item.lower())
    )
