"""What is in the straight way of a base: models, ranges, walls, terrain, the board's edge.

Owns the failure of a move and the names of what causes it. It finds no way round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import msgspec
import numpy as np

from geometry.path.ground import Ground, faults_by_kind
from geometry.path.obstacles import Obstacles
from geometry.shape.base import Floats
from geometry.shape.cached import cached_property
from geometry.shape.convex_shape import Outlines, Stance
from geometry.tolerance import TOLERANCE

Point = tuple[float, float]
MODEL, RANGE, WALL = "a model", "an engagement range", "a wall"
DISTANCE, COHERENCY = "the distance", "coherency"


class Blocker(msgspec.Struct, frozen=True):
    """One thing in the way: its kind, and its middle or that of a part, if it has a place."""

    kind: str
    at: Point | None = None


class Blocked(msgspec.Struct, frozen=True, dict=True):
    """The answer that there is no legal way: the reason, and what is in the way.

    `told` is what is in the way, or a function that returns it when it is asked for.
    """

    reason: str
    told: tuple[Blocker, ...] | Callable[[], tuple[Blocker, ...]] = ()

    @cached_property
    def by(self) -> tuple[Blocker, ...]:
        """Return what is in the way."""
        return self.told if isinstance(self.told, tuple) else self.told()


def blockers(
    stance: Stance, start: Sequence[float], end: Sequence[float], ground: Ground
) -> tuple[Blocker, ...]:
    """Return what a base runs into on its straight way, and what keeps it from its end."""
    a, b = np.array([start[:2]], dtype=np.float64), np.array([end[:2]], dtype=np.float64)
    found = [
        *_met(MODEL, ground.solid, a, b, stance),
        *_met(RANGE, ground.avoid, a, b, stance),
        *_held(WALL, Obstacles.of(stance, ground).walls, a, b),
        *_met(MODEL, ground.no_end, b, b, stance),
        *_met(RANGE, ground.end_avoid, b, b, stance),
    ]
    named = {"on another model", "on a model", "in a wall", "too near an enemy", "too near to an enemy"}
    faults = faults_by_kind(ground, b, [stance])
    found += [Blocker(name) for name, bad in faults.items() if bad.any() and name not in named]
    return tuple(dict.fromkeys(found))


def _met(kind: str, shapes: Outlines, a: Floats, b: Floats, stance: Stance) -> Iterator[Blocker]:
    return _held(kind, shapes.against(stance), a, b)


def _held(kind: str, shapes: Outlines, a: Floats, b: Floats) -> Iterator[Blocker]:
    """Yield the shapes, where the middle of a base may not be, that hold a part of a line."""
    if len(shapes):
        for row in (shapes.line_distances(a, b)[0] < -TOLERANCE).nonzero()[0].tolist():
            yield Blocker(kind, (float(shapes.xy[row, 0]), float(shapes.xy[row, 1])))
