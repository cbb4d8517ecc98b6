"""That the shortcuts past a search lead nowhere else: ways past one disc are the shortest there are."""

from __future__ import annotations

import math

import numpy as np
import pytest

from geometry.path.ground import Ground
from geometry.path.planner import Blocked, Path, Ways, check_path
from geometry.path.planner_cache import Guide, past_disc
from geometry.shape.convex_shape import Outlines, Stance

BOARD = (44.0, 60.0)
WALL = ((14.0, 22.0), (20.0, 22.0), (20.0, 23.0), (14.0, 23.0))
R = 0.6


@pytest.mark.rule("CORE.MOVE.2")
def test_the_way_past_one_base_is_the_shortest(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is as long as what a search finds; many ways are found so, others need the search."""
    known: list[Path | None] = []
    shortcut = Guide._round_one

    def noted(guide: Guide, a: tuple[float, float], b: tuple[float, float]) -> Path | None:
        known.append(shortcut(guide, a, b))
        return known[-1]

    monkeypatch.setattr(Guide, "_round_one", noted)
    rng = np.random.default_rng(7)
    for _ in range(120):
        foes = Outlines(rng.uniform(5, 25, (6, 2)), rng.uniform(0.5, 2.0, 6))
        ground = Ground(BOARD, (WALL,), solid=foes)
        a, b = rng.uniform(0.7, 26.0, (2, 2)).tolist()
        one, two = Guide(Stance(R), ground).shortest(a, b), Ways(Stance(R), ground).shortest(a, b)
        assert isinstance(one, Blocked) == isinstance(two, Blocked)
        if isinstance(one, Path) and isinstance(two, Path):
            assert one.length == pytest.approx(two.length, abs=1e-9)
            if known and known[-1] is one and (foes.distances(np.array([a, b])) >= R).all():
                assert not check_path(one, R, a, math.inf, Ground(BOARD, (WALL,), solid=foes))
    assert sum(way is not None for way in known) > 15
    assert sum(way is None for way in known) > 5


def test_the_way_round_a_disc_follows_its_rim_between_the_tangents() -> None:
    """From (-2, 0) to (2, 0) past a disc of radius 1: two tangents of sqrt(3), and 60 degrees between."""
    for turn in (1.0, -1.0):
        way = past_disc((-2.0, 0.0), (2.0, 0.0), (0.0, 0.0, 1.0), turn)
        assert way.length == pytest.approx(2 * math.sqrt(3) + math.pi / 3)
        assert way.legs[0] == pytest.approx((-0.5, -turn * math.sqrt(3) / 2))
    on_rim = past_disc((-1.0, 0.0), (0.0, 1.0), (0.0, 0.0, 1.0), -1.0)
    assert on_rim.legs == (pytest.approx((0.0, 1.0, 0.0, 0.0, -1.0)),)


@pytest.mark.rule("CORE.MOVE.2")
def test_a_way_into_rings_is_the_same_whatever_was_asked_before() -> None:
    """A limit that is too short for the way finds none, before and after one that is not."""
    start, rings = (17.0, 18.0), Outlines(np.array([(17.0, 30.0)]), np.array([1.0]))
    ground = Ground(BOARD, (WALL,))
    fresh = Ways(Stance(R), ground).nearest(start, rings)
    assert isinstance(fresh, Path)
    guide = Guide(Stance(R), ground)
    for limit in (fresh.length - 0.1, math.inf, fresh.length - 0.1, fresh.length + 0.1, 5.0):
        found = guide.nearest(start, rings, limit)
        assert isinstance(found, Path) == (limit > fresh.length)
        assert isinstance(found, Blocked) or found.length == fresh.length
