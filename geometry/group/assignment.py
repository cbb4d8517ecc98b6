"""Who takes which spot: the models of a unit choose in turn from spots that they share.

Owns the choice. The spots are `geometry.group.batch`'s, which of them go together
`geometry.group.assignment`'s, the ways to them `geometry.path.shortcut`'s.

Which spots shut out one another, and which are beside one another, whatever the sizes of the bases there.

Owns marks of many spots, held bit by bit in whole numbers, and the choice of spots in turn by these. Which
choice is best is `geometry.group.assignment`'s.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, permutations
from typing import Protocol

import numpy as np

from geometry.measure.coherency import Spacing
from geometry.path.obstacles import CLOSE
from geometry.path.planner import Path
from geometry.path.shortcut import Way, straight_way
from geometry.shape.arrangement import distances
from geometry.shape.base import Bools, Floats, Ints, distinct
from geometry.shape.cached import cached_property

ROUNDS = 12
ASKED = 20
SETTLES, PASSES, TWO = 20, 8, 4
LATTICE, WIDER, SHIFTED, END, RINGS, START = range(6)
EVERY = (LATTICE, WIDER, SHIFTED, END, RINGS, START)
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

        What they leave is told for bases of each size (k, m). To those that are `free` for a model it goes
        straight.
        """
        self.huddle, self.xy, self.left = huddle, xy, left
        self.count = len(huddle.start)
        self.room = Room(xy, huddle.size, huddle.spacing.reach)
        self.may = masks(may)
        self.mixes = masks(_IN_MIX[:, kind])
        first = len(xy) - self.count
        self.known = [1 << first + i for i in range(self.count)]
        if free is not None:
            self.known = [a | b for a, b in zip(self.known, masks(free), strict=True)]
        self._ways: dict[tuple[int, int], Way] = {}
        by_size = left.tolist()
        self._left: list[list[float]] = [by_size[own] for own in self.room.of]
        self._before: dict[int, list[int] | int] = {}
        self._orders: dict[int, list[int]] = {}

    def lefts(self, rows: Sequence[int]) -> Floats:
        """Return what the models' spots of these rows leave each of them."""
        return np.array([own[row] for own, row in zip(self._left, rows, strict=True)])

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

    def best(self) -> list[int] | None:
        """Return the row of each model's spot in the best of many choices; None where none holds together."""
        near = np.argsort(self.huddle.own_left.round(6), kind="stable").tolist()
        orders = (self._grown(near[-1]), near)
        found: list[tuple[float, list[int]]] = []
        needs = sorted({self.huddle.need, 1})
        tries = [(order, beside) for order in orders for beside in needs]
        for rows in chain((self._settled(*each, self.mixes[0]) for each in tries), (self._stay,)):
            if rows is not None:
                rows = self.bettered(rows)
                found.append((round(float(self.lefts(rows).sum()), 6), rows))
        best = min(found)[1] if found else None
        if best is None or not self._may_take(best):
            # What fails mostly fails at once: then the choice may begin with any other model.
            others = (self._settled(self._grown(i), beside, self.mixes[0]) for i in near for beside in needs)
            other = next((rows for rows in others if rows is not None), None)
            best = best if other is None else self.bettered(other)
        if best is None:
            return None
        best = self._bettered_by_two(best)
        return best if self._may_take(best) else None

    def _bettered_by_two(self, rows: list[int]) -> list[int]:
        """Return a choice in which no two models can take spots that leave less to both together."""
        while (other := self._better_two(rows)) is not None:
            if self._lead_there(other):
                rows = self.bettered(other)
        return rows

    def _better_two(self, rows: Sequence[int]) -> list[int] | None:
        """Return the choice in which one model goes on and another follows or makes way; None without one."""
        room, need = self.room, self.huddle.need
        for i, j in permutations(range(self.count), 2):
            here, left, other_left = rows[i], self._left[i], self._left[j]
            found = list(rows)
            good = self.may[i] & ((1 << here) - 1) & room.beside_others(rows, i, max(need - 1, 0), j)
            for row in first_marks(good, TWO):
                gain = left[here] - left[row] - CLOSE
                if gain <= 0:
                    break
                found[i] = row
                for other in first_marks(self.may[j] & room.beside_others(found, j, need), TWO):
                    if other_left[other] >= other_left[rows[j]] + gain:
                        break
                    found[j] = other
                    if self._holds_together(found):
                        return found
                found[j] = rows[j]
        return None

    @property
    def _stay(self) -> list[int] | None:
        """Return where the models stand, if they hold together there; who may not stay can go on from it."""
        first = len(self.xy) - self.count
        stay = [first + i for i in range(self.count)]
        return stay if self._holds_together(stay) else None

    def _may_take(self, rows: Sequence[int]) -> bool:
        """Return whether all models may take the spots of these rows."""
        return all(marks >> row & 1 for marks, row in zip(self.may, rows, strict=True))

    def bettered(self, rows: Sequence[int]) -> list[int]:
        """Return a choice in which no model alone can take a better spot to which a way leads."""
        while True:
            found = self._bettered(rows)
            if self._lead_there(found):
                return found

    def _best(self, orders: Sequence[tuple[list[int], int]]) -> list[int] | None:
        """Return the choice of all mixes and these orders that leaves least and holds together."""
        left, most = self._left, self.huddle.most_left
        ranked: list[tuple[float, int, list[int]]] = []
        for place in range(len(self.mixes) * len(orders)):
            rows = self._again(place, orders)
            if isinstance(rows, int):
                continue
            total = round(sum([own[row] for own, row in zip(left, rows, strict=True)]), 6)
            if total <= most:
                ranked.append((total, place, rows))
        return next((rows for _, _, rows in sorted(ranked) if self._holds_together(rows)), None)

    def _again(self, place: int, orders: Sequence[tuple[list[int], int]]) -> list[int] | int:
        """Return the choice of one mix and order; as before while all that it takes may be taken."""
        before = self._before.get(place, 0)
        if isinstance(before, int) or not self._may_take(before):
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
    def _in_reach(self) -> list[Marks]:
        """Return the marks of the spots beside any that each model may take, for bases of each size."""
        return [self.room.in_reach(i, marks) for i, marks in enumerate(self.may)]

    def _bettered(self, rows: Sequence[int]) -> list[int]:
        """Return a choice in which no model alone can take one of its next better spots and hold together."""
        left, found = self._left, list(rows)
        for _ in range(PASSES):
            before = list(found)
            for i in sorted(range(self.count), key=lambda i: (-left[i][found[i]], i)):
                self._better_one(found, i)
            if found == before:
                break
        return found

    def _better_one(self, rows: list[int], i: int) -> None:
        """Let a model take the best spot that is free of the others', and with which all hold together."""
        here, left = rows[i], self._left[i]
        good = self.may[i] & ((1 << here) - 1) & self.room.beside_others(rows, i, self.huddle.need)
        for row in first_marks(good, ASKED):
            rows[i] = row
            if left[row] < left[here] - CLOSE and self._holds_together(rows):
                return
        rows[i] = here

    def _untried(self, i: int) -> list[int]:
        """Return the best of a model's spots to which no way is known yet."""
        return first_marks(self.may[i] & ~self.known[i], ASKED)

    def _grown(self, first: int) -> list[int]:
        """Return the models in an order in which each stands nearest to those before it."""
        known = self._orders.get(first)
        if known is not None:
            return known
        apart = self._apart
        order, rest, far = [first], [i for i in range(self.count) if i != first], list(apart[first])
        while rest:
            here = min(rest, key=far.__getitem__)
            rest.remove(here)
            order.append(here)
            for i, long in enumerate(apart[here]):
                if long < far[i]:
                    far[i] = long
        self._orders[first] = order
        return order

    @cached_property
    def _apart(self) -> list[list[float]]:
        """Return how far the models stand from one another."""
        found: list[list[float]] = distances(self.huddle.start, self.huddle.start).round(6).tolist()
        return found

    def _chosen(
        self, order: Sequence[int], need: int, mix: int, in_reach: Sequence[Marks] = ()
    ) -> list[int] | int:
        """Return the row of each model's spot, chosen in this order, each near so many before it.

        Where a model finds none, that model.
        """
        good = [marks & mix for marks in self.may]
        rows = self.room.chosen(order, good, need, in_reach=in_reach)
        return rows if isinstance(rows, int) else [rows[i] for i in range(self.count)]

    def _holds_together(self, rows: Sequence[int]) -> bool:
        """Return whether spots are one group with neighbours enough."""
        return self.room.holds_together(rows, self.huddle.need)

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
