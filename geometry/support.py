"""How far rims reach in the directions between which none of their arcs changes.

Owns which arcs of two rims one straight line may touch; the lines themselves are `geometry.roadmap`'s.
"""

from __future__ import annotations

import math

import numpy as np

from geometry.base import Floats, Ints, distinct
from geometry.loop import NEXT, Loops
from geometry.vector import ways_at

HAIR = 1e-6
"""A rounding error of how far a rim reaches, in inches, and some more."""


class Supports:
    """Of n rims: which arc each faces with from one direction to the next, and how far it reaches in it.

    The directions are those in which an arc of any rim begins, and the opposite ones, in order.
    """

    def __init__(self, loops: Loops) -> None:
        """Take the rims."""
        self.loops = loops
        count = len(loops.count)
        half = distinct(np.round(np.append(loops.low[~loops.is_disc], 0.0) % math.pi, 10))
        angle = np.concatenate([half, half + math.pi])
        self._half, self._width = len(half), np.diff(angle, append=angle[0] + math.tau)
        rims = np.tile(np.arange(count), len(angle))
        self.arc: Ints = loops.facing(rims, np.repeat(angle, count) + 2 * NEXT).reshape(-1, count)
        # Half way on they face with the arcs, and reach as far, as in the opposite directions.
        self._back: Ints = np.roll(self.arc, -self._half, axis=0)
        face = ways_at(angle)[:, None]
        self._far: Floats = (loops.centre[self.arc] * face).sum(axis=2) + loops.reach[self.arc]
        self._far_back: Floats = np.roll(self._far, -self._half, axis=0)
        middle = loops.centre[loops.first]
        spread = np.hypot(*(loops.centre - middle[loops.owner]).T)
        self._middle = middle
        self._spread: Floats = np.maximum.reduceat(spread, loops.first) if count else spread

    def pairs(self, rim: int, turn: int) -> tuple[Ints, Ints, Ints]:
        """Return the arcs of a rim, and of others with the sense there, that one line may touch.

        The line turns about the rim in a sense, and lies as far out as the rim reaches: it may touch another
        where that reaches as far out, or as far in, before the arc of either changes.
        """
        off = self._middle - self._middle[rim]
        apart = np.hypot(off[:, 0], off[:, 1]) + self._spread + self._spread[rim]
        most = apart * self._width[:, None] + HAIR
        most[:, rim] = -1.0
        mine, far = self.arc[:, rim], self._far[:, rim, None]
        own, other, sense = [], [], []
        for gap, theirs, way in (
            (far - self._far, self.arc, turn),
            (far + self._far_back, self._back, -turn),
        ):
            step, there = np.nonzero(np.abs(gap) <= most)
            both = distinct(mine[step] * len(self.loops.owner) + theirs[step, there])
            own.append(both // len(self.loops.owner))
            other.append(both % len(self.loops.owner))
            sense.append(np.full(len(both), way, dtype=np.intp))
        return np.concatenate(own), np.concatenate(other), np.concatenate(sense)
