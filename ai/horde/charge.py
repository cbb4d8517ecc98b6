"""Whether a Horde unit charges, what, and how it moves in.

Owns AI.CHARGE.1 and the choice of the target. Paths are `ai.plan`'s.
"""

from __future__ import annotations

from ai.armament import fights_well, is_charger
from ai.clause import carries_out
from ai.expectation import models_of
from ai.plan import into_contact, reach_of_charge, stand
from ai.ranking import Entry, closest
from engine.request import Because, Choose, Chosen, Move, Moves
from engine.state import Unit
from engine.view import View
from geometry.gap import within


@carries_out("AI.CHARGE.1")
def declare_charge(view: View, request: Choose) -> Chosen:
    """Return what the unit charges; nothing if it is no charger or nothing can be reached.

    Rule: AI.CHARGE.1, R.A52 to R.A55
    """
    unit = view.unit(request.unit)
    models = models_of(unit)
    better = sum(fights_well(view, unit, model) for model in models)
    share = f"{better} of {len(models)} models fight with better than a close combat weapon"
    if not is_charger(view, unit):
        return Chosen(ids=(), because=(_because(f"{share}: it does not charge."),))
    targets = [option.id for option in request.options]
    forced: dict[str, tuple[str, ...]] = {}
    entries: list[Entry] = []
    for name in sorted(targets, key=lambda t: (view.gap(unit, view.unit(t)), t)):
        gap = view.gap(unit, view.unit(name))
        found = None
        if not any(e.failed == "" and e.distance < gap - 1e-6 for e in entries):
            found = reachable_with(view, unit, name, targets)
            entries.append(Entry(name, gap, "" if found else "out-of-reach"))
        else:
            entries.append(Entry(name, gap))
        forced[name] = found or (name,)
    ranked = closest(view, entries, f"charge/{unit.id}")
    if not ranked.chosen:
        reason = f'{share}, but no enemy can be reached along a legal path of 12".'
        return Chosen(
            ids=(), because=(Because(clause="AI.CHARGE.1", reason=reason, candidates=ranked.candidates),)
        )
    name = view.unit(ranked.chosen).name
    reason = f'{share}; {name} is the closest that can be reached, {ranked.distance:.2f}" away.'
    because = Because(
        clause="AI.CHARGE.1",
        reason=reason,
        target=ranked.chosen,
        candidates=ranked.candidates,
        ruling="ai.charge.table",
    )
    return Chosen(ids=forced[ranked.chosen], because=(because,))


def _because(reason: str) -> Because:
    return Because(clause="AI.CHARGE.1", reason=reason)


def reachable_with(view: View, unit: Unit, target: str, others: list[str]) -> tuple[str, ...] | None:
    """Return the targets to declare so that this one can be reached within 12", as few as possible.

    None where it cannot. Rule: R.A53, R.A54
    """
    if reach_of_charge(view, unit, target, ()) is not None:
        return (target,)
    foe = view.unit(target)
    wide = max(view.model(row).facts.base.base().radius for row in unit.rows)
    reach = 2 * (view.knobs.engagement + 2 * wide)
    near = [t for t in others if t != target and within(view.gap(foe, view.unit(t)), reach)]
    near.sort(key=lambda t: (view.gap(foe, view.unit(t)), t))
    found = reach_of_charge(view, unit, target, tuple(near)) if near else None
    if found is not None and len(found) > 2:
        fewer = [reach_of_charge(view, unit, target, (t,)) for t in found if t != target]
        found = next((named for named in fewer if named is not None), found)
    return found


@carries_out("AI.CHARGE.1")
def charge_move(view: View, request: Move) -> Moves:
    """Return the charge move into contact with the targets declared, none where the roll is too low."""
    unit = view.unit(request.unit)
    plan = into_contact(view, unit, "charge", request.limits, request.targets)
    names = " and ".join(view.unit(t).name for t in request.targets)
    far = max(request.limits.values(), default=0.0)
    if plan is None:
        because = _because(f'{names} cannot be reached with {far:g}": the charge fails.')
        return Moves(paths=stand(view, unit).paths, because=(because,))
    because = Because(
        clause="AI.CHARGE.1", reason=f'It charges {names} with {far:g}".', target=request.targets[0]
    )
    return Moves(paths=plan.paths, because=(because,))
