"""The shape of a model as the referee measures it, and how far two shapes are apart.

Owns the one way from a stored base and pose to a shape. Nothing here is shared with the geometry that the
game plays by: shapely measures, one pair after another.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import shapely

from engine.event import Pose
from engine.facts import BaseFacts, ModelFacts
from geometry.base import TOLERANCE

ROUNDING = 5e-7
"""How far the referee's own measure of a length may be off: stored positions are rounded to 1e-7."""


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """An upright model: everything within `radius` of its core, from its foot up to its head, in inches."""

    core: shapely.Geometry
    radius: float
    foot: float
    head: float

    def beside(self, other: Body) -> bool:
        """Return whether some part of one is as high above the table as some part of the other."""
        return self.foot < other.head - TOLERANCE and other.foot < self.head - TOLERANCE


def body_of(model: ModelFacts, pose: Pose) -> Body:
    """Return the body of a model at a pose. Ovals and hulls are the circle round them, as the game has it."""
    return _body(model.base, model.height, pose)


@lru_cache(maxsize=4096)
def _body(base: BaseFacts, height: float, pose: Pose) -> Body:
    x, y, z, _facing = pose
    return Body(shapely.Point(x, y), base.base().radius, z, z + height)


def clearance(a: Body, b: Body) -> float:
    """Return the horizontal distance between two bodies, negative where they overlap."""
    return float(shapely.distance(a.core, b.core)) - a.radius - b.radius


def gap(a: Body, b: Body) -> float:
    """Return the horizontal distance between two bodies, 0 where they meet."""
    return max(clearance(a, b), 0.0)


def nearest(a: Body, others: Iterable[Body]) -> float:
    """Return the distance from a body to the closest of others, infinite where there is none."""
    return min((gap(a, other) for other in others), default=float("inf"))


def overlap(a: Body, b: Body) -> bool:
    """Return whether two bodies take up some of the same room. Rule: CORE.MOVE.4"""
    return a.beside(b) and clearance(a, b) < -TOLERANCE - ROUNDING


def engages(a: Body, b: Body, reach: float, vertical: float) -> bool:
    """Return whether two bodies are within engagement range. Rule: CORE.ER.1"""
    return gap(a, b) <= reach + TOLERANCE and abs(a.foot - b.foot) <= vertical + TOLERANCE


def lies_within(body: Body, area: shapely.Geometry) -> bool:
    """Return whether the whole base lies in an area; it may touch its border from inside."""
    grown = shapely.buffer(area, TOLERANCE, join_style="mitre")
    rim = float(shapely.distance(shapely.boundary(area), body.core))
    return bool(shapely.covers(grown, body.core)) and rim >= body.radius - 2 * TOLERANCE


def meets(body: Body, area: shapely.Geometry) -> bool:
    """Return whether some of the base is in an area; one that only touches it is not."""
    return float(shapely.distance(area, body.core)) < body.radius - TOLERANCE - ROUNDING


def bounds(bodies: Sequence[Body]) -> tuple[float, float, float, float]:
    """Return the least and greatest x and y that some bodies take up."""
    boxes = [(*shapely.bounds(body.core), body.radius) for body in bodies]
    return (
        min(box[0] - box[4] for box in boxes),
        min(box[1] - box[4] for box in boxes),
        max(box[2] + box[4] for box in boxes),
        max(box[3] + box[4] for box in boxes),
    )
