"""Whether units go over what is in the way, come up to it, or go round: known lengths."""

from __future__ import annotations

import math

import numpy as np
import pytest
from msgspec.structs import replace

from geometry.group.group_move import Moved, Party, move_toward
from geometry.measure.coherency import Spacing
from geometry.path.elevation import Crowd, Layer, Rise
from geometry.path.ground import Ground
from geometry.path.planner import Path, ShortestPaths, check_path
from geometry.shape.base import Base, Polygon, hull_base, oval_base, round_base
from geometry.shape.convex_shape import NOTHING, Outlines
from geometry.single.goal import ToBases

SIZE = (60.0, 44.0)
R32 = round_base(32).radius
RING = 2 * R32 + 1.01
STOP = 1.01
GAP = (18.0, 12.0)
HEIGHT = 5.0
LONG: Polygon = ((26.0, 0.0), (28.0, 0.0), (28.0, 40.0), (26.0, 40.0))
SHORT: Polygon = ((26.0, 8.0), (28.0, 8.0), (28.0, 12.0), (26.0, 12.0))
FOE = (40.0, 10.0)


def ground(
    *walls: Polygon, foe: tuple[float, float] = FOE, friend: tuple[float, float] | None = None
) -> Ground:
    """Return a board with walls 5 inches high and an enemy 2 inches tall.

    A friend may be passed, but no base may end on it.
    """
    foes = Outlines(np.array([foe]), np.array([R32]))
    friends = Outlines(np.array([friend]), np.array([R32])) if friend else NOTHING
    z = np.full(len(foes) + len(friends), 0.0)
    every = foes.joined(friends)
    body, near = Layer(every, z - 2.0, z + 2.0), Layer(foes.grown(1.0), z[:1] - 5.0, z[:1] + 5.0)
    solid = Layer(foes, z[:1] - 2.0, z[:1] + 2.0)
    crowd = Crowd(solid=solid, avoid=near, no_end=body, all=every, z=z)
    rises = tuple(Rise(wall, HEIGHT, ()) for wall in walls)
    return Ground(SIZE, walls=walls, rises=rises, crowd=crowd).at(0.0)


def moved(
    where: Ground, limit: float, at: tuple[float, float] = (20.0, 10.0), foe: tuple[float, float] = FOE
) -> Moved:
    """Return the move of one model toward the enemy, after the checker has passed it."""
    party = Party(np.array([at]), np.array([R32]), np.array([limit]))
    found = move_toward(party, Outlines(np.array([foe]), np.array([R32])), where, Spacing(), STOP)
    assert isinstance(found, Moved)
    if found.paths[0].legs:
        assert check_path(found.paths[0], R32, at, limit, where) == ()
    return found


@pytest.mark.rule("R.A03", "CORE.MOVE.8")
def test_who_cannot_pay_for_a_climb_yet_comes_up_to_it_and_has_it_left_to_go() -> None:
    """Up and down a wall of 5 inches is 10, more than the 8 of the move.

    The way round it is 50 longer.
    """
    found = moved(ground(LONG), 8.0)
    assert found.paths[0].end == pytest.approx((26.0 - R32, 10.0), abs=1e-4)
    gone = 6.0 - R32
    assert found.left[0] == pytest.approx(20.0 - RING + 2 * HEIGHT - gone, abs=1e-3)
    assert not found.lost


@pytest.mark.rule("R.A03", "CORE.MOVE.8")
def test_who_is_sooner_round_a_wall_than_over_it_goes_round() -> None:
    found = moved(ground(SHORT), 8.0)
    assert math.dist((20.0, 10.0), found.paths[0].end) > 7.5
    assert found.left[0] < 20.0 - RING - 8.0 + 2.0


@pytest.mark.parametrize(("half", "over"), [(6.0, False), (20.0, True)])
@pytest.mark.rule("R.A03", "R.A04", "CORE.MOVE.8")
def test_the_way_over_a_piece_with_an_enemy_in_it_leads_on_to_where_one_may_end(
    half: float, over: bool
) -> None:
    """From the north, every place that is near enough to the enemy is in the piece.

    The way therefore crosses the piece, or leads round it. Up to the enemy itself the way over the small
    piece would be the shorter one.
    """
    foe, start = (30.0, 18.8), (30.0, 28.0)
    piece: Polygon = ((30.0 - half, 18.0), (30.0 + half, 18.0), (30.0 + half, 22.0), (30.0 - half, 22.0))
    where = ground(piece, foe=foe)
    way = ShortestPaths(R32, where).climbing_into(start, Outlines(np.array([foe]), np.array([RING])))
    assert isinstance(way, Path)
    assert way.end[1] <= 18.0 - R32 + 1e-6
    assert way.is_level != over
    through = 28.0 - 18.8 - RING + 2 * HEIGHT
    assert way.length > through + 0.5
    assert moved(where, 8.0, start, foe).paths[0].end[1] == pytest.approx(22.0 + R32, abs=1e-4) or not over


@pytest.mark.rule("R.A03", "CORE.MOVE.8")
def test_who_means_to_climb_comes_up_beside_a_friend_at_the_foot_of_the_wall() -> None:
    friend = (26.0 - R32, 10.0)
    found = moved(ground(LONG, friend=friend), 8.0)
    assert math.dist(found.paths[0].end, friend) > 2 * R32 - 1e-5
    # Beside the friend it is as near to the wall as can be.
    assert found.paths[0].end[0] == pytest.approx(26.0 - R32, abs=1e-3)


@pytest.mark.parametrize("stays", [True, False])
@pytest.mark.rule("R.A03", "R.A05", "AI.STAY.5", "CORE.MOVE.8")
def test_a_unit_makes_for_the_climb_that_is_on_its_shortest_way_though_not_in_the_straight_one(
    stays: bool,
) -> None:
    """Straight ahead nobody climbs: the piece that both models climb is beside that.

    The zone is about the models.
    """
    shut: Polygon = ((26.0, 8.0), (28.0, 8.0), (28.0, 44.0), (26.0, 44.0))
    low: Polygon = ((26.0, 0.0), (28.0, 0.0), (28.0, 8.0), (26.0, 8.0))
    zone: Polygon = ((15.0, 14.0), (24.0, 14.0), (24.0, 22.0), (15.0, 22.0))
    where = ground(low, foe=(40.0, 16.0))
    where = replace(where, walls=(*where.walls, shut), shun=() if stays else (zone,))
    xy = np.array([(20.0, 16.0), (20.0, 18.0)])
    party = Party(xy, np.array([R32, R32]), np.array([8.0, 8.0]))
    found = move_toward(
        party, Outlines(np.array([(40.0, 16.0)]), np.array([R32])), where, Spacing(), STOP, stays
    )
    assert isinstance(found, Moved)
    assert not found.lost
    rings = Outlines(np.array([(40.0, 16.0)]), np.array([RING]))
    for at, left in zip(xy.tolist(), found.left.tolist(), strict=True):
        way = ShortestPaths(R32, where).climbing_into(at, rings)
        assert isinstance(way, Path)
        assert left == pytest.approx(way.length - 8.0, abs=0.3)


@pytest.mark.rule("R.A03", "CORE.MOVE.8")
def test_who_stands_at_the_foot_of_what_it_cannot_pay_for_stays_rather_than_go_a_longer_way_round() -> None:
    found = moved(ground(LONG), 8.0, at=(26.0 - R32, 10.0))
    assert found.paths[0].legs == ()
    assert found.left[0] == pytest.approx(14.0 + R32 - RING + 2 * HEIGHT, abs=1e-3)


@pytest.mark.rule("R.A03", "CORE.MOVE.8")
def test_who_goes_round_and_comes_to_a_lower_climb_on_the_way_does_not_stay() -> None:
    """From the foot of a high wall, a move leads to the lower part, which is farther off.

    Over the lower part the way is all but straight: it bends at the corner of the higher one.
    """
    high: Polygon = ((26.0, 0.0), (28.0, 0.0), (28.0, 20.0), (26.0, 20.0))
    low: Polygon = ((26.0, 20.0), (28.0, 20.0), (28.0, 40.0), (26.0, 40.0))
    where = ground(high, low, foe=(40.0, 14.0))
    where = replace(where, rises=(where.rises[0], Rise(low, HEIGHT / 2, ())))
    found = moved(where, 8.0, at=(26.0 - R32, 14.0), foe=(40.0, 14.0))
    end = found.paths[0].end
    ways, ring = ShortestPaths(R32, where), Outlines(np.array([(40.0, 14.0)]), np.array([RING]))
    way, best = (ways.climbing_into(at, ring) for at in (end, (26.0 - R32, 20.0 + R32)))
    assert isinstance(way, Path)
    assert isinstance(best, Path)
    assert found.left[0] == pytest.approx(way.length, abs=1e-3)
    assert found.left[0] < best.length + 0.01
    # Farther along the wall the way over the lower part is straight, and yet longer.
    assert found.left[0] < math.dist((end[0], 22.0), (40.0, 14.0)) - RING + HEIGHT - 0.2


@pytest.mark.rule("R.A03", "CORE.MOVE.8")
def test_who_cannot_get_over_what_is_first_goes_to_a_climb_that_is_farther_off() -> None:
    """No way leads round. The model stands at the foot of the high part.

    The way over the high part is shorter than the way over the low one.
    """
    high: Polygon = ((26.0, 0.0), (28.0, 0.0), (28.0, 20.0), (26.0, 20.0))
    low: Polygon = ((26.0, 20.0), (28.0, 20.0), (28.0, 44.0), (26.0, 44.0))
    where = ground(high, low, foe=(40.0, 14.0))
    where = replace(where, rises=(where.rises[0], Rise(low, HEIGHT / 2, ())))
    start = (26.0 - R32, 14.0)
    way = ShortestPaths(R32, where).climbing_into(start, Outlines(np.array([(40.0, 14.0)]), np.array([RING])))
    assert isinstance(way, Path)
    assert way.length == pytest.approx(14.0 + R32 - RING + 2 * HEIGHT, abs=1e-6)
    found = moved(where, 8.0, at=start, foe=(40.0, 14.0))
    assert found.paths[0].end[1] >= 20.0
    assert found.left[0] < way.length - 2.0


def through_a_gap(limit: float, *no_stand: Polygon) -> Moved:
    """Return the move of a hull to a climb, through a gap too narrow for it as it stands."""
    hull, (x, y) = hull_base(6.5, 4.2), GAP
    south: Polygon = ((26.0, 0.0), (28.0, 0.0), (28.0, 9.5), (26.0, 9.5))
    north: Polygon = ((26.0, 14.5), (28.0, 14.5), (28.0, 44.0), (26.0, 44.0))
    across: Polygon = ((34.0, 0.0), (36.0, 0.0), (36.0, 44.0), (34.0, 44.0))
    where = ground(across, foe=(50.0, y))
    where = replace(where, walls=(*where.walls, south, north))
    if no_stand:
        where = replace(where, no_stand=no_stand)
    party = Party(
        np.array([(x, y)]),
        np.array([hull.radius]),
        np.array([limit]),
        (hull,),
        facing=np.array([90.0]),
        pivot=np.array([2.0]),
    )
    foe = Outlines(np.array([(50.0, y)]), np.array([R32]))
    found = move_toward(party, foe, where, Spacing(), STOP)
    assert isinstance(found, Moved)
    return found


@pytest.mark.rule("R.A03", "CORE.MOVE.8")
def test_a_hull_turns_to_where_its_way_climbs() -> None:
    """As it stands the gap before the climb is too narrow for it."""
    (x, y), found = GAP, through_a_gap(10.0)
    assert not found.lost
    assert found.paths[0].legs[0] == pytest.approx((x, y, 0.0, 2.0))
    assert found.paths[0].end == pytest.approx((x + 8.0, y), abs=1e-3)
    assert found.left[0] == pytest.approx(50.0 - x - 3.25 - R32 - STOP - 8.0 + 2 * HEIGHT, abs=1e-3)


@pytest.mark.parametrize("strip", [True, False])
@pytest.mark.rule("R.A03", "CORE.MOVE.8")
def test_a_hull_does_not_turn_to_where_it_may_not_end(strip: bool) -> None:
    """After the turn, nothing is left of the move.

    The strip is before the hull as it stands, and under it after the turn.
    """
    strips = [((20.5, 0.0), (25.0, 0.0), (25.0, 44.0), (20.5, 44.0))] if strip else []
    found = through_a_gap(2.0, *strips)
    assert [len(leg) for leg in found.paths[0].legs] == ([2] if strip else [4])


@pytest.mark.rule("R.A03", "CORE.MOVE.8")
def test_the_way_into_a_ring_counts_climbs_up_and_down_or_goes_round() -> None:
    rings = Outlines(np.array([FOE]), np.array([RING]))
    start = (20.0, 10.0)
    over = ShortestPaths(R32, ground(LONG)).climbing_into(start, rings)
    assert isinstance(over, Path)
    assert over.length == pytest.approx(20.0 - RING + 2 * HEIGHT, abs=1e-6)
    ways = ShortestPaths(R32, ground(SHORT))
    round_, flat = ways.climbing_into(start, rings), ways.nearest(start, rings)
    assert isinstance(round_, Path)
    assert isinstance(flat, Path)
    assert round_.length == flat.length < over.length
    assert not isinstance(ShortestPaths(R32, ground(LONG)).climbing_into(start, rings, 20.0), Path)


@pytest.mark.rule("R.A03", "CORE.MOVE.8")
def test_a_way_that_would_end_over_a_piece_between_walls_ends_on_the_other_side_of_the_enemy() -> None:
    """The piece covers the near side of the ring, and walls the places beside it."""
    piece: Polygon = ((33.0, 9.0), (38.5, 9.0), (38.5, 11.0), (33.0, 11.0))
    north: Polygon = ((36.0, 11.0), (40.0, 11.0), (40.0, 14.0), (36.0, 14.0))
    south: Polygon = ((36.0, 6.0), (40.0, 6.0), (40.0, 9.0), (36.0, 9.0))
    rings, start = Outlines(np.array([FOE]), np.array([RING])), (20.0, 10.0)
    where = ground(piece, friend=(5.0, 40.0))
    where = replace(where, walls=(*where.walls, north, south))
    level = ShortestPaths(R32, replace(where, rises=())).nearest(start, rings)
    found = ShortestPaths(R32, where).climbing_into(start, rings)
    assert isinstance(level, Path)
    assert isinstance(found, Path)
    assert found.length == pytest.approx(level.length, abs=1e-9)
    assert found.end[0] > FOE[0]


@pytest.mark.parametrize("base", [round_base(32), oval_base(60, 35)], ids=["round", "oval"])
@pytest.mark.rule("R.A03", "CORE.MOVE.8")
def test_who_is_stuck_at_the_foot_of_a_piece_goes_to_another_side_of_it(base: Base) -> None:
    """The only way leads over the piece, in the gap of a long wall, and is too long for now.

    Round the end of the piece, less of the way is left.
    """
    piece: Polygon = ((26.0, 10.0), (30.0, 10.0), (30.0, 16.0), (26.0, 16.0))
    north: Polygon = ((26.0, 16.0), (27.0, 16.0), (27.0, 44.0), (26.0, 44.0))
    south: Polygon = ((26.0, 0.0), (27.0, 0.0), (27.0, 10.0), (26.0, 10.0))
    foe = (10.0, 2.0)
    where = ground(piece, foe=foe)
    where = replace(where, walls=(*where.walls, north, south))
    start = (27.001 + base.length / 2, 16.001 + base.width / 2)
    party = Party(
        np.array([start]),
        np.array([base.radius]),
        np.array([12.0]),
        (base,),
        facing=np.array([0.0]),
        pivot=np.array([13.0]),
    )
    foes = Outlines(np.array([foe]), np.array([R32]))
    found = move_toward(party, foes, where, Spacing(), STOP)
    assert isinstance(found, Moved)
    end, stance = found.paths[0].end, party.stance(0)
    ways, rings = ShortestPaths(stance, where), ToBases(foes, STOP).rings(stance)
    before, after = (ways.climbing_into(at, rings) for at in (start, end))
    assert isinstance(before, Path)
    assert isinstance(after, Path)
    assert end[1] < 10.0
    assert found.left[0] == pytest.approx(after.length, abs=1e-6)
    assert after.length < before.length - 0.5


@pytest.mark.rule("R.A03", "CORE.MOVE.8")
def test_a_hull_climbs_where_only_the_disc_within_it_would_get_round_a_corner() -> None:
    """A passage with a corner lets the disc through, but not the hull, whichever way it faces."""
    hull, start, foe = hull_base(6.5, 4.2), (20.0, 25.0), (45.0, 25.0)
    piece: Polygon = ((26.0, 0.0), (28.0, 0.0), (28.0, 12.0), (26.0, 12.0))
    below: Polygon = ((26.0, 12.0), (28.0, 12.0), (28.0, 24.0), (26.0, 24.0))
    above: Polygon = ((26.0, 28.5), (28.0, 28.5), (28.0, 44.0), (26.0, 44.0))
    beyond: Polygon = ((32.5, 20.0), (33.5, 20.0), (33.5, 44.0), (32.5, 44.0))
    where = ground(piece, foe=foe)
    where = replace(where, walls=(*where.walls, below, above, beyond))
    party = Party(
        np.array([start]),
        np.array([hull.radius]),
        np.array([8.0]),
        (hull,),
        facing=np.array([0.0]),
        pivot=np.array([2.0]),
    )
    foes = Outlines(np.array([foe]), np.array([R32]))
    goal, disc, own = ToBases(foes, STOP), party.disc(0), party.stance(0)
    assert isinstance(ShortestPaths(disc, where).nearest(start, goal.rings(disc)), Path)
    assert not isinstance(ShortestPaths(own, where).nearest(start, goal.rings(own)), Path)
    found = move_toward(party, foes, where, Spacing(), STOP)
    assert isinstance(found, Moved)
    way = ShortestPaths(own, where).climbing_into(start, goal.rings(own))
    assert isinstance(way, Path)
    assert not found.lost
    assert found.left[0] <= way.length - 4.0


@pytest.mark.rule("R.A03", "CORE.MOVE.8")
def test_what_is_left_leads_round_the_enemy_and_not_through_it() -> None:
    """The enemy stands in a notch that is open to the east, where alone one may end near it."""
    notch = ((41.0, 8.6), (38.6, 8.6), (38.6, 11.4), (41.0, 11.4))
    notched: Polygon = ((30.0, 0.0), (41.0, 0.0), *notch, (41.0, 20.0), (30.0, 20.0))
    where = ground(notched)
    found = moved(where, 8.0)
    rings = Outlines(np.array([FOE]), np.array([RING]))
    rest = ShortestPaths(R32, where).climbing_into(found.paths[0].end, rings)
    assert isinstance(rest, Path)
    assert found.left[0] == pytest.approx(rest.length, abs=1e-6)
