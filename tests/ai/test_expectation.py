"""Expected damage, against sums done by hand."""

from __future__ import annotations

import pytest

from ai.reckoning.expectation import expected_damage
from ai.reckoning.odds import (
    Hit,
    Wound,
    damage_to_model,
    distribution,
    rolled_again,
    save_chance,
    unsaved_per_attack,
)


def test_distributions_are_whole():
    assert distribution("2") == ((2, 1.0),)
    assert dict(distribution("D3+1")) == pytest.approx({2: 1 / 3, 3: 1 / 3, 4: 1 / 3})
    assert dict(distribution("2D6"))[7] == pytest.approx(6 / 36)
    assert sum(chance for _, chance in distribution("3D6+2")) == pytest.approx(1)


@pytest.mark.rule("CORE.ATK.1")
def test_a_bolter_against_a_marine():
    # 3+ to hit, 4+ to wound, saved on 3+: 2/3 × 1/2 × 1/3.
    assert unsaved_per_attack(Hit(3), Wound(4, 4), 4 / 6, 0, False, False) == pytest.approx(1 / 9)


@pytest.mark.rule("CORE.DICE.4")
def test_a_six_always_hits_and_a_one_never():
    assert unsaved_per_attack(Hit(6, -1), Wound(4, 4), 0, 0, False, False) == pytest.approx(1 / 12)
    assert unsaved_per_attack(Hit(2, 1), Wound(4, 4), 0, 0, False, False) == pytest.approx(5 / 12)


@pytest.mark.rule("CORE.WPN.LETHAL", "CORE.WPN.SUST", "CORE.WPN.CRIT")
def test_lethal_and_sustained_on_the_same_six():
    # Of 6 attacks at 4+: 2 plain hits, and one critical that wounds by itself and brings a third roll.
    assert unsaved_per_attack(Hit(4), Wound(4, 4), 0, 1, True, False) == pytest.approx((3 / 2 + 1) / 6)


@pytest.mark.rule("CORE.WPN.DEV", "CORE.WPN.ANTI")
def test_devastating_wounds_pass_saves():
    # Torrent, wounds on 6+ but critical from 4+: half the attacks wound, all of them past the save.
    assert unsaved_per_attack(Hit(0), Wound(3, 8, critical=4), 5 / 6, 0, False, True) == pytest.approx(1 / 2)
    assert unsaved_per_attack(Hit(0), Wound(3, 8, critical=4), 5 / 6, 0, False, False) == pytest.approx(
        1 / 12
    )


@pytest.mark.rule("CORE.WPN.TWIN")
def test_a_second_roll_to_wound():
    assert unsaved_per_attack(Hit(0), Wound(4, 4, reroll=2), 0, 0, False, False) == pytest.approx(3 / 4)
    assert unsaved_per_attack(Hit(0), Wound(4, 4, reroll=1), 0, 0, False, False) == pytest.approx(7 / 12)


@pytest.mark.rule("CORE.ATK.5", "CORE.ATK.7")
def test_a_model_loses_no_more_than_it_has():
    assert damage_to_model("3", 0, 2, 7) == 2
    assert damage_to_model("D6", 0, 2, 7) == pytest.approx((1 + 5 * 2) / 6)
    # Two points, each ignored on 5+: 4/3; a model of one wound dies unless both are ignored.
    assert damage_to_model("2", 0, 9, 5) == pytest.approx(4 / 3)
    assert damage_to_model("2", 0, 1, 5) == pytest.approx(1 - 1 / 9)


@pytest.mark.rule("CORE.COV.1", "CORE.ATK.4")
@pytest.mark.parametrize(
    ("save", "ap", "invulnerable", "cover", "need"),
    [(3, 0, 7, True, 3), (3, -1, 7, True, 3), (4, -1, 7, True, 4), (4, 0, 7, True, 3), (2, -4, 4, False, 4)],
)
def test_saves(save, ap, invulnerable, cover, need):
    assert save_chance(save, ap, invulnerable, cover) == pytest.approx((7 - need) / 6)


@pytest.mark.rule("CORE.WPN.RF", "CORE.WPN.MELTA", "CORE.WPN.BLAST")
def test_range_and_size_of_the_target_count(situation):
    battle = situation()
    words = ("rapid fire 1", "blast")
    unit = battle.horde("lootas", [(30, 40)], weapons=[situation.gun(skill=4, strength=4, keywords=words)])
    squad = battle.players("squad", [(10 + 1.5 * i, 10) for i in range(5)], W=1)
    view = battle.view()
    one = 1 / 2 * 1 / 2 * 1 / 3
    assert expected_damage(view, unit, unit.rows[0], 0, squad) == pytest.approx(2 * one)
    assert expected_damage(view, unit, unit.rows[0], 0, squad, half_range=True) == pytest.approx(3 * one)


@pytest.mark.rule("CORE.ABL.STEALTH", "CORE.WPN.HEAVY")
def test_stealth_and_heavy_cancel_out(situation):
    battle = situation()
    unit = battle.horde(
        "lootas",
        [(30, 40)],
        weapons=[situation.gun(skill=4, keywords=("heavy",))],
        marks={"moved": "remain-stationary"},
    )
    seen = battle.players("seen", [(10, 10)], Sv=7)
    shade = battle.players("shade", [(20, 10)], Sv=7, abilities=("stealth",))
    view = battle.view()
    assert expected_damage(view, unit, unit.rows[0], 0, seen) == pytest.approx(4 / 6 / 2)
    assert expected_damage(view, unit, unit.rows[0], 0, shade) == pytest.approx(3 / 6 / 2)


@pytest.mark.rule("CORE.DICE.1")
def test_low_damage_that_is_rolled_again():
    # Of a D6 the 1 to 3 are rolled again, or the 1 alone: 4.25, and 35/9 on average.
    assert sum(value * chance for value, chance in rolled_again("D6", 2)) == pytest.approx(4.25)
    assert sum(value * chance for value, chance in rolled_again("D6+1", 1)) == pytest.approx(
        1 + 3.5 * 7 / 6 - 1 / 6
    )
    assert damage_to_model("D6", 0, 9, 7, (), 2) == pytest.approx(4.25)
    assert rolled_again("3", 2) == ((3, 1.0),)


@pytest.mark.rule("CORE.DICE.5")
def test_damage_that_is_halved_or_set():
    assert damage_to_model("5", 1, 9, 7, (("multiply", 0.5),)) == 4
    assert damage_to_model("5", 1, 9, 7, (("set", 0.0),)) == 0
    assert damage_to_model("D3", 0, 9, 7, (("set", 1.0),)) == pytest.approx(1)


@pytest.mark.rule("CORE.DICE.3", "CORE.COV.1")
def test_an_eased_save_is_no_better_in_cover():
    eased = [save_chance(4, -1, 7, cover, eased=1) for cover in (True, False)]
    assert eased == pytest.approx([3 / 6, 3 / 6])
    assert save_chance(3, 0, 7, True, eased=1) == pytest.approx(5 / 6)
