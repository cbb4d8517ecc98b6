"""Whether one base more finds a spot: on its own, beside others, and however it is shaped."""

from __future__ import annotations

import math

import numpy as np
import pytest

from geometry.measure.coherency import Spacing
from geometry.path.ground import Ground, may_stand
from geometry.shape.base import Base, Floats, hull_base, oval_base, round_base
from geometry.shape.convex_shape import NOTHING, Outlines, Stance, stance_of
from geometry.shape.polygon import rim
from geometry.single.free_spot import free_spot

BOARD = (60.0, 44.0)
SPACING = Spacing()


def box(x: float, y: float, width: float, depth: float) -> tuple[tuple[float, float], ...]:
    return ((x, y), (x + width, y), (x + width, y + depth), (x, y + depth))


def discs(*at: tuple[float, float], radius: float = 0.5) -> Outlines:
    return Outlines(np.array(at, dtype=float).reshape(-1, 2), np.full(len(at), radius))


def has_spot(
    ground: Ground,
    base: Stance | float,
    beside: Outlines,
    spacing: Spacing,
    heights: Floats | None = None,
) -> bool:
    """Return whether a base finds a spot, looked for from the others or a corner."""
    near = beside.xy.mean(axis=0) if len(beside) else np.zeros(2)
    return free_spot(ground, base, beside, spacing, near, heights) is not None


@pytest.mark.parametrize(("width", "room"), [(1.01, True), (0.99, False)])
def test_a_base_fits_into_an_area_as_wide_as_it_is(width: float, room: bool) -> None:
    ground = Ground(BOARD, area=(box(10, 10, width, 5),))
    assert has_spot(ground, 0.5, NOTHING, SPACING) is room


@pytest.mark.parametrize(("apart", "room"), [(1.001, True), (0.999, False)])
def test_a_gap_between_two_bases_holds_a_third(apart: float, room: bool) -> None:
    """The two stand in a strip one base deep, at its ends: only what is between them is free."""
    ground = Ground(
        BOARD, area=(box(10, 10, 2 + apart, 1.0),), no_end=discs((10.5, 10.5), (11.5 + apart, 10.5))
    )
    assert has_spot(ground, 0.5, NOTHING, SPACING) is room


@pytest.mark.parametrize(("far", "room"), [(2.99, True), (3.01, False)])
def test_a_spot_lies_within_reach_of_the_unit(far: float, room: bool) -> None:
    """An area that holds one base just so is 2 inches from the others, or a little more."""
    ground = Ground(BOARD, area=(box(10 + far - 0.5001, 9.4999, 1.0002, 1.0002),))
    assert has_spot(ground, 0.5, discs((10.0, 10.0)), SPACING) is room


def test_seven_models_need_two_neighbours_each() -> None:
    """A seventh finds room only beside the last of six in a row, where it has one neighbour."""
    row = discs(*((10.0 + 2.9 * i, 10.0) for i in range(6)))
    beyond = Ground(BOARD, area=(box(26.5, 9.0, 2.0, 2.0),))
    assert not has_spot(beyond, 0.5, row, SPACING)
    assert has_spot(beyond, 0.5, row.take([1, 2, 3, 4, 5]), SPACING)


def test_models_on_a_floor_far_above_are_no_neighbours() -> None:
    ground = Ground(BOARD)
    assert has_spot(ground, 0.5, discs((10.0, 10.0)), SPACING, np.array([5.0]))
    assert not has_spot(ground, 0.5, discs((10.0, 10.0)), SPACING, np.array([6.0]))


def test_an_empty_board_has_room() -> None:
    assert has_spot(Ground(BOARD), 0.5, NOTHING, SPACING)
    assert not has_spot(Ground((0.9, 0.9)), 0.5, NOTHING, SPACING)


@pytest.mark.parametrize("base", [round_base(40), oval_base(75, 42), hull_base(3.0, 1.5)])
def test_where_points_of_a_grid_are_free_a_spot_is_found(base: Base) -> None:
    """The vertices give a spot in every crowd of discs in which a point of a grid is free.

    The crowds are random and leave small free places.
    """
    rng = np.random.default_rng(5)
    stance, found = stance_of(base, 30.0), 0
    grid = np.stack(np.meshgrid(np.arange(5, 15, 0.2), np.arange(5, 15, 0.2)), axis=-1).reshape(-1, 2)
    for count in range(8, 104, 12):
        crowd = Outlines(rng.uniform(5, 15, (count, 2)), np.full(count, 0.8))
        foes = Outlines(rng.uniform(5, 15, (2, 2)), np.full(2, 1.5))
        ground = Ground(BOARD, no_end=crowd, end_avoid=foes, area=(box(5, 5, 10, 10),))
        points = grid[may_stand(ground, grid, [stance] * len(grid))]
        spot = free_spot(ground, stance, NOTHING, SPACING, (10.0, 10.0))
        if spot is not None:
            assert may_stand(ground, np.array([spot]), [stance]).all()
        if len(points):
            # No point of the grid is nearer to where the spot is looked for.
            assert spot is not None
            assert math.dist(spot, (10.0, 10.0)) <= np.hypot(*(points - 10.0).T).min() + 1e-6
        found += bool(len(points))
    assert 0 < found < 8


def test_from_inside_only_corners_that_point_inward_bound_a_base() -> None:
    square = ((0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0))
    angled = ((0.0, 0.0), (4.0, 0.0), (4.0, 2.0), (2.0, 2.0), (2.0, 4.0), (0.0, 4.0))
    assert not len(rim((square,), 0.5, inside=True).centre)
    assert rim((angled,), 0.5, inside=True).centre.tolist() == [[2.0, 2.0]]
    assert len(rim((square,), 0.5, inside=False).centre) == 4
