"""The autopilot "steady": a sensible player that never gambles more than it must.

Owns which function answers which request.
"""

from __future__ import annotations

from msgspec import structs

from ai.autopilot import army, stratagem
from ai.autopilot.charge_choice import charge_move, declare_charge
from ai.autopilot.deployment import arrive, battlefield_or_reserves, deploy, reinforce
from ai.autopilot.move_choice import choose_move, move
from ai.autopilot.resupply import act, choose_among, place_marker, purchase
from ai.autopilot.secret import keep
from ai.autopilot.target_choice import declare, sole_target
from ai.horde.boarding import crew, disembark, stay_out
from ai.horde.melee_move import consolidate, pile_in
from ai.horde.setting_up import beside_another, come_back
from ai.moving.move_planning import may_end
from ai.moving.placement import anywhere, beside
from ai.moving.surging import surge
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
)
from engine.w40k.view import View


class SteadyAgent:
    """A player of the team that holds markers, and shoots and charges where that pays."""

    name = "steady"

    def answer(self, view: View, request: AnyRequest) -> AnyAnswer:
        """Return the answer; its reasons name the request's clause in place of the Horde's."""
        answer = _answer(view, request)
        because = tuple(_as_own(why, request) for why in answer.because)
        passed = tuple(_as_own(why, request) for why in answer.passed)
        return structs.replace(answer, because=because, passed=passed)


def _as_own(why: Because, request: AnyRequest) -> Because:
    """Return a reason with the request's clause in place of one of the Horde's."""
    return structs.replace(why, clause=request.rule, ruling="") if why.clause.startswith("AI.") else why


def _answer(view: View, request: AnyRequest) -> AnyAnswer:
    if isinstance(request, Choose):
        return _choose(view, request)
    if isinstance(request, Move):
        return _move(view, request)
    if isinstance(request, Split):
        return declare(view, request)
    if isinstance(request, Place):
        return _place(view, request)
    if isinstance(request, Order):
        return allocate(view, request)
    return Said(yes=request.decision != "reroll" or falls_short(request))


def _choose(view: View, request: Choose) -> Chosen:
    answers = {
        "next-unit": _next_unit,
        "move": choose_move,
        "charge": declare_charge,
        "deploy": battlefield_or_reserves,
        "reinforce": reinforce,
        "purchase": purchase,
        "action": act,
        "stratagem": stratagem.use,
        "firing-deck": crew,
        "sole-target": sole_target,
    }
    if request.decision == "target" and request.rule in army.CHOICES:
        return army.CHOICES[request.rule](view, request)
    if request.decision == "target" and request.rule in stratagem.VALUES:
        return stratagem.pick(view, request)
    if request.decision == "keep-secret":
        return keep(request)
    if request.decision == "embark":
        return stay_out()
    if request.decision == "teleport":
        return Chosen(ids=())
    return answers.get(request.decision, choose_among)(view, request)


def _move(view: View, request: Move) -> Moves:
    moves = _moved(view, request)
    return moves if may_end(view, request, moves) else Moves()


def _moved(view: View, request: Move) -> Moves:
    if request.kind == "charge":
        return charge_move(view, request)
    if request.kind == "pile-in":
        return pile_in(view, request)
    if request.kind == "consolidate":
        return consolidate(view, request)
    if request.kind == "surge":
        return surge(view, request)
    return move(view, request)


def _next_unit(view: View, request: Choose) -> Chosen:
    """Return the unit nearest to an enemy."""
    offered = {option.id for option in request.options}
    own = [unit for unit in view.units("players") if unit.id in offered]
    enemies = view.enemies(own[0])
    nearest = {unit.id: view.closest_gap(unit, enemies) for unit in own}
    return Chosen(ids=(min(nearest, key=lambda name: (nearest[name], name)),))


def _place(view: View, request: Place) -> Places:
    if request.rows == (-1,):
        return place_marker(view, request)
    if request.decision == "disembark":
        return disembark(view, request)
    if request.decision == "teleport":
        return Places(poses=beside(view, request) or {})
    if request.kind == RETURN:
        return come_back(view, request)
    if request.kind == BESIDE:
        return beside_another(view, request)
    if request.toward is not None:
        return Places(poses=anywhere(view, request, request.toward) or {})
    if request.kind == "deploy":
        return deploy(view, request)
    return arrive(view, request)
