"""Straight ways from many places to many spots, told at once: the same as each way judged by itself."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from geometry.path.ground import Ground, may_stand
from geometry.path.obstacles import Obstacles
from geometry.path.pairwise_visibility import Lanes
from geometry.shape.base import Bools, Floats, Polygon, oval_base
from geometry.shape.convex_shape import NOTHING, Outlines, stance_of

R32 = 16 / 25.4
BOARD = (60.0, 44.0)
TRIANGLE = ((10.0, 10.0), (14.0, 11.0), (11.0, 15.0))
HOUSE = ((18.0, 9.0), (22.0, 9.0), (22.0, 13.0), (20.0, 15.0), (18.0, 13.0))
WALLS = (TRIANGLE, HOUSE)


def lanes(start: Floats, obstacles: Obstacles) -> Lanes:
    return Lanes(start, obstacles, np.arange(len(obstacles.walls)))


def judged(start: Floats, spots: Floats, obstacles: Obstacles) -> Bools:
    """Return the same table, each way asked about by itself."""
    rows = [obstacles.clear(np.repeat(at[None], len(spots), axis=0), spots) for at in start]
    return np.array(rows)


def free_spots(seed: int, count: int, ground: Ground) -> Floats:
    """Return places about the walls where a base may stand."""
    at = np.random.default_rng(seed).uniform((7.0, 6.0), (25.0, 18.0), (count, 2))
    return at[may_stand(ground, at, np.full(count, R32))]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("walls", [(), WALLS])
@pytest.mark.parametrize("models", [0, 6])
def test_all_ways_at_once_are_as_each_by_itself(seed: int, walls: tuple[Polygon, ...], models: int) -> None:
    chance = np.random.default_rng((seed, 1))
    foes = Outlines(chance.uniform((7.0, 6.0), (25.0, 18.0), (models, 2)), chance.uniform(0.2, 1.0, models))
    ground = Ground(BOARD, walls, solid=foes if models else NOTHING)
    obstacles = Obstacles.of(R32, ground)
    start, spots = free_spots(seed, 30, ground), free_spots(seed + 9, 200, ground)
    expected = judged(start, spots, obstacles)
    assert (lanes(start, obstacles).free(spots) == expected).all()
    assert expected.any()
    assert expected.all() == (not walls and not models)


def test_a_base_in_contact_with_a_corner_a_side_or_a_model_goes_along_it_but_not_through() -> None:
    square = ((10.0, 10.0), (12.0, 10.0), (12.0, 12.0), (10.0, 12.0))
    foe = Outlines(np.array([[15.0, 8.0]]), np.array([R32]))
    obstacles = Obstacles.of(R32, Ground(BOARD, (square,), solid=foe))
    edge = R32 * np.sqrt(0.5)
    start = np.array([[11.0, 10.0 - R32], [10.0 - edge, 10.0 - edge], [15.0, 8.0 - 2 * R32]])
    spots = np.array([[14.0, 10.0 - R32], [11.0, 14.0], [5.0, 13.0], [20.0, 8.0 - 2 * R32], [15.0, 11.0]])
    free = lanes(start, obstacles).free(spots)
    assert (free == judged(start, spots, obstacles)).all()
    assert free[0, 0]
    assert not free[0, 1]
    assert not free[1, 1]
    assert free[2, 3]
    assert not free[2, 4]


def test_who_stands_inside_something_goes_nowhere() -> None:
    start = np.array([[11.5, 11.5], [10.5, 10.2], [5.0, 5.0]])
    obstacles = Obstacles.of(R32, Ground(BOARD, WALLS))
    assert lanes(start, obstacles).free(np.array([[5.0, 8.0]])).tolist() == [[False], [False], [True]]


def test_shapes_of_many_arcs_are_left_out() -> None:
    """An oval is judged when a way is chosen; the others throw their shadows all the same."""
    oval = stance_of(oval_base(60, 35))
    foes = Outlines(np.array([[12.0, 8.0], [16.0, 8.0]]), np.array([oval.radius, R32]))
    foes = replace(foes, core=(oval.core, stance_of(oval_base(32, 32)).core))
    obstacles = Obstacles.of(R32, Ground(BOARD, (TRIANGLE,), solid=foes))
    start, spots = np.array([[8.0, 8.0]]), np.array([[14.2, 8.0], [20.0, 8.0], [15.0, 14.0]])
    assert lanes(start, obstacles).free(spots).tolist() == [[True, False, False]]
    assert judged(start, spots, obstacles).tolist() == [[False, False, False]]
