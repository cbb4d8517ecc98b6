"""What every ruleset must do with any agents, and every agent in any ruleset.

Only legal answers are taken, and what is refused changes nothing; the battle ends; a seed gives one log; at
every decision undo and save lead back to where it stood. A new ruleset or agent is a line more in CONTESTS.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ai.agents import agent
from datasheets.library import Library
from engine.core.game import Game
from engine.systems import begin
from tests.conformance import trial
from tests.engine.firefight import skirmish
from tests.engine.firefight.soldier import Soldier

LIBRARY = Library()
UNITS = [
    {"id": "intercessors", "datasheet": "space-marines/intercessor-squad", "models": 5},
    {"id": "scouts", "datasheet": "space-marines/scout-squad", "models": 5},
    {"id": "terminators", "datasheet": "space-marines/terminator-squad", "models": 5},
]
ARMY = {
    "name": "A patrol",
    "faction": "space-marines",
    "detachment": "Gladius Task Force",
    "points": 1000,
    "unit": UNITS,
}


def horde_mode(seed: int) -> Game:
    """Return a small battle of Horde Mode: three units, two rounds, two spawning zones."""
    setup = {"points": 1000, "factions": ["tyranids"], "deployment": "dawn-of-war", "rounds": 2}
    setup |= {"layout": "horde-dawn-of-war-1", "armies": [ARMY]}
    header = {"ruleset": "horde-1.1", "seed": seed, "setup": setup, "rulings": {}}
    return begin(header, LIBRARY)


def firefight(seed: int) -> Game:
    """Return a skirmish of Firefight, which has neither phases nor turns: two units a side."""
    found: Game = skirmish.skirmish(seed, LIBRARY)
    return found


def seats(players: str, horde: str = "horde") -> Any:
    return lambda: {"horde": agent(horde), "p1": agent(players)}


CONTESTS = [
    trial.Contest("horde-1.1, steady", horde_mode, seats("steady"), LIBRARY),
    trial.Contest("horde-1.1, fuzz", horde_mode, seats("fuzz"), LIBRARY),
    trial.Contest("firefight, fuzz", firefight, seats("fuzz", "fuzz"), LIBRARY),
    trial.Contest("firefight, soldiers", firefight, lambda: {"horde": Soldier(), "p1": Soldier()}, LIBRARY),
]
SEED = 3


@pytest.fixture(scope="module", params=CONTESTS, ids=lambda each: each.name)
def contest(request: pytest.FixtureRequest) -> Any:
    """Return a ruleset and the agents that play in it."""
    return request.param


@pytest.fixture(scope="module")
def provoked(contest: Any) -> Any:
    """Return a battle in which illegal answers were tried before each legal one."""
    return trial.played(contest, SEED, provoke=True)


@pytest.fixture(scope="module")
def again(contest: Any) -> Any:
    """Return the same battle, played once more and in peace."""
    return trial.played(contest, SEED, provoke=False)


def test_the_battle_ends(provoked: Any) -> None:
    assert provoked.game.is_over
    assert provoked.game.pending is None
    assert len(provoked.game.answers) > 20


def test_illegal_answers_are_refused_with_a_sentence_and_change_nothing(provoked: Any) -> None:
    assert provoked.accepted == []
    assert provoked.changed == []
    kinds = {type(request).__name__ for request, _, _ in provoked.refused}
    assert kinds == provoked.asked
    assert {"Choose", "Move", "Place"} <= kinds
    for request, answer, faults in provoked.refused:
        assert faults, (request, answer)
        for fault in faults:
            assert len(fault.split()) >= 3, (request, answer, fault)


def test_an_answer_changes_nothing_before_it_is_taken(provoked: Any, again: Any) -> None:
    assert provoked.meddled == []
    assert again.meddled == []


class Meddler:
    """An agent that takes a marker as it looks at it."""

    name = "meddler"

    def __init__(self, agent: Any) -> None:
        """Answer as this agent does."""
        self._agent = agent

    def answer(self, view: Any, request: Any) -> Any:
        """Return the agent's answer."""
        next(iter(view.objectives.values())).by = "meddler"
        return self._agent.answer(view, request)


def test_an_agent_that_changes_the_state_is_noticed() -> None:
    game = horde_mode(SEED)
    meddled: list[Any] = []
    request = game.pending
    watched = trial.Watched(Meddler(seats("steady")()[request.seats[0]]), game, meddled)
    watched.answer(trial.View(game, request.seats[0]), request)
    assert meddled == [request]


def test_a_seed_gives_one_log_whatever_was_refused_on_the_way(provoked: Any, again: Any) -> None:
    assert trial.lines(again.game) == trial.lines(provoked.game)


def test_another_seed_gives_another_log(contest: Any, again: Any) -> None:
    assert trial.lines(trial.played(contest, SEED + 1, provoke=False).game) != trial.lines(again.game)


def test_the_log_alone_gives_the_state(provoked: Any) -> None:
    assert trial.refolded(provoked.game) == provoked.moments[-1][0]


def test_undo_and_save_lead_back_to_every_decision(contest: Any, again: Any, tmp_path: Path) -> None:
    log = trial.lines(again.game)
    assert trial.taken_back(contest, again, tmp_path) == []
    assert trial.lines(again.game) == log
