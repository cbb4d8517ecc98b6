"""The best spot for one round base among its friends, found by the few edges that matter."""

from __future__ import annotations

import math

import numpy as np
import pytest

from geometry.group.party import Muster, Party
from geometry.path.ground import Ground
from geometry.path.planner import Path
from geometry.shape.base import Base, Bools, Floats
from geometry.shape.convex_shape import NOTHING, Outlines, Stance, stance_of
from geometry.single.best_spot import berth
from geometry.single.best_spot_round import Lens
from geometry.single.free_space import Footing
from geometry.single.goal import Away, Goal, ToBases, ToLine
from geometry.single.model_move import Mover, Straight
from geometry.single.placed_friends import Company

BOARD = (60.0, 44.0)
R = 0.5
SQUARE = ((20.0, 20.0), (24.0, 20.0), (24.0, 24.0), (20.0, 24.0))


def discs(*xy: tuple[float, float], radius: float = R) -> Outlines:
    at = np.array(xy, dtype=float).reshape(-1, 2)
    return Outlines(at, np.full(len(at), radius))


def mover(ground: Ground, goal: Goal, start: tuple[float, float], limit: float) -> Mover:
    """Return a mover that knows its straight way where that is free, as those of a unit do."""
    found = Muster(Party(np.array([start]), np.array([R]), np.array([limit])), ground).movers(goal)[0]
    assert isinstance(found, Mover)
    return found


def looked(one: Mover, friends: Outlines = NOTHING, need: int = 0, stays: bool = True) -> Lens:
    return Lens(one, Company(friends, need, 2.0), None, stays, math.inf)


def test_beside_a_friend_at_the_end_of_its_way() -> None:
    """A friend stands 6" ahead, where it would end: the best spot touches it, 6" from the start."""
    lens = looked(
        mover(Ground(BOARD), ToLine((30.0, 10.0), (30.0, 10.0)), (10.0, 10.0), 6.0), discs((16.0, 10.0))
    )
    option = lens.best()
    assert lens.is_sure
    assert option is not None
    x, y = option.xy[0]
    # The chord of a circle of 6" that is an inch long.
    assert (x, abs(y - 10)) == pytest.approx((10 + 6 - 1 / 12, math.sqrt(1 - 1 / 144)), abs=1e-6)
    assert option.left[0] == pytest.approx(math.hypot(30 - x, y - 10))


def test_barred_spots_are_left_out() -> None:
    """Of the two places beside that friend the one that is not barred is taken."""
    one = mover(Ground(BOARD), ToLine((30.0, 10.0), (30.0, 10.0)), (10.0, 10.0), 6.0)
    for side in (1.0, -1.0):

        def allowed(_: Mover, xy: Floats, side: float = side) -> Bools:
            return np.asarray(side * (xy[:, 1] - 10.0) > 0.1)

        option = Lens(one, Company(discs((16.0, 10.0)), 0, 2.0), allowed, stays=True, below=math.inf).best()
        assert option is not None
        assert option.xy[0, 1] == pytest.approx(10 + side * math.sqrt(1 - 1 / 144), abs=1e-6)


def test_along_a_wall_that_holds_its_end() -> None:
    """It would end 0.25" before a wall's side: it stops half an inch from it, as far along it as it gets."""
    goal = ToLine((30.0, 25.0), (30.0, 25.0))
    one = mover(Ground(BOARD, no_stand=(SQUARE,)), goal, (14.0, 17.0), 7.5)
    lens = looked(one)
    option = lens.best()
    assert lens.is_sure
    assert option is not None
    x, y = option.xy[0]
    assert math.hypot(x - 14, y - 17) == pytest.approx(7.5)
    assert one.footing.stands(option.xy)[0]
    assert y == pytest.approx(19.5)


def test_near_enough_to_a_friend() -> None:
    """It could go 6" ahead; a friend that it must stand within 2" of lets it go no farther than 3" beyond."""
    one = mover(Ground(BOARD), ToLine((30.0, 10.0), (30.0, 10.0)), (10.0, 10.0), 6.0)
    lens = looked(one, discs((10.0, 11.0)), need=1)
    option = lens.best()
    assert option is not None
    x, y = option.xy[0]
    assert math.hypot(x - 10, y - 11) == pytest.approx(3.0)
    # The nearest place to the goal within 3" of the friend is on the line between them.
    assert (y - 11) * 20 == pytest.approx(-(x - 10), abs=1e-5)


def test_a_shape_of_many_arcs_is_not_told_here() -> None:
    """Where its end lies in an oval the search among all edges finds the spot, and it is legal."""
    oval = Outlines(np.array([[16.0, 10.0]]), np.zeros(1), (stance_of(Base("oval", 4.0, 2.0), 0.0).core,))
    one = mover(Ground(BOARD, no_end=oval), ToLine((30.0, 10.0), (30.0, 10.0)), (10.0, 10.0), 6.0)
    lens = looked(one)
    assert lens.best() is None
    assert not lens.is_sure
    taken = berth(one, Company(NOTHING, 0, 2.0))
    assert taken is not None
    assert one.footing.stands(taken.xy[None])[0]
    assert taken.left < one.start_left - 3


def test_friends_that_are_no_discs_are_searched_about_among_all_edges() -> None:
    """A hull at the end of its way: it ends beside that, and not in it."""
    hull = stance_of(Base("hull", 6.0, 4.0), 0.0)
    friends = Outlines(np.array([[16.0, 10.0]]), np.array([hull.radius]), (hull.core,))
    one = mover(Ground(BOARD), ToLine((30.0, 10.0), (30.0, 10.0)), (10.0, 10.0), 6.0)
    company = Company(friends, 0, 2.0)
    taken = berth(one, company)
    assert taken is not None
    assert company.suits(taken.xy[None], one.stance)[0]
    assert taken.left < one.start_left


def test_what_is_cut_off_is_gone_round() -> None:
    """A spot behind a corner is reached round that."""
    wall = ((14.0, 10.2), (14.4, 10.2), (14.4, 16.0), (14.0, 16.0))
    one = Mover(
        (10.0, 9.0),
        8.0,
        Footing(Ground(BOARD, walls=(wall,)), Stance(R)),
        ToLine((17.0, 11.0), (17.0, 11.0)),
        Straight(Path((10.0, 9.0), ((17.0, 9.0),)), is_free=True),
    )
    lens = looked(one)
    option = lens.best()
    assert option is not None
    way = lens.way(option)
    assert way is not None
    assert way.end == pytest.approx((17.0, 11.0))
    assert math.hypot(7, 2) < way.length <= 8


def boards(seed: int) -> tuple[Mover, Outlines]:
    """Return a mover among models, walls and friends that lie all about the end of its straight way."""
    rng = np.random.default_rng(seed)
    about = rng.uniform((14, 14), (22, 22), (9, 2))
    walls = tuple(((x, y), (x + 0.3, y), (x + 0.3, y + 2.0), (x, y + 2.0)) for x, y in about[:2].tolist())
    ground = Ground(BOARD, no_stand=walls, no_end=Outlines(about[2:6], np.full(4, 0.8)))
    bases = Outlines(rng.uniform((26, 14), (34, 24), (3, 2)), np.full(3, 1.0))
    goals: tuple[Goal, ...] = (ToBases(bases), ToLine((30.0, 18.0), (30.0, 20.0)), Away(bases, 100.0))
    goal = goals[seed % 3]
    start = (24.0, 18.0) if isinstance(goal, Away) else (12.0, 18.0)
    one = mover(ground, goal, start, 6.0)
    return one, Outlines(about[6:], np.full(3, R))


def spots_about(at: Floats, limit: float) -> Floats:
    """Return spots close together, wherever a mover gets."""
    far, turn = np.meshgrid(np.linspace(0, limit, 60), np.linspace(0, math.tau, 240, endpoint=False))
    return at + np.stack([far.ravel() * np.cos(turn.ravel()), far.ravel() * np.sin(turn.ravel())], axis=1)


@pytest.mark.parametrize("seed", range(48))
def test_no_legal_spot_leaves_less(seed: int) -> None:
    """Of spots laid out closely none that it may take leaves less than the best one."""
    one, friends = boards(seed)
    company = Company(friends, seed % 2, 2.0)
    spots = spots_about(one.at, one.limit)
    spots = spots[one.footing.stands(spots) & company.suits(spots, one.stance)]
    lens = Lens(one, company, None, stays=True, below=math.inf)
    option = lens.best()
    if not lens.is_sure:
        pytest.skip("it comes to no end")
    if option is None:
        assert not len(spots)
        return
    assert one.footing.stands(option.xy)[0] or np.hypot(*(option.xy[0] - one.at)) < 1e-9
    assert company.suits(option.xy, one.stance)[0]
    assert option.left[0] <= one.goal.left(spots, one.stance).min(initial=math.inf) + 1e-6


def test_most_spots_are_found_so() -> None:
    """The search comes to an end on nearly all those boards."""
    ends = 0
    for seed in range(48):
        one, friends = boards(seed)
        lens = looked(one, friends, seed % 2)
        lens.best()
        ends += lens.is_sure
    assert ends >= 44


def test_the_way_of_the_foremost_is_looked_for_once() -> None:
    """Who leads a unit keeps its way for the search model by model; for another goal it looks anew."""
    wall = ((14.0, 4.0), (14.4, 4.0), (14.4, 16.0), (14.0, 16.0))
    muster = Muster(
        Party(np.array([[10.0, 9.0], [10.0, 11.0]]), np.full(2, R), np.full(2, 6.0)),
        Ground(BOARD, walls=(wall,)),
    )
    goal = ToLine((20.0, 10.0), (20.0, 10.0))
    known = muster.mover(0, Stance(R), goal)
    assert muster.movers(goal)[0] is known
    assert muster.movers(ToLine((21.0, 10.0), (21.0, 10.0)))[0] is not known
