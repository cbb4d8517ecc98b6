"""What the autopilot chooses for its army: the enemy of its oath, and the Doctrine.

Owns the choices that the rules of an army ask for in the Command phase, each by its clause.
"""

from __future__ import annotations

from collections.abc import Callable

from ai.autopilot.appraisal import Appraisal, Gun, charge_chance
from ai.autopilot.charge_choice import charge_value
from engine.core.request import Because, Choose, Chosen
from engine.core.state import Unit
from engine.w40k.view import View
from geometry.measure.distance import within
from geometry.portable import sum_of

OATH = "ARMY.10.oath-of-moment"
DOCTRINES = "ARMY.10.combat-doctrines"
STRATEGY = "ARMY.10.adaptive-strategy"
SWORN = 0.6
"""How much more damage the army deals to the enemy of its oath, as a share."""
SPARE = SWORN / (1 + SWORN)
"""The most that the oath can win, as a share of what the enemy is worth.

It wins that where the damage with the oath is just enough to destroy the enemy.
"""
LITTLE = 1e-5
"""A difference in points that is larger than any error of rounding."""
HIDDEN = 0.4
"""How much of a unit's fire counts where it does not see the enemy now."""

STRIDE = 3.5
"""How many inches an Advance adds to a move on average."""
WORTHWHILE = 10.0
"""The least that a Doctrine must win, in points, to be spent before the last rounds."""


def oath(view: View, request: Choose) -> Chosen:
    """Return the enemy against which the oath wins the most points this turn."""
    values = Appraisal(view)
    standing = {unit.id: unit for unit in view.units("horde")}
    urgent = {name: values.urgency(standing[name]) for name in _ids(request) if name in standing}
    most = {name: SPARE * values.worth(standing[name]) * urgency for name, urgency in urgent.items()}
    worth = dict.fromkeys(_ids(request), 0.0)
    for name in sorted(urgent, key=lambda name: -most[name]):
        # This enemy and those after it have too few points left to exceed the best.
        if most[name] < max(worth.values()) - LITTLE:
            break
        worth[name] = _sworn(values, standing[name]) * urgent[name]
    best = max(worth, key=lambda name: (round(worth[name], 6), name))
    told = f"The army may take {worth[best]:.0f} points more of it this turn."
    return Chosen(ids=(best,), because=(Because(clause=request.rule, reason=told, target=best),))


def _ids(request: Choose) -> list[str]:
    return [option.id for option in request.options]


def _sworn(values: Appraisal, enemy: Unit) -> float:
    """Return the mean points that the oath adds to what the army takes from an enemy.

    Damage beyond the enemy's last wound adds nothing.
    """
    dealt = sum_of(
        _dealt(values, unit, enemy) for unit in values.view.units("players") if _is_own(values, unit)
    )
    return values.trade(dealt * (1 + SWORN), enemy) - values.trade(dealt, enemy)


def _is_own(values: Appraisal, unit: Unit) -> bool:
    return unit.player == values.view.seat


def _dealt(values: Appraisal, unit: Unit, enemy: Unit) -> float:
    """Return the mean damage of a unit to an enemy this turn, by shots or in a fight.

    The larger of the two counts.
    """
    view, apart = values.view, values.view.gap(unit, enemy)
    stride = 0.0 if view.is_engaged(unit) else values.move_of(unit)
    shots = values.of_guns(
        unit,
        lambda gun: (
            values.damage(unit, gun.row, gun.weapon, enemy) if within(apart, gun.reach + stride) else 0.0
        ),
    )
    if shots and not view.visible(unit, enemy).any():
        shots *= HIDDEN
    chance = charge_chance(apart - stride - view.parameters.engagement)
    return max(shots, chance * values.melee(unit, enemy) if chance else 0.0)


def doctrine(view: View, request: Choose) -> Chosen:
    """Return the Doctrine under which the army wins most this turn; none if that is too little."""
    own = [unit for unit in view.units("players") if unit.player == view.seat]
    values = Appraisal(view)
    worth = {o.id: sum_of(doctrine_value(values, unit, o.id) for unit in own) for o in request.options}
    chosen = max(request.options, key=lambda o: (round(worth[o.id], 6), o.id))
    best = chosen.id
    spare = view.rounds is not None and view.rounds - view.round < len(request.options)
    if worth[best] <= (0.0 if spare else WORTHWHILE):
        return Chosen(ids=())
    told = f"{chosen.label}: under it the army wins {worth[best]:.0f} points more this turn."
    return Chosen(ids=(best,), because=(Because(clause=request.rule, reason=told),))


def doctrine_of_its_own(view: View, request: Choose) -> Chosen:
    """Return the best Doctrine for the unit on which Adaptive Strategy was just used."""
    values, unit = Appraisal(view), view.unit(request.unit)
    best = max(request.options, key=lambda o: (round(doctrine_value(values, unit, o.id), 6), o.id))
    return Chosen(ids=(best.id,))


def doctrines_left(now: str) -> list[str]:
    """Return the Doctrines other than this one."""
    return [name for name in ("devastator", "tactical", "assault") if name != now]


def doctrine_value(values: Appraisal, unit: Unit, name: str) -> float:
    """Return the points that a unit wins on average if a Doctrine is active for it this turn."""
    if not unit.has("ADEPTUS ASTARTES"):
        return 0.0
    if values.view.is_engaged(unit):
        return _retreat(values, unit) if name == "tactical" else 0.0
    if name == "devastator":
        return _shots(values, unit, STRIDE) - _shots(values, unit, 0.0)
    return max(_rush(values, unit), 0.0) if name == "assault" else 0.0


def _retreat(values: Appraisal, unit: Unit) -> float:
    """Return the points that a unit wins if it falls back and shoots in the same turn."""
    foes = values.view.field.engaged_with(unit)
    if unit.has("MONSTER") or unit.has("VEHICLE") or "battle-shocked" in unit.marks:
        return 0.0
    lost = sum_of(values.trade(values.melee(e, unit), unit) for e in foes)
    won = max((values.trade(values.melee(unit, e), e) for e in foes), default=0.0)
    return max(lost - won + _shots(values, unit, 0.0), 0.0)


def _rush(values: Appraisal, unit: Unit) -> float:
    """Return how much more a charge is worth after an Advance than after a Normal move.

    The worth of the shots that the unit gives up for it is taken off.
    """
    near = {e.id: values.view.gap(unit, e) - values.move_of(unit) for e in values.view.enemies(unit)}
    plain = max((charge_value(values, unit, values.view.unit(e), gap) for e, gap in near.items()), default=0)
    far = [charge_value(values, unit, values.view.unit(e), gap - STRIDE) for e, gap in near.items()]
    return max(far, default=0.0) - max(plain, 0.0) - _shots(values, unit, 0.0)


def _shots(values: Appraisal, unit: Unit, further: float) -> float:
    """Return the points that the unit's guns may take after a Normal move and `further` inches."""
    view, stride = values.view, values.move_of(unit) + further
    near = [(e, view.gap(unit, e), values.purse(e)) for e in view.enemies(unit)]

    def best(gun: Gun) -> float:
        shots = (
            purse.taken(values.damage(unit, gun.row, gun.weapon, e))
            for e, apart, purse in near
            if within(apart, gun.reach + stride)
        )
        return max(shots, default=0.0)

    return values.of_guns(unit, best)


CHOICES: dict[str, Callable[[View, Choose], Chosen]] = {
    OATH: oath,
    DOCTRINES: doctrine,
    STRATEGY: doctrine_of_its_own,
}
"""The function that answers what a rule of the army asks, by the rule's clause."""
