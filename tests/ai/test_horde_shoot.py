"""At what the Horde shoots: AI.SHOOT.1 to AI.SHOOT.4, model by model."""

from __future__ import annotations

import pytest

from ai.horde.shoot import shoot


def targets(battle, unit="lootas") -> dict[tuple[int, str], str]:
    """Return the target of each shot by model (its place in the unit) and weapon name."""
    answer = shoot(battle.view(), battle.shoot_request(unit))
    assert battle.faults(battle.shoot_request(unit), answer) == []
    found = battle.state.position.units[unit]
    return {(found.rows.index(s.model), found.weapon(s.weapon).name): s.target for s in answer.shots}


@pytest.mark.rule("AI.SHOOT.1")
def test_s_a18_each_model_shoots_what_is_closest_to_it(situation):
    battle = situation(phase="shooting")
    battle.horde("lootas", [(20, 30), (23.2, 30)], weapons=[situation.gun()])
    battle.players("p1", [(18, 20)])
    battle.players("p2", [(28, 20)])
    assert targets(battle) == {(0, "gun"): "p1", (1, "gun"): "p2"}


@pytest.mark.rule("AI.SHOOT.1")
def test_s_a20_a_lone_operative_beyond_twelve_inches_is_no_legal_target(situation):
    battle = situation(phase="shooting")
    battle.horde("lootas", [(20, 30)], weapons=[situation.gun()])
    battle.players("spy", [(20, 30 - 13 - 2 * 16 / 25.4)], abilities=("lone operative",))
    battle.players("squad", [(20, 30 - 20 - 2 * 16 / 25.4)])
    assert targets(battle) == {(0, "gun"): "squad"}


@pytest.mark.rule("AI.SHOOT.1")
def test_s_a20_within_twelve_inches_it_is(situation):
    battle = situation(phase="shooting")
    battle.horde("lootas", [(20, 30)], weapons=[situation.gun()])
    battle.players("spy", [(20, 30 - 12 - 2 * 16 / 25.4)], abilities=("lone operative",))
    battle.players("squad", [(20, 10)])
    assert targets(battle) == {(0, "gun"): "spy"}


@pytest.mark.rule("AI.SHOOT.1")
def test_equals_are_drawn_evenly(situation):
    battle = situation(phase="shooting")
    battle.horde("lootas", [(30, 30)], weapons=[situation.gun()])
    battle.players("left", [(24, 22)])
    battle.players("right", [(36, 22)])
    drawn = []
    for seed in range(400):
        battle.seed = seed
        drawn.append(targets(battle)[0, "gun"])
    assert 160 <= drawn.count("left") <= 240


@pytest.mark.rule("AI.SHOOT.1")
def test_r_a43_each_weapon_measures_for_itself(situation):
    # The near unit is hidden; the long gun reaches the far one, the short gun nothing.
    battle = situation(phase="shooting", terrain=(situation.ruin("r", 25, 22, 35, 26),))
    guns = [situation.gun("long", 36), situation.gun("short", 12)]
    battle.horde("lootas", [(30, 30)], weapons=guns)
    battle.players("hidden", [(30, 20)])
    battle.players("far", [(8, 30)])
    assert targets(battle) == {(0, "long"): "far"}


@pytest.mark.rule("AI.SHOOT.2")
@pytest.mark.parametrize(("reach", "target"), [(24, "tank"), (18, "squad")])
def test_s_a22_anti_prefers_its_prey_within_range(situation, reach, target):
    battle = situation(phase="shooting")
    battle.horde("lootas", [(30, 40)], weapons=[situation.gun("lance", reach, keywords=("anti-vehicle 4+",))])
    battle.players("squad", [(30, 40 - 8 - 2 * 16 / 25.4)])
    battle.players("tank", [(30, 40 - 20 - 2 * 16 / 25.4)], keywords="VEHICLE")
    assert targets(battle) == {(0, "lance"): target}


@pytest.mark.rule("AI.SHOOT.2")
def test_r_a44_the_preference_binds_only_the_anti_weapon(situation):
    battle = situation(phase="shooting")
    guns = [situation.gun("launcher", keywords=("anti-vehicle 4+",)), situation.gun("rifle")]
    battle.horde("lootas", [(30, 40)], weapons=guns)
    battle.players("squad", [(30, 30)])
    battle.players("tank", [(30, 18)], keywords="VEHICLE")
    assert targets(battle) == {(0, "launcher"): "tank", (0, "rifle"): "squad"}


@pytest.mark.rule("AI.SHOOT.3")
def test_s_a23_precision_prefers_a_unit_with_a_leader(situation):
    battle = situation(phase="shooting")
    battle.horde("lootas", [(30, 43)], weapons=[situation.gun("rifle", 24, keywords=("precision",))])
    battle.players("squad", [(30, 31)])
    battle.players("led", [(30, 20), (31.5, 20)], leader=1)
    assert targets(battle) == {(0, "rifle"): "led"}


@pytest.mark.rule("AI.SHOOT.3")
def test_r_a46_a_leader_that_is_not_seen_draws_no_precision(situation):
    battle = situation(phase="shooting", terrain=(situation.ruin("r", 31, 22, 36, 26),))
    battle.horde("lootas", [(28, 43)], weapons=[situation.gun("rifle", 24, keywords=("precision",))])
    battle.players("squad", [(26, 31)])
    battle.players("led", [(28, 20.5), (34.5, 20.5)], leader=1)
    seen = battle.view().visible(battle.state.position.units["lootas"], battle.state.position.units["led"])
    assert seen.tolist() == [[True, False]]
    assert targets(battle) == {(0, "rifle"): "squad"}


@pytest.mark.rule("AI.SHOOT.4")
@pytest.mark.parametrize(("gap", "target"), [(11, "riders"), (13, "squad")])
def test_s_a24_melta_prefers_what_is_neither_infantry_nor_swarm(situation, gap, target):
    battle = situation(phase="shooting")
    battle.horde("lootas", [(30, 40)], weapons=[situation.gun("melta", 12, keywords=("melta 2",))])
    touch = 2 * 16 / 25.4
    battle.players("squad", [(30, 40 - 6 - touch)])
    battle.players("bugs", [(30 - 8 - touch, 40)], keywords="SWARM")
    battle.players("riders", [(30 + gap + touch, 40)], keywords="MOUNTED")
    assert targets(battle) == {(0, "melta"): target}


@pytest.mark.rule("AI.SHOOT.2", "AI.SHOOT.3")
def test_r_a45_anti_goes_before_precision(situation):
    battle = situation(phase="shooting")
    words = ("anti-monster 4+", "precision")
    battle.horde("lootas", [(30, 43)], weapons=[situation.gun("rifle", 24, keywords=words)])
    battle.players("led", [(30, 31), (31.5, 31)], leader=1)
    battle.players("beast", [(30, 20)], keywords="MONSTER")
    assert targets(battle) == {(0, "rifle"): "beast"}


@pytest.mark.rule("AI.SHOOT.1")
def test_r_a49_indirect_fire_prefers_what_is_visible(situation):
    battle = situation(phase="shooting", terrain=(situation.ruin("r", 25, 30, 35, 34),))
    battle.horde("lootas", [(30, 40)], weapons=[situation.gun("mortar", 48, keywords=("indirect fire",))])
    battle.players("hidden", [(30, 28)])
    battle.players("open", [(2, 40)])
    assert targets(battle) == {(0, "mortar"): "open"}


@pytest.mark.rule("AI.SHOOT.1")
def test_r_a49_and_takes_the_unseen_where_nothing_is(situation):
    battle = situation(phase="shooting", terrain=(situation.ruin("r", 25, 30, 35, 34),))
    battle.horde("lootas", [(30, 40)], weapons=[situation.gun("mortar", 48, keywords=("indirect fire",))])
    battle.players("hidden", [(30, 28)])
    assert targets(battle) == {(0, "mortar"): "hidden"}


@pytest.mark.rule("AI.SHOOT.1")
def test_r_a50_pistol_or_guns_whichever_is_expected_to_do_more(situation):
    weak = [situation.gun("pistol", 12, keywords=("pistol",)), situation.gun("rifle", attacks="2")]
    battle = situation(phase="shooting")
    battle.horde("lootas", [(30, 40)], weapons=weak)
    battle.players("squad", [(30, 32)])
    assert targets(battle) == {(0, "rifle"): "squad"}


@pytest.mark.rule("AI.SHOOT.1")
def test_r_a50_a_better_pistol_is_used(situation):
    pistol = situation.gun("pistol", 12, strength=8, damage="3", keywords=("pistol",))
    battle = situation(phase="shooting")
    battle.horde("lootas", [(30, 40)], weapons=[pistol, situation.gun("rifle")])
    battle.players("squad", [(30, 32)])
    assert targets(battle) == {(0, "pistol"): "squad"}


@pytest.mark.rule("AI.SHOOT.1")
def test_r_a52a_the_profile_that_does_more_is_chosen(situation):
    plasma = [
        situation.gun("standard", strength=7, item="plasma"),
        situation.gun("supercharge", strength=8, ap=-3, damage="2", item="plasma", keywords=("hazardous",)),
    ]
    battle = situation(phase="shooting")
    battle.horde("lootas", [(30, 40)], weapons=plasma)
    battle.players("squad", [(30, 32)])
    assert targets(battle) == {(0, "supercharge"): "squad"}


@pytest.mark.rule("AI.SHOOT.1")
def test_s_a26_in_combat_pistols_shoot_the_enemy_at_hand(situation):
    guns = [situation.gun("pistol", 12, keywords=("pistol",)), situation.gun("rifle", attacks="4")]
    battle = situation(phase="shooting")
    battle.horde("lootas", [(30, 40)], weapons=guns)
    battle.players("foe", [(30, 38)])
    battle.players("other", [(34, 36)])
    assert targets(battle) == {(0, "pistol"): "foe"}


@pytest.mark.rule("AI.SHOOT.1")
def test_s_a35_the_reason_names_what_was_passed_over(situation):
    battle = situation(phase="shooting")
    battle.horde("lootas", [(30, 40)], weapons=[situation.gun("melta", 24, keywords=("melta 2",))])
    battle.players("squad", [(30, 34)])
    battle.players("tank", [(30, 25)], keywords="VEHICLE")
    (because,) = shoot(battle.view(), battle.shoot_request("lootas")).because
    assert (because.clause, because.target) == ("AI.SHOOT.4", "tank")
    assert {c.id: c.failed for c in because.candidates} == {"tank": "", "squad": "infantry-or-swarm"}


@pytest.mark.rule("AI.SHOOT.4")
def test_r_a48_abilities_that_a_card_grants_give_no_preference(situation, monkeypatch):
    battle = situation(phase="shooting")
    battle.horde("lootas", [(30, 40)], weapons=[situation.gun("bolter", 24)])
    battle.players("squad", [(30, 32)])
    battle.players("tank", [(30, 28)], keywords="VEHICLE")
    monkeypatch.setattr(battle.query, "weapon_keywords", lambda *_, **__: ("melta 1",))
    assert targets(battle) == {(0, "bolter"): "squad"}


@pytest.mark.rule("AI.SHOOT.1")
def test_r_a51_all_shots_are_spent_on_the_closest_even_if_one_would_do(situation):
    battle = situation(phase="shooting")
    battle.horde("lootas", [(30 + 1.4 * i, 40) for i in range(10)], weapons=[situation.gun()])
    battle.players("one", [(36, 30)], W=1)
    battle.players("many", [(30 + 2 * i, 24) for i in range(5)])
    assert set(targets(battle).values()) == {"one"}
