"""Playing a battle to its end with agents in the seats."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from engine.core.game import Game
from engine.core.request import AnyAnswer, AnyRequest
from engine.w40k.view import View


class Agent(Protocol):
    """Somebody who answers for a seat."""

    def answer(self, view: View, request: AnyRequest) -> AnyAnswer:
        """Return a legal answer to a request."""
        ...


def play(
    game: Game,
    agents: Mapping[str, Agent],
    *,
    until: Callable[[Game], bool] | None = None,
    watch: Callable[[Game], None] | None = None,
) -> None:
    """Let the agents answer until the battle is over, or until a condition holds."""
    views = {seat: View(game, seat) for seat in agents}
    while game.pending is not None and not (until and until(game)):
        step(game, agents, views)
        if watch:
            watch(game)


def step(game: Game, agents: Mapping[str, Agent], views: Mapping[str, View]) -> None:
    """Let the first seat that is asked answer once."""
    request = game.pending
    assert request is not None
    seat = next(seat for seat in request.seats if seat in agents)
    game.submit(agents[seat].answer(views[seat], request), seat)
