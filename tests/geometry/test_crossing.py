"""Lines between bases that cross an area, held against sampled points by shapely."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

from geometry.measure.distance import clearances
from geometry.measure.region import ring
from geometry.measure.segment_crossing import behind, closest_points, is_crossed
from geometry.shape.base import Base, Floats, hull_base, oval_base, round_base
from geometry.shape.convex_shape import POINT, Outlines, core_of, margin_of

BAR = ((29.75, 18.0), (30.25, 18.2), (30.25, 24.0), (29.6, 23.0))
REACH = 2.0
CLOSE = 2e-3


def one(base: Base, at: tuple[float, float], facing: float = 0.0) -> Outlines:
    core = core_of(base, facing)
    return Outlines(np.array([at]), np.array([margin_of(base)]), () if core is POINT else (core,))


def drawn(shapes: Outlines) -> shapely.Geometry:
    return shapely.union_all(
        [
            shapely.Polygon(shapes.xy[i] + ring(shapes.core[i], float(shapes.radius[i]), 0.01))
            for i in range(len(shapes))
        ]
    )


def sampled(base: Outlines, count: int = 90) -> tuple[Floats, Floats, Floats]:
    """Return points about a base.

    For each, also return how far it is from the base, and how much of the line to it is in the area.
    """
    low, high = base.xy[0] - 6, base.xy[0] + 6
    x, y = np.meshgrid(np.linspace(low[0], high[0], count), np.linspace(low[1], high[1], count))
    points = np.stack([x.ravel(), y.ravel()], axis=1)
    if base.core:
        shape = shapely.Polygon(base.xy[0] + ring(base.core[0], 0.0, 0.001))
    else:
        shape = shapely.Point(base.xy[0]).buffer(float(base.radius[0]), 256)
    spots = shapely.points(points)
    lines = shapely.shortest_line(shape, spots)
    inside = shapely.length(shapely.intersection(lines, shapely.Polygon(BAR)))
    return points, np.asarray(shapely.distance(shape, spots)), np.asarray(inside)


@pytest.mark.rule("CORE.ER.2")
@pytest.mark.parametrize(
    "base",
    [
        one(round_base(32), (28.3, 21.0)),
        one(round_base(60), (32.0, 17.5)),
        one(hull_base(4.7, 2.9), (33.6, 21.5), 20),
        one(hull_base(4.7, 2.9), (28.0, 25.5), 0),
        one(oval_base(75, 42), (28.2, 20.0), 60),
        one(oval_base(105, 70), (30.2, 26.4), 10),
    ],
    ids=["round", "round beside", "hull", "hull at the corner", "oval", "oval at the end"],
)
def test_places_behind_an_area_are_those_whose_shortest_line_crosses_it(base: Outlines) -> None:
    points, apart, inside = sampled(base)
    found = drawn(behind(base, [BAR], REACH))
    depth = shapely.distance(found, shapely.points(points))
    edge = shapely.distance(shapely.boundary(found), shapely.points(points))
    wanted = (apart > 0) & (apart <= REACH) & (inside > 0)
    clear = edge > CLOSE
    assert wanted.any()
    assert (wanted == (depth == 0))[clear & (apart > CLOSE)].all()


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (one(hull_base(4.7, 2.9), (20.0, 22.0), 45), one(round_base(32), (25.0, 23.0))),
        (one(round_base(60), (20.0, 22.0)), one(oval_base(105, 70), (25.0, 23.0), 20)),
        (one(oval_base(75, 42), (20.0, 22.0), 60), one(oval_base(170, 105), (26.0, 20.0), 10)),
        (one(hull_base(6.0, 6.0), (20.0, 22.0)), one(hull_base(4.0, 3.0), (25.5, 27.0), 30)),
    ],
    ids=["hull and disc", "disc and oval", "two ovals", "two hulls"],
)
def test_closest_points_are_as_far_apart_as_the_bases(a: Outlines, b: Outlines) -> None:
    start, end = closest_points(a, b)
    assert float(np.hypot(*(end - start)[0])) == pytest.approx(float(clearances(a, b)[0, 0]), abs=1e-8)


def test_the_line_from_a_corner_leads_to_the_middle_of_a_disc() -> None:
    """The middle of the disc is 5 from the hull's corner at (3, 3), and its rim 1 less."""
    start, end = closest_points(one(hull_base(6.0, 6.0), (0.0, 0.0)), one(round_base(50.8), (6.0, 7.0)))
    assert start[0] == pytest.approx((3.0, 3.0), abs=1e-9)
    assert end[0] == pytest.approx((5.4, 6.2), abs=1e-9)


@pytest.mark.rule("CORE.ER.2", "S.D13")
def test_a_line_that_just_misses_the_corner_of_an_area_does_not_cross_it() -> None:
    """A hull stands 2" from a disc; the line between them passes the corner to a millionth."""
    bar = ((0.5, 31.0), (0.5, 29.0), (6.5, 29.0), (6.5, 31.0))
    hull, disc = one(hull_base(6.0, 6.0), (9.5901249, 32.6008247), 270), one(round_base(32), (6.2, 27.0))
    assert not is_crossed(hull, disc, [bar])[0]


@pytest.mark.rule("CORE.ER.2")
def test_a_line_that_only_grazes_crosses_nothing() -> None:
    """Along the lower edge of a square, and a thousandth of an inch above it."""
    area = ((29.0, 20.0), (31.0, 20.0), (31.0, 22.0), (29.0, 22.0))
    left, right = one(round_base(32), (28.0, 20.0)), one(round_base(32), (32.0, 20.0))
    up = np.array([[0.0, 0.001]])
    assert not is_crossed(left, right, [area])[0]
    assert is_crossed(Outlines(left.xy + up, left.radius), Outlines(right.xy + up, right.radius), [area])[0]


def test_behind_an_area_that_the_base_touches_nothing_is_missed() -> None:
    """A hull touches the side of a barricade; the area is in the way of a base past its corner."""
    area = ((21.5, 13.5), (23.5, 13.5), (23.5, 19.5), (21.5, 19.5))
    hull = Outlines(np.array([[25.85, 16.5076067]]), np.zeros(1), (core_of(hull_base(4.7, 3.9), 180.0),))
    place = np.array([[22.258065, 20.5064888]])
    one = Outlines(place, np.array([20 / 25.4]))
    assert is_crossed(one, hull, [area])[0]
    assert (behind(hull, [area], 2.0).distances(place) < 20 / 25.4).any()
