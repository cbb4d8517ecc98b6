"""How far points are from many shapes, worked out exactly only where it matters.

Owns the shortcut past shapes that are too far off to count: ovals have many arcs. Shapes are
`geometry.shape.convex_shape`'s.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from geometry.portable import angles_of, dots, norms
from geometry.shape.arrangement import distances
from geometry.shape.base import Bools, Floats, Ints
from geometry.shape.cached import cached_property
from geometry.shape.convex_shape import POINT, Outlines, Stance
from geometry.tolerance import ROUNDING, TOUCHING_DEPTH_INCHES


class Vicinity:
    """Shapes, ready to be asked how far points are from them."""

    def __init__(self, shapes: Outlines) -> None:
        """Take the shapes."""
        self.shapes = shapes

    def __len__(self) -> int:
        """Return how many shapes there are."""
        return len(self.shapes)

    @cached_property
    def _cored(self) -> list[int]:
        return [row for row, core in enumerate(self.shapes.core) if not core.is_point]

    @cached_property
    def _reach(self) -> Floats:
        """Return the radius of the circle round each shape's middle that holds it."""
        found: Floats = self.shapes.radius.astype(np.float64)
        for row in self._cored:
            found[row] += self.shapes.core[row].reach
        return found

    def distances(self, xy: Floats, below: float | Floats = np.inf) -> Floats:
        """Return the distances (n, m) of points, exact where they may be less than `below`.

        `below` is one number, or (n,). Others are bounds: no less than `below`, and no more than the
        distance.
        """
        found = distances(xy, self.shapes.xy)
        if not self.shapes.core:
            found -= self.shapes.radius
            return found
        found -= self._reach
        if self._cored:
            limit = below if isinstance(below, float) else below[:, None]
            near = found[:, self._cored] < limit
            for k in np.logical_or.reduce(near, axis=0).nonzero()[0].tolist():
                row, some = self._cored[k], near[:, k].nonzero()[0]
                found[some, row] = self.shapes.rim_distances(xy[some], [row])[:, 0]
        return found

    def clear(self, xy: Floats, slack: float | Floats, but: int | None = None) -> Bools:
        """Return which points lie in no shape deeper than by `slack`.

        The shape of the row `but` is left out.
        """
        apart = distances(xy, self.shapes.xy)
        apart -= self._reach
        if but is not None:
            apart[:, but] = math.inf
        # What comes so near to the middle of a shape needs no closer look, nor does what another one holds.
        good = np.asarray((apart >= self._inner - slack).all(axis=1))
        for row in self._cored:
            some = (good & (apart[:, row] < 0.0)).nonzero()[0]
            if len(some):
                deep = slack if isinstance(slack, float) else slack[row]
                good[some] = self.shapes.rim_distances(xy[some], [row])[:, 0] >= -deep
        return good

    @cached_property
    def _inner(self) -> Floats:
        """Return how deep points in the circles round the shapes surely lie in the shapes, (n,)."""
        found = np.zeros(len(self))
        for row in self._cored:
            inner = self.shapes.core[row].inner + self.shapes.radius[row]
            found[row] = inner - self._reach[row] - 2 * TOUCHING_DEPTH_INCHES
        return found

    def nearest(self, xy: Floats) -> tuple[Floats, Ints]:
        """Return how far each point is from the nearest shape, and which that is."""
        apart = distances(xy, self.shapes.xy)
        if not self._cored:
            apart -= self.shapes.radius
        else:
            # No shape is farther off than its middle, whatever it is like.
            apart = self.distances(xy, apart.min(axis=1) + ROUNDING)
        rows = apart.argmin(axis=1)
        return apart[np.arange(len(xy)), rows], rows


def shapes_of(xy: Floats, stances: Sequence[Stance]) -> Outlines:
    """Return bases that stand like this at these points."""
    radius = np.array([stance.radius for stance in stances], dtype=np.float64)
    if all(stance.core is POINT for stance in stances):
        return Outlines(xy, radius)
    return Outlines(xy, radius, tuple(stance.core for stance in stances))


def as_checked(stances: Sequence[Stance]) -> Any:
    """Return bases in the form that `geometry.path.ground` and the checker of paths take.

    They are the radii (n,) in inches where all bases are round, else the stances.
    """
    if all(stance.core.is_point for stance in stances):
        return np.array([stance.radius for stance in stances], dtype=np.float64)
    return list(stances)


def directions(shapes: Outlines, xy: Floats) -> tuple[Floats, Floats]:
    """Return how far each point (n, 2) is from the shape of its row, and which way (n, 2).

    The way is the one in which the nearest part of the shape's rim faces.
    """
    off = xy - shapes.xy
    apart = norms(off)
    face = off / np.maximum(apart, ROUNDING)[:, None]
    far: Floats = apart - shapes.radius
    for row, core in enumerate(shapes.core):
        if not core.is_point:
            far[row], face[row] = _facing(shapes.take([row]), xy[row])
    return far, face


def _facing(shape: Outlines, at: Floats) -> tuple[float, Floats]:
    """Return how far a point is from one shape, and which way the nearest part of its rim faces."""
    arcs = shape.arcs
    off = at - arcs.centre
    apart = norms(off)
    turned = (angles_of(off) - arcs.low) % (2 * np.pi)
    to_arc = np.where(turned <= arcs.width, apart - arcs.reach, -np.inf)
    to_edge = dots(arcs.face, at) - arcs.offset
    i, j = int(to_arc.argmax()), int(to_edge.argmax())
    if to_arc[i] > to_edge[j] and apart[i] > ROUNDING:
        return float(to_arc[i]), off[i] / apart[i]
    return float(to_edge[j]), arcs.face[j]
