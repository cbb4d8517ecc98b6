"""What the autopilot does in plain cases in which one choice is clearly right."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from ai.agents import agent
from ai.autopilot.appraisal import Appraisal, charge_chance
from ai.autopilot.move_choice import _stops
from ai.autopilot.prospect import Prospect
from datasheets.errors import UnknownName
from engine.core.request import Option, Order

R32 = 16 / 25.4


def answered(battle, request):
    found = agent("steady").answer(battle.view("p1"), request)
    assert battle.faults(request, found) == []
    return found


def test_charge_chances_are_those_of_two_dice():
    assert charge_chance(2) == 1
    assert charge_chance(7) == pytest.approx(21 / 36)
    assert charge_chance(11) == pytest.approx(3 / 36)
    assert charge_chance(11.5) == pytest.approx(1 / 36)
    assert charge_chance(12.01) == 0


def test_worth_is_counted_in_points_per_wound(situation):
    battle = situation()
    squad = battle.players("squad", [(10, 10), (12, 10)], W=2, points=80)
    values = Appraisal(battle.view())
    assert values.worth_of_wound(squad) == 20
    assert values.trade(3, squad) == 60
    assert values.trade(99, squad) == 80


def test_half_range_is_a_place_to_stop_only_for_guns_that_do_more_there(situation):
    battle = situation()
    for name, more in (("plain", ()), ("melta", ("melta 2",))):
        gun = situation.gun(name, keywords=more)
        squad = battle.players(name, [(10, 10)], weapons=[gun])
        stops = _stops(Prospect(battle.view("p1"), squad))
        assert (gun.range / 2 - 0.25 in stops) == bool(more)
        assert gun.range - 0.25 in stops


def test_each_gun_shoots_what_it_hurts_most(situation):
    battle = situation(phase="shooting")
    melta = situation.gun("melta", strength=9, ap=-4, damage="6")
    bolter = situation.gun("bolter", attacks="2")
    battle.players("squad", [(30, 10), (31.5, 10)], weapons=[melta, bolter], of=[(0,), (1,)])
    battle.horde("tank", [(30, 25)], keywords="VEHICLE", T=10, W=12, Sv=2, points=200)
    battle.horde("mob", [(20 + 1.4 * i, 22) for i in range(10)], T=4, W=1, Sv=6, points=80)
    shots = answered(battle, battle.shoot_request("squad")).shots
    assert {s.weapon: s.target for s in shots} == {0: "tank", 1: "mob"}


def test_it_does_not_pour_all_its_fire_into_one_dying_model(situation):
    battle = situation(phase="shooting")
    cannon = situation.gun("cannon", attacks="4", skill=2, strength=12, ap=-4, damage="3")
    battle.players("squad", [(30 + 1.5 * i, 10) for i in range(4)], weapons=[cannon])
    battle.horde("one", [(30, 22)], W=2, points=60)
    battle.horde("two", [(34, 22)], W=2, points=55)
    shots = answered(battle, battle.shoot_request("squad")).shots
    assert {s.target for s in shots} == {"one", "two"}


def test_blades_charge_what_they_beat(situation):
    fist = situation.blade("fist", attacks="4", skill=2, strength=8, ap=-2, damage="2")
    battle = situation(phase="charge")
    battle.players("squad", [(30 + 1.4 * i, 20) for i in range(5)], weapons=[fist], points=200)
    battle.horde("weak", [(30 + 1.4 * i, 24) for i in range(5)], W=1, points=60)
    request = battle.choose("charge", ["weak"], unit="squad", minimum=0, maximum=1)
    assert answered(battle, request).ids == ("weak",)


def test_guns_do_not_give_up_their_shots_to_charge_what_is_no_danger(situation):
    plasma = situation.gun("plasma", attacks="2", skill=3, strength=8, ap=-3, damage="2")
    butt = situation.blade("close combat weapon")
    battle = situation(phase="charge")
    battle.players("squad", [(30 + 1.4 * i, 20) for i in range(5)], weapons=[plasma, butt], points=150)
    battle.horde("mob", [(30 + 1.4 * i, 26) for i in range(10)], W=2, points=100)
    request = battle.choose("charge", ["mob"], unit="squad", minimum=0, maximum=1)
    assert answered(battle, request).ids == ()


def test_a_squad_walks_onto_a_marker_within_reach(situation):
    battle = situation(objectives={"mid": (30, 22)})
    battle.players("squad", [(30, 16)], weapons=[situation.gun()], OC=2)
    request = battle.move_request("squad")
    assert answered(battle, request).ids == ("normal-move",)
    moves = answered(battle, battle.path_request("squad"))
    (end,) = battle.ends("squad", moves)
    assert np.hypot(*(np.array(end) - (30, 22))) <= 3 + R32 + 20 / 25.4


def test_on_its_marker_with_a_target_in_range_it_stays(situation):
    battle = situation(objectives={"mid": (30, 22)})
    battle.players("squad", [(30, 22)], weapons=[situation.gun()], OC=2)
    battle.horde("mob", [(30, 42)], weapons=[situation.blade(ap=-1)])
    battle.state.position.objectives["mid"].by = "players"
    moves = answered(battle, battle.path_request("squad"))
    (end,) = battle.ends("squad", moves)
    assert np.hypot(*(np.array(end) - (30, 22))) <= 3 + R32 + 20 / 25.4


def test_with_nothing_to_shoot_it_runs_for_the_marker(situation):
    battle = situation(objectives={"mid": (30, 40)})
    battle.players("squad", [(30, 10)], weapons=[situation.gun()], OC=2)
    assert answered(battle, battle.move_request("squad")).ids == ("advance",)


def test_wounds_go_to_the_wounded_first_and_to_the_leader_last(situation):
    battle = situation()
    arms = [situation.gun("bolter"), situation.gun("plasma", strength=8, ap=-3, damage="2")]
    led = battle.players(
        "led", [(10 + 1.5 * i, 10) for i in range(4)], weapons=arms, of=[(1,), (0,), (0,), (0,)], leader=3
    )
    battle.state.position.models[led.rows[2]].wounds = 1
    request = Order(
        seats=("p1",),
        rule="CORE.ATK.2",
        decision="allocation",
        prompt="",
        unit="led",
        items=tuple(Option(id=str(row), label="") for row in led.rows),
    )
    first, second, third, last = answered(battle, request).ids
    assert [int(one) - led.rows[0] for one in (first, second, third, last)] == [2, 1, 0, 3]


def test_an_unknown_agent_is_refused_by_name():
    with pytest.raises(UnknownName, match="steady"):
        agent("stedy")


def with_secret(battle, *cards: str, sp: int = 0):
    battle.state.players["p1"].secrets = cards
    battle.state.players["p1"].sp = sp
    return battle


def test_it_keeps_the_secret_that_is_easier(situation):
    battle = situation()
    cards = ["secret/13-master-sculptor", "secret/2-a-noble-sacrifice"]
    assert answered(battle, battle.choose("keep-secret", cards)).ids == (cards[1],)


def test_it_saves_supply_points_to_show_off(situation):
    options = ["buy/minefield", "done"]
    spender = with_secret(situation(round=4), "secret/3-cleanse-sacred-ground", sp=9)
    assert answered(spender, spender.choose("purchase", options)).ids == ("buy/minefield",)
    saver = with_secret(situation(round=4), "secret/11-show-off", sp=9)
    assert answered(saver, saver.choose("purchase", options)).ids == ("done",)


def test_a_noble_sacrifice_is_walked_to_when_it_is_within_reach(situation):
    zone = situation.spawn_zone("S1", 0, 34, 60, 44, ((0, 34), (60, 34)))
    battle = with_secret(
        situation(zones=(zone,), objectives={"home": (30, 38)}), "secret/2-a-noble-sacrifice"
    )
    marker = battle.state.position.objectives["home"]
    marker.facts = replace(marker.facts, zone="horde")
    battle.players("squad", [(30, 28)], weapons=[situation.gun()])
    battle.horde("mob", [(50, 40)], weapons=[situation.blade(ap=-1)])
    (end,) = battle.ends("squad", answered(battle, battle.path_request("squad")))
    assert np.hypot(*(np.array(end) - (30, 38))) <= 3 + R32 + 20 / 25.4 + 1e-6


def test_in_a_losing_fight_it_breaks_off_and_in_a_winning_one_it_stays(situation):
    claws = situation.blade("claws", attacks="8", skill=2, strength=9, ap=-3, damage="2")
    for weapons, kind in (([situation.gun()], "fall-back"), ([claws], "remain-stationary")):
        battle = situation()
        battle.players("squad", [(30, 20)], weapons=weapons, points=100)
        battle.horde("brute", [(30, 21.4)], weapons=[claws] if kind == "fall-back" else [situation.blade()])
        assert answered(battle, battle.move_request("squad")).ids == (kind,)
