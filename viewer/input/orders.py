"""What a person has ordered ahead, which answers the questions that follow.

Owns the three orders and how long each stands. Whether a question is put that no order answers is
`viewer.input.stops`'.
"""

from __future__ import annotations

import msgspec

from engine.core.request import PRIVATE, AnyAnswer, AnyRequest, Choose, Chosen
from engine.w40k.activation.turn_taking import DONE
from engine.w40k.view import View
from viewer.input.stops import offered
from viewer.input.thinking import Advice, advised
from viewer.story.name import listed

REST, UNIT, END = "rest", "unit", "end"
WORDS = (REST, UNIT, END)
"""The words of orders: the rest of the phase, this unit as suggested, the end of the phase."""
BEGINS = ("next-unit", "deploy", "reinforce", "scout")
"""The decisions with which another unit has its turn."""
Moment = tuple[int, str, str]
"""A round, whose turn, and the phase."""


def moment_of(view: View) -> Moment:
    """Return the phase that is played."""
    return view.round, view.turn, view.phase


class Standing(msgspec.Struct, frozen=True):
    """An order that stands: what it is, in which phase it was given, and at which question."""

    word: str
    phase: Moment
    given: int


class Orders:
    """The orders of all seats; each has one at a time."""

    def __init__(self) -> None:
        """Begin without orders."""
        self._standing: dict[str, Standing] = {}
        self._warned: dict[str, int] = {}

    def forget(self) -> None:
        """Drop every order, as where an answer is taken back."""
        self._standing.clear()
        self._warned.clear()

    def give(self, view: View, request: AnyRequest, word: str) -> str:
        """Take an order at a question; return what is to be said in its place, "" where it stands.

        The end of a phase is warned of once, with the units that have not acted.
        """
        if request.decision in PRIVATE:
            return "A secret is chosen by yourself."
        if word == END:
            told = self._warning(view, request)
            if told:
                return told
        self._standing[view.seat] = Standing(word, moment_of(view), view.moment)
        return ""

    def _warning(self, view: View, request: AnyRequest) -> str:
        if not _may_end(request):
            return "The phase cannot be ended here: answer this question first."
        names = [option.label for option in offered(request)]
        if request.decision == "purchase" or not names or self._warned.get(view.seat) == view.moment:
            return ""
        self._warned[view.seat] = view.moment
        have = "has" if len(names) == 1 else "have"
        return f"{listed(names)} {have} not acted. Say {END} again to end the phase."

    def answer(self, view: View, request: AnyRequest, advice: Advice) -> AnyAnswer | None:
        """Return the answer that an order gives to a question, None where none stands for it.

        Raises StillThinking.
        """
        order = self._standing.get(view.seat)
        if order is None or request.decision in PRIVATE:
            return None
        if order.phase != moment_of(view) or _is_over(order, view, request):
            del self._standing[view.seat]
            return None
        if order.word == END:
            return Chosen(ids=(DONE,)) if _may_end(request) else None
        return advised(advice)


def _may_end(request: AnyRequest) -> bool:
    """Return whether a question has a way to be done with the phase."""
    return isinstance(request, Choose) and any(option.id == DONE for option in request.options)


def _is_over(order: Standing, view: View, request: AnyRequest) -> bool:
    """Return whether an order about one unit has come to the next one."""
    return order.word == UNIT and request.decision in BEGINS and view.moment > order.given
