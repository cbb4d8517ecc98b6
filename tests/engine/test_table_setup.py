"""How a battle is set up: deployment, sides, length, and Deep Strike of whole units."""

from __future__ import annotations

from typing import Any

import pytest

from datasheets.errors import HordeError
from datasheets.library import Library
from engine.horde.setup import RECOMMENDED, Options
from engine.systems import new_game
from engine.w40k.battle import Battle
from engine.w40k.muster import horde_part, muster
from engine.w40k.phase.deploy import deep_strikes

LIBRARY = Library()
SEEDS = range(12)


def options(**more: Any) -> Options:
    """Return a small battle's options."""
    return Options((LIBRARY.army("space-marines-1000"),), ("orks",), 1000, **more)


def battle(**more: Any) -> Battle:
    """Return it at its first question."""
    return new_game(options(**more), LIBRARY)


@pytest.mark.rule("SETUP.1")
def test_a_deployment_is_drawn_among_the_recommended_or_chosen() -> None:
    drawn = {battle(seed=seed).state.position.board.deployment for seed in SEEDS}
    assert drawn == set(RECOMMENDED)
    chosen = battle(deployment="search-and-destroy", seed=1)
    assert chosen.state.position.board.deployment == "search-and-destroy"
    printed = LIBRARY.deployment("search-and-destroy")
    assert [each.facts.at for each in chosen.state.position.objectives.values()] == [
        each.at for each in printed.objectives
    ]
    with pytest.raises(HordeError, match="nowhere"):
        battle(deployment="nowhere")


@pytest.mark.rule("SETUP.2")
@pytest.mark.parametrize("name", ["dawn-of-war", "tipping-point"])
def test_the_horde_has_the_attackers_zone_and_the_players_the_defenders(name: str) -> None:
    printed = LIBRARY.deployment(name)
    zones = battle(deployment=name).state.position.zones
    assert zones["horde"].polygon == printed.attacker
    assert zones["defender"].polygon == printed.defender


@pytest.mark.rule("SETUP.3", "ARMY.1")
@pytest.mark.parametrize(("points", "zones"), [(1000, 2), (2000, 4)])
def test_the_size_of_the_game_says_how_many_spawning_zones_there_are(points: int, zones: int) -> None:
    army = LIBRARY.army(f"space-marines-{points}")
    found = new_game(Options((army,), ("orks",), points), LIBRARY).state.position.zones.values()
    assert sum(zone.kind == "spawn" for zone in found) == zones


@pytest.mark.rule("SETUP.6")
def test_each_seed_shuffles_the_decks_and_loses_no_card() -> None:
    printed = battle().rulebook.decks
    for name in ("misery", "secondary"):
        first, second = (battle(seed=seed).state.decks[name].draw for seed in (1, 2))
        assert sorted(first) == sorted(second) == sorted(printed[name])
        assert first != second
    dealt = [battle(seed=seed).state.players["p1"].secrets for seed in SEEDS]
    assert len(set(dealt)) > 1


@pytest.mark.rule("SETUP.7")
@pytest.mark.parametrize(("rounds", "number", "last"), [(5, 5, True), (5, 4, False), (None, 5, False)])
def test_a_battle_has_five_rounds_or_no_last_one(rounds: int | None, number: int, last: bool) -> None:
    state = battle(rounds=rounds).state
    state.round = number
    assert state.is_last_round() == last


@pytest.mark.rule("SP.R14")
def test_a_unit_deep_strikes_only_with_all_its_parts() -> None:
    strikes = horde_part(LIBRARY, "space-marines/terminator-squad", 5)
    walks = horde_part(LIBRARY, "space-marines/captain", 1)
    facts = [
        muster("u", parts, side="horde", player="horde", first_row=0, bracket=1, rules={})
        for parts in ([strikes], [strikes, walks])
    ]
    assert [deep_strikes(each) for each in facts] == [True, False]
