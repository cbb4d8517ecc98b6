"""Units in line, in clusters and in rings, and what the clean-up keeps."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geometry.measure.coherency import Spacing, faults, is_coherent, largest_coherent, stragglers
from geometry.shape.base import hull_base, round_base
from geometry.shape.convex_shape import Outlines, stance_of

SPACING = Spacing()


def line(gaps: list[float], mm: float = 32) -> tuple[Outlines, np.ndarray]:
    r = round_base(mm).radius
    x = np.concatenate([[0.0], np.cumsum([g + 2 * r for g in gaps])])
    return Outlines(np.stack([x, np.zeros_like(x)], axis=1), np.full(len(x), r)), np.zeros(len(x))


@pytest.mark.rule("CORE.COH.1")
def test_s_c01_six_in_line_need_one_neighbour() -> None:
    assert is_coherent(*line([2.0] * 5), SPACING)
    assert not is_coherent(*line([2.0, 2.0, 2.01, 2.0, 2.0]), SPACING)


@pytest.mark.rule("CORE.COH.1")
@pytest.mark.parametrize(("mm", "limit"), [(32, 0.37), (25, 0.5078), (40, 0.2125)])
def test_s_c02_seven_in_line_need_two(mm: float, limit: float) -> None:
    assert stragglers(*line([2.0] * 6, mm), SPACING) == (0, 6)
    assert is_coherent(*line([limit] * 6, mm), SPACING)
    assert not is_coherent(*line([limit + 0.001] * 6, mm), SPACING)


@pytest.mark.rule("CORE.COH.3")
def test_s_c03_two_clusters_are_no_group() -> None:
    bases, z = line([0.0, 0.0, 10.0, 0.0, 0.0])
    assert stragglers(bases, z, SPACING) == ()
    assert faults(bases, z, SPACING) == (3, 4, 5)
    assert not is_coherent(bases, z, SPACING)
    assert largest_coherent(bases, z, SPACING) == (0, 1, 2)


@pytest.mark.rule("CORE.COH.1")
def test_s_c04_a_leader_makes_seven() -> None:
    assert is_coherent(*line([2.0] * 5), SPACING)
    assert not is_coherent(*line([2.0] * 6), SPACING)


def test_one_alone_and_none_are_coherent() -> None:
    assert is_coherent(*line([]), SPACING)
    assert largest_coherent(Outlines(np.empty((0, 2)), np.empty(0)), np.empty(0), SPACING) == ()


def test_height_parts_neighbours() -> None:
    bases, _ = line([0.0])
    assert is_coherent(bases, np.array([0.0, 5.0]), SPACING)
    assert not is_coherent(bases, np.array([0.0, 5.1]), SPACING)


@pytest.mark.rule("CORE.COH.1")
def test_the_facing_of_a_hull_decides_whether_it_keeps_up() -> None:
    """Side by side, hulls of 6 by 3 inches stand 2 inches apart at centres 5 inches apart.

    Nose to tail, their centres are 8 inches apart then.
    """
    for facing, pitch in ((0.0, 8.0), (90.0, 5.0)):
        core = stance_of(hull_base(6.0, 3.0), facing).core
        for far, together in ((pitch, True), (pitch + 0.001, False)):
            xy = np.array([[0.0, 0.0], [far, 0.0]])
            assert is_coherent(Outlines(xy, np.zeros(2), (core, core)), np.zeros(2), SPACING) is together


@pytest.mark.rule("CORE.COH.2")
def test_clean_up_of_a_long_line_stops_at_six() -> None:
    assert largest_coherent(*line([2.0] * 9), SPACING) == (0, 1, 2, 3, 4, 5)
    assert largest_coherent(*line([5.0, 2.0, 2.0]), SPACING) == (1, 2, 3)


@pytest.mark.rule("CORE.COH.2")
@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.floats(0, 14), st.floats(0, 6)), min_size=1, max_size=9, unique=True))
def test_clean_up_keeps_as_many_as_any_subset_could(places: list[tuple[float, float]]) -> None:
    xy = np.array(places)
    z, bases = np.zeros(len(xy)), Outlines(xy, np.full(len(xy), round_base(32).radius))
    kept = list(largest_coherent(bases, z, SPACING))
    assert is_coherent(bases.take(kept), z[kept], SPACING)
    for rows in combinations(range(len(xy)), len(kept) + 1):
        chosen = list(rows)
        assert not is_coherent(bases.take(chosen), z[chosen], SPACING)
