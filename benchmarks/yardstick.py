"""Judges the outcome of a recorded move: whether it is legal, how far it leaves the unit.

One yardstick for every planner: the shortest way of each model from where it ends, searched anew, climbs
included; as the crow flies where no way leads there. Nothing that a planner tells of itself is believed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import partial, reduce

import numpy as np
from msgspec.structs import replace

from benchmarks.recorded import AWAY, OUT, Data, RecordedMove
from geometry.group.group_move import Party
from geometry.measure.coherency import is_coherent
from geometry.measure.distance import clearances, gaps, in_space
from geometry.path.checker import check_paths
from geometry.path.ground import Ground, faults_of_standing, may_stand, placed, without
from geometry.path.path import Path
from geometry.path.planner import ShortestPaths
from geometry.shape.base import Bools, Floats, pairs_of
from geometry.shape.convex_shape import NOTHING, Outlines, Stance, stance_of
from geometry.single.goal import ToBases, ToLine
from geometry.tolerance import TOLERANCE

FAR = 100.0
"""A model that gets away has as much left as it is nearer to a threat than this, in inches."""
GAIN = 0.01
"""A move that brings a unit nearer by no more than this in all, in inches, gains nothing."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What an outcome is worth: whether it is what was asked, its faults, what models have left."""

    is_found: bool
    faults: tuple[str, ...]
    left: tuple[float, ...]

    @property
    def is_good(self) -> bool:
        """Return whether there is a legal move."""
        return self.is_found and not self.faults

    @property
    def total(self) -> float:
        """Return what is left of all models."""
        return sum(self.left)


@dataclass
class Yardstick:
    """The judge of the outcomes of one move; equal ends are measured once."""

    move: RecordedMove
    _ways: dict[Stance, ShortestPaths] = field(default_factory=dict)
    _known: dict[tuple[Stance, float, float, float], float] = field(default_factory=dict)

    def judged(self, outcome: Data) -> Judged:
        """Return what a plain outcome is worth."""
        if self.move.told["call"] == "place_group":
            return self._set_up(outcome)
        party = self.move.party
        if "paths" not in outcome:
            return Judged(False, raised(outcome), self._left_at_start(party))
        paths = [Path((x, y), tuple(map(tuple, legs)), z) for (x, y), legs, z in outcome["paths"]]
        ends = Ends(party, paths)
        left = tuple(map(self._left, ends.stances, ends.spots))
        return Judged(self._is_found(party, ends, sum(left)), self._faults(party, ends), left)

    def _left_at_start(self, party: Party) -> tuple[float, ...]:
        ends = Ends(party, standing(party))
        return tuple(map(self._left, ends.stances, ends.spots))

    def _is_found(self, party: Party, ends: Ends, left: float) -> bool:
        """Return whether an outcome does what was asked, be it legal or not."""
        if self.move.kind == OUT:
            at_ground = self._levels(ends)
            return all(may_stand(ground, xy, stances).all() for ground, xy, stances in at_ground)
        if self.move.kind in ("toward", "point"):
            return left < sum(self._left_at_start(party)) - GAIN
        return True

    def _levels(self, ends: Ends) -> list[tuple[Ground, Floats, list[Stance]]]:
        """Return where models end, by the height at which they do, with what they meet there."""
        found = []
        for z in dict.fromkeys(z for _, _, z in ends.spots):
            rows = [i for i, spot in enumerate(ends.spots) if spot[2] == z]
            stances = [ends.stances[row] for row in rows]
            found.append((self.move.ground.at(z), ends.outlines.xy[rows], stances))
        return found

    def _faults(self, party: Party, ends: Ends) -> tuple[str, ...]:
        """Return why the move is not legal."""
        if not ends.moved.any():
            return ()
        turned = [partial(stance_of, base) for base in party.bases] or None
        starts = np.column_stack([party.xy, np.zeros(len(party)) if party.z is None else party.z])
        stances = [party.stance(row) for row in range(len(party))]
        found = check_paths(ends.paths, stances, starts, party.limit, self.move.ground, turned)
        for row, path in enumerate(ends.paths):
            if path.is_turned and (party.pivot is None or path.legs[0][3] < party.pivot[row] - TOLERANCE):
                found.append("a pivot is not paid for")
        found += overlapping(ends)
        if not is_coherent(ends.outlines, ends.z, self.move.spacing):
            found.append("the unit is not coherent")
        if self.move.told["call"] == "move_into_contact":
            found += self._faults_of_contact(party, ends)
        if self.move.kind == AWAY:
            still = ~ends.moved
            bases = [ends.stances[row] for row in still.nonzero()[0]]
            if still.any() and not may_stand(self.move.ground, party.xy[still], bases).all():
                found.append("a model stays where it may not end")
        return tuple(dict.fromkeys(found))

    def _faults_of_contact(self, party: Party, ends: Ends) -> list[str]:
        """Return the faults of a move into contact: targets not reached, models that get no closer."""
        told, found = self.move.told, []
        targets = [self.move.reading.outlines(number) for number in told["targets"]]
        across = self.move.across()
        met = [
            bool((clearances(ends.outlines, target) <= told["reach"] + TOLERANCE).any())
            or (across is not None and across.met(ends.outlines, target))
            for target in targets
        ]
        if not (all(met) if told["must_reach_all"] else any(met)):
            found.append("no target is within reach, or not every one")
        if (ends.moved & ~self._closer(party, ends, reduce(Outlines.joined, targets, NOTHING))).any():
            found.append("a model moves and gets no closer")
        return found

    def _closer(self, party: Party, ends: Ends, targets: Outlines) -> Bools:
        """Return which models end closer to a target, or to their closest one where that is asked.

        A model that climbs may come no nearer as seen from above: then the distance in space counts.
        """
        z, high = np.zeros(len(party)) if party.z is None else party.z, self._heights(targets)
        before, after = gaps(party.outlines, targets), gaps(ends.outlines, targets)
        risen = in_space(before, z, high) - in_space(after, ends.z, high)
        closer = np.maximum(before - after, risen) > TOLERANCE
        if not self.move.told["must_reach_all"]:
            closer &= before <= before.min(axis=1, keepdims=True) + TOLERANCE
        return np.asarray(closer.any(axis=1))

    def _heights(self, targets: Outlines) -> Floats:
        """Return how high targets stand."""
        crowd = self.move.ground.crowd
        if crowd is None or not len(crowd.all):
            return np.zeros(len(targets))
        apart = np.hypot(*(targets.xy[:, None] - crowd.all.xy).transpose(2, 0, 1))
        return np.where(apart.min(axis=1) <= TOLERANCE, crowd.z[apart.argmin(axis=1)], 0.0)

    def _left(self, stance: Stance, spot: tuple[float, float, float]) -> float:
        """Return how far a model has left from (x, y, z)."""
        key = (stance, *spot)
        if key not in self._known:
            self._known[key] = self._measured(stance, spot)
        return self._known[key]

    def _measured(self, stance: Stance, spot: tuple[float, float, float]) -> float:
        at = np.array([spot[:2]])
        if self.move.kind == AWAY:
            threats = self.move.outlines("threats")
            return FAR - float(clearances(placed(at, [stance]), threats).min())
        goal = self.goal
        crow = float(goal.left(at, stance)[0])
        if crow <= TOLERANCE:
            return 0.0
        if stance not in self._ways:
            self._ways[stance] = ShortestPaths(stance, without(self.move.ground, goal.bases))
        ways = self._ways[stance]
        if isinstance(goal, ToBases):
            found = ways.climbing_into(spot, goal.rings(stance))
        elif goal.start == goal.end:
            x, y = goal.nearest(at, stance)[0].tolist()
            found = ways.climbing(spot, (x, y, 0.0))
        else:
            found = ways.climbing_into(spot, goal.shape(stance))
        return found.length if isinstance(found, Path) else crow

    @property
    def goal(self) -> ToBases | ToLine:
        """Return what a move toward something, or into contact, makes for."""
        told = self.move.told
        if told["call"] == "move_to_point":
            ends = told["point"]
            (x0, y0), (x1, y1) = ends if isinstance(ends[0], list) else (ends, ends)
            return ToLine((float(x0), float(y0)), (float(x1), float(y1)), self.move.ground.size)
        if told["call"] == "move_toward":
            return ToBases(self.move.outlines("goal"), told["stop"])
        targets = [self.move.reading.outlines(number) for number in told["targets"]]
        return ToBases(reduce(Outlines.joined, targets, NOTHING))

    def _set_up(self, outcome: Data) -> Judged:
        """Return what a set-up is worth. A model without a place counts as a board's diagonal away."""
        stances = self.move.stances
        longest = math.hypot(*self.move.ground.size)
        if "xy" not in outcome:
            return Judged(False, raised(outcome), (longest,) * len(stances))
        own = [stance for row, stance in enumerate(stances) if row not in outcome["left_out"]]
        xy = np.array(outcome["xy"]).reshape(-1, 2)
        ground, near = self.move.ground, self.move.near
        overflow = self.move.reading.polygons(self.move.told["overflow"])
        if overflow:
            ground = replace(ground, area=(*ground.area, *overflow))
        faults = list(faults_of_standing(ground, xy, own))
        bases = placed(xy, own)
        if ((clearances(bases, bases) < -TOLERANCE) & pairs_of(len(own))).any():
            faults.append("models overlap")
        if not is_coherent(bases, np.zeros(len(own)), self.move.spacing):
            faults.append("the unit is not coherent")
        left = np.maximum(clearances(bases, near.bases).min(axis=1), 0.0).tolist()
        missing = len(stances) - len(own)
        return Judged(bool(own), tuple(faults), (*left, *(longest,) * missing))


@dataclass(frozen=True)
class Ends:
    """Where and how the models of a unit stand after their paths."""

    party: Party
    paths: list[Path]

    @property
    def stances(self) -> list[Stance]:
        """Return how each stands."""
        return [self.party.stance_after(row, path) for row, path in enumerate(self.paths)]

    @property
    def spots(self) -> list[tuple[float, float, float]]:
        """Return where each stands, in space."""
        return [(*path.end, path.end_z) for path in self.paths]

    @property
    def z(self) -> Floats:
        """Return how high each stands."""
        return np.array([path.end_z for path in self.paths])

    @property
    def outlines(self) -> Outlines:
        """Return the bases."""
        return placed(np.array([path.end for path in self.paths]), self.stances)

    @property
    def moved(self) -> Bools:
        """Return which models move."""
        return np.array([path.length > TOLERANCE for path in self.paths])


def raised(outcome: Data) -> tuple[str, ...]:
    """Return as a fault what a planner raised that gave nothing else."""
    return (f"raised {outcome['raised']}",) if "raised" in outcome else ()


def standing(party: Party) -> list[Path]:
    """Return paths of no length from where models stand."""
    z = np.zeros(len(party)) if party.z is None else party.z
    return [Path((x, y), (), high) for (x, y), high in zip(party.xy.tolist(), z.tolist(), strict=True)]


def overlapping(ends: Ends) -> list[str]:
    """Return a fault where models end on one another that did not stand so."""
    apart = clearances(ends.outlines, ends.outlines)
    level = np.abs(ends.z[:, None] - ends.z) <= TOLERANCE
    either = ends.moved[:, None] | ends.moved
    bad = (apart < -TOLERANCE) & level & either & pairs_of(len(ends.paths))
    return ["models overlap"] if bad.any() else []
