"""What the referee finds in shots and set-ups: nothing in legal ones, each fault in others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs

from engine.audit.referee.reading import Reading
from engine.core import event as ev
from engine.core.facts import BaseFacts, BoardFacts, TerrainFacts, WeaponFacts
from engine.w40k.parameters import Parameters

MM32 = 32 / 25.4
R = MM32 / 2
WALL = TerrainFacts(
    id="wall", kind="wall", footprint=((28.0, 20.0), (36.0, 20.0), (36.0, 21.0), (28.0, 21.0)), height=6.0
)
GUN = WeaponFacts(name="gun", range=24.0)
WIDE = BaseFacts(shape="round", length=60 / 25.4, width=60 / 25.4)
HOWITZER = WeaponFacts(name="howitzer", range=48.0, skill=4, keywords=("indirect fire", "blast"))

Read = Callable[..., Reading]


def shoots(target: str, *, model: int = 0, weapon: int = 0, unit: str = "marines") -> ev.Targeted:
    return ev.Targeted(unit=unit, shots=(ev.Shot(model=model, weapon=weapon, target=target),))


def checks(found: Reading) -> list[str]:
    return [each.check for each in found.disagreements]


def walled(*pieces: TerrainFacts) -> BoardFacts:
    return BoardFacts(terrain=pieces or (WALL,))


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


@pytest.mark.rule("CORE.LOS.1")
@pytest.mark.parametrize(("x", "found"), [(30.0, ["sight"]), (31.9, [])])
def test_s_l21_a_model_between_hides_where_the_battle_has_it_so(
    judged: Read, marines: Any, foes: Any, x: float, found: list[str]
) -> None:
    own = marines(at=[(30.0, 14.0), (30.0, 16.0)])
    stands, big = (
        [own, foes(at=[(30.0, 26.0)]), foes("big", [(x, 20.0)], keywords=("VEHICLE",))],
        {"big": WIDE},
    )
    for setting, told in (("true", found), ("false", [])):
        parameters = Parameters().under({"sight.models_block": setting})
        assert checks(judged(stands, shoots("foes"), bases=big, parameters=parameters)) == told
    assert checks(judged(stands, shoots("foes"), bases=big)) == []


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


@pytest.mark.rule("CORE.TER.6", "CORE.LOS.1")
@pytest.mark.parametrize(
    ("walls", "floors", "up", "found"),
    [
        ((), (), 0.0, []),
        ((((24.0, 22.0), (40.0, 22.0)),), (), 0.0, ["sight"]),
        ((((24.0, 22.0), (31.0, 22.0)), ((31.001, 22.0), (40.0, 22.0))), (), 0.0, []),
        ((((24.0, 22.0), (31.0, 22.0)), ((31.0, 22.0), (40.0, 22.0))), (), 0.0, ["sight"]),
        ((), (3.0,), 3.0, ["sight"]),
        ((), (3.0, 6.0), 6.0, ["sight"]),
        ((), (2.0,), 2.0, []),  # heads of 2.5" look over a floor at 2"
    ],
)
def test_walls_and_floors_inside_a_ruin_hide(
    judged: Read, marines: Any, foes: Any, walls: Any, floors: Any, up: float, found: list[str]
) -> None:
    footprint = ((24.0, 18.0), (40.0, 18.0), (40.0, 26.0), (24.0, 26.0))
    ruin = structs.replace(WALL, kind="ruin", footprint=footprint, height=9.0, walls=walls, floors=floors)
    stands = [marines(at=[(30.0, 20.0)]), foes(at=[(32.0, 24.0)])]
    raised = ev.Arrived(unit="foes", poses={1: (32.0, 24.0, up, 0.0)})
    told = judged(stands, raised, shoots("foes"), board=walled(ruin))
    assert [each.check for each in told.disagreements if each.n == 101] == found


@pytest.mark.rule("CORE.LOS.1")
@pytest.mark.parametrize(("height", "found"), [(4.655, []), (4.66, ["sight"])])
def test_a_line_that_fits_between_a_floor_and_a_wall_at_its_own_heights_alone_is_clear(
    judged: Read, marines: Any, foes: Any, height: float, found: list[str]
) -> None:
    """It leaves the ruin below its floor at 2.6, and climbs just over the wall."""
    around = ((20.0, 18.0), (24.0, 18.0), (24.0, 26.0), (20.0, 26.0))
    ruin = structs.replace(
        WALL, id="ruin", kind="ruin", footprint=around, height=9.0, walls=(), floors=(2.6,)
    )
    across = ((28.0, 0.0), (28.5, 0.0), (28.5, 44.0), (28.0, 44.0))
    wall = structs.replace(WALL, footprint=across, height=height)
    stands = [marines(at=[(22.0, 22.0)]), foes(at=[(40.0, 22.0)])]
    raised = ev.Arrived(unit="foes", poses={1: (40.0, 22.0, 8.0, 0.0)})
    told = judged(stands, raised, shoots("foes"), board=walled(ruin, wall))
    assert [each.check for each in told.disagreements if each.n == 101] == found


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
