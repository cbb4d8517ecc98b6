"""What attacks and dangers are worth, in points of units: the autopilot's one measure.

Owns expected trades between units. It decides nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from itertools import accumulate
from typing import Any, NamedTuple, TypeVar

import msgspec
import numpy as np
from msgspec.structs import replace

from ai.reckoning.armament import guns
from ai.reckoning.expectation import expected_damage, models_of
from engine.core.facts import ModelFacts
from engine.core.state import Unit
from engine.w40k.numbers import OF_ATTACKS
from engine.w40k.view import View
from geometry.measure.distance import gaps, within
from geometry.portable import sum_of
from geometry.shape.base import Floats
from geometry.tolerance import TOLERANCE

T = TypeVar("T")

SHELTERED = 0.3
"""How much of an enemy's attack counts against a unit that stands behind a friend."""


HIDDEN = 0.35
"""How much of an enemy's fire counts where the enemy does not see the place now."""


CLOSER = ("melta", "rapid fire")
"""The weapon abilities to which half range makes a difference."""


AT_LEAST = tuple(sum(max(0, 6 - abs(7 - total)) for total in range(need, 13)) / 36 for need in range(14))
"""The chances that 2D6 show at least 0, 1, 2, … 13."""


class Gun(msgspec.Struct, frozen=True):
    """A ranged weapon of a model, by the model's place in the unit, with its reach."""

    place: int
    row: int
    weapon: int
    reach: float


class Near(msgspec.Struct, frozen=True):
    """The distances from a unit at some place to each enemy, by the enemy's id.

    `of_models` has one for each of the unit's models, `closest` has the least of them.
    """

    of_models: dict[str, list[float]]
    closest: dict[str, float]


class Purse(NamedTuple):
    """What attacks may take from a unit: the wounds that it has left, and what each is worth."""

    left: int
    worth: float

    def taken(self, damage: float) -> float:
        """Return the points that this much expected damage takes."""
        return min(damage, self.left) * self.worth


class Appraisal(msgspec.Struct, frozen=True, dict=True):
    """What units and their attacks are worth to one seat, while one question is answered."""

    view: View
    known: dict[Hashable, Any] = msgspec.field(default_factory=dict)

    def _once(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return what `make` gives, worked out once: nothing changes while a question is answered."""
        if key not in self.known:
            self.known[key] = make()
        found: T = self.known[key]
        return found

    def _kept(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return what `make` gives, worked out once for all questions until something moves."""
        return self._once(key, lambda: self.view.remembered(key, make))

    def told_by(self, unit: Unit, row: int) -> int:
        """Return what tells the attacks of a model from those of its unit's others, -1 for nothing."""
        return self.view.told_by(unit, row, OF_ATTACKS, armed=True)

    def enemies(self, unit: Unit) -> list[Unit]:
        """Return the unit's enemies on the battlefield."""
        return self._once(("enemies", unit.id), lambda: self.view.enemies(unit))

    def worth_of_wound(self, unit: Unit) -> float:
        """Return the points that one wound of the unit is worth."""
        return self._once(("worth", unit.id), lambda: max(unit.facts.points, 1) / max(_wounds(unit), 1))

    def wounds_left(self, unit: Unit) -> int:
        """Return the wounds that the unit has left."""
        return sum([self.view.wounds(row) for row in unit.rows])

    def worth(self, unit: Unit) -> float:
        """Return the points that what is left of the unit is worth."""
        return self.worth_of_wound(unit) * self.wounds_left(unit)

    def trade(self, damage: float, target: Unit) -> float:
        """Return the points that this much expected damage takes from the target."""
        return self.purse(target).taken(damage)

    def purse(self, unit: Unit) -> Purse:
        """Return what attacks may take from the unit."""
        return self.view.meanwhile(
            ("purse", unit.id), lambda: Purse(self.wounds_left(unit), self.worth_of_wound(unit))
        )

    def damage(self, unit: Unit, row: int, weapon: int, target: Unit, near: bool = False) -> float:
        """Return the expected damage of one weapon at a target."""
        bearer = self.told_by(unit, row)
        key = ("damage", unit.id, bearer, weapon, target.id, near)
        known: float | None = self.known.get(key)
        if known is None:
            known = self.known[key] = self.view.remembered(
                (*key, self.view.set_of_rules()),
                lambda: expected_damage(self.view, unit, row, weapon, target, half_range=near),
            )
        return known

    def melee(self, unit: Unit, target: Unit) -> float:
        """Return the mean damage of all models of the unit in one fight with the target."""
        key = ("melee", unit.id, target.id)
        return self.view.remembered(key, lambda: self._struck(unit, target))

    def _struck(self, unit: Unit, target: Unit) -> float:
        """Return the mean damage of all models of the unit.

        Models that carry the same weapons strike alike, unless a rule tells them apart.
        """
        known: dict[Hashable, float] = {}
        total = 0.0
        for model in models_of(unit):
            key = (self.told_by(unit, model.row), model.weapons)
            if key not in known:
                known[key] = self._strikes(unit, model, target)
            total += known[key]
        return total

    def _strikes(self, unit: Unit, model: ModelFacts, target: Unit) -> float:
        best, extra = 0.0, 0.0
        for i in model.weapons:
            weapon = unit.weapon(i)
            if not weapon.is_melee:
                continue
            damage = self.damage(unit, model.row, i, target)
            if "extra attacks" in weapon.keywords:
                extra += damage
            else:
                best = max(best, damage)
        return best + extra

    def guns(self, unit: Unit) -> list[Gun]:
        """Return the ranged weapons of the unit's models."""
        return self._kept(
            ("guns", unit.id),
            lambda: [
                Gun(place, model.row, i, self.view.reach(unit, unit.weapon(i)))
                for place, model in enumerate(models_of(unit))
                for i in guns(unit, model)
            ],
        )

    def shots(self, unit: Unit, target: Unit) -> float:
        """Return the damage that all guns of the unit deal to the target on average."""
        return self.of_guns(unit, lambda gun: self.damage(unit, gun.row, gun.weapon, target))

    def of_guns(self, unit: Unit, worth: Callable[[Gun], float]) -> float:
        """Return the total worth of the unit's guns.

        `worth` is asked once for guns that are alike.
        """
        known: dict[tuple[int, int], float] = {}
        total = 0.0
        for gun in self.guns(unit):
            key = (self.told_by(unit, gun.row), gun.weapon)
            if key not in known:
                known[key] = worth(gun)
            total += known[key]
        return total

    def reach(self, unit: Unit) -> float:
        """Return how far the longest of the unit's guns reaches."""
        return self._kept(
            ("reach", unit.id), lambda: max((gun.reach for gun in self.guns(unit)), default=0.0)
        )

    def threat(self, unit: Unit) -> float:
        """Return how far the unit's fire may reach in its next turn; -1 if it has no guns."""

        def reckoned() -> float:
            reach = self.reach(unit)
            return reach + self.move_of(unit) if reach else -1.0

        return self._once(("threat", unit.id), reckoned)

    def measure(self, unit: Unit, places: Sequence[Floats]) -> None:
        """Measure the distances from many places at once, before the places are valued.

        That costs little more than to measure from one place.
        """
        for ends, near in zip(places, self._measured(unit, places), strict=True):
            self.known["near", unit.id, ends.tobytes()] = near

    def _near(self, unit: Unit, ends: Floats) -> Near:
        return self._once(("near", unit.id, ends.tobytes()), lambda: self._measured(unit, [ends])[0])

    def apart(self, unit: Unit, ends: Floats) -> dict[str, float]:
        """Return the distance from the unit at these places to each enemy, by the closest models."""
        return self._near(unit, ends).closest

    def _measured(self, unit: Unit, places: Sequence[Floats]) -> list[Near]:
        """Return how near the enemies are to the unit at each of these places."""
        enemies = [enemy for enemy in self.enemies(unit) if enemy.rows]
        nowhere = {enemy.id: np.inf for enemy in self.enemies(unit)}
        if not enemies:
            return [Near({}, nowhere)] * len(places)
        names, count = [enemy.id for enemy in enemies], len(unit.rows)
        own = self.view.bases(unit).take(list(range(count)) * len(places))
        foes = self.view.field.outlines(self.view.field.rows(enemies))
        apart = gaps(replace(own, xy=np.concatenate(places)), foes)
        firsts = list(accumulate((len(enemy.rows) for enemy in enemies[:-1]), initial=0))
        by_model = np.minimum.reduceat(apart, firsts, axis=1).reshape(len(places), count, len(enemies))
        return [
            Near(
                dict(zip(names, each.T.tolist(), strict=True)),
                nowhere | dict(zip(names, each.min(axis=0).tolist(), strict=True)),
            )
            for each in by_model
        ]

    def shooting(self, unit: Unit, ends: Floats, seen: dict[str, bool]) -> float:
        """Return the points that the unit's guns take on average from these places.

        `seen` tells which enemy units are visible from there.
        """
        of_models, guns = self._near(unit, ends).of_models, self.guns(unit)
        best = [0.0] * len(guns)
        for enemy in self.enemies(unit):
            if not seen.get(enemy.id):
                continue
            apart, purse = of_models[enemy.id], self.purse(enemy)
            taken: dict[tuple[int, int, bool], float] = {}
            for i, gun in enumerate(guns):
                if within(apart[gun.place], gun.reach):
                    half = within(apart[gun.place], gun.reach / 2)
                    alike = (self.told_by(unit, gun.row), gun.weapon, half)
                    if alike not in taken:
                        taken[alike] = purse.taken(self.damage(unit, gun.row, gun.weapon, enemy, half))
                    best[i] = max(best[i], taken[alike])
        fires: dict[int, float] = {}
        for gun, points in zip(guns, best, strict=True):
            fires[gun.row] = fires.get(gun.row, 0.0) + points
        return sum_of(fires.values())

    def danger(self, unit: Unit, ends: Floats) -> float:
        """Return the points that charges may take from the unit at these places on average."""
        total, near = 0.0, self.apart(unit, ends)
        for enemy, stride in self._chargers(unit):
            apart = near[enemy.id]
            chance = charge_chance(apart - stride - self.view.parameters.engagement)
            if chance > 0:
                share = SHELTERED if self._is_screened(unit, enemy, apart) else 1.0
                total += share * chance * self.trade(self.melee(enemy, unit), unit)
        return min(total, self.worth(unit))

    def _chargers(self, unit: Unit) -> list[tuple[Unit, float]]:
        """Return the unit's enemies that have anything to strike with, each with its Move."""
        return self._once(
            ("chargers", unit.id),
            lambda: [
                (enemy, self.move_of(enemy))
                for enemy in self.enemies(unit)
                if any(weapon.is_melee for weapon in enemy.facts.weapons)
            ],
        )

    def fire(self, enemy: Unit, unit: Unit) -> float:
        """Return the points that all guns of an enemy take from the unit on average."""
        key = ("fire", enemy.id, unit.id)
        return self.view.remembered(key, lambda: self.trade(self.shots(enemy, unit), unit))

    def exposure(self, unit: Unit, ends: Floats, seen: dict[str, bool]) -> float:
        """Return the points that enemy guns may take from the unit at these places next turn."""
        total, near = 0.0, self.apart(unit, ends)
        for enemy in self.enemies(unit):
            apart = near[enemy.id]
            if within(apart, self.threat(enemy)):
                share = SHELTERED if self._is_screened(unit, enemy, apart) else 1.0
                total += share * (1.0 if seen.get(enemy.id) else HIDDEN) * self.fire(enemy, unit)
        return min(total, self.worth(unit))

    def urgency(self, enemy: Unit) -> float:
        """Return the factor by which lost wounds and nearness make an enemy more worth shooting."""
        lost = 1.0 - self.wounds_left(enemy) / max(_wounds(enemy), 1)
        near = self.view.closest_gap(enemy, self.enemies(enemy))
        chance = charge_chance(near - self.move_of(enemy) - self.view.parameters.engagement)
        return 1.0 + 0.6 * lost + 0.8 * chance

    def _is_screened(self, unit: Unit, enemy: Unit, apart: float) -> bool:
        """Return whether a friend is closer to the enemy, which charges what is closest."""
        friends = self.view.friends
        nearest = self._once(
            ("nearest-friend", unit.id, enemy.id),
            lambda: min((self.view.gap(friend, enemy) for friend in friends(unit)), default=np.inf),
        )
        return nearest < apart

    def move_of(self, unit: Unit) -> float:
        """Return the unit's slowest printed Move."""
        return self._kept(
            ("move", unit.id),
            lambda: float(min((m.characteristics.get("M", 0) for m in models_of(unit)), default=0)),
        )


def _wounds(unit: Unit) -> int:
    """Return the wounds that the whole unit has as it enters the battle."""
    return sum([model.characteristics.get("W", 1) for model in unit.facts.models])


def charge_chance(distance: float) -> float:
    """Return the chance that 2D6 reach this distance."""
    if distance > len(AT_LEAST) - 1:
        return 0.0
    return AT_LEAST[max(0, math.ceil(distance - TOLERANCE))]
