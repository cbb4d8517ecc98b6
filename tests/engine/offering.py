"""Small battles in which Stratagems are offered, and ways to use them: shared by tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ai.agents import agent
from datasheets.library import Library
from engine.core import event as ev
from engine.core.apply import digest, fold
from engine.core.facts import HORDE, PLAYERS, WeaponFacts
from engine.core.game import Game
from engine.core.play import Agent
from engine.core.request import Choose, Chosen, Order, Ordered
from engine.core.ruleset import Step
from engine.horde.ruleset_1_1 import HORDE_1_1
from engine.scenario.situation import Stand, situation
from engine.w40k.view import View

LIBRARY = Library()
GUN = WeaponFacts(name="gun", range=24.0, attacks="1", skill=3, strength=4, damage="1")
AXE = WeaponFacts(name="axe", attacks="4", skill=3, strength=8, ap=-2, damage="2")
"""With such a weapon the Horde charges."""
BLADE = WeaponFacts(name="blade", attacks="2", skill=3, strength=4, damage="1")


def ours(name: str = "ours", at: Sequence[tuple[float, float]] = ((30.0, 10.0),), **more: Any) -> Stand:
    """Return a unit of a player's."""
    return Stand(name, PLAYERS, tuple(at), **more)


def theirs(name: str = "theirs", at: Sequence[tuple[float, float]] = ((30.0, 30.0),), **more: Any) -> Stand:
    """Return a unit of the Horde's."""
    return Stand(name, HORDE, tuple(at), **more)


def battle(stands: Sequence[Stand], *names: str, cp: int = 2, **more: Any) -> Game:
    """Return a battle of these units in these steps of the ruleset, at its first question."""
    steps: list[Step] = [HORDE_1_1.steps[HORDE_1_1.place(name)] for name in names]
    return situation(stands, steps, HORDE_1_1, library=LIBRARY, cp=cp, **more)


def answered(
    game: Game, use: Callable[[Choose], tuple[str, ...]], precise: list[int] | None = None
) -> list[Choose]:
    """Play on to the end; return the Stratagems that were offered.

    `use` says on what each is used. `precise` gets the number of options each time that Precision asks which
    model takes the wounds.
    """
    seats: dict[str, Agent] = {HORDE: agent("horde")}
    seats |= {seat: agent("steady") for seat in game.state.players}
    asked = []
    while game.pending is not None:
        request = game.pending
        seat = request.seats[0]
        if isinstance(request, Choose) and request.decision == "stratagem":
            asked.append(request)
            game.submit(Chosen(ids=use(request)), seat)
        elif isinstance(request, Choose) and request.decision == "precision":
            (precise if precise is not None else []).append(len(request.options))
            game.submit(Chosen(ids=()), seat)
        elif isinstance(request, Order):
            game.submit(Ordered(ids=tuple(item.id for item in request.items)), seat)
        else:
            game.submit(seats[seat].answer(View(game, seat), request), seat)
    assert digest(fold(game.events)) == digest(game.state)
    return asked


def always(request: Choose) -> tuple[str, ...]:
    """Use it on the first unit."""
    return (request.options[0].id,)


def never(request: Choose) -> tuple[str, ...]:
    """Decline."""
    return ()


def only(*clauses: str) -> Callable[[Choose], tuple[str, ...]]:
    """Return a function that uses these Stratagems and no other."""
    return lambda request: always(request) if request.rule in clauses else ()


def clauses(asked: Sequence[Choose]) -> list[str]:
    """Return the clauses of what was offered."""
    return [request.rule for request in asked]


def rolled(game: Game, kind: str) -> list[tuple[int, ...]]:
    """Return the dice of all rolls of this kind."""
    return [e.dice for e in game.events if isinstance(e, ev.Rolled) and e.roll == kind]
