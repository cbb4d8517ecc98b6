"""Straight lines between discs, as arrays: where they run, and which convex parts cut them.

Owns the few kernels on which sight rests: lines through two discs, tangents, and the clipping of segments
by convex parts shrunk by the tolerance (so that grazing cuts nothing). It knows no bodies and no heights.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from geometry.base import TOLERANCE, Bools, Floats
from geometry.obstacle import Ints, Parts


class Pairs(NamedTuple):
    """Pairs of discs, n of them: `q` looks, `p` is looked at. `e` is the unit vector from q to p."""

    q: Floats
    rq: Floats
    p: Floats
    rp: Floats
    e: Floats
    apart: Floats

    def take(self, rows: Ints) -> Pairs:
        """Return the pairs of these rows."""
        return Pairs(self.q[rows], self.rq[rows], self.p[rows], self.rp[rows], self.e[rows], self.apart[rows])


def pairs_of(q: Floats, rq: Floats, p: Floats, rp: Floats) -> Pairs:
    """Return pairs of discs with the direction and the distance between their centres."""
    delta = p - q
    apart = np.hypot(delta[:, 0], delta[:, 1])
    ahead = np.where(apart > 0, apart, 1.0)
    e = np.where((apart > 0)[:, None], delta / ahead[:, None], np.array([1.0, 0.0]))
    return Pairs(q, rq, p, rp, e, apart)


class Lines(NamedTuple):
    """Lines through both discs of pairs, (n, l): the near and far ends of the chord in either disc.

    `stabs` marks those that meet both discs; a touching line does.
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


def lines_through(pairs: Pairs, x: Floats, u: Floats) -> Lines:
    """Return the lines through points `x` (n, l, 2) along unit vectors `u`, turned to run from q to p."""
    forward = np.where((u * pairs.e[:, None, :]).sum(axis=2) < 0, -1.0, 1.0)
    u = u * forward[..., None]
    near_q, far_q, on_q = _chord(pairs.q, pairs.rq, x, u, 1.0)
    near_p, far_p, on_p = _chord(pairs.p, pairs.rp, x, u, -1.0)
    return Lines(near_q, far_q, near_p, far_p, on_q & on_p)


def _chord(
    centre: Floats, radius: Floats, x: Floats, u: Floats, ahead: float
) -> tuple[Floats, Floats, Bools]:
    """Return the end of each line's chord that lies ahead, the other end, and whether there is a chord."""
    off = centre[:, None, :] - x
    along = (off * u).sum(axis=2)
    aside = off[..., 0] * u[..., 1] - off[..., 1] * u[..., 0]
    half = ahead * np.sqrt(np.maximum(radius[:, None] ** 2 - aside**2, 0.0))
    near = x + (along + half)[..., None] * u
    far = x + (along - half)[..., None] * u
    return near, far, np.abs(aside) <= radius[:, None] + TOLERANCE


def first_lines(pairs: Pairs) -> Lines:
    """Return five lines of each pair: between the centres, the outer tangents, the inner tangents."""
    left = np.stack([-pairs.e[:, 1], pairs.e[:, 0]], axis=1)
    apart = np.where(pairs.apart > 0, pairs.apart, 1.0)
    points, ways = [pairs.q], [pairs.e]
    for side_q, side_p in ((1, 1), (-1, -1), (1, -1), (-1, 1)):
        cosine = np.clip((side_q * pairs.rq - side_p * pairs.rp) / apart, -1.0, 1.0)
        sine = np.sqrt(1.0 - cosine**2)
        normal = cosine[:, None] * pairs.e + sine[:, None] * left
        points.append(pairs.q + (side_q * pairs.rq)[:, None] * normal)
        ways.append(np.stack([normal[:, 1], -normal[:, 0]], axis=1))
    return lines_through(pairs, np.stack(points, axis=1), np.stack(ways, axis=1))


def tangents(x: Floats, centre: Floats, radius: Floats) -> tuple[Floats, Bools]:
    """Return the directions (…, 2 tangents, 2) from points to a disc's two tangents, and which exist.

    Points inside the disc have none.
    """
    delta = centre - x
    apart = np.hypot(delta[..., 0], delta[..., 1])
    exists = (apart >= radius - TOLERANCE) & (apart > TOLERANCE)
    towards = delta / np.where(apart > TOLERANCE, apart, 1.0)[..., None]
    sine = np.clip(radius / np.where(exists, apart, 1.0), 0.0, 1.0)
    cosine = np.sqrt(1.0 - sine**2)
    aside = np.stack([-towards[..., 1], towards[..., 0]], axis=-1) * sine[..., None]
    ahead = towards * cosine[..., None]
    return np.stack([ahead + aside, ahead - aside], axis=-2), exists


def cut(start: Floats, end: Floats, parts: Parts) -> tuple[Floats, Floats]:
    """Return where each segment (n, l) enters and leaves the interior of its row's part, as shares of it.

    The part is shrunk by the tolerance. A segment that enters no earlier than it leaves is not cut.
    """
    enter = np.zeros(start.shape[:2])
    leave = np.ones(start.shape[:2])
    for side in range(parts.offset.shape[1]):
        nx, ny = parts.normal[:, side, 0, None], parts.normal[:, side, 1, None]
        limit = parts.offset[:, side, None] - TOLERANCE
        over = nx * start[..., 0] + ny * start[..., 1] - limit
        inward = over - (nx * end[..., 0] + ny * end[..., 1] - limit)
        share = over / np.where(inward == 0, 1.0, inward)
        np.maximum(enter, share, out=enter, where=inward > 0)
        np.minimum(leave, share, out=leave, where=inward < 0)
        leave[(inward == 0) & (over >= 0)] = -1.0
    return enter, leave


def rim_points(start: Floats, end: Floats, centre: Floats, radius: Floats) -> tuple[Floats, Bools]:
    """Return where edges (…, 2) cross a disc's rim: points (…, 2 crossings, 2), and which exist."""
    along = end - start
    off = start - centre
    a = (along**2).sum(axis=-1)
    b = (off * along).sum(axis=-1)
    c = (off**2).sum(axis=-1) - radius**2
    root = b**2 - a * c
    half = np.sqrt(np.maximum(root, 0.0))
    share = np.stack([-b - half, -b + half], axis=-1) / a[..., None]
    exists = (root > 0)[..., None] & (share > 0) & (share < 1)
    return start[..., None, :] + share[..., None] * along[..., None, :], exists
