"""The full shadow of one convex part lit from a body, and whether it falls on another.

Owns the exact test for one part taken alone: its umbra is an intersection of half planes. Shadows that only
several parts cast together belong to `geometry.sight.combined_shadow`.
"""

from __future__ import annotations

import numpy as np

from geometry.shape.array import left_of, points
from geometry.shape.base import TOLERANCE, Bools, Floats, Ints
from geometry.sight.landscape import FAR, Parts
from geometry.sight.segments import Pairs
from geometry.sight.silhouette import Rims, common_tangents

CHUNK = 4096
LEVEL = 1e-9
"""A rounding error of a height over a tangent."""


def umbra(pairs: Pairs, parts: Parts, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Return the half planes (n, s + 2) whose intersection is hidden from all of q by each part.

    A point x is hidden where `normal · x <= limit` for all. The part closes the share of the way from q
    between `low` and `high`; where `low` is 0, q must not overlap it.
    """
    nearest = 1.0 / np.maximum(high, TOLERANCE)
    farthest = 1.0 / np.maximum(low, 1.0 / FAR)
    touching, touched = _tangent_sides(pairs, parts)
    normal = np.concatenate([parts.normal, touching], axis=1)
    reach = np.concatenate([parts.offset, touched], axis=1)
    depth = reach - pairs.q.beyond(normal)
    depth[np.abs(depth) < LEVEL] = 0.0
    # Scaled about a point of q by s the part reaches s·reach − (s − 1)·(that point); q takes the worst.
    limit = reach + (np.where(depth < 0, nearest[:, None], farthest[:, None]) - 1.0) * depth
    return normal, np.minimum(limit, FAR)


def hides_beyond(pairs: Pairs, parts: Parts) -> Bools:
    """Return which parts hide from all of q a point of p that lies outside them; all parts that q overlaps.

    The parts close lines of any height.
    """
    count, sides = parts.offset.shape
    normal, limit = umbra(pairs, parts, np.zeros(count), np.ones(count))
    near = -pairs.q.beyond(-parts.normal) < parts.offset + TOLERANCE
    answer = np.asarray(near.all(axis=1))
    # What is hidden beyond a part lies beyond one of the sides that do not bound its shadow.
    row, side = ((limit[:, :sides] > parts.offset) & ~answer[:, None]).nonzero()
    beyond = np.concatenate([normal[row], -parts.normal[row, side, None]], axis=1)
    reach = np.concatenate([limit[row], -parts.offset[row, side, None]], axis=1)
    answer[row[falls_on(beyond, reach, pairs.p.take(row))]] = True
    return answer


def _tangent_sides(pairs: Pairs, parts: Parts) -> tuple[Floats, Floats]:
    """Return the half planes (n, 2) bounded by the two outer tangents of body and part."""
    normals, limits = _beside_discs(pairs, parts)
    rows = (pairs.q.kind >= 0).nonzero()[0]
    if len(rows):
        own, corner = pairs.q.take(rows), parts.corner[rows]

        def outermost(normal: Floats, rows: Ints) -> Floats:
            reach = normal @ corner[rows].transpose(0, 2, 1)
            return np.asarray(np.take_along_axis(corner[rows], reach.argmax(axis=2)[..., None], axis=1))

        normal, exists = common_tangents(own.outermost, outermost, len(rows))
        normals[rows] = normal
        farthest = (outermost(normal, np.arange(len(rows))) * normal).sum(axis=2)
        limits[rows] = np.where(exists[:, None], farthest, FAR)
    return normals, limits


def _beside_discs(pairs: Pairs, parts: Parts) -> tuple[Floats, Floats]:
    """Return the half planes (n, 2) bounded by the two outer tangents of disc and part."""
    off = parts.corner - pairs.q.xy[:, None, :]
    apart = np.maximum(np.hypot(off[..., 0], off[..., 1]), TOLERANCE)
    away = off / apart[..., None]
    cosine = np.clip(pairs.q.radius[:, None] / apart, 0.0, 1.0)[..., None]
    sine = np.sqrt(1.0 - cosine**2)
    aside = left_of(away)
    rows = np.arange(len(off))
    normals, limits = [], []
    for side in (1.0, -1.0):
        normal = cosine * away + side * sine * aside
        reach = normal @ parts.corner.transpose(0, 2, 1)
        own = (normal * parts.corner).sum(axis=2)
        farthest = reach.max(axis=2)
        outermost = (farthest - own).argmin(axis=1)
        normals.append(normal[rows, outermost])
        limits.append(farthest[rows, outermost])
    return np.stack(normals, axis=1), np.stack(limits, axis=1)


def falls_on(normal: Floats, limit: Floats, body: Rims) -> Bools:
    """Return for which rows the half planes have more than a border in common with the body."""
    room = limit - (normal * body.xy[:, None, :]).sum(axis=2) - TOLERANCE
    answer: Bools = (room >= 0).all(axis=1)
    reaches = (room > TOLERANCE - body.reach[:, None]).all(axis=1)
    unsure = (~answer & reaches).nonzero()[0]
    for first in range(0, len(unsure), CHUNK):
        some = unsure[first : first + CHUNK]
        if (body.kind[some] < 0).all():
            answer[some] = _nearest(normal[some], room[some]) <= body.radius[some] - TOLERANCE
        else:
            answer[some] = _meets(normal[some], room[some], body.take(some))
    return answer


def _meets(normal: Floats, room: Floats, body: Rims) -> Bools:
    """Return for which rows the half planes meet the body's inside, its middle being outside of some.

    Where they do their border passes through the body, so that it has a corner there or crosses the rim.
    """
    feet = body.xy[:, None, :] + normal * room[..., None]
    along = left_of(normal)
    low, high, on = body.chord(feet, along)
    corners, meets = _crossings(normal, room)
    corners = corners + body.xy[:, None, :]
    ends = [feet + (side + step)[..., None] * along for side, step in ((low, TOLERANCE), (high, -TOLERANCE))]
    points = np.concatenate([*ends, corners], axis=1)
    real = np.concatenate([on & (high - low > TOLERANCE)] * 2 + [meets], axis=1)
    over = (points - body.xy[:, None, :]) @ normal.transpose(0, 2, 1) - room[:, None, :]
    real &= (over <= 1e-9).all(axis=2)
    real[:, 2 * room.shape[1] :] &= body.holds(corners, -TOLERANCE)
    return np.asarray(real.any(axis=1))


def _nearest(normal: Floats, room: Floats) -> Floats:
    """Return how far the origin is from the intersection of half planes, infinite where it is empty."""
    corners, meets = _crossings(normal, room)
    points = np.concatenate([normal * room[..., None], corners], axis=1)
    real = np.concatenate([np.ones(room.shape, dtype=np.bool_), meets], axis=1)
    over = points @ normal.transpose(0, 2, 1) - room[:, None, :]
    real &= (over <= 1e-9).all(axis=2)
    distance: Floats = np.where(real, np.hypot(points[..., 0], points[..., 1]), np.inf).min(axis=1)
    return distance


def _crossings(normal: Floats, room: Floats) -> tuple[Floats, Bools]:
    """Return where the borders of each two half planes cross, and whether they do."""
    i, j = np.triu_indices(room.shape[1], 1)
    cross = normal[:, i, 0] * normal[:, j, 1] - normal[:, i, 1] * normal[:, j, 0]
    meets = np.abs(cross) > 1e-12
    share = 1.0 / np.where(meets, cross, 1.0)
    x = (room[:, i] * normal[:, j, 1] - room[:, j] * normal[:, i, 1]) * share
    y = (normal[:, i, 0] * room[:, j] - normal[:, j, 0] * room[:, i]) * share
    return points(x, y), meets
