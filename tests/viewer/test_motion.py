"""Where a model is while it moves."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from viewer.story.motion import along, ease, length, polyline

point = st.tuples(st.floats(0, 60), st.floats(0, 44))


@given(start=point, legs=st.lists(point, min_size=1, max_size=5), part=st.floats(0, 1))
def test_a_model_moves_from_its_start_to_its_end(
    start: tuple[float, float], legs: list[tuple[float, float]], part: float
) -> None:
    points = polyline(start, legs)
    assert along(points, 0) == pytest.approx(start)
    assert along(points, 1) == pytest.approx(legs[-1])
    gone = math.dist(start, along(points, part))
    assert gone <= length(points) * part + 1e-6


@pytest.mark.parametrize(("turn", "middle"), [(1.0, (10.0, 8.0)), (-1.0, (10.0, 12.0))])
def test_an_arc_turns_the_way_it_says(turn: float, middle: tuple[float, float]) -> None:
    points = polyline((8.0, 10.0), [(12.0, 10.0, 10.0, 10.0, turn)])
    assert length(points) == pytest.approx(2 * math.pi, rel=0.01)
    assert along(points, 0.5) == pytest.approx(middle, abs=0.05)
    assert all(math.dist(p, (10.0, 10.0)) == pytest.approx(2.0) for p in points)


def test_ease_begins_and_ends_where_time_does() -> None:
    assert (ease(0), ease(0.5), ease(1), ease(7)) == (0, 0.5, 1, 1)
