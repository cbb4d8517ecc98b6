"""The answers in a position to all that a clause of an ability may change.

Owns which things of the table a number is asked about. The rules' answers are `engine.records.query`'s.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from datasheets.rule import Ask, Clause, Grant, Modify
from engine.core.facts import WeaponFacts
from engine.core.state import Model, Unit
from engine.w40k.battle import Battle

PRINTED = {
    "unit.move": "M",
    "unit.leadership": "Ld",
    "model.toughness": "T",
    "model.save": "Sv",
    "model.oc": "OC",
}
"""The characteristic that a number begins with."""
BASES = {
    "attack.critical-hit": 6,
    "attack.critical-wound": 6,
    "attack.overwatch-need": 6,
    "model.feel-no-pain": 7,
    "model.invulnerable": 7,
    "model.last-attack": 7,
    "model.last-shots": 7,
    "unit.battle-shock-dice": 2,
    "stratagem.price": 2,
    "weapon.damage": 5,
    "weapon.range": 24,
}
"""The value of a number that nothing changes; 0 for those not named."""
OF_ROLLS = "roll."
SHIFTS = (0, -1, 1)
"""What other rules may have added to a roll already."""
OF_SEATS = ("stratagem.",)
OF_MODELS = ("unit.", "model.", "roll.")
OF_AURAS = ("aura.",)
OF_MOVES = ("move.",)
KINDS_OF_MOVE = ("normal", "advance", "fall-back", "charge")
"""The kinds of move in which a number or a permission is asked."""
OF_PAIRS = ("be-targeted", "gain-cover")
"""The questions about a unit and one that attacks it."""
OF_CHARGES = ("roll.charge-modifier",)
"""The numbers about a charge, which has targets."""
OF_ATTACKS = ("ignore-skill-modifiers", "ignore-hit-modifiers", "shoot-into-combat", "combat-penalty")
"""The questions about attacks."""
Answers = dict[str, float]
"""By what was asked, the answer: a number, 1 for yes, 0 for no."""


def answers(battle: Battle, clause: Clause) -> Answers:
    """Return the present answers to all that a clause may change; none for one that acts."""
    if isinstance(clause, Modify):
        return dict(_numbers(battle, clause.number))
    if isinstance(clause, Grant):
        return dict(_gifts(battle, clause))
    if isinstance(clause, Ask):
        return dict(_permissions(battle, clause.question))
    return {}


def _numbers(battle: Battle, number: str) -> Iterator[tuple[str, float]]:
    ask = battle.query.number
    if number.startswith(OF_MODELS):
        for unit in _units(battle):
            for model in _models(battle, unit):
                printed = model.facts.characteristics.get(PRINTED.get(number, ""), BASES.get(number, 0))
                for base in _shifted(number, printed):
                    for name, names in (*_attacked(battle, unit), *_charges(battle, number, unit)):
                        found = ask(number, base, unit=unit, target=unit, model=model, **names)
                        before = f" from {base:+g}" if base != printed else ""
                        yield f"{number} of {_called(unit, model)}{name}{before}", found.value
        return
    if number.startswith(OF_SEATS):
        for seat in battle.state.players:
            for unit in (each for each in _units(battle) if each.player == seat):
                for rule in _stratagems(battle):
                    found = ask(number, BASES.get(number, 0), seat=seat, unit=unit, rule=rule)
                    yield f"{number} of '{rule}' of {seat} on {unit.id}", found.value
        return
    if number.startswith(OF_MOVES):
        for unit, enemy in _pairs(battle):
            for kind in KINDS_OF_MOVE:
                for model in _models(battle, enemy):
                    found = ask(number, 0, unit=unit, target=enemy, model=model, kind=kind)
                    yield f"{number} of {unit.id} from {_called(enemy, model)} in {kind}", found.value
        return
    if number.startswith(OF_AURAS):
        for unit in _units(battle):
            for rule in (name for part in unit.facts.parts for name in part.rules):
                yield f"{number} of {rule} of {unit.id}", ask(number, 6, unit=unit, what=rule).value
        return
    for name, names in _attacks(battle):
        weapon, base = names["weapon"], float(BASES.get(number, 0))
        if number in ("weapon.strength", "weapon.skill", "weapon.ap"):
            said = getattr(weapon, number.removeprefix("weapon."))
            base = float(said) if isinstance(said, int) else base
        yield f"{number} of {name}", ask(number, base, **names, unit=names["attacker"]).value


def _shifted(number: str, base: float) -> tuple[float, ...]:
    """Return the values with which a number is asked; a roll may be changed already."""
    return tuple(base + shift for shift in SHIFTS) if number.startswith(OF_ROLLS) else (base,)


def _attacks(battle: Battle) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each attack of a kind of model with a weapon at an enemy, by what it is called."""
    for attacker, target in _pairs(battle):
        for model in _models(battle, attacker):
            for place in dict.fromkeys(model.facts.weapons):
                weapon = attacker.weapon(place)
                names = {"attacker": attacker, "target": target, "weapon": weapon, "melee": weapon.is_melee}
                names |= {"model": model, "victim": battle.state.position.alive(target)[0]}
                yield f"{_called(attacker, model)} with {_arm(attacker, weapon)} at {target.id}", names


def _attacked(battle: Battle, unit: Unit) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the ways to ask for a number of models: plainly, and as each enemy attacks them."""
    yield "", {}
    yield " by a mortal wound", {"mortal": True}
    for attacker, target in _pairs(battle):
        if target is unit:
            for weapon in attacker.facts.weapons:
                names = {"attacker": attacker, "weapon": weapon, "melee": weapon.is_melee, "attack": True}
                yield f" attacked by {attacker.id} with {_arm(attacker, weapon)}", names


def _charges(battle: Battle, number: str, unit: Unit) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the charges of a unit at each enemy, where a number is one of charges."""
    if number in OF_CHARGES:
        yield from ((f" at {foe.id}", {"targets": (foe.id,)}) for one, foe in _pairs(battle) if one is unit)


def _gifts(battle: Battle, gift: Grant) -> Iterator[tuple[str, float]]:
    if gift.weapon:
        for attacker, target in _pairs(battle):
            for model in _models(battle, attacker):
                for place in dict.fromkeys(model.facts.weapons):
                    scored = {"critical_hit": True, "critical_wound": True}
                    has = battle.query.weapon_keywords(attacker, model.row, place, target, **scored)
                    arm = _arm(attacker, attacker.weapon(place))
                    name = f"{arm} of {_called(attacker, model)} at {target.id}"
                    yield f"'{gift.weapon}' on {name}", float(gift.weapon in has)
        return
    for unit in _units(battle):
        if gift.ability:
            yield (
                f"'{gift.ability}' of {unit.id}",
                float(battle.query.has_ability(unit, gift.ability) == gift.ability),
            )
        else:
            yield f"{gift.keyword} of {unit.id}", float(battle.query.granted_keyword(unit, gift.keyword))


def _permissions(battle: Battle, question: str) -> Iterator[tuple[str, float]]:
    may = battle.query.may
    if question in OF_PAIRS:
        for attacker, target in _pairs(battle):
            for model in _models(battle, attacker):
                yes = may(question, unit=target, target=target, attacker=attacker, model=model)
                yield f"'{question}' of {target.id} by {_called(attacker, model)}", float(yes)
        return
    if question in OF_ATTACKS:
        yield from (
            (f"'{question}' of {name}", float(may(question, **names))) for name, names in _attacks(battle)
        )
        return
    for unit in _units(battle):
        for model in _models(battle, unit):
            for name, names in _abouts(battle, question, unit):
                yes = may(question, unit=unit, model=model, **names)
                yield f"'{question}' of {_called(unit, model)}{name}", float(yes)


def _abouts(battle: Battle, question: str, unit: Unit) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what else a question about a unit names, each by what it is called."""
    if question == "repeat-stratagem":
        for rule in _stratagems(battle):
            yield f" with '{rule}'", {"seat": unit.player, "rule": rule}
    elif question in ("move-through-terrain", "move-over-models"):
        pieces = {"terrain": battle.state.position.terrain.values()}
        others = {"target": [each for each in _units(battle) if each is not unit]}
        ((key, things),) = (pieces if "terrain" in question else others).items()
        for kind in KINDS_OF_MOVE:
            yield from ((f" over {each.id} in {kind}", {key: each, "kind": kind}) for each in things)
    elif question == "height-counts":
        yield from ((f" in {kind}", {"kind": kind}) for kind in KINDS_OF_MOVE)
    elif question == "have-ability":
        known = {
            ability for each in _units(battle) for part in each.facts.parts for ability in part.abilities
        }
        yield from ((f" to '{ability}'", {"what": ability}) for ability in sorted(known))
    else:
        yield "", {}


def _stratagems(battle: Battle) -> tuple[str, ...]:
    """Return the ids of the Stratagems, and "" for any other."""
    return ("", *(rule.id for rule in battle.rulebook.rules if "stratagem" in rule.tags))


def _units(battle: Battle) -> list[Unit]:
    return [unit for unit in battle.state.position.units.values() if unit.where == "table"]


def _pairs(battle: Battle) -> Iterator[tuple[Unit, Unit]]:
    """Yield each unit on the table with each enemy of it there."""
    units = _units(battle)
    yield from ((one, other) for one in units for other in units if one.side != other.side)


def _models(battle: Battle, unit: Unit) -> list[Model]:
    """Return the first living model of each part of a unit, and of each kind of weapons in it."""
    first: dict[tuple[int, tuple[int, ...]], Model] = {}
    for model in battle.state.position.alive(unit):
        first.setdefault((model.facts.part, model.facts.weapons), model)
    return list(first.values())


def _called(unit: Unit, model: Model) -> str:
    return f"{unit.id}:{model.facts.name}"


def _arm(unit: Unit, weapon: WeaponFacts) -> str:
    """Return what a weapon of a unit is called; one for shots and for melee has a name for both."""
    is_both = [each.name for each in unit.facts.weapons].count(weapon.name) > 1
    return f"{weapon.name} in melee" if is_both and weapon.is_melee else weapon.name
