"""Bases set down where there is hardly room for them: whichever choice leaves room for all is found.

Owns the search that takes back what it has set down, for the few cases in which one base after another, each
where it stands best, leaves some out. The spots are `geometry.packing`'s.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

import numpy as np

from geometry.base import Floats
from geometry.footing import CLOSE
from geometry.outline import Stance
from geometry.packing import Packing, Pool
from geometry.spot import distances
from geometry.vicinity import Vicinity, shapes_of

MOST = 500
"""So many bases are set down, and taken back, before a search for a group of one size ends."""
DIGITS = 6
Taken = list[tuple[int, Floats]]


def crammed(packing: Packing, least: int) -> tuple[list[int], list[Floats]] | None:
    """Return the rows and spots of as many of the first bases as are found to fit, at least so many.

    The spots tried for each are those where edges cross, rims of the bases before it among them; those that
    leave most room come first, and a group that was looked at is not looked at again in another order. None
    where no group so large is found.
    """
    search, best = _Search(packing), None
    for count in range(least, len(packing.stances) + 1):
        found = search.of(count)
        if found is None:
            break
        best = [row for row, _ in found], [spot for _, spot in found]
    return best


class _Search:
    """The groups that have been looked at, and how many bases may still be set down."""

    def __init__(self, packing: Packing) -> None:
        self.packing = packing
        self.kinds = {stance: k for k, stance in enumerate(packing.beds)}

    def of(self, count: int) -> Taken | None:
        """Return a group of the first so many bases."""
        self.need = self.packing.spacing.neighbours_needed(count)
        self.known: dict[frozenset[tuple[int, float, float]], int] = {}
        pools = {stance: Pool(bed) for stance, bed in self.packing.beds.items()}
        spare, self.left, self.cut = 0, MOST, True
        while self.cut and self.left > 0:
            self.cut = False
            found = self._filled([], list(range(count)), pools, spare)
            if found is not None:
                return found
            spare = 2 * spare + 1
        return None

    def _filled(
        self, taken: Taken, rows: Sequence[int], pools: dict[Stance, Pool], spare: int
    ) -> Taken | None:
        """Return these bases and those of some more rows, set down where they all fit; None where none do.

        All together pass over no more than `spare` spots that look better.
        """
        if not rows:
            return taken
        stances = self.packing.stances
        for stance in dict.fromkeys(stances[row] for row in rows):
            row = next(row for row in rows if stances[row] == stance)
            rest = [other for other in rows if other != row]
            spots = self._spots(pools[stance], len(taken), bool(rest))
            self.cut |= len(spots) > spare + 1
            for passed, spot in enumerate(spots[: spare + 1]):
                more = [*taken, (row, spot)]
                if rest and (self.left <= 0 or self._is_known(more, spare - passed)):
                    continue
                found = self._filled(more, rest, self._beside(pools, rest, spot, stance), spare - passed)
                if found is not None:
                    return found
        return None

    def _is_known(self, taken: Taken, spare: int) -> bool:
        """Return whether the same group has been looked at before, with as much to spare; remember it."""
        key = frozenset((self.kinds[self.packing.stances[row]], *np.round(at, DIGITS)) for row, at in taken)
        known = self.known.get(key, -1) >= spare
        self.known[key] = max(spare, self.known.get(key, -1))
        return known

    def _beside(
        self, pools: dict[Stance, Pool], rows: Sequence[int], spot: Floats, stance: Stance
    ) -> dict[Stance, Pool]:
        """Return the spots that are left for the other bases."""
        self.left -= 1
        found = {own: copy(pools[own]) for own in dict.fromkeys(self.packing.stances[row] for row in rows)}
        for pool in found.values():
            pool.beside(spot, stance)
        return found

    def _spots(self, pool: Pool, count: int, more: bool) -> Floats:
        """Return the free spots near enough to those set down, first what leaves most others free."""
        rows = pool.near(min(self.need, count)) if count else np.arange(len(pool.spots))
        _, first = np.unique(np.round(pool.spots[rows], DIGITS), axis=0, return_index=True)
        rows = rows[first]
        spots, far = pool.spots[rows], pool.far[rows]
        apart = distances(spots, spots)
        free = np.zeros(len(spots))
        if more and len(rows):
            stance = pool.bed.stance
            own = Vicinity(shapes_of(np.zeros((1, 2)), [stance]).against(stance))
            off = (spots[:, None] - spots[None]).reshape(-1, 2)
            free = own.clear(off, CLOSE).reshape(len(spots), -1).sum(axis=1)
        aside = distances(spots, self.packing.near.aims()[:1])[:, 0]
        # How far all the others are tells spots apart that are alike so far, wherever the table lies.
        alike = (apart.sum(axis=1), aside)
        return spots[np.lexsort((*np.round(alike, DIGITS - 1), far, -free))]
