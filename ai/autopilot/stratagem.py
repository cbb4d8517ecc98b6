"""What the autopilot spends CP on: Stratagems that win more points than their CP are worth.

Owns what each Stratagem is worth at its moment, and what a CP is worth in each round.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ai.autopilot import detachment
from ai.autopilot.appraisal import Appraisal, charge_chance
from ai.autopilot.charge_choice import charge_value
from engine.core.dice import base_of
from engine.core.event import Rolled
from engine.core.facts import WeaponFacts
from engine.core.request import Because, Choose, Chosen
from engine.core.state import Unit
from engine.w40k.activation.amount import mean
from engine.w40k.view import View
from geometry.measure.distance import within
from geometry.portable import sum_of

WORTH_OF_CP = (24.0, 24.0, 20.0, 14.0, 3.0)
"""What a CP must win, in points of units, in each of the last five rounds."""
SHELTER = 0.2
"""The share of the fire at a unit that cover or a last save takes away."""
SMOKE = 0.35
"""The share that cover and Stealth together take away."""
MARKER = 30.0
"""What it is worth, in points, that a unit at an objective marker is not Battle-shocked."""
STEADFAST = 8.0
"""What the same is worth, in points, of a unit elsewhere."""
AMBUSH = 21.0
"""What it is worth, in points, that a unit arrives in the enemy's turn.

It can move and charge in its own next turn.
"""
GRENADES = 3.0
"""The mortal wounds of six dice, each on a 4+."""
LEADER = 0.3
"""How much of an attached leader's points a challenge wins."""


class Weighed(NamedTuple):
    """What a Stratagem wins on the unit on which it is used best, and its price, both in points."""

    unit: str
    worth: float
    price: float


def use(view: View, request: Choose) -> Chosen:
    """Return the unit on which a Stratagem is best used, or none where that wins too little."""
    best = weighed(view, request)
    if best is None:
        return Chosen(ids=())
    used = best.worth > best.price
    on = f" on {view.unit(best.unit).name}" if best.unit != request.unit else ""
    gain = f"worth {best.worth:.1f} points on average, its CP {best.price:.0f}"
    told = f"{'Used' if used else 'Not used'}{on}: {gain}."
    because = (Because(clause=request.rule, reason=told, target=best.unit),)
    return Chosen(ids=(best.unit,) if used else (), because=because)


def weighed(view: View, request: Choose) -> Weighed | None:
    """Return what a Stratagem is worth at its best use; None where it cannot be weighed."""
    value = VALUES.get(request.rule) or detachment.VALUES.get(request.rule)
    if value is None:
        return None
    named = ("weighed", request.rule, request.unit, tuple(option.id for option in request.options))
    return view.meanwhile(named, lambda: _best(view, request, value))


def _best(view: View, request: Choose, value: Callable[[View, Choose, Unit], float]) -> Weighed:
    worth, costs, each = {}, {}, worth_of_cp(view)
    for option in request.options:
        unit = view.unit(option.id)
        worth[option.id] = value(view, request, unit)
        costs[option.id] = each * view.stratagem_price(request.rule, unit)
    best = max(worth, key=lambda name: (round(worth[name] - costs[name], 6), name))
    return Weighed(best, worth[best], costs[best])


def worth_of_cp(view: View) -> float:
    """Return what a CP is worth now, in points: less as the battle goes on.

    A CP that is left at the end of the battle is worth nothing.
    """
    if view.rounds is None:
        return WORTH_OF_CP[0]
    left = min(max(view.rounds - view.round, 0), len(WORTH_OF_CP) - 1)
    return WORTH_OF_CP[-1 - left]


def pick(view: View, request: Choose) -> Chosen:
    """Return the enemy that the mortal wounds of a Stratagem take most points from."""
    values = Appraisal(view)
    best = max(request.options, key=lambda o: (round(values.trade(GRENADES, view.unit(o.id)), 6), o.id))
    return Chosen(ids=(best.id,))


# a roll made again


def _reroll(view: View, request: Choose, unit: Unit) -> float:
    """Return what a re-roll of the last roll is worth."""
    rolled = view.last_roll
    if rolled is None:
        return 0.0
    kind = base_of(rolled.roll)
    known: dict[str, Callable[[View, Unit, Rolled], float]] = {
        "hit": _strike,
        "wound": _strike,
        "save": _save,
        "damage": _damage,
        "charge": _charge,
        "hazardous": _hazard,
        "desperate-escape": _escape,
    }
    return known[kind](view, unit, rolled) if kind in known else 0.0


def _strike(view: View, unit: Unit, rolled: Rolled) -> float:
    """Return the points of one more successful attack; half of those fail later on."""
    target, melee = view.unit(rolled.target), view.phase == "fight"
    weapons = [weapon for _, _, weapon in view.weapons(unit, melee)]
    return _chance(rolled.need) * 0.5 * Appraisal(view).trade(_blow(view, weapons, target), target)


def _save(view: View, unit: Unit, rolled: Rolled) -> float:
    foe, melee = view.unit(rolled.target), view.phase == "fight"
    weapons = [weapon for _, _, weapon in view.weapons(foe, melee)]
    return _chance(rolled.need) * Appraisal(view).trade(_blow(view, weapons, unit), unit)


def _blow(view: View, weapons: list[WeaponFacts], target: Unit) -> float:
    """Return the damage of one attack of these weapons to one model, on average."""
    if not weapons or not target.rows:
        return 0.0
    most = max(view.wounds(row) for row in target.rows)
    return sum_of(min(mean(weapon.damage), most) for weapon in weapons) / len(weapons)


def _chance(need: int) -> float:
    return max(0.0, min(5.0, 7.0 - need)) / 6


def _damage(view: View, unit: Unit, rolled: Rolled) -> float:
    target = view.unit(rolled.target)
    gain = 3.5 * len(rolled.dice) - sum(rolled.dice)
    return Appraisal(view).trade(max(gain, 0.0), target)


def _charge(view: View, unit: Unit, rolled: Rolled) -> float:
    """Return what a re-roll of a failed charge is worth: the fight times the chance to reach it."""
    values = Appraisal(view)
    failed = [
        (view.gap(unit, enemy), enemy)
        for enemy in view.enemies(unit)
        if within(view.gap(unit, enemy), view.parameters.charge_range)
    ]
    if not failed or min(far for far, _ in failed) - view.parameters.engagement <= sum(rolled.dice):
        return 0.0
    return max(charge_value(values, unit, enemy) for _, enemy in failed)


def _hazard(view: View, unit: Unit, rolled: Rolled) -> float:
    most = max(view.wounds(row) for row in unit.rows)
    return _chance(2) * Appraisal(view).trade(min(3, most), unit)


def _escape(view: View, unit: Unit, rolled: Rolled) -> float:
    most = max(view.wounds(row) for row in unit.rows)
    return _chance(3) * Appraisal(view).trade(most, unit)


# shots


def _incoming(view: View, request: Choose, unit: Unit) -> float:
    """Return the points that the shooter takes from the unit on average."""
    values, shooter = Appraisal(view), view.unit(request.unit)
    return values.trade(values.shots(shooter, unit), unit)


def _ground(view: View, request: Choose, unit: Unit) -> float:
    return SHELTER * _incoming(view, request, unit)


def _smoke(view: View, request: Choose, unit: Unit) -> float:
    return SMOKE * _incoming(view, request, unit)


def _overwatch(view: View, request: Choose, unit: Unit) -> float:
    """Return the points that the unit's guns take where only 6s hit; Torrent hits as usual."""
    values, enemy = Appraisal(view), view.unit(request.unit)
    gaps = view.gaps(unit, enemy).min(axis=1)
    damage = 0.0
    for gun in values.guns(unit):
        weapon = unit.weapon(gun.weapon)
        if within(float(gaps[gun.place]), gun.reach):
            share = 1.0 if weapon.skill is None or weapon.has("torrent") else 1 / max(7 - weapon.skill, 1)
            damage += share * values.damage(unit, gun.row, gun.weapon, enemy)
    return values.trade(damage, enemy)


def _grenade(view: View, request: Choose, unit: Unit) -> float:
    values = Appraisal(view)
    near = [e for e in view.enemies(unit) if within(view.gap(unit, e), 8.0) and not view.is_engaged(e)]
    return max((values.trade(GRENADES, enemy) for enemy in near), default=0.0)


# the fight


def _tank_shock(view: View, request: Choose, unit: Unit) -> float:
    values = Appraisal(view)
    tough = max(view.characteristics(row).get("T", 1) for row in unit.rows)
    return max(
        (values.trade(min(tough / 3, 6.0), enemy) for enemy in view.field.engaged_with(unit)), default=0.0
    )


def _heroic(view: View, request: Choose, unit: Unit) -> float:
    return charge_value(Appraisal(view), unit, view.unit(request.unit))


def _counter(view: View, request: Choose, unit: Unit) -> float:
    """Return the points that are not lost to enemies which die before they can strike."""
    values, best = Appraisal(view), 0.0
    for enemy in view.field.engaged_with(unit):
        if "fought" not in enemy.marks:
            share = min(values.melee(unit, enemy) / max(values.wounds_left(enemy), 1), 1.0)
            best = max(best, share * values.trade(values.melee(enemy, unit), unit))
    return best


def _challenge(view: View, request: Choose, unit: Unit) -> float:
    leaders = [
        part.points
        for enemy in view.field.engaged_with(unit)
        if enemy.is_attached
        for part in enemy.parts[1:]
    ]
    return LEADER * max(leaders, default=0)


# the rest


def _bravery(view: View, request: Choose, unit: Unit) -> float:
    """Return what it is worth to avoid Battle-shock, times the chance that the test fails."""
    at_marker = any(view.field.in_range_of(unit, marker).any() for marker in view.objectives.values())
    need = min(view.characteristics(row).get("Ld", 7) for row in unit.rows)
    return (1 - charge_chance(need)) * (MARKER if at_marker else STEADFAST)


def _ingress(view: View, request: Choose, unit: Unit) -> float:
    return AMBUSH


VALUES: dict[str, Callable[[View, Choose, Unit], float]] = {
    "CORE.STR.1": _reroll,
    "CORE.STR.2": _counter,
    "CORE.STR.3": _challenge,
    "CORE.STR.4": _bravery,
    "CORE.STR.5": _grenade,
    "CORE.STR.6": _tank_shock,
    "CORE.STR.7": _ingress,
    "CORE.STR.8": _overwatch,
    "CORE.STR.9": _ground,
    "CORE.STR.10": _smoke,
    "CORE.STR.11": _heroic,
    "DATASHEET.teleport-homer": _ingress,
}
"""What each Stratagem is worth if it is used on a unit, in points."""
