"""How far it is from spots beside a trail to its end, against the shortest ways."""

from __future__ import annotations

import math

import numpy as np
import pytest

from geometry.path.ground import Ground
from geometry.path.obstacles import Obstacles
from geometry.path.planner import Path, ShortestPaths
from geometry.path.reference_path import Trail
from geometry.shape.base import Floats, Polygon
from geometry.shape.convex_shape import Outlines, Stance
from geometry.single.distance_to_go import Joining

SIZE = (60.0, 44.0)
START, GOAL = (10.0, 10.0), (34.0, 12.0)
WALL: Polygon = ((20.0, 0.0), (22.0, 0.0), (22.0, 20.0), (20.0, 20.0))
STANCE = Stance(1.0)


def ways(ground: Ground) -> ShortestPaths:
    return ShortestPaths(STANCE, ground)


def joining(ground: Ground) -> Joining:
    found = ways(ground).shortest(START, GOAL)
    assert isinstance(found, Path)
    return Joining(Trail(found))


def shortest(spot: Floats, ground: Ground) -> float:
    found = ways(ground).shortest((float(spot[0]), float(spot[1])), GOAL)
    return found.length if isinstance(found, Path) else math.inf


def left(xy: Floats, ground: Ground, below: float = math.inf) -> Floats:
    return joining(ground).left(xy, Obstacles.of(STANCE, ground), below)


def test_it_is_the_shortest_way_from_wherever_that_bends_round_the_same_corners() -> None:
    """Also from spots high beside the wall, whose tangent meets the corner before the trail does."""
    ground = Ground(SIZE, (WALL,))
    xy = np.array([[10.0, 10.0], [5.0, 25.0], [12.0, 18.0], [18.9, 5.0], [15.0, 21.5], [18.5, 20.5]])
    assert left(xy, ground) == pytest.approx([shortest(spot, ground) for spot in xy], abs=1e-5)


def test_it_leads_on_from_spots_beyond_a_corner() -> None:
    ground = Ground(SIZE, (WALL,))
    xy = np.array([[23.5, 20.0], [25.0, 10.0], [40.0, 12.0]])
    assert left(xy, ground) == pytest.approx([shortest(spot, ground) for spot in xy], abs=1e-5)


def test_nothing_leads_on_from_a_spot_that_is_shut_in() -> None:
    """Its bound tells nothing of the wall between it and the trail."""
    below: Polygon = ((0.0, 30.0), (14.0, 30.0), (14.0, 31.0), (0.0, 31.0))
    beside: Polygon = ((14.0, 30.0), (15.0, 30.0), (15.0, 44.0), (14.0, 44.0))
    ground = Ground(SIZE, (WALL, below, beside))
    xy = np.array([[8.0, 40.0]])
    assert left(xy, ground)[0] == math.inf
    assert joining(ground).bounds(xy)[0] < 60.0


def test_a_way_round_an_arc_that_something_closes_does_not_count() -> None:
    """A friend stands at the corner, before the trail gets there: who comes along the wall goes round it."""
    friend = Outlines(np.array([[18.6, 20.2]]), np.array([0.5]))
    open_, shut = Ground(SIZE, (WALL,)), Ground(SIZE, (WALL,), solid=friend)
    spot = np.array([[18.95, 16.0]])
    trail = joining(open_)
    free = trail.left(spot, Obstacles.of(STANCE, open_))[0]
    assert free == pytest.approx(shortest(spot[0], open_), abs=1e-5)
    assert trail.left(spot, Obstacles.of(STANCE, shut))[0] > free + 0.1


def test_what_is_no_less_than_asked_for_is_a_bound_no_less() -> None:
    ground = Ground(SIZE, (WALL,))
    xy = np.array([[10.0, 10.0], [5.0, 25.0], [30.0, 12.0]])
    every, some = left(xy, ground), left(xy, ground, 20.0)
    assert some[every < 20.0] == pytest.approx(every[every < 20.0])
    assert (some[every >= 20.0] >= 20.0).all()
    assert (joining(ground).bounds(xy) <= every + 1e-9).all()


def test_of_several_trails_the_nearest_counts() -> None:
    """From above the wall's upper end it is nearer by the trail that passes there."""
    wall: Polygon = ((20.0, 8.0), (22.0, 8.0), (22.0, 24.0), (20.0, 24.0))
    ground = Ground(SIZE, (wall,))
    low, high = ways(ground).shortest((10.0, 10.0), GOAL), ways(ground).shortest((10.0, 22.0), GOAL)
    assert isinstance(low, Path)
    assert isinstance(high, Path)
    free, xy = Obstacles.of(STANCE, ground), np.array([[10.0, 22.0], [10.0, 10.0]])
    one, both = Joining(Trail(low)).left(xy, free), Joining(Trail(low), Trail(high)).left(xy, free)
    assert both == pytest.approx([high.length, low.length], abs=1e-5)
    assert one[0] > both[0] + 1.0


def test_no_spots_have_nothing_left_and_without_a_trail_no_way_is_known() -> None:
    ground = Ground(SIZE, (WALL,))
    assert left(np.empty((0, 2)), ground).tolist() == []
    assert Joining().left(np.array([[1.0, 2.0]]), Obstacles.of(STANCE, ground)).tolist() == [math.inf]
