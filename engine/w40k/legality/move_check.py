"""Whether a move is legal: its paths, its limits, and what its kind asks of its end.

Paths and distances are checked anew from the answer's own positions; how an agent found them does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from engine.core.request import (
    Move,
    Moves,
)
from engine.core.state import Unit
from engine.w40k.flight import faults_of_flight
from engine.w40k.ground.aircraft import AIRCRAFT, opponents
from engine.w40k.legality.free_contact import Approach, FreeContact, meeting_point
from geometry.measure.coherency import is_coherent
from geometry.measure.distance import clearances, gaps, in_space, overlaps, within
from geometry.path.checker import check_path, check_paths, first_height
from geometry.path.path import Path
from geometry.portable import norm, sum_of
from geometry.shape.array import points
from geometry.shape.base import Floats
from geometry.shape.convex_shape import Outlines
from geometry.tolerance import TOLERANCE

if TYPE_CHECKING:
    from engine.w40k.battle import Battle

Legs = tuple[tuple[float, ...], ...]


class _Ends(msgspec.Struct, frozen=True):
    """Where the models of a unit end a move: their bases, and how high."""

    bases: Outlines
    z: Floats


class MoveCheck:
    """The check of a move: paths, limits, and what the kind of move asks of its end."""

    def __init__(self, battle: Battle, request: Move, answer: Moves) -> None:
        """Take the unit as it stands and the answer's paths."""
        self.battle = battle
        self.request = request
        self.answer = answer
        self.unit = battle.state.position.units[request.unit]
        self.table = battle.state.position.table
        self.ground = battle.field.ground(self.unit, request.kind, request.targets, planned=False)
        self._met: frozenset[str] | None = None

    def faults(self) -> list[str]:
        """Return every fault of the move. Rule: CORE.MOVE.2 to CORE.MOVE.9, CORE.COH.2."""
        moved = {row: legs for row, legs in self.answer.paths.items() if legs}
        strangers = [row for row in moved if row not in self.request.limits or row not in self.unit.rows]
        if strangers:
            return [f"model {row} may not move now" for row in strangers]
        if self.request.kind != "surge":
            return self._faults_of(moved)
        return self._faults_of(moved) or self._farther_faults(moved)

    def _faults_of(self, moved: dict[int, Legs]) -> list[str]:
        """Return the faults of the paths and of what is asked of their end in any case."""
        if not moved:
            return []
        paths = self._flight_faults(moved) + self._path_faults(moved)
        return paths + self._end_faults(self._ends(moved), moved)

    def _flight_faults(self, moved: dict[int, Legs]) -> list[str]:
        """Check the flight of AIRCRAFT. Rule: CORE.AIR.2"""
        if not self.request.least:
            return []
        found = [f"model {row} must fly on, too" for row in self.unit.rows if row not in moved]
        found += [f"model {row} turns in the path of its flight alone" for row in self.answer.facing]
        for row, legs in moved.items():
            (x, y), facing = self.table.xy[row], float(self.table.facing[row])
            told = faults_of_flight((float(x), float(y), facing), legs, self.battle.ruleset.parameters)
            found += [f"model {row} {fault}" for fault in told]
        return found

    def _path_faults(self, moved: dict[int, Legs]) -> list[str]:
        # Friends of the same unit are checked at their ends: they move at the same time.
        ways = {row: self._path(row, legs) for row, legs in moved.items()}
        found = (
            [] if self._are_legal(ways) else [f for row, path in ways.items() for f in self._told(row, path)]
        )
        return found + [fault for row, legs in moved.items() for fault in self._pivot_faults(row, legs)]

    def _start(self, row: int) -> tuple[float, ...]:
        return (*self.table.xy[row].tolist(), float(self.table.z[row]))

    def _limit(self, row: int) -> float:
        return self.request.limits[row]

    def _path(self, row: int, legs: Legs) -> Path:
        start = self._start(row)
        return Path.from_legs((*start[:2], first_height(start, self.ground)), legs)

    def _are_legal(self, ways: dict[int, Path]) -> bool:
        """Return whether every path is legal, asked in one go."""
        stances = [self.table.stance(row) for row in ways]
        starts = np.array([self._start(row) for row in ways])
        limits = np.array([self._limit(row) for row in ways])
        turned = [partial(self.table.stance, row) for row in ways]
        return not check_paths(list(ways.values()), stances, starts, limits, self.ground, turned)

    def _told(self, row: int, path: Path) -> list[str]:
        """Return the faults of a model's path."""
        stance, turned = self.table.stance(row), partial(self.table.stance, row)
        faults = check_path(path, stance, self._start(row), self._limit(row), self.ground, turned)
        return [f"model {row}: {fault}" for fault in faults]

    def _pivot_faults(self, row: int, legs: Legs) -> list[str]:
        """Check that a model's first pivot is paid for. Rule: CORE.MOVE.3."""
        paid = [leg[3] for leg in legs if len(leg) == 4]
        short = paid and abs(sum_of(paid) - self.battle.field.pivot_cost(row)) > TOLERANCE
        return [f"model {row} does not pay for its pivot"] if short else []

    def _ends(self, moved: dict[int, Legs]) -> _Ends:
        poses = [self.battle.field.after(row, moved.get(row, ())) for row in self.unit.rows]
        x, y, z, facing = (np.array(column) for column in zip(*poses, strict=True))
        return _Ends(self.table.outlines(self.unit.rows, points(x, y), facing), z)

    def _end_faults(self, ends: _Ends, moved: dict[int, Legs]) -> list[str]:
        found = overlap_faults(list(self.unit.rows), ends.bases, ends.z, self.table.height)
        if self.request.kind == "fall-back" and not self._all_moved_out(ends):
            found.append("a unit that falls back must end outside engagement range")
        met = [enemy.id for enemy in self._shunned() if enemy.id in self._engaged(ends)]
        found += [f"the unit must end outside engagement range of {enemy}" for enemy in met]
        if not is_coherent(ends.bases, ends.z, self.battle.ruleset.parameters.spacing):
            found.append("the unit would end out of coherency")
        if self.request.kind in ("charge", "pile-in", "consolidate"):
            found += self._combat_faults(ends, moved)
        return found + self._nearness_faults(ends) + self._apart_faults(ends)

    def _nearness_faults(self, ends: _Ends) -> list[str]:
        """Check that the unit ends as far from all enemies as is asked. Rule: CORE.RES.7"""
        clear, field = self.request.clear, self.battle.field
        foes = self.table.outlines(field.rows(field.enemies(self.unit)))
        if not clear or not len(foes) or not within(gaps(ends.bases, foes).min(), clear):
            return []
        return [f'the unit must end farther than {clear:g}" from every enemy']

    def _apart_faults(self, ends: _Ends) -> list[str]:
        """Check that the unit ends nowhere that a rule bars, near models of enemies."""
        found, field, table = [], self.battle.field, self.table
        for rows, far in field.barred_ends(self.unit, self.request.kind):
            apart = in_space(gaps(ends.bases, table.outlines(rows)), ends.z, table.z[list(rows)])
            if within(apart.min(), far):
                foe = self.battle.state.position.models[rows[0]].unit
                found.append(f'the unit may not end its move within {far:g}" of {foe}')
        return found

    def _shunned(self) -> list[Unit]:
        """Return the enemies in whose engagement range no model may end.

        The check of the paths does not find these ends: they are in range across a barricade, or near
        AIRCRAFT. Rule: CORE.ER.2, CORE.AIR.3
        """
        kind, field = self.request.kind, self.battle.field
        others = [e for e in field.enemies(self.unit) if e.id not in self.request.targets]
        if kind in ("normal", "advance", "charge", "surge") and field.engagement.barricades:
            return others
        if kind != "fall-back" and not field.has(self.unit, "FLY"):
            return [enemy for enemy in others if enemy.has(AIRCRAFT)]
        return []

    def _all_moved_out(self, ends: _Ends) -> bool:
        return not self._engaged(ends)

    def _engaged(self, ends: _Ends) -> frozenset[str]:
        """Return the enemy units in range of which any model would end. Rule: CORE.ER.1, CORE.ER.2"""
        if self._met is None:
            field, enemies = self.battle.field, self.battle.field.enemies(self.unit)
            rows = field.rows(enemies)
            if not rows:
                return frozenset()
            level = np.abs(ends.z[:, None] - self.table.z[list(rows)][None])
            foes = field.outlines(rows)
            near = field.engagement.near(gaps(ends.bases, foes), ends.bases, foes)
            near &= within(level, self.battle.ruleset.parameters.engagement_vertical)
            names = [enemy.id for enemy in enemies for _ in enemy.rows]
            self._met = frozenset(
                names[column] for column in np.logical_or.reduce(near, axis=0).nonzero()[0].tolist()
            )
        return self._met

    def _gaps(self, ends: _Ends, enemy: Unit) -> Floats:
        return gaps(ends.bases, self.table.outlines(enemy.rows))

    def _combat_faults(self, ends: _Ends, moved: dict[int, Legs]) -> list[str]:
        """Check a charge, pile-in or consolidation.

        Rule: CORE.CHG.2, CORE.CHG.3, CORE.FGT.4, CORE.FGT.7, CORE.AIR.5
        """
        enemies = opponents(self.battle.field, self.unit)
        near = {e.id: e.id in self._engaged(ends) for e in enemies}
        found = []
        if self.request.kind == "charge":
            found += [f"{t} is not within engagement range" for t in self.request.targets if not near[t]]
            towards = [e for e in enemies if e.id in self.request.targets]
            found += self._closer(ends, moved, towards, closest=False)
            found += self._contact_faults(ends, list(self.unit.rows))
        elif self.request.kind == "pile-in" or any(near.values()):
            if not any(near.values()):
                found.append("the unit must end within engagement range of an enemy")
            found += self._closer(ends, moved, enemies, closest=True)
            found += self._contact_faults(ends, list(moved))
        else:
            found += self._marker_faults(ends)
        return found

    def _contact_faults(self, ends: _Ends, rows: list[int]) -> list[str]:
        """Check that models end in base contact where a straight way leads there. Rule: CORE.CHG.3."""
        asked = self.request
        # Where a contact would be in range of others across a barricade, nobody is held to it.
        ground = self.battle.field.ground(self.unit, asked.kind, asked.targets)
        approach = Approach(self.unit, asked.kind, asked.limits, asked.targets, ground)
        missed = FreeContact(self.battle.field, approach, ends.bases).missed(
            [r for r in rows if r in asked.limits]
        )
        return [f"model {row} could end in base contact" for row in missed]

    def _marker_faults(self, ends: _Ends) -> list[str]:
        """Check a consolidation onto an objective marker. Rule: CORE.FGT.7."""
        if not self._reaches_objective(ends):
            return [
                "the unit must end within engagement range, or within range of the closest objective marker"
            ]
        field = self.battle.field
        if any(field.engaged(self.unit, enemy) for enemy in opponents(field, self.unit)):
            return ["a unit in combat consolidates toward the closest enemy, not out of it"]
        could_fight = self.plain_engagement() is not None
        return ["an enemy is within reach, to whom a consolidation goes first"] if could_fight else []

    def plain_engagement(self) -> dict[int, Legs] | None:
        """Return a plain move into combat that is legal: a proof that an enemy is within reach.

        Paths round corners are not tried: no legal answer is refused. None where no plain move is legal.
        Rule: CORE.FGT.7
        """
        field = self.battle.field
        for paths in self._plain_moves(opponents(field, self.unit), field.engagement.farthest):
            other = MoveCheck(self.battle, self.request, Moves(paths=paths))
            if other._engaged(other._ends(paths)) and not other.faults():
                return paths
        return None

    def plain_approach(self) -> dict[int, Legs]:
        """Return the plain surge that ends closest to its target; none where none is legal.

        Paths round corners are not tried. A move at no target has none.
        """
        if not self.request.targets:
            return {}
        target = self.battle.state.position.units[self.request.targets[0]]
        found: dict[int, Legs] = {}
        least = self._apart(found, target)
        for paths in self._plain_moves([target]):
            far = self._apart(paths, target)
            if far < least - TOLERANCE and not MoveCheck(self.battle, self.request, Moves())._faults_of(
                paths
            ):
                found, least = paths, far
        return found

    def _farther_faults(self, moved: dict[int, Legs]) -> list[str]:
        """Check that a surge ends no farther from its target than a plain move would."""
        target = self.battle.state.position.units[self.request.targets[0]]
        if self._apart(self.plain_approach(), target) < self._apart(moved, target) - TOLERANCE:
            return [f"the unit could end closer to {target.id}"]
        return []

    def _apart(self, moved: dict[int, Legs], target: Unit) -> float:
        """Return how far from a unit the closest model would end, in space."""
        ends, rows = self._ends(moved), list(target.rows)
        return float(in_space(self._gaps(ends, target), ends.z, self.table.z[rows]).min(initial=np.inf))

    def _plain_moves(self, enemies: list[Unit], beyond: float = np.inf) -> Iterator[dict[int, Legs]]:
        """Yield moves of one model straight to its closest enemy, and of the whole unit alike.

        All models of the unit go in the direction of that model, equally far. No model is tried from which
        an enemy is more inches farther off than it may go than `beyond`.
        """
        rows = [row for row in self.unit.rows if row in self.request.limits]
        foes = self.table.outlines(self.battle.field.rows(enemies))
        if not rows or not len(foes):
            return
        own = self.table.outlines(rows)
        apart = clearances(own, foes)
        least = min(self._limit(row) for row in rows)
        farthest = max(self._limit(row) for row in rows) + beyond
        for i in apart.min(axis=1).argsort(kind="stable").tolist():
            if not within(apart[i].min(), farthest):
                return
            foe = foes.take([int(apart[i].argmin())])
            way = meeting_point(own.take([i]), foe) - own.xy[i]
            yield {rows[i]: _straight(own.xy[i], way, self._limit(rows[i]))}
            if len(rows) > 1:
                yield {row: _straight(at, way, least) for row, at in zip(rows, own.xy, strict=True)}

    def _closer(self, ends: _Ends, moved: dict[int, Legs], enemies: list[Unit], closest: bool) -> list[str]:
        """Check that each model that moves ends closer: to its closest enemy, or to any target."""
        if not enemies:
            return ["there is no enemy to move closer to"]
        table, rows, own = self.table, list(self.battle.field.rows(enemies)), list(self.unit.rows)
        foes = table.outlines(tuple(rows))
        before, after = gaps(table.outlines(self.unit.rows), foes), gaps(ends.bases, foes)
        # A model that climbs to an enemy may come no nearer as seen from above.
        risen = in_space(before, table.z[own], table.z[rows]) - in_space(after, ends.z, table.z[rows])
        found = []
        for i, row in enumerate(self.unit.rows):
            if row not in moved:
                continue
            gained = np.maximum(before[i] - after[i], risen[i])
            aims = before[i] <= before[i].min() + TOLERANCE if closest else np.full(len(gained), True)
            if gained[aims].max() <= TOLERANCE:
                found.append(f"model {row} does not end closer to an enemy")
        return found

    def _reaches_objective(self, ends: _Ends) -> bool:
        """Return whether the unit ends in range of the marker that was closest to it.

        Rule: CORE.OBJ.1.
        """
        field, parameters = self.battle.field, self.battle.ruleset.parameters
        markers = list(self.battle.state.position.objectives.values())
        apart = [field.closest_to_objective(self.unit, marker) for marker in markers]
        nearest = [m.at for m, far in zip(markers, apart, strict=True) if far <= min(apart) + TOLERANCE]
        if not nearest:
            return False
        reach = parameters.objective_range + parameters.marker_radius
        low = within(ends.z, parameters.objective_vertical)
        return bool((within(ends.bases.distances(np.array(nearest)), reach) & low).any())


def _straight(start: Floats, way: Floats, limit: float) -> Legs:
    """Return the legs of a straight move along a vector, no longer than a limit in inches."""
    share = min(1.0, limit / max(norm(*way), TOLERANCE))
    x, y = np.round(start + share * way, 7).tolist()
    return ((x, y),)


def overlap_faults(rows: list[int], bases: Outlines, z: Floats, height: Floats) -> list[str]:
    """Return which models of a unit would stand on each other. Rule: CORE.MOVE.4."""
    found = []
    for i, j in overlaps(bases):
        low, high = (i, j) if z[i] <= z[j] else (j, i)
        if z[low] == z[high] or z[high] - z[low] < height[rows[low]] - TOLERANCE:
            found.append(f"models {rows[i]} and {rows[j]} overlap")
    return found
