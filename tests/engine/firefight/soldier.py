"""An agent for Firefight that goes near the enemy, shoots, charges and strikes back."""

from __future__ import annotations

from ai.moving.move_planning import Plan, close_in, into_contact, stand, to_point
from ai.moving.placement import anywhere
from ai.moving.retreat import away
from engine.core.request import (
    AnyAnswer,
    AnyRequest,
    Choose,
    Chosen,
    Move,
    Moves,
    Order,
    Ordered,
    Place,
    Places,
    Said,
)
from engine.w40k.view import View


class Soldier:
    """An agent that plays a seat of a skirmish."""

    name = "soldier"

    def answer(self, view: View, request: AnyRequest) -> AnyAnswer:
        """Return a legal answer."""
        if isinstance(request, Choose):
            ids = [option.id for option in request.options]
            if request.decision == "action":
                return Chosen(ids=("charge" if "charge" in ids else "advance",))
            return Chosen(ids=tuple(ids[: request.maximum]))
        if isinstance(request, Move):
            return Moves(paths=(_move(view, request) or stand(view, view.unit(request.unit))).paths)
        if isinstance(request, Place):
            width, depth = view.board.size
            return Places(poses=anywhere(view, request, (width / 2, depth / 2)) or {})
        if isinstance(request, Order):
            return Ordered(ids=tuple(item.id for item in request.items))
        return Said(yes=True)


def _move(view: View, request: Move) -> Plan | None:
    unit = view.unit(request.unit)
    if request.kind == "charge":
        return into_contact(view, unit, "charge", request.limits, request.targets)
    if request.kind == "pile-in":
        return close_in(view, unit, request.kind, request.limits)
    if request.kind == "fall-back":
        return away(view, unit, request.limits)
    enemies = view.enemies(unit)
    if not enemies:
        return None
    prey = min(enemies, key=lambda each: view.gap(unit, each))
    return to_point(view, unit, request.kind, request.limits, view.at(prey.rows[0]))
