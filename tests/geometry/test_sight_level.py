"""Which lines in space the walls of ruins, floors, hills and raised pieces close."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from msgspec.structs import replace

from geometry.measure.body import Bodies
from geometry.shape.base import Base, hull_base, oval_base, round_base
from geometry.shape.convex_shape import core_of, margin_of
from geometry.sight.landscape import Landscape, Piece, solid_bodies
from geometry.sight.visibility import Sight, sight, visible

SMALL = round_base(32)
RUIN = Piece("ruin", ((28, 18), (36, 18), (36, 26), (28, 26)), 9.0, "boundless")
STEM = ((32.0, 18.0), (32.0, 26.0))


def body(
    x: float,
    y: float,
    z: float = 0.0,
    height: float = 2.5,
    base: Base = SMALL,
    facing: float = 0.0,
    sees_over: bool = False,
) -> Bodies:
    return Bodies(
        np.array([(x, y)], dtype=float),
        np.array([z]),
        np.array([margin_of(base)]),
        np.array([height]),
        np.array([sees_over]),
        np.array([False]),
        (core_of(base, facing),),
    )


def look(here: Bodies, there: Bodies, *pieces: Piece) -> Sight:
    landscape = Landscape(pieces)
    found = sight(here, there, landscape)
    assert np.array_equal(found.visible, visible(here, there, landscape))
    line = found.line(0, 0)
    assert (line is not None) == found.visible[0, 0]
    if line is not None:
        for (x, y, z), end in zip(line, (here, there), strict=True):
            assert end.outlines.distances(np.array([(x, y)]))[0, 0] <= 1e-6
            assert end.z[0] - 1e-9 <= z <= end.z[0] + end.height[0] + 1e-9
    return found


def verdict(here: Bodies, there: Bodies, *pieces: Piece) -> str:
    found = look(here, there, *pieces)
    if not found.visible[0, 0]:
        return "hidden"
    return "fully" if found.fully[0, 0] else "partly"


# walls


@pytest.mark.rule("CORE.TER.6")
def test_a_wall_in_a_ruin_hides_from_one_another_who_stand_in_it() -> None:
    left, right = body(30, 22), body(34, 22)
    assert verdict(left, right, RUIN) == "fully"
    walled = replace(RUIN, walls=(STEM,))
    assert verdict(left, right, walled) == verdict(right, left, walled) == "hidden"
    assert look(left, right, walled).witness(0, 0) == ("ruin",)


@pytest.mark.rule("CORE.TER.6")
def test_through_an_opening_in_a_wall_a_part_is_seen() -> None:
    left, right = body(30, 22), body(34, 22)
    door = replace(RUIN, walls=(((32, 18), (32, 22.55)), ((32, 22.6), (32, 26))))
    assert verdict(left, right, door) == "partly"
    assert look(left, right, door).obscured_by[0, 0].tolist() == [True]
    wide = replace(RUIN, walls=(((32, 18), (32, 21)), ((32, 23), (32, 26))))
    assert verdict(left, right, wide) == "fully"
    closed = replace(RUIN, walls=(((32, 18), (32, 22)), ((32, 22), (32, 26))))
    assert verdict(left, right, closed) == "hidden"


@pytest.mark.rule("CORE.TER.6")
def test_walls_that_meet_at_a_corner_leave_no_slit() -> None:
    bent = replace(RUIN, walls=(((32, 18), (32, 22), (36, 22)),))
    corner_in, corner_out = body(34, 20), body(30, 24)
    assert verdict(corner_in, corner_out, bent) == "hidden"
    split = replace(RUIN, walls=(((32, 18), (32, 22)), ((36, 22), (32, 22))))
    assert verdict(corner_in, corner_out, split) == "hidden"
    leaning = replace(RUIN, walls=(((32, 18), (32, 26)), ((28, 22), (32, 22))))
    assert verdict(body(30, 20), body(30, 24), leaning) == "hidden"


@pytest.mark.rule("CORE.TER.6")
def test_from_outside_a_wall_hides_who_stands_behind_it_in_the_ruin() -> None:
    walled = replace(RUIN, walls=(STEM,))
    assert verdict(body(22, 22), body(34, 22), RUIN) == "fully"
    assert verdict(body(22, 22), body(34, 22), walled) == "hidden"
    assert verdict(body(22, 22), body(30, 22), walled) == "fully"


@pytest.mark.rule("CORE.TER.6")
def test_a_wall_has_a_height_and_grazing_its_end_is_free() -> None:
    low = replace(RUIN, height=2.0, walls=(STEM,))
    assert verdict(body(30, 22), body(34, 22), low) == "partly"
    assert verdict(body(30, 22), body(34, 22), replace(low, height=2.5)) == "hidden"
    # A line along the tops of the rims just passes the wall's end.
    radius = SMALL.radius
    end = 22 + radius
    shut, grazed = (replace(RUIN, walls=(((32, 18), (32, y)),)) for y in (end + 0.001, end))
    left, right = (body(x, 22, base=hull_base(2 * radius, 2 * radius)) for x in (30, 34))
    assert verdict(left, right, grazed) == "partly"
    assert verdict(left, right, shut) == "hidden"


@pytest.mark.rule("CORE.TER.6")
def test_aircraft_are_seen_over_the_footprint_but_not_through_a_wall() -> None:
    walled = replace(RUIN, walls=(STEM,))
    flyer = body(40, 22, sees_over=True)
    assert verdict(body(22, 22), flyer, RUIN) == "fully"
    assert verdict(body(22, 22), flyer, walled) == "hidden"
    assert verdict(body(22, 22), body(40, 22, z=20, sees_over=True), walled) != "hidden"


def test_two_slits_in_walls_in_line_let_one_exact_line_pass() -> None:
    def slit(x: float, y: float, gap: float) -> tuple[tuple[tuple[float, float], ...], ...]:
        return (((x, 0.0), (x, y)), ((x, y + gap), (x, 44.0)))

    a, b = body(20, 20), body(40, 24, base=hull_base(3, 2), facing=20)
    ground = Piece("ground", ((0, 0), (60, 0), (60, 44), (0, 44)), 9.0, "open")

    def hangs(first: float, second: float) -> str:
        return verdict(a, b, replace(ground, walls=slit(25, first, 0.02) + slit(35, second, 0.02)))

    assert hangs(21.0, 23.0) == "partly"
    # Only lines from y = 19.9 on at the observer's side (its rim reaches down to 19.37) get through.
    assert hangs(21.0, 25.5) == "hidden"


# floors


@pytest.mark.rule("CORE.TER.6")
def test_a_floor_parts_who_stand_above_one_another() -> None:
    storeys = replace(RUIN, floors=(3.0, 6.0))
    low, high = body(32, 22), body(32, 22, z=3)
    assert verdict(low, high, storeys) == verdict(high, low, storeys) == "hidden"
    assert verdict(low, high, RUIN) == "fully"
    assert verdict(low, body(34.5, 23, z=6), storeys) == "hidden"
    assert verdict(body(30, 22, z=3), body(34, 22, z=3), storeys) == "fully"
    assert look(low, high, storeys).witness(0, 0) == ("ruin",)


@pytest.mark.rule("CORE.TER.6")
def test_from_outside_one_sees_onto_a_floor_over_its_edge() -> None:
    storeys = replace(RUIN, floors=(3.0,))
    # From (20, 22) up to 5.5" high at the near rim: the line passes 3" well outside of the footprint only if
    # the model stands near the edge.
    near, far = body(28.7, 22, z=3), body(35, 22, z=3)
    watcher = body(26, 22)
    assert verdict(watcher, near, storeys) == "partly"
    # The line from 2.5" at x = 26.63 reaches 3" after a sixth of the way to 5.5" at x = 34.37: at 27.92.
    assert verdict(watcher, far, storeys) == "partly"
    assert verdict(body(27.5, 22), far, storeys) == "hidden"
    assert verdict(far, body(27.5, 22), storeys) == "hidden"
    assert verdict(body(20, 22, height=4), far, storeys) == "fully"


@pytest.mark.rule("CORE.TER.6")
def test_from_a_hill_one_looks_in_under_a_floor() -> None:
    storeys = replace(RUIN, floors=(3.0,))
    low = body(33, 22, height=2)
    # High above, on a hill close by, even the feet look down onto the floor. A model near its edge is seen.
    hill = Piece("hill", ((20, 18), (26, 18), (26, 26), (20, 26)), 6.0, "solid")
    assert verdict(body(25, 22, z=6), low, storeys, hill) == "hidden"
    assert verdict(body(25, 22, z=6), body(30, 22, height=2), storeys, hill) == "partly"
    # Half as high its eye may be below the floor, and its line goes down over the hill's edge.
    low_hill = replace(hill, height=2.0)
    assert verdict(body(25, 22, z=2, height=4), low, storeys, low_hill) == "fully"
    assert verdict(low, body(25, 22, z=2, height=4), storeys, low_hill) != "hidden"


# hills, containers, raised pieces


@pytest.mark.rule("CORE.TER.4")
def test_from_a_top_one_sees_down_over_the_edge() -> None:
    box = Piece("box", ((28, 18), (36, 18), (36, 26), (28, 26)), 5.0, "solid")
    lurker = body(36.7, 22)
    # The edge at 5" hides what lies below the line from a top at 7.5"; standing at the edge one sees it.
    assert verdict(body(30, 22, z=5), lurker, box) == "hidden"
    assert verdict(body(35.3, 22, z=5), lurker, box) != "hidden"
    assert verdict(body(35.3, 22, z=5), lurker, box) == verdict(body(35.3, 22, z=5), body(36.7, 22), box)
    assert verdict(body(30, 22, z=5), body(50, 22), box) in ("partly", "fully")


@pytest.mark.rule("CORE.LOS.1")
def test_below_a_raised_piece_lines_pass() -> None:
    bridge = Piece("bridge", ((28, 18), (36, 18), (36, 26), (28, 26)), 1.0, "solid", base_z=3.0)
    assert verdict(body(20, 22), body(44, 22), bridge) == "fully"
    deep = replace(bridge, base_z=1.0, height=3.0)
    assert verdict(body(20, 22), body(44, 22), deep) == "partly"
    # From on top of it the ground below is hidden.
    assert verdict(body(32, 22, z=4), body(32, 22), bridge) == "hidden"


@pytest.mark.rule("CORE.LOS.1")
def test_a_line_may_have_to_rise_over_one_piece_and_pass_below_another() -> None:
    wall = Piece("wall", ((26, 10), (26.5, 10), (26.5, 34), (26, 34)), 2.0, "solid")
    lintel = Piece("lintel", ((30, 10), (30.5, 10), (30.5, 34), (30, 34)), 4.0, "solid", base_z=2.2)
    a, b = body(20, 22), body(40, 22)
    assert verdict(a, b, wall, lintel) == "partly"
    # Through the gap from 2.0 to 2.2 only: lower it below the wall's top and the line must dive too far.
    assert verdict(a, b, wall, replace(lintel, base_z=0.5)) == "hidden"
    assert verdict(a, b, wall, replace(lintel, base_z=1.9)) == "partly"


@pytest.mark.rule("CORE.LOS.1")
def test_over_two_low_walls_only_a_slanting_line_is_free() -> None:
    # The tall target shows its top over both, but only where each wall is far enough from the watcher.
    watcher, tower = body(10, 22), body(40, 22, height=8)
    # Lines from 2.5" to 8": at x the line is 2.5 + 5.5 (x - 9.37) / (39.37 - 9.37) high from the far rim.
    at = 9.37008
    rise = 5.5 / (39.37008 - at)
    front = Piece("front", ((16, 0), (16.2, 0), (16.2, 44), (16, 44)), 2.5 + rise * (16 - at) - 0.01, "solid")
    back = Piece("back", ((30, 0), (30.2, 0), (30.2, 44), (30, 44)), 2.5 + rise * (30 - at) - 0.01, "solid")
    assert verdict(watcher, tower, front, back) == "partly"
    assert verdict(watcher, tower, front, replace(back, height=back.height + 0.02)) == "hidden"


# bodies in the way


@pytest.mark.rule("CORE.LOS.1")
def test_s_l21_a_body_between_blocks_where_it_is_counted() -> None:
    here, there = body(20, 22), body(40, 22)
    between = body(30, 22, height=5.0, base=round_base(60))
    assert verdict(here, there) == "fully"
    assert verdict(here, there, *solid_bodies(between, ["giant"])) == "hidden"
    assert look(here, there, *solid_bodies(between, ["giant"])).witness(0, 0) == ("giant",)
    slim = body(30, 22, height=5.0, base=round_base(25))
    assert verdict(here, there, *solid_bodies(slim, ["slim"])) == "partly"
    assert (
        verdict(here, there, *solid_bodies(replace(between, height=np.array([2.0])), ["small"])) != "hidden"
    )


@pytest.mark.parametrize("base", [round_base(60), oval_base(170, 105), hull_base(6, 3)])
def test_a_body_in_the_way_covers_the_area_of_its_base(base: Base) -> None:
    (piece,) = solid_bodies(body(30, 22, base=base, facing=30), ["it"])
    area = shapely.Polygon(piece.polygon).area
    true = base.length * base.width * (1 if base.shape == "hull" else np.pi / 4)
    assert area == pytest.approx(true, rel=1e-4)


# whole units


@pytest.mark.rule("CORE.LOS.3")
def test_s_l23_one_model_of_five_is_seen() -> None:
    wall = Piece("wall", ((30, 0), (31, 0), (31, 24), (30, 24)), 9.0, "solid")
    spots = [(40.0, 10.0), (40.0, 12.0), (40.0, 14.0), (40.0, 16.0), (40.0, 27.0)]
    n = len(spots)
    no = np.zeros(n, dtype=bool)
    unit = Bodies(np.array(spots), np.zeros(n), np.full(n, SMALL.radius), np.full(n, 2.5), no, no)
    found = sight(body(20, 20), unit, Landscape([wall]))
    assert found.visible[0].tolist() == [False, False, False, False, True]
