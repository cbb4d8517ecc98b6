"""Which of a model's weapons are used together, once each has its target.

Owns the choice of profile and of the set (pistols or other guns; one melee weapon). Targets are the caller's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from ai.reasons.condition import OTHER_PROFILE, OTHER_SET
from ai.reasons.inquiry import outcome
from engine.core.request import Because, Choose, Chosen, Line, Split, Splits
from engine.core.state import Unit
from engine.w40k.view import View
from geometry.tolerance import TOLERANCE


class Aim(msgspec.Struct, frozen=True):
    """A line with the unit it is fired at, what it does there, and why."""

    line: Line
    target: str
    damage: float
    because: Because


def most_aimed_at(request: Choose, splits: Splits) -> Chosen:
    """Return the target at which most shots would be fired, the first of those that are alike."""
    wanted = Counter(shot.target for shot in splits.shots)
    names = [option.id for option in request.options]
    chosen = max(names, key=lambda name: (wanted[name], -names.index(name)))
    why = [each for each in splits.because if each.target == chosen][:1]
    return Chosen(ids=(chosen,), because=tuple(why) or (Because(clause=request.rule),))


def free_fire(view: View, request: Choose) -> Split:
    """Return the question at what a unit shoots as if it might fire at several units."""
    return Split(
        seats=request.seats,
        rule=request.rule,
        decision="shoot",
        prompt=request.prompt,
        unit=request.unit,
        melee=False,
        lines=view.shots(view.unit(request.unit)),
    )


def distinct(reasons: Iterable[Because]) -> tuple[Because, ...]:
    """Return the reasons; those that differ only in their models are put into one."""
    models: dict[Because, tuple[int, ...]] = {}
    for because in reasons:
        alike = replace(because, models=())
        models[alike] = tuple(dict.fromkeys((*models.get(alike, ()), *because.models)))
    return tuple(replace(alike, models=rows) for alike, rows in models.items())


def left_out(aims: list[Aim], made: list[Aim], ruling: str) -> tuple[Because, ...]:
    """Return why some aims are not made: another profile or another set does more damage.

    The other profile is one of the same item.
    """
    used = {(aim.line.model, aim.line.group) for aim in made if aim.line.group}
    taken = {(aim.line.model, aim.line.weapon, aim.line.group) for aim in made}
    passed = []
    for aim in aims:
        line = aim.line
        if (line.model, line.weapon, line.group) not in taken:
            failed = OTHER_PROFILE if (line.model, line.group) in used else OTHER_SET
            option = outcome(aim.target, failed, aim.damage)
            passed.append(replace(aim.because, reason="", target="", candidates=(option,), ruling=ruling))
    return distinct(passed)


def by_model(aims: list[Aim], unit: Unit, *, guns_first: bool = False) -> list[Aim]:
    """Return the aims that each model makes: one profile of an item, one set.

    Rule: R.A50, R.A52a, R.A59
    """
    chosen: list[Aim] = []
    for model in sorted({aim.line.model for aim in aims}):
        own = best_profiles([aim for aim in aims if aim.line.model == model])
        chosen += best_set(own, unit, guns_first=guns_first)
    return chosen


def best_profiles(aims: list[Aim]) -> list[Aim]:
    """Return the profile with the most expected damage of each group of profiles."""
    groups: dict[str, Aim] = {}
    for aim in aims:
        key = aim.line.group or f"weapon-{aim.line.weapon}"
        if key not in groups or aim.damage > groups[key].damage + TOLERANCE:
            groups[key] = aim
    return list(groups.values())


def best_set(aims: list[Aim], unit: Unit, *, guns_first: bool = False) -> list[Aim]:
    """Return the aims of the set with the most expected damage, and those that go with any set.

    Ties go to guns. With `guns_first` pistols are only for models that have nothing else to fire.
    """
    sets: dict[str, float] = {}
    for aim in aims:
        if aim.line.set:
            sets[aim.line.set] = sets.get(aim.line.set, 0.0) + aim.damage
    if not sets:
        return aims
    pistols = {aim.line.set for aim in aims if unit.weapon(aim.line.weapon).has("pistol")}
    best = min(sets, key=lambda s: (guns_first and s in pistols, -round(sets[s], 9), s in pistols, s))
    return [aim for aim in aims if aim.line.set in ("", best)]
