"""How far a base reaches from an area: what "wholly within" is measured by."""

from __future__ import annotations

import numpy as np
import pytest

from geometry.measure.region import farthest_from_polygon
from geometry.shape.convex_shape import Outlines

SQUARE = ((0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0))


@pytest.mark.rule("CORE.TRN.2", "CORE.TRN.3")
@pytest.mark.parametrize(
    ("at", "far"),
    [
        ((-3.0, 2.0), 4.0),
        ((-1.0, 2.0), 2.0),
        ((-0.5, 2.0), 1.5),  # across the edge, as beside where a wreck stood
        ((0.5, 2.0), 0.5),
        ((2.0, 2.0), 0.0),
        ((4.3, 4.4), 1.5),  # off a corner: 0.5 away, and its radius
    ],
)
def test_a_disc_reaches_as_far_as_its_farthest_point(at: tuple[float, float], far: float) -> None:
    disc = Outlines(np.array([at]), np.array([1.0]))
    assert farthest_from_polygon(disc, SQUARE)[0] == pytest.approx(far)
