"""When a Horde unit holds its place instead of moving, and what makes it move all the same.

Owns AI.STAY.1, AI.STAY.2, AI.STAY.4 and AI.STAY.5, what is said of AI.SCOUT, and the order of the reasons to
hold. The bonus of abilities that reward standing still is `ai.horde.bonus`'s.
"""

from __future__ import annotations

import numpy as np

from ai.horde.bonus import STAY, significant_bonus
from ai.reasons.clause import carries_out
from ai.reasons.condition import (
    IN_SPAWN_ZONE,
    NO_GUN,
    NO_HEAVY_MAJORITY,
    NONE_VISIBLE,
    NOTHING_IN_RANGE,
    PRIMARY_NOT_HEAVY,
    SEVERAL_MODELS,
    SINGLE_MODEL,
)
from ai.reasons.inquiry import Inquiry, most, outcome
from ai.reckoning.armament import guns, primary_gun
from ai.reckoning.expectation import models_of
from engine.core.request import Because, Candidate
from engine.core.state import Unit
from engine.w40k.view import View
from geometry.measure.distance import within

NOTHING = float("inf")


@carries_out("AI.STAY.5")
def must_leave_zone(view: View, unit: Unit) -> Because | None:
    """Return why the unit must leave the spawning zones, None if it is in none.

    Rule: AI.STAY.5, R.A24
    """
    inside = view.field.in_spawn_zone(unit)
    if not inside.any():
        return None
    count = int(np.count_nonzero(inside))
    return Because(
        clause="AI.STAY.5",
        reason=f"{count} of {len(inside)} models are within a spawning zone: it must leave.",
        candidates=(outcome(STAY, IN_SPAWN_ZONE, count, 0),),
    )


@carries_out("AI.STAY.4")
def came_from_reserves(unit: Unit) -> Because | None:
    """Return why a unit set up in its zone from reserves moves all the same.

    Rule: AI.STAY.4, R.A26
    """
    if "deep-strike-failed" not in unit.marks:
        return None
    reason = "It was set up in a spawning zone from reserves, and moves all the same."
    return Because(clause="AI.STAY.4", reason=reason, candidates=(outcome(STAY, IN_SPAWN_ZONE),))


def scouts_ahead(view: View, unit: Unit) -> Because | None:
    """Return why a unit moves farther on the turn it was spawned. Rule: AI.SCOUT"""
    farther = view.scouts(unit)
    if not farther:
        return None
    reason = f'Its Scouts lengthen its move by {farther:g}" on the turn it was spawned.'
    return Because(clause="AI.SCOUT", reason=reason)


def holds(view: View, unit: Unit, asked: Inquiry) -> Because | None:
    """Return why the unit holds its place, None if it moves."""
    held = heavy_majority(view, unit, asked) or heavy_primary(view, unit, asked)
    return held or significant_bonus(view, unit, asked)


@carries_out("AI.STAY.1")
def heavy_majority(view: View, unit: Unit, asked: Inquiry) -> Because | None:
    """Return why a unit of mostly Heavy weapons holds. Rule: AI.STAY.1, R.A21"""
    models = models_of(unit)
    carriers = [(m.row, i) for m in models for i in guns(unit, m) if unit.weapon(i).has("heavy")]
    bearers = {row for row, _ in carriers}
    half = view.ruling("ai.stay.majority") == "half"
    needed = (len(models) + 1) // 2 if half else most(len(models))
    if len(models) < 2:
        asked.failed("AI.STAY.1", STAY, SINGLE_MODEL, len(models), 2)
        return None
    if len(bearers) < needed:
        asked.failed("AI.STAY.1", STAY, NO_HEAVY_MAJORITY, len(bearers), needed)
        return None
    for row, i in carriers:
        enemy = _visible_in_range(view, unit, row, view.reach(unit, unit.weapon(i)))
        if enemy:
            share = f"{len(bearers)} of {len(models)} models carry Heavy weapons"
            held = outcome(STAY, "", len(bearers), needed)
            return _because(view, unit, "AI.STAY.1", share, enemy, i, held)
    asked.rejected("AI.STAY.1", (_nothing_in_range(view, unit, carriers),))
    return None


@carries_out("AI.STAY.2")
def heavy_primary(view: View, unit: Unit, asked: Inquiry) -> Because | None:
    """Return why a single model whose primary gun is Heavy holds. Rule: AI.STAY.2, R.A22"""
    models = models_of(unit)
    if len(models) != 1:
        asked.failed("AI.STAY.2", STAY, SEVERAL_MODELS, len(models), 1)
        return None
    i = primary_gun(view, unit, models[0])
    if i is None or not unit.weapon(i).has("heavy"):
        asked.failed("AI.STAY.2", STAY, NO_GUN if i is None else PRIMARY_NOT_HEAVY)
        return None
    enemy = _visible_in_range(view, unit, models[0].row, view.reach(unit, unit.weapon(i)))
    if enemy:
        return _because(view, unit, "AI.STAY.2", "Its primary gun is Heavy", enemy, i, outcome(STAY))
    asked.rejected("AI.STAY.2", (_nothing_in_range(view, unit, [(models[0].row, i)]),))
    return None


def _nothing_in_range(view: View, unit: Unit, carriers: list[tuple[int, int]]) -> Candidate:
    """Return staying as rejected: no bearer of a Heavy weapon sees an enemy in its range.

    The numbers are those of the enemy that is closest to being in range.
    """
    look = view.field.outlook(unit)
    gaps = {
        row: float(np.where(look.visible[own], look.gaps[own], NOTHING).min(initial=NOTHING))
        for own, row in enumerate(look.own)
    }
    missing = [(gaps[row] - reach, gaps[row], reach) for row, reach in _reaches(view, unit, carriers)]
    _, gap, reach = min(missing, default=(NOTHING, NOTHING, 0.0))
    if gap == NOTHING:
        return outcome(STAY, NONE_VISIBLE)
    return outcome(STAY, NOTHING_IN_RANGE, gap, reach)


def _reaches(view: View, unit: Unit, carriers: list[tuple[int, int]]) -> list[tuple[int, float]]:
    return [(row, view.reach(unit, unit.weapon(i))) for row, i in carriers]


def _visible_in_range(view: View, unit: Unit, row: int, reach: float) -> str:
    """Return the closest enemy unit that the model sees within this range, or ""."""
    look = view.field.outlook(unit)
    if not look.rows:
        return ""
    own = look.own.index(row)
    legal = look.visible[own] & within(look.gaps[own], reach)
    if not legal.any():
        return ""
    return look.units[int(np.where(legal, look.gaps[own], np.inf).argmin())]


def _because(
    view: View, unit: Unit, clause: str, share: str, enemy: str, weapon: int, held: Candidate
) -> Because:
    facts = unit.weapon(weapon)
    name = view.unit(enemy).name
    return Because(
        clause=clause,
        reason=f'{share}, and {name} is visible within the {view.reach(unit, facts):g}" of the {facts.name}.',
        target=enemy,
        candidates=(held,),
        weapon=facts.name,
    )
