"""What a move makes for: bases to come near to or to get away from, a point or a line.

Owns how far is left to a goal as the crow flies, and the points to aim at. It knows no obstacles.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import accumulate
from typing import Protocol

import msgspec
import numpy as np

from geometry.portable import dot, dots, mean_point, norm, norms
from geometry.shape.base import Floats
from geometry.shape.convex_shape import NOTHING, POINT, Outlines, Stance, polygon_core
from geometry.shape.nearby import Vicinity, directions
from geometry.tolerance import ROUNDING, TOLERANCE

UNTOUCHED = 4.0
"""How much more a base short of contact counts as having left, in inches.

So contacts go before lengths.
"""
NEAREST = 3
"""The number of the nearest bases that are aimed at."""


class Goal(Protocol):
    """What a move makes for."""

    @property
    def bases(self) -> Outlines:
        """Return the bases that it is about."""
        ...

    def left(self, xy: Floats, stance: Stance) -> Floats:
        """Return how far bases at these points (n, 2) have left."""
        ...

    def aims(self, at: Floats, stance: Stance) -> Floats:
        """Return the points (k, 2) to make for from a place, the best first."""
        ...

    def nearest(self, xy: Floats, stance: Stance) -> Floats:
        """Return the points straight toward which bases at these points (n, 2) have least to go."""
        ...

    def rings(self, stance: Stance) -> Outlines:
        """Return the shapes about the goal in which a base has nothing left."""
        ...


class _Bases:
    """Some bases, and where the middles of others may not be because of them."""

    def __init__(self, bases: Outlines) -> None:
        self.bases = bases
        self._known: dict[Stance, Vicinity] = {}

    def about(self, stance: Stance) -> Vicinity:
        """Return the shapes in which the middle of a base must not be for it not to meet these."""
        if stance not in self._known:
            self._known[stance] = Vicinity(self.bases.against(stance))
        return self._known[stance]

    def gaps(self, xy: Floats, stance: Stance) -> Floats:
        """Return the signed gaps (n, m) from bases at these points."""
        return self.about(stance).distances(xy)

    def order(self, at: Floats, stance: Stance) -> list[int]:
        """Return the rows of the bases, the nearest to a base at this point first."""
        return [int(row) for row in np.argsort(self.gaps(at[None], stance)[0], kind="stable")]


class ToBases(_Bases):
    """To come within `stop` of one of some bases."""

    def __init__(self, bases: Outlines, stop: float = 0.0) -> None:
        """Take the bases and how near to them is near enough."""
        super().__init__(bases)
        self.stop = stop

    def wider(self, by: float) -> ToBases:
        """Return the goal of a base that may end `by` inches farther off."""
        return ToBases(self.bases, self.stop + by)

    def left(self, xy: Floats, stance: Stance) -> Floats:
        """Return how far is left to the nearest ring."""
        return np.asarray(np.maximum(self.about(stance).nearest(xy)[0] - self.stop, 0.0))

    def aims(self, at: Floats, stance: Stance) -> Floats:
        """Return the centres of the nearest few bases."""
        return self.bases.xy[self.order(at, stance)[:NEAREST]]

    def nearest(self, xy: Floats, stance: Stance) -> Floats:
        """Return the centres of the nearest bases; of others than round ones, their nearest parts."""
        about = self.about(stance)
        rows = about.nearest(xy)[1]
        found = about.shapes.xy[rows]
        for i, row in enumerate(rows.tolist()):
            if about.shapes.core and not about.shapes.core[row].is_point:
                far, face = directions(about.shapes.take([row]), xy[i : i + 1])
                found[i] = xy[i] - max(float(far[0]), 0.0) * face[0]
        return np.asarray(found)

    def rings(self, stance: Stance) -> Outlines:
        """Return the shapes that end `stop` from the bases."""
        return self.about(stance).shapes.grown(self.stop)


class ToContact(ToBases):
    """To come into contact with bases, and at least within a range of some of each group."""

    def __init__(self, groups: Sequence[Outlines], reach: float, beside: Outlines, is_any: bool) -> None:
        """Take the groups, the range, and places `beside` the bases that are within range, too.

        Models that move end closer to any base, if `is_any`, else to the one that is closest to them.
        """
        super().__init__(reduce(Outlines.joined, groups, NOTHING))
        self.groups, self.reach, self.beside = groups, reach, beside
        self.firsts = [0, *accumulate(len(group) for group in groups)]
        """The rows of the first base of each group, and of the first place beside."""
        self.asked = (len(groups), is_any, 2 * TOLERANCE)

    def ranges(self, stance: Stance) -> Outlines:
        """Return the shapes that end within range of the bases, then the places beside.

        The shapes come group by group.
        """
        return self.about(stance).shapes.grown(self.reach).joined(self.beside.against(stance))

    def ranges_of(self, group: int, stance: Stance) -> Outlines:
        """Return those of one group."""
        rings, (first, end) = self.ranges(stance), self.firsts[group : group + 2]
        return rings.take([*range(first, end), *range(self.firsts[-1], len(rings))])


class ToLine(msgspec.Struct, frozen=True):
    """To come as near as possible to a stretch of line, or a point.

    `size` is that of the board, where it is given. Where the middle of a base cannot be, as the base would
    reach over the board's edge, the nearest place counts where it can.
    """

    start: tuple[float, float]
    end: tuple[float, float]
    size: tuple[float, float] | None = None

    @property
    def bases(self) -> Outlines:
        """Return none."""
        return NOTHING

    def left(self, xy: Floats, stance: Stance) -> Floats:
        """Return how far the centres are from the line."""
        return np.asarray(norms(xy - self._foot(xy, stance)))

    def aims(self, at: Floats, stance: Stance) -> Floats:
        """Return the nearest point of the line."""
        return self._foot(at[None], stance)

    def nearest(self, xy: Floats, stance: Stance) -> Floats:
        """Return the nearest points of the line."""
        return self._foot(xy, stance)

    def rings(self, stance: Stance) -> Outlines:
        """Return none: a line is reached at its end."""
        return NOTHING

    def shape(self, stance: Stance) -> Outlines:
        """Return the line, as far as the centres can be on it, as what a way may lead to."""
        ends = self._ends(stance)
        middle = mean_point(ends)
        core = polygon_core(list(ends - middle)) if np.ptp(ends, axis=0).max() > TOLERANCE else POINT
        return Outlines(middle[None], np.zeros(1), (core,))

    def _foot(self, xy: Floats, stance: Stance) -> Floats:
        a, b = self._ends(stance)
        along = b - a
        square = max(dot(along, along), ROUNDING * ROUNDING)
        share = (dots(xy - a, along) / square).clip(0, 1)
        return np.asarray(a + share[:, None] * along)

    def _ends(self, stance: Stance) -> Floats:
        """Return the ends of the line (2, 2), on the board."""
        ends = np.array([self.start, self.end])
        if self.size is None:
            return ends
        near, far = stance.core.extent
        low, high = stance.radius - near, np.array(self.size) - stance.radius - far
        return np.asarray(np.minimum(np.maximum(ends, low), np.maximum(low, high)))


class Away(_Bases):
    """To get as far as may be from some bases: the closest of them counts."""

    def __init__(self, bases: Outlines, far: float) -> None:
        """Take the bases and how far away would be far enough."""
        super().__init__(bases)
        self.far = far

    def left(self, xy: Floats, stance: Stance) -> Floats:
        """Return how much less than `far` the closest base is away."""
        return np.asarray(self.far - self.about(stance).nearest(xy)[0])

    def aims(self, at: Floats, stance: Stance) -> Floats:
        """Return points straight away from the closest base, and from the middle of those close by."""
        gap = self.gaps(at[None], stance)[0]
        near = (gap <= gap.min() + 1.0).nonzero()[0]
        spots = self.bases.xy[near]
        away = [at - mean_point(spots), *(at - spot for spot in spots[:3])]
        if self.about(stance).shapes.core:
            rows = near[:3]
            away[1:] = directions(self.about(stance).shapes.take(rows), at[None].repeat(len(rows), axis=0))[1]
        return np.vstack([at + _unit(way) * self.far for way in away])

    def nearest(self, xy: Floats, stance: Stance) -> Floats:
        """Return points straight away from the closest bases."""
        about = self.about(stance)
        shapes = about.shapes.take(about.nearest(xy)[1])
        return np.asarray(xy + directions(shapes, xy)[1] * self.far)

    def rings(self, stance: Stance) -> Outlines:
        """Return none: there is always farther to go."""
        return NOTHING


def _unit(vector: Floats) -> Floats:
    length = norm(*vector)
    return vector / length if length > ROUNDING else np.array([0.0, 1.0])


def gaps(xy: Floats, radius: float, discs: Outlines) -> Floats:
    """Return the signed gaps (n, m) between round bases at these points and others."""
    return Vicinity(discs.grown(radius)).distances(xy)
