"""What the Stratagems of a detachment are worth to the autopilot at their moments.

Owns the worth of each in points. `ai.autopilot.stratagem` decides whether it is used, as with the core ones.
"""

from __future__ import annotations

from collections.abc import Callable

from ai.autopilot.appraisal import Appraisal
from ai.autopilot.army import doctrine_value, doctrines_left
from ai.autopilot.move_choice import best_move, promise
from ai.autopilot.prospect import prospect
from engine.core.request import Choose
from engine.core.state import Unit
from engine.w40k.view import View
from geometry.measure.distance import within
from geometry.portable import sum_of

PIERCED = 0.2
"""The share of the damage that a point of AP makes."""
UNCOVERED = 0.12
"""The share of the damage that cover takes away on average."""
LANCED = 0.2
"""How much more damage a unit deals with +1 to its wound rolls, as a share."""
LEAST = 3.0
"""A move that promises fewer points than this is not worth a CP in any round."""
ALARM = 30.0
"""A unit from which charges may take fewer points than this stays where it is."""
STRIDE = 3.0
"""How many inches a D6 is counted on to carry a unit."""


def contempt(view: View, request: Choose, unit: Unit) -> float:
    """Return the points that are not lost if the AP of the attacks at a unit is worsened."""
    values, enemy = Appraisal(view), view.unit(request.unit)
    damage = 0.0
    if view.phase == "fight":
        if any(weapon.is_melee and weapon.ap < 0 for weapon in enemy.facts.weapons):
            damage = values.melee(enemy, unit)
    else:
        guns = [gun for gun in values.guns(enemy) if enemy.weapon(gun.weapon).ap < 0]
        damage = sum_of(values.damage(enemy, gun.row, gun.weapon, unit) for gun in guns)
    return PIERCED * values.trade(damage, unit)


def honour(view: View, request: Choose, unit: Unit) -> float:
    """Return the points that Lance and better AP add to what a unit takes in its fight."""
    values = Appraisal(view)
    share = LANCED if "charged" in unit.marks else 0.0
    share += PIERCED if _doctrine(view, unit) == "assault" else 0.0
    foes = view.field.engaged_with(unit)
    return max((_more(values, values.melee(unit, enemy), share, enemy) for enemy in foes), default=0.0)


def storm(view: View, request: Choose, unit: Unit) -> float:
    """Return the points that ignored cover and better AP add to what a unit's guns take."""
    values = Appraisal(view)
    share = UNCOVERED + (PIERCED if _doctrine(view, unit) == "devastator" else 0.0)
    best = 0.0
    for enemy in view.enemies(unit):
        apart = view.gap(unit, enemy)
        guns = [gun for gun in values.guns(unit) if within(apart, gun.reach)]
        if guns and view.visible(unit, enemy).any():
            damage = sum_of(values.damage(unit, gun.row, gun.weapon, enemy) for gun in guns)
            best = max(best, _more(values, damage, share, enemy))
    return best


def _more(values: Appraisal, damage: float, share: float, enemy: Unit) -> float:
    return values.trade(damage * (1 + share), enemy) - values.trade(damage, enemy)


def strategy(view: View, request: Choose, unit: Unit) -> float:
    """Return what the best Doctrine of a unit's own is worth, less what the army's is."""
    values, now = Appraisal(view), _doctrine(view, unit)
    worth = {name: doctrine_value(values, unit, name) for name in doctrines_left(now)}
    return max(worth.values()) - (doctrine_value(values, unit, now) if now else 0.0)


def tactics(view: View, request: Choose, unit: Unit) -> float:
    """Return the points that a unit gains by a short move to a better place.

    They are 0 where charges may take fewer points than `ALARM`.
    """
    hope = prospect(view, unit)
    if hope.values.danger(unit, view.xy(unit)) < ALARM:
        return 0.0
    stride = 6.0 if _doctrine(view, unit) == "tactical" else STRIDE
    here, limits = hope.value(view.xy(unit), True), dict.fromkeys(unit.rows, stride)
    promised = promise(view, unit, "normal", limits) - here
    return promised if promised < LEAST else best_move(view, unit, "normal", limits).value - here


def last_stand(view: View, request: Choose, unit: Unit) -> float:
    """Return the points that models which are about to fall take from their enemy as they fall."""
    values, enemy = Appraisal(view), view.unit(request.unit)
    share = min(values.melee(enemy, unit) / max(values.wounds_left(unit), 1), 1.0)
    return values.trade(share * values.melee(unit, enemy), enemy)


def _doctrine(view: View, unit: Unit) -> str:
    """Return the Doctrine that a unit is under, if any."""
    return str(unit.marks.get("doctrine", "") or view.players[unit.player].marks.get("doctrine", ""))


VALUES: dict[str, Callable[[View, Choose, Unit], float]] = {
    "ARMY.10.armour-of-contempt": contempt,
    "ARMY.10.honour-the-chapter": honour,
    "ARMY.10.storm-of-fire": storm,
    "ARMY.10.adaptive-strategy": strategy,
    "ARMY.10.squad-tactics": tactics,
    "ARMY.10.only-in-death-does-duty-end": last_stand,
}
"""What each Stratagem is worth if it is used on a unit, in points."""
