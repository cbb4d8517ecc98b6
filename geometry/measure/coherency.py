"""Whether a unit's models stand together, and which of them a clean-up keeps.

Owns the graph of neighbours within a spacing. It moves nothing and removes nothing itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

import msgspec
import numpy as np

from geometry.measure.distance import gaps, within
from geometry.shape.base import Bools, Floats
from geometry.shape.convex_shape import Outlines


class Spacing(msgspec.Struct, frozen=True):
    """How near models must stand: `reach` along the table, `vertical` in height.

    A unit of `two_from` models or more needs two neighbours for each model, a smaller one only one.
    """

    reach: float = 2.0
    vertical: float = 5.0
    two_from: int = 7

    def neighbours_needed(self, models: int) -> int:
        """Return how many neighbours each model of a unit of this size needs."""
        if models <= 1:
            return 0
        return 2 if models >= self.two_from else 1


def neighbours(bases: Outlines, z: Floats, spacing: Spacing) -> Bools:
    """Return which models (n, n) are neighbours of one another; none is its own neighbour."""
    near = within(gaps(bases, bases), spacing.reach)
    near &= within(np.abs(z[:, None] - z[None, :]), spacing.vertical)
    np.fill_diagonal(near, False)
    return near


@overload
def is_coherent(bases: Outlines, z: Floats, spacing: Spacing, /) -> bool: ...
@overload
def is_coherent(xy: Floats, z: Floats, radius: Floats, spacing: Spacing, /) -> bool: ...
def is_coherent(*given: Any) -> bool:
    """Return whether the models form one group with neighbours enough."""
    bases, z, spacing = given if len(given) == 3 else (Outlines(given[0], given[2]), given[1], given[3])
    return not faults(bases, z, spacing)


def is_one_group(near: Bools, need: int) -> bool:
    """Return whether models are one group with at least `need` neighbours each.

    In `near` each model is near itself.
    """
    if np.count_nonzero(np.count_nonzero(near, axis=1) <= need):
        return False
    group, size = near[0], 0
    while (count := int(np.count_nonzero(group))) > size:
        size = count
        group = near[group].any(axis=0)
    return size == len(near)


def stragglers(bases: Outlines, z: Floats, spacing: Spacing) -> tuple[int, ...]:
    """Return the rows of the models that lack neighbours."""
    near = neighbours(bases, z, spacing)
    return _rows(np.count_nonzero(near, axis=1) < spacing.neighbours_needed(len(near)))


def faults(bases: Outlines, z: Floats, spacing: Spacing) -> tuple[int, ...]:
    """Return the rows that lack neighbours or are cut off from the largest group.

    Of groups equally large the one with the lowest row counts as the unit's.
    """
    if len(bases) < 2:
        return ()
    near = neighbours(bases, z, spacing)
    need = spacing.neighbours_needed(len(near))
    if is_one_group(near | np.eye(len(near), dtype=np.bool_), need):
        return ()
    wrong = np.count_nonzero(near, axis=1) < need
    main = max(groups_of(near, range(len(near))), key=len)
    wrong[[row for row in range(len(near)) if row not in main]] = True
    return _rows(wrong)


def largest_coherent(bases: Outlines, z: Floats, spacing: Spacing) -> tuple[int, ...]:
    """Return the rows that stay when the fewest models are removed to leave one coherent group.

    Of several such groups the one grown from the lowest row stays.
    """
    near = neighbours(bases, z, spacing)
    if not len(near):
        return ()
    core = max(groups_of(near, _with_two(near)), key=len, default=())
    if len(core) >= spacing.two_from:
        return core
    # Fewer models than that need one neighbour each, so any connected group will do.
    loose = [_grown(near, group, spacing.two_from - 1) for group in groups_of(near, range(len(near)))]
    return max(loose, key=len)


def _rows(marked: Bools) -> tuple[int, ...]:
    return tuple(int(row) for row in marked.nonzero()[0])


def _with_two(near: Bools) -> tuple[int, ...]:
    """Return the rows left when those with fewer than two neighbours left go, again and again."""
    kept = np.ones(len(near), dtype=np.bool_)
    while True:
        lonely = kept & (np.count_nonzero(near[:, kept], axis=1) < 2)
        if not lonely.any():
            return _rows(kept)
        kept &= ~lonely


def groups_of(near: Bools, rows: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the connected groups among these rows, each in order, by their lowest row."""
    left = np.zeros(len(near), dtype=np.bool_)
    left[list(rows)] = True
    groups = []
    while left.any():
        group, size = np.arange(len(near)) == left.argmax(), 0
        while (count := int(np.count_nonzero(group))) > size:
            size = count
            group |= near[group].any(axis=0) & left
        groups.append(_rows(group))
        left &= ~group
    return groups


def _grown(near: Bools, rows: Sequence[int], most: int) -> tuple[int, ...]:
    """Return the group of at most `most` models that grows from the lowest of these rows.

    Of the neighbours, the lowest row joins first.
    """
    allowed = np.zeros(len(near), dtype=np.bool_)
    allowed[list(rows)] = True
    group = np.zeros(len(near), dtype=np.bool_)
    group[rows[0]] = True
    while np.count_nonzero(group) < most:
        edge = near[group].any(axis=0) & allowed & ~group
        if not edge.any():
            break
        group[np.argmax(edge)] = True
    return _rows(group)
