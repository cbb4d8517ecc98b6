"""What attacks and charges at a target do: weapon by weapon, the best profile of each item.

Asks `ai.reckoning` for every number and adds no formula of its own.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ai.autopilot.appraisal import charge_chance
from ai.reckoning.aim import Aim, by_model
from ai.reckoning.expectation import expected_damage, expected_spread, takes_the_wounds
from ai.reckoning.spread import Spread, at_least, mean_of, middle_half, together
from engine.core.request import Because, Choose, Line, Split
from engine.core.state import Unit
from engine.w40k.view import View
from geometry.measure.distance import within

CLAUSES = {False: "CORE.SHOOT.2", True: "CORE.FGT.6"}
"""The clause of attacks that are declared: by shooting, and in melee."""


class Salvo(msgspec.Struct, frozen=True):
    """One profile of a unit's weapons at a target."""

    name: str
    count: int
    """How many of the unit's models can use it there."""
    wounds: float
    """What all of them cost the target on average."""
    is_best: bool
    """Whether a click on the target uses it."""
    bar: str = ""
    """Why none can use it there, "" where some can."""


class Volley(msgspec.Struct, frozen=True):
    """All that a unit can do to one target by shooting, or in melee."""

    target: str
    name: str
    salvos: tuple[Salvo, ...]
    wounds: float
    """What the best of them cost the target on average, at most what it has left…"""
    left: int
    """…the wounds that it has left."""
    spread: Spread
    """The chances of each number of wounds from 0 to all that are left, which counts any more."""
    half: tuple[int, int]
    """Between which numbers of wounds it lies in half of all cases."""
    models: float
    """How many models the mean is, where each falls to its own wounds."""
    apart: float
    """How far it is, in inches."""
    seeing: int
    """How many models of the unit see it, or can strike it, of `size`."""
    size: int
    covered: int
    """How many of its models have cover, of `bodies`."""
    bodies: int
    hazardous: int = 0
    """How many of the weapons that a click uses are Hazardous: a die each. Rule: CORE.WPN.HAZ"""
    uncut: float = 0.0
    """The average where wounds beyond those left count, too…"""
    uncut_half: tuple[int, int] = (0, 0)
    """…and between which numbers it lies in half of all cases."""
    is_melee: bool = False


class ChargeOdds(msgspec.Struct, frozen=True):
    """How likely a charge at a target comes there."""

    target: str
    name: str
    apart: float
    chance: float


def wounds_of(view: View, unit: Unit, line: Line, target: str, melee: bool) -> float:
    """Return the wounds that one line costs a target on average, cover and half range counted."""
    near, covered = _from_here(view, unit, line, target, melee)
    enemy = view.unit(target)
    return expected_damage(view, unit, line.model, line.weapon, enemy, half_range=near, covered=covered)


def _spread(view: View, unit: Unit, line: Line, target: str, melee: bool) -> Spread:
    near, covered = _from_here(view, unit, line, target, melee)
    enemy = view.unit(target)
    return expected_spread(view, unit, line.model, line.weapon, enemy, half_range=near, covered=covered)


def _from_here(view: View, unit: Unit, line: Line, target: str, melee: bool) -> tuple[bool, frozenset[int]]:
    """Return whether a target is within half range, and which of its models have cover."""
    enemy = view.unit(target)
    covered = frozenset() if melee else view.covered(unit, enemy)
    reach = view.reach(unit, unit.weapon(line.weapon))
    apart = float(view.gaps(unit, enemy)[unit.rows.index(line.model)].min())
    return reach > 0 and bool(within(apart, reach / 2)), covered


def _cut(spread: Spread, most: int) -> Spread:
    """Return a spread in which the last number, the greatest that counts, stands for any more."""
    return spread if len(spread) <= most + 1 else (*spread[:most], at_least(spread, most))


def best_at(view: View, request: Split, target: str) -> list[Aim]:
    """Return what does most at a target: one profile of an item, one set of a model. Rule: R.A50"""
    return by_model(_aims(view, request, target), view.unit(request.unit))


def _aims(view: View, request: Split, target: str) -> list[Aim]:
    unit = view.unit(request.unit)
    because = Because(clause=CLAUSES[request.melee], target=target)
    return [
        Aim(line, target, wounds_of(view, unit, line, target, request.melee), because)
        for line in request.lines
        if target in line.targets
    ]


def wounds_at(view: View, request: Split, target: str) -> float:
    """Return the wounds that a unit's best weapons cost a target on average, at most those left."""
    left = sum(view.wounds(row) for row in view.unit(target).rows)
    used = [aim.line for aim in best_at(view, request, target)]
    return mean_of(_cut(_uncut(view, request, used, target), left))


def _uncut(view: View, request: Split, used: list[Line], target: str) -> Spread:
    """Return the chances of each number of wounds, be it more than the target has left."""
    unit = view.unit(request.unit)
    return together([_spread(view, unit, line, target, request.melee) for line in used])


def volley_at(view: View, request: Split, target: str) -> Volley:
    """Return what a unit can do to a target, the weapons in the order of its sheet."""
    unit, enemy = view.unit(request.unit), view.unit(target)
    aims = _aims(view, request, target)
    best = {(aim.line.model, aim.line.weapon) for aim in by_model(aims, unit)}
    salvos = [
        _salvo(view, request, place, [aim for aim in aims if aim.line.weapon == place], best, target)
        for place in dict.fromkeys(line.weapon for line in sorted(request.lines, key=_weapon))
    ]
    salvos += [] if request.melee else _barred(view, request, unit, enemy)
    left = sum(view.wounds(row) for row in enemy.rows)
    used = [aim.line for aim in aims if (aim.line.model, aim.line.weapon) in best]
    uncut = _uncut(view, request, used, target)
    spread = _cut(uncut, left)
    wounds = mean_of(spread)
    takers = takes_the_wounds(enemy)
    each = max((model.characteristics.get("W", 1) for model in takers), default=1)
    return Volley(
        target,
        enemy.name,
        tuple(salvos),
        wounds,
        left,
        spread,
        middle_half(spread),
        min(wounds / max(each, 1), float(len(enemy.rows))),
        view.gap(unit, enemy),
        _in_reach(request, target) if request.melee else int(view.visible(unit, enemy).any(axis=1).sum()),
        len(unit.rows),
        0 if request.melee else len(view.covered(unit, enemy)),
        len(enemy.rows),
        sum("hazardous" in view.weapon_keywords(unit, line.model, line.weapon) for line in used),
        mean_of(uncut),
        middle_half(uncut),
        request.melee,
    )


def _in_reach(request: Split, target: str) -> int:
    """Return how many models can strike at a target."""
    return len({line.model for line in request.lines if target in line.targets})


def _weapon(line: Line) -> int:
    return line.weapon


def _salvo(
    view: View, request: Split, weapon: int, aims: Sequence[Aim], best: set[tuple[int, int]], target: str
) -> Salvo:
    unit = view.unit(request.unit)
    used = [aim for aim in aims if (aim.line.model, aim.line.weapon) in best]
    counted = used or aims
    name = unit.weapon(weapon).name
    bar = "" if aims else _bar(view, unit, weapon, view.unit(target))
    return Salvo(name, len(counted), sum(aim.damage for aim in counted), bool(used), bar)


def _barred(view: View, request: Split, unit: Unit, enemy: Unit) -> list[Salvo]:
    """Return the guns that no model can fire at anything now."""
    offered = {line.weapon for line in request.lines}
    carried = dict.fromkeys(place for _, place, _ in view.weapons(unit, melee=False))
    return [
        Salvo(unit.weapon(place).name, 0, 0.0, False, _bar(view, unit, place, enemy))
        for place in sorted(carried)
        if place not in offered
    ]


def _bar(view: View, unit: Unit, weapon: int, enemy: Unit) -> str:
    """Return why a weapon cannot be used at a target, in a few words."""
    over = view.gap(unit, enemy) - view.reach(unit, unit.weapon(weapon))
    if unit.weapon(weapon).is_melee:
        return "not in reach"
    return f"out of range by {over:.1f}″" if over > 0 else "not in sight or not allowed"


def charge_at(view: View, request: Choose, target: str) -> ChargeOdds:
    """Return how likely a charge comes to a target, on two dice that no rule changes."""
    unit, enemy = view.unit(request.unit), view.unit(target)
    apart = view.gap(unit, enemy)
    return ChargeOdds(target, enemy.name, apart, charge_chance(apart - view.parameters.engagement))
