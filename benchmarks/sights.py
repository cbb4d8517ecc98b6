"""How fast lines of sight and distances are answered, against rays and shapely.

Owns their figures. Whether the answers are right is the oracles' business.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
import shapely

from benchmarks.board import SIZE, board, bodies, mixed
from benchmarks.rival import Rays, rim_points
from benchmarks.timing import Figure, seconds
from geometry.measure.body import Bodies
from geometry.measure.distance import gap, unit_gaps
from geometry.sight.visibility import sight, visible

ASKED = 48
"""The number of pairs of each board that go to the loops."""
MODELS, UNITS = 100, 15


@dataclass(frozen=True, slots=True)
class LoopTimes:
    """How long rays take for a pair in seconds, and how often they miss a free line.

    The plain loop asks a union of all pieces about one ray after another. Our budgets are given in `whole`, a
    pair of it none of whose rays is free. A loop whose union shapely has prepared is quicker.
    """

    early: float
    whole: float
    prepared: float
    prepared_whole: float
    array: float
    missed: float


def sights(boards: int) -> tuple[list[Figure], LoopTimes]:
    """Return the figures of sight over this many boards, and the times of the rays."""
    ours, fully = [], []
    for seed in range(boards):
        made = board(seed)
        here, there, landscape = bodies(made.friends), bodies(made.foes), made.landscape()
        pairs = len(here) * len(there)
        ours.append(seconds(partial(visible, here, there, landscape), 3) / pairs)
        fully.append(seconds(partial(sight, here, there, landscape), 2) / pairs)
    times, pair = loop_times(boards), float(np.mean(ours))
    return [
        Figure(
            "sight_ratio",
            times.early / pair,
            "x",
            "two round bases: 16 x 16 shapely rays up to the first free, over ours (1,500 at once)",
            least=50,
        ),
        Figure(
            "sight_prepared_ratio",
            times.prepared / pair,
            "x",
            "the same pairs by a loop over pieces that shapely has prepared, over ours",
            least=50,
        ),
        Figure(
            "sight_array_ratio",
            times.array / pair,
            "x",
            "the same pairs with all 256 rays in one such call, over ours",
        ),
        Figure("sight_us", 1e6 * pair, "us", "exact sight of a pair, 1,500 in a batch"),
        Figure(
            "sight_fully_us", 1e6 * float(np.mean(fully)), "us", "with what obscures it, and fully visible"
        ),
        Figure("loop_pair_ms", 1e3 * times.whole, "ms", "one pair by 16 x 16 rays, none of them free"),
        Figure("loop_prepared_ms", 1e3 * times.prepared_whole, "ms", "the same over prepared pieces"),
        Figure("loop_mean_ms", 1e3 * times.early, "ms", "one pair by rays, ended by the first that is free"),
        Figure("loop_missed", times.missed, "", "share of visible pairs that the rays miss"),
    ], times


def loop_times(boards: int, repeats: int = 1) -> LoopTimes:
    """Return how long rays take for some pairs of this many boards.

    Each time is the least of `repeats` times.
    """
    spent: dict[str, list[float]] = {name: [] for name in ("early", "whole", "ready", "ready_whole", "array")}
    wrong = free = 0
    for seed in range(boards):
        made, chance = board(seed), np.random.default_rng(seed)
        here, there = bodies(made.friends), bodies(made.foes)
        seen, q, p = visible(here, there, made.landscape()), rim_points(here), rim_points(there)
        rays, ready = Rays(made.pieces), Rays(made.pieces, prepared=True)
        asked = zip(chance.integers(len(q), size=ASKED), chance.integers(len(p), size=ASKED), strict=True)
        for i, j in asked:
            found = rays.one_by_one(q[i], p[j])
            spent["early"].append(seconds(partial(rays.one_by_one, q[i], p[j]), repeats))
            spent["ready"].append(seconds(partial(ready.one_by_one, q[i], p[j]), repeats))
            spent["array"].append(seconds(partial(ready.at_once, q[i], p[j]), repeats))
            if not found:
                spent["whole"].append(spent["early"][-1])
                spent["ready_whole"].append(spent["ready"][-1])
            free += int(seen[i, j])
            wrong += int(seen[i, j] and not found)
    early, whole, prepared, prepared_whole, array = (float(np.mean(each)) for each in spent.values())
    return LoopTimes(early, whole, prepared, prepared_whole, array, missed=wrong / max(free, 1))


def shape_sights(boards: int) -> list[Figure]:
    """Return the figures of sight between round bases, ovals and hulls over this many boards."""
    ours, fully, early = [], [], []
    for seed in range(boards):
        made, chance = board(seed), np.random.default_rng(seed)
        here, there = mixed(chance, made.friends), mixed(chance, made.foes)
        landscape, pairs = made.landscape(), len(made.friends) * len(made.foes)
        ours.append(seconds(partial(visible, here, there, landscape), 3) / pairs)
        fully.append(seconds(partial(sight, here, there, landscape), 2) / pairs)
        rays, q, p = Rays(made.pieces), rim_points(here), rim_points(there)
        asked = zip(chance.integers(len(q), size=ASKED), chance.integers(len(p), size=ASKED), strict=True)
        early += [seconds(partial(rays.one_by_one, q[i], p[j])) for i, j in asked]
    pair = float(np.mean(ours))
    told = "as sight_ratio, between round bases, ovals and hulls by turns"
    return [
        Figure("sight_shapes_ratio", float(np.mean(early)) / pair, "x", told, least=50),
        Figure("sight_shapes_us", 1e6 * pair, "us", "exact sight of a pair of them"),
        Figure(
            "sight_shapes_fully_us", 1e6 * float(np.mean(fully)), "us", "with what obscures it, and fully"
        ),
    ]


def distances() -> list[Figure]:
    """Return the figures of distances between all models and all units."""
    chance = np.random.default_rng(0)
    a, b = (_crowd(chance) for _ in range(2))
    starts = np.sort(chance.choice(np.arange(1, MODELS), UNITS - 1, replace=False))
    starts = np.concatenate([[0], starts]).astype(np.intp)
    all_units = seconds(lambda: unit_gaps(gap(a, b), starts, starts), 200)
    unit = a.take(range(10))
    one_unit = seconds(lambda: gap(unit, b).min(axis=0), 200)
    discs = [shapely.buffer(shapely.points(c.xy), c.radius, quad_segs=16) for c in (a, b)]
    by_shapely = seconds(lambda: shapely.distance(discs[0][:, None], discs[1][None]))
    return [
        Figure("distance_units_us", 1e6 * all_units, "us", "15 x 15 units of 100 + 100 models", most=80.0),
        Figure("distance_unit_us", 1e6 * one_unit, "us", "a unit of 10 from 100 models"),
        Figure(
            "distance_ratio",
            by_shapely / all_units,
            "x",
            "100 x 100 by shapely of 64-sided bases, over ours and the least of 15 x 15 units",
        ),
    ]


def _crowd(chance: np.random.Generator) -> Bodies:
    none = np.zeros(MODELS, dtype=np.bool_)
    xy = chance.uniform(0, 1, (MODELS, 2)) * SIZE
    return Bodies(xy, np.zeros(MODELS), chance.uniform(0.4, 1.2, MODELS), np.full(MODELS, 2.5), none, none)
