"""What a person has ordered ahead, which answers the questions that follow.

Owns the orders and how long each stands. What one unit does is `viewer.input.unit_order`'s; whether a
question is put that no order answers is `viewer.input.stops`'.
"""

from __future__ import annotations

import msgspec

from engine.core.request import PRIVATE, AnyAnswer, AnyRequest, Choose, Chosen
from engine.w40k.activation.turn_taking import DONE
from engine.w40k.view import View
from viewer.input.stops import offered
from viewer.input.thinking import Advice, advised
from viewer.input.unit_order import UNIT, UnitOrder, answer_to, unit_order
from viewer.story.name import listed, short_name

REST, END = "rest", "end"
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
    unit: UnitOrder | None = None
    """What one unit does, where the order is about a certain one."""


class Errand(msgspec.Struct, frozen=True):
    """The option that is to be taken when the rule of a clause asks next."""

    clause: str
    option: str


class Orders:
    """The orders of all seats; each has one at a time."""

    def __init__(self) -> None:
        """Begin without orders."""
        self._standing: dict[str, Standing] = {}
        self._errands: dict[str, tuple[Errand, int]] = {}
        """By seat, what the very next question is to be answered with, and when that was said."""
        self._warned: dict[str, int] = {}

    def forget(self) -> None:
        """Drop every order, as where an answer is taken back."""
        self._standing.clear()
        self._errands.clear()
        self._warned.clear()

    def send(self, view: View, errand: Errand) -> None:
        """Take what the question after the one that is being answered is to be answered with."""
        self._errands[view.seat] = errand, view.moment

    def read(self, view: View, request: AnyRequest, advice: Advice, text: str) -> str | UnitOrder | None:
        """Return the order that a line gives: its word, or what a unit does; None for no order.

        Raises Misread.
        """
        found = unit_order(view, request, advice, text)
        word = text.strip().lower()
        return found or (word if word in WORDS else None)

    def give(self, view: View, request: AnyRequest, word: str | UnitOrder) -> str:
        """Take an order at a question; return what is to be said in its place, "" where it stands.

        The end of a phase is warned of once, with the units that have not acted.
        """
        if request.decision in PRIVATE:
            return "A secret is chosen by yourself."
        if word == END:
            told = self._warning(view, request)
            if told:
                return told
        unit = None if isinstance(word, str) else word
        name = word if isinstance(word, str) else word.word
        self._standing[view.seat] = Standing(name, moment_of(view), view.moment, unit)
        return ""

    def _warning(self, view: View, request: AnyRequest) -> str:
        if not _may_end(request):
            return "The phase cannot be ended here: answer this question first."
        names = [short_name(option.label) for option in offered(request)]
        if request.decision == "purchase" or not names or self._warned.get(view.seat) == view.moment:
            return ""
        self._warned[view.seat] = view.moment
        have = "has" if len(names) == 1 else "have"
        return f"{listed(names)} {have} not acted. Say {END} again to end the phase."

    def answer(self, view: View, request: AnyRequest, advice: Advice) -> AnyAnswer | None:
        """Return the answer that an order gives to a question, None where none stands for it.

        Raises StillThinking.
        """
        sent = self._run_errand(view, request)
        if sent is not None:
            return sent
        order = self._standing.get(view.seat)
        if order is None or request.decision in PRIVATE:
            return None
        if order.phase != moment_of(view) or _is_over(order, view, request):
            del self._standing[view.seat]
            return None
        if order.unit is not None:
            return answer_to(order.unit, view, request, advice)
        if order.word == END:
            return Chosen(ids=(DONE,)) if _may_end(request) else None
        return advised(advice)

    def _run_errand(self, view: View, request: AnyRequest) -> AnyAnswer | None:
        """Return what was said ahead for this question, None where it was said for another."""
        errand, said = self._errands.get(view.seat, (None, 0))
        if errand is None or not isinstance(request, Choose) or view.moment <= said:
            return None
        options = {option.id for option in request.options}
        if view.moment == said + 1 and request.rule == errand.clause and errand.option in options:
            return Chosen(ids=(errand.option,))
        del self._errands[view.seat]
        return None

    def is_told(self, seat: str) -> bool:
        """Return whether what an order answers stands in the log: it is no choice of the seat."""
        order = self._standing.get(seat)
        return order is None or order.word in (REST, UNIT)


def _may_end(request: AnyRequest) -> bool:
    """Return whether a question has a way to be done with the phase."""
    return isinstance(request, Choose) and any(option.id == DONE for option in request.options)


def _is_over(order: Standing, view: View, request: AnyRequest) -> bool:
    """Return whether an order about one unit has come to the next one."""
    is_of_one = order.unit is not None or order.word == UNIT
    return is_of_one and request.decision in BEGINS and view.moment > order.given
