"""Numbers that come out of geometry are Python's own, however the core runs.

A log takes no others. Compiled, the core turns numbers of numpy into its own, so that these tests tell more
where it runs uncompiled.
"""

from __future__ import annotations

import numpy as np
import pytest

from geometry import portable
from geometry.group.group_move import Moved, Party, move_to_point, move_toward
from geometry.measure.coherency import Spacing
from geometry.path.ground import Ground
from geometry.path.pivoting import turning_path
from geometry.path.planner import Path
from geometry.shape.base import Base, Polygon, hull_base, oval_base, round_base
from geometry.shape.convex_shape import Outlines

BOARD = (60.0, 44.0)
WALLS: tuple[Polygon, ...] = (
    ((20.0, 0.0), (21.0, 0.0), (21.0, 21.0), (20.0, 21.0)),
    ((20.0, 23.0), (21.0, 23.0), (21.0, 44.0), (20.0, 44.0)),
)
"""Two walls with a gap of two inches between them."""
BIKE = oval_base(75, 42)


def party(base: Base) -> Party:
    """Return a model before the gap that faces along the walls, and may turn for an inch."""
    at, one = np.array([(12.0, 21.5)]), np.ones(1)
    return Party(at, one * base.radius, one * 9.0, (base,), one * 90.0, one)


def kinds(path: Path) -> set[type]:
    """Return the types of all numbers of a path."""
    return {type(number) for part in (path.start, *path.legs) for number in part} | {type(path.length)}


def test_angles_and_sums_of_numpy_s_numbers_are_plain() -> None:
    x, y = np.array([3.0, -4.0])
    assert type(portable.angle_of(x, y)) is float
    assert type(portable.sum_of(np.array([0.5, 0.25]))) is float
    assert type(portable.norm(x, y)) is float
    assert type(portable.dot(np.ones(2), np.ones(2))) is float
    assert {type(each) for each in portable.way_at(x)} == {float}


@pytest.mark.parametrize("base", [BIKE, hull_base(4.0, 1.6), round_base(32)], ids=["oval", "hull", "round"])
def test_the_paths_of_a_unit_are_plain(base: Base) -> None:
    """A long base turns to where it goes before it passes the gap."""
    unit, ground = party(base), Ground(BOARD, walls=WALLS)
    for moved in (
        move_to_point(unit, (40.0, 22.5), ground, Spacing()),
        move_toward(unit, Outlines(np.array([(40.0, 22.5)]), np.ones(1)), ground, Spacing(), 1.0),
    ):
        assert isinstance(moved, Moved)
        assert moved.paths[0].is_turned == (base.shape != "round")
        assert kinds(moved.paths[0]) == {float}


def test_the_path_of_a_base_that_may_turn_is_plain() -> None:
    start, goal = np.array([12.0, 21.5]), np.array([30.0, 22.5])
    found = turning_path(BIKE, 90.0, start.tolist(), goal.tolist(), 30.0, 1.0, Ground(BOARD, walls=WALLS))
    assert isinstance(found, Path)
    assert kinds(found) == {float}
