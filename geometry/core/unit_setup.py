# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The set-up of a unit: bases set down one after another, each where it stands best.

Owns which of several outcomes is taken. Where bases may stand, as some are set down, is
`geometry/core/spot_pool.py`'s, and the search for room where there is hardly any is
`geometry/core/room_search.py`'s.

Several spots are tried for the first base. Of two outcomes that is better which leaves out fewer bases;
then that in which fewer stand beyond the unit's own ground; then the nearer. Along a front the nearer is
that whose farthest base is the nearest, near other bases that whose nearest base is, and then that whose
bases are nearer in sum.
"""

from __future__ import annotations

from collections.abc import Sequence

import cython

from geometry.tolerance import TOLERANCE

if not cython.compiled:
    from math import sqrt

    from geometry.core.numeric import sum_of
    from geometry.core.room_search import RoomSearch
    from geometry.core.shapes import INFINITE
    from geometry.core.spot_pool import SpotPool, rounded

SEEDS = 6
"""The number of spots that are tried for the first base."""
APART = 4.0
"""Spots for the first base need not be farther apart than this, in inches."""

SetDown = list[tuple[int, float, float]]
"""Bases that are set down, in this order: the row of each and its place."""
Pools = list[SpotPool]
Places = list[tuple[float, float]]
Rows = list[int]
Lengths = list[float]


@cython.cclass
class UnitSetup:
    """The search for the places of a unit that is set up."""

    def __init__(
        self,
        kinds: Sequence[int],
        own: Sequence[SpotPool],
        wider: Sequence[SpotPool],
        needs: Sequence[int],
        is_front: bool,
    ) -> None:
        """Take the kind of each base, and the pools of the kinds on its own and on a wider ground.

        There need be no wider ground. `needs` tells of each number of models how many neighbours each
        needs.
        """
        self.kinds, self.own, self.wider = list(kinds), list(own), list(wider)
        self.needs, self.is_front = list(needs), is_front
        self.count = len(self.kinds)
        self.best: SetDown = []
        self.left_out = self.beyond = self.count
        self.first = self.sum = INFINITE

    def place(self) -> SetDown:
        """Return the bases that find a place, and where; those that find none are not among them."""
        for x, y in self._seeds(self.own):
            if self._consider(self._filled(self.own, [(0, x, y)], list(range(1, self.count)), True)):
                break
        if self.beyond:
            self._consider(self._crammed(self.own, self.count - self.beyond + 1))
        # What fits into the area is not set up elsewhere for the sake of the others.
        if not self.best and self.wider:
            for x, y in self._seeds(self.wider):
                self._consider(self._filled(self.wider, [(0, x, y)], list(range(1, self.count)), False))
                if self.best:
                    break
            if self.left_out:
                self._consider(self._crammed(self.wider, self.count - self.left_out + 1))
        return self.best

    def _seeds(self, pools: Pools) -> list[tuple[float, float]]:
        """Return spots for the first base, the best first and each apart from those before it."""
        pool: SpotPool = pools[self.kinds[0]]
        ranked = pool.best_first()
        if not ranked:
            return []
        farthest: float = max([aside for far, aside, _, _ in ranked if far <= ranked[0][0]])
        apart: float = max(pool.ground.base.shapes[0].reach, min(APART, farthest / SEEDS))
        found: list[tuple[float, float]] = []
        # Where there is little room all spots are near one another, and each may be the only good one.
        for least in (apart, TOLERANCE):
            for _, _, x, y in ranked:
                if len(found) < SEEDS and _least_off(found, x, y) > least:
                    found.append((x, y))
        return found

    def _filled(self, pools: Pools, begun: SetDown, rows: Rows, may_stop: cython.bint) -> SetDown:
        """Return the bases set down after as many more as fit have been, in the order of `rows`.

        None where, if that `may_stop` it, those set down are no better off already than all of the best
        are.
        """
        found: SetDown = list(begun)
        pool: SpotPool
        for pool in pools:
            pool.clear()
        far: list[float] = [self._far_of(row, x, y) for row, x, y in found]
        for row in rows:
            if may_stop and self._is_hopeless(far):
                return []
            pool = pools[self.kinds[row]]
            self._set_down(pool, self.kinds[row], found)
            spot: cython.Py_ssize_t = pool.best(min(self.needs[self.count], len(found)))
            if spot < 0:
                break
            x, y = pool.place_of(spot)
            found.append((row, x, y))
            far.append(self._far_of(row, x, y))
        return [] if may_stop and self._is_hopeless(far) else found

    def _set_down(self, pool: SpotPool, kind: cython.Py_ssize_t, found: SetDown) -> None:
        """Set down in a pool what is set down by now."""
        while pool.base_count < len(found):
            row, x, y = found[pool.base_count]
            pool.set_down(self.kinds[row] * len(self.own) + kind, x, y)

    def _far_of(self, row: cython.Py_ssize_t, x: cython.double, y: cython.double) -> cython.double:
        """Return how far a base at a place is from what the unit is set up by, rounded."""
        pool: SpotPool = self.own[self.kinds[row]]
        return pool.off_targets(x, y)

    def _nearness(self, far: Lengths) -> tuple[float, float]:
        """Return by what two outcomes are compared, from how far each base is: the less the better."""
        return (max(far) if self.is_front else min(far), rounded(sum_of(far)))

    def _is_hopeless(self, far: Lengths) -> cython.bint:
        """Return whether bases at these distances are no better off than all of the best are."""
        if not self.best or self.left_out or self.beyond:
            return False
        return self._nearness(far) >= (self.first, self.sum)

    def _crammed(self, pools: Pools, least: cython.Py_ssize_t) -> SetDown:
        """Return as many of the first bases as are found to fit, if that is `least` or more."""
        found: SetDown = []
        pool: SpotPool
        for pool in pools:
            pool.widen()
        for count in range(least, self.count + 1):
            more = RoomSearch(self.kinds[:count], pools, self.needs[count]).found()
            if more is None:
                break
            found = more
        return found

    def _consider(self, found: SetDown) -> cython.bint:
        """Keep an outcome if it is the best that was found; return whether none can be better."""
        if not found:
            return False
        if self.wider and len(found) < self.count:
            taken = [row for row, _, _ in found]
            rest = [row for row in range(self.count) if row not in taken]
            found = self._filled(self.wider, found, rest, False)
        far: list[float] = [self._far_of(row, x, y) for row, x, y in found]
        inside: cython.Py_ssize_t = 0
        for row, x, y in found:
            pool: SpotPool = self.own[self.kinds[row]]
            inside += pool.ground.stands(x, y)
        first, sum_of_all = self._nearness(far)
        left_out: cython.Py_ssize_t = self.count - len(found)
        beyond: cython.Py_ssize_t = self.count - inside
        if (left_out, beyond, first, sum_of_all) < (self.left_out, self.beyond, self.first, self.sum):
            self.best, self.left_out, self.beyond = found, left_out, beyond
            self.first, self.sum = first, sum_of_all
        return not beyond and self.is_front and first <= TOLERANCE


def _least_off(places: Places, x: float, y: float) -> float:
    """Return how far a place is from the nearest of some."""
    found: float = INFINITE
    for other_x, other_y in places:
        found = min(found, sqrt((x - other_x) * (x - other_x) + (y - other_y) * (y - other_y)))
    return found
