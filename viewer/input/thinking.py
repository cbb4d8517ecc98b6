"""What the agents of a battle think: which seat it waits for, and what that would answer.

Owns the agents with their views, and what a Game Master has decided. Thinking changes no battle. Where it
happens is `Thinking`'s: here, or in a process beside the window (`viewer.input.beside`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from typing import Any, Protocol, TypeVar

import msgspec

from ai.agents import agent
from ai.horde.game_master import OPEN_CHOICES, SEAT, Moderated, tie_request
from engine.core.facts import HORDE
from engine.core.play import Agent
from engine.core.request import AnyAnswer, AnyRequest
from engine.w40k.battle import Battle
from engine.w40k.open_tie import OpenTie
from engine.w40k.view import View


class StillThinking(Exception):  # noqa: N818 - no fault: the answer comes later
    """What an agent would answer is not known yet."""


Advice = AnyAnswer | Callable[[], AnyAnswer]
"""What an adviser would answer, or what returns it or raises StillThinking."""


V = TypeVar("V")
Work = Callable[[View, Any, Any], V]
"""Works something out of a question and a wish: a function of a module that changes nothing."""


def advised(advice: Advice) -> AnyAnswer:
    """Return what an adviser would answer. Raises StillThinking."""
    return advice() if callable(advice) else advice


class Thought(msgspec.Struct, frozen=True):
    """What the agent of a seat would answer to what is pending, or the tie that it leaves open."""

    turn: int
    """How often thinking had begun anew."""
    number: int
    """How many answers had been given…"""
    events: int
    """…and how many events there were."""
    seat: str
    answer: AnyAnswer
    """Its answer; of a tie the one that is suggested."""
    tie: tuple[Hashable, tuple[str, ...]] | None = None
    """What is asked and which are equal, where a Game Master has to decide first. Rule: ARMY.8"""

    @property
    def open_tie(self) -> OpenTie | None:
        """Return the tie that a Game Master has to decide."""
        return None if self.tie is None else OpenTie(*self.tie)


class Minds:
    """The agents in the seats of a battle, and the seats whose questions are put to persons."""

    def __init__(self, game: Battle, agents: Mapping[str, Agent[View]], asked: Sequence[str]) -> None:
        """Seat the agents; those of the seats that are asked only advise."""
        self.game, self.asked = game, tuple(asked)
        self._moderated = Moderated() if SEAT in asked else None
        self.agents = {**agents, HORDE: self._moderated} if self._moderated is not None else dict(agents)
        self.views = {seat: View(game, seat) for seat in self.agents}
        self.turn = 0
        """How often thinking has begun anew: after an undoing, a decided tie, a handing over."""

    @property
    def seat(self) -> str:
        """Return the seat for which the battle waits."""
        request = self.game.pending
        assert request is not None
        return next(seat for seat in request.seats if seat in self.agents)

    def is_asked(self, seat: str, decision: str) -> bool:
        """Return whether a person answers: at a seat that is asked, or as Game Master what is open."""
        open_choice = self._moderated is not None and seat == HORDE and decision in OPEN_CHOICES
        return seat in self.asked or open_choice

    def thought(self) -> Thought:
        """Think about what is pending."""
        request, seat = self.game.pending, self.seat
        assert request is not None
        view, mind = self.views[seat], self.agents[seat]
        here = self.turn, len(self.game.answers), len(self.game.events), seat
        try:
            return Thought(*here, mind.answer(view, request))
        except OpenTie as tie:
            return Thought(*here, mind.answer(view, tie_request(view, tie)), (tie.key, tie.ids))

    def decide(self, tie: OpenTie, answer: AnyAnswer) -> None:
        """Keep which of several equals a Game Master takes."""
        assert self._moderated is not None
        self._moderated.decide(tie, answer)
        self.turn += 1

    def hand_over(self) -> None:
        """Let the agents that advise play on by themselves."""
        self.asked = ()
        if self._moderated is not None:
            self.agents[HORDE], self._moderated = agent(HORDE), None
        self.turn += 1

    def look_anew(self) -> None:
        """See the battle anew, some answers of which were taken back."""
        self.views.update({seat: View(self.game, seat) for seat in self.agents})
        if self._moderated is not None:
            self._moderated.forget()
        self.turn += 1


class Thinking(Protocol):
    """Where the agents of a battle think; it hears of all that a person does to the battle."""

    @property
    def patience(self) -> float | None:
        """Return for how many seconds the window may wait for a worker; None where it has to."""
        ...

    def thought(self) -> Thought | None:
        """Return what is thought of what is pending; None while it is not known yet."""
        ...

    def wait(self) -> Thought:
        """Return what is thought of what is pending, however long that takes."""
        ...

    def begin(self) -> None:
        """Begin what runs beside, where that has not begun."""
        ...

    def given(self, number: int, seat: str, answer: AnyAnswer) -> None:
        """Hear of an answer that was given after this number of others, of a person or in its place."""
        ...

    def taken(self, thought: Thought) -> None:
        """Hear that a thought was given as the answer."""
        ...

    def decided(self, tie: OpenTie, answer: AnyAnswer) -> None:
        """Hear of a decided tie."""
        ...

    def undone(self) -> None:
        """Hear that answers were taken back."""
        ...

    def handed_over(self) -> None:
        """Hear that the agents play on by themselves."""
        ...

    def worker(self, view: View, request: AnyRequest, work: Work[V]) -> Callable[[Any], V]:
        """Return what works something out of the question that is put, for a thread to wait for."""
        ...

    def stop(self) -> None:
        """End what runs beside."""
        ...


class Here:
    """Thinking where it is asked for: all else waits for it."""

    patience: float | None = None

    def __init__(self, minds: Minds) -> None:
        """Think with these agents."""
        self._minds = minds
        self._last: Thought | None = None

    def thought(self) -> Thought | None:
        """Return what is thought of what is pending."""
        return self.wait()

    def wait(self) -> Thought:
        """Return what is thought of what is pending, worked out once."""
        last, minds = self._last, self._minds
        if last is None or (last.turn, last.number) != (minds.turn, len(minds.game.answers)):
            last = self._last = minds.thought()
        return last

    def begin(self) -> None:
        """Do nothing: nothing runs beside."""

    def given(self, number: int, seat: str, answer: AnyAnswer) -> None:
        """Do nothing: the battle that is thought about is the one that is played."""

    def taken(self, thought: Thought) -> None:
        """Do nothing: the battle that is thought about is the one that is played."""

    def decided(self, tie: OpenTie, answer: AnyAnswer) -> None:
        """Do nothing: the agents know."""

    def undone(self) -> None:
        """Do nothing: the agents know."""

    def handed_over(self) -> None:
        """Do nothing: the agents know."""

    def worker(self, view: View, request: AnyRequest, work: Work[V]) -> Callable[[Any], V]:
        """Return what works something out of a question in the thread that asks."""
        return partial(work, view, request)

    def stop(self) -> None:
        """Do nothing: nothing runs beside."""
