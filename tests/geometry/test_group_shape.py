"""Units of ovals and hulls: contact, lengthwise gaps, pivots, mixed units, set-ups."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from msgspec.structs import replace

from geometry.group import planned_move
from geometry.group.group_move import (
    Front,
    Moved,
    Nearest,
    Party,
    Placed,
    move_away,
    move_into_contact,
    move_to_point,
    move_toward,
    place_group,
)
from geometry.measure.coherency import Spacing, is_coherent
from geometry.measure.distance import clearances
from geometry.measure.region import ring
from geometry.path.ground import Ground
from geometry.path.planner import Blocked, check_paths
from geometry.shape.base import Base, Floats, Polygon, hull_base, oval_base, round_base
from geometry.shape.convex_shape import Outlines, stance_of
from geometry.shape.nearby import shapes_of

BOARD = (60.0, 44.0)
SPACING = Spacing()
R32 = 16 / 25.4
BIKE = oval_base(75, 42)
HULL = hull_base(5.0, 3.0)
INFANTRY = round_base(32)
OUTSIDE = ((0.0, 0.0), (60.0, 0.0), (60.0, 44.0), (0.0, 44.0))


def party(
    bases: list[Base],
    at: list[tuple[float, float]],
    facing: float | list[float] = 0.0,
    limit: float = 9.0,
    pivot: float | None = None,
) -> Party:
    count = len(bases)
    return Party(
        np.array(at, dtype=float),
        np.array([base.radius for base in bases]),
        np.full(count, limit),
        tuple(bases),
        np.broadcast_to(np.asarray(facing, dtype=float), (count,)).copy(),
        None if pivot is None else np.full(count, pivot),
    )


def discs(*at: tuple[float, float], radius: float = R32) -> Outlines:
    return Outlines(np.array(at, dtype=float).reshape(-1, 2), np.full(len(at), radius))


def facings(moved: Moved, unit: Party) -> list[float]:
    """Return which way each model faces at the end."""
    return [
        next((leg[2] for leg in path.legs if len(leg) == 4), unit.faces(row))
        for row, path in enumerate(moved.paths)
    ]


def ended(moved: Moved | Blocked, unit: Party) -> Outlines:
    """Return the bases at the end of a move."""
    assert isinstance(moved, Moved)
    stances = [stance_of(b, f) for b, f in zip(unit.bases, facings(moved, unit), strict=True)]
    return shapes_of(np.array([path.end for path in moved.paths]), stances)


def polygons(bases: Outlines) -> list[shapely.Polygon]:
    cores = bases.core or (stance_of(INFANTRY).core,) * len(bases)
    return [
        shapely.Polygon(ring(core, float(radius), 0.01) + at)
        for core, radius, at in zip(cores, bases.radius, bases.xy, strict=True)
    ]


def assert_sound(bases: Outlines, others: Outlines | None = None) -> None:
    """No base covers another (by shapely), and the unit is coherent."""
    shapes = polygons(bases)
    for i, shape in enumerate(shapes):
        for other in [*shapes[:i], *(polygons(others) if others is not None and len(others) else [])]:
            assert shape.intersection(other).area < 1e-6
    assert is_coherent(bases, np.zeros(len(bases)), SPACING)


def assert_legal(moved: Moved | Blocked, unit: Party, ground: Ground) -> Outlines:
    """Assert that each path without its pivot is legal, and that the end is sound.

    A path is judged for the base as it faces after the pivot.
    """
    bases = ended(moved, unit)
    assert isinstance(moved, Moved)
    stances = [stance_of(b, f) for b, f in zip(unit.bases, facings(moved, unit), strict=True)]
    straight, spent = [], []
    for path in moved.paths:
        pivots = [leg for leg in path.legs if len(leg) == 4]
        assert len(pivots) <= 1
        straight.append(replace(path, legs=tuple(leg for leg in path.legs if len(leg) != 4)))
        spent.append(sum(leg[3] for leg in pivots))
    assert check_paths(straight, stances, unit.xy, unit.limit - np.array(spent), ground) == []
    assert_sound(bases, ground.solid)
    return bases


@pytest.mark.rule("CORE.CHG.3")
def test_two_hulls_charge_a_line_and_touch_it() -> None:
    foes = discs(*[(20.0, 18 + 1.5 * i) for i in range(6)])
    unit, ground = party([HULL, HULL], [(10, 20), (10.5, 23.5)]), Ground(BOARD, solid=foes)
    moved = move_into_contact(unit, [foes], ground, SPACING)
    bases = assert_legal(moved, unit, ground)
    assert clearances(bases, foes).min(axis=1) == pytest.approx([0, 0], abs=1e-6)


@pytest.mark.rule("CORE.CHG.3")
@pytest.mark.parametrize("facing", [0.0, 20.0, 90.0, 135.0])
def test_an_oval_comes_into_contact_to_the_hair(facing: float) -> None:
    foe = discs((20.0, 22.0))
    unit, ground = party([BIKE], [(11, 19)], facing), Ground(BOARD, solid=foe)
    bases = assert_legal(move_into_contact(unit, [foe], ground, SPACING), unit, ground)
    assert clearances(bases, foe)[0, 0] == pytest.approx(0, abs=1e-6)


@pytest.mark.rule("CORE.CHG.2")
def test_a_charge_of_an_oval_is_measured_from_its_rim() -> None:
    """Lengthwise the rim is 37.5 mm from the middle, crosswise 21 mm.

    The gap is 5 or 5.65 inches.
    """
    foe = discs((20.0, 22.0))
    at = 20 - R32 - 37.5 / 25.4 - 5
    for facing, roll in ((0.0, 4.0), (90.0, 4.65)):
        for more, reaches in ((0.001, True), (-0.01, False)):
            unit = party([BIKE], [(at, 22)], facing, limit=roll + more)
            moved = move_into_contact(unit, [foe], Ground(BOARD, solid=foe), SPACING)
            assert isinstance(moved, Moved) is reaches


def gap_between_walls(low: float, high: float) -> tuple[Polygon, ...]:
    return ((14.0, 0.0), (16.0, 0.0), (16.0, low), (14.0, low)), (
        (14.0, high),
        (16.0, high),
        (16.0, 44.0),
        (14.0, 44.0),
    )


@pytest.mark.rule("CORE.MOVE.3")
def test_three_bikes_in_file_through_a_gap_that_fits_them_lengthwise() -> None:
    ground = Ground(BOARD, walls=gap_between_walls(21.0, 23.0))
    unit = party([BIKE] * 3, [(12, 22), (8.8, 22), (5.6, 22)], limit=12.0, pivot=1.0)
    moved = move_to_point(unit, (40.0, 22.0), ground, SPACING)
    bases = assert_legal(moved, unit, ground)
    assert bases.xy[:, 0] == pytest.approx([24, 20.8, 17.6], abs=1e-6)


@pytest.mark.rule("CORE.MOVE.3")
@pytest.mark.parametrize(("pivot", "end"), [(1.0, 20.0), (2.0, 19.0), (None, 12.5)])
def test_a_bike_across_the_gap_turns_first_where_it_may(pivot: float | None, end: float) -> None:
    """A gap of 2 inches, a bike of 2.95 by 1.65: facing along the wall it does not fit."""
    ground = Ground(BOARD, walls=gap_between_walls(21.0, 23.0))
    unit = party([BIKE], [(12, 22)], 90.0, limit=9.0, pivot=pivot)
    moved = move_to_point(unit, (40.0, 22.0), ground, SPACING)
    bases = assert_legal(moved, unit, ground)
    if pivot is None:
        assert bases.xy[0, 0] < 16
    else:
        assert bases.xy[0, 0] == pytest.approx(end, abs=1e-6)
        assert isinstance(moved, Moved)
        assert moved.paths[0].legs[0][3] == pivot


@pytest.mark.rule("CORE.MOVE.3")
def test_nobody_turns_for_nothing() -> None:
    unit = party([HULL, HULL], [(10, 20), (10, 24)], 90.0, limit=9.0, pivot=2.0)
    moved = move_to_point(unit, (50.0, 22.0), Ground(BOARD), SPACING)
    assert isinstance(moved, Moved)
    assert all(len(leg) == 2 for path in moved.paths for leg in path.legs)
    assert [path.length for path in moved.paths] == pytest.approx([9, 9], abs=1e-6)


@pytest.mark.rule("CORE.MOVE.3")
@pytest.mark.parametrize("seed", range(8))
def test_no_pivot_that_gains_is_passed_over(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The move ends the same whether or not useless pivots are sorted out beforehand."""
    rng = np.random.default_rng(seed)
    corners = rng.uniform([13, 14], [22, 30], (5, 2))
    walls = tuple(((x, y), (x + 1.5, y), (x + 1.5, y + 2), (x, y + 2)) for x, y in corners.tolist())
    ground = Ground(BOARD, walls=walls)
    unit = party([(BIKE, HULL)[seed % 2]], [(10, 22)], float(rng.uniform(0, 180)), limit=10.0, pivot=1.0)
    moved = move_toward(unit, discs((24.0, 22.0)), ground, SPACING, 1.0)
    monkeypatch.setattr(planned_move._Unit, "_least", lambda *_: -math.inf)
    assert move_toward(unit, discs((24.0, 22.0)), ground, SPACING, 1.0).paths == moved.paths


@pytest.mark.rule("CORE.MOVE.3", "AI.STAY.5")
@pytest.mark.parametrize(("limit", "end"), [(6.2, 22.2), (6.0, 17.0)])
def test_who_leaves_a_zone_only_if_it_turns_turns(limit: float, end: float) -> None:
    """As it faces, a hull of 6.5 by 4.2 goes farthest, but its back stays in the zone.

    It faces at 45 degrees. Across its way it reaches 2.1 back and goes 5.2 inches after the pivot, from 17 to
    22.2.
    """
    unit = party([hull_base(6.5, 4.2)], [(17.0, 22.0)], 45.0, limit, pivot=1.0)
    zone = ((0.0, 0.0), (20.0, 0.0), (20.0, 44.0), (0.0, 44.0))
    moved = move_toward(unit, discs((40, 22)), Ground(BOARD, shun=(zone,)), SPACING, stays=False)
    assert isinstance(moved, Moved)
    assert moved.paths[0].end == pytest.approx((end, 22.0), abs=1e-4)
    assert facings(moved, unit) == pytest.approx([90.0 if end > 20 else 45.0])


@pytest.mark.rule("CORE.COH.1")
def test_nobody_turns_in_place_onto_a_friend() -> None:
    """Turned to the enemy, the hull would be 2 inches nearer, but on the base of a friend."""
    unit = party([hull_base(6.0, 2.0)], [(20.0, 20.0)], limit=1.0, pivot=1.0)
    friend = discs((20.0, 23.2))
    ground = Ground(BOARD, no_end=friend)
    moved = move_toward(unit, discs((20.0, 30.0)), ground, SPACING)
    assert_sound(assert_legal(moved, unit, ground), friend)
    assert ended(moved, unit).xy[0] == pytest.approx([20.0, 21.0])


def test_a_mixed_unit_keeps_together() -> None:
    """Round bases led by an oval one, with a hull: all move, none overlaps, coherent."""
    foes = discs((40, 20), (40, 22), (40, 24))
    unit = party(
        [INFANTRY] * 4 + [BIKE, HULL],
        [(20, 20), (20, 21.5), (18.5, 20), (18.5, 21.5), (20, 24.2), (16, 25)],
        [0, 0, 0, 0, 30, 10],
        limit=7.0,
    )
    ground = Ground(BOARD, solid=foes, avoid=foes.grown(1.0))
    bases = assert_legal(move_toward(unit, foes, ground, SPACING, 1.001), unit, ground)
    assert (bases.xy[:, 0] - unit.xy[:, 0] > 6).all()


def test_a_hull_stops_at_the_ring_of_a_hull() -> None:
    """Both facing along x: the gap is between their short sides."""
    foe = shapes_of(np.array([[40.0, 22.0]]), [stance_of(HULL)])
    unit = party([HULL], [(20, 22)], limit=30.0)
    ground = Ground(BOARD, solid=foe, avoid=foe.grown(1.0))
    bases = assert_legal(move_toward(unit, foe, ground, SPACING, 1.001), unit, ground)
    assert bases.xy[0] == pytest.approx([40 - 5 - 1.001, 22], abs=1e-5)


@pytest.mark.rule("CORE.MOVE.7")
def test_an_oval_falls_back_from_an_oval() -> None:
    foe = shapes_of(np.array([[30.0, 22.0]]), [stance_of(BIKE)])
    unit = party([BIKE], [(30 + 75 / 25.4, 22)], limit=6.0)
    ground = Ground(BOARD, no_end=foe, end_avoid=foe.grown(1.0))
    bases = assert_legal(move_away(unit, foe, ground, SPACING), unit, replace(ground, no_end=foe))
    assert clearances(bases, foe)[0, 0] == pytest.approx(6, abs=1e-4)


@pytest.mark.parametrize("how", ["shift", "mirror", "turn"])
def test_the_answer_moves_with_the_table(how: str) -> None:
    """Shifted, mirrored or turned by a quarter, the same unit gives the same answer."""
    matrix, offset = {
        "shift": (np.eye(2), np.array([3.5, -2.25])),
        "mirror": (np.diag([-1.0, 1.0]), np.array([44.0, 0.0])),
        "turn": (np.array([[0.0, -1.0], [1.0, 0.0]]), np.array([44.0, 0.0])),
    }[how]

    def moved_to(xy: Floats) -> Floats:
        return xy @ matrix.T + offset

    def turned(facing: float) -> float:
        way = matrix @ np.array([math.cos(math.radians(facing)), math.sin(math.radians(facing))])
        return math.degrees(math.atan2(way[1], way[0]))

    at = [(10.0, 20.0), (10.3, 22.0), (8.0, 24.4), (6.4, 21.0)]
    face = [0.0, 15.0, 40.0, 80.0]
    foes = discs((24.0, 21.0), (25.0, 25.0))
    wall: Polygon = ((15.0, 19.0), (17.0, 19.0), (17.0, 23.0), (15.0, 23.0))
    unit = party([INFANTRY, INFANTRY, BIKE, HULL], at, face, limit=8.0, pivot=1.0)
    ground = Ground((44.0, 44.0), walls=(wall,), solid=foes, avoid=foes.grown(1.0))
    first = ended(move_toward(unit, foes, ground, SPACING, 1.001), unit)
    other = party(
        [INFANTRY, INFANTRY, BIKE, HULL],
        [tuple(xy) for xy in moved_to(np.array(at))],
        [turned(f) for f in face],
        limit=8.0,
        pivot=1.0,
    )
    gone = Outlines(moved_to(foes.xy), foes.radius)
    walls = (tuple(tuple(xy) for xy in moved_to(np.array(wall))),)
    again = Ground((44.0, 44.0), walls=walls, solid=gone, avoid=gone.grown(1.0))
    second = ended(move_toward(other, gone, again, SPACING, 1.001), other)
    assert second.xy == pytest.approx(moved_to(first.xy), abs=1e-4)


@pytest.mark.rule("SPAWN.6")
def test_hulls_are_set_up_along_the_front() -> None:
    """Four hulls of 5 by 3, facing the front: side by side, their short sides on it."""
    zone: Polygon = ((0, 34), (15, 34), (15, 44), (0, 44))
    ground = Ground(BOARD, area=(zone,))
    stances = [stance_of(HULL, -90.0)] * 4
    placed = place_group(stances, ground, SPACING, Front((((0, 34), (15, 34)),)))
    assert isinstance(placed, Placed)
    assert placed.xy[:, 1] == pytest.approx([36.5] * 4, abs=1e-5)
    assert_sound(shapes_of(placed.xy, stances))


@pytest.mark.rule("SPAWN.7")
def test_ovals_strike_from_the_deep_just_beyond_nine_inches() -> None:
    foes = discs((30, 22), (31.5, 22), (40, 30))
    ground = Ground(BOARD, no_end=foes, end_avoid=foes.grown(9.0))
    stances = [stance_of(BIKE, 30.0)] * 3 + [stance_of(INFANTRY)]
    placed = place_group(stances, ground, SPACING, Nearest(foes.take([0, 1])))
    assert isinstance(placed, Placed)
    bases = shapes_of(placed.xy, stances)
    assert_sound(bases, foes)
    assert clearances(bases, foes).min() > 9 + 1e-6
    assert clearances(bases, foes).min() == pytest.approx(9, abs=1e-4)


@pytest.mark.rule("CORE.TRN.2")
def test_a_mixed_unit_gets_out_wholly_within_three_inches_of_a_hull() -> None:
    hull = shapely.box(25.0, 20.0, 30.0, 23.0)
    around: Polygon = tuple(hull.buffer(3.0, quad_segs=16).exterior.coords[:-1])
    stances = [stance_of(INFANTRY)] * 5 + [stance_of(BIKE, 90.0)]
    transport = shapes_of(np.array([[27.5, 21.5]]), [stance_of(HULL)])
    ground = Ground(BOARD, area=(around,), no_end=transport)
    placed = place_group(stances, ground, SPACING, Nearest(discs((50.0, 21.5))))
    assert isinstance(placed, Placed)
    assert not placed.left_out
    bases = shapes_of(placed.xy, stances)
    assert_sound(bases, transport)
    assert all(
        shape.distance(hull) <= 1e-6 or shape.within(shapely.Polygon(around).buffer(1e-6))
        for shape in polygons(bases)
    )


@pytest.mark.rule("R.A03")
def test_a_hull_goes_round_a_wall_to_a_base_nearer_to_the_edge_than_its_middle_can_come() -> None:
    """Lengthwise its middle stays 2.5 inches off the edge.

    The enemy stands 1 inch off the edge, behind a wall.
    """
    wall = ((15.0, 10.0), (45.0, 10.0), (45.0, 11.0), (15.0, 11.0))
    tank, foe = party([HULL], [(30.0, 20.0)], facing=90.0), discs((30.0, 1.0))
    moved = move_toward(tank, foe, Ground(BOARD, (wall,)), SPACING, 1.001)
    assert isinstance(moved, Moved)
    assert moved.paths[0].length == pytest.approx(9.0, abs=1e-6)
    assert moved.paths[0].end[1] < 20.0


@pytest.mark.rule("R.A03")
def test_who_comes_to_the_nearest_bases_only_by_a_long_way_round_makes_for_another() -> None:
    """Three enemies are 6 inches away, in a court that opens on its far side.

    A fourth is 9 inches away, in the open.
    """
    court = (
        ((10.0, 16.0), (34.0, 16.0), (34.0, 16.2), (10.0, 16.2)),
        ((26.0, 10.0), (26.2, 10.0), (26.2, 16.0), (26.0, 16.0)),
        ((33.8, 10.0), (34.0, 10.0), (34.0, 16.0), (33.8, 16.0)),
    )
    foes = discs((30.0, 14.0), (28.5, 14.0), (31.5, 14.0), (21.0, 20.0))
    moved = move_toward(party([HULL], [(30.0, 20.0)], limit=3.0), foes, Ground(BOARD, court), SPACING, 1.001)
    assert isinstance(moved, Moved)
    assert moved.paths[0].end[0] < 27.5


@pytest.mark.rule("AI.STAY.5")
def test_an_open_way_that_gains_nothing_is_left_for_a_closed_one() -> None:
    """A hull that must leave its zone does not turn for a way that only leads farther off.

    Turned, it would fit through the gap behind it, but not get out of the zone there.

    Rule: R.A03, AI.STAY.5
    """
    above = [((0.0, 26.0), (10.0, 26.0), (10.0, 27.0), (0.0, 27.0))]
    above.append(((14.0, 26.0), (34.0, 26.0), (34.0, 27.0), (14.0, 27.0)))
    below = ((0.0, 17.0), (34.0, 17.0), (34.0, 18.0), (0.0, 18.0))
    across = ((34.0, 17.0), (35.0, 17.0), (35.0, 27.0), (34.0, 27.0))
    zone = ((5.0, 0.0), (28.0, 0.0), (28.0, 44.0), (5.0, 44.0))
    ground = Ground(BOARD, (*above, below, across), shun=(zone,))
    unit = party([HULL], [(20.0, 22.0)], limit=12.0, pivot=2.0)
    moved = move_toward(unit, discs((40.0, 22.0)), ground, SPACING, stays=False)
    assert isinstance(moved, Moved)
    assert facings(moved, unit) == [0.0]
    assert moved.paths[0].end == pytest.approx((31.5, 22.0), abs=1e-6)


@pytest.mark.rule("CORE.MOVE.2")
@pytest.mark.parametrize("many", [0, 25])
def test_who_may_not_end_where_its_straight_way_does_goes_as_far_along_it_as_it_may(many: int) -> None:
    """Of the edges about the end of its way, the one that stops it on the way counts.

    This holds however many there are. A friend reaches from x 21.5 to 26.5, so that the hull's middle gets to
    29; smaller ones lie in it.

    Rule: R.A03
    """
    cores = (stance_of(hull_base(5.0, 30.0)).core, *[stance_of(hull_base(1.0, 1.0)).core] * many)
    at = [(24.0, 22.0), *((24.4 + 0.06 * i, 22.0) for i in range(many))]
    ground = Ground(BOARD, no_end=Outlines(np.array(at), np.zeros(1 + many), cores))
    unit = party([HULL], [(31.0, 22.0)], limit=3.5)
    moved = move_toward(unit, discs((14.0, 22.0)), ground, SPACING)
    assert isinstance(moved, Moved)
    assert moved.paths[0].end == pytest.approx((29.0, 22.0), abs=1e-6)


def test_a_hull_that_may_end_nowhere_as_it_faces_turns_to_where_it_may() -> None:
    """It could pass all the way as it faces, and end only lengthwise between the friends. R.A03"""
    friends = [(x, 10.0 + side * 2.7) for x in np.arange(14.0, 30.0, 1.0) for side in (-1, 1)]
    lane = (
        ((0.0, 0.0), (60.0, 0.0), (60.0, 6.0), (0.0, 6.0)),
        ((0.0, 14.0), (60.0, 14.0), (60.0, 44.0), (0.0, 44.0)),
    )
    ground = Ground(BOARD, lane, no_end=discs(*friends))
    goal = discs((40.0, 10.0))
    # Its corners touch the first two friends.
    at = 14.0 - 1.5 - math.sqrt(R32**2 - 0.2**2) - 1e-7
    across = party([HULL], [(at, 10.0)], 90.0, 6.0, pivot=2.0)
    moved = move_toward(across, goal, ground, SPACING, 1.0)
    assert isinstance(moved, Moved)
    assert facings(moved, across)[0] % 180.0 == pytest.approx(0.0, abs=1e-6)
    assert moved.paths[0].end[0] == pytest.approx(at + 4.0)
    # A hull that cannot pay for a pivot stays: everywhere on its way it would stand on a friend.
    stays = move_toward(replace(across, pivot=np.full(1, 7.0)), goal, ground, SPACING, 1.0)
    assert isinstance(stays, Moved)
    assert stays.paths[0].end[0] == pytest.approx(at, abs=1e-6)


@pytest.mark.rule("R.A03", "AI.STAY.5")
def test_a_hull_that_has_to_make_way_turns_where_it_is_farther_off_as_it_faces() -> None:
    """Among no friends it ends only well behind its start; lengthwise it backs out of the zone."""
    friends = [(x, 10.0 + side * 2.7) for x in np.arange(10.2, 30.0, 1.0) for side in (-1, 1)]
    zone = ((12.45, 0.0), (60.0, 0.0), (60.0, 44.0), (12.45, 44.0))
    ground = Ground(BOARD, no_end=discs(*friends), shun=(zone,))
    across = party([HULL], [(10.0, 10.0)], 90.0, 2.2, pivot=2.0)
    moved = move_toward(across, discs((40.0, 10.0)), ground, SPACING, 1.0, stays=False)
    assert isinstance(moved, Moved)
    assert facings(moved, across)[0] % 180.0 == pytest.approx(0.0, abs=1e-6)
    assert moved.paths[0].end == pytest.approx((9.95, 10.0), abs=1e-3)
    # A hull that cannot turn has only the way back.
    back = move_toward(replace(across, pivot=None), discs((40.0, 10.0)), ground, SPACING, 1.0, stays=False)
    assert isinstance(back, Moved)
    assert back.paths[0].end[0] < 9.0
