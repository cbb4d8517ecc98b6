"""A stored path as the referee draws it: its length, and what a base sweeps on it.

A leg is (x, y), a climb (x, y, z), a pivot (x, y, facing, paid) or an arc (x, y, cx, cy, turn), drawn as a
chain of short chords. What may not be in the way is `moving`'s.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import shapely

from engine.audit.referee.body import Body, body_of
from engine.core.event import Pose
from engine.core.facts import ModelFacts
from geometry.shape.base import Floats
from geometry.tolerance import TOLERANCE

Legs = tuple[tuple[float, ...], ...]
Place = tuple[float, float, float]
CHORD = 5e-4
"""The angle of a chord in radians.

On a circle of three inches the chord leaves the arc by less than 1e-7 inches.
"""
WIDE_CHORD = 2e-3
"""The same for bases that are not round: by less than 2e-6 inches."""


@dataclass(frozen=True, slots=True)
class Sweep:
    """What a base sweeps: everything within `radius` of these shapes.

    Its foot is between the heights `low` and `high`.
    """

    shapes: Sequence[shapely.Geometry]
    radius: float
    low: float
    high: float
    tall: float
    blur: float
    far: float
    """How far its end is from its beginning along the table."""

    @property
    def is_climb(self) -> bool:
        """Return whether it leads up or down."""
        return self.high > self.low + TOLERANCE

    def beside(self, other: Body) -> bool:
        """Return whether the model is on its way as high above the table as some part of a body."""
        return self.low < other.head - TOLERANCE and other.foot < self.high + self.tall - TOLERANCE

    def level_with(self, other: Body, vertical: float) -> bool:
        """Return whether its foot comes within a distance above or below a body's."""
        return self.low - vertical - TOLERANCE <= other.foot <= self.high + vertical + TOLERANCE

    @property
    def track(self) -> shapely.Geometry:
        """Return all of its shapes as one."""
        return shapely.union_all(self.shapes)

    def room(self, other: Body) -> float:
        """Return how near it comes to a body, negative where it runs over it."""
        return self.distance(other.core) - other.radius

    def distance(self, shape: shapely.Geometry) -> float:
        """Return how near it comes to a shape, negative where it runs into it."""
        return float(np.min(shapely.distance(np.asarray(self.shapes, dtype=object), shape))) - self.radius

    def bounds(self) -> tuple[float, float, float, float]:
        """Return the least and greatest x and y that it covers."""
        x0, y0, x1, y1 = shapely.total_bounds(np.asarray(self.shapes, dtype=object))
        return x0 - self.radius, y0 - self.radius, x1 + self.radius, y1 + self.radius


def length(start: Pose, legs: Legs, free_height: float) -> float:
    """Return how far the base's centre goes: arcs along the circle, climbs along the slope.

    Heights up to the free height count as the ground. Rule: CORE.MOVE.2, CORE.MOVE.8, CORE.MOVE.9
    """
    far, here = 0.0, start[:3]
    for leg in legs:
        there = _end(here, leg)
        rise = _climbed(there[2], free_height) - _climbed(here[2], free_height)
        flat = _radius(leg) * _angle(here, leg) if len(leg) == 5 else math.dist(here[:2], there[:2])
        far += math.hypot(flat, rise)
        here = there
    return far


def _climbed(z: float, free_height: float) -> float:
    return z if z > free_height + TOLERANCE else 0.0


def end(start: Pose, legs: Legs) -> Pose:
    """Return where a path leads; the facing is that of its last pivot."""
    here, facing = start[:3], start[3]
    for leg in legs:
        here = _end(here, leg)
        facing = leg[2] if len(leg) == 4 else facing
    return (*here, facing)


def pivots(legs: Legs) -> bool:
    """Return whether the base turns on the way."""
    return any(len(leg) == 4 for leg in legs)


def sweeps(model: ModelFacts, start: Pose, legs: Legs) -> list[Sweep]:
    """Return what the base of a model sweeps along a path, leg by leg."""
    here, facing = start[:3], start[3]
    found = [_sweep(body_of(model, start), here, [here[:2]], here[2])]
    for leg in legs:
        there = _end(here, leg)
        if len(leg) == 4:
            facing = leg[2]
            body = body_of(model, (*there, facing))
            found.append(_sweep(body, there, [there[:2]], there[2]))
        else:
            body = body_of(model, (*here, facing))
            found.append(_sweep(body, here, _points(here, leg, body), there[2]))
        here = there
    return found


def _sweep(body: Body, here: Place, points: Sequence[tuple[float, float]], z: float) -> Sweep:
    low, high = min(here[2], z), max(here[2], z)
    shapes, far = _swept(body.core, here, points), math.dist(points[0], points[-1])
    return Sweep(shapes, body.radius, low, high, body.head - body.foot, body.blur, far)


def breaks(start: Pose, legs: Legs) -> list[str]:
    """Return where a path does not hang together.

    An arc must begin on the circle on which it ends.
    """
    found, here = [], start[:3]
    for leg in legs:
        if len(leg) == 5:
            begins, ends = math.dist(here[:2], leg[2:4]), _radius(leg)
            if abs(begins - ends) > TOLERANCE:
                found.append(f'an arc begins {begins:.4f}" and ends {ends:.4f}" from its centre')
        here = _end(here, leg)
    return found


def _end(here: Place, leg: Sequence[float]) -> Place:
    return leg[0], leg[1], leg[2] if len(leg) == 3 else here[2]


def _radius(leg: Sequence[float]) -> float:
    return math.dist(leg[:2], leg[2:4])


def _angle(here: Place, leg: Sequence[float]) -> float:
    """Return how far round the arc goes, in radians."""
    x, y, cx, cy, turn = leg
    return ((math.atan2(y - cy, x - cx) - math.atan2(here[1] - cy, here[0] - cx)) * turn) % math.tau


def _points(here: Place, leg: Sequence[float], body: Body) -> list[tuple[float, float]]:
    """Return the points of a leg, its two ends among them."""
    if len(leg) < 5:
        return [here[:2], (leg[0], leg[1])]
    cx, cy, turn = leg[2:5]
    first, far, radius = math.atan2(here[1] - cy, here[0] - cx), _angle(here, leg), _radius(leg)
    steps = math.ceil(far / (CHORD if _is_point(body.core) else WIDE_CHORD))
    angles = (first + turn * far * step / steps for step in range(1, steps))
    between = [(cx + radius * math.cos(a), cy + radius * math.sin(a)) for a in angles]
    return [here[:2], *between, (leg[0], leg[1])]


def _is_point(core: shapely.Geometry) -> bool:
    return bool(core.geom_type == "Point")


def _swept(
    core: shapely.Geometry, at: Place, points: Sequence[tuple[float, float]]
) -> list[shapely.Geometry]:
    """Return what a core that stands at a place sweeps as that place goes through points."""
    if _is_point(core):
        stays = all(point == points[0] for point in points)
        return [shapely.Point(points[0]) if stays else shapely.LineString(points)]
    rim: Floats = shapely.get_coordinates(core)
    moved = [rim + (np.array(point) - np.array(at[:2])) for point in points]
    pairs = pairwise(moved) if len(moved) > 1 else [(moved[0], moved[0])]
    return list(shapely.convex_hull([shapely.MultiPoint(np.vstack(pair)) for pair in pairs]))
