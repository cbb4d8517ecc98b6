"""An offer of a Stratagem or of a roll made again: its words, its worth, its answers.

It draws nothing. Whether it is put is `viewer.input.gate`'s.
"""

from __future__ import annotations

import re

import msgspec

from ai.autopilot.stratagem import Weighed, weighed, worth_of_cp
from engine.core import event as ev
from engine.core.request import AnyAnswer, AnyRequest, Choose, Chosen, Option, Said, YesNo
from engine.w40k.view import View
from viewer.input.stops import OFFER, kind_of, named
from viewer.input.thinking import Advice, advised
from viewer.story.name import short_name

REROLL = "reroll"
"""The decision of a roll that may be made again for nothing."""
FREE = "Roll again"


class Offer:
    """An offer that waits: what it is, on which unit it would be used, what it is worth."""

    def __init__(self, view: View, request: Choose | YesNo, advice: AnyAnswer) -> None:
        """Choose the unit on which it is worth most."""
        self.view, self.request = view, request
        self.weighed: Weighed | None = weighed(view, request) if isinstance(request, Choose) else None
        self.options: tuple[Option, ...] = request.options if isinstance(request, Choose) else ()
        advised = advice.ids[0] if isinstance(advice, Chosen) and advice.ids else ""
        best = advised or (self.weighed.unit if self.weighed is not None else "")
        ids = [option.id for option in self.options]
        self.chosen = ids.index(best) if best in ids else 0
        self.suggested = bool(advised) or (isinstance(advice, Said) and advice.yes)

    @property
    def name(self) -> str:
        """Return what is offered."""
        if isinstance(self.request, YesNo):
            return FREE
        return named(kind_of(self.view, self.request), self.request.rule)

    @property
    def unit(self) -> str:
        """Return the unit on which it would be used."""
        return self.options[self.chosen].id if self.options else self.request.unit

    @property
    def price(self) -> str:
        """Return what it costs of what there is: "1 of 2 CP"; "free" for nothing."""
        if isinstance(self.request, YesNo):
            return "free"
        cost, has = self._cost(self.unit), self.view.players[self.view.seat].cp
        return f"{cost} of {has} CP" if cost else "free"

    def _cost(self, unit: str) -> int:
        """Return what it costs on a unit, in CP."""
        return self.view.stratagem_price(self.request.rule, self.view.unit(unit))

    @property
    def moment(self) -> str:
        """Return what has just happened, as the question tells it, without the price."""
        told = re.sub(r"\s*Use [^?]*\?$", "", self.request.prompt)
        return re.sub(r"\s*Is it rolled again\?$", "", told) or self.request.prompt

    @property
    def worth(self) -> str:
        """Return its worth on the chosen unit ("Worth 29.5 points, a CP is worth 24")."""
        if isinstance(self.request, YesNo):
            return "It costs nothing"
        request = self._on(self.options[self.chosen])
        if self._cost(self.unit):
            return worth_words(self.view, request)
        found = weighed(self.view, request)
        return f"Worth {found.worth:.1f} points, and free" if found is not None else "It costs nothing"

    def _on(self, option: Option) -> Choose:
        """Return the offer as if one unit alone could have it."""
        assert isinstance(self.request, Choose)
        return msgspec.structs.replace(self.request, options=(option,))

    def worth_on(self, option: Option) -> str:
        """Return its worth on a unit, with its price where prices differ; "" where none is known."""
        found, cost = weighed(self.view, self._on(option)), self._cost(option.id)
        differs = len({self._cost(each.id) for each in self.options}) > 1
        price = f" · {cost} CP" if cost else " · free"
        return f"{found.worth:.1f} points{price if differs else ''}" if found is not None else ""

    @property
    def dice(self) -> tuple[tuple[int, bool], ...]:
        """Return the dice that fell just now, each with whether it reaches its need."""
        last = next((line for line in reversed(self.view.log) if isinstance(line, ev.Event)), None)
        if not isinstance(last, ev.Rolled):
            return ()
        if last.roll.startswith("charge") or not last.need:
            return tuple((die, True) for die in last.dice)
        return tuple((die, die >= last.need) for die in last.dice)

    @property
    def need(self) -> str:
        """Return what was rolled for and what was needed: "hazardous 2+"."""
        last = self.view.last_roll
        if last is None or not self.dice:
            return ""
        kind = last.roll.replace("-", " ").capitalize()
        return f"{kind} {last.need}+" if last.need else kind

    def label(self, option: Option) -> str:
        """Return what an option is called."""
        return short_name(option.label)

    def choose(self, place: int) -> None:
        """Take the unit at a place for that on which it would be used."""
        if 0 <= place < len(self.options):
            self.chosen = place

    def step(self, by: int) -> None:
        """Take the next unit (1), or the one before (-1)."""
        if self.options:
            self.chosen = (self.chosen + by) % len(self.options)

    @property
    def use(self) -> AnyAnswer:
        """Return the answer that uses it."""
        return Said(yes=True) if isinstance(self.request, YesNo) else Chosen(ids=(self.unit,))

    @property
    def keep(self) -> AnyAnswer:
        """Return the answer that does not."""
        return Said(yes=False) if isinstance(self.request, YesNo) else Chosen(ids=())


def worth_words(view: View, request: Choose) -> str:
    """Return what a Stratagem is worth and what a CP is, in points, if that is known."""
    found = weighed(view, request)
    cp = f"a CP is worth {worth_of_cp(view):.0f}"
    return f"Worth {found.worth:.1f} points, {cp}" if found is not None else f"Its worth is not known, {cp}"


def offer(view: View, request: AnyRequest, advice: Advice) -> Offer | None:
    """Return the offer that a question makes, None where it is none."""
    if isinstance(request, Choose) and request.decision == OFFER and request.options:
        return Offer(view, request, advised(advice))
    if isinstance(request, YesNo) and request.decision == REROLL:
        return Offer(view, request, advised(advice))
    return None
