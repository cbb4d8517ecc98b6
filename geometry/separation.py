"""How far straight lines are from convex shapes of arcs and edges, many pairs at once.

Owns the kernel behind quick tests of ways: two convex things are apart by the most that any direction shows
between them, and only a few directions can show the most. The shapes are `geometry.outline`'s.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec
import numpy as np
from numpy.typing import NDArray

from geometry.base import Floats

if TYPE_CHECKING:
    from geometry.outline import Core

Rows = NDArray[np.intp]
FEW = 8
"""Shapes of up to so many arcs are asked together, those of more apart from them."""
HAIR = 1e-12
ASTRAY = 1e-10
"""A rounding error of a direction, in radians."""
NEXT = 1e-5
"""So near to a corner the direction from it means nothing."""


class Stack(msgspec.Struct, frozen=True, eq=False):
    """Shapes as arrays, the arcs of each filled up to as many as the others have by its last.

    `places` says which shapes these are; `rims` (8, n, k) holds of each arc: its middle (x, y), its radius,
    where it begins and ends to face (x, y, x, y), and how far out the edge before it lies.
    """

    places: Rows
    rims: Floats

    def apart(self, rows: Rows, start: Floats, end: Floats) -> Floats:
        """Return how far lines (p) from points to points are from the shapes of these rows (p).

        Less than 0 where they meet: then no less than by how deep they reach in.
        """
        x, y, reach, ax, ay, bx, by, offset = self.rims[:, rows]
        px, py = start[:, 0, None], start[:, 1, None]
        dx, dy = end[:, 0, None] - px, end[:, 1, None] - py
        found = (px * ax + py * ay - offset + np.minimum(ax * dx + ay * dy, 0.0)).max(axis=1)
        for fx, fy, gx, gy in ((px, py, dx, dy), (px + dx, py + dy, -dx, -dy)):
            ox, oy = fx - x, fy - y
            far = np.sqrt(ox * ox + oy * oy)
            # Next to a sharp corner rounding decides which way a point lies: there the edges tell.
            on = (ax * oy - ay * ox >= -ASTRAY * far) & (ox * by - oy * bx >= -ASTRAY * far) & (far > NEXT)
            value = far - reach + np.minimum((ox * gx + oy * gy) / np.maximum(far, 1e-300), 0.0)
            found = np.maximum(found, np.where(on, value, -np.inf).max(axis=1))
        long = np.sqrt(dx * dx + dy * dy)
        moves = long > HAIR
        nx, ny = np.where(moves, -dy / np.where(moves, long, 1.0), 1.0), np.where(moves, dx, 0.0)
        ny = ny / np.where(moves, long, 1.0)
        for ux, uy in ((nx, ny), (-nx, -ny)):
            on = (ax * uy - ay * ux >= -HAIR) & (ux * by - uy * bx >= -HAIR)
            most = np.where(on, x * ux + y * uy + reach, -np.inf).max(axis=1)
            found = np.maximum(found, (px * ux + py * uy)[:, 0] - most)
        return np.asarray(found)


def stacks_of(cores: Sequence[Core], xy: Floats, radius: Floats) -> tuple[Stack, ...]:
    """Return these shapes (n) as arrays, those of few arcs apart from those of many."""
    count = np.array([len(core.radius) for core in cores], dtype=np.intp)
    found = []
    for places in (np.flatnonzero(count <= FEW), np.flatnonzero(count > FEW)):
        if len(places):
            own = [cores[i] for i in places.tolist()]
            found.append(Stack(places, _rims(own, xy[places], radius[places])))
    return tuple(found)


def _rims(cores: Sequence[Core], xy: Floats, radius: Floats) -> Floats:
    most = max(len(core.radius) for core in cores)
    pick = np.array([np.minimum(np.arange(most), len(core.radius) - 1) for core in cores])
    centre = np.array([core.centre[row] for core, row in zip(cores, pick, strict=True)]) + xy[:, None]
    reach = np.array([core.radius[row] for core, row in zip(cores, pick, strict=True)]) + radius[:, None]
    low = np.array([core.low[row] for core, row in zip(cores, pick, strict=True)])
    high = low + np.array([core.width[row] for core, row in zip(cores, pick, strict=True)])
    ax, ay = np.cos(low), np.sin(low)
    offset = centre[..., 0] * ax + centre[..., 1] * ay + reach
    return np.stack([centre[..., 0], centre[..., 1], reach, ax, ay, np.cos(high), np.sin(high), offset])
