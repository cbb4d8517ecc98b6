"""Setting up a group: rows along a front, as near as may be to bases, and what does not fit."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from geometry.group.group_move import Front, Nearest, Placed, place_group
from geometry.measure.coherency import Spacing, is_coherent
from geometry.measure.distance import clearances
from geometry.path.ground import Ground, may_stand
from geometry.path.ground import placed as standing
from geometry.path.planner import Blocked
from geometry.shape.base import Polygon, hull_base, oval_base, round_base
from geometry.shape.convex_shape import Outlines, stance_of

R25 = 12.5 / 25.4
R32 = 16 / 25.4
BOARD = (60.0, 44.0)
SPACING = Spacing()
ZONE: Polygon = ((0, 34), (15, 34), (15, 44), (0, 44))
FRONT = Front((((0, 34), (15, 34)),))
FAR_OFF: Polygon = ((50, 5), (50.5, 5), (50.5, 5.5), (50, 5.5))
"""No base fits in here."""
BEYOND: Polygon = ((0, 10), (60, 10), (60, 34), (0, 34))


def sizes(count: int, radius: float = R32) -> np.ndarray:
    return np.full(count, radius)


def assert_sound(placed: Placed | Blocked, count: int, ground: Ground, radius: float = R32) -> Placed:
    assert isinstance(placed, Placed)
    n = count - len(placed.left_out)
    assert placed.xy.shape == (n, 2)
    assert may_stand(ground, placed.xy, sizes(n, radius)).all()
    apart = np.hypot(*(placed.xy[:, None] - placed.xy[None]).transpose(2, 0, 1)) - 2 * radius
    assert (apart[np.triu_indices(n, 1)] >= -1e-6).all()
    assert is_coherent(placed.xy, np.zeros(n), sizes(n, radius), SPACING)
    return placed


@pytest.mark.rule("SPAWN.6")
def test_s_s02_one_rank_at_the_front() -> None:
    """S.S02: ten 32 mm bases fit into one rank of the zone: all at y = 34.6299."""
    ground = Ground(BOARD, area=(ZONE,))
    placed = assert_sound(place_group(sizes(10), ground, SPACING, FRONT), 10, ground)
    assert placed.xy[:, 1] == pytest.approx([34 + R32] * 10, abs=1e-5)


@pytest.mark.rule("SPAWN.6")
def test_r_a63_a_front_to_the_west() -> None:
    """R.A63: S2 of Hammer and Anvil, x 42 to 60, y 11 to 22: the first row's edges at x = 42."""
    zone: Polygon = ((42, 11), (60, 11), (60, 22), (42, 22))
    ground = Ground(BOARD, area=(zone,))
    front = Front((((42, 11), (42, 22)),))
    placed = assert_sound(place_group(sizes(10), ground, SPACING, front), 10, ground)
    first = np.isclose(placed.xy[:, 0], 42 + R32, atol=1e-5)
    assert first.sum() == 8
    # The second row nests in the first.
    assert placed.xy[:, 0].max() <= 42 + R32 * (1 + 3**0.5) + 1e-4


@pytest.mark.rule("SPAWN.6")
def test_two_ranks_nest() -> None:
    """Twenty bases: eleven in the first rank, the others no deeper than a touching second one."""
    ground = Ground(BOARD, area=(ZONE,))
    placed = assert_sound(place_group(sizes(20), ground, SPACING, FRONT), 20, ground)
    assert np.isclose(placed.xy[:, 1], 34 + R32, atol=1e-5).sum() == 11
    assert placed.xy[:, 1].max() < 34 + 3 * R32 + 1e-5


@pytest.mark.rule("SPAWN.6")
def test_round_those_who_stand_there() -> None:
    """Others in the zone: no base on them, and the first rank still at the front."""
    there = Outlines(np.array([[7.0, 34.8], [9.0, 36.0]]), sizes(2))
    ground = Ground(BOARD, area=(ZONE,), no_end=there)
    placed = assert_sound(place_group(sizes(5), ground, SPACING, FRONT), 5, ground)
    assert placed.xy[:, 1] == pytest.approx([34 + R32] * 5, abs=1e-5)


@pytest.mark.rule("SPAWN.6")
def test_s_s13_enemies_near_a_zone_are_ignored() -> None:
    """S.S13: an enemy at (7,33.2) keeps nobody away: the nearest base is 0.17 from it."""
    foe = Outlines(np.array([[7.0, 33.2]]), sizes(1))
    ground = Ground(BOARD, area=(ZONE,), solid=foe)
    placed = assert_sound(place_group(sizes(10), ground, SPACING, FRONT), 10, ground)
    gaps = np.hypot(*(placed.xy - foe.xy[0]).T) - 2 * R32
    assert placed.xy[:, 1] == pytest.approx([34 + R32] * 10, abs=1e-5)
    assert gaps.min() < 0.8


@pytest.mark.rule("SPAWN.6")
def test_r_a64_what_does_not_fit_overflows_forward() -> None:
    """R.A64: six of ten bases fit the zone; the others are as little beyond the front as may be."""
    zone: Polygon = ((0, 40), (8, 40), (8, 42), (0, 42))
    front = Front((((0, 40), (8, 40)),))
    beyond: Polygon = ((0, 10), (60, 10), (60, 40), (0, 40))
    only = Ground(BOARD, area=(zone,))
    within = assert_sound(place_group(sizes(10), only, SPACING, front), 10, only)
    assert within.left_out
    both = Ground(BOARD, area=(zone, beyond))
    placed = assert_sound(place_group(sizes(10), only, SPACING, front, (beyond,)), 10, both)
    assert not placed.left_out
    inside = may_stand(only, placed.xy, sizes(10))
    assert inside.sum() >= 10 - len(within.left_out)
    assert placed.xy[:, 1].min() > 40 - 2 * R32


@pytest.mark.rule("SPAWN.6")
def test_what_fits_nowhere_is_left_out() -> None:
    """R.A64: the last rows are left out, and the rest is coherent."""
    zone: Polygon = ((0, 40), (3, 40), (3, 42), (0, 42))
    ground = Ground(BOARD, area=(zone,))
    placed = assert_sound(place_group(sizes(10), ground, SPACING, Front((((0, 40), (3, 40)),))), 10, ground)
    assert placed.left_out == tuple(range(10 - len(placed.left_out), 10))
    assert len(placed.xy) >= 2


@pytest.mark.rule("SPAWN.7")
def test_deep_strike_just_outside_nine_inches() -> None:
    """R.A69: as close to the unit as may be, but more than 9 inches from every enemy."""
    foes = np.array([[30.0, 22.0], [31.5, 22.0], [40.0, 30.0]])
    ground = Ground(BOARD, end_avoid=Outlines(foes, sizes(3) + 9), no_end=Outlines(foes, sizes(3)))
    placed = place_group(sizes(10), ground, SPACING, Nearest(Outlines(foes[:2], sizes(2))))
    assert_sound(placed, 10, ground)
    assert isinstance(placed, Placed)
    gaps = np.hypot(*(placed.xy[:, None] - foes[None]).transpose(2, 0, 1)) - 2 * R32
    assert gaps.min() > 9 + 1e-6
    assert gaps[:, :2].min() == pytest.approx(9, abs=1e-4)


def test_nowhere() -> None:
    foe = Outlines(np.array([[30.0, 22.0]]), np.array([60.0]))
    assert isinstance(place_group(sizes(3), Ground(BOARD, avoid=foe), SPACING, Nearest(foe)), Blocked)


@pytest.mark.parametrize("seed", range(10))
def test_crowded_zones(seed: int) -> None:
    """Random bases about a front: legal, coherent, and the same twice."""
    chance = np.random.default_rng(seed)
    there = Outlines(chance.uniform([0, 30], [15, 44], (12, 2)), chance.uniform(0.5, 1.2, 12))
    ground = Ground(BOARD, area=(ZONE,), no_end=there)
    first = place_group(sizes(10, R25), ground, SPACING, FRONT, (BEYOND,))
    again = place_group(sizes(10, R25), ground, SPACING, FRONT, (BEYOND,))
    both = Ground(BOARD, area=(ZONE, BEYOND), no_end=there)
    assert_sound(first, 10, both, R25)
    assert isinstance(first, Placed)
    assert isinstance(again, Placed)
    assert (first.xy == again.xy).all()
    assert not first.left_out


@pytest.mark.rule("SPAWN.7")
@pytest.mark.parametrize("at", [(45.0, 20.0), (30.0, 22.0)])
def test_r_a69_one_base_just_outside_a_ring_round_another(at: tuple[float, float]) -> None:
    """R.A69: more than 9 from a base in the open, all spots of the ring are equally near to it."""
    foe = Outlines(np.array([at]), sizes(1))
    ground = Ground(BOARD, end_avoid=Outlines(np.array([at]), sizes(1) + 9.0))
    placed = assert_sound(place_group(sizes(1), ground, SPACING, Nearest(foe)), 1, ground)
    assert np.hypot(*(placed.xy[0] - at)) == pytest.approx(9 + 2 * R32, abs=1e-5)


@pytest.mark.rule("SPAWN.6")
def test_four_where_the_one_that_stands_best_leaves_no_room_for_the_last() -> None:
    """Three 40 mm bases nest along the front beside an enemy.

    With one at each corner there is room for four.
    """
    radius, x, y = 20 / 25.4, 10.944, 6.849
    foe = Outlines(np.array([[11.0, 9.0]]), sizes(1))
    zone: Polygon = ((x, y), (x + 3.44, y), (x + 3.44, y + 3.862), (x, y + 3.862))
    ground = Ground(BOARD, solid=foe, area=(zone,))
    front = Front(((zone[0], zone[1]),))
    placed = assert_sound(place_group(sizes(4, radius), ground, SPACING, front), 4, ground, radius)
    assert not placed.left_out
    narrow = Ground(BOARD, solid=foe, area=(tuple((at, min(end, y + 3.5)) for at, end in zone),))
    less = assert_sound(place_group(sizes(4, radius), narrow, SPACING, front), 4, narrow, radius)
    assert less.left_out == (3,)


@pytest.mark.rule("SPAWN.7", "CORE.RES.5", "CORE.TRN.2")
@pytest.mark.parametrize(
    ("mm", "fit", "there", "wide"),
    [
        (
            40.0,
            [[21.8655, 21.7915], [22.1943, 23.8095], [23.8934, 22.3852], [23.9673, 23.9969]],
            [[20.1993, 24.7186], [23.3359, 20.5562]],
            [0.4013, 0.7154],
        ),
        (
            32.0,
            [[23.5334, 20.9031], [22.276, 20.5435], [22.1569, 22.23], [23.5276, 22.6162], [22.3869, 23.6748]],
            [[21.1477, 23.2294], [20.5427, 21.203]],
            [0.6225, 0.8768],
        ),
        (
            25.0,
            [[20.9141, 21.3839], [20.0868, 20.3909], [21.734, 20.7492]],
            [[20.3221, 22.5202], [22.2213, 22.7865]],
            [0.5921, 0.8172],
        ),
    ],
)
def test_as_near_as_may_be_where_there_is_hardly_room(
    mm: float, fit: list[list[float]], there: list[list[float]], wide: list[float]
) -> None:
    """All bases are known to fit into the box round them: nobody is left out.

    It does not matter beside what they stand.
    """
    radius, at = mm / 25.4 / 2, np.array(fit)
    (x0, y0), (x1, y1) = at.min(axis=0) - radius - 0.01, at.max(axis=0) + radius + 0.01
    area: Polygon = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    ground = Ground(BOARD, no_end=Outlines(np.array(there), np.array(wide)), area=(area,))
    middle = Nearest(Outlines(np.array([[(x0 + x1) / 2, (y0 + y1) / 2]]), np.zeros(1)))
    for zone, beyond in ((ground, None), (replace(ground, area=(FAR_OFF,)), (area,))):
        placed = place_group(sizes(len(fit), radius), zone, SPACING, middle, beyond)
        assert not assert_sound(placed, len(fit), ground, radius).left_out


@pytest.mark.rule("SPAWN.6")
@pytest.mark.parametrize("facing", [0.0, 40.0])
def test_bases_of_all_shapes_stand_side_by_side_in_a_zone_with_an_inward_corner(facing: float) -> None:
    """All find a place; where the zone is narrow, those that do not fit stand beyond it."""
    bases = [oval_base(75, 42), hull_base(3.0, 1.5), round_base(40)] * 3
    stances = [stance_of(base, facing) for base in bases]
    zone: Polygon = ((10, 10), (22, 10), (22, 14), (15, 14), (15, 20), (10, 20))
    beyond: Polygon = ((5, 20), (30, 20), (30, 30), (5, 30))
    there = Outlines(np.array([[12.0, 12.0], [18.0, 12.5]]), sizes(2))
    ground, front = Ground(BOARD, no_end=there, area=(zone,)), Front((((10, 10), (22, 10)),))
    narrow = replace(ground, area=(((10, 16), (15, 16), (15, 20), (10, 20)),))
    for own, more in ((ground, None), (narrow, (beyond,))):
        found = place_group(stances, own, SPACING, front, more)
        assert isinstance(found, Placed)
        assert not found.left_out
        whole = replace(own, area=(*own.area, *(more or ())))
        assert may_stand(whole, found.xy, stances).all()
        at = standing(found.xy, stances)
        assert (clearances(at, at)[np.triu_indices(len(stances), 1)] >= -1e-6).all()
        assert is_coherent(at, np.zeros(len(stances)), SPACING)


@pytest.mark.rule("R.A69")
def test_the_nearest_place_may_lie_opposite_to_the_joint_of_two_areas() -> None:
    left = ((30.0, 44.0), (30.0, 38.0), (6.0, 38.0), (6.0, 12.0), (0.0, 12.0), (0.0, 44.0))
    right = ((60.0, 44.0), (60.0, 12.0), (54.0, 12.0), (54.0, 38.0), (30.0, 38.0), (30.0, 44.0))
    near = Nearest(Outlines(np.array([[30.0, 20.0]]), np.full(1, 0.5)))
    found = place_group(np.array([1.0]), Ground((60.0, 44.0), area=(left, right)), Spacing(), near)
    assert isinstance(found, Placed)
    assert found.xy[0] == pytest.approx((30.0, 39.0), abs=1e-5)
