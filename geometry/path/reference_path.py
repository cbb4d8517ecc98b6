"""A shortest way as a guide: how far along it a base may go, what is left from beside it.

Owns the guide of one mover and where edges cut it. It chooses no spot.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from itertools import accumulate

import msgspec
import numpy as np
from msgspec.structs import replace

from geometry.path.obstacles import Leg, Obstacles, arc_extremes, leg_length, part, sweep
from geometry.path.planner import Path
from geometry.portable import angle_of, angles_of, norm, norms, span
from geometry.shape.arrangement import Edges, met
from geometry.shape.base import Bools, Floats
from geometry.shape.cached import cached_property
from geometry.tolerance import DIRECTION_SLACK_RADIANS, PLACE_SLACK_INCHES

Point = tuple[float, float]
"""How finely an arc offers points from which to leave it."""


class Trail:
    """A path as a guide."""

    def __init__(self, path: Path) -> None:
        """Take the path."""
        self.path = path
        self.length = path.length

    def spots(self, lengths: Floats) -> Floats:
        """Return the points at these lengths along the path."""
        return np.array([self._spot(float(far)) for far in lengths]).reshape(-1, 2)

    def _spot(self, length: float) -> Point:
        """Return the point at a length along the path; its end where that is longer."""
        points, gone = self._points, self._gone
        after = bisect_left(gone, length)
        if after == len(gone) or length in (0.0, gone[after]):
            return points[min(after, len(points) - 1)]
        share = (length - gone[after - 1]) / (gone[after] - gone[after - 1])
        x, y = part(points[after - 1], self.path.legs[after - 1], share)[:2]
        return x, y

    @cached_property
    def _points(self) -> tuple[Point, ...]:
        return self.path.points

    @property
    def ends(self) -> list[float]:
        """Return how far along the path each of its legs ends."""
        return self._gone[1:]

    @cached_property
    def _gone(self) -> list[float]:
        """Return how far along the path each of its points is."""
        legs = zip(self._points, self.path.legs, strict=False)
        return [0.0, *accumulate(leg_length(here, leg) for here, leg in legs)]

    def cuts(self, edges: Edges) -> Floats:
        """Return how far along the path it crosses the edges, in order."""
        return np.sort(self._cuts(edges), kind="stable")

    def _cuts(self, edges: Edges) -> Floats:
        """Return how far along the path it crosses the edges."""
        legs = self._legs
        points, row = met(legs.edges, edges)
        if not len(points):
            return np.empty(0)
        off = points - legs.first[row]
        long, turned = norms(off), np.zeros(len(row))
        arc = (row < len(legs.turn)).nonzero()[0]
        own = row[arc]
        angle = angles_of(off[arc])
        turned[arc] = ((angle - legs.begin[own]) * legs.turn[own]) % math.tau
        long[arc] = turned[arc] * legs.edges.reach[own]
        on = np.ones(len(row), dtype=np.bool_)
        on[arc] = turned[arc] <= legs.sweep[own] + DIRECTION_SLACK_RADIANS
        return np.asarray((legs.gone[row] + long)[on])

    @cached_property
    def _legs(self) -> _Legs:
        return _Legs.of(self.path)

    @cached_property
    def box(self) -> tuple[Floats, Floats]:
        """Return the corners of the box that holds the path."""
        spread = [*self._points]
        for here, leg in zip(self._points, self.path.legs, strict=False):
            spread += arc_extremes(here, leg) if len(leg) == 5 else ()
        held = np.array(spread)
        return held.min(axis=0), held.max(axis=0)

    def entry(self, edges: Edges, free: Obstacles) -> float:
        """Return how far along the path it first leaves what is free.

        Where it never does, this is its length.
        """
        cuts = self.cuts(edges)
        ends = np.concatenate([[0.0], cuts[(cuts > 0) & (cuts < self.length)], [self.length]])
        wide = np.diff(ends) > PLACE_SLACK_INCHES
        if not wide.any():
            return self.length
        middle = (ends[:-1] + ends[1:])[wide] / 2
        shut = ~passes(self.spots(middle), free)
        return float(ends[:-1][wide][shut.argmax()]) if shut.any() else self.length


class _Legs(msgspec.Struct, frozen=True):
    """The legs of a path as edges, and how far along the path each begins.

    Arcs come before straight edges. `first` is where a straight leg begins, and the middle of an arc; that
    begins at the angle `begin` and goes on in the sense `turn` through `sweep` radians.
    """

    edges: Edges
    first: Floats
    gone: Floats
    begin: Floats
    turn: Floats
    sweep: Floats

    @staticmethod
    def of(path: Path) -> _Legs:
        """Return the legs of a path on the level."""
        arcs: list[tuple[float, ...]] = []
        lines: list[tuple[float, ...]] = []
        far = 0.0
        for here, leg in zip(path.points, path.legs, strict=False):
            if len(leg) == 5:
                x, y, cx, cy, sense = leg
                low = angle_of(here[0] - cx, here[1] - cy)
                arcs.append((cx, cy, norm(x - cx, y - cy), low, sense, sweep(here, leg), far))
            else:
                lines.append((*here, *leg[:2], far))
            far += leg_length(here, leg)
        arc, line = np.array(arcs).reshape(-1, 7), np.array(lines).reshape(-1, 5)
        begin, turn, wide = (
            arc[:, 3],
            arc[:, 4],
            np.minimum(arc[:, 5] + 2 * DIRECTION_SLACK_RADIANS, math.tau),
        )
        lowest = np.where(turn > 0, begin - DIRECTION_SLACK_RADIANS, begin - wide + DIRECTION_SLACK_RADIANS)
        edges = Edges(arc[:, :2], arc[:, 2], line[:, :2], line[:, 2:4], lowest, wide)
        first, gone = np.concatenate([arc[:, :2], line[:, :2]]), np.concatenate([arc[:, 6], line[:, 4]])
        return _Legs(edges, first, gone, begin, turn, arc[:, 5])


def passes(xy: Floats, free: Obstacles) -> Bools:
    """Return which points (n, 2) a base may pass."""
    return free.clear(xy, xy)


def rounded(path: Path) -> Path:
    """Return the path with the ends of its legs rounded, without legs of no length.

    They are rounded as positions are.
    """
    legs: list[Leg] = []
    here = path.start
    for leg in path.legs:
        end = (round(leg[0], 7), round(leg[1], 7), *leg[2:])
        if len(leg) == 3 or span(here, end[:2]) > PLACE_SLACK_INCHES:
            legs.append(end)
            here = (end[0], end[1])
    return replace(path, legs=tuple(legs))
