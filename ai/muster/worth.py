"""What a unit is worth in a battle against the Horde, by its numbers alone.

Owns the measure by which armies are put together: what a unit's attacks take, how much it takes to destroy
it, what it holds. It looks at no table and at no ability that is not in the numbers.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from functools import lru_cache

import msgspec

from ai.muster.yardstick import BLOWS, FOES, Foe, odds_against
from ai.reckoning.odds import Defence, dealt
from engine.core.facts import ModelFacts, UnitFacts, WeaponFacts
from geometry.portable import sum_of

LONG = 30.0
"""A weapon whose range and a move reach this far, in inches, is used in every turn."""
STRIKES = 1.0
"""How many times a round a unit that is made for combat fights."""
STRIDE = 22.0
"""A unit whose move and charge go this far, in inches, fights whenever it has a reason to."""
CHARGE = 7.0
ONCE = 0.25
"""The part of its worth that a weapon keeps if it is fired once a battle."""
CONTROL = 0.5
"""What a point of objective control is worth, in the points of this measure."""


class Measures(msgspec.Struct, frozen=True):
    """What a unit is worth: what it takes in a round, what destroys it, what it controls."""

    attack: float
    staying: float
    control: int
    reach: float
    """How far the longest of its guns reaches."""

    @property
    def value(self) -> float:
        """Return the worth in one number, which grows in proportion to the unit."""
        return math.sqrt(self.attack * self.staying) + CONTROL * self.control


def measures(unit: UnitFacts) -> Measures:
    """Return what a unit is worth; models that are alike are looked at once."""
    alike: dict[Hashable, list[ModelFacts]] = {}
    for model in unit.models:
        alike.setdefault((model.weapons, model.part, tuple(model.characteristics.items())), []).append(model)
    groups = [(len(models), models[0]) for models in alike.values()]
    took = ((foe.share, sum_of(count * _taken(unit, model, foe) for count, model in groups)) for foe in FOES)
    return Measures(
        # Each unit attacks what it is good against, where it can.
        attack=math.sqrt(sum_of(share * (points * points) for share, points in took)),
        staying=sum_of(count * _withstood(*_defence(unit, model)) for count, model in groups),
        control=sum(model.characteristics.get("OC", 0) for model in unit.models),
        reach=max((weapon.range or 0.0 for weapon in unit.weapons), default=0.0),
    )


def _taken(unit: UnitFacts, model: ModelFacts, foe: Foe) -> float:
    """Return the points that a model takes from such a unit in a round."""
    move = float(model.characteristics.get("M", 0))
    guns: dict[bool, dict[tuple[str, str], float]] = {True: {}, False: {}}
    blade, extra = 0.0, 0.0
    for weapon in (unit.weapons[place] for place in model.weapons):
        damage = _damage(weapon, foe)
        if weapon.is_melee and weapon.has("extra attacks"):
            extra += damage
        elif weapon.is_melee:
            blade = max(blade, damage)
        else:
            # Two of one item are fired both; of two profiles of one item only one.
            place = (weapon.item, weapon.name)
            kind = guns[weapon.has("pistol")]
            kind[place] = kind.get(place, 0.0) + damage * _used(weapon, move)
    shots = max(_best_profiles(kind) for kind in guns.values())
    strikes = STRIKES * min(1.0, (move + CHARGE) / STRIDE) * (blade + extra)
    return (shots + strikes) * foe.worth_of_wound


def _used(weapon: WeaponFacts, move: float) -> float:
    """Return in what part of its turns a gun has a target that it reaches."""
    return min(1.0, ((weapon.range or 0.0) + move) / LONG) * (ONCE if weapon.has("one shot") else 1.0)


def _best_profiles(guns: dict[tuple[str, str], float]) -> float:
    """Return the damage of guns, of each item only its best profile's."""
    best: dict[str, float] = {}
    for (item, _), damage in guns.items():
        best[item] = max(best.get(item, 0.0), damage)
    return sum_of(best.values())


@lru_cache(maxsize=65536)
def _damage(weapon: WeaponFacts, foe: Foe) -> float:
    """Return the wounds that a weapon costs such a unit on average."""
    critical = 7
    for keyword in weapon.keywords:
        if keyword.startswith("anti-") and keyword[5:].rpartition(" ")[0].upper() == foe.keyword:
            critical = min(critical, int(keyword.rpartition(" ")[2].rstrip("+")))
    return dealt(weapon, weapon.keywords, False, critical, (), foe.odds)


def _defence(unit: UnitFacts, model: ModelFacts) -> tuple[int, Defence]:
    facts = model.characteristics
    part = unit.parts[model.part]
    pains = [a for a in part.abilities if a.startswith("feel no pain ")]
    pain = min((int(a.rsplit(" ", 1)[1].rstrip("+")) for a in pains), default=7)
    ward = facts.get("Inv", 7) or 7
    return facts.get("T", 4), Defence(facts.get("Sv", 7), ward, False, pain, facts.get("W", 1))


@lru_cache(maxsize=4096)
def _withstood(toughness: int, defence: Defence) -> float:
    """Return how many mean attacks of the Horde it takes to destroy a model."""
    odds = odds_against(defence, toughness, 1)
    lost = sum_of(blow.share * dealt(blow.weapon, (), False, 7, (), odds) for blow in BLOWS)
    return defence.wounds / lost
