"""Bases in and at the border of areas, fronts, and equal shares."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from geometry.measure.region import (
    base_touches,
    base_within,
    covered_area,
    distance_to_polygon,
    front,
    grid,
    point_in,
    quarters,
    shared_border,
    split_equal,
)
from geometry.shape.base import Base, Polygon, hull_base, oval_base, round_base
from geometry.shape.convex_shape import Outlines, stance_of

R32 = round_base(32).radius
ZONE: Polygon = ((0, 34), (15, 34), (15, 44), (0, 44))
ELL: Polygon = ((0, 0), (10, 0), (10, 4), (4, 4), (4, 10), (0, 10))


def at(*places: tuple[float, float]) -> Outlines:
    return Outlines(np.array(places, dtype=float), np.full(len(places), R32))


def of(base: Base, facing: float, *places: tuple[float, float]) -> Outlines:
    stance = stance_of(base, facing)
    n = len(places)
    return Outlines(np.array(places, dtype=float), np.full(n, stance.radius), (stance.core,) * n)


def test_wholly_within_counts_the_border() -> None:
    bases = at((7, 34 + R32), (7, 34 + R32 - 0.001), (R32, 44 - R32), (7, 33))
    assert base_within(ZONE, bases).tolist() == [True, False, True, False]


def test_wholly_within_a_hollow_polygon() -> None:
    bases = at((2, 2), (4, 4), (3.9, 3.9), (7, 7))
    assert base_within(ELL, bases).tolist() == [True, False, False, False]
    assert point_in(ELL, bases.xy).tolist() == [True, True, True, False]


@pytest.mark.rule("R.A66")
def test_s_s05_only_touching_the_border_is_not_within() -> None:
    bases = at((7, 34 - R32), (7, 34 - R32 + 0.1), (7, 34 - R32 + 1e-6))
    assert base_touches(ZONE, bases).tolist() == [False, True, False]


def test_distance_is_from_the_edge_of_the_base() -> None:
    bases = at((7, 30), (7, 40), (18, 30))
    apart = distance_to_polygon(bases, ZONE)
    assert apart == pytest.approx([4 - R32, 0, 5 - R32])


@settings(max_examples=60, deadline=None)
@given(st.floats(-2, 12), st.floats(-2, 12), st.floats(0.3, 6))
def test_covered_area_agrees_with_a_fine_polygon(x: float, y: float, r: float) -> None:
    area = covered_area(ELL, Outlines(np.array([[x, y]]), np.array([r])))[0]
    disc = shapely.Point(x, y).buffer(r, quad_segs=512)
    assert area == pytest.approx(disc.intersection(shapely.Polygon(ELL)).area, abs=2e-4)


def test_a_hull_is_within_by_its_corners() -> None:
    tank = hull_base(6.0, 4.0)
    assert base_within(ZONE, of(tank, 0, (3, 42), (3, 36), (3, 35.99))).tolist() == [True, True, False]
    # Turned a quarter it stands 2 inches to either side and 3 up and down.
    assert base_within(ZONE, of(tank, 90, (2, 41), (3, 42))).tolist() == [True, False]


def test_a_turned_hull_touches_an_area_by_its_corner_only() -> None:
    tank, reach = hull_base(2.0, 2.0), 2**0.5
    spots = of(tank, 45, (7, 34 - reach), (7, 34 - reach + 0.1))
    assert base_touches(ZONE, spots).tolist() == [False, True]
    assert covered_area(ZONE, spots)[1] == pytest.approx(0.01)
    assert base_touches(ZONE, of(tank, 0, (7, 34 - reach + 0.1))).tolist() == [False]


def test_the_distance_of_an_oval_depends_on_its_facing() -> None:
    bike = oval_base(75, 42)
    along, across = (distance_to_polygon(of(bike, turn, (7, 30)), ZONE)[0] for turn in (90, 0))
    assert along == pytest.approx(4 - 75 / 50.8, abs=1e-9)
    assert across == pytest.approx(4 - 42 / 50.8, abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(
    st.floats(-2, 12),
    st.floats(-2, 12),
    st.floats(0.5, 6),
    st.floats(0.5, 6),
    st.floats(0, 360),
    st.booleans(),
)
def test_shapes_in_an_area_agree_with_shapely(
    x: float, y: float, length: float, width: float, facing: float, oval: bool
) -> None:
    if oval:
        base, shape = Base("oval", length, width), shapely.Point(0, 0).buffer(1, quad_segs=512)
        shape = shapely.affinity.scale(shape, length / 2, width / 2)
    else:
        base, shape = hull_base(length, width), shapely.box(-length / 2, -width / 2, length / 2, width / 2)
    placed = shapely.affinity.translate(shapely.affinity.rotate(shape, facing, origin=(0, 0)), x, y)
    area, bases = shapely.Polygon(ELL), of(base, facing, (x, y))
    common = placed.intersection(area).area
    assert covered_area(ELL, bases)[0] == pytest.approx(
        common, abs=2e-3 * max(1.0, placed.area) if oval else 1e-9
    )
    assert distance_to_polygon(bases, ELL)[0] == pytest.approx(placed.distance(area), abs=2e-4)
    if not 1e-4 < abs(placed.area - common) < 1e-3:
        assert bool(base_within(ELL, bases)[0]) == area.buffer(1e-4).covers(placed)


def test_front_of_a_zone() -> None:
    land: Polygon = ((0, 10), (60, 10), (60, 34), (0, 34))
    assert front(ZONE, land) == (((0, 34), (15, 34)),)
    assert front(ZONE, [((20, 34), (5, 34))]) == (((5, 34), (15, 34)),)
    assert front(ELL, ((4, 4), (10, 4), (10, 10), (4, 10))) == (((10, 4), (4, 4)), ((4, 4), (4, 10)))


def test_borders_that_meet_in_pieces_are_one() -> None:
    halves = [((0, 34), (7, 34)), ((7, 34), (20, 34))]
    assert front(ZONE, halves) == (((0, 34), (15, 34)),)
    assert shared_border(ZONE, ((20, 0), (30, 0), (30, 10))) == ()


def test_s_s01_equal_zones() -> None:
    strips = split_equal(((0, 34), (60, 34), (60, 44), (0, 44)), 4, "x")
    boxes = [shapely.Polygon(strip).bounds for strip in strips]
    assert boxes == [(0, 34, 15, 44), (15, 34, 30, 44), (30, 34, 45, 44), (45, 34, 60, 44)]


@pytest.mark.parametrize("axis", ["x", "y"])
@pytest.mark.parametrize("polygon", [ELL, ((0, 0), (30, 0), (0, 44)), tuple(reversed(ELL))])
def test_strips_share_the_area_equally(polygon: Polygon, axis: str) -> None:
    strips = [shapely.Polygon(strip) for strip in split_equal(polygon, 3, axis)]  # type: ignore[arg-type]
    whole = shapely.Polygon(polygon)
    assert [strip.area for strip in strips] == pytest.approx([whole.area / 3] * 3)
    assert shapely.unary_union(strips).symmetric_difference(whole).area == pytest.approx(0, abs=1e-6)


def test_quarters_and_grid() -> None:
    assert quarters((0, 0, 60, 44))[0] == ((0, 0), (30, 0), (30, 22), (0, 22))
    assert quarters((0, 0, 60, 44))[3] == ((30, 22), (60, 22), (60, 44), (30, 44))
    assert len(grid((0, 0, 60, 44), 3, 2)) == 6
