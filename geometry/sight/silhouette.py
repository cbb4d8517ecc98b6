"""The rims of many bodies at once: how far each reaches, where a line passes through it, what is tangent.

Owns the kernels on which sight rests, for discs in closed form and for ovals and hulls along the arcs and
edges of their cores. It knows neither pieces nor heights.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

import msgspec
import numpy as np

from geometry.shape.array import left_of, points, ways_at
from geometry.shape.base import TOLERANCE, Bools, Floats, Ints
from geometry.shape.core_polygon import Core

Outermost = Callable[[Floats, Ints], Floats]
"""The outermost points of the bodies of these rows in directions, a few for each."""

TURNS = 14
"""So often a tangent is improved; each time halves its error at least, and soon squares it."""
QUICK = 6
EXACT = 1e-10
"""A tangent that runs so close to its body is not sought any further."""
SIDEWAYS = 16
SLICES = 256


class Cores(NamedTuple):
    """Cores as arrays, one row each: arcs in their order, each facing `turn` radians on from `first`.

    Arcs not used begin beyond the full turn.
    """

    centre: Floats
    radius: Floats
    first: Floats
    turn: Floats
    face: Floats
    arcs: Ints
    about: Ints
    """The arc that a core has at the beginning of each of so many slices of the full turn."""
    most: int
    """So many arcs at most begin within one slice."""
    inner: Floats
    """The radius of the disc about the middle that each holds."""


@lru_cache(maxsize=64)
def cores_of(cores: tuple[Core, ...]) -> Cores:
    """Return these cores as arrays."""
    most = max((len(core.radius) for core in cores), default=1)
    tables = [_table_of(core) for core in cores]
    centre = np.zeros((len(cores), most, 2))
    radius = np.zeros((len(cores), most))
    turn = np.full((len(cores), most), 9.0)
    face = np.zeros((len(cores), most, 2))
    for k, (core, table) in enumerate(zip(cores, tables, strict=True)):
        count = len(core.radius)
        centre[k, :count] = core.centre
        radius[k, :count] = core.radius
        turn[k, :count] = table.turn
        face[k, :count] = core.begin
    first = np.array([core.low[0] for core in cores], dtype=np.float64)
    counts = np.array([len(core.radius) for core in cores], dtype=np.intp)
    about = np.array([table.about for table in tables], dtype=np.intp).reshape(-1, SLICES)
    most_begin = max((table.most for table in tables), default=0)
    inner = np.array([table.inner for table in tables], dtype=np.float64)
    return Cores(centre, radius, first, turn, face, counts, about, most_begin, inner)


class _Table(NamedTuple):
    """What `Cores` tells of one core."""

    turn: Floats
    about: Ints
    most: int
    inner: float


@lru_cache(maxsize=1024)
def _table_of(core: Core) -> _Table:
    turn = np.concatenate([[0.0], np.cumsum(core.width)[:-1]])
    about = np.searchsorted(turn, np.arange(SLICES) * (math.tau / SLICES), side="right") - 1
    crowd = np.diff(about, append=len(turn) - 1)
    return _Table(turn, about, int(crowd.max()), _inner(core))


def _inner(core: Core) -> float:
    """Return the radius of the disc about the middle that a core holds."""
    far = np.hypot(core.centre[:, 0], core.centre[:, 1])
    back = np.arctan2(-core.centre[:, 1], -core.centre[:, 0])
    nearest = np.where((back - core.low) % math.tau <= core.width, core.radius - far, np.inf)
    ends = _dot(core.centre, ways_at(core.low)) + core.radius
    return max(float(min(nearest.min(), ends.min())), 0.0)


class Rims(msgspec.Struct, frozen=True, eq=False):
    """The rims of n bodies: all that is within `radius` (n,) of a core at `xy` (n, 2).

    `kind` is the row of the core among `cores`, or -1 for a disc; `reach` the radius of the circle round it.
    """

    xy: Floats
    radius: Floats
    reach: Floats
    kind: Ints
    cores: Cores

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.radius)

    def take(self, rows: Ints | Bools) -> Rims:
        """Return the rims of these rows."""
        return Rims(self.xy[rows], self.radius[rows], self.reach[rows], self.kind[rows], self.cores)

    @property
    def within(self) -> Rims:
        """Return the discs within them, about their middles."""
        inner = np.concatenate([self.cores.inner, [0.0]])
        return self._discs(self.radius + inner[self.kind])

    @property
    def around(self) -> Rims:
        """Return the discs round them."""
        return self._discs(self.reach)

    def _discs(self, radius: Floats) -> Rims:
        return Rims(self.xy, radius, radius, np.full(len(radius), -1, dtype=np.intp), self.cores)

    @property
    def shaped(self) -> Ints:
        """Return the rows that are not discs."""
        return (self.kind >= 0).nonzero()[0]

    def beyond(self, normal: Floats) -> Floats:
        """Return how far out each reaches (n, l) in directions (n, l, 2), from the corner of the table."""
        far = _dot(normal, self.xy[:, None, :])
        rows = self.shaped
        if not len(rows):
            return far + self.radius[:, None]
        far += np.where(self.kind < 0, self.radius, 0.0)[:, None]
        own = normal[rows]
        far[rows] = _dot(own, self.take(rows)._outermost(own)[0])
        return far

    def outermost(self, normal: Floats, rows: Ints) -> Floats:
        """Return the outermost point of each of these rows in unit directions, as `facing` does."""
        return self.take(rows).facing(normal)

    def facing(self, normal: Floats) -> Floats:
        """Return the outermost point (n, l, 2) of each in unit directions (n, l, 2)."""
        at = self.xy[:, None, :] + self.radius[:, None, None] * normal
        rows = self.shaped
        if len(rows):
            at[rows] = self.take(rows)._outermost(normal[rows])[0]
        return at

    def comes_near(self, x: Floats, u: Floats) -> Bools:
        """Return which lines (n, l) along `u` through `x` meet the circle round each."""
        off = self.xy[:, None, :] - x
        aside = off[..., 0] * u[..., 1] - off[..., 1] * u[..., 0]
        return np.asarray(np.abs(aside) <= self.reach[:, None] + TOLERANCE)

    def meets(self, x: Floats, u: Floats, asked: Bools) -> Bools:
        """Return which of the lines asked for (n, l) touch each."""
        near = asked & self.comes_near(x, u)
        row, column = np.nonzero(near & (self.kind >= 0)[:, None])
        at, way, own = x[row, column], u[row, column], self.take(row)
        normal = left_of(way)[:, None]
        level = _dot(at, normal[:, 0])
        right, left = own._outermost(-normal)[0], own._outermost(normal)[0]
        on = (level >= _dot(right, normal)[:, 0] - TOLERANCE) & (
            level <= _dot(left, normal)[:, 0] + TOLERANCE
        )
        near[row, column] = on
        return near

    def chord(self, x: Floats, u: Floats, asked: Bools | None = None) -> tuple[Floats, Floats, Bools]:
        """Return from where to where lines (n, l) run within each, along `u` from `x`, and which touch it.

        Where a line misses, both are the place where it comes closest. Lines that are not asked for miss.
        """
        off = self.xy[:, None, :] - x
        along = off[..., 0] * u[..., 0] + off[..., 1] * u[..., 1]
        aside = off[..., 0] * u[..., 1] - off[..., 1] * u[..., 0]
        half = np.sqrt(np.maximum(self.radius[:, None] ** 2 - aside**2, 0.0))
        low, high, meets = along - half, along + half, np.abs(aside) <= self.radius[:, None] + TOLERANCE
        shaped = self.kind >= 0
        if shaped.any():
            meets[shaped] = False
            wanted = np.broadcast_to(shaped[:, None], aside.shape)
            row, column = np.nonzero(wanted if asked is None else wanted & asked)
            own, way = self.take(row), u[row, column][:, None]
            level, foot = aside[row, column][:, None], along[row, column]
            ahead, on = own._leaving(level, way)
            behind, _ = own._leaving(-level, -way)
            meets[row, column] = on[:, 0]
            high[row, column] = foot + ahead[:, 0]
            low[row, column] = foot - behind[:, 0]
        return low, high, meets

    def tangents(self, x: Floats, asked: Bools | None = None) -> tuple[Floats, Bools]:
        """Return the directions (n, l, 2 tangents, 2) from points (n, l, 2) to each's tangents: left, right.

        Also whether there are any (n, l): points inside have none, nor do those not asked for.
        """
        delta = self.xy[:, None, :] - x
        apart = np.hypot(delta[..., 0], delta[..., 1])
        exists = (apart >= self.radius[:, None] - TOLERANCE) & (apart > TOLERANCE)
        towards = delta / np.where(apart > TOLERANCE, apart, 1.0)[..., None]
        sine = np.clip(self.radius[:, None] / np.where(exists, apart, 1.0), 0.0, 1.0)
        cosine = np.sqrt(1.0 - sine**2)
        aside = left_of(towards) * sine[..., None]
        ahead = towards * cosine[..., None]
        ways = np.stack([ahead + aside, ahead - aside], axis=-2)
        shaped = self.kind >= 0
        if shaped.any():
            exists[shaped] = False
            wanted = ~self.holds(x, -TOLERANCE / 2) & shaped[:, None]
            row, column = np.nonzero(wanted if asked is None else wanted & asked)
            way, on = self.take(row)._tangents(np.repeat(x[row, column][:, None], 2, axis=1))
            ways[row, column] = way
            exists[row, column] = on[:, 0] & on[:, 1]
        return ways, exists

    def holds(self, x: Floats, margin: float = 0.0) -> Bools:
        """Return which points (n, l, 2) lie within each, or within the margin of it along their way there."""
        off = x - self.xy[:, None, :]
        apart = np.hypot(off[..., 0], off[..., 1])
        inside = apart <= self.radius[:, None] + margin
        if (self.kind >= 0).any():
            known = np.concatenate([self.cores.inner, [0.0]])[self.kind] + self.radius + margin
            inside |= apart < known[:, None] - TOLERANCE
            near = (apart <= self.reach[:, None] + margin + TOLERANCE) & (self.kind >= 0)[:, None]
            row, column = np.nonzero(near & ~inside)
            away = _unit(off[row, column])[:, None]
            rim, _ = self.take(row)._leaving(np.zeros((len(row), 1)), away)
            inside[row, column] = apart[row, column] <= rim[:, 0] + margin
        return np.asarray(inside)

    def crossings(self, start: Floats, end: Floats) -> tuple[Floats, Bools]:
        """Return where segments (n, l, 2) cross each's rim: points (n, l, 2 crossings, 2), which exist."""
        way = end - start
        length = np.hypot(way[..., 0], way[..., 1])
        u = way / np.maximum(length, TOLERANCE**2)[..., None]
        low, high, meets = self.chord(start, u)
        along = points(low, high)
        exists = (meets & (high > low))[..., None] & (along > 0) & (along < length[..., None])
        return start[..., None, :] + along[..., None] * u[..., None, :], exists

    # along arcs and edges; every row is shaped

    def _arc(self, way: Floats) -> Ints:
        """Return the number of the arc (n, l) that faces each direction."""
        cores, kind = self.cores, self.kind[:, None]
        angle = (np.arctan2(way[..., 1], way[..., 0]) - cores.first[kind]) % math.tau
        at = cores.about[kind, np.minimum((angle * (SLICES / math.tau)).astype(np.intp), SLICES - 1)]
        last = cores.arcs[kind] - 1
        for _ in range(cores.most):
            later = np.minimum(at + 1, last)
            at = np.where(cores.turn[kind, later] <= angle, later, at)
        return np.asarray(at)

    def _outermost(self, way: Floats) -> tuple[Floats, Ints]:
        arc, kind = self._arc(way), self.kind[:, None]
        wide = self.cores.radius[kind, arc] + self.radius[:, None]
        return self.xy[:, None, :] + self.cores.centre[kind, arc] + wide[..., None] * way, arc

    def _leaving(self, aside: Floats, u: Floats) -> tuple[Floats, Bools]:
        """Return how far beyond the foot of xy lines leave each, and which of them touch it.

        A line runs along `u` and passes xy at the distance `aside`, measured to the left of `u`... of the
        line, xy lies to the right where it is positive.
        """
        normal = left_of(u)
        xy = self.xy[:, None, :]
        left, last = self._outermost(normal)
        right, first = self._outermost(-normal)
        lowest, highest = _dot(right - xy, normal), _dot(left - xy, normal)
        meets = (aside >= lowest - TOLERANCE) & (aside <= highest + TOLERANCE)
        level = np.clip(aside, lowest, highest)
        count = self.cores.arcs[self.kind][:, None]
        span = (last - first) % count
        skip = np.zeros(level.shape, dtype=np.intp)
        step = 1 << max(int(span.max(initial=0)), 1).bit_length()
        while step > 1:
            step >>= 1
            later = skip + step
            _, begin = self._begin((first + np.minimum(later, span)) % count, u)
            skip = np.where((later <= span) & (begin <= level), later, skip)
        arc = (first + skip) % count
        kind = self.kind[:, None]
        centre, wide = self.cores.centre[kind, arc], self.cores.radius[kind, arc] + self.radius[:, None]
        rise = level - _dot(centre, normal)
        on_arc = _dot(centre, u) + np.sqrt(np.maximum(wide**2 - rise**2, 0.0))
        after = (arc + 1) % count
        reach, end = self._begin(after, u, arc)
        reach_to, to = self._begin(after, u)
        share = np.clip((level - end) / np.where(to > end, to - end, 1.0), 0.0, 1.0)
        on_edge = (level > end) & (skip < span)
        return np.where(on_edge, reach + share * (reach_to - reach), on_arc), meets

    def _begin(self, arc: Ints, u: Floats, of: Ints | None = None) -> tuple[Floats, Floats]:
        """Return how far along `u` and to its left an arc begins, or the one before it, `of`, ends."""
        cores, kind = self.cores, self.kind[:, None]
        face = cores.face[kind, arc]
        if of is not None:
            arc = of
        centre, wide = cores.centre[kind, arc], cores.radius[kind, arc] + self.radius[:, None]
        at_x, at_y = centre[..., 0] + wide * face[..., 0], centre[..., 1] + wide * face[..., 1]
        return at_x * u[..., 0] + at_y * u[..., 1], at_y * u[..., 0] - at_x * u[..., 1]

    def _tangents(self, x: Floats) -> tuple[Floats, Bools]:
        """Return the directions (n, 2, 2) from points to the left and right tangent, and which are real."""
        side = np.array([[1.0], [-1.0]])
        arc = self._arc(side * left_of(_unit(self.xy[:, None, :] - x)))
        for _ in range(QUICK):
            way, apart = self._touching(x, arc, side)
            before, arc = arc, self._arc(side * left_of(way))
            if (arc == before).all():
                break
        # From a sharp corner itself no way leads to it.
        off = np.where(apart > TOLERANCE, self._excess(x, way, side), np.inf)
        rows = np.logical_or.reduce(off > EXACT, axis=1).nonzero()[0]
        if len(rows):
            way[rows], off[rows] = self.take(rows)._tangents_slowly(x[rows], side)
        return way, off <= TOLERANCE

    def _touching(self, x: Floats, arc: Ints, side: Floats) -> tuple[Floats, Floats]:
        """Return the directions (n, l, 2) from points to tangents of arcs' circles, and how far these are."""
        kind = self.kind[:, None]
        off = self.xy[:, None, :] + self.cores.centre[kind, arc] - x
        apart = np.maximum(np.hypot(off[..., 0], off[..., 1]), TOLERANCE**2)
        wide = self.cores.radius[kind, arc] + self.radius[:, None]
        sine = np.minimum(wide / apart, 1.0)[..., None]
        ahead = off / apart[..., None]
        return np.sqrt(1.0 - sine**2) * ahead + side * sine * left_of(ahead), apart

    def _tangents_slowly(self, x: Floats, side: Floats) -> tuple[Floats, Floats]:
        """Return the same directions, and how far each reaches over them, step by step from the middle on."""
        way = _unit(self.xy[:, None, :] - x)
        for _ in range(TURNS):
            at, _ = self._outermost(side * left_of(way))
            before, way = way, _unit(at - x, way)
            if np.abs(way - before).max(initial=0.0) < 1e-13:
                break
        _, arc = self._outermost(side * left_of(way))
        exact, apart = self._touching(x, arc, side)
        off_way, off_exact = (self._excess(x, each, side) for each in (way, exact))
        off_exact[apart <= TOLERANCE] = np.inf
        better = off_exact <= off_way
        return np.where(better[..., None], exact, way), np.minimum(off_way, off_exact)

    def _excess(self, x: Floats, way: Floats, side: Floats) -> Floats:
        """Return how far each reaches over lines from points along a way, on one side."""
        normal = side * left_of(way)
        over = _dot(self._outermost(normal)[0] - x, normal)
        return np.asarray(np.abs(over))


def rims_of(xy: Floats, radius: Floats, core: Sequence[Core] = ()) -> Rims:
    """Return the rims of bodies: cores (none where all are points) with what is within a radius of them."""
    kind = np.full(len(radius), -1, dtype=np.intp)
    reach = np.array(radius, dtype=np.float64)
    number: dict[int, int] = {}
    found: list[Core] = []
    for i, each in enumerate(core):
        if not each.is_point:
            if id(each) not in number:
                number[id(each)] = len(found)
                found.append(each)
            kind[i] = number[id(each)]
    if found:
        far = np.array([each.reach for each in found])
        reach += np.where(kind >= 0, far[kind], 0.0)
    return Rims(np.asarray(xy), np.asarray(radius), reach, kind, cores_of(tuple(found)))


def common_tangents(q: Outermost, p: Outermost, count: int) -> tuple[Floats, Bools]:
    """Return the unit normals (n, 2, 2) of the tangents behind which both bodies of n pairs lie, left first.

    None exist where one body holds the other.
    """
    angles: Floats = np.asarray(np.arange(SIDEWAYS) * (math.tau / SIDEWAYS), dtype=np.float64)
    around = np.broadcast_to(ways_at(angles), (count, SIDEWAYS, 2))
    rows: Ints = np.arange(count)
    lead = ((p(around, rows) - q(around, rows)) * around).sum(axis=2)
    ahead, back = lead.argmax(axis=1), lead.argmin(axis=1)
    exists = (lead[rows, ahead] > 0) & (lead[rows, back] < 0)
    forward: Floats = angles[ahead]
    backward: Floats = angles[back]
    low = points(forward, forward - (forward - backward) % math.tau)
    high = points(forward + (backward - forward) % math.tau, forward)
    falls = np.array([True, False])  # on the left the lead of p falls as the normal turns on
    found: Floats = np.asarray((low + high) / 2)
    rows = rows[exists]
    low, high = low[rows], high[rows]
    for _ in range(4 * TURNS):
        angle = found[rows]
        normal = ways_at(angle)
        across = p(normal, rows) - q(normal, rows)
        value = (across * normal).sum(axis=2)
        # Few pairs need more than a few turns: only those that do go on.
        left = np.abs(value).max(axis=1, initial=0.0) >= 1e-12
        if not left.any():
            break
        rows, angle, normal, across, value = rows[left], angle[left], normal[left], across[left], value[left]
        beyond = (value > 0) == falls
        low, high = np.where(beyond, angle, low[left]), np.where(beyond, high[left], angle)
        slope = (across * left_of(normal)).sum(axis=2)
        step = angle - value / np.where(np.abs(slope) > 1e-12, slope, 1e-12)
        step = np.where((step > low) & (step < high), step, (low + high) / 2)
        found[rows] = np.where(np.abs(value) < 1e-12, angle, step)
    return ways_at(found), exists


def _unit(way: Floats, otherwise: Floats | None = None) -> Floats:
    length = np.hypot(way[..., 0], way[..., 1])
    real = length > TOLERANCE**2
    spare = np.array([1.0, 0.0]) if otherwise is None else otherwise
    return np.where(real[..., None], way / np.where(real, length, 1.0)[..., None], spare)


def _dot(one: Floats, two: Floats) -> Floats:
    return np.asarray(one[..., 0] * two[..., 0] + one[..., 1] * two[..., 1])
