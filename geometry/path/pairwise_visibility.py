"""Which straight ways from many places to many spots are free, told for all pairs at once.

Owns the shadow that each obstacle throws away from each place: three half-planes. Where shapes of many arcs
are left out it is not whole, and `geometry.path.obstacles` judges the ways that are chosen.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from msgspec.structs import replace

from geometry.path.obstacles import SLACK, Obstacles, in_box
from geometry.shape.base import Bools, Floats, Ints
from geometry.shape.convex_shape import Outlines

ARCS = 8
"""Shapes of more arcs throw no shadow here."""
HAIR = 1e-9
Discs = tuple[Floats, Floats]
"""The middles (n, k, 2) and radii (n, k) of discs: shape n is the hull of its k discs."""


class Lanes:
    """The shadows that obstacles throw away from some places, for the middle of a round base."""

    def __init__(self, start: Floats, obstacles: Obstacles, walls: Ints) -> None:
        """Take the places (n, 2), what is in the way, and the rows of the walls that count."""
        models = obstacles.models
        round_, other = _parted(models)
        hulls = [_hulls(obstacles.walls, walls), _hulls(models, other)]
        self.is_whole = sum(len(reach) for _, reach in hulls) == len(walls) + len(other)
        self._inside, discs = _shadows_of_discs(start, models.xy[round_], models.radius[round_] - SLACK)
        found = [discs]
        for centre, reach in hulls:
            if len(reach):
                inside, planes = _shadows(start, centre, reach - SLACK)
                self._inside |= inside
                found.append(planes)
        self._inside |= ~obstacles.are_on_board(start)
        self._planes = np.concatenate(found, axis=2) if len(found) > 1 else discs

    def free(self, spots: Floats) -> Bools:
        """Return from which places to which spots (m, 2) on the board ways are free: a table (n, m)."""
        at = np.ones((3, len(spots)))
        at[:2] = spots.T
        return self._free((self._planes.reshape(-1, 3) @ at).reshape(*self._planes.shape[:3], len(spots)))

    def free_own(self, spots: Floats) -> Bools:
        """Return the same where each place has spots of its own (n, m, 2)."""
        at = np.ones((len(spots), 3, spots.shape[1]))
        at[:, :2] = spots.transpose(0, 2, 1)
        return self._free(self._planes @ at)

    def _free(self, beyond: Floats) -> Bools:
        """Return which ways are free by how far their ends are beyond the half-planes (3, n, k, m)."""
        past = beyond > 0
        hidden = past[0] & past[1] & past[2]
        return np.asarray(~(hidden.any(axis=1) | self._inside[:, None]))


def free_own(start: Floats, spots: Floats, obstacles: Obstacles) -> tuple[Bools, bool]:
    """Return from which places (n, 2) ways to which of their own spots (n, m, 2) are free.

    Also whether that is sure: where it is not, some that are told to be free may not be.
    """
    every = np.concatenate([start, spots.reshape(-1, 2)])
    box = every.min(axis=0), every.max(axis=0)
    models = obstacles.models.take(in_box(obstacles.models, *box))
    lanes = Lanes(start, replace(obstacles, models=models), in_box(obstacles.walls, *box))
    on_board = obstacles.are_on_board(spots.reshape(-1, 2)).reshape(spots.shape[:2])
    return lanes.free_own(spots) & on_board, lanes.is_whole


def _parted(shapes: Outlines) -> tuple[Ints, Ints]:
    """Return the rows of the shapes that are discs, and of the others."""
    if not shapes.core:
        return np.arange(len(shapes)), np.empty(0, dtype=np.intp)
    is_disc = np.array([core.is_point for core in shapes.core], dtype=np.bool_)
    return is_disc.nonzero()[0], (~is_disc).nonzero()[0]


def _hulls(shapes: Outlines, rows: Ints) -> Discs:
    """Return the discs whose hulls the shapes of these rows are, without the shapes of many arcs."""
    if not len(rows):
        return np.empty((0, 1, 2)), np.empty((0, 1))
    centre, reach, few = _all_hulls(shapes)
    kept = rows[few[rows]]
    return centre[kept], reach[kept]


@lru_cache(maxsize=64)
def _all_hulls(shapes: Outlines) -> tuple[Floats, Floats, Bools]:
    """Return the discs whose hulls shapes are, the last of each repeated, and which shapes have few."""
    counts = np.array([len(core.radius) for core in shapes.core])
    few = counts <= ARCS
    own = np.minimum(np.arange(counts[few].max(initial=1)), counts[:, None] - 1)
    cores = list(zip(shapes.core, own, strict=True))
    centre = np.array([core.centre[rows] for core, rows in cores]) + shapes.xy[:, None]
    return centre, np.array([core.radius[rows] for core, rows in cores]) + shapes.radius[:, None], few


def _shadows_of_discs(start: Floats, centre: Floats, reach: Floats) -> tuple[Bools, Floats]:
    """Return which places (n) lie in a disc, and the half-planes (3, n, discs, 3) that make its shadow.

    They are those of `_shadows`; of one disc the tangents are known without an angle.
    """
    x, y = centre[:, 0] - start[:, 0, None], centre[:, 1] - start[:, 1, None]
    rest = x * x + y * y - reach * reach
    far = np.sqrt(np.maximum(rest, HAIR))
    along_x, along_y, wide_x, wide_y = x * far, y * far, x * reach, y * reach
    planes = np.empty((3, *x.shape, 3))
    planes[0, ..., 0], planes[0, ..., 1] = wide_x - along_y, along_x + wide_y
    planes[1, ..., 0], planes[1, ..., 1] = wide_x + along_y, wide_y - along_x
    planes[2, ..., 0], planes[2, ..., 1] = x, y
    planes[..., 2] = -(planes[..., 0] * start[:, 0, None] + planes[..., 1] * start[:, 1, None])
    planes[2, ..., 2] -= rest
    return np.asarray((rest < 0).any(axis=1)), planes


def _shadows(start: Floats, centre: Floats, reach: Floats) -> tuple[Bools, Floats]:
    """Return which places (n) lie in a hull, and the half-planes (3, n, hulls, 3) that make its shadow.

    What lies in a shadow is left of the shape's tangent on the right, right of that on the left, and beyond
    the line through the points where these touch.
    """
    x, y = centre[..., 0] - start[:, 0, None, None], centre[..., 1] - start[:, 1, None, None]
    square = x * x + y * y
    # A place in the middle of a disc lies in it, and its shadow is not asked about.
    lean = np.arcsin(np.minimum(reach / np.sqrt(np.maximum(square, HAIR)), 1.0))
    ahead_x, ahead_y = x[..., :1], y[..., :1]
    turn = np.arctan2(ahead_x * y - ahead_y * x, ahead_x * x + ahead_y * y)
    turn += np.arctan2(ahead_y, ahead_x)
    rest = square - reach * reach
    left, right = turn + lean, turn - lean
    first = np.arange(0, rest.size, rest.shape[2]).reshape(rest.shape[:2])
    touch = first + np.array([left.argmax(axis=2), right.argmin(axis=2)])
    angle = np.array([left.take(touch[0]), right.take(touch[1])])
    inside = (rest < 0).any(axis=(1, 2)) | (angle[0] - angle[1] > math.pi + HAIR).any(axis=1)
    far = np.sqrt(np.maximum(rest.take(touch), HAIR))
    (left_x, right_x), (left_y, right_y) = along_x, along_y = np.cos(angle), np.sin(angle)
    (touch_x, other_x), (touch_y, other_y) = far * along_x, far * along_y
    planes = np.empty((3, *angle.shape[1:], 3))
    planes[0, ..., 0], planes[0, ..., 1] = -right_y, right_x
    planes[1, ..., 0], planes[1, ..., 1] = left_y, -left_x
    planes[2, ..., 0], planes[2, ..., 1] = touch_y - other_y, other_x - touch_x
    planes[..., 2] = -(planes[..., 0] * start[:, 0, None] + planes[..., 1] * start[:, 1, None])
    planes[2, ..., 2] -= planes[2, ..., 0] * touch_x + planes[2, ..., 1] * touch_y
    return inside, planes
