"""The way of a question to a person: past the orders given ahead, then past the rules.

One mechanism for terminal and window. It keeps what was settled unasked, to be reported and counted, and what
was put, so that a person is not asked twice for the same.
"""

from __future__ import annotations

from collections import Counter
from typing import Literal, NamedTuple

import msgspec

from datasheets.outside import shortened
from engine.core.request import PRIVATE, AnyAnswer, AnyRequest, Chosen, Order, Ordered
from engine.w40k.seat_log import BALLOTS
from engine.w40k.view import View
from viewer.input.orders import Moment, Orders, moment_of
from viewer.input.question import suggestion
from viewer.input.settings import Rules
from viewer.input.stops import Kind, Weight, declined, is_forced, kind_of, named
from viewer.input.thinking import Advice, advised

LONGEST = 110
"""The most characters of a line that tells what was settled."""
Why = Literal["ordered", "one answer", "as before", "rule"]


class Settled(msgspec.Struct, frozen=True):
    """A question that was answered unasked: its kind, why, the answer, a line for the log."""

    kind: Kind
    why: Why
    answer: AnyAnswer
    words: str


class Counts(msgspec.Struct):
    """The numbers of questions: stops, those that a person called up, and those settled."""

    stops: Counter[tuple[str, Moment]] = msgspec.field(default_factory=Counter)
    """By kind and phase, the questions that halted the battle and were not called up."""
    called_up: Counter[str] = msgspec.field(default_factory=Counter)
    settled: Counter[tuple[str, Why]] = msgspec.field(default_factory=Counter)

    @property
    def told(self) -> str:
        """Return the counts of what was settled, by kind."""
        found: Counter[str] = Counter()
        for (kind, _), number in self.settled.items():
            found[kind] += number
        return ", ".join(f"{number} {kind}" for kind, number in found.most_common())


class _Unasked(NamedTuple):
    """An answer that is given unasked: why, the answer, and its worth in words."""

    why: Why
    answer: AnyAnswer
    weighed: str = ""


class _Phase(msgspec.Struct):
    """What a seat was asked in a phase."""

    moment: Moment
    put: bool = False
    once: set[str] = msgspec.field(default_factory=set)
    kept: dict[str, float] = msgspec.field(default_factory=dict)
    """The worth at which Stratagems were put and declined, by clause."""
    orders: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    """The order in which the models of a unit take wounds, as the person gave it."""


class Gate:
    """Decides of each question whether it is put to its person, and how it is settled else."""

    def __init__(self, rules: Rules | None = None) -> None:
        """Take the person's rules; without them every question is put that no order answers."""
        self.rules = rules
        self.orders = Orders()
        self.counts = Counts()
        self._phases: dict[str, _Phase] = {}
        self.latest: Settled | None = None
        """How the last question was settled, None where it was put."""
        self._told: list[str] = []
        self._turn = (0, "")
        self._of_turn: Counter[str] = Counter()
        """What was settled in the turn, by kind."""

    def unasked(self, view: View, request: AnyRequest, advice: Advice) -> AnyAnswer | None:
        """Return the answer to a question that is not put, and note it; None for one that is put.

        Raises StillThinking where that hangs on an advice that is not known yet; nothing is noted then.
        """
        self._sum_up(view)
        self.latest = found = self.settled(view, request, advice)
        if found is None:
            self._put(view, request)
            return None
        self.counts.settled[found.kind.name, found.why] += 1
        self._of_turn[found.kind.name] += 1
        self._told += [found.words] if found.words else []
        return found.answer

    def _sum_up(self, view: View) -> None:
        """Count what was settled in a turn as the next one begins."""
        turn = (view.round, view.turn)
        if turn == self._turn:
            return
        if self._of_turn:
            between = f"round {self._turn[0]}" if self._turn[0] else "the set-up"
            whose = {"horde": "the Horde's turn", "players": "the players' turn"}.get(self._turn[1], between)
            kinds = ", ".join(f"{many} {kind}" for kind, many in self._of_turn.most_common())
            self._told.append(f"Answered for you in {whose}: {kinds}")
        self._turn = turn
        self._of_turn.clear()

    def settled(self, view: View, request: AnyRequest, advice: Advice) -> Settled | None:
        """Return how a question is answered unasked; None where it is put. Notes nothing.

        Raises StillThinking.
        """
        kind = kind_of(view, request)
        found = self._answered(view, request, advice, kind)
        # An adviser may err: then the person sees what is wrong.
        if found is None or view.faults(request, found.answer):
            return None
        is_told = found.why != "ordered" or self.orders.is_told(view.seat)
        words = _words(view, request, kind, found, advice) if is_told else ""
        return Settled(kind, found.why, found.answer, words)

    def _answered(self, view: View, request: AnyRequest, advice: Advice, kind: Kind) -> _Unasked | None:
        ordered = self.orders.answer(view, request, advice)
        if ordered is not None:
            return _Unasked("ordered", ordered)
        if self.rules is None:
            return None
        if is_forced(request):
            return _Unasked("one answer", advised(advice))
        asking = self.rules.asking(kind)
        if asking == "always":
            return None
        weight = self._weight(view, request, kind)
        phase = self._phase(view)
        if asking == "matters" and weight.matters:
            before = _as_before(request, phase.orders.get(request.unit, ()))
            if before is not None:
                return _Unasked("as before", before)
            if request.rule not in phase.kept or weight.worth > phase.kept[request.rule]:
                return None
        answer = declined(request, advised(advice)) if kind.declines else advised(advice)
        return _Unasked("rule", answer, weight.words)

    def _weight(self, view: View, request: AnyRequest, kind: Kind) -> Weight:
        """Return what a question weighs, worked out once until anything happens."""
        weigh, threshold = kind.weigh, self.rules.threshold(kind) if self.rules is not None else 0.0
        if weigh is None:
            return Weight(False)
        key = "weight", view.moment, request.decision, request.rule, request.unit, threshold
        return view.meanwhile(key, lambda: weigh(view, request, threshold))

    def answered(self, view: View, request: AnyRequest, answer: AnyAnswer) -> None:
        """Keep what a person answered to a question that was put, for those alike in the phase."""
        kind, phase = kind_of(view, request), self._phase(view)
        if kind.declines and isinstance(answer, Chosen) and not answer.ids and kind.weigh is not None:
            worth = kind.weigh(view, request, 0.0).worth
            phase.kept[request.rule] = max(worth, phase.kept.get(request.rule, worth))
        elif isinstance(answer, Ordered) and isinstance(request, Order) and kind.name == "allocation":
            phase.orders[request.unit] = answer.ids

    def take_told(self) -> list[str]:
        """Return a line for each question settled since the last time."""
        told, self._told = self._told, []
        return told

    def forget(self) -> None:
        """Drop orders and what was kept, as where answers are taken back; counts stay."""
        self.orders.forget()
        self._phases.clear()
        self._told.clear()
        self._of_turn.clear()

    def _phase(self, view: View) -> _Phase:
        moment = moment_of(view)
        found = self._phases.get(view.seat)
        if found is None or found.moment != moment:
            found = self._phases[view.seat] = _Phase(moment)
        return found

    def _put(self, view: View, request: AnyRequest) -> None:
        """Count a question that is put, as a stop unless the person has called it up."""
        kind, phase = kind_of(view, request), self._phase(view)
        if (kind.called_up and phase.put) or (kind.once and kind.name in phase.once):
            self.counts.called_up[kind.name] += 1
        else:
            self.counts.stops[kind.name, phase.moment] += 1
        phase.put = True
        if kind.once:
            phase.once.add(kind.name)


def _as_before(request: AnyRequest, given: tuple[str, ...]) -> Ordered | None:
    """Return the order that the person gave for these models in this phase already."""
    ids = {item.id for item in request.items} if isinstance(request, Order) else set()
    return Ordered(ids=tuple(one for one in given if one in ids)) if ids and ids <= set(given) else None


def _words(view: View, request: AnyRequest, kind: Kind, found: _Unasked, advice: Advice) -> str:
    """Return the line that tells what was settled."""
    answer = found.answer
    if kind.declines and isinstance(answer, Chosen) and not answer.ids:
        worth = f", {found.weighed}" if found.weighed else ""
        return f"Skipped: {named(kind, request.rule)}{worth}"
    if request.decision in (*PRIVATE, *BALLOTS):
        return f"As suggested: {request.prompt}"
    told = suggestion(view, request, answer)
    own = found.why == "ordered" and told != suggestion(view, request, advised(advice))
    return shortened(f"{'As you said' if own else 'As suggested'}: {request.prompt} {told}", LONGEST)
