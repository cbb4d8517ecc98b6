"""Which units an army is made of: of all that are legal, those that are worth most together.

Owns the search, exact for the sum of their worths. What a unit is worth is `worth`'s, leaders and passengers
are `order_of_battle`'s.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement

import numpy as np

from ai.muster.pick import Pick
from geometry.portable import sum_of

STEP = 5
"""Costs are whole multiples of this number of points, or are rounded up to one."""
LINE = 2
"""The least number of BATTLELINE units of an army whose faction has them."""
ALIKE = 0.5
"""The part of its worth that an army of one datasheet loses: a mix meets more enemies."""
APIECE = 3.0
"""The worth of one unit more, whatever it is: each holds a place by itself."""
LEAST_GAIN = 1e-9
"""Bundles are equal whose worth differs by no more: the order of their sums must not tell."""


def select(picks: Sequence[Sequence[Pick]], most: Mapping[str, int], points: int, least: int) -> list[Pick]:
    """Return the units worth most for these points, with a CHARACTER and two BATTLELINE.

    `picks` are the choices of each datasheet, `most` is how many units of it there may be, by its id. An army
    of fewer points than `least`, or with fewer BATTLELINE units, is returned only where there is no other.
    """
    width = points // STEP + 1
    line = LINE if any(pick.sheet.has("BATTLELINE") for group in picks for pick in group) else 0
    best = np.full((line + 1, 2, width), -np.inf)
    best[0, 0, 0] = 0.0
    trail: list[tuple[list[tuple[Pick, ...]], np.ndarray]] = []
    for group in picks:
        bundles = list(_bundles(group, most[group[0].sheet.id], points))
        best, taken = _with(best, [(bundle, bundle_worth(bundle, points)) for bundle in bundles])
        trail.append((bundles, taken))
    for lines in range(line, -1, -1):
        done = best[lines, 1]
        able = [cost for cost in range(width) if done[cost] > -np.inf]
        if able:
            enough = [cost for cost in able if cost * STEP >= least] or able[-1:]
            return _traced(trail, (lines, 1, max(enough, key=lambda cost: done[cost])))
    return []


def _bundles(group: Sequence[Pick], most: int, points: int) -> list[tuple[Pick, ...]]:
    """Return every choice of units of one datasheet, the first of none."""
    found: list[tuple[Pick, ...]] = [()]
    for count in range(1, most + 1):
        found += [b for b in combinations_with_replacement(group, count) if sum(p.cost for p in b) <= points]
    return found


def _shift(bundle: tuple[Pick, ...]) -> tuple[int, int, int]:
    """Return a bundle's BATTLELINE units, whether it has a CHARACTER, its steps of points."""
    line = sum(pick.sheet.has("BATTLELINE") for pick in bundle)
    steps = sum(-(-pick.cost // STEP) for pick in bundle)
    return line, int(any(pick.sheet.has("CHARACTER") for pick in bundle)), steps


def bundle_worth(bundle: Sequence[Pick], points: int) -> float:
    """Return what units of one datasheet are worth together in an army of these points."""
    share = sum(pick.cost for pick in bundle) / points
    return sum_of(pick.value + APIECE for pick in bundle) * (1 - ALIKE * share)


def _with(
    best: np.ndarray, bundles: Sequence[tuple[tuple[Pick, ...], float]]
) -> tuple[np.ndarray, np.ndarray]:
    """Return what is best with one datasheet more, and by which of its bundles, and from where."""
    lines, _, width = best.shape
    after = np.full_like(best, -np.inf)
    taken = np.zeros((*best.shape, 3), dtype=np.int32)
    for number, (bundle, worth) in enumerate(bundles):
        line, character, steps = _shift(bundle)
        for has_line in range(lines):
            for has_character in range(2):
                to = min(has_line + line, lines - 1), max(has_character, character)
                came = best[has_line, has_character, : width - steps] + worth
                better = came > after[to][steps:] + LEAST_GAIN
                after[to][steps:][better] = came[better]
                taken[to][steps:][better] = (number, has_line, has_character)
    return after, taken


def _traced(
    trail: Sequence[tuple[list[tuple[Pick, ...]], np.ndarray]], end: tuple[int, int, int]
) -> list[Pick]:
    """Return the units that led to an end, in the order of their datasheets."""
    found: list[Pick] = []
    line, character, cost = end
    for bundles, taken in reversed(trail):
        number, line, character = taken[line, character, cost].tolist()
        found = [*bundles[number], *found]
        cost -= _shift(bundles[number])[2]
    return found
