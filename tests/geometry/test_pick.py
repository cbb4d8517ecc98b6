"""Who takes which spot: a choice that holds together is found where models have few spots."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from geometry.group.assignment import LATTICE, START, Pick
from geometry.measure.coherency import Spacing
from geometry.path.planner import Path
from geometry.path.shortcut import Way
from geometry.shape.base import Floats


class _Row:
    """Models in a row that make for a place far to the right, nothing in their way."""

    need = 1
    spacing = Spacing()
    most_left = 1e9

    def __init__(self, at: Sequence[float]) -> None:
        self.start = np.array([(x, 0.0) for x in at])
        self.size = np.full(len(at), 0.5)
        self.own_left = 100.0 - self.start[:, 0]

    def ways(self, models: Sequence[int], end: Floats) -> list[Way | None]:
        return [(Path((0.0, 0.0)), 0.0) for _ in models]


def chosen(at: Sequence[float], offered: Sequence[Sequence[float]]) -> list[float] | None:
    """Return where the models end that stand at these places, each offered these spots and its own."""
    spots = sorted({x for own in offered for x in own}, reverse=True)
    row, count = _Row(at), len(at)
    may = np.array([[x in own for x in spots] for own in offered], dtype=np.bool_)
    xy = np.array([(x, 0.0) for x in (*spots, *at)])
    kind = np.array([LATTICE] * len(spots) + [START] * count)
    pick = Pick(row, xy, 100.0 - xy[None, :, 0], np.hstack([may, np.eye(count, dtype=np.bool_)]), kind)
    rows = pick.rows()
    return None if rows is None else [float(xy[row, 0]) for row in rows]


def test_those_who_found_no_spot_choose_first_one_after_the_other() -> None:
    """The last two lose those before them, and these the last: no one of them may go first alone."""
    ends = chosen([0.0, 2.8, 4.8, 6.9, 9.1], [[5.0], [6.8, 3.8], [6.8], [10.9], [11.1]])
    assert ends is not None
    assert np.diff(sorted(ends)).max() <= 3.0
    assert np.diff(sorted(ends)).min() >= 1.0
    assert sum(ends) > sum([0.0, 2.8, 4.8, 6.9, 9.1]) + 5.0


def test_a_choice_is_bettered_one_model_at_a_time() -> None:
    """The fourth, which chose before the last, is kept in touch by it and may go on once that has chosen."""
    ends = chosen([0.0, 2.0, 4.3, 7.2, 9.8], [[3.0], [6.0, 8.0], [8.3, 5.3], [12.2], [15.8]])
    assert ends == [3.0, 6.0, 8.3, 12.2, 9.8]
