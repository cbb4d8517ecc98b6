"""Known distances, and the edges of "within" and "more than"."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from geometry.measure.body import Bodies
from geometry.measure.distance import (
    clearances,
    engaged,
    gap,
    gaps,
    more_than,
    overlap,
    overlaps,
    unit_gaps,
    within,
)
from geometry.shape.base import Base, hull_base, oval_base, round_base
from geometry.shape.convex_shape import Outlines, stance_of

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


def outlines(*placed: tuple[Base, float, float, float]) -> Outlines:
    stances = [stance_of(base, facing) for base, facing, _, _ in placed]
    xy = np.array([(x, y) for _, _, x, y in placed])
    return Outlines(xy, np.array([s.radius for s in stances]), tuple(s.core for s in stances))


def shape(base: Base, facing: float, x: float, y: float) -> shapely.Geometry:
    if base.shape == "hull":
        found = shapely.box(-base.length / 2, -base.width / 2, base.length / 2, base.width / 2)
    else:
        disc = shapely.Point(0, 0).buffer(1, quad_segs=512)
        found = shapely.affinity.scale(disc, base.length / 2, base.width / 2)
    return shapely.affinity.translate(shapely.affinity.rotate(found, facing, origin=(0, 0)), x, y)


BASES = (round_base(32), oval_base(75, 42), oval_base(170, 109), hull_base(4.7, 2.9), hull_base(1.0, 6.0))


@pytest.mark.rule("CORE.ER.1")
def test_two_hulls_side_by_side_and_nose_to_nose() -> None:
    tank = hull_base(4.7, 2.9)
    here, there = outlines((tank, 0, 0, 0)), outlines((tank, 0, 0, 5), (tank, 0, 7, 0), (tank, 90, 7, 0))
    assert gaps(here, there)[0] == pytest.approx([5 - 2.9, 7 - 4.7, 7 - (4.7 + 2.9) / 2])


def test_a_base_beside_a_long_hull_touches_it() -> None:
    tank = outlines((hull_base(8.0, 4.0), 0, 0, 0))
    beside = outlines((round_base(32), 0, 3.5, 2 + R32), (round_base(32), 0, 3.5, 2 + R32 - 0.01))
    assert gaps(beside, tank)[:, 0] == pytest.approx([0, 0])
    assert clearances(beside, tank)[:, 0] == pytest.approx([0, -0.01])
    assert overlaps(beside.joined(tank)) == ((0, 1), (1, 2))


@pytest.mark.parametrize("facing", [88.50871446269204, 20.0, 311.7])
def test_an_oval_is_nowhere_apart_from_one_in_its_own_place(facing: float) -> None:
    """Rounding leaves the sum of two alike ovals no arc that is narrower than rounding."""
    here = outlines((oval_base(75, 42), facing, 0, 0))
    assert clearances(here, here)[0, 0] == pytest.approx(-42 / 25.4, abs=1e-4)


places = st.tuples(
    st.sampled_from(BASES), st.floats(0, 360), st.floats(-8, 8, width=32), st.floats(-8, 8, width=32)
)


@pytest.mark.rule("CORE.ER.1")
@pytest.mark.parametrize("base", [oval_base(170, 105), hull_base(5, 3)])
@pytest.mark.parametrize("hair", [1e-11, 1e-9, 1e-8, 1e-7])
def test_a_facing_that_is_a_hair_off_makes_no_difference(base: Base, hair: float) -> None:
    for x, y, facing in ((8.0, 0.0, 0.0), (0.0, 8.0, 0.0), (7.0, 7.0, 30.0), (3.0, 2.0, 90.0)):
        here, there = outlines((base, 0, 0, facing)), outlines((base, x, y, facing))
        askew = outlines((base, x, y, facing + hair))
        assert clearances(here, askew)[0, 0] == pytest.approx(clearances(here, there)[0, 0], abs=1e-7)


@settings(max_examples=80, deadline=None)
@given(st.lists(places, min_size=1, max_size=4), st.lists(places, min_size=1, max_size=4))
def test_gaps_of_all_shapes_agree_with_shapely(
    here: list[tuple[Base, float, float, float]], there: list[tuple[Base, float, float, float]]
) -> None:
    a, b = outlines(*here), outlines(*there)
    known = np.array([[shape(*one).distance(shape(*other)) for other in there] for one in here])
    assert gaps(a, b) == pytest.approx(known, abs=2e-4)
    assert np.allclose(gaps(b, a).T, gaps(a, b), rtol=0, atol=1e-9)
    common = np.array([[shape(*one).intersection(shape(*other)).area for other in there] for one in here])
    assert (clearances(a, b)[common > 1e-2] < 0).all()


def test_two_bases_are_as_far_apart_whoever_is_measured_with_them() -> None:
    places = np.random.default_rng(1).uniform(0.0, 44.0, (40, 2))
    here, there = (Outlines(some, np.full(20, R32)) for some in (places[:20], places[20:]))
    oval = stance_of(oval_base(75, 42), 30.0)
    others = there.joined(Outlines(np.array([[22.0, 22.0]]), np.array([oval.radius]), (oval.core,)))
    assert (gaps(here, others)[:, :20] == gaps(here, there)).all()
