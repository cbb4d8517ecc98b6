"""In which order a unit's models take wounds, as a sensible owner would have it.

Owns the order only; which models may be chosen at all is the engine's.
"""

from __future__ import annotations

from engine.core.request import Because, Order, Ordered
from engine.core.state import Unit
from engine.w40k.activation.amount import mean, mean_strength
from engine.w40k.view import View
from geometry.portable import sum_of


def allocate(view: View, request: Order) -> Ordered:
    """Return the models with the wounded ones first, then those whose weapons are worth least."""
    unit = view.unit(request.unit) if request.unit else None
    ids = [item.id for item in request.items]
    if unit is None or not all(one.lstrip("-").isdigit() for one in ids):
        return Ordered(ids=tuple(ids))
    order = tuple(sorted(ids, key=lambda one: _worth(view, unit, int(one))))
    reason = "The wounded go first, then models without special weapons; leaders last."
    return Ordered(ids=order, because=(Because(clause="CORE.ATK.2", reason=reason),))


def _worth(view: View, unit: Unit, row: int) -> tuple[bool, bool, float, int]:
    model = view.model(row)
    facts = model.facts
    leads = "CHARACTER" in unit.facts.parts[facts.part].keywords
    whole = model.wounds >= facts.characteristics.get("W", 1)
    force = sum_of(
        mean(w.attacks) * mean(w.damage) * (mean_strength(w.strength) - w.ap)
        for w in (unit.weapon(i) for i in facts.weapons)
    )
    return leads, whole, force, row
