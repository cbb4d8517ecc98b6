"""Playing a battle to its end with agents in the seats."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol, TypeVar

from engine.core.game import G, Game
from engine.core.request import AnyAnswer, AnyRequest

V = TypeVar("V")
"""What a seat may know of a battle."""
V_contra = TypeVar("V_contra", contravariant=True)


class Agent(Protocol[V_contra]):
    """A player of a seat."""

    @property
    def name(self) -> str:
        """Return the name under which it is registered."""
        ...

    def answer(self, view: V_contra, request: AnyRequest) -> AnyAnswer:
        """Return a legal answer to a request."""
        ...


def play(
    game: G,
    agents: Mapping[str, Agent[V]],
    view: Callable[[G, str], V],
    *,
    until: Callable[[G], bool] | None = None,
    watch: Callable[[G], None] | None = None,
) -> None:
    """Let the agents answer until the battle is over, or until a condition holds.

    `view` returns what a seat may know of the battle.
    """
    views = {seat: view(game, seat) for seat in agents}
    while game.pending is not None and not (until and until(game)):
        step(game, agents, views)
        if watch:
            watch(game)


def step(game: Game, agents: Mapping[str, Agent[V]], views: Mapping[str, V]) -> None:
    """Let the first seat that is asked answer once."""
    request = game.pending
    assert request is not None
    seat = next(seat for seat in request.seats if seat in agents)
    game.submit(agents[seat].answer(views[seat], request), seat)
