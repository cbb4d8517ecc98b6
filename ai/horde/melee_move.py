"""How a Horde unit piles in and consolidates.

Owns AI.FIGHT.2. Paths are `ai.moving.move_planning`'s.
"""

from __future__ import annotations

from ai.moving.move_planning import close_in, into_combat, stand, to_marker
from ai.reasons.clause import carries_out
from ai.reasons.condition import FARTHER, NO_GAIN, NO_WAY, OUT_OF_REACH, TIE_LOST
from ai.reasons.inquiry import Inquiry, outcome
from engine.core.request import Because, Candidate, Move, Moves
from engine.core.state import Unit
from engine.w40k.ground.aircraft import opponents
from engine.w40k.view import View
from geometry.measure.distance import within
from geometry.tolerance import TOLERANCE


def pile_in(view: View, request: Move) -> Moves:
    """Return the pile-in, always as far as it may go; by a ruling none. Rule: CORE.FGT.4, R.A62"""
    unit = view.unit(request.unit)
    never = view.ruling("ai.fight.pile_in") == "never"
    first = drawn(view, unit)
    plan = None if never else close_in(view, unit, "pile-in", request.limits, first)
    if plan is None or not plan.moves:
        near = outcome("pile-in", NO_GAIN)
        return _stays(view, request, "No model can get closer to its closest enemy.", "CORE.FGT.4", near)
    count = len(plan.paths)
    who = (
        "1 model closes up on its closest enemy"
        if count == 1
        else f"{count} models close up on their closest enemies"
    )
    reason = f"{who}."
    enemies = _enemies(view, unit, tuple(plan.paths), first=first)
    because = Because(clause="CORE.FGT.4", reason=reason, candidates=enemies, ruling="R.A62")
    return Moves(paths=plan.paths, because=(because,))


@carries_out("AI.FIGHT.2")
def consolidate(view: View, request: Move) -> Moves:
    """Return the consolidation into engagement range of an enemy, else onto a marker.

    Rule: AI.FIGHT.2, R.A61
    """
    unit = view.unit(request.unit)
    first = drawn(view, unit)
    plan = into_combat(view, request, first)
    if plan is not None and plan.moves:
        reason = "It consolidates toward the closest enemy, within engagement range."
        enemies = _enemies(view, unit, tuple(plan.paths), first=first)
        because = Because(clause="AI.FIGHT.2", reason=reason, candidates=enemies, ruling="R.A61")
        return Moves(paths=plan.paths, because=(because,))
    reason = "Neither an enemy nor a marker can be reached, or it is already as close as it can be."
    if plan is not None:
        return _stays(view, request, reason, "AI.FIGHT.2", outcome("consolidate", NO_GAIN))
    asked = Inquiry()
    far = max(request.limits.values(), default=0.0)
    asked.rejected("AI.FIGHT.2", _enemies(view, unit, (), far=far))
    found = to_marker(view, unit, request.limits)
    if found is None or not found[1].moves:
        asked.rejected("AI.FIGHT.2", _markers(view, unit, "", NO_GAIN if found else NO_WAY))
        near = outcome("consolidate", NO_GAIN if found else NO_WAY)
        return _stays(view, request, reason, "AI.FIGHT.2", near, asked.passed)
    marker, plan = found
    because = Because(
        clause="AI.FIGHT.2",
        reason=f"No enemy can be reached; it consolidates toward {marker}.",
        target=marker,
        candidates=_markers(view, unit, marker),
        ruling="R.A61",
    )
    return Moves(paths=plan.paths, because=(because,), passed=asked.passed)


def drawn(view: View, unit: Unit) -> tuple[str, ...]:
    """Return the enemies that tie as the closest to a model, in an order that is drawn.

    Rule: R.A06
    """
    apart = {enemy.id: view.gaps(unit, enemy).min(axis=1) for enemy in opponents(view.field, unit)}
    left: list[str] = []
    for i in range(len(unit.rows) if len(apart) > 1 else 0):
        least = min(float(each[i]) for each in apart.values())
        equal = [name for name, each in apart.items() if each[i] <= least + TOLERANCE]
        left += equal if len(equal) > 1 else []
    left = sorted(dict.fromkeys(left))
    order: list[str] = []
    while len(left) > 1:
        order.append(view.one_of(left, f"close-in/{unit.id}/{len(order)}"))
        left.remove(order[-1])
    return (*order, *left)


def _enemies(
    view: View,
    unit: Unit,
    moving: tuple[int, ...],
    first: tuple[str, ...] = (),
    far: float | None = None,
) -> tuple[Candidate, ...]:
    """Return the enemies in order: chosen are those that are the closest to a model that moves.

    Of equally close ones it is the `first`. Distances are those of the models that move. With `far`, the
    inches that it may go, none can be reached, and all models are measured.
    """
    own = [unit.rows.index(row) for row in moving or unit.rows]
    apart = {enemy.id: view.gaps(unit, enemy)[own].min(axis=1) for enemy in opponents(view.field, unit)}
    movers = range(len(own)) if moving and apart else ()
    ids = sorted(apart, key=lambda name: (first.index(name) if name in first else len(first), name))
    closest = {min(ids, key=lambda name: round(float(apart[name][i]), 6)) for i in movers}
    order = sorted(apart, key=lambda name: (name not in closest, round(float(apart[name].min()), 6), name))
    failed = dict.fromkeys(first, TIE_LOST) if far is None else {}
    otherwise = FARTHER if far is None else OUT_OF_REACH
    return tuple(
        Candidate(
            id=name,
            distance=round(float(apart[name].min()), 4),
            failed="" if name in closest else failed.get(name, otherwise),
            needed=far,
        )
        for name in order
    )


def _markers(view: View, unit: Unit, chosen: str, nearest: str = "") -> tuple[Candidate, ...]:
    """Return the objective markers in order; the closest is chosen, or fails as `nearest` says."""
    apart = {i: round(view.field.closest_to_objective(unit, m), 6) for i, m in view.objectives.items()}
    order = sorted(apart, key=lambda name: (apart[name], name != chosen, name))
    tied = TIE_LOST if chosen else nearest
    failed = {name: tied if within(apart[name], apart[order[0]]) else FARTHER for name in order}
    return tuple(
        Candidate(
            id=name,
            distance=round(apart[name], 4),
            failed="" if name == chosen else failed[name],
        )
        for name in order
    )


def _stays(
    view: View,
    request: Move,
    reason: str,
    clause: str,
    near: Candidate,
    passed: tuple[Because, ...] = (),
) -> Moves:
    plan = stand(view, view.unit(request.unit))
    because = Because(clause=clause, reason=reason, target=request.unit, candidates=(near,))
    return Moves(paths=plan.paths, because=(because,), passed=passed)
