"""What a unit would meet where it is carried: enemies that see it, shots, markers.

Asks sight, distances and `ai.reckoning`; nothing here is weighed against anything.
"""

from __future__ import annotations

import msgspec
import numpy as np

from ai.reckoning.expectation import expected_damage
from engine.core.request import Move, Moves
from engine.core.state import Unit
from engine.w40k.view import View
from geometry.measure.distance import within
from geometry.shape.base import Bools, Floats
from viewer.story.name import objective_name


class Onlooker(msgspec.Struct, frozen=True):
    """An enemy unit as it would stand to the unit at its new place."""

    unit: str
    name: str
    apart: float
    """Between the closest models, in inches."""
    sees: bool
    wounds: float
    """What its guns would cost the unit there on average, cover counted."""
    shots: float
    """What the unit's guns would cost it on average, 0 where it may not shoot after its move."""


class Outlook(msgspec.Struct, frozen=True):
    """All that is to be known of a place before a unit moves there."""

    onlookers: tuple[Onlooker, ...]
    objectives: tuple[str, ...]
    """The names of the markers in whose range the unit would be."""

    @property
    def brief(self) -> str:
        """Return in a few words by how many it is seen, and what that is expected to cost."""
        seen = [each for each in self.onlookers if each.sees]
        if not seen:
            return "seen by nobody"
        return f"seen by {len(seen)} of {len(self.onlookers)}: {sum(each.wounds for each in seen):.1f} wounds"

    @property
    def lines(self) -> list[str]:
        """Return it in sentences."""
        found: list[str] = []
        seen = [each for each in self.onlookers if each.sees]
        total = sum(each.wounds for each in seen)
        told = f"{len(seen)} of {len(self.onlookers)} Horde units see it there: {total:.1f} wounds expected"
        best = max(seen, key=lambda each: (each.shots, -each.apart), default=None)
        if best is not None and best.shots:
            found.append(f"Best shot there: {best.name}, {best.apart:.1f}″: {best.shots:.1f} wounds")
        return [*found, *(f"In range of {name} there" for name in self.objectives), told]


def outlook_of(view: View, request: Move, moves: Moves) -> Outlook:
    """Return what a unit would meet after a move."""
    unit, there = view.unit(request.unit), view.after(moves.paths)
    shoots = request.kind == "normal" or (
        request.kind in ("advance", "fall-back") and view.may(f"shoot-after-{request.kind}", unit=unit)
    )
    onlookers = []
    for enemy in view.enemies(unit):
        # What sees into a ruin need not be seen from within.
        seen, back = there.visible(unit, enemy), there.visible(enemy, unit)
        apart = there.gaps(unit, enemy)
        shots = _shot(view, there, unit, enemy, apart, seen) if shoots else 0.0
        wounds = _shot(view, there, enemy, unit, apart.T, back)
        onlookers.append(Onlooker(enemy.id, enemy.name, float(apart.min()), bool(back.any()), wounds, shots))
    reach = view.parameters.objective_range + view.parameters.marker_radius
    near = [
        objective_name(name)
        for name, marker in view.objectives.items()
        if bool(within(there.bases(unit).distances(np.array([marker.at]))[0].min(), reach))
    ]
    return Outlook(tuple(onlookers), tuple(near))


def _shot(view: View, there: View, unit: Unit, target: Unit, apart: Floats, seen: Bools) -> float:
    """Return what guns cost a target at these distances (own × its), the best of each item.

    Cover is that of the table `there`; the rules are those of now.
    """
    total = 0.0
    covered = there.covered(unit, target) if seen.any() else frozenset()
    for i, row in enumerate(unit.rows):
        if not seen[i].any():
            continue
        far = float(apart[i][seen[i]].min())
        best: dict[str, float] = {}
        for place in view.model(row).facts.weapons:
            gun = unit.weapon(place)
            reach = 0.0 if gun.is_melee else view.reach(unit, gun)
            if reach and within(far, reach):
                wounds = expected_damage(
                    view, unit, row, place, target, half_range=bool(within(far, reach / 2)), covered=covered
                )
                key = gun.item or f"{place}"
                best[key] = max(best.get(key, 0.0), wounds)
        total += sum(best.values())
    return total
