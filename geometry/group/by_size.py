"""The models of a unit whose round bases are of one size: where they may stand, and what is in their way.

Owns these questions for many spots at once. Which models of other sizes take what, is
`geometry.group.batch`'s.
"""

from __future__ import annotations

import numpy as np

from geometry.path.obstacles import in_box
from geometry.path.pairwise_visibility import Lanes
from geometry.path.reference_path import Trail
from geometry.path.shortcut import Ring, Way, Wraps
from geometry.shape.base import Bools, Floats, Ints
from geometry.shape.cached import cached_property
from geometry.single.free_space import Footing

Box = tuple[Floats, Floats]


class Sized:
    """Models of one size on their ground, and a trail that their ways may go round."""

    def __init__(
        self,
        rows: Ints,
        start: Floats,
        footing: Footing,
        box: Box,
        trail: Trail,
        ring: Ring | None,
        wider: float,
    ) -> None:
        """Take the models, the ground, the box they stay in, and how much wider than the trail's they are.

        `ring` is a disc that their ways may go round in both senses.
        """
        self.rows, self.start, self._box = rows, start, box
        self.stance = footing.stance
        self.footing = footing.about(*box)
        self.wraps = Wraps(self.footing.obstacles, trail, ring, wider)

    @cached_property
    def lanes(self) -> Lanes:
        """Return which straight ways from the models are free."""
        obstacles = self.footing.obstacles
        return Lanes(self.start, obstacles, in_box(obstacles.walls, *self._box))

    def are_clear(self, ends: Floats) -> bool:
        """Return whether all of them have free straight ways to the ends of the same rows."""
        return bool(self.footing.obstacles.clear(self.start, ends).all())

    def ways(self, rows: Ints, end: Floats, limit: Floats) -> list[Way | None]:
        """Return the ways of some of them to the ends of the same rows, None where none is found."""
        free: Bools | None = None
        # A few ways alone are not worth making lanes ready.
        if "lanes" in vars(self) and self.lanes.is_whole:
            free = self.lanes.free(end)[rows, np.arange(len(rows))]
        return self.wraps.ways(self.start[rows], end, limit, free)
