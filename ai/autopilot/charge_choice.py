"""What the autopilot charges: worthwhile fights within fair reach of the charge roll."""

from __future__ import annotations

from ai.autopilot.appraisal import Appraisal, charge_chance
from ai.moving.move_planning import into_contact, reach_of_charge, stand
from engine.core.request import Because, Choose, Chosen, Move, Moves
from engine.core.state import Unit
from engine.w40k.view import View

HOPELESS = 0.2
"""The least chance of the charge roll with which a charge is declared."""
AFTERMATH = 1.0
"""How often the enemy strikes back before the next chance to leave the fight."""
WORTHWHILE = 2.0
"""The least worth of a charge, in points."""
CLAUSE = "CORE.CHG.2"


def declare_charge(view: View, request: Choose) -> Chosen:
    """Return the one target whose fight takes more points than it costs, or none."""
    unit = view.unit(request.unit)
    values = Appraisal(view)
    options = [(charge_value(values, unit, view.unit(o.id)), o.id) for o in request.options]
    for value, name in sorted(options, key=lambda o: (-round(o[0], 6), o[1])):
        if value > WORTHWHILE and reach_of_charge(view, unit, name, ()) is not None:
            reason = f"The fight with {view.unit(name).name} is worth {value:.0f} points on average."
            return Chosen(ids=(name,), because=(Because(clause=CLAUSE, reason=reason, target=name),))
    return Chosen(ids=(), because=(Because(clause=CLAUSE, reason="No charge is worth it."),))


def charge_value(values: Appraisal, unit: Unit, enemy: Unit, apart: float | None = None) -> float:
    """Return the mean points that a charge at an enemy wins, less those that it costs.

    `apart` is the distance to the enemy in inches; where it is None, it is measured.
    """
    distance = values.view.gap(unit, enemy) if apart is None else apart
    chance = charge_chance(distance - values.view.parameters.engagement)
    if chance < HOPELESS:
        return 0.0
    key = ("fight", unit.id, enemy.id)
    fight, silenced = values.view.meanwhile(key, lambda: _fight(values, unit, enemy))
    return chance * (fight + _awaited(values, unit, enemy, distance) + silenced)


def _fight(values: Appraisal, unit: Unit, enemy: Unit) -> tuple[float, float]:
    """Return the net points of a fight, and what it is worth that the enemy's guns are tied up."""
    dealt = values.melee(unit, enemy)
    left = max(values.wounds_left(enemy) - dealt, 0.0) / max(values.wounds_left(enemy), 1)
    won = values.trade(dealt, enemy)
    lost = AFTERMATH * values.trade(left * values.melee(enemy, unit), unit)
    return won - lost - _guns_lost(values, unit, enemy), _silenced(values, enemy, left)


def _awaited(values: Appraisal, unit: Unit, enemy: Unit, distance: float) -> float:
    """Return the points that the enemy's charge would cost next turn if it is not charged now."""
    stride = min((values.view.characteristics(row).get("M", 0) for row in enemy.rows), default=0)
    chance = charge_chance(distance - stride - values.view.parameters.engagement)
    return chance * values.trade(values.melee(enemy, unit), unit)


def _guns_lost(values: Appraisal, unit: Unit, enemy: Unit) -> float:
    """Return the points that the unit's guns would take next turn if it were not in combat."""
    if unit.has("MONSTER") or unit.has("VEHICLE"):
        return 0.0
    purse = values.purse(enemy)
    return values.of_guns(unit, lambda gun: purse.taken(values.damage(unit, gun.row, gun.weapon, enemy)))


def _silenced(values: Appraisal, enemy: Unit, left: float) -> float:
    """Return what it is worth that an enemy's guns are tied up."""
    if enemy.has("MONSTER") or enemy.has("VEHICLE"):
        return 0.0
    return 0.3 * left * len([w for w in enemy.facts.weapons if not w.is_melee]) * values.worth_of_wound(enemy)


def charge_move(view: View, request: Move) -> Moves:
    """Return the charge move into contact, none where the roll is too low."""
    unit = view.unit(request.unit)
    plan = into_contact(view, unit, "charge", request.limits, request.targets) or stand(view, unit)
    return Moves(paths=plan.paths)
