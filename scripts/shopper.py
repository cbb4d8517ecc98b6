"""An autopilot that saves up for purchases, so that scripts meet each of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.core.request import AnyAnswer, AnyRequest
    from engine.w40k.view import View

LATE = 5
"""From this round on a shopper saves up no more."""


class Shopper:
    """The autopilot, but that it saves up for one purchase after another, until the fifth round."""

    name = "shopper"

    def __init__(self, wishes: Sequence[str]) -> None:
        """Wish for purchases, by the ids of their rules, in this order."""
        from ai.agents import agent

        self._steady = agent("steady")
        self._wishes = list(wishes)

    def answer(self, view: View, request: AnyRequest) -> AnyAnswer:
        """Return what the autopilot does, or buy."""
        from engine.core.request import Choose, Chosen

        if not isinstance(request, Choose) or request.decision != "purchase":
            return self._steady.answer(view, request)
        return Chosen(ids=(self.bought([option.id for option in request.options], view.round),))

    def bought(self, offered: list[str], round_: int) -> str:
        """Return what to buy of what is offered, each purchase once in a battle, or "done"."""
        for wish in list(self._wishes if round_ >= LATE else self._wishes[:1]):
            for one in offered:
                if one.endswith(wish):
                    self._wishes.remove(wish)
                    return one
        return "done"
