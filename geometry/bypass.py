"""Ways of one base to many spots at once, each past one of the shapes that it meets first.

Owns the straight legs about a shape of any rim, from tangent to tangent. What is shortest, and what leads
past several shapes, is `geometry.path`'s.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from geometry.base import Floats, Ints
from geometry.clearance import Obstacles
from geometry.fan import Fans
from geometry.loop import Loops
from geometry.outline import Outlines
from geometry.vector import left_of, ways_at
from geometry.wrap import ROUND, STEP, Bends, Way

HAIR = 1e-9


class _Past(NamedTuple):
    """Ways to which spots, past which rims, in which sense, where these face at first, and how far round."""

    spot: Ints
    rim: Ints
    turn: Ints
    face: Floats
    swept: Floats


class Bypass:
    """The ways from one point past one shape each, no longer than a limit."""

    def __init__(self, at: Floats, limit: float, free: Obstacles, shapes: Outlines) -> None:
        """Take the point, the limit, what is in the way, and the shapes that ways may lead past."""
        self.at, self.limit, self.free = at, limit, free
        self.loops = Loops(shapes)

    def ways(self, xy: Floats) -> list[Way | None]:
        """Return the way to each spot (n, 2), of several the shortest, None where there is none.

        They have straight legs along tangents of the shape's rim, so that all of a way is judged in one go.
        """
        found: list[Way | None] = [None for _ in xy]
        past = self._past(xy)
        spot, swept = past.spot, past.swept
        if not len(spot):
            return found
        parts = np.maximum(np.ceil(swept / STEP), 1.0).astype(np.intp)
        lines = Bends(np.broadcast_to(self.at, (len(spot), 2)), xy[spot], parts)
        step = np.where(past.turn > 0, 1.0, -1.0)[lines.own] * np.maximum(swept / parts, HAIR)[lines.own]
        lines.bend(self._bends(past.rim[lines.own], past.face[lines.own] + step * lines.place, step))
        length = lines.lengths
        good = (length <= self.limit).nonzero()[0]
        clear = lines.are_clear(self.free)
        for row in good[length[good].argsort(kind="stable")].tolist():
            if clear[row] and found[spot[row]] is None:
                found[spot[row]] = lines.path(row), float(length[row])
        return found

    def _past(self, xy: Floats) -> _Past:
        """Return the ways to spots past rims, by tangents, as far as these are not too long."""
        loops = self.loops
        out, *into = Fans(loops, len(xy) + 1).of(*((x, y) for x, y in (self.at.tolist(), *xy.tolist())))
        row_of = np.full((len(loops.count), 2), -1)
        row_of[loops.owner[out.arc], (out.turn > 0).astype(np.intp)] = np.arange(len(out.arc))
        spot = np.repeat(np.arange(len(xy)), [len(fan.arc) for fan in into])
        arc, turn, x, y, long = (np.concatenate(part) for part in zip(*into, strict=True))
        # Who comes from the point arrives in the other sense.
        begin = row_of[loops.owner[arc], (turn < 0).astype(np.intp)]
        some = ((begin >= 0) & (out.length[begin] + long <= self.limit)).nonzero()[0]
        begin, arc = begin[some], arc[some]
        first = np.arctan2(out.y - loops.y[out.arc], out.x - loops.x[out.arc])[begin]
        last = np.arctan2(y[some] - loops.y[arc], x[some] - loops.x[arc])
        swept = (out.turn[begin] * (last - first)) % math.tau
        # Who sees the spot past the shape would go all the way round it.
        rows = (swept < math.pi).nonzero()[0]
        begin, arc = begin[rows], arc[rows]
        return _Past(spot[some[rows]], loops.owner[arc], out.turn[begin], first[rows], swept[rows])

    def _bends(self, rim: Ints, face: Floats, step: Floats) -> Floats:
        """Return where lines along rims that face in a direction, and in one a step farther round, meet."""
        (out, far), (_, after) = self._line(rim, face), self._line(rim, face + step)
        side = (after - far * np.cos(step)) / np.sin(step)
        return np.asarray(far[:, None] * out + side[:, None] * left_of(out))

    def _line(self, rim: Ints, face: Floats) -> tuple[Floats, Floats]:
        """Return the directions in which rims face, and how far out that way the lines along them are."""
        loops, out = self.loops, ways_at(face)
        arc = loops.facing(rim, face)
        far = (loops.centre[arc] * out).sum(axis=1) + loops.reach[arc] + ROUND
        return out, far
