"""How the Horde fights: whom each model strikes, with what, and in which order units fight."""

from __future__ import annotations

import pytest

from ai.horde.fight import fight
from ai.horde.turn import next_unit
from ai.reckoning.armament import is_better, is_charger, is_side_arm
from ai.reckoning.expectation import models_of

CCW = "close combat weapon"


def strikes(battle, unit="boyz"):
    request = battle.fight_request(unit)
    answer = fight(battle.view(), request)
    assert battle.faults(request, answer) == []
    found = battle.state.position.units[unit]
    return sorted((found.rows.index(s.model), found.weapon(s.weapon).name, s.target) for s in answer.shots)


@pytest.mark.rule("AI.FIGHT.1")
def test_s_f08_a_unit_splits_its_attacks_by_the_closest_model(situation):
    battle = situation(phase="fight")
    battle.horde("boyz", [(30, 24), (33, 24)], weapons=[situation.blade()])
    battle.players("p1", [(30, 22.7)])
    battle.players("p2", [(33.2, 22.7)])
    assert strikes(battle) == [(0, "choppa", "p1"), (1, "choppa", "p2")]


@pytest.mark.rule("AI.FIGHT.1")
def test_r_a58_the_closer_of_two_in_reach(situation):
    battle = situation(phase="fight")
    battle.horde("boyz", [(30, 24)], weapons=[situation.blade()])
    battle.players("near", [(30, 22.7)])
    battle.players("aside", [(32.1, 24)])
    assert strikes(battle) == [(0, "choppa", "near")]


@pytest.mark.rule("AI.FIGHT.1")
def test_r_a59_sweep_or_strike_whichever_does_more_and_extra_attacks_besides(situation):
    blades = [
        situation.blade("strike", attacks="5", strength=8, ap=-2, damage="3", item="scythe"),
        situation.blade("sweep", attacks="12", strength=5, ap=-2, item="scythe"),
        situation.blade("tail", attacks="1", keywords=("extra attacks",)),
    ]
    battle = situation(phase="fight")
    battle.horde("boyz", [(30, 24)], weapons=blades)
    battle.players("crowd", [(30 + 1.5 * i, 22.7) for i in range(5)], W=1)
    assert strikes(battle) == [(0, "sweep", "crowd"), (0, "tail", "crowd")]


@pytest.mark.rule("AI.FIGHT.1")
def test_r_a59_against_a_big_one_it_strikes(situation):
    blades = [
        situation.blade("strike", attacks="5", strength=8, ap=-2, damage="3", item="scythe"),
        situation.blade("sweep", attacks="12", strength=5, ap=-2, item="scythe"),
    ]
    battle = situation(phase="fight")
    battle.horde("boyz", [(30, 24)], weapons=blades)
    battle.players("tank", [(30, 22.7)], W=12, T=10)
    assert strikes(battle) == [(0, "strike", "tank")]


@pytest.mark.rule("AI.FIGHT.1")
def test_r_a60_the_most_expensive_fights_first(situation):
    battle = situation(phase="fight")
    battle.horde("cheap", [(10, 24)], points=90)
    battle.horde("dear", [(30, 24)], points=200)
    request = situation.choose("next-unit", ["cheap", "dear"], rule="CORE.FGT.1")
    assert next_unit(battle.view(), request).ids == ("dear",)


@pytest.mark.rule("AI.CHARGE.1")
def test_r_a52_what_is_better_than_a_close_combat_weapon(situation):
    blade = situation.blade
    assert not is_better(blade(CCW, ap=-1, damage="2"), 3)
    assert not is_better(blade("tracks", strength=6), 10)
    assert is_better(blade("choppa", ap=-1), 5)
    assert is_better(blade("claws", strength=4, keywords=("lethal hits",)), 4)
    assert is_better(blade("hammer", strength=4, damage="2"), 4)
    assert is_better(blade("fist", strength=8), 5)
    assert not is_better(blade("knife", strength=4), 4)


@pytest.mark.rule("AI.CHARGE.1")
@pytest.mark.parametrize(("carriers", "charges"), [(6, True), (5, False)])
def test_s_a27_six_of_ten_are_a_majority_and_five_are_not(situation, carriers, charges):
    battle = situation()
    blades = [situation.blade(CCW), situation.blade("choppa", ap=-1)]
    unit = battle.horde(
        "boyz",
        [(20 + 1.4 * i, 24) for i in range(10)],
        weapons=blades,
        of=[(1,)] * carriers + [(0,)] * (10 - carriers),
    )
    assert is_charger(battle.view(), unit) is charges


@pytest.mark.rule("AI.SIDEARM")
def test_r_a33_side_arms(situation):
    battle = situation()
    arms = [
        situation.gun("slugga", 12, keywords=("pistol",)),
        situation.gun("shoota"),
        situation.blade(ap=-1),
    ]
    boyz = battle.horde("boyz", [(20, 24)], weapons=arms)
    (model,) = models_of(boyz)
    assert is_side_arm(battle.view(), boyz, model, boyz.weapon(0))
    assert not is_side_arm(battle.view(), boyz, model, boyz.weapon(1))
    guard = battle.horde("guard", [(30, 24)], weapons=[arms[0], situation.blade(CCW)])
    assert not is_side_arm(battle.view(), guard, models_of(guard)[0], guard.weapon(0))


@pytest.mark.rule("AI.SIDEARM")
def test_s_a15_any_gun_of_an_attached_character_is_a_side_arm(situation):
    battle = situation()
    led = battle.horde("led", [(20, 24), (21.5, 24)], weapons=[situation.gun("cannon", 36)], leader=1)
    guard, chief = models_of(led)
    assert not is_side_arm(battle.view(), led, guard, led.weapon(0))
    assert is_side_arm(battle.view(), led, chief, led.weapon(0))
