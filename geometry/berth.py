"""The best spot for one base among friends that have theirs.

Owns the choice among a mover's critical spots: which are legal and near enough to friends, and which leaves
it the least to go. The order of the friends is `geometry.formation`'s.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from geometry.base import TOLERANCE, Bools, Discs, Floats
from geometry.footing import CLOSE
from geometry.mover import Mover, Options
from geometry.path import Path
from geometry.spot import Edges, crossings, distances, extremes

KEEPOUTS, FRIENDS, CHUNK = 20, 12, 48
DETOURS = 2
Allowed = Callable[[Mover, Floats], Bools]


@dataclass(frozen=True, slots=True)
class Berth:
    """A spot taken by a mover: where, how far it goes there, what is left, and its way if already known."""

    option: Options
    path: Path | None = None

    @property
    def xy(self) -> Floats:
        """Return the spot."""
        return np.asarray(self.option.xy[0])

    @property
    def left(self) -> float:
        """Return how far is left to the goal."""
        return float(self.option.left[0])


@dataclass(frozen=True, slots=True)
class Company:
    """The friends that already have their spots, and how many of them must be how near."""

    friends: Discs
    need: int
    reach: float

    def suits(self, xy: Floats, radius: float) -> Bools:
        """Return which spots overlap no friend and have neighbours enough."""
        if not len(self.friends):
            return np.full(len(xy), self.need <= 0)
        apart = distances(xy, self.friends.xy)
        touch = self.friends.radius + radius
        good = (apart >= touch - CLOSE).all(axis=1)
        if self.need > 0:
            good &= (apart <= touch + self.reach + CLOSE).sum(axis=1) >= self.need
        return np.asarray(good)

    def edges(self, radius: float, focus: Floats) -> Edges:
        """Return the circles of touching friends and of being near enough to them, those near a point."""
        touch = self.friends.radius + radius
        found = Edges.of_circles(self.friends.xy, touch).near(focus, np.inf, FRIENDS)
        if self.need <= 0:
            return found
        return found.joined(
            Edges.of_circles(self.friends.xy, touch + self.reach).near(focus, np.inf, FRIENDS)
        )


def berth(
    mover: Mover,
    company: Company,
    allowed: Allowed | None = None,
    stays: bool = True,
    snug: bool = False,
    accept: Callable[[Floats], bool] | None = None,
) -> Berth | None:
    """Return the spot that leaves a mover least to go, of several the one with the shortest way.

    `allowed` bars spots, `accept` a chosen one; without `stays` it may not stay where it may not stand. A
    `snug` mover prefers spots beside its friends to short ways.
    """
    ideal = mover.ideal()
    if (
        not snug
        and _legal(mover, ideal, company, allowed, stays)[0]
        and (accept is None or accept(ideal.xy[0]))
    ):
        return Berth(ideal)
    options = _options(mover, company, ideal.xy[0])
    options = options.take(options.length <= mover.limit + TOLERANCE / 10)
    options = options.take(_legal(mover, options, company, allowed, stays))
    if not len(options.left):
        return None
    aside = _aside(options.xy, company.friends) if snug else options.length
    order = np.lexsort((options.along, np.round(aside, 6), np.round(options.left, 6)))
    return _first(mover, options.take(order), accept, snug)


def _aside(xy: Floats, friends: Discs) -> Floats:
    if not len(friends):
        return np.zeros(len(xy))
    return np.asarray((distances(xy, friends.xy) - friends.radius).min(axis=1))


def _legal(mover: Mover, options: Options, company: Company, allowed: Allowed | None, stays: bool) -> Bools:
    good = company.suits(options.xy, mover.radius)
    still = distances(options.xy, mover.at[None])[:, 0] <= 1e-9
    rows = np.flatnonzero(good)
    good[rows] = mover.footing.stands(options.xy[rows])
    if allowed is not None:
        good &= allowed(mover, options.xy)
    if stays and still.any():
        good[still] = company.suits(options.xy[still], mover.radius)
    return np.asarray(good)


def _options(mover: Mover, company: Company, ideal: Floats) -> Options:
    """Return the critical spots near the ideal one, and those along the way to it."""
    focuses = [ideal]
    if company.need > 0 and len(company.friends):
        focuses.append(_nearest_company(mover, company, ideal))
    rings = mover.goal.rings(mover.radius)
    every = mover.footing.edges.joined(Edges.of_circles(rings.xy, rings.radius))
    found = [mover.at[None]]
    for focus in focuses:
        edges = every.near(focus, mover.limit + 4.0, KEEPOUTS).joined(mover.circles())
        edges = edges.joined(company.edges(mover.radius, focus))
        points = np.vstack([mover.goal.aims(focus, mover.radius), ideal, mover.at])
        found += [crossings(edges), extremes(edges, points)]
    way = edges_of_way(mover, company, ideal)
    return mover.along(way).joined(mover.guessed(np.vstack(found)))


def edges_of_way(mover: Mover, company: Company, ideal: Floats) -> Floats:
    """Return the lengths along the trail at which something about it changes."""
    edges = mover.footing.edges.near(ideal, mover.limit + 4.0, KEEPOUTS)
    cuts = mover.trail.cuts(edges.joined(company.edges(mover.radius, ideal)))
    return np.concatenate([cuts[cuts < mover.far], [mover.far]])


def _nearest_company(mover: Mover, company: Company, ideal: Floats) -> Floats:
    """Return the point nearest to the ideal spot that is near enough to a friend."""
    off = ideal - company.friends.xy
    apart = np.maximum(np.hypot(*off.T), 1e-9)
    reach = company.friends.radius + mover.radius + company.reach
    best = int((apart - reach).argmin())
    return np.asarray(company.friends.xy[best] + off[best] / apart[best] * min(reach[best], apart[best]))


def _first(
    mover: Mover, options: Options, accept: Callable[[Floats], bool] | None, snug: bool
) -> Berth | None:
    """Return the best of options in order of their bounds."""
    best: Berth | None = None
    shut: list[Floats] = []
    for first in range(0, len(options.left), CHUNK):
        some = options.take(np.arange(first, min(first + CHUNK, len(options.left))))
        if best is not None and some.left[0] >= best.left - TOLERANCE:
            break
        true = mover.measured(some)
        shut += [xy for xy, far in zip(true.xy, true.length, strict=True) if np.isinf(far)][:DETOURS]
        true = true.take((true.length <= mover.limit + TOLERANCE / 10) & np.isfinite(true.left))
        length = np.arange(len(true.left)) if snug else np.round(true.length, 6)
        for row in np.lexsort((length, np.round(true.left, 6))):
            option = true.take(np.array([row]))
            if best is not None and option.left[0] >= best.left - TOLERANCE:
                break
            if accept is None or accept(option.xy[0]):
                best = Berth(option)
                break
    return _detour(mover, shut[:DETOURS], best, accept)


def _detour(
    mover: Mover, shut: list[Floats], best: Berth | None, accept: Callable[[Floats], bool] | None
) -> Berth | None:
    """Return the best berth when spots that lie round a corner are asked for their true ways."""
    for spot in shut:
        option = mover.guessed(spot[None])
        if best is not None and option.left[0] >= best.left - 0.05:
            continue
        path = mover.true_way(spot)
        if path is None or (accept is not None and not accept(spot)):
            continue
        left = mover.measured(option).left
        if np.isfinite(left[0]) and (best is None or left[0] < best.left):
            option = Options(option.xy, np.array([path.length]), left, option.along)
            best = Berth(option, path)
    return best
