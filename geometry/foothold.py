"""Where bases that move toward others may stand near enough to them, whatever leads there.

Owns the bound that ends a search before it begins: of all places near enough on which a base may stand, the
nearest to it is where two edges cross or where one of them comes nearest to it. Whether a way leads there is
`geometry.mover`'s.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from geometry.base import TOLERANCE, Bools, Floats
from geometry.goal import ToBases
from geometry.mover import Mover
from geometry.spot import NONE, Edges, crossings, distances, extremes, touching


def has_foothold(movers: Sequence[Mover], goal: ToBases) -> bool:
    """Return whether any mover may end near enough to the goal's bases; who has turned may also not have."""
    every = [*movers, *(mover.turn.before for mover in movers if mover.turn)]
    if any(_starts_near(mover, goal) or _leads_near(mover, goal) for mover in every):
        return True
    alike: dict[int, list[Mover]] = {}
    for mover in every:
        alike.setdefault(id(mover.footing), []).append(mover)
    return any(bool(_within(some, footholds(some, goal)).any()) for some in alike.values())


def _starts_near(mover: Mover, goal: ToBases) -> bool:
    return mover.turn is None and bool(goal.near(mover.stance).nearest(mover.at[None])[0][0] <= TOLERANCE)


def _leads_near(mover: Mover, goal: ToBases) -> bool:
    """Return whether the spot that leaves a mover least to go is near enough, and one to stand on."""
    xy = mover.ideal.xy
    return bool(goal.near(mover.stance).nearest(xy)[0][0] <= 0 and mover.footing.stands(xy)[0])


def _within(movers: Sequence[Mover], xy: Floats) -> Bools:
    """Return which movers (n) would get to which spots (m), were nothing in the way."""
    limit = np.array([mover.limit for mover in movers]) + TOLERANCE / 10
    return np.asarray(distances(np.array([mover.at for mover in movers]), xy) <= limit[:, None])


def footholds(movers: Sequence[Mover], goal: ToBases, bounds: Edges | None = None) -> Floats:
    """Return spots near enough to the goal on which bases of one stance may stand, and somebody would get to.

    With each mover's nearest of all such places, and the one nearest to what it makes for; with `bounds` as
    far as these edges let it go.
    """
    footing, stance = movers[0].footing, movers[0].stance
    at = np.array([mover.at for mover in movers])
    rings = goal.near(stance)
    limit = np.array([mover.limit for mover in movers]) + TOLERANCE
    some = np.flatnonzero((rings.distances(at) <= limit[:, None]).any(axis=0))
    if not len(some):
        return NONE
    # What just touches may be near enough only for its rounding.
    shapes = rings.shapes.take(some).grown(TOLERANCE / 2)
    edges = Edges.of(shapes).joined(touching(footing.edges, shapes))
    edges = edges if bounds is None else edges.joined(bounds)
    points = np.concatenate([at, goal.nearest(at, stance)])
    xy = np.concatenate([crossings(edges), extremes(edges, points)])
    xy = xy[_within(movers, xy).any(axis=0)]
    xy = xy[rings.nearest(xy)[0] <= TOLERANCE]
    return np.asarray(xy[footing.stands(xy)])
