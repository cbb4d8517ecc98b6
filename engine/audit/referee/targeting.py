"""Whether stored declarations were legal: shots, blows, charges and kinds of move.

Judges which models could be seen, reached or engaged at that moment; what the dice then did is not asked.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from engine.audit.referee.body import apart, in_range, nearest, slack, within
from engine.audit.referee.scene import HEAVY, Disagreement, Scene
from engine.audit.referee.sightline import Segment, clear_line, holds
from engine.core import event as ev
from engine.core.facts import WeaponFacts
from engine.core.state import Unit
from geometry.tolerance import TOLERANCE

LONE_OPERATIVE = 12.0
AIRCRAFT = "AIRCRAFT"
IN_THE_AIR = ("normal-move", "leave-board")
"""What AIRCRAFT may do in the Movement phase. Rule: CORE.AIR.2"""
NO_TARGETS = ("no-charge", "charge-failed")


def faults_of_targeting(scene: Scene, event: ev.Targeted) -> list[Disagreement]:
    """Return what is wrong with declared attacks."""
    unit = scene.state.position.units[event.unit]
    return list(_blows(scene, event, unit) if event.melee else _Volley(scene, event, unit).faults())


def faults_of_deciding(scene: Scene, event: ev.Decided) -> list[Disagreement]:
    """Return what is wrong with a kind of move or a charge.

    Rule: CORE.MOVE.1, CORE.CHG.1, CORE.AIR.2
    """
    if event.unit not in scene.state.position.units or event.decision not in ("move", "charge"):
        return []
    unit = scene.state.position.units[event.unit]
    if event.decision == "move":
        return list(_kind_of_move(scene, event, unit))
    if not event.choice or event.choice[0] in NO_TARGETS:
        return []
    return list(_charge(scene, event, unit))


def sees(scene: Scene, unit: Unit, row: int, other: Unit, target: int) -> Segment | None:
    """Return a clear line from one model to another; None if none is found.

    Where its own search finds none, the line that the game would show is checked instead. Rule: CORE.LOS.1
    """
    a, b = scene.eye(row), scene.eye(target)
    between = scene.between(unit, other, a, b)
    found = clear_line(a, b, between)
    if found is None:
        shown = scene.allowance.line_of_the_game(unit, row, other, target)
        if shown is not None and holds(shown, a, b, between):
            (ax, ay, _), (bx, by, _) = shown
            found = (ax, ay), (bx, by)
    return found


def _kind_of_move(scene: Scene, event: ev.Decided, unit: Unit) -> Iterator[Disagreement]:
    may_stay = not any(scene.is_a(row, AIRCRAFT) for row in unit.rows)
    if not event.choice or unit.where != "table" or (event.choice[0] == "remain-stationary" and may_stay):
        return
    scene.checked["engagements"] += 1
    kind = event.choice[0]
    holders = [enemy for enemy in scene.enemies(unit) if not any(scene.is_a(r, AIRCRAFT) for r in enemy.rows)]
    met = scene.engaged(scene.bodies(unit.rows), holders, surely=kind != "fall-back")
    if any(scene.is_a(row, AIRCRAFT) for row in unit.rows):
        if kind not in IN_THE_AIR:
            yield Disagreement(event.n, "aircraft", unit.id, f"it makes a {kind}", "it is an aircraft")
    elif kind == "fall-back" and not met:
        yield Disagreement(event.n, "engagement", unit.id, "it falls back", "it is engaged with nobody")
    elif kind != "fall-back" and met:
        told = f"it is within engagement range of {met[0]}"
        yield Disagreement(event.n, "engagement", unit.id, f"it makes a {kind}", told)


def _charge(scene: Scene, event: ev.Decided, unit: Unit) -> Iterator[Disagreement]:
    """Yield why a charge may not be declared. Rule: CORE.CHG.1, CORE.CHG.2, CORE.CHG.5"""
    scene.checked["engagements"] += 1
    met = scene.engaged(scene.bodies(unit.rows), scene.enemies(unit))
    if met:
        told = f"it is within engagement range of {met[0]}"
        yield Disagreement(event.n, "engagement", unit.id, "it charges", told)
    for name in event.choice:
        if not scene.fights(unit, scene.state.position.units[name]) or any(
            scene.is_a(row, AIRCRAFT) for row in unit.rows
        ):
            told = "one of them is in the air"
            yield Disagreement(event.n, "aircraft", unit.id, f"it charges {name}", told)
        ours, theirs = scene.bodies(unit.rows), scene.bodies(scene.state.position.units[name].rows)
        if not any(in_range(a, b, scene.parameters.charge_range) for a in ours for b in theirs):
            far = min((nearest(body, theirs) for body in ours), default=math.inf)
            yield Disagreement(event.n, "range", unit.id, f"it charges {name}", f'it is {far:.4f}" away')


class _Volley:
    """One unit's shots."""

    def __init__(self, scene: Scene, event: ev.Targeted, unit: Unit) -> None:
        self.scene = scene
        self.event = event
        self.unit = unit
        self.engaged = scene.engaged(scene.bodies(unit.rows), scene.enemies(unit))
        self.perhaps = scene.engaged(scene.bodies(unit.rows), scene.enemies(unit), surely=False)
        self._lines: dict[tuple[int, int], Segment | None] = {}
        self._gaps: dict[tuple[int, str], list[tuple[float, int]]] = {}

    def faults(self) -> Iterator[Disagreement]:
        """Yield what is wrong with each shot. Rule: CORE.SHOOT.2 to CORE.SHOOT.7"""
        for shot in self.event.shots:
            self.scene.checked["shots"] += 1
            weapon, target = self.unit.weapon(shot.weapon), self.scene.state.position.units[shot.target]
            stored = f"model {shot.model} shoots {weapon.name} at {target.id}"
            for check, measured in self._shot(shot.model, weapon, target):
                yield Disagreement(self.event.n, check, self.unit.id, stored, measured)

    def _shot(self, row: int, weapon: WeaponFacts, target: Unit) -> Iterator[tuple[str, str]]:
        if row not in self.unit.rows or target.where != "table" or not target.rows:
            yield "model", "the shooter or its target is not on the table"
            return
        gaps = self._gaps_to(row, target)
        body, reach = self.scene.body(row), self.scene.allowance.reach(self.unit, weapon)
        near = [other for _, other in gaps if in_range(body, self.scene.body(other), reach)]
        if not near:
            yield "range", f'the closest model is {gaps[0][0]:.4f}" away, and {reach:g}" is its range'
        elif not weapon.has("indirect fire") and not any(self._line(row, target, other) for other in near):
            yield "sight", f"of its {len(near)} models in range none is visible"
        yield from self._forbidden(weapon, target, gaps[0][0] - slack(body, self.scene.body(gaps[0][1])))

    def _gaps_to(self, row: int, target: Unit) -> list[tuple[float, int]]:
        key = (row, target.id)
        if key not in self._gaps:
            body = self.scene.body(row)
            self._gaps[key] = sorted((apart(body, self.scene.body(other)), other) for other in target.rows)
        return self._gaps[key]

    def _line(self, row: int, target: Unit, other: int) -> Segment | None:
        key = (row, other)
        if key not in self._lines:
            self.scene.checked["lines of sight"] += 1
            self._lines[key] = sees(self.scene, self.unit, row, target, other)
        return self._lines[key]

    def _forbidden(self, weapon: WeaponFacts, target: Unit, closest: float) -> Iterator[tuple[str, str]]:
        """Yield why the shot is not allowed, apart from its range and line of sight.

        Rule: CORE.SHOOT.4 to CORE.SHOOT.7
        """
        alone = not target.is_attached and self.scene.allowance.has_ability(target, "lone operative")
        if alone and closest > LONE_OPERATIVE + TOLERANCE:
            yield "range", f'it is a Lone Operative {closest:.4f}" away'
        if self.engaged and not any(self.unit.has(word) for word in HEAVY):
            if not weapon.has("pistol"):
                yield "engagement", f"the shooter is engaged with {self.engaged[0]}"
            elif target.id not in self.perhaps:
                yield "engagement", f"the shooter is engaged with {self.engaged[0]} and not with its target"
            return
        held = self._held(target)
        free = target.id in self.perhaps or any(target.has(word) for word in HEAVY)
        is_barred = weapon.has("blast") or not free
        if held and is_barred and not self.scene.allowance.may_shoot_into_combat(self.unit, target, weapon):
            yield "engagement", f"its target is engaged with {held}"

    def _held(self, target: Unit) -> str:
        """Return which unit of the shooter's side the target is engaged with, if any."""
        friends = [self.unit, *self.scene.friends(self.unit)]
        return next(iter(self.scene.engaged(self.scene.bodies(target.rows), friends)), "")


def _blows(scene: Scene, event: ev.Targeted, unit: Unit) -> Iterator[Disagreement]:
    """Yield which models strike units that they do not reach.

    Rule: CORE.FGT.5, CORE.FGT.6, CORE.AIR.4
    """
    for row, name in dict.fromkeys((shot.model, shot.target) for shot in event.shots):
        scene.checked["blows"] += 1
        if not scene.fights(unit, scene.state.position.units[name]):
            told = "one of them is in the air, and the other cannot fly"
            yield Disagreement(event.n, "aircraft", unit.id, f"model {row} strikes {name}", told)
        foes = scene.bodies(scene.state.position.units[name].rows)
        body = scene.body(row)
        beside = [scene.body(r) for r in unit.rows if r != row and within(body, scene.body(r), 0.0)]
        led = any(within(friend, foe, 0.0) for friend in beside for foe in foes)
        if not led and not scene.meets([body], foes, surely=False):
            far = f'it is {nearest(body, foes):.4f}" away, and touches no friend that touches it'
            yield Disagreement(event.n, "reach", unit.id, f"model {row} strikes {name}", far)
