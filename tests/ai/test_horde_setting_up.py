"""Where the Horde's units are set up, and which of them moves first."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from ai.horde.horde_ai import HordeAgent
from ai.horde.turn import next_unit
from engine.core import event as ev
from engine.core.apply import apply
from engine.core.request import Place

R32 = 16 / 25.4
BOARD = ((0.0, 0.0), (60.0, 0.0), (60.0, 44.0), (0.0, 44.0))


def fresh(battle, models: int, name="boyz", **facts):
    """Return a new unit that has still to be set up."""
    unit = battle.horde(name, [(0.0, 0.0)] * models, **facts)
    apply(battle.state, ev.Reserved(unit=name))
    return unit


def placed(battle, request):
    """Return where the models stand; the place is checked to be legal."""
    answer = HordeAgent().answer(battle.view(), request)
    assert battle.faults(request, answer) == []
    assert answer.because
    return np.array([answer.poses[row][:2] for row in request.rows if row in answer.poses])


def spawn_request(unit, zone, overflow=()):
    return Place(
        seats=("horde",),
        rule="SPAWN.6",
        decision="spawn",
        prompt="",
        unit=unit.id,
        kind="spawn",
        rows=unit.rows,
        areas=(zone.polygon,),
        front=zone.front,
        overflow=overflow,
        optional=True,
    )


def strike_request(unit, near="dear", avoid=()):
    return Place(
        seats=("horde",),
        rule="SPAWN.7",
        decision="deep-strike",
        prompt="",
        unit=unit.id,
        kind="deep-strike",
        rows=unit.rows,
        areas=(BOARD,),
        clear=9.0,
        near=near,
        avoid=avoid,
        optional=True,
    )


@pytest.mark.rule("SPAWN.6")
def test_s_s02_ten_bases_in_one_rank_at_the_front(situation):
    zone = situation.spawn_zone("S1", 0, 34, 15, 44, ((0, 34), (15, 34)))
    battle = situation(zones=(zone,))
    ends = placed(battle, spawn_request(fresh(battle, 10), zone))
    assert ends[:, 1] == pytest.approx([34 + R32] * 10, abs=1e-4)


@pytest.mark.rule("SPAWN.6")
def test_r_a63_along_a_front_that_stands_upright(situation):
    zone = situation.spawn_zone("S2", 42, 11, 60, 22, ((42, 11), (42, 22)))
    battle = situation(zones=(zone,))
    ends = placed(battle, spawn_request(fresh(battle, 10), zone))
    assert len(ends) == 10
    assert ends[:, 0].min() == pytest.approx(42 + R32, abs=1e-4)
    assert (ends[:, 0] <= 42 + 3 * R32 + 0.05).all()


@pytest.mark.rule("SPAWN.6")
def test_s_s13_enemies_near_the_zone_are_ignored(situation):
    zone = situation.spawn_zone("S1", 0, 34, 15, 44, ((0, 34), (15, 34)))
    battle = situation(zones=(zone,))
    battle.players("squad", [(7, 33.2)])
    ends = placed(battle, spawn_request(fresh(battle, 10), zone))
    assert ends[:, 1] == pytest.approx([34 + R32] * 10, abs=0.05)


@pytest.mark.rule("SPAWN.6")
def test_r_a64_what_does_not_fit_overflows_forward(situation):
    zone = situation.spawn_zone("S1", 0, 34, 6, 36, ((0, 34), (6, 34)))
    beyond = ((0.0, 10.0), (60.0, 10.0), (60.0, 34.0), (0.0, 34.0))
    battle = situation(zones=(zone,))
    ends = placed(battle, spawn_request(fresh(battle, 6), zone, (beyond,)))
    assert len(ends) == 6
    assert (ends[:, 1] >= 30).all()
    assert (ends[:, 1] < 34).any()


@pytest.mark.rule("SPAWN.7")
def test_r_a69_as_close_to_the_dearest_as_nine_inches_allow(situation):
    battle = situation()
    battle.players("cheap", [(10, 10)], points=80)
    battle.players("dear", [(45, 20)], points=220)
    ends = placed(battle, strike_request(fresh(battle, 5)))
    gaps = np.hypot(*(ends - (45, 20)).T) - 2 * R32
    assert 9 < gaps.min() < 9.05


@pytest.mark.rule("SPAWN.7")
def test_r_a70_not_within_three_inches_of_a_marker(situation):
    battle = situation(objectives={"mid": (30, 20 + 10.5)})
    battle.players("dear", [(30, 20)])
    off = ((30.0, 30.5), battle.view().parameters.off_markers)
    ends = placed(battle, strike_request(fresh(battle, 1), avoid=(off,)))
    gap = np.hypot(*(ends - (30, 30.5)).T) - R32 - 20 / 25.4
    assert (gap > 3).all()


@pytest.mark.rule("SPAWN.7")
def test_r_a71_with_no_legal_spot_it_declines(situation):
    battle = situation()
    spots = [(x, y) for x in range(4, 60, 8) for y in range(4, 44, 8)]
    for i, at in enumerate(spots):
        battle.players(f"post{i}", [at])
    request = strike_request(fresh(battle, 3), near="post0")
    assert HordeAgent().answer(battle.view(), request).poses == {}


@pytest.mark.rule("AI.MOVE.1")
def test_r_a08_the_unit_nearest_its_target_moves_first_and_engaged_ones_last(situation):
    battle = situation()
    battle.horde("far", [(30, 40)])
    battle.horde("near", [(40, 20)])
    battle.horde("engaged", [(30, 8)])
    battle.players("enemy", [(30, 6.5)])
    order = []
    left = ["engaged", "far", "near"]
    while left:
        request = situation.choose("next-unit", left, rule="CORE.MOVE.1")
        (chosen,) = next_unit(battle.view(), request).ids
        order.append(chosen)
        left.remove(chosen)
    assert order == ["near", "far", "engaged"]


@pytest.mark.rule("AI.MOVE.1")
@pytest.mark.parametrize(("keywords", "first"), [("VEHICLE", "plug"), ("INFANTRY", "rear")])
def test_r_a08_a_unit_whose_way_a_friend_blocks_lets_it_go_first(situation, keywords, first):
    # A low wall, over which all see, has one gap; a friend stands in it, a little farther from the enemy.
    walls = tuple(
        replace(situation.ruin(name, x0, 26, x1, 28, kind="wall"), height=2.2)
        for name, x0, x1 in (("a", 0, 27), ("b", 33, 60))
    )
    battle = situation(terrain=walls)
    battle.horde("rear", [(27, 30.2)], mm=100, keywords=keywords, M=10)
    battle.horde("plug", [(30, 27)], mm=100, keywords="VEHICLE", M=10)
    battle.players("enemy", [(18, 20)])
    view = battle.view()
    assert view.gap(view.unit("rear"), view.unit("enemy")) < view.gap(view.unit("plug"), view.unit("enemy"))
    request = situation.choose("next-unit", ["plug", "rear"], rule="CORE.MOVE.1")
    assert next_unit(view, request).ids == (first,)


@pytest.mark.rule("AI.0")
def test_r_a87_a_choice_of_mode_is_drawn_evenly(situation):
    battle = situation()
    drawn = []
    for seed in range(600):
        battle.seed = seed
        request = situation.choose("mode", ["a", "b", "c"])
        drawn += HordeAgent().answer(battle.view(), request).ids
    assert all(160 <= drawn.count(mode) <= 240 for mode in "abc")
