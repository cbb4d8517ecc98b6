"""What shortest ways run along: the rims of obstacles, and the straight lines tangent to two of them.

A taut string touches a disc, or the rounded corner of another shape, only where it leaves or joins it
tangentially; so shortest ways are made of tangents and arcs. Owns rims and their tangents, worked out when
first reached and kept, so that many ways among the same obstacles share them. `geometry.search` walks them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from geometry.base import Bools, Floats
from geometry.clearance import CLEAR, SLACK, Obstacles
from geometry.outline import Outlines
from geometry.spot import ON, SAME, Edges, meeting, on_lines

Point = tuple[float, float]
Ints = NDArray[np.intp]
TURNED = 1e-7
"""A rounding error of an angle on a rim."""
SLIVER = 1e-4
"""A stretch that is shut and no wider than this, in radians, may be a rounding error of an arrival."""


class Tangent(NamedTuple):
    """A straight way: the angle at which it leaves a rim, to which rim, angle and point it leads, how far."""

    leaves: float
    arc: int
    turn: int
    arrives: float
    length: float
    end: Point


class Fan(NamedTuple):
    """The tangents from a point, clear or not: to which arcs, in which sense, at which angle and point."""

    arc: Ints
    turn: Ints
    angle: Floats
    end: Floats
    length: Floats


@dataclass(frozen=True, slots=True)
class Rim:
    """One way round an arc: the tangents that leave it, and the stretches of angle that are shut."""

    tangents: tuple[Tangent, ...]
    shut: tuple[tuple[float, float], ...]
    """Where each such stretch begins, and how wide it is, in radians."""

    def open_ahead(self, angle: float, turn: int) -> float:
        """Return how far round, in radians, the rim is open from an angle."""
        found = math.tau
        for low, width in self.shut:
            if TURNED < (angle - low) % math.tau < width - TURNED:
                return 0.0
            ahead = ((low - angle) if turn > 0 else (angle - low - width)) % math.tau
            found = min(found, 0.0 if ahead > math.tau - TURNED else ahead)
        return found

    def shut_ahead(self, angle: float, turn: int) -> float:
        """Return how far round, in radians, the stretch that is shut at an angle ends."""
        found = math.tau
        for low, width in self.shut:
            inside = (angle - low) % math.tau
            if inside < width:
                found = min(found, width - inside if turn > 0 else inside)
        return found


class Roadmap:
    """The ways of bases of one stance among obstacles, none of which holds an end of them.

    Its arcs are whole discs, and the rounded corners of other shapes, in order counter-clockwise.
    """

    def __init__(self, obstacles: Obstacles) -> None:
        """Take the obstacles."""
        self.free = obstacles
        shapes, arcs = obstacles.shapes, obstacles.shapes.arcs
        is_disc = np.ones(len(shapes), dtype=np.bool_)
        is_disc[arcs.owner] = False
        discs = np.flatnonzero(is_disc & (shapes.radius > SAME))
        self.centre = np.vstack([shapes.xy[discs], arcs.centre])
        self.reach = np.concatenate([shapes.radius[discs], arcs.reach])
        self._low = np.concatenate([np.zeros(len(discs)), arcs.low])
        self._width = np.concatenate([np.full(len(discs), math.tau), arcs.width])
        self._owner = np.concatenate([discs, arcs.owner])
        self._after = _following(arcs.owner, len(discs))
        self._before = np.argsort(self._after)
        self._is_disc = np.arange(len(self.reach)) < len(discs)
        self._first, self._last = _ways(self._low), _ways(self._low + self._width)
        self._shapes = shapes
        self._rims: dict[tuple[int, int], Rim] = {}
        self._shut: dict[int, tuple[tuple[float, float], ...]] = {}

    def rim(self, arc: int, turn: int) -> Rim:
        """Return an arc's rim in one sense: 1 counter-clockwise, -1 clockwise."""
        key = (arc, turn)
        if key not in self._rims:
            if arc not in self._shut:
                self._shut[arc] = self._shut_stretches(arc)
            tangents = (*self._tangents(arc, turn), *self._onward(arc, turn))
            self._rims[key] = Rim(tangents, self._shut[arc])
        return self._rims[key]

    def open_ahead(self, rim: Rim, arc: int, angle: float, turn: int) -> float:
        """Return how far round a rim is open from an angle.

        Where a tangent arrives from close by, rounding turns it a little: a sliver that is shut, but by
        no more than rounding, is passed.
        """
        found = rim.open_ahead(angle, turn)
        if found > 0:
            return found
        sliver = rim.shut_ahead(angle, turn)
        if sliver > SLIVER or not self._is_open(arc, self._on(np.array([arc]), np.array([angle])))[0]:
            return found
        return sliver + rim.open_ahead(angle + turn * sliver, turn)

    def from_point(self, point: Point) -> Fan:
        """Return the tangents from a point to all arcs."""
        off = np.array(point) - self.centre
        apart = np.hypot(off[:, 0], off[:, 1])
        near = np.minimum(self.reach / np.maximum(apart, SAME), 1.0)
        aside = np.sqrt(1.0 - near * near)
        way = off / np.maximum(apart, SAME)[:, None]
        left = np.stack([-way[:, 1], way[:, 0]], axis=1)
        outside = apart >= self.reach - CLEAR
        rows, turns, faces = [], [], []
        for turn in (1, -1):
            # Seen from the arc's middle, the touching point is turned from the point, with the sense.
            face = way * near[:, None] + turn * aside[:, None] * left
            here = apart <= ON
            face[here] = self._first[here] if turn > 0 else self._last[here]
            kept = np.flatnonzero(outside & self._faces(face))
            rows.append(kept)
            turns.append(np.full(len(kept), turn))
            faces.append(face[kept])
        arc, face = np.concatenate(rows), np.concatenate(faces)
        end = self.centre[arc] + self.reach[arc, None] * face
        length = apart[arc] * aside[arc]
        return Fan(arc, np.concatenate(turns), np.arctan2(face[:, 1], face[:, 0]), end, length)

    def to_point(self, arc: int, turn: int, point: Point) -> tuple[float, Point, float] | None:
        """Return at which angle the tangent to a point leaves an arc, where, and its length, clear or not."""
        (x, y), reach = self.centre[arc].tolist(), float(self.reach[arc])
        low, width = float(self._low[arc]), float(self._width[arc])
        apart = math.dist((x, y), point)
        if apart < reach - CLEAR:
            return None
        if apart <= ON:
            return (low + width if turn > 0 else low), point, 0.0
        lean = math.acos(min(1.0, reach / apart))
        angle = math.atan2(point[1] - y, point[0] - x) - turn * lean
        if (angle - low + TURNED) % math.tau > width + 2 * TURNED:
            return None
        touch = (x + reach * math.cos(angle), y + reach * math.sin(angle))
        return angle, touch, math.dist(touch, point)

    def _faces(self, face: Floats) -> Bools:
        """Return which arcs face in the direction of the same row."""
        x, y = face.T
        after = self._first[:, 0] * y - self._first[:, 1] * x >= -TURNED
        before = x * self._last[:, 1] - y * self._last[:, 0] >= -TURNED
        return np.asarray(self._is_disc | (after & before))

    def _on(self, arc: Ints, angle: Floats) -> Floats:
        return np.asarray(self.centre[arc] + self.reach[arc, None] * _ways(angle))

    def _is_taut(self, arc: Ints, angle: Floats) -> Bools:
        """Return which arcs face at the angle of the same row."""
        turned = (angle - self._low[arc] + TURNED) % math.tau
        return np.asarray(turned <= self._width[arc] + 2 * TURNED)

    def _tangents(self, arc: int, turn: int) -> tuple[Tangent, ...]:
        """Return the clear tangents from one arc to those of other shapes."""
        others = np.flatnonzero(self._owner != self._owner[arc])
        other, sense = np.tile(others, 2), np.repeat([1, -1], len(others))
        off = self.centre[other] - self.centre[arc]
        apart = np.hypot(*off.T)
        # Along the tangent, each disc lies on the left for a counter-clockwise turn.
        lean = turn * self.reach[arc] - sense * self.reach[other]
        exists = np.flatnonzero(apart > np.abs(lean) + ON)
        other, sense, off = other[exists], sense[exists], off[exists]
        along = np.arctan2(off[:, 1], off[:, 0]) + np.arcsin(lean[exists] / apart[exists])
        leaves = along - turn * math.pi / 2
        arrives = along - sense * math.pi / 2
        own = np.full(len(other), arc)
        taut = self._is_taut(own, leaves) & self._is_taut(other, arrives)
        own, other, sense = (column[taut] for column in (own, other, sense))
        leaves, arrives = (np.asarray(column[taut]) for column in (leaves, arrives))
        start, end = self._on(own, leaves), self._on(other, arrives)
        rows = np.flatnonzero(self.free.clear(start, end))
        length = np.hypot(*(end - start).T)
        columns = (column[rows].tolist() for column in (leaves, other, sense, arrives, length))
        ends = [(x, y) for x, y in end[rows].tolist()]
        return tuple(Tangent(*row) for row in zip(*columns, ends, strict=True))

    def _onward(self, arc: int, turn: int) -> tuple[Tangent, ...]:
        """Return the way on along the edge of its shape to the next arc, if that is clear."""
        if self._is_disc[arc]:
            return ()
        to = int(self._after[arc] if turn > 0 else self._before[arc])
        low, high = self._low, self._low + self._width
        leaves, arrives = (float(x) for x in ((high[arc], low[to]) if turn > 0 else (low[arc], high[to])))
        ends = self._on(np.array([arc, to]), np.array([leaves, arrives]))
        length = math.dist(*ends)
        if length > ON and not self.free.clear(ends[:1], ends[1:])[0]:
            return ()
        (x, y) = ends[1].tolist()
        return (Tangent(leaves, to, turn, arrives, length, (x, y)),)

    def _shut_stretches(self, arc: int) -> tuple[tuple[float, float], ...]:
        """Return where a rim is shut: because of other shapes, and where its arc does not face."""
        low, width = float(self._low[arc]), float(self._width[arc])
        found = []
        if self.reach[arc] <= ON:
            is_open = self._is_open(arc, self.centre[[arc]])[0]
            found = [] if is_open else [(low, width)]
        else:
            turned = (self._crossed(arc) - low) % math.tau
            begins = np.unique(np.append(turned[turned < width], 0.0))
            wide = np.diff(np.append(begins, width))
            middle: Floats = low + begins + wide / 2
            is_open = self._is_open(arc, self._on(np.full(len(middle), arc), middle))
            shut = ~is_open & (wide > TURNED)
            found = list(zip((low + begins[shut]).tolist(), wide[shut].tolist(), strict=True))
        if not self._is_disc[arc]:
            found.append((low + width, math.tau - width))
        return tuple(found)

    def _crossed(self, arc: int) -> Floats:
        """Return the angles at which other obstacles' edges cross the circle of an arc."""
        centre, reach = self.centre[arc], self.reach[arc]
        edges = Edges.of(self._about(arc)).joined(self.free.board)
        same = np.zeros(len(edges.reach), dtype=np.intp)
        points = np.vstack(
            [
                meeting(centre[None][same], reach[None][same], edges.centre, edges.reach).reshape(-1, 2),
                on_lines(edges.start, edges.end, centre[None], reach[None]),
            ]
        )
        off = points - centre
        return np.asarray(np.arctan2(off[:, 1], off[:, 0]))

    def _about(self, arc: int) -> Outlines:
        """Return the other shapes that an arc's circle may enter."""
        far = np.hypot(*(self._shapes.xy - self.centre[arc]).T)
        near = far < self._shapes.reach + self.reach[arc]
        near[self._owner[arc]] = False
        return self._shapes.take(near)

    def _is_open(self, arc: int, xy: Floats) -> Bools:
        """Return which points on an arc lie in no other obstacle."""
        free = self.free
        good = ((xy >= free.low - CLEAR) & (xy <= free.high + CLEAR)).all(axis=1)
        about = self._about(arc)
        if len(about):
            good &= (about.distances(xy) >= -SLACK).all(axis=1)
        return np.asarray(good)


def _following(owner: Ints, discs: int) -> Ints:
    """Return the arc that follows each on its shape, counter-clockwise; the same one on a disc."""
    after = np.arange(1, len(owner) + 1) + discs
    first = np.flatnonzero(np.append(True, owner[1:] != owner[:-1])) if len(owner) else np.zeros(0, np.intp)
    if len(owner):
        after[np.append(first[1:], len(owner)) - 1] = first + discs
    return np.concatenate([np.arange(discs), after])


def _ways(angle: Floats) -> Floats:
    return np.stack([np.cos(angle), np.sin(angle)], axis=-1)
