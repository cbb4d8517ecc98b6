"""The models of a unit made ready to move: how each faces, and which have a free straight way.

Owns the batch of straight ways, by far the most common case, and the choice of a pivot at the start. Ways
round things are `geometry.single.model_move`'s.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec
import numpy as np

from geometry.path.budget import Budget
from geometry.path.ground import Ground
from geometry.path.planner import Path
from geometry.shape.array import following
from geometry.shape.base import TOLERANCE, Base, Floats
from geometry.shape.convex_shape import Outlines, Stance, stance_of
from geometry.shape.nearby import shapes_of
from geometry.single.free_space import Footing
from geometry.single.goal import Away, Goal, ToBases
from geometry.single.model_move import Mover, Straight, Turn
from geometry.single.routes import ways_to

GAIN = 1e-3
"""A pivot must bring a model this much nearer."""
FACINGS = 6


class Party(msgspec.Struct, frozen=True):
    """The models of a unit: `xy` (n, 2), `radius` (n,), and how far each may go, `limit` (n,).

    Without `bases` all are round. With them `facing` (n,) says which way each faces, in degrees, and `pivot`
    (n,) what turning at the start of the move costs it, in inches; without `pivot` nobody turns. `z` (n,) is
    how high each stands; without it, all on the ground. All searches for one move share its `budget`.
    """

    xy: Floats
    radius: Floats
    limit: Floats
    bases: tuple[Base, ...] = ()
    facing: Floats | None = None
    pivot: Floats | None = None
    z: Floats | None = None
    budget: Budget | None = None

    def __len__(self) -> int:
        """Return how many models there are."""
        return len(self.radius)

    def take(self, rows: Sequence[int]) -> Party:
        """Return the models of these rows."""
        i = np.array(rows, dtype=np.intp)
        bases = tuple(self.bases[row] for row in i) if self.bases else ()
        facing, pivot, z = (None if each is None else each[i] for each in (self.facing, self.pivot, self.z))
        return Party(self.xy[i], self.radius[i], self.limit[i], bases, facing, pivot, z, self.budget)

    def faces(self, row: int) -> float:
        """Return which way a model faces, in degrees."""
        return 0.0 if self.facing is None else float(self.facing[row])

    def stance(self, row: int) -> Stance:
        """Return how a model stands."""
        if not self.bases:
            return Stance(float(self.radius[row]))
        return stance_of(self.bases[row], self.faces(row))

    def stance_after(self, row: int, path: Path) -> Stance:
        """Return how a model stands after the pivot with which its path may begin."""
        return stance_of(self.bases[row], path.legs[0][2]) if path.is_turned else self.stance(row)

    def disc(self, row: int) -> Stance:
        """Return the disc within a model's base: no facing passes where that does not."""
        if not self.bases:
            return Stance(float(self.radius[row]))
        return Stance(min(self.bases[row].length, self.bases[row].width) / 2)

    @property
    def outlines(self) -> Outlines:
        """Return the bases as they stand."""
        return shapes_of(self.xy, [self.stance(row) for row in range(len(self))])


class Muster:
    """The ground of a unit's move, as each of its models meets it."""

    def __init__(self, party: Party, ground: Ground) -> None:
        """Take the unit and the ground."""
        self.party, self.ground = party, ground
        self._footings: dict[Stance, Footing] = {}
        self._known: dict[tuple[int, Stance], Mover] = {}

    def mover(self, row: int, stance: Stance, goal: Goal) -> Mover:
        """Return a mover for a model that stands like this and looks for its own way; its way is kept."""
        known = self._known.get((row, stance))
        if known is None or known.goal is not goal:
            party = self.party
            known = Mover(party.xy[row], float(party.limit[row]), self.footing(stance), goal)
            self._known[row, stance] = known
        return known

    def footing(self, stance: Stance) -> Footing:
        """Return the ground as bases that stand like this meet it."""
        if stance not in self._footings:
            self._footings[stance] = Footing(self.ground, stance, self.party.budget)
        return self._footings[stance]

    def movers(self, goal: Goal, turns: bool = True) -> list[Mover]:
        """Return a mover for each model, those with a free straight way already knowing it.

        With `turns`, those that get nearer by turning first do so.
        """
        party = self.party
        stances = [party.stance(row) for row in range(len(party))]
        movers: dict[int, Mover] = {}
        for stance in dict.fromkeys(stances):
            rows = np.array([row for row, own in enumerate(stances) if own == stance])
            footing = self.footing(stance)
            ways = _straight_ways(party.xy[rows], party.limit[rows], footing, goal)
            for row, straight in zip(rows.tolist(), ways, strict=True):
                movers[row] = (
                    self.mover(row, stance, goal)
                    if straight is None
                    else Mover(party.xy[row], float(party.limit[row]), footing, goal, straight)
                )
        found = [movers[row] for row in range(len(party))]
        return [self._turned(row, mover) for row, mover in enumerate(found)] if turns else found

    def _turned(self, row: int, mover: Mover) -> Mover:
        """Return the mover, or one that turns first where that leaves it less to go."""
        party, stance = self.party, mover.stance
        if not party.bases or party.pivot is None or stance.core.is_point:
            return mover
        cost = float(party.pivot[row])
        limit = mover.limit - cost
        if limit < -TOLERANCE or mover.limit <= TOLERANCE:
            return mover
        if _leaves_only(mover, GAIN):
            return mover
        disc = self._disc(row, mover)
        crow = float(disc.straight_left(disc.at[None])[0])
        if _leaves_only(mover, self._least_left(mover, disc, crow - limit)):
            return mover
        if mover.straight is None and disc.is_shut:
            mover = Mover(mover.start, mover.limit, mover.footing, mover.goal, shut=True)
            if len(party) == 1 and isinstance(mover.goal, ToBases) and mover.goal.reach is not None:
                return mover
        best, facings = mover, self._facings(row, mover, cost)
        is_bound = facings and not disc.is_shut
        least = self._least_left(mover, disc, disc.start_left - limit if is_bound else -math.inf)
        for facing in facings:
            if _leaves_only(best, least):
                break
            lost, shut, left = _rank(best)
            most = math.inf if lost or shut else left + max(limit, 0.0)
            turned = self._facing(row, mover, facing, most, disc.is_shut)
            if turned is not None and _rank(turned) < _rank(best):
                best = turned
        return best

    def _facing(
        self, row: int, mover: Mover, facing: float, most: float = math.inf, shut: bool = False
    ) -> Mover | None:
        """Return a model that turns to a facing first, None where it cannot stand so, or can do no more."""
        party = self.party
        assert party.pivot is not None
        cost = float(party.pivot[row])
        footing = self.footing(stance_of(party.bases[row], facing))
        if not footing.obstacles.clear(mover.at[None], mover.at[None])[0]:
            return None
        straight = _straight_ways(mover.at[None], np.array([mover.limit - cost]), footing, mover.goal)[0]
        far, turn = max(mover.limit - cost, 0.0), Turn(mover, facing, cost)
        return Mover(mover.start, far, footing, mover.goal, straight, turn, most=most, shut=shut)

    def _disc(self, row: int, mover: Mover) -> Mover:
        """Return a mover for the disc that a model's base holds: no facing passes where that does not."""
        goal, footing = mover.goal, self.footing(self.party.disc(row))
        nearer = goal.wider(_wider(mover, footing)) if isinstance(goal, ToBases) else goal
        return Mover(mover.start, mover.limit, footing, nearer)

    def _least_left(self, mover: Mover, disc: Mover, left: float) -> float:
        """Return what no pivot betters, of a model whose disc would leave so much, whatever its facing."""
        if isinstance(mover.goal, Away):
            return -math.inf
        wider = 0.0 if isinstance(mover.goal, ToBases) else _wider(mover, disc.footing)
        return round(max(left - wider, 0.0) + GAIN, 6)

    def _facings(self, row: int, mover: Mover, cost: float) -> list[float]:
        """Return the facings that matter to a model: to its goal, quarter turns, along the walls about it.

        None where it goes straight to where it may end: then none can bring it nearer than the pivot costs.
        """
        base, here = self.party.bases[row], self.party.faces(row)
        aim = mover.goal.aims(mover.at, mover.stance)[0] - mover.at
        ahead = math.degrees(math.atan2(aim[1], aim[0])) if np.hypot(*aim) > TOLERANCE else here
        is_free = self._is_free(mover)
        if is_free and cost >= (base.radius - min(base.length, base.width) / 2) - TOLERANCE:
            return []
        found = [ahead, here + 90.0, ahead + 90.0]
        if not is_free:
            found += self._along_walls(mover.at, mover.limit + base.radius)
        facings: list[float] = []
        for facing in found:
            turned = round(facing % 360.0, 9)
            # Half a turn changes nothing: every base is the same both ways.
            if all(_apart(turned, known) > 1e-6 for known in (*facings, here)):
                facings.append(turned)
        return facings[:FACINGS]

    @staticmethod
    def _is_free(mover: Mover) -> bool:
        return not mover.is_lost and mover.is_straight and not mover.is_cut_short

    def _along_walls(self, at: Floats, within: float) -> list[float]:
        """Return the directions of the sides of walls near a place, the nearest first."""
        sides = []
        for wall in self.ground.walls:
            corner = np.array(wall)
            along = following(corner) - corner
            share = ((at - corner) * along).sum(axis=1) / np.maximum((along**2).sum(axis=1), 1e-12)
            foot = corner + np.clip(share, 0, 1)[:, None] * along
            far = np.hypot(*(foot - at).T)
            angle = np.degrees(np.arctan2(along[:, 1], along[:, 0]))
            near = far <= within
            sides += list(zip(far[near].round(6).tolist(), angle[near].tolist(), strict=True))
        return [angle for _, angle in sorted(sides, key=lambda side: side[0])[: 4 * FACINGS]]


def _apart(a: float, b: float) -> float:
    """Return by how many degrees two facings differ, for bases that are the same both ways."""
    return abs((a - b + 90.0) % 180.0 - 90.0)


def _wider(mover: Mover, disc: Footing) -> float:
    """Return how much farther a mover's base reaches than a disc that it holds."""
    return mover.stance.core.reach + mover.stance.radius - disc.stance.radius


def _rank(mover: Mover) -> tuple[bool, bool, float]:
    """Return whether a mover finds no way to its goal, or only a closed one, and how much it leaves to go."""
    left = float(mover.ideal.left[0]) + (GAIN if mover.turn else 0.0)
    return mover.is_lost, mover.is_shut, round(left, 6)


def _leaves_only(mover: Mover, least: float) -> bool:
    """Return whether a mover finds an open way, and no more is left to go than so much."""
    # Who finds all ways closed is not asked for the one through what closes them.
    return not mover.is_shut and _rank(mover) <= (False, False, least)


def movers_of(party: Party, ground: Ground, goal: Goal) -> list[Mover]:
    """Return a mover for each model of a unit."""
    return Muster(party, ground).movers(goal)


def _straight_ways(xy: Floats, limit: Floats, footing: Footing, goal: Goal) -> list[Straight | None]:
    """Return the straight way of each model, None where something is in it."""
    if isinstance(goal, Away):
        return [None] * len(xy)
    aim, left = goal.nearest(xy, footing.stance), goal.left(xy, footing.stance)
    off = aim - xy
    way = off / np.maximum(np.hypot(*off.T), 1e-12)[:, None]
    to_bases = len(goal.bases) > 0
    if to_bases:
        # Who has nothing left goes nowhere, even if rounding has it overlap what it touches.
        left = np.where(left <= TOLERANCE, 0.0, left)
    ends = xy + way * left[:, None]
    open_ = footing.passing.clear(xy, 0.0)
    free = np.zeros(len(xy), dtype=np.bool_)
    if to_bases and (left <= limit).all():
        # What is not in the way up to the goal's own bases is not in it without them, either.
        free = open_ & footing.obstacles.clear(xy, ends)
    if not free.all():
        open_ &= ways_to(footing, goal.bases).obstacles.clear(xy, ends if to_bases else aim)
    if to_bases:
        open_ |= left == 0.0
    rows = (open_ & ~free).nonzero()[0]
    if len(rows):
        short = xy[rows] + way[rows] * np.minimum(left, limit)[rows, None]
        free[rows] = footing.obstacles.clear(xy[rows], short)
    return [
        Straight(Path.from_legs(start, [tuple(end)] if far > 0 else []), bool(is_free)) if straight else None
        for start, end, far, straight, is_free in zip(xy, ends, left, open_, free, strict=True)
    ]
