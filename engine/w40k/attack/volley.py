"""Declared attacks, grouped as volleys of attacks that are alike.

A volley says what attacks which target with which weapon, as things stood when it was declared. It rolls
nothing; `engine.w40k.attack.attack_sequence` carries volleys out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from engine.core.event import Shot
from engine.core.facts import WeaponFacts
from engine.core.state import Model, Unit
from engine.records.clauses import DEFENDS
from engine.w40k.activation.amount import roll_amount
from engine.w40k.attack.damage import feel_no_pain, is_character
from engine.w40k.numbers import OF_ATTACKS
from geometry.measure.distance import within
from geometry.measure.region import base_within
from geometry.tolerance import TOLERANCE

if TYPE_CHECKING:
    from engine.w40k.battle import Battle

PLUNGING_HEIGHT = 6.0
TOWERING_REACH = 12.0
"""How near, in inches, a target must be for TOWERING models to have plunging fire."""


class Volley(msgspec.Struct, frozen=True):
    """Attacks that are alike: one profile of some models of a unit against one target.

    Rule: CORE.ATK.8.
    """

    attacker: Unit
    target: Unit
    weapon: WeaponFacts
    keywords: tuple[str, ...]
    models: tuple[int, ...]
    melee: bool
    near: bool
    """Within half the weapon's range."""
    unseen: bool
    """Indirect fire at a unit that none of the attackers sees."""
    size: int
    """How many models the target had when the attacks were declared."""
    toughness: int
    """The target's Toughness when the attacks were declared.

    The bodyguard's Toughness counts until all attacks are made.
    """
    leaders: tuple[int, ...] = ()
    """CHARACTER models on which Precision may put the wounds."""
    model: Model | None = None
    """One of the attackers, all of one part of the unit.

    A bearer of an enhancement is alone, and so is a model that may be damaged meanwhile.
    """
    plunging: bool = False
    """From high up in a ruin at a target on the ground."""
    place: int = 0
    """The place of the weapon among the attacker's."""
    critical_hit: bool = False
    critical_wound: bool = False

    def has(self, ability: str) -> bool:
        """Return whether the attacks have a weapon ability, whatever its number."""
        return any(k == ability or k.startswith(ability + " ") for k in self.keywords)

    def extra(self, battle: Battle, ability: str, times: int = 1) -> list[int]:
        """Return the number of a weapon ability, once for each of `times`.

        It is rolled each time where it is a roll ("sustained hits d3"), and 0 where there is none.
        """
        for keyword in self.keywords:
            if keyword.startswith(ability + " "):
                text = keyword.removeprefix(ability + " ").upper()
                kind = ability.replace(" ", "-")
                return [roll_amount(battle, text, kind, unit=self.attacker.id) for _ in range(times)]
        return [0] * times

    def source(self, battle: Battle, ability: str, clause: str) -> str:
        """Return the clause that gives the attacks an ability: its own where it is printed."""
        names = {**self.context, "unit": self.attacker}
        return battle.query.giver(ability, self.weapon.keywords, **names) or clause

    @property
    def credit(self) -> str:
        """Return the seat to which what it destroys is credited."""
        return self.attacker.player if self.attacker.side == "players" else ""

    @property
    def dealer(self) -> int | None:
        """Return the row of the model that deals the damage, or of one from which all is alike."""
        return None if self.model is None else self.model.row

    @property
    def context(self) -> dict[str, object]:
        """Return what rules may ask of the attack."""
        return {
            "attacker": self.attacker,
            "target": self.target,
            "weapon": self.weapon,
            "melee": self.melee,
            "model": self.model,
            "critical_hit": self.critical_hit,
            "critical_wound": self.critical_wound,
        }


def group(battle: Battle, attacker: Unit, shots: tuple[Shot, ...], melee: bool) -> list[Volley]:
    """Return the declared shots as volleys of like attacks, in the order of their declaration.

    What matters later is read now: range, sight, Toughness, size. Rule: CORE.SHOOT.3, CORE.WPN.BLAST.
    """
    like: dict[tuple[Any, ...], list[int]] = {}
    places: dict[tuple[Any, ...], int] = {}
    for shot in shots:
        target = battle.state.position.units[shot.target]
        weapon = attacker.weapon(shot.weapon)
        keywords = battle.query.weapon_keywords(attacker, shot.model, shot.weapon, target)
        near = not melee and _is_near(battle, attacker, shot.model, target, weapon)
        is_precise = "precision" in keywords or _may_be_precise(battle, attacker, shot, target)
        leaders = _leaders(battle, attacker, shot.model, target) if is_precise else ()
        high = not melee and _plunges(battle, attacker, shot.model, target)
        model = battle.state.position.models[shot.model]
        alone = shot.model if model.facts.damaged else -1
        # What a leader does is not its bodyguard's deed. Rule: SEC.16
        part = model.facts.part
        changes = _changes(battle, attacker, shot.model, weapon, target)
        wards = () if melee else _wards(battle, attacker, shot.model, weapon, target)
        key = (shot.target, weapon, keywords, near, leaders, high, alone, part, changes, wards)
        like.setdefault(key, []).append(shot.model)
        places.setdefault(key, shot.weapon)
    volleys = []
    for key, models in like.items():
        target_id, weapon, keywords, near, leaders, high, *_ = key
        target = battle.state.position.units[target_id]
        unseen = (
            not melee and "indirect fire" in keywords and not battle.field.visible(attacker, target).any()
        )
        volleys.append(
            Volley(
                attacker,
                target,
                weapon,
                keywords,
                tuple(models),
                melee,
                near,
                unseen,
                len(target.rows),
                toughness_of(battle, target),
                leaders,
                battle.state.position.models[models[0]],
                high,
                places[key],
            )
        )
    return volleys


def tells_apart(battle: Battle, critical: str) -> bool:
    """Return whether a rule in force changes attacks that scored such a critical."""
    return critical in battle.query.in_force.looked_at(OF_ATTACKS, armed=True)


def _may_be_precise(battle: Battle, attacker: Unit, shot: Shot, target: Unit) -> bool:
    """Return whether an attack has Precision where it scores a critical. Rule: CORE.WPN.PREC"""
    if not any(tells_apart(battle, each) for each in ("critical_hit", "critical_wound")):
        return False
    scored = {"critical_hit": True, "critical_wound": True}
    return "precision" in battle.query.weapon_keywords(attacker, shot.model, shot.weapon, target, **scored)


def _changes(battle: Battle, attacker: Unit, row: int, weapon: WeaponFacts, target: Unit) -> Any:
    """Return how the rules in force change a model's attacks, if not as its unit's others.

    Rule: CORE.ATK.8
    """
    if battle.query.in_force.told_by(attacker, row, OF_ATTACKS) < 0:
        return ()
    model = battle.state.position.models[row]
    names = {"attacker": attacker, "target": target, "weapon": weapon, "melee": weapon.is_melee}
    return battle.query.about(**names, model=model).effects(OF_ATTACKS)


def _wards(battle: Battle, attacker: Unit, row: int, weapon: WeaponFacts, target: Unit) -> tuple[int, ...]:
    """Return the Feel No Pain of the target's models against one model's attacks with a weapon.

    Nothing where no rule tells those apart that deal the damage.
    """
    if "dealer" not in battle.query.in_force.looked_at(("model.feel-no-pain",), target, DEFENDS):
        return ()
    return tuple(
        feel_no_pain(battle, target, model, by=attacker.id, dealer=row, weapon=weapon)
        for model in battle.state.position.alive(target)
    )


def _is_near(battle: Battle, attacker: Unit, row: int, target: Unit, weapon: WeaponFacts) -> bool:
    """Return whether the target is within half the weapon's range.

    Rule: CORE.WPN.RF, CORE.WPN.MELTA.
    """
    gaps = battle.field.gaps(attacker, target)
    return bool(within(float(gaps[attacker.rows.index(row)].min()), battle.query.reach(attacker, weapon) / 2))


def _leaders(battle: Battle, attacker: Unit, row: int, target: Unit) -> tuple[int, ...]:
    """Return the CHARACTERs of an Attached unit that a model sees, the weakest first.

    Rule: CORE.WPN.PREC, R.A46.
    """
    if not target.is_attached:
        return ()
    seen = battle.field.visible(attacker, target)[attacker.rows.index(row)]
    models: list[Model] = [
        battle.state.position.models[r]
        for r, is_seen in zip(target.rows, seen, strict=True)
        if is_seen and is_character(target, battle.state.position.models[r])
    ]
    return tuple(m.row for m in sorted(models, key=lambda m: (m.wounds, m.row)))


def _plunges(battle: Battle, attacker: Unit, row: int, target: Unit) -> bool:
    """Return whether a model fires from 6" up, wholly within a ruin, at a target on the ground.

    Ruling `shoot.towering_plunges`: "within_12" has TOWERING models do so from the ground. Rule: CORE.TER.7.
    """
    z = battle.state.position.table.z
    if z[list(target.rows)].max() > TOLERANCE:
        return False
    towers = battle.ruling("shoot.towering_plunges") == "within_12" and attacker.has("TOWERING")
    if towers and within(battle.field.gaps(attacker, target)[attacker.rows.index(row)].min(), TOWERING_REACH):
        return True
    if z[row] < PLUNGING_HEIGHT - TOLERANCE:
        return False
    base = battle.state.position.table.outlines((row,))
    ruins = [t for t in battle.state.position.terrain.values() if t.kind == "ruin"]
    return any(bool(base_within(ruin.footprint, base)[0]) for ruin in ruins)


def toughness_of(battle: Battle, unit: Unit) -> int:
    """Return the highest Toughness of the bodyguard, or of what is left. Rule: CORE.ATK.3."""
    models = battle.state.position.alive(unit)
    guards = [m for m in models if m.facts.part == 0] or models
    return max(m.facts.characteristics.get("T", 1) for m in guards)
