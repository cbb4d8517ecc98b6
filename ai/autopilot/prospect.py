"""What a place is worth to a unit of the autopilot.

Owns the worth of end positions, in points: of markers, shots, charges, dangers and the secret objective.
Which places are considered is `ai.autopilot.move_choice`'s.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import numpy as np
from msgspec.structs import replace

from ai.autopilot.appraisal import Appraisal
from ai.autopilot.charge_choice import charge_value
from ai.autopilot.secret import Errand, needs_survivor
from engine.core.state import Objective, Unit
from engine.w40k.view import View
from geometry.measure.body import Bodies
from geometry.measure.distance import within
from geometry.shape.base import Bools, Floats
from geometry.tolerance import TOLERANCE

MARKER = 60.0
"""What holding an objective marker at the end of a move is worth, in points."""
APPROACH = 0.9
"""What each inch nearer to the marker that a unit is after is worth, in points."""
CAUTION = 0.8
"""How much of the points that charges may take counts against a place."""
FAR = 40.0


def caution(view: View) -> float:
    """Return how much of the points that enemies may take counts against a place.

    Survival counts more late in the battle, and nothing at all once no enemy turn is left.
    """
    if view.rounds is None or view.round < view.rounds - 1:
        return CAUTION
    if view.round >= view.rounds:
        return 0.0
    return 2 * CAUTION if needs_survivor(view) else CAUTION


def prospect(view: View, unit: Unit) -> Prospect:
    """Return what a unit may gain and lose, looked up once while nothing on the table moves."""
    return view.remembered(("prospect", unit.id), lambda: Prospect(view, unit))


class Prospect:
    """What one unit may gain and lose by where it stands, at one moment."""

    def __init__(self, view: View, unit: Unit) -> None:
        """Look at what is on the table."""
        self.view = view
        self.unit = unit
        self.values = Appraisal(view)
        self.enemies = view.enemies(unit)
        self._contests: dict[str, tuple[int, int]] = {}
        self._nears: dict[bytes, list[Unit]] = {}
        self._sights: dict[bytes, dict[str, bool]] = {}
        self.goal = self._objective()
        self.errand = Errand(view, unit)
        self._best_control = max((view.control(unit, row) for row in unit.rows), default=0)

    def value(self, ends: Floats, shoots: bool, like: Floats | None = None) -> float:
        """Return what it is worth to stand at these places.

        What the unit sees is looked up from the places `like`, where they are given.
        """
        seen = self._seen(ends if like is None else like)
        value = self._marker_value(ends) + self.errand.value(ends)
        if shoots:
            value += self.values.shooting(self.unit, ends, seen)
        value += max((self.charge(ends, e) for e in self.enemies), default=0.0)
        wary = caution(self.view)
        if not wary:
            return value
        worth, risk = self.values.worth(self.unit), self.values.danger(self.unit, ends)
        if risk < worth:
            risk = min(risk + self.values.exposure(self.unit, ends, seen), worth)
        return value - wary * risk

    def shooting(self, ends: Floats) -> float:
        """Return what the unit's guns take from these places."""
        return self.values.shooting(self.unit, ends, self._seen(ends))

    def charge(self, ends: Floats, enemy: Unit) -> float:
        """Return what charging an enemy from these places is worth, 0 if it is not worth it."""
        apart = self.values.apart(self.unit, ends)[enemy.id]
        return max(0.0, charge_value(self.values, self.unit, enemy, apart)) if apart <= 12 else 0.0

    def foresee(self, guesses: Sequence[Floats]) -> None:
        """Look from many places at once, before the places are valued.

        That costs little more than to look from one place.
        """
        self.values.measure(self.unit, guesses)
        places = [ends for ends in guesses if self._near(ends) and ends.tobytes() not in self._sights]
        if not places:
            return
        bodies = self.view.field.bodies(self.unit.rows)
        many = bodies.take(list(range(len(bodies))) * len(places))
        own = replace(many, xy=np.concatenate(places))
        named = {enemy.id for ends in places for enemy in self._near(ends)}
        near = [enemy for enemy in self.enemies if enemy.id in named]
        seen = self._look(own, near).reshape(len(places), len(bodies), -1)
        for ends, found in zip(places, seen, strict=True):
            self._sights[ends.tobytes()] = self._by_unit(near, found)

    def _seen(self, ends: Floats) -> dict[str, bool]:
        """Return which enemies would be visible from these places."""
        near = self._near(ends)
        if not near:
            return {}
        key = ends.tobytes()
        if key not in self._sights:
            own = replace(self.view.field.bodies(self.unit.rows), xy=ends)
            self._sights[key] = self._by_unit(near, self._look(own, near))
        return {enemy.id: self._sights[key][enemy.id] for enemy in near}

    def _near(self, ends: Floats) -> list[Unit]:
        """Return the enemies that may reach these places, or that the unit reaches from there.

        For the worth of a place the sight of no other enemy matters.
        """
        key = ends.tobytes()
        if key not in self._nears:
            values, apart = self.values, self.values.apart(self.unit, ends)
            own = values.reach(self.unit)
            self._nears[key] = [e for e in self.enemies if within(apart[e.id], max(own, values.threat(e)))]
        return self._nears[key]

    def _look(self, own: Bodies, near: list[Unit]) -> Bools:
        return self.view.field.screens.seen(self.unit, own, self.view.field.rows(near))

    @staticmethod
    def _by_unit(near: list[Unit], seen: Bools) -> dict[str, bool]:
        """Return for each unit whether any of its models is seen.

        `seen` has a column for each model of the units, in their order.
        """
        firsts = [0, *accumulate(len(enemy.rows) for enemy in near[:-1])]
        found = np.logical_or.reduceat(seen.any(axis=0), firsts).tolist()
        return {enemy.id: is_seen for enemy, is_seen in zip(near, found, strict=True)}

    def _marker_value(self, ends: Floats) -> float:
        """Return what the objectives are worth from here: those held, and the one it is after."""
        value, parameters = 0.0, self.view.parameters
        markers = list(self.view.objectives.values())
        if not markers:
            return value
        bases = self.view.bases(self.unit, ends)
        apart = bases.distances(np.array([marker.at for marker in markers])) - parameters.marker_radius
        count = np.count_nonzero(within(apart, parameters.objective_range), axis=1).tolist()
        for marker, inside, far in zip(markers, count, apart.min(axis=1).tolist(), strict=True):
            if inside and self._wins(marker, inside):
                value += MARKER
            elif marker is self.goal:
                value -= APPROACH * min(max(far, 0.0), FAR)
        return value

    def _wins(self, marker: Objective, inside: int) -> bool:
        """Return whether the marker is held with this many of the unit's models, and not without."""
        if "battle-shocked" in self.unit.marks:
            return False
        own = inside * self._best_control
        friends, foes = self._contest(marker)
        return friends <= foes < friends + own

    def _contest(self, marker: Objective) -> tuple[int, int]:
        """Return the control that the unit's friends have of a marker, and that its enemies have."""
        if marker.facts.id not in self._contests:
            near = [u for u in self.view.field.near(marker) if u.id != self.unit.id]
            friends, foes = (
                sum(self._control(u, marker) for u in near if (u.side == self.unit.side) is ours)
                for ours in (True, False)
            )
            self._contests[marker.facts.id] = (friends, foes)
        return self._contests[marker.facts.id]

    def _control(self, unit: Unit, marker: Objective) -> int:
        inside = self.view.field.in_range_of(unit, marker)
        rows = [row for row, is_in in zip(unit.rows, inside, strict=True) if is_in]
        return sum(self.view.control(unit, row) for row in rows)

    def _objective(self) -> Objective | None:
        """Return the marker that the unit is after: near, and not already held by friends."""
        options = []
        for marker in self.view.objectives.values():
            distance = self.view.field.closest_to_objective(self.unit, marker)
            friends, foes = self._contest(marker)
            cost = distance + (25.0 if friends > foes else 0.0) + self._claimed(marker, distance)
            if marker.facts.zone == "horde":
                cost += 12.0
            options.append((cost, marker.facts.id, marker))
        return min(options, default=(0.0, "", None))[2]

    def _claimed(self, marker: Objective, distance: float) -> float:
        """Return by how much less a marker is wanted because friends are nearer to it."""
        nearer = [
            u
            for u in self.view.friends(self.unit)
            if self.view.field.closest_to_objective(u, marker) < distance - TOLERANCE
        ]
        return 5.0 * len(nearer)

    def is_on_marker(self) -> bool:
        """Return whether the unit is within range of a marker."""
        markers = self.view.objectives.values()
        return any(bool(self.view.field.in_range_of(self.unit, m).any()) for m in markers)
