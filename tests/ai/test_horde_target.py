"""Toward what the Horde heads: AI.MOVE.1 to AI.MOVE.3."""

from __future__ import annotations

import numpy as np
import pytest

from ai.horde.target import movement_target, shown
from engine.core import event as ev
from engine.core.apply import apply


def target(battle, unit="boyz"):
    return movement_target(battle.view(), battle.state.position.units[unit])


def failed(found) -> dict[str, str]:
    return {c.id: c.failed for c in found.because.candidates}


@pytest.mark.rule("AI.MOVE.1")
def test_s_a01_a_visible_enemy_outranks_a_nearer_hidden_one(situation):
    battle = situation(terrain=(situation.ruin("r", 25, 26, 35, 30),))
    battle.horde("boyz", [(30, 33)])
    battle.players("near", [(30, 24)])
    battle.players("far", [(44, 27)])
    found = target(battle)
    assert (found.id, found.because.clause) == ("far", "AI.MOVE.1")
    assert failed(found) == {"far": "", "near": "not-visible"}
    assert found.distance == pytest.approx(13.97, abs=0.005)


@pytest.mark.rule("AI.MOVE.1")
def test_without_the_ruin_the_nearer_enemy_is_the_target(situation):
    battle = situation()
    battle.horde("boyz", [(30, 33)])
    battle.players("near", [(30, 24)])
    battle.players("far", [(44, 27)])
    found = target(battle)
    assert found.id == "near"
    assert found.distance == pytest.approx(7.74, abs=0.005)
    assert failed(found) == {"near": "", "far": "farther"}


@pytest.mark.rule("AI.MOVE.1")
def test_r_a01_a_hidden_model_does_not_make_its_unit_the_closest(situation):
    # The nearest model of "partly" is hidden; its visible one is farther than "other".
    battle = situation(terrain=(situation.ruin("r", 25, 26, 35, 30),))
    battle.horde("boyz", [(30, 33)])
    battle.players("partly", [(30, 24), (48, 33)])
    battle.players("other", [(44, 33)])
    found = target(battle)
    assert found.id == "other"
    assert found.distance == pytest.approx(14 - 2 * 16 / 25.4, abs=1e-6)


@pytest.mark.rule("AI.MOVE.1")
def test_r_a02_one_seeing_model_is_enough(situation):
    battle = situation(terrain=(situation.ruin("r", 40, 18, 44, 28.5),))
    battle.horde("boyz", [(50, 21), (50, 24), (50, 27), (50, 30)])
    battle.players("enemy", [(34, 30)])
    view = battle.view()
    seen = view.visible(view.unit("boyz"), view.unit("enemy"))[:, 0]
    assert seen.tolist() == [False, False, True, True]
    assert target(battle).id == "enemy"


@pytest.mark.rule("AI.MOVE.1")
def test_r_a05_one_target_for_the_whole_unit(situation):
    battle = situation()
    battle.horde("boyz", [(50, 18), (50, 20), (50, 22), (50, 24), (50, 26)])
    battle.players("e1", [(38, 17)])
    battle.players("e2", [(38, 27.5)])
    found = target(battle)
    assert found.id == "e1"
    assert [c.distance for c in found.because.candidates] == pytest.approx([10.78, 10.83], abs=0.005)


@pytest.mark.rule("AI.MOVE.1")
def test_s_a21_equal_distances_are_drawn_evenly(situation):
    battle = situation()
    battle.horde("boyz", [(50, 22)])
    battle.players("low", [(40, 12)])
    battle.players("high", [(40, 32)])
    chosen = []
    for seed in range(1000):
        battle.seed = seed
        chosen.append(target(battle).id)
    assert 450 <= chosen.count("low") <= 550
    assert target(battle).id == target(battle).id


@pytest.mark.rule("AI.MOVE.1")
def test_the_draw_is_the_same_when_the_unit_is_moved_as_when_it_was_decided(situation):
    for seed in range(12):
        battle = situation(seed=seed)
        battle.horde("boyz", [(50, 22)])
        battle.players("low", [(40, 12)])
        battle.players("high", [(40, 32)])
        first = target(battle).id
        battle.answers.append(object())
        assert target(battle).id == first


@pytest.mark.rule("AI.MOVE.1")
def test_r_a09_aircraft_is_no_target_for_who_cannot_fight_it(situation):
    battle = situation()
    battle.horde("boyz", [(50, 22)], weapons=[situation.blade()])
    battle.players("plane", [(40, 22)], keywords="VEHICLE AIRCRAFT FLY")
    battle.players("squad", [(20, 22)])
    found = target(battle)
    assert found.id == "squad"
    assert failed(found)["plane"] == "aircraft"


@pytest.mark.rule("AI.MOVE.1")
def test_r_a09_aircraft_is_a_target_for_who_has_a_gun(situation):
    battle = situation()
    battle.horde("lootas", [(50, 22)], weapons=[situation.gun()])
    battle.players("plane", [(40, 22)], keywords="VEHICLE AIRCRAFT FLY")
    battle.players("squad", [(20, 22)])
    assert target(battle, "lootas").id == "plane"


@pytest.mark.rule("AI.MOVE.1")
def test_s_a32_units_off_the_table_are_no_targets(situation):
    battle = situation()
    battle.horde("boyz", [(50, 22)])
    battle.players("reserve", [(40, 22)])
    battle.players("squad", [(20, 22)])
    apply(battle.state, ev.Reserved(unit="reserve"))
    found = target(battle)
    assert found.id == "squad"
    assert "reserve" not in failed(found)


@pytest.mark.rule("AI.MOVE.2")
def test_s_a02_the_closest_visible_objective_outside_spawn_zones(situation):
    zone = situation.spawn_zone("S1", 0, 34, 60, 44, ((0, 34), (60, 34)))
    battle = situation(
        terrain=(situation.ruin("r", 27, 24, 33, 28),),
        zones=(zone,),
        objectives={"O1": (30, 20), "O2": (12, 22), "O3": (30, 38)},
    )
    battle.horde("boyz", [(30, 30)])
    found = target(battle)
    assert (found.id, found.because.clause) == ("O2", "AI.MOVE.2")
    assert failed(found) == {"O2": "", "O1": "not-visible", "O3": "in-spawn-zone"}


@pytest.mark.rule("AI.MOVE.2", "AI.MOVE.1")
def test_r_a20_a_visible_enemy_outranks_the_marker_at_any_range(situation):
    battle = situation(objectives={"centre": (30, 22)})
    battle.horde("boyz", [(30, 22)])
    battle.players("bait", [(2, 22)])
    assert target(battle).id == "bait"


@pytest.mark.rule("AI.MOVE.2")
def test_r_a10_a_hidden_marker_is_passed_over_for_a_farther_one(situation):
    battle = situation(
        terrain=(situation.ruin("r", 34, 16, 38, 28),), objectives={"mid": (30, 22), "top": (30, 38)}
    )
    battle.horde("boyz", [(44, 22)])
    found = target(battle)
    assert found.id == "top"
    assert found.distance == pytest.approx(19.84, abs=0.01)
    assert failed(found)["mid"] == "not-visible"


def held(battle, marker: str, by: str) -> None:
    battle.state.position.objectives[marker].by = by


@pytest.mark.rule("AI.MOVE.2")
def test_r_a11_a_marker_held_by_another_horde_unit_is_left_to_it(situation):
    battle = situation(objectives={"mid": (30, 22), "top": (30, 38)})
    battle.horde("a", [(30, 22)], OC=2)
    battle.horde("b", [(40, 22)])
    held(battle, "mid", "horde")
    found = target(battle, "b")
    assert found.id == "top"
    assert failed(found)["mid"] == "held-by-another-unit"
    assert target(battle, "a").id == "mid"


@pytest.mark.rule("AI.MOVE.2")
def test_r_a12_of_two_units_on_a_marker_only_the_stronger_keeps_it(situation):
    battle = situation(objectives={"mid": (30, 22), "top": (30, 38)})
    battle.horde("a", [(29, 22)], OC=1)
    battle.horde("b", [(31, 22)], OC=2)
    held(battle, "mid", "horde")
    assert target(battle, "b").id == "mid"
    assert target(battle, "a").id == "top"


@pytest.mark.rule("AI.MOVE.2")
@pytest.mark.parametrize("by", ["players", ""])
def test_r_a13_held_by_players_or_by_nobody_it_is_a_goal(situation, by):
    battle = situation(objectives={"low": (30, 6)})
    battle.horde("boyz", [(40, 6)])
    held(battle, "low", by)
    assert target(battle).id == "low"


@pytest.mark.rule("AI.MOVE.3")
def test_s_a03_with_nothing_else_it_is_the_defenders_edge(situation):
    battle = situation(objectives={"mid": (30, 22)})
    battle.horde("a", [(30, 22)], OC=2)
    battle.horde("b", [(40, 22)])
    held(battle, "mid", "horde")
    found = target(battle, "b")
    assert (found.id, found.because.clause) == ("defender-edge", "AI.MOVE.3")
    assert found.distance == pytest.approx(22 - 16 / 25.4)


@pytest.mark.rule("AI.MOVE.3", "AI.MOVE.2")
def test_r_a19_an_unseen_marker_nearby_is_ignored(situation):
    battle = situation(terrain=(situation.ruin("r", 20, 15, 24, 29),), objectives={"mid": (18, 22)})
    battle.horde("boyz", [(26, 22)])
    assert target(battle).kind == "edge"


@pytest.mark.rule("AI.MOVE.1")
def test_the_reason_shows_a_clear_line(situation):
    # The straight line between the centres is closed; the line shown must pass beside the ruin.
    battle = situation(terrain=(situation.ruin("r", 25, 20, 30.1, 24),))
    unit = battle.horde("boyz", [(30, 33)])
    battle.players("enemy", [(30, 12)])
    (line,) = shown(battle.view(), unit, target(battle)).lines
    low, high = sorted(line, key=lambda p: p[1])
    assert np.hypot(*(np.array(high) - (30, 33))) <= 16 / 25.4 + 1e-6
    assert np.hypot(*(np.array(low) - (30, 12))) <= 16 / 25.4 + 1e-6
    for y in (20, 22, 24):
        share = (y - low[1]) / (high[1] - low[1])
        assert low[0] + share * (high[0] - low[0]) >= 30.1 - 1e-6


@pytest.mark.rule("AI.MOVE.2")
def test_r_a14_the_marker_of_the_hordes_zone_is_never_a_goal(situation):
    zone = situation.spawn_zone("S1", 42, 0, 60, 44, ((42, 0), (42, 44)))
    battle = situation(zones=(zone,), objectives={"home": (50, 22)})
    battle.horde("boyz", [(52, 30)])
    battle.horde("camper", [(50, 22)])
    assert target(battle).kind == "edge"
    assert target(battle, "camper").kind == "edge"


@pytest.mark.rule("AI.MOVE.2")
def test_r_a15_a_marker_that_was_dropped_counts_and_one_that_is_gone_does_not(situation):
    battle = situation(objectives={"mid": (30, 22), "drop": (24, 30)})
    battle.horde("boyz", [(30, 30)])
    assert target(battle).id == "drop"
    apply(battle.state, ev.Removed(what="objective:drop"))
    assert target(battle).id == "mid"
