"""What each unit sees of the other side, kept until a model moves.

Owns the memory of what was seen: what it rests on, what is left of it when models fall, and that units which
have to look anew do so together. Which model sees which is `geometry.sight.visibility`'s business.
"""

from __future__ import annotations

from itertools import groupby

import msgspec
import numpy as np
from msgspec.structs import replace

from engine.core.state import Unit
from engine.table.positions import Positions, Rows
from engine.table.screens import Screens
from geometry.measure.distance import distances
from geometry.shape.base import Bools, Floats
from geometry.shape.cached import cached_property

NOWHERE = slice(0, 0)
Losses = dict[str, tuple[int, ...]]
"""The parts that each unit has lost, of whose keywords sight depends."""


class Glimpsed(msgspec.Struct, frozen=True):
    """How near an enemy unit is at the closest: all of it, and the models of it that are seen."""

    gap: float
    seen_gap: float
    by_any: bool
    by_all: bool
    """Whether any or all of our models see a model of it."""
    pair: tuple[int, int]
    """The rows of the closest two models of which ours sees the other.

    It means nothing where no model of ours sees one.
    """


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
    """What a look rests on beside poses: the models on both sides, and what closes the lines."""

    own: Rows
    rows: Rows
    terrain: int
    through: bool
    bystanders: int
    """Where models block, the table's version: anybody may stand between."""


class Look(msgspec.Struct, frozen=True):
    """An outlook with what it rests on, and the last version in which it was found to hold."""

    version: int
    grounds: Grounds
    losses: Losses
    outlook: Outlook


class Outlooks:
    """The outlooks of all units."""

    def __init__(self, positions: Positions, screens: Screens) -> None:
        """Know of no outlook yet."""
        self._positions = positions
        self._screens = screens
        self._known: dict[str, Look] = {}

    def of(self, unit: Unit) -> Outlook:
        """Return what the unit sees of its enemies on the battlefield. Rule: CORE.LOS.1."""
        here, known = self._positions, self._known.get(unit.id)
        through = self._screens.looks_through(unit)
        if known is None or known.version != here.version or known.grounds.through != through:
            now = self.grounds(unit, here.rows(here.enemies(unit)))
            if not self._holds(unit, now):
                self._look(unit, now)
        return self._known[unit.id].outlook

    def grounds(self, unit: Unit, rows: Rows) -> Grounds:
        """Return on what the unit's look at these models rests, beside where it and they stand."""
        table = self._positions.position.table
        bystanders = table.version if self._screens.models_block else 0
        through = self._screens.looks_through(unit)
        return Grounds(unit.rows, rows, table.terrain_version, through, bystanders)

    def _holds(self, unit: Unit, now: Grounds) -> bool:
        """Return whether the unit's last outlook holds.

        Where models only fell, what is left of it holds, and is kept.
        """
        known = self._known.get(unit.id)
        if known is None or self._positions.have_moved((*now.own, *now.rows), known.version):
            return False
        last, losses = known.outlook, self._losses(unit, now.rows)
        if now != known.grounds:
            if now != replace(known.grounds, own=now.own, rows=now.rows) or now.bystanders:
                return False
            if not (set(now.own) <= set(last.own) and set(now.rows) <= set(last.rows)):
                return False
            last = _part(last, now.own, now.rows)
        if any(known.losses[name] != lost for name, lost in losses.items()):
            return False
        self._known[unit.id] = Look(self._positions.version, now, losses, last)
        return True

    def _losses(self, unit: Unit, rows: Rows) -> Losses:
        """Return the parts that the unit has lost, and the units of these models."""
        position = self._positions.position
        names = dict.fromkeys([position.models[row].unit for row in rows])
        return {unit.id: unit.parts_lost, **{name: position.units[name].parts_lost for name in names}}

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
            self._known[each.id] = Look(here.version, grounds, self._losses(each, rows), found)

    def _others(self, unit: Unit, now: Grounds) -> list[tuple[Unit, Grounds]]:
        """Return the friends whose outlook does not hold, which look together with the unit.

        Where models block sight, every unit looks alone: each has other bystanders.
        """
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
