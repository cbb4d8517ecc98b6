"""Units that move up to floors, down from them and across them: by known outcomes."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec import structs
from msgspec.structs import replace

from geometry.group.group_move import Moved, Party, move_away, move_into_contact, move_to_point, move_toward
from geometry.measure.coherency import Spacing
from geometry.path.elevation import Crowd, Layer, Rise
from geometry.path.ground import Ground
from geometry.path.planner import check_path
from geometry.shape.base import Floats, Polygon, round_base
from geometry.shape.convex_shape import Outlines

SIZE = (60.0, 44.0)
R32 = round_base(32).radius
RUIN: Polygon = ((26.0, 16.0), (34.0, 16.0), (34.0, 28.0), (26.0, 28.0))


def foes(*at: tuple[float, float, float]) -> Outlines:
    return Outlines(np.array([place[:2] for place in at], dtype=np.float64), np.full(len(at), R32))


def ground(
    *at: tuple[float, float, float],
    charging: bool = False,
    flies: bool = False,
    floors: tuple[float, ...] = (3.0, 6.0),
) -> Ground:
    """Return a ruin with floors, at 3 and 6 inches, and enemies 2 inches tall at (x, y, z)."""
    shapes, z = foes(*at), np.array([place[2] for place in at], dtype=np.float64)
    body, near = Layer(shapes, z - 2.0, z + 2.0), Layer(shapes.grown(1.0), z - 5.0, z + 5.0)
    kept = Crowd(all=shapes, z=z) if flies else Crowd(solid=body, all=shapes, z=z)
    crowd = structs.replace(kept, no_end=body) if charging else structs.replace(kept, no_end=body, avoid=near)
    bare = Ground(SIZE, rises=(Rise(RUIN, 9.0, floors),), crowd=crowd, flies=flies)
    return bare.at(0.0)


def unit(*at: tuple[float, float, float], limit: float) -> Party:
    xy, z = (
        np.array([place[:2] for place in at], dtype=np.float64),
        np.array([place[2] for place in at], dtype=np.float64),
    )
    return Party(xy, np.full(len(at), R32), np.full(len(at), limit), z=z)


def ends(moved: object, party: Party, where: Ground) -> Floats:
    """Return where a unit ends (n, 3), after the checker has passed its paths."""
    assert isinstance(moved, Moved)
    z = np.zeros(len(party)) if party.z is None else party.z
    for row, path in enumerate(moved.paths):
        if path.legs:
            start = (*party.xy[row], z[row])
            assert check_path(path, R32, start, float(party.limit[row]), where) == ()
    return np.array([(*path.end, path.end_z) for path in moved.paths])


@pytest.mark.rule("CORE.TER.6")
def test_a_unit_comes_down_from_a_floor_toward_the_enemy() -> None:
    """Down 3 inches and 5 along: from (30, 22, 3) it ends 8 inches away from where it began."""
    party, where = unit((30, 22, 3), limit=8.0), ground((50, 22, 0))
    end = ends(move_toward(party, foes((50, 22, 0)), where, Spacing(), 1.01), party, where)
    assert end[0] == pytest.approx((35, 22, 0), abs=1e-5)


@pytest.mark.rule("CORE.TER.6")
def test_a_unit_climbs_toward_an_enemy_on_a_floor() -> None:
    """With 8 inches there are 5 left along the ground after the climb of 3."""
    party, where = unit((22, 22, 0), limit=8.0), ground((32, 22, 3))
    end = ends(move_toward(party, foes((32, 22, 3)), where, Spacing(), 1.01), party, where)
    assert end[0] == pytest.approx((27, 22, 3), abs=1e-5)


@pytest.mark.rule("CORE.TER.6")
def test_a_unit_goes_across_its_floor() -> None:
    party, where = unit((28, 20, 6), (28, 22, 6), limit=3.0), ground((33, 22, 6))
    end = ends(move_to_point(party, (33, 25), where, Spacing()), party, where)
    assert set(end[:, 2]) == {6.0} or end[:, 2].max() == 0.0
    assert np.hypot(*(end[:, :2] - (33, 25)).T).sum() < 12.0


@pytest.mark.rule("CORE.CHG.2")
@pytest.mark.parametrize(("limit", "there"), [(13.0, True), (12.99, False)])
def test_a_charge_up_to_a_floor_pays_for_its_climb(limit: float, there: bool) -> None:
    """Up 6 inches and 8 along to contact: within 1 inch of the enemy after 13."""
    enemy = (30.0 + 2 * R32, 22.0, 6.0)
    party, where = unit((22, 22, 0), limit=limit), ground(enemy, charging=True, floors=(6.0,))
    moved = move_into_contact(party, [foes(enemy)], where, Spacing())
    assert isinstance(moved, Moved) == there


@pytest.mark.rule("CORE.ER.1")
def test_a_charge_ends_on_a_floor_from_which_the_enemy_is_no_more_than_5_inches_above() -> None:
    enemy = (30.0 + 2 * R32, 22.0, 6.0)
    party, where = unit((22, 22, 0), limit=10.0), ground(enemy, charging=True)
    end = ends(move_into_contact(party, [foes(enemy)], where, Spacing()), party, where)
    assert end[0, 2] == 3.0


@pytest.mark.rule("CORE.CHG.2", "CORE.TER.6")
@pytest.mark.parametrize(("limit", "there"), [(3.0, False), (5.0, True)])
def test_a_model_before_a_floor_does_not_stay_in_the_air_beside_it(limit: float, there: bool) -> None:
    """One stands before the ruin; its friend on the floor reaches the enemy after 1.4 inches.

    Its own climb of 3 inches leaves it nothing to get onto the floor, or 2 inches.
    """
    enemy = (26.7 + 2 * R32 + 1.4, 22.0, 3.0)
    party, where = unit((25, 22, 0), (26.7, 22, 3), limit=limit), ground(enemy, charging=True)
    moved = move_into_contact(party, [foes(enemy)], where, Spacing())
    assert isinstance(moved, Moved) == there
    if there:
        assert ends(moved, party, where)[:, 2].tolist() == [3.0, 3.0]


@pytest.mark.rule("CORE.CHG.2")
def test_a_charge_reaches_contact_on_the_floor() -> None:
    enemy = (30.0 + 2 * R32, 22.0, 6.0)
    party, where = unit((22, 22, 0), limit=14.0), ground(enemy, charging=True)
    end = ends(move_into_contact(party, [foes(enemy)], where, Spacing()), party, where)
    assert end[0] == pytest.approx((30, 22, 6), abs=1e-5)


@pytest.mark.rule("CORE.MOVE.10")
def test_a_flying_charge_takes_the_air_line() -> None:
    """Over 8 and up 6 inches it is 10 through the air."""
    enemy = (30.0 + 2 * R32, 22.0, 6.0)
    for limit, there in ((10.0, True), (9.2, False)):
        party = unit((22, 22, 0), limit=limit)
        where = ground(enemy, charging=True, flies=True, floors=(6.0,))
        moved = move_into_contact(party, [foes(enemy)], where, Spacing())
        assert isinstance(moved, Moved) == there
        if there:
            assert ends(moved, party, where)[0] == pytest.approx((30, 22, 6), abs=1e-5)


@pytest.mark.rule("CORE.MOVE.7")
def test_a_unit_falls_back_from_its_floor() -> None:
    party, where = unit((30, 22, 6), limit=10.0), ground((31.5, 22, 6), charging=True)
    end = ends(move_away(party, foes((31.5, 22, 6)), where, Spacing()), party, where)
    assert np.hypot(*(end[0, :2] - (31.5, 22))) > 2 * R32 + 1.0 or end[0, 2] < 1.0


def test_without_heights_nothing_changes() -> None:
    flat = ground((50, 22, 0))
    party = Party(np.array([[22.0, 22.0]]), np.array([R32]), np.array([6.0]))
    one = move_toward(party, foes((50, 22, 0)), flat, Spacing(), 1.01)
    two = move_toward(party, foes((50, 22, 0)), replace(flat, crowd=None, rises=()), Spacing(), 1.01)
    assert isinstance(one, Moved)
    assert isinstance(two, Moved)
    assert one.paths == two.paths


@pytest.mark.rule("R.A03", "CORE.MOVE.8")
def test_who_will_climb_next_turn_comes_all_the_way_up_to_the_wall() -> None:
    """A wall 4 inches high costs 8 of 10 inches.

    That is no reason to stop after the 2 inches that are left.
    """
    wall: Polygon = ((26.0, 0.0), (28.0, 0.0), (28.0, 40.0), (26.0, 40.0))
    there = foes((40.0, 10.0, 0.0))
    crowd = Crowd(solid=Layer(there, np.array([-2.0]), np.array([2.0])), all=there, z=np.zeros(1))
    where = Ground(SIZE, walls=(wall,), rises=(Rise(wall, 4.0, (4.0,)),), crowd=crowd).at(0.0)
    party = Party(np.array([[20.0, 10.0]]), np.array([R32]), np.array([10.0]))
    moved = move_toward(party, there, where, Spacing(), 1.01)
    assert ends(moved, party, where)[0] == pytest.approx((26.0 - R32, 10.0, 0.0), abs=1e-4)


@pytest.mark.rule("CORE.MOVE.8")
def test_who_comes_down_from_a_top_climbs_what_is_next_on_its_way() -> None:
    """Down 3, up and down 2.5: of 20 inches 12 are gone on the flat, from 20 to 32.

    The other of the two stands on the ground and pays for the wall alone: of 20 inches it goes 15, from 17.8.
    """
    top: Polygon = ((18.5, 20.0), (21.5, 20.0), (21.5, 24.0), (18.5, 24.0))
    wall: Polygon = ((26.0, 0.0), (27.0, 0.0), (27.0, 44.0), (26.0, 44.0))
    xy, z = np.array([(20.0, 22.0), (17.8, 22.0 + 3.0)]), np.array([3.0, 0.0])
    foe = Outlines(np.array([(55.0, 22.0)]), np.array([R32]))
    crowd = Crowd(all=foe, z=np.zeros(1))
    where = Ground(SIZE, walls=(top, wall), rises=(Rise(top, 3.0, (3.0,)), Rise(wall, 2.5)), crowd=crowd)
    party = Party(xy, np.full(2, R32), np.full(2, 20.0), z=z)
    found = move_toward(party, foe, where, Spacing(6.0), 1.01)
    assert isinstance(found, Moved)
    assert found.paths[0].end[0] == pytest.approx(32.0, abs=1e-3)
    assert found.paths[1].end[0] > 32.7
    for row, path in enumerate(found.paths):
        assert not path.is_level
        assert check_path(path, R32, (*xy[row], z[row]), 20.0, where) == ()
