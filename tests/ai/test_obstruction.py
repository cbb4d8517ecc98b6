"""What is in a unit's way: places on it that decide."""

from __future__ import annotations

import numpy as np
import pytest

from ai.horde.obstruction import _places
from geometry.path.planner import Path
from geometry.shape.arrangement import Edges


@pytest.mark.rule("R.A03")
def test_a_gap_of_a_hundredth_of_an_inch_between_two_discs_is_looked_at() -> None:
    """Between the discs of 1 inch about 3 and 5.01 the way is free from 4 to 4.01 alone."""
    middles = np.array([[3.0, 0.0], [5.01, 0.0]])
    edges = Edges.of_circles(middles, np.ones(2))
    spots = _places(Path((0.0, 0.0), ((6.0, 0.0),)), edges, 6.0)
    assert spots[:, 1] == pytest.approx(0.0)
    open_ = (np.abs(spots[:, :1] - middles[:, 0]) > 1.0 + 1e-9).all(axis=1)
    assert spots[open_, 0] == pytest.approx([0.25, 1.125, 4.005])
    assert spots[-1, 0] == 6.0
