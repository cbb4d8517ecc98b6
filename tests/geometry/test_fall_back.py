"""How far a single model gets that falls back from several threats."""

from __future__ import annotations

import numpy as np
import pytest

from geometry.group.group_move import Moved, Party, move_away
from geometry.measure.coherency import Spacing
from geometry.measure.distance import gaps as gaps_of
from geometry.path.ground import Ground
from geometry.path.planner import Blocked
from geometry.shape.base import Floats
from geometry.shape.convex_shape import Outlines

R = 16 / 25.4


def discs(*at: tuple[float, float]) -> Outlines:
    return Outlines(np.array(at, dtype=float), np.full(len(at), R))


def party(at: tuple[float, float]) -> Party:
    return Party(np.array([at], dtype=float), np.full(1, R), np.full(1, 6.0))


def gaps_to(moved: Moved | Blocked, foes: Outlines) -> Floats:
    assert isinstance(moved, Moved)
    return np.asarray(gaps_of(discs(moved.paths[0].end), foes)[0])


def test_core_move_7_who_falls_back_gains_all_that_it_may_go_where_one_threat_stays_the_closest() -> None:
    near, beside = (30 - 2 * R - 0.2, 22.0), (30 - 2 * R - 0.6, 23.3)
    foes = discs(near, beside)
    ground = Ground((60.0, 44.0), no_end=foes, end_avoid=foes.grown(1.0))
    moved = move_away(party((30, 22)), foes, ground, Spacing())
    assert gaps_to(moved, foes).min() == pytest.approx(6.2, abs=1e-6)


def test_core_move_7_between_two_threats_both_end_up_as_far() -> None:
    foes = discs((30 - 2 * R - 0.4, 22.0), (30, 22 + 2 * R + 0.4))
    ground = Ground((60.0, 44.0), no_end=foes, end_avoid=foes.grown(1.0))
    gaps = gaps_to(move_away(party((30, 22)), foes, ground, Spacing()), foes)
    assert gaps[0] == pytest.approx(gaps[1], abs=1e-6)
