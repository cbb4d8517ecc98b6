"""What the Horde charges, how it moves in, and how it piles in and consolidates."""

from __future__ import annotations

import numpy as np
import pytest

from ai.horde.charge import reachable_with
from ai.horde.horde_ai import HordeAgent
from engine.w40k.phase.charge import targets

R32 = 16 / 25.4


def declared(battle, unit="boyz"):
    """Return the targets declared and the reason."""
    found = battle.state.position.units[unit]
    options = [enemy.id for enemy in targets(battle, found)]
    request = battle.choose("charge", options, unit=unit, rule="CORE.CHG.2", minimum=0, maximum=len(options))
    answer = HordeAgent().answer(battle.view(), request)
    return answer.ids, answer.because[0]


def moved(battle, kind, limit, unit="boyz", targets=()):
    """Return where the models end; the move is checked to be legal."""
    request = battle.path_request(unit, kind, limit, targets)
    answer = HordeAgent().answer(battle.view(), request)
    assert battle.faults(request, answer) == []
    return np.array(battle.ends(unit, answer))


def gaps(ends, *foes):
    return np.array([[np.hypot(*(e - np.array(f))) - 2 * R32 for f in foes] for e in ends])


def chargers(situation, at, **facts):
    battle = situation(phase="charge", **facts)
    battle.horde("boyz", at, weapons=[situation.blade(ap=-1)])
    return battle


@pytest.mark.rule("AI.CHARGE.1")
def test_r_a55_a_charge_is_declared_even_at_twelve_inches(situation):
    battle = chargers(situation, [(30, 30)])
    battle.players("enemy", [(30, 30 - 12 - 2 * R32)])
    ids, because = declared(battle)
    assert ids == ("enemy",)
    assert (because.clause, because.target) == ("AI.CHARGE.1", "enemy")


@pytest.mark.rule("AI.CHARGE.1")
def test_s_a27_close_combat_weapons_do_not_charge(situation):
    battle = situation(phase="charge")
    battle.horde("boyz", [(30, 30)], weapons=[situation.blade("close combat weapon")])
    battle.players("enemy", [(30, 26)])
    assert declared(battle)[0] == ()


@pytest.mark.rule("AI.CHARGE.1")
def test_s_a28_the_closest_alone_hidden_or_not(situation):
    battle = chargers(situation, [(30, 30)], terrain=(situation.ruin("r", 26, 25, 34, 27),))
    battle.players("near", [(30, 23)])
    battle.players("far", [(40, 30)])
    assert not battle.field.visible(
        battle.state.position.units["boyz"], battle.state.position.units["near"]
    ).any()
    ids, because = declared(battle)
    assert ids == ("near",)
    assert [c.id for c in because.candidates] == ["near", "far"]


@pytest.mark.rule("AI.CHARGE.1")
def test_r_a53_what_cannot_be_reached_is_passed_over(situation):
    # E1 is 5 inches away behind a wall that leaves no way of 12 inches; E2 is 9 inches away.
    wall = situation.ruin("w", 20, 25.5, 40, 26.5, kind="wall")
    battle = chargers(situation, [(30, 30)], terrain=(wall,))
    battle.players("e1", [(30, 30 - 5 - 2 * R32)])
    battle.players("e2", [(30, 30 + 9 + 2 * R32)])
    ids, because = declared(battle)
    assert ids == ("e2",)
    assert {c.id: c.failed for c in because.candidates} == {"e1": "out-of-reach", "e2": ""}


@pytest.mark.rule("AI.CHARGE.1")
def test_r_a54_two_side_by_side_are_both_charged(situation):
    # Guards touch the prey on four sides: every spot within an inch of it is within an inch of them.
    battle = chargers(situation, [(30, 30)])
    battle.players("prey", [(30, 24)])
    sides = ((-2 * R32, 0), (2 * R32, 0), (0, 2 * R32), (0, -2 * R32))
    battle.players("guard", [(30 + x, 24 + y) for x, y in sides])
    view = battle.view()
    assert set(reachable_with(view, view.unit("boyz"), "prey", ["prey", "guard"])) == {"prey", "guard"}


@pytest.mark.rule("CORE.CHG.3")
@pytest.mark.parametrize(("roll", "gap"), [(9, 0.0), (4, 1.0)])
def test_s_d03_into_contact_where_the_roll_allows_it(situation, roll, gap):
    battle = chargers(situation, [(20, 22)])
    battle.players("enemy", [(20 + 5 + 2 * R32, 22)])
    ends = moved(battle, "charge", roll, targets=("enemy",))
    assert gaps(ends, (20 + 5 + 2 * R32, 22))[0, 0] == pytest.approx(gap, abs=1e-4)


@pytest.mark.rule("CORE.CHG.2")
def test_s_d02_too_low_a_roll_moves_nobody(situation):
    battle = chargers(situation, [(20, 22)])
    battle.players("enemy", [(20 + 8 + 2 * R32, 22)])
    assert moved(battle, "charge", 6, targets=("enemy",))[0] == pytest.approx((20, 22))
    assert moved(battle, "charge", 7, targets=("enemy",))[0][0] > 26


@pytest.mark.rule("CORE.CHG.3")
def test_s_d04_a_second_charger_makes_contact_too(situation):
    battle = chargers(situation, [(20, 22), (20, 23.5)])
    enemy = (28, 22)
    battle.players("enemy", [enemy])
    ends = moved(battle, "charge", 9, targets=("enemy",))
    assert gaps(ends, enemy)[:, 0] == pytest.approx([0, 0], abs=1e-4)


@pytest.mark.rule("CORE.FGT.4")
def test_r_a62_it_piles_in_as_far_as_it_may(situation):
    battle = chargers(situation, [(30, 24), (31.5, 24.5)])
    battle.players("enemy", [(30, 24 - 2 * R32 - 0.5), (32, 23)])
    ends = moved(battle, "pile-in", 3)
    assert gaps(ends, (30, 24 - 2 * R32 - 0.5), (32, 23)).min(axis=1) == pytest.approx([0, 0], abs=1e-4)


@pytest.mark.rule("AI.FIGHT.2")
def test_s_f04_consolidation_goes_to_an_enemy_even_if_a_marker_is_nearer(situation):
    battle = chargers(situation, [(30, 24)], objectives={"mid": (30, 30)})
    battle.players("enemy", [(30, 24 - 2 * R32 - 3.5)])
    (end,) = moved(battle, "consolidate", 3)
    assert gaps([end], (30, 24 - 2 * R32 - 3.5))[0, 0] <= 1 + 1e-6


@pytest.mark.rule("AI.FIGHT.2")
def test_r_a61_else_onto_a_marker_that_it_reaches(situation):
    battle = chargers(situation, [(30, 24)], objectives={"mid": (30, 30.5)})
    battle.players("enemy", [(30, 24 - 2 * R32 - 4.5)])
    (end,) = moved(battle, "consolidate", 3)
    assert end == pytest.approx((30, 27), abs=1e-3)


@pytest.mark.rule("AI.FIGHT.2")
def test_r_a61_else_nowhere(situation):
    battle = chargers(situation, [(30, 24)], objectives={"mid": (30, 36)})
    battle.players("enemy", [(30, 24 - 2 * R32 - 4.5)])
    (end,) = moved(battle, "consolidate", 3)
    assert end == pytest.approx((30, 24))


@pytest.mark.rule("AI.FIGHT.2")
def test_a_marker_is_not_reached_by_way_of_an_enemys_engagement_range(situation):
    # Torn apart, the unit cannot end coherent by an enemy; on its way to the marker it must not end there.
    battle = situation(phase="fight", objectives={"mid": (26, 20)})
    battle.horde("boyz", [(24, 24), (30, 20)], weapons=[situation.blade(ap=-1)])
    battle.players("enemy", [(27, 22.6)])
    ends = moved(battle, "consolidate", 3)
    assert len(ends) == 2


@pytest.mark.rule("CORE.CHG.3")
def test_a_charger_squeezed_out_of_the_nearest_places_goes_straight_to_a_farther_free_one(situation):
    """The positions come from a battle: Death Guard, 2000 points, seed 6.

    In it the fifth model stood an inch behind, though one place was free.
    """
    battle = situation(phase="charge")
    starts = [
        (29.2204493, 21.5867865),
        (28.1141226, 21.773953),
        (28.7548745, 20.5658898),
        (29.8717844, 20.6731385),
        (28.8293769, 22.6384768),
    ]
    targets_at = [
        (17.9648547, 28.2864353),
        (24.1806501, 29.3904),
        (22.6172434, 27.8156381),
        (24.1920466, 27.8156381),
        (27.3416529, 27.8156381),
        (28.916456, 27.8156381),
        (29.7432278, 29.1559565),
    ]
    battle.horde("boyz", starts, mm=28.5)
    battle.players("enemy", targets_at, mm=40)
    battle.players("beside", [(32.9889508, 23.5843418)], mm=2 * 2.704163456597992 * 25.4)
    found = moved(battle, "charge", 6.0, targets=("enemy",))
    touch = (28.5 + 40) / 2 / 25.4
    apart = np.hypot(*(found[:, None] - np.array(targets_at)[None]).transpose(2, 0, 1)).min(axis=1) - touch
    assert (apart < 1e-6).sum() >= 3
