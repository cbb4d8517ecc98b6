"""A unit moved as it stands, by one step; those that find no room or no way choose spots beside the others.

Owns that outcome, the best one where the goal is far. The step is `geometry.huddle`'s, the lattice of
spots `geometry.layout`'s, the ways there are `geometry.wrap`'s.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from geometry.base import Bools, Floats
from geometry.coherency import faults
from geometry.footing import CLOSE
from geometry.layout import Layout
from geometry.outline import Outlines
from geometry.room import Room, Taken, first_marks, masks
from geometry.spot import distances

if TYPE_CHECKING:
    from geometry.huddle import Huddle
    from geometry.room import Ints
    from geometry.wrap import Way

SHARE = 0.6
"""So large a share of the models may lack room; where there are more, the unit is not moved as it stands."""
BACK = (0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.0)
ROUNDS, ASKED, TRIES = 24, 12, 3
Pair = tuple[int, int]


class Shift:
    """The models of a unit, moved by one step, and the spots for those that cannot."""

    def __init__(self, huddle: Huddle) -> None:
        """Take the models."""
        self.huddle = huddle
        self.steps = huddle.steps
        self.ends = np.round(huddle.start + self.steps, 7)
        self.left = huddle.left_of(self.ends)

    def outcome(self) -> tuple[list[Way], Floats] | None:
        """Return a way for each model and how far it has left; None where this finds none."""
        kept = self._followers()
        count = len(self.left)
        for _ in range(TRIES):
            rest = [row for row in range(count) if row not in kept]
            if len(rest) > SHARE * count:
                return None
            found, left = dict(kept), self.left.copy()
            if rest and not self._find_room(np.array(rest), found, left):
                return None
            ways = [found[row] for row in range(count)]
            ends = np.array([path.end for path, _ in ways])
            if self.huddle.is_whole(ends):
                return ways, left
            astray = set(faults(Outlines(ends, self.huddle.size), np.zeros(count), self.huddle.spacing))
            # Who would stand alone where the step takes it chooses anew, beside the others.
            if not kept.keys() & astray:
                return None
            kept = {row: way for row, way in kept.items() if row not in astray}
        return None

    def _followers(self) -> dict[int, Way]:
        """Return the ways of the models that the step brings nearer, to where they may stand."""
        huddle = self.huddle
        rows = (huddle.stand(self.ends) & (self.left < huddle.bar - CLOSE)).nonzero()[0]
        ways = huddle.ways(rows.tolist(), self.ends[rows], more=len(rows) < len(self.ends))
        return {row: way for row, way in zip(rows.tolist(), ways, strict=True) if way is not None}

    def _find_room(self, rest: Ints, found: dict[int, Way], least: Floats) -> bool:
        """Find ways for the others to spots beside those that are found, and what these leave."""
        huddle = self.huddle
        of = huddle.of[rest]
        kept = np.array(list(found), dtype=np.intp)
        spots = self._spots(rest)
        clear, beside = self._about(spots, kept)
        left = huddle.left(spots)
        far = distances(huddle.start[rest], spots)
        may = (far <= huddle.limit[rest, None]) & (left[of] < huddle.bar[rest, None] - CLOSE)
        may |= far <= CLOSE
        may &= clear[of]
        some = np.flatnonzero(may.any(axis=0))
        may[:, some] &= huddle.stands(spots[some])[of]
        some = some[may[:, some].any(axis=0)]
        if not huddle.may_bend:
            may[:, some] &= huddle.free(spots[some])[rest]
            some = some[may[:, some].any(axis=0)]
        # Of spots that leave as much, the models' places tell which is first, wherever the board lies.
        some = some[np.lexsort(((huddle.weight[rest] @ far[:, some]).round(6), left[0, some].round(6)))]
        if not len(some):
            return False
        spots, left, beside = spots[some], left[:, some], beside[:, some]
        taken = Taken(len(found), masks(beside > 0), masks(beside > 1))
        rows = self._settled(rest, spots, masks(may[:, some]), taken)
        if rows is None:
            return False
        for i, (row, way) in rows.items():
            found[int(rest[i])] = way
            least[rest[i]] = left[of[i], row]
        return True

    def _settled(
        self, rest: Ints, spots: Floats, may: list[int], taken: Taken
    ) -> dict[int, tuple[int, Way]] | None:
        """Return each model's spot and its way there; a model that finds none goes first in the next try."""
        huddle = self.huddle
        room = Room(spots, huddle.size[rest], huddle.spacing.reach, huddle.size)
        order = np.argsort(huddle.own_left[rest].round(6), kind="stable").tolist()
        ways: dict[Pair, Way | None] = {}
        for _ in range(ROUNDS):
            rows = room.chosen(order, may, huddle.need, taken)
            if isinstance(rows, int):
                if order[0] == rows:
                    return None
                order = [rows, *(i for i in order if i != rows)]
                continue
            asked = [pair for pair in rows.items() if pair not in ways]
            shut = self._shut(rest, spots, may, asked, ways)
            if not shut:
                return {i: (row, way) for i, row in rows.items() if (way := ways[i, row]) is not None}
            more = [(i, row) for i in shut for row in first_marks(may[i], ASKED)]
            self._shut(rest, spots, may, [pair for pair in more if pair not in ways], ways)
        return None

    def _shut(
        self, rest: Ints, spots: Floats, may: list[int], asked: list[Pair], ways: dict[Pair, Way | None]
    ) -> list[int]:
        """Find models' ways to spots, cross out those to which none leads, and return their models."""
        if not asked:
            return []
        models, rows = (list(part) for part in zip(*asked, strict=True))
        found = self.huddle.ways(rest[models].tolist(), spots[rows])
        ways.update(zip(asked, found, strict=True))
        shut = [pair for pair in asked if ways[pair] is None]
        for i, row in shut:
            may[i] &= ~(1 << row)
        return [i for i, _ in shut]

    def _spots(self, rest: Ints) -> Floats:
        """Return spots for models of all sizes: lattices, and nearer ends of the step."""
        huddle = self.huddle
        back = (huddle.start[rest] + np.array(BACK)[:, None, None] * self.steps[rest]).reshape(-1, 2)
        return np.round(np.concatenate([*Layout(huddle).lattices(huddle.end, self.ends), back]), 7)

    def _about(self, spots: Floats, kept: Ints) -> tuple[Bools, Ints]:
        """Return which spots are clear of those that are taken, and beside how many of these each is.

        Both are told for bases of each size (k, m).
        """
        huddle = self.huddle
        apart = distances(spots, self.ends[kept]) - huddle.size[kept]
        radii = [sized.stance.radius for sized in huddle.sizes]
        clear = [(apart >= radius - CLOSE).all(axis=1) for radius in radii]
        beside = [(apart <= radius + huddle.spacing.reach).sum(axis=1) for radius in radii]
        return np.array(clear), np.array(beside)
