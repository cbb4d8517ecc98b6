"""Points that lie in none of many shapes: the answer is that of the distances from all."""

from __future__ import annotations

import numpy as np
import pytest

from geometry.shape.base import hull_base, oval_base, round_base
from geometry.shape.convex_shape import Outlines, stance_of
from geometry.shape.nearby import Vicinity, shapes_of

BASES = (round_base(32), oval_base(105, 70), hull_base(4.7, 2.9), oval_base(170, 109))


@pytest.mark.parametrize("slack", [0.0, 0.25])
def test_clear_points_are_those_that_no_shape_reaches(slack: float) -> None:
    chance = np.random.default_rng(7)
    stances = [stance_of(base, angle) for base in BASES for angle in (0.0, 33.0)]
    shapes = shapes_of(chance.uniform(0, 20, (len(stances), 2)), stances)
    for own in (None, stance_of(BASES[1], 70.0)):
        about = Vicinity(shapes if own is None else shapes.against(own))
        points = chance.uniform(-2, 22, (400, 2))
        measured = (about.shapes.distances(points) >= -slack).all(axis=1)
        assert 0 < measured.sum() < len(measured)
        np.testing.assert_array_equal(about.clear(points, slack), measured)


def test_each_shape_may_have_a_slack_of_its_own() -> None:
    pair = Outlines(np.array([[0.0, 0.0], [10.0, 0.0]]), np.array([1.0, 1.0]))
    points = np.array([[0.7, 0.0], [9.3, 0.0], [5.0, 0.0]])
    assert Vicinity(pair).clear(points, np.array([0.5, 0.0])).tolist() == [True, False, True]
