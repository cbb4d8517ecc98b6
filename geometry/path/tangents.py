"""The tangents from points to the rims of shapes.

Owns these, found for two points in hardly more time than for one.

The lines from a point that just touch shapes.

Owns their directions alone: between two of them a base can go straight past what is near.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from geometry.path.obstacles import CLEAR, SLACK
from geometry.path.rim_curve import Loops
from geometry.shape.arrangement import SAME
from geometry.shape.base import TOLERANCE, Floats, Ints
from geometry.shape.convex_shape import Outlines

Point = tuple[float, float]


class Fan(NamedTuple):
    """The tangents from a point, clear or not: to which arcs, in which sense, to which point, and how far."""

    arc: Ints
    turn: Ints
    x: Floats
    y: Floats
    length: Floats


class Fans:
    """What fans from so many points ask of all arcs, one copy after the other."""

    def __init__(self, loops: Loops, points: int) -> None:
        """Take the rims, and how many points each time."""
        self.points, self.count = points, len(loops.owner)
        self.x, self.y = np.tile(loops.x, points), np.tile(loops.y, points)
        self.begin_x, self.begin_y = np.tile(loops.begin_x, points), np.tile(loops.begin_y, points)
        self.end_x, self.end_y = np.tile(loops.end.T, points)
        self.is_disc, self.reach = np.tile(loops.is_disc, points), np.tile(loops.reach, points)
        self.offset, self.least, self.most = (
            np.tile(each, points) for each in (loops.offset, loops.least, loops.most)
        )
        self.after = np.add.outer(np.arange(points) * self.count, loops.after).ravel()
        # Of the ends of what shows of all arcs, and of its beginnings, from each point: the row here.
        rows = np.arange(points * self.count).reshape(points, 1, self.count)
        self.row = rows.repeat(2, axis=1).ravel()
        self.arc = self.row % max(self.count, 1)
        self.turn = np.tile(np.repeat([1, -1], self.count), points)

    def of(self, *points: Point) -> list[Fan]:
        """Return the tangents from each point to all rims."""
        x, y = np.array(points).repeat(self.count, axis=0).T
        # From outside, what shows of a rim is one run; tangents touch the arcs in which that ends and begins.
        shows = self.begin_x * x + self.begin_y * y >= self.offset
        after = shows[self.after]
        touched = np.empty((self.points, 2, self.count), dtype=np.bool_)
        at_end, at_begin = shows > after, after > shows
        x, y = x - self.x, y - self.y
        square = x * x + y * y
        near = ((square >= self.least) & (square <= self.most)).nonzero()[0]
        if len(near):
            bulge = self._ahead_of(near, x, y)
            at_end[bulge], at_begin[bulge] = ~after[bulge], ~shows[bulge]
        # First what the first point touches in either sense, then what the next does.
        shape = self.points, self.count
        touched[:, 0], touched[:, 1] = at_end.reshape(shape), at_begin.reshape(shape)
        sides = touched.ravel().nonzero()[0]
        found, arc, turn = self.row[sides], self.arc[sides], self.turn[sides]
        x, y, square, reach = x[found], y[found], square[found], self.reach[found]
        long = np.sqrt(np.maximum(square - reach * reach, 0.0))
        share = reach / np.maximum(square, SAME)
        ahead, aside = share * reach, share * long * turn
        end_x, end_y = self.x[found] + ahead * x - aside * y, self.y[found] + ahead * y + aside * x
        cuts = sides.searchsorted(np.arange(self.points + 1) * (2 * self.count)).tolist()
        parts = [slice(begin, end) for begin, end in pairwise(cuts)]
        return [Fan(arc[part], turn[part], end_x[part], end_y[part], long[part]) for part in parts]

    def _ahead_of(self, arc: Ints, x: Floats, y: Floats) -> Ints:
        """Return those arcs that face toward a point so far right and up of their middles."""
        x, y = x[arc], y[arc]
        past_begin = self.begin_x[arc] * y - self.begin_y[arc] * x >= -CLEAR
        before_end = x * self.end_y[arc] - y * self.end_x[arc] >= -CLEAR
        return np.asarray(arc[self.is_disc[arc] | (past_begin & before_end)])


def tangents(shapes: Outlines, at: Floats) -> Floats:
    """Return the directions, as angles, of the tangents from a point to shapes that do not hold it."""
    off = shapes.xy - at
    disc = np.array([core.is_point for core in shapes.core] or [True] * len(shapes), dtype=np.bool_)
    apart = np.hypot(*off.T)
    disc &= apart >= shapes.radius
    lean = np.arcsin(shapes.radius[disc] / np.maximum(apart[disc], TOLERANCE))
    angle = np.arctan2(off[disc, 1], off[disc, 0])
    arcs = shapes.arcs
    off = arcs.centre - at
    far = np.hypot(*off.T)
    other = far >= np.maximum(arcs.reach, SLACK)
    bend, way = np.arcsin(arcs.reach[other] / far[other]), np.arctan2(off[other, 1], off[other, 0])
    found = [angle + lean, angle - lean]
    for side in (1.0, -1.0):
        turned = (way + side * (bend + math.pi / 2) - arcs.low[other]) % math.tau
        found.append((way + side * bend)[turned <= arcs.width[other]])
    return np.concatenate(found)
