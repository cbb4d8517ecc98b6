"""The limits on the spots of one base: friends with a spot, and a test by the caller.

Owns the limits alone. The choice among the spots that they leave is `geometry.single.best_spot`'s.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import numpy as np

from geometry.path.obstacles import CLOSE
from geometry.shape.arrangement import Edges
from geometry.shape.base import Bools, Floats
from geometry.shape.convex_shape import Outlines, Stance
from geometry.shape.nearby import Vicinity, directions
from geometry.single.model_move import Mover

FRIENDS = 12
"""The edges of at most this many friends count."""
Allowed = Callable[[Mover, Floats], Bools]
"""Which of some spots (n, 2) a mover may take."""


class Company(msgspec.Struct, frozen=True):
    """The friends that already have their spots, and how many of them must be how near."""

    friends: Outlines
    need: int
    reach: float
    _known: dict[Stance, Vicinity] = msgspec.field(default_factory=dict)

    def about(self, stance: Stance) -> Vicinity:
        """Return the shapes in which the middle of a base must not be for it not to meet a friend."""
        if stance not in self._known:
            self._known[stance] = Vicinity(self.friends.against(stance))
        return self._known[stance]

    def suits(self, xy: Floats, stance: Stance) -> Bools:
        """Return which spots overlap no friend and have neighbours enough."""
        if not len(self.friends):
            return np.full(len(xy), self.need <= 0)
        near = self.reach + 2 * CLOSE if self.need > 0 else 0.0
        apart = self.about(stance).distances(xy, near)
        good = (apart >= -CLOSE).all(axis=1)
        if self.need > 0:
            good &= (apart <= self.reach + CLOSE).sum(axis=1) >= self.need
        return np.asarray(good)

    def nearest(self, stance: Stance, spot: Floats) -> Floats:
        """Return the point nearest to a spot that is near enough to a friend."""
        about = self.about(stance)
        row = about.nearest(spot[None])[1]
        far, face = directions(about.shapes.take(row), spot[None])
        return np.asarray(spot - max(float(far[0]) - self.reach, 0.0) * face[0])

    def edges(self, stance: Stance, focus: Floats) -> Edges:
        """Return the edges of touching friends and of being near enough to them, those near a point."""
        about = self.about(stance)
        order = np.argsort(np.abs(about.distances(focus[None])[0]), kind="stable")
        shapes = about.shapes.take(order[:FRIENDS])
        found = Edges.of(shapes)
        return found if self.need <= 0 else found.joined(Edges.of(shapes.grown(self.reach)))
