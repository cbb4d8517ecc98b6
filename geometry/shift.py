"""A unit moved as it stands, by one step; those that find no room or no way choose spots beside the others.

Owns that outcome, the best one where the goal is far. The step and the lattice of spots are
`geometry.huddle`'s, the ways there are `geometry.wrap`'s.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from geometry.base import Bools, Floats
from geometry.coherency import faults
from geometry.footing import CLOSE
from geometry.outline import Outlines
from geometry.spot import distances

if TYPE_CHECKING:
    from geometry.huddle import Huddle
    from geometry.pick import Ints
    from geometry.wrap import Way

SHARE = 0.6
"""So large a share of the models may lack room; where there are more, the unit is not moved as it stands."""
BACK = (0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.0)
ROUNDS, ASKED, TRIES = 24, 12, 3


class Shift:
    """The models of a unit, moved by one step, and the spots for those that cannot."""

    def __init__(self, huddle: Huddle) -> None:
        """Take the models."""
        self.huddle = huddle
        self.step = huddle.end - huddle.start[huddle.row]
        self.ends = np.round(huddle.start + self.step, 7)
        self.left = huddle.left(self.ends)

    def outcome(self) -> tuple[list[Way], Floats] | None:
        """Return a way for each model and how far it has left; None where this finds none."""
        kept = self._followers()
        for _ in range(TRIES):
            rest = [row for row in range(len(self.left)) if row not in kept]
            if len(rest) > SHARE * len(self.left):
                return None
            found, left = dict(kept), self.left.copy()
            if rest and not self._find_room(np.array(rest), found, left):
                return None
            ways = [found[row] for row in range(len(found))]
            ends = Outlines(np.array([path.end for path, _ in ways]), self.huddle.size)
            astray = faults(ends, np.zeros(len(ends)), self.huddle.spacing)
            if not astray:
                return ways, left
            # Who would stand alone where the step takes it chooses anew, beside the others.
            if not kept.keys() & set(astray):
                return None
            kept = {row: way for row, way in kept.items() if row not in astray}
        return None

    def _followers(self) -> dict[int, Way]:
        """Return the ways of the models that the step brings nearer, to where they may stand."""
        huddle = self.huddle
        rows = np.flatnonzero(huddle.footing.stands(self.ends) & (self.left < huddle.own_left - CLOSE))
        ways = huddle.ways(rows.tolist(), self.ends[rows])
        return {row: way for row, way in zip(rows.tolist(), ways, strict=True) if way is not None}

    def _find_room(self, rest: Ints, found: dict[int, Way], least: Floats) -> bool:
        """Find ways for the others to spots beside those that are found, and what these leave."""
        huddle = self.huddle
        kept = self.ends[list(found)]
        spots, left = self._spots(rest, kept)
        far = distances(huddle.start[rest], spots)
        may = (far <= huddle.limit[rest, None]) & (left < huddle.own_left[rest, None] - CLOSE)
        may |= far <= CLOSE
        some = np.flatnonzero(may.any(axis=0))
        some = some[huddle.footing.stands(spots[some])]
        # Of spots that leave as much, the models' places tell which is first, wherever the board lies.
        some = some[np.lexsort(((huddle.weight[rest] @ far[:, some]).round(6), left[some].round(6)))]
        if not len(some):
            return False
        spots, left, may = spots[some], left[some], may[:, some]
        near = (distances(kept, spots) <= self._reach).sum(axis=0)
        apart = distances(spots, spots)
        order = np.argsort(huddle.own_left[rest].round(6), kind="stable").tolist()
        ways: dict[tuple[int, int], Way | None] = {}
        for _ in range(ROUNDS):
            chosen = self._chosen(order, may, apart, near)
            if isinstance(chosen, int):
                if order[0] == chosen:
                    return False
                order = [chosen, *(i for i in order if i != chosen)]
                continue
            asked = [pair for pair in chosen.items() if pair not in ways]
            shut = self._shut(rest, spots, may, asked, ways)
            if shut:
                more = [(i, int(row)) for i in shut for row in np.flatnonzero(may[i])[:ASKED]]
                self._shut(rest, spots, may, [pair for pair in more if pair not in ways], ways)
                continue
            for i, row in chosen.items():
                way = ways[i, row]
                assert way is not None
                found[int(rest[i])] = way
                least[rest[i]] = left[row]
            return True
        return False

    def _shut(
        self,
        rest: Ints,
        spots: Floats,
        may: Bools,
        asked: list[tuple[int, int]],
        ways: dict[tuple[int, int], Way | None],
    ) -> list[int]:
        """Find models' ways to spots, cross out those to which none leads, and return their models."""
        if not asked:
            return []
        models, rows = (list(part) for part in zip(*asked, strict=True))
        found = self.huddle.ways(rest[models].tolist(), spots[rows])
        shut = []
        for (i, row), way in zip(asked, found, strict=True):
            ways[i, row] = way
            if way is None:
                may[i, row] = False
                shut.append(i)
        return shut

    @cached_property
    def _reach(self) -> float:
        return 2 * float(self.huddle.size.min()) + self.huddle.spacing.reach

    @cached_property
    def _wide(self) -> float:
        return 2 * float(self.huddle.size.max()) - CLOSE

    def _spots(self, rest: Ints, kept: Floats) -> tuple[Floats, Floats]:
        """Return spots clear of those that are taken, and what they leave."""
        huddle = self.huddle
        back = [huddle.start[rest] + share * self.step for share in BACK]
        spots = np.round(np.concatenate([huddle.lattice(huddle.end, self.ends), *back]), 7)
        spots = spots[(distances(spots, kept) >= self._wide).all(axis=1)]
        return spots, huddle.left(spots)

    def _chosen(self, order: list[int], may: Bools, apart: Floats, near: Ints) -> dict[int, int] | int:
        """Return the row of each model's spot, chosen in this order; the first model that finds none."""
        chosen: dict[int, int] = {}
        open_, near = np.ones(len(apart), dtype=np.bool_), near.copy()
        for i in order:
            good = may[i] & open_ & (near >= self.huddle.need)
            best = int(good.argmax())
            if not good[best]:
                return i
            chosen[i] = best
            open_ &= apart[best] >= self._wide
            near += apart[best] <= self._reach
        return chosen
