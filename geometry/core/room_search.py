# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Bases set down where there is hardly room for them.

Owns the search that takes back what it has set down, for the few set-ups in which one base after another,
each where it stands best, leaves some out. The spots are `geometry/core/spot_pool.py`'s.

Those spots come first that leave most others free. The search first takes the first of them always, then
may pass over one in all, then over three, and so on. A group of bases that was looked at is not looked at
again in another order. It ends when it has set down a number of bases in vain.
"""

from __future__ import annotations

from collections.abc import Sequence

import cython

if not cython.compiled:
    from geometry.core.spot_pool import SpotPool, rounded

MOST = 500
"""The number of bases that are set down, and taken back, before a search ends."""

SetDown = list[tuple[int, float, float]]
Rows = list[int]


@cython.cclass
class RoomSearch:
    """The search for room for all of some bases."""

    def __init__(self, kinds: Sequence[int], pools: Sequence[SpotPool], need: int) -> None:
        """Take the kind of each base, the pool of each kind, and the neighbours that a base needs."""
        self.kinds, self.pools, self.need = list(kinds), list(pools), need
        self.known: dict[tuple[tuple[int, float, float], ...], int] = {}
        self.left = MOST
        self.is_cut = True

    def found(self) -> SetDown | None:
        """Return where all bases stand, None where the search finds no room for them."""
        spare: cython.int = 0
        while self.is_cut and self.left > 0:
            self.is_cut = False
            self.known = {}
            for pool in self.pools:
                cleared: SpotPool = pool
                cleared.clear()
            found = self._filled([], list(range(len(self.kinds))), spare)
            if found is not None:
                return found
            spare = 2 * spare + 1
        return None

    def _filled(self, taken: SetDown, rows: Rows, spare: cython.int) -> SetDown | None:
        """Return these bases and more, set down where they all fit; None where they do not.

        All together pass over no more than `spare` spots that look better.
        """
        if not rows:
            return taken
        for kind in list(dict.fromkeys([self.kinds[row] for row in rows])):
            row: int = rows[[self.kinds[row] for row in rows].index(kind)]
            rest: list[int] = [other for other in rows if other != row]
            pool: SpotPool = self.pools[kind]
            need: cython.int = min(self.need, len(taken))
            spots = pool.roomiest_first(need, kind * len(self.pools) + kind, bool(rest))
            if len(spots) > spare + 1:
                self.is_cut = True
            for passed, (x, y) in enumerate(spots[: spare + 1]):
                more = [*taken, (row, x, y)]
                if not rest:
                    return more
                if self.left > 0 and not self._is_known(more, spare - passed):
                    found = self._beside(more, kind, rest, spare - passed)
                    if found is not None:
                        return found
        return None

    def _beside(
        self, taken: SetDown, kind: cython.Py_ssize_t, rows: Rows, spare: cython.int
    ) -> SetDown | None:
        """Return what `_filled` does once the last of `taken`, of this kind, is set down."""
        self.left -= 1
        _, x, y = taken[len(taken) - 1]
        pool: SpotPool
        kinds: list[int] = list(dict.fromkeys([self.kinds[row] for row in rows]))
        for other in kinds:
            pool = self.pools[other]
            pool.set_down(kind * len(self.pools) + other, x, y)
        found = self._filled(taken, rows, spare)
        for other in kinds:
            pool = self.pools[other]
            pool.take_back()
        return found

    def _is_known(self, taken: SetDown, spare: cython.int) -> cython.bint:
        """Return whether the same group is known, with as much to spare; remember it."""
        key = tuple(sorted([(self.kinds[row], rounded(x), rounded(y)) for row, x, y in taken]))
        before: cython.int = self.known.get(key, -1)
        self.known[key] = max(spare, before)
        return before >= spare
