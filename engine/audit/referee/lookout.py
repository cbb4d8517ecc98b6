"""What a unit can be shown to see from where it stands, and how far off that is.

Owns proofs of sight: that something is seen is shown by a line on which nothing closes the view; that a line
was not found proves nothing. What follows from it for a choice is `intent`'s and `preference`'s.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import shapely

from engine.audit.referee.body import Body, apart, bounds, gap, slack
from engine.audit.referee.scene import Scene
from engine.audit.referee.sightline import clear_line
from engine.audit.referee.targeting import sees
from engine.audit.referee.terrain import Eye
from engine.core.facts import HORDE
from engine.core.state import Objective, Unit
from engine.w40k.activation.objective import first_there
from geometry.tolerance import TOLERANCE

FEW = 4
"""How many of a unit's models, the nearest first, look for a model it is not said to see."""
AIRCRAFT = "AIRCRAFT"


@dataclass(frozen=True, slots=True)
class Glimpse:
    """A model of an enemy, and how far it is from the nearest of a unit's models."""

    apart: float
    row: int
    enemy: str
    other: int


class Lookout:
    """One unit where it stands."""

    def __init__(self, scene: Scene, unit: Unit) -> None:
        """Look from the state before the line at hand."""
        self.scene, self.unit = scene, unit
        self.bodies = {row: scene.body(row) for row in unit.rows}

    def counts(self, enemy: Unit) -> bool:
        """Return whether the unit may head for an enemy.

        It may head for AIRCRAFT only if it has FLY, or sees them within range of one of its guns.

        Rule: R.A09
        """
        if not enemy.has(AIRCRAFT) or self.unit.has("FLY"):
            return True
        return any(self._reaches(row, enemy) for row in self.unit.rows)

    def _reaches(self, row: int, enemy: Unit) -> bool:
        weapons = (self.unit.weapon(i) for i in self.scene.state.position.models[row].facts.weapons)
        far = max((self.scene.allowance.reach(self.unit, weapon) for weapon in weapons), default=0.0)
        seen = self.nearest_seen(enemy, (row,)) if far else None
        return seen is not None and seen.apart <= far + TOLERANCE

    def models_of(self, enemy: Unit, rows: Iterable[int] = ()) -> list[Glimpse]:
        """Return the models of an enemy, the nearest to some (else all) of the unit's first."""
        own = [(row, self.bodies[row]) for row in rows or self.unit.rows]
        found = []
        for other in enemy.rows:
            body = self.scene.body(other)
            far, row = min((apart(mine, body), row) for row, mine in own)
            found.append(Glimpse(far, row, enemy.id, other))
        return sorted(found, key=lambda each: (each.apart, each.other))

    def apart(self, enemy: Unit, rows: Iterable[int] = ()) -> float:
        """Return the distance from an enemy, seen or not."""
        return self.models_of(enemy, rows)[0].apart

    def blur(self, *enemies: Unit) -> float:
        """Return by how much distances from these enemies may be off."""
        sides = [self.bodies.values(), *([self.scene.body(row) for row in enemy.rows] for enemy in enemies)]
        # Bases of an Attached unit may differ: the roundest of a side says nothing of its ovals.
        return 2 * (TOLERANCE + slack(*(max(side, key=lambda body: body.blur) for side in sides)))

    def sees(self, row: int, enemy: Unit, other: int) -> bool:
        """Return whether one model sees another, as `nearest_seen` has it."""
        return sees(self.scene, self.unit, row, enemy, other) is not None

    def nearest_seen(self, enemy: Unit, rows: Iterable[int] = ()) -> Glimpse | None:
        """Return the closest model of an enemy that some (else all) of the unit's models see.

        It is None if none is found. Where the referee's own search finds no line, the game's own is checked
        instead. Rule: R.A01, R.A02
        """
        near = self.models_of(enemy, rows)
        return next((each for each in near if self._seen(each.other, enemy, rows)), None)

    def _seen(self, other: int, enemy: Unit, rows: Iterable[int]) -> bool:
        body = self.scene.body(other)
        own = sorted(rows or self.unit.rows, key=lambda row: (apart(self.bodies[row], body), row))
        self.scene.checked["lines of sight"] += 1
        return any(self.sees(row, enemy, other) for row in own)

    def nearer_seen(self, enemy: Unit, than: float, rows: Iterable[int] = ()) -> Glimpse | None:
        """Return a model of an enemy that is seen for certain, nearer than a distance.

        It is None if none is found. Only the referee's own lines count, and only of the few models nearest to
        each.
        """
        near = (each for each in self.models_of(enemy, rows) if each.apart < than)
        return next((each for each in near if self._certain(each.other, enemy, rows)), None)

    def _certain(self, other: int, enemy: Unit, rows: Iterable[int]) -> bool:
        target = self.scene.eye(other)
        own = sorted(rows or self.unit.rows, key=lambda row: (apart(self.bodies[row], target.body), row))
        for row in own[:FEW]:
            self.scene.checked["lines of sight"] += 1
            eye = self.scene.eye(row)
            if clear_line(eye, target, self.scene.between(self.unit, enemy, eye, target), quick=True):
                return True
        return False

    # objective markers

    def apart_from_marker(self, marker: Objective) -> float:
        """Return the distance from an objective marker."""
        disc = self._disc(marker)
        return min(gap(body, disc) for body in self.bodies.values())

    def sees_marker(self, marker: Objective, *, quick: bool = False) -> bool:
        """Return whether a line to a marker's disc is found on which nothing closes the view.

        Rule: R.A10
        """
        disc = Eye(self._disc(marker))
        for row in self.unit.rows:
            self.scene.checked["lines of sight"] += 1
            eye = self.scene.eye(row)
            if clear_line(eye, disc, self.scene.between(self.unit, None, eye, disc), quick=quick) is not None:
                return True
        return False

    def _disc(self, marker: Objective) -> Body:
        return Body(shapely.Point(marker.at), self.scene.parameters.marker_radius, 0.0, 0.0)

    def holder(self, marker: Objective) -> str:
        """Return which Horde unit holds a marker that the Horde controls, "" if none does.

        Rule: R.A12
        """
        if marker.by != HORDE:
            return ""
        control = {unit.id: self._control(unit, marker) for unit in self.scene.state.position.on_table(HORDE)}
        held = [name for name, oc in control.items() if oc > 0]
        came = {name: place for place, name in enumerate(first_there(marker))}
        return min(held, key=lambda name: (-control[name], came.get(name, len(came)), name), default="")

    def _control(self, unit: Unit, marker: Objective) -> float:
        if "battle-shocked" in unit.marks:
            return 0.0
        return sum(self.scene.allowance.control(unit, row) for row in self._in_range(unit, marker))

    def _in_range(self, unit: Unit, marker: Objective) -> Iterator[int]:
        """Yield the models of a unit that are within range of a marker. Rule: CORE.OBJ.1"""
        parameters, disc = self.scene.parameters, self._disc(marker)
        close = self.scene.near(bounds([disc]), parameters.objective_range)
        for row in (each for each in unit.rows if each in close):
            body = self.scene.body(row)
            near = gap(body, disc) <= parameters.objective_range + TOLERANCE
            if near and body.foot <= parameters.objective_vertical + TOLERANCE:
                yield row


def spotted(lookout: Lookout, than: float) -> Glimpse | None:
    """Return a model of any enemy that counts, seen for certain and nearer than that."""
    for enemy in lookout.scene.enemies(lookout.unit):
        found = lookout.nearer_seen(enemy, than) if lookout.counts(enemy) else None
        if found is not None:
            return found
    return None
