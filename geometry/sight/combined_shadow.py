"""The parts of one body that several parts together hide from all of another.

Owns the slow, general search, one pair at a time: the lines at which the view of a point changes divide the
base into cells, and a point of each cell is asked for a free line. Cells narrower than `SLIVER` may be
overlooked; so may cells that the far ends of two low parts' shadows bound together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from geometry.shape.array import left_of, points
from geometry.shape.base import TOLERANCE, Bools, Floats, Ints, distinct
from geometry.sight.landscape import FAR, Parts
from geometry.sight.segments import Pairs, cut
from geometry.sight.umbra import umbra

SLIVER = 1e-4


class Scene(NamedTuple):
    """One observer q and one target p, and the parts between with their shares of the way.

    `corners` (v, 2) and `edges` (e, 2 ends, 2) are those of the footprints that the parts belong to.
    """

    pair: Pairs
    parts: Parts
    low: Floats
    high: Floats
    corners: Floats
    edges: Floats


def hiding_owners(scene: Scene, spared: Sequence[Parts] = ()) -> Ints:
    """Return the owners of the parts that hide some point of p from all of q; none if all of p is seen.

    Points inside the `spared` parts are not asked.
    """
    anchors = _anchors(scene)
    return _owners(scene, anchors, _asked(_probes(scene, _dividing_lines(scene, anchors)), spared))


def hides(scene: Scene, spared: Sequence[Parts] = ()) -> bool:
    """Return whether the parts hide some point of p from all of q, the middle of p being asked first."""
    middle = _asked(scene.pair.p.xy, spared)
    return len(_owners(scene, _anchors(scene), middle)) > 0 or len(hiding_owners(scene, spared)) > 0


def _asked(points: Floats, spared: Sequence[Parts]) -> Floats:
    """Return the points that lie in none of the spared parts."""
    for parts in spared:
        inside = points @ parts.normal.transpose(0, 2, 1) <= parts.offset[:, None, :]
        points = points[~inside.all(axis=2).any(axis=0)]
    return points


def _owners(scene: Scene, anchors: Floats, points: Floats) -> Ints:
    """Return the owners of the parts that take part in hiding any of these points."""
    if not len(points):
        return np.empty(0, dtype=np.intp)
    hidden, taking_part = _hidden(scene, points, *_eyes_along(scene, points, _first_ways(scene, points)))
    points, taking_part = points[hidden], taking_part[:, hidden]
    if len(points) and len(anchors):
        hidden, more = _hidden(scene, points, *_eyes_along(scene, points, _ways_past(points, anchors)))
        points, taking_part = points[hidden], (taking_part | more)[:, hidden]
    if len(points) and ((scene.low > 0) | (scene.high < 1)).any():
        hidden, more = _hidden(scene, points, *_eyes_over(scene, points))
        taking_part = (taking_part | more)[:, hidden]
    owners: Ints = distinct(scene.parts.owner[taking_part.any(axis=1)])
    return owners


def _anchors(scene: Scene) -> Floats:
    """Return the points past which a line may graze: corners, and edges' crossings of the observer's rim."""
    crossing, exist = scene.pair.q.crossings(scene.edges[None, :, 0], scene.edges[None, :, 1])
    return np.concatenate([scene.corners, crossing[exist]])


def _dividing_lines(scene: Scene, anchors: Floats) -> tuple[Floats, Floats]:
    """Return the lines (unit normals, distances from the origin) at which the view of a point changes."""
    ways, exist = (found[0] for found in scene.pair.q.tangents(anchors[None]))
    one, two = np.triu_indices(len(anchors), 1)
    across = anchors[two] - anchors[one]
    start, end = scene.edges[:, 0], scene.edges[:, 1]
    at = np.concatenate([np.repeat(anchors[exist], 2, axis=0), anchors[one], start])
    way = np.concatenate([ways[exist].reshape(-1, 2), across, end - start])
    length = np.hypot(way[:, 0], way[:, 1])
    at, way, length = at[length > TOLERANCE], way[length > TOLERANCE], length[length > TOLERANCE]
    normal = left_of(way) / length[:, None]
    ends_normal, ends_limit = _shadow_sides(scene)
    normals = np.concatenate([normal, ends_normal])
    limits = np.concatenate([(normal * at).sum(axis=1), ends_limit])
    p = scene.pair.p
    crosses = limits < p.beyond(normals[None])[0] - TOLERANCE
    crosses &= -limits < p.beyond(-normals[None])[0] - TOLERANCE
    normals, limits = normals[crosses], limits[crosses]
    upright = np.where(
        (normals[:, 0] < -1e-9) | ((np.abs(normals[:, 0]) <= 1e-9) & (normals[:, 1] < 0)), -1, 1
    )
    table = np.column_stack([normals * upright[:, None], limits * upright])
    _, first = np.unique(np.round(table, 7), axis=0, return_index=True)
    kept = table[np.sort(first)]
    return kept[:, :2], kept[:, 2]


def _shadow_sides(scene: Scene) -> tuple[Floats, Floats]:
    """Return the sides of the shadow of each part that closes a share of the way only.

    Those of the others are edges, and tangents to a corner.
    """
    rows = ((scene.low > 0) | (scene.high < 1)).nonzero()[0]
    if not len(rows):
        return np.empty((0, 2)), np.empty(0)
    pairs = scene.pair.take(np.zeros(len(rows), dtype=np.intp))
    normal, limit = umbra(pairs, scene.parts.take(rows), scene.low[rows], scene.high[rows])
    real = np.abs(limit) < FAR / 1e3
    return normal[real], limit[real]


def _probes(scene: Scene, lines: tuple[Floats, Floats]) -> Floats:
    """Return points of p, one at least in each cell into which the lines divide it."""
    normal, limit = lines
    p = scene.pair.p
    room = limit - normal @ p.xy[0]
    along = left_of(normal)
    foot = p.xy + normal * room[:, None]
    low, high, _ = (found[0] for found in p.chord(foot[None], along[None]))
    near_rim = [
        foot + (end - side * SLIVER)[:, None] * along + turn * SLIVER / 4 * normal
        for side, end in ((1, high), (-1, low))
        for turn in (1, -1)
    ]
    caps = [p.facing(side * normal[None])[0] - side * SLIVER * normal for side in (1, -1)]
    crossings = [p.xy + points for points in _beside_crossings(normal, room)]
    points = np.concatenate([p.xy, *near_rim, *caps, *crossings])
    answer: Floats = points[p.holds(points[None], -TOLERANCE)[0]]
    return answer


def _beside_crossings(normal: Floats, room: Floats) -> list[Floats]:
    """Return the four points close to each crossing of two lines, one in each of its corners."""
    i, j = np.triu_indices(len(normal), 1)
    cross = normal[i, 0] * normal[j, 1] - normal[i, 1] * normal[j, 0]
    kept = np.abs(cross) > 1e-9
    i, j, cross = i[kept], j[kept], cross[kept]
    x = (room[i] * normal[j, 1] - room[j] * normal[i, 1]) / cross
    y = (normal[i, 0] * room[j] - normal[j, 0] * room[i]) / cross
    at = points(x, y)
    along_i = np.stack([-normal[i, 1], normal[i, 0]], axis=1)
    along_j = np.stack([-normal[j, 1], normal[j, 0]], axis=1)
    between = [along_i + along_j, along_i - along_j]
    steps = [SLIVER * way / np.hypot(way[:, 0], way[:, 1])[:, None] for way in between]
    return [at + sign * step for step in steps for sign in (1, -1)]


def _first_ways(scene: Scene, points: Floats) -> Floats:
    """Return the directions from each point to the middle and to both sides of q."""
    ahead = scene.pair.q.xy - points
    ways, _ = scene.pair.q.tangents(points[None])
    length = np.maximum(np.hypot(ahead[:, 0], ahead[:, 1]), TOLERANCE)
    return np.concatenate([(ahead / length[:, None])[:, None], ways[0]], axis=1)


def _ways_past(points: Floats, anchors: Floats) -> Floats:
    """Return the directions from each point to each anchor."""
    way = anchors[None, :, :] - points[:, None, :]
    length = np.maximum(np.hypot(way[..., 0], way[..., 1]), TOLERANCE)
    answer: Floats = way / length[..., None]
    return answer


def _eyes_along(scene: Scene, points: Floats, ways: Floats) -> tuple[Floats, Bools]:
    """Return the points of q's rim (points, k, 2) to which these ways lead, and which lead to any.

    The near ones; the far ones as well where what is over there may be seen better.
    """
    asked = np.broadcast_to(points[:, None, :], ways.shape)
    first, last, meets = scene.pair.q.chord(asked.reshape(1, -1, 2), ways.reshape(1, -1, 2))
    low, high = first.reshape(ways.shape[:2]), last.reshape(ways.shape[:2])
    reaches = meets.reshape(ways.shape[:2]) & (high > 0)
    near = asked + np.maximum(low, 0.0)[..., None] * ways
    if not (scene.high < 1).any():
        return near, reaches
    far = asked + high[..., None] * ways
    return np.concatenate([near, far], axis=1), np.concatenate([reaches, reaches], axis=1)


def _eyes_over(scene: Scene, points: Floats) -> tuple[Floats, Bools]:
    """Return the points of q (points, k, 2) from which each point is just seen over a part's side.

    From there the line to the point comes to the part's height where it comes to that side.
    """
    q, count = scene.pair.q, len(points)
    found, exist = [], []
    for share, partial in ((scene.low, scene.low > 0), (scene.high, scene.high < 1)):
        corner = scene.parts.corner[partial]
        grow = (1.0 / np.maximum(1.0 - share[partial], 1.0 / FAR))[:, None, None]
        start = points[:, None, None, :] + grow * (corner - points[:, None, None, :])
        end = np.roll(start, -1, axis=2)
        crossing, crosses = q.crossings(start.reshape(1, -1, 2), end.reshape(1, -1, 2))
        corners = start.reshape(count, -1, 2)
        found += [crossing.reshape(count, -1, 2), corners]
        exist += [crosses.reshape(count, -1), q.holds(corners.reshape(1, -1, 2)).reshape(count, -1)]
    return np.concatenate(found, axis=1), np.concatenate(exist, axis=1)


def _hidden(scene: Scene, points: Floats, eyes: Floats, exist: Bools) -> tuple[Bools, Bools]:
    """Return which points none of these eyes (points, k, 2) sees, and which parts (k, points) shut some."""
    back = (points[:, None, :] - eyes).reshape(1, -1, 2)
    start = eyes.reshape(1, -1, 2)
    ends = [start + share[:, None, None] * back for share in (scene.low, scene.high)]
    enter, leave = cut(ends[0], ends[1], scene.parts, slice(None))
    shut = (enter < leave).reshape(-1, *exist.shape) & exist
    inside = scene.pair.q.holds(points[None])[0]
    free: Bools = (exist & ~shut.any(axis=0)).any(axis=1) | inside
    return np.asarray(~free), np.asarray(shut.any(axis=2))
