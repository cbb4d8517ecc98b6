"""How far straight lines are from convex shapes of arcs and edges, many pairs at once.

Owns the kernel behind quick tests of ways: two convex things are apart by the most that any direction shows
between them, and only a few directions can show the most. The shapes are `geometry.shape.core_polygon`'s.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from geometry.shape.base import Bools, Floats, Ints
from geometry.shape.core_polygon import Core
from geometry.tolerance import ROUNDING, TOUCHING_DEPTH_INCHES

FEW = 8
"""Shapes of up to this many arcs are asked together, those of more apart from them."""
MANY = 16
"""With this many lines to a shape on the average, or more, each shape is asked by itself."""


class Stack:
    """Shapes as arrays, the arcs of each filled up to as many as the others have by its last.

    `places` says which shapes these are. Their rims are laid out when a line is first asked about them.
    """

    def __init__(self, places: Ints, cores: Sequence[Core], xy: Floats, radius: Floats) -> None:
        """Take the shapes (n)."""
        self.places = places
        self._cores, self._xy, self._radius = cores, xy, radius
        most = max(len(core.radius) for core in cores)
        self._rims = np.empty((8, len(cores), most))
        self._known = np.zeros(len(cores), dtype=np.bool_)

    def _of(self, rows: Ints) -> Floats:
        """Return the rims (8, p, k) of the shapes of these rows (p)."""
        known = self._known[rows]
        if not known.all():
            for row in dict.fromkeys(rows[~known].tolist()):
                rims = rims_of(self._cores[row], self._xy[row], self._radius[row])
                self._rims[:, row, : rims.shape[1]] = rims
                self._rims[:, row, rims.shape[1] :] = rims[:, -1:]
            self._known[rows] = True
        return self._rims[:, rows]

    def enters(self, rows: Ints, start: Floats, end: Floats, slack: float) -> Bools:
        """Return which lines (p) from points to points reach deeper than `slack` into shapes (p)."""
        each = dict.fromkeys(rows.tolist())
        if len(rows) < MANY * len(each):
            return _reach_into(self._of(rows), start, end, slack)
        # To lay out the rim of a shape once more for each line costs more than to ask it by itself.
        found = np.empty(len(rows), dtype=np.bool_)
        for row in each:
            own = rows == row
            found[own] = _reach_into(self._of(np.array([row])), start[own], end[own], slack)
        return found


def _reach_into(rims: Floats, start: Floats, end: Floats, slack: float) -> Bools:
    """Return which lines (p) reach deeper than by `slack` into shapes.

    The rims of the shapes are (8, p or 1, k). A line that any direction shows to be apart is asked about no
    other.
    """
    found, left = np.zeros(len(start), dtype=np.bool_), np.arange(len(start))
    for apart in (_by_edges, _by_sides, _by_arcs):
        deep = apart(rims, start, end) < -slack
        if not deep.all():
            left, start, end = left[deep], start[deep], end[deep]
            if rims.shape[1] > 1:
                rims = rims[:, deep]
            if not len(left):
                return found
    found[left] = True
    return found


def _by_edges(rims: Floats, start: Floats, end: Floats) -> Floats:
    """Return how far lines (p) are from shapes as the shapes' own edges show it."""
    _, _, _, ax, ay, _, _, offset = rims
    px, py = start[:, 0, None], start[:, 1, None]
    dx, dy = end[:, 0, None] - px, end[:, 1, None] - py
    found: Floats = (px * ax + py * ay - offset + np.minimum(ax * dx + ay * dy, 0.0)).max(axis=1)
    return found


def _by_sides(rims: Floats, start: Floats, end: Floats) -> Floats:
    """Return how far lines (p) are from shapes, as it shows square to the lines.

    If all the lines are mere points, this is -inf.
    """
    x, y, reach, ax, ay, bx, by, _ = rims
    px, py = start[:, 0, None], start[:, 1, None]
    dx, dy = end[:, 0, None] - px, end[:, 1, None] - py
    long = np.sqrt(dx * dx + dy * dy)
    moves = long > ROUNDING
    if not moves.any():
        return np.full(len(start), -np.inf)
    length = np.where(moves, long, 1.0)
    nx, ny = np.where(moves, -dy / length, 1.0), np.where(moves, dx, 0.0) / length
    found = np.full(len(start), -np.inf)
    for ux, uy in ((nx, ny), (-nx, -ny)):
        on = (ax * uy - ay * ux >= -ROUNDING) & (ux * by - uy * bx >= -ROUNDING)
        most = np.where(on, x * ux + y * uy + reach, -np.inf).max(axis=1)
        np.maximum(found, (px * ux + py * uy)[:, 0] - most, out=found)
    return found


def _by_arcs(rims: Floats, start: Floats, end: Floats) -> Floats:
    """Return how far lines (p) are from shapes as it shows from the arcs to the lines' ends."""
    x, y, reach, ax, ay, bx, by, _ = rims
    px, py = start[:, 0, None], start[:, 1, None]
    dx, dy = end[:, 0, None] - px, end[:, 1, None] - py
    found = np.full(len(start), -np.inf)
    for fx, fy, gx, gy in ((px, py, dx, dy), (px + dx, py + dy, -dx, -dy)):
        ox, oy = fx - x, fy - y
        far = np.sqrt(ox * ox + oy * oy)
        # Next to a sharp corner rounding decides which way a point lies: there the edges tell.
        least = -ROUNDING * far
        on = (ax * oy - ay * ox >= least) & (ox * by - oy * bx >= least) & (far > TOUCHING_DEPTH_INCHES)
        value = far - reach + np.minimum((ox * gx + oy * gy) / np.maximum(far, ROUNDING), 0.0)
        np.maximum(found, np.where(on, value, -np.inf).max(axis=1), out=found)
    return found


def rims_of(core: Core, at: Floats, radius: float) -> Floats:
    """Return the arcs (k) of a shape that stands there, (8, k).

    Of each: its middle (x, y), its radius, where it begins and ends to face (x, y, x, y), and how far out the
    edge before it lies.
    """
    found = np.empty((8, len(core.radius)))
    found[:7] = core.rims
    found[0] += at[0]
    found[1] += at[1]
    found[2] += radius
    x, y, reach, ax, ay, _, _, offset = found
    np.multiply(x, ax, out=offset)
    offset += y * ay
    offset += reach
    return found


def stacks_of(rows: Ints, cores: Sequence[Core], xy: Floats, radius: Floats) -> tuple[Stack, ...]:
    """Return the shapes of these rows as arrays, those of few arcs apart from those of many."""
    count = np.array([len(cores[row].radius) for row in rows.tolist()], dtype=np.intp)
    return tuple(
        Stack(places, [cores[row] for row in places.tolist()], xy[places], radius[places])
        for places in (rows[count <= FEW], rows[count > FEW])
        if len(places)
    )
