"""The bytes that a seat is shown do not depend on anything hidden from the seat.

Hidden are the secrets of other seats, the order of the decks and the dice to come. Positions of small
battles are compared with twins of them in which all that is another. The long run is
`scripts/view_boundary.py`. Planted leaks show that the comparison can fail.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import boundary
import msgspec
import pytest
from hidden_twin import Twins, twins

from ai.agents import agent
from datasheets.library import Library
from engine.core.facts import HORDE
from engine.core.log import LogLine
from engine.core.play import Agent
from engine.core.request import AnyAnswer, AnyRequest, Because
from engine.w40k.battle import Battle
from engine.w40k.view import View

LIBRARY = Library()
SEED = 5
POSITIONS = 16
LATE = 0.6
"""The share of the Horde's movement questions before the planted leaks are looked for.

By then tallies and revealed cards lie about.
"""


@pytest.fixture(scope="module")
def battles() -> list[boundary.Played]:
    """Return a battle with a single player and one with two."""
    return [
        boundary.played(boundary.jobs(players, 1, SEED + players, whole=False, rounds=3)[0], LIBRARY)
        for players in (1, 2)
    ]


@pytest.fixture(scope="module")
def sample(battles: list[boundary.Played]) -> list[boundary.Tried]:
    """Return what the comparison of a few positions shows."""
    chosen = boundary.chosen(battles, POSITIONS, SEED)
    return [boundary.tried(battle, moment, LIBRARY, SEED, often=2) for battle, moment in chosen]


@pytest.mark.rule("PLAY.9", "SETUP.6")
def test_nothing_hidden_shows(sample: list[boundary.Tried]) -> None:
    assert not [(each.job.key, each.moment, leak) for each in sample for leak in each.leaks]


def test_the_sample_is_of_all_sorts(sample: list[boundary.Tried]) -> None:
    assert sum(each.has_twin for each in sample) >= POSITIONS - 2
    assert {each.job.players for each in sample} == {1, 2}
    assert {HORDE, "p1", "p2"} <= {each.moment.seat for each in sample}
    assert {"Choose", "Move", "Place", "Split"} <= {each.moment.kind for each in sample}


def test_the_twins_are_others(sample: list[boundary.Tried]) -> None:
    every = {"order of misery", "order of secondary", "order of secret", "dice"}
    for each in sample:
        if each.has_twin:
            assert every <= each.swapped, each.moment
    assert "secrets" in frozenset().union(*(each.swapped for each in sample))


def test_all_of_the_view_is_asked(sample: list[boundary.Tried], pair: Twins) -> None:
    view = View(pair.one, pair.seat)
    public = {name for name in (*dir(View), *vars(view)) if not name.startswith("_")}
    assert public == frozenset().union(*(each.asked for each in sample))


# planted leaks


@pytest.fixture(scope="module")
def pair(battles: list[boundary.Played]) -> Twins:
    """Return twins late in the battle with two players, at a question to the Horde."""
    battle = battles[1]
    late = [each for each in battle.moments if each.seat == HORDE and each.phase == "movement"]
    moment = late[int(len(late) * LATE)]
    return twins(boundary.restored(battle, moment.answers, LIBRARY), HORDE, LIBRARY, "planted")


class Telltale(View):
    """A View that gives a secret of another seat."""

    def secrets_of(self, seat: str) -> tuple[str, ...]:
        """Return what a seat hides."""
        player = self._game.state.players.get(seat)
        return player.secrets if player else ()


class Gossip(View):
    """A View that gives the log as it is."""

    @property
    def log(self) -> list[LogLine]:
        """Return the whole log."""
        return self._game.lines


class Fortune(View):
    """A View that gives the die to come."""

    @property
    def next_die(self) -> int:
        """Return the next die."""
        return copy.deepcopy(self._game.dice).die("hit", 6, "dice")


class Peeker:
    """An agent that answers like another and tells the card that lies on top of a deck."""

    name = "peeker"

    def __init__(self, deck: str) -> None:
        """Peek at this deck."""
        self._deck = deck

    def answer(self, view: View, request: AnyRequest) -> AnyAnswer:
        """Return the answer, with the next card as its reason."""
        answer = agent("fuzz").answer(view, request)
        card = view._game.state.decks[self._deck].draw[0]
        return msgspec.structs.replace(answer, because=(Because(clause="AI.0", reason=card),))


class Meddler:
    """An agent that wounds a model while it answers."""

    name = "meddler"

    def answer(self, view: View, request: AnyRequest) -> AnyAnswer:
        """Return an answer, and change the battle."""
        view.model(0).wounds += 1
        return agent("fuzz").answer(view, request)


def with_agent(made: Any) -> boundary.Cast:
    """Return a cast in which this agent answers for every seat."""

    def agents(seat: str) -> Mapping[str, Agent[View]]:
        return {made.name: made}

    return boundary.Cast(agents=agents)


def names(leaks: list[str]) -> set[str]:
    """Return what each leak is of."""
    return {leak.split(":")[0].split("(")[0] for leak in leaks}


def test_twins_show_the_same(pair: Twins) -> None:
    assert boundary.compared(pair, "planted", boundary.DEFAULT, often=1) == []


@pytest.mark.parametrize(
    ("view", "leak"),
    [(Telltale, "view.secrets_of"), (Gossip, "view.log"), (Fortune, "view.next_die")],
    ids=["secret", "log", "dice"],
)
def test_a_view_that_tells_is_found(pair: Twins, view: type[View], leak: str) -> None:
    found = boundary.compared(pair, "planted", boundary.DEFAULT._replace(view=view), often=1)
    assert names(found) == {leak}


@pytest.mark.parametrize("deck", ["misery", "secondary", "secret"])
def test_an_agent_that_peeks_is_found(pair: Twins, deck: str) -> None:
    found = boundary.compared(pair, "planted", with_agent(Peeker(deck)), often=1)
    assert "agent peeker" in names(found)


def test_an_agent_that_changes_the_battle_is_found(pair: Twins) -> None:
    model = pair.one.state.position.models[0], pair.other.state.position.models[0]
    before = [each.wounds for each in model]
    found = boundary.compared(pair, "planted", with_agent(Meddler()), often=1)
    for each, wounds in zip(model, before, strict=True):
        each.wounds = wounds
    assert "the answer of agent meddler changed the state" in found


def test_a_request_that_tells_is_found(pair: Twins, monkeypatch: pytest.MonkeyPatch) -> None:
    def telling(battle: Battle) -> None:
        label = battle.state.decks["misery"].draw[0]
        assert battle.pending is not None
        monkeypatch.setattr(battle, "pending", msgspec.structs.replace(battle.pending, prompt=label))

    telling(pair.one)
    telling(pair.other)
    assert "request" in names(boundary.compared(pair, "planted", boundary.DEFAULT, often=1))
