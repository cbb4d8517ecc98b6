"""Whether a Horde unit charges, what, and how it moves in.

Owns AI.CHARGE.1 and the choice of the target. Paths are `ai.moving.move_planning`'s.
"""

from __future__ import annotations

from ai.moving.move_planning import into_contact, reach_of_charge, stand
from ai.reasons.clause import carries_out
from ai.reasons.condition import AIRCRAFT, BEYOND_CHARGE, LONG_ODDS, NO_MAJORITY, OUT_OF_REACH
from ai.reasons.inquiry import most, outcome
from ai.reasons.ranking import Entry, closest
from ai.reckoning.armament import good_fighters, is_charger
from engine.core.request import Because, Candidate, Choose, Chosen, Move, Moves
from engine.core.state import Unit
from engine.w40k.view import View
from geometry.measure.distance import within
from geometry.tolerance import TOLERANCE

EVEN = 7.0
"""How far two dice bring a charge in more than half of the cases, in inches."""


@carries_out("AI.CHARGE.1")
def declare_charge(view: View, request: Choose) -> Chosen:
    """Return what the unit charges; nothing if it is no charger or nothing can be reached.

    Rule: AI.CHARGE.1, R.A52 to R.A55
    """
    unit = view.unit(request.unit)
    better, models = good_fighters(view, unit), len(unit.rows)
    share = f"{better} of {models} models fight with better than a close combat weapon"
    if not is_charger(view, unit):
        failed = outcome("charge", NO_MAJORITY, better, most(models))
        return Chosen(ids=(), because=(_because(f"{share}: it does not charge.", failed),))
    targets = [option.id for option in request.options]
    forced: dict[str, tuple[str, ...]] = {}
    entries: list[Entry] = []
    for name in sorted(targets, key=lambda t: (view.gap(unit, view.unit(t)), t)):
        gap = view.gap(unit, view.unit(name))
        found = None
        if is_long(view, gap):
            entries.append(Entry(name, gap, LONG_ODDS, needed=view.parameters.engagement + EVEN))
        elif not any(e.failed == "" and e.distance < gap - TOLERANCE for e in entries):
            found = reachable_with(view, unit, name, targets)
            entries.append(Entry(name, gap, "" if found else OUT_OF_REACH))
        else:
            entries.append(Entry(name, gap))
        forced[name] = found or (name,)
    ranked = closest(view, entries, f"charge/{unit.id}")
    if not ranked.chosen:
        reason = f'{share}, but no enemy can be reached along a legal path of 12".'
        return Chosen(ids=(), because=(_because(reason, *ranked.candidates, *_too_far(view, unit, targets)),))
    name = view.unit(ranked.chosen).name
    reason = f'{share}; {name} is the closest that can be reached, {ranked.distance:.2f}" away.'
    because = Because(
        clause="AI.CHARGE.1",
        reason=reason,
        target=ranked.chosen,
        candidates=(
            *ranked.candidates,
            *_too_far(view, unit, targets),
        ),
        ruling="ai.charge.table",
    )
    return Chosen(ids=forced[ranked.chosen], because=(because,))


def _because(reason: str, *candidates: Candidate) -> Because:
    return Because(clause="AI.CHARGE.1", reason=reason, candidates=candidates)


def _too_far(view: View, unit: Unit, targets: list[str]) -> tuple[Candidate, ...]:
    """Return the enemies at which no charge may be declared, the closest first."""
    reach = view.parameters.charge_range
    far = sorted((view.gap(unit, foe), foe.id) for foe in view.enemies(unit) if foe.id not in targets)
    return tuple(
        Candidate(id=name, distance=round(gap, 4), failed=AIRCRAFT)
        if within(gap, reach)
        else Candidate(id=name, distance=round(gap, 4), failed=BEYOND_CHARGE, needed=reach)
        for gap, name in far
    )


def is_long(view: View, gap: float) -> bool:
    """Return whether the odds are too long to declare a charge over this gap; by default never.

    Rule: R.A55
    """
    return view.ruling("ai.charge.odds") == "even" and not within(gap, view.parameters.engagement + EVEN)


def reachable_with(view: View, unit: Unit, target: str, others: list[str]) -> tuple[str, ...] | None:
    """Return the fewest targets to declare so that this one can be reached within 12".

    None where the whole unit has no legal move there with the longest charge. Rule: R.A53, R.A54
    """
    if _can_end(view, unit, (target,)):
        return (target,)
    if view.ruling("ai.charge.forced_targets") == "never":
        return None
    foe = view.unit(target)
    wide = max(view.model(row).facts.base.base().radius for row in unit.rows)
    reach = 2 * (view.parameters.engagement + 2 * wide)
    near = [t for t in others if t != target and within(view.gap(foe, view.unit(t)), reach)]
    near.sort(key=lambda t: (view.gap(foe, view.unit(t)), t))
    found = reach_of_charge(view, unit, target, tuple(near)) if near else None
    if found is not None and len(found) > 2:
        fewer = [reach_of_charge(view, unit, target, (t,)) for t in found if t != target]
        found = next((named for named in fewer if named is not None), found)
    return found if found is not None and _can_end(view, unit, found) else None


def _can_end(view: View, unit: Unit, targets: tuple[str, ...]) -> bool:
    """Return whether the longest charge at these targets has a legal move."""
    limits = dict.fromkeys(unit.rows, view.parameters.charge_range)
    return view.remembered(
        ("longest charge", unit.id, targets, unit.rows),
        lambda: into_contact(view, unit, "charge", limits, targets, is_first=True) is not None,
    )


@carries_out("AI.CHARGE.1")
def charge_move(view: View, request: Move) -> Moves:
    """Return the charge move into contact with its targets; none where the roll is too low."""
    unit = view.unit(request.unit)
    plan = into_contact(view, unit, "charge", request.limits, request.targets)
    names = " and ".join(view.unit(t).name for t in request.targets)
    far = max(request.limits.values(), default=0.0)
    if plan is None:
        reason = f'{names} cannot be reached with {far:g}": the charge fails.'
        because = _because(reason, *_with(view, unit, request.targets, OUT_OF_REACH, far))
        return Moves(paths=stand(view, unit).paths, because=(because,))
    because = Because(
        clause="AI.CHARGE.1",
        reason=f'It charges {names} with {far:g}".',
        target=request.targets[0],
        candidates=_with(view, unit, request.targets, "", far),
    )
    return Moves(paths=plan.paths, because=(because,))


def _with(view: View, unit: Unit, targets: tuple[str, ...], failed: str, far: float) -> tuple[Candidate, ...]:
    """Return the targets of a charge, each with its distance and how far the charge goes."""
    gaps = {name: round(view.gap(unit, view.unit(name)), 4) for name in targets}
    return tuple(
        Candidate(id=name, distance=gap, failed=failed, measured=gap, needed=far)
        for name, gap in gaps.items()
    )
