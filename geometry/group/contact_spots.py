"""Who touches what a unit of round bases makes for: the spots in contact, shared out one by one.

Owns the choice of those that end there, in plain numbers: a taken spot only bars others and adds those beside
it. The spots of all others are `geometry.single.best_spot`'s.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

import numpy as np

from geometry.path.obstacles import CLOSE
from geometry.path.planner import Path
from geometry.shape.arrangement import NONE, SAME, Edges, distances, extremes, met
from geometry.shape.base import TOLERANCE, Bools, Floats
from geometry.shape.cached import cached_property
from geometry.shape.convex_shape import Outlines
from geometry.shape.disc import Disc, crossings, is_off
from geometry.single.best_spot import DETOURS, Berth
from geometry.single.candidates import Options
from geometry.single.model_move import Mover
from geometry.single.placed_friends import Allowed

Point = tuple[float, float]
Seat = tuple[float, Point]
"""How far it is to a spot at least, and where that is."""
Seated = dict[int, Berth]
TRIES = 12
"""For a model that found no spot so many are looked at that others might leave."""
SMALL = 6
"""Of no more than so many models those who found no spot may each choose first in another try."""
SHUT = 24
BESIDE = np.full(1, math.nan)


class Docks:
    """The models of a unit, by row, and the spots at which each has nothing left to go."""

    def __init__(self, movers: Sequence[Mover], allowed: Allowed | None, stays: bool) -> None:
        """Take the models, and what bars spots, and whether they may stay anywhere."""
        self.movers = movers
        alike: dict[tuple[int, int], list[Mover]] = {}
        for mover in movers:
            alike.setdefault((id(mover.footing), id(mover.goal)), []).append(mover)
        docks = {key: _Dock(some, allowed, stays) for key, some in alike.items()}
        self.docks = [docks[id(mover.footing), id(mover.goal)] for mover in movers]

    def seated(self, order: Sequence[int], within: float = math.inf) -> Seated:
        """Return berths for as many as find one, who choose in this order, or in another that seats more.

        Each is no farther than `within` from one that has its own already. Those who may not move stay,
        whether or not they touch what the unit makes for.
        """
        self._within = within
        # Whose every spot is too far, closed off, or taken by those who stay, need not be asked again.
        near = [row for row in order if self.movers[row].start_left <= self.movers[row].limit + TOLERANCE]
        hopeful = [row for row in near if row not in self.bound and self._berth(row, self.bound) is not None]
        best = self._chosen(hopeful)
        missed = [row for row in hopeful if row not in best]
        for first in (hopeful[::-1], *([row] for row in missed)):
            if len(best) == len(hopeful) + len(self.bound) or len(hopeful) > SMALL:
                break
            found = self._chosen([*first, *(row for row in hopeful if row not in first)])
            if len(found) > len(best):
                best = found
        return best

    @cached_property
    def bound(self) -> Seated:
        """Return where those stay who may not move."""
        return {row: Berth(m.staying()) for row, m in enumerate(self.movers) if m.limit <= TOLERANCE}

    def _chosen(self, order: Sequence[int]) -> Seated:
        found = dict(self.bound)
        missed = []
        for row in order:
            taken = self._berth(row, found)
            if taken is None:
                missed.append(row)
            else:
                found[row] = taken
        vain: set[tuple[int, Point]] = set()
        for row in missed:
            better = self._with(row, found, vain)
            if better is not None:
                found, vain = better, set()
        return found

    def _berth(self, row: int, found: Seated) -> Berth | None:
        """Return the nearest free spot of a model; None where there is none."""
        dock, mover, discs = self.docks[row], self.movers[row], self._discs(found)
        ahead = dock.ahead(mover)
        if ahead is not None and self._is_free(ahead.spot, mover.stance.radius, discs):
            return ahead
        free = dock.free_of(discs, dock.seats(mover, discs))
        if discs and self._within < math.inf:
            free = (seat for seat in free if self._is_beside(seat[1], mover.stance.radius, discs))
        return next(dock.ways(mover, free), None)

    def _is_free(self, spot: Point, radius: float, discs: Sequence[Disc]) -> bool:
        """Return whether a base at a spot overlaps none of those taken, and is near enough to one."""
        if any(math.dist(spot, (x, y)) < wide + radius - CLOSE for x, y, wide in discs):
            return False
        return not discs or self._within == math.inf or self._is_beside(spot, radius, discs)

    def _with(self, row: int, found: Seated, vain: set[tuple[int, Point]]) -> Seated | None:
        """Return the berths with one more, for whom others go elsewhere; None where they cannot.

        Spots that nobody can be sent away from are noted: whoever wants one next asks in `vain`.
        """
        dock, mover, rows, discs = self.docks[row], self.movers[row], list(found), self._discs(found)
        bound = self._discs(self.bound)
        seats = dock.free_of(bound, dock.seats(mover, discs))
        if self._within < math.inf:
            seats = (seat for seat in seats if self._is_beside(seat[1], mover.stance.radius, discs))
        for wanted in islice(dock.ways(mover, seats), TRIES):
            if (id(dock), wanted.spot) in vain:
                continue
            moving = [rows[i] for i in dock.overlapped(wanted.spot, discs)]
            better = {i: taken for i, taken in found.items() if i not in moving} | {row: wanted}
            for i in moving:
                taken = self._berth(i, better)
                if taken is None:
                    break
                better[i] = taken
            if len(better) > len(found):
                return better
            vain.add((id(dock), wanted.spot))
        return None

    def _is_beside(self, spot: Point, radius: float, discs: Sequence[Disc]) -> bool:
        near = radius + self._within + CLOSE
        return any(math.dist(spot, (x, y)) <= near + wide for x, y, wide in discs)

    def _discs(self, found: Seated) -> list[Disc]:
        return [(*taken.spot, self.movers[row].stance.radius) for row, taken in found.items()]


class _Dock:
    """The spots in contact of bases of one stance that make for one goal."""

    def __init__(self, movers: Sequence[Mover], allowed: Allowed | None, stays: bool) -> None:
        self.movers, self.allowed, self.stays = movers, allowed, stays
        self.footing, self.goal, self.stance = movers[0].footing, movers[0].goal, movers[0].stance
        self._ahead: dict[int, Berth | None] = {}
        self._seats: dict[int, list[Seat]] = {}
        self._beside: dict[Disc, list[Point]] = {}
        self._reached: dict[tuple[int, Disc], list[Seat]] = {}
        self._straight: dict[tuple[int, Point], Berth | None] = {}
        self._barred: set[tuple[int, Point]] = set()
        self._far: dict[tuple[int, Point], float] = {}
        self._detours: dict[tuple[int, Point], Path | None] = {}

    def ahead(self, mover: Mover) -> Berth | None:
        """Return a mover's berth in contact straight ahead, if it may end there: no spot is nearer."""
        key = id(mover)
        if key not in self._ahead:
            ideal = mover.ideal
            is_straight = mover.is_straight and ideal.left[0] <= TOLERANCE
            self._ahead[key] = Berth(ideal) if is_straight and self._may_end(mover) else None
        return self._ahead[key]

    def seats(self, mover: Mover, taken: Sequence[Disc]) -> list[Seat]:
        """Return the spots that a mover may reach, and those beside bases that have theirs, nearest first."""
        found = list(self._own(mover))
        for disc in taken:
            found += self._within_reach(mover, disc)
        found.sort()  # a few lists that are in order, which takes little
        return found

    def _within_reach(self, mover: Mover, disc: Disc) -> list[Seat]:
        """Return the spots beside a base that a mover may reach."""
        key = id(mover), disc
        if key not in self._reached:
            most = mover.limit + TOLERANCE / 10
            spots = [(math.dist(mover.start, spot), spot) for spot in self._next_to(disc)]
            self._reached[key] = sorted(seat for seat in spots if seat[0] <= most)
        return self._reached[key]

    def free_of(self, taken: Sequence[Disc], seats: Iterable[Seat]) -> Iterator[Seat]:
        """Return the seats at which a base overlaps none of those taken."""
        own = self.stance.radius - CLOSE
        others = [(x, y, (radius + own) ** 2) for x, y, radius in taken]
        return (seat for seat in seats if is_off(others, seat[1]))

    def overlapped(self, spot: Point, taken: Sequence[Disc]) -> list[int]:
        """Return the places of those taken that a base at a spot would overlap."""
        own = self.stance.radius - CLOSE
        return [i for i, (x, y, radius) in enumerate(taken) if math.dist(spot, (x, y)) < radius + own]

    def ways(self, mover: Mover, seats: Iterable[Seat]) -> Iterator[Berth]:
        """Return a mover's berths at these spots, those first to which it can go straight."""
        shut: list[Point] = []
        for _, spot in seats:
            key = id(mover), spot
            if key not in self._straight:
                self._straight[key] = self._straight_to(mover, spot)
            found = self._straight[key]
            if found is not None:
                yield found
            elif key not in self._barred:
                shut.append(spot)
        if shut:
            xy = np.array(shut)
            yield from self._round(mover, xy[self._allows(mover, xy)][:SHUT])

    def _straight_to(self, mover: Mover, spot: Point) -> Berth | None:
        ideal = mover.ideal
        if spot == tuple(ideal.xy[0].tolist()):
            return Berth(ideal)
        if not mover.free.is_clear(mover.start, spot):
            return None
        option = Options(np.array([spot]), np.array([math.dist(spot, mover.start)]), np.zeros(1), BESIDE)
        if not self._allows(mover, option.xy)[0]:
            self._barred.add((id(mover), spot))
            return None
        return Berth(option, Path(mover.start, (spot,) if option.length[0] > 1e-9 else ()))

    def _round(self, mover: Mover, xy: Floats) -> Iterator[Berth]:
        """Return a mover's berths at spots to which it can go along its trail first, or round a corner."""
        length = self._lengths(mover, xy)
        near = length <= mover.limit + TOLERANCE / 10
        for row in near.nonzero()[0].tolist():
            yield Berth(Options(xy[row : row + 1], length[row : row + 1], np.zeros(1), BESIDE))
        for x, y in xy[~near][:DETOURS].tolist():
            key = id(mover), (x, y)
            if key not in self._detours:
                self._detours[key] = mover.true_way(np.array([x, y]))
            path = self._detours[key]
            if path is not None:
                yield Berth(Options(np.array([[x, y]]), np.array([path.length]), np.zeros(1), BESIDE), path)

    def _lengths(self, mover: Mover, xy: Floats) -> Floats:
        """Return how far it is to spots by a simple way, infinite where there is none; each is asked once."""
        keys = [(id(mover), (x, y)) for x, y in xy.tolist()]
        new = np.array([key not in self._far for key in keys], dtype=np.bool_)
        if new.any():
            straight, none = distances(xy[new], mover.at[None])[:, 0], np.zeros(int(new.sum()))
            far = mover.lengths(Options(xy[new], straight, none, np.full(len(none), math.nan)))
            self._far.update(zip([key for key in keys if key not in self._far], far.tolist(), strict=True))
        return np.array([self._far[key] for key in keys])

    def _allows(self, mover: Mover, xy: Floats) -> Bools:
        return np.ones(len(xy), dtype=np.bool_) if self.allowed is None else self.allowed(mover, xy)

    def _own(self, mover: Mover) -> list[Seat]:
        """Return the spots that a mover may reach, whoever has which."""
        if id(mover) not in self._seats:
            far = distances(self._spots, mover.at[None])[:, 0]
            near = far <= mover.limit + TOLERANCE / 10
            found = [
                (on, (x, y))
                for on, (x, y) in zip(far[near].tolist(), self._spots[near].tolist(), strict=True)
            ]
            if mover.ideal.left[0] <= TOLERANCE and self._may_end(mover):
                x, y = mover.ideal.xy[0].tolist()
                found.append((float(mover.ideal.length[0]), (x, y)))
            self._seats[id(mover)] = sorted(found)
        return self._seats[id(mover)]

    def _may_end(self, mover: Mover) -> bool:
        """Return whether a mover may end where its way does, or stays in contact."""
        if self.stays and mover.ideal.length[0] <= 1e-9:
            return True
        return id(mover) in self._ending

    @cached_property
    def _ending(self) -> set[int]:
        """Return who may end where its way does, of those with nothing left there."""
        some = [mover for mover in self.movers if mover.ideal.left[0] <= TOLERANCE]
        if not some:
            return set()
        stands = self.footing.stands(np.concatenate([mover.ideal.xy for mover in some])).tolist()
        return {
            id(mover)
            for mover, is_good in zip(some, stands, strict=True)
            if is_good and self._allows(mover, mover.ideal.xy)[0]
        }

    @cached_property
    def _spots(self) -> Floats:
        """Return the spots that matter before anybody has taken one."""
        if not len(self._rings):
            return NONE
        rims = Edges.of(self._rings)
        movers = [mover for mover in self.movers if mover.limit > TOLERANCE]
        starts = np.array([mover.start for mover in movers])
        limits = np.array([mover.limit for mover in movers])
        straight = np.array([mover.is_straight for mover in movers], dtype=np.bool_)
        others = [
            rims,
            Edges.of_circles(starts[straight], limits[straight]),
            *(mover.circles for mover in movers if not mover.is_straight),
            *(mover.brinks(mover.ideal.xy[0]) for mover in movers if mover.is_cut_short),
        ]
        if not self._are_open.all():
            others.append(self.footing.borders)
        xy = np.concatenate([met(rims, Edges.of(self._bars).joined(*others))[0], extremes(rims, starts)])
        xy = xy[(distances(xy, starts) <= limits + TOLERANCE / 10).any(axis=1)]
        return xy[self.footing.stands(xy)]

    @property
    def _bars(self) -> Outlines:
        """Return what the bases keep out of where it comes to the rings, but for these themselves."""
        rings, shapes = self._rings, self.footing.keepout.shapes
        apart = distances(shapes.xy, rings.xy)
        same = (apart <= SAME) & (np.abs(shapes.radius[:, None] - rings.radius) <= SAME)
        near = apart <= shapes.reach[:, None] + rings.reach + CLOSE
        return shapes.take(np.asarray(near.any(axis=1) & ~same.any(axis=1)))

    @cached_property
    def _are_open(self) -> Bools:
        """Return about which of the rings only models bar spots."""
        return self.footing.are_open(self._rings.xy, self._rings.reach)

    def _next_to(self, disc: Disc) -> list[Point]:
        """Return the spots that touch a base that has its spot."""
        if disc not in self._beside:
            x, y, radius = disc
            about = x, y, radius + self.stance.radius
            in_open, others = self._discs
            found = self.footing.standing(crossings(about, in_open), is_open=True)
            self._beside[disc] = found + self.footing.standing(crossings(about, others))
        return self._beside[disc]

    @cached_property
    def _limits(self) -> Floats:
        return np.array([mover.limit for mover in self.movers]) + TOLERANCE / 10

    @cached_property
    def _rings(self) -> Outlines:
        """Return the shapes at whose rims nothing is left, those that somebody may reach."""
        rings, starts = self.goal.rings(self.stance), np.array([mover.start for mover in self.movers])
        far = (rings.distances(starts) - self._limits[:, None]).min(axis=0)
        return rings.take((far <= 0).nonzero()[0])

    @cached_property
    def _discs(self) -> tuple[list[Disc], list[Disc]]:
        """Return the round ones of the rings, in plain numbers: those in the open, and the others."""
        found: tuple[list[Disc], list[Disc]] = [], []
        rings = self._rings
        rows = zip(rings.xy.tolist(), rings.radius.tolist(), self._are_open.tolist(), strict=True)
        for row, ((x, y), reach, is_open) in enumerate(rows):
            if not rings.core or rings.core[row].is_point:
                found[not is_open].append((x, y, reach))
        return found
