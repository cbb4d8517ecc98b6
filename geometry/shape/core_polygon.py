"""The core of a thing on the ground: a convex shape of arcs and edges about an origin.

Owns one such shape, and how it is turned, mirrored and measured. Where cores stand on the board, and how far
they are apart, is `geometry.shape.convex_shape`'s.
"""

from __future__ import annotations

import math

import msgspec
import numpy as np

from geometry.core.shapes import Shapes
from geometry.portable import dots, norms, way_at, ways_at
from geometry.shape.array import following
from geometry.shape.base import Floats
from geometry.shape.cached import cached_property
from geometry.tolerance import MOST_MITRE, ROUNDING, TOUCHING_DEPTH_INCHES


class Core(msgspec.Struct, frozen=True, eq=False, dict=True):
    """A convex shape about an origin, counter-clockwise: k arcs with straight edges between.

    Arc i has its middle at `centre[i]`, its `radius[i]` (0 for a corner) and the directions it faces: from
    `low[i]` on through `width[i]` radians. Where arc i ends the next begins, seen from outside; where they
    end in two points a straight edge joins them. The shape of a single point is one arc all round.
    """

    centre: Floats
    radius: Floats
    low: Floats
    width: Floats

    @cached_property
    def is_point(self) -> bool:
        """Return whether this is a single point, and all that is round it its radius."""
        return len(self.radius) == 1

    @cached_property
    def begin(self) -> Floats:
        """Return the directions in which its arcs begin to face."""
        return ways_at(self.low)

    @cached_property
    def end(self) -> Floats:
        """Return the directions in which its arcs end to face."""
        return ways_at(self.low + self.width)

    @cached_property
    def rims(self) -> Floats:
        """Return of each arc its middle, its radius, and where it begins and ends to face, (7, k)."""
        return np.vstack([self.centre.T, self.radius, self.begin.T, self.end.T])

    @cached_property
    def rim_lists(self) -> list[list[float]]:
        """Return `rims` as seven lists of plain numbers."""
        found: list[list[float]] = self.rims.tolist()
        return found

    @cached_property
    def table(self) -> Shapes:
        """Return this shape as a table of the core, on a board without an edge."""
        return Shapes((-math.inf, -math.inf, math.inf, math.inf), (0.0,), (0.0,), (0.0,), (self.rim_lists,))

    @cached_property
    def reach(self) -> float:
        """Return the radius of the circle about the origin that holds it."""
        ends = np.concatenate([self.low, self.low + self.width])
        rim = np.concatenate([self.centre, self.centre]) + np.concatenate([self.radius, self.radius])[
            :, None
        ] * ways_at(ends)
        return float(norms(rim).max())

    @cached_property
    def inner(self) -> float:
        """Return the radius of a circle about the origin that lies in it; -inf where none does."""
        if self.is_point:
            return float(self.radius[0])
        ends = self.centre + self.radius[:, None] * np.array([self.begin, self.end])
        rim = ends.transpose(1, 0, 2).reshape(-1, 2)
        after = following(rim)
        long = norms(after - rim)
        square = rim[:, 0] * after[:, 1] - rim[:, 1] * after[:, 0]
        is_edge = long > TOUCHING_DEPTH_INCHES
        least = float((square[is_edge] / long[is_edge]).min(initial=np.inf))
        return least if 0.0 <= least < math.inf else -math.inf

    def turned(self, angle: float) -> Core:
        """Return the shape turned counter-clockwise about its origin, in radians."""
        c, s = way_at(angle)
        centre = np.column_stack([dots(self.centre, np.array(row)) for row in ((c, -s), (s, c))])
        return Core(centre, self.radius, self.low + angle, self.width)

    def reversed(self) -> Core:
        """Return the shape mirrored in its origin."""
        return Core(-self.centre, self.radius, self.low + math.pi, self.width)

    def rim(self, angle: float, after: bool = True) -> tuple[float, float]:
        """Return the rim's point that faces a direction; where an edge does, its far (or near) end."""
        turned = (angle - self.low) % math.tau
        on = (turned <= self.width + ROUNDING).nonzero()[0]
        i = int(on[turned[on].argmin() if after else turned[on].argmax()])
        x, y = self.centre[i] + self.radius[i] * np.array(way_at(angle))
        return float(x), float(y)

    def inset(self, margin: float, by: float) -> Core:
        """Return this with a margin round it, its edges moved in by `by`, which is very little.

        Corners move along their bisectors, arcs lose as much of their radius.
        """
        reach = self.radius + margin
        first, last = ways_at(self.low), ways_at(self.low + self.width)
        share = 1 + dots(first, last)
        sharp = (reach <= 2 * by) & (share * MOST_MITRE * MOST_MITRE > 2.0)
        shift = np.where(sharp, by / np.where(sharp, share, 1.0), 0.0)
        centre = self.centre - shift[:, None] * (first + last)
        return Core(centre, np.where(sharp, reach, np.maximum(reach - by, 0.0)), self.low, self.width)

    @cached_property
    def extent(self) -> tuple[Floats, Floats]:
        """Return how far it reaches to the left and down, and to the right and up, as two points."""
        if self.is_point:
            return self.centre[0] - self.radius[0], self.centre[0] + self.radius[0]
        ends = [self.rim(angle) for angle in (math.pi, -math.pi / 2, 0.0, math.pi / 2)]
        return np.array([ends[0][0], ends[1][1]]), np.array([ends[2][0], ends[3][1]])
