"""A person that takes each suggestion, behind the rules of what is asked.

What scripts share that measure those rules: the person, the rules that words set, and a battle.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from datasheets.errors import HordeError

if TYPE_CHECKING:
    from engine.core.play import Agent
    from engine.core.request import AnyAnswer, AnyRequest
    from engine.w40k.battle import Battle
    from engine.w40k.view import View
    from viewer.input.gate import Gate
    from viewer.input.settings import Rules


class Suggested:
    """The person; what is settled unasked never reaches it."""

    name = "suggested"

    def __init__(self, gate: Gate) -> None:
        """Sit behind a gate, with the autopilot as adviser."""
        from ai.agents import agent

        self._adviser, self._gate = agent("steady"), gate

    def answer(self, view: View, request: AnyRequest) -> AnyAnswer:
        """Return what the gate settles, else what is suggested."""
        advice = self._adviser.answer(view, request)
        unasked = self._gate.unasked(view, request, advice)
        self._gate.take_told()
        if unasked is not None:
            return unasked
        self._gate.answered(view, request, advice)
        return advice


def rules_of(changes: Sequence[str]) -> Rules:
    """Return the default rules with changes such as "fire-overwatch=never" or "stratagem=1.5"."""
    from viewer.input.settings import Rules

    rules = Rules()
    for change in changes:
        kind, equals, word = change.partition("=")
        if not equals:
            raise HordeError(f"'{change}' is no change of a rule; write KIND=RULE or KIND=THRESHOLD.")
        rules = rules.changed(kind, [word])
    return rules


def fought(seed: int, points: int, player: Agent[View]) -> Battle:
    """Return a battle of five rounds against the default Horde, played by this player."""
    from ai.agents import agent
    from datasheets.library import Library
    from engine.core.facts import HORDE
    from engine.core.play import play
    from engine.horde.setup import Options
    from engine.systems import new_game
    from engine.w40k.view import View

    library = Library()
    army = library.army(f"space-marines-{points}")
    game = new_game(Options((army,), ("death-guard",), points, rounds=5, seed=seed), library)
    play(game, {HORDE: agent("horde"), "p1": player}, View)
    return game
