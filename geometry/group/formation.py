"""How the models of a unit share the ground at the end of a move.

Owns the search for a spot for each model, nearest first, so that all stand in coherency and as near to
their goal as may be. It knows movers and berths, no rule of a phase.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
import numpy as np

from geometry.group.contact_spots import Docks, Seated
from geometry.group.sampling import Scatter
from geometry.group.within_reach import Footholds
from geometry.measure.coherency import Spacing, is_one_group
from geometry.measure.distance import clearances
from geometry.path.obstacles import CLOSE
from geometry.path.planner import Path, check_paths
from geometry.path.reference_path import rounded
from geometry.shape.arrangement import distances
from geometry.shape.base import TOLERANCE, Bools, Floats, pairs_of
from geometry.shape.cached import cached_property
from geometry.shape.convex_shape import Outlines
from geometry.shape.nearby import as_checked, shapes_of
from geometry.single.best_spot import Berth, berth, may_end
from geometry.single.goal import Away, ToBases, ToLine
from geometry.single.model_move import Mover
from geometry.single.placed_friends import Allowed, Company

MANY = 7
"""Of so many round bases on, spots are first shared out in one go."""
SMALL = 6
"""Up to so many models look for their spots in several ways about those who touch what they make for."""
RESTARTS = 4
PASSES = 2
STEPS = 32
ASKED = 12
"""To so many spots a single model's ways are looked for that is near enough on none of those it found."""
SHARES = (1.0, 0.75, 0.5, 0.25, 0.0)


class Wish(msgspec.Struct, frozen=True):
    """What else is asked of the outcome: of each spot, of all ends; and whether models may stay anywhere.

    `footholds` tell whether anybody may end where `met` holds, whatever leads there.
    """

    allowed: Allowed | None = None
    met: Callable[[Outlines], bool] | None = None
    stays: bool = True
    first: tuple[int, ...] = ()
    footholds: Footholds | None = None


class Formation:
    """The models of one unit, looking for their spots."""

    def __init__(self, movers: Sequence[Mover], spacing: Spacing, wish: Wish) -> None:
        """Take the movers, by row."""
        self.movers = movers
        self.spacing = spacing
        self.wish = wish
        self.stances = [mover.stance for mover in movers]
        self.start = np.array([mover.start for mover in movers])
        self.stays = np.array([wish.stays and mover.turn is None for mover in movers])
        self.need = spacing.neighbours_needed(len(movers))
        self._left_out: int | None = None
        self._berths: dict[tuple[object, ...], Berth | None] = {}
        self._whole: dict[bytes, bool] = {}

    def settled(self) -> list[Berth] | None:
        """Return a berth for each model, None where no outcome is legal.

        Many round bases that need not touch anything find theirs among spots laid out everywhere.
        """
        if (
            len(self.movers) >= MANY
            and self.wish.allowed is None
            and self._is_round
            and not isinstance(self.movers[0].goal, Away)
        ):
            return self._scattered(nearer=True)
        return self._settled()

    def _settled(self) -> list[Berth] | None:
        """Return the outcome of models that go as far as they can, in contact if they may be."""
        if self.quick is not None:
            return self.quick
        if len(self.movers) == 1 and self.wish.met is not None:
            return self._alone()
        return self._searched()

    @cached_property
    def quick(self) -> list[Berth] | None:
        """Return the outcome that is found without a search, None where there is none."""
        # A unit that shares out what it may touch finds what each would take alone, too.
        shares = self.wish.allowed is not None and self._is_round and len(self.movers) > 1
        for attempt in (self._docked,) if shares else (self._at_once, self._docked):
            berths = attempt()
            if berths is not None and not self.faults(berths):
                return berths
        return None

    def _searched(self) -> list[Berth] | None:
        """Return the outcome of models that look for their spots in turn, None where none is legal.

        A large unit that goes into contact first looks for spots laid out everywhere.
        """
        is_large = self.wish.allowed is not None and len(self.movers) > SMALL
        if is_large:
            berths = self._scattered()
            return self.gone_on(berths) if berths else self._held_back() or self.gone_on(self._one_by_one())
        # Who goes into contact has already tried to go as far as it can, whatever the others do.
        is_tried = self.wish.allowed is not None and self._is_round
        for attempt in (self._one_by_one,) if is_tried else (self._freely, self._one_by_one):
            berths = attempt()
            if berths is None and self._is_hopeless:
                return self._scattered()
            if berths is not None and attempt == self._freely and not self.faults(berths):
                return berths
            if attempt == self._one_by_one and (better := self.gone_on(berths)) is not None:
                return better
        return self._held_back() or self._scattered()

    def gone_on(self, berths: list[Berth] | None) -> list[Berth] | None:
        """Return the outcome after each model has gone on alone, as it was where that is not legal."""
        outcomes = () if berths is None else (self._improved(berths), berths)
        return next((outcome for outcome in outcomes if not self.faults(outcome)), None)

    def _alone(self) -> list[Berth] | None:
        """Return the outcome of a single model that comes as near as it must, and then as near as it can."""
        mover, wish = self.movers[0], self.wish

        def is_near(xy: Floats) -> bool:
            return self._is_whole(np.round(xy, 7)[None])

        if isinstance(mover.goal, ToBases):
            taken = self._on_foothold(mover, mover.goal, is_near)
        else:
            taken = berth(mover, self._company({}, 0), wish.allowed, wish.stays, is_near)
        return None if taken is None or self.faults([taken]) else [taken]

    def _on_foothold(self, mover: Mover, goal: ToBases, is_near: Callable[[Floats], bool]) -> Berth | None:
        """Return the berth of a single model on the place near enough to its goal that leaves it least."""
        places = self.wish.footholds or Footholds([mover], [goal])
        options = mover.guessed(places.of(mover)).joined(mover.ideal)
        options = options.take(may_end(mover, options, self.wish.allowed, False))
        if self.stays[0]:
            options = options.joined(mover.staying())
        options = options.take(np.lexsort((options.length.round(6), options.left.round(6))))
        length, asked = mover.lengths(options), 0
        for row, far in enumerate(length.tolist()):
            spot = options.xy[row]
            if far <= mover.limit + TOLERANCE / 10:
                if is_near(spot):
                    return Berth(options.take(np.array([row])))
            elif asked < ASKED and is_near(spot):
                asked += 1
                path = mover.true_way(spot)
                if path is not None:
                    return Berth(mover.at_spot(spot), path)
        return None

    def _scattered(self, nearer: bool = False) -> list[Berth] | None:
        """Return an outcome of spots laid out everywhere, where all bases are round."""
        if len(self.movers) < 2 or not self._is_round:
            return None
        wish = self.wish
        berths = Scatter(self.movers, self.spacing).berths(wish.allowed, wish.stays, self._is_whole, nearer)
        return None if berths is None or self.faults(berths) else berths

    def _held_back(self) -> list[Berth] | None:
        """Return the better outcome of those in which most wait for the others."""
        found = [self._together()]
        if self.wish.allowed is None:
            found.append(self._following())
        outcomes = sorted((berths for berths in found if berths is not None), key=_total)
        gone_on = (self.gone_on(berths) for berths in outcomes)
        return next((outcome for outcome in gone_on if outcome is not None), None)

    def faults(self, berths: Sequence[Berth]) -> tuple[str, ...]:
        """Return what is wrong with an outcome, measured anew."""
        movers = self.movers
        paths = [self.path(mover, taken) for mover, taken in zip(movers, berths, strict=True)]
        limit = np.array([mover.limit for mover in movers])
        found = check_paths(paths, as_checked(self.stances), self.start, limit, movers[0].footing.ground)
        if not self._is_whole(self._ends(berths)):
            found.append("the unit is not coherent, or its models overlap")
        return tuple(found)

    @staticmethod
    def path(mover: Mover, taken: Berth) -> Path:
        """Return the mover's path to its berth, rounded as positions are, without the pivot before it."""
        return rounded(taken.path or mover.path_to(taken.option))

    def order(self) -> list[int]:
        """Return the rows in the order in which they move: those bound first, then the nearest."""
        if len(self.movers) == 1:
            return [0]
        far = [mover.start_left for mover in self.movers]
        rows = sorted(range(len(self.movers)), key=lambda row: (round(far[row], 6), row))
        bound = [row for row in rows if self.movers[row].limit <= TOLERANCE]
        first = [*bound, *(row for row in self.wish.first if row not in bound)]
        return [*first, *(row for row in rows if row not in first)]

    def _ends(self, berths: Sequence[Berth]) -> Floats:
        return np.round([taken.xy for taken in berths], 7)

    def _bases(self, ends: Floats) -> Outlines:
        return shapes_of(ends, self.stances)

    def _is_whole(self, ends: Floats) -> bool:
        """Return whether the unit holds together at these ends and meets what is wished, asked once."""
        key = ends.tobytes()
        if key not in self._whole:
            self._whole[key] = self._holds_together(ends)
        return self._whole[key]

    def _holds_together(self, ends: Floats) -> bool:
        bases = self._bases(ends)
        apart = clearances(bases, bases)
        if np.count_nonzero((apart < -TOLERANCE / 2) & pairs_of(len(bases))):
            return False
        np.fill_diagonal(apart, 0.0)
        if not is_one_group(apart <= self.spacing.reach + TOLERANCE / 2, self.need):
            return False
        return self.wish.met is None or self.wish.met(bases)

    def _at_once(self) -> list[Berth] | None:
        """Return the outcome in which each model goes as far as it can and none is in another's way."""
        if any(mover.is_cut_short for mover in self.movers):
            return None
        berths = [Berth(mover.ideal) for mover in self.movers]
        ends = self._ends(berths)
        if not self._is_whole(ends):
            return None
        stayed = (np.abs(ends - self.start) <= CLOSE).all(axis=1) & self.stays
        for footing in {id(mover.footing): mover.footing for mover in self.movers}.values():
            same = np.array([mover.footing is footing for mover in self.movers])
            if not footing.stands(ends[same & ~stayed]).all():
                return None
        if self.wish.allowed is not None:
            for mover, end in zip(self.movers, ends, strict=True):
                if not self.wish.allowed(mover, end[None])[0] and np.abs(end - mover.at).max() > CLOSE:
                    return None
        return berths

    def _docked(self) -> list[Berth] | None:
        """Return the outcome in which as many as can touch what they make for, and the others come near.

        Where these do not hold together, fewer do, each near enough to another for a neighbour.
        """
        if self.wish.allowed is None or not self._is_round:
            return None
        order, docks = self.order(), Docks(self.movers, self.wish.allowed, self.wish.stays)
        seated = docks.seated(order)
        is_any = len(seated) > len(docks.bound)
        if not is_any and (len(order) == 1 or (self.wish.footholds and not self.wish.footholds.exist)):
            return None
        for need, are_together in (
            ((0, False), (self.need, False), (self.need, True)) if is_any else ((0, False),)
        ):
            seats = docks.seated(order, self.spacing.reach) if are_together else seated
            found = self._placed(order, need, seats)
            if isinstance(found, dict):
                berths = [found[row] for row in range(len(self.movers))]
                if self._is_whole(self._ends(berths)):
                    return berths
            elif need == 0:
                self._left_out = found
        return None

    @property
    def _is_round(self) -> bool:
        return all(stance.core.is_point for stance in self.stances)

    def _freely(self) -> list[Berth] | None:
        """Return the outcome in which each model goes as far as it can, whatever the others do."""
        found = self._placed(self.order(), need=0)
        if not isinstance(found, dict):
            self._left_out = found
            return None
        berths = [found[row] for row in range(len(self.movers))]
        return berths if self._is_whole(self._ends(berths)) else None

    @cached_property
    def _is_hopeless(self) -> bool:
        """Return whether the model that found no spot finds none even alone, so that nobody need wait."""
        row = self._left_out
        if row is None or self.stays[row]:
            return False
        return self._berth(row, {}, 0) is None

    def _one_by_one(self) -> list[Berth] | None:
        """Return the outcome in which each model stays with those before it.

        A model that finds no spot is put first in the next try, so that the others wait for it.
        """
        if len(self.movers) == 1:
            return None  # it has gone freely already
        order = self.order()
        best: list[Berth] | None = None
        for _ in range(RESTARTS):
            found = self._placed(order, self.need)
            if isinstance(found, dict):
                berths = [found[row] for row in range(len(self.movers))]
                if self._is_whole(self._ends(berths)):
                    best = berths
                break
            if found == order[0]:
                break  # it would be put first again
            order = [found, *(row for row in order if row != found)]
        return best

    def _placed(self, order: Sequence[int], need: int, seated: Seated | None = None) -> Seated | int:
        """Return berths by row, with those of who has one already, or the first row that finds none."""
        found = dict(seated or {})
        for row in order:
            if row in found:
                continue
            taken = self._berth(row, found, 0 if row in self.wish.first else min(need, len(found)))
            if taken is None:
                return row
            found[row] = taken
        return found

    def _berth(self, row: int, found: Seated, need: int) -> Berth | None:
        """Return the best berth of a model among friends that have theirs, looked for once."""
        key = (row, need, *((other, taken.spot) for other, taken in found.items()))
        if key not in self._berths:
            company, wish = self._company(found, need), self.wish
            self._berths[key] = berth(self.movers[row], company, wish.allowed, wish.stays)
        return self._berths[key]

    def _following(self) -> list[Berth] | None:
        """Return an outcome in which the others gather about a leader, who goes as far as that allows."""
        for leader in (self.order()[0], self._middle()):
            for share in SHARES:
                berths = self._gathered(leader, share)
                if berths is not None and self._is_whole(self._ends(berths)):
                    return berths
        return None

    def _middle(self) -> int:
        """Return the row of the model nearest to all others."""
        return int(distances(self.start, self.start).sum(axis=1).argmin())

    def _gathered(self, leader: int, share: float) -> list[Berth] | None:
        """Return the outcome in which all make for the leader, who goes this share of its way."""
        mover = self.movers[leader]
        taken = Berth(mover.along(np.array([mover.far * share])))
        if not ((share == 0 and self.stays[leader]) or mover.footing.stands(taken.xy[None])[0]):
            return None
        return self.gathered(leader, taken)

    def gathered(self, leader: int, taken: Berth) -> list[Berth] | None:
        """Return the outcome in which all make for where the leader ends; None where one finds no place."""
        found = {leader: taken}
        goal = ToLine(taken.spot, taken.spot)
        others = [i for i in range(len(self.movers)) if i != leader]
        far = goal.left(self.start, self.stances[0]).round(6)
        for row in sorted(others, key=lambda i: (far[i], i)):
            follower = self._berth_of_follower(row, goal, self._company(found, min(self.need, len(found))))
            if follower is None:
                return None
            found[row] = follower
        return [found[row] for row in range(len(self.movers))]

    def _berth_of_follower(self, row: int, goal: ToLine, company: Company) -> Berth | None:
        mover = self.movers[row]
        follower = Mover(mover.start, mover.limit, mover.footing, goal, turn=mover.turn)
        taken = berth(follower, company, None, self.wish.stays)
        if taken is None:
            return None
        path = taken.path or follower.path_to(taken.option)
        return Berth(mover.at_spot(taken.xy), path)

    def _company(self, found: dict[int, Berth], need: int) -> Company:
        xy = np.array([taken.xy for taken in found.values()]).reshape(-1, 2)
        return Company(shapes_of(xy, [self.stances[row] for row in found]), need, self.spacing.reach)

    def _together(self) -> list[Berth] | None:
        """Return the outcome in which all keep their places and go as far as they can together."""
        leader = self.movers[self.order()[0]]
        steps = (leader.ideal.xy[0] - leader.at) * np.linspace(1, 0, STEPS + 1)[:, None]
        for step in steps[self._may_shift(steps)]:
            ends = self.start + step
            if not self._is_whole(np.round(ends, 7)):
                continue
            if np.hypot(*step) > CLOSE:
                return [Berth(mover.at_spot(end)) for mover, end in zip(self.movers, ends, strict=True)]
            if self.stays.all():
                return [Berth(mover.staying()) for mover in self.movers]
        return None

    def _may_shift(self, steps: Floats) -> Bools:
        """Return which steps (n, 2) each model can make by itself; who hardly moves is not asked."""
        far = np.hypot(*steps.T)
        good = np.ones(len(steps), dtype=np.bool_)
        for mover in self.movers:
            rows = (good & (far > CLOSE)).nonzero()[0]
            spots = mover.at + steps[rows]
            may = (far[rows] <= mover.limit + TOLERANCE / 10) & mover.footing.stands(spots)
            if self.wish.allowed is not None:
                may &= self.wish.allowed(mover, spots)
            may[may] = mover.free.clear(np.broadcast_to(mover.at, spots.shape)[may], spots[may])
            good[rows] = may
        return good

    def _improved(self, berths: list[Berth]) -> list[Berth]:
        """Return the outcome after each model, nearest first, has gone on as far as the others allow."""
        best = list(berths)
        asked: dict[int, list[tuple[float, float]]] = {}
        for _ in range(PASSES):
            gained = 0.0
            for row in self.order():
                others = [taken.spot for i, taken in enumerate(best) if i != row]
                # Who has looked among these before finds nothing better again.
                if best[row].left <= self.movers[row].ideal.left[0] + 1e-4 or asked.get(row) == others:
                    continue
                asked[row] = others
                better = self._better(best, row)
                if better is not None:
                    gained += best[row].left - better.left
                    best[row] = better
            if gained < 0.01:
                break
        return best

    def _better(self, berths: list[Berth], row: int) -> Berth | None:
        """Return a berth that leaves a model less to go while the others stay."""
        others = {i: taken for i, taken in enumerate(berths) if i != row}
        ends = self._ends(berths)

        def accept(spot: Floats) -> bool:
            ends[row] = np.round(spot, 7)
            return self._is_whole(ends)

        company = self._company(others, min(self.need, len(others)))
        mover, below = self.movers[row], berths[row].left - 1e-4
        return berth(mover, company, self.wish.allowed, self.wish.stays, accept, below)


def _total(berths: Sequence[Berth]) -> float:
    return round(sum(taken.left for taken in berths), 6)
