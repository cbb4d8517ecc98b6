"""On what the Horde uses an ability, and when, where the ability's text leaves it open.

Owns one rule for each kind of choice. What a unit then moves to or rolls again is decided where every move
and roll is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ai.reasons.clause import carries_out
from ai.reasons.condition import LACKS_LESS, NOT_DRAWN, NOTHING_TO_GAIN, UNDER_IT
from ai.reasons.ranking import Entry, Ranked, closest
from engine.core.request import Because, Candidate, Choose, Chosen
from engine.core.state import Unit
from engine.w40k.view import View

ONCE = "battle"
"""The limit of an ability that its bearer has once."""


@carries_out("AI.0")
def use(view: View, request: Choose) -> Chosen:
    """Return what an ability is used on, as many as may be. Rule: R.A120, R.A122"""
    names = [option.id for option in request.options]
    known = view.field.position.units
    units = {name: known[name] for name in names if name in known}
    bearer = known.get(request.unit)
    if bearer is None:
        return at_random(view, request)
    if names == [bearer.id]:
        return _by_itself(view, request, bearer)
    if len(units) == len(names):
        own_side = all(unit.side == bearer.side for unit in units.values())
        look = _neediest if own_side else _closest_enemy
        return _taken(view, request, lambda left, salt: look(view, request, bearer, left, salt))
    if all(name in view.objectives for name in names):
        return _taken(view, request, lambda left, salt: _closest_marker(view, bearer, left, salt))
    return at_random(view, request)


def at_random(view: View, request: Choose) -> Chosen:
    """Return a choice of mode at random, as many options as may be. Rule: AI.0, R.A87"""
    left = [option.id for option in request.options]
    chosen = []
    for i in range(_count(request)):
        chosen.append(left.pop(view.index(len(left), "ai.mode", f"{request.decision}/{i}")))
    drawn = [Candidate(id=id_) for id_ in chosen]
    others = [Candidate(id=id_, failed=NOT_DRAWN) for id_ in left]
    because = Because(
        clause="AI.0",
        reason="Drawn at random among the options.",
        candidates=(*drawn, *others),
        ruling="R.A87",
    )
    return Chosen(ids=tuple(chosen), because=(because,))


def _count(request: Choose) -> int:
    """Return how many of the options the Horde takes: as many as it may. Rule: R.A122"""
    return min(request.maximum, len(request.options))


def _taken(view: View, request: Choose, look: Callable[[list[str], str], tuple[Ranked, Because]]) -> Chosen:
    """Return the best options, one after another, and why each was taken."""
    left = [option.id for option in request.options]
    taken, because = [], []
    for i in range(_count(request)):
        ranked, why = look(left, f"ability/{request.rule}/{request.unit}/{i}")
        taken.append(ranked.chosen)
        because.append(why)
        left.remove(ranked.chosen)
    return Chosen(ids=tuple(taken), because=tuple(because))


def _by_itself(view: View, request: Choose, bearer: Unit) -> Chosen:
    """Return the bearer, unless it saves what it has once a battle. Rule: R.A124"""
    saved = not request.minimum and view.limit_of(request.rule) == ONCE and not _takes_part(view, bearer)
    failed = NOTHING_TO_GAIN if saved else ""
    because = Because(
        clause="AI.0",
        reason="It is saved until its bearer takes part in a phase."
        if saved
        else "Abilities are used whenever they can be.",
        candidates=(Candidate(id=bearer.id, failed=failed),),
        ruling="R.A124" if saved else "R.A120",
    )
    return Chosen(ids=() if saved else (bearer.id,), because=(because,))


def _takes_part(view: View, bearer: Unit) -> bool:
    """Return whether a unit is in combat, or in sight where shots may come. Rule: R.A124"""
    if view.is_engaged(bearer):
        return True
    seen = view.phase in ("command", "shooting")
    return seen and any(bool(view.visible(bearer, enemy).any()) for enemy in view.enemies(bearer))


def _gap(view: View, bearer: Unit, other: Unit) -> float:
    """Return how far a unit is from the bearer; infinite where one is off the battlefield."""
    apart = bearer.where != "table" or other.where != "table"
    return float("inf") if apart else view.gap(bearer, other)


def _closest_enemy(
    view: View, request: Choose, bearer: Unit, names: Sequence[str], salt: str
) -> tuple[Ranked, Because]:
    """Return the closest enemy that is not under the ability, else of all. Rule: R.A121"""
    foes = [view.unit(name) for name in names]
    under = {foe.id for foe in foes if view.is_under(foe, request.rule)}
    spare = under if len(under) < len(foes) else set()
    entries = [Entry(foe.id, _gap(view, bearer, foe), UNDER_IT if foe.id in spare else "") for foe in foes]
    ranked = closest(view, entries, salt)
    return ranked, _because("It is the closest enemy that it may be used on.", ranked, "R.A121")


def _neediest(
    view: View, request: Choose, bearer: Unit, names: Sequence[str], salt: str
) -> tuple[Ranked, Because]:
    """Return the friend that has lost the most wounds, then the closest. Rule: R.A123"""
    friends = [view.unit(name) for name in names]
    lost = {friend.id: _lost(view, friend) for friend in friends}
    most = max(lost.values())
    entries = []
    for friend in friends:
        less = (LACKS_LESS, lost[friend.id], most) if lost[friend.id] < most else ()
        entries.append(Entry(friend.id, _gap(view, bearer, friend), *less))
    ranked = closest(view, entries, salt)
    return ranked, _because(f"It has lost the most wounds, {most}.", ranked, "R.A123")


def _lost(view: View, unit: Unit) -> int:
    """Return how many wounds a unit has lost, those of its destroyed models among them."""
    lost = 0
    for model in unit.facts.models:
        lost += model.characteristics.get("W", 1)
    for row in unit.rows:
        lost -= view.wounds(row)
    return lost


def _closest_marker(view: View, bearer: Unit, names: Sequence[str], salt: str) -> tuple[Ranked, Because]:
    """Return the objective marker closest to the bearer. Rule: R.A125"""
    on_table = bearer.where == "table"
    entries = [
        Entry(
            name, view.field.closest_to_objective(bearer, view.objectives[name]) if on_table else float("inf")
        )
        for name in names
    ]
    ranked = closest(view, entries, salt)
    return ranked, _because("It is the closest objective marker.", ranked, "R.A125")


def _because(reason: str, ranked: Ranked, ruling: str) -> Because:
    return Because(
        clause="AI.0",
        reason=reason,
        target=ranked.chosen,
        candidates=ranked.candidates,
        ruling=ruling,
    )
