"""Stratagems of moves and fights: overwatch, interventions, grenades, arrivals."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core import event as ev
from engine.core.facts import HORDE, BoardFacts, TerrainFacts, WeaponFacts
from engine.scenario.situation import Stand
from tests.engine.offering import (
    AXE,
    BLADE,
    GUN,
    LIBRARY,
    always,
    answered,
    battle,
    clauses,
    never,
    only,
    ours,
    theirs,
)

# Fire Overwatch

WATCH = only("CORE.STR.8")


@pytest.mark.rule("CORE.STR.8")
@pytest.mark.parametrize(
    ("at", "more", "offered"),
    [
        ((30.0, 10.0), {}, True),
        ((30.0, 4.0), {}, False),
        ((30.0, 10.0), {"keywords": ("VEHICLE", "TITANIC")}, False),
        ((30.0, 10.0), {"weapons": (WeaponFacts(name="gun", range=12.0, skill=3),)}, False),
        ((30.0, 10.0), {"marks": (("action", "buy/air-strike"),)}, False),
    ],
)
def test_who_may_fire_overwatch(at: tuple[float, float], more: dict[str, Any], offered: bool) -> None:
    """Within 24 inches, with a gun that reaches, not TITANIC, not in the middle of an action."""
    far = WeaponFacts(name="gun", range=48.0, skill=3)
    game = battle([ours(at=[at], **{"weapons": (far,), **more}), theirs()], "horde.movement")
    asked = answered(game, never)
    assert any("starts to move" in request.prompt for request in asked) == offered


@pytest.mark.rule("CORE.STR.8")
def test_overwatch_is_offered_as_a_move_starts_and_as_it_ends_but_fired_once_a_turn() -> None:
    stands = [
        ours(weapons=(GUN,)),
        theirs("a", [(30.0, 30.0)]),
        theirs("b", [(20.0, 25.0)]),
    ]
    declined = battle(stands, "horde.movement")
    assert clauses(answered(declined, never)) == ["CORE.STR.8"] * 4
    game = battle(stands, "horde.movement", "horde.charge", dice={"hit": [5]})
    assert clauses(answered(game, WATCH)).count("CORE.STR.8") == 1


@pytest.mark.rule("CORE.STR.8")
@pytest.mark.parametrize(("keywords", "die", "hits"), [((), 5, 0), ((), 6, 1), (("torrent",), 0, 1)])
def test_only_sixes_hit_in_overwatch(keywords: tuple[str, ...], die: int, hits: int) -> None:
    """Whatever the skill, and modifiers do not help; a Torrent rolls none."""
    gun = WeaponFacts(name="gun", range=24.0, skill=2, keywords=("heavy", *keywords))
    dice = {"hit": [die]} if die else {}
    game = battle([ours(weapons=(gun,)), theirs()], "horde.movement", dice={**dice, "wound": [1]})
    answered(game, WATCH)
    attacked = next(e for e in game.events if isinstance(e, ev.Attacked))
    assert attacked.hits == hits
    if die:
        trail = attacked.trails[0]
        assert (trail.base, trail.value, trail.steps[-1]) == (2, 6, ("CORE.STR.8", 6.0))


@pytest.mark.rule("CORE.STR.8")
def test_who_is_wiped_out_by_overwatch_does_not_move() -> None:
    gun = WeaponFacts(name="gun", range=24.0, skill=2, strength=9, ap=-6, damage="9")
    game = battle([ours(weapons=(gun,)), theirs()], "horde.movement", dice={"hit": [6], "wound": [6]})
    answered(game, WATCH)
    assert game.state.position.units["theirs"].where == "destroyed"
    assert not any(isinstance(e, ev.Moved) for e in game.events)


@pytest.mark.rule("CORE.STR.8")
def test_who_loses_models_to_overwatch_is_asked_anew_how_the_others_move() -> None:
    gun = WeaponFacts(name="gun", range=24.0, skill=2, strength=9, ap=-6, damage="9")
    stands = [ours(weapons=(gun,)), theirs(at=[(30.0, 30.0), (31.5, 30.0)])]
    game = battle(stands, "horde.movement", dice={"hit": [6], "wound": [6]})
    answered(game, WATCH)
    moved = next(e for e in game.events if isinstance(e, ev.Moved))
    assert list(moved.paths) == list(game.state.position.units["theirs"].rows)
    assert len(moved.paths) == 1


@pytest.mark.rule("CORE.STR.8")
def test_overwatch_comes_between_the_charge_roll_and_the_charge() -> None:
    stands = [ours(weapons=(GUN,)), theirs(at=[(30.0, 17.0)], weapons=(AXE,))]
    game = battle(stands, "horde.charge", dice={"charge": [6, 6], "hit": [1]})
    asked = answered(game, WATCH)
    assert clauses(asked)[0] == "CORE.STR.8"
    kinds = [e.kind for e in game.events if e.kind in ("targeted", "moved") or e.cause == "CORE.CHG.2"]
    assert kinds.index("targeted") < kinds.index("moved")
    failed = battle(stands, "horde.charge", dice={"charge": [1, 1]})
    assert answered(failed, never) == []


@pytest.mark.rule("CORE.STR.8", "CORE.WPN.HAZ")
def test_whom_its_own_overwatch_kills_falls_after_the_charge() -> None:
    """The charge at it is made; only then does it fall to its own hazardous gun."""
    gun = WeaponFacts(name="plasma", range=24.0, skill=3, keywords=("hazardous",))
    stands = [ours(weapons=(gun,)), theirs(at=[(30.0, 17.0)], weapons=(AXE,))]
    dice = {"charge": [6, 6], "hit": [1], "hazardous": [1]}
    game = battle(stands, "horde.charge", dice=dice)
    answered(game, WATCH)
    assert game.state.position.units["ours"].where == "destroyed"
    kinds = [e.kind for e in game.events if e.kind in ("moved", "damaged")]
    assert kinds[:2] == ["moved", "damaged"]


@pytest.mark.rule("CORE.STR.8")
def test_what_is_set_up_in_the_movement_phase_may_be_shot_at() -> None:
    deep = theirs("deep", [(0.0, 0.0)], where="reserves", abilities=("deep strike",))
    game = battle([ours(weapons=(GUN,)), deep], "horde.movement.reinforcements", dice={"hit": [1]})
    asked = answered(game, WATCH)
    assert clauses(asked)[0] == "CORE.STR.8"
    assert "has been set up" in asked[0].prompt


@pytest.mark.rule("CORE.STR.8")
@pytest.mark.parametrize("wall", [True, False])
def test_nobody_fires_overwatch_at_what_it_does_not_see(wall: bool) -> None:
    """Not even with Indirect Fire."""
    between = TerrainFacts(
        id="wall", kind="container", footprint=((25, 19), (35, 19), (35, 20), (25, 20)), height=20.0
    )
    mortar = WeaponFacts(name="mortar", range=48.0, skill=3, keywords=("indirect fire",))
    board = BoardFacts(terrain=(between,) if wall else ())
    game = battle([ours(weapons=(mortar,)), theirs()], "horde.movement", board=board)
    asked = answered(game, never)
    assert any(isinstance(e, ev.Moved) for e in game.events)
    assert any("starts to move" in request.prompt for request in asked) == (not wall)


# Heroic Intervention


@pytest.mark.rule("CORE.STR.11")
@pytest.mark.parametrize(
    ("at", "more", "offered"),
    [
        ((36.0, 11.0), {}, True),
        ((39.0, 11.0), {}, False),
        ((36.0, 11.0), {"keywords": ("VEHICLE",)}, False),
        ((36.0, 11.0), {"keywords": ("VEHICLE", "WALKER")}, True),
    ],
)
def test_who_may_intervene(at: tuple[float, float], more: dict[str, Any], offered: bool) -> None:
    """Within 6 inches of the charger once it has charged; a VEHICLE only if it is a WALKER."""
    stands = [
        ours("bait", [(30.0, 10.0)]),
        ours("hero", [at], **more),
        theirs(at=[(30.0, 16.0)], weapons=(AXE,)),
    ]
    game = battle(stands, "horde.charge", dice={"charge": [6, 6]})
    asked = [r for r in answered(game, never) if r.rule == "CORE.STR.11"]
    assert [[option.id for option in r.options] for r in asked] == ([["hero"]] if offered else [])


@pytest.mark.rule("CORE.STR.11")
def test_who_intervened_fights_without_the_charge_bonus() -> None:
    stands = [
        ours("bait", [(30.0, 10.0)]),
        ours("hero", [(36.0, 11.26)], weapons=(BLADE,)),
        theirs(at=[(30.0, 16.0)], weapons=(AXE,)),
    ]
    # In the step of Fights First only the charger strikes.
    game = battle(stands, "horde.charge", "horde.fight.first", dice={"charge": [6, 6, 6, 5], "hit": [1] * 4})
    answered(game, only("CORE.STR.11"))
    moved = [(e.unit, e.kind_of_move) for e in game.events if isinstance(e, ev.Moved)]
    assert moved[:2] == [("theirs", "charge"), ("hero", "charge")]
    fights = [e.unit for e in game.events if isinstance(e, ev.Targeted)]
    assert fights == ["theirs"]


# the fight


def duel(**more: Any) -> list[Stand]:
    """Return two chargers of the Horde about a player's unit that did not charge."""
    blade = WeaponFacts(name="blade", attacks="1", skill=3, strength=4, damage="1")
    marks = (("charged", True),)
    return [
        ours(at=[(30.0, 20.0)], weapons=(blade,), **more),
        theirs("a", [(30.0, 21.5)], weapons=(blade,), marks=marks),
        theirs("b", [(30.0, 18.5)], weapons=(blade,), marks=marks),
    ]


@pytest.mark.rule("CORE.STR.2")
@pytest.mark.parametrize("use", [True, False])
def test_a_counter_offensive_comes_before_the_next_charger(use: bool) -> None:
    game = battle(duel(), "horde.fight.first", "horde.fight.remaining", dice={"hit": [1, 1, 1]})
    asked = answered(game, only("CORE.STR.2") if use else never)
    fights = [e.unit for e in game.events if isinstance(e, ev.Targeted)]
    assert fights.index("ours") == (1 if use else 2)
    spent = [e.amount for e in game.events if isinstance(e, ev.Spent)]
    assert spent == ([2] if use else [])
    assert clauses(asked).count("CORE.STR.2") == (1 if use else 2)


@pytest.mark.rule("CORE.STR.2")
@pytest.mark.parametrize("more", [{"marks": (("charged", True),)}, {"abilities": ("fights first",)}])
def test_who_may_be_picked_anyway_is_not_asked_about(more: dict[str, Any]) -> None:
    game = battle(duel(**more), "horde.fight.first", dice={"hit": [1, 1, 1]})
    assert "CORE.STR.2" not in clauses(answered(game, never))


@pytest.mark.rule("CORE.STR.2")
def test_in_the_remaining_combats_whose_turn_it_is_to_pick_may_pick_anyone_anyway() -> None:
    blade = WeaponFacts(name="blade", attacks="1", skill=3, strength=4, damage="1")
    stands = [
        ours("a", [(20.0, 20.0)], weapons=(blade,)),
        theirs("x", [(20.0, 21.5)], weapons=(blade,)),
        ours("b", [(40.0, 20.0)], weapons=(blade,)),
        theirs("y", [(40.0, 21.5)], weapons=(blade,)),
    ]
    game = battle(stands, "horde.fight.remaining", dice={"hit": [1] * 4})
    assert "CORE.STR.2" not in clauses(answered(game, never))


@pytest.mark.rule("CORE.STR.3")
@pytest.mark.parametrize(
    ("leaders", "keywords", "offered"),
    [(1, ("INFANTRY", "CHARACTER"), True), (0, ("INFANTRY", "CHARACTER"), False), (1, ("INFANTRY",), False)],
)
def test_who_may_challenge(leaders: int, keywords: tuple[str, ...], offered: bool) -> None:
    """A CHARACTER within engagement range of an Attached unit."""
    guards = theirs(at=[(30.0, 11.5), (31.5, 11.5)][: 1 + leaders], leaders=leaders)
    game = battle(
        [ours(keywords=keywords, weapons=(BLADE,)), guards],
        "players.fight.remaining",
        dice={"hit": [1, 1]},
    )
    assert ("CORE.STR.3" in clauses(answered(game, never))) == offered


@pytest.mark.rule("CORE.STR.3")
def test_only_the_champion_has_precision() -> None:
    """The leader of two models is the champion.

    Precision asks about each of the two wounds that the leader causes, and about none of its bodyguard's.
    """
    captain = ours(at=[(30.0, 10.0), (31.5, 10.0)], leaders=1, weapons=(BLADE,))
    guards = theirs(at=[(30.0, 11.5), (31.5, 11.5)], leaders=1)
    game = battle([captain, guards], "players.fight.remaining", dice={"hit": [3, 3, 3, 3], "wound": [6] * 4})
    seen: list[int] = []
    asked = answered(game, only("CORE.STR.3"), seen)
    assert clauses(asked).count("CORE.STR.3") == 1
    assert seen == [1, 1]
    volleys = [e for e in game.events if isinstance(e, ev.Attacked)]
    assert {e.models for e in volleys} == {(0,), (1,)}


# Grenade, Tank Shock, Rapid Ingress


@pytest.mark.rule("CORE.STR.5")
@pytest.mark.parametrize(
    ("gap", "more", "offered"),
    [
        (8.0, {}, True),
        (8.01, {}, False),
        (8.0, {"keywords": ("INFANTRY",)}, False),
        (8.0, {"marks": (("advanced", True),)}, False),
        (8.0, {"marks": (("fell-back", True),)}, False),
    ],
)
def test_who_may_throw_grenades(gap: float, more: dict[str, Any], offered: bool) -> None:
    """A unit needs no gun for it."""
    foe = theirs(at=[(30.0, 10.0 + gap + 32 / 25.4)])
    game = battle([ours(**{"keywords": ("INFANTRY", "GRENADES"), **more}), foe], "players.shooting")
    assert clauses(answered(game, never)) == (["CORE.STR.5"] if offered else [])


@pytest.mark.rule("CORE.STR.5")
def test_no_grenade_is_thrown_into_a_fight() -> None:
    friend = ours("friend", [(30.0, 16.5)])
    thrower = ours(keywords=("INFANTRY", "GRENADES"))
    game = battle([thrower, friend, theirs(at=[(30.0, 15.0)])], "players.shooting")
    assert answered(game, never) == []


@pytest.mark.rule("CORE.STR.5")
def test_grenades_wound_on_fours_and_the_thrower_holds_its_fire() -> None:
    guns = (GUN, WeaponFacts(name="big gun", range=24.0, skill=3))
    squad = ours(
        at=[(30.0, 10.0), (31.5, 10.0)],
        keywords=("INFANTRY", "GRENADES"),
        weapons=guns,
        weapons_of=((0,), (1,)),
    )
    foe = theirs(at=[(30.0, 16.0)], characteristics=(("W", 9),))
    game = battle([squad, foe], "players.shooting", dice={"mortal-wounds": [4, 5, 6, 3, 2, 1], "hit": [1]})
    answered(game, only("CORE.STR.5"))
    hurt = [e for e in game.events if isinstance(e, ev.Damaged)]
    assert len(hurt) == 3
    assert all((e.mortal, e.by, e.cause) == (True, "ours", "CORE.STR.5") for e in hurt)
    shots = next(e for e in game.events if isinstance(e, ev.Targeted)).shots
    assert [shot.model for shot in shots] == [1]


@pytest.mark.rule("CORE.STR.6")
@pytest.mark.parametrize(
    ("toughness", "dice", "wounds"),
    [(3, [5, 4, 6], 2), (8, [5] * 8, 6)],
)
def test_tank_shock_rolls_a_die_for_each_point_of_toughness(
    toughness: int, dice: list[int], wounds: int
) -> None:
    tank = ours(keywords=("VEHICLE",), characteristics=(("T", toughness),), weapons=(AXE,))
    foe = theirs(at=[(30.0, 15.0)], characteristics=(("W", 12),), points=900)
    game = battle([tank, foe], "players.charge", dice={"charge": [6, 6], "mortal-wounds": dice})
    assert clauses(answered(game, only("CORE.STR.6"))) == ["CORE.STR.6"]
    assert sum(e.amount for e in game.events if isinstance(e, ev.Damaged)) == wounds


@pytest.mark.rule("CORE.STR.6")
def test_only_a_vehicle_shocks_as_a_tank() -> None:
    foe = theirs(at=[(30.0, 15.0)], points=900)
    game = battle([ours(weapons=(AXE,)), foe], "players.charge", dice={"charge": [6, 6]})
    assert answered(game, never) == []
    assert any(isinstance(e, ev.Moved) for e in game.events)


@pytest.mark.rule("CORE.STR.7")
@pytest.mark.parametrize(("number", "offered"), [(1, False), (2, True)])
def test_rapid_ingress_not_before_the_round_in_which_reserves_arrive(number: int, offered: bool) -> None:
    deep = ours("deep", where="reserves", abilities=("deep strike",))
    game = battle([deep, theirs()], "horde.movement", round_number=number)
    asked = answered(game, always)
    assert ("CORE.STR.7" in clauses(asked)) == offered
    arrived = [e for e in game.events if isinstance(e, ev.Arrived)]
    assert [(e.unit, e.turn, e.phase) for e in arrived] == (
        [("deep", "horde", "movement")] if offered else []
    )


@pytest.mark.rule("PLAY.3", "CORE.STR.1")
def test_a_whole_battle_uses_stratagems_and_comes_to_the_same_log_again() -> None:
    """Two CP at the start; a fuzzing player spends them."""
    from ai.agents import agent
    from engine.core.play import play
    from engine.core.replay import Replay
    from engine.core.verify import verify
    from engine.horde.setup import Options
    from engine.systems import begin, new_game
    from engine.w40k.view import View

    options = Options((LIBRARY.army("space-marines-1000"),), ("death-guard",), 1000, seed=1)
    game = new_game(options, LIBRARY)
    assert game.state.players["p1"].cp == 2
    play(game, {HORDE: agent("horde"), "p1": agent("fuzz")}, View)
    assert any(isinstance(e, ev.Spent) and e.cause.startswith("CORE.STR.") for e in game.events)
    assert verify(Replay(game.header, tuple(game.lines)), LIBRARY, begin).events == len(game.events)
