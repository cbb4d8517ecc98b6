"""What the referee makes of logs: nothing of legal ones, and of others each fault that was put into them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs

from engine import event as ev
from engine.facts import BoardFacts, TerrainFacts, WeaponFacts
from engine.game import Game
from engine.referee.reading import Reading, read
from engine.rulesets.horde import HORDE_1_1
from engine.situation import Stand

MM32 = 32 / 25.4
"""The width of a 32 mm base: two of them touch when their middles are so far apart."""
R = MM32 / 2
WALL = TerrainFacts(
    id="wall", kind="wall", footprint=((28.0, 20.0), (36.0, 20.0), (36.0, 21.0), (28.0, 21.0)), height=6.0
)
GUN = WeaponFacts(name="gun", range=24.0)
HOWITZER = WeaponFacts(name="howitzer", range=48.0, skill=4, keywords=("indirect fire", "blast"))

Read = Callable[..., Reading]


@pytest.fixture(scope="session")
def judged(play: Callable[..., Game]) -> Read:
    """Return a function that reads a table with these units and then these events."""

    def reading(stands: Sequence[Stand], *more: ev.Event, **given: Any) -> Reading:
        game = play(stands, **given)
        opening = [event for event in game.events if not isinstance(event, ev.BattleEnded)]
        numbered = [structs.replace(event, n=100 + i) for i, event in enumerate(more)]
        return read([*opening, *numbered], HORDE_1_1, game.rulebook)

    return reading


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
    assert checks(judged(stands, charges("foes"), rolled("charge", 5), go)) == ["charge"]
    short = moved((30.0, 11.0), kind="charge")
    assert checks(judged(stands[:2], charges("foes"), rolled("charge", 5), short)) == ["charge"]
    assert checks(judged(stands[:2], rolled("charge", 5), go)) == ["charge", "charge", "charge"]


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


# shots


@pytest.mark.rule("CORE.SHOOT.2")
@pytest.mark.parametrize(("gap", "found"), [(24.0, []), (24.001, ["range"])])
def test_a_shot_out_of_range_is_found(
    judged: Read, marines: Any, foes: Any, gap: float, found: list[str]
) -> None:
    stands = [marines(at=[(30.0, 8.0)]), foes(at=[(30.0, 8.0 + MM32 + gap)])]
    assert checks(judged(stands, shoots("foes"))) == found


@pytest.mark.rule("CORE.LOS.1", "CORE.WPN.IND")
def test_a_shot_at_a_hidden_unit_is_found(judged: Read, marines: Any, foes: Any) -> None:
    stands = [marines(weapons=(HOWITZER,)), marines("gunners", [(32.0, 10.0)]), foes(at=[(32.0, 30.0)])]
    hidden = judged(stands, shoots("foes", unit="gunners", model=1), board=walled())
    assert checks(hidden) == ["sight"]
    assert "model 1 shoots gun at foes" in hidden.disagreements[0].stored
    assert checks(judged(stands, shoots("foes"), board=walled())) == []
    low = walled(structs.replace(WALL, height=2.4))
    assert checks(judged(stands, shoots("foes", unit="gunners", model=1), board=low)) == []


@pytest.mark.rule("CORE.TER.6", "CORE.LOS.4")
@pytest.mark.parametrize(
    ("here", "there", "found"),
    [
        ((32.0, 10.0), (32.0, 30.0), ["sight"]),
        ((32.0, 10.0), (32.0, 21.0 + R - 0.01), []),  # toe in the ruin
        ((32.0, 10.0), (32.0, 21.0 + R), ["sight"]),  # only touching it
        ((32.0, 18.0), (32.0, 30.0), []),  # looking out from wholly within
        ((32.0, 16.0 + R - 0.01), (32.0, 30.0), ["sight"]),  # partly outside
    ],
)
def test_a_ruin_hides_what_is_behind_it(
    judged: Read, marines: Any, foes: Any, here: Any, there: Any, found: list[str]
) -> None:
    ruin = structs.replace(
        WALL, kind="ruin", footprint=((20.0, 16.0), (44.0, 16.0), (44.0, 21.0), (20.0, 21.0)), height=0.5
    )
    stands = [marines(at=[here]), foes(at=[there])]
    assert checks(judged(stands, shoots("foes"), board=walled(ruin))) == found


@pytest.mark.rule("CORE.LOS.1")
@pytest.mark.parametrize(("wide", "found"), [(0.001, []), (0.0, ["sight"])])
def test_a_slot_between_two_walls_is_seen_through(
    judged: Read, marines: Any, foes: Any, wide: float, found: list[str]
) -> None:
    left = ((10.0, 20.0), (32.0, 20.0), (32.0, 24.0), (10.0, 24.0))
    right = ((32.0 + wide, 20.0), (50.0, 20.0), (50.0, 24.0), (32.0 + wide, 24.0))
    board = walled(
        structs.replace(WALL, id="left", footprint=left), structs.replace(WALL, id="right", footprint=right)
    )
    stands = [marines(at=[(32.3, 16.0)]), foes(at=[(31.8, 28.0)])]
    assert checks(judged(stands, shoots("foes"), board=board)) == found


@pytest.mark.rule("CORE.SHOOT.1", "CORE.SHOOT.4", "CORE.SHOOT.5", "CORE.SHOOT.6", "CORE.SHOOT.7")
def test_shots_into_and_out_of_combat_are_found(judged: Read, marines: Any, foes: Any) -> None:
    pistol = WeaponFacts(name="pistol", range=12.0, keywords=("pistol",))
    here = marines(at=[(30.0, 8.0)], weapons=(GUN, pistol, HOWITZER))
    locked = [here, foes(at=[(30.0, 10.0)]), foes("far", [(36.0, 10.0)])]
    assert checks(judged(locked, shoots("foes"))) == ["engagement"]
    assert checks(judged(locked, shoots("foes", weapon=1))) == []
    assert checks(judged(locked, shoots("far", weapon=1))) == ["engagement"]
    tank = [replace(here, keywords=("VEHICLE",)), *locked[1:]]
    assert checks(judged(tank, shoots("far"))) == []
    assert checks(judged(tank, shoots("foes", weapon=2))) == ["engagement"]
    held = [here, marines("friend", [(36.0, 8.0)]), foes("far", [(36.0, 10.0)])]
    assert checks(judged(held, shoots("far"))) == ["engagement"]


# set-ups


def arrived(*at: tuple[float, float], unit: str = "foes", first: int = 1, **more: Any) -> ev.Arrived:
    return ev.Arrived(unit=unit, poses={first + i: (x, y, 0.0, 0.0) for i, (x, y) in enumerate(at)}, **more)


@pytest.mark.rule("CORE.RES.5", "SPAWN.7")
def test_deep_strike_is_more_than_9_from_enemies_and_3_from_markers(
    judged: Read, marines: Any, foes: Any
) -> None:
    stands = [marines(at=[(50.0, 8.0)]), foes(where="reserves")]
    for x, found in ((50.0 - MM32 - 9.0, ["distance"]), (50.0 - MM32 - 9.00001, [])):
        assert checks(judged(stands, arrived((x, 8.0)))) == found
    edge = R + 20 / 25.4 + 3.0
    for x, found in ((10.0 + edge, ["marker"]), (10.0 + edge + 1e-5, [])):
        assert checks(judged(stands, arrived((x, 22.0)))) == found


@pytest.mark.rule("CORE.RES.2")
def test_strategic_reserves_come_on_within_6_of_an_edge(judged: Read, marines: Any, foes: Any) -> None:
    stands = [foes(at=[(5.0, 40.0)]), marines(where="reserves")]
    for x, y, found in ((60.0 - 6.0 + R, 20.0, []), (60.0 - 6.1 + R, 20.0, ["zone"]), (40.0, 42.0, ["zone"])):
        event = arrived((x, y), unit="marines", how="strategic")
        assert checks(judged(stands, event)) == found, (x, y)
    third = arrived((40.0, 42.0), unit="marines", how="strategic")
    assert checks(judged(stands, third, round_number=3)) == []


@pytest.mark.rule("SPAWN.6", "CORE.RES.8")
def test_a_spawn_outside_its_zone_or_on_others_is_found(judged: Read, marines: Any, foes: Any) -> None:
    stands = [marines(at=[(20.0, 36.0)]), foes(where="reserves", marks=(("zone", "s1"),))]

    def spawned(x: float, y: float) -> ev.Placed:
        return ev.Placed(unit="foes", poses={1: (x, y, 0.0, 0.0)}, cause="SPAWN.6")

    assert checks(judged(stands, spawned(10.0, 36.0))) == []
    assert checks(judged(stands, spawned(20.0, 36.0 + MM32))) == []  # engaged at once, as the Horde may be
    assert checks(judged(stands, spawned(10.0, 33.5))) == []  # over the front into No Man's Land
    assert checks(judged(stands, spawned(31.0, 36.0))) == ["zone"]
    assert checks(judged(stands, spawned(20.0, 37.0))) == ["overlap"]
    assert checks(judged(stands, spawned(10.0, 43.5))) == ["board", "zone"]


@pytest.mark.rule("SETUP.5", "CORE.RES.6")
def test_the_players_set_up_in_their_zone(judged: Read, marines: Any) -> None:
    def deployed(x: float, y: float) -> ev.Placed:
        return ev.Placed(unit="marines", poses={0: (x, y, 0.0, 0.0)}, cause="SETUP.5")

    stands = [marines(where="reserves")]
    assert checks(judged(stands, deployed(30.0, 10.0 - R))) == []
    assert checks(judged(stands, deployed(30.0, 10.0))) == ["zone"]
    scouts = [marines(where="reserves", abilities=("infiltrators",))]
    assert checks(judged(scouts, deployed(30.0, 24.9 - R))) == []
    assert checks(judged(scouts, deployed(30.0, 25.0 - R))) == ["distance"]


def test_a_model_that_comes_back_stands_with_its_unit(judged: Read, marines: Any, foes: Any) -> None:
    stands = [marines(at=[(30.0, 8.0), (31.5, 8.0)]), foes(at=[(30.0, 14.0)])]

    def back(x: float, y: float) -> list[ev.Event]:
        gone = ev.Destroyed(unit="marines", model=1)
        return [gone, ev.Returned(unit="marines", model=1, wounds=1, pose=(x, y, 0.0, 0.0))]

    assert checks(judged(stands, *back(30.0, 8.0 + MM32))) == []
    assert checks(judged(stands, *back(30.0, 8.5))) == ["overlap"]
    assert checks(judged(stands, *back(35.0, 8.0))) == ["coherency"]
    assert checks(judged(stands, *back(30.0, 11.0))) == []
    near = [stands[0], foes(at=[(30.0, 13.0)])]
    assert checks(judged(near, *back(30.0, 11.0))) == ["engagement"]
