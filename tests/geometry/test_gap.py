"""Known distances, and the edges of "within" and "more than"."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geometry.base import round_base
from geometry.body import Bodies
from geometry.gap import engaged, gap, more_than, overlap, unit_gaps, within

R32 = round_base(32).radius


def bodies(*places: tuple[float, float], radius: float = R32, z: float = 0.0) -> Bodies:
    n = len(places)
    none = np.zeros(n, dtype=bool)
    xy = np.array(places, dtype=float).reshape(n, 2)
    return Bodies(xy, np.full(n, z), np.full(n, radius), np.full(n, 2.5), none, none)


def test_s_l01_edge_gap() -> None:
    assert gap(bodies((20, 22)), bodies((40, 22)))[0, 0] == pytest.approx(18.7402, abs=5e-5)


def test_s_l20_range_is_inclusive() -> None:
    there = bodies((35.2598425197, 22), (35.27, 22))
    apart = gap(bodies((10, 22)), there)[0]
    assert within(apart, 24.0).tolist() == [True, False]


@pytest.mark.rule("CORE.ER.1")
@pytest.mark.parametrize(
    ("apart", "up", "expected"), [(1.0, 0, True), (1.0001, 0, False), (0, 5.0, True), (0, 6, False)]
)
def test_s_m06_s_m07_engagement_range(apart: float, up: float, expected: bool) -> None:
    here, there = bodies((10, 10)), bodies((10 + 2 * R32 + apart, 10), z=up)
    assert bool(engaged(here, there)[0, 0]) is expected
    assert bool(engaged(there, here)[0, 0]) is expected


def test_touching_is_no_overlap_and_no_gap() -> None:
    here, there = bodies((0, 0)), bodies((2 * R32, 0), (2 * R32 - 0.01, 0))
    assert overlap(here, there).tolist() == [[False, True]]
    assert gap(here, there)[0].max() == pytest.approx(0, abs=1e-9)


def test_more_than_is_the_strict_one() -> None:
    assert not more_than(9.0, 9.0)
    assert more_than(9.001, 9.0)
    assert within(12.0000000001, 12.0)


def test_unit_gaps_are_the_least_of_each_pair_of_units() -> None:
    gaps = np.arange(20, dtype=float).reshape(4, 5)
    least = unit_gaps(gaps, np.array([0, 1, 4]), np.array([0, 3, 3]))
    assert least.tolist() == [[0, np.inf, 3], [5, np.inf, 8], [np.inf, np.inf, np.inf]]


@given(st.lists(st.tuples(st.floats(0, 60), st.floats(0, 44)), min_size=1, max_size=6))
def test_gap_is_symmetric_and_zero_to_itself(places: list[tuple[float, float]]) -> None:
    unit = bodies(*places)
    apart = gap(unit, unit)
    assert np.array_equal(apart, apart.T)
    assert not apart.diagonal().any()
