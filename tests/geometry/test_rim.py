"""Ways that begin where a move ended: on the rim of a wall's corner, rounded as positions are."""

from __future__ import annotations

import math

import pytest

from geometry.ground import Ground
from geometry.path import Path, way

CORNER = (38.0, 24.0)
WALL = (CORNER, (38.0, 14.0), (43.0, 14.0), (43.0, 24.0))
GROUND = Ground((60.0, 44.0), walls=(WALL,))
RADIUS = 3.869431482789171


def on_rim(degrees: float, out: float = 0.0) -> tuple[float, float]:
    """Return the place of a base that touches the corner, so far out."""
    angle = math.radians(degrees)
    return CORNER[0] + (RADIUS + out) * math.cos(angle), CORNER[1] + (RADIUS + out) * math.sin(angle)


@pytest.mark.parametrize("goal", [(31.5, 24.0), (44.0, 30.0), (30.0, 10.0)])
def test_a_base_that_stopped_half_way_round_a_corner_goes_on(goal: tuple[float, float]) -> None:
    """As far, but for rounding, as from a hair farther out, from anywhere on the quarter circle."""
    for tenth in range(900, 1800, 7):
        x, y = on_rim(tenth / 10)
        found = way(RADIUS, (round(x, 7), round(y, 7)), goal, GROUND)
        free = way(RADIUS, on_rim(tenth / 10, 1e-5), goal, GROUND)
        assert isinstance(found, Path)
        assert isinstance(free, Path)
        assert found.length == pytest.approx(free.length, abs=1e-3)
