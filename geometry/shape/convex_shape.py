"""The outlines of things on the ground: convex shapes of true arcs and straight edges.

Owns the shape of a base of any kind at any facing, sums of shapes (where a base may not be because of
another), and the exact distances of points and lines from many of them at once. It knows no rule.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from functools import lru_cache

import msgspec
import numpy as np

from geometry.core.gaps import put_gaps
from geometry.portable import angle_of, angles_of, dots, norms, radians, ways_at
from geometry.shape.array import following, left_of, points, previous, right_of
from geometry.shape.base import Base, Bools, Floats, Ints, distinct
from geometry.shape.cached import cached_property
from geometry.shape.core_polygon import Core
from geometry.shape.separating_axis import Stack, stacks_of
from geometry.tolerance import ROUNDING, TOUCHING_DEPTH_INCHES

OVAL_POINTS = 48
"""The number of points in which an oval's rim touches its ellipse.

The ends of its axes are among them. The two arcs between each two of them leave the ellipse by no more than
4e-5 inches (a thousandth of a millimetre) on any base there is. All else is exact on that rim.
"""


NARROW = 10 * ROUNDING
"""Arcs of a sum that are no wider, in radians, are left to those beside them.

No direction is faced by such an arc alone.
"""
POINT = Core(np.zeros((1, 2)), np.zeros(1), np.zeros(1), np.full(1, math.tau))
"""The core of a round base: a point, with all of it in the radius."""
NO_ROWS: Ints = np.empty(0, dtype=np.intp)


def polygon_core(corners: Sequence[Sequence[float]]) -> Core:
    """Return the shape of a convex polygon, its corners counter-clockwise about the origin.

    Two corners are a stretch of line. Each of its ends is two arcs: rounding may turn a half turn about.
    """
    corner = np.array(corners, dtype=np.float64)
    if len(corner) == 2:
        x, y = (corner[1] - corner[0]).tolist()
        # Each begins exactly where the one before ends.
        low = np.cumsum([angle_of(y, -x) - math.pi, *[math.pi / 2] * 3])
        return Core(corner.repeat(2, axis=0), np.zeros(4), low, np.full(4, math.pi / 2))
    along = following(corner) - corner
    ahead = angles_of(right_of(along))  # each edge faces to the right of its way
    behind = previous(ahead)
    return Core(corner, np.zeros(len(corner)), behind, (ahead - behind) % math.tau)


@lru_cache(maxsize=64)
def _oval(length: float, width: float) -> Core:
    """Return the arcs of an oval, which share points and tangents with its ellipse.

    Between each two such points there are two arcs.
    """
    a, b = length / 2, width / 2
    s = np.arange(OVAL_POINTS, dtype=np.float64) * (math.tau / OVAL_POINTS)
    # Points stand closer where the rim bends more, but for a little: so the arcs err least.
    at = ways_at(s) * (1.0, math.sqrt(math.sqrt(b / a)))
    at /= norms(at)[:, None]
    at = np.concatenate([at, at[:1]])
    point, normal = at * (a, b), at * (b, a)
    normal /= norms(normal)[:, None]
    tangent = left_of(normal)
    way, both = point[1:] - point[:-1], tangent[1:] + tangent[:-1]
    bend = 2 * (1 - dots(tangent[1:], tangent[:-1]))
    rise, square = dots(way, both), dots(way, way)
    arm = (np.sqrt(rise * rise + bend * square) - rise) / bend
    joint = (point[1:] + point[:-1] + arm[:, None] * (tangent[:-1] - tangent[1:])) / 2
    ends, faces = np.stack([point[:-1], point[1:]], axis=1), np.stack([normal[:-1], normal[1:]], axis=1)
    off = ends - joint[:, None]
    radius = dots(off, off) / (2 * dots(off, faces))
    centre = ends - radius[..., None] * faces
    out = joint[:, None] - centre
    face = angles_of(faces)
    middle = angles_of(out)[:, 0]
    low = points(face[:, 0], middle).ravel()
    return Core(centre.reshape(-1, 2), radius.ravel(), low, (following(low) - low) % math.tau)


@lru_cache(maxsize=4096)
def core_of(base: Base, facing: float = 0.0) -> Core:
    """Return the core of a base that faces this way, in degrees; a round base's is a point."""
    if base.shape == "round":
        return POINT
    if base.shape == "oval":
        if base.length == base.width:
            return POINT
        return _oval(base.length, base.width).turned(radians(facing))
    x, y = base.length / 2, base.width / 2
    return polygon_core([(-x, -y), (x, -y), (x, y), (-x, y)]).turned(radians(facing))


def margin_of(base: Base) -> float:
    """Return the radius round a base's core: all of a round base, nothing of another."""
    return base.length / 2 if core_of(base).is_point else 0.0


class Stance(msgspec.Struct, frozen=True):
    """A base at a facing: all that is within `radius` of its core."""

    radius: float
    core: Core = POINT


def stance_of(base: Base, facing: float = 0.0) -> Stance:
    """Return a base that faces this way, in degrees."""
    return Stance(margin_of(base), core_of(base, facing))


@lru_cache(maxsize=4096)
def plus(a: Core, b: Core) -> Core:
    """Return the sum of two shapes: every point of one added to every point of the other."""
    if a.is_point:
        return b
    if b.is_point:
        return a
    cuts = distinct(np.round(np.concatenate([a.low, b.low]) % math.tau, 12))
    # An arc of hardly any width would face back as well as ahead.
    cuts = cuts[np.append(True, np.diff(cuts) > NARROW)]
    if cuts[-1] - cuts[0] > math.tau - NARROW:
        cuts = cuts[:-1]
    width = np.diff(np.append(cuts, cuts[0] + math.tau))
    middle = cuts + width / 2
    i, j = (((middle[:, None] - core.low) % math.tau < core.width).argmax(axis=1) for core in (a, b))
    return Core(a.centre[i] + b.centre[j], a.radius[i] + b.radius[j], cuts, width)


@lru_cache(maxsize=4096)
def difference(a: Core, b: Core) -> Core:
    """Return where the origin of `b` must not be for it not to meet `a`, from the origin of `a`."""
    return plus(a, b.reversed())


class Outlines(msgspec.Struct, frozen=True, eq=False, dict=True):
    """Shapes on the ground: n cores at `xy` (n, 2), each with all within `radius` (n,) of it.

    `core` is empty where all are points, and the shapes discs.
    """

    xy: Floats
    radius: Floats
    core: tuple[Core, ...] = ()

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.radius)

    def take(self, rows: Bools | Sequence[int] | Ints) -> Outlines:
        """Return the shapes of these rows."""
        i = np.asarray(rows)
        if i.dtype != np.intp:
            i = i.nonzero()[0] if i.dtype == np.bool_ else i.astype(np.intp)
        core = tuple([self.core[k] for k in i.tolist()]) if self.core else ()
        found = Outlines(self.xy[i], self.radius[i], core)
        if "reach" in vars(self):
            vars(found)["reach"] = self.reach[i]  # it is known already
        return found

    def grown(self, margin: float | Floats) -> Outlines:
        """Return the shapes, each wider by a margin all round."""
        return Outlines(self.xy, self.radius + margin, self.core)

    def joined(self, other: Outlines) -> Outlines:
        """Return the shapes of both."""
        if not len(other):
            return self
        if not len(self):
            return other
        core: tuple[Core, ...] = ()
        if self.core or other.core:
            core = (self.core or (POINT,) * len(self)) + (other.core or (POINT,) * len(other))
        return Outlines(
            np.concatenate([self.xy, other.xy]), np.concatenate([self.radius, other.radius]), core
        )

    def against(self, base: Stance) -> Outlines:
        """Return where the middle of a base must not be for it not to meet these."""
        core, grown = base.core, self.radius + base.radius
        if core.is_point:
            return Outlines(self.xy, grown, self.core)
        own = self.core or (POINT,) * len(self)
        return Outlines(self.xy, grown, tuple(difference(each, core) for each in own))

    def distances(self, points: Floats) -> Floats:
        """Return the distances (m, n) of points (m, 2) from the shapes.

        Inside a shape the distance is less than 0, by the depth.
        """
        off = points[:, None, :] - self.xy[None]
        found: Floats = norms(off) - self.radius
        if len(self.cored):
            found[:, self.cored] = self.rim_distances(points)
        return found

    def line_distances(self, start: Floats, end: Floats) -> Floats:
        """Return the distances (m, n) of straight lines from the shapes; 0 or less where they meet."""
        found = _from_discs(start, end, self.xy) - self.radius
        if len(self.cored):
            found[:, self.cored] = self._line_distances(start, end)
        return found

    def supports(self, ways: Floats) -> Floats:
        """Return how far (m, k) the cored shapes reach in directions (m, 2).

        This is measured from the corner of the board.
        """
        arcs = self.arcs
        on = _between(ways[:, None, :], arcs)
        far = dots(ways[:, None], arcs.centre) + arcs.reach
        return np.asarray(np.maximum.reduceat(np.where(on, far, -np.inf), self._firsts, axis=1))

    def clear(self, start: Floats, end: Floats, slack: float = 0.0) -> Bools:
        """Return which straight lines (m) come into no shape deeper than by `slack`."""
        far = _from_discs(start, end, self.xy)
        far -= self.reach
        if not len(self.cored):
            return np.asarray((far >= -slack).all(axis=1))
        # What comes so near to the middle of a shape needs no closer look.
        good = np.asarray((far >= self._inner - slack).all(axis=1))
        near = far < -slack
        near &= good[:, None]
        for stack in self._stacks:
            line, row = near[:, stack.places].nonzero()
            if len(line):
                good[line[stack.enters(row, start[line], end[line], slack)]] = False
        return good

    def met(self, start: Floats, end: Floats, slack: float = 0.0) -> Bools:
        """Return which of the shapes (n) some straight line comes into deeper than by `slack`."""
        far = _from_discs(start, end, self.xy)
        far -= self.reach
        near = far < -slack
        if not len(self.cored):
            return np.asarray(near.any(axis=0))
        found = np.asarray((far < self._inner - slack).any(axis=0))
        near &= ~found
        for stack in self._stacks:
            line, row = near[:, stack.places].nonzero()
            if len(line):
                found[stack.places[row[stack.enters(row, start[line], end[line], slack)]]] = True
        return found

    @cached_property
    def _inner(self) -> Floats:
        """Return the distance (n,) from the circle round each shape below which a line enters it.

        Within the circle this is less than 0.
        """
        found, rows = np.zeros(len(self)), self.cored
        inner = np.array([self.core[row].inner for row in rows.tolist()])
        found[rows] = inner + self.radius[rows] - self.reach[rows] - 2 * TOUCHING_DEPTH_INCHES
        return found

    @cached_property
    def _stacks(self) -> tuple[Stack, ...]:
        return stacks_of(self.cored, self.core, self.xy, self.radius)

    @cached_property
    def reach(self) -> Floats:
        """Return the radius of the circle round the middle of each that holds it, (n,)."""
        found: Floats = self.radius.astype(np.float64)
        for row in self.cored:
            found[row] += self.core[row].reach
        return found

    def _line_distances(self, start: Floats, end: Floats) -> Floats:
        along = end - start
        first, face_first = self._facing(start)
        last, face_last = self._facing(end)
        best: Floats = first + np.minimum(dots(face_first, along[:, None]), 0.0)
        best = np.maximum(best, last + np.minimum(-dots(face_last, along[:, None]), 0.0))
        long = norms(along)
        moves = long > ROUNDING
        if moves.any():
            aside = left_of(along[moves]) / long[moves, None]
            for way in (aside, -aside):
                apart = dots(way, start[moves])[:, None] - self.supports(way)
                best[moves] = np.maximum(best[moves], apart)
        return best

    def rim_distances(self, points: Floats, rows: Sequence[int] | None = None) -> Floats:
        """Return the distances (m, k) of points (m, 2) from shapes that are no discs.

        These are those of some rows, or all there are.
        """
        if rows is None:
            rows = self.cored.tolist()
        flat = array("d", points.astype(np.float64, copy=False).tobytes())
        found = array("d", bytes(8 * len(points) * len(rows)))
        for column, row in enumerate(rows):
            (x, y), radius = self.xy[row].tolist(), self.radius.item(row)
            put_gaps(self.core[row].table, x, y, radius, flat, found, column, len(rows))
        return np.frombuffer(found).reshape(len(points), len(rows))

    def _facing(self, points: Floats) -> tuple[Floats, Floats]:
        """Return how far points are from the cored shapes (m, k), and how the nearest part faces."""
        arcs = self.arcs
        off = points[:, None, :] - arcs.centre[None]
        far = norms(off)
        # Next to a sharp corner rounding decides which way a point lies: there the edges tell.
        tells = _between(off, arcs, far) & (far > TOUCHING_DEPTH_INCHES)
        to_arc = np.where(tells, far - arcs.reach, -np.inf)
        to_edge = dots(points[:, None], arcs.face) - arcs.offset
        rows = np.arange(len(points))[:, None]
        arc, by_arc = _largest(to_arc, self._firsts)
        edge, by_edge = _largest(to_edge, self._firsts)
        to_point = off[rows, arc] / np.maximum(far[rows, arc], ROUNDING)[..., None]
        face = np.where((by_arc > by_edge)[..., None], to_point, arcs.face[edge])
        return np.maximum(by_arc, by_edge), face

    @cached_property
    def cored(self) -> Ints:
        """Return the rows that are not discs."""
        rows = [i for i, core in enumerate(self.core) if not core.is_point]
        return np.array(rows) if rows else NO_ROWS

    @cached_property
    def _firsts(self) -> Ints:
        sizes = [len(self.core[i].radius) for i in self.cored]
        return np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.intp)

    @cached_property
    def arcs(self) -> Arcs:
        """Return the rims of the shapes that are not discs, where they stand."""
        rows = self.cored
        if not len(rows):
            none = np.empty(0)
            return Arcs(np.empty((0, 2)), none, none, none, rows, np.empty((0, 2)), np.empty((0, 2)), none)
        cores = [self.core[i] for i in rows]
        if len(cores) == 1:
            core, row = cores[0], rows[0]
            centre, reach = core.centre + self.xy[row], core.radius + self.radius[row]
            offset = dots(centre, core.begin) + reach
            owner = rows.repeat(len(reach))
            return Arcs(centre, reach, core.low, core.width, owner, core.begin, core.end, offset)
        owner = np.repeat(rows, [len(core.radius) for core in cores])
        centre = np.concatenate([core.centre for core in cores]) + self.xy[owner]
        reach = np.concatenate([core.radius for core in cores]) + self.radius[owner]
        low = np.concatenate([core.low for core in cores])
        width = np.concatenate([core.width for core in cores])
        face, high = (
            np.concatenate([core.begin for core in cores]),
            np.concatenate([core.end for core in cores]),
        )
        return Arcs(centre, reach, low, width, owner, face, high, dots(centre, face) + reach)


class Arcs(msgspec.Struct, frozen=True):
    """The rims of shapes: arc i of shape `owner[i]`, and the edge (or point) where it begins.

    `face[i]` is the direction in which that edge faces, `offset[i]` how far out it lies in it. Up to
    `high[i]` the arc faces.
    """

    centre: Floats
    reach: Floats
    low: Floats
    width: Floats
    owner: Ints
    face: Floats
    high: Floats
    offset: Floats


def _between(ways: Floats, arcs: Arcs, length: Floats | float = 1.0) -> Bools:
    """Return which directions (m, k or 1, 2), so long, each arc (k) faces."""
    high, least = arcs.high, -ROUNDING * length
    after = arcs.face[:, 0] * ways[..., 1] - arcs.face[:, 1] * ways[..., 0] >= least
    before = ways[..., 0] * high[:, 1] - ways[..., 1] * high[:, 0] >= least
    return np.asarray(after & before)


def _largest(values: Floats, firsts: Ints) -> tuple[Ints, Floats]:
    """Return the column and the value (m, groups) of the largest in each group of columns."""
    best = np.maximum.reduceat(values, firsts, axis=1)
    sizes = np.concatenate([firsts[1:], [values.shape[1]]]) - firsts
    columns = np.arange(values.shape[1])
    hit = np.where(values >= best.repeat(sizes, axis=1), columns, values.shape[1])
    return np.minimum.reduceat(hit, firsts, axis=1), best


def _from_discs(start: Floats, end: Floats, points: Floats) -> Floats:
    """Return the distances (m, n) of straight lines from points (n, 2)."""
    x, y = start[:, 0, None], start[:, 1, None]
    tx, ty = points[:, 0] - x, points[:, 1] - y
    if start is not end:
        dx, dy = end[:, 0, None] - x, end[:, 1, None] - y
        share = tx * dx
        share += ty * dy
        share /= np.maximum(dx * dx + dy * dy, ROUNDING * ROUNDING)
        np.minimum(np.maximum(share, 0.0, out=share), 1.0, out=share)
        tx -= share * dx
        ty -= share * dy
    # In place: fresh memory for each step costs several times as much as the step itself.
    tx *= tx
    ty *= ty
    tx += ty
    return np.asarray(np.sqrt(tx, out=tx))


NOTHING = Outlines(np.empty((0, 2)), np.empty(0))
