"""Whether what the Horde said of its moves is true: its targets and its reasons to hold.

Judges lines of reasons, with what was passed over, from the positions before the move alone. Distances and
lines are the referee's own; what models carry is read off the facts.

Rule: AI.MOVE.1 to AI.MOVE.3, AI.STAY.1 to AI.STAY.5
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import shapely

from engine.audit.referee.arms import carriers, primary
from engine.audit.referee.body import TOLD, Body, slack
from engine.audit.referee.lookout import Glimpse, Lookout, spotted
from engine.audit.referee.scene import Disagreement, Scene
from engine.audit.referee.terrain import NEAR
from engine.core.facts import HORDE
from engine.core.log import BecauseLine
from engine.core.request import Because, Candidate
from engine.core.state import Objective, Unit
from geometry.tolerance import TOLERANCE

MOVES = ("move", "path")
HIDDEN = "not-visible"
SEEN = ("ai.move.closest", "ai.move.seen_by", "ai.move.unfightable")
MARKED = (
    "ai.move.home_marker",
    "ai.move.marker_sight",
    "ai.move.shared_marker",
    "ai.move.unseen_markers",
)
"""The points of the text that targets rest on: they are judged as read by default only."""
STAYS = ("AI.STAY.1", "AI.STAY.2", "AI.STAY.3")


def faults_of_intent(scene: Scene, line: BecauseLine) -> list[Disagreement]:
    """Return what is wrong with the reasons of a Horde unit's move."""
    if line.seat != HORDE or line.decision not in MOVES or line.unit not in scene.state.position.units:
        return []
    unit = scene.state.position.units[line.unit]
    if unit.where != "table" or not unit.rows:
        return []
    return list(_Intent(scene, line, unit).faults())


class _Intent:
    """One line of reasons for a move, and the table at that moment."""

    def __init__(self, scene: Scene, line: BecauseLine, unit: Unit) -> None:
        self.scene, self.line, self.unit = scene, line, unit
        self.lookout = Lookout(scene, unit)

    def faults(self) -> Iterator[Disagreement]:
        """Yield every disagreement."""
        for because in self.line.reasons:
            if because.clause in TARGETS and self._is_choice(because):
                self.scene.checked["targets"] += 1
                yield from TARGETS[because.clause](self, because)
            elif because.clause in ("AI.STAY.1", "AI.STAY.2"):
                self.scene.checked["reasons to hold"] += 1
                yield from self._held(because)
        yield from self._zones()
        if self.line.decision == "move" and not any(b.clause in STAYS for b in self.line.reasons):
            yield from self._should_hold()

    def _is_choice(self, because: Because) -> bool:
        """Return whether a reason says what the unit heads for, and that is read by default."""
        asked = SEEN if because.clause == "AI.MOVE.1" else (*SEEN, *MARKED)
        return not because.ruling.startswith(("R.", "ai.move.marker")) and self.scene.is_plain(asked)

    def _told(self, check: str, stored: str, measured: str) -> Disagreement:
        return Disagreement(self.line.because, check, self.unit.id, stored, measured, of="answer")

    # targets

    def enemy(self, because: Because) -> Iterator[Disagreement]:
        """Yield what is wrong with an enemy that the unit heads for.

        Rule: AI.MOVE.1, R.A01, R.A02, R.A09
        """
        enemy = self.scene.state.position.units.get(because.target)
        stored = f"{because.target} is the closest visible enemy"
        if enemy is None or enemy not in self.scene.enemies(self.unit) or not self.lookout.counts(enemy):
            yield self._told("target", stored, "it is no enemy on the table that counts")
            return
        seen = self.lookout.nearest_seen(enemy)
        if seen is None:
            yield self._told("target", stored, "no model of it is seen")
            return
        yield from self._distances(because, seen)
        nearer = self._spotted(seen.apart - self.lookout.blur(self.scene.state.position.units[seen.enemy]))
        if nearer is not None:
            measured = f'it is {seen.apart:.4f}" away, and {_named(nearer)}, is visible'
            yield self._told("target", stored, measured)

    def _spotted(self, than: float = math.inf) -> Glimpse | None:
        return spotted(self.lookout, than)

    def _distances(self, because: Because, seen: Glimpse) -> Iterator[Disagreement]:
        """Yield which distances of the candidates are others than the referee's."""
        for each in because.candidates:
            enemy = self.scene.state.position.units.get(each.id)
            if enemy is None or each.distance is None or enemy.where != "table" or not enemy.rows:
                continue
            if each.id == because.target:
                wrong, far = abs(each.distance - seen.apart) > self._loose(seen), seen.apart
            else:
                wrong, far = self._is_wrong(each, enemy)
            if wrong:
                yield self._told("distance", f'{each.id} is {each.distance:.4f}" away', f'{far:.4f}"')

    def _is_wrong(self, each: Candidate, enemy: Unit) -> tuple[bool, float]:
        """Return whether a candidate's distance is wrong, and how far its nearest model is.

        The distance of an enemy that is not seen is that of its nearest model. Any other is no less than it.
        """
        nearest = self.lookout.models_of(enemy)[0]
        assert each.distance is not None
        off = each.distance - nearest.apart
        return (abs(off) if each.failed == HIDDEN else -off) > self._loose(nearest), nearest.apart

    def _loose(self, seen: Glimpse) -> float:
        return TOLD + self.lookout.blur(self.scene.state.position.units[seen.enemy])

    def marker(self, because: Because) -> Iterator[Disagreement]:
        """Yield what is wrong with a marker that the unit heads for. Rule: AI.MOVE.2, R.A10 to R.A15"""
        marker = self.scene.state.position.objectives.get(because.target)
        stored = f"no enemy is visible, and {because.target} is the closest free objective"
        if marker is None:
            yield self._told("target", stored, "it is no marker on the table")
            return
        yield from self._unseen(stored)
        barred = self._barred(marker)
        if barred:
            yield self._told("target", stored, barred)
        elif not self.lookout.sees_marker(marker):
            yield self._told("target", stored, "no line to it is found")
        far = self.lookout.apart_from_marker(marker)
        told = next((c.distance for c in because.candidates if c.id == because.target), None)
        if told is not None and abs(told - far) > TOLD + TOLERANCE + self._own_blur():
            yield self._told("distance", f'{because.target} is {told:.4f}" away', f'{far:.4f}"')
        yield from self._free_markers(stored, far)

    def _own_blur(self) -> float:
        return 2 * slack(*self.lookout.bodies.values())

    def _free_markers(self, stored: str, than: float = math.inf) -> Iterator[Disagreement]:
        for marker in self.scene.state.position.objectives.values():
            far = self.lookout.apart_from_marker(marker)
            if far >= than - 2 * TOLERANCE - self._own_blur() or self._barred(marker):
                continue
            if self.lookout.sees_marker(marker, quick=True):
                told = f'{marker.facts.id} is visible and free, {far:.4f}" away'
                yield self._told("target", stored, told)
                return

    def _barred(self, marker: Objective) -> str:
        """Return why a marker may not be headed for, "" if it may. Rule: AI.MOVE.2, R.A11, R.A12"""
        at = shapely.Point(marker.at)
        zones = [zone for zone in self.scene.state.position.zones.values() if zone.kind == "spawn"]
        inside = any(shapely.Polygon(zone.polygon).distance(at) <= TOLERANCE for zone in zones)
        if inside or marker.facts.zone == "horde":
            return "it is in a spawning zone"
        holder = self.lookout.holder(marker)
        return f"{holder} holds it" if holder not in ("", self.unit.id) else ""

    def edge(self, because: Because) -> Iterator[Disagreement]:
        """Yield what was to be headed for rather than the Defender's edge. Rule: AI.MOVE.3"""
        stored = "neither an enemy nor a free objective is visible"
        yield from self._unseen(stored)
        yield from self._free_markers(stored)

    def _unseen(self, stored: str) -> Iterator[Disagreement]:
        seen = self._spotted()
        if seen is not None:
            yield self._told("target", stored, f"{_named(seen)}, is visible")

    # holding its place

    def _held(self, because: Because) -> Iterator[Disagreement]:
        """Yield why the unit has no reason to hold its place. Rule: AI.STAY.1, AI.STAY.2"""
        stored = f"it holds its place by {because.clause}"
        heavy = self._heavy(because.clause)
        if not heavy:
            count = len({row for row, _ in carriers(self.scene, self.unit, "heavy")})
            carried = f"{count} of {len(self.unit.rows)} models carry Heavy weapons"
            yield self._told("heavy", stored, carried)
            return
        if not any(self._seen_in_range(*each, because.target) for each in heavy):
            yield self._told("heavy", stored, "none of these sees an enemy within its range")

    def _heavy(self, clause: str) -> list[tuple[int, float]]:
        """Return the models, with the ranges of their Heavy weapons, that may hold the unit."""
        found = carriers(self.scene, self.unit, "heavy")
        if clause == "AI.STAY.1":
            bearers = {row for row, _ in found}
            half = self.scene.ruling("ai.stay.majority") == "half"
            enough = 2 * len(bearers) + half > len(self.unit.rows)
            return found if len(self.unit.rows) > 1 and enough else []
        return primary(self.scene, self.unit, "heavy") if len(self.unit.rows) == 1 else []

    def _seen_in_range(self, row: int, reach: float, target: str) -> bool:
        """Return whether a model sees the target, or any enemy if none is named, within a range."""
        for enemy in self.scene.enemies(self.unit):
            if target and enemy.id != target:
                continue
            seen = self.lookout.nearest_seen(enemy, (row,))
            if seen is not None and seen.apart <= reach + TOLERANCE + self.lookout.blur(
                self.scene.state.position.units[seen.enemy]
            ):
                return True
        return False

    def _should_hold(self) -> Iterator[Disagreement]:
        """Yield why a unit that moves should have held its place.

        Rule: AI.STAY.1, AI.STAY.2, AI.STAY.4
        """
        if self._in_zone(-NEAR) or "deep-strike-failed" in self.unit.marks or self._is_bound():
            return
        for clause in ("AI.STAY.1", "AI.STAY.2"):
            for row, reach in self._heavy(clause):
                for enemy in self.scene.enemies(self.unit):
                    seen = self.lookout.nearer_seen(enemy, reach - 2 * TOLERANCE, (row,))
                    if (
                        seen is not None
                        and seen.apart + self.lookout.blur(self.scene.state.position.units[seen.enemy])
                        <= reach
                    ):
                        told = f'{clause} holds: model {row} sees {_named(seen)}, within its {reach:g}"'
                        yield self._told("heavy", "it means to move", told)
                        return

    def _is_bound(self) -> bool:
        """Return whether the unit's choice is not where to walk: it is engaged, or in the air."""
        ours, enemies = self.lookout.bodies.values(), self.scene.enemies(self.unit)
        return self.unit.has("AIRCRAFT") or bool(self.scene.engaged(ours, enemies, surely=False))

    # spawning zones

    def _zones(self) -> Iterator[Disagreement]:
        """Yield whether it is in a spawning zone otherwise than it says. Rule: AI.STAY.5"""
        told = any(b.clause == "AI.STAY.5" for b in self.line.reasons)
        if told and not self._in_zone(-NEAR):
            yield self._told("zone", "it must leave a spawning zone", "no model is within one")
        aims = any(b.clause in TARGETS for b in self.line.reasons)
        if not told and aims and self._in_zone(NEAR) and not self._is_bound():
            yield self._told("zone", "it says nothing of a spawning zone", "a model is within one")

    def _in_zone(self, deep: float) -> bool:
        """Return whether any model is at least this deep within a spawning zone."""
        zones = [z.polygon for z in self.scene.state.position.zones.values() if z.kind == "spawn"]
        return any(_depth(body, zone) >= deep for zone in zones for body in self.lookout.bodies.values())


def _depth(body: Body, zone: tuple[tuple[float, float], ...]) -> float:
    """Return how deep a base is within a zone; infinite where its core meets the zone."""
    apart = float(shapely.distance(shapely.Polygon(zone), body.core))
    return body.radius - apart if apart > 0 else math.inf


def _named(seen: Glimpse) -> str:
    return f'model {seen.other} of {seen.enemy}, {seen.apart:.4f}" away'


TARGETS: dict[str, Callable[[_Intent, Because], Iterator[Disagreement]]] = {
    "AI.MOVE.1": _Intent.enemy,
    "AI.MOVE.2": _Intent.marker,
    "AI.MOVE.3": _Intent.edge,
}
