"""The Game Master: a person that answers what is open to the Horde. Rule: ARMY.8

Open are the order of the zones, what is spawned and where, and which of several equals the Horde takes. The
Horde decides the rest by its rules. A decision stays for as long as the same question is asked.
"""

from __future__ import annotations

from collections.abc import Hashable

from ai.horde.horde_ai import OPEN, HordeAgent
from engine.core.play import Agent
from engine.core.request import AnyAnswer, AnyRequest, Choose, Chosen, Option
from engine.w40k.open_tie import OpenTie
from engine.w40k.view import View

SEAT = "gm"
"""What the Game Master's seat is called where seats are named; it answers in the Horde's."""
TIE = "tie"
"""The decision which of several equals is taken."""
OPEN_CHOICES = (*OPEN, "spawn")
"""The decisions of the Horde that its rules leave open. Rule: SPAWN.1, SPAWN.4, SPAWN.6"""


class Moderated:
    """The Horde as it asks somebody what is open; it answers nothing open by itself."""

    name = "game-master"

    def __init__(self) -> None:
        """Begin with nothing decided."""
        self._horde = HordeAgent()
        self._ties: dict[Hashable, str] = {}

    def answer(self, view: View, request: AnyRequest) -> AnyAnswer:
        """Return what the Horde does. Raises OpenTie where several things are equal to it."""
        if request.decision == TIE:
            return self._horde.answer(view, request)
        view.ties = self._ties
        try:
            return self._horde.answer(view, request)
        finally:
            view.ties = None

    def decide(self, tie: OpenTie, answer: AnyAnswer) -> None:
        """Keep which of several equals is taken."""
        assert isinstance(answer, Chosen)
        self._ties[tie.key] = answer.ids[0]

    def forget(self) -> None:
        """Begin anew with nothing decided."""
        self._ties.clear()


def tie_request(view: View, tie: OpenTie) -> Choose:
    """Return the question which of several equals the Horde takes. Rule: ARMY.8, R.A06"""
    named = {unit.id: unit.name for unit in view.units()}
    return Choose(
        seats=(view.seat,),
        rule="ARMY.8",
        decision=TIE,
        prompt="These are equal for the Horde. Which does it take?",
        options=tuple(Option(id=name, label=named.get(name, name)) for name in tie.ids),
    )


class GameMaster:
    """The Horde, of which a person that can be asked at once answers what is open."""

    name = Moderated.name

    def __init__(self, person: Agent[View]) -> None:
        """Take the person; its adviser is to be a Horde too."""
        self._person = person
        self._horde = Moderated()

    def answer(self, view: View, request: AnyRequest) -> AnyAnswer:
        """Return the person's answer to an open choice, the Horde's to all else."""
        if request.decision in OPEN_CHOICES:
            return self._person.answer(view, request)
        while True:
            try:
                return self._horde.answer(view, request)
            except OpenTie as tie:
                self._horde.decide(tie, self._person.answer(view, tie_request(view, tie)))

    def forget(self) -> None:
        """Begin anew with nothing decided."""
        self._horde.forget()
