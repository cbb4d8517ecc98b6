"""Shortest ways among obstacles: what is closed, what is kept, and long bases."""

from __future__ import annotations

import math

import numpy as np
import pytest

from geometry.path.ground import Ground
from geometry.path.planner import Blocked, Path, ShortestPaths, check_path
from geometry.shape.base import hull_base, oval_base
from geometry.shape.convex_shape import Outlines, Stance, stance_of

BOARD = (44.0, 60.0)
WALL = ((14.0, 22.0), (20.0, 22.0), (20.0, 23.0), (14.0, 23.0))
R = 0.6
TOUCH = 1e-5


def column(count: int, radius: float, step: float, first: float) -> Outlines:
    return Outlines(np.array([[10.0, first + step * i] for i in range(count)]), np.full(count, radius))


@pytest.mark.rule("CORE.MOVE.4")
@pytest.mark.parametrize(("radius", "closed"), [(1.0001, True), (1.0, False), (0.99, False)])
def test_discs_across_the_board_close_it_off_where_they_overlap(radius: float, closed: bool) -> None:
    """Where they only touch, a way of no width leads between them."""
    ground = Ground((20.0, 10.0), solid=column(5, radius - 0.5, 2.0, 1.0))
    ways = ShortestPaths(0.5, ground)
    assert isinstance(ways.shortest((5.0, 5.0), (15.0, 5.0)), Blocked) == closed
    goal = Outlines(np.array([[15.0, 5.0]]), np.ones(1))
    assert isinstance(ways.nearest((5.0, 5.0), goal), Blocked) == closed
    assert isinstance(ways.nearest((13.0, 2.0), goal), Path)


@pytest.mark.rule("CORE.MOVE.2")
def test_the_way_round_a_disc_follows_its_rim_between_the_tangents() -> None:
    """From and to 2 inches off a disc of radius 1: two tangents, 60 degrees between."""
    ground = Ground(BOARD, solid=Outlines(np.array([[10.0, 10.0]]), np.array([0.5])))
    way = ShortestPaths(0.5, ground).shortest((8.0, 10.0), (12.0, 10.0))
    assert isinstance(way, Path)
    assert way.length == pytest.approx(2 * math.sqrt(3) + math.pi / 3)
    assert way.legs[0] == pytest.approx((9.5, 10.0 + math.sqrt(3) / 2), abs=1.8)
    assert len(way.legs) == 3


@pytest.mark.rule("CORE.MOVE.4")
def test_no_way_of_a_hull_leads_off_a_board_on_which_nothing_stands() -> None:
    ways = ShortestPaths(stance_of(hull_base(4.0, 2.0)), Ground((40.0, 30.0)))
    assert isinstance(ways.shortest((5.0, 5.0), (38.5, 5.0)), Blocked)
    assert isinstance(ways.shortest((5.0, 5.0), (38.0, 5.0)), Path)


@pytest.mark.rule("CORE.MOVE.2")
def test_a_way_into_rings_is_the_same_whatever_was_asked_before() -> None:
    """A limit that is too short for the way finds none, before and after one that is not."""
    start, rings = (17.0, 18.0), Outlines(np.array([(17.0, 30.0)]), np.array([1.0]))
    ground = Ground(BOARD, (WALL,))
    fresh = ShortestPaths(Stance(R), ground).nearest(start, rings)
    assert isinstance(fresh, Path)
    ways = ShortestPaths(Stance(R), ground)
    for limit in (fresh.length - 0.1, math.inf, fresh.length - 0.1, fresh.length + 0.1, 5.0):
        found = ways.nearest(start, rings, limit)
        assert isinstance(found, Path) == (limit > fresh.length)
        assert isinstance(found, Blocked) or found.length == fresh.length


@pytest.mark.rule("CORE.MOVE.2")
@pytest.mark.parametrize("seed", range(6))
def test_ways_of_long_bases_through_a_crowd_are_legal_and_the_same_back(seed: int) -> None:
    rng = np.random.default_rng(seed)
    places = rng.uniform([6, 2], [34, 28], (14, 2))
    walls = tuple(
        ((x, y), (x + w, y), (x + w, y + h), (x, y + h))
        for x, y, w, h in rng.uniform([5, 2, 1, 1], [30, 24, 4, 4], (3, 4))
    )
    ground = Ground((40.0, 30.0), walls, solid=Outlines(places, np.where(np.arange(14) % 2, 0.63, 1.0)))
    base = oval_base(90, 52) if seed % 2 else hull_base(3.5, 2.0)
    ways = ShortestPaths(stance_of(base, 25.0 * seed), ground)
    there, back = ways.shortest((3.0, 15.0), (37.0, 20.0)), ways.shortest((37.0, 20.0), (3.0, 15.0))
    assert isinstance(there, Path) == isinstance(back, Path)
    if isinstance(there, Path) and isinstance(back, Path):
        assert there.length == pytest.approx(back.length, abs=1e-9)
        assert not check_path(there, ways.stance, (3.0, 15.0), math.inf, ground)


def test_a_hull_that_is_touched_is_passed_along_its_side() -> None:
    """A base begins a rounding error inside the rim of a hull, and goes along it."""
    stance = stance_of(hull_base(4.0, 2.0))
    hull = Outlines(np.array([[10.0, 10.0]]), np.zeros(1), (stance.core,))
    ways = ShortestPaths(stance, Ground((40.0, 30.0), solid=hull))
    x = 14.0 - TOUCH / 2
    assert ways.graph_from((x, 10.0)).is_clear(x, 9.0, x, 11.0)
    assert not ways.graph.is_clear(x, 9.0, x, 11.0)
    assert isinstance(ways.shortest((x, 10.0), (x, 14.0)), Path)


@pytest.mark.rule("CORE.MOVE.2")
def test_two_searches_at_once_do_not_disturb_each_other() -> None:
    """Ways kept by one object are those that a fresh one finds, in any order."""
    rng = np.random.default_rng(5)
    foes = Outlines(rng.uniform(5, 40, (30, 2)), rng.uniform(0.5, 2.0, 30))
    ground = Ground(BOARD, (WALL,), solid=foes)
    ways = ShortestPaths(Stance(R), ground)
    asked = rng.uniform(1.0, 42.0, (40, 2, 2)).tolist()
    for a, b in asked + asked[::-1]:
        found, fresh = ways.shortest(a, b), ShortestPaths(Stance(R), ground).shortest(a, b)
        assert isinstance(found, Path) == isinstance(fresh, Path)
        if isinstance(found, Path) and isinstance(fresh, Path):
            assert found.length == pytest.approx(fresh.length, abs=1e-9)
