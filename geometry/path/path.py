"""A way of a base's centre: legs straight, round an arc, up and down, and pivots.

Owns paths and what follows from them alone. How they are found is `geometry.path.planner`'s, whether they
are legal `geometry.path.checker`'s.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from geometry.path.obstacles import (
    Leg,
    leg_length,
    part,
)
from geometry.portable import sum_of

Point = tuple[float, float]


class Path(msgspec.Struct, frozen=True):
    """A way of a base's centre from `start` along legs, beginning with its foot at height `z`.

    Heights of up to 2 inches are the ground to a model that climbs.
    """

    start: tuple[float, float]
    legs: tuple[Leg, ...] = ()
    z: float = 0.0

    @staticmethod
    def from_legs(start: Sequence[float], legs: Sequence[Leg]) -> Path:
        """Return the path of these legs from (x, y), or from (x, y, z)."""
        made = tuple(tuple(map(float, leg)) for leg in legs)
        return Path((float(start[0]), float(start[1])), made, float(start[2]) if len(start) > 2 else 0.0)

    @property
    def end(self) -> tuple[float, float]:
        """Return where it ends."""
        return (self.legs[-1][0], self.legs[-1][1]) if self.legs else self.start

    @property
    def points(self) -> tuple[tuple[float, float], ...]:
        """Return its start and the end of every leg."""
        return (self.start, *((leg[0], leg[1]) for leg in self.legs))

    @property
    def heights(self) -> tuple[float, ...]:
        """Return how high its foot is at its start and after every leg."""
        found = [self.z]
        for leg in self.legs:
            found.append(leg[2] if len(leg) == 3 else found[-1])
        return tuple(found)

    @property
    def end_z(self) -> float:
        """Return how high it ends."""
        return next((leg[2] for leg in reversed(self.legs) if len(leg) == 3), self.z)

    @property
    def spots(self) -> list[tuple[float, float, float]]:
        """Return its start and the end of every leg in space."""
        return [(*at, z) for at, z in zip(self.points, self.heights, strict=True)]

    @property
    def is_level(self) -> bool:
        """Return whether it stays on the ground."""
        return not self.z and all(len(leg) != 3 for leg in self.legs)

    @property
    def is_turned(self) -> bool:
        """Return whether it begins with a pivot."""
        return bool(self.legs) and len(self.legs[0]) == 4

    @property
    def length(self) -> float:
        """Return its length."""
        return sum_of(leg_length(a, leg) for a, leg in zip(self._begins, self.legs, strict=False))

    def cost(self, free_climb: bool) -> float:
        """Return what it takes of a move: its length, as seen from above where climbs are free."""
        if not free_climb:
            return self.length
        flat = (leg[:2] if len(leg) == 3 else leg for leg in self.legs)
        return sum_of(leg_length(a, leg) for a, leg in zip(self.points, flat, strict=False))

    @property
    def _begins(self) -> Sequence[tuple[float, ...]]:
        return self.points if self.is_level else self.spots

    def at(self, distance: float) -> Path:
        """Return the first part of this length; the whole where it is shorter."""
        left, legs = distance, []
        for a, leg in zip(self._begins, self.legs, strict=False):
            far = leg_length(a, leg)
            if far > left:
                if left > 0:
                    legs.append(part(a, leg, left / far))
                return Path(self.start, tuple(legs), self.z)
            legs.append(leg)
            left -= far
        return self
