"""Which weapons of a unit may shoot now, and at which enemies."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from engine.core.facts import WeaponFacts
from engine.core.request import Line
from engine.core.state import Unit
from engine.w40k.attack import firing_deck
from geometry.measure.distance import within
from geometry.shape.cached import cached_property

if TYPE_CHECKING:
    from engine.w40k.battle import Battle

LONE_OPERATIVE_RANGE = 12.0
DECK = "deck:"
"""The beginning of the group of a line that a model inside the unit fires.

The row of that model follows.
"""


def lines(battle: Battle, unit: Unit) -> tuple[Line, ...]:
    """Return every weapon of the unit that may shoot, with its legal targets.

    Rule: CORE.SHOOT.1 to CORE.SHOOT.7, CORE.WPN.ASSAULT, CORE.WPN.PIST, CORE.STR.5.
    """
    return tuple(_lines(battle, unit)) if _eligible(battle, unit) else ()


def lines_of_models(battle: Battle, unit: Unit, target: Unit | None = None) -> tuple[Line, ...]:
    """Return every weapon that may be fired, or at one enemy, were the unit eligible to shoot."""
    return tuple(line for line in _lines(battle, unit, target) if not line.group.startswith(DECK))


def has_shots(battle: Battle, unit: Unit) -> bool:
    """Return whether any weapon of the unit may shoot at anything.

    The search ends at the first weapon that may.
    """
    return _eligible(battle, unit) and next(_lines(battle, unit), None) is not None


def _lines(battle: Battle, unit: Unit, only: Unit | None = None) -> Iterator[Line]:
    """Yield the weapons that may be fired, each with its targets, or with one enemy alone."""
    engaged = {enemy.id for enemy in battle.field.engaged_with(unit)}
    big = unit.has("MONSTER") or unit.has("VEHICLE")
    hurried = "advanced" in unit.marks and not battle.query.may("shoot-after-advance", unit=unit)
    targets: Targets | None = None
    for i, row, place, copy, item in _guns(battle, unit):
        weapon = unit.weapon(place)
        if copy < unit.marks.count(f"one-shot:{row}:{place}"):
            continue
        keywords = battle.query.weapon_keywords(unit, row, place, None)
        if hurried and "assault" not in keywords:
            continue
        if engaged and not big and "pistol" not in keywords:
            continue
        # Whoever has no gun to fire need not look.
        targets = targets or Targets(battle, unit, engaged, big, only)
        legal = targets.of(i, weapon, keywords)
        if legal:
            kind = "" if big else ("pistol" if "pistol" in keywords else "gun")
            yield Line(model=row, weapon=place, targets=legal, group=item, set=kind)


def _guns(battle: Battle, unit: Unit) -> Iterator[tuple[int, int, int, int, str]]:
    """Yield which model fires (number and row), which weapon and copy of it, and its item.

    A model on the Firing Deck fires as the unit's first model, one weapon each. Rule: CORE.TRN.5
    """
    models = battle.state.position.alive(unit)
    for i, model in enumerate(models):
        if not battle.query.may("fire", unit=unit, model=model):
            continue
        for place, copy in copies(model.facts.weapons):
            weapon = unit.weapon(place)
            if not weapon.is_melee:
                yield i, model.row, place, copy, f"{model.row}:{weapon.item or weapon.name}:{copy}"
    for gun in firing_deck.guns(battle, unit):
        yield 0, models[0].row, gun.place, 0, f"{DECK}{gun.model.row}"


def lines_at(battle: Battle, unit: Unit, target: Unit) -> tuple[Line, ...]:
    """Return every weapon that may be fired at one enemy that the unit sees. Rule: CORE.STR.8."""
    return tuple(_lines_at(battle, unit, target))


def could_shoot(battle: Battle, unit: Unit, target: Unit) -> bool:
    """Return whether any weapon may be fired at one enemy that the unit sees. Rule: CORE.STR.8"""
    return next(_lines_at(battle, unit, target), None) is not None


def _lines_at(battle: Battle, unit: Unit, target: Unit) -> Iterator[Line]:
    if _eligible(battle, unit) and battle.field.visible(unit, target).any():
        yield from _lines(battle, unit, target)


@lru_cache(maxsize=1024)
def copies(weapons: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """Return each weapon of a model with its number among those that are alike.

    A model may carry two of one weapon.
    """
    return tuple((place, weapons[:i].count(place)) for i, place in enumerate(weapons))


def _eligible(battle: Battle, unit: Unit) -> bool:
    """Return whether the unit may shoot at all, whatever is in range.

    Rule: CORE.SHOOT.1, ACTION.2, CORE.ACT.2.
    """
    if "shot" in unit.marks or "action" in unit.marks or unit.where != "table":
        return False
    return "fell-back" not in unit.marks or battle.query.may("shoot-after-fall-back", unit=unit)


def may_shoot_nothing(battle: Battle, unit: Unit) -> bool:
    """Return whether a unit without a target may be selected to shoot, to do something instead.

    Rule: CORE.SHOOT.1
    """
    if not battle.query.may("shoot-nothing", unit=unit) or not _eligible(battle, unit):
        return False
    if "advanced" in unit.marks and not battle.query.may("shoot-after-advance", unit=unit):
        return False
    return unit.has("MONSTER") or unit.has("VEHICLE") or not battle.field.engaged_with(unit)


def is_eligible_to_shoot(battle: Battle, unit: Unit) -> bool:
    """Return whether the unit is eligible to shoot, as actions ask. Rule: ACTION.1, CORE.ACT.1."""
    if not _eligible(battle, unit) or battle.field.engaged_with(unit):
        return False
    return "advanced" not in unit.marks or battle.query.may("shoot-after-advance", unit=unit)


class Targets:
    """The legal targets of one unit's weapons, worked out once for all of them."""

    def __init__(
        self, battle: Battle, unit: Unit, engaged: set[str], big: bool, only: Unit | None = None
    ) -> None:
        """Look at every enemy from the unit, or at one alone."""
        self.battle = battle
        self.engaged = engaged
        self.big = big
        self.unit = unit
        self.outlook = battle.field.outlook(unit)
        self.gaps, self.seen = self.outlook.nearest, self.outlook.nearest_seen
        enemies = battle.field.enemies(unit) if only is None else (only,)
        self.enemies = [enemy for enemy in enemies if enemy.rows]

    @classmethod
    def of_unit(cls, battle: Battle, unit: Unit) -> Targets:
        """Return the targets of a unit as it stands."""
        engaged = {enemy.id for enemy in battle.field.engaged_with(unit)}
        return cls(battle, unit, engaged, unit.has("MONSTER") or unit.has("VEHICLE"))

    @cached_property
    def held(self) -> set[str]:
        """Return the enemies in combat with any unit of the own side."""
        return {e.id for e in self.enemies if self.battle.field.is_engaged(e)}

    @cached_property
    def lone(self) -> set[str]:
        """Return the enemies that can be shot from nearby only. Rule: CORE.ABL.LONE"""
        has_ability = self.battle.query.has_ability
        return {e.id for e in self.enemies if not e.is_attached and has_ability(e, "lone operative")}

    @cached_property
    def tough(self) -> set[str]:
        """Return the enemies that are targets even in combat. Rule: CORE.SHOOT.4"""
        return {e.id for e in self.enemies if e.has("MONSTER") or e.has("VEHICLE")}

    @cached_property
    def guarded(self) -> bool:
        """Return whether a rule in force says what may not be targeted."""
        return "be-targeted" in self.battle.query.in_force.questions

    def _may_be_targeted(self, enemy: str, model: int) -> bool:
        """Return whether the rules in force let the unit's n-th model target an enemy."""
        position = self.battle.state.position
        target, shooter = position.units[enemy], position.alive(self.unit)[model]
        return self.battle.query.may("be-targeted", target=target, attacker=self.unit, model=shooter)

    @cached_property
    def lifted(self) -> bool:
        """Return whether a rule in force lets somebody shoot at what is in combat."""
        return "shoot-into-combat" in self.battle.query.in_force.questions

    def _may_shoot_into_combat(self, enemy: str, weapon: WeaponFacts) -> bool:
        """Return whether the rules in force lift what bars shots at an enemy in combat."""
        target = self.battle.state.position.units[enemy]
        about = {"target": target, "attacker": self.unit, "weapon": weapon}
        return self.lifted and self.battle.query.may("shoot-into-combat", **about)

    def of(self, model: int, weapon: WeaponFacts, keywords: tuple[str, ...]) -> tuple[str, ...]:
        """Return the units at which the unit's n-th model may fire a weapon with these abilities."""
        reach = self.battle.query.reach(self.unit, weapon)
        return tuple(
            e.id
            for e in self.enemies
            if self._is_in_reach(e.id, model, reach, keywords) and self._legal(e.id, model, weapon, keywords)
        )

    def _is_in_reach(self, enemy: str, model: int, reach: float, keywords: tuple[str, ...]) -> bool:
        """Return whether an enemy is in range, and seen unless by indirect fire."""
        gaps = self.gaps if "indirect fire" in keywords else self.seen
        return bool(within(gaps[enemy][model], reach))

    def _legal(self, enemy: str, model: int, weapon: WeaponFacts, keywords: tuple[str, ...]) -> bool:
        """Return whether an enemy in reach is a legal target.

        Rule: CORE.SHOOT.2, CORE.SHOOT.4, CORE.SHOOT.6, CORE.ABL.LONE, CORE.WPN.IND.
        """
        if enemy in self.lone and not within(self.gaps[enemy][model], LONE_OPERATIVE_RANGE):
            return False
        if self.guarded and not self._may_be_targeted(enemy, model):
            return False
        if self.engaged and not self.big and enemy not in self.engaged:
            return False
        if enemy not in self.held:
            return True
        is_open = "blast" not in keywords and (enemy in self.engaged or enemy in self.tough)
        return is_open or self._may_shoot_into_combat(enemy, weapon)
