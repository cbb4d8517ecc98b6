"""How the Horde moves: whether it stays, advances or falls back, and where each model ends."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from ai.horde.horde_ai import HordeAgent
from geometry.measure.coherency import is_coherent

R32 = 16 / 25.4


def decided(battle, unit="boyz"):
    """Return the kind of move chosen, and the clauses cited."""
    answer = HordeAgent().answer(battle.view(), battle.move_request(unit))
    return answer.ids[0], [b.clause for b in answer.because]


def moved(battle, unit="boyz", kind="normal", limit=6.0):
    """Return where the models end; the move is checked to be legal."""
    request = battle.path_request(unit, kind, limit)
    answer = HordeAgent().answer(battle.view(), request)
    assert battle.faults(request, answer) == []
    assert answer.because
    return np.array(battle.ends(unit, answer))


def gap(a, b) -> float:
    return float(np.hypot(*(np.array(a) - np.array(b))) - 2 * R32)


# the edge


@pytest.mark.rule("AI.MOVE.3")
def test_s_a04_straight_to_the_edge(situation):
    battle = situation()
    battle.horde("boyz", [(8, 20)])
    assert moved(battle)[0] == pytest.approx((8, 14), abs=1e-6)


@pytest.mark.rule("AI.MOVE.3")
@pytest.mark.parametrize(("start", "end"), [(8, 14), (27, 30), (38, 32), (30.5, 30)])
def test_s_a04_along_the_edge_to_the_central_line(situation, start, end):
    battle = situation()
    battle.horde("boyz", [(start, R32)])
    assert moved(battle)[0] == pytest.approx((end, R32), abs=1e-3)


@pytest.mark.rule("AI.MOVE.3")
def test_r_a18_what_is_left_of_the_move_is_spent_along_the_edge(situation):
    battle = situation()
    battle.horde("boyz", [(8, R32 + 2)])
    assert moved(battle)[0] == pytest.approx((12, R32), abs=1e-3)


@pytest.mark.rule("AI.MOVE.3")
def test_at_the_central_line_it_stays(situation):
    battle = situation()
    battle.horde("boyz", [(30, R32)])
    assert decided(battle)[0] == "remain-stationary"


@pytest.mark.rule("AI.MOVE.1")
def test_s_a05_at_the_edge_a_visible_enemy_counts_again(situation):
    battle = situation()
    battle.horde("boyz", [(30, R32)])
    battle.players("enemy", [(30, 20)])
    assert moved(battle)[0] == pytest.approx((30, R32 + 6), abs=1e-6)


@pytest.mark.rule("AI.MOVE.3")
def test_r_a17_the_edge_is_the_one_of_the_deployment(situation):
    battle = situation(board={"defender_edge": ((60.0, 44.0), (0.0, 44.0)), "edge_centre": (30.0, 44.0)})
    battle.horde("boyz", [(40, 10)])
    assert moved(battle)[0] == pytest.approx((40, 16), abs=1e-6)


# an enemy


@pytest.mark.rule("AI.MOVE.1")
def test_r_a04_a_normal_move_stops_just_outside_engagement_range(situation):
    battle = situation()
    battle.horde("boyz", [(40, 22)], M=10)
    battle.players("enemy", [(30, 22)])
    (end,) = moved(battle, limit=10)
    assert gap(end, (30, 22)) == pytest.approx(1.001, abs=1e-3)
    assert 40 - end[0] == pytest.approx(7.739, abs=2e-3)


@pytest.mark.rule("AI.MOVE.1")
def test_r_a36_an_advance_stops_there_too(situation):
    battle = situation()
    battle.horde("boyz", [(30 + 5 + 2 * R32, 22)])
    battle.players("enemy", [(30, 22)])
    (end,) = moved(battle, kind="advance", limit=10)
    assert gap(end, (30, 22)) == pytest.approx(1.001, abs=1e-3)


@pytest.mark.rule("AI.MOVE.1")
def test_r_a05_the_unit_stays_coherent(situation):
    battle = situation()
    battle.horde("boyz", [(50, 18), (50, 20), (50, 22), (50, 24), (50, 26)])
    battle.players("e1", [(38, 17)])
    battle.players("e2", [(38, 27.5)])
    ends = moved(battle)
    spacing = battle.ruleset.parameters.spacing
    assert is_coherent(ends, np.zeros(5), np.full(5, R32), spacing)
    before = np.hypot(*(np.array([[50, y] for y in (18, 20, 22, 24, 26)]) - (38, 17)).T)
    after = np.hypot(*(ends - (38, 17)).T)
    assert after.min() == pytest.approx(before.min() - 6, abs=0.02)
    assert (after < before).all()


@pytest.mark.rule("AI.MOVE.1")
def test_r_a03_the_shortest_legal_way_round_a_wall(situation):
    # The wall leaves a way only round its lower end: the first step does not lead straight at the enemy.
    low = replace(situation.ruin("w", 38, 10, 40, 44, kind="wall"), height=2.2)
    battle = situation(terrain=(low,))
    battle.horde("boyz", [(46, 16)], keywords="VEHICLE", M=12)
    battle.players("enemy", [(30, 16)])
    (end,) = moved(battle, limit=12)
    assert end[0] < 44
    assert end[1] < 16


# objectives


@pytest.mark.rule("AI.MOVE.2")
def test_s_a02_it_goes_to_the_visible_marker(situation):
    battle = situation(objectives={"O2": (12, 22)})
    battle.horde("boyz", [(30, 30)])
    (end,) = moved(battle)
    way = np.array((12, 22)) - np.array((30, 30))
    assert end == pytest.approx(np.array((30, 30)) + 6 * way / np.hypot(*way), abs=1e-4)


@pytest.mark.rule("AI.MOVE.2")
def test_s_a03_a_unit_on_its_own_marker_camps(situation):
    battle = situation(objectives={"O2": (12, 22)})
    battle.horde("boyz", [(12, 22)])
    battle.state.position.objectives["O2"].by = "horde"
    kind, clauses = decided(battle)
    assert (kind, clauses[0]) == ("remain-stationary", "AI.MOVE.2")


@pytest.mark.rule("AI.MOVE.2")
def test_r_a16_a_unit_in_range_still_closes_up_if_that_gains_a_quarter_inch(situation):
    battle = situation(objectives={"O2": (12, 22)})
    battle.horde("boyz", [(12.3, 22)])
    assert decided(battle)[0] != "remain-stationary"
    battle = situation(objectives={"O2": (12, 22)})
    battle.horde("boyz", [(12.2, 22)])
    assert decided(battle)[0] == "remain-stationary"


# spawn zones


def hammer_and_anvil(situation, **more):
    zone = situation.spawn_zone("S1", 42, 0, 60, 44, ((42, 0), (42, 44)))
    board = {"defender_edge": ((0.0, 0.0), (0.0, 44.0)), "edge_centre": (0.0, 22.0)}
    return situation(zones=(zone,), board=board, **more)


@pytest.mark.rule("AI.STAY.5")
def test_r_a24_a_heavy_unit_leaves_the_zone_all_the_same(situation):
    battle = hammer_and_anvil(situation)
    battle.horde("boyz", [(46, 22)], weapons=[situation.gun("lascannon", 48, keywords=("heavy",))])
    battle.players("enemy", [(30, 22)])
    kind, clauses = decided(battle)
    assert kind != "remain-stationary"
    assert "AI.STAY.5" in clauses
    assert moved(battle)[0] == pytest.approx((40, 22), abs=1e-4)


@pytest.mark.rule("AI.STAY.5")
def test_r_a25_exit_outranks_a_target_behind(situation):
    battle = hammer_and_anvil(situation)
    battle.horde("boyz", [(50, 22)])
    battle.players("enemy", [(57, 22)])
    assert moved(battle)[0] == pytest.approx((44, 22), abs=1e-4)


@pytest.mark.rule("AI.STAY.5")
def test_r_a24_all_models_end_outside_where_they_can(situation):
    battle = hammer_and_anvil(situation)
    battle.horde("boyz", [(44, 18), (44, 20), (44, 22), (46, 18), (46, 20), (46, 22), (44, 24)])
    battle.players("enemy", [(10, 22)])
    assert (moved(battle)[:, 0] <= 42 - R32 + 1e-5).all()


@pytest.mark.rule("AI.STAY.4")
def test_r_a26_a_unit_from_reserves_in_a_zone_says_why_it_moves(situation):
    battle = hammer_and_anvil(situation)
    battle.horde("boyz", [(46, 22)], marks={"deep-strike-failed": True})
    battle.players("enemy", [(30, 22)])
    assert "AI.STAY.4" in decided(battle)[1]


# combat


@pytest.mark.rule("AI.FALLBACK.1")
def test_r_a30_a_unit_in_combat_stays(situation):
    battle = situation()
    battle.horde("boyz", [(30, 22)])
    battle.players("enemy", [(28.5, 22)])
    assert decided(battle) == ("remain-stationary", ["AI.FALLBACK.1"])


@pytest.mark.rule("AI.FALLBACK.1")
def test_r_a29_who_may_shoot_after_it_falls_back_a_full_move(situation):
    battle = situation(permits={"shoot-after-fall-back": True})
    battle.horde("boyz", [(30, 22)])
    battle.players("enemy", [(30 - 2 * R32, 22)])
    assert decided(battle)[0] == "fall-back"
    assert moved(battle, kind="fall-back")[0] == pytest.approx((36, 22), abs=1e-3)


@pytest.mark.rule("AI.FALLBACK.1")
def test_s_a30_who_would_charge_again_falls_back_two_inches(situation):
    battle = situation(permits={"charge-after-fall-back": True})
    battle.horde("boyz", [(30, 22)], weapons=[situation.blade(ap=-1)])
    battle.players("enemy", [(30 - 2 * R32, 22)])
    assert decided(battle)[0] == "fall-back"
    assert moved(battle, kind="fall-back")[0] == pytest.approx((32, 22), abs=1e-3)


@pytest.mark.rule("AI.FALLBACK.1")
def test_r_a28_where_two_inches_do_not_clear_it_goes_as_far_as_it_must(situation):
    # Enemies on both sides in a row: it needs more than 2 inches up to be clear of both.
    battle = situation(permits={"charge-after-fall-back": True})
    battle.horde("boyz", [(30, 22)], weapons=[situation.blade(ap=-1)])
    battle.players("left", [(28.2, 22), (28.2, 23.5)])
    battle.players("right", [(31.8, 22), (31.8, 23.5)])
    assert decided(battle)[0] == "fall-back"
    (end,) = moved(battle, kind="fall-back")
    foes = [(28.2, 22), (28.2, 23.5), (31.8, 22), (31.8, 23.5)]
    assert min(gap(end, foe) for foe in foes) > 1
    assert np.hypot(*(end - (30, 22))) <= 6


# reasons


@pytest.mark.rule("AI.MOVE.1")
def test_a_unit_behind_a_friend_that_may_not_be_passed_names_it(situation):
    walls = tuple(
        replace(situation.ruin(name, x0, 26, x1, 28, kind="wall"), height=2.2)
        for name, x0, x1 in (("a", 0, 27), ("b", 33, 60))
    )
    battle = situation(terrain=walls)
    battle.horde("boyz", [(30, 30.94)], mm=100, keywords="VEHICLE")
    battle.horde("plug", [(30, 27)], mm=100, keywords="VEHICLE")
    battle.players("enemy", [(30, 10)])
    request = battle.path_request("boyz")
    answer = HordeAgent().answer(battle.view(), request)
    (end,) = battle.ends("boyz", answer)
    assert end == pytest.approx((30, 27 + 100 / 25.4), abs=1e-5)
    assert "plug stands in its way" in answer.because[-1].reason


@pytest.mark.rule("AI.MOVE.1")
@pytest.mark.parametrize("shut_in", [True, False])
def test_r_a03_says_why_the_foremost_model_stays_though_another_closes_up(situation, shut_in):
    battle = situation()
    battle.horde("boyz", [(20, 20), (20, 23.2)])
    ring = [(20 + 2 * R32 * np.cos(turn), 20 + 2 * R32 * np.sin(turn)) for turn in np.arange(6) * np.pi / 3]
    battle.horde("nobz", ring if shut_in else ring[1:3])
    battle.players("enemy", [(20, 10)])
    request = battle.path_request("boyz", "normal", 0.6)
    answer = HordeAgent().answer(battle.view(), request)
    assert [
        gap(end, (20, 10)) < gap(start, (20, 10)) - 1e-6
        for start, end in zip([(20, 20), (20, 23.2)], battle.ends("boyz", answer), strict=True)
    ] == [not shut_in, True]
    assert any(b.ruling == "R.A03" for b in answer.because) == shut_in


@pytest.mark.rule("AI.MOVE.1", "R.A03")
@pytest.mark.parametrize(("keywords", "fault"), [("INFANTRY", "near an"), ("INFANTRY FLY", "near to an")])
def test_who_may_come_no_nearer_to_its_enemy_names_that_one_not_a_friend_beside_it(
    situation, keywords, fault
):
    """The enemy is hardly more than 1 inch away, the friend 0.01 inches.

    The friend is nearer to every place that is too near to the enemy.
    """
    battle = situation()
    battle.horde("boyz", [(30, 30)], keywords=keywords)
    battle.horde("friend", [(31.27, 30)])
    battle.players("enemy", [(30, 30 - 2 * R32 - 1.000002)])
    answer = HordeAgent().answer(battle.view(), battle.path_request("boyz"))
    assert battle.ends("boyz", answer)[0] == pytest.approx((30, 30), abs=1e-5)
    told = f"Every place on its way that it can reach is too {fault} enemy (enemy)."
    assert (answer.because[-1].reason, answer.because[-1].ruling) == (told, "R.A03")


@pytest.mark.rule("AI.MOVE.1", "R.A03")
@pytest.mark.parametrize("together", [True, False])
def test_models_that_come_nearer_together_say_that_the_foremost_gives_way(situation, together):
    """In a lane one can stand in the notch of two friends, or both side by side before it."""
    wide = 3.2 if together else 2.0
    walls = tuple(
        replace(situation.ruin(name, x0, 8, x1, 28, kind="wall"), height=12.0)
        for name, x0, x1 in (("a", 0, 30 - wide), ("b", 30 + wide, 60))
    )
    battle = situation(terrain=walls)
    starts, foe = [(30, 15.14), (30, 18.4)], np.array((30, 10))
    battle.horde("haulers", starts, mm=80, keywords="VEHICLE")
    battle.horde("friends", [(28.1, 14), (31.9, 14)])
    battle.players("enemy", [(30, 10)])
    request = battle.path_request("haulers", "normal", 10.0)
    answer = HordeAgent().answer(battle.view(), request)
    assert battle.faults(request, answer) == []
    before, after = (np.hypot(*(np.array(each) - foe).T) for each in (starts, battle.ends("haulers", answer)))
    assert after.sum() < before.sum()
    assert (after.min() > before.min() + 1) == together
    told = "All its models together end nearer, though none as near as its foremost model stood."
    assert [b.reason for b in answer.because if b.ruling == "R.A03"] == ([told] if together else [])
