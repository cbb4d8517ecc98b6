"""The agents of the seats, some of which persons may answer for."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ai.agents import agent
from ai.horde.game_master import OPEN_CHOICES, GameMaster
from ai.horde.game_master import SEAT as GAME_MASTER
from datasheets.errors import HordeError
from engine.core.facts import HORDE
from engine.core.log import AnswerLine
from engine.core.play import Agent
from engine.w40k.battle import Battle
from engine.w40k.view import View


def seats_of(words: Sequence[str]) -> tuple[str, ...]:
    """Return the seats of a list such as "p1,p2", or of several such lists, each once."""
    return tuple(dict.fromkeys(seat.strip() for word in words for seat in word.split(",") if seat.strip()))


def check_seats(ask: tuple[str, ...], game: Battle) -> None:
    """Refuse to ask a seat that the battle has not."""
    seats = (*game.state.players, *((GAME_MASTER,) if game.state.game_master else ()))
    for seat in ask:
        if seat not in seats:
            raise HordeError(f"There is no seat '{seat}' to ask; there is {', '.join(seats)}.")


def answers_of(ask: Sequence[str]) -> Callable[[AnswerLine], bool]:
    """Return what tells whether a person in one of these seats gave an answer."""

    def is_asked(line: AnswerLine) -> bool:
        is_open = GAME_MASTER in ask and line.seat == HORDE and line.decision in OPEN_CHOICES
        return line.seat in ask or is_open

    return is_asked


def seat_agents(
    seats: Sequence[str],
    autopilot: str,
    ask: Sequence[str] = (),
    person: Callable[[Agent[View]], Agent[View]] | None = None,
) -> dict[str, Agent[View]]:
    """Return the agent of each seat; `person` makes one that asks, of the agent that advises."""
    agents: dict[str, Agent[View]] = {HORDE: agent("horde"), **{seat: agent(autopilot) for seat in seats}}
    if person is not None:
        agents |= {seat: person(agents[seat]) for seat in ask if seat in agents}
        if GAME_MASTER in ask:
            agents[HORDE] = GameMaster(person(agents[HORDE]))
    return agents
