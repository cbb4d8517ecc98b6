"""Large units of round bases: outcomes legal by the checker, near, and the same wherever the table lies."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from geometry.group.batch import Huddle
from geometry.group.group_move import Moved, Party, move_away, move_into_contact, move_to_point, move_toward
from geometry.group.lattice import ranks
from geometry.group.party import Muster, movers_of
from geometry.group.sampling import Scatter
from geometry.measure.coherency import Spacing, is_coherent
from geometry.path.ground import Ground, may_stand
from geometry.path.planner import check_paths
from geometry.shape.arrangement import distances
from geometry.shape.base import Floats, Polygon
from geometry.shape.convex_shape import Outlines
from geometry.single.goal import ToBases, ToLine

R25, R32, R50 = 12.5 / 25.4, 16 / 25.4, 25 / 25.4
BOARD = (60.0, 44.0)
SPACING = Spacing()
STOP = 1.001


def party(count: int, corner: tuple[float, float], columns: int = 5, step: float = 1.5) -> Party:
    rows = np.arange(count)
    xy = np.array(corner) + step * np.stack([rows % columns, rows // columns], axis=1)
    return Party(xy, np.full(count, R32), np.full(count, 6.0))


def discs(*at: tuple[float, float], radius: float = R32) -> Outlines:
    return Outlines(np.array(at, dtype=float).reshape(-1, 2), np.full(len(at), radius))


def legal_ends(moved: object, unit: Party, ground: Ground) -> Floats:
    assert isinstance(moved, Moved)
    assert check_paths(moved.paths, unit.radius, unit.xy, unit.limit, ground) == []
    ends = np.array([path.end for path in moved.paths])
    apart = distances(ends, ends) + 9 * np.eye(len(ends))
    assert apart.min() >= 2 * R32 - 1e-6
    assert is_coherent(ends, ends[:, 0] * 0, unit.radius, SPACING)
    return ends


@pytest.mark.rule("CORE.MOVE.5")
def test_twenty_go_all_their_way_over_open_ground() -> None:
    unit, ground = party(20, (5.0, 5.0)), Ground(BOARD)
    moved = move_to_point(unit, (55.0, 8.0), ground, SPACING)
    ends = legal_ends(moved, unit, ground)
    assert np.hypot(*(ends - unit.xy).T) == pytest.approx(6.0, abs=1e-5)


def test_who_would_end_on_friends_stands_beside_the_others() -> None:
    """Two friends stand where two of the twenty would end; nobody is left far behind because of it."""
    friends = discs((11.0, 8.0), (12.5, 9.5))
    unit, ground = party(20, (5.0, 5.0)), Ground(BOARD, no_end=friends)
    moved = move_to_point(unit, (59.0, 8.0), ground, SPACING)
    ends = legal_ends(moved, unit, ground)
    assert distances(ends, friends.xy).min() >= 2 * R32 - 1e-6
    gone = ends[:, 0] - unit.xy[:, 0]
    assert (gone > 5.9).sum() >= 14
    assert gone.min() > 2.0


@pytest.mark.rule("R.A16")
def test_small_bases_touch_one_another_whatever_the_widest_among_them() -> None:
    """One of 50 mm leads nine of 25 mm to a point: the small ones have no more room than they need."""
    unit = party(10, (26.0, 26.0), columns=5, step=2.1)
    unit = replace(unit, radius=np.append(np.full(9, R25), R50), limit=np.full(10, 12.0))
    outcome = Huddle(Muster(unit, Ground(BOARD)), ToLine((30.0, 22.0), (30.0, 22.0)), SPACING).outcome()
    assert outcome is not None
    ends = np.array([path.end for path in outcome[0]])
    apart = distances(ends, ends) - np.add.outer(unit.radius, unit.radius) + 9 * np.eye(10)
    assert apart.min() >= -1e-6
    far = np.sort(outcome[1])
    assert far[:6] == pytest.approx([0.0] + [2 * R25] * 5, abs=1e-5)


@pytest.mark.rule("CORE.MOVE.5")
def test_each_goes_as_far_as_it_may_along_the_step_of_the_foremost() -> None:
    """A faster model leads; a friend stands where one of the others would end: not all go straight."""
    unit = party(9, (5.0, 5.0), columns=3)
    limit = np.full(9, 5.0)
    limit[5] = 6.0
    unit = replace(unit, limit=limit)
    ground = Ground(BOARD, no_end=discs((10.0, 8.2)))
    outcome = Huddle(Muster(unit, ground), ToLine((55.0, 6.5), (55.0, 6.5)), SPACING).outcome()
    assert outcome is not None
    gone = np.array([path.length for path in outcome[0]])
    assert (gone >= limit - 1e-5).sum() >= 7


@pytest.mark.rule("CORE.MOVE.2")
def test_small_bases_go_where_the_widest_would_not_fit() -> None:
    """A gap of 1.2 inches between two walls: bases of 25 mm go through, the one of 50 mm stays behind it."""
    walls: tuple[Polygon, ...] = (
        ((20.0, 0.0), (21.0, 0.0), (21.0, 21.4), (20.0, 21.4)),
        ((20.0, 22.6), (21.0, 22.6), (21.0, 44.0), (20.0, 44.0)),
    )
    at = [(18.5, 20.8), (18.5, 22.0), (18.5, 23.2), (17.3, 21.4), (17.3, 22.6), (17.3, 23.8), (15.8, 22.0)]
    radius = np.append(np.full(6, R25), R50)
    unit, ground = Party(np.array(at), radius, np.full(7, 5.0)), Ground(BOARD, walls)
    moved = move_to_point(unit, (40.0, 22.0), ground, SPACING)
    assert isinstance(moved, Moved)
    assert check_paths(moved.paths, unit.radius, unit.xy, unit.limit, ground) == []
    ends = np.array([path.end for path in moved.paths])
    assert ends[6, 0] < 20.0
    assert (ends[:6, 0] > 21.0).sum() >= 3


@pytest.mark.parametrize("count", [4, 12])
def test_a_unit_that_begins_with_two_models_overlapping_does_not_end_so(count: int) -> None:
    """A file may place them so; moved as they stand they would overlap where they end."""
    unit = party(count, (5.0, 5.0), columns=4)
    unit.xy[1] = unit.xy[0] + (0.6, 0.0)
    ground = Ground(BOARD)
    moved = move_to_point(unit, (55.0, 6.0), ground, SPACING)
    ends = legal_ends(moved, unit, ground)
    assert (ends[:, 0] > unit.xy[:, 0] + 4).all()


def test_three_go_round_a_wall_as_far_as_each_could_alone() -> None:
    """R.A03: what a small unit's models lose to one another is a tenth of an inch a model at most."""
    wall: Polygon = ((14.0, 4.0), (15.0, 4.0), (15.0, 30.0), (14.0, 30.0))
    unit, foes = party(3, (11.0, 6.0), columns=1), discs((40.0, 20.0))
    ground = Ground(BOARD, (wall,), solid=foes)
    moved = move_toward(unit, foes, ground, SPACING, STOP)
    legal_ends(moved, unit, ground)
    alone = [move_toward(unit.take([row]), foes, ground, SPACING, STOP).left[0] for row in range(3)]
    assert moved.left.sum() <= sum(alone) + 0.3


def test_a_large_unit_goes_round_the_end_of_a_wall() -> None:
    wall: Polygon = ((14.0, 0.0), (15.0, 0.0), (15.0, 14.0), (14.0, 14.0))
    unit, ground = party(10, (9.0, 10.0), columns=3), Ground(BOARD, (wall,))
    foes = discs((40.0, 6.0))
    moved = move_toward(unit, foes, replace(ground, solid=foes), SPACING, STOP)
    ends = legal_ends(moved, unit, ground)
    assert moved.left.sum() < 10 * 34  # type: ignore[union-attr]
    assert ends[:, 1].max() > 14.0


def test_the_front_of_an_enemy_line_is_filled_first() -> None:
    """Six enemies a base apart in line: the foremost stand just outside engagement range, side by side."""
    foes = discs(*((20.0 + 2.2 * k, 30.0) for k in range(6)))
    unit = party(12, (21.0, 22.0), columns=6)
    ground = Ground(BOARD, solid=foes, avoid=foes.grown(1.0))
    moved = move_toward(unit, foes, ground, SPACING, STOP)
    legal_ends(moved, unit, ground)
    assert isinstance(moved, Moved)
    assert (moved.left <= 1e-5).sum() >= 7
    assert moved.left.max() < 2.5


def test_ranks_touch_and_stand_on_the_rings_outer_edge() -> None:
    rings = discs((20.0, 20.0), (21.6, 20.0), (23.2, 20.0), radius=2.26)
    wide = 2 * R32
    start = np.array([[20.0, 16.0], [23.0, 16.0]])
    found = ranks(np.array([20.0, 17.74]), rings, wide, start, np.full(2, 3.0))
    off = distances(found, rings.xy).min(axis=1) - 2.26
    first = np.flatnonzero(np.abs(off) < 1e-6)
    assert len(first) >= 4
    assert off.min() > -1e-6
    apart = distances(found, found) + 9 * np.eye(len(found))
    assert apart.min() >= wide - 1e-6
    assert distances(found[first], found[first])[0, 1] == pytest.approx(wide)


@pytest.mark.parametrize("how", ["shift", "mirror", "turn"])
def test_the_answer_of_a_large_unit_moves_with_the_table(how: str) -> None:
    def placed(xy: Floats) -> Floats:
        x, y = xy[:, 0], xy[:, 1]
        places = {"shift": (x + 3.0, y + 1.0), "mirror": (x, 60.0 - y), "turn": (60.0 - y, x)}
        return np.stack(places[how], axis=1)

    size = (60.0, 60.0)
    wall = np.array([(24.0, 24.0), (26.0, 24.0), (26.0, 33.0), (24.0, 33.0)])
    unit, foes = party(15, (16.0, 25.0), columns=3, step=1.7), discs((40.0, 29.5), (42.0, 33.0))
    friends = discs((22.0, 22.0), (27.5, 22.6))
    lefts = []
    for move in (lambda xy: xy, placed):
        corners: Polygon = tuple((float(x), float(y)) for x, y in move(wall))
        there = Outlines(move(foes.xy), foes.radius)
        ground = Ground(
            size,
            (corners,),
            solid=there,
            avoid=there.grown(1.0),
            no_end=Outlines(move(friends.xy), friends.radius),
        )
        party_there = replace(unit, xy=move(unit.xy))
        moved = move_toward(party_there, there, ground, SPACING, STOP)
        legal_ends(moved, party_there, ground)
        assert isinstance(moved, Moved)
        lefts.append(moved.left)
    assert lefts[1] == pytest.approx(lefts[0], abs=1e-5)


@pytest.mark.rule("CORE.CHG.3")
def test_a_large_unit_charges_and_piles_round_its_target() -> None:
    foes = discs((30.0, 22.0))
    unit = replace(party(10, (22.0, 20.0), columns=3), limit=np.full(10, 9.0))
    ground = Ground(BOARD, solid=foes)
    moved = move_into_contact(unit, [foes], ground, SPACING)
    ends = legal_ends(moved, unit, ground)
    assert (distances(ends, foes.xy)[:, 0] <= 2 * R32 + 1e-5).sum() >= 5


@pytest.mark.rule("CORE.MOVE.7")
def test_a_large_unit_with_friends_all_about_still_falls_back() -> None:
    """Only between the friends is there room, for each model somewhere else."""
    foes = discs((20.0, 19.0), (22.0, 19.0))
    unit = party(7, (19.0, 20.6), columns=4, step=1.4)
    friends = discs(*((14.0 + 2.9 * i, 23.5 + 2.9 * j) for i in range(6) for j in range(3)))
    ground = Ground(BOARD, no_end=friends.joined(foes), end_avoid=foes.grown(1.0))
    moved = move_away(unit, foes, ground, SPACING)
    ends = legal_ends(moved, unit, ground)
    assert distances(ends, foes.xy).min() > 2 * R32 + 1.0


@pytest.mark.rule("R.A03")
def test_nobody_steps_back_to_let_others_pass() -> None:
    """Friends stand close before eight models: who cannot get nearer stays and steps aside for nobody."""
    unit = replace(party(8, (10.0, 10.0), columns=4, step=1.5), limit=np.full(8, 2.0))
    foes = discs((11.5, 14.5), (13.5, 14.5))
    friends = discs(*((9.0 + 1.3 * k, 12.8) for k in range(6)))
    ground = Ground(BOARD, solid=foes, avoid=foes.grown(1.0), no_end=friends)
    goal = ToBases(foes, STOP)
    berths = Scatter(movers_of(unit, ground, goal), SPACING).berths(
        None, True, lambda ends: True, nearer=True
    )
    assert berths is not None
    before = goal.left(unit.xy, unit.stance(0))
    assert all(berth.left <= own for berth, own in zip(berths, before, strict=True))


@pytest.mark.rule("R.A03")
def test_a_unit_does_not_run_into_a_dead_end_beside_its_way() -> None:
    """The way leads round the left end of the wall; straight ahead, it and the block behind it close it."""
    wall: Polygon = ((36.8, 22.9), (41.2, 20.4), (46.2, 29.1), (41.8, 31.6))
    block: Polygon = ((38.0, 15.0), (50.5, 15.0), (50.5, 23.0), (38.0, 23.0))
    unit = party(7, (46.6, 33.0), columns=7, step=1.97)
    unit = replace(unit, radius=np.full(7, 0.98), limit=np.full(7, 8.0))
    foes = discs((28.0, 9.0), (32.0, 9.0))
    ground = Ground(BOARD, (wall, block), solid=foes)
    before = min(mover.start_left for mover in movers_of(unit, ground, ToBases(foes, STOP)))
    moved = move_toward(unit, foes, ground, SPACING, STOP)
    assert isinstance(moved, Moved)
    ended = replace(unit, xy=np.array([path.end for path in moved.paths]))
    left = [mover.start_left for mover in movers_of(ended, ground, ToBases(foes, STOP))]
    assert min(left) <= before - 7.0
    assert moved.left == pytest.approx(np.array(left), abs=0.05)


@pytest.mark.rule("AI.STAY.5")
def test_a_unit_leaves_a_zone_along_its_way_though_that_leads_on_within_it() -> None:
    """All of its way lies in the zone; from beside that the corner ahead is seen by a tangent alone."""
    zone: Polygon = ((52.5, 33.0), (60.0, 0.0), (30.0, 0.0))
    corner: Polygon = ((26.5, 10.0), (36.5, 10.0), (36.5, 15.0), (26.5, 15.0))
    beyond: Polygon = ((34.0, 15.0), (36.5, 15.0), (36.5, 44.0), (34.0, 44.0))
    rank = [(50.9, 28.95), (49.8, 27.3), (48.7, 25.7), (47.6, 24.1), (46.5, 22.4), (47.2, 20.5)]
    unit = Party(np.array([(52.0, 30.6), *rank]), np.full(7, 0.98), np.full(7, 12.0))
    foes = discs((29.2, 23.3), radius=1.77)
    ground = Ground(BOARD, (corner, beyond), solid=foes, shun=(zone,))
    goal = ToBases(foes, STOP)
    before = min(mover.start_left for mover in movers_of(unit, replace(ground, shun=()), goal))
    moved = move_toward(unit, foes, ground, SPACING, STOP)
    assert isinstance(moved, Moved)
    ends = np.array([path.end for path in moved.paths])
    assert may_stand(ground, ends, unit.radius).all()
    left = [mover.start_left for mover in movers_of(replace(unit, xy=ends), replace(ground, shun=()), goal)]
    assert min(left) <= before - 5.0
