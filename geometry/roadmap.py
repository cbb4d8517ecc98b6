"""What shortest ways run along: the rims of obstacles, and the straight lines tangent to two of them.

A taut string touches a convex shape only where it leaves or joins its rim tangentially; so shortest ways are
made of tangents and stretches of rims. Owns which tangents are clear and which stretches open, worked out
when first reached and kept, so that many ways among the same obstacles share them. `geometry.search` walks
them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from geometry.base import Bools, Floats
from geometry.clearance import CLEAR, SLACK, Obstacles
from geometry.loop import Ints, Loops
from geometry.outline import Outlines
from geometry.spot import ON, SAME, Edges, between

Point = tuple[float, float]
HAIR = 1e-7
"""A rounding error of a place on a rim, in inches."""
SLIVER = 1e-4
"""A stretch that is shut and no longer than this may be a rounding error of an arrival."""


class Tangent(NamedTuple):
    """A straight way: the place where it leaves a rim, to which rim, place and point it leads, how far."""

    leaves: float
    rim: int
    turn: int
    arrives: float
    length: float
    end: Point


class Fan(NamedTuple):
    """The tangents from a point, clear or not: to which rims, in which sense, to which place and point."""

    rim: Ints
    turn: Ints
    place: Floats
    end: Floats
    length: Floats


@dataclass(frozen=True, slots=True)
class Rim:
    """One way round a shape: the tangents that leave it, and the stretches that are shut."""

    tangents: tuple[Tangent, ...]
    shut: tuple[tuple[float, float], ...]
    """Where each such stretch begins, and how long it is."""
    perimeter: float

    def open_ahead(self, place: float, turn: int) -> float:
        """Return how far on the rim is open from a place."""
        found = self.perimeter
        for low, length in self.shut:
            if HAIR < (place - low) % self.perimeter < length - HAIR:
                return 0.0
            ahead = ((low - place) if turn > 0 else (place - low - length)) % self.perimeter
            found = min(found, 0.0 if ahead > self.perimeter - HAIR else ahead)
        return found

    def shut_ahead(self, place: float, turn: int) -> float:
        """Return how far on the stretch that is shut at a place ends."""
        found = self.perimeter
        for low, length in self.shut:
            inside = (place - low) % self.perimeter
            if inside < length:
                found = min(found, length - inside if turn > 0 else inside)
        return found


class Roadmap:
    """The ways of bases of one stance among obstacles, none of which holds an end of them."""

    def __init__(self, obstacles: Obstacles) -> None:
        """Take the obstacles."""
        self.free = obstacles
        shapes = obstacles.shapes
        is_point = np.array([core.is_point for core in shapes.core] or [True] * len(shapes), dtype=np.bool_)
        self.shapes = shapes.take(np.flatnonzero(~is_point | (shapes.radius > SAME)))
        self.loops = Loops(self.shapes)
        self._rims: dict[tuple[int, int], Rim] = {}
        self._shut: dict[int, tuple[tuple[float, float], ...]] = {}

    def rim(self, rim: int, turn: int) -> Rim:
        """Return a rim in one sense: 1 counter-clockwise, -1 clockwise."""
        key = (rim, turn)
        if key not in self._rims:
            if rim not in self._shut:
                self._shut[rim] = self._shut_stretches(rim)
            perimeter = float(self.loops.perimeter[rim])
            self._rims[key] = Rim(self._tangents(rim, turn), self._shut[rim], perimeter)
        return self._rims[key]

    def open_ahead(self, found: Rim, rim: int, place: float, turn: int) -> float:
        """Return how far on a rim is open from a place.

        Where a tangent arrives from close by, rounding shifts it a little: a sliver that is shut, but by
        no more than rounding, is passed.
        """
        ahead = found.open_ahead(place, turn)
        if ahead > 0:
            return ahead
        sliver = found.shut_ahead(place, turn)
        here = np.array([place % found.perimeter])
        if sliver > SLIVER or not self._is_open(rim, self.loops.points(rim, here))[0]:
            return ahead
        return sliver + found.open_ahead(place + turn * sliver, turn)

    def from_point(self, point: Point) -> Fan:
        """Return the tangents from a point to all rims."""
        loops = self.loops
        off = np.array(point) - loops.centre
        apart = np.hypot(off[:, 0], off[:, 1])
        near = np.minimum(loops.reach / np.maximum(apart, SAME), 1.0)
        aside = np.sqrt(1.0 - near * near)
        way = off / np.maximum(apart, SAME)[:, None]
        left = np.stack([-way[:, 1], way[:, 0]], axis=1)
        outside = apart >= loops.reach - CLEAR
        arcs, turns, faces = [], [], []
        for turn in (1, -1):
            # Seen from the arc's middle, the touching point is turned from the point, with the sense.
            face = way * near[:, None] + turn * aside[:, None] * left
            here = apart <= ON
            face[here] = loops.begin[here] if turn > 0 else loops.end[here]
            kept = np.flatnonzero(outside & self._faces(face))
            arcs.append(kept)
            turns.append(np.full(len(kept), turn))
            faces.append(face[kept])
        arc, face = np.concatenate(arcs), np.concatenate(faces)
        end = loops.centre[arc] + loops.reach[arc, None] * face
        place = loops.at_angle(arc, np.arctan2(face[:, 1], face[:, 0]))
        return Fan(loops.owner[arc], np.concatenate(turns), place, end, apart[arc] * aside[arc])

    def _faces(self, face: Floats) -> Bools:
        """Return which arcs face in the direction of the same row."""
        loops, (x, y) = self.loops, face.T
        after = loops.begin[:, 0] * y - loops.begin[:, 1] * x >= -HAIR
        before = x * loops.end[:, 1] - y * loops.end[:, 0] >= -HAIR
        return np.asarray(loops.is_disc | (after & before))

    def _tangents(self, rim: int, turn: int) -> tuple[Tangent, ...]:
        """Return the clear tangents from one rim to all others."""
        loops = self.loops
        own, other, sense = self._pairs(rim, turn)
        off = loops.centre[other] - loops.centre[own]
        apart = np.hypot(off[:, 0], off[:, 1])
        # Along the tangent, each shape lies on the left for a counter-clockwise turn.
        lean = turn * loops.reach[own] - sense * loops.reach[other]
        exists = np.flatnonzero(apart > np.abs(lean) + ON)
        own, other, sense, off = own[exists], other[exists], sense[exists], off[exists]
        along = np.arctan2(off[:, 1], off[:, 0]) + np.arcsin(lean[exists] / apart[exists])
        leaves, arrives = along - turn * math.pi / 2, along - sense * math.pi / 2
        taut = np.flatnonzero(loops.faces(own, leaves) & loops.faces(other, arrives))
        own, other, sense, leaves, arrives = own[taut], other[taut], sense[taut], leaves[taut], arrives[taut]
        start, end = loops.on(own, leaves), loops.on(other, arrives)
        rows = np.flatnonzero(self.free.clear(start, end))
        length = np.hypot(*(end - start).T)
        columns = (loops.at_angle(own, leaves), loops.owner[other], sense, loops.at_angle(other, arrives))
        listed = (column[rows].tolist() for column in (*columns, length))
        ends = [(x, y) for x, y in end[rows].tolist()]
        return tuple(Tangent(*row) for row in zip(*listed, ends, strict=True))

    def _pairs(self, rim: int, turn: int) -> tuple[Ints, Ints, Ints]:
        """Return the arcs of a rim, and of others with the sense there, that a line may touch both.

        Where lines turn about two shapes, one arc of each at a time is touched; the next pair begins where
        the arc of either ends.
        """
        loops = self.loops
        mine, others = loops.arcs_of(rim), np.flatnonzero(loops.owner != rim)
        rims = np.flatnonzero(np.arange(len(loops.count)) != rim)
        own, other, sense = [], [], []
        for turn_there in (1, -1):
            across = 0.0 if turn_there == turn else math.pi
            of_mine, of_rims = np.repeat(mine, len(rims)), np.tile(rims, len(mine))
            own += [of_mine, loops.facing(np.full(len(others), rim), loops.low[others] - across)]
            other += [loops.facing(of_rims, loops.low[of_mine] + across), others]
            sense.append(np.full(len(of_mine) + len(others), turn_there))
        joined = np.concatenate(own), np.concatenate(other), np.concatenate(sense)
        if len(mine) == 1:
            # All pairs of a disc begin where an arc of the other does.
            once = joined[1] >= 0
            once[: len(rims)] = False
            once[len(rims) + len(others) : 2 * len(rims) + len(others)] = False
            return joined[0][once], joined[1][once], joined[2][once]
        return joined

    def _shut_stretches(self, rim: int) -> tuple[tuple[float, float], ...]:
        """Return where a rim is shut because of other obstacles."""
        perimeter = float(self.loops.perimeter[rim])
        own = Edges.of(self.shapes.take([rim]))
        crossed = between(own, Edges.of(self._about(rim)).joined(self.free.board))
        places = np.unique(self.loops.places(rim, crossed) % perimeter) if len(crossed) else np.empty(0)
        if not len(places):
            places = np.zeros(1)
        length = np.diff(np.append(places, places[0] + perimeter))
        middle = (places + length / 2) % perimeter
        shut = ~self._is_open(rim, self.loops.points(rim, middle)) & (length > HAIR)
        return tuple(zip(places[shut].tolist(), length[shut].tolist(), strict=True))

    def _about(self, rim: int) -> Outlines:
        """Return the other shapes that a rim may enter."""
        shapes = self.shapes
        far = np.hypot(*(shapes.xy - shapes.xy[rim]).T)
        near = far < shapes.reach + shapes.reach[rim]
        near[rim] = False
        return shapes.take(np.flatnonzero(near))

    def _is_open(self, rim: int, xy: Floats) -> Bools:
        """Return which points on a rim lie in no other obstacle."""
        free = self.free
        good = ((xy >= free.low - CLEAR) & (xy <= free.high + CLEAR)).all(axis=1)
        about = self._about(rim)
        if len(about):
            good &= (about.distances(xy) >= -SLACK).all(axis=1)
        return np.asarray(good)
