"""Which spots shut out one another, and which are beside one another, whatever the sizes of the bases there.

Owns marks of many spots, held bit by bit in whole numbers, and the choice of spots in turn by these. Which
choice is best is `geometry.pick`'s.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from geometry.base import Bools, Floats, distinct
from geometry.footing import CLOSE
from geometry.spot import distances

Marks = list[int]
"""Of each spot, which others."""
AHEAD = 2


class Room:
    """Spots for bases of several sizes: which two may be taken at once, and which are beside one another."""

    def __init__(self, xy: Floats, size: Floats, reach: float) -> None:
        """Take the spots (m, 2), how wide the models' bases are (n,), and how near neighbours are."""
        radii = distinct(size)
        self.of: list[int] = np.searchsorted(radii, size).tolist()
        apart = distances(xy, xy)
        wide = np.add.outer(radii, radii)
        rows = range(len(radii))
        self.free_of = [[masks(apart >= wide[a, b] - CLOSE) for b in rows] for a in rows]
        self.beside = [[masks(apart <= wide[a, b] + reach) for b in rows] for a in rows]
        self._tables = [
            list(zip(rows, *each, strict=True)) for each in zip(self.free_of, self.beside, strict=True)
        ]

    def chosen(
        self,
        order: Sequence[int],
        may: Sequence[int],
        need: int,
        in_reach: Sequence[Marks] = (),
    ) -> dict[int, int] | int:
        """Return the row of each model's spot, chosen in this order, each beside so many that have theirs.

        Where a model finds none, that model. Where it is known which spots are beside any of each model's,
        for bases of each size, one is chosen that leaves the next few models a spot beside it, if need be.
        """
        of, sizes = self.of, range(len(self.free_of))
        near, nearer, open_ = [0 for _ in sizes], [0 for _ in sizes], [-1 for _ in sizes]
        rows: dict[int, int] = {}
        for place, i in enumerate(order, start=1):
            own = of[i]
            good = may[i] & open_[own]
            if need and place > 1:
                good &= near[own] if need == 1 or place == 2 else nearer[own]
            if not good:
                return i
            for after in order[place : place + AHEAD] if in_reach else ():
                if not may[after] & open_[of[after]] & near[of[after]]:
                    good = good & in_reach[after][own] or good
            rows[i] = best = (good & -good).bit_length() - 1
            for other, free, beside in self._tables[own]:
                open_[other] &= free[best]
                about = beside[best]
                nearer[other] |= near[other] & about
                near[other] |= about
        return rows

    def beside_others(self, rows: Sequence[int], i: int, need: int, without: int = -1) -> int:
        """Return the spots for a model that are free of the others', and beside as many of these as it needs.

        One of the others may be left out.
        """
        own, free, near, nearer = self.of[i], -1, 0, 0
        for other, row in enumerate(rows):
            if other not in (i, without):
                size = self.of[other]
                free &= self.free_of[size][own][row]
                about = self.beside[size][own][row]
                nearer |= near & about
                near |= about
        return free & (-1 if need == 0 else near if need == 1 or len(rows) == 2 else nearer)

    def holds_together(self, rows: Sequence[int], need: int) -> bool:
        """Return whether the models on spots of these rows are one group with neighbours enough."""
        taken = [0 for _ in self.free_of]
        for own, row in zip(self.of, rows, strict=True):
            taken[own] |= 1 << row
        beside: dict[int, int] = {}
        for own, row in zip(self.of, rows, strict=True):
            about = 0
            for marks, spots in zip(taken, self.beside[own], strict=True):
                about |= marks & spots[row]
            if about.bit_count() <= need:
                return False
            beside[row] = about
        group, edge = 0, 1 << rows[0]
        while edge:
            low = edge & -edge
            group |= low
            edge = (edge | beside[low.bit_length() - 1]) & ~group
        return group.bit_count() == len(rows)

    def in_reach(self, i: int, marks: int) -> Marks:
        """Return for bases of each size the spots beside any of those that a model may take."""
        found = []
        for spots in self.beside[self.of[i]]:
            about, rest = 0, marks
            while rest:
                low = rest & -rest
                about |= spots[low.bit_length() - 1]
                rest ^= low
            found.append(about)
        return found


def first_marks(marks: int, most: int) -> list[int]:
    """Return the places of the lowest marks, at most so many."""
    found: list[int] = []
    while marks and len(found) < most:
        low = marks & -marks
        found.append(low.bit_length() - 1)
        marks ^= low
    return found


def masks(marks: Bools) -> Marks:
    """Return the rows of a table as numbers, bit by bit."""
    packed = np.packbits(marks, axis=1, bitorder="little")
    wide, data = packed.shape[1], packed.tobytes()
    return [int.from_bytes(data[at : at + wide], "little") for at in range(0, len(data), wide)]
