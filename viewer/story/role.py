"""What a unit is for, at a glance: one of twelve roles, by its keywords, guns and numbers.

The first role that fits is taken. It is a help for the eye; no rule asks for it.
"""

from __future__ import annotations

from collections import Counter

from engine.core.facts import ModelFacts, UnitFacts, WeaponFacts
from engine.w40k.activation.amount import mean, mean_strength

ROLES = (
    *("line", "gunline", "flame", "anti-tank", "melee", "heavy infantry"),
    *("jump", "character", "walker", "transport", "tank", "monster"),
)
KEPT = 4000
_KNOWN: dict[tuple[int, int], tuple[UnitFacts, str]] = {}
"""Roles by the identity of the facts, which are kept with them."""
HEAVY, STRONG = 9, 7
"""The Strength of a gun against tanks, and of one that is more than a rifle."""


def _role(facts: UnitFacts, part: int) -> str:
    keywords = facts.parts[part].keywords if part < len(facts.parts) else frozenset()
    models = [model for model in facts.models if model.part == part] or list(facts.models)
    guns = [weapon for weapon in _common(facts, models) if not weapon.is_melee]
    if "MONSTER" in keywords:
        return "monster"
    if "VEHICLE" in keywords:
        return _vehicle(keywords, guns)
    if "CHARACTER" in keywords:
        return "character"
    if "JUMP PACK" in keywords:
        return "jump"
    if any(gun.has("torrent") for gun in guns):
        return "flame"
    strongest = max((mean_strength(gun.strength) for gun in guns), default=0.0)
    if strongest >= HEAVY:
        return "anti-tank"
    numbers = models[0].characteristics if models else {}
    if numbers.get("Sv", 7) <= 2 or numbers.get("T", 0) >= 5:
        return "heavy infantry"
    blades = [weapon for weapon in _common(facts, models) if weapon.is_melee]
    if max(map(_harm, blades), default=0.0) > max(map(_harm, guns), default=0.0):
        return "melee"
    return "gunline" if strongest >= STRONG else "line"


def role_of(facts: UnitFacts, part: int = 0) -> str:
    """Return the role of a unit, or of one part of an attached unit."""
    key = (id(facts), part)
    known = _KNOWN.get(key)
    if known is None or known[0] is not facts:
        if len(_KNOWN) > KEPT:
            _KNOWN.clear()
        known = _KNOWN[key] = facts, _role(facts, part)
    return known[1]


def _vehicle(keywords: frozenset[str], guns: list[WeaponFacts]) -> str:
    if "WALKER" in keywords:
        return "walker"
    armed = any(mean_strength(gun.strength) >= HEAVY for gun in guns)
    return "transport" if "TRANSPORT" in keywords and not armed else "tank"


def _common(facts: UnitFacts, models: list[ModelFacts]) -> list[WeaponFacts]:
    """Return the weapons that at least half of these models carry."""
    carried = Counter(index for model in models for index in set(model.weapons))
    return [facts.weapons[i] for i, count in carried.items() if 2 * count >= len(models)]


def _harm(weapon: WeaponFacts) -> float:
    """Return about how many wounds a weapon costs men in plain armour (T 4, Sv 4+)."""
    hit = 1.0 if weapon.skill is None else (7 - weapon.skill) / 6
    strength = mean_strength(weapon.strength)
    need = 2 if strength >= 8 else 3 if strength > 4 else 4 if strength == 4 else 5 if strength > 2 else 6
    unsaved = min(max((4 - weapon.ap - 1) / 6, 0.0), 1.0)
    return mean(weapon.attacks) * hit * (7 - need) / 6 * unsaved * mean(weapon.damage)
