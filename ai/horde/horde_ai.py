"""The Horde: answers every request by the clause that settles it.

Owns which function answers what; each of them carries out its own clause.
"""

from __future__ import annotations

from ai.horde.ability import at_random, use
from ai.horde.boarding import crew, disembark, stay_out
from ai.horde.charge import charge_move, declare_charge
from ai.horde.fight import fight
from ai.horde.melee_move import consolidate, pile_in
from ai.horde.movement import choose_move, move
from ai.horde.precision import weakest_leader
from ai.horde.search import flagged
from ai.horde.setting_up import beside_another, come_back, deep_strike, spawn
from ai.horde.shoot import shoot, sole_target
from ai.horde.turn import next_unit
from ai.reasons.clause import carries_out
from ai.reckoning.allocation import allocate
from ai.reckoning.reroll import falls_short
from engine.core.request import (
    BESIDE,
    RETURN,
    AnyAnswer,
    AnyRequest,
    Because,
    Choose,
    Chosen,
    Move,
    Moves,
    Order,
    Place,
    Places,
    Said,
    Split,
    YesNo,
)
from engine.w40k.view import View

OPEN = ("spawn-zone", "spawn-unit")
"""What the rules leave open to the Horde, asked where there is a Game Master. Rule: ARMY.8"""


class HordeAgent:
    """The Horde AI, as the rules of Horde Mode write it."""

    name = "horde"

    def answer(self, view: View, request: AnyRequest) -> AnyAnswer:
        """Return what the Horde does, with its reasons."""
        before = view.broken_off
        answer = _answer(view, request)
        return answer if view.broken_off == before else flagged(view, answer)


def _answer(view: View, request: AnyRequest) -> AnyAnswer:
    if isinstance(request, Choose):
        return _choose(view, request)
    if isinstance(request, Move):
        return _move(view, request)
    if isinstance(request, Split):
        return fight(view, request) if request.melee else shoot(view, request)
    if isinstance(request, Place):
        return _place(view, request)
    if isinstance(request, Order):
        return allocate(view, request)
    return _uses_ability(request)


def _choose(view: View, request: Choose) -> Chosen:
    if request.decision == "next-unit":
        return next_unit(view, request)
    if request.decision == "move":
        return choose_move(view, request)
    if request.decision == "charge":
        return declare_charge(view, request)
    if request.decision == "firing-deck":
        return crew(view, request)
    if request.decision == "precision":
        return weakest_leader(view, request)
    if request.decision == "embark":
        return stay_out()
    if request.decision == "sole-target":
        return sole_target(view, request)
    if request.decision in OPEN:
        return _as_rolled(request)
    if request.decision == "target":
        return use(view, request)
    return at_random(view, request)


def _as_rolled(request: Choose) -> Chosen:
    """Return the first option: zones in order, units as rolled."""
    because = Because(clause=request.rule, reason="Nothing else is wanted.")
    return Chosen(ids=(request.options[0].id,), because=(because,))


@carries_out("AI.0")
def _uses_ability(request: YesNo) -> Said:
    """Return yes: every ability is used at its proper time. Rule: AI.0, R.A102"""
    if request.decision == "reroll" and not falls_short(request):
        why = Because(clause="AI.0", reason=f"A roll of {request.rolled} is good enough.", ruling="R.A102")
        return Said(yes=False, because=(why,))
    return Said(
        yes=True, because=(Because(clause="AI.0", reason="Abilities are used whenever they can be."),)
    )


def _move(view: View, request: Move) -> Moves:
    if request.kind == "charge":
        return charge_move(view, request)
    if request.kind == "pile-in":
        return pile_in(view, request)
    if request.kind == "consolidate":
        return consolidate(view, request)
    return move(view, request)


def _place(view: View, request: Place) -> Places:
    if request.decision == "disembark":
        return disembark(view, request)
    if request.kind == RETURN:
        return come_back(view, request)
    if request.kind == BESIDE:
        return beside_another(view, request)
    if request.near or request.kind in ("deep-strike", "reserves"):
        return deep_strike(view, request)
    return spawn(view, request)
