"""Terrain that stands up from the ground: its height, and where it carries a base.

Owns rises (what can be climbed or rested on), the shadow that one throws for the middle of a base, and
layers of shapes that matter only between two heights. Whether a base may rest is `geometry.path.resting`'s.
"""

from __future__ import annotations

from functools import lru_cache

import msgspec
import numpy as np

from geometry.measure.region import base_within
from geometry.portable import mean_point, ways_at
from geometry.shape.arrangement import Edges
from geometry.shape.base import Bools, Floats, Polygon
from geometry.shape.convex_shape import NOTHING, Outlines, Stance, polygon_core
from geometry.shape.core_polygon import Core
from geometry.shape.polygon import convex_parts, outline
from geometry.tolerance import TOLERANCE

FREE_HEIGHT = 2.0
"""Heights no greater than this count as the ground."""


class Rise(msgspec.Struct, frozen=True):
    """A piece of terrain with a height, and the `levels` at which it carries a base.

    It carries a base that is wholly on it.
    """

    polygon: Polygon
    height: float
    levels: tuple[float, ...] = ()

    def carries(self, stance: Stance, at: Floats, z: float) -> bool:
        """Return whether it carries a base at this height."""
        if not any(abs(level - z) <= TOLERANCE for level in self.levels):
            return False
        return bool(base_within(self.polygon, placed(stance, at))[0])


class Layer(msgspec.Struct, frozen=True, eq=False):
    """Shapes that matter to a base whose foot is between two heights (each shape has its own)."""

    shapes: Outlines
    low: Floats
    high: Floats

    def between(self, low: float, high: float) -> Outlines:
        """Return the shapes that matter somewhere between two heights."""
        return self.shapes.take((self.low <= high) & (self.high >= low)) if len(self.low) else NOTHING


EMPTY = Layer(NOTHING, np.empty(0), np.empty(0))


class Crowd(msgspec.Struct, frozen=True, eq=False):
    """All that stands on the table at whatever height, by what it does to a mover; see `Ground`.

    `all` others stand with their feet at `z`.
    """

    solid: Layer = EMPTY
    avoid: Layer = EMPTY
    no_end: Layer = EMPTY
    end_avoid: Layer = EMPTY
    all: Outlines = NOTHING
    z: Floats = msgspec.field(default_factory=lambda: np.empty(0))


def placed(stance: Stance, at: Floats) -> Outlines:
    """Return a base where it stands."""
    core: tuple[Core, ...] = () if stance.core.is_point else (stance.core,)
    return Outlines(np.array([at[:2]], dtype=np.float64), np.array([stance.radius]), core)


@lru_cache(maxsize=1024)
def parts_of(polygon: Polygon) -> Outlines:
    """Return an area as convex shapes."""
    corner = np.array(polygon, dtype=np.float64)
    if len(corner) == 3:
        (ax, ay), (bx, by) = corner[1] - corner[0], corner[2] - corner[0]
        parts = [corner if ax * by - ay * bx > 0 else corner[::-1]]
    else:
        parts = convex_parts(outline(polygon))
    middle = np.array([mean_point(part) for part in parts])
    cores = tuple(polygon_core((part - at).tolist()) for part, at in zip(parts, middle, strict=True))
    return Outlines(middle, np.zeros(len(parts)), cores)


@lru_cache(maxsize=2048)
def shadow(polygon: Polygon, stance: Stance) -> Outlines:
    """Return where the middle of a base is while the base is over an area, as convex shapes."""
    return parts_of(polygon).against(stance)


@lru_cache(maxsize=2048)
def shadow_edges(polygon: Polygon, stance: Stance) -> Edges:
    """Return the edges of that shadow's parts."""
    arcs = shadow(polygon, stance).arcs
    turned = arcs.low + arcs.width
    last = arcs.centre + arcs.reach[:, None] * ways_at(turned)
    first = arcs.centre + arcs.reach[:, None] * arcs.face
    after = np.arange(1, len(arcs.owner) + 1)
    ends = np.append(arcs.owner[1:] != arcs.owner[:-1], True).nonzero()[0]
    after[ends] = np.append(0, ends[:-1] + 1)
    return Edges(arcs.centre, arcs.reach, last, first[after])


def is_over(polygon: Polygon, stance: Stance, xy: Floats) -> Bools:
    """Return at which points (n, 2) a base would cover a part of the area."""
    return np.asarray((shadow(polygon, stance).distances(xy) < -TOLERANCE).any(axis=1))


def touches(polygon: Polygon, stance: Stance, xy: Floats) -> Bools:
    """Return at which points (n, 2) a base would cover or touch the area."""
    return np.asarray((shadow(polygon, stance).distances(xy) <= TOLERANCE).any(axis=1))
