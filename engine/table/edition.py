"""The facts of an edition that the table asks for: its distances and its rules of sight.

Owns the shape of these facts. The table knows no keyword and no kind of terrain.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import msgspec

from engine.core.facts import TerrainFacts
from engine.core.state import Unit
from geometry.sight.landscape import Piece


class Distances(Protocol):
    """The distances of an edition that the table measures by, in inches."""

    @property
    def marker_radius(self) -> float:
        """Return the radius of an objective marker."""
        ...

    @property
    def objective_range(self) -> float:
        """Return how far from a marker's edge a model may be to be in its range."""
        ...

    @property
    def objective_vertical(self) -> float:
        """Return how high above a marker a model may be to be in its range."""
        ...

    @property
    def free_height(self) -> float:
        """Return by how much heights may differ for models to stand on one level."""
        ...


class Vision(msgspec.Struct, frozen=True):
    """How terrain and units bear on sight."""

    screen_of: Callable[[TerrainFacts], Piece]
    """Return a piece of terrain as sight meets it."""
    sees_over: Callable[[Unit], bool]
    """Return whether boundless terrain hides nothing from a unit, and the unit from nobody."""
    sees_out: Callable[[Unit], bool]
    """Return whether a unit sees out of boundless terrain that its bases merely overlap."""
    blocks: Callable[[Unit], bool] | None = None
    """Return whether a unit's models close the lines between two others.

    None where no models do.
    """
