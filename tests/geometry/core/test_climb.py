"""What climbs cost on lines, and on ways over a few shapes, by known numbers."""

from __future__ import annotations

import math

import pytest

from geometry.core.climb import climb_of, height_at
from geometry.core.distance_map import DistanceMap
from geometry.core.search import Search
from geometry.core.shapes import Shapes
from geometry.core.tangents import VisibilityGraph
from geometry.core.targets import Targets

BOX = (0.0, 0.0, 40.0, 40.0)
SPOT = Shapes(BOX, [30.0], [10.0], [0.0])


def discs(*each: tuple[float, float, float, float]) -> Shapes:
    """Return a table of discs: x, y, radius, height."""
    xs, ys, radii, heights = zip(*each, strict=True)
    return Shapes(BOX, xs, ys, radii, (), None, heights)


@pytest.mark.parametrize(
    ("heights", "cost"), [((3.0,), 6.0), ((3.0, 5.0), 10.0), ((3.0, 3.0), 6.0), ((3.0, math.inf), 6.0)]
)
def test_a_line_pays_for_the_highest_of_what_overlaps(heights: tuple[float, ...], cost: float) -> None:
    shapes = discs(*((10.0 + 3.0 * i, 10.0, 2.0, height) for i, height in enumerate(heights)))
    assert climb_of(shapes, 5.0, 10.0, 20.0, 10.0) == cost
    assert climb_of(shapes, 20.0, 10.0, 5.0, 10.0) == cost


def test_a_line_pays_for_each_of_what_stands_apart_and_half_where_it_ends_above() -> None:
    shapes = discs((10.0, 10.0, 2.0, 3.0), (16.0, 10.0, 2.0, 4.0))
    assert climb_of(shapes, 5.0, 10.0, 20.0, 10.0) == 14.0
    assert climb_of(shapes, 10.0, 10.0, 20.0, 10.0) == 11.0
    assert climb_of(shapes, 10.0, 10.0, 16.0, 10.0) == 7.0
    assert climb_of(shapes, 5.0, 12.0, 20.0, 12.0) == 0.0
    assert [height_at(shapes, x, 10.0) for x in (8.0, 9.0, 13.0, 16.0)] == [0.0, 3.0, 0.0, 4.0]


@pytest.mark.parametrize(("height", "climbs"), [(0.2, True), (0.3, False)])
def test_a_way_climbs_where_that_is_shorter(height: float, climbs: bool) -> None:
    """Round the disc it is 2 sqrt(96) + 4 asin(0.2) long, 0.400667 more than 20."""
    graph = VisibilityGraph(discs((20.0, 10.0, 2.0, height)))
    search = Search(graph, Targets(graph, SPOT), 10.0, 10.0)
    legs = search.shortest(math.inf)
    assert legs is not None
    assert (len(legs) == 1) is climbs
    round_it = 2 * math.sqrt(96.0) + 4 * math.asin(0.2)
    assert search.length == pytest.approx(20.0 + 2 * height if climbs else round_it, abs=1e-9)
    distances = DistanceMap(graph, Targets(graph, SPOT), BOX)
    assert distances.left(10.0, 10.0, math.inf) == pytest.approx(search.length, abs=1e-9)
    # What is left of a length that ends above the ground is that from the foot.
    assert distances.ahead(10.0, 10.0, 8.1) == pytest.approx((18.0, 10.0), abs=1e-6) or not climbs


def test_a_rim_that_leads_over_another_shape_pays_for_that() -> None:
    """The way bends round the wall, and climbs a low disc that lies on its rim."""
    wall, low = (20.0, 10.0, 4.0, math.inf), (20.0, 14.0, 1.0, 0.1)
    graph, bare = VisibilityGraph(discs(wall, low)), VisibilityGraph(discs(wall))
    north = (Search(each, Targets(each, SPOT), 10.0, 10.5) for each in (graph, bare))
    lengths = [search.length for search in north if search.shortest(math.inf) is not None]
    assert lengths[0] == pytest.approx(lengths[1] + 0.2, abs=1e-9)
