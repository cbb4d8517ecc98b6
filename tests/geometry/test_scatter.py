"""Ends chosen from spots laid out everywhere: what they leave is measured by the way, not across walls."""

from __future__ import annotations

import math

import numpy as np
import pytest

from geometry.group.party import Muster, Party
from geometry.group.sampling import Scatter
from geometry.measure.coherency import Spacing
from geometry.path.ground import Ground
from geometry.shape.convex_shape import Outlines, Stance
from geometry.single.free_space import Footing
from geometry.single.goal import ToBases, ToLine
from geometry.single.model_move import Mover

R32 = 16 / 25.4
FOES = np.array([(40.0, 22.0), (41.0, 24.0), (40.0, 26.0)])
POCKET = (
    ((18.0, 12.0), (19.0, 12.0), (19.0, 32.0), (18.0, 32.0)),
    ((12.0, 12.0), (18.0, 12.0), (18.0, 12.5), (12.0, 12.5)),
    ((12.0, 31.5), (18.0, 31.5), (18.0, 32.0), (12.0, 32.0)),
)
"""Walls open to the unit alone: straight ahead there is no way through."""


def discs(at: np.ndarray, radius: float = R32) -> Outlines:
    return Outlines(at, np.full(len(at), radius))


@pytest.mark.parametrize("count", [7, 9, 11])
@pytest.mark.parametrize("clutter", [0, 25])
def test_nobody_goes_where_more_of_the_way_is_left(count: int, clutter: int) -> None:
    """R.A03: into a dead end before the target is no nearer to it, however near it is across the wall."""
    at = np.array([(6 + 1.5 * (i % 4), 20 + 1.5 * (i // 4)) for i in range(count)])
    about = np.random.default_rng(5).uniform((20, 6), (34, 38), (clutter, 2))
    solid = discs(about, 1.0).joined(discs(FOES))
    ground = Ground((60.0, 44.0), walls=POCKET, solid=solid, avoid=discs(FOES, R32 + 1))
    goal = ToBases(discs(FOES), 1.001)
    movers = Muster(Party(at, np.full(count, R32), np.full(count, 8.0)), ground).movers(goal)
    found = Scatter(movers, Spacing()).berths(None, True, lambda _: True, nearer=True)
    assert found is not None
    footing = Footing(ground, Stance(R32))
    left = [Mover(taken.xy, 0.0, footing, goal).trail.length for taken in found]
    before = [mover.trail.length for mover in movers]
    moved = [far for far, taken in zip(left, found, strict=True) if taken.option.length[0] > 0]
    assert min(moved) < min(before) - 1
    assert max(moved) < max(before)


@pytest.mark.rule("R.A03")
def test_the_one_spot_between_friends_is_found() -> None:
    """Friends stand all about seven models; one gap before them is just as wide as a base, and on no grid."""
    at = np.array([(6.0, 4.0 + 1.3 * i) for i in range(7)])
    gap = np.array([8.317, 7.641])
    x, y = np.meshgrid(np.arange(1.0, 16.0, 1.27), np.arange(0.7, 16.0, 1.27))
    about = np.stack([x.ravel(), y.ravel()], axis=1)
    kept = [xy for xy in about if np.hypot(*(at - xy).T).min() > 2 * R32 and math.dist(xy, gap) > 2 * R32]
    beside = [gap + 2 * R32 * np.array([math.cos(angle), math.sin(angle)]) for angle in (0.4, 1.5, -1.2)]
    ground = Ground((60.0, 44.0), no_end=discs(np.array(kept + beside)))
    movers = Muster(Party(at, np.full(7, R32), np.full(7, 6.0)), ground).movers(ToBases(discs(FOES)))
    found = Scatter(movers, Spacing()).berths(None, True, lambda _: True, nearer=True)
    assert found is not None
    assert min(float(np.hypot(*(taken.xy - gap))) for taken in found) < 1e-3


def test_a_choice_is_closed_up() -> None:
    """Ten models end about their point nearly as on a lattice laid out from it, though theirs is not."""
    at = np.array([(20.0 + 1.7 * (i % 5), 26.0 + 1.7 * (i // 5)) for i in range(10)])
    movers = Muster(Party(at, np.full(10, R32), np.full(10, 9.0)), Ground((60.0, 44.0))).movers(
        ToLine((30.1, 22.3), (30.1, 22.3))
    )
    found = Scatter(movers, Spacing()).berths(None, True, lambda _: True, nearer=True)
    assert found is not None
    assert sum(taken.left for taken in found) <= 2 * R32 * (6 + 3 * math.sqrt(3)) * 1.08


def test_a_way_that_ends_in_what_covers_its_goal_is_measured_up_to_there() -> None:
    """A large friend covers the point that seven models make for, a small one stands before it: all go on."""
    at = np.array([(8.0 + 1.5 * (i % 4), 21.0 + 1.5 * (i // 4)) for i in range(7)])
    covered = Outlines(np.array([(40.0, 22.0), (37.5, 22.0)]), np.array([3.0, 0.8]))
    ground = Ground((60.0, 44.0), solid=covered)
    goal = ToLine((40.0, 22.0), (40.0, 22.0))
    movers = Muster(Party(at, np.full(7, R32), np.full(7, 6.0)), ground).movers(goal)
    found = Scatter(movers, Spacing()).berths(None, True, lambda _: True, nearer=True)
    assert found is not None
    assert np.mean([taken.option.length[0] for taken in found]) > 5.0
