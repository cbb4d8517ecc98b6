"""The words of conditions about attacks: with which weapon, whom they hit, what a unit sees.

Each word reads the battle and changes nothing.
"""

from __future__ import annotations

from engine.core.facts import WeaponFacts
from engine.core.state import Unit
from engine.records.context import Context
from engine.records.language import word
from engine.w40k.activation.amount import mean_strength
from engine.w40k.attack import eligibility
from engine.w40k.attack.outcome import Outcome, is_named, own_rows
from engine.w40k.battle import Battle
from geometry.measure.distance import within


@word()
def is_weapon(battle: Battle, weapon: WeaponFacts | None, *names: str) -> bool:
    """Return whether a weapon has one of these names, whatever the mode of its profile."""
    return weapon is not None and is_named(weapon.name, names)


@word()
def sees(battle: Battle, unit: Unit, other: Unit) -> bool:
    """Return whether any model of a unit sees any model of another. Rule: CORE.VIS.1"""
    if unit.where != "table" or other.where != "table":
        return False
    return bool(battle.field.visible(unit, other).any())


@word(looks_up=("attacks",))
def was_hit(battle: Battle, unit: Unit, context: Context) -> bool:
    """Return whether an attack that was just made hit a unit."""
    made = context["attacks"]
    return isinstance(made, Outcome) and made.hits(unit) > 0


@word(looks_up=("attacks", "bearer", "own_part"))
def was_hit_by_own(battle: Battle, unit: Unit, *names: str | Context) -> bool:
    """Return whether an attack of the part that bears the rule hit a unit, with one of these weapons.

    With any weapon where none is named.
    """
    *weapons, context = names
    assert isinstance(context, Context)
    made, rows = context["attacks"], own_rows(battle, context["bearer"], context["own_part"])
    return isinstance(made, Outcome) and made.hits(unit, tuple(map(str, weapons)), rows) > 0


@word(looks_up=("attacks",))
def allocated(battle: Battle, unit: Unit, context: Context) -> int:
    """Return how many of the attacks that were just made were allocated to models of a unit."""
    made = context["attacks"]
    return made.allocated(unit) if isinstance(made, Outcome) else 0


@word(looks_up=("attacks",))
def models_lost(battle: Battle, unit: Unit, context: Context) -> int:
    """Return how many models a unit lost to the attacks that were just made."""
    made = context["attacks"]
    return len(made.lost.get(unit.id, ())) if isinstance(made, Outcome) else 0


@word(looks_up=("attacker", "target", "melee", "model"))
def attack_strength(battle: Battle, weapon: WeaponFacts | None, context: Context) -> float:
    """Return the Strength of the attacks at hand as rules change it, 0 where there are none.

    Where it is rolled, the mean of the dice. Rule: CORE.ATK.1
    """
    if weapon is None:
        return 0.0
    names = {name: context[name] for name in ("attacker", "target", "melee", "model")}
    number = battle.query.number("weapon.strength", mean_strength(weapon.strength), weapon=weapon, **names)
    return float(number.value)


@word()
def is_closest(battle: Battle, target: Unit, attacker: Unit, *keywords: str) -> bool:
    """Return whether a unit is the closest eligible target of another's attacks, as they stand.

    In the Fight phase those are eligible that are within engagement range. With keywords it is the closest of
    the targets that have one of them. Rule: CORE.SHOOT.2, CORE.FGT.6
    """
    units = battle.state.position.units
    met = battle.state.phase == "fight"
    shot_at = () if met else sorted(eligibility.targets_of(battle, attacker))
    eligible = battle.field.engaged_with(attacker) if met else [units[name] for name in shot_at]
    rivals = [each for each in eligible if not keywords or any(map(each.has, keywords))]
    apart = {each.id: battle.field.gap(attacker, each) for each in rivals}
    return target.id in apart and within(apart[target.id], min(apart.values()))
