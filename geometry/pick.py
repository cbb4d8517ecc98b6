"""Who takes which spot: the models of a unit choose in turn from spots that they share.

Owns the choice, with marks of many spots held bit by bit in whole numbers. The spots are
`geometry.huddle`'s, the ways to them `geometry.wrap`'s.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from geometry.base import Bools, Floats
from geometry.coherency import Spacing
from geometry.footing import CLOSE
from geometry.path import Path
from geometry.spot import distances
from geometry.wrap import Way, straight_way

Ints = NDArray[np.intp]
ROUNDS = 12
ASKED = 12
SETTLES, AHEAD, PASSES = 20, 2, 8
LATTICE, SHIFTED, TOWARD, END, RINGS, OWN, START = range(7)
EVERY = (LATTICE, SHIFTED, TOWARD, END, RINGS, OWN, START)
MIXES = (EVERY, (LATTICE, END, RINGS, START))
"""Spots of one kind fill the ground better than spots of several, but are not everywhere."""
_IN_MIX = np.array([[kind in mix for kind in EVERY] for mix in MIXES])


class Choosers(Protocol):
    """The models that choose, as they stand, and their ways."""

    start: Floats
    size: Floats
    own_left: Floats
    need: int
    spacing: Spacing

    @property
    def most_left(self) -> float:
        """Return how much may be left, of all models together, for a choice to be taken."""
        ...

    def ways(self, models: Sequence[int], end: Floats) -> list[Way | None]:
        """Return these models' ways to the ends of the same rows, None where none is found."""
        ...


class Pick:
    """Who takes which spot: the models choose in turn, and choose anew where no way leads to a choice."""

    def __init__(
        self, huddle: Choosers, xy: Floats, left: Floats, may: Bools, kind: Ints, free: Bools | None = None
    ) -> None:
        """Take the spots, in order of what they leave, and who may take which; starts are the last.

        To those that are `free` for a model it goes straight.
        """
        self.huddle, self.xy, self.left = huddle, xy, left
        self.count = len(huddle.start)
        apart = distances(xy, xy)
        size, spacing = huddle.size, huddle.spacing
        self.free_of = masks(apart >= 2 * float(size.max()) - CLOSE)
        self.beside = masks(apart <= 2 * float(size.min()) + spacing.reach)
        self.may = masks(may)
        self.mixes = masks(_IN_MIX[:, kind])
        first = len(xy) - self.count
        self.known = [1 << first + i for i in range(self.count)]
        if free is not None:
            self.known = [a | b for a, b in zip(self.known, masks(free), strict=True)]
        self._ways: dict[tuple[int, int], Way] = {}
        self._left: list[float] = left.tolist()
        self._before: dict[int, list[int] | int] = {}

    def let(self, i: int, rows: Ints, way: Way) -> None:
        """Let a model take spots to which a way of it is known."""
        for row in rows.tolist():
            self.known[i] |= 1 << row
            self._ways[i, row] = way

    def way(self, i: int, row: int) -> Way:
        """Return a model's way to a spot to which it is known to have one."""
        known = self._ways.get((i, row))
        if known is not None:
            return known
        spot, start = self.xy[row].tolist(), len(self.xy) - self.count + i
        return (
            (Path((spot[0], spot[1])), 0.0) if row == start else straight_way(self.xy[start].tolist(), spot)
        )

    def rows(self, settles: bool = True) -> list[int] | None:
        """Return the row of each model's spot; None where no choice holds together.

        One that `settles` goes on to let those choose first who find nothing.
        """
        near = np.argsort(self.huddle.own_left.round(6), kind="stable").tolist()
        first = self._grown(near[0])
        need, every = self.huddle.need, self.mixes[0]
        for _ in range(ROUNDS):
            rows = self._best(((near, 0), (near, need), (first, need)))
            if rows is None:
                break
            if self._lead_there(rows):
                return rows
        for order in (self._grown(near[-1]), first) if settles else ():
            for beside in sorted({need, 1}):
                rows = self._settled(order, beside, every)
                if rows is not None:
                    return rows
        return None

    def _best(self, orders: Sequence[tuple[list[int], int]]) -> list[int] | None:
        """Return the choice of all mixes and these orders that leaves least and holds together."""
        left, most = self._left, self.huddle.most_left
        ranked: list[tuple[float, int, list[int]]] = []
        for place in range(len(self.mixes) * len(orders)):
            rows = self._again(place, orders)
            if isinstance(rows, int):
                continue
            total = round(sum([left[row] for row in rows]), 6)
            if total <= most:
                ranked.append((total, place, rows))
        return next((rows for _, _, rows in sorted(ranked) if self._holds_together(rows)), None)

    def _again(self, place: int, orders: Sequence[tuple[list[int], int]]) -> list[int] | int:
        """Return the choice of one mix and order; as before while all that it takes may be taken."""
        before = self._before.get(place, 0)
        if isinstance(before, int) or not all(self.may[i] >> row & 1 for i, row in enumerate(before)):
            mix, (order, beside) = self.mixes[place // len(orders)], orders[place % len(orders)]
            self._before[place] = before = self._chosen(order, beside, mix)
        return before

    def _lead_there(self, rows: Sequence[int]) -> bool:
        """Return whether ways lead to all spots of a choice; where some do not, others are looked at too."""
        asked = [(i, row) for i, row in enumerate(rows) if not self.known[i] >> row & 1]
        if self._find_ways(asked):
            return True
        more = [i for i, row in asked if not self.may[i] >> row & 1]
        self._find_ways([(i, row) for i in more for row in self._untried(i)])
        return False

    def _settled(self, order: list[int], need: int, mix: int) -> list[int] | None:
        """Return the choice in this order to which all ways are free.

        A model that finds no spot goes first in the next try, and those nearest to it follow; so do those
        that went first before. A choice that holds together is then bettered, one model at a time.
        """
        put_first: list[int] = []
        for _ in range(SETTLES):
            rows = self._chosen(order, need, mix, self._in_reach)
            if isinstance(rows, int):
                if put_first[:1] == [rows]:
                    return None
                put_first = [rows, *(i for i in put_first if i != rows)]
                rest = self._grown(rows) if need else order
                order = [*put_first, *(i for i in rest if i not in put_first)]
                continue
            if not self._holds_together(rows):
                return None
            rows = self._bettered(rows)
            if self._lead_there(rows):
                return rows
        return None

    @cached_property
    def _in_reach(self) -> list[int]:
        """Return the marks of the spots beside any that each model may take."""
        found = []
        for marks in self.may:
            about = 0
            while marks:
                low = marks & -marks
                about |= self.beside[low.bit_length() - 1]
                marks ^= low
            found.append(about)
        return found

    def _bettered(self, rows: Sequence[int]) -> list[int]:
        """Return a choice in which no model alone can take one of its next better spots and hold together."""
        left, found = self._left, list(rows)
        for _ in range(PASSES):
            before = list(found)
            for i in sorted(range(self.count), key=lambda i: (-left[found[i]], i)):
                self._better_one(found, i)
            if found == before:
                break
        return found

    def _better_one(self, rows: list[int], i: int) -> None:
        """Let a model take the best spot that is free of the others', and with which all hold together."""
        here = rows[i]
        good = self.may[i] & ((1 << here) - 1)
        for other, row in enumerate(rows):
            if other != i:
                good &= self.free_of[row]
        for row in first_marks(good, ASKED):
            rows[i] = row
            if self._left[row] < self._left[here] - CLOSE and self._holds_together(rows):
                return
        rows[i] = here

    def _untried(self, i: int) -> list[int]:
        """Return the best of a model's spots to which no way is known yet."""
        return first_marks(self.may[i] & ~self.known[i], ASKED)

    def _grown(self, first: int) -> list[int]:
        """Return the models in an order in which each stands nearest to those before it."""
        apart = self._apart
        order, rest, far = [first], [i for i in range(self.count) if i != first], list(apart[first])
        while rest:
            here = min(rest, key=far.__getitem__)
            rest.remove(here)
            order.append(here)
            for i, long in enumerate(apart[here]):
                if long < far[i]:
                    far[i] = long
        return order

    @cached_property
    def _apart(self) -> list[list[float]]:
        """Return how far the models stand from one another."""
        found: list[list[float]] = distances(self.huddle.start, self.huddle.start).round(6).tolist()
        return found

    def _chosen(
        self, order: Sequence[int], need: int, mix: int, in_reach: Sequence[int] = ()
    ) -> list[int] | int:
        """Return the row of each model's spot, chosen in this order, each near so many before it.

        Where a model finds none, that model.
        """
        good = [marks & mix for marks in self.may]
        rows = chosen(order, good, self.free_of, self.beside, need, in_reach=in_reach)
        return rows if isinstance(rows, int) else [rows[i] for i in range(self.count)]

    def _holds_together(self, rows: Sequence[int]) -> bool:
        """Return whether spots are one group with neighbours enough."""
        taken = 0
        for row in rows:
            taken |= 1 << row
        need = self.huddle.need
        for row in rows:
            if (self.beside[row] & taken).bit_count() <= need:
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
        found = self.huddle.ways(models, self.xy[rows])
        for (i, row), way in zip(wanted, found, strict=True):
            self.known[i] |= 1 << row
            if way is None:
                self.may[i] &= ~(1 << row)
            else:
                self._ways[i, row] = way
        return all(way is not None for way in found)


def chosen(
    order: Sequence[int],
    may: Sequence[int],
    free_of: Sequence[int],
    beside: Sequence[int],
    need: int,
    taken: tuple[int, int, int] = (0, 0, 0),
    in_reach: Sequence[int] = (),
) -> dict[int, int] | int:
    """Return the row of each model's spot, chosen in this order, each beside so many that have theirs.

    Where a model finds none, that model. `taken` tells how many others have a spot already, and marks the
    spots beside one of these, and beside two. Where it is known which spots are beside any of each model's,
    one is chosen that leaves the next few models a spot beside it, if need be.
    """
    before, near, nearer = taken
    open_ = -1
    rows: dict[int, int] = {}
    for place, i in enumerate(order, start=1):
        good = may[i] & open_
        if need and before:
            good &= near if need == 1 or before == 1 else nearer
        before += 1
        if not good:
            return i
        for after in order[place : place + AHEAD] if in_reach else ():
            if not may[after] & open_ & near:
                good = good & in_reach[after] or good
        rows[i] = best = (good & -good).bit_length() - 1
        open_ &= free_of[best]
        about = beside[best]
        nearer |= near & about
        near |= about
    return rows


def first_marks(marks: int, most: int) -> list[int]:
    """Return the places of the lowest marks, at most so many."""
    found: list[int] = []
    while marks and len(found) < most:
        low = marks & -marks
        found.append(low.bit_length() - 1)
        marks ^= low
    return found


def masks(marks: Bools) -> list[int]:
    """Return the rows of a table as numbers, bit by bit."""
    packed = np.packbits(marks, axis=1, bitorder="little")
    wide, data = packed.shape[1], packed.tobytes()
    return [int.from_bytes(data[at : at + wide], "little") for at in range(0, len(data), wide)]
