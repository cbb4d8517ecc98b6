"""Ranks of touching bases along rings: the first on the rings' outer edge, each next one behind it.

Owns where the bases of such ranks are. Who takes which place is not its business.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from geometry.base import Floats
from geometry.outline import Outlines

RANKS = 4
HAIR = 1e-7
Spot = complex
"""A place, x + y * 1j: few places are worked on one by one quicker so than in arrays."""
Spots = NDArray[np.complex128]
Ring = tuple[Spot, float]


def ranks(at: Floats, rings: Outlines, wide: float, near: Floats, within: Floats) -> Floats:
    """Return the middles of bases so wide that stand in ranks along rings, on both sides of a place on one.

    A rank ends where none of the points `near` (n, 2) is within its distance (n,) any more.
    """
    all_ = list(zip(_spots(rings.xy), rings.radius.tolist(), strict=True))
    models = list(zip(_spots(near), within.tolist(), strict=True))
    place = complex(at[0], at[1])
    left, right = (_side(place, all_, wide, models, side) for side in (1, -1))
    rank = np.array([*left[::-1], place, *right])
    found = [rank]
    for _ in range(RANKS - 1):
        rank = _behind(rank, wide)
        found.append(rank)
    every = np.concatenate(found)
    return np.stack([every.real, every.imag], axis=1)


def _spots(xy: Floats) -> list[Spot]:
    return [complex(x, y) for x, y in xy.tolist()]


def _side(at: Spot, rings: Sequence[Ring], wide: float, near: Sequence[Ring], side: int) -> list[Spot]:
    """Return the places of a rank beside a place on one of the rings, on its left (1) or right (-1)."""
    ring = min(rings, key=lambda ring: abs(abs(at - ring[0]) - ring[1]))
    beside: dict[Ring, list[Ring]] = {}
    chain, here, before = [at], at, at
    for _ in range(len(near)):
        if ring not in beside:
            reach = ring[1] + wide
            beside[ring] = [each for each in rings if abs(each[0] - ring[0]) < each[1] + reach]
        about = beside[ring]
        spots = [(spot, each) for each in about for spot in meeting((here, wide), each)]
        if here is at:
            spots = [each for each in spots if side * _cross(at - ring[0], each[0] - at) > 0]
        if len(spots) > 1:
            spots.sort(key=lambda each: round(abs(each[0] - before), 6))
        best = next((each for each in spots if _is_free(each[0], about, chain, wide)), None)
        if best is None or not _is_near(best[0], near):
            break
        before, (here, ring) = here, best
        chain.append(here)
    return chain[1:]


def _is_near(spot: Spot, models: Sequence[Ring]) -> bool:
    """Return whether a spot is within a model's distance of it."""
    return any(abs(spot - model) <= far for model, far in models)


def _cross(a: Spot, b: Spot) -> float:
    return a.real * b.imag - a.imag * b.real


def meeting(a: Ring, b: Ring) -> tuple[Spot, ...]:
    """Return the two places where circles meet; none where they do not."""
    (here, wide), (there, reach) = a, b
    off = there - here
    apart = abs(off)
    if apart > wide + reach or apart < abs(wide - reach) or apart < HAIR:
        return ()
    along = (apart * apart + wide * wide - reach * reach) / (2 * apart)
    aside = math.sqrt(max(wide * wide - along * along, 0.0))
    way = off / apart
    return here + way * complex(along, aside), here + way * complex(along, -aside)


def _is_free(spot: Spot, rings: Sequence[Ring], taken: Sequence[Spot], wide: float) -> bool:
    """Return whether a spot lies in no ring and far enough from those that are taken."""
    least = wide - HAIR
    # A plain loop: no other line of a move is run as often.
    for other in taken:
        if abs(spot - other) < least:
            return False
    return all(abs(spot - centre) >= reach - HAIR for centre, reach in rings)


def _behind(rank: Spots, wide: float) -> Spots:
    """Return the places that touch two neighbours of a rank on the side away from the rings.

    From left to right the rings are on the right. What does not fit there is in nobody's choice.
    """
    off = np.diff(rank)
    apart = np.abs(off)
    some = (apart <= 2 * wide) & (apart >= HAIR)
    off, apart = off[some], apart[some]
    return np.asarray(rank[:-1][some] + off * (0.5 + 1j * np.sqrt((wide / apart) ** 2 - 0.25)))
