# cython: infer_types=True
"""Which pieces keep a target from being fully visible.

Owns the verdict per piece: one convex part by its umbra, a hollow piece or one that the observer overlaps by
the general search, and several pieces together where none does it alone.
"""

from __future__ import annotations

import cython
from cython import Py_ssize_t, bint

if not cython.compiled:
    from geometry.core.sight_bodies import UprightBodies
    from geometry.core.sight_cells import Cells
    from geometry.core.sight_land import SightLand
    from geometry.core.sight_pair import SightPair
    from geometry.core.sight_shadow import Umbra


def obscuring(q: UprightBodies, p: UprightBodies, land: SightLand, enough: bytes) -> bytearray:
    """Return because of which pieces each target is not fully visible to each observer (1 or 0).

    Observer by observer, target by target, piece by piece. A piece counts where it alone hides some point of
    the target; pieces that hide a point only together count where none does so alone. Where one of the pieces
    that are `enough` (1 or 0; empty: none) hides a part of a target from any observer, others of that target
    may be left out.
    """
    land.take_in(q)
    land.take_in(p)
    view: View = View(SightPair(q, p, land), enough)
    view.look()
    return view.answer


class View:
    """The search of all pairs, in three rounds: parts alone, pieces alone, pieces together."""

    def __init__(self, pair: SightPair, enough: bytes) -> None:
        """Take the pair, which turns to one after the other, and which pieces are enough."""
        self.pair = pair
        self.land: SightLand = pair.land
        self.q: UprightBodies = pair.q
        self.p: UprightBodies = pair.p
        self.umbra = Umbra(self.land, self.land.most_sides)
        self.cells = Cells(pair, self.umbra)
        self.answer = bytearray(self.q.count * self.p.count * self.land.pieces)
        self.enough = enough
        self.any_enough = any(enough)

    def look(self) -> None:
        """Ask for all pairs."""
        left: list[tuple[int, int]] = []
        for i in range(self.q.count):
            for j in range(self.p.count):
                self._turn_to(i, j)
                if self._mark_alone():
                    left.append((i, j))
        for i, j in left:
            self._turn_to(i, j)
            self._mark_searched()
        for i, j in left:
            self._turn_to(i, j)
            self._mark_together()

    def _turn_to(self, i: Py_ssize_t, j: Py_ssize_t) -> None:
        self.pair.look(i, j)
        self.pair.find_shades()

    def _at(self) -> Py_ssize_t:
        """Return where the answer for the pair begins."""
        return (self.pair.i * self.p.count + self.pair.j) * self.land.pieces

    def _mark_alone(self) -> bint:
        """Mark the pieces of which one part hides a point; return whether more must be searched."""
        pair = self.pair
        at = self._at()
        special: bint = False
        for row in range(pair.count):
            piece = self.land.owner[pair.part[row]]
            if self.land.veil[piece] and self.p.wholly[pair.j * self.land.pieces + piece]:
                self.answer[at + piece] = 1
            if self._is_straddled(row) or self._is_overlapped(row):
                special = True
            elif not self._is_seam(row) and not self.answer[at + piece] and self._hides_alone(row):
                self.answer[at + piece] = 1
        return special or pair.count > 1

    def _hides_alone(self, row: Py_ssize_t) -> bint:
        """Return whether a part alone hides a point of the target."""
        pair = self.pair
        low = pair.low[row]
        high = pair.high[row]
        if pair.is_plate(row):  # it must be met at every share, another part at any
            low, high = high, low
        self.umbra.cast(self.q, pair.i, pair.part[row], low, high)
        return self.umbra.falls_on(self.p, pair.j)

    def _is_seam(self, row: Py_ssize_t) -> bint:
        part = self.pair.part[row]
        return self.land.other[part] != self.land.owner[part]

    def _is_raised(self, row: Py_ssize_t) -> bint:
        """Return whether a row leaves room for lines below it."""
        return self.pair.bottom[row] > -1e9

    def _is_straddled(self, row: Py_ssize_t) -> bint:
        """Return whether a row is a veil in which the target stands at least partly.

        What the target has inside it is not asked for.
        """
        part = self.pair.part[row]
        piece = self.land.owner[part]
        if self.land.closes[part] or not self.land.veil[piece]:
            return False
        return bool(self.p.partly[self.pair.j * self.land.pieces + piece])

    def _is_overlapped(self, row: Py_ssize_t) -> bint:
        """Return whether the observer overlaps a row's piece, or wall: the umbra tells nothing then."""
        part = self.pair.part[row]
        piece = self.land.owner[part]
        if self.pair.low[row] > 0.0 or self._is_raised(row):
            return False
        if not self.q.partly[self.pair.i * self.land.pieces + piece]:
            return False
        if not self.land.closes[part] or self.land.solid[piece]:
            return True
        return self.land.lies_under(part, self.q, self.pair.i)

    def _is_settled(self) -> bint:
        """Return whether a piece marked `enough` hides a part of the target from any observer."""
        if not self.any_enough:
            return False
        for i in range(self.q.count):
            at = (i * self.p.count + self.pair.j) * self.land.pieces
            for piece in range(self.land.pieces):
                if self.enough[piece] and self.answer[at + piece]:
                    return True
        return False

    def _choose(self, piece: Py_ssize_t, seams: bint) -> None:
        """Choose the rows of a piece (-1: of all) that stand on the table, with or without seams."""
        pair = self.pair
        cells = self.cells
        cells.count = 0
        for row in range(pair.count):
            if self._is_raised(row) or (not seams and self._is_seam(row)):
                continue
            if piece < 0 or self.land.owner[pair.part[row]] == piece:
                cells.rows[cells.count] = row
                cells.spared[row] = self._is_straddled(row)
                cells.count += 1

    def _mark_searched(self) -> None:
        """Mark the pieces that alone hide a point, as the general search finds.

        Searched are pieces of several parts, those that a body overlaps, and veils in which the target
        stands.
        """
        at = self._at()
        cells = self.cells
        for piece in range(self.land.pieces):
            if self.answer[at + piece]:
                continue
            self._choose(piece, False)
            special: bint = cells.count > 1
            for k in range(cells.count):
                row = cells.rows[k]
                special = special or self._is_straddled(row) or self._is_overlapped(row)
            if special and not self._is_settled():
                self.answer[at + piece] = cells.hides()

    def _mark_together(self) -> None:
        """Mark the pieces that hide a point only together, where no piece does so alone."""
        at = self._at()
        cells = self.cells
        for piece in range(self.land.pieces):
            if self.answer[at + piece]:
                return
        self._choose(-1, True)
        several: bint = False
        for k in range(1, cells.count):
            one = self.land.owner[self.pair.part[cells.rows[k]]]
            several = several or one != self.land.owner[self.pair.part[cells.rows[0]]]
        if not several or self._is_settled():
            return
        if cells.find_hiding(False):
            for piece in range(self.land.pieces):
                self.answer[at + piece] = cells.owners[piece]
