"""Spots laid out for a whole unit about the end of its foremost model's way.

Owns where they are: lattices of touching bases, the unit shifted as it stands, ranks along the rings about
the goal; and which models may take which. Who takes which is `geometry.group.assignment`'s.

Ranks of touching bases along rings: the first on the rings' outer edge, each next one behind it.

Owns where the bases of such ranks are. Who takes which place is not its business.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import msgspec
import numpy as np
from numpy.typing import NDArray

from geometry.group.assignment import END, LATTICE, RINGS, SHIFTED, START, WIDER
from geometry.group.by_size import Sized
from geometry.group.led_unit import BESIDE, LedUnit
from geometry.shape.arrangement import distances
from geometry.shape.base import Bools, Floats, Ints
from geometry.shape.convex_shape import Outlines
from geometry.single.goal import ToBases

RANKS = 2
"""The lattice reaches so many ranks beyond the fewest that hold the models."""
KEPT = 40
"""So many of the best spots of each model are kept."""
SHARES = (1.0, 0.5)
"""The unit is laid out as it stands, moved by such shares of the leader's step."""
HAIR = 1e-9
"""Nobody goes where it is not so much nearer than it stands."""
ROOM = 2e-7
"""So far apart spots are laid that touch, as ends are rounded."""


class Pool(msgspec.Struct, frozen=True):
    """Spots (m, 2) for a unit, the best first, who may take which (n, m), and their kinds (m,).

    What they leave to go is told for bases of each size (k, m). To those that are `free` for a model it is
    known to go straight.
    """

    xy: Floats
    left: Floats
    may: Bools
    kind: Ints
    free: Bools


class Layout:
    """The spots for the models of a unit."""

    def __init__(self, unit: LedUnit) -> None:
        """Take the unit."""
        self.unit = unit

    def pool(self) -> Pool:
        """Return spots that somebody may reach; where the models stand comes last."""
        unit = self.unit
        xy, left, kind = self._laid_out()
        far = distances(unit.start, xy)
        bar = unit.bar[:, None] - HAIR
        may = (far <= unit.limit[:, None]) & (left[unit.of] < bar)
        rows = np.flatnonzero(may.any(axis=0))
        may[:, rows] &= unit.stands(xy[rows])[unit.of]
        if unit.gauge is not None:
            rows = rows[may[:, rows].any(axis=0)]
            left[:, rows] = unit.left(xy[rows])
            may &= left[unit.of] < bar
        rows = rows[may[:, rows].any(axis=0)]
        # Where ways may bend most good spots can be reached: they are asked about once they are chosen.
        free = np.zeros((len(may), len(rows)), dtype=np.bool_)
        if not unit.may_bend:
            free = unit.free(xy[rows])
            may[:, rows] &= free
            some = may[:, rows].any(axis=0)
            rows, free = rows[some], free[:, some]
            free &= np.array([sized.lanes.is_whole for sized in unit.sizes])[unit.of, None]
        # Of spots that leave as much, those that fewest can reach come first: the foremost choose first, and
        # can reach most. Then the models' places tell which is first, wherever the board lies.
        few = may[:, rows].sum(axis=0)
        order = np.lexsort(((unit.weight @ far[:, rows]).round(6), few, left[0, rows].round(6)))
        rows, free = rows[order], free[:, order]
        may = may[:, rows]
        kept = np.flatnonzero((may & (may.cumsum(axis=1) <= KEPT)).any(axis=0))
        rows = rows[kept]
        starts = len(unit.start)
        return Pool(
            np.concatenate([xy[rows], unit.start]),
            np.concatenate([left[:, rows], np.tile(unit.own_left, (len(left), 1))], axis=1),
            np.concatenate([may[:, kept], np.diag(unit.may_stay)], axis=1),
            np.append(kind[rows], np.full(starts, START)),
            np.concatenate([free[:, kept], np.eye(starts, dtype=np.bool_)], axis=1),
        )

    def _laid_out(self) -> tuple[Floats, Floats, Ints]:
        """Return spots for the unit, legal or not, what they leave at least, and of what kind they are."""
        unit = self.unit
        end = unit.end
        shifted = np.concatenate([unit.start + share * unit.steps for share in SHARES])
        lattices = self.lattices(end, shifted)
        found = [
            (LATTICE, lattices[0]),
            *((WIDER, xy) for xy in lattices[1:]),
            (SHIFTED, shifted),
            (END, end[None]),
        ]
        if isinstance(unit.goal, ToBases):
            found += [(RINGS, self._ringed(own)) for own in range(len(unit.sizes))]
        every = np.concatenate([xy for _, xy in found])
        left = (
            unit.left(every) if unit.gauge is None else unit.by_size(unit.gauge.joining.bounds(every), every)
        )
        kind = np.repeat([kind for kind, _ in found], [len(xy) for _, xy in found])
        return np.round(every, 7), left, kind

    def _ahead(self) -> float:
        """Return the direction in which the leader's way ends, as an angle."""
        unit = self.unit
        points = unit.advance[0].points
        if len(points) < 2:
            points = unit.trail.path.points
        (x, y), (to_x, to_y) = points[-2:] if len(points) > 1 else (points[0], points[0])
        return math.atan2(to_y - y, to_x - x)

    def lattices(self, end: Floats, about: Floats) -> list[Floats]:
        """Return for each size the spots of bases that touch, about the leader's end and these places."""
        unit = self.unit
        return [self._lattice(end, about, sized) for sized in unit.sizes]

    def _lattice(self, end: Floats, about: Floats, sized: Sized) -> Floats:
        near = math.ceil(math.sqrt(len(sized.rows) / 3)) + RANKS
        wide = 2 * sized.stance.radius + ROOM
        ranks = max(near, math.ceil(float(np.hypot(*(about - end).T).max()) / wide) + 1)
        cells, inner = _cells(ranks, near)
        angle = self._ahead()
        c, s = wide * math.cos(angle), wide * math.sin(angle)
        xy = end + cells @ np.array([[c, s], [-s, c]])
        beside = (distances(xy[inner:], about) <= BESIDE * wide).any(axis=1)
        return np.concatenate([xy[:inner], xy[inner:][beside]])

    def _ringed(self, own: int) -> Floats:
        """Return touching spots of a size in ranks along the goal's rings, if the leader gets there."""
        unit = self.unit
        stance = unit.sizes[own].stance
        rings = unit.goal.rings(stance)
        if unit.trail.length > unit.limit[unit.row] + BESIDE or rings.core:
            return np.empty((0, 2))
        within = distances(unit.start, rings.xy) - rings.radius <= unit.limit[:, None] + BESIDE
        some = rings.take(within.any(axis=0) & (rings.radius > stance.radius))
        if not len(some):
            return np.empty((0, 2))
        at = np.array(unit.trail.path.end)
        if stance != unit.stance:
            # Bases of another size touch the goal's nearest base a little nearer or farther out.
            off = at - some.xy
            far = np.hypot(*off.T)
            row = int(np.abs(far - some.radius).round(6).argmin())
            at = some.xy[row] + off[row] * (some.radius[row] / far[row])
        return ranks(at, some, 2 * stance.radius + ROOM, unit.start, unit.limit)


@lru_cache(maxsize=64)
def _cells(ranks: int, near: int) -> tuple[Floats, int]:
    """Return the middles of hexagons an inch wide, the nearest ranks first, and how many these are."""
    i, j = (part.ravel() for part in np.mgrid[-ranks : ranks + 1, -ranks : ranks + 1])
    inner = (np.maximum(np.abs(i), np.abs(j)) <= near) & (np.abs(i + j) <= near)
    xy = np.stack([i + j / 2, j * math.sqrt(0.75)], axis=1)
    return np.concatenate([xy[inner], xy[~inner]]), int(inner.sum())


RANKS_BEHIND = 4
SPOT_ROUNDING = 1e-7
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
    for _ in range(RANKS_BEHIND - 1):
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
    if apart > wide + reach or apart < abs(wide - reach) or apart < SPOT_ROUNDING:
        return ()
    along = (apart * apart + wide * wide - reach * reach) / (2 * apart)
    aside = math.sqrt(max(wide * wide - along * along, 0.0))
    way = off / apart
    return here + way * complex(along, aside), here + way * complex(along, -aside)


def _is_free(spot: Spot, rings: Sequence[Ring], taken: Sequence[Spot], wide: float) -> bool:
    """Return whether a spot lies in no ring and far enough from those that are taken."""
    least = wide - SPOT_ROUNDING
    # A plain loop: no other line of a move is run as often.
    for other in taken:
        if abs(spot - other) < least:
            return False
    return all(abs(spot - centre) >= reach - SPOT_ROUNDING for centre, reach in rings)


def _behind(rank: Spots, wide: float) -> Spots:
    """Return the places that touch two neighbours of a rank on the side away from the rings.

    From left to right the rings are on the right. What does not fit there is in nobody's choice.
    """
    off = np.diff(rank)
    apart = np.abs(off)
    some = (apart <= 2 * wide) & (apart >= SPOT_ROUNDING)
    off, apart = off[some], apart[some]
    return np.asarray(rank[:-1][some] + off * (0.5 + 1j * np.sqrt((wide / apart) ** 2 - 0.25)))
