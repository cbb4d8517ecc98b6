"""A slow search for legal moves that would have brought units nearer to their targets.

Reads a finished log, and looks at units that got no nearer. It asks nothing of what planned the move: it lays
a lattice of spots about each model, takes the shortest ways to them, has the others stay, follow or close up,
and lets the referee judge. Finding nothing proves nothing; what it finds is a legal move that would have
helped.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import replace

from engine.audit.progress import Headway, Measures, Yardstick, headway
from engine.audit.referee.allowance import Allowance
from engine.audit.referee.moving import faults_of_move
from engine.audit.referee.scene import Scene
from engine.core import event as ev
from engine.core.apply import apply
from engine.core.log import BecauseLine, LogLine
from engine.core.state import State, Unit
from geometry.measure.coherency import is_coherent
from geometry.measure.distance import clearances
from geometry.path.ground import may_stand
from geometry.path.planner import Path, ShortestPaths
from geometry.shape.arrangement import distances
from geometry.shape.base import Floats
from geometry.shape.convex_shape import Stance
from geometry.tolerance import TOLERANCE

if TYPE_CHECKING:
    from engine.records.rulebook import Rulebook
    from engine.w40k.battle import Battle
from engine.w40k.edition import Edition

MARGIN = 0.25
"""A move helps that brings the unit nearer by more than this, in inches."""
STEP = 0.4
"""How far apart the spots of the lattice are."""
LEADERS = 3
"""How many models, the nearest first, are tried as the one that gets nearer."""
MEASURED = 60
"""From how many spots of each the way to the target is measured."""
TRIED = 6
"""How many of the best of these are tried with the other models."""
NEAREST = 10
"""How many spots are tried for a model that has to give way or follow.

They are the nearest to where the model is wanted.
"""


@dataclass(frozen=True, slots=True)
class Missed:
    """A move that a unit could have made and did not, and how much nearer it ends."""

    n: int
    """The number of the answer that chose the kind of move."""
    round: int
    unit: str
    target: str
    nearer: float
    why: str
    """What the unit said of it."""
    ends: tuple[tuple[int, tuple[float, float]], ...]
    """Where the models that move end, by row."""


def missed(
    lines: Sequence[LogLine], ruleset: Edition[Battle], rulebook: Rulebook
) -> tuple[list[Missed], int]:
    """Return the moves that units missed which got no nearer, and how many units were looked at."""
    ways = headway(lines, ruleset, rulebook)
    stalled = {way.n: way for way in ways if way.outcome in ("explained", "unexplained")}
    state = State()
    scene = Scene(state, ruleset.parameters, Allowance(state, ruleset, rulebook))
    yardstick = Yardstick(state, ruleset, rulebook)
    found: list[Missed] = []
    made = _moves_made(lines)
    for line in lines:
        if isinstance(line, BecauseLine) and line.decision == "move" and line.because in stalled:
            found += _sought(scene, yardstick, stalled[line.because], made.get(line.because))
        if isinstance(line, ev.Event):
            scene.carry_out(line)
            yardstick.heed(line)
    return found, len(stalled)


def _moves_made(lines: Sequence[LogLine]) -> dict[int, ev.Moved]:
    """Return the move that came of each answer, by the answer's number."""
    made: dict[int, ev.Moved] = {}
    chosen: BecauseLine | None = None
    for line in lines:
        if isinstance(line, BecauseLine) and line.decision == "move":
            chosen = line
        elif isinstance(line, ev.Moved) and chosen is not None and line.unit == chosen.unit:
            made.setdefault(chosen.because, line)
        elif isinstance(line, ev.PhaseEnded):
            chosen = None
    return made


def _sought(scene: Scene, yardstick: Yardstick, way: Headway, made: ev.Moved | None) -> Iterator[Missed]:
    seeker = Seeker(scene, yardstick, scene.state.position.units[way.unit], way.target, way.opened, made)
    move = seeker.move()
    if move is not None:
        ends = tuple((row, (pose[0], pose[1])) for row, pose in move.poses.items())
        yield Missed(way.n, way.round, way.unit, way.target, seeker.gain, way.why, ends)


class Seeker:
    """A search for a legal move that brings a unit nearer to its target."""

    def __init__(
        self,
        scene: Scene,
        yardstick: Yardstick,
        unit: Unit,
        target: str,
        opened: float = math.inf,
        made: ev.Moved | None = None,
    ) -> None:
        """Look from the state as it is; `made` is the unit's move, `opened` the way that it opened."""
        self.scene, self.yardstick, self.unit, self.target = scene, yardstick, unit, target
        self.opened, self.made = opened, made
        self.table = scene.state.position.table
        self.leaves = bool(yardstick.field.in_spawn_zone(unit).any())
        zones = tuple(yardstick.field.spawn_zones()) if self.leaves else ()
        self.ground = replace(yardstick.field.ground(unit, "normal"), shun=zones)
        self.limit = {row: scene.allowance.move(unit, row) for row in unit.rows}
        self.gain = 0.0
        self._ways: dict[Stance, ShortestPaths] = {}

    def move(self) -> ev.Moved | None:
        """Return a legal move that ends nearer by more than the margin, None where none is found."""
        for row in self._leaders():
            for stance, first in self._stances(row):
                for spot in self._better(row, stance, first):
                    for ends in self._shared(row, spot):
                        found = self._judged({**ends, row: (*spot, *first)})
                        if found is not None:
                            return found
        return None

    def _leaders(self) -> list[int]:
        far = {row: min(math.dist(self._at(row), at) for at in self._goals(row)) for row in self.unit.rows}
        return sorted(self.unit.rows, key=lambda row: (round(far[row], 6), row))[:LEADERS]

    def _goals(self, row: int) -> list[tuple[float, float]]:
        """Return the points that a model makes for."""
        return self.yardstick.goals(row, self.target)

    def _at(self, row: int) -> tuple[float, float]:
        x, y = self.table.xy[row]
        return float(x), float(y)

    def _stances(self, row: int) -> Iterator[tuple[Stance, tuple[float, ...]]]:
        """Yield how a model may face as it goes, with the facing and the cost of turning to it."""
        yield self.table.stance(row), ()
        cost = self.yardstick.field.pivot_cost(row)
        if self.scene.is_round(row) or cost > self.limit[row]:
            return
        (x, y), (to_x, to_y) = self._at(row), self._goals(row)[0]
        ahead = math.degrees(math.atan2(to_y - y, to_x - x))
        for facing in (ahead, ahead + 90.0, float(self.table.facing[row]) + 90.0):
            yield self.table.stance(row, facing % 360.0), (facing % 360.0, cost)

    def _better(self, row: int, stance: Stance, first: tuple[float, ...]) -> Iterator[tuple[float, float]]:
        """Yield reachable spots whose way is shorter by more than the margin, the best first."""
        limit = self.limit[row] - (first[1] if first else 0.0)
        below = self._before(row) - MARGIN
        spots = self._lattice(row, stance, limit)
        straight = self._straight(row, stance, spots)
        order = np.argsort(straight.round(6), kind="stable")
        order = order[straight[order] < below]
        order = np.unique(np.concatenate([order[: MEASURED // 2], order[:: 1 + len(order) // MEASURED]]))
        ranked = sorted((self._way(row, stance, spots[i]), int(i)) for i in order)
        nearer = (i for far, i in ranked if far < below)
        reached = (i for i in nearer if self._reaches(row, stance, spots[i], limit) is not None)
        for i in islice(reached, TRIED):
            yield float(spots[i, 0]), float(spots[i, 1])

    def _before(self, row: int) -> float:
        """Return the way that a model has to shorten: the nearest model's, or to a marker its own."""
        own = [row] if self.target in self.scene.state.position.objectives else self.unit.rows
        return min(self._way(each, self.table.stance(each), np.array(self._at(each))) for each in own)

    def _lattice(self, row: int, stance: Stance, limit: float) -> Floats:
        """Return the spots about a model on which it may stand."""
        steps = np.arange(-math.ceil(limit / STEP), math.ceil(limit / STEP) + 1) * STEP
        off = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
        spots = np.round(self.table.xy[row] + off[np.hypot(*off.T) <= limit], 7)
        return np.asarray(spots[may_stand(self.ground, spots, [stance] * len(spots))])

    def _straight(self, row: int, stance: Stance, spots: Floats) -> Floats:
        """Return what no way from these spots is shorter than."""
        if self.target in self.scene.state.position.units:
            far = self.yardstick.rings(self.target, stance).distances(spots)
        else:
            far = distances(spots, np.array(self._goals(row)))
        return np.asarray(np.maximum(far.min(axis=1, initial=np.inf), 0.0))

    def _way(self, row: int, stance: Stance, spot: Floats) -> float:
        """Return the length of the shortest way from a spot to the target."""
        return self.yardstick.way(row, (float(spot[0]), float(spot[1])), self.target, self._ways_of(stance))

    def _ways_of(self, stance: Stance) -> ShortestPaths:
        if stance not in self._ways:
            self._ways[stance] = ShortestPaths(stance, self.ground)
        return self._ways[stance]

    def _reaches(self, row: int, stance: Stance, spot: Sequence[float], limit: float) -> Path | None:
        """Return a model's shortest path to a spot, None where it is too long."""
        start = (*self._at(row), float(self.table.z[row]))
        found = self._ways_of(stance).climbing(start, (float(spot[0]), float(spot[1])), limit)
        return found if isinstance(found, Path) and found.length <= limit + TOLERANCE / 10 else None

    # the other models

    def _shared(self, row: int, spot: tuple[float, float]) -> Iterator[dict[int, tuple[float, ...]]]:
        """Yield ends for the other models: all stay, those in the way give way, or all follow."""
        others = [each for each in self.unit.rows if each != row]
        if self._holds({row: spot}):
            yield {}
        if not others:
            return
        for follows in (False, True):
            ends: dict[int, tuple[float, ...]] | None = {row: spot}
            far = {each: math.dist(self._at(each), spot) for each in others}
            for each in sorted(others, key=lambda each: (round(far[each], 6), each)):
                ends = self._joined(ends, each, follows) if ends is not None else None
            if ends is not None and self._holds(ends):
                del ends[row]
                yield {each: end for each, end in ends.items() if end != self._at(each)}

    def _joined(
        self, ends: Mapping[int, tuple[float, ...]], row: int, follows: bool
    ) -> dict[int, tuple[float, ...]] | None:
        """Return the ends with one more model's, beside those before it; None where it finds none."""
        stance = self.table.stance(row)
        own, first = np.array(self._at(row)), np.array(next(iter(ends.values()))[:2])
        spots = np.vstack([own[None], self._spots[row]])
        wanted = first if follows else own
        far = np.hypot(*(spots - wanted).T).round(6)
        placed = self.table.outlines(list(ends), np.array([end[:2] for end in ends.values()]))
        here = self.table.outlines([row] * len(spots), spots)
        apart = clearances(here, placed)
        spacing = self.scene.parameters.spacing
        need = min(spacing.neighbours_needed(len(self.unit.rows)), len(ends))
        good = (apart >= 0).all(axis=1) & ((apart <= spacing.reach).sum(axis=1) >= need)
        rows = good.nonzero()[0]
        for i in rows[np.lexsort((rows, far[rows]))][:NEAREST]:
            if i == 0 or self._reaches(row, stance, spots[i], self.limit[row]) is not None:
                return {**ends, row: (float(spots[i, 0]), float(spots[i, 1]))}
        return None

    @cached_property
    def _spots(self) -> dict[int, Floats]:
        """Return each model's lattice."""
        return {row: self._lattice(row, self.table.stance(row), self.limit[row]) for row in self.unit.rows}

    def _holds(self, ends: Mapping[int, tuple[float, ...]]) -> bool:
        """Return whether the unit is coherent and nobody overlaps, with some models at other places."""
        rows = list(self.unit.rows)
        xy = np.array([ends[row][:2] if row in ends else self._at(row) for row in rows])
        bases = self.table.outlines(rows, xy)
        apart = clearances(bases, bases)
        np.fill_diagonal(apart, 0.0)
        return bool((apart >= 0).all()) and is_coherent(
            bases, self.table.z[rows], self.scene.parameters.spacing
        )

    # judging

    def _judged(self, ends: Mapping[int, tuple[float, ...]]) -> ev.Moved | None:
        """Return the move to these ends if the referee passes it and it ends nearer by the margin."""
        paths = {}
        for row, (x, y, *first) in ends.items():
            stance = self.table.stance(row, first[0] if first else None)
            way = self._reaches(row, stance, (x, y), self.limit[row] - (first[1] if first else 0.0))
            if way is None:
                return None
            paths[row] = ((*self._at(row), *first), *way.legs) if first else way.legs
        poses = {row: self.yardstick.field.after(row, legs) for row, legs in paths.items()}
        move = ev.Moved(unit=self.unit.id, kind_of_move="normal", poses=poses, paths=paths)
        if faults_of_move(self.scene, move):
            return None
        self.gain = self._gained(move)
        return move if self.gain > MARGIN else None

    def _gained(self, move: ev.Moved) -> float:
        """Return how much nearer the unit is after a move, by the yardstick of all moves.

        A unit that stands in a spawning zone leaves it first, whatever that brings. Such a move is better
        only where all models together have less left than after the move that was made. Rule: AI.STAY.5
        """
        after = self._after(move)
        unit = after.state.position.units[self.unit.id]
        if self.leaves and after.field.in_spawn_zone(unit).any():
            return 0.0
        if self.leaves and self.made is not None:
            made = self._after(self.made)
            together = made.together(made.state.position.units[unit.id], self.target)
            if after.together(unit, self.target) >= together - TOLERANCE:
                return 0.0
        if self.opened < math.inf:
            # Where the unit has opened a way, only a shorter one helps it.
            return max(self.opened - after.left(unit, self.target)[0], 0.0)
        return _difference(self.yardstick.left(self.unit, self.target), after.left(unit, self.target))

    def _after(self, move: ev.Moved) -> Yardstick:
        """Return the yardstick of the table after a move of the unit."""
        state = self.scene.state.copy()
        apply(state, move)
        return Yardstick(state, self.yardstick.ruleset, self.yardstick.rulebook)


def _difference(before: Measures, after: Measures) -> float:
    """Return how much a way has shrunk, by the strictest measure that finds one both times."""
    for one, other in zip(before, after, strict=True):
        if max(one, other) < math.inf:
            return one - other
    return 0.0
