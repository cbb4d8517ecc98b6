"""The record of a decision: clauses in order, candidates, and what each failed first."""

from __future__ import annotations

from typing import Any

import pytest

from ai.agents import agent
from ai.horde.horde_ai import HordeAgent
from ai.horde.turn import next_unit
from ai.reasons import condition
from datasheets.library import Library
from engine.core.log import BecauseLine
from engine.core.play import play
from engine.core.request import Because
from engine.horde.setup import Options
from engine.systems import new_game
from engine.w40k.view import View

LIBRARY = Library()


def rejections(reasons: tuple[Because, ...]) -> list[tuple[Any, ...]]:
    """Return clause, candidate, condition and numbers of each rejection."""
    return [
        (b.clause, c.id, c.failed, c.measured, c.needed) for b in reasons for c in b.candidates if c.failed
    ]


def moved(battle: Any, unit: str = "boyz") -> Any:
    return HordeAgent().answer(battle.view(), battle.move_request(unit))


# the order of units


@pytest.mark.rule("AI.MOVE.1")
def test_who_is_in_combat_moves_last(situation: Any) -> None:
    battle = situation()
    battle.horde("boyz", [(10, 30)])
    battle.horde("nobz", [(40, 30)])
    battle.players("near", [(40, 28.2)])
    battle.players("far", [(10, 12)])
    request = situation.choose("next-unit", ["boyz", "nobz"], rule="CORE.MOVE.1")
    (because,) = next_unit(battle.view(), request).because
    assert [(c.id, c.failed) for c in because.candidates] == [("boyz", ""), ("nobz", condition.IN_COMBAT)]
    assert because.candidates[1].distance is None


# staying


@pytest.mark.rule("AI.STAY.1", "AI.STAY.2")
def test_a_minority_of_heavy_weapons_is_counted(situation: Any) -> None:
    battle = situation()
    guns = [situation.gun("cannon", 24, keywords=("heavy",)), situation.gun("bolter", 24)]
    spots = [(30 + 1.4 * i, 30) for i in range(5)]
    battle.horde("boyz", spots, weapons=guns, of=[(0,)] * 2 + [(1,)] * 3)
    battle.players("enemy", [(30, 12)])
    found = rejections(moved(battle).passed)
    assert found[0] == ("AI.STAY.1", "remain-stationary", condition.NO_HEAVY_MAJORITY, 2, 3)
    assert found[1] == ("AI.STAY.2", "remain-stationary", condition.SEVERAL_MODELS, 5, 1)


@pytest.mark.rule("AI.STAY.1")
def test_the_closest_enemy_in_sight_is_out_of_the_heavy_weapon_s_range(situation: Any) -> None:
    battle = situation()
    battle.horde("boyz", [(30, 40), (31.4, 40)], weapons=[situation.gun("cannon", 12, keywords=("heavy",))])
    battle.players("enemy", [(30, 20)])
    clause, option, failed, measured, needed = rejections(moved(battle).passed)[0]
    assert (clause, option, failed) == ("AI.STAY.1", "remain-stationary", condition.NOTHING_IN_RANGE)
    # 20 inches between the middles, less two halves of 32 mm.
    assert measured == pytest.approx(20 - 32 / 25.4, abs=1e-3)
    assert needed == 12


@pytest.mark.rule("AI.STAY.5")
def test_staying_is_rejected_inside_a_spawning_zone(situation: Any) -> None:
    zone = situation.spawn_zone("S1", 0, 28, 60, 44, ((0, 28), (60, 28)))
    battle = situation(zones=(zone,))
    battle.horde("boyz", [(30, 30), (31.4, 30), (32.8, 30)])
    battle.players("enemy", [(30, 5)])
    found = rejections(moved(battle).because)
    assert ("AI.STAY.5", "remain-stationary", condition.IN_SPAWN_ZONE, 3, 0) in found


# targets of movement


@pytest.mark.rule("AI.MOVE.2")
def test_unseen_enemies_are_told_where_it_heads_for_a_marker(situation: Any) -> None:
    battle = situation(terrain=(situation.ruin("r", 0, 20, 60, 22),), objectives={"O1": (40, 36)})
    battle.horde("boyz", [(30, 36)])
    battle.players("enemy", [(30, 6)])
    answer = moved(battle)
    assert answer.because[0].target == "O1"
    assert ("AI.MOVE.1", "enemy", condition.NOT_VISIBLE, None, None) in rejections(answer.passed)


# advancing


@pytest.mark.rule("AI.ADV.1", "AI.ADV.2", "AI.ADV.3", "AI.ADV.4")
def test_each_case_of_advancing_tells_what_it_failed(situation: Any) -> None:
    battle = situation()
    guns = [situation.gun("shoota", 18, keywords=("assault",)), situation.gun("big shoota", 30)]
    battle.horde("boyz", [(30, 36), (31.4, 36)], weapons=guns, of=[(0,), (1,)])
    battle.players("enemy", [(30, 12)])
    answer = moved(battle)
    assert answer.ids == ("normal-move",)
    assert [r for r in rejections(answer.passed) if r[1] == "advance"] == [
        ("AI.ADV.1", "advance", condition.NOT_ALL_ASSAULT, 1, 2),
        ("AI.ADV.2", "advance", condition.MAY_NOT_ACT_AFTER, None, None),
        ("AI.ADV.3", "advance", condition.COULD_SHOOT, 2, 0),
        ("AI.ADV.4", "advance", condition.GIVES_UP_GUNS, 1, 0),
    ]


# falling back


@pytest.mark.rule("AI.FALLBACK.1")
def test_who_may_do_nothing_afterwards_does_not_fall_back(situation: Any) -> None:
    battle = situation()
    battle.horde("boyz", [(30, 30)])
    battle.players("enemy", [(30, 28.2)])
    answer = moved(battle)
    assert rejections(answer.because) == [
        ("AI.FALLBACK.1", "fall-back", condition.MAY_NOT_ACT_AFTER, None, None)
    ]


# shooting


@pytest.mark.rule("AI.SHOOT.1", "AI.SHOOT.4")
def test_each_gun_tells_what_every_enemy_failed(situation: Any) -> None:
    battle = situation(terrain=(situation.ruin("r", 0, 34, 26, 36),), phase="shooting")
    battle.horde("boyz", [(30, 30)], weapons=[situation.gun("melta", 12, keywords=("melta 2",))])
    battle.players("men", [(30, 24)])
    battle.players("more", [(30, 20)])
    battle.players("far", [(30, 5)])
    battle.players("hidden", [(20, 40)])
    answer = HordeAgent().answer(battle.view(), battle.shoot_request("boyz"))
    (because,) = answer.because
    assert (because.clause, because.target, because.weapon) == ("AI.SHOOT.1", "men", "melta")
    assert because.models == battle.state.position.units["boyz"].rows
    assert [(c.id, c.failed) for c in because.candidates] == [
        ("men", ""),
        ("more", condition.FARTHER),
        ("hidden", condition.NOT_VISIBLE),
        ("far", condition.OUT_OF_RANGE),
    ]
    assert because.candidates[-1].needed == 12
    assert {(b.clause, c.id): c.failed for b in answer.passed for c in b.candidates} == {
        ("AI.SHOOT.4", "men"): condition.INFANTRY_OR_SWARM,
        ("AI.SHOOT.4", "more"): condition.INFANTRY_OR_SWARM,
        ("AI.SHOOT.4", "hidden"): condition.NOT_VISIBLE,
        ("AI.SHOOT.4", "far"): condition.OUT_OF_RANGE,
    }


# charging


def charged(battle: Any, unit: str) -> tuple[Because, ...]:
    """Return why a unit charges what it does, or nothing; only `near` may be declared."""
    request = battle.choose("charge", ["near"], unit=unit, rule="CORE.CHG.2", minimum=0)
    return HordeAgent().answer(battle.view(), request).because


@pytest.mark.rule("AI.CHARGE.1")
def test_a_charge_tells_who_is_too_far_and_who_fights_too_badly(situation: Any) -> None:
    battle = situation(phase="charge")
    battle.horde("boyz", [(30, 30), (31.4, 30)], weapons=[situation.blade(ap=-1)])
    battle.horde("grots", [(10, 30), (11.4, 30)], weapons=[situation.blade("close combat weapon")])
    battle.players("near", [(30, 24)])
    battle.players("far", [(30, 10)])
    (because,) = charged(battle, "boyz")
    assert [(c.id, c.failed, c.needed) for c in because.candidates] == [
        ("near", "", None),
        ("far", condition.BEYOND_CHARGE, 12),
    ]
    (because,) = charged(battle, "grots")
    assert rejections((because,)) == [("AI.CHARGE.1", "charge", condition.NO_MAJORITY, 0, 2)]


# whole battles


def said(lines: list[Any]) -> list[BecauseLine]:
    return [line for line in lines if isinstance(line, BecauseLine) and line.seat == "horde"]


@pytest.mark.parametrize(("seed", "faction"), [(5, "tyranids"), (12, "death-guard")])
def test_whole_battles_tell_clause_candidates_and_conditions(seed: int, faction: str) -> None:
    army = LIBRARY.army("space-marines-1000")
    game = new_game(Options(armies=(army,), factions=(faction,), seed=seed), LIBRARY)
    play(game, {"horde": agent("horde"), "p1": agent("steady")}, View, until=lambda g: g.state.round > 3)
    known = {value for name, value in vars(condition).items() if name.isupper()}
    things = {*game.state.position.units, *game.state.position.objectives, "defender-edge"}
    lines = said(game.lines)
    assert {line.decision for line in lines} >= {"next-unit", "move", "path", "shoot", "charge", "fight"}
    for line in lines:
        assert line.reasons
        assert all(because.clause for because in line.reasons)
        for because in line.passed:
            assert because.candidates
            assert all(candidate.failed for candidate in because.candidates)
        for because in (*line.reasons, *line.passed):
            failed = {c.failed for c in because.candidates if c.failed}
            assert failed <= known
            if because.target and any(c.id in things for c in because.candidates):
                chosen = [c.id for c in because.candidates if not c.failed]
                assert because.target in chosen or "charge fails" in because.reason, line
