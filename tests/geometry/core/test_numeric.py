"""Angles, turned directions and places in a ring, against the mathematics library."""

from __future__ import annotations

import math
import random
from itertools import pairwise

import pytest

from geometry.core.numeric import rotated, turned

ULPS = 2e-15
"""An error in the last bits of an angle up to a full turn, in radians."""
DIRECTIONS = [
    (length * x, length * y)
    for length in (1e-200, 1e-3, 1.0, 60.0, 1e150)
    for x in (-1.0, -1e-9, 0.0, 0.3, 1.0)
    for y in (-1.0, -0.66, 0.0, 1e-9, 1.0)
    if x or y
]


def directions(count: int) -> list[tuple[float, float]]:
    """Return drawn directions, always the same."""
    chance = random.Random(23)
    return [(chance.uniform(-60, 60), chance.uniform(-60, 60)) for _ in range(count)]


@pytest.mark.parametrize("to", DIRECTIONS)
def test_an_angle_from_the_x_axis_is_that_of_atan2(to: tuple[float, float]) -> None:
    angle = math.atan2(to[1], to[0])
    assert turned(1.0, 0.0, *to) == pytest.approx(angle if angle >= 0 else angle + math.tau, abs=ULPS)


def test_angles_between_drawn_directions_are_differences_of_bearings() -> None:
    several = directions(5_000)
    for (ax, ay), (bx, by) in pairwise(several):
        expected = (math.atan2(by, bx) - math.atan2(ay, ax)) % math.tau
        # One nearly full turn more or less is a rounding error between equal directions; none is drawn.
        assert turned(ax, ay, bx, by) == pytest.approx(expected, abs=2 * ULPS)


@pytest.mark.parametrize(
    ("to", "angle"),
    [
        ((1.0, 0.0), 0.0),
        ((1.0, 1.0), math.pi / 4),
        ((0.0, 1.0), math.pi / 2),
        ((-1.0, 0.0), math.pi),
        ((0.0, -1.0), 1.5 * math.pi),
        ((1.0, -1e-300), math.tau),
        ((0.0, 0.0), 0.0),
    ],
)
def test_quarters_are_exact(to: tuple[float, float], angle: float) -> None:
    assert turned(1.0, 0.0, *to) == angle


@pytest.mark.parametrize("angle", [i * math.tau / 720 for i in range(721)])
def test_a_direction_is_turned_as_by_sine_and_cosine(angle: float) -> None:
    x, y = rotated(1.0, 0.0, angle)
    assert x == pytest.approx(math.cos(angle), abs=1e-15)
    assert y == pytest.approx(math.sin(angle), abs=1e-15)


@pytest.mark.parametrize("angle", [-1e-9, math.tau + 1e-9])
def test_a_rounding_error_beyond_a_full_turn_does_no_harm(angle: float) -> None:
    x, y = rotated(3.0, 4.0, angle)
    assert math.hypot(x - 3.0, y - 4.0) == pytest.approx(5e-9, rel=1e-6)


def test_a_direction_turned_by_the_angle_to_another_points_along_that() -> None:
    several = directions(5_000)
    for (ax, ay), (bx, by) in pairwise(several):
        x, y = rotated(ax, ay, turned(ax, ay, bx, by))
        share = math.hypot(bx, by) / math.hypot(ax, ay)
        assert (x * share, y * share) == pytest.approx((bx, by), abs=1e-13)
