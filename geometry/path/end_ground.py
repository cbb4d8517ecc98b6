"""The border between a ground and the core's tables of where bases may end on it.

Owns the translation of what is in the way of ends, and of areas, into the core's tables. Which places
bases take is not asked here.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from geometry.core.area import Area
from geometry.core.end_ground import EndGround
from geometry.core.shapes import Shapes
from geometry.path.elevation import parts_of
from geometry.path.ground import Ground, areas_of
from geometry.path.obstacles import in_box
from geometry.shape.base import Polygon
from geometry.shape.convex_shape import NOTHING, Outlines, Stance
from geometry.shape.polygon import rings
from geometry.shape.shape_table import shapes_of
from geometry.tolerance import PLACE_SLACK_INCHES, TOLERANCE


def end_ground(ground: Ground, stance: Stance) -> EndGround:
    """Return where bases that stand like this may end, worked out once."""
    return ground.kept(("core end", stance), lambda: _end_ground(ground, stance))


def _end_ground(ground: Ground, stance: Stance) -> EndGround:
    closed = areas_of(ground.walls + ground.no_stand + ground.shun)
    soft = ground.solid.joined(ground.no_end).against(stance)
    hard = ground.avoid.joined(ground.end_avoid).grown(TOLERANCE + PLACE_SLACK_INCHES).against(stance)
    if closed:
        soft = soft.joined(shadows(closed, stance))
    standing = soft.grown(-np.minimum(soft.radius, PLACE_SLACK_INCHES)).joined(hard)
    near, far = stance.core.extent
    low, high = stance.radius - near, np.array(ground.size) - stance.radius - far
    if ground.area and len(standing):
        # A base that ends wholly in the area has its middle there.
        corners = np.concatenate([np.asarray(area, dtype=np.float64) for area in ground.area])
        standing = standing.take(in_box(standing, corners.min(axis=0), corners.max(axis=0)))
    stand = shapes_of(standing, (*low.tolist(), *high.tolist()))
    return EndGround(stand, _base_of(stance), _area_of(areas_of(ground.area)) if ground.area else None)


@lru_cache(maxsize=512)
def shadows(areas: tuple[Polygon, ...], stance: Stance) -> Outlines:
    """Return where the middle of a base is while the base covers a part of the areas."""
    found = NOTHING
    for area in areas:
        found = found.joined(parts_of(area))
    return found.against(stance)


def _base_of(stance: Stance) -> Shapes:
    """Return a base about the origin, and mirrored in it."""
    both = (stance.core, stance.core.reversed())
    return shapes_of(Outlines(np.zeros((2, 2)), np.full(2, stance.radius), both))


@lru_cache(maxsize=64)
def _area_of(areas: tuple[Polygon, ...]) -> Area:
    """Return areas, taken together, by their border."""
    return Area([ring[:-1].tolist() for ring in rings(areas, merged=True)])
