"""Whatever is drawn, it is legal: the fuzzing agent against the engine's own check."""

from __future__ import annotations

import pytest

from ai.fuzz import FuzzAgent


def crowd(situation, seed: int):
    battle = situation(
        seed=seed,
        terrain=(
            situation.ruin("a", 12, 14, 18, 20),
            situation.ruin("b", 30, 20, 36, 24, kind="barricade"),
            situation.ruin("c", 42, 12, 48, 18, kind="woods"),
        ),
        objectives={"mid": (30, 22), "low": (12, 8)},
    )
    arms = [situation.gun(), situation.gun("pistol", 12, keywords=("pistol",)), situation.blade()]
    battle.players("squad", [(10 + 1.5 * i, 10) for i in range(5)], weapons=arms)
    battle.players("tank", [(30, 12)], mm=100, keywords="VEHICLE", weapons=arms, M=10)
    battle.horde("boyz", [(10 + 1.4 * (i % 5), 24 + 1.4 * (i // 5)) for i in range(10)], weapons=arms)
    battle.horde("brute", [(31, 17.2)], mm=60, keywords="MONSTER", weapons=arms, M=8)
    return battle


@pytest.mark.parametrize("seed", range(12))
def test_moves_are_legal(situation, seed):
    battle = crowd(situation, seed)
    fuzz = FuzzAgent()
    for unit in ("squad", "boyz"):
        for kind, limit in (("normal", 6), ("advance", 9)):
            request = battle.path_request(unit, kind, limit)
            answer = fuzz.answer(battle.view(), request)
            assert battle.faults(request, answer) == [], (unit, kind)
    for unit in ("tank", "brute"):
        chosen = fuzz.answer(battle.view(), battle.move_request(unit)).ids[0]
        if chosen == "fall-back":
            request = battle.path_request(unit, "fall-back", 8)
            assert battle.faults(request, fuzz.answer(battle.view(), request)) == []


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("roll", [4, 8, 12])
def test_charges_are_legal_or_fail(situation, seed, roll):
    battle = crowd(situation, seed)
    request = battle.path_request("boyz", "charge", roll, ("squad",))
    assert battle.faults(request, FuzzAgent().answer(battle.view(), request)) == []


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("kind", ["pile-in", "consolidate"])
def test_small_moves_in_combat_are_legal(situation, seed, kind):
    battle = crowd(situation, seed)
    for unit in ("tank", "brute", "boyz"):
        request = battle.path_request(unit, kind, 3)
        assert battle.faults(request, FuzzAgent().answer(battle.view(), request)) == [], unit


@pytest.mark.parametrize("seed", range(6))
def test_shots_are_legal(situation, seed):
    battle = crowd(situation, seed)
    for unit in ("squad", "boyz", "tank"):
        request = battle.shoot_request(unit)
        assert battle.faults(request, FuzzAgent().answer(battle.view(), request)) == []


@pytest.mark.parametrize("seed", range(4))
def test_choices_are_as_many_as_asked(situation, seed):
    battle = crowd(situation, seed)
    request = battle.choose("anything", ["a", "b", "c", "d"], minimum=1, maximum=3)
    assert battle.faults(request, FuzzAgent().answer(battle.view(), request)) == []
