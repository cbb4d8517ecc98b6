"""A unit's move as one problem: known ends of moves toward, to points, into contact, away."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely

from geometry.group.group_move import Moved, Party, move_away, move_into_contact, move_to_point, move_toward
from geometry.measure.coherency import Spacing, is_coherent
from geometry.path.ground import Ground, may_stand, without
from geometry.path.planner import Blocked, Path, ShortestPaths, check_path
from geometry.shape.base import Floats, Polygon
from geometry.shape.convex_shape import NOTHING, Outlines

R32 = 16 / 25.4
R60 = 30 / 25.4
BOARD = (60.0, 44.0)
SPACING = Spacing()
STOP = 1.001


def discs(*at: tuple[float, float], radius: float = R32) -> Outlines:
    return Outlines(np.array(at, dtype=float).reshape(-1, 2), np.full(len(at), radius))


def party(*at: tuple[float, float], limit: float = 6.0, radius: float = R32) -> Party:
    return Party(np.array(at, dtype=float), np.full(len(at), radius), np.full(len(at), limit))


def wider(bases: Outlines, by: float = 1.0) -> Outlines:
    return Outlines(bases.xy, bases.radius + by)


def against(*foes: tuple[float, float]) -> Ground:
    """Return the ground of a normal move among these enemies."""
    return Ground(BOARD, solid=discs(*foes), avoid=wider(discs(*foes)))


def block(x: float, y: float, columns: int, rows: int, step: float = 1.5) -> list[tuple[float, float]]:
    return [(x + step * i, y + step * j) for j in range(rows) for i in range(columns)]


def ends(moved: Moved | Blocked) -> Floats:
    assert isinstance(moved, Moved)
    return np.array([path.end for path in moved.paths])


def gaps_to(xy: Floats, bases: Outlines, radius: float = R32) -> Floats:
    return np.hypot(*(xy[:, None] - bases.xy[None]).transpose(2, 0, 1)) - bases.radius - radius


def assert_legal(moved: Moved | Blocked, unit: Party, ground: Ground) -> None:
    xy = ends(moved)
    assert isinstance(moved, Moved)
    for i, path in enumerate(moved.paths):
        if path.legs:
            assert check_path(path, unit.radius[i], unit.xy[i], unit.limit[i], ground) == ()
    apart = np.hypot(*(xy[:, None] - xy[None]).transpose(2, 0, 1)) - unit.radius[:, None] - unit.radius
    assert (apart[np.triu_indices(len(xy), 1)] >= -1e-6).all()
    assert is_coherent(xy, np.zeros(len(xy)), unit.radius, SPACING)


def test_a_normal_move_stops_just_outside_engagement_range() -> None:
    """R.A04: M 10, gap 8.74: moves 7.739 and ends at a gap of 1.001."""
    unit, ground = party((40, 22), limit=10), against((30, 22))
    moved = move_toward(unit, discs((30, 22)), ground, SPACING, STOP)
    assert_legal(moved, unit, ground)
    assert isinstance(moved, Moved)
    assert moved.paths[0].length == pytest.approx(10 - 2 * R32 - STOP, abs=1e-5)
    assert moved.left[0] == pytest.approx(0, abs=1e-5)


def test_where_the_nearest_point_of_an_edge_is_walled_in_another_is_made_for() -> None:
    """R.A16: the edge straight ahead lies in a closed court; beside that it can be reached."""
    sides: tuple[Polygon, ...] = (
        ((18.0, 0.0), (18.5, 0.0), (18.5, 3.5), (18.0, 3.5)),
        ((21.5, 0.0), (22.0, 0.0), (22.0, 3.5), (21.5, 3.5)),
        ((18.0, 3.0), (22.0, 3.0), (22.0, 3.5), (18.0, 3.5)),
    )
    unit, ground = party((20.2, 8)), Ground(BOARD, sides)
    moved = move_to_point(unit, ((R32, R32), (60 - R32, R32)), ground, SPACING)
    assert_legal(moved, unit, ground)
    assert isinstance(moved, Moved)
    assert moved.paths[0].length == pytest.approx(6, abs=1e-5)
    assert ends(moved)[0][0] > 21.5


def test_who_is_walled_off_comes_as_near_as_it_can() -> None:
    """R.A03: a wall across the whole board; also with the goal beyond it a unit."""
    wall = (((0.0, 10.0), (60.0, 10.0), (60.0, 11.0), (0.0, 11.0)),)
    unit, ground = party((20, 14)), Ground(BOARD, wall)
    for moved in (
        move_to_point(unit, ((R32, R32), (60 - R32, R32)), ground, SPACING),
        move_toward(unit, discs((20, 3)), ground, SPACING, 1.001),
    ):
        assert_legal(moved, unit, ground)
        assert isinstance(moved, Moved)
        assert moved.lost
        assert ends(moved)[0] == pytest.approx((20, 11 + R32), abs=1e-5)


@pytest.mark.parametrize("at", [[(20.0, 30.0)], [(19.0, 30.0), (20.5, 30.0), (22.0, 30.0)]])
def test_who_makes_for_what_others_cover_all_round_says_so(at: list[tuple[float, float]]) -> None:
    """R.A03: nobody may end beside the goal; a wall stands in the straight way to it, too."""
    wall = (((15.0, 27.0), (20.0, 27.0), (20.0, 28.0), (15.0, 28.0)),)
    unit, goal, covered = party(*at), discs((18.0, 20.0)), discs((18.5, 20.0), radius=5.0)
    closed, open_ = Ground(BOARD, wall, avoid=covered), Ground(BOARD, wall)
    for ground, is_lost in ((closed, True), (open_, False)):
        moved = move_toward(unit, goal, ground, SPACING, 1.001)
        assert_legal(moved, unit, ground)
        assert isinstance(moved, Moved)
        assert moved.lost == is_lost
        assert gaps_to(ends(moved), goal).min() < gaps_to(unit.xy, goal).min()


def test_a_unit_moves_as_one() -> None:
    """R.A05: five models with one target all move 6 and stay coherent."""
    unit, ground = party(*[(50, y) for y in (18, 20, 22, 24, 26)]), against((38, 17), (38, 27.5))
    moved = move_toward(unit, discs((38, 17)), ground, SPACING, STOP)
    assert_legal(moved, unit, ground)
    assert isinstance(moved, Moved)
    assert [path.length for path in moved.paths] == pytest.approx([6] * 5, abs=1e-6)


@pytest.mark.rule("CORE.MOVE.6")
def test_s_m16_one_advance_roll_for_every_model() -> None:
    """S.M16: 9 inches for every model."""
    unit, ground = party(*block(5, 20, 2, 3), limit=9), against((40, 22))
    moved = move_toward(unit, discs((40, 22)), ground, SPACING, STOP)
    assert isinstance(moved, Moved)
    assert [path.length for path in moved.paths] == pytest.approx([9] * 6, abs=1e-6)


@pytest.mark.rule("CORE.MOVE.5")
def test_s_m05_a_unit_goes_round_an_engagement_zone() -> None:
    """S.M05: 12.8617 inches lead from (24,22) past an enemy at (30,22) to (36,22); 12.8 do not."""
    ground = against((30, 22))
    enough = move_to_point(party((24, 22), limit=12.9), (36.0, 22.0), ground, SPACING)
    short = move_to_point(party((24, 22), limit=12.8), (36.0, 22.0), ground, SPACING)
    assert ends(enough)[0] == pytest.approx([36, 22])
    assert isinstance(short, Moved)
    assert short.left[0] == pytest.approx(12.8617 - 12.8, abs=1e-4)


@pytest.mark.rule("CORE.MOVE.4")
def test_s_m09_through_friends_and_not_onto_them() -> None:
    """S.M09: a friend where the move would end: past it, or beside it touching, never on it."""
    friend = discs((16, 22))
    unit, ground = party((10, 22), limit=6), Ground(BOARD, no_end=friend)
    moved = move_to_point(unit, (30.0, 22.0), ground, SPACING)
    assert_legal(moved, unit, ground)
    xy = ends(moved)
    assert gaps_to(xy, friend)[0, 0] == pytest.approx(0, abs=1e-6)
    # Beside the friend, on the circle of 6 inches, is nearer to the goal than behind it.
    assert xy[0, 0] > 16 - 2 * R32 + 0.3
    assert np.hypot(*(xy[0] - [10, 22])) == pytest.approx(6, abs=1e-5)


@pytest.mark.rule("CORE.MOVE.4")
def test_s_m10_a_vehicle_goes_round_a_vehicle() -> None:
    """S.M10: centres never nearer than 2.3622."""
    friend = discs((30, 22), radius=R60)
    unit = party((24, 22), limit=14, radius=R60)
    moved = move_to_point(unit, (36.0, 22.0), Ground(BOARD, solid=friend), SPACING)
    assert ends(moved)[0] == pytest.approx([36, 22])
    assert isinstance(moved, Moved)
    assert moved.paths[0].length > 12.5


@pytest.mark.rule("CORE.MOVE.9")
def test_s_m11_flying_over_an_engagement_zone() -> None:
    """S.M11: the straight 12 inches over an enemy are legal; the end must be clear of it."""
    foe = discs((30, 22))
    ground = Ground(BOARD, no_end=foe, end_avoid=wider(foe))
    over = move_to_point(party((24, 22), limit=12), (36.0, 22.0), ground, SPACING)
    assert isinstance(over, Moved)
    assert over.paths[0].length == pytest.approx(12)
    onto = ends(move_to_point(party((24, 22), limit=12), (30.0, 22.0), ground, SPACING))
    assert gaps_to(onto, foe)[0, 0] == pytest.approx(1, abs=1e-5)
    assert gaps_to(onto, foe)[0, 0] > 1 + 1e-6


@pytest.mark.rule("CORE.MOVE.5")
def test_a_taken_slot_does_not_stop_the_unit() -> None:
    """Ten models, one enemy in the open: the ring just outside engagement range fills up."""
    unit, ground = party(*block(18, 19, 5, 2), limit=14), against((30, 22))
    moved = move_toward(unit, discs((30, 22)), ground, SPACING, STOP)
    assert_legal(moved, unit, ground)
    near = np.sort(gaps_to(ends(moved), discs((30, 22)))[:, 0])
    assert near[0] > 1 + 1e-6
    # A ring of bases touching one another at a gap of 1.001 holds eleven.
    assert math.tau / (2 * math.asin(R32 / (2 * R32 + STOP))) > 11
    assert (near[:8] < STOP + 1e-4).all()


@pytest.mark.rule("CORE.COH.2")
def test_s_c07_the_legal_end_is_found_not_refused() -> None:
    """S.C07: with a wall before half of the unit, the rest waits as far as coherency asks."""
    wall: Polygon = ((12, 16), (13, 16), (13, 30), (12, 30))
    unit = party(*[(9, 21 + 2.5 * i) for i in range(4)], (9, 13.5), (9, 16), (9, 18.5), limit=8)
    ground = Ground(BOARD, walls=(wall,))
    moved = move_to_point(unit, (30.0, 14.0), ground, Spacing())
    # Seven models 2.5 apart in a file lack second neighbours: the move has to mend that.
    assert not is_coherent(unit.xy, np.zeros(7), unit.radius, SPACING)
    assert_legal(moved, unit, ground)


def test_nobody_moves_where_no_outcome_is_coherent() -> None:
    """CORE.COH.2: two models far apart cannot come together: they stay."""
    unit = party((5, 5), (50, 40))
    moved = move_to_point(unit, (30.0, 22.0), Ground(BOARD), SPACING)
    assert isinstance(moved, Moved)
    assert not any(path.legs for path in moved.paths)


def test_to_the_edge() -> None:
    """S.A04: from (8,20) six inches straight down."""
    moved = move_to_point(party((8, 20)), ((R32, R32), (60 - R32, R32)), Ground(BOARD), SPACING)
    assert ends(moved)[0] == pytest.approx([8, 14])


def test_all_as_near_as_may_be_to_a_point() -> None:
    """R.A16: one on the point, five or six touching it, nobody overlapping."""
    unit = party(*block(26, 20, 4, 2), limit=20)
    moved = move_to_point(unit, (30.0, 22.0), Ground(BOARD), SPACING)
    assert_legal(moved, unit, Ground(BOARD))
    assert isinstance(moved, Moved)
    far = np.sort(moved.left)
    assert far[0] == pytest.approx(0, abs=1e-6)
    assert far[1:6] == pytest.approx([2 * R32] * 5, abs=1e-5)


def test_a_zone_is_left_wholly() -> None:
    """R.A24: from (46,22) a base ends wholly outside x >= 42."""
    zone: Polygon = ((42, 0), (60, 0), (60, 44), (42, 44))
    ground = Ground(BOARD, shun=(zone,), solid=discs((30, 22)), avoid=wider(discs((30, 22))))
    moved = move_toward(party((46, 22)), discs((30, 22)), ground, SPACING, STOP)
    assert ends(moved)[0] == pytest.approx([40, 22])


def test_a_zone_is_left_on_the_side_of_the_longer_way() -> None:
    """R.A24: the shortest way stays in the zone, left of the wall; the way out is on its right."""
    wall: Polygon = ((2, 16), (19, 16), (19, 18), (2, 18))
    zone: Polygon = ((0, 0), (14, 0), (14, 40), (0, 40))
    foe = discs((10, 30))
    ground = Ground(BOARD, (wall,), solid=foe, avoid=wider(foe), shun=(zone,))
    unit = party((10, 10), limit=12)
    moved = move_toward(unit, foe, ground, SPACING, STOP)
    assert_legal(moved, unit, ground)
    assert isinstance(moved, Moved)
    assert ends(moved)[0, 0] >= 14 + R32 - 1e-6
    assert moved.left[0] < 16
    stayed = move_toward(party((10, 10), limit=0), foe, ground, SPACING, STOP)
    assert isinstance(stayed, Moved)
    assert stayed.left[0] > 24


@pytest.mark.rule("CORE.CHG.2")
@pytest.mark.parametrize(
    ("gap", "roll", "succeeds"), [(8, 7, True), (8, 6, False), (9, 8, True), (7, 6, True)]
)
def test_s_d02_the_roll_needed(gap: float, roll: float, succeeds: bool) -> None:
    """S.D02: a gap of 8 needs a 7; a failed charge moves nobody."""
    foe = discs((20 + 2 * R32 + gap, 22))
    moved = move_into_contact(party((20, 22), limit=roll), [foe], Ground(BOARD, solid=foe), SPACING)
    assert isinstance(moved, Moved) is succeeds
    if succeeds:
        assert gaps_to(ends(moved), foe)[0, 0] == pytest.approx(gap - roll, abs=1e-6)


@pytest.mark.rule("CORE.CHG.3")
@pytest.mark.parametrize(("roll", "gap"), [(9, 0.0), (4, 1.0)])
def test_s_d03_base_contact_where_it_can(roll: float, gap: float) -> None:
    """S.D03: from a gap of 5, roll 9 ends in base contact, roll 4 at exactly 1."""
    foe = discs((20 + 2 * R32 + 5, 22))
    moved = move_into_contact(party((20, 22), limit=roll), [foe], Ground(BOARD, solid=foe), SPACING)
    assert gaps_to(ends(moved), foe)[0, 0] == pytest.approx(gap, abs=1e-6)


@pytest.mark.rule("CORE.CHG.3")
def test_s_d04_the_second_charger_too() -> None:
    """S.D04: two chargers in a file, room for both: both end in base contact."""
    foe = discs((27, 22))
    unit = party((20, 22), (18, 22), limit=9)
    moved = move_into_contact(unit, [foe], Ground(BOARD, solid=foe), SPACING)
    assert_legal(moved, unit, Ground(BOARD, solid=foe))
    assert gaps_to(ends(moved), foe)[:, 0] == pytest.approx([0, 0], abs=1e-6)


@pytest.mark.rule("CORE.CHG.3")
def test_s_d04_not_where_the_way_round_is_too_long() -> None:
    """S.D04: only a place behind the target is free, and too far: the second need not reach it."""
    sides = [*np.linspace(0.65, math.pi - 0.65, 4), *np.linspace(math.pi + 0.65, math.tau - 0.65, 4)]
    others = [(27 + 3.4 * R32 * math.cos(a), 22 + 3.4 * R32 * math.sin(a)) for a in sides]
    foe = discs((27, 22))
    ground = Ground(BOARD, solid=discs((27, 22), *others))
    unit = party((20, 22), (18, 22), limit=8)
    moved = move_into_contact(unit, [foe], ground, SPACING)
    assert_legal(moved, unit, ground)
    gap = gaps_to(ends(moved), foe)[:, 0]
    assert gap[0] == pytest.approx(0, abs=1e-6)
    assert gap[1] > 0.2


@pytest.mark.rule("CORE.CHG.3")
def test_s_d05_everyone_who_moves_ends_closer() -> None:
    """S.D05: nobody that moves ends as far or farther from every target model."""
    foes = discs(*block(30, 20, 2, 2))
    unit = party(*block(20, 18, 3, 3), limit=9)
    ground = Ground(BOARD, solid=foes)
    moved = move_into_contact(unit, [foes], ground, SPACING)
    assert_legal(moved, unit, ground)
    assert isinstance(moved, Moved)
    before, after = gaps_to(unit.xy, foes), gaps_to(ends(moved), foes)
    for i, path in enumerate(moved.paths):
        assert not path.legs or (after[i] < before[i]).any()


@pytest.mark.rule("CORE.CHG.2")
def test_s_d10_only_the_first_of_a_file_gets_there() -> None:
    """S.D10: five in a file, roll enough for the first: the others close up and stay coherent."""
    foe = discs((20 + 2 * R32 + 6.5, 22))
    unit = party(*[(20 - 2.5 * i, 22) for i in range(5)], limit=7)
    ground = Ground(BOARD, solid=foe)
    moved = move_into_contact(unit, [foe], ground, SPACING)
    assert_legal(moved, unit, ground)
    gap = gaps_to(ends(moved), foe)[:, 0]
    assert gap[0] == pytest.approx(0, abs=1e-6)
    assert (gaps_to(unit.xy, foe)[:, 0] - gap > 0.5).all()


@pytest.mark.rule("CORE.CHG.2")
def test_a_charge_fails_where_coherency_cannot_hold() -> None:
    """S.D10: a model that cannot follow holds back the unit, and the charge fails."""
    foe = discs((30, 22))
    unit = Party(np.array([[20.0, 22], [17.5, 22]]), np.full(2, R32), np.array([9.0, 0.0]))
    moved = move_into_contact(unit, [foe], Ground(BOARD, solid=foe), SPACING)
    assert isinstance(moved, Blocked)


@pytest.mark.rule("CORE.CHG.2")
def test_two_targets_are_both_reached() -> None:
    """CORE.CHG.2: both declared targets must be within 1 inch at the end, or nobody moves."""
    one, two = discs((28, 18)), discs((28, 26))
    unit = party(*[(20, 17 + 2.4 * i) for i in range(5)], limit=9)
    ground = Ground(BOARD, solid=discs((28, 18), (28, 26)))
    moved = move_into_contact(unit, [one, two], ground, SPACING)
    assert_legal(moved, unit, ground)
    assert gaps_to(ends(moved), one).min() == pytest.approx(0, abs=1e-6)
    assert gaps_to(ends(moved), two).min() == pytest.approx(0, abs=1e-6)
    far = discs((28, 40))
    assert isinstance(move_into_contact(unit, [one, far], Ground(BOARD), SPACING), Blocked)


def test_both_targets_when_all_would_rather_go_to_one() -> None:
    """One target near and one farther off: somebody must go to the farther."""
    one, two = discs((26, 22)), discs((27, 28))
    unit = party(*block(20, 20, 2, 3), limit=8)
    ground = Ground(BOARD, solid=discs((26, 22), (27, 28)))
    moved = move_into_contact(unit, [one, two], ground, SPACING)
    assert_legal(moved, unit, ground)
    assert gaps_to(ends(moved), two).min() <= 1 + 1e-6


@pytest.mark.rule("CORE.CHG.2")
def test_a_charge_keeps_clear_of_those_it_does_not_charge() -> None:
    """CORE.CHG.2: nobody ends or passes within 1 inch of an enemy that is no target."""
    foe, other = discs((28, 22)), discs((28, 24.5))
    unit = party(*block(20, 20, 2, 3), limit=9)
    ground = Ground(BOARD, solid=discs((28, 22), (28, 24.5)), avoid=wider(other))
    moved = move_into_contact(unit, [foe], ground, SPACING)
    assert_legal(moved, unit, ground)
    assert gaps_to(ends(moved), foe).min() == pytest.approx(0, abs=1e-6)
    assert gaps_to(ends(moved), other).min() > 1 + 1e-6


@pytest.mark.rule("CORE.FGT.4")
def test_s_f02_piling_in_brings_the_second_rank_up() -> None:
    """S.F02: the model in contact stays, the others end closer, in contact where there is room."""
    foe = discs((30, 22))
    at = [(30 - 2 * R32, 22), (27, 23.5), (27, 20.5)]
    unit = Party(np.array(at), np.full(3, R32), np.array([0.0, 3.0, 3.0]))
    ground = Ground(BOARD, solid=foe)
    moved = move_into_contact(unit, [foe], ground, SPACING, must_reach_all=False)
    assert_legal(moved, unit, ground)
    assert gaps_to(ends(moved), foe)[:, 0] == pytest.approx([0, 0, 0], abs=1e-6)
    assert isinstance(moved, Moved)
    assert not moved.paths[0].legs


@pytest.mark.rule("CORE.MOVE.7")
def test_r_a29_a_full_fall_back_goes_straight_away() -> None:
    """R.A29: an enemy to the west touching: the unit ends 6 inches east."""
    foe = discs((30 - 2 * R32, 22))
    ground = Ground(BOARD, no_end=foe, end_avoid=wider(foe))
    moved = move_away(party((30, 22)), foe, ground, SPACING)
    assert ends(moved)[0] == pytest.approx([36, 22], abs=1e-5)


@pytest.mark.rule("CORE.MOVE.7")
@pytest.mark.parametrize("seed", range(20))
def test_r_a29_hardly_any_spot_is_farther_from_the_closest_enemy(seed: int) -> None:
    """R.A29: against a dense grid of the spots that can be reached straight, over no base."""
    chance = np.random.default_rng(seed)
    at = chance.uniform([3, 3], [57, 41])
    turn, far = chance.uniform(0, math.tau, 4), np.array([2 * R32 + 0.1, *chance.uniform(1.3, 6, 3)])
    foes = discs(*(at + np.stack([np.cos(turn) * far, np.sin(turn) * far], axis=1)))
    ground = Ground(BOARD, no_end=foes, end_avoid=wider(foes))
    moved = move_away(party(tuple(at)), foes, ground, SPACING)
    round_, out = np.meshgrid(np.linspace(0, math.tau, 361), np.linspace(0, 6, 31))
    spots = at + np.stack([(out * np.cos(round_)).ravel(), (out * np.sin(round_)).ravel()], axis=1)
    spots = spots[may_stand(ground, spots, np.full(len(spots), R32))]
    lines = shapely.linestrings(np.stack([np.broadcast_to(at, spots.shape), spots], axis=1))
    bases = shapely.union_all([shapely.Point(*foe).buffer(2 * R32, quad_segs=64) for foe in foes.xy])
    spots = spots[~shapely.dwithin(bases, lines, 1e-9) | (gaps_to(at[None], foes).min() < 0)]
    best = gaps_to(spots, foes).min(axis=1).max() if len(spots) else -math.inf
    if not len(spots):
        return
    assert gaps_to(ends(moved), foes).min() >= best - 0.05


@pytest.mark.rule("CORE.MOVE.7")
def test_s_m17_through_engagement_range_but_not_ending_in_it() -> None:
    """S.M17: between two enemies the way out leads through both engagement ranges."""
    foes = discs((28, 22), (32, 22))
    ground = Ground(BOARD, no_end=foes, end_avoid=wider(foes))
    unit = party((30, 22), (30, 23.5))
    moved = move_away(unit, foes, ground, SPACING)
    assert_legal(moved, unit, ground)
    assert gaps_to(ends(moved), foes).min() > 2


@pytest.mark.rule("CORE.MOVE.7")
def test_s_m17_over_a_base_only_where_there_is_no_other_way() -> None:
    """S.M17: walled in by touching bases, the only way leads over one."""
    ring = [
        (30 + 2 * R32 * math.cos(a), 22 + 2 * R32 * math.sin(a)) for a in np.linspace(0, math.tau, 7)[:-1]
    ]
    foes = discs(*ring)
    ground = Ground(BOARD, no_end=foes, end_avoid=wider(foes))
    unit = party((30, 22))
    moved = move_away(unit, foes, ground, SPACING)
    assert_legal(moved, unit, ground)
    assert gaps_to(ends(moved), foes).min() > 1 + 1e-6


@pytest.mark.rule("CORE.MOVE.7")
def test_s_m18_no_way_out() -> None:
    """S.M18: rings of enemies out to beyond the move: no fall back."""
    rings = [
        (30 + far * math.cos(a), 22 + far * math.sin(a))
        for far in (2.2, 4.4, 6.6)
        for a in np.linspace(0, math.tau, int(far * 3) + 1)[:-1]
    ]
    foes = discs(*rings)
    ground = Ground(BOARD, no_end=foes, end_avoid=wider(foes))
    assert isinstance(move_away(party((30, 22), limit=5), foes, ground, SPACING), Blocked)


def test_an_empty_ground_has_no_discs() -> None:
    assert may_stand(Ground(BOARD, solid=NOTHING), np.array([[30.0, 22.0]]), np.array([R32]))[0]


@pytest.mark.rule("AI.MOVE.1")
def test_r_a03_a_base_does_not_creep_along_a_wall_that_brings_it_nearer_only_as_the_crow_flies() -> None:
    """Tyranids, 2000 points, seed 76: from the nearer spot, a friend bars the way to the target."""
    wall = ((23.1651, 21.0801), (18.8349, 23.5801), (13.8349, 14.9199), (18.1651, 12.4199))
    foe = discs((15.8166009, 15.8283398))
    friends = Outlines(
        np.array([(17.947398, 11.2590345), (16.1404874, 12.4522794)]), np.array([R60, 25 / 25.4])
    )
    solid = Outlines(np.vstack([foe.xy, friends.xy]), np.concatenate([foe.radius, friends.radius]))
    ground = Ground(BOARD, walls=(wall,), solid=solid, avoid=wider(foe))
    unit = party((21.1347237, 13.4295681), limit=8.0, radius=52.5 / 25.4)
    moved = move_toward(unit, foe, ground, SPACING, STOP)
    assert_legal(moved, unit, ground)
    ways, rings = ShortestPaths(unit.radius[0], without(ground, foe)), foe.grown(unit.radius[0] + STOP)
    before, after = (ways.nearest(at, rings) for at in (unit.xy[0], ends(moved)[0]))
    assert isinstance(before, Path)
    assert isinstance(after, Path)
    assert after.length == pytest.approx(before.length - 8.0, abs=1e-6)


@pytest.mark.parametrize(
    ("goal", "end"),
    [((30.0, -5.0), (30.0, 4.0)), ((70.0, 10.0), (36.0, 10.0)), ((30.0, 0.1), (30.0, 4.0))],
)
def test_a_point_that_no_base_comes_to_is_made_for_all_the_same(
    goal: tuple[float, float], end: tuple[float, float]
) -> None:
    """Off the board, or too near to its edge for a base: the nearest place in reach counts."""
    moved = move_to_point(party((30, 10)), goal, Ground(BOARD), SPACING)
    assert ends(moved)[0] == pytest.approx(end, abs=1e-6)
