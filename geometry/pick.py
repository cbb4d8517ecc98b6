"""Who takes which spot: the models of a unit choose in turn from spots that they share.

Owns the choice, with marks of many spots held bit by bit in whole numbers. The spots are
`geometry.huddle`'s, the ways to them `geometry.wrap`'s.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from geometry.base import Bools, Floats
from geometry.footing import CLOSE
from geometry.path import Path
from geometry.spot import distances

if TYPE_CHECKING:
    from geometry.huddle import Huddle

Ints = NDArray[np.intp]
ROUNDS = 12
ASKED = 12
TRIED = 3
LATTICE, SHIFTED, TOWARD, END, RINGS, OWN, START = range(7)
EVERY = (LATTICE, SHIFTED, TOWARD, END, RINGS, OWN, START)
MIXES = (EVERY, (LATTICE, END, START), (LATTICE, END, RINGS, START))
"""Spots of one kind fill the ground better than spots of several, but are not everywhere."""


def holds_together(near: Bools, need: int) -> bool:
    """Return whether models are one group with neighbours enough; each is near itself."""
    if (near.sum(axis=1) <= need).any():
        return False
    group, size = near[0], 0
    while group.sum() > size:
        size = int(group.sum())
        group = near[group].any(axis=0)
    return size == len(near)


class Pick:
    """Who takes which spot: the models choose in turn, and choose anew where no way leads to a choice."""

    def __init__(self, huddle: Huddle, xy: Floats, left: Floats, kind: Ints) -> None:
        """Take the spots, in order of what they leave; the last are where the models stand."""
        self.huddle, self.xy = huddle, xy
        self.count = len(huddle.movers)
        self.starts = np.arange(len(xy) - self.count, len(xy))
        apart = distances(xy, xy)
        size, spacing = huddle.size, huddle.spacing
        self.free_of = _masks(apart >= 2 * size.max() - CLOSE)
        self.beside = _masks(apart <= 2 * size.min() + spacing.reach)
        self.far = distances(huddle.start, xy)
        # Nobody goes where it is no nearer than it stands.
        may = (self.far <= huddle.limit[:, None]) & (left[None] < left[self.starts, None] - 1e-9)
        may[:, self.starts] = False
        may[np.arange(self.count), self.starts] = True
        self.may = _masks(may)
        self.left = left
        self.mixes = _masks(np.array([np.isin(kind, mix) for mix in MIXES]))
        self.known = [1 << int(row) for row in self.starts]
        self.ways: dict[tuple[int, int], tuple[Path, float]] = {
            (i, int(row)): (Path(mover.start), 0.0)
            for i, (row, mover) in enumerate(zip(self.starts, huddle.movers, strict=True))
        }
        self._let_leader(np.flatnonzero(kind == END))

    def _let_leader(self, rows: Ints) -> None:
        """Let the leader take the end of its way."""
        huddle = self.huddle
        path, far = huddle.advance
        points = np.array(path.points)
        if len(rows) and len(points) > 2 and huddle.footing.obstacles.clear(points[:-1], points[1:]).all():
            i, row = huddle.movers.index(huddle.leader), int(rows[0])
            self.known[i] |= 1 << row
            self.ways[i, row] = (path, far)

    def rows(self) -> list[int] | None:
        """Return the row of each model's spot; None where no choice holds together."""
        need = self.huddle.need
        ranked: list[tuple[float, int, list[int], int, int]] = []
        near = np.argsort(self.left[self.starts].round(6), kind="stable").tolist()
        first, last = self._grown(near[0]), self._grown(near[-1])
        for mix in self.mixes:
            for order, beside in ((near, 0), (first, 1), (last, 1)):
                rows = self._chosen(order, beside, mix)
                if not isinstance(rows, int) and self._holds_together(rows):
                    total = round(float(self.left[rows].sum()), 6)
                    ranked.append((total, len(ranked), order, beside, mix))
        ranked.sort(key=lambda found: found[:2])
        tries = [found[2:] for found in ranked[:TRIED]]
        every = self.mixes[0]
        tries += [(order, beside, every) for order in (last, first) for beside in sorted({need, 1})]
        for order, beside, mix in tries:
            settled = self._settled(order, beside, mix)
            if settled is not None:
                return settled
        return None

    def _settled(self, order: list[int], need: int, mix: int) -> list[int] | None:
        """Return the choice in this order to which all ways are free.

        A model that finds no spot goes first in the next try, and those nearest to it follow.
        """
        put_first: list[int] = []
        for _ in range(ROUNDS):
            rows = self._chosen(order, need, mix)
            if isinstance(rows, int):
                if rows in put_first:
                    return None
                put_first.append(rows)
                order = self._grown(rows) if need else [rows, *(i for i in order if i != rows)]
                continue
            if not self._holds_together(rows):
                return None
            asked = [(i, row) for i, row in enumerate(rows) if not self.known[i] >> row & 1]
            if not asked:
                return rows
            if not self._find_ways(asked):
                more = [i for i, row in asked if (i, row) not in self.ways]
                self._find_ways([(i, row) for i in more for row in self._untried(i)])
        return None

    def _untried(self, i: int) -> list[int]:
        """Return the best of a model's spots to which no way is known yet."""
        left = self.may[i] & ~self.known[i]
        found: list[int] = []
        while left and len(found) < ASKED:
            low = left & -left
            found.append(low.bit_length() - 1)
            left ^= low
        return found

    def _grown(self, first: int) -> list[int]:
        """Return the models in an order in which each stands nearest to those before it."""
        apart = distances(self.huddle.start, self.huddle.start).round(6)
        order, far = [first], apart[first].copy()
        for _ in range(self.count - 1):
            far[order] = np.inf
            order.append(int(far.argmin()))
            np.minimum(far, apart[order[-1]], out=far)
        return order

    def _chosen(self, order: Sequence[int], need: int, mix: int) -> list[int] | int:
        """Return the row of each model's spot, chosen in this order, each near so many before it.

        Where a model finds none, that model.
        """
        open_, near, nearer = mix, 0, 0
        rows = [0] * self.count
        for place, i in enumerate(order):
            good = self.may[i] & open_
            if need and place:
                good &= near if need == 1 or place == 1 else nearer
            if not good:
                return i
            rows[i] = best = (good & -good).bit_length() - 1
            open_ &= self.free_of[best]
            beside = self.beside[best]
            nearer |= near & beside
            near |= beside
        return rows

    def _holds_together(self, rows: Sequence[int]) -> bool:
        """Return whether spots are one group with neighbours enough."""
        taken = 0
        for row in rows:
            taken |= 1 << row
        need = self.huddle.need
        if any((self.beside[row] & taken).bit_count() <= need for row in rows):
            return False
        group, edge = 0, 1 << rows[0]
        while edge:
            low = edge & -edge
            group |= low
            edge = (edge | (self.beside[low.bit_length() - 1] & taken)) & ~group
        return group == taken

    def _find_ways(self, wanted: Sequence[tuple[int, int]]) -> bool:
        """Find models' ways to spots, and cross out the spots to which none leads; return whether all do."""
        if not wanted:
            return True
        models, rows = (list(part) for part in zip(*wanted, strict=True))
        huddle = self.huddle
        found = huddle.wraps.ways(huddle.start[models], self.xy[rows], huddle.limit[models])
        for (i, row), way in zip(wanted, found, strict=True):
            self.known[i] |= 1 << row
            if way is None:
                self.may[i] &= ~(1 << row)
            else:
                self.ways[i, row] = way
        return all(way is not None for way in found)


def _masks(marks: Bools) -> list[int]:
    """Return the rows of a table as numbers, bit by bit."""
    packed = np.packbits(marks, axis=1, bitorder="little")
    return [int.from_bytes(row.tobytes(), "little") for row in packed]
