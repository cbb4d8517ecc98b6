"""The words of conditions about attacks: with which weapon, whom they hit, what a unit sees.

Each word reads the battle and changes nothing.
"""

from __future__ import annotations

from engine.core.facts import WeaponFacts
from engine.core.state import Unit
from engine.records.context import Context
from engine.records.language import word
from engine.w40k.activation.amount import mean_strength
from engine.w40k.attack.eligibility import Targets
from engine.w40k.attack.outcome import Outcome, is_named, own_rows
from engine.w40k.attack.volley import toughness_of
from engine.w40k.attack.wound import wound_need
from engine.w40k.battle import Battle
from geometry.measure.distance import within
from geometry.tolerance import TOLERANCE

CRITICAL = 6
"""The unmodified roll that always wounds. Rule: CORE.DICE.4"""
OF_ATTACKS = ("CORE.ATK.5", "CORE.WPN.DEV")
"""The clauses by which models lose wounds to attacks: damage, and Devastating Wounds."""


@word()
def is_weapon(battle: Battle, weapon: WeaponFacts | None, *names: str) -> bool:
    """Return whether a weapon has one of these names, whatever the mode of its profile."""
    return weapon is not None and is_named(weapon.name, names)


@word(looks_up=("model", "weapon"))
def is_closest(battle: Battle, target: Unit | None, attacker: Unit, *more: str | Context) -> bool:
    """Return whether a target is the closest unit at which the model may fire the weapon.

    In the Fight phase those count that the attackers engage. With keywords it is the closest of the units
    that have one of them. Rule: CORE.SHOOT.2, CORE.FGT.6
    """
    *keywords, context = more
    assert isinstance(context, Context)
    if target is None or attacker.where != "table":
        return False
    gaps = (
        _gaps_in_melee(battle, attacker) if context["phase"] == "fight" else _gaps(battle, attacker, context)
    )
    units = battle.state.position.units
    rivals = {
        name: gap
        for name, gap in gaps.items()
        if not keywords or any(units[name].has(str(k)) for k in keywords)
    }
    return target.id in rivals and rivals[target.id] <= min(rivals.values()) + TOLERANCE


def _gaps_in_melee(battle: Battle, attacker: Unit) -> dict[str, float]:
    return {each.id: battle.field.gap(attacker, each) for each in battle.field.engaged_with(attacker)}


def _gaps(battle: Battle, attacker: Unit, context: Context) -> dict[str, float]:
    """Return how far off each unit is at which the model at hand may fire its weapon."""
    weapon, model = context["weapon"], context["model"]
    if weapon is None:
        return {}
    # A model that fires from within a transport measures from its first model. Rule: CORE.TRN.5
    place = attacker.rows.index(model.row) if model is not None and model.row in attacker.rows else 0
    eligible = Targets.of_unit(battle, attacker)
    names = eligible.of(place, weapon, weapon.keywords)
    return {name: float(eligible.gaps[name][place]) for name in names}


@word(looks_up=("attacks",))
def was_hit(battle: Battle, unit: Unit, context: Context) -> bool:
    """Return whether an attack that was just made hit a unit."""
    made = context["attacks"]
    return isinstance(made, Outcome) and made.hits(unit) > 0


@word(looks_up=("attacks", "bearer", "own_part"))
def was_hit_by_own(battle: Battle, unit: Unit, *names: str | Context) -> bool:
    """Return whether the part that bears the rule hit a unit with one of these weapons.

    With one of these weapons, or with any where none is named.
    """
    *weapons, context = names
    assert isinstance(context, Context)
    made, rows = context["attacks"], own_rows(context["bearer"], context["own_part"])
    return isinstance(made, Outcome) and made.hits(unit, tuple(map(str, weapons)), rows) > 0


@word(looks_up=("attacks",))
def allocated(battle: Battle, unit: Unit, *more: int | Context) -> int:
    """Return how many of the attacks just made were allocated to a unit, or to a part of it."""
    *part, context = more
    assert isinstance(context, Context)
    made, which = context["attacks"], part[0] if part else None
    return made.allocated(unit, which) if isinstance(made, Outcome) else 0  # type: ignore[arg-type]


@word(looks_up=("attacks",))
def models_lost(battle: Battle, unit: Unit, context: Context) -> int:
    """Return how many models a unit lost to the attacks that were just made."""
    made = context["attacks"]
    return len(made.lost.get(unit.id, ())) if isinstance(made, Outcome) else 0


@word(looks_up=("attacker", "target", "melee", "model"))
def attack_strength(battle: Battle, weapon: WeaponFacts | None, context: Context) -> float:
    """Return the Strength of the attacks at hand with every change, 0 where there are none.

    Where it is rolled, the mean of the dice. Rule: CORE.ATK.1
    """
    if weapon is None:
        return 0.0
    names = {name: context[name] for name in ("attacker", "target", "melee", "model")}
    number = battle.query.number("weapon.strength", mean_strength(weapon.strength), weapon=weapon, **names)
    return float(number.value)


@word(clause="DATASHEET.swallow-whole", looks_up=("attacker", "target", "melee", "model"))
def needed_to_wound(battle: Battle, weapon: WeaponFacts | None, context: Context) -> int:
    """Return the roll that wounds, modifiers and all, for the attacks at hand; 6 without any.

    Rule: CORE.ATK.1, CORE.ATK.3
    """
    target = context["target"]
    if weapon is None or target is None:
        return CRITICAL
    strength = attack_strength(battle, weapon, context)
    printed = toughness_of(battle, target)
    hard = battle.query.number("model.toughness", printed, unit=target, target=target).value
    names = {name: context[name] for name in ("attacker", "target", "melee", "model")}
    change = battle.query.number("attack.wound-modifier", 0, weapon=weapon, **names).value
    return max(2, wound_need(int(strength), int(hard)) - int(change))


@word(clause="DATASHEET.unyielding-in-the-face-of-the-foe")
def printed_damage(battle: Battle, weapon: WeaponFacts | None) -> int:
    """Return the Damage that a weapon is printed with; 0 where it is rolled."""
    return int(weapon.damage) if weapon is not None and weapon.damage.isdigit() else 0


@word(clause="DATASHEET.tempests-wrath-psychic")
def printed_range(battle: Battle, weapon: WeaponFacts | None) -> float:
    """Return the Range that a weapon is printed with, 0 in melee."""
    return 0.0 if weapon is None else weapon.range or 0.0


@word(clause="DATASHEET.spore-laced-shock-waves", looks_up=("actor", "shots"))
def near_target_of(battle: Battle, unit: Unit, weapon: str, inches: float, context: Context) -> bool:
    """Return whether a weapon was just declared at a unit, or at one within this distance of it."""
    attacker, shots = context["actor"], context["shots"] or ()
    names = {shot.target for shot in shots if is_named(attacker.weapon(shot.weapon).name, (weapon,))}
    if unit.id in names:
        return True
    others = [each for each in battle.state.position.on_table() if each.id in names]
    return any(within(battle.field.gap(unit, other), inches) for other in others)


@word(looks_up=("cause",))
def by_attack(battle: Battle, context: Context) -> bool:
    """Return whether an attack did what has just happened to a model. Rule: CORE.ATK.5"""
    return context["cause"] in OF_ATTACKS


@word(clause="CORE.STR.8")
def overwatch_need(battle: Battle, unit: Unit) -> int:
    """Return the unmodified roll on which a unit hits in Overwatch. Rule: CORE.STR.8"""
    return int(battle.query.number("attack.overwatch-need", 6, unit=unit, attacker=unit).value)
