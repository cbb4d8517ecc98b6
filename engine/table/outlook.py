"""What each unit sees of the other side, kept until somebody moves.

Owns the memory of what was seen: what it rests on, what is left of it when models fall, and that units which
have to look anew do so together. Who sees whom is `geometry.sight.visibility`'s business.
"""

from __future__ import annotations

from itertools import groupby

import msgspec
import numpy as np

from engine.core.state import Unit
from engine.table.positions import Positions, Rows
from engine.table.screens import Screens
from geometry.measure.distance import distances
from geometry.shape.base import Bools, Floats
from geometry.shape.cached import cached_property

NOWHERE = slice(0, 0)
Stances = dict[int, tuple[object, ...]]
"""All of each model that sight and distances depend on, but for what never changes, by row."""


class Glimpsed(msgspec.Struct, frozen=True):
    """How near an enemy unit is at the closest: all of it, and the models of it that are seen."""

    gap: float
    seen_gap: float
    by_any: bool
    by_all: bool
    """Whether any or all of our models see a model of it."""
    pair: tuple[int, int]
    """The rows of the closest two models of which ours sees the other; meaningless where none does."""


UNMET = Glimpsed(np.inf, np.inf, False, False, (-1, -1))
"""What is said of a unit that is not there."""


class Outlook(msgspec.Struct, frozen=True, dict=True):
    """What one unit sees of the other side: rows, and by model of the unit gaps and visibility."""

    own: Rows
    rows: Rows
    units: tuple[str, ...]
    """The unit of each of the rows."""
    gaps: Floats
    visible: Bools

    def __post_init__(self) -> None:
        """Make what was seen read-only: views give it out, and it is kept."""
        self.gaps.setflags(write=False)
        self.visible.setflags(write=False)

    @cached_property
    def nearest(self) -> dict[str, list[float]]:
        """Return how far each enemy unit is from each of the unit's models."""
        return self._by_unit(self.gaps)

    @cached_property
    def nearest_seen(self) -> dict[str, list[float]]:
        """Return the same of what each model sees, infinitely far where that is nothing."""
        return self._by_unit(np.where(self.visible, self.gaps, np.inf))

    def _by_unit(self, apart: Floats) -> dict[str, list[float]]:
        """Return the least of each enemy unit's columns, by our models."""
        if not self._spans:
            return {}
        least = np.minimum.reduceat(apart, [span.start for span in self._spans.values()], axis=1)
        return dict(zip(self._spans, least.T.tolist(), strict=True))

    @cached_property
    def closest(self) -> dict[str, Glimpsed]:
        """Return how near each enemy unit is, and what is seen of it."""
        return {name: self._glimpsed(columns) for name, columns in self._spans.items()}

    def _glimpsed(self, columns: slice) -> Glimpsed:
        visible, gaps = self.visible[:, columns], self.gaps[:, columns]
        ours = np.count_nonzero(np.logical_or.reduce(visible, axis=1))
        gap = float(gaps.min(initial=np.inf))
        if not ours:
            return Glimpsed(gap, np.inf, False, not len(visible), (-1, -1))
        some = np.logical_or.reduce(visible, axis=0)
        row, column = divmod(int(np.where(visible, gaps, np.inf).argmin()), gaps.shape[1])
        pair = self.own[row], self.rows[columns.start + column]
        return Glimpsed(gap, float(gaps[:, some].min(initial=np.inf)), True, ours == len(visible), pair)

    def columns(self, unit: str) -> Bools:
        """Return which columns are models of this unit."""
        found = np.zeros(len(self.units), dtype=bool)
        found[self.span(unit)] = True
        return found

    def span(self, unit: str) -> slice:
        """Return the columns that are models of this unit, which stand side by side."""
        return self._spans.get(unit, NOWHERE)

    @cached_property
    def _spans(self) -> dict[str, slice]:
        """Return the columns of each unit."""
        found, end = {}, 0
        for name, columns in groupby(self.units):
            start, end = end, end + len(list(columns))
            found[name] = slice(start, end)
        return found


class Grounds(msgspec.Struct, frozen=True):
    """What a look rests on: where who stood, on what terrain, and whether it is looked through."""

    own: Rows
    rows: Rows
    where: tuple[bytes, ...]
    terrain: int
    through: bool
    bystanders: int
    """Where models block, the table's version: anybody may stand between."""


class Outlooks:
    """The outlooks of all units."""

    def __init__(self, positions: Positions, screens: Screens) -> None:
        """Know of no outlook yet."""
        self._positions = positions
        self._screens = screens
        self._known: dict[str, tuple[Grounds, Stances, Outlook]] = {}
        self._stamps: dict[str, tuple[int, int, bool]] = {}
        """At which versions of table and terrain each was found to hold, and whether it looks through."""

    def of(self, unit: Unit) -> Outlook:
        """Return what the unit sees of its enemies on the battlefield. Rule: CORE.LOS.1."""
        table, through = self._positions.position.table, self._screens.looks_through(unit)
        stamp = (table.version, table.terrain_version, through)
        if self._stamps.get(unit.id) != stamp:
            now = self.grounds(unit, self._positions.rows(self._positions.enemies(unit)))
            if not self._holds(unit, now):
                self._look(unit, now)
            self._stamps[unit.id] = stamp
        return self._known[unit.id][2]

    def grounds(self, unit: Unit, rows: Rows) -> Grounds:
        """Return on what the unit's outlook rests: of positions only its own and its enemies'."""
        table = self._positions.position.table
        i = [*unit.rows, *rows]
        where = table.xy[i].tobytes(), table.z[i].tobytes(), table.facing[i].tobytes()
        bystanders = table.version if self._screens.models_block else 0
        through = self._screens.looks_through(unit)
        return Grounds(unit.rows, rows, where, table.terrain_version, through, bystanders)

    def _holds(self, unit: Unit, now: Grounds) -> bool:
        """Return whether the unit's last outlook holds, or what is left of it where models only fell."""
        known = self._known.get(unit.id)
        if known is None or known[0] == now:
            return known is not None
        before, stances, last = known
        if now.bystanders or (before.terrain, before.through) != (now.terrain, now.through):
            return False
        here = self._stances((*unit.rows, *now.rows))
        if any(stances.get(row) != stance for row, stance in here.items()):
            return False
        self._known[unit.id] = (now, here, _part(last, unit.rows, now.rows))
        return True

    def _stances(self, rows: Rows) -> Stances:
        position, i = self._positions.position, list(rows)
        table = position.table
        units = (position.units[position.models[row].unit] for row in rows)
        places = table.xy[i].tolist(), table.z[i].tolist(), table.facing[i].tolist()
        return {
            row: (*place, unit.parts_lost) for row, unit, *place in zip(rows, units, *places, strict=True)
        }

    def _look(self, unit: Unit, now: Grounds) -> None:
        """Look for the unit, and for its friends that have to look anew, which costs hardly more."""
        here, rows = self._positions, now.rows
        anew = [(unit, now), *self._others(unit, now)]
        every = here.rows([each for each, _ in anew])
        shape = (len(every), len(rows))
        apart, seen = np.zeros(shape), np.zeros(shape, dtype=bool)
        if every and rows:
            own = here.bodies(every)
            apart, seen = distances(own, here.bodies(rows)), self._screens.seen(unit, own, rows)
        names = tuple(here.position.models[row].unit for row in rows)
        end = 0
        for each, grounds in anew:
            start, end = end, end + len(each.rows)
            found = Outlook(each.rows, rows, names, apart[start:end], seen[start:end])
            self._known[each.id] = (grounds, self._stances((*each.rows, *rows)), found)

    def _others(self, unit: Unit, now: Grounds) -> list[tuple[Unit, Grounds]]:
        """Return the friends whose outlook does not hold; those of which bystanders are others look alone."""
        if now.bystanders:
            return []
        friends = [(each, self.grounds(each, now.rows)) for each in self._positions.friends(unit)]
        return [
            (each, grounds)
            for each, grounds in friends
            if grounds.through == now.through and not self._holds(each, grounds)
        ]


def _part(last: Outlook, own: Rows, rows: Rows) -> Outlook:
    """Return of an outlook what concerns these models."""
    mine, theirs = ({row: k for k, row in enumerate(each)} for each in (last.own, last.rows))
    left = np.ix_([mine[row] for row in own], [theirs[row] for row in rows])
    names = tuple(last.units[theirs[row]] for row in rows)
    return Outlook(own, rows, names, last.gaps[left], last.visible[left])
