"""What a unit's move comes to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import msgspec

from geometry.base import Floats
from geometry.goal import Goal
from geometry.ground import Ground
from geometry.muster import Party
from geometry.path import Path


class Moved(msgspec.Struct, frozen=True):
    """A path for each model, of no length for those that stay, and how far each has left to the goal.

    After `move_away` what is left is how much less than 100 inches the closest threat is away.
    """

    paths: tuple[Path, ...]
    left: Floats
    lost: bool = False
    """Whether some model finds every way to the goal closed, and gets as near as it can."""


Flat = Callable[[Party, Ground], Moved | None]
"""The move of a unit on the flat, None where there is none."""


class Nearing(Protocol):
    """The move of a unit on the flat toward a goal, and a model that is known to be kept in there."""

    goal: Goal
    kept: int | None

    def __call__(self, party: Party, ground: Ground) -> Moved | None:
        """Return the move, None where none is legal."""
        ...

    def to(self, point: tuple[float, float], size: tuple[float, float]) -> Nearing:
        """Return the same, once it is known who is kept in, to a point on a board of a size."""
        ...

    def keeps_in(self, party: Party, ground: Ground) -> bool:
        """Return whether the model that has to leave cannot on another ground, either."""
        ...
