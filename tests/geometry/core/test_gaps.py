"""Distances of points from one shape of the core, where they are known."""

from __future__ import annotations

from array import array

import pytest

from geometry.core.gaps import put_gaps
from geometry.shape.base import hull_base
from geometry.shape.convex_shape import core_of

HULL = core_of(hull_base(4.0, 2.0)).table


@pytest.mark.parametrize(
    ("point", "far"),
    [
        ((14.0, 20.0), 1.5),
        ((10.0, 24.0), 2.5),
        ((15.0, 25.0), 4.5),
        ((10.0, 20.0), -1.5),
        ((11.75, 20.0), -0.75),
        ((12.5, 20.0), 0.0),
        ((12.0, 21.0), -0.5),
    ],
)
def test_a_point_lies_off_a_hull_with_a_margin(point: tuple[float, float], far: float) -> None:
    found = array("d", [7.0])
    put_gaps(HULL, 10.0, 20.0, 0.5, array("d", point), found, 0, 1)
    assert found[0] == pytest.approx(far, abs=1e-12)


def test_distances_come_to_every_third_place_from_the_second_on() -> None:
    found = array("d", [7.0] * 6)
    put_gaps(HULL, 0.0, 0.0, 0.0, array("d", [3.0, 0.0, 0.0, 5.0]), found, 1, 3)
    assert found.tolist() == [7.0, 1.0, 7.0, 7.0, 4.0, 7.0]
