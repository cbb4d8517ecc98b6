"""The area of ends in the core: held against polygons, and where bases touch its border."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely

from engine.w40k.ground.beside import areas_about
from geometry.core.area import Area
from geometry.measure.coherency import Spacing
from geometry.path.end_ground import end_ground
from geometry.path.ground import Ground, may_stand
from geometry.shape.base import Base, Polygon, hull_base, oval_base, round_base
from geometry.shape.convex_shape import NOTHING, Outlines, core_of, stance_of
from geometry.single.free_spot import free_spot

BOARD = (60.0, 44.0)
ANGLED: Polygon = ((5.0, 5.0), (15.0, 5.0), (15.0, 8.0), (9.0, 9.0), (8.0, 15.0), (5.0, 15.0))
APART: Polygon = ((20.0, 5.0), (24.0, 5.0), (22.0, 9.0))
BASES = (round_base(40), oval_base(75, 42), hull_base(3.0, 1.5))


@pytest.mark.parametrize("areas", [(ANGLED,), (ANGLED, APART)])
def test_points_lie_in_an_area_and_off_its_border_as_polygons_tell(areas: tuple[Polygon, ...]) -> None:
    chance, whole = np.random.default_rng(3), shapely.union_all([shapely.Polygon(each) for each in areas])
    area = Area([list(each) for each in areas])
    for x, y in chance.uniform(2.0, 26.0, (300, 2)).tolist():
        at = shapely.Point(x, y)
        assert area.holds(x, y) is whole.contains(at)
        far = whole.boundary.distance(at)
        assert area.gap(x, y) == pytest.approx(-far if whole.contains(at) else far, abs=1e-9)


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("areas", [(ANGLED,), (ANGLED, APART), (ANGLED, ANGLED[:3])])
def test_bases_lie_in_an_area_as_the_rules_tell(base: Base, areas: tuple[Polygon, ...]) -> None:
    chance, stance = np.random.default_rng(4), stance_of(base, 25.0)
    xy = chance.uniform(4.0, 24.0, (150, 2))
    ground = Ground(BOARD, area=areas)
    legal = may_stand(ground, xy, [stance] * len(xy)).tolist()
    ends = end_ground(ground, stance)
    assert [ends.stands(x, y) for x, y in xy.tolist()] == legal


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("facing", [0.0, 33.0])
def test_the_nearest_place_within_an_area_touches_its_border(base: Base, facing: float) -> None:
    """From without, below its lowest edge and beside its corner that points inward."""
    stance, ground = stance_of(base, facing), Ground(BOARD, area=(ANGLED,))
    for near in ((8.0, 1.0), (20.0, 20.0)):
        spot = free_spot(ground, stance, NOTHING, Spacing(), near)
        assert spot is not None
        way = np.subtract(near, spot)
        on = np.array([spot]) + 1e-5 * way / math.hypot(*way)
        assert not may_stand(ground, on, [stance])[0]


def test_the_area_about_an_oval_hull_has_a_place_at_its_very_rim() -> None:
    """Thousands of corners turn by hardly anything: a base touches the edge next to its way."""
    hull = Outlines(np.array([[30.0, 20.0]]), np.zeros(1), (core_of(oval_base(170, 105), 0.0),))
    ground = Ground(BOARD, solid=hull, area=areas_about(hull, 3.0))
    radius = round_base(32).radius
    spot = free_spot(ground, radius, NOTHING, Spacing(), (30.0, 44.0))
    assert spot is not None
    assert spot == pytest.approx((30.0, 20.0 + 105 / 25.4 / 2 + 3.0 - radius), abs=1e-4)
