"""The shape of a model as the referee measures it, and how far two shapes are apart.

Owns the one way from a stored base and pose to a shape. Nothing here is shared with the geometry that the
game plays by: shapely measures, one pair after another.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import shapely

from engine.core.event import Pose
from engine.core.facts import BaseFacts, ModelFacts
from geometry.shape.base import Floats
from geometry.tolerance import TOLERANCE

ROUNDING = 5e-7
"""How far the referee's measure of a length may be off, in inches.

Stored positions are rounded to 1e-7.
"""
OVAL_CORNERS = 720
OVAL_BLUR = 1e-4
"""How far the rim of an oval may be off, in inches: it is a polygon of many corners."""
HULL_BLUR = 1e-5
"""How far the rim of a hull may be off, in inches: its corners are rounded off."""
OVAL_RIM, HULL_RIM = 2 * OVAL_BLUR, 2 * HULL_BLUR
"""How thick the rim is that the core of an oval or a hull is without, in inches.

Into the core alone depths can be measured.
"""
TOLD = 1e-4
"""Distances in reasons are rounded to this, in inches."""


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """An upright model: everything within `radius` of its core, from foot to head, in inches."""

    core: shapely.Geometry
    radius: float
    foot: float
    head: float
    blur: float = 0.0
    """How far its rim may be off beside rounding."""

    def beside(self, other: Body) -> bool:
        """Return whether some part of one is as high above the table as some part of the other."""
        return self.foot < other.head - TOLERANCE and other.foot < self.head - TOLERANCE


def body_of(model: ModelFacts, pose: Pose) -> Body:
    """Return the body of a model at a pose."""
    return _body(model.base, model.height, pose)


@lru_cache(maxsize=8192)
def _body(base: BaseFacts, height: float, pose: Pose) -> Body:
    x, y, z, facing = pose
    if base.shape == "round":
        return Body(shapely.Point(x, y), base.length / 2, z, z + height)
    oval = base.shape == "oval"
    rim, blur = (OVAL_RIM, OVAL_BLUR) if oval else (HULL_RIM, HULL_BLUR)
    corners = _ellipse(base) if oval else _rectangle(base)
    turn = math.radians(facing)
    c, s = math.cos(turn), math.sin(turn)
    whole = shapely.Polygon(corners @ np.array([[c, s], [-s, c]]) + np.array([x, y]))
    return Body(shapely.buffer(whole, -rim, join_style="mitre"), rim, z, z + height, blur)


def _ellipse(base: BaseFacts) -> Floats:
    turns = np.arange(OVAL_CORNERS) * (math.tau / OVAL_CORNERS)
    return np.stack([np.cos(turns) * base.length / 2, np.sin(turns) * base.width / 2], axis=1)


def _rectangle(base: BaseFacts) -> Floats:
    signs = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]])
    return np.asarray(signs * np.array([base.length, base.width]) / 2)


def slack(*bodies: Body) -> float:
    """Return by how much a measure between these bodies may be off."""
    return ROUNDING + sum(body.blur for body in bodies)


def clearance(a: Body, b: Body) -> float:
    """Return the horizontal distance between two bodies, negative where they overlap."""
    return float(shapely.distance(a.core, b.core)) - a.radius - b.radius


def gap(a: Body, b: Body) -> float:
    """Return the horizontal distance between two bodies, 0 where they meet."""
    return max(clearance(a, b), 0.0)


def apart(a: Body, b: Body) -> float:
    """Return the distance between the bases of two bodies in space, as ranges are measured."""
    return math.hypot(gap(a, b), a.foot - b.foot)


def nearest(a: Body, others: Iterable[Body]) -> float:
    """Return the distance from a body to the closest of others, infinite where there is none."""
    return min((gap(a, other) for other in others), default=math.inf)


def farthest(a: Body, b: Body) -> float:
    """Return how far the farthest part of a body is from another that it stands beside."""
    corners = shapely.points(shapely.get_coordinates(a.core))
    return max(float(shapely.distance(b.core, corners).max()) + a.radius - b.radius, 0.0)


def overlap(a: Body, b: Body) -> bool:
    """Return whether two bodies certainly take up some of the same room. Rule: CORE.MOVE.4"""
    return a.beside(b) and clearance(a, b) < -TOLERANCE - slack(a, b)


def within(a: Body, b: Body, reach: float) -> bool:
    """Return whether two bodies may well be within a distance of one another."""
    return gap(a, b) <= reach + TOLERANCE + slack(a, b)


def surely_within(a: Body, b: Body, reach: float) -> bool:
    """Return whether two bodies are certainly within a distance of one another."""
    return gap(a, b) <= reach + TOLERANCE - slack(a, b)


def in_range(a: Body, b: Body, reach: float) -> bool:
    """Return whether two bodies may well be within a distance of one another in space."""
    return apart(a, b) <= reach + TOLERANCE + slack(a, b)


def surely_in_range(a: Body, b: Body, reach: float) -> bool:
    """Return whether two bodies are certainly within a distance of one another in space."""
    return apart(a, b) <= reach + TOLERANCE - slack(a, b)


def lies_within(body: Body, area: shapely.Geometry) -> bool:
    """Return whether the whole base may lie in an area; it may touch its border from inside."""
    grown = shapely.buffer(area, TOLERANCE, join_style="mitre")
    rim = float(shapely.distance(shapely.boundary(area), body.core))
    return bool(shapely.covers(grown, body.core)) and rim >= body.radius - TOLERANCE - slack(body)


def meets(body: Body, area: shapely.Geometry) -> bool:
    """Return whether some of the base is certainly in an area; one that only touches it is not."""
    return float(shapely.distance(area, body.core)) < body.radius - TOLERANCE - slack(body)


def bounds(bodies: Sequence[Body]) -> tuple[float, float, float, float]:
    """Return the least and greatest x and y that some bodies take up."""
    boxes = [(*shapely.bounds(body.core), body.radius) for body in bodies]
    return (
        min(box[0] - box[4] for box in boxes),
        min(box[1] - box[4] for box in boxes),
        max(box[2] + box[4] for box in boxes),
        max(box[3] + box[4] for box in boxes),
    )
