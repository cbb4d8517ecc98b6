"""What one mover asks: its shortest way to the nearest bases, followed no farther than it can be of use."""

from __future__ import annotations

import math

import numpy as np
import pytest
from msgspec.structs import replace

from geometry.base import hull_base
from geometry.budget import Budget
from geometry.coherency import Spacing
from geometry.footing import Footing
from geometry.goal import ToBases
from geometry.ground import Ground
from geometry.group import Party, move_into_contact
from geometry.guide import guide
from geometry.mover import Mover
from geometry.outline import Outlines, Stance, stance_of
from geometry.path import Blocked

BOARD = (60.0, 44.0)
R32 = 16 / 25.4
STANCES = (Stance(R32), stance_of(hull_base(5.0, 3.0), 30.0))


def discs(xy: object, radius: float = R32) -> Outlines:
    at = np.array(xy, dtype=float).reshape(-1, 2)
    return Outlines(at, np.full(len(at), radius))


def scattered(seed: int) -> tuple[Ground, ToBases]:
    """Return a ground with models and walls all over it, and a goal of some of those models."""
    rng = np.random.default_rng(seed)
    models = discs(rng.uniform((12, 4), (58, 40), (26, 2)), 1.0)
    walls = tuple(
        ((x, y), (x + 1.0, y), (x + 1.0, y + 9.0), (x, y + 9.0))
        for x, y in rng.uniform((14, 2), (50, 32), (4, 2)).tolist()
    )
    return Ground(BOARD, walls=walls, solid=models), ToBases(models.take(np.arange(20, 26)), 1.0)


@pytest.mark.parametrize("stance", STANCES, ids=("round", "hull"))
def test_a_way_is_the_shortest_to_any_of_the_nearest_bases(stance: Stance) -> None:
    bent = 0
    for seed in range(30):
        ground, goal = scattered(seed)
        mover = Mover((5.0, 22.0), 6.0, Footing(ground, stance), goal)
        ways = [mover.way_to(aim) for aim in goal.aims(mover.at, stance)]
        lengths = [way.length for way in ways if way is not None]
        if lengths and not mover.is_straight:
            assert mover.trail.length <= min(lengths) + 1e-6, seed
            bent += 1
    assert bent > 5


@pytest.mark.parametrize("stance", STANCES, ids=("round", "hull"))
def test_a_bound_changes_no_way_that_is_shorter(stance: Stance) -> None:
    """A way longer than the bound is none or a longer one than that; any other is the very same."""
    shorter = longer = 0
    for seed in range(30):
        ground, goal = scattered(seed)
        free = Mover((5.0, 22.0), 6.0, Footing(ground, stance), goal)
        for share in (0.5, 0.9, 1.1, 2.0):
            most = free.trail.length * share
            if free.is_lost or not most:
                continue
            bound = Mover((5.0, 22.0), 6.0, Footing(ground, stance), goal, most=most)
            if share > 1:
                assert bound.trail.path == free.trail.path, seed
                shorter += 1
            else:
                assert bound.is_lost or bound.trail.length >= most, seed
                longer += bound.is_lost
    assert shorter > 40
    assert longer > 20


def test_the_ways_on_a_ground_are_known_while_nothing_moves() -> None:
    """Where a base may end is not asked of a way; a model in another place makes other ways."""
    ground, _ = scattered(1)
    known = guide(STANCES[0], ground)
    zone = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0))
    same = replace(ground, solid=discs(ground.solid.xy.tolist(), 1.0), shun=(zone,))
    assert guide(STANCES[0], same) is known
    moved = replace(ground, solid=discs((ground.solid.xy + 0.01).tolist(), 1.0))
    assert guide(STANCES[0], moved) is not known
    assert guide(STANCES[1], ground) is not known


def test_a_charge_that_no_model_can_bring_home_is_soon_given_up() -> None:
    """Friends stand all round the target: once each model has looked alone, no other order is tried."""
    foe = discs((30, 22))
    ring = [(30 + 2.4 * math.cos(a), 22 + 2.4 * math.sin(a)) for a in np.arange(12) * math.tau / 12]
    wide = [(30 + 3.8 * math.cos(a), 22 + 3.8 * math.sin(a)) for a in np.arange(18) * math.tau / 18]
    ground = Ground(BOARD, solid=foe.joined(discs(ring)).joined(discs(wide)))
    at = np.array([(20.0 + 1.5 * (i % 2), 18.0 + 1.5 * (i // 2)) for i in range(8)])
    budget = Budget()
    party = Party(at, np.full(8, R32), np.full(8, 12.0), budget=budget)
    found = move_into_contact(party, [foe], ground, Spacing())
    assert isinstance(found, Blocked)
    assert budget.spent < 6000
