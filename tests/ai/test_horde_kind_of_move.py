"""Whether a Horde unit stays, moves or advances: AI.STAY and AI.ADV."""

from __future__ import annotations

import pytest

from ai.horde.horde_ai import HordeAgent

R32 = 16 / 25.4


def decided(battle, unit="boyz"):
    """Return the kind of move chosen, and the clauses cited."""
    answer = HordeAgent().answer(battle.view(), battle.move_request(unit))
    return answer.ids[0], [b.clause for b in answer.because]


# staying


def heavies(situation, heavy: int, models: int, at=(30, 30), enemy=(30, 12), zones=(), reach=24):
    battle = situation(zones=zones)
    guns = [situation.gun("cannon", reach, keywords=("heavy",)), situation.gun("bolter", reach)]
    spots = [(at[0] + 1.4 * i, at[1]) for i in range(models)]
    battle.horde("boyz", spots, weapons=guns, of=[(0,)] * heavy + [(1,)] * (models - heavy))
    battle.players("enemy", [enemy])
    return battle


@pytest.mark.rule("AI.STAY.1")
def test_s_a11_three_of_five_heavy_and_an_enemy_in_range_stay(situation):
    kind, clauses = decided(heavies(situation, 3, 5))
    assert (kind, clauses[0]) == ("remain-stationary", "AI.STAY.1")


@pytest.mark.rule("AI.STAY.1")
@pytest.mark.parametrize(("heavy", "models"), [(2, 5), (2, 4)])
def test_s_a11_no_majority_moves(situation, heavy, models):
    assert decided(heavies(situation, heavy, models))[0] == "normal-move"


@pytest.mark.rule("AI.STAY.1")
def test_s_a11_nobody_in_range_moves(situation):
    assert decided(heavies(situation, 3, 5, at=(30, 40), enemy=(30, 5)))[0] != "remain-stationary"


@pytest.mark.rule("AI.STAY.1", "AI.STAY.5")
def test_s_a11_inside_a_spawn_zone_it_moves_out(situation):
    zone = situation.spawn_zone("S1", 0, 28, 60, 44, ((0, 28), (60, 28)))
    kind, clauses = decided(heavies(situation, 3, 5, zones=(zone,)))
    assert kind != "remain-stationary"
    assert "AI.STAY.5" in clauses


@pytest.mark.rule("AI.STAY.2")
def test_s_a12_a_single_model_whose_primary_gun_is_heavy_stays(situation):
    battle = situation()
    guns = [
        situation.gun("cannon", 36, strength=9, damage="D6", keywords=("heavy",)),
        situation.gun("bolter"),
    ]
    battle.horde("boyz", [(30, 30)], weapons=guns)
    battle.players("enemy", [(30, 12)])
    kind, clauses = decided(battle)
    assert (kind, clauses[0]) == ("remain-stationary", "AI.STAY.2")


@pytest.mark.rule("AI.STAY.2")
def test_r_a22_a_lesser_heavy_gun_does_not_hold_it(situation):
    battle = situation()
    guns = [
        situation.gun("stubber", 36, keywords=("heavy",)),
        situation.gun("blaster", strength=9, damage="3"),
    ]
    battle.horde("boyz", [(30, 30)], weapons=guns)
    battle.players("enemy", [(30, 12)])
    assert decided(battle)[0] == "normal-move"


# advancing


def sluggas(situation, gap_to_enemy: float, **permits):
    battle = situation(permits=permits)
    arms = [situation.gun("slugga", 12, keywords=("pistol",)), situation.blade(ap=-1)]
    battle.horde("boyz", [(30, 40)], weapons=arms)
    battle.players("enemy", [(30, 40 - gap_to_enemy - 2 * R32)])
    return battle


@pytest.mark.rule("AI.ADV.1")
def test_s_a14a_all_assault(situation):
    battle = situation()
    battle.horde("boyz", [(30, 30)], weapons=[situation.gun(keywords=("assault",))])
    battle.players("enemy", [(30, 20)])
    kind, clauses = decided(battle)
    assert (kind, clauses[-1]) == ("advance", "AI.ADV.1")


@pytest.mark.rule("AI.ADV.1")
def test_r_a31_one_gun_that_is_not_assault_forbids_it(situation):
    battle = situation()
    guns = [situation.gun(keywords=("assault",)), situation.gun("heavy bolter", keywords=("heavy",))]
    spots = [(30 + 1.4 * i, 30) for i in range(6)]
    battle.horde("boyz", spots, weapons=guns, of=[(0,)] * 5 + [(1,)])
    battle.players("enemy", [(30, 20)])
    assert decided(battle)[0] == "normal-move"


@pytest.mark.rule("AI.ADV.2")
@pytest.mark.parametrize("question", ["shoot-after-advance", "charge-after-advance"])
def test_r_a35_who_may_act_after_an_advance_advances(situation, question):
    battle = sluggas(situation, 9, **{question: True})
    kind, clauses = decided(battle)
    assert (kind, clauses[-1]) == ("advance", "AI.ADV.2")


@pytest.mark.rule("AI.ADV.3")
@pytest.mark.parametrize(("gap_to_enemy", "kind"), [(32, "advance"), (28, "normal-move")])
def test_s_a14bc_nothing_to_shoot_after_a_normal_move(situation, gap_to_enemy, kind):
    battle = situation()
    battle.horde("boyz", [(30, 43)], weapons=[situation.gun("bolter", 24)])
    battle.players("enemy", [(30, 43 - gap_to_enemy - 2 * R32)])
    chosen, clauses = decided(battle)
    assert chosen == kind
    assert ("AI.ADV.3" in clauses) is (kind == "advance")


@pytest.mark.rule("AI.ADV.3", "AI.ADV.4")
@pytest.mark.parametrize(
    ("gap_to_enemy", "kind"), [(20.1, "advance"), (17.9, "normal-move"), (17, "normal-move")]
)
def test_r_a32_chargers_advance_only_where_they_could_not_charge(situation, gap_to_enemy, kind):
    assert decided(sluggas(situation, gap_to_enemy))[0] == kind


@pytest.mark.rule("AI.ADV.4")
def test_s_a14d_giving_up_side_arms_only(situation):
    # After a normal move of 6 the slugga reaches 12.5 of 18: it is given up, and is but a side-arm.
    battle = situation()
    arms = [situation.gun("long slugga", 18, keywords=("pistol",)), situation.blade(ap=-1)]
    battle.horde("boyz", [(30, 40)], weapons=arms)
    battle.players("enemy", [(30, 40 - 18.5 - 2 * R32)])
    kind, clauses = decided(battle)
    assert (kind, clauses[-1]) == ("advance", "AI.ADV.4")


@pytest.mark.rule("AI.ADV.4")
def test_a_real_gun_is_not_given_up(situation):
    battle = situation()
    battle.horde("boyz", [(30, 40)], weapons=[situation.gun("shoota", 18), situation.blade(ap=-1)])
    battle.players("enemy", [(30, 40 - 18.5 - 2 * R32)])
    assert decided(battle)[0] == "normal-move"


@pytest.mark.rule("AI.STAY.1", "AI.ADV.1")
def test_r_a34_who_holds_does_not_advance(situation):
    battle = situation(permits={"shoot-after-advance": True})
    battle.horde("boyz", [(30, 30), (31.5, 30)], weapons=[situation.gun(keywords=("heavy",))])
    battle.players("enemy", [(30, 12)])
    assert decided(battle)[0] == "remain-stationary"


@pytest.mark.rule("AI.STAY.5", "AI.ADV.3")
def test_r_a27_it_does_not_advance_only_to_leave_the_zone(situation):
    # Eight inches inside, a normal move of six does not get out; but it could shoot after it.
    zone = situation.spawn_zone("S1", 0, 30, 60, 44, ((0, 30), (60, 30)))
    battle = situation(zones=(zone,))
    battle.horde("boyz", [(30, 38)], weapons=[situation.gun("bolter", 24)])
    battle.players("enemy", [(30, 12)])
    kind, clauses = decided(battle)
    assert kind == "normal-move"
    assert "AI.STAY.5" in clauses
