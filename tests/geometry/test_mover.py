"""What one mover asks: its shortest way to the nearest bases, followed no farther than it can be of use."""

from __future__ import annotations

import math

import numpy as np
import pytest
from msgspec.structs import replace

from geometry.group.group_move import Party, move_into_contact
from geometry.measure.coherency import Spacing
from geometry.path.budget import Budget
from geometry.path.ground import Ground
from geometry.path.planner import Blocked, Path, check_path, shortest_paths
from geometry.shape.arrangement import Edges
from geometry.shape.base import Base, Floats, hull_base
from geometry.shape.convex_shape import Outlines, Stance, stance_of
from geometry.single.free_space import Footing
from geometry.single.goal import ToBases
from geometry.single.model_move import Mover
from geometry.single.routes import ways_to


def on_rims(rings: Outlines) -> Floats:
    """Return points on the rims of rings, at most 0.4 inches apart along each arc and edge."""
    edges = Edges.of(rings)
    width = np.full(len(edges.reach), math.tau) if edges.width is None else edges.width
    low = np.zeros(len(edges.reach)) if edges.low is None else edges.low
    found = []
    for centre, reach, begin, wide in zip(edges.centre, edges.reach, low, width, strict=True):
        angle = begin + np.arange(0.0, wide, 0.4 / max(float(reach), 0.4))
        found.append(centre + reach * np.stack([np.cos(angle), np.sin(angle)], axis=1))
    for a, b in zip(edges.start, edges.end, strict=True):
        found.append(a + np.linspace(0.0, 1.0, int(np.hypot(*(b - a)) / 0.4) + 2)[:, None] * (b - a))
    return np.vstack(found)


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


SHAPES = (*STANCES, stance_of(Base("oval", 4.72, 3.62), 20.0), stance_of(Base("oval", 3.0, 1.65), 70.0))


@pytest.mark.parametrize("stance", SHAPES, ids=("round", "hull", "oval", "long oval"))
def test_a_way_is_the_shortest_to_any_place_about_any_of_the_bases(stance: Stance) -> None:
    """Ways to places close together all along the rings about the bases are no shorter, and hardly longer."""
    bent = 0
    for seed in range(4):
        ground, goal = scattered(seed)
        mover = Mover((5.0, 22.0), 6.0, Footing(ground, stance), goal)
        trail, ways = mover.trail.path, ways_to(mover.footing, goal.bases)
        assert not check_path(trail, stance, mover.start, math.inf, ways.ground), seed
        assert goal.left(np.array([trail.end]), stance)[0] <= 1e-6, seed
        places = [on_rims(goal.rings(stance))]
        lengths = [math.inf]
        for spot in np.vstack(places):
            if math.dist(spot, mover.start) < min(lengths) and ways.obstacles.is_clear(spot, spot):
                found = ways.shortest(mover.start, spot, min(lengths))
                lengths += [found.length] if isinstance(found, Path) else []
        assert min(lengths) - 0.4 <= trail.length <= min(lengths) + 1e-6, seed
        bent += not mover.is_straight
    assert bent


def test_who_is_shut_off_makes_for_the_nearest_base_all_the_same() -> None:
    """Friends stand all round the goal: the way ends there, but soon runs into them."""
    foe = discs((30, 22))
    ring = discs([(30 + 1.3 * math.cos(a), 22 + 1.3 * math.sin(a)) for a in np.arange(6) * math.tau / 6])
    mover = Mover((20.0, 22.0), 9.0, Footing(Ground(BOARD, solid=foe.joined(ring)), 1.2), ToBases(foe))
    assert mover.is_shut
    assert not mover.is_lost
    assert mover.trail.length == pytest.approx(10 - R32 - 1.2)
    assert mover.far < 8


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
    known = shortest_paths(STANCES[0], ground)
    zone = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0))
    same = replace(ground, solid=discs(ground.solid.xy.tolist(), 1.0), shun=(zone,))
    assert shortest_paths(STANCES[0], same) is known
    moved = replace(ground, solid=discs((ground.solid.xy + 0.01).tolist(), 1.0))
    assert shortest_paths(STANCES[0], moved) is not known
    assert shortest_paths(STANCES[1], ground) is not known


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


@pytest.mark.parametrize("stance", STANCES, ids=("round", "hull"))
def test_no_bent_way_is_shorter_than_by_where_it_may_bend_first(stance: Stance) -> None:
    """A spot that is told to be too far round is one that no way within the limit leads to."""
    told = 0
    for seed in range(6):
        ground, goal = scattered(seed)
        footing = Footing(ground, stance)
        mover = Mover((30.0, 22.0), 9.0, footing, goal)
        spots = np.random.default_rng(seed).uniform((22, 14), (38, 30), (60, 2))
        spots = spots[footing.stands(spots)]
        straight = mover.free.clear(np.broadcast_to(mover.at, spots.shape), spots)
        far = spots[~straight & ~mover.may_go_round(spots)]
        told += int((np.hypot(*(far - mover.at).T) < 9.0).sum())
        assert all(mover.true_way(spot) is None for spot in far)
    assert told > 0
