"""What is named as being in the way where there is no way, no move, no charge."""

from __future__ import annotations

import numpy as np

from geometry.group.group_move import Party, move_away, move_into_contact
from geometry.measure.coherency import Spacing
from geometry.path.blockage import COHERENCY, DISTANCE, MODEL, RANGE, WALL, Blocked, Blocker
from geometry.path.ground import Ground
from geometry.path.planner import path, way
from geometry.shape.base import Polygon
from geometry.shape.convex_shape import Outlines

R32 = 16 / 25.4
BOARD = (60.0, 44.0)
SPACING = Spacing()


def discs(*at: tuple[float, float]) -> Outlines:
    return Outlines(np.array(at, dtype=float).reshape(-1, 2), np.full(len(at), R32))


def party(*at: tuple[float, float], limit: float = 6.0) -> Party:
    return Party(np.array(at, dtype=float), np.full(len(at), R32), np.full(len(at), limit))


def test_who_is_shut_in_is_told_the_wall_ahead_and_no_other() -> None:
    def wall(low: tuple[float, float], high: tuple[float, float]) -> Polygon:
        return (low, (high[0], low[1]), high, (low[0], high[1]))

    ahead, behind = wall((12.0, 8.0), (13.0, 12.0)), wall((7.0, 8.0), (8.0, 12.0))
    left, right = wall((7.0, 12.0), (13.0, 13.0)), wall((7.0, 7.0), (13.0, 8.0))
    found = way(R32, (10.0, 10.0), (30.0, 10.0), Ground(BOARD, (ahead, behind, left, right)))
    assert isinstance(found, Blocked)
    assert found.by == (Blocker(WALL, (12.5, 10.0)),)


def test_a_taken_place_names_who_has_it() -> None:
    found = path(
        R32, (10.0, 10.0), (15.0, 10.0), 6.0, Ground(BOARD, no_end=discs((15.5, 10.0), (30.0, 30.0)))
    )
    assert isinstance(found, Blocked)
    assert found.by == (Blocker(MODEL, (15.5, 10.0)),)


def test_a_charge_too_far_names_the_distance() -> None:
    found = move_into_contact(party((10, 10)), [discs((30, 10))], Ground(BOARD), SPACING)
    assert isinstance(found, Blocked)
    assert found.by == (Blocker(DISTANCE),)


def test_a_charge_names_the_enemy_that_it_may_not_pass() -> None:
    """The lane between two walls is held by an enemy that is not a target."""
    walls: tuple[Polygon, ...] = (
        ((0.0, 8.0), (60.0, 8.0), (60.0, 9.0), (0.0, 9.0)),
        ((0.0, 11.0), (60.0, 11.0), (60.0, 12.0), (0.0, 12.0)),
    )
    stranger, target = discs((14.0, 10.0)), discs((17.0, 10.0))
    ground = Ground(BOARD, walls, solid=stranger.joined(target), avoid=stranger.grown(1.0))
    found = move_into_contact(party((10, 10), limit=9.0), [target], ground, SPACING)
    assert isinstance(found, Blocked)
    assert Blocker(MODEL, (14.0, 10.0)) in found.by
    assert Blocker(RANGE, (14.0, 10.0)) in found.by


def test_what_only_coherency_forbids_says_so() -> None:
    """One could charge alone; its fellow, bound to its place, would be left behind."""
    unit = Party(np.array([[10.0, 10.0], [7.0, 10.0]]), np.full(2, R32), np.array([9.0, 0.0]))
    found = move_into_contact(unit, [discs((19.0, 10.0))], Ground(BOARD, solid=discs((19.0, 10.0))), SPACING)
    assert isinstance(found, Blocked)
    assert found.by == (Blocker(COHERENCY),)


def test_a_fall_back_names_the_friends_all_about() -> None:
    friends = discs(*((10 + 1.3 * i, 10 + 1.3 * j) for i in range(-6, 7) for j in range(-6, 7) if i or j))
    foe = discs((10.0, 11.3))
    ground = Ground(BOARD, no_end=friends, end_avoid=foe.grown(1.0))
    found = move_away(party((10, 10), limit=3.0), foe, ground, SPACING)
    assert isinstance(found, Blocked)
    assert any(blocker.kind == MODEL for blocker in found.by)
