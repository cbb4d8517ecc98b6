"""What an army is measured against: the usual units of a Horde, and their attacks.

Owns the figures. They are means over the spawning tables of all factions, rounded; no faction is named.
"""

from __future__ import annotations

import msgspec

from ai.reckoning.odds import Defence, Odds
from engine.core.facts import WeaponFacts
from engine.w40k.numbers import OF_ATTACKS

ROLL_CAP = 1
PLAIN = tuple(() for _ in OF_ATTACKS)
"""No rule changes any number of an attack."""


class Foe(msgspec.Struct, frozen=True):
    """A kind of unit of the Horde as a target, and how often it comes."""

    share: float
    toughness: int
    save: int
    ward: int
    wounds: int
    models: int
    points: int
    keyword: str

    @property
    def odds(self) -> Odds:
        """Return what stands between an attack and such a unit."""
        return odds_against(Defence(self.save, self.ward, False, 7, self.wounds), self.toughness, self.models)

    @property
    def worth_of_wound(self) -> float:
        """Return the points that one wound of such a unit is worth."""
        return self.points / (self.wounds * self.models)


class Blow(msgspec.Struct, frozen=True):
    """A kind of attack that the Horde makes, and its share of all attacks by what they cost."""

    share: float
    strength: int
    ap: int
    damage: str

    @property
    def weapon(self) -> WeaponFacts:
        """Return one such attack as a weapon."""
        return WeaponFacts(
            name="blow",
            item="blow",
            range=None,
            attacks="1",
            skill=3,
            strength=self.strength,
            ap=self.ap,
            damage=self.damage,
        )


def odds_against(defence: Defence, toughness: int, models: int) -> Odds:
    """Return the odds of attacks on models that defend themselves alike, under no rule."""
    return Odds(PLAIN, ROLL_CAP, ((defence, models),), toughness, False, False, False, models)


FOES = (
    Foe(0.19, 3, 5, 6, 1, 10, 105, "INFANTRY"),
    Foe(0.09, 4, 3, 7, 2, 7, 148, "INFANTRY"),
    Foe(0.07, 4, 5, 6, 2, 7, 110, "INFANTRY"),
    Foe(0.17, 6, 3, 5, 3, 5, 180, "INFANTRY"),
    Foe(0.10, 4, 5, 6, 3, 3, 92, "INFANTRY"),
    Foe(0.15, 6, 3, 5, 6, 2, 120, "MONSTER"),
    Foe(0.14, 9, 3, 6, 11, 1, 140, "VEHICLE"),
    Foe(0.09, 11, 3, 5, 20, 1, 330, "MONSTER"),
)
BLOWS = (
    Blow(0.25, 4, 0, "1"),
    Blow(0.25, 5, -1, "1"),
    Blow(0.25, 6, -2, "2"),
    Blow(0.15, 9, -3, "3"),
    Blow(0.10, 12, -3, "D6"),
)
