"""The best spot for one base among friends that have theirs.

Owns the choice among a mover's critical spots: which are legal and near enough to friends, and which leaves
it the least to go. The order of the friends is `geometry.group.formation`'s.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import chain

import msgspec
import numpy as np

from geometry.path.planner import Path
from geometry.path.reference_path import Trail
from geometry.shape.arrangement import crossings, distances, extremes
from geometry.shape.base import TOLERANCE, Bools, Floats
from geometry.single.best_spot_round import Lens
from geometry.single.candidates import Options
from geometry.single.goal import Away, ToBases
from geometry.single.model_move import Mover
from geometry.single.placed_friends import Allowed, Company

KEEPOUTS, ALL_ROUND, CHUNK = 20, 60, 32
"""The most edges that count about a point, the most all round, and the spots of a batch."""
NEAR = 4.0
DETOURS, DOUBTED, WAYS = 2, 4, 3
"""So many spots are asked for their true ways, doubted in a batch, and gone by to the goal."""
LITTLE, INCH = 0.05, 1.0
ASKED = 40
JUDGED = 256


class Berth(msgspec.Struct, frozen=True):
    """A spot taken by a mover: where, how far it goes there, what is left, and its way if already known."""

    option: Options
    path: Path | None = None

    @property
    def xy(self) -> Floats:
        """Return the spot."""
        return np.asarray(self.option.xy[0])

    @property
    def spot(self) -> tuple[float, float]:
        """Return the spot in plain numbers."""
        x, y = self.option.xy[0].tolist()
        return x, y

    @property
    def left(self) -> float:
        """Return how far is left to the goal."""
        return float(self.option.left[0])


def berth(
    mover: Mover,
    company: Company,
    allowed: Allowed | None = None,
    stays: bool = True,
    accept: Callable[[Floats], bool] | None = None,
    below: float = math.inf,
) -> Berth | None:
    """Return the spot that leaves a mover least to go, of several the one with the shortest way.

    `allowed` bars spots, `accept` a chosen one; without `stays`, or once it has turned, it may not stay where
    it may not stand. None where nothing leaves less than `below`, or the budget is spent.
    """
    ideal = mover.ideal
    if ideal.left[0] >= below:
        return None
    plain = not mover.is_cut_short and _is_legal(mover, ideal, company, allowed, stays)
    if plain and (accept is None or accept(ideal.xy[0])):
        return Berth(ideal)
    if mover.footing.budget.is_spent:
        return None
    if mover.stance.core.is_point and not company.friends.core and not mover.seeks:
        lens = Lens(mover, company, allowed, stays, below)
        option = lens.best()
        if lens.is_sure and option is None:
            return None
        if option is not None and _is_near(mover, option) and (accept is None or accept(option.xy[0])):
            return Berth(option, lens.way(option))
    search = _Search(mover, company, allowed, stays, accept, below)
    focus = ideal.xy[0]
    search.along_trail(focus)
    if isinstance(mover.goal, Away):
        search.beside(mover.at, mover.limit)
    else:
        search.beside(focus, NEAR)
    if search.least > ideal.left[0] + NEAR:
        search.beside(mover.at, mover.limit, ALL_ROUND)
    if company.need > 0 and len(company.friends):
        other = company.nearest(mover.stance, focus)
        if distances(other[None], focus[None])[0, 0] > NEAR / 2:
            search.beside(other, NEAR)
    return search.found()


def _is_near(mover: Mover, option: Options) -> bool:
    """Return whether an option leaves not much more than the trail promises."""
    return bool(option.left[0] <= mover.ideal.left[0] + NEAR)


def _is_legal(mover: Mover, option: Options, company: Company, allowed: Allowed | None, stays: bool) -> bool:
    suits = company.suits(option.xy, mover.stance)[0]
    return bool(suits and may_end(mover, option, allowed, stays)[0])


def may_end(mover: Mover, options: Options, allowed: Allowed | None, stays: bool) -> Bools:
    """Return on which spots it may end, whatever its friends do."""
    if allowed is None:
        good = mover.footing.stands(options.xy)
    else:
        good = allowed(mover, options.xy)
        rows = good.nonzero()[0]
        if len(rows):
            good[rows] = mover.footing.stands(options.xy[rows])
    if stays and mover.turn is None:
        good |= options.length <= 1e-9
    return good


class _Search:
    """The search for the best berth of one mover, over ever more of its critical spots."""

    def __init__(
        self,
        mover: Mover,
        company: Company,
        allowed: Allowed | None,
        stays: bool,
        accept: Callable[[Floats], bool] | None,
        below: float,
    ) -> None:
        self.mover, self.company, self.accept = mover, company, accept
        self.allowed, self.stays, self.below = allowed, stays, below
        self.best: Berth | None = None
        self.shut: list[Options] = []
        self.doubted: list[Options] = []
        self.asked = 0
        self.judged = 0

    @property
    def least(self) -> float:
        """Return how much the best spot found leaves, or what any must stay below."""
        return self.below if self.best is None else self.best.left

    def along_trail(self, focus: Floats) -> None:
        """Try where something changes along the way to the ideal spot, and staying."""
        mover = self.mover
        low, high = Trail(mover.trail.path.at(mover.far)).box
        edges = mover.footing.edges_within((low + high) / 2, float(np.hypot(*(high - low))) / 2)
        cuts = mover.trail.cuts(edges.joined(self.company.edges(mover.stance, focus)))
        lengths = np.append(cuts[cuts < mover.far], mover.far)
        self._try(mover.along(lengths).joined(mover.staying()))

    def beside(self, focus: Floats, within: float, most: int = KEEPOUTS) -> None:
        """Try the spots where edges near a point cross or come nearest to something."""
        mover = self.mover
        edges = mover.footing.edges_near(focus, within, most).joined(
            mover.goal_edges,
            mover.circles,
            self.company.edges(mover.stance, focus),
            *([mover.brinks(focus)] if mover.is_cut_short else []),
        )
        edges = edges.within(mover.at, mover.limit + TOLERANCE)
        points = np.vstack([mover.goal.aims(focus, mover.stance), focus, mover.at])
        found = [crossings(edges), extremes(edges, points)]
        if isinstance(mover.goal, Away):
            found.append(mover.goal.around(mover.at, mover.limit))
        self._try(mover.guessed(np.vstack(found)))

    def _try(self, options: Options) -> None:
        """Take the best of the options, judged in order of their bounds, if it betters what is found."""
        self.mover.footing.budget.spend(len(options.left))
        if self.least < math.inf:
            options = options.take(options.left < self.least - TOLERANCE)
        if len(options.left):
            options = options.take(self.company.suits(options.xy, self.mover.stance))
        self.judged = 0
        order = np.lexsort((options.along, options.length.round(6), options.left.round(6)))
        first, many = 0, CHUNK
        while first < len(order):
            some = options.take(order[first : first + many])
            # Where none is legal next to one another, few are: more are asked at a time.
            first, many = first + many, 2 * many
            if not self._betters(some, 0):
                break
            legal = may_end(self.mover, some, self.allowed, self.stays)
            if legal.any():
                many = CHUNK
                self._judge(some.take(legal))
                self.judged += int(legal.sum())
            if self.judged > JUDGED:
                break

    def _betters(self, options: Options, row: int) -> bool:
        return bool(options.left[row] < self.least - TOLERANCE)

    def _judge(self, options: Options) -> None:
        """Take the best of legal options by their true ways."""
        mover = self.mover
        length = mover.lengths(options)
        self.shut += [options.take(row) for row in np.isinf(length).nonzero()[0][:, None]]
        reached = Options(options.xy, length, options.left, options.along).take(
            length <= mover.limit + TOLERANCE / 10
        )
        left = mover.rests(reached, self.least)
        doubted = (left > reached.left + NEAR).nonzero()[0][:DOUBTED]
        self.doubted += [reached.take(doubted[i : i + 1]) for i in range(len(doubted))]
        true = Options(reached.xy, reached.length, left, reached.along).take(np.isfinite(left))
        for row in np.lexsort((true.length.round(6), true.left.round(6))):
            if not self._betters(true, row):
                break
            if self.accept is None:
                self.best = Berth(true.take(np.array([row])))
                break
            self.asked += 1
            if self.asked > ASKED:
                break
            if self.accept(true.xy[row]):
                self.best = Berth(true.take(np.array([row])))
                break

    def found(self) -> Berth | None:
        """Return the best berth, after asking spots that lie round a corner for their true ways."""
        self.shut = [option for option in self.shut if option.left[0] < self.least - LITTLE]
        for option in self.shut[:DETOURS]:
            spot = option.xy[0]
            if option.left[0] >= self.least - LITTLE:
                continue
            path = self.mover.true_way(spot)
            if path is None or (self.accept is not None and not self.accept(spot)):
                continue
            left = self.mover.rests(option)
            if np.isfinite(left[0]) and left[0] < self.least:
                option = Options(option.xy, np.array([path.length]), left, option.along)
                self.best = Berth(option, path)
        if self._is_stuck():
            self._go_other_ways()
        # Who must stay with others waits for them rather than take what is nearest.
        if self.shut and self.least == math.inf and self.company.need <= 0:
            self._turn_corner()
        return self.best

    def _turn_corner(self) -> None:
        """Take the nearest of the spots to which no way was found."""
        path = self.mover.way_to_any(np.concatenate([option.xy for option in self.shut]))
        if path is not None and (self.accept is None or self.accept(np.array(path.end))):
            self.best = Berth(self.mover.at_spot(np.array(path.end)), path)

    def _is_stuck(self) -> bool:
        """Return whether the best spot leaves much more than the trail promises, or nothing is gained.

        Who must stay with others is not led off on ways of its own. Where no way leads to the goal, none does
        from where a mover can get, either.
        """
        mover, goal = self.mover, self.mover.goal
        may_be_too_long = isinstance(goal, ToBases) and goal.reach is not None
        if self.company.need > 0 or (mover.seeks and not may_be_too_long):
            return False
        if self.least > mover.ideal.left[0] + NEAR:
            return True
        if isinstance(mover.goal, Away):
            return False
        promised = max(mover.start_left - mover.limit, 0.0)
        return self.least > max(promised + NEAR, mover.start_left - INCH)

    def _go_other_ways(self) -> None:
        """Go for the goal by spots far off the trail, from which the way back to it is long."""
        for other in chain(self._other_ways(self.doubted), self._other_ways(self.shut)):
            search = _Search(other, self.company, self.allowed, self.stays, self.accept, self.least)
            search.along_trail(other.ideal.xy[0])
            search.beside(other.ideal.xy[0], NEAR)
            if search.best is not None:
                found = search.best.option
                self.best = Berth(found, other.path_to(found))

    def _other_ways(self, options: list[Options]) -> Iterator[Mover]:
        """Yield the mover on its ways to the goal by a few of these spots, those that promise most."""
        asked: list[Floats] = []
        for option in sorted(options, key=lambda each: (round(float(each.left[0]), 6), *each.xy[0].round(6))):
            spot = option.xy[0]
            if len(asked) == WAYS or option.left[0] >= self.least - LITTLE:
                break
            if any(math.dist(spot, other) < INCH for other in asked):
                continue
            asked.append(spot)
            other = self.mover.by(spot, self.least - LITTLE)
            if other is not None:
                yield other
