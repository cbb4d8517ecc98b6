"""The camera: inches to pixels and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from viewer.window.camera import CLOSEST, FARTHEST, Camera

inch = st.floats(-80, 80)
pixel = st.floats(-3000, 3000)
scale = st.floats(FARTHEST, CLOSEST)


@given(x=inch, y=inch, cx=inch, cy=inch, scale=scale)
def test_a_point_comes_back_from_the_screen(x: float, y: float, cx: float, cy: float, scale: float) -> None:
    camera = Camera((0, 66, 1140, 780), (cx, cy), scale)
    assert camera.to_world(*camera.to_screen(x, y)) == pytest.approx((x, y), abs=1e-6)


@given(at=st.tuples(pixel, pixel), factor=st.floats(0.1, 10), scale=scale)
def test_zoom_keeps_the_point_under_the_cursor(at: tuple[float, float], factor: float, scale: float) -> None:
    camera = Camera((0, 0, 1000, 700), (30, 22), scale)
    before = camera.to_world(*at)
    camera.zoom(factor, at)
    assert camera.to_world(*at) == pytest.approx(before, abs=1e-6)
    assert FARTHEST <= camera.scale <= CLOSEST


def test_y_runs_up_the_screen() -> None:
    camera = Camera((0, 0, 600, 440), (30, 22), 10)
    assert camera.to_screen(0, 44) == (0, 0)
    assert camera.to_screen(60, 0) == (600, 440)


@given(width=st.integers(1, 3000), height=st.integers(1, 2000))
def test_fit_shows_the_whole_board_or_is_as_far_as_it_goes(width: int, height: int) -> None:
    camera = Camera((10, 20, width, height))
    camera.fit(60, 44)
    corners = [camera.to_screen(x, y) for x in (0, 60) for y in (0, 44)]
    inside = all(10 <= x <= 10 + width and 20 <= y <= 20 + height for x, y in corners)
    assert inside or camera.scale == FARTHEST


@given(right=pixel, down=pixel)
def test_pan_moves_what_is_seen_by_as_many_pixels(right: float, down: float) -> None:
    camera = Camera((0, 0, 1000, 700), (30, 22), 12)
    x, y = camera.to_screen(5, 5)
    camera.pan(right, down)
    assert camera.to_screen(5, 5) == pytest.approx((x - right, y - down), abs=1e-6)
