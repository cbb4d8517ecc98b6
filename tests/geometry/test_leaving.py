"""Models that have to leave a zone: where they get out, and when they stay."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely

from geometry.group.group_move import Moved, Party, move_to_point, move_toward
from geometry.measure.coherency import Spacing
from geometry.path.elevation import Rise
from geometry.path.ground import Ground
from geometry.path.planner import Path, ShortestPaths, check_path
from geometry.shape.base import Base, hull_base, oval_base, round_base
from geometry.shape.convex_shape import Outlines, stance_of
from geometry.single.goal import ToBases

BOARD = (60.0, 44.0)
ZONE = ((0.0, 0.0), (60.0, 0.0), (60.0, 10.0), (0.0, 10.0))
HULL = hull_base(5.0, 3.0)
FOE = Outlines(np.array([[30.0, 30.0]]), np.full(1, 0.5))


def leaves(base: Base, facing: float, at: tuple[float, float], limit: float, ground: Ground) -> bool:
    """Return whether a model that has to leave a zone does."""
    party = Party(
        np.array([at]), np.full(1, base.radius), np.full(1, limit), (base,), np.full(1, facing), None
    )
    found = move_toward(party, FOE, ground, Spacing(), stays=False)
    assert isinstance(found, Moved)
    return bool(found.paths[0].legs)


@pytest.mark.rule("AI.STAY.5")
@pytest.mark.parametrize("hair", [1e-3, -1e-3])
@pytest.mark.parametrize(
    ("base", "facing", "deep"),
    [
        (HULL, 0.0, 6.5),
        (HULL, 90.0, 7.5),
        (oval_base(120, 92), 90.0, 5 + 60 / 25.4),
        (round_base(32), 0.0, 5 + 16 / 25.4),
    ],
)
def test_nobody_leaves_a_zone_that_is_deeper_than_it_goes(
    base: Base, facing: float, deep: float, hair: float
) -> None:
    """It ends with no part in its zone."""
    assert leaves(base, facing, (30.0, 5.0), deep + hair, Ground(BOARD, shun=(ZONE,))) is (hair > 0)


@pytest.mark.rule("AI.STAY.5")
@pytest.mark.parametrize("hair", [0.5, -1e-3])
def test_round_a_wall_the_nearest_place_is_on_an_open_edge(hair: float) -> None:
    """The way passes the wall's end at (42.5, 4.5), then goes straight to the zone's edge."""
    wall = ((0.0, 6.0), (40.0, 6.0), (40.0, 8.0), (0.0, 8.0))
    far = math.hypot(12.5, 1.5) + 7.0
    assert leaves(HULL, 0.0, (30.0, 3.0), far + hair, Ground(BOARD, (wall,), shun=(ZONE,))) is (hair > 0)


@pytest.mark.rule("AI.STAY.5")
@pytest.mark.parametrize("hair", [1e-3, -1e-3])
def test_what_stands_beyond_the_zone_keeps_in_as_well(hair: float) -> None:
    """What fills the ground before the zone is passed, and not ended on."""
    friend = ((0.0, 10.0), (60.0, 10.0), (60.0, 14.0), (0.0, 14.0))
    ground = Ground(BOARD, no_stand=(friend,), shun=(ZONE,))
    assert leaves(HULL, 0.0, (30.0, 5.0), 10.5 + hair, ground) is (hair > 0)


@pytest.mark.rule("AI.STAY.5")
@pytest.mark.parametrize(("deep", "moves"), [(5.501, True), (5.499, False)])
def test_a_unit_stays_whole_where_one_of_its_models_is_kept_in(deep: float, moves: bool) -> None:
    party = Party(np.array([[30.0, 6.0], [30.0, 5.0]]), np.full(2, 0.5), np.full(2, deep))
    found = move_toward(party, FOE, Ground(BOARD, shun=(ZONE,)), Spacing(), stays=False)
    assert isinstance(found, Moved)
    assert [bool(path.legs) for path in found.paths] == [moves, moves]


@pytest.mark.rule("AI.STAY.5")
@pytest.mark.parametrize(("limit", "moves"), [(11.501, True), (11.499, False)])
def test_who_is_kept_in_by_a_low_wall_leaves_over_it_where_that_is_paid_for(
    limit: float, moves: bool
) -> None:
    """All along the zone stands a wall of 3 inches: up and down costs 6 of the move."""
    wall = ((0.0, 7.0), (60.0, 7.0), (60.0, 8.0), (0.0, 8.0))
    ground = Ground(BOARD, (wall,), shun=(ZONE,), rises=(Rise(wall, 3.0),))
    party = Party(np.array([[30.0, 5.0]]), np.full(1, 0.5), np.full(1, limit))
    foe = Outlines(np.array([[30.0, 30.0]]), np.full(1, 0.5))
    found = move_toward(party, foe, ground, Spacing(2.0), 1.0, stays=False)
    assert isinstance(found, Moved)
    assert any(path.legs for path in found.paths) is moves


@pytest.mark.rule("AI.STAY.5")
@pytest.mark.parametrize(("limit", "leaves"), [(10.0, True), (6.4, False)])
def test_who_may_end_nowhere_near_its_way_leaves_aside_of_it(limit: float, leaves: bool) -> None:
    """The way to the foe leads over a friend's hull and along the border.

    All the room is up the table.
    """
    long_hull = hull_base(6.5, 4.2)
    stands = stance_of(long_hull, 90.0)
    turn = np.radians(np.arange(15.0, 57.6, 2.5))
    arc = tuple(zip((30.0 + 9.0 * np.sin(turn)).tolist(), (22.0 - 9.0 * np.cos(turn)).tolist(), strict=True))
    zones = (((39.0, 22.0), (46.445, 22.0), (60.0, 0.0)), (*arc, (60.0, 0.0)))
    friend = Outlines(np.array([[36.7, 21.2]]), np.zeros(1), (stands.core,))
    foe = Outlines(np.array([[32.8, 24.4]]), np.full(1, 0.8))
    ground = Ground(BOARD, no_end=friend, shun=zones)
    at = np.array([[42.72, 18.75]])
    party = Party(at, np.full(1, long_hull.radius), np.full(1, limit), (long_hull,), np.full(1, 90.0), None)
    found = move_toward(party, foe, ground, Spacing(2.0), 1.0, stays=False)
    assert isinstance(found, Moved)
    assert bool(found.paths[0].legs) is leaves
    if leaves:
        assert check_path(found.paths[0], stands, at[0].tolist(), limit, ground) == ()


@pytest.mark.rule("AI.STAY.5", "R.A24")
def test_two_hulls_leave_to_where_both_have_room() -> None:
    """Ahead one alone may end; so may both aside, away from the ways to what they make for."""
    shut = (
        ((0.0, 10.0), (27.3, 10.0), (27.3, 44.0), (0.0, 44.0)),
        ((27.3, 13.2), (32.7, 13.2), (32.7, 44.0), (27.3, 44.0)),
        ((32.7, 10.0), (42.0, 10.0), (42.0, 44.0), (32.7, 44.0)),
        ((42.0, 13.2), (60.0, 13.2), (60.0, 44.0), (42.0, 44.0)),
    )
    ground = Ground(BOARD, no_stand=shut, shun=(ZONE,))
    at = np.array([(30.0, 6.0), (35.5, 6.0)])
    pair = Party(at, np.full(2, HULL.radius), np.full(2, 18.0), (HULL, HULL), np.zeros(2))
    moved = move_toward(
        pair, Outlines(np.array([(30.0, 40.0)]), np.array([0.6])), ground, Spacing(), 1.0, False
    )
    assert isinstance(moved, Moved)
    ends = np.array([path.end for path in moved.paths])
    assert (ends[:, 1] >= 11.5 - 1e-6).all()
    assert (ends[:, 0] >= 44.5 - 1e-6).all()


@pytest.mark.rule("AI.STAY.5")
def test_a_rank_of_which_the_last_goes_between_the_others_leaves_whole() -> None:
    """If the models take spots in turn, some model always finds none.

    If they go on one or two at a time from here, all do.
    """
    deep = ((60.0, 44.0), (60.0, 0.0), (42.0, 0.0), (42.0, 44.0))
    wall = ((42.0, 43.5), (37.0, 43.5), (37.0, 33.5), (42.0, 33.5))
    crate = ((38.5, 30.5), (36.5, 30.5), (36.5, 24.5), (38.5, 24.5))
    y = [33.0, 31.4251969, 34.5748031, 29.8503937, 36.1496063, 28.2755906]
    at = np.array([*((42.7874016, each) for each in y), (42.984252, 37.9102897)])
    size, far = np.array([20.0] * 6 + [25.0]) / 25.4, np.array([5.0] * 6 + [6.0])
    foes = Outlines(
        np.array([(33.4549289, 26.3234768), (34.2443418, 24.9608205), (32.1211073, 25.4862642)]),
        np.full(3, 20 / 25.4),
    )
    ground = Ground(BOARD, no_stand=(wall, crate), shun=(deep,))
    found = move_toward(Party(at, size, far), foes, ground, Spacing(), 1.001, stays=False)
    assert isinstance(found, Moved)
    assert all(path.end[0] + own < 42.0 + 1e-6 for path, own in zip(found.paths, size, strict=True))


@pytest.mark.rule("AI.STAY.5")
def test_a_unit_that_finds_no_room_near_its_way_leaves_by_a_front_and_goes_on_from_there() -> None:
    """A column stands along the side of a zone.

    Beside the zone there is room for all models, ahead of it for some.
    """
    small, wide, huge = round_base(32).radius, round_base(40).radius, round_base(60).radius
    ahead = [(29.82, 13.46), (26.59, 13.9), (27.85, 13.9), (27.63, 11.39), (29.66, 9.81), (27.26, 9.9)]
    ahead += [(28.51, 9.31), (27.71, 12.65)]
    aside = [(24.2, 11.69), (22.32, 13.67), (25.71, 11.25), (23.83, 13.22), (25.34, 12.78)]
    radius = [small] * len(ahead) + [wide] * len(aside) + [huge]
    friends = Outlines(np.array([*ahead, *aside, (28.36, 6.82)]), np.array(radius))
    zone = ((30.0, 0.0), (60.0, 0.0), (60.0, 22.0), (30.0, 13.0))
    ground = Ground(BOARD, shun=(zone,), no_end=friends)
    start = np.array([(30.79, y) for y in (8.85, 7.27, 5.69, 4.11, 2.53, 0.95)])
    party = Party(start, np.full(6, wide), np.full(6, 11.0))
    foe = Outlines(np.array([(28.0, 33.6)]), np.array([wide]))
    front = ((30.0 - wide, 0.0), (30.0 - wide, 13.0))
    found = move_toward(party, foe, ground, Spacing(), 1.01, stays=False)
    beside = move_to_point(party, front, ground, Spacing(), stays=False)
    assert isinstance(found, Moved)
    assert isinstance(beside, Moved)
    ends, out = (np.array([path.end for path in each.paths]) for each in (found, beside))
    assert all(path.legs for path in found.paths)
    assert (shapely.distance(shapely.Polygon(zone), shapely.points(ends)) >= wide - 1e-6).all()
    far = [float(np.hypot(*(spots - foe.xy[0]).T).sum()) for spots in (ends, out)]
    assert far[0] < far[1] - 10.0


@pytest.mark.rule("AI.STAY.5")
def test_a_unit_whose_way_leads_back_through_the_zone_leaves_to_where_another_way_is_short() -> None:
    """A block stands at the zone's edge: they were to go south of it, and leave to its north."""
    wide, huge = round_base(50).radius, round_base(60).radius
    block = ((38.0, 22.0), (48.0, 22.0), (48.0, 27.0), (38.0, 27.0))
    zone = ((39.0, 0.0), (60.0, 0.0), (60.0, 22.0), (39.0, 22.0))
    friends = Outlines(np.array([(42.7, 21.0), (44.7, 21.0)]), np.array([wide, wide]))
    ground = Ground(BOARD, (block,), shun=(zone,), no_end=friends)
    start = np.array([(53.22, 21.01), (51.25, 21.01), (55.19, 21.01), (49.09, 20.81)])
    party = Party(start, np.array([wide, wide, wide, huge]), np.array([12.0, 12.0, 12.0, 14.0]))
    foe = Outlines(np.array([(29.0, 23.0)]), np.array([round_base(32).radius]))
    found = move_toward(party, foe, ground, Spacing(), 1.01, stays=False)
    assert isinstance(found, Moved)
    goal = ToBases(foe, 1.01)
    nearest = []
    for spots in (start, np.array([path.end for path in found.paths])):
        ways = [
            ShortestPaths(party.stance(row), ground).nearest(spot, goal.rings(party.stance(row)))
            for row, spot in enumerate(spots)
        ]
        nearest.append(min(way.length for way in ways if isinstance(way, Path)))
    assert (np.array([path.end for path in found.paths])[:, 1] >= 22.0 + wide - 1e-6).all()
    assert nearest[1] < nearest[0] - 1.0


@pytest.mark.rule("AI.STAY.5")
@pytest.mark.parametrize("limit", [10.0, 11.0, 12.0])
def test_the_first_of_a_pair_goes_as_far_round_a_corner_as_it_may(limit: float) -> None:
    """They make for a place ahead, in the zone; the way out leads round a block."""
    block = ((38.0, 22.0), (48.0, 22.0), (48.0, 27.0), (38.0, 27.0))
    zone = ((30.0, 0.0), (60.0, 0.0), (60.0, 22.0), (30.0, 22.0))
    start = np.array([(49.265, 20.425), (52.415, 20.425)])
    pair = Party(start, np.full(2, round_base(80).radius), np.full(2, limit))
    foe = Outlines(np.array([(28.5, 20.0)]), np.array([1.77]))
    found = move_toward(pair, foe, Ground(BOARD, (block,), shun=(zone,)), Spacing(), 1.01, stays=False)
    assert isinstance(found, Moved)
    assert found.paths[0].length == pytest.approx(limit, abs=1e-3)
