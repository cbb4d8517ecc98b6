"""Units in line, in clusters and in rings, and what the clean-up keeps."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geometry.base import round_base
from geometry.coherency import Spacing, faults, is_coherent, largest_coherent, stragglers

SPACING = Spacing()


def line(gaps: list[float], mm: float = 32) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    r = round_base(mm).radius
    x = np.concatenate([[0.0], np.cumsum([g + 2 * r for g in gaps])])
    return np.stack([x, np.zeros_like(x)], axis=1), np.zeros(len(x)), np.full(len(x), r)


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
    xy, z, radius = line([0.0, 0.0, 10.0, 0.0, 0.0])
    assert stragglers(xy, z, radius, SPACING) == ()
    assert faults(xy, z, radius, SPACING) == (3, 4, 5)
    assert not is_coherent(xy, z, radius, SPACING)
    assert largest_coherent(xy, z, radius, SPACING) == (0, 1, 2)


@pytest.mark.rule("CORE.COH.1")
def test_s_c04_a_leader_makes_seven() -> None:
    assert is_coherent(*line([2.0] * 5), SPACING)
    assert not is_coherent(*line([2.0] * 6), SPACING)


def test_one_alone_and_none_are_coherent() -> None:
    assert is_coherent(*line([]), SPACING)
    assert largest_coherent(np.empty((0, 2)), np.empty(0), np.empty(0), SPACING) == ()


def test_height_parts_neighbours() -> None:
    xy, _, radius = line([0.0])
    assert is_coherent(xy, np.array([0.0, 5.0]), radius, SPACING)
    assert not is_coherent(xy, np.array([0.0, 5.1]), radius, SPACING)


@pytest.mark.rule("CORE.COH.2")
def test_clean_up_of_a_long_line_stops_at_six() -> None:
    assert largest_coherent(*line([2.0] * 9), SPACING) == (0, 1, 2, 3, 4, 5)
    assert largest_coherent(*line([5.0, 2.0, 2.0]), SPACING) == (1, 2, 3)


@pytest.mark.rule("CORE.COH.2")
@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.floats(0, 14), st.floats(0, 6)), min_size=1, max_size=9, unique=True))
def test_clean_up_keeps_as_many_as_any_subset_could(places: list[tuple[float, float]]) -> None:
    xy = np.array(places)
    z, radius = np.zeros(len(xy)), np.full(len(xy), round_base(32).radius)
    kept = list(largest_coherent(xy, z, radius, SPACING))
    assert is_coherent(xy[kept], z[kept], radius[kept], SPACING)
    for rows in combinations(range(len(xy)), len(kept) + 1):
        chosen = list(rows)
        assert not is_coherent(xy[chosen], z[chosen], radius[chosen], SPACING)
