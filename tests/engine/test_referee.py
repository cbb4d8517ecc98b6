"""What the referee finds in moves: nothing in legal ones, and each fault put into others."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from msgspec import structs

from engine.audit.referee.reading import Reading
from engine.core import event as ev
from engine.core.facts import BaseFacts, BoardFacts, TerrainFacts

MM32 = 32 / 25.4
"""The width of a 32 mm base in inches: the middles of two that touch are this far apart."""
R = MM32 / 2
WALL = TerrainFacts(
    id="wall", kind="wall", footprint=((28.0, 20.0), (36.0, 20.0), (36.0, 21.0), (28.0, 21.0)), height=6.0
)

Read = Callable[..., Reading]


def moved(
    *legs: tuple[float, ...], row: int = 0, kind: str = "normal", unit: str = "marines", end: Any = None
) -> ev.Moved:
    """Return the event of one model moved along legs."""
    x, y = end or legs[-1][:2]
    return ev.Moved(unit=unit, kind_of_move=kind, poses={row: (x, y, 0.0, 0.0)}, paths={row: legs})


def rolled(kind: str, total: int, unit: str = "marines") -> ev.Rolled:
    return ev.Rolled(roll=kind, dice=(total,), total=total, stream="dice", draws=1, unit=unit)


def charges(*targets: str, unit: str = "marines") -> ev.Decided:
    return ev.Decided(seat="p1", decision="charge", unit=unit, choice=targets)


def shoots(target: str, *, model: int = 0, weapon: int = 0, unit: str = "marines") -> ev.Targeted:
    return ev.Targeted(unit=unit, shots=(ev.Shot(model=model, weapon=weapon, target=target),))


def checks(found: Reading) -> list[str]:
    return [each.check for each in found.disagreements]


def walled(*pieces: TerrainFacts) -> BoardFacts:
    return BoardFacts(terrain=pieces or (WALL,))


# paths


@pytest.mark.rule("CORE.MOVE.2", "CORE.MOVE.5")
@pytest.mark.parametrize(
    ("legs", "found"),
    [
        ([(30.0, 14.0)], []),
        ([(30.0, 14.00001)], ["length"]),
        ([(33.0, 8.0), (33.0, 11.0)], []),
        ([(33.0, 8.0), (33.0, 11.1)], ["length"]),
        ([(32.0, 8.0, 31.0, 8.0, 1.0)], []),  # half a turn about (31, 8): 3.14"
        ([(30.0, 12.0, 30.0, 10.0, 1.0)], ["length"]),  # half a turn about (30, 10): 6.28"
        ([(32.0, 8.0, 31.0, 8.5, 1.0)], []),
        ([(32.0, 8.0, 31.1, 8.0, 1.0)], ["path"]),
    ],
)
def test_a_normal_move_of_6_is_measured(judged: Read, marines: Any, legs: Any, found: list[str]) -> None:
    assert checks(judged([marines()], moved(*legs))) == found


@pytest.mark.rule("CORE.MOVE.5")
@pytest.mark.parametrize(
    ("cause", "to", "found"),
    [
        ("CORE.MOVE.5", 14.0, []),
        ("CORE.MOVE.5", 14.1, ["length"]),
        ("DATASHEET.skulking-horrors", 9.0, []),
        ("DATASHEET.skulking-horrors", 9.1, ["length"]),
    ],
)
def test_a_move_out_of_turn_bounds_itself_and_not_the_own_move_of_the_phase(
    judged: Read, marines: Any, cause: str, to: float, found: list[str]
) -> None:
    bound = ev.Marked(on="unit:marines", key="moves-up-to", value=1, until="phase")
    assert checks(judged([marines()], bound, structs.replace(moved((30.0, to)), cause=cause))) == found


def test_a_disagreement_is_one_line_with_event_unit_and_both_measures(judged: Read, marines: Any) -> None:
    found = judged([marines()], ev.TurnBegan(whose="players"), moved((30.0, 16.0)))
    assert [str(each) for each in found.disagreements] == [
        "event 101, marines, length: model 0 makes a normal move 30.000, 8.000 – 30.000, 16.000; "
        'measured: it is 8.0000" long, and 6" are allowed (M 6)'
    ]


def test_a_path_that_leads_elsewhere_than_the_pose_is_found(judged: Read, marines: Any) -> None:
    assert checks(judged([marines()], moved((30.0, 11.0), end=(30.0, 12.0)))) == ["path"]
    both = structs.replace(moved((30.0, 11.0)), poses={})
    assert checks(judged([marines()], both)) == ["path"]


@pytest.mark.rule("CORE.MOVE.6")
def test_an_advance_goes_as_far_as_its_roll_in_the_log(judged: Read, marines: Any) -> None:
    far = moved((30.0, 17.0), kind="advance")
    assert checks(judged([marines()], rolled("advance", 3), far)) == []
    assert checks(judged([marines()], rolled("advance", 2), far)) == ["length"]
    assert checks(judged([marines()], far)) == ["length"]
    ended = ev.PhaseEnded(name="movement", step="movement", cursor=1)
    assert checks(judged([marines()], rolled("advance", 3), ended, far)) == ["length"]


@pytest.mark.rule("AI.SCOUT")
def test_scouts_go_farther_in_the_turn_they_spawned(judged: Read, foes: Any) -> None:
    far = moved((30.0, 18.0), unit="foes")
    scouts = {"abilities": ('scouts 6"',)}
    assert checks(judged([foes(marks=(("spawned", "s1"),), **scouts)], far)) == []
    assert checks(judged([foes(**scouts)], far)) == ["length"]


@pytest.mark.rule("CORE.MOVE.4", "CORE.TER.6")
def test_a_path_through_a_wall_is_found_and_one_round_it_is_not(judged: Read, marines: Any) -> None:
    stands = [marines(at=[(30.0, 19.0)])]
    through = judged(stands, moved((30.0, 23.0)), board=walled())
    assert checks(through) == ["wall"]
    assert "wall wall" in through.disagreements[0].measured
    round_it = moved((27.0, 19.0), (27.0, 21.5), row=0)
    assert checks(judged(stands, round_it, board=walled())) == []
    too_close = moved((27.4, 19.0), (27.4, 21.5), row=0)
    assert checks(judged(stands, too_close, board=walled())) == ["wall"]
    ruin = structs.replace(WALL, kind="ruin")
    assert checks(judged(stands, moved((30.0, 23.0)), board=walled(ruin))) == []
    tank = [marines(at=[(30.0, 19.0)], keywords=("VEHICLE",))]
    assert checks(judged(tank, moved((30.0, 23.0)), board=walled(ruin))) == ["wall"]
    flyer = [marines(at=[(30.0, 19.0)], keywords=("VEHICLE", "FLY"))]
    assert checks(judged(flyer, moved((30.0, 23.0)), board=walled(ruin))) == []


@pytest.mark.rule("CORE.TER.2")
def test_nobody_stops_on_a_barricade(judged: Read, marines: Any) -> None:
    low = walled(structs.replace(WALL, kind="barricade", height=1.5))
    stands = [marines(at=[(30.0, 19.0)])]
    assert checks(judged(stands, moved((30.0, 23.0)), board=low)) == []
    assert checks(judged(stands, moved((30.0, 20.5)), board=low)) == ["terrain"]


@pytest.mark.rule("CORE.MOVE.4", "CORE.MOVE.5")
def test_who_stands_in_the_way_is_named(judged: Read, marines: Any, foes: Any) -> None:
    near = [marines(at=[(30.0, 8.0)]), foes(at=[(33.0, 11.0)])]
    found = judged(near, moved((33.0, 8.0), (36.0, 8.0)))
    assert checks(found) == []  # 3" from middle to middle leaves 1.74"
    found = judged([marines(at=[(30.0, 8.0)]), foes(at=[(33.0, 10.25)])], moved((36.0, 8.0)))
    assert checks(found) == ["engagement"]
    assert "model 1 of foes" in found.disagreements[0].measured
    over = judged([marines(at=[(30.0, 8.0)]), foes(at=[(33.0, 8.5)])], moved((36.0, 8.0)))
    assert checks(over) == ["model", "engagement"]
    flyer = [marines(at=[(30.0, 8.0)], keywords=("INFANTRY", "FLY")), foes(at=[(33.0, 8.5)])]
    assert checks(judged(flyer, moved((36.0, 8.0)))) == []


@pytest.mark.rule("CORE.ER.1", "CORE.MOVE.5")
@pytest.mark.parametrize(("gap", "found"), [(1.0, ["engagement"]), (1.0000013, [])])
def test_exactly_one_inch_is_engaged(
    judged: Read, marines: Any, foes: Any, gap: float, found: list[str]
) -> None:
    stands = [marines(at=[(30.0, 8.0)]), foes(at=[(33.0, 8.0 + MM32 + gap)])]
    assert checks(judged(stands, moved((36.0, 8.0)))) == found


def test_an_arc_about_an_enemy_keeps_clear_of_it(judged: Read, marines: Any, foes: Any) -> None:
    clear = MM32 + 1.000002
    stands = [marines(at=[(30.0 - clear, 20.0)]), foes(at=[(30.0, 20.0)])]
    quarter = moved((30.0, 20.0 + clear, 30.0, 20.0, -1.0))
    assert checks(judged(stands, quarter)) == []
    wrong_way = moved((30.0, 20.0 + clear, 30.0, 20.0, 1.0))
    assert checks(judged(stands, wrong_way)) == ["length"]
    assert math.isclose(clear * math.pi / 2, 3.55, abs_tol=0.01)


@pytest.mark.rule("CORE.MOVE.4")
def test_a_monster_that_leads_infantry_does_not_pass_over_a_friendly_vehicle(
    judged: Read, marines: Any
) -> None:
    tank = marines("tank", [(33.0, 8.0)], keywords=("VEHICLE",))
    assert checks(judged([marines(), tank], moved((36.0, 8.0)))) == []
    beast = marines(keywords=("MONSTER",))
    assert checks(judged([beast, tank], moved((36.0, 8.0)))) == ["model"]


@pytest.mark.rule("CORE.MOVE.7")
def test_a_fall_back_passes_through_and_must_get_out(judged: Read, marines: Any, foes: Any) -> None:
    stands = [marines(at=[(30.0, 8.0)]), foes(at=[(30.0, 10.0)])]
    assert checks(judged(stands, moved((30.0, 14.0), kind="fall-back"))) == []
    assert checks(judged(stands, moved((30.0, 7.9), kind="fall-back"))) == ["engagement"]
    assert checks(judged(stands, moved((30.0, 3.0)))) == ["engagement"]


@pytest.mark.rule("MISERY.28")
def test_what_a_card_grants_counts(judged: Read, marines: Any, foes: Any) -> None:
    stands = [foes(at=[(30.0, 19.0)]), marines(at=[(50.0, 8.0)])]
    over = moved((30.0, 23.0), unit="foes")
    assert checks(judged(stands, over, board=walled())) == ["wall"]
    assert checks(judged(stands, over, board=walled(), active=["MISERY.28"])) == []


# ends


@pytest.mark.rule("CORE.MOVE.4")
@pytest.mark.parametrize(
    ("to", "found"),
    [((34.0, 8.0), []), ((35.0 - MM32, 8.0), []), ((35.0 - MM32 + 0.001, 8.0), ["overlap"])],
)
def test_bases_that_overlap_at_the_end_are_found(
    judged: Read, marines: Any, to: Any, found: list[str]
) -> None:
    friend = marines("friend", [(35.0, 8.0)])
    assert checks(judged([marines(), friend], moved(to))) == (found if to != (34.0, 8.0) else ["overlap"])


@pytest.mark.parametrize("to", [(30.0, 0.5), (30.0, 0.62)])
def test_a_base_over_the_edge_is_found_on_the_way_and_at_the_end(judged: Read, marines: Any, to: Any) -> None:
    assert checks(judged([marines(at=[(30.0, 3.0)])], moved(to))) == ["board", "board"]
    assert checks(judged([marines(at=[(30.0, 3.0)])], moved((30.0, R)))) == []


@pytest.mark.rule("CORE.COH.1", "CORE.COH.2", "CORE.COH.3")
def test_a_unit_that_ends_apart_is_found(judged: Read, marines: Any) -> None:
    stands = [marines(at=[(30.0, 8.0), (31.5, 8.0)])]
    assert checks(judged(stands, moved((30.0, 13.0)))) == ["coherency"]
    assert checks(judged(stands, moved((31.5, 8.0 + MM32 + 2.0)))) == []
    pairs = [(10.0, 8.0), (11.5, 8.0), (20.0, 8.0), (21.5, 8.0)]
    found = judged([marines(at=pairs)], ev.TurnEnded(whose="players"))
    assert checks(found) == ["coherency"]
    assert "2 groups" in found.disagreements[0].measured
    file = [(10.0 + 3.0 * i, 8.0) for i in range(7)]
    assert checks(judged([marines(at=file)], ev.TurnEnded(whose="players"))) == ["coherency"]
    assert checks(judged([marines(at=file[:6])], ev.TurnEnded(whose="players"))) == []


# bases that are not round

TANK = BaseFacts(shape="hull", length=4.7, width=2.9)
BIKE = BaseFacts(shape="oval", length=75 / 25.4, width=42 / 25.4)


def beside(wide: float) -> list[ev.Event]:
    """Return a move of a model of "marines", and one of a model of "friend" to its side.

    `wide` is the distance between their middles.
    """
    return [moved((30.0, 8.0), row=0), moved((30.0, 8.0 + wide), row=1, unit="friend")]


@pytest.mark.rule("CORE.MOVE.4")
@pytest.mark.parametrize(("base", "half"), [(TANK, 1.45), (BIKE, 21 / 25.4)])
def test_a_base_that_is_not_round_takes_the_room_of_its_shape(
    judged: Read, marines: Any, base: BaseFacts, half: float
) -> None:
    stands = [marines(at=[(30.0, 7.0)]), marines("friend", [(30.0, 12.0)])]
    bases = {"marines": base}
    assert checks(judged(stands, *beside(half + R), bases=bases)) == []
    assert checks(judged(stands, *beside(half + R - 0.001), bases=bases)) == ["overlap"]
    both = {"marines": base, "friend": base}
    assert checks(judged(stands, *beside(2 * half), bases=both)) == []
    assert checks(judged(stands, *beside(2 * half - 0.001), bases=both)) == ["overlap"]


@pytest.mark.rule("CORE.MOVE.3")
@pytest.mark.parametrize(
    ("keywords", "far", "found"),
    [(("VEHICLE",), 4.0, []), (("VEHICLE",), 4.1, ["length"]), (("MOUNTED",), 5.0, [])],
)
def test_a_pivot_costs_what_the_rules_say(
    judged: Read, marines: Any, keywords: Any, far: float, found: list[str]
) -> None:
    stands, bases = [marines(keywords=keywords)], {"marines": TANK}
    turned = moved((30.0, 8.0, 90.0, 1.0), (30.0, 8.0 + far))
    turned = structs.replace(turned, poses={0: (30.0, 8.0 + far, 0.0, 90.0)})
    assert checks(judged(stands, turned, bases=bases)) == found
    untold = structs.replace(turned, paths={0: ((30.0, 8.0 + far),)})
    assert checks(judged(stands, untold, bases=bases)) == ["pivot"]


@pytest.mark.rule("CORE.MOVE.4")
def test_a_hull_passes_where_its_width_fits_and_not_across(judged: Read, marines: Any) -> None:
    board = walled(
        structs.replace(WALL, id="left", footprint=((30.0, 0.0), (34.0, 0.0), (34.0, 6.5), (30.0, 6.5))),
        structs.replace(WALL, id="right", footprint=((30.0, 9.5), (34.0, 9.5), (34.0, 16.0), (30.0, 16.0))),
    )
    stands, bases = [marines(at=[(26.0, 8.0)], keywords=("VEHICLE",))], {"marines": TANK}
    assert checks(judged(stands, moved((32.0, 8.0)), bases=bases, board=board)) == []
    assert checks(judged(stands, moved((31.9, 7.9)), bases=bases, board=board)) == ["wall", "terrain"]
    turned = moved((26.0, 8.0, 90.0, 2.0), (30.0, 8.0))
    turned = structs.replace(turned, poses={0: (30.0, 8.0, 0.0, 90.0)})
    found = checks(judged(stands, turned, bases=bases, board=board))
    assert sorted(set(found)) == ["terrain", "wall"]


# heights

BOX = structs.replace(WALL, kind="container", height=3.0)


def climbed(*legs: tuple[float, ...], to: tuple[float, float, float]) -> ev.Moved:
    """Return a move whose model ends at a height."""
    return structs.replace(moved(*legs), poses={0: (*to, 0.0)})


@pytest.mark.rule("CORE.MOVE.8")
@pytest.mark.parametrize(("move", "found"), [(9, []), (8, ["length"])])
def test_a_climb_counts_up_and_down(judged: Read, marines: Any, move: int, found: list[str]) -> None:
    stands = [marines(at=[(32.0, 20.0 - R)], characteristics=(("M", move),))]
    across = 21.0 + R
    over = climbed((32.0, 20.0 - R, 3.0), (32.0, across), (32.0, across, 0.0), to=(32.0, across, 0.0))
    assert checks(judged(stands, over, board=walled(BOX))) == found


@pytest.mark.rule("CORE.MOVE.8", "CORE.TER.4")
def test_a_model_climbs_only_what_can_be_climbed_and_stops_where_it_is_carried(
    judged: Read, marines: Any
) -> None:
    far = {"characteristics": (("M", 20),)}
    stands, board = [marines(at=[(32.0, 20.0 - R)], **far)], walled(BOX)
    wide = walled(structs.replace(BOX, footprint=((28.0, 20.0), (36.0, 20.0), (36.0, 24.0), (28.0, 24.0))))
    up = (32.0, 20.0 - R, 3.0)
    on_top = climbed(up, (32.0, 22.0), to=(32.0, 22.0, 3.0))
    assert checks(judged(stands, on_top, board=wide)) == []
    assert checks(judged(stands, climbed(up, (32.0, 20.5), to=(32.0, 20.5, 3.0)), board=wide)) == ["terrain"]
    assert checks(judged(stands, climbed(up, to=(32.0, 20.0 - R, 3.0)), board=wide)) == ["terrain"]
    assert checks(judged(stands, on_top, board=walled(WALL))) == ["wall", "climb", "terrain"]
    beyond = climbed(up, (32.0, 24.0), (32.0, 24.0, 0.0), to=(32.0, 24.0, 0.0))
    assert checks(judged(stands, beyond, board=board)) == ["climb"]
    low = climbed((32.0, 20.0 - R, 2.5), (32.0, 24.0), (32.0, 24.0, 0.0), to=(32.0, 24.0, 0.0))
    assert checks(judged(stands, low, board=wide)) == ["wall", "terrain"]


@pytest.mark.rule("CORE.MOVE.8", "CORE.TER.4")
def test_who_stops_on_low_terrain_stands_on_its_top(judged: Read, marines: Any) -> None:
    mound = structs.replace(
        BOX, kind="hill", footprint=((28.0, 20.0), (36.0, 20.0), (36.0, 24.0), (28.0, 24.0))
    )
    low, high = (walled(structs.replace(mound, height=height)) for height in (1.5, 3.0))
    stands = [marines(at=[(32.0, 18.0)])]
    assert checks(judged(stands, climbed((32.0, 22.0), to=(32.0, 22.0, 1.5)), board=low)) == []
    half = checks(judged(stands, climbed((32.0, 22.0), to=(32.0, 22.0, 1.0)), board=low))
    assert set(half) == {"terrain"}
    assert "path" in checks(judged(stands, climbed((32.0, 22.0), to=(32.0, 22.0, 3.0)), board=high))


@pytest.mark.rule("CORE.MOVE.9")
def test_who_flies_is_measured_through_the_air(judged: Read, marines: Any) -> None:
    wide = walled(structs.replace(BOX, footprint=((28.0, 20.0), (36.0, 20.0), (36.0, 26.0), (28.0, 26.0))))
    flight = climbed((32.0, 23.0, 3.0), to=(32.0, 23.0, 3.0))
    for y, found in ((23.0 - math.sqrt(27.0), []), (17.5, ["length"])):
        flyer = [marines(at=[(32.0, y)], keywords=("INFANTRY", "FLY"))]
        assert checks(judged(flyer, flight, board=wide)) == found
    walker = [marines(at=[(32.0, 18.0)], characteristics=(("M", 20),))]
    assert "climb" in checks(judged(walker, flight, board=wide))


@pytest.mark.rule("CORE.TER.6", "CORE.MOVE.5")
def test_floors_carry_and_part_who_is_on_them(judged: Read, marines: Any, foes: Any) -> None:
    footprint = ((28.0, 20.0), (36.0, 20.0), (36.0, 26.0), (28.0, 26.0))
    ruin = structs.replace(WALL, kind="ruin", footprint=footprint, height=9.0, floors=(3.0, 6.0))
    far = {"characteristics": (("M", 20),)}
    stands, board = [marines(at=[(30.0, 23.0)], **far), foes(at=[(33.0, 23.0)])], walled(ruin)
    up = climbed((30.0, 23.0, 6.0), (33.0, 23.0), to=(33.0, 23.0, 6.0))
    assert checks(judged(stands, up, board=board)) == []
    between = climbed((30.0, 23.0, 4.0), to=(30.0, 23.0, 4.0))
    assert checks(judged(stands, between, board=board)) == ["terrain"]
    first = climbed((30.0, 23.0, 3.0), (33.0, 23.0), to=(33.0, 23.0, 3.0))
    assert set(checks(judged(stands, first, board=board))) == {"engagement"}
    tank = [marines(at=[(26.0, 23.0)], keywords=("VEHICLE",), **far)]
    onto = climbed((27.3, 23.0), (27.3, 23.0, 6.0), (32.0, 23.0), to=(32.0, 23.0, 6.0))
    assert "terrain" in checks(judged(tank, onto, board=board))


@pytest.mark.rule("CORE.TER.6")
def test_infantry_walks_through_the_walls_of_a_ruin_and_a_vehicle_through_their_gaps(
    judged: Read, marines: Any
) -> None:
    footprint = ((28.0, 20.0), (36.0, 20.0), (36.0, 26.0), (28.0, 26.0))
    walls = (((28.0, 20.0), (31.0, 20.0)), ((33.0, 20.0), (36.0, 20.0)))
    board = walled(structs.replace(WALL, kind="ruin", footprint=footprint, walls=walls))
    foot = [marines(at=[(29.5, 18.0)])]
    assert checks(judged(foot, moved((29.5, 22.0)), board=board)) == []
    assert checks(judged(foot, moved((29.5, 20.2)), board=board)) == ["terrain"]
    for x, found in ((32.0, []), (31.0 + R, []), (31.0 + R - 0.001, ["wall"])):
        tank = [marines(at=[(x, 18.0)], keywords=("VEHICLE",))]
        assert checks(judged(tank, moved((x, 22.0)), board=board)) == found, x


# charges and fights


@pytest.mark.rule("CORE.CHG.2")
def test_a_charge_is_as_long_as_its_roll_and_reaches_every_target(
    judged: Read, marines: Any, foes: Any
) -> None:
    stands = [marines(), foes(at=[(30.0, 14.0)]), foes("others", [(30.0 + MM32 + 0.3, 14.0)])]
    go = moved((30.0, 14.0 - MM32), kind="charge")
    assert checks(judged(stands[:2], charges("foes"), rolled("charge", 5), go)) == []
    assert checks(judged(stands[:2], charges("foes"), rolled("charge", 4), go)) == ["length"]
    assert checks(judged(stands[:2], charges("foes"), go)) == ["length"]
    assert checks(judged(stands, charges("foes", "others"), rolled("charge", 5), go)) == []
    assert checks(judged(stands, charges("foes"), rolled("charge", 5), go)) == ["engagement"]
    short = moved((30.0, 11.0), kind="charge")
    assert checks(judged(stands[:2], charges("foes"), rolled("charge", 5), short)) == ["charge"]
    assert checks(judged(stands[:2], rolled("charge", 5), go)) == ["engagement", "charge", "charge"]


@pytest.mark.rule("CORE.CHG.3")
def test_each_model_that_charges_ends_closer(judged: Read, marines: Any, foes: Any) -> None:
    stands = [marines(at=[(30.0, 10.0), (32.0, 12.0)]), foes(at=[(30.0, 14.0)])]
    back = ev.Moved(
        unit="marines",
        kind_of_move="charge",
        poses={0: (30.0, 14.0 - MM32, 0.0, 0.0), 1: (32.5, 11.8, 0.0, 0.0)},
        paths={0: ((30.0, 14.0 - MM32),), 1: ((32.5, 11.8),)},
    )
    found = judged(stands, charges("foes"), rolled("charge", 7), back)
    assert [each.measured for each in found.disagreements] == [
        "model 1 ends no closer to any model of a target"
    ]


@pytest.mark.rule("CORE.CHG.1", "CORE.CHG.2", "CORE.MOVE.1")
def test_who_may_charge_or_move_how_is_measured(judged: Read, marines: Any, foes: Any) -> None:
    near, far = [marines(), foes(at=[(30.0, 10.0)])], [marines(), foes(at=[(30.0, 21.0)])]
    reach = [marines(), foes(at=[(30.0, 20.0 + MM32)])]
    assert checks(judged(reach, charges("foes"))) == []
    assert checks(judged([marines(), foes(at=[(30.0, 20.001 + MM32)])], charges("foes"))) == ["range"]
    assert checks(judged(near, charges("foes"))) == ["engagement"]
    assert checks(judged(near, charges("no-charge"))) == []
    for stands, kind, found in (
        (near, "normal-move", ["engagement"]),
        (near, "fall-back", []),
        (near, "remain-stationary", []),
        (far, "advance", []),
        (far, "fall-back", ["engagement"]),
    ):
        decided = ev.Decided(seat="p1", decision="move", unit="marines", choice=(kind,))
        assert checks(judged(stands, decided)) == found


@pytest.mark.rule("CORE.FGT.4")
def test_a_pile_in_goes_3_inches_toward_the_closest_enemy(judged: Read, marines: Any, foes: Any) -> None:
    stands = [marines(at=[(30.0, 8.0)]), foes(at=[(30.0, 12.5)]), foes("others", [(24.0, 8.0)])]
    assert checks(judged(stands, moved((30.0, 11.0), kind="pile-in"))) == []
    assert checks(judged(stands, moved((30.0, 11.1), kind="pile-in"))) == ["length"]
    away = moved((27.0, 8.0), kind="pile-in")
    assert checks(judged(stands, away)) == ["engagement", "closer"]
    held = [marines(at=[(30.0, 8.0)]), foes(at=[(30.0, 8.0 + MM32)]), foes("others", [(30.0, 6.0)])]
    assert "contact" in checks(judged(held, moved((30.2, 8.0), kind="pile-in")))


@pytest.mark.rule("CORE.FGT.7")
def test_a_consolidation_ends_at_an_enemy_or_a_marker(
    judged: Read, marines: Any, foes: Any, board: BoardFacts
) -> None:
    stands = [marines(at=[(30.0, 16.0)]), foes(at=[(5.0, 40.0)])]
    assert checks(judged(stands, moved((30.0, 18.0), kind="consolidate"))) == []
    assert checks(judged(stands, moved((30.0, 17.0), kind="consolidate"))) == ["marker"]


@pytest.mark.rule("CORE.FGT.5")
def test_a_blow_out_of_reach_is_found(judged: Read, marines: Any, foes: Any) -> None:
    rank = [(30.0, 8.0), (30.0, 8.0 - MM32), (30.0, 8.0 - 2 * MM32)]
    stands = [marines(at=rank), foes(at=[(30.0, 8.0 + MM32)])]

    def strikes(row: int) -> ev.Targeted:
        return structs.replace(shoots("foes", model=row, weapon=1), melee=True)

    assert checks(judged(stands, strikes(0), strikes(1))) == []
    assert checks(judged(stands, strikes(2))) == ["reach"]
