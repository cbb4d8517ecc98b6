"""Why an enemy is no target for a gun: the first thing that keeps it from being one.

Owns which thing is named first. Which targets are legal is the engine's, which of those is shot at
`ai.horde.shoot`'s.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from msgspec.structs import replace

from ai.reasons.condition import (
    IN_COMBAT,
    LONE_OPERATIVE,
    NOT_IN_OWN_COMBAT,
    NOT_LEGAL,
    NOT_VISIBLE,
    OUT_OF_RANGE,
)
from engine.core.facts import WeaponFacts
from engine.core.request import Because, Candidate
from engine.core.state import Unit
from engine.w40k.attack.eligibility import LONE_OPERATIVE_RANGE
from engine.w40k.view import View
from geometry.measure.distance import within

NOTHING = float("inf")


class Sights:
    """How far each enemy is from each model of a unit, and how far what the model sees of it."""

    def __init__(self, view: View, unit: Unit) -> None:
        """Look from where the unit stands."""
        look = view.field.outlook(unit)
        self._view, self._unit = view, unit
        self._own = {row: i for i, row in enumerate(look.own)}
        seen = np.where(look.visible, look.gaps, NOTHING)
        columns = {enemy.id: look.columns(enemy.id) for enemy in view.enemies(unit)}
        self._gaps = {e: look.gaps[:, c].min(axis=1, initial=NOTHING).tolist() for e, c in columns.items()}
        self._seen = {e: seen[:, c].min(axis=1, initial=NOTHING).tolist() for e, c in columns.items()}
        self._engaged = {enemy.id for enemy in view.field.engaged_with(unit)}
        self._held = view.field.engaged_by(view.friends(unit))

    def rest(self, row: int, weapon: WeaponFacts, named: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
        """Return the enemies not `named`, those closest to the model first, and what each fails."""
        i, known = self._own[row], {candidate.id for candidate in named}
        order = sorted((gaps[i], enemy) for enemy, gaps in self._gaps.items() if enemy not in known)
        return tuple(self._rejected(enemy, gap, i, weapon) for gap, enemy in order)

    def _rejected(self, enemy: str, gap: float, i: int, weapon: WeaponFacts) -> Candidate:
        reach, seen = self._view.reach(self._unit, weapon), self._seen[enemy][i]
        if seen == NOTHING and not weapon.has("indirect fire"):
            return _candidate(enemy, gap, NOT_VISIBLE)
        far = gap if weapon.has("indirect fire") else seen
        if not within(far, reach):
            return _candidate(enemy, gap, OUT_OF_RANGE, far, reach)
        foe = self._view.unit(enemy)
        alone = not foe.is_attached and self._view.has_ability(foe, "lone operative")
        if alone and not within(gap, LONE_OPERATIVE_RANGE):
            return _candidate(enemy, gap, LONE_OPERATIVE, gap, LONE_OPERATIVE_RANGE)
        if self._engaged and enemy not in self._engaged:
            return _candidate(enemy, gap, NOT_IN_OWN_COMBAT)
        return _candidate(enemy, gap, IN_COMBAT if enemy in self._held else NOT_LEGAL)


def as_one(reasons: Iterable[Because]) -> tuple[Because, ...]:
    """Return the reasons; those that reject the same candidates alike are put into one.

    That is the first of them, with the models of all.
    """
    found: dict[tuple[object, ...], Because] = {}
    for because in reasons:
        alike = tuple(sorted((each.id, each.failed) for each in because.candidates))
        key = (because.clause, because.weapon, alike)
        first = found.get(key, replace(because, models=()))
        found[key] = replace(first, models=tuple(dict.fromkeys((*first.models, *because.models))))
    return tuple(found.values())


def _candidate(
    enemy: str, gap: float, failed: str, measured: float | None = None, needed: float | None = None
) -> Candidate:
    told = None if measured is None else round(measured, 4)
    return Candidate(id=enemy, distance=round(gap, 4), failed=failed, measured=told, needed=needed)
