"""The shortest ways of a unit's models, first sought among the walls alone, which stay for a whole battle.

Owns that shortcut: a way that is shortest among fewer obstacles, and runs into none of the others, is the
shortest of all. How ways are found is `geometry.path`'s.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property, lru_cache

import numpy as np

from geometry.base import Polygon
from geometry.clearance import SLACK, leg_clearances
from geometry.ground import Ground
from geometry.outline import Outlines, Stance
from geometry.path import Blocked, Path, Ways

Point = tuple[float, float]


class Guide(Ways):
    """The shortest ways of bases of one stance over one ground; those among its walls are kept."""

    def __init__(self, stance: Stance, ground: Ground) -> None:
        """Take how the bases stand and the ground."""
        super().__init__(stance, ground)
        self._known: dict[tuple[object, ...], Path | Blocked] = {}

    def shortest(
        self, start: Sequence[float], goal: Sequence[float], limit: float = math.inf
    ) -> Path | Blocked:
        """Return the shortest way to a point, as `Ways` finds it."""
        a, b = (float(start[0]), float(start[1])), (float(goal[0]), float(goal[1]))
        asked = (a, b, limit)
        if asked not in self._known:
            self._known[asked] = self._shortest(a, b, limit)
        return self._known[asked]

    def _shortest(self, a: Point, b: Point, limit: float) -> Path | Blocked:
        if not self.stance.core.is_point:
            return super().shortest(a, b, limit)
        found = self._among_walls(a, b).shortest(a, b, limit)
        if isinstance(found, Blocked) or not len(self.obstacles.models) or self._is_clear(found, b):
            return found
        return super().shortest(a, b, limit)

    def nearest(self, start: Sequence[float], rings: Outlines, limit: float = math.inf) -> Path | Blocked:
        """Return the shortest way into any of some rings, as `Ways` finds it."""
        a = (float(start[0]), float(start[1]))
        asked = (a, limit, *_key(rings))
        if asked not in self._known:
            self._known[asked] = self._nearest(a, rings, limit)
        return self._known[asked]

    def _nearest(self, a: Point, rings: Outlines, limit: float) -> Path | Blocked:
        if not self.stance.core.is_point:
            return super().nearest(a, rings, limit)
        found = self._among_walls(a).nearest(a, rings, limit)
        if isinstance(found, Blocked) or not len(self.obstacles.models) or self._is_clear(found):
            return found
        return super().nearest(a, rings, limit)

    def _among_walls(self, *points: Point) -> Ways:
        """Return the ways among walls alone: those that are kept, where no wall holds one of these points."""
        known = walled(self.stance, self.ground.size, self.ground.walls)
        return known if known.obstacles.freed(*points) is known.obstacles else self._walled

    @cached_property
    def _walled(self) -> Ways:
        return Ways(self.stance, Ground(self.ground.size, self.ground.walls))

    def _is_clear(self, found: Path, *goal: Point) -> bool:
        """Return whether a way runs into no model, nor into what is kept clear of about one."""
        models = self.obstacles.freed(found.start, *goal).models
        legs = list(zip(found.points, found.legs, strict=False))
        lines = np.array([[here, leg] for here, leg in legs if len(leg) == 2]).reshape(-1, 2, 2)
        if not models.clear(lines[:, 0], lines[:, 1], SLACK).all():
            return False
        return not any(
            (leg_clearances(here, leg, models) < -SLACK).any() for here, leg in legs if len(leg) != 2
        )


class _Kept:
    """A ground and what of it is in the way of bases: the same as any other with as much in the way."""

    __slots__ = ("_key", "ground")

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self._key = (ground.size, ground.walls, *_key(ground.solid), *_key(ground.avoid))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Kept) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)


def _key(shapes: Outlines) -> tuple[object, ...]:
    return shapes.xy.tobytes(), shapes.radius.tobytes(), shapes.core


def guide(stance: Stance, ground: Ground) -> Guide:
    """Return the shortest ways over a ground: who asks again while nothing has moved gets the same."""
    return _guide(stance, _Kept(ground))


@lru_cache(maxsize=32)
def _guide(stance: Stance, kept: _Kept) -> Guide:
    ground = kept.ground
    return Guide(stance, Ground(ground.size, ground.walls, solid=ground.solid, avoid=ground.avoid))


@lru_cache(maxsize=64)
def walled(stance: Stance, size: tuple[float, float], walls: tuple[Polygon, ...]) -> Ways:
    """Return the shortest ways among walls alone."""
    return Ways(stance, Ground(size, walls))
