"""Ranks of touching bases along rings: the first on the rings' outer edge, each next one behind it.

Owns where the bases of such ranks are. Who takes which place is not its business.
"""

from __future__ import annotations

import numpy as np

from geometry.base import Bools, Floats
from geometry.outline import Outlines
from geometry.spot import distances, meeting

RANKS = 4
HAIR = 1e-7


def ranks(at: Floats, rings: Outlines, wide: float, near: Floats, within: Floats) -> Floats:
    """Return the middles of bases so wide that stand in ranks along rings, on both sides of a place on one.

    A rank ends where none of the points `near` (n, 2) is within its distance (n,) any more.
    """
    first = np.concatenate(
        [_side(at, rings, wide, near, within, k)[::order] for k, order in ((0, -1), (1, 1))]
    )
    found = first
    rank = first
    for _ in range(RANKS - 1):
        rank = _behind(rank, found, rings, wide, at)
        if not len(rank):
            break
        found = np.concatenate([found, rank])
    return found


def _side(at: Floats, rings: Outlines, wide: float, near: Floats, within: Floats, side: int) -> Floats:
    """Return the places of a rank on one side of a place; that itself is counted to the second side."""
    chain = [at]
    for _ in range(len(near)):
        here = chain[-1]
        spots = _meeting(here, rings, wide)
        spots = spots[_is_free(spots, rings, np.array(chain), wide)]
        if len(chain) == 1:
            spots = spots[_is_left(spots, at, rings) == (side == 0)]
        if not len(spots):
            break
        before = chain[-2] if len(chain) > 1 else at
        best = spots[int(distances(spots, before[None])[:, 0].round(6).argmin())]
        if (distances(near, best[None])[:, 0] > within).all():
            break
        chain.append(best)
    return np.array(chain[1:] if side == 0 else chain).reshape(-1, 2)


def _meeting(here: Floats, rings: Outlines, wide: float) -> Floats:
    """Return the places on the rings that are so far from a place."""
    count = len(rings)
    centre = np.repeat(here[None], count, axis=0)
    return meeting(centre, np.full(count, wide), rings.xy, rings.radius).reshape(-1, 2)


def _is_left(spots: Floats, at: Floats, rings: Outlines) -> Bools:
    """Return which spots lie on the left, seen from a place away from the nearest ring's middle."""
    out = at - rings.xy[int(np.abs(distances(at[None], rings.xy)[0] - rings.radius).argmin())]
    off = spots - at
    return np.asarray(out[0] * off[:, 1] - out[1] * off[:, 0] > 0)


def _is_free(spots: Floats, rings: Outlines, taken: Floats, wide: float) -> Bools:
    """Return which spots lie in no ring and far enough from those that are taken."""
    free = (distances(spots, rings.xy) >= rings.radius - HAIR).all(axis=1)
    return np.asarray(free & (distances(spots, taken) >= wide - HAIR).all(axis=1))


def _behind(rank: Floats, found: Floats, rings: Outlines, wide: float, at: Floats) -> Floats:
    """Return the places that touch two neighbours of a rank, those next to a place before others."""
    if len(rank) < 2:
        return np.empty((0, 2))
    count = len(rank) - 1
    spots = meeting(rank[:-1], np.full(count, wide), rank[1:], np.full(count, wide)).reshape(-1, 2)
    spots = spots[_is_free(spots, rings, found, wide)]
    open_ = distances(spots, spots) >= wide - HAIR
    kept = np.zeros(len(spots), dtype=np.bool_)
    for row in np.argsort(distances(spots, at[None])[:, 0].round(6), kind="stable").tolist():
        kept[row] = open_[row, kept].all()
    return np.asarray(spots[kept])
