"""Ways that begin where a move ended: on the rim of a wall's corner.

The beginning is rounded as positions are.
"""

from __future__ import annotations

import math

import pytest

from geometry.path.ground import Ground
from geometry.path.planner import Path, check_path, way

CORNER = (38.0, 24.0)
WALL = (CORNER, (38.0, 14.0), (43.0, 14.0), (43.0, 24.0))
GROUND = Ground((60.0, 44.0), walls=(WALL,))
RADIUS = 3.869431482789171


def on_rim(degrees: float, out: float = 0.0) -> tuple[float, float]:
    """Return the place of a base that touches the corner, moved `out` inches away from it."""
    angle = math.radians(degrees)
    return CORNER[0] + (RADIUS + out) * math.cos(angle), CORNER[1] + (RADIUS + out) * math.sin(angle)


@pytest.mark.parametrize("goal", [(31.5, 24.0), (44.0, 30.0), (30.0, 10.0)])
def test_a_base_that_stopped_half_way_round_a_corner_goes_on(goal: tuple[float, float]) -> None:
    """The way is as long as from 1e-5 inches farther out, but for rounding.

    This holds from anywhere on the quarter circle.
    """
    for tenth in range(900, 1800, 7):
        x, y = on_rim(tenth / 10)
        found = way(RADIUS, (round(x, 7), round(y, 7)), goal, GROUND)
        free = way(RADIUS, on_rim(tenth / 10, 1e-5), goal, GROUND)
        assert isinstance(found, Path)
        assert isinstance(free, Path)
        assert found.length == pytest.approx(free.length, abs=1e-3)


def test_a_base_that_stopped_beside_a_turned_wall_goes_on_round_its_end() -> None:
    """The tangent from close by arrives at the corner's rim a rounding error before it is open."""
    for degrees in range(0, 360, 7):
        along = (math.cos(math.radians(degrees)), math.sin(math.radians(degrees)))
        across = (-along[1], along[0])

        def at(
            x: float, y: float, a: tuple[float, float] = along, b: tuple[float, float] = across
        ) -> tuple[float, float]:
            return 30 + x * a[0] + y * b[0], 22 + x * a[1] + y * b[1]

        wall = tuple((round(x, 4), round(y, 4)) for x, y in (at(0, 0), at(-10, 0), at(-10, -5), at(0, -5)))
        ground = Ground((60.0, 44.0), walls=(wall,))
        face = (wall[1][0] - wall[0][0], wall[1][1] - wall[0][1])
        long = math.hypot(*face)
        out = (face[1] / long, -face[0] / long)
        for gone in (0.003, 0.03, 0.1, 0.5, 3.0):
            foot = wall[0][0] + face[0] * gone / long, wall[0][1] + face[1] * gone / long
            start = round(foot[0] + out[0] * RADIUS, 7), round(foot[1] + out[1] * RADIUS, 7)
            free = foot[0] + out[0] * (RADIUS + 1e-4), foot[1] + out[1] * (RADIUS + 1e-4)
            goal = at(RADIUS + 1, -4)
            found, wide = way(RADIUS, start, goal, ground), way(RADIUS, free, goal, ground)
            assert isinstance(found, Path)
            assert isinstance(wide, Path)
            assert found.length == pytest.approx(wide.length, abs=2e-3)
            assert check_path(found, RADIUS, start, 100.0, ground) == ()
