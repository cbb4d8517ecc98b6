"""A shortest way taken as a guide: how far along it a base may go, and what is left from beside it.

Owns the guide of one mover and where edges cut it. It chooses no spot.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cached_property

import numpy as np

from geometry.base import Bools, Floats
from geometry.clearance import SLACK, Leg, Obstacles, leg_length, part, sweep
from geometry.footing import CLOSE
from geometry.outline import Outlines
from geometry.path import Path
from geometry.spot import NONE, ON, Edges, between

Point = tuple[float, float]
TURN = math.pi / 12
"""How finely an arc offers points from which to leave it."""


class Trail:
    """A path as a guide."""

    def __init__(self, path: Path) -> None:
        """Take the path."""
        self.path = path
        self.length = path.length

    @cached_property
    def via(self) -> tuple[Floats, Floats]:
        """Return points along the path (m, 2) and how far along they are."""
        spots, gone, far = [self.path.start], [0.0], 0.0
        for here, leg in zip(self.path.points, self.path.legs, strict=False):
            long = leg_length(here, leg)
            steps = 1 if len(leg) == 2 else max(1, math.ceil(sweep(here, leg) / TURN))
            for step in range(1, steps + 1):
                spots.append(tuple(part(here, leg, step / steps)[:2]))  # type: ignore[arg-type]
                gone.append(far + long * step / steps)
            far += long
        return np.array(spots), np.array(gone)

    def spots(self, lengths: Floats) -> Floats:
        """Return the points at these lengths along the path."""
        return np.array([self.path.at(float(far)).end for far in lengths]).reshape(-1, 2)

    def cuts(self, edges: Edges) -> Floats:
        """Return how far along the path it crosses the edges, in order."""
        found, far = [np.empty(0)], 0.0
        for here, leg in zip(self.path.points, self.path.legs, strict=False):
            found.append(far + (_on_line(here, leg, edges) if len(leg) == 2 else _on_arc(here, leg, edges)))
            far += leg_length(here, leg)
        return np.sort(np.concatenate(found))

    def first_cut(self, edges: Edges) -> float | None:
        """Return how far along the path it first crosses one of the edges; None where it never does."""
        far = 0.0
        near = None if len(edges.start) else self._nears(edges)
        for row, (here, leg) in enumerate(zip(self.path.points, self.path.legs, strict=False)):
            some = (
                edges if near is None else edges.take(np.flatnonzero(near[row]), np.empty(0, dtype=np.intp))
            )
            if near is None or len(some.reach):
                cuts = _on_line(here, leg, some) if len(leg) == 2 else _on_arc(here, leg, some)
                if len(cuts):
                    return far + float(cuts.min())
            far += leg_length(here, leg)
        return None

    def _nears(self, edges: Edges) -> Bools:
        """Return which legs (n, m) may come upon which of the circles that edges lie on."""
        points = np.array(self.path.points)
        found = Outlines(edges.centre, edges.reach + ON).line_distances(points[:-1], points[1:]) <= 0
        for row, leg in enumerate(self.path.legs):
            if len(leg) == 5:
                apart = np.hypot(*(edges.centre - np.array(leg[2:4])).T)
                found[row] = apart <= edges.reach + math.dist(leg[:2], leg[2:4]) + ON
        return np.asarray(found)

    def entry(self, edges: Edges, free: Obstacles) -> float:
        """Return how far along the path it first leaves what is free; its length where it never does."""
        cuts = self.cuts(edges)
        ends = np.concatenate([[0.0], cuts[(cuts > 0) & (cuts < self.length)], [self.length]])
        wide = np.diff(ends) > CLOSE
        if not wide.any():
            return self.length
        middle = (ends[:-1] + ends[1:])[wide] / 2
        shut = ~passes(self.spots(middle), free)
        return float(ends[:-1][wide][shut.argmax()]) if shut.any() else self.length


def passes(xy: Floats, free: Obstacles) -> Bools:
    """Return which points (n, 2) a base may pass."""
    return free.clear(xy, xy)


def _on_line(here: Point, leg: Leg, edges: Edges) -> Floats:
    start = np.array([here])
    points = between(Edges(NONE, np.empty(0), start, np.array([leg[:2]])), edges)
    return np.asarray(np.hypot(*(points - start).T))


def _on_arc(here: Point, leg: Leg, edges: Edges) -> Floats:
    centre, turn = np.array([leg[2:4]]), leg[4]
    reach = np.array([math.dist(leg[:2], leg[2:4])])
    points = between(Edges(centre, reach, NONE, NONE), edges)
    off, first = points - centre, math.atan2(here[1] - leg[3], here[0] - leg[2])
    turned = ((np.arctan2(off[:, 1], off[:, 0]) - first) * turn) % math.tau
    return np.asarray(turned[turned <= sweep(here, leg) + SLACK] * reach[0])


def rounded(path: Path) -> Path:
    """Return the path with the ends of its legs rounded as positions are, and without legs of no length."""
    legs: list[Leg] = []
    here = path.start
    for leg in path.legs:
        end = (round(leg[0], 7), round(leg[1], 7), *leg[2:])
        if len(leg) == 3 or math.dist(here, end[:2]) > CLOSE:
            legs.append(end)
            here = (end[0], end[1])
    return replace(path, legs=tuple(legs))
