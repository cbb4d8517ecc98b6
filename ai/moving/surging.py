"""A legal surge of a unit: the move out of turn that ends as close as possible to one enemy.

What is asked of its end is `engine.w40k.legality.move_check`'s.
"""

from __future__ import annotations

from collections.abc import Iterator

from ai.moving.move_planning import Plan, into_contact, stand, toward
from engine.core.request import Because, Move, Moves
from engine.w40k.view import View


def surge(view: View, request: Move) -> Moves:
    """Return the surge of a seat's unit, with its reason."""
    plan, target = closest_approach(view, request), view.unit(request.targets[0])
    told = "It makes for" if plan.moves else "It cannot get closer to"
    because = Because(
        clause=request.rule, reason=f"{told} {target.name}, the closest enemy.", target=target.id
    )
    return Moves(paths=plan.paths, because=(because,))


def closest_approach(view: View, request: Move) -> Plan:
    """Return the surge into contact, else that toward the target, else the best plain one."""
    legal = (p for p in _tried(view, request) if not view.faults(request, Moves(paths=p.paths)))
    return next(legal, stand(view, view.unit(request.unit)))


def _tried(view: View, request: Move) -> Iterator[Plan]:
    unit, kind, limits = view.unit(request.unit), request.kind, request.limits
    contact = into_contact(view, unit, kind, limits, request.targets)
    if contact is not None:
        yield contact
    ground = view.ground(unit, kind, request.targets)
    yield toward(view, unit, kind, limits, view.bases(view.unit(request.targets[0])), 0.0, ground)
    paths = view.plain_approach(request)
    yield Plan(paths, view.bases_after(unit, paths), nearer=bool(paths))
