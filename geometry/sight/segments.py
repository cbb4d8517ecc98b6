"""Straight lines between bodies, as arrays: where they run, and which convex parts cut them.

Owns the few kernels on which sight rests: pairs of bodies, lines through both, and the clipping of segments
by convex parts shrunk by the tolerance (so that grazing cuts nothing). Shapes are
`geometry.sight.silhouette`'s.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from geometry.shape.array import left_of, right_of
from geometry.shape.base import TOLERANCE, Bools, Floats, Ints
from geometry.sight.landscape import Parts
from geometry.sight.silhouette import Rims, common_tangents


class Pairs(NamedTuple):
    """Pairs of bodies, n of them: `q` looks, `p` is looked at. `e` is the unit vector from q to p.

    `eye` and `goal` (n, 2) are the heights of the foot and the top of q and of p; `overlap` marks the pairs
    whose outlines have more than a border in common.
    """

    q: Rims
    p: Rims
    e: Floats
    apart: Floats
    eye: Floats
    goal: Floats
    overlap: Bools

    def take(self, rows: Ints) -> Pairs:
        """Return the pairs of these rows."""
        return Pairs(
            self.q.take(rows),
            self.p.take(rows),
            self.e[rows],
            self.apart[rows],
            self.eye[rows],
            self.goal[rows],
            self.overlap[rows],
        )

    @property
    def within(self) -> Pairs:
        """Return the same pairs as the discs within the bodies, about their middles."""
        return self._replace(q=self.q.within, p=self.p.within)

    @property
    def around(self) -> Pairs:
        """Return the same pairs as the discs round the bodies."""
        return self._replace(q=self.q.around, p=self.p.around)

    @property
    def shaped(self) -> Ints:
        """Return the rows of which a body is not round."""
        return ((self.q.kind >= 0) | (self.p.kind >= 0)).nonzero()[0]


def towards(q: Floats, p: Floats) -> tuple[Floats, Floats]:
    """Return the unit vectors from points to points, and how far they are apart."""
    delta = p - q
    apart = np.hypot(delta[:, 0], delta[:, 1])
    ahead = np.where(apart > 0, apart, 1.0)
    return np.where((apart > 0)[:, None], delta / ahead[:, None], np.array([1.0, 0.0])), apart


class Lines(NamedTuple):
    """Lines through both bodies of pairs, (n, l): the near and far ends of the chord in either.

    `stabs` marks those that meet both bodies; a touching line does.
    """

    near_q: Floats
    far_q: Floats
    near_p: Floats
    far_p: Floats
    stabs: Bools

    def take(self, rows: Ints, columns: Ints) -> Lines:
        """Return the lines at these rows and columns."""
        ends = [field[rows, columns] for field in (self.near_q, self.far_q, self.near_p, self.far_p)]
        return Lines(ends[0], ends[1], ends[2], ends[3], self.stabs[rows, columns])

    def beside(self, other: Lines) -> Lines:
        """Return these lines and others of the same pairs."""
        return Lines(
            np.concatenate([self.near_q, other.near_q], axis=1),
            np.concatenate([self.far_q, other.far_q], axis=1),
            np.concatenate([self.near_p, other.near_p], axis=1),
            np.concatenate([self.far_p, other.far_p], axis=1),
            np.concatenate([self.stabs, other.stabs], axis=1),
        )


def lines_through(
    pairs: Pairs, x: Floats, u: Floats, every: bool = False, wanted: Bools | None = None
) -> Lines:
    """Return the lines through points `x` (n, l, 2) along unit vectors `u`, turned to run from q to p.

    Those that miss a body are worked out only where `every` line is wanted, others than those `wanted` never.
    """
    asked = None
    if not every and len(pairs.shaped):
        asked = pairs.p.comes_near(x, u)
        if wanted is not None:
            asked &= wanted
        asked = pairs.p.meets(x, u, pairs.q.meets(x, u, asked))
    low_q, high_q, on_q = pairs.q.chord(x, u, asked)
    low_p, high_p, on_p = pairs.p.chord(x, u, asked)
    forward = low_p + high_p >= low_q + high_q
    ends = (
        np.where(forward, high_q, low_q),
        np.where(forward, low_q, high_q),
        np.where(forward, low_p, high_p),
        np.where(forward, high_p, low_p),
    )
    near_q, far_q, near_p, far_p = (x + along[..., None] * u for along in ends)
    return Lines(near_q, far_q, near_p, far_p, on_q & on_p)


def first_lines(pairs: Pairs) -> Lines:
    """Return a few lines of each pair: between the middles, the outer tangents, and some that cross."""
    left = left_of(pairs.e)
    apart = np.where(pairs.apart > 0, pairs.apart, 1.0)
    rq, rp = pairs.q.radius, pairs.p.radius
    points, ways = [pairs.q.xy], [pairs.e]
    for side_q, side_p in ((1, 1), (-1, -1), (1, -1), (-1, 1)):
        cosine = ((side_q * rq - side_p * rp) / apart).clip(-1.0, 1.0)
        sine = np.sqrt(1.0 - cosine**2)
        normal = cosine[:, None] * pairs.e + sine[:, None] * left
        points.append(pairs.q.xy + (side_q * rq)[:, None] * normal)
        ways.append(right_of(normal))
    x, u = np.stack(points, axis=1), np.stack(ways, axis=1)
    rows = pairs.shaped
    if len(rows):
        more = len(_CROSSING) - 2
        x, u = (np.concatenate([each, np.repeat(each[:, :1], more, axis=1)], axis=1) for each in (x, u))
        x[rows, 1:], u[rows, 1:] = _of_shapes(pairs.take(rows))
    return lines_through(pairs, x, u)


_CROSSING = ((0, 1), (1, 0), (0, 2), (1, 2), (2, 0), (2, 1))
"""Between what further lines run: sides, 0 and 1, and middles, 2."""


def _of_shapes(pairs: Pairs) -> tuple[Floats, Floats]:
    """Return points and ways (n, 8, 2) of the outer tangents and of lines that cross between them."""
    normal, _ = common_tangents(pairs.q.outermost, pairs.p.outermost, len(pairs.apart))
    at_q = np.concatenate([pairs.q.facing(normal), pairs.q.xy[:, None]], axis=1)
    at_p = np.concatenate([pairs.p.facing(normal), pairs.p.xy[:, None]], axis=1)
    start = at_q[:, [k for k, _ in _CROSSING]]
    across = at_p[:, [k for _, k in _CROSSING]] - start
    length = np.hypot(across[..., 0], across[..., 1])
    across = across / np.where(length > TOLERANCE, length, 1.0)[..., None]
    along = right_of(normal)
    return np.concatenate([at_q[:, :2], start], axis=1), np.concatenate([along, across], axis=1)


def cut(start: Floats, end: Floats, parts: Parts, rows: Ints | slice) -> tuple[Floats, Floats]:
    """Return where each segment (n, l) enters and leaves the interior of its part (n), as shares of it.

    The part is shrunk by the tolerance. A segment that enters no earlier than it leaves is not cut.
    """
    enter = np.zeros(start.shape[:2])
    leave = np.ones(start.shape[:2])
    normal, limits = parts.normal[rows], parts.offset[rows] - TOLERANCE
    for side in range(limits.shape[1]):
        nx, ny, limit = normal[:, side, 0, None], normal[:, side, 1, None], limits[:, side, None]
        over = nx * start[..., 0]
        over += ny * start[..., 1]
        over -= limit
        inward = nx * end[..., 0]
        inward += ny * end[..., 1]
        inward -= limit
        np.subtract(over, inward, out=inward)
        along = inward == 0
        if along.any():
            leave[along & (over >= 0)] = -1.0
            inward[along] = np.nan  # a comparison with it is false
        np.divide(over, inward, out=over)
        np.maximum(enter, over, out=enter, where=inward > 0)
        np.minimum(leave, over, out=leave, where=inward < 0)
    return enter, leave
