"""Where bases that move toward others may stand near enough to them, whatever leads there.

Owns the bound that ends a search before it begins: of all places near enough on which a base may stand, the
nearest to it is where two edges cross or where one of them comes nearest to it. Whether a way leads there is
`geometry.single.model_move`'s.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from geometry.shape.arrangement import NONE, Edges, crossings, distances, extremes, touching
from geometry.shape.base import TOLERANCE, Floats
from geometry.shape.cached import cached_property
from geometry.single.goal import ToBases
from geometry.single.model_move import Mover


class Footholds:
    """The places near enough to some goals, one of each group of targets, on which movers may stand."""

    def __init__(self, movers: Sequence[Mover], goals: Sequence[ToBases]) -> None:
        """Take the movers and what each group of targets asks of them."""
        self.movers, self.goals = movers, goals
        self._known: dict[tuple[int, ...], Floats] = {}

    @cached_property
    def exist(self) -> bool:
        """Return whether any mover may end near enough to each goal; who has turned may also not have."""
        return all(self._exist(goal) for goal in self.goals)

    def _exist(self, goal: ToBases) -> bool:
        every = [*self.movers, *(mover.turn.before for mover in self.movers if mover.turn)]
        if any(_starts_near(mover, goal) or _leads_near(mover, goal) for mover in every):
            return True
        alike: dict[int, list[Mover]] = {}
        for mover in every:
            alike.setdefault(id(mover.footing), []).append(mover)
        return any(len(self._laid(some, goal)) for some in alike.values())

    def of(self, mover: Mover) -> Floats:
        """Return those of one mover that it may make for, with where what it may go lets it come to rest."""
        return self._laid([mover], mover.goal) if isinstance(mover.goal, ToBases) else NONE

    def _laid(self, movers: Sequence[Mover], goal: ToBases) -> Floats:
        key = id(goal), *map(id, movers)
        if key not in self._known:
            edges, points = _edges(movers, goal), _points(movers, goal)
            if len(self.movers) == 1:
                edges = edges.joined(_bounds(movers[0]))
            self._known[key] = _standing(
                movers, goal, np.concatenate([crossings(edges), extremes(edges, points)])
            )
        return self._known[key]


def _starts_near(mover: Mover, goal: ToBases) -> bool:
    return mover.turn is None and bool(goal.near(mover.stance).nearest(mover.at[None])[0][0] <= TOLERANCE)


def _leads_near(mover: Mover, goal: ToBases) -> bool:
    """Return whether the spot that leaves a mover least to go is near enough, and one to stand on."""
    xy = mover.ideal.xy
    return bool(goal.near(mover.stance).nearest(xy)[0][0] <= 0 and mover.footing.stands(xy)[0])


def _edges(movers: Sequence[Mover], goal: ToBases) -> Edges:
    """Return the edges at which bases of one stance come to rest near enough, if somebody gets so far."""
    rings, limit = goal.near(movers[0].stance), _limits(movers)
    at = np.array([mover.at for mover in movers])
    some = np.asarray((rings.distances(at) <= limit[:, None]).any(axis=0))
    # What just touches may be near enough only for its rounding.
    shapes = rings.shapes.take(some).grown(TOLERANCE / 2)
    edges = Edges.of(shapes).joined(touching(movers[0].footing.edges, shapes))
    middle, round_ = edges.circles
    near = np.asarray((distances(middle, at) - round_[:, None] <= limit).any(axis=1))
    arcs = len(edges.reach)
    return edges.take(near[:arcs], near[arcs:])


def _bounds(mover: Mover) -> Edges:
    """Return how far a mover may go, and what is at the end of its way."""
    found = mover.circles.joined(mover.goal_edges)
    return found.joined(mover.brinks(mover.ideal.xy[0])) if mover.is_cut_short else found


def _points(movers: Sequence[Mover], goal: ToBases) -> Floats:
    """Return where movers stand, and what they make for."""
    at = np.array([mover.at for mover in movers])
    return np.concatenate([at, goal.nearest(at, movers[0].stance)])


def _standing(movers: Sequence[Mover], goal: ToBases, xy: Floats) -> Floats:
    """Return the spots near enough on which a base may stand, and that some mover would get to."""
    at = np.array([mover.at for mover in movers])
    xy = xy[(distances(xy, at) <= _limits(movers)).any(axis=1)]
    # Most are told apart by where a base may stand, which costs less than how far each is off.
    xy = xy[movers[0].footing.stands(xy)]
    return np.asarray(xy[goal.near(movers[0].stance).nearest(xy)[0] <= TOLERANCE])


def _limits(movers: Sequence[Mover]) -> Floats:
    return np.array([mover.limit for mover in movers]) + TOLERANCE / 10


def has_foothold(movers: Sequence[Mover], goal: ToBases) -> bool:
    """Return whether any mover may end near enough to the goal's bases; who has turned may also not have."""
    return Footholds(movers, [goal]).exist


def footholds(movers: Sequence[Mover], goal: ToBases) -> Floats:
    """Return spots near enough to the goal on which bases of one stance may stand, and somebody would get to.

    With each mover's nearest of all such places, and the one nearest to what it makes for.
    """
    return Footholds(movers, [goal])._laid(movers, goal)
